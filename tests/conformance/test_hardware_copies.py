"""The measured family of copies."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.hardware_copies import is_region
from refnvn.conformance.report import Report
from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.rules.fields import NVN, CopyTie

FOLDER = Path(__file__).parents[1] / "data" / "hardware_copies"


@pytest.fixture(scope="module")
def report() -> Report:
    """Score the file once."""
    return run([FOLDER])


def wrong(report: Report, word: str) -> int:
    """Return the wrong cases of arrays whose name holds a word."""
    return sum(a.wrong for a in report.files[0].arrays if word in a.array)


@pytest.mark.rule("COPY-NEAREST-1", "COPY-NEAREST-2")
def test_copies_without_a_filter_are_matched(report: Report) -> None:
    """16 rectangles, up, down and mirrored, in six colour formats: bit for bit; depths with the other tie in one."""
    assert wrong(report, "_NEAREST") == wrong(report, "out_blit_DEPTH") == 0
    arrays = report.files[0].arrays
    assert sum(a.within for a in arrays if "_NEAREST" in a.array) == 0
    assert sum(a.within for a in arrays if "out_blit_DEPTH" in a.array) == 114 + 232 + 199
    assert report.exit_code() == 0


@pytest.mark.rule("COPY-TEXTURE-2")
def test_conversions_are_matched(report: Report) -> None:
    """Ten pairs of formats by three calls: all but those of signed codes to unsigned ones are bit for bit."""
    arrays = [a for a in report.files[0].arrays if "_to_" in a.array and "SNORM" not in a.array]
    assert len(arrays) == 27
    assert {a.status for a in arrays} == {Status.EQUAL}
    assert sum(a.within for a in arrays) == 0


@pytest.mark.rule("COPY-LINEAR-1", "COPY-LINEAR-2", "COPY-LINEAR-4")
def test_copies_with_a_linear_filter_are_matched(report: Report) -> None:
    """Six formats, halves, floats and sRGB among them, bit for bit, each rectangle by its way of holding places."""
    arrays = [a for a in report.files[0].arrays if a.array.endswith("_LINEAR")]
    assert sum(a.cases for a in arrays) == sum(a.equal for a in arrays) == 307_248


def test_the_other_tie_is_what_depths_took() -> None:
    """With the second texel at odd ties depths are matched and colours are not."""
    other = run([FOLDER], NVN.with_(copy_tie=CopyTie.SECOND))
    assert wrong(other, "out_blit_DEPTH") > 0
    assert wrong(other, "_NEAREST") > 0


def test_rectangles_outside_are_no_regions() -> None:
    """A copy of NVN lies inside both textures and is not empty."""
    assert is_region([0, 0, 16, 16, 32, 0, 0, 32])
    assert not is_region([0, 0, 17, 16, 0, 0, 8, 8])
    assert not is_region([0, 0, 16, 16, -1, 0, 8, 8])
    assert not is_region([0, 0, 16, 16, 4, 0, 4, 8])


def test_inputs_of_what_is_only_information_need_no_judge(tmp_path: Path) -> None:
    """The whole family holds clears and uploads of floats: no score uses their input, which is no fault."""
    with np.load(FOLDER / "copies.npz") as kept:
        arrays = {name: kept[name] for name in ("meta", "in_rects", "in_blit_R8", "out_blit_R8_NEAREST")}
        arrays |= {name: kept[name] for name in ("in_conv_RGBA8_to_RGB565", "out_conv_RGBA8_to_RGB565")}
    numbers = np.zeros((2, 4), np.float32)
    np.savez(tmp_path / "copies.npz", in_cleartex=numbers, out_cleartex_RGBA8=numbers, **arrays)
    statuses = {a.array: a.status for a in run([tmp_path]).files[0].arrays}
    assert statuses["out_cleartex_RGBA8"] is Status.INFORMATION
    assert statuses["out_blit_R8_NEAREST"] is Status.EQUAL
