"""What varies along a line, and how? Planes of values and of depth from the two ends.

A line of whole pixels changes along its major axis only, one that is a rectangle along its own direction.

Read next: ``segments.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64
from refnvn.raster.arithmetic import aligned_difference, aligned_sum, cut_to_24_bits, exponent
from refnvn.raster.lines import is_x_major
from refnvn.raster.planes import Planes
from refnvn.raster.products import moved_constant
from refnvn.raster.setup_reciprocal import setup_reciprocal
from refnvn.raster.window import SUBPIXELS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


@dataclass(frozen=True, slots=True)
class Axis:
    """Where lines have their values.

    Attributes
    ----------
    x, y : float64, shape (m, 2)
        The ends in pixels.
    rectangles : bool
        Whether lines are rectangles, as with multisampling.
    is_x : bool, shape (m,)
        Whether x is the major axis.
    ends : float64, shape (m, 2)
        The ends on the major axis.
    anchor : intp, shape (m,)
        The end whose value starts the constant.
    reference : float64, shape (m,)
        The 4-aligned point on the major axis that pixel offsets count from.
    """

    x: Float64
    y: Float64
    rectangles: bool
    is_x: NDArray[np.bool_]
    ends: Float64
    anchor: NDArray[np.intp]
    reference: Float64

    def at(self, values: Float64) -> Float64:
        """Return the value at the anchor of (m, 2) or (m, 2, k) values."""
        taken: Float64 = values[np.arange(len(values)), self.anchor]
        return taken


def axis_of(x: Float64, y: Float64, viewport: tuple[float, float, float, float], *, rectangles: bool) -> Axis:
    """Return where lines of these ends, (m, 2) in pixels, have their values."""
    is_x = is_x_major(x[:, 1] - x[:, 0], y[:, 1] - y[:, 0])
    ends = np.where(is_x[:, np.newaxis], x, y)
    size = np.maximum(np.maximum(np.abs(x), np.abs(y)), 1 / SUBPIXELS)
    key = exponent(size).astype(np.float64) * 2.0**32 + (np.abs(x) + np.abs(y))
    start, length = (np.where(is_x, viewport[k], viewport[k + 1]) for k in (0, 2))
    block = np.floor(ends.min(axis=1) / 4.0) * 4.0
    reference = np.minimum(np.maximum(block, start), start + length - 4.0)
    return Axis(x, y, rectangles, is_x, ends, np.argmin(key, axis=1), reference)


@rule(
    "RASTER-LINE-5",
    "Along a line values change with its major axis only: the difference of its ends times set-up's reciprocal of "
    "their distance on that axis, cut to 24 bits. Constant, value and 1 / w follow as on a triangle.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("line-vectors",),
    exactness="1 / w within 3 ULP of the largest, 375 of 497 equal; values within 28 ULP, all but one within 5",
)
def line_slopes(ends: Float64, values: Float64) -> Float64:
    """Return slopes along the major axis, shape (m, k).

    Parameters
    ----------
    ends : float64, shape (m, 2)
        Positions on the major axis in pixels.
    values : float64, shape (m, 2, k)
        float32 values at the ends.
    """
    length = cut_to_24_bits(ends[:, 1] - ends[:, 0])
    some = length != 0
    with np.errstate(all="ignore"):
        steps = setup_reciprocal(np.where(some, length, 1.0))[:, np.newaxis]
        slopes: Float64 = cut_to_24_bits(aligned_difference(values[:, 1], values[:, 0]) * steps)
    return np.where(some[:, np.newaxis] & np.isfinite(slopes), slopes, 0.0)


@rule(
    "RASTER-LINE-6",
    "With multisampling values change along the line's own direction: slopes are the difference of its ends, cut to "
    "24 bits, times its extent along x or y over its squared length, by set-up's reciprocal, each cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "sample-vectors"),
    exactness="of 120 lines every sample is covered right and every depth within 2 / 2^24, 71 % equal; inputs and "
    "1 / w are within 8 ULP of the largest at the ends",
)
def slanted_slopes(x: Float64, y: Float64, values: Float64) -> tuple[Float64, Float64]:
    """Return slopes along x and y, each of shape (m, k), from ends (m, 2) in pixels and values (m, 2, k)."""
    dx, dy = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0]
    squared = dx * dx + dy * dy
    some = squared != 0
    step = setup_reciprocal(cut_to_24_bits(np.where(some, squared, 1.0)))
    with np.errstate(all="ignore"):
        rise = aligned_difference(values[:, 1], values[:, 0])
        found = [cut_to_24_bits(rise * cut_to_24_bits(along * step)[:, np.newaxis]) for along in (dx, dy)]
    kept = some[:, np.newaxis] & np.isfinite(found[0]) & np.isfinite(found[1])
    return np.where(kept, found[0], 0.0), np.where(kept, found[1], 0.0)


def _slanted_planes(axis: Axis, values: Float64) -> Planes:
    """Return the planes of values at the ends of rectangles, shape (m, 2, k)."""
    along_x, along_y = slanted_slopes(axis.x, axis.y, values)
    x0, y0 = (np.floor(one.min(axis=1) / 4.0) * 4.0 for one in (axis.x, axis.y))
    way_x, way_y = (x0 - axis.at(axis.x))[:, np.newaxis], (y0 - axis.at(axis.y))[:, np.newaxis]
    constant = cut_to_24_bits(moved_constant(axis.at(values), along_x, way_x, along_y, way_y))
    return Planes(along_x, along_y, np.where(np.isfinite(constant), constant, np.nan), x0, y0)


def planes_along(axis: Axis, values: Float64) -> Planes:
    """Return the planes of values at the ends, shape (m, 2, k)."""
    if axis.rectangles:
        return _slanted_planes(axis, values)
    slopes = line_slopes(axis.ends, values)
    way = (axis.reference - axis.at(axis.ends))[:, np.newaxis]
    nothing = np.zeros_like(way)
    constant = cut_to_24_bits(moved_constant(axis.at(values), slopes, way, nothing, nothing))
    along_x = axis.is_x[:, np.newaxis]
    return Planes(
        np.where(along_x, slopes, 0.0),
        np.where(along_x, 0.0, slopes),
        np.where(np.isfinite(constant), constant, np.nan),
        np.where(axis.is_x, axis.reference, 0.0),
        np.where(axis.is_x, 0.0, axis.reference),
    )


def depth_planes_along(axis: Axis, depth: Float64) -> Planes:
    """Return the planes of depth at the ends, shape (m, 2), about window (0, 0)."""
    planes = planes_along(axis, depth[:, :, np.newaxis])
    back_x, back_y = -planes.a[:, 0] * axis.at(axis.x), -planes.b[:, 0] * axis.at(axis.y)
    constant = aligned_sum(axis.at(depth), back_x, back_y)
    zero = np.zeros(len(depth))
    return replace(planes, c=constant[:, np.newaxis], x0=zero, y0=zero)
