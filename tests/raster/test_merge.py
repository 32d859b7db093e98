"""Draws that blend, combine or test alpha."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.enumerations import AlphaFunc, BlendEquation, BlendFunc, DepthFunc, LogicOp
from refnvn.formats.table import format_named
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.interpolate import Lanes
from refnvn.raster.merge import has_second_source, merge_of, rounds, second_source
from refnvn.raster.samples import Multisample
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.shader.ir import Shader
from tests.raster.scenes import ONE, WHOLE, clip, color, constant, draw, passthrough, shader, view, zeta

ADD = BlendTargetState(
    source_color=BlendFunc.ONE, destination_color=BlendFunc.ONE,
    source_alpha=BlendFunc.ONE, destination_alpha=BlendFunc.ONE,
)  # fmt: skip
OVER = BlendTargetState(
    source_color=BlendFunc.SRC_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA,
    source_alpha=BlendFunc.ONE, destination_alpha=BlendFunc.ONE_MINUS_SRC_ALPHA,
)  # fmt: skip
DUAL = BlendTargetState(
    source_color=BlendFunc.SRC1_COLOR, destination_color=BlendFunc.ZERO,
    source_alpha=BlendFunc.SRC1_ALPHA, destination_alpha=BlendFunc.ZERO,
)  # fmt: skip


def blending(first: BlendTargetState | None, *others: BlendTargetState | None) -> dict[str, Any]:
    """Return the state's field of blends."""
    return {"blends": (first, *others, *(None,) * (7 - len(others)))}


def bits(*values: float) -> list[int]:
    """Return the bits of float32 values."""
    words: list[int] = np.array(values, np.float32).view(np.uint32).tolist()
    return words


def two_outputs(first: list[int], second: list[int]) -> Shader:
    """Return a shader that writes constants to outputs 0 and 1."""
    statements: list[dict[str, Any]] = []
    for location, words in enumerate((first, second)):
        for component, word in enumerate(words):
            statements.append({"do": "constant", "to": 0, "bits": word})
            statements.append({"do": "store_output", "location": location, "component": component, "of": 0})
    outputs = [{"location": location, "components": len(w)} for location, w in enumerate((first, second))]
    return shader(outputs=outputs, registers=["word"], statements=statements)


@pytest.mark.rule("RASTER-ORDER-1")
def test_fragments_of_a_pixel_blend_in_drawing_order() -> None:
    """Three layers in one draw give what three draws give: each over the one before, 8 bits at a time."""
    layers = [(1.0, 0.0, 0.0, 0.5), (0.0, 1.0, 0.0, 0.25), (0.0, 0.0, 1.0, 0.75)]
    at_once, one_by_one = color(fill=40), color(fill=40)
    varyings = np.repeat(np.array(layers, np.float32), 3, axis=0)
    state = view(at_once, **blending(OVER))
    draw(state, [at_once], None, np.tile(WHOLE, (3, 1)), passthrough(interpolation="flat"), varyings)
    for layer in layers:
        draw(state, [one_by_one], None, WHOLE, constant(*bits(*layer)))
    assert np.array_equal(at_once.codes, one_by_one.codes)
    assert len(np.unique(at_once.codes.reshape(-1, 4), axis=0)) == 1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["RGBA8", "RGBA16F", "RGB565", "R11G11B10F", "RGBA8_SRGB"]))
def test_threads_and_batches_do_not_change_blends(seed: int, name: str) -> None:
    """Random overlapping triangles, blended, are the same on one thread and three."""
    rng = np.random.default_rng(seed)
    positions = clip(rng.uniform(-4, 20, (24, 2)), 16, 16)
    colors = rng.uniform(0, 1, (24, 4)).astype(np.float32)
    targets = [color(name, 16, 16) for _ in range(2)]
    for threads, target in zip((1, 3), targets, strict=True):
        state = view(target, **blending(OVER))
        draw(state, [target], None, positions, passthrough(), colors, threads=threads)
    assert np.array_equal(targets[0].codes, targets[1].codes)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=40))
