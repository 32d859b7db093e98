"""How does what was assembled become primitives with edges and planes? Triangles, lines and points, each its own way.

All of them end as edges in exact integers and as planes, so that what follows knows no difference.

Read next: ``spans.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import PolygonMode, ViewportSwizzle
from refnvn.formats.floatbits import Float32, Float64, UInt32, from_bits
from refnvn.formats.table import Format
from refnvn.raster import points
from refnvn.raster.assembled import Assembled, Shape
from refnvn.raster.clip_distances import dropped
from refnvn.raster.clip_sides import beyond_a_side, ends_inside_pixels
from refnvn.raster.cut import cut_triangles
from refnvn.raster.cut_lines import cut_lines
from refnvn.raster.depth_offset import depth_slopes, with_offset
from refnvn.raster.inputs import Inputs, component_rows, divided_values, fit, inverse_of_w, is_smooth
from refnvn.raster.outlines import outlines_of, triangle_slopes
from refnvn.raster.planes import Planes
from refnvn.raster.segments import fit_lines, set_up_lines
from refnvn.raster.setup import Primitives, is_plain, set_up
from refnvn.raster.state import PLAIN_SWIZZLE, RasterState
from refnvn.raster.target import Rectangle
from refnvn.raster.window import snapped, window_depth, window_position
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Interpolation


@dataclass(frozen=True, slots=True)
class Vertices:
    """What the vertices of a draw hold.

    Attributes
    ----------
    positions : float32, shape (n, 4)
        Clip space.
    varyings : uint32, shape (components, n)
        In the order of the fragment shader's inputs.
    sizes : float32, shape (n,), or None
        Of points, where the vertex shader writes them.
    distances : float32, shape (n, planes), or None
        Clip distances, where the vertex shader writes them.
    """

    positions: Float32
    varyings: UInt32
    sizes: Float32 | None = None
    distances: Float32 | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the fragments of a draw need.

    Attributes
    ----------
    shader : Shader or None
    depth, w : bool
        Whether anything reads depth, or the fragment's w.
    sampled : bool
        Whether several samples of a pixel decide.
    depth_format : Format or None
        Of the depth target.
    compiled : bool
        Whether compiled loops pay.
    """

    shader: Shader | None
    depth: bool
    w: bool
    sampled: bool
    depth_format: Format | None
    compiled: bool = False


@rule(
    "RASTER-SWIZZLE-1",
    "A viewport's swizzle takes each of x, y, z and w from any of them, negated or not, before clipping and "
    "division; facing is judged of what comes out.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("swizzle-vectors", "open-gpu-doc", "seed-titles"),
    ledger=("viewport-swizzle",),
)
def swizzled(positions: Float32, swizzle: tuple[ViewportSwizzle, ...]) -> Float32:
    """Return clip positions as a viewport's swizzle makes them.

    Examples
    --------
    >>> from refnvn.enumerations import ViewportSwizzle as S
    >>> flipped = (S.POSITIVE_X, S.NEGATIVE_Y, S.POSITIVE_Z, S.POSITIVE_W)
    >>> swizzled(np.array([[1, 2, 3, 4]], np.float32), flipped).tolist()
    [[1.0, -2.0, 3.0, 4.0]]
    """
    if swizzle == PLAIN_SWIZZLE:
        return positions
    signs = np.array([-1 if one & 1 else 1 for one in swizzle], dtype=np.float32)
    return np.ascontiguousarray(positions[:, [int(one) >> 1 for one in swizzle]] * signs)


