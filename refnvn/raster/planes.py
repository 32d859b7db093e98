"""Which plane does the chip fit through the three values of a triangle?

Set-up takes the differences from one vertex, divides by the doubled area with a reciprocal of its own, and keeps 24
bits of everything, cutting instead of rounding. So a plane is not the exact one; it is close to it, and the same on
every run. Flat and constant inputs are exact.

Everything is in pixels of memory, x to the right and y along the rows. The rules take the three vertices apart, as
arrays or, compiled, as numbers (``plane_kernel.py``). Read next: ``inputs.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from refnvn.formats.floatbits import Float64
from refnvn.raster.arithmetic import aligned_difference, cut_to_24_bits, cut_to_29_bits
from refnvn.raster.either import Three, chosen, one_of_three, three_of
from refnvn.raster.products import dot_of_two, moved_constant
from refnvn.raster.setup_reciprocal import setup_reciprocal
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

SUBPIXELS = 256
VALUES_AT_ONCE = 1 << 14
"""So many values get their planes together: few steps for a small draw, little memory for a large one."""
_BLOCK_PX = 4.0
_BELOW_BITS, _FRACTION_BITS, _FRACTION = np.int64(29), np.int64(23), np.int64((1 << 23) - 1)
_EXPONENT_BITS, _EXPONENT, _BIASES = np.int64(52), np.int64(0x7FF), np.int64(1023 - 127 + 8)
_ONE = np.int64(1)
FIT_RULES = (*(f"RASTER-PLANE-{k}" for k in (1, 2, 3, 4, 5, 9, 10)), "RASTER-RECIPROCAL-1")
"""Those that every plane goes by; compiled loops cannot count them."""


@dataclass(frozen=True, slots=True)
class Planes:
    """Planes of some values over some triangles: value = c + a * (x - x0) + b * (y - y0).

    Attributes
    ----------
    a, b, c : float64, shape (triangles, values)
        Slopes along x and y, and the value at the reference point.
    x0, y0 : float64, shape (triangles,)
        The reference point in pixels.
    """

    a: Float64
    b: Float64
    c: Float64
    x0: Float64
    y0: Float64


class Frame(NamedTuple):
    """What all planes of some triangles share.

    Attributes
    ----------
    x, y : three of float64
        Snapped window positions in pixels.
    base : integers
        The vertex that differences are taken from.
    step_x, step_y : two of float64
        The two edges from the base vertex over the doubled area, cut to 24 bits.
    anchor : integers
        The vertex whose value starts the constant.
    """

    x: Three
    y: Three
    base: Any
    step_x: tuple[Any, Any]
    step_y: tuple[Any, Any]
    anchor: Any


def taken(values: Three, vertex: Any) -> Any:
    """Return the value of a vertex."""
    return one_of_three(vertex, values[0], values[1], values[2])


def turned(values: Three, first: Any) -> Three:
    """Return the values of the vertices in their order, beginning with one of them."""
    return (
        one_of_three(first, values[0], values[1], values[2]),
        one_of_three(first, values[1], values[2], values[0]),
        one_of_three(first, values[2], values[0], values[1]),
    )


def least(values: Three) -> Any:
    """Return which vertex has the least value, the first among equals."""
    return chosen((values[0] <= values[1]) & (values[0] <= values[2]), 0, chosen(values[1] <= values[2], 1, 2))


def edge_length(x: Three, y: Three, one: int, other: int) -> Any:
    """Return max(|dx|, |dy|) between two vertices."""
    return np.maximum(np.abs(x[other] - x[one]), np.abs(y[other] - y[one]))


@rule(
    "RASTER-PLANE-1",
    "Differences are taken from the vertex opposite the edge with the largest max(|dx|, |dy|).",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
)
def base_vertex(x: Three, y: Three) -> Any:
    """Return the base vertex of triangles from snapped positions; the first where edges are as long."""
    return least((-edge_length(x, y, 1, 2), -edge_length(x, y, 2, 0), -edge_length(x, y, 0, 1)))


def position_word(sub: Any) -> Any:
    """Return a position as 32 bits: the float32 of its pixels, the sign standing below the exponent; 0 of zero."""
    bits = np.float64(sub).view(np.int64)
    power = ((bits >> _EXPONENT_BITS) & _EXPONENT) - _BIASES
    fraction = (bits >> _BELOW_BITS) & _FRACTION
    word = (((power << _ONE) | np.int64(sub < 0)) << _FRACTION_BITS) | fraction
    return chosen(sub == 0, np.int64(0), word)


def is_nearer(x: Any, y: Any, other_x: Any, other_y: Any) -> Any:
    """Say whether a vertex is rather the anchor than another one, or stands where that does."""
    x, y, other_x, other_y = position_word(x), position_word(y), position_word(other_x), position_word(other_y)
    beyond = _FRACTION_BITS + _ONE
    power, other_power = np.maximum(x, y) >> beyond, np.maximum(other_x, other_y) >> beyond
    differ_x, differ_y = x ^ other_x, y ^ other_y
    x_first = (differ_y < differ_x) & (differ_y < (differ_x ^ differ_y))
    return chosen(power == other_power, chosen(x_first, x < other_x, y <= other_y), power < other_power)


@rule(
    "RASTER-PLANE-2",
    "The constant of a plane starts from the vertex with the smallest exponent of max(|x|, |y|) in window "
    "coordinates. Among equals the first bit decides in which two vertices differ, the smaller one being the "
    "anchor's, in the order: exponents of float32 from the highest bit on, each bit of y before that of x; signs, y "
    "before x; fractions like exponents.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("plane-vectors",),
    exactness="bit-exact: all 4892 measured triangles",
)
def anchor_vertex(x: Three, y: Three) -> Any:
    """Return the anchor vertex of triangles from snapped positions."""
    first = is_nearer(x[0], y[0], x[1], y[1]) & is_nearer(x[0], y[0], x[2], y[2])
    return chosen(first, 0, chosen(is_nearer(x[1], y[1], x[2], y[2]), 1, 2))


@rule(
    "RASTER-PLANE-3",
    "The doubled area is cut to 24 bits, and edges times its reciprocal are cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="bit-exact",
)
def frame_of(x: Three, y: Three) -> Frame:
    """Return what all planes of triangles share.

    Parameters
    ----------
    x, y : three of int64
        Snapped window positions in 1/256 pixel; no triangle of zero area.
    """
    pixel = np.float64(SUBPIXELS)
    base = base_vertex(x, y)
    x0, x1, x2 = turned(x, base)
    y0, y1, y2 = turned(y, base)
    dx1, dx2, dy1, dy2 = x1 - x0, x2 - x0, y1 - y0, y2 - y0
    over = setup_reciprocal(cut_to_24_bits(np.float64(dx1 * dy2 - dx2 * dy1) / (pixel * pixel)))
    return Frame(
        (x[0] / pixel, x[1] / pixel, x[2] / pixel),
        (y[0] / pixel, y[1] / pixel, y[2] / pixel),
        base,
        (cut_to_24_bits(dx1 / pixel * over), cut_to_24_bits(dx2 / pixel * over)),
        (cut_to_24_bits(dy1 / pixel * over), cut_to_24_bits(dy2 / pixel * over)),
        anchor_vertex(x, y),
    )


@rule(
    "RASTER-PLANE-4",
    "A slope is d1 * s2 - d2 * s1 of value differences d and scaled edges s. Of a difference both values are cut one "
    "bit below the last of 24 of the larger, and the rest to 24 bits. The products are those of RASTER-PLANE-9, cut "
    "where the larger one ends, and their sum is cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="bit-exact",
)
def gradients(frame: Frame, values: Three) -> tuple[Any, Any]:
    """Return the slopes along x and y of one value, float32 values held as float64."""
    from_, one, other = turned(values, frame.base)
    first, second = aligned_difference(one, from_), aligned_difference(other, from_)
    along_x = dot_of_two(first, frame.step_y[1], second, -frame.step_y[0])
    along_y = dot_of_two(second, frame.step_x[0], first, -frame.step_x[1])
    return along_x, along_y


def aligned_block(at: Any, start: Any, size: Any) -> Any:
    """Return where the block of a position begins, kept inside a viewport, on one axis."""
    corner = np.floor(at / _BLOCK_PX) * _BLOCK_PX
    return np.minimum(np.maximum(corner, start), start + size - _BLOCK_PX)


@rule(
    "RASTER-PLANE-5",
    "Pixel offsets count from the 4x4-aligned block of the vertex with the smallest row, kept inside the viewport.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
)
def reference_block(frame: Frame, viewport: tuple[float, float, float, float]) -> tuple[Any, Any]:
    """Return x and y of the reference point of triangles in pixels."""
    lowest = least(frame.y)
    return (
        aligned_block(taken(frame.x, lowest), viewport[0], viewport[2]),
        aligned_block(taken(frame.y, lowest), viewport[1], viewport[3]),
    )


@rule(
    "RASTER-PLANE-6",
    "The constant of a plane is the anchor's value plus the slopes times its way to the reference point. The "
    "products are those of RASTER-PLANE-10; all three terms are cut five bits below the last of 24 of the largest "
    "exponent, a product's being the sum of its factors'. An attribute's constant is cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="bit-exact",
)
def attribute_plane(frame: Frame, values: Three, reference: tuple[Any, Any]) -> Three:
    """Return slopes and constant of one value, ``reference`` being what :func:`reference_block` gave."""
    along_x, along_y, constant = plane_from_anchor(frame, values, reference)
    return without_nan(along_x, along_y, cut_to_24_bits(constant))


@rule(
    "RASTER-DEPTH-1",
    "The depth plane is that of an attribute; its constant keeps five more bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="bit-exact",
)
def depth_plane(frame: Frame, depth: Three, reference: tuple[Any, Any]) -> Three:
    """Return slopes and constant of window depth."""
    along_x, along_y, constant = plane_from_anchor(frame, depth, reference)
    return without_nan(along_x, along_y, cut_to_29_bits(constant))


def plane_from_anchor(frame: Frame, values: Three, reference: tuple[Any, Any]) -> Three:
    """Return slopes and constant of one value, the constant before its last cut."""
    along_x, along_y = gradients(frame, values)
    way_x = reference[0] - taken(frame.x, frame.anchor)
    way_y = reference[1] - taken(frame.y, frame.anchor)
    return along_x, along_y, moved_constant(taken(values, frame.anchor), along_x, way_x, along_y, way_y)


def without_nan(a: Any, b: Any, c: Any) -> Three:
    """Make a plane that is not finite NaN everywhere, of one kind on every processor."""
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    return chosen(finite, a, 0.0), chosen(finite, b, 0.0), chosen(finite, c, np.nan)


def _widened(frame: Frame) -> Frame:
    """Return the frame of triangles for several values of each."""

    def wide(several: Any) -> Any:
        return tuple(one[:, np.newaxis] for one in several)

    base, anchor = wide((frame.base, frame.anchor))
    return Frame(wide(frame.x), wide(frame.y), base, wide(frame.step_x), wide(frame.step_y), anchor)


def attribute_planes(frame: Frame, values: Float64, reference: tuple[Float64, Float64]) -> Planes:
    """Return the planes of vertex values.

    Parameters
    ----------
    frame : Frame
    values : float64, shape (triangles, 3, values)
        float32 values at the vertices.
    reference : tuple of float64, each of shape (triangles,)
        From :func:`reference_block`.
    """
    wide, at = _widened(frame), (reference[0][:, np.newaxis], reference[1][:, np.newaxis])
    at_once = max(1, VALUES_AT_ONCE // max(1, len(values)))
    parts = range(0, max(1, values.shape[2]), at_once)
    found = [attribute_plane(wide, three_of(values[:, :, first : first + at_once]), at) for first in parts]
    a, b, c = found[0] if len(found) == 1 else (np.concatenate(one, axis=1) for one in zip(*found, strict=True))
    return Planes(a, b, c, *reference)


def depth_planes(frame: Frame, depth: Float64, reference: tuple[Float64, Float64]) -> Planes:
    """Return the planes of window depth, shape (triangles, 1) each, from vertex depths of shape (triangles, 3)."""
    a, b, c = depth_plane(frame, three_of(depth), reference)
    return Planes(a[:, np.newaxis], b[:, np.newaxis], c[:, np.newaxis], *reference)


def homogeneous_planes(rows: Float64, values: Float64, at: tuple[float, float]) -> tuple[Float64, Float64, Float64]:
    """Return slopes and constants of value / w over a triangle that reaches behind the eye.

    Parameters
    ----------
    rows : float64, shape (3, 3)
        For each vertex window x * w, window y * w and w.
    values : float64, shape (3, values)
        Vertex values, not divided.
    at : tuple of float
        The reference point.

    Notes
    -----
    How the chip fits a plane to a clipped triangle is not known; this is the exact plane, rounded to float64.
    """
    minors = np.stack([np.cross(rows[1], rows[2]), np.cross(rows[2], rows[0]), np.cross(rows[0], rows[1])], axis=1)
    determinant = rows[0, 0] * minors[0, 0] + rows[0, 1] * minors[1, 0] + rows[0, 2] * minors[2, 0]
    scaled = [minors[k, 0] * values[0] + minors[k, 1] * values[1] + minors[k, 2] * values[2] for k in range(3)]
    a, b, c = (one / determinant for one in scaled)
    return a, b, c + a * at[0] + b * at[1]
