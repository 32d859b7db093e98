"""Draws: order, masks, targets, threads, and what must not happen."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.enumerations import DepthFunc, Face, FrontFace, StencilOp, WindowOriginMode
from refnvn.errors import ArgumentError, FieldRangeError, ShapeError, SizeError
from refnvn.raster.state import RasterState, StencilFace
from refnvn.shader.ir import from_object
from tests.raster.scenes import (
    ONE,
    WHOLE,
    builtins,
    clip,
    codes,
    color,
    constant,
    draw,
    passthrough,
    shader,
    view,
    zeta,
)

ORIGINS = tuple(WindowOriginMode)


def random_triangles(seed: int, count: int, size: int) -> np.ndarray:
    """Return clip positions of ``count`` triangles about a target, depths between -1 and 1."""
    rng = np.random.default_rng(seed)
    positions = clip(rng.uniform(-4, size + 4, (count * 3, 2)), size, size)
    positions[:, 2] = np.repeat(rng.uniform(-1, 1, count), 3)
    return positions


def test_constant_colour_covers_the_target() -> None:
    """One large triangle stores its colour in every pixel and counts each once."""
    target = color()
    assert draw(view(target), [target], None, WHOLE, constant(ONE, 0x3F000000, 0, ONE)) == 64
    assert (target.codes == [255, 127, 0, 255]).all()


@pytest.mark.rule("RASTER-OUTPUT-1", "RASTER-ORDER-1")
def test_only_written_and_unmasked_targets_change() -> None:
    """Eight targets and depth: location 5 is written, in channels G and A of its mask, the rest keeps its bytes."""
    targets = [color(fill=7) for _ in range(8)]
    depth = zeta(fill=7)
    masks = (15, 15, 15, 15, 15, 0b1010, 15, 15)
    state = view(depth, channel_masks=masks, depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS)
    assert draw(state, targets, depth, WHOLE, constant(ONE, ONE, ONE, ONE, location=5)) == 64
    assert all((one.codes == 7).all() for k, one in enumerate(targets) if k != 5)
    assert (targets[5].codes == [7, 255, 7, 255]).all()
    assert (depth.codes == [7, 0, 0, 128]).all()


@pytest.mark.rule("RASTER-OUTPUT-2")
def test_missing_components_are_zero_and_one() -> None:
    """An output of one component stores 0, 0 and 1 in the others, float or integer."""
    target, integers = color(fill=9), color("RGBA8UI", fill=9)
    draw(view(target), [target], None, WHOLE, constant(ONE))
    draw(view(integers), [integers], None, WHOLE, constant(5))
    assert target.codes[0, 0].tolist() == [255, 0, 0, 255]
    assert integers.codes[0, 0].tolist() == [5, 0, 0, 1]


@pytest.mark.rule("RASTER-OUTPUT-3")
def test_integer_targets_saturate_and_keep_32_bits() -> None:
    """The bits 0xFFFFFFFE are -2 to a signed target and the largest code to a narrow unsigned one."""
    for name, expected in (("R32UI", 0xFFFFFFFE), ("R8UI", 255), ("R8I", 0xFE), ("R16I", 0xFFFE)):
        target = color(name)
        draw(view(target), [target], None, WHOLE, constant(0xFFFFFFFE))
        assert (codes(target) == expected).all(), name


@pytest.mark.rule("RASTER-VIEWPORT-1")
@pytest.mark.parametrize("origin", ORIGINS)
def test_clip_y_minus_one_is_row_0_under_lower_left(origin: WindowOriginMode) -> None:
    """A triangle at clip y = -1 lies at memory row 0; under UPPER_LEFT at the viewport's last row."""
    target = color(height=16)
    corners = np.array([[-1, -1, 0, 1], [1, -1, 0, 1], [-1, -0.5, 0, 1]], np.float32)
    state = RasterState(viewport=(0, 2, 8, 8), window_origin=origin)
    draw(state, [target], None, corners, constant(ONE))
    rows = np.nonzero(target.codes.any(axis=(1, 2)))[0]
    assert rows.tolist() == ([2, 3] if origin is WindowOriginMode.LOWER_LEFT else [8, 9])


