"""Coverage: exact, each pixel along shared edges once, under both origins."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.enumerations import DepthMode, WindowOriginMode
from refnvn.raster.clip import Corner, corner, cut_at_depth, edge_between, outline, owns_ties
from refnvn.raster.setup import set_up
from refnvn.raster.spans import all_spans, batches
from refnvn.raster.state import RasterState
from refnvn.raster.window import intersection, snapped, viewport_rectangle
from tests.raster.scenes import clip, color, constant, draw, view

SIZE = 32
ORIGINS = tuple(WindowOriginMode)


def counts(positions: np.ndarray, state: RasterState, size: int = SIZE) -> np.ndarray:
    """Return how often triangles (consecutive triples of vertices) cover each pixel."""
    window = intersection(viewport_rectangle(state.viewport), (0, 0, size, size))
    primitives = set_up(positions.astype(np.float32), np.arange(len(positions)).reshape(-1, 3), 0, state, window)
    found = np.zeros((size, size), int)
    for spans in all_spans(primitives, window):
        for row, left, right in zip(spans.row, spans.left, spans.right, strict=True):
            found[row, left:right] += 1
    return found


def mesh(seed: int, cells: int, grid: float) -> np.ndarray:
    """Return a random triangulation of more than the viewport: a bent grid, each cell split one way or the other."""
    rng = np.random.default_rng(seed)
    axis = np.linspace(-3, SIZE + 3, cells + 1)
    points = np.stack(np.meshgrid(axis, axis), axis=2)
    points[1:-1, 1:-1] += rng.uniform(-0.15, 0.15, points[1:-1, 1:-1].shape) * (axis[1] - axis[0])
    points = np.round(points * grid) / grid
    triangles = []
    for j in range(cells):
        for i in range(cells):
            a, b, c, d = points[j, i], points[j, i + 1], points[j + 1, i + 1], points[j + 1, i]
            split = ((a, b, c), (a, c, d)) if rng.integers(2) else ((a, b, d), (b, c, d))
            triangles += [one if rng.integers(2) else one[::-1] for one in split]
    return clip(np.array(triangles).reshape(-1, 2), SIZE, SIZE)


@pytest.mark.rule("RASTER-COVERAGE-1", "RASTER-COVERAGE-2")
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1 << 30),
    cells=st.integers(1, 6),
    grid=st.sampled_from([1.0, 2.0, 16.0, 256.0, 4096.0]),
    origin=st.sampled_from(ORIGINS),
)
def test_a_mesh_covers_each_pixel_once(seed: int, cells: int, grid: float, origin: WindowOriginMode) -> None:
    """Triangles that share edges leave no gap and draw nothing twice, whatever their winding."""
    state = RasterState(viewport=(0.0, 0.0, float(SIZE), float(SIZE)), window_origin=origin)
    assert (counts(mesh(seed, cells, grid), state) == 1).all()


@pytest.mark.rule("RASTER-COVERAGE-2")
@pytest.mark.parametrize("origin", ORIGINS)
def test_ties_go_to_the_smaller_row_and_column(origin: WindowOriginMode) -> None:
    """A square with its edges on pixel centres owns its first row and column in memory, not the last ones."""
    x = np.array([[2.5, 2.5], [6.5, 2.5], [6.5, 6.5], [2.5, 2.5], [6.5, 6.5], [2.5, 6.5]])
    found = counts(clip(x, 8, 8), RasterState(viewport=(0.0, 0.0, 8.0, 8.0)), 8)
    assert np.argwhere(found).min(axis=0).tolist() == [2, 2]
    assert np.argwhere(found).max(axis=0).tolist() == [5, 5]
    turned = clip(x, 8, 8)
    turned[:, 1] *= -1
    state = RasterState(viewport=(0.0, 0.0, 8.0, 8.0), window_origin=WindowOriginMode.UPPER_LEFT)
    assert (counts(turned, state, 8) == found).all()


@pytest.mark.rule("RASTER-COVERAGE-2")
def test_left_edges_and_first_rows_own_their_ties() -> None:
    """With the inside on the left, an edge that runs up the columns or towards smaller rows owns what is on it."""
    assert owns_ties(1, 0)
    assert owns_ties(5, -1)
    assert not owns_ties(-1, 0)
    assert not owns_ties(-5, 1)
    assert edge_between(0, 0, 256, 0) == (0, 256, 0)


@pytest.mark.rule("RASTER-SNAP-1")
def test_positions_snap_to_the_nearest_256th_with_ties_to_even() -> None:
    """Half of 1/256 goes to the even neighbour."""
    pixels = np.array([0.5, 1.5, 2.5, -0.5, 3.49, np.nan, np.inf], np.float32) / 256
    assert snapped(pixels).tolist() == [0, 2, 2, 0, 3, 1 << 29, 1 << 29]


@pytest.mark.rule("RASTER-VIEWPORT-3")
def test_a_viewport_admits_whole_pixels() -> None:
    """Columns floor(x) to ceil(x + width) - 1: a viewport from 0.1 to 7.3 admits eight columns."""
    target = color()
    whole = np.array([[-9, -9, 0, 1], [99, -9, 0, 1], [-9, 99, 0, 1]], np.float32)
    assert draw(RasterState(viewport=(0.1, 2.5, 7.2, 1.0)), [target], None, whole, constant(0)) == 8 * 2


@pytest.mark.rule("RASTER-VIEWPORT-2", "RASTER-CLIP-1")
@pytest.mark.parametrize(
    ("mode", "z", "kept"),
    [
        pytest.param(DepthMode.NEAR_IS_MINUS_W, -1.0, True, id="minus-w-at-near"),
        pytest.param(DepthMode.NEAR_IS_MINUS_W, -1.01, False, id="minus-w-before-near"),
        pytest.param(DepthMode.NEAR_IS_ZERO, -0.01, False, id="zero-before-near"),
        pytest.param(DepthMode.NEAR_IS_ZERO, 0.0, True, id="zero-at-near"),
        pytest.param(DepthMode.NEAR_IS_ZERO, 1.01, False, id="behind-far"),
    ],
)
def test_the_depth_mode_says_where_the_near_plane_is(mode: DepthMode, z: float, kept: bool) -> None:
    """Triangles before the near or behind the far plane are cut off, unless depth is clamped."""
    target = color()
    whole = np.array([[-1, -1, z, 1], [3, -1, z, 1], [-1, 3, z, 1]], np.float32)
    assert draw(view(target, depth_mode=mode), [target], None, whole, constant(0)) == (64 if kept else 0)
    assert draw(view(target, depth_mode=mode, depth_clamp=True), [target], None, whole, constant(0)) == 64


@pytest.mark.rule("RASTER-CLIP-1")
def test_a_cut_corner_is_snapped_again() -> None:
    """Between x 0 and 1 pixel, cut at a third of the way, the new corner stands at 85/256."""
    ring = [corner(0.0, 0.0, 1.0, 0.5), corner(1.0, 0.0, 1.0, -1.0), corner(0.0, 1.0, 1.0, 0.5)]
    cut = cut_at_depth(ring, near_is_zero=True)
    assert [one.at for one in cut] == [(0, 0), (85, 0), (85, 171), (0, 256)]


@pytest.mark.rule("RASTER-CLIP-2")
def test_an_edge_to_a_vertex_behind_the_eye_leads_away_from_its_projection() -> None:
    """The visible part of such a triangle is open; its edges leave the two seen vertices."""
    seen = [corner(1.0, 1.0, 1.0, 0.0), corner(3.0, 1.0, 1.0, 0.0)]
    hidden = Corner(None, -2.0, -3.0, -1.0, 0.0)
    found = outline([*seen, hidden], cut_depth=False, near_is_zero=False, centre=(4.0, 4.0))
    assert found is not None
    assert found.rows_sub is None
    assert len(found.edges) == 3


def test_batches_keep_pairs_of_rows_together() -> None:
    """No batch ends between the two rows of a quad, and none exceeds its size unless one pair does."""
    state = RasterState(viewport=(0.0, 0.0, float(SIZE), float(SIZE)))
    window = (0, 0, SIZE, SIZE)
    positions = mesh(4, 5, 256.0).astype(np.float32)
    primitives = set_up(positions, np.arange(len(positions)).reshape(-1, 3), 0, state, window)
    (spans,) = all_spans(primitives, window)
    parts = list(batches(spans, 40))
    assert sum(part.lanes for part in parts) == spans.lanes
    for one, other in itertools.pairwise(parts):
        last, first = (
            (int(one.primitive[-1]), int(one.row[-1]) >> 1),
            (int(other.primitive[0]), int(other.row[0]) >> 1),
        )
        assert last != first
    assert all(part.lanes <= 40 or len(part.row) <= 2 for part in parts)
