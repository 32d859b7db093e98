"""The measured families that take planes apart: reciprocals, slopes, constants, perspective, depth."""

from pathlib import Path

import pytest

from refnvn.conformance.report import Report
from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_planes"


@pytest.fixture(scope="module")
def report() -> Report:
    """Score all files once."""
    return run([FOLDER])


def total(report: Report, field: str, *files: str) -> int:
    """Return the sum of a count over all arrays of some families."""
    return sum(int(getattr(a, field)) for f in report.files if f.file.removesuffix(".npz") in files for a in f.arrays)


@pytest.mark.rule("RASTER-RECIPROCAL-1", "RASTER-RECIPROCAL-2", "RASTER-PLANE-3")
def test_reciprocals_are_equal_for_every_mantissa(report: Report) -> None:
    """Of 4194304 areas, and of all 8388608 mantissas of w and of a shader's operand."""
    assert total(report, "cases", "pl_rcpdense") == total(report, "equal", "pl_rcpdense") == 20_971_520


@pytest.mark.rule("RASTER-PLANE-4", "RASTER-PLANE-7", "RASTER-PERSPECTIVE-1")
def test_slopes_and_constant_inputs_are_equal(report: Report) -> None:
    """Slopes of 2048 triangles, also falling ones, and inputs that are the same at all vertices under 2048 w."""
    files = ("pl_rcp", "pl_constw")
    assert total(report, "cases", *files) == total(report, "equal", *files) == 149_504


@pytest.mark.rule("RASTER-PLANE-1", "RASTER-PLANE-2", "RASTER-PLANE-5", "RASTER-PLANE-6")
@pytest.mark.rule("RASTER-PLANE-9", "RASTER-PLANE-10")
def test_planes_are_equal(report: Report) -> None:
    """Inputs of every kind of triangle, also in a viewport beside the origin and with perspective."""
    files = ("pl_base", "pl_persp", "pl_anchor", "pl_origin")
    assert total(report, "cases", *files) == total(report, "equal", *files) == 352_256


@pytest.mark.rule("RASTER-DEPTH-1", "RASTER-DEPTH-2")
def test_depth_is_equal(report: Report) -> None:
    """Nine arrays of 12738 pixels: what the shader saw and what three formats store."""
    assert total(report, "cases", "pl_depth") == total(report, "equal", "pl_depth") == 114_642