def test_rounds_hold_each_pixel_once_and_in_order(pixels: list[tuple[int, int]]) -> None:
    """All lanes come once; in a round no pixel comes twice; a pixel's lanes come in their order."""
    row, column = (np.array([p[k] for p in pixels], np.int64) for k in (0, 1))
    found = [one.tolist() for one in rounds(Lanes(np.zeros(len(pixels), np.int64), column, row))]
    assert sorted(lane for one in found for lane in one) == list(range(len(pixels)))
    assert all(len({pixels[lane] for lane in one}) == len(one) for one in found)
    for pixel in set(pixels):
        lanes = [lane for one in found for lane in one if pixels[lane] == pixel]
        assert lanes == sorted(lanes)


@pytest.mark.rule("RASTER-MERGE-1", "RASTER-BLEND-12")
def test_targets_of_one_draw_merge_each_in_its_way() -> None:
    """XOR on unorm and integer targets, plain on float and sRGB, blending on none of them."""
    names = ("RGBA8", "R32UI", "RGBA16F", "RGBA8_SRGB")
    targets = [color(name) for name in names]
    state = view(targets[0], logic_op=LogicOp.XOR, **blending(ADD, ADD, ADD, ADD))
    found = [merge_of(state, k, target) for k, target in enumerate(targets)]
    assert [None if one is None else one.logic_op.name for one in found] == ["XOR", "XOR", None, None]
    plain = view(targets[0], **blending(ADD, ADD, ADD, ADD))
    assert [merge_of(plain, k, target) is not None for k, target in enumerate(targets)] == [True, False, True, True]


@pytest.mark.rule("RASTER-LOGIC-3")
def test_a_logic_operation_takes_the_place_of_blending() -> None:
    """XOR of 0.5 (127) with 0x0F is 0x70, under the channel mask; ONE, ONE would have given 142."""
    target = color(fill=0x0F)
    state = view(target, logic_op=LogicOp.XOR, channel_masks=(0b0101,) * 8, **blending(ADD))
    draw(state, [target], None, WHOLE, constant(*bits(0.5, 0.5, 0.5, 0.5)))
    assert (target.codes == [0x70, 0x0F, 0x70, 0x0F]).all()


@pytest.mark.rule("RASTER-MERGE-2")
def test_output_1_is_the_second_source_of_target_0() -> None:
    """Target 0 takes S * S1, and target 1 keeps its bytes; without a SRC1 factor it is written."""
    fragment = two_outputs(bits(1, 1, 1, 1), bits(0.2, 0.4, 0.6, 0.8))
    for how, second in ((DUAL, [7, 7, 7, 7]), (ADD, [51, 102, 153, 204])):
        targets = [color(fill=7), color(fill=7)]
        draw(view(targets[0], **blending(how)), targets, None, WHOLE, fragment)
        expected = [51, 102, 153, 204] if how is DUAL else [255, 255, 255, 255]
        assert (targets[0].codes == expected).all()
        assert (targets[1].codes == second).all()


@pytest.mark.rule("RASTER-BLEND-13")
def test_a_shader_of_one_output_blends_with_no_second_source() -> None:
    """SRC1 factors are zero then: S * 0 leaves black."""
    target = color(fill=7)
    state = view(target, **blending(DUAL))
    assert has_second_source(state)
    assert second_source(state, constant(ONE), np.zeros((1, 1), np.uint32)) is None
    draw(state, [target], None, WHOLE, constant(ONE, ONE, ONE, ONE))
    assert (target.codes == 0).all()


def test_unwritten_targets_keep_what_they_hold() -> None:
    """A blend on a target that the shader does not write changes nothing, nor does a logic operation."""
    for fields in (blending(ADD, ADD), {"logic_op": LogicOp.INVERT}):
        targets = [color(fill=9), color(fill=9)]
        draw(view(targets[0], **fields), targets, None, WHOLE, constant(ONE, ONE, ONE, ONE))
        assert (targets[1].codes == 9).all()
        assert (targets[0].codes != 9).any()


def test_the_constant_is_the_blend_colour() -> None:
    """CONSTANT_COLOR and its alpha scale source and destination."""
    how = BlendTargetState(source_color=BlendFunc.CONSTANT_COLOR, destination_color=BlendFunc.CONSTANT_ALPHA)
    target = color(fill=100)
    state = view(target, blend_color=(1.0, 0.0, 1.0, 51 / 255), **blending(how))
    draw(state, [target], None, WHOLE, constant(*bits(0.2, 0.2, 0.2, 0.2)))
    assert (target.codes == [71, 20, 71, 51]).all()


