"""Triangles cut at the near and far plane: where the new corners are, how what is left is drawn."""

import numpy as np
import pytest

from refnvn.enumerations import DepthMode
from refnvn.raster.assembled import assembled
from refnvn.raster.cut import cut_triangles, depth_planes, fan_start, ring_between_planes, ring_of
from refnvn.raster.state import RasterState
from tests.raster.scenes import color, draw, passthrough, view

NOTHING = np.zeros(0, np.bool_)
STATE = RasterState(viewport=(0.0, 0.0, 8.0, 8.0), depth_mode=DepthMode.NEAR_IS_ZERO)


def one(
    positions: np.ndarray, state: RasterState = STATE, **values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return triangles, positions and varyings after the cut of one triangle."""
    words = values.get("words", np.zeros((0, 3), np.uint32))
    in_window = values.get("in_window", NOTHING)
    cut = cut_triangles(assembled(np.array([[0, 1, 2]]), np.array([2])), positions, words, state, in_window)
    assert (cut.primitives.provoking == 2).all()
    assert (cut.primitives.ids == 0).all()
    return cut.primitives.vertices, cut.positions, cut.varyings


def corners(*z: float, w: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """Return a triangle with these depths."""
    xy = np.array([[-1, -1], [1, -1], [-1, 1]])
    return np.array([(x * s, y * s, depth, s) for (x, y), depth, s in zip(xy, z, w, strict=True)], np.float32)


@pytest.mark.rule("RASTER-CLIP-3")
@pytest.mark.parametrize(
    ("z", "triangles", "made"),
    [
        pytest.param((0.5, 0.5, 0.5), 1, 0, id="inside"),
        pytest.param((0.5, 0.5, -0.5), 2, 2, id="one-vertex-before-near"),
        pytest.param((0.5, -0.5, -0.5), 1, 2, id="two-vertices-before-near"),
        pytest.param((0.5, 0.5, 1.5), 2, 2, id="one-behind-far"),
        pytest.param((0.5, -0.5, 1.5), 3, 4, id="one-on-each-side"),
        pytest.param((-0.5, -0.5, 1.5), 2, 4, id="a-band"),
        pytest.param((-0.5, -0.5, -1.5), 0, 0, id="all-before-near"),
    ],
)
def test_what_is_left_by_the_number_of_vertices_outside(z: tuple[float, ...], triangles: int, made: int) -> None:
    """New corners stand exactly on the planes, and all that is left is drawn in triangles."""
    found, positions, _ = one(corners(*z))
    assert len(found) == triangles
    assert len(positions) == 3 + made
    assert np.isin(positions[3:, 2], (0.0, 1.0)).all()


@pytest.mark.rule("RASTER-CLIP-3")
def test_new_corners_are_placed_before_anything_is_snapped() -> None:
    """A vertex a third of a unit off the grid: half of the way to it is a sixth off, not what a snapped one gives."""
    positions = corners(0.5, -0.5, 0.5)
    positions[1, 0] = 1 + 2 / (8 * 256 * 3)
    _, after, _ = one(positions)
    assert np.float32(positions[1, 0] / 2 - 0.5) in after[3:, 0]


@pytest.mark.rule("RASTER-CLIP-3")
def test_values_are_mixed_in_clip_space_or_in_the_window() -> None:
    """Half-way in clip space between w 1 and 3 is three quarters of the way in the window."""
    words = np.array([[0, 4, 0], [0, 4, 0]], np.float32).view(np.uint32)
    in_window = np.array([False, True])
    positions = corners(0.5, -0.5, 0.5, w=(1, 3, 1))
    _, after, mixed = one(positions, words=words, in_window=in_window)
    assert after[3:, 3].tolist() == [2.0, 2.0]
    assert mixed.view(np.float32)[:, 3:].tolist() == [[2.0, 2.0], [3.0, 3.0]]


@pytest.mark.rule("RASTER-CLIP-4")
def test_a_fan_starts_at_the_new_corner_that_the_window_shows_further_left() -> None:
    """One plane cuts: clip x -1.2 over w 2 is right of -1 over w 1; old corners do not count."""
    ring = ring_between_planes(ring_of(corners(0.5, 0.5, -0.5)), depth_planes(near_is_zero=True))
    assert [one.is_new for one in ring] == [False, False, True, True]
    assert fan_start(ring, np.array([0.0, 9.0, 5.0, 4.0]), both_planes=False) == 3
    assert fan_start(ring, np.array([0.0, 9.0, 2.0, 4.0]), both_planes=False) == 2


@pytest.mark.rule("RASTER-CLIP-4")
def test_a_fan_starts_at_the_least_clip_x_where_both_planes_cut() -> None:
    """Vertices on both sides: the old corner at -1 counts too."""
    ring = ring_between_planes(ring_of(corners(0.5, -0.5, 1.5)), depth_planes(near_is_zero=True))
    assert len(ring) == 5
    assert ring[0].clip[0] == -1
    assert fan_start(ring, np.zeros(5), both_planes=True) == 0
    found, _, _ = one(corners(0.5, -0.5, 1.5))
    assert (found[:, 0] == 0).all()


@pytest.mark.rule("RASTER-CLIP-3")
def test_nothing_is_cut_where_depth_is_clamped() -> None:
    """The triangle stays whole."""
    state = RasterState(viewport=(0.0, 0.0, 8.0, 8.0), depth_clamp=True)
    found, positions, _ = one(corners(0.5, 0.5, -1.5), state)
    assert found.tolist() == [[0, 1, 2]]
    assert len(positions) == 3


def test_the_ring_keeps_the_order_of_the_triangle() -> None:
    """The new corner of an edge stands between its vertices."""
    ring = ring_between_planes(ring_of(corners(0.5, 0.5, -0.5)), depth_planes(near_is_zero=True))
    assert [corner.parts.tolist() for corner in ring] == [[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]]


def test_a_linear_value_survives_a_cut() -> None:
    """What is x at the vertices is x at the pixels, but for half a unit of the grid that new corners snap to."""
    target = color("R32F", 8, 8)
    whole = np.array([[-1, -1, 0.5, 1], [3, -1, -0.75, 1], [-1, 3, 0.5, 1]], np.float32)
    draw(view(target, depth_mode=DepthMode.NEAR_IS_ZERO), [target], None, whole, passthrough(1), whole[:, :1].copy())
    image = target.codes.view(np.float32)[..., 0]
    drawn = image != 0
    assert drawn.sum() == 48
    expected = np.broadcast_to((np.arange(8) + 0.5) / 4 - 1, (8, 8))
    assert np.abs(image - expected)[drawn].max() < 0.25 / 512
