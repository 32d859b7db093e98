"""The measured families that ship with the tests."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.rules.slack import METAL

HARDWARE = Path(__file__).parents[1] / "data" / "hardware"
DEPTH = Path(__file__).parents[1] / "data" / "hardware_depth"

EXPECTED = {
    # file: cases, arrays that ran, arrays that wait
    "alu.npz": (147_456, 57, 4),
    "bc.npz": (755_736, 20, 0),
    "clear.npz": (19_808, 45, 0),
    "decode.npz": (616_320, 41, 0),
    "imagestore.npz": (313_920, 35, 0),
    "sfu.npz": (589_824, 9, 0),
    "store.npz": (391_040, 41, 0),
    "thresholds.npz": (26_036, 15, 0),
    "tx2_bcends.npz": (1_572_870, 6, 0),
}


def test_every_measured_format_conversion_is_matched() -> None:
    """All families, every element, bit for bit: none wrong."""
    report = run([HARDWARE])
    found = {
        f.file: (
            f.total("cases"),
            sum(a.status is Status.EQUAL for a in f.arrays),
            sum(a.status is Status.NOT_RUN for a in f.arrays),
        )
        for f in report.files
    }
    assert found == EXPECTED
    assert report.total("cases") == report.total("equal") == sum(cases for cases, _, _ in EXPECTED.values())
    assert report.total("wrong") == report.total("within") == 0
    assert report.exit_code() == 0


def test_filtered_reads_are_matched() -> None:
    """The linear filter at the centres of texels: 307,264 cases of 17 formats, none wrong."""
    report = run([HARDWARE / "decode.npz"])
    linear = [a for f in report.files for a in f.arrays if a.array.startswith("out_linear_")]
    assert sum(a.cases for a in linear) == sum(a.equal for a in linear) == 307_264
    assert report.exit_code(strict=True) == 0


def test_measured_depth_stores_are_matched() -> None:
    """Depths of shaders and clears in three formats: 23,856 cases, none wrong."""
    report = run([DEPTH])
    assert report.total("cases") == report.total("equal") == 23_856
    assert report.exit_code(strict=True) == 0


def test_every_array_names_the_rules_that_answered() -> None:
    """A score says which rules it tests; the sRGB store uses its own four."""
    report = run([HARDWARE / "store.npz"])
    by_name = {a.array: a.rules for f in report.files for a in f.arrays}
    assert {"FMT-SRGB-1", "FMT-SRGB-2", "FMT-SRGB-3"} <= set(by_name["out_SRGB8_ALPHA8"])
    assert all(rules for rules in by_name.values())


def test_other_rules_are_seen_to_be_wrong() -> None:
    """Metal's profile differs from the chip in most arrays: the score is no rubber stamp."""
    report = run([HARDWARE], METAL)
    by_name = {(f.file, a.array): a for f in report.files for a in f.arrays}
    assert by_name["store.npz", "out_R8"].wrong > 0
    assert by_name["store.npz", "out_R8"].largest_error == 1.0
    assert by_name["thresholds.npz", "out_R16F"].wrong == 1024
    assert by_name["decode.npz", "out_fetch_RGB565"].wrong > 0
    assert by_name["imagestore.npz", "out_load_R8"].unit == "ULP"
    assert by_name["store.npz", "out_RGBA32F"].wrong == 0
    assert report.exit_code() == 1


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_one_changed_element_is_found(name: str, tmp_path: Path) -> None:
    """Flipping the lowest bit of one result makes exactly one or two cases wrong."""
    with np.load(HARDWARE / name, allow_pickle=False) as archive:
        arrays = dict(archive)
    array = next(k for k in arrays if k.startswith("out_fetch_" if name == "decode.npz" else "out_"))
    flat = arrays[array].reshape(-1)
    flat[len(flat) // 2] += 1 if name == "thresholds.npz" else 0
    flat[len(flat) // 2] ^= 0 if name == "thresholds.npz" else 1
    np.savez(tmp_path / name, **arrays)
    report = run([tmp_path])
    assert report.total("wrong") >= 1
    assert report.arrays(Status.WRONG) == 1
    assert report.exit_code() == 1