def prepare(
    part: Assembled, vertices: Vertices, wanted: Wanted, state: RasterState, window: Rectangle, rules: Rules
) -> tuple[Primitives, Inputs]:
    """Return primitives with their edges, and the planes of their inputs.

    Parameters
    ----------
    part : Assembled
        Not too many at a time.
    vertices : Vertices
        Swizzled already.
    wanted : Wanted
    state : RasterState
    window : tuple of int
        The pixels that can be written: x, y, width, height.
    rules : Rules
    """
    front = np.ones(len(part), dtype=np.bool_)
    slopes = np.zeros(len(part))
    is_polygon = part.shape is Shape.TRIANGLES
    moves = is_polygon and state.polygon_offset is not None and wanted.depth
    if is_polygon and state.polygon_mode is not PolygonMode.FILL:
        whole = triangle_slopes(vertices.positions[part.vertices], state) if moves else slopes
        part, front, triangle = outlines_of(part, vertices.positions, state)
        slopes = whole[triangle]
    if vertices.distances is not None:
        kept = np.nonzero(~dropped(vertices.distances[part.vertices]))[0]
        part, front, slopes = part.chosen(kept), front[kept], slopes[kept]
    if part.shape is Shape.TRIANGLES and ends_inside_pixels(state):
        part = part.chosen(np.nonzero(~beyond_a_side(vertices.positions[part.vertices]))[0])
    if part.shape is Shape.TRIANGLES:
        in_window = np.array([one is Interpolation.NOPERSPECTIVE for one in component_rows(wanted.shader)], np.bool_)
        cut = cut_triangles(part, vertices.positions, vertices.varyings, state, in_window, vertices.distances)
        first_made = len(vertices.positions)
        part, vertices = cut.primitives, replace(vertices, positions=cut.positions, varyings=cut.varyings)
        primitives, inputs = _triangles(part, vertices, first_made, wanted, state, window, rules)
    elif part.shape is Shape.LINES:
        if vertices.distances is not None:
            cut, left = cut_lines(part, vertices.positions, vertices.varyings, vertices.distances)
            part, front, slopes = cut.primitives, front[left], slopes[left]
            vertices = replace(vertices, positions=cut.positions, varyings=cut.varyings)
        primitives, inputs = _lines(_numbered(part), front, vertices, wanted, state, window, rules)
    else:
        primitives, inputs = _points(_numbered(part), front, vertices, wanted, state, window)
    if part.shape is not Shape.TRIANGLES:
        slopes = slopes[primitives.ids]
        primitives = replace(primitives, ids=part.ids[primitives.ids])
    if moves and inputs.depth is not None:
        slopes = depth_slopes(inputs.depth) if part.shape is Shape.TRIANGLES else slopes
        inputs = _offset(primitives, inputs, vertices.positions, slopes, wanted, state)
    return primitives, inputs


def _offset(
    primitives: Primitives, inputs: Inputs, positions: Float32, slopes: Float64, wanted: Wanted, state: RasterState
) -> Inputs:
    """Move the depth of primitives whose triangles have these slopes by the state's polygon offset."""
    if state.polygon_offset is None or inputs.depth is None:
        return inputs
    depths = window_depth(positions[primitives.vertices], state)
    moved = with_offset(inputs.depth, slopes, depths, state.polygon_offset, wanted.depth_format)
    return replace(inputs, depth=moved)


def with_offset_of(
    primitives: Primitives, inputs: Inputs, vertices: Vertices, wanted: Wanted, state: RasterState
) -> Inputs:
    """Return the planes of filled triangles with their depth moved by the state's polygon offset."""
    assert inputs.depth is not None
    return _offset(primitives, inputs, vertices.positions, depth_slopes(inputs.depth), wanted, state)


def _numbered(part: Assembled) -> Assembled:
    """Return primitives whose ids are their places, so that what is left of them can be told."""
    return replace(part, ids=np.arange(len(part), dtype=np.int64))


def _triangles(
    part: Assembled, vertices: Vertices, first_made: int, wanted: Wanted, state: RasterState, window: Rectangle,
    rules: Rules,
) -> tuple[Primitives, Inputs]:  # fmt: skip
    found = set_up(vertices.positions, part.vertices, 0, state, window, sampled=wanted.sampled, first_made=first_made)
    primitives = replace(found, ids=part.ids[found.ids], provoking=part.provoking[found.ids])
    return primitives, fit(
        primitives, vertices.positions, vertices.varyings, wanted.shader, state, rules,
        needs_depth=wanted.depth, needs_w=wanted.w, compiled=wanted.compiled,
    )  # fmt: skip


