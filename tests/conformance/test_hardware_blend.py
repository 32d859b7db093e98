"""The measured families of blending, advanced blending, logic operations and the alpha test."""

from pathlib import Path

import pytest

from refnvn.conformance.report import Report
from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.errors import InputFileError
from refnvn.rules.fields import NVN, AlphaPrecision, BlendPrecision, MissingSource1

FOLDER = Path(__file__).parents[1] / "data" / "hardware_blend"
EXACT = {
    "alphatest.npz": 1_583_232,
    "blend.npz": 256_512,
    "blendfp.npz": 42_240,
    "bright_probe.npz": 20_480,
    "constant_probe.npz": 425_984,
    "formats_probe.npz": 217_856,
    "full_alpha_probe.npz": 61_440,
    "kept_probe.npz": 79_360,
    "logicop.npz": 181_888,
    "reciprocal_probe.npz": 16_384,
    "softlight_probe.npz": 47_104,
    "tie_probe.npz": 2_048,
    "zeros_probe.npz": 322_560,
}
"""Cases of the files that are matched bit for bit."""


@pytest.fixture(scope="module")
def report() -> Report:
    """Score all files once."""
    return run([FOLDER])


def total(report: Report, file: str, field: str, word: str = "") -> int:
    """Return the sum of a count over the arrays of a file whose names hold a word."""
    arrays = [a for f in report.files if f.file == file for a in f.arrays if word in a.array]
    return sum(int(getattr(one, field)) for one in arrays)


@pytest.mark.rule(
    "RASTER-BLEND-1", "RASTER-BLEND-5", "RASTER-BLEND-6", "RASTER-BLEND-7", "RASTER-BLEND-8", "RASTER-BLEND-13",
    "RASTER-BLEND-11", "RASTER-LOGIC-3", "RASTER-ALPHATEST-2", "RASTER-ADVANCED-1", "RASTER-ADVANCED-2",
    "RASTER-ADVANCED-5", "RASTER-ADVANCED-14",
)  # fmt: skip
@pytest.mark.parametrize("file", EXACT)
def test_every_case_is_equal(report: Report, file: str) -> None:
    """Blends of 14 formats, signs of zeros and NaN included, logic operations, the alpha test: bit for bit."""
    assert total(report, file, "cases") == total(report, file, "equal") == EXACT[file]


@pytest.mark.rule("RASTER-ADVANCED-3", "RASTER-ADVANCED-7", "RASTER-ADVANCED-8", "RASTER-ADVANCED-10")
@pytest.mark.parametrize("file", ["advblend.npz", "nvblend.npz", "overlap_probe.npz"])
def test_advanced_modes_are_equal(report: Report, file: str) -> None:
    """Zeros of halves may have the other sign, and CONTRAST steps between denormals."""
    assert total(report, file, "wrong") == 0
    arrays = [a for f in report.files if f.file == file for a in f.arrays if a.within]
    assert all("RGBA16F" in a.array for a in arrays)
    assert all(a.largest_error == 0 or "CONTRAST" in a.array for a in arrays)


def test_strict_scores_pass(report: Report) -> None:
    """Nothing waits and nothing is wrong."""
    assert report.exit_code(strict=True) == 0
    assert {a.status for f in report.files for a in f.arrays} == {Status.EQUAL}


def test_other_rules_are_seen() -> None:
    """Blending or comparing in float32, or another unwritten second source, is not what was measured."""
    blended = run([FOLDER / "blend.npz"], NVN.with_(blend_precision=BlendPrecision.FLOAT32))
    assert {a.array for a in blended.files[0].arrays if a.wrong} >= {"out_RGBA8_alpha", "out_RGBA16F_mul2"}
    tested = run([FOLDER / "alphatest.npz"], NVN.with_(alpha_precision=AlphaPrecision.FLOAT32))
    assert {a.array for a in tested.files[0].arrays if a.wrong} >= {"out_RGBA8", "out_RGBA16F"}
    unwritten = run([FOLDER / "kept_probe.npz"], NVN.with_(missing_source1=MissingSource1.OPAQUE))
    assert {a.array.split("_")[2] for a in unwritten.files[0].arrays if a.wrong} == {"unwritten"}


@pytest.mark.parametrize("file", ["blend.npz", "alphatest.npz", "logicop.npz", "constant_probe.npz"])
def test_an_array_of_another_shape_is_refused(file: str, tmp_path: Path) -> None:
    """A file whose arrays do not fit each other gives one error that names the array."""
    import numpy as np

    with np.load(FOLDER / file) as source:
        arrays = dict(source)
    name = next(one for one in arrays if one.startswith("out_"))
    arrays[name] = arrays[name][..., :-1]
    np.savez(tmp_path / file, **arrays)
    with pytest.raises(InputFileError, match=name):
        run([tmp_path / file])
