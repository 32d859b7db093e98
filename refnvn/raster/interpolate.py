"""What do a fragment's inputs hold? The planes of ``planes.py``, evaluated at pixel centres.

Flat inputs are the provoking vertex's bits; the others are float32. Where all three vertices of a triangle have
w = 1, smooth is the same as noperspective. Values travel as bits, so that integers pass unharmed.

Read next: ``fragment.py``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32, from_bits
from refnvn.raster.arithmetic import (
    cut_to_24_bits,
    cut_to_27_bits,
    exponent,
    power_of_two,
    rounded_to_24_bits,
)
from refnvn.raster.either import chosen, three_of
from refnvn.raster.plane_slack import DEPTH_BOUND, VALUE_BOUND, moved
from refnvn.raster.planes import (
    Planes,
    attribute_planes,
    depth_planes,
    frame_of,
    homogeneous_planes,
    reference_block,
)
from refnvn.raster.setup import Primitives
from refnvn.raster.setup_reciprocal import reciprocal
from refnvn.raster.spans import Spans
from refnvn.raster.state import RasterState
from refnvn.raster.window import depth_scale, window_depth
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import PlanePlace, Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import ComponentType, Interpolation, Sampling

CANONICAL_NAN_BITS = 0x7FFFFFFF
HOW = {Interpolation.FLAT: 0, Interpolation.NOPERSPECTIVE: 1, Interpolation.SMOOTH: 2}
"""Interpolation as a number, for compiled loops."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The planes of everything that the fragments of some triangles need.

    Attributes
    ----------
    rows : tuple of Interpolation
        How each input component comes from its vertices.
    flat : uint32, shape (m, components)
        The provoking vertex's bits, for flat components.
    planes : Planes or None
        Of all components; flat ones are not used. Divided by w where ``perspective``.
    inverse_w : Planes or None
        Of 1 / w, where a triangle needs it.
    perspective : bool, shape (m,)
        Which triangles have a vertex with w other than 1.
    depth : Planes or None
        Of window depth.
    sprite : Planes or None
        Of the coordinates of point sprites.
    sampling : tuple of Sampling
        Where in a pixel each input component is evaluated.
    """

    rows: tuple[Interpolation, ...]
    flat: UInt32
    planes: Planes | None
    inverse_w: Planes | None
    perspective: NDArray[np.bool_]
    depth: Planes | None
    sprite: Planes | None = None
    sampling: tuple[Sampling, ...] = ()


def component_rows(shader: Shader | None) -> tuple[Interpolation, ...]:
    """Return how each component of a shader's inputs is interpolated; integers are always flat."""
    if shader is None:
        return ()
    return tuple(
        one.interpolation if one.type is ComponentType.FLOAT else Interpolation.FLAT
        for one in shader.inputs
        for _ in range(one.components)
    )


def _placed(planes: Planes, place: int, column: slice, found: tuple[Float64, Float64, Float64]) -> None:
    """Overwrite the planes of one triangle."""
    for array, values in zip((planes.a, planes.b, planes.c), found, strict=True):
        array[place, column] = np.where(np.isfinite(values), values, np.nan)


@dataclass(frozen=True, slots=True)
class _Vertices:
    """Vertex values of set-up triangles: clip positions (m, 3, 4) and varyings (m, 3, components) as bits."""

    clip: Float32
    varyings: UInt32

    @property
    def floats(self) -> Float64:
        with np.errstate(invalid="ignore"):
            return from_bits(self.varyings).astype(np.float64)


@rule(
    "RASTER-PERSPECTIVE-1",
    "A smooth input is the plane of value / w, vertex values rounded to 24 bits, times the reciprocal of the plane "
    "of 1 / w, the product cut to 24 bits; with w = 1 everywhere it has the bits of noperspective.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="bit-exact, given the planes",
)
def divided_values(values: Float64, inverse_w: Float64, smooth: NDArray[np.bool_]) -> Float64:
    """Return vertex values (m, 3, components) times 1 / w (m, 3) in smooth components, others as they are."""
    with np.errstate(invalid="ignore", over="ignore"):
        divided = rounded_to_24_bits(values * inverse_w[:, :, np.newaxis])
    return np.where(smooth, divided, values)


def is_smooth(rows: tuple[Interpolation, ...]) -> NDArray[np.bool_]:
    """Say which components are divided by w."""
    return np.array([one is Interpolation.SMOOTH for one in rows], dtype=np.bool_)