@pytest.mark.rule("RASTER-FACING-1")
@pytest.mark.parametrize("origin", ORIGINS)
def test_facing_is_that_of_clip_space(origin: WindowOriginMode) -> None:
    """Counter-clockwise in clip space is the front under both origins; a queue of the other origin turns it."""
    target = color("R8UI")
    other = ORIGINS[1 - origin]
    front = shader(
        outputs=[{"location": 0, "components": 1, "type": "uint"}],
        registers=["bool", "word"],
        statements=[
            {"do": "load_builtin", "to": 0, "builtin": "front_facing"},
            {"do": "constant", "to": 1, "bits": 2},
            {"do": "if", "condition": 0, "then": [{"do": "constant", "to": 1, "bits": 1}]},
            {"do": "store_output", "location": 0, "of": 1},
        ],
    )
    draw(view(target, window_origin=origin), [target], None, WHOLE, front)
    assert (target.codes == 1).all()
    draw(view(target, window_origin=origin, queue_origin=other), [target], None, WHOLE, front)
    assert (target.codes == 2).all()
    draw(view(target, window_origin=origin, front_face=FrontFace.CW), [target], None, WHOLE, front)
    assert (target.codes == 2).all()


@pytest.mark.parametrize(
    ("cull", "expected"),
    [
        pytest.param(Face.NONE, 128, id="none"),
        pytest.param(Face.FRONT, 64, id="front"),
        pytest.param(Face.BACK, 64, id="back"),
        pytest.param(Face.FRONT_AND_BACK, 0, id="both"),
    ],
)
def test_culled_triangles_draw_nothing(cull: Face, expected: int) -> None:
    """Each facing is dropped on its own, or both."""
    target = color()
    both = np.concatenate([WHOLE, WHOLE[::-1]])
    assert draw(view(target, cull_face=cull), [target], None, both, constant(ONE)) == expected


def test_later_triangles_of_a_batch_win() -> None:
    """Many triangles over one pixel in one batch: the last colour stays, and depth is tested one by one."""
    target, depth = color("R32UI", 2, 2), zeta("DEPTH16", 2, 2, fill=0xFF)
    count = 200
    positions = np.tile(WHOLE, (count, 1))
    numbers = np.repeat(np.arange(count, dtype=np.uint32), 3)[:, None]
    draw(view(target), [target], None, positions, passthrough(1, "flat", "uint"), numbers)
    assert (codes(target) == count - 1).all()
    positions[:, 2] = np.repeat(np.abs(np.arange(count) - 77) / count, 3)
    state = view(target, depth_test=True, depth_write=True)
    passed = draw(state, [target], depth, positions, passthrough(1, "flat", "uint"), numbers)
    assert (codes(target) == 77).all()
    assert passed == 4 * 78


@pytest.mark.parametrize("func", tuple(DepthFunc))
def test_tests_before_and_after_the_shader_agree(func: DepthFunc) -> None:
    """A shader that could discard but does not is tested late, and leaves the same bytes and count."""
    never = {"do": "if", "condition": 1, "then": [{"do": "discard"}]}
    plain = passthrough()
    late = from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word", "bool"],
            "inputs": [{"location": 0}], "outputs": [{"location": 0}],
            "statements": [never, *(
                {"do": kind, **fields, "location": 0, "component": k}
                for k in range(4)
                for kind, fields in (("load_input", {"to": 0}), ("store_output", {"of": 0}))
            )],
        }
    )  # fmt: skip
    positions = random_triangles(5, 40, 16)
    colors = np.random.default_rng(6).random((120, 4)).astype(np.float32)
    face = StencilFace(depth_fail=StencilOp.INCR_WRAP, depth_pass=StencilOp.INVERT, write_mask=0x3F)
    found = []
    for fragment in (plain, late):
        target, depth = color(width=16, height=16), zeta(width=16, height=16, fill=0x40)
        state = view(
            target, depth_test=True, depth_write=True, depth_func=func, stencil_test=True, front=face, back=face
        )
        passed = draw(state, [target], depth, positions, fragment, colors)
        found.append((passed, target.codes.tobytes(), depth.codes.tobytes()))
    assert found[0] == found[1]


