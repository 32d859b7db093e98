"""Triangles that are set up and drawn in one compiled loop against NumPy: the same bits, rules and fields."""

from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import DepthFunc, Face
from refnvn.formats.depth_stencil import depth_code
from refnvn.formats.table import format_named
from refnvn.raster import chunks
from refnvn.raster import draw as draw_module
from refnvn.raster.assembled import assembled
from refnvn.raster.chunks import Chunks
from refnvn.raster.draw_stage import reachable, stage_of
from refnvn.raster.shapes import Vertices
from refnvn.raster.walk import Walker
from refnvn.raster.walk_kernel import depth_code_kernel
from refnvn.rules.fields import NVN, watch
from refnvn.rules.registry import collect
from refnvn.shader.execute import no_uniforms
from refnvn.shader.lane_memory import NO_MEMORY
from refnvn.shader.textures import NO_TEXTURES
from tests.raster.scenes import color, draw, passthrough, view, zeta

SIZE = 61
DEPTHS = ["", "DEPTH16", "DEPTH24", "DEPTH24_STENCIL8", "DEPTH32F", "DEPTH32F_STENCIL8"]


def scene(seed: int, count: int = 700) -> tuple[np.ndarray, np.ndarray]:
    """Return positions of small and large triangles, some with w other than 1, cut or behind the eye, and words."""
    rng = np.random.default_rng(seed)
    positions = np.ones((count, 3, 4), np.float32)
    positions[:, :, :2] = rng.uniform(-1.2, 1.2, (count, 1, 2))
    positions[:, :, :2] += rng.uniform(-1, 1, (count, 3, 2)) * rng.choice([0.02, 0.1, 1.0], (count, 1, 1))
    positions[:, :, 2] = rng.uniform(-1, 1, (count, 3))
    positions[::3] *= rng.uniform(0.3, 4, (len(positions[::3]), 3, 1))
    positions[::97, 1, 3] *= -1
    positions[50::101, 2, 2] *= 2
    positions[7, 0, 0] = np.nan
    words = rng.normal(0.5, 0.5, (count * 3, 4)).astype(np.float32)
    words[rng.integers(0, count * 3, 9), rng.integers(0, 4, 9)] = (np.inf, -np.inf, np.nan) * 3
    return positions.reshape(-1, 4), words.view(np.uint32)


def walked(monkeypatch: pytest.MonkeyPatch, compiled: bool, **options: Any) -> tuple[Any, ...]:
    """Draw a scene; return what it left, the rules and fields that it counted, and how many times it walked."""
    for module in (draw_module, chunks):
        monkeypatch.setattr(module, "wants_kernels", lambda _pixels: compiled)
    steps: list[int] = []
    for name in ("walk", "draw"):
        whole = getattr(Walker, name)
        monkeypatch.setattr(Walker, name, lambda *some, whole=whole: (steps.append(1), whole(*some))[1])
    depth_name, seed, threads = options.pop("depth"), options.pop("seed"), options.pop("threads", 1)
    fragment = options.pop("fragment", passthrough())
    target = color("RGBA8", SIZE, SIZE, fill=0x5A)
    depth = zeta(depth_name, SIZE, SIZE, fill=0x3E) if depth_name else None
    positions, words = scene(seed)
    state = view(target, **{"depth_test": True, "depth_write": True, **options})
    rules = watch()
    with collect() as used:
        passed = draw(
            state, [target], depth, positions, fragment, words if fragment else None, rules=rules, threads=threads
        )
    left = target.codes.tobytes(), depth.codes.tobytes() if depth else b""
    return (passed, *left, used, rules.read), len(steps)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("func", [DepthFunc.LESS, DepthFunc.GEQUAL, DepthFunc.NOTEQUAL, DepthFunc.ALWAYS])