def inverse_of_w(clip: Float32) -> Float64:
    """Return 1 / w of vertices as the chip has it; 1 where w says nothing."""
    w = np.ascontiguousarray(clip[:, :, 3])
    if (w == 1).all():
        return w.astype(np.float64)
    with np.errstate(all="ignore"):
        return np.where(w > 0, reciprocal(w), 1.0)


def fit(
    primitives: Primitives,
    positions: Float32,
    varyings: UInt32,
    shader: Shader | None,
    state: RasterState,
    rules: Rules,
    *,
    needs_depth: bool,
    needs_w: bool,
    compiled: bool = False,
) -> Inputs:
    """Fit the planes of some triangles.

    Parameters
    ----------
    primitives : Primitives
    positions : float32, shape (n, 4)
        Clip space, of all vertices of the draw.
    varyings : uint32, shape (components, n)
        Vertex outputs in the order of the shader's inputs.
    shader : Shader or None
        The fragment shader.
    state : RasterState
    rules : Rules
        ``plane_place``.
    needs_depth, needs_w : bool
        Whether anything reads depth or the fragment's w.
    compiled : bool
        Whether a compiled loop fits; the planes are the same.
    """
    rows = component_rows(shader)
    vertices = _Vertices(positions[primitives.vertices], np.moveaxis(varyings[:, primitives.vertices], 0, -1))
    inverse_w = inverse_of_w(vertices.clip)
    perspective = (vertices.clip[:, :, 3] != 1).any(axis=1)
    smooth = is_smooth(rows)
    fits_values = any(one is not Interpolation.FLAT for one in rows)
    fits_w = needs_w or bool(perspective.any() and smooth.any())
    planes = w_planes = depth = None
    if fits_values or fits_w or needs_depth:
        values = vertices.floats if fits_values else np.zeros((len(perspective), 3, 0))
        if fits_values and perspective.any():
            values = np.where(perspective[:, None, None], divided_values(values, inverse_w, smooth), values)
        depths = _vertex_depths(vertices.clip, state) if needs_depth else None
        planes, w_planes, depth = _planes(
            primitives, values, inverse_w if fits_w else None, depths, state, compiled=compiled
        )
        if planes is not None and rules.plane_place is not PlanePlace.CHIP:
            planes = moved(planes, np.abs(values).max(axis=1) * VALUE_BOUND, rules)
        depth = None if depth is None else moved(depth, DEPTH_BOUND, rules)
    _fit_hidden(primitives, vertices, (planes, w_planes, depth), state)
    return Inputs(
        rows=rows,
        flat=np.moveaxis(varyings[:, primitives.provoking], 0, -1),
        planes=planes,
        inverse_w=w_planes,
        perspective=perspective,
        depth=depth,
        sampling=samplings(shader),
    )


def samplings(shader: Shader | None) -> tuple[Sampling, ...]:
    """Return where in a pixel each component of a shader's inputs is evaluated."""
    return tuple(one.sampling for one in (shader.inputs if shader else ()) for _ in range(one.components))


def _vertex_depths(clip: Float32, state: RasterState) -> Float64:
    with np.errstate(all="ignore"):
        return window_depth(clip, state).astype(np.float64)


def _planes(
    primitives: Primitives,
    values: Float64,
    inverse_w: Float64 | None,
    depths: Float64 | None,
    state: RasterState,
    *,
    compiled: bool,
) -> tuple[Planes | None, Planes | None, Planes | None]:
    """Return the planes of values, of 1 / w and of depth; None for those that are not asked for."""
    ways = None if inverse_w is None else inverse_w[:, :, np.newaxis]
    if compiled:
        from refnvn.raster.plane_kernel import fitted

        no_depths = np.zeros((len(values), 3, 0))
        planes, depth = fitted(
            primitives.x, primitives.y, values, no_depths if depths is None else depths[:, :, None], state.viewport
        )
        w_planes = None if ways is None else fitted(primitives.x, primitives.y, ways, no_depths, state.viewport)[0]
        return planes if values.shape[2] else None, w_planes, None if depths is None else depth
    with np.errstate(all="ignore"):
        frame = frame_of(three_of(primitives.x), three_of(primitives.y))
        reference = reference_block(frame, state.viewport)
        return (
            attribute_planes(frame, values, reference) if values.shape[2] else None,
            None if ways is None else attribute_planes(frame, ways, reference),
            None if depths is None else depth_planes(frame, depths, reference),
        )


