"""The measured family of layers, viewports, clip distances, geometry shaders and captured vertices."""

from pathlib import Path

import pytest

from refnvn.conformance.report import Report
from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_stages"


@pytest.fixture(scope="module")
def report() -> Report:
    """Return the scores of the family."""
    return run([FOLDER / "stages.npz"])


@pytest.mark.rule("REPLAY-LAYER-1", "REPLAY-LAYER-2", "REPLAY-VIEWPORT-4")
def test_layers_and_viewports_that_vertices_choose_are_as_measured(report: Report) -> None:
    """Of 23 draws with layers and 12 with viewports, in and out of range, every texel of every layer is equal."""
    (file,) = report.files
    chosen = [one for one in file.arrays if one.array.startswith(("out_layer_", "out_viewport_")) and one.cases]
    assert len(chosen) == 35
    assert all(one.equal == one.cases for one in chosen)


@pytest.mark.rule("RASTER-CLIP-4", "RASTER-CLIP-5", "RASTER-CLIP-6", "RASTER-CLIP-7")
def test_what_clip_distances_leave_is_as_measured(report: Report) -> None:
    """Every pixel is covered as measured; of 160 triangles and 16 lines no value is beyond its bound."""
    (file,) = report.files
    clipped = [one for one in file.arrays if one.array.startswith("out_clip_")]
    assert len(clipped) == 14
    assert sum(one.wrong for one in clipped) == 0
    special = [one for one in clipped if "special" in one.array or "points" in one.array]
    assert all(one.equal == one.cases for one in special)


@pytest.mark.rule("SHADER-EMIT-1", "PRIMITIVE-EMITTED-1", "PRIMITIVE-GEOMETRY-1", "PRIMITIVE-ADJACENCY-2")
@pytest.mark.rule("PRIMITIVE-ID-2", "FEEDBACK-ROOM-1", "FEEDBACK-ORDER-1")
def test_geometry_shaders_and_captures_are_as_measured(report: Report) -> None:
    """Of 17 inputs, 6 outputs and 2 pictures of geometry shaders and 19 captures every word is equal."""
    (file,) = report.files
    scored = [one for one in file.arrays if one.array.startswith(("out_gs_", "out_capture_")) and one.cases]
    assert len(scored) == 44
    assert all(one.equal == one.cases for one in scored)
