"""Lines: the diamond's corners, widths, clipping, rectangles with several samples, what varies along them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.enumerations import DepthMode
from refnvn.formats.table import format_named
from refnvn.raster.assembled import assembled
from refnvn.raster.draw import draw_primitives
from refnvn.raster.lines import exits_diamond, line_edges, line_width_px, rectangle_edges
from refnvn.raster.samples import Multisample
from refnvn.raster.segment_planes import line_slopes, slanted_slopes
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from tests.raster.scenes import clip, codes, color, constant, passthrough, view

ONE = 0x3F800000
SIZE = 16


def covered(edges: np.ndarray, size: int = SIZE, at: tuple[int, int] = (128, 128)) -> np.ndarray:
    """Return which pixels are inside all edges of one line."""
    x, y = np.meshgrid(np.arange(size) * 256 + at[0], np.arange(size) * 256 + at[1])
    inside = [a * x + b * y + c >= 0 for a, b, c in edges.tolist()]
    return np.logical_and.reduce(inside)


def ends(*pixels: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of a line's two ends in 1/256 pixel, shape (1, 2) each."""
    found = np.round(np.array(pixels) * 256).astype(np.int64)
    return found[:, 0][np.newaxis], found[:, 1][np.newaxis]


def drawn(positions: np.ndarray, state: RasterState, target: object, shader: object, values: np.ndarray) -> int:
    """Draw consecutive pairs of vertices as lines."""
    pairs = np.arange(len(positions)).reshape(-1, 2)
    words = np.ascontiguousarray(values.astype(np.float32).view(np.uint32).T)
    vertices = Vertices(positions.astype(np.float32), words)
    return draw_primitives(state, [target], None, vertices, assembled(pairs, pairs[:, 1]), shader)


@pytest.mark.rule("RASTER-LINE-1")
def test_widths_round_to_whole_pixels_of_at_least_one() -> None:
    """1.5 is two pixels, 0.5 one."""
    assert [line_width_px(width) for width in (0.0, 0.5, 1.0, 1.5, 3.0, 7.0)] == [1, 1, 1, 2, 3, 7]


@pytest.mark.rule("RASTER-LINE-2")
def test_a_line_does_not_draw_the_pixel_that_it_ends_in() -> None:
    """From centre to centre of pixels 2 and 6: pixels 2 to 5 in one direction, 6 to 3 in the other."""
    forward = covered(line_edges(*ends((2.5, 4.5), (6.5, 4.5)), 1)[0])
    back = covered(line_edges(*ends((6.5, 4.5), (2.5, 4.5)), 1)[0])
    assert np.argwhere(forward).tolist() == [[4, 2], [4, 3], [4, 4], [4, 5]]
    assert np.argwhere(back).tolist() == [[4, 3], [4, 4], [4, 5], [4, 6]]


@pytest.mark.rule("RASTER-LINE-2")
@pytest.mark.parametrize(
    ("start", "end", "hit"),
    [
        pytest.param((0, 128), (512, 128), True, id="through-the-middle"),
        pytest.param((0, 256), (512, 256), True, id="x-major-through-the-top-corner"),
        pytest.param((0, 0), (512, 0), False, id="x-major-through-the-bottom-corner"),
        pytest.param((256, 0), (256, 512), True, id="y-major-through-the-right-corner"),
        pytest.param((0, 0), (0, 512), False, id="y-major-through-the-left-corner"),
        pytest.param((0, 128), (128, 128), False, id="ends-inside"),
        pytest.param((128, 128), (128, 128), False, id="no-length"),
    ],
)
def test_the_diamond_owns_its_upper_edges_and_corners(
    start: tuple[int, int], end: tuple[int, int], hit: bool
) -> None:
    """The corner of the larger row always, the right one for lines that are higher than wide, the others never."""
    one = [np.array([v]) for v in (*start, *end)]
    assert bool(exits_diamond(*one, np.array([128]), np.array([128]))[0]) is hit