def _fit_hidden(
    primitives: Primitives,
    vertices: _Vertices,
    planes: tuple[Planes | None, Planes | None, Planes | None],
    state: RasterState,
) -> None:
    """Replace the planes of triangles that reach behind the eye by exact ones over w."""
    scale, offset = (float(v) for v in depth_scale(state))
    attributes, w_planes, depth = planes
    with np.errstate(all="ignore"):
        for place, rows in primitives.homogeneous.items():
            for found, values in (
                (attributes, vertices.floats[place]),
                (w_planes, np.ones((3, 1))),
                (depth, vertices.clip[place, :, 2:3].astype(np.float64)),
            ):
                if found is None:
                    continue
                at = (float(found.x0[place]), float(found.y0[place]))
                a, b, c = homogeneous_planes(rows, values, at)
                if found is depth:
                    a, b, c = a * scale, b * scale, c * scale + offset
                _placed(found, place, slice(None), (a, b, c))


@dataclass(frozen=True, slots=True)
class Lanes:
    """The pixels of spans one by one: which triangle, column and row, each int64 of shape (lanes,).

    ``x`` and ``y`` say where in a pixel things are evaluated, in pixels: one place, or one for each lane.
    """

    primitive: Int64
    column: Int64
    row: Int64
    x: Float64 | float = 0.5
    y: Float64 | float = 0.5


def lanes_of(spans: Spans) -> Lanes:
    """Return the pixels of spans in order."""
    lengths = spans.right - spans.left
    offset = np.arange(spans.lanes, dtype=np.int64) - np.repeat(spans.start[:-1], lengths)
    return Lanes(
        np.repeat(spans.primitive, lengths), np.repeat(spans.left, lengths) + offset, np.repeat(spans.row, lengths)
    )


_SUM_PLACES = np.int64(29)
_NEAR_UNITS = 16.0


def slopes_in_units(a: Any, b: Any) -> Any:
    """Return what :func:`plane_at` needs of slopes, the same at all pixels.

    The unit that values are whole numbers of, six places below the last of 24 of the steeper slope; its reciprocal;
    the slopes in units; these, cut, as they are used from the middle of a quad to its pixels; whether both are 0.
    """
    is_flat = (a == 0) & (b == 0)
    unit = chosen(is_flat, 1.0, power_of_two(np.maximum(exponent(a), exponent(b)) - _SUM_PLACES))
    per_unit = 1.0 / unit
    across, along = a * per_unit, b * per_unit
    near = np.trunc(across / _NEAR_UNITS) * _NEAR_UNITS, np.trunc(along / _NEAR_UNITS) * _NEAR_UNITS
    return unit, per_unit, across, along, near[0], near[1], is_flat


@rule(
    "RASTER-PLANE-7",
    "The value at a pixel is the one in the middle of its four of 2x2, constant + slope_x * dx + slope_y * dy, plus "
    "the slopes times the way from there to the pixel's centre, or to a sample; for this way both slopes are cut two "
    "bits below the last of 24 of the steeper one. The sum is cut six bits below that last; a negative one is a "
    "ones' complement and so loses its last place where it has nothing to cut. What is left is cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="bit-exact: 5487152 values at pixel centres, 331776 at samples",
)
def plane_at(slopes: Any, c: Any, quad: tuple[Any, Any], part: tuple[Any, Any]) -> Any:
    """Return the value of a plane, float64 holding a float32.

    Parameters
    ----------
    slopes : tuple
        From :func:`slopes_in_units`.
    c : float64
        The constant.
    quad : tuple of float64
        From the reference point to the middle of the pixel's four, in pixels.
    part : tuple of float64
        From there to where the value is wanted, -0.5 or 0.5 at pixel centres.
    """
    unit, per_unit, across, along, near_across, near_along, is_flat = slopes
    total = (c * per_unit + along * quad[1]) + across * quad[0]
    total = total + (near_across * part[0] + near_along * part[1])
    magnitude = np.int64(np.float64(total).view(np.int64) - np.int64(total < 0)).view(np.float64)
    return cut_to_24_bits(chosen(is_flat, c, np.trunc(magnitude) * unit))


def quad_and_part(at: Any, inside: Any, reference: Any) -> tuple[Any, Any]:
    """Return on one axis how far a pixel's quad is from the reference point, and a place in it from the quad."""
    middle = at | 1
    return middle - reference, (at - middle) + inside