def test_discarded_fragments_leave_nothing() -> None:
    """A shader that discards every fragment writes no colour, depth or stencil, and nothing is counted."""
    target, depth = color(fill=3), zeta(fill=3)
    state = view(
        target, depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS, stencil_test=True,
        front=StencilFace(depth_pass=StencilOp.INVERT),
    )  # fmt: skip
    gone = shader(outputs=[{"location": 0}], statements=[{"do": "discard"}])
    assert draw(state, [target], depth, WHOLE, gone) == 0
    assert (target.codes == 3).all()
    assert (depth.codes == 3).all()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 30), threads=st.integers(2, 5), derivative=st.booleans())
def test_threads_and_batches_change_nothing(seed: int, threads: int, derivative: bool) -> None:
    """One thread or several: the same bytes and the same count, tests and derivatives included."""
    positions = random_triangles(seed, 30, 23)
    colors = np.random.default_rng(seed).random((90, 4)).astype(np.float32)
    fragment = difference("x") if derivative else passthrough()
    values = colors[:, :1] if derivative else colors
    found = []
    for count in (1, threads):
        target, depth = color("RGBA32F", 23, 23), zeta(width=23, height=23, fill=0x80)
        state = view(target, depth_test=True, depth_write=True, stencil_test=True,
                     back=StencilFace(depth_fail=StencilOp.INCR))  # fmt: skip
        passed = draw(state, [target], depth, positions, fragment, values, threads=count)
        found.append((passed, target.codes.tobytes(), depth.codes.tobytes()))
    assert found[0] == found[1]


def difference(axis: str) -> Any:
    """Return a shader whose output 0 is the difference of its input 0 along an axis."""
    return shader(
        inputs=[{"location": 0, "components": 1}],
        outputs=[{"location": 0, "components": 1}],
        registers=["word", "word"],
        statements=[
            {"do": "load_input", "to": 0, "location": 0},
            {"do": "derive", "to": 1, "of": 0, "axis": axis},
            {"do": "store_output", "location": 0, "of": 1},
        ],
    )


@pytest.mark.parametrize(("axis", "slope"), [("x", 2.0), ("y", -8.0)])
def test_derivatives_reach_over_the_edge_of_a_triangle(axis: str, slope: float) -> None:
    """The input 2x - 8y + 100 has its slopes at every pixel, lone ones of a quad too: helper pixels run it."""
    target = color("R32F", 9, 9)
    corners = clip(np.array([[1, 1], [9, 1], [1, 9]], np.float32), 9, 9)
    values = np.array([[94.0], [110.0], [30.0]], np.float32)
    passed = draw(view(target), [target], None, corners, difference(axis), values)
    found = target.codes.view(np.float32)[..., 0]
    assert passed == 28
    assert sorted(set(found.ravel().tolist())) == sorted({0.0, slope})
    assert int((found != 0).sum()) == 28


@pytest.mark.rule("RASTER-SAMPLING-1")
def test_every_pixel_is_shaded_by_itself() -> None:
    """64 pixels write 64 different places; none stands for its neighbour."""
    target = color("RG32UI", 8, 8)
    draw(view(target), [target], None, WHOLE, builtins("frag_coord_x", "frag_coord_y"))
    assert len({tuple(one) for one in codes(target).reshape(-1, 2).tolist()}) == 64


