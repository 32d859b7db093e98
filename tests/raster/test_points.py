"""Points: sizes, where their squares are, sprite coordinates, clipping."""

import numpy as np
import pytest

from refnvn.enumerations import WindowOriginMode
from refnvn.raster.assembled import assembled
from refnvn.raster.draw import draw_primitives
from refnvn.raster.points import plain_corner, point_size_px, sprite_corner, sprite_planes, written_size
from refnvn.raster.shapes import Vertices
from tests.raster.scenes import clip, codes, color, constant, passthrough, shader, view

ONE = 0x3F800000
ONES = np.array([1])


def drawn(
    positions: np.ndarray, target: object, fragment: object, sizes: list[float] | None = None, **state: object
) -> int:
    """Draw vertices as points."""
    each = np.arange(len(positions))[:, np.newaxis]
    count = fragment.input_components
    words = np.arange(count * len(positions), dtype=np.float32).view(np.uint32).reshape(count, len(positions))
    written = None if sizes is None else np.array(sizes, np.float32)
    vertices = Vertices(positions.astype(np.float32), words, written)
    return draw_primitives(view(target, **state), [target], None, vertices, assembled(each, each[:, 0]), fragment)


@pytest.mark.rule("RASTER-POINT-1")
def test_sizes_round_half_to_even_and_are_at_least_one() -> None:
    """2.5 is two pixels, 3.5 four; nothing is smaller than one."""
    sizes = np.array([0.25, 1.5, 2.5, 3.5, np.nan, -4.0], np.float32)
    assert point_size_px(sizes).tolist() == [1, 2, 2, 4, 1, 1]


@pytest.mark.rule("RASTER-POINT-2")
def test_a_size_that_a_shader_writes_counts_alone() -> None:
    """One point of size 8 in 16x16, the state's size left at 1: 64 pixels."""
    target = color("R8", 16, 16)
    middle = clip(np.array([[8.0, 8.0]]), 16, 16)
    assert drawn(middle, target, constant(ONE), [8.0], point_size=1.0) == 64
    assert drawn(middle, color("R8", 16, 16), constant(ONE), point_size=8.0) == 64
    assert written_size(np.array([3.0, 9999.0], np.float32)).tolist() == [3.0, 2047.0]


@pytest.mark.rule("RASTER-POINT-3", "RASTER-POINT-4")
def test_squares_stand_on_the_grid_or_on_whole_pixels() -> None:
    """At 4.25 an odd plain point is around pixel 4, an even one around the corner 4; a sprite stays where it is."""
    at = np.array([4 * 256 + 64])
    assert [int(v[0]) for v in plain_corner(at, at, ONES * 3)] == [3 * 256] * 2
    assert [int(v[0]) for v in plain_corner(at, at, ONES * 2)] == [3 * 256] * 2
    assert [int(v[0]) for v in sprite_corner(at, at, ONES * 2)] == [3 * 256 + 64] * 2


@pytest.mark.rule("RASTER-POINT-3")
def test_a_point_outside_still_paints_its_part_inside() -> None:
    """Its centre one pixel left of the target, four wide: one column of four."""
    target = color("R8", 8, 8)
    assert drawn(clip(np.array([[-1.0, 4.0]]), 8, 8), target, constant(ONE), point_size=4.0) == 4
    assert np.argwhere(codes(target)[..., 0]).tolist() == [[2, 0], [3, 0], [4, 0], [5, 0]]


@pytest.mark.rule("RASTER-POINT-5")
@pytest.mark.parametrize(
    ("origin", "first_row"),
    [
        pytest.param(WindowOriginMode.UPPER_LEFT, 0.875, id="upper"),
        pytest.param(WindowOriginMode.LOWER_LEFT, 0.125, id="lower"),
    ],
)
def test_sprite_coordinates_run_over_the_square(origin: WindowOriginMode, first_row: float) -> None:
    """Four pixels: 1/8, 3/8, 5/8, 7/8, and t falls or rises with the rows of memory."""
    target = color("RG32F", 8, 8)
    steps = [
        {"do": "load_builtin", "to": 0, "builtin": "point_coord_x"},
        {"do": "store_output", "location": 0, "of": 0},
        {"do": "load_builtin", "to": 0, "builtin": "point_coord_y"},
        {"do": "store_output", "location": 0, "component": 1, "of": 0},
    ]
    coordinates = shader(outputs=[{"location": 0, "components": 2}], registers=["word"], statements=steps)
    drawn(clip(np.array([[4.0, 4.0]]), 8, 8), target, coordinates, point_size=4.0, sprite_origin=origin)
    image = target.codes.view(np.float32)
    assert image[2, 2:6, 0].tolist() == [0.125, 0.375, 0.625, 0.875]
    assert image[2, 2, 1] == first_row
    planes = sprite_planes(ONES * 512, ONES * 512, ONES * 4, origin, (0.0, 0.0, 8.0, 8.0))
    assert planes.a[0].tolist() == [0.25, 0.0]


@pytest.mark.rule("RASTER-POINT-6")
@pytest.mark.parametrize(
    ("z", "w", "clamp", "count"),
    [
        pytest.param(0.0, 1.0, False, 1, id="inside"),
        pytest.param(1.5, 1.0, False, 0, id="behind-far"),
        pytest.param(1.5, 1.0, True, 1, id="clamped"),
        pytest.param(0.0, -1.0, True, 0, id="behind-the-eye"),
        pytest.param(np.nan, 1.0, True, 0, id="not-a-number"),
    ],
)
def test_points_are_dropped_whole(z: float, w: float, clamp: bool, count: int) -> None:
    """Before the near plane, behind the far one, or behind the eye."""
    target = color("R8", 8, 8)
    assert drawn(np.array([[0.1, 0.1, z, w]]), target, constant(ONE), depth_clamp=clamp) == count


def test_a_point_holds_the_values_of_its_vertex() -> None:
    """Smooth inputs are the same all over, whatever w is."""
    target = color("RG32F", 8, 8)
    positions = np.array([[-1.0, -1.0, 0, 2.0], [1.0, 1.0, 0, 2.0]])
    assert drawn(positions, target, passthrough(2), point_size=2.0) == 8
    image = target.codes.view(np.float32)
    assert image[2, 2].tolist() == [0.0, 2.0]
    assert image[6, 6].tolist() == [1.0, 3.0]


@pytest.mark.rule("RASTER-PERSPECTIVE-1")
def test_what_a_point_shows_is_divided_by_w_and_multiplied_back() -> None:
    """0.5 at w 1.072147 comes out one unit lower, as the alpha test of a random pipeline shows; at w 1 it stays."""
    target = color("R32F", 4, 4)
    values = np.full((1, 1), 0.5, np.float32)
    found = []
    for w in (1.0, 1.072147):
        positions = np.array([[0.0, 0.0, 0.0, w]], np.float32)
        vertices = Vertices(positions, values.view(np.uint32))
        points = assembled(np.array([[0]]), np.array([0]))
        draw_primitives(view(target), [target], None, vertices, points, passthrough(1))
        found.append(float(target.codes.view(np.float32).max()))
    assert found == [0.5, 0.5 - 2.0**-25]
