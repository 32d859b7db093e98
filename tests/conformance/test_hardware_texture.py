"""The measured texture families that ship with the tests."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.errors import InputFileError
from refnvn.rules.fields import NVN, FilterWeights, LodLength

TEXTURE = Path(__file__).parents[1] / "data" / "hardware_texture"
META = np.array('{"what": "made up"}')

EXPECTED = {
    # file: cases, equal, within the declared bound, wrong but known
    "texaniso.npz": (7_936, 7_936, 0, 0),
    "texcube.npz": (21_504, 21_470, 27, 7),
    "texfilter.npz": (91_493, 91_493, 0, 0),
    "texgather.npz": (69_632, 69_632, 0, 0),
    "texlod.npz": (70_954, 70_946, 8, 0),
    "texshadow.npz": (30_720, 30_720, 0, 0),
    "texwrap.npz": (73_996, 73_996, 0, 0),
    "tx2_aniso.npz": (415_232, 415_232, 0, 0),
    "tx2_aniso3.npz": (284_672, 284_672, 0, 0),
    "tx2_coord.npz": (88_128, 88_127, 1, 0),
    "tx2_filter.npz": (69_632, 69_632, 0, 0),
    "tx2_filter_seed_9.npz": (4_608, 4_608, 0, 0),
    "tx2_lod.npz": (73_216, 73_133, 78, 5),
    "tx2_lod3.npz": (83_968, 83_968, 0, 0),
    "tx2_mipsum.npz": (16_384, 16_384, 0, 0),
    "tx2_shadow.npz": (12_288, 12_288, 0, 0),
    "tx3_aniso.npz": (183_680, 183_680, 0, 0),
    "tx3_one.npz": (11_288, 11_288, 0, 0),
    "tx4_aniso.npz": (264_264, 264_264, 0, 0),
    "tx4_edge.npz": (4_292, 4_292, 0, 0),
    "tx4_query.npz": (18_432, 18_420, 12, 0),
}
REPORT = run([TEXTURE])


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_family_is_matched(name: str) -> None:
    """Every case is equal, within its rule's bound, or one of the known few; no array waits."""
    (file,) = (one for one in REPORT.files if one.file == name)
    found = tuple(file.total(field) for field in ("cases", "equal", "within", "wrong"))
    assert found == EXPECTED[name]
    assert not [array.array for array in file.arrays if array.status in (Status.NOT_RUN, Status.WRONG)]


def test_every_family_is_scored() -> None:
    """The folder holds these families and no other, and a strict run is content with them."""
    assert {file.file for file in REPORT.files} == set(EXPECTED)
    assert REPORT.exit_code(strict=True) == 0


def test_nearly_all_rules_of_the_room_are_measured() -> None:
    """The families exercise every rule of textures but those of mappings, borders of integers and views."""
    used = {rule for file in REPORT.files for array in file.arrays for rule in array.rules}
    areas = {"ANISO": 6, "COORD": 5, "CUBE": 4, "FLOAT": 3, "LEVEL": 6, "LOD": 4, "SUM": 3, "WEIGHT": 4, "WRAP": 5}
    expected = {f"TEX-{area}-{n}" for area, count in areas.items() for n in range(1, count + 1)}
    expected |= {"TEX-LOD-7", "TEX-LOD-8", "TEX-LOD-9", "TEX-SHADOW-1", "TEX-SHADOW-2", "TEX-REDUCE-1", "TEX-QUERY-1"}
    assert expected - used == set()


@pytest.mark.parametrize(
    ("family", "rules"),
    [
        pytest.param("texfilter", NVN.with_(filter_weights=FilterWeights.EXACT), id="exact-filter"),
        pytest.param("tx2_lod", NVN.with_(lod_length=LodLength.EUCLIDEAN), id="true-lengths"),
    ],
)
def test_other_rules_are_seen_to_be_wrong(family: str, rules: object) -> None:
    """What a port does instead differs in many cases: the score is no rubber stamp."""
    report = run([TEXTURE / f"{family}.npz"], rules)  # type: ignore[arg-type]
    assert report.total("wrong") > 1000


@pytest.mark.parametrize("name", ["texwrap.npz", "texshadow.npz", "texgather.npz", "tx2_shadow.npz"])
def test_one_changed_element_is_found(name: str, tmp_path: Path) -> None:
    """Flipping a bit of one result makes exactly one case wrong."""
    with np.load(TEXTURE / name, allow_pickle=False) as archive:
        arrays = dict(archive)
    array = next(key for key in arrays if key.startswith("out_"))
    flat = arrays[array].reshape(-1)
    flat[len(flat) // 2] ^= 1
    np.savez(tmp_path / name, **arrays)
    assert run([tmp_path]).total("wrong") == 1


@pytest.mark.parametrize(
    ("name", "arrays", "complaint"),
    [
        pytest.param(
            "texfilter",
            {"in_curve2_u": np.zeros(3, np.float64), "out_curve2": np.zeros(3, np.uint32)},
            "not float32",
            id="coordinates",
        ),
        pytest.param(
            "texfilter",
            {"in_curve2_u": np.zeros(3, np.float32), "out_curve2": np.zeros(2, np.uint32)},
            r"not uint32 of shape \(3,\)",
            id="count",
        ),
        pytest.param(
            "tx2_filter",
            {"in_mip_RGBA8_0": np.zeros((8, 8, 2), np.uint8), "out_mip_RGBA8": np.zeros((1, 4), np.uint32)},
            "texels of 4 unsigned bytes",
            id="texels",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    name: str, arrays: dict[str, np.ndarray], complaint: str, tmp_path: Path
) -> None:
    """An array of another dtype or shape is one clear error."""
    np.savez(tmp_path / f"{name}.npz", meta=META, **arrays, out_bilinear_R8=np.zeros((1, 4), np.uint32))
    with pytest.raises(InputFileError, match=complaint):
        run([tmp_path])