@pytest.mark.rule("RASTER-BUILTIN-1")
@pytest.mark.parametrize("origin", ORIGINS)
def test_fragment_coordinates_address_memory(origin: WindowOriginMode) -> None:
    """Its x and y are the pixel's centre in memory under both origins; z is window depth, w is 1 / w."""
    target = color("RGBA32F", 4, 3)
    corners = WHOLE * np.float32(2) + np.array([0, 0, 1, 0], np.float32)
    draw(view(target, window_origin=origin), [target], None, corners,
         builtins("frag_coord_x", "frag_coord_y", "frag_coord_z", "frag_coord_w"))  # fmt: skip
    assert target.codes.view(np.float32)[2, 3].tolist() == [3.5, 2.5, 0.75, 0.5]


@pytest.mark.rule("RASTER-BUILTIN-1")
def test_depth_clamp_does_not_touch_the_fragment_coordinate() -> None:
    """A triangle at depth 1.5 is drawn under depth clamp, and its shader sees 1.25; measured so up to 1.33."""
    target = color("R32F", 4, 3)
    draw(view(target, depth_clamp=True), [target], None, WHOLE + np.float32([0, 0, 1.5, 0]), builtins("frag_coord_z"))
    assert (target.codes.view(np.float32) == 1.25).all()


def test_primitive_id_counts_the_triangles_of_the_draw() -> None:
    """Culled and empty triangles count too."""
    target = color("R32UI")
    positions = np.concatenate([WHOLE[::-1], WHOLE * 0, WHOLE])
    draw(view(target, cull_face=Face.BACK), [target], None, positions, builtins("primitive_id"))
    assert (codes(target) == 2).all()


@pytest.mark.rule("RASTER-WINDOW-1")
def test_without_targets_the_viewport_is_drawn() -> None:
    """No colour and no depth: the fragments of the viewport are there, and counted."""
    assert draw(RasterState(viewport=(0, 0, 5, 3)), [], None, WHOLE, constant(ONE)) == 15
    assert draw(RasterState(viewport=(0, 0, 5, 3), scissor=(1, 1, 2, 9)), [], None, WHOLE, None) == 4


@pytest.mark.rule("RASTER-WINDOW-1")
def test_the_smallest_target_bounds_a_draw() -> None:
    """A target of 8 x 8 beside one of 4 x 6 is drawn to in 4 x 6 pixels."""
    large, small = color(), color(width=4, height=6)
    assert draw(view(large), [large, small], None, WHOLE, constant(ONE)) == 24
    assert int(large.codes.any(axis=2).sum()) == 24


@pytest.mark.parametrize(
    ("scissor", "pixels"),
    [
        pytest.param((2, 3, 4, 1), 4, id="inside"),
        pytest.param((-5, -5, 7, 7), 4, id="over-the-corner"),
        pytest.param((6, 6, 1 << 31, 1 << 31), 4, id="huge"),
        pytest.param((0, 0, 0, 8), 0, id="empty"),
        pytest.param((0, 0, -4, 8), 0, id="negative"),
        pytest.param((99, 0, 8, 8), 0, id="outside"),
    ],
)
def test_scissor_limits_a_draw(scissor: tuple[int, int, int, int], pixels: int) -> None:
    """Pixels outside the scissor keep their content."""
    target = color(fill=1)
    assert draw(view(target, scissor=scissor), [target], None, WHOLE, constant(ONE, ONE, ONE, ONE)) == pixels
    assert int((target.codes == 255).all(axis=2).sum()) == pixels
    assert int((target.codes == 1).all(axis=2).sum()) == 64 - pixels


@pytest.mark.parametrize(
    "viewport",
    [(-1e8, -1e8, 2e8, 2e8), (1e8, 0, 4, 4), (0, 0, 0, 0), (0, 0, -8, 8), (0.25, -3.5, 1e-3, 1e5)],
    ids=["huge", "far", "empty", "negative", "thin"],
)
def test_strange_viewports_do_no_harm(viewport: tuple[float, float, float, float]) -> None:
    """They draw what they can, inside the target."""
    target = color()
    passed = draw(RasterState(viewport=viewport), [target], None, random_triangles(3, 50, 8), constant(ONE))
    assert 0 <= passed <= 64 * 50