def _lines(
    part: Assembled, front: NDArray[np.bool_], vertices: Vertices, wanted: Wanted, state: RasterState,
    window: Rectangle, rules: Rules,
) -> tuple[Primitives, Inputs]:  # fmt: skip
    segments = set_up_lines(vertices.positions, part, front, state, window, sampled=wanted.sampled)
    return segments.primitives, fit_lines(
        segments, vertices.positions, vertices.varyings, wanted.shader, state, rules,
        needs_depth=wanted.depth, needs_w=wanted.w,
    )  # fmt: skip


@rule(
    "RASTER-POINT-6",
    "Without depth clamp a point before the near or behind the far plane is dropped, and always one behind the eye.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
    ledger=("depth-clamp",),
)
def _point_stays(clip: Float32, state: RasterState) -> NDArray[np.bool_]:
    """Say which points, shape (m, 4), are drawn."""
    x, y = (snapped(v) for v in window_position(clip, state))
    return np.isfinite(clip).all(axis=1) & is_plain(clip, x, y, state)


def _points(
    part: Assembled, front: NDArray[np.bool_], vertices: Vertices, wanted: Wanted, state: RasterState,
    window: Rectangle,
) -> tuple[Primitives, Inputs]:  # fmt: skip
    """Set up points, whose values are the same all over; smooth ones are divided by w and multiplied back."""
    kept = np.nonzero(_point_stays(vertices.positions[part.vertices[:, 0]], state))[0]
    vertex = part.vertices[kept, 0]
    clip = vertices.positions[vertex]
    size = np.full(len(vertex), state.point_size, dtype=np.float32)
    if vertices.sizes is not None:
        size = points.written_size(vertices.sizes[vertex])
    size_px = points.point_size_px(size)
    x, y = (snapped(v) for v in window_position(clip, state))
    place = points.sprite_corner if state.point_sprite else points.plain_corner
    left, top = place(x, y, size_px)
    first, last = points.point_rows(top, size_px)
    first = np.maximum(first, window[1])
    primitives = Primitives(
        ids=part.ids[kept],
        vertices=part.vertices[kept],
        provoking=part.provoking[kept],
        x=x[:, np.newaxis],
        y=y[:, np.newaxis],
        edges=points.square_edges(left, top, size_px),
        top=first,
        bottom=np.maximum(np.minimum(last, window[1] + window[3]), first),
        front=front[kept],
    )
    rows = component_rows(wanted.shader)
    values = from_bits(np.moveaxis(vertices.varyings[:, vertex], 0, -1)).astype(np.float64)
    inverse_w, perspective, smooth = inverse_of_w(clip[:, np.newaxis]), clip[:, 3] != 1, is_smooth(rows)
    divided = divided_values(values[:, np.newaxis], inverse_w, smooth)[:, 0]
    return primitives, Inputs(
        rows=rows,
        flat=np.moveaxis(vertices.varyings[:, primitives.provoking], 0, -1),
        planes=_constant(np.where(perspective[:, np.newaxis], divided, values)),
        inverse_w=_constant(inverse_w) if wanted.w or (perspective.any() and smooth.any()) else None,
        perspective=perspective,
        depth=_constant(window_depth(clip, state).astype(np.float64)[:, np.newaxis]) if wanted.depth else None,
        sprite=points.sprite_planes(left, top, size_px, state.sprite_origin, state.viewport),
    )


def _constant(values: NDArray[np.float64]) -> Planes:
    """Return planes that hold the same values everywhere, shape (m, k)."""
    flat, zero = np.zeros_like(values), np.zeros(len(values))
    return Planes(flat, flat, values, zero, zero)
