"""The measured families that need a rasteriser."""

from pathlib import Path

import pytest

from refnvn.conformance.report import Report
from refnvn.conformance.run import run
from refnvn.conformance.score import Status

FOLDER = Path(__file__).parents[1] / "data" / "hardware_raster"


@pytest.fixture(scope="module")
def report() -> Report:
    """Score all three files once."""
    return run([FOLDER])


def total(report: Report, file: str, field: str, word: str = "") -> int:
    """Return the sum of a count over the arrays of a file whose names hold a word."""
    arrays = [a for f in report.files if f.file == file for a in f.arrays if word in a.array]
    return sum(int(getattr(one, field)) for one in arrays)


@pytest.mark.rule("RASTER-COVERAGE-1", "RASTER-COVERAGE-2", "RASTER-SNAP-1", "RASTER-VIEWPORT-1", "RASTER-VIEWPORT-3")
def test_coverage_is_matched(report: Report) -> None:
    """600 triangles under both origins, four fractional viewports and two meshes: all pixels but three."""
    assert total(report, "coverage.npz", "cases") == 8_258_136
    assert total(report, "coverage.npz", "wrong") == 3
    for exact in ("out_lower_left", "samples_passed", "mesh", "viewport0", "viewport3"):
        assert total(report, "coverage.npz", "wrong", exact) == 0


@pytest.mark.rule("RASTER-STENCIL-1", "RASTER-STENCIL-2", "RASTER-TEST-2")
def test_stencil_is_matched(report: Report) -> None:
    """80 settings of functions, operations, references and masks on 256 values: bit for bit."""
    assert total(report, "stencil.npz", "cases") == total(report, "stencil.npz", "equal") == 40_960


@pytest.mark.rule("RASTER-TEST-1", "RASTER-DEPTH-3")
def test_comparisons_and_written_depths_are_matched(report: Report) -> None:
    """Eight comparisons in three formats, and depths that a shader wrote under a depth range, clamped or not."""
    for exact, cases in (("func", 24_576), ("fragdepth", 41_344)):
        assert total(report, "depth.npz", "cases", exact) == total(report, "depth.npz", "equal", exact) == cases


@pytest.mark.rule("RASTER-DEPTH-1", "RASTER-DEPTH-2", "RASTER-VIEWPORT-2")
@pytest.mark.rule("RASTER-CLIP-2", "RASTER-CLIP-3", "RASTER-CLIP-4")
def test_slanted_depths_are_within_their_bound(report: Report) -> None:
    """All but 30 codes, which are 1 / 2^24 off, and those of triangles that are clipped, listed with the reason."""
    arrays = [a for f in report.files if f.file == "depth.npz" for a in f.arrays if "interp" in a.array]
    assert {a.status for a in arrays} <= {Status.EQUAL, Status.KNOWN}
    assert total(report, "depth.npz", "wrong", "interp") == sum(a.known for a in arrays)
    assert total(report, "depth.npz", "within", "interp") == 13 + 17
    assert report.exit_code() == 0


@pytest.mark.rule("RASTER-PLANE-1", "RASTER-PLANE-2", "RASTER-PLANE-3", "RASTER-PLANE-4", "RASTER-PLANE-5")
@pytest.mark.rule("RASTER-PLANE-6", "RASTER-PLANE-7", "RASTER-PERSPECTIVE-1", "RASTER-BUILTIN-1")
def test_interpolated_inputs_are_equal(report: Report) -> None:
    """At pixel centres, samples and centroids; only the four triangles behind the eye are not all equal."""
    assert total(report, "interp.npz", "cases") == 705_024
    assert total(report, "interp.npz", "equal") == 701_203
    for equal in ("upper_left", "sample", "centroid"):
        assert total(report, "interp.npz", "equal", equal) == total(report, "interp.npz", "cases", equal)
    assert total(report, "interp.npz", "equal", "deriv_flat") == total(report, "interp.npz", "cases", "deriv_flat")
    arrays = [a for f in report.files if f.file == "interp.npz" for a in f.arrays]
    assert sum(a.known for a in arrays) == total(report, "interp.npz", "wrong") == 3279