@pytest.mark.rule("RASTER-LINE-3")
def test_a_wide_line_covers_n_pixels_in_each_column() -> None:
    """Four pixels high around row 8, between two going to the smaller."""
    found = covered(line_edges(*ends((2.5, 8.5), (6.5, 8.5)), 4)[0])
    assert np.argwhere(found.any(axis=1))[:, 0].tolist() == [6, 7, 8, 9]
    assert (found.sum(axis=0)[2:6] == 4).all()


@pytest.mark.rule("RASTER-LINE-2", "RASTER-LINE-3")
@settings(max_examples=60, deadline=None)
@given(
    start=st.tuples(st.integers(-512, 4608), st.integers(-512, 4608)),
    steps=st.tuples(st.integers(1, 2000), st.integers(1, 2000)),
    way=st.sampled_from([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (2, 1), (-1, 3)]),
    width=st.integers(1, 5),
)
def test_a_line_cut_in_two_draws_what_it_draws_whole(
    start: tuple[int, int], steps: tuple[int, int], way: tuple[int, int], width: int
) -> None:
    """The joint is drawn once, as the first part does not draw its end."""
    at = [(start[0] + way[0] * k, start[1] + way[1] * k) for k in (0, steps[0], steps[0] + steps[1])]

    def line(one: int, other: int) -> np.ndarray:
        x, y = (np.array([[at[one][axis], at[other][axis]]]) for axis in (0, 1))
        return covered(line_edges(x, y, width)[0])

    first, second = line(0, 1), line(1, 2)
    assert not (first & second).any()
    assert ((first | second) == line(0, 2)).all()


@pytest.mark.rule("RASTER-LINE-4")
@pytest.mark.parametrize("direction", [(1, 0), (0, 1), (-1, 0), (0, -1)], ids=["right", "up", "left", "down"])
def test_with_samples_a_line_is_a_rectangle_that_is_not_rounded(direction: tuple[int, int]) -> None:
    """Eight pixels long and 2.5 wide: a point 1.25 beside it is on the edge, 1.26 is not inside."""
    dx, dy = direction
    start, end = (8.0 - 4 * dx, 8.0 - 4 * dy), (8.0 + 4 * dx, 8.0 + 4 * dy)
    edges = rectangle_edges(*ends(start, end), 2.5)[0]

    def inside(along: float, beside: float) -> bool:
        x, y = (8 + dx * along - dy * beside) * 256, (8 + dy * along + dx * beside) * 256
        return bool((edges[:, 0] * x + edges[:, 1] * y + edges[:, 2] >= 0).all())

    assert inside(0, 1.24)
    assert inside(3.99, -1.24)
    assert not inside(0, 1.26)
    assert not inside(4.01, 0)
    assert inside(0, 1.25) != inside(0, -1.25)
    assert inside(4, 0) != inside(-4, 0)


@pytest.mark.rule("RASTER-LINE-5")
def test_values_change_along_the_major_axis_only() -> None:
    """A line three wide, from 0 to 1 over eight columns: the three pixels of a column hold the same."""
    target = color("R32F", 8, 8)
    positions = clip(np.array([[0.0, 2.0], [8.0, 6.0]]), 8, 8)
    drawn(positions, view(target, line_width=3.0), target, passthrough(1), np.array([[0.0], [1.0]]))
    image = target.codes.view(np.float32)[..., 0]
    for column in range(8):
        seen = image[:, column][image[:, column] != 0]
        assert seen.size == 3
        assert (seen == np.float32((column + 0.5) / 8)).all()
    assert line_slopes(np.array([[0.0, 8.0]]), np.array([[[0.0], [1.0]]])).tolist() == [[0.125]]


@pytest.mark.rule("RASTER-CLIP-1")
def test_a_line_is_cut_at_the_near_plane_unless_depth_is_clamped() -> None:
    """Half of it lies before the plane: four of eight pixels, and all with clamp."""
    target = color("R8", 8, 8)
    positions = clip(np.array([[0.0, 4.5], [8.0, 4.5]]), 8, 8)
    positions[:, 2] = -0.5, 0.5
    state = view(target, depth_mode=DepthMode.NEAR_IS_ZERO)
    nothing = np.zeros((2, 0))
    assert drawn(positions, state, target, constant(ONE), nothing) == 4
    assert np.argwhere(codes(target)[..., 0])[:, 1].tolist() == [4, 5, 6, 7]
    clamped = view(target, depth_mode=DepthMode.NEAR_IS_ZERO, depth_clamp=True)
    assert drawn(positions, clamped, target, constant(ONE), nothing) == 8


