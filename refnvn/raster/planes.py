"""Which plane does the chip fit through the three values of a triangle?

Set-up takes the differences from one vertex, divides by the doubled area with a reciprocal of its own, and keeps 24
bits of everything, cutting instead of rounding. So a plane is not the exact one; it is close to it, and the same on
every run. What is not known is how the last bit of a plane's constant comes about: see the rules' exactness. Flat
and constant inputs are exact.

Everything is in pixels of memory, x to the right and y along the rows. Read next: ``interpolate.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, Int64
from refnvn.raster.arithmetic import (
    aligned_sum,
    cut_to_24_bits,
    dot_of_two,
    exponent,
)
from refnvn.raster.setup_reciprocal import setup_reciprocal
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

SUBPIXELS = 256
VALUES_AT_ONCE = 1 << 14
"""So many values get their planes together: few steps for a small draw, little memory for a large one."""
_NEXT = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])


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


@dataclass(frozen=True, slots=True)
class Frame:
    """What all planes of some triangles share.

    Attributes
    ----------
    x, y : float64, shape (triangles, 3)
        Snapped window positions in pixels.
    base : intp, shape (triangles, 3)
        The vertices, beginning with the one that differences are taken from.
    step_x, step_y : float64, shape (triangles, 2)
        The two edges from the base vertex over the doubled area, cut to 24 bits.
    anchor : intp, shape (triangles,)
        The vertex whose value starts the constant.
    """

    x: Float64
    y: Float64
    base: NDArray[np.intp]
    step_x: Float64
    step_y: Float64
    anchor: NDArray[np.intp]


def _take(values: Float64, vertex: NDArray[np.intp]) -> Float64:
    """Return values[i, vertex[i]] for values of shape (triangles, 3, ...)."""
    taken: Float64 = values[np.arange(len(vertex)), vertex]
    return taken


@rule(
    "RASTER-PLANE-1",
    "Differences are taken from the vertex opposite the edge with the largest max(|dx|, |dy|).",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
)
def base_vertex(x: Int64, y: Int64) -> NDArray[np.intp]:
    """Return the base vertex of triangles, shape (triangles,), from snapped positions of shape (triangles, 3)."""
    longest = np.maximum(
        np.abs(x[:, [2, 0, 1]] - x[:, [1, 2, 0]]),
        np.abs(y[:, [2, 0, 1]] - y[:, [1, 2, 0]]),
    )
    longest_edge: NDArray[np.intp] = np.argmax(longest, axis=1)
    return longest_edge


@rule(
    "RASTER-PLANE-2",
    "The constant of a plane starts from the vertex with the smallest exponent of max(|x|, |y|) in window "
    "coordinates; among equals the smaller exponent of |y|, then of |x|, then a y that is not negative, then the "
    "smaller |x| + |y|.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="132 of 133 triangles around the origin that decide it; the last key is a guess",
)
def anchor_vertex(x: Int64, y: Int64) -> NDArray[np.intp]:
    """Return the anchor vertex of triangles, shape (triangles,), from snapped positions of shape (triangles, 3)."""
    x_abs, y_abs = np.maximum(np.abs(x), 1), np.maximum(np.abs(y), 1)
    x_power, y_power = (exponent(v.astype(np.float64)) for v in (x_abs, y_abs))
    key = (np.maximum(x_power, y_power) * 64 + y_power) * 64 + x_power
    last = ((y < 0).astype(np.int64) << np.int64(40)) + np.abs(x) + np.abs(y)
    first: NDArray[np.intp] = np.argmin((key << np.int64(41)) + last, axis=1)
    return first


@rule(
    "RASTER-PLANE-3",
    "The doubled area is cut to 24 bits, and edges times its reciprocal are cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="bit-exact",
)
def frame_of(x: Int64, y: Int64) -> Frame:
    """Return what all planes of triangles share.

    Parameters
    ----------
    x, y : int64, shape (triangles, 3)
        Snapped window positions in 1/256 pixel; no triangle of zero area.
    """
    base = _NEXT[base_vertex(x, y)]
    triangle = np.arange(len(base))[:, np.newaxis]
    xb, yb = x[triangle, base], y[triangle, base]
    edge_x, edge_y = xb[:, 1:] - xb[:, :1], yb[:, 1:] - yb[:, :1]
    area = (edge_x[:, 0] * edge_y[:, 1] - edge_x[:, 1] * edge_y[:, 0]).astype(np.float64)
    reciprocal = setup_reciprocal(cut_to_24_bits(area / SUBPIXELS**2))[:, np.newaxis]
    return Frame(
        x=x / np.float64(SUBPIXELS),
        y=y / np.float64(SUBPIXELS),
        base=base,
        step_x=cut_to_24_bits(edge_x / np.float64(SUBPIXELS) * reciprocal),
        step_y=cut_to_24_bits(edge_y / np.float64(SUBPIXELS) * reciprocal),
        anchor=anchor_vertex(x, y),
    )


@rule(
    "RASTER-PLANE-4",
    "A slope is d1 * s2 - d2 * s1 of value differences d (cut to 24 bits) and scaled edges s, in one step that keeps "
    "two bits below the larger product and is cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="389 of 390 given the chip's reciprocal",
)
def gradients(frame: Frame, values: Float64) -> tuple[Float64, Float64]:
    """Return the slopes along x and y of some values, each of shape (triangles, values).

    Parameters
    ----------
    frame : Frame
    values : float64, shape (triangles, 3, values)
        float32 values at the vertices.
    """
    triangle = np.arange(len(values))[:, np.newaxis]
    ordered = values[triangle, frame.base]
    differences = cut_to_24_bits(ordered[:, 1:] - ordered[:, :1])
    first, second = differences[:, 0], differences[:, 1]
    step_x, step_y = frame.step_x[:, :, np.newaxis], frame.step_y[:, :, np.newaxis]
    along_x = dot_of_two(first, step_y[:, 1], second, -step_y[:, 0])
    along_y = dot_of_two(second, step_x[:, 0], first, -step_x[:, 1])
    return along_x, along_y


@rule(
    "RASTER-PLANE-5",
    "Pixel offsets count from the 4x4-aligned block of the vertex with the smallest row, kept inside the viewport.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
)
def reference_block(frame: Frame, viewport: tuple[float, float, float, float]) -> tuple[Float64, Float64]:
    """Return x and y of the reference point of each triangle in pixels."""
    lowest = np.argmin(frame.y, axis=1)
    corners = []
    for values, start, size in ((frame.x, viewport[0], viewport[2]), (frame.y, viewport[1], viewport[3])):
        corner = np.floor(_take(values, lowest) / 4.0) * 4.0
        corners.append(np.minimum(np.maximum(corner, start), start + size - 4.0))
    return corners[0], corners[1]


@rule(
    "RASTER-PLANE-6",
    "The constant of an attribute is the anchor's value plus the slopes times its way to the reference point, cut to "
    "24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="97 % of the solved constants lie on that lattice; constant attributes are exact",
)
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
    way_x = (reference[0] - _take(frame.x, frame.anchor))[:, np.newaxis]
    way_y = (reference[1] - _take(frame.y, frame.anchor))[:, np.newaxis]
    at_once = max(1, VALUES_AT_ONCE // max(1, len(values)))
    found = []
    for first in range(0, max(1, values.shape[2]), at_once):
        part = values[:, :, first : first + at_once]
        along_x, along_y = gradients(frame, part)
        start = _take(part, frame.anchor)
        found.append((along_x, along_y, cut_to_24_bits(aligned_sum(start, along_x * way_x, along_y * way_y))))
    a, b, c = found[0] if len(found) == 1 else (np.concatenate(one, axis=1) for one in zip(*found, strict=True))
    return _without_nan(a, b, c, reference)


def _without_nan(a: Float64, b: Float64, c: Float64, reference: tuple[Float64, Float64]) -> Planes:
    """Make a plane that is not finite NaN everywhere, of one kind on every processor."""
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    return Planes(
        np.where(finite, a, 0.0), np.where(finite, b, 0.0), np.where(finite, c, np.nan), reference[0], reference[1]
    )


@rule(
    "RASTER-DEPTH-1",
    "The depth plane has the slopes of an attribute; its constant stands at window (0, 0) and keeps five more bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="slanted planes within 2 / 2^24, 94 % of the pixels equal; flat ones exact",
)
def depth_planes(frame: Frame, depth: Float64) -> Planes:
    """Return the planes of window depth, shape (triangles, 1) each, from vertex depths of shape (triangles, 3)."""
    along_x, along_y = gradients(frame, depth[:, :, np.newaxis])
    start, x, y = (_take(one, frame.anchor)[:, np.newaxis] for one in (depth, frame.x, frame.y))
    constant = aligned_sum(start, -along_x * x, -along_y * y)
    zero = np.zeros(len(depth))
    return _without_nan(along_x, along_y, constant, (zero, zero))


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
