"""Small draws in one call give what the way of all draws gives: bytes, samples, rules and settings."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import (
    AlphaFunc,
    BlendEquation,
    BlendFunc,
    DepthFunc,
    DepthMode,
    Face,
    LogicOp,
    PolygonMode,
    WindowOriginMode,
)
from refnvn.formats.table import format_named
from refnvn.raster import small
from refnvn.raster.assembled import assembled
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.draw import draw_primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.small_kernel import draw_kernel
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import NVN, Rules, StoreNorm, watch
from refnvn.rules.kept import Kept
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader
from refnvn.shader.python import Uniform, discard, flat, fragment_shader, noperspective, varying, vec2, vec4

WIDTH, HEIGHT = 24, 20
OVER = BlendTargetState(
    source_color=BlendFunc.SRC_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA,
    source_alpha=BlendFunc.ONE, destination_alpha=BlendFunc.DST_COLOR,
)  # fmt: skip
LEAST = BlendTargetState(color_equation=BlendEquation.MIN, alpha_equation=BlendEquation.MAX)


class Tint(Uniform, binding=3):
    """One colour."""

    color: vec4


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    return vec4(1.0, 0.25, 0.5, 1.0)


@fragment_shader
def tinted(tint: Tint):  # type: ignore[no-untyped-def]
    return tint.color


@fragment_shader
def smooth(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    return color


@fragment_shader
def mixed(a: vec2 = varying(0), b: vec2 = varying(1, noperspective), c: vec4 = varying(2, flat)):  # type: ignore[no-untyped-def]
    return vec4(b.y, a.x, 0.75, c.w)


@fragment_shader
def halved(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    return color * 0.5


@fragment_shader
def parted(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    if color.x < 0.5:
        discard()
    return color


SHADERS: dict[str, Shader | None] = {
    "none": None, "white": white, "tinted": tinted, "smooth": smooth, "mixed": mixed,
}  # fmt: skip


@pytest.fixture(autouse=True)
def loaded() -> Iterator[None]:
    """Have the loop loaded, and as it was afterwards."""
    before = small._Loop.kernel
    small._Loop.kernel = draw_kernel
    yield
    small._Loop.kernel = before


def some_state(rng: np.random.Generator) -> RasterState:
    """Return a state that the loop serves."""
    return RasterState(
        viewport=(float(rng.choice([0, 0, -3, 2])), float(rng.choice([0, 1])), 24.0, float(rng.choice([20, 11]))),
        depth_range=[(0.0, 1.0), (0.25, 0.5), (1.0, 0.0)][rng.integers(3)],
        window_origin=list(WindowOriginMode)[rng.integers(2)],
        depth_mode=list(DepthMode)[rng.integers(2)],
        depth_clamp=bool(rng.random() < 0.3),
        cull_face=list(Face)[rng.choice([0, 0, 1, 2, 3])],
        depth_test=bool(rng.random() < 0.7),
        depth_write=bool(rng.random() < 0.7),
        depth_func=list(DepthFunc)[rng.integers(len(DepthFunc))],
        channel_masks=(int(rng.choice([15, 15, 7, 10, 0])),) * 8,
        blends=([None, None, OVER, LEAST][rng.integers(4)],) * 8,
        blend_color=(0.5, -0.0, 1.0, 0.25),
    )


def some_vertices(rng: np.random.Generator, components: int) -> Vertices:
    """Return six vertices, some of which need clipping."""
    positions = rng.uniform(-1.2, 1.2, (6, 4)).astype(np.float32)
    positions[:, 3] = 1 if rng.random() < 0.5 else rng.uniform(0.4 if rng.random() < 0.8 else -0.2, 2, 6)
    positions[:, 2] = rng.uniform(-0.2 if rng.random() < 0.2 else 0.0, 0.4, 6)
    return Vertices(positions, rng.uniform(-0.2, 1.2, (components, 6)).astype(np.float32).view(np.uint32))


def drawn(
    way: str,
    state: RasterState,
    scissor: Any,
    name: str,
    shader: Shader | None,
    vertices: Vertices,
    rules: Rules = NVN,
) -> tuple[int | None, Any, Any]:
    """Return samples, bytes, and rules and settings of a draw that goes one way; targets hold something before."""
    rng = np.random.default_rng(3)
    fmt, zeta = format_named("BGRA8"), format_named(name)
    color = ColorTarget(fmt, rng.integers(0, 256, (HEIGHT, WIDTH, 4), np.uint8))
    depth = DepthStencilTarget(zeta, rng.integers(0, 128, (HEIGHT, WIDTH, zeta.bytes_per_block), np.uint8))
    colors = [color, *[None] * 7]
    triangles = assembled(np.array([[0, 1, 2], [3, 4, 5]]), np.array([2, 5]))
    watched = watch(rules)
    uniforms = lambda _binding: np.array([0.25, 1, 0, 0.5], "<f4").view(np.uint8)  # noqa: E731
    with collect() as used:
        if way == "small":
            passed = small.draw_small(
                Kept(), state, scissor, colors, depth, vertices, triangles, shader, uniforms, watched
            )
        else:
            state = state if scissor is None else state.through(scissor=scissor)
            passed = draw_primitives(state, colors, depth, vertices, triangles, shader, uniforms, watched)
    return passed, (color.codes.tobytes(), depth.codes.tobytes()), (used, watched.read)


@pytest.mark.parametrize("zeta", ["DEPTH24_STENCIL8", "DEPTH16", "DEPTH32F"])
@pytest.mark.parametrize("name", SHADERS)
def test_a_small_draw_is_as_any_draw(name: str, zeta: str) -> None:
    """States, scissors and triangles at random; those that need clipping go the other way and leave nothing."""
    served, shader = 0, SHADERS[name]
    for seed in range(40):
        rng = np.random.default_rng(seed)
        state = some_state(rng)
        scissor = None if rng.random() < 0.3 else (int(rng.integers(-3, 9)), int(rng.integers(0, 9)), 13, 12)
        vertices = some_vertices(rng, 0 if shader is None else shader.input_components)
        expected = drawn("any", state, scissor, zeta, shader, vertices)
        found = drawn("small", state, scissor, zeta, shader, vertices)
        if found[0] is not None:
            assert found == expected, seed
            served += 1
        else:
            assert found[1] == drawn("small", state, (0, 0, 0, 0), zeta, shader, vertices)[1], seed
    assert served >= 20


@pytest.mark.parametrize(
    ("changes", "shader", "rules"),
    [
        pytest.param({"stencil_test": True}, white, NVN, id="stencil"),
        pytest.param({"depth_bounds": (0.0, 1.0)}, white, NVN, id="bounds"),
        pytest.param({"alpha_test": AlphaFunc.LESS}, white, NVN, id="alpha"),
        pytest.param({"logic_op": LogicOp.XOR}, white, NVN, id="logic"),
        pytest.param({"polygon_mode": PolygonMode.LINE}, white, NVN, id="lines"),
        pytest.param({"polygon_offset": (1.0, 1.0, 0.0), "depth_test": True}, white, NVN, id="offset"),
        pytest.param({"blends": (BlendTargetState(source_color=BlendFunc.SRC1_ALPHA),) * 8}, white, NVN, id="second"),
        pytest.param({"viewport": (0.0, 0.5, 24.0, 20.0)}, white, NVN, id="part of a pixel"),
        pytest.param({}, halved, NVN, id="arithmetic"),
        pytest.param({}, parted, NVN, id="discard"),
        pytest.param({}, white, NVN.with_(store_norm=StoreNorm.NEAREST_EVEN), id="another rounding"),
    ],
)
def test_what_the_loop_has_not_goes_the_other_way(changes: dict[str, Any], shader: Shader, rules: Rules) -> None:
    """Nothing is drawn, and no setting is read."""
    vertices = some_vertices(np.random.default_rng(0), shader.input_components)
    state = RasterState(**{"viewport": (0.0, 0.0, 24.0, 20.0), **changes})
    passed, _, (_, read) = drawn("small", state, None, "DEPTH16", shader, vertices, rules)
    assert (passed, read) == (None, set())


def test_the_loop_is_loaded_for_many_draws_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many draws must have missed it; where compiling is off it is never loaded."""
    monkeypatch.setattr(small._Loop, "kernel", None)
    monkeypatch.setattr(small._Loop, "missed", small.PAYS_TO_LOAD - 3)
    assert [small._kernel() is None for _ in range(2)] == [True, True]
    monkeypatch.setattr(small, "jit_is_on", lambda: False)
    assert small._kernel() is None
    monkeypatch.setattr(small._Loop, "missed", small.PAYS_TO_LOAD - 1)
    monkeypatch.setattr(small, "jit_is_on", lambda: True)
    assert small._kernel() is draw_kernel
