"""How is a rectangle of a texture drawn without a game's shader, as DrawTexture does?

As two triangles: the corners are snapped as any vertex is, the texture's coordinates are planes over the snapped
corners, and what a fragment samples goes to every target. Rows are those of memory under either window origin.

Which of the state counts is the affair of whoever gives it. Read next: ``draw.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from refnvn.enumerations import DepthMode, WindowOriginMode
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.raster.assembled import ALL_EDGES, Assembled, Shape
from refnvn.raster.draw import draw_primitives
from refnvn.raster.one_pixel import Drawing
from refnvn.raster.onlooker import Onlooker
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import TARGETS_MAX, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.raster.window import SUBPIXELS, snapped
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.shader.execute import no_uniforms
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.textures import Textures

_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
_TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int64)


class Ends(NamedTuple):
    """Two corners of a rectangle, in either order along each axis: x0, y0, x1, y1."""

    x0: float
    y0: float
    x1: float
    y1: float


@rule(
    "RASTER-RECTANGLE-1",
    "DrawTexture draws two triangles whose corners are snapped like any vertices, ties to even; its coordinates are "
    "planes from corner to corner, and a region that runs backwards turns the picture.",
    evidence=Evidence.DRIVER_MADE,
    sources=("draw-texture-vectors",),
    ledger=("draw-texture",),
)
def clip_corners(pixels: Ends, depth: float, size_px: tuple[int, int]) -> Float32:
    """Return the four corners in clip space of a viewport that covers targets of a size, shape (4, 4).

    >>> clip_corners(Ends(0, 0, 8, 4), 0.0, (8, 8))[:, :2].tolist()
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [-1.0, 0.0]]
    """
    ends = _by_axis(pixels)
    half = np.array(size_px, dtype=np.float64)[:, np.newaxis] / 2
    clip = (snapped(ends) / SUBPIXELS - half) / half
    corners = [(clip[0, x], clip[1, y], depth, 1.0) for x, y in _CORNERS]
    return np.array(corners, dtype=np.float32)


def coordinates(texels: Ends, size_px: tuple[int, int]) -> UInt32:
    """Return the bits of the texture's coordinates at the four corners, shape (2, 4), from places in texels."""
    ends = _by_axis(texels)
    ends /= np.array(size_px, dtype=np.float32)[:, np.newaxis]
    places = np.array([[ends[0, x] for x, _ in _CORNERS], [ends[1, y] for _, y in _CORNERS]], dtype=np.float32)
    return places.view(np.uint32)


def _by_axis(ends: Ends) -> Float32:
    """Return both ends along x and along y, shape (2, 2); what is beyond float32 is infinite."""
    with np.errstate(over="ignore"):
        return np.array([(ends.x0, ends.x1), (ends.y0, ends.y1)], dtype=np.float32)


@functools.cache
def sampling_shader(targets: int = TARGETS_MAX) -> Shader:
    """Return the fragment shader: a sample of combined texture 0 at input 0, to every target."""
    steps: list[dict[str, Any]] = [
        {"do": "load_input", "to": 4, "location": 0, "component": 0},
        {"do": "load_input", "to": 5, "location": 0, "component": 1},
        {"do": "sample_texture", "to": [0, 1, 2, 3], "texture": 0, "coordinates": [4, 5]},
    ]
    steps += [
        {"do": "store_output", "location": target, "component": component, "of": component}
        for target in range(targets)
        for component in range(4)
    ]
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 6,
            "inputs": [{"location": 0, "components": 2, "interpolation": "noperspective"}],
            "outputs": [{"location": target} for target in range(targets)],
            "textures": [{"binding": 0}], "statements": steps,
        }
    )  # fmt: skip


def draw_rectangle(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    depth_target: DepthStencilTarget | None,
    corners: Float32,
    varyings: UInt32,
    textures: Textures,
    rules: Rules = NVN,
    *,
    threads: int = 1,
) -> int:
    """Draw a rectangle into targets, in place.

    Parameters
    ----------
    state : RasterState
        Its viewport covers the targets; origin and depth mode are set here.
    colors, depth_target
        As of :func:`refnvn.raster.draw.draw_triangles`.
    corners : float32, shape (4, 4)
        From :func:`clip_corners`.
    varyings : uint32, shape (2, 4)
        From :func:`coordinates`.
    textures : Textures
        With the texture and its sampler in combined slot 0.
    rules, threads
        As everywhere.

    Returns
    -------
    int
        The number of samples that passed.
    """
    return drawn(rectangle_drawing(state, colors, depth_target, corners, varyings, textures, rules), threads=threads)


def rectangle_drawing(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    depth_target: DepthStencilTarget | None,
    corners: Float32,
    varyings: UInt32,
    textures: Textures,
    rules: Rules,
) -> Drawing:
    """Return all that the draw of a rectangle gets; parameters as of :func:`draw_rectangle`."""
    primitives = Assembled(
        Shape.TRIANGLES,
        _TRIANGLES,
        np.zeros(2, np.int64),
        _TRIANGLES[:, 0],
        np.array([ALL_EDGES] * 2),
    )
    return Drawing(
        state=replace(state, window_origin=WindowOriginMode.LOWER_LEFT, depth_mode=DepthMode.NEAR_IS_ZERO),
        colors=colors,
        depth=depth_target,
        vertices=Vertices(corners, varyings, None, None),
        primitives=primitives,
        fragment=sampling_shader(max(1, len(colors))),
        uniforms=no_uniforms,
        rules=rules,
        textures=textures,
    )


def drawn(drawing: Drawing, *, threads: int = 1, onlooker: Onlooker | None = None) -> int:
    """Draw into the targets of a drawing, in place, and return how many samples passed."""
    return draw_primitives(
        drawing.state, drawing.colors, drawing.depth, drawing.vertices, drawing.primitives, drawing.fragment,
        drawing.uniforms, drawing.rules, textures=drawing.textures, memory=drawing.memory, threads=threads,
        onlooker=onlooker,
    )  # fmt: skip