@rule(
    "RASTER-DEPTH-2",
    "Depth is evaluated at the centre of each 8x8-aligned block of pixels and cut to 27 bits there; a pixel's depth "
    "is that of a plane with this constant and reference point.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="bit-exact: all 219262 measured slanted values; flat ones too",
)
def depth_at(
    plane: tuple[Any, Any, Any], slopes: Any, reference: tuple[Any, Any], pixel: tuple[Any, Any],
    inside: tuple[Any, Any],
) -> Any:  # fmt: skip
    """Return the depth of a pixel, not clamped, at a place in it; float64 holding a float32.

    ``plane`` is slopes and constant, ``slopes`` what :func:`slopes_in_units` gave, ``pixel`` column and row,
    integers, ``inside`` from 0 to 1: 0.5 each at the centre.
    """
    a, b, c = plane
    centre_x, centre_y = (pixel[0] & ~7) + 4.0, (pixel[1] & ~7) + 4.0
    block = cut_to_27_bits((c + b * (centre_y - reference[1])) + a * (centre_x - reference[0]))
    quad_x, part_x = quad_and_part(pixel[0], inside[0], centre_x)
    quad_y, part_y = quad_and_part(pixel[1], inside[1], centre_y)
    return plane_at(slopes, block, (quad_x, quad_y), (part_x, part_y))


def _to_float32_bits(values: Float64) -> UInt32:
    """Return float32 bits, every NaN being the chip's."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        bits = values.astype(np.float32).view(np.uint32)
    return np.where(np.isnan(values), np.uint32(CANONICAL_NAN_BITS), bits)


def _planes_at(planes: Planes, lanes: Lanes, column: int) -> Float64:
    p = lanes.primitive
    quad_x, part_x = quad_and_part(lanes.column, lanes.x, planes.x0[p])
    quad_y, part_y = quad_and_part(lanes.row, lanes.y, planes.y0[p])
    slopes = tuple(one[p] for one in slopes_in_units(planes.a[:, column], planes.b[:, column]))
    value: Float64 = plane_at(slopes, planes.c[p, column], (quad_x, quad_y), (part_x, part_y))
    return value


def fragment_w(inputs: Inputs, lanes: Lanes) -> UInt32:
    """Return the bits of 1 / w as the shader sees it."""
    assert inputs.inverse_w is not None
    return _to_float32_bits(_planes_at(inputs.inverse_w, lanes, 0))


def sprite_coordinate(inputs: Inputs, lanes: Lanes, axis: int) -> UInt32:
    """Return the bits of s or t (``axis`` 0 or 1) of point sprites; 0 where nothing is a point."""
    if inputs.sprite is None:
        return np.zeros(len(lanes.row), dtype=np.uint32)
    return _to_float32_bits(_planes_at(inputs.sprite, lanes, axis))


def values_of(inputs: Inputs, lanes: Lanes, wanted: Collection[int] | None = None) -> UInt32:
    """Return the bits of all input components at some pixels, shape (components, lanes).

    Rows that are not ``wanted`` hold nothing of use; None wants all.
    """
    found = np.empty((len(inputs.rows), len(lanes.row)), dtype=np.uint32)
    perspective = inputs.perspective[lanes.primitive]
    w = None
    with np.errstate(all="ignore"):
        if inputs.inverse_w is not None and perspective.any():
            w = reciprocal(_planes_at(inputs.inverse_w, lanes, 0).astype(np.float32))
        for row, how in enumerate(inputs.rows):
            if wanted is not None and row not in wanted:
                continue
            if how is Interpolation.FLAT:
                found[row] = inputs.flat[lanes.primitive, row]
                continue
            assert inputs.planes is not None
            value = _planes_at(inputs.planes, lanes, row)
            if how is Interpolation.SMOOTH and w is not None:
                value = np.where(perspective, cut_to_24_bits(value * w), value)
            found[row] = _to_float32_bits(value)
    return found


def depths_of(inputs: Inputs, lanes: Lanes) -> Float32:
    """Return the depth of some pixels before any clamp, float32."""
    assert inputs.depth is not None
    p, planes = lanes.primitive, inputs.depth
    reference, pixel = (planes.x0[p], planes.y0[p]), (lanes.column, lanes.row)
    plane = (planes.a[p, 0], planes.b[p, 0], planes.c[p, 0])
    slopes = tuple(one[p] for one in slopes_in_units(planes.a[:, 0], planes.b[:, 0]))
    value = depth_at(plane, slopes, reference, pixel, (lanes.x, lanes.y))
    return from_bits(_to_float32_bits(value))
