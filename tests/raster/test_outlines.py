"""What is drawn of triangles in the polygon modes LINE and POINT, and how polygon offset moves it."""

import numpy as np
import pytest

from refnvn.enumerations import DepthFunc, PolygonMode
from tests.raster.scenes import clip, color, constant, draw, view, zeta

ONE = 0x3F800000
SIZE = 8
CORNERS = np.array([(1.5, 1.5), (5.5, 1.5), (1.5, 5.5)])
DEPTHS = (0.25, 0.5, 0.25)
"""A slope of 1/16 a pixel along x, none along y."""


def depths(mode: PolygonMode, offset: tuple[float, float, float] | None) -> np.ndarray:
    """Draw one triangle and return the depths that it leaves; 1 elsewhere."""
    target, depth = color("R8", SIZE, SIZE), zeta("DEPTH32F", SIZE, SIZE)
    depth.codes.view(np.float32)[...] = 1.0
    positions = clip(CORNERS, SIZE, SIZE)
    positions[:, 2] = np.array(DEPTHS) * 2 - 1
    state = view(target, polygon_mode=mode, polygon_offset=offset, depth_test=True, depth_write=True,
                 depth_func=DepthFunc.LESS, point_sprite=False)  # fmt: skip
    draw(state, [target], depth, positions, constant(ONE))
    return depth.codes.view(np.float32)[..., 0]


@pytest.mark.rule("RASTER-OFFSET-3", "RASTER-OFFSET-2")
def test_points_of_a_triangle_are_moved_by_its_slope() -> None:
    """Twice 1/16 more than the corners' own depths; a point has no slope of its own."""
    plain, moved = depths(PolygonMode.POINT, None), depths(PolygonMode.POINT, (2.0, 0.0, 0.0))
    assert [plain[1, 1], plain[1, 5], plain[5, 1]] == [0.25, 0.5, 0.25]
    assert [moved[1, 1], moved[1, 5], moved[5, 1]] == [0.375, 0.625, 0.375]
    assert int((moved < 1).sum()) == 3


@pytest.mark.rule("RASTER-OFFSET-3")
def test_an_edge_without_a_slope_is_moved_by_the_triangle_s() -> None:
    """The upright edge from (1.5, 5.5) to (1.5, 1.5) is at 0.25 throughout."""
    assert set(depths(PolygonMode.LINE, None)[2:5, 1].tolist()) == {0.25}
    assert set(depths(PolygonMode.LINE, (2.0, 0.0, 0.0))[2:5, 1].tolist()) == {0.375}