def test_depth_formats_agree(monkeypatch: pytest.MonkeyPatch, depth: str, func: DepthFunc) -> None:
    """Every format of depth, tested where it is stored, and none."""
    numpy, _ = walked(monkeypatch, False, seed=1, depth=depth, depth_func=func)
    compiled, steps = walked(monkeypatch, True, seed=1, depth=depth, depth_func=func)
    assert numpy == compiled
    assert numpy[0] > 0
    assert steps


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"threads": 3}, id="threads"),
        pytest.param({"fragment": passthrough(4, "flat")}, id="flat"),
        pytest.param({"fragment": passthrough(4, "noperspective")}, id="noperspective"),
        pytest.param({"fragment": None}, id="depth-alone"),
        pytest.param({"channel_masks": (5,) * 8}, id="mask"),
        pytest.param({"depth_write": False, "scissor": (5, 9, 40, 33)}, id="scissor"),
        pytest.param({"depth_clamp": True, "depth_range": (0.75, 0.25), "depth_func": DepthFunc.GREATER}, id="clamp"),
        pytest.param({"cull_face": Face.BACK, "polygon_offset": (1.0, 3.0, 0.0)}, id="offset"),
        pytest.param({"viewport": (-20.5, 3.25, 90.0, 40.0)}, id="viewport"),
    ],
)
def test_states_agree(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """States that change what is set up, tested or stored."""
    numpy, _ = walked(monkeypatch, False, seed=2, depth="DEPTH24_STENCIL8", **options)
    compiled, steps = walked(monkeypatch, True, seed=2, depth="DEPTH24_STENCIL8", **options)
    assert numpy == compiled
    assert numpy[0] > 0
    assert steps


def test_set_up_is_that_of_arrays() -> None:
    """Edges, rows and planes of the triangles that are kept have the bits that arrays give."""
    target, depth = color("RGBA8", SIZE, SIZE), zeta("DEPTH32F", SIZE, SIZE)
    positions, words = scene(3)
    positions = positions.reshape(-1, 3, 4)
    whole = (np.abs(positions[:, :, 2]) <= positions[:, :, 3]).all(axis=1) & np.isfinite(positions).all(axis=(1, 2))
    indices = np.arange(len(positions) * 3).reshape(-1, 3)[whole]
    state, fragment = view(target, depth_test=True), passthrough()
    window = reachable(state, [target], depth)
    stage = stage_of(state, [target], depth, fragment, no_uniforms, NVN, window, NO_TEXTURES, NO_MEMORY)
    vertices = Vertices(positions.reshape(-1, 4), np.ascontiguousarray(words.T))
    found = Chunks(stage, vertices, assembled(indices, indices[:, 0]), window)
    assert found.loop is not None
    primitives, inputs, stopped = found.quickly(found.loop, 0, len(indices))
    others, other_inputs = found.of(0, len(indices))
    assert stopped == len(indices)
    places = np.searchsorted(others.ids, primitives.ids)
    assert (others.ids[places] == primitives.ids).all()
    for name in ("vertices", "provoking", "x", "y", "edges", "top", "bottom", "front"):
        np.testing.assert_array_equal(getattr(primitives, name), getattr(others, name)[places], err_msg=name)
    np.testing.assert_array_equal(inputs.perspective, other_inputs.perspective[places])
    for name in ("planes", "depth"):
        for part in "abc":
            one, other = (np.ascontiguousarray(getattr(getattr(some, name), part)) for some in (inputs, other_inputs))
            assert one.tobytes() == other[places].tobytes()
    inverse, other_inverse = (some.inverse_w for some in (inputs, other_inputs))
    assert inverse is not None
    assert other_inverse is not None
    assert inverse.c[inputs.perspective].tobytes() == other_inverse.c[places][inputs.perspective].tobytes()


def test_triangles_without_pixels_are_left_out() -> None:
    """Between two columns of centres nothing is covered."""
    target = color("RGBA8", SIZE, SIZE)
    positions, _ = scene(4)
    positions = positions.reshape(-1, 3, 4)[1:]
    positions[:, :, 0] = (np.array([30.55, 30.6, 31.4]) * 2 / SIZE - 1).astype(np.float32)
    positions[:, :, 2:] = 0, 1
    state, window = view(target), (0, 0, SIZE, SIZE)
    stage = stage_of(state, [target], None, None, no_uniforms, NVN, window, NO_TEXTURES, NO_MEMORY)
    vertices = Vertices(positions.reshape(-1, 4), np.zeros((0, len(positions) * 3), np.uint32))
    indices = np.arange(len(positions) * 3).reshape(-1, 3)
    found = Chunks(stage, vertices, assembled(indices, indices[:, 0]), window)
    assert found.loop is not None
    assert len(found.quickly(found.loop, 0, len(indices))[0].ids) == 1
    assert len(found.of(0, len(indices))[0].ids) > 10


@pytest.mark.parametrize("name", ["DEPTH16", "DEPTH24", "DEPTH32F"])
def test_compiled_depth_codes_are_the_rule(name: str) -> None:
    """On both sides of many thresholds, and on special values."""
    bits = format_named(name).component("D").bits
    values = np.concatenate(
        [
            np.linspace(-0.1, 1.1, 400),
            (np.arange(300)[:, None] * 217 + np.array([0.49, 0.5, 0.51])).ravel() / 65535,
            [np.nan, np.inf, -np.inf, -0.0, 1e-40, -1e-40, 0.5, 1.0],
        ]
    ).astype(np.float32)
    assert [int(depth_code_kernel(one, bits)) for one in values] == depth_code(format_named(name), values).tolist()
