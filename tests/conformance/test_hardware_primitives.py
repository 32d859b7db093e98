"""The measured families of lines, points, primitive numbers, facing, counts, offset and bounds."""

from pathlib import Path

import pytest

from refnvn.conformance.report import Report
from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_primitives"
LINES = tuple(f"RASTER-LINE-{k}" for k in (1, 2, 3))


@pytest.fixture(scope="module")
def report() -> Report:
    """Score all files once."""
    return run([FOLDER])


def total(report: Report, file: str, field: str, *words: str) -> int:
    """Return the sum of a count over the arrays of a file whose names hold one of some words."""
    arrays = [a for f in report.files if f.file == file for a in f.arrays]
    wanted = [a for a in arrays if not words or any(word in a.array for word in words)]
    return sum(int(getattr(one, field)) for one in wanted)


@pytest.mark.rule(*LINES, "PRIMITIVE-LINES-1")
def test_lines_are_matched(report: Report) -> None:
    """96 lines in seven widths under both origins, a strip and a loop: every pixel."""
    arrays = ("left_w", "line_strip", "line_loop")
    assert total(report, "lines.npz", "cases", *arrays) == 3_101_184
    assert total(report, "lines.npz", "equal", *arrays) == 3_101_184


@pytest.mark.rule("RASTER-CLIP-8", "PRIMITIVE-MODE-2", "RASTER-CLIP-2")
def test_polygon_modes_are_matched(report: Report) -> None:
    """60 triangles, some huge and some behind the eye, as lines and as points of two sizes: every pixel."""
    assert total(report, "lines.npz", "cases", "polymode") == 983_040
    assert total(report, "lines.npz", "equal", "polymode") == 983_040


@pytest.mark.rule("RASTER-LINE-5")
def test_values_along_lines_are_within_their_bound(report: Report) -> None:
    """An input and 1 / w at 497 pixels of 48 lines: all but 204 of 994 numbers are equal, none is beyond 28 ULP."""
    assert total(report, "lines.npz", "wrong") == 0
    assert total(report, "lines.npz", "within", "lineattr") == 204


@pytest.mark.rule("RASTER-POINT-1", "RASTER-POINT-3", "RASTER-POINT-4")
def test_points_are_matched(report: Report) -> None:
    """64 points in 14 sizes, plain and as sprites: every pixel."""
    arrays = ("plain", "sprite", "out_clip")
    assert total(report, "points.npz", "cases", *arrays) == 1_900_544
    assert total(report, "points.npz", "equal", *arrays) == 1_900_544


@pytest.mark.rule("RASTER-POINT-5")
def test_sprite_coordinates_are_matched(report: Report) -> None:
    """Exact in sizes that are powers of two; of three pixels within 2^-22."""
    assert total(report, "points.npz", "wrong") == 0
    powers = ("left_s1", "left_s4.5", "left_s8")
    assert total(report, "points.npz", "equal", *powers) == total(report, "points.npz", "cases", *powers)


PRIMITIVES = ("TRIANGLES-1", "QUADS-1", "POLYGON-1", "ADJACENCY-1", "ID-1", "RESTART-1", "INDEX-1")


@pytest.mark.rule(*(f"PRIMITIVE-{one}" for one in PRIMITIVES))
def test_provoking_vertices_and_numbers_are_matched(report: Report) -> None:
    """Every primitive under both conventions, and restart in three index sizes: every pixel."""
    assert total(report, "prims.npz", "cases") == total(report, "prims.npz", "equal") == 499_712


@pytest.mark.rule("RASTER-FACING-1")
def test_facing_is_matched(report: Report) -> None:
    """72 triangles under both origins, both windings and all culling."""
    assert total(report, "facing.npz", "cases") == total(report, "facing.npz", "equal") == 1_152


def test_counts_are_matched(report: Report) -> None:
    """The samples of 200 triangles, and the pixels they covered."""
    assert total(report, "occlusion.npz", "equal", "count", "cov") >= 819_400
    exact = [a for f in report.files if f.file == "occlusion.npz" for a in f.arrays if a.array == "out_count"]
    assert [(a.cases, a.equal) for a in exact] == [(200, 200)]


@pytest.mark.rule("RASTER-SWIZZLE-1")
def test_viewport_swizzles_are_matched(report: Report) -> None:
    """20 swizzles, with exchanged axes and with w from elsewhere: all pixels but one, which is listed."""
    assert total(report, "nvraster.npz", "cases", "swizzle") == 3_276_800
    assert total(report, "nvraster.npz", "wrong", "swizzle") == 1


@pytest.mark.rule("RASTER-OFFSET-1", "RASTER-OFFSET-2")
def test_polygon_offset_is_within_the_bound_of_depth(report: Report) -> None:
    """12 settings over 12 triangles in three formats: 58 pixels are one unit beside, the others equal."""
    assert total(report, "depth.npz", "cases", "offset") == 442_368
    assert total(report, "depth.npz", "wrong", "offset") == 0
    assert total(report, "depth.npz", "within", "offset") == 58


@pytest.mark.rule("RASTER-BOUNDS-1", "RASTER-BOUNDS-2")
def test_depth_bounds_are_matched(report: Report) -> None:
    """Eight pairs of bounds over 1024 depths in three formats: every pixel."""
    assert total(report, "depth.npz", "cases", "bounds") == total(report, "depth.npz", "equal", "bounds") == 27_648


@pytest.mark.rule("RASTER-CONSERVATIVE-1", "RASTER-CONSERVATIVE-2", "RASTER-CONSERVATIVE-3")
def test_conservative_triangles_touch_the_measured_pixels(report: Report) -> None:
    """150 triangles, four biases, four dilations: 37 of 4915200 pixels differ, all but a few behind the eye."""
    assert total(report, "nvraster.npz", "cases", "conservative_bias") == 2_457_600
    assert total(report, "nvraster.npz", "cases", "conservative_dilate") == 2_457_600
    assert total(report, "nvraster.npz", "wrong", "conservative") == 37


@pytest.mark.rule("RASTER-MODULATION-2", "RASTER-MODULATION-3", "RASTER-MODULATION-6", "RASTER-MIXED-2")
def test_triangles_are_modulated_by_their_coverage(report: Report) -> None:
    """Six triangles on a plain target at 2, 4, 8 and 16 raster samples, seven modes each: every channel."""
    assert total(report, "nvraster.npz", "cases", "covmod") == 28 * 6 * 48 * 48 * 4
    assert total(report, "nvraster.npz", "equal", "covmod") == 28 * 6 * 48 * 48 * 4


@pytest.mark.rule("RASTER-CONSERVATIVE-3", "RASTER-PERSPECTIVE-1")
def test_planes_go_on_beyond_the_edges_of_triangles(report: Report) -> None:
    """24 conservative triangles: every pixel is covered, 1 / w is equal."""
    assert total(report, "nvraster.npz", "cases", "fragcoord") == 24 * 24 * 24
    assert total(report, "nvraster.npz", "equal", "fragcoord") == 24 * 24 * 24
