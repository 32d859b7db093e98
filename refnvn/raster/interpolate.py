"""What do a fragment's inputs and depth hold? The planes of ``inputs.py``, evaluated in a pixel.

Flat inputs are the provoking vertex's bits; the others are float32. Values travel as bits, so that integers pass
unharmed.

Read next: ``fragment.py``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32, from_bits
from refnvn.raster.arithmetic import cut_to_24_bits, cut_to_27_bits, exponent, power_of_two
from refnvn.raster.either import chosen
from refnvn.raster.inputs import Inputs
from refnvn.raster.planes import Planes
from refnvn.raster.setup_reciprocal import reciprocal
from refnvn.raster.spans import Spans
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir_base import Interpolation

CANONICAL_NAN_BITS = 0x7FFFFFFF


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