@pytest.mark.rule("RASTER-ORDER-1", "RASTER-ALPHATEST-1")
def test_failing_fragments_leave_depth_and_are_not_counted() -> None:
    """The left half has alpha 0, the right half 1: only the right half is stored, tested and counted."""
    target, depth = color(), zeta()
    corners = clip(np.array([[0, 0], [8, 0], [0, 8], [8, 0], [8, 8], [0, 8]], np.float32), 8, 8)
    across = np.array([[0], [1], [0], [1], [1], [0]], np.float32)
    varyings = np.repeat(across, 4, axis=1)
    state = view(
        target, depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS,
        alpha_test=AlphaFunc.GREATER, alpha_reference=0.5,
    )  # fmt: skip
    assert draw(state, [target], depth, corners, passthrough(), varyings) == 32
    assert (target.codes[:, :4] == 0).all()
    assert (target.codes[:, 4:] != 0).all()
    assert (depth.codes[:, :4] == 0).all()
    assert (depth.codes[:, 4:, 3] == 0x7F).all() or (depth.codes[:, 4:, 3] == 0x80).all()


def test_the_alpha_test_sees_alpha_before_blending() -> None:
    """An alpha of 0.25 fails against 0.5 whatever blending would make of it."""
    target = color(fill=255)
    state = view(target, alpha_test=AlphaFunc.GEQUAL, alpha_reference=0.5, **blending(ADD))
    assert draw(state, [target], None, WHOLE, constant(*bits(1, 1, 1, 0.25))) == 0
    assert draw(state, [target], None, WHOLE, constant(*bits(1, 1, 1, 0.75))) == 64


def test_a_shader_without_output_0_passes_with_alpha_one() -> None:
    """Missing components are 0, 0, 0 and 1, also for the alpha test."""
    targets = [color(), color()]
    state = view(targets[0], alpha_test=AlphaFunc.GREATER, alpha_reference=0.5)
    assert draw(state, targets, None, WHOLE, constant(ONE, ONE, ONE, 0, location=1)) == 64


@pytest.mark.rule("RASTER-ORDER-2", "RASTER-ALPHAONE-1")
def test_samples_blend_apart_and_alpha_one_comes_first() -> None:
    """Each sample blends with its own code; the alpha test sees alpha made one, so does a second source."""
    fmt = format_named("RGBA8")
    planes = [np.full((4, 4, 4), 10 * k, np.uint8) for k in range(4)]
    target = ColorTarget(fmt, planes[0], tuple(planes[1:]))
    one = Multisample(alpha_to_one=True)
    state = view(target, alpha_test=AlphaFunc.EQUAL, alpha_reference=1.0, multisample=one, **blending(ADD))
    assert draw(state, [target], None, WHOLE, constant(*bits(20 / 255, 0, 0, 0.25))) == 64
    assert [plane[0, 0].tolist() for plane in planes] == [[20 + 10 * k, 10 * k, 10 * k, 255] for k in range(4)]
    fragment = two_outputs(bits(1, 1, 1, 0), bits(1, 1, 1, 0.25))
    dual = BlendTargetState(source_color=BlendFunc.SRC1_ALPHA, destination_color=BlendFunc.ZERO)
    draw(view(target, multisample=one, **blending(dual)), [target], None, WHOLE, fragment)
    assert all((plane[..., :3] == 255).all() for plane in planes)


def test_minimum_of_a_float_target_keeps_order() -> None:
    """MIN over a cleared half target: the smallest of three layers stays, whatever the order."""
    smallest = BlendTargetState(color_equation=BlendEquation.MIN, alpha_equation=BlendEquation.MIN)
    target = color("R16F")
    target.codes.view(np.uint16)[...] = 0x7BFF
    layers = np.repeat(np.array([[3], [1], [2]], np.float32), 3, axis=0)
    draw(view(target, **blending(smallest)), [target], None, np.tile(WHOLE, (3, 1)), passthrough(1), layers)
    assert (target.codes.view(np.uint16) == 0x3C00).all()


def test_states_default_to_plain_stores() -> None:
    """No blending, COPY, ALWAYS."""
    state = RasterState(viewport=(0, 0, 1, 1))
    assert state.blends == (None,) * 8
    assert (state.logic_op, state.alpha_test) == (LogicOp.COPY, AlphaFunc.ALWAYS)
    assert merge_of(state, 0, color()) is None