SPECIAL_WORDS = (
    0x00000000, 0x80000000, 0x00000001, 0x00800000, 0x1F000000, 0x3F800000, 0xBF800000, 0x40000000, 0x4B000000,
    0xCB000000, 0x5F000000, 0xDF000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001,
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("clamp", [False, True], ids=["clip", "clamp"])
def test_any_positions_do_no_harm(seed: int, clamp: bool) -> None:
    """Vertices of any bits, NaN, infinities and denormals included: no error, no warning, no pixel outside."""
    rng = np.random.default_rng(seed)
    for _ in range(60):
        kinds = (
            rng.choice(np.array(SPECIAL_WORDS, np.uint32), (9, 4)),
            rng.integers(0, 1 << 32, (9, 4), np.uint32),
            rng.normal(size=(9, 4)).astype(np.float32).view(np.uint32),
        )
        words = np.choose(rng.integers(0, 3, (9, 4)), kinds)
        target, depth = color(), zeta()
        state = view(target, depth_test=True, depth_write=True, depth_clamp=clamp)
        assert 0 <= draw(state, [target], depth, words.view(np.float32), passthrough(), words) <= 3 * 64


@pytest.mark.parametrize("word", [0x7F800000, 0xFF800000, 0x7FC00001, 0xFFFFFFFF], ids=["inf", "-inf", "nan", "-nan"])
@pytest.mark.parametrize("place", range(4), ids=tuple("xyzw"))
def test_a_position_that_is_not_finite_draws_nothing(word: int, place: int) -> None:
    """A triangle with such a vertex is dropped; its neighbours are drawn."""
    target = color()
    positions = np.concatenate([WHOLE, WHOLE])
    positions.view(np.uint32)[0, place] = word
    assert draw(view(target), [target], None, positions, constant(ONE)) == 64


def test_empty_draws_are_fine() -> None:
    """No vertices, no triangles, or triangles without area draw nothing."""
    target = color()
    assert draw(view(target), [target], None, np.zeros((0, 4), np.float32), constant(ONE)) == 0
    assert draw(view(target), [target], None, WHOLE * 0, constant(ONE)) == 0
    assert not target.codes.any()


def test_bad_arguments_are_refused() -> None:
    """Shapes, indices, numbers of targets, stages and viewports are checked before anything is drawn."""
    target = color()
    state = view(target)
    fragment = constant(ONE)
    with pytest.raises(ShapeError, match="positions must be float32"):
        draw_with(state, target, positions=np.zeros((3, 3), np.float32))
    with pytest.raises(ShapeError, match="triangles must be integers"):
        draw_with(state, target, triangles=np.zeros((1, 3), np.float32))
    with pytest.raises(ArgumentError, match="outside 0 to 2"):
        draw_with(state, target, triangles=np.array([[0, 1, 3]]))
    with pytest.raises(ShapeError, match="varyings must be uint32"):
        draw_with(state, target, varyings=np.zeros((1, 3), np.uint32))
    with pytest.raises(SizeError, match="at most 8"):
        draw(state, [target] * 9, None, WHOLE, fragment)
    with pytest.raises(FieldRangeError, match="viewport must be finite"):
        draw(RasterState(viewport=(0, 0, float("nan"), 1)), [target], None, WHOLE, fragment)
    vertex = from_object({"refnvn_shader": 1, "stage": "vertex"})
    with pytest.raises(ArgumentError, match="not a vertex shader"):
        draw(state, [target], None, WHOLE, vertex)
    assert not target.codes.any()


def draw_with(state: RasterState, target: Any, **changed: Any) -> int:
    """Draw one triangle with some arguments changed."""
    from refnvn.raster.draw import draw_triangles

    arguments = {
        "positions": WHOLE, "varyings": np.zeros((0, 3), np.uint32), "triangles": np.array([[0, 1, 2]]), **changed
    }  # fmt: skip
    return draw_triangles(state, [target], None, fragment=constant(ONE), **arguments)
