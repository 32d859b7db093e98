"""Mesa's llvmpipe as a referee of draws, where Mesa and moderngl are installed; ``GALLIUM_DRIVER`` may say softpipe.

Known differences, by cause, of 4096 pixels under 200 shapes, on five seeds (Mesa 22.3.6):

- Triangles: 0 to 2 pixels (softpipe 0 to 7), where a snapped edge goes through a centre; none beside.
- Depth tests, each triangle at its own depth: the same pixels and at most one more.
- Blends: half of all pixels are one code apart, and 43 to 92 two codes: its multiplications and roundings of 8 bits
  are its own, and what lies over one another adds up. softpipe computes in floats: a third is one code apart.
- Lines: 1 to 6 pixels, the sides and corners of diamonds. softpipe's lines follow another rule: 629 to 797 pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import BlendFunc, DepthFunc
from refnvn.formats.table import format_named
from refnvn.raster.assembled import assembled
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.draw import draw_primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from tests.raster.scenes import passthrough

moderngl: Any = pytest.importorskip("moderngl")
pytestmark = pytest.mark.oracle
SIZE = 64
TRIANGLES = 200

VERTEX = """
#version 330
in vec4 position; in vec4 color; flat out vec4 shade;
void main() { gl_Position = position; shade = color; }
"""
FRAGMENT = """
#version 330
flat in vec4 shade; out vec4 written;
void main() { written = shade; }
"""


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    """Give a context of llvmpipe, or of what ``GALLIUM_DRIVER`` says; skip where EGL or Mesa is missing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EGL_PLATFORM", "surfaceless")
        patch.setenv("LIBGL_ALWAYS_SOFTWARE", "1")
        try:
            made = moderngl.create_standalone_context(backend="egl")
        except Exception as error:  # noqa: BLE001  whatever a missing driver or library raises
            pytest.skip(f"no software renderer: {error}")
        if not any(name in made.info["GL_RENDERER"] for name in ("llvmpipe", "softpipe")):
            made.release()
            pytest.skip(f"{made.info['GL_RENDERER']} is no software renderer of Mesa")
        yield made
        made.release()


def theirs(
    context: Any, positions: np.ndarray, colors: np.ndarray, mode: int, *, blends: bool = False, tests: bool = False
) -> np.ndarray:
    """Return what Mesa draws into RGBA8, in memory rows."""
    target = context.texture((SIZE, SIZE), 4)
    depth = context.depth_renderbuffer((SIZE, SIZE))
    buffer = context.framebuffer([target], depth)
    buffer.use()
    buffer.clear(0, 0, 0, 0, depth=1.0)
    (context.enable if blends else context.disable)(moderngl.BLEND)
    context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
    (context.enable if tests else context.disable)(moderngl.DEPTH_TEST)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    data = np.concatenate([positions, colors], axis=1).astype(np.float32)
    array = context.vertex_array(program, context.buffer(data.tobytes()), "position", "color")
    array.render(mode)
    found = np.frombuffer(target.read(), np.uint8).reshape(SIZE, SIZE, 4).copy()
    for one in (array, program, buffer, target, depth):
        one.release()
    return found


def ours(positions: np.ndarray, colors: np.ndarray, corners: int, **state: Any) -> np.ndarray:
    """Return what the reference draws."""
    fmt, zeta = format_named("RGBA8"), format_named("DEPTH24_STENCIL8")
    target = ColorTarget(fmt, np.zeros((SIZE, SIZE, 4), np.uint8))
    depth = DepthStencilTarget(zeta, np.full((SIZE, SIZE, 4), 255, np.uint8))
    named = np.arange(len(positions)).reshape(-1, corners)
    words = np.ascontiguousarray(colors.astype(np.float32).T).view(np.uint32)
    vertices = Vertices(positions.astype(np.float32), words)
    draw_primitives(
        RasterState(viewport=(0.0, 0.0, float(SIZE), float(SIZE)), **state),
        [target], depth, vertices, assembled(named, named[:, -1]), passthrough(4, "flat"),
    )  # fmt: skip
    return target.codes


def shapes(seed: int, corners: int) -> tuple[np.ndarray, np.ndarray]:
    """Return random positions and, by shape, colours in whole codes."""
    random = np.random.default_rng(seed)
    centre = random.uniform(-0.9, 0.9, (TRIANGLES, 1, 2))
    positions = np.zeros((TRIANGLES, corners, 4))
    positions[..., :2] = centre + random.uniform(-0.4, 0.4, (TRIANGLES, corners, 2))
    positions[..., 2] = random.uniform(-0.9, 0.9, (TRIANGLES, 1))
    positions[..., 3] = 1
    colors = np.repeat(random.integers(0, 256, (TRIANGLES, 4)) / 255, corners, axis=0)
    return positions.reshape(-1, 4), colors


def different(one: np.ndarray, other: np.ndarray, codes: int = 0) -> int:
    """Return how many pixels differ by more than some codes."""
    return int((np.abs(one.astype(int) - other).max(axis=-1) > codes).sum())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_triangles_cover_the_same_pixels(context: Any, seed: int) -> None:
    """200 flat triangles, the last in front; a pixel whose centre a snapped edge meets may be another's."""
    positions, colors = shapes(seed, 3)
    assert different(theirs(context, positions, colors, moderngl.TRIANGLES), ours(positions, colors, 3)) <= 8


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_depth_test_decides_alike(context: Any, seed: int) -> None:
    """Each triangle at its own depth, LESS."""
    positions, colors = shapes(seed, 3)
    found = ours(positions, colors, 3, depth_test=True, depth_write=True, depth_func=DepthFunc.LESS)
    assert different(theirs(context, positions, colors, moderngl.TRIANGLES, tests=True), found) <= 8


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_blends_are_a_code_apart(context: Any, seed: int) -> None:
    """Alpha blending of layers over one another: few pixels are two codes apart, next to none more."""
    positions, colors = shapes(seed, 3)
    how = BlendTargetState(
        source_color=BlendFunc.SRC_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA,
        source_alpha=BlendFunc.SRC_ALPHA, destination_alpha=BlendFunc.ONE_MINUS_SRC_ALPHA,
    )  # fmt: skip
    found = ours(positions, colors, 3, blends=(how, *[None] * 7))
    blended = theirs(context, positions, colors, moderngl.TRIANGLES, blends=True)
    assert different(blended, found, codes=1) <= 120
    assert different(blended, found, codes=2) <= 8


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_lines_cover_nearly_the_same_pixels(context: Any, seed: int) -> None:
    """200 segments of width 1."""
    positions, colors = shapes(seed, 2)
    most = 8 if "llvmpipe" in context.info["GL_RENDERER"] else 900
    assert different(theirs(context, positions, colors, moderngl.LINES), ours(positions, colors, 2)) <= most