@pytest.mark.rule("RASTER-CLIP-2")
def test_a_line_behind_the_eye_is_drawn_as_far_as_it_is_seen() -> None:
    """From the middle away from a hidden end's projection: here to the left edge."""
    target = color("R8", 8, 8)
    positions = np.array([[0.0625, 0.0625, 0, 1], [-3, -0.0625, 0, -1]], np.float32)
    assert drawn(positions, view(target, depth_clamp=True), target, constant(ONE), np.zeros((2, 0))) == 4
    assert np.argwhere(codes(target)[..., 0]).tolist() == [[4, 0], [4, 1], [4, 2], [4, 3]]


@pytest.mark.parametrize("bad", [np.nan, np.inf], ids=["nan", "infinity"])
def test_a_line_that_is_not_finite_draws_nothing(bad: float) -> None:
    """Neither does it fail."""
    target = color("R8", 8, 8)
    positions = np.array([[0, 0, 0, 1], [bad, 0, 0, 1]], np.float32)
    assert drawn(positions, view(target), target, constant(ONE), np.zeros((2, 0))) == 0


@pytest.mark.rule("RASTER-LINE-1", "RASTER-LINE-4", "RASTER-SAMPLES-5")
@pytest.mark.parametrize(("enabled", "by_row"), [(False, {4: 16}), (True, {3: 4, 4: 12})], ids=["off", "on"])
def test_a_line_covers_whole_pixels_where_multisampling_is_off(enabled: bool, by_row: dict[int, int]) -> None:
    """From x 2.5 to 6.5 at y 4.25: four pixels of row 4, or the samples between the rows 3.75 and 4.75."""
    first, *others = np.zeros((4, SIZE, SIZE, 4), np.uint8)
    target = ColorTarget(format_named("RGBA8"), first, tuple(others))
    state = view(target, multisample=Multisample(enabled=enabled))
    positions = clip(np.array([(2.5, 4.25), (6.5, 4.25)]), SIZE, SIZE)
    assert drawn(positions, state, target, constant(ONE, ONE, ONE, ONE), np.zeros((2, 0))) == 16
    rows, counts = np.unique(np.argwhere(np.stack([first, *others])[..., 0])[:, 1], return_counts=True)
    assert dict(zip(rows.tolist(), counts.tolist(), strict=True)) == by_row


@pytest.mark.rule("RASTER-LINE-6")
def test_with_samples_values_change_along_the_line_itself() -> None:
    """From 0 at (2, 2) to 4 at (6, 6): half of each step in x and in y; a line of no length has no slope."""
    x, y = np.array([[2.0, 6.0], [3.0, 3.0]]), np.array([[2.0, 6.0], [3.0, 3.0]])
    along_x, along_y = slanted_slopes(x, y, np.array([[[0.0], [4.0]], [[0.0], [4.0]]]))
    assert along_x.ravel().tolist() == along_y.ravel().tolist() == [0.5, 0.0]


@pytest.mark.rule("RASTER-LINE-5", "RASTER-LINE-6")
@pytest.mark.parametrize(("enabled", "beside"), [(False, 0.0), (True, 0.5)], ids=["off", "on"])
def test_what_a_wide_line_shows_beside_its_middle(enabled: bool, beside: float) -> None:
    """Three wide along the diagonal: a pixel further up shows half a step more, with multisampling off the same."""
    first, *others = np.zeros((4, SIZE, SIZE, 4), np.uint8)
    target = ColorTarget(format_named("R32F"), first, tuple(others))
    positions = clip(np.array([(2.0, 2.0), (14.0, 14.0)]), SIZE, SIZE)
    state = view(target, line_width=3.0, multisample=Multisample(enabled=enabled))
    drawn(positions, state, target, passthrough(1), np.array([[0.0], [12.0]]))
    found = first.view(np.float32)[..., 0]
    assert found[9, 8] - found[8, 8] == beside
