"""Which pixels does a point cover, and what does it give its fragments as coordinate?

A point is a square of whole pixels, as four edges with exact integers. A sprite, which is what NVN draws, keeps its
centre on the 1/256 grid; a plain point moves it so that it covers whole pixels.

Plain points with multisampling are round on the measured chip; that is not here. Read next: ``spans.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.enumerations import WindowOriginMode
from refnvn.formats.floatbits import Float32, Float64, Int64
from refnvn.raster.arithmetic import cut_to_24_bits
from refnvn.raster.planes import Planes
from refnvn.raster.window import SUBPIXELS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_HALF = SUBPIXELS // 2
LARGEST_WRITTEN_PX = 2047
"""The largest size that a shader may give a point."""


@rule(
    "RASTER-POINT-1",
    "A point is max(1, size rounded to nearest even) pixels wide and high.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
)
def point_size_px(size: Float32) -> Int64:
    """Return how many pixels wide points are; a size that is no number counts as 1.

    >>> point_size_px(np.array([0.25, 2.5, 3.5, 16], np.float32)).tolist()
    [1, 2, 4, 16]
    """
    known = np.where(size >= 1, size, np.float32(1))
    return np.rint(np.minimum(known, np.float32(LARGEST_WRITTEN_PX))).astype(np.int64)


@rule(
    "RASTER-POINT-2",
    "A size that the vertex shader writes is clamped to the largest size of 2047 pixels that the driver hands it, "
    "and has nothing to do with SetPointSize.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("s4-3g-pointsize",),
    refuted_by="a shader's point of 4000 pixels on a console that is wider than 2047",
)
def written_size(size: Float32) -> Float32:
    """Return the sizes that shaders wrote as they are used.

    >>> written_size(np.array([8, 4000], np.float32)).tolist()
    [8.0, 2047.0]
    """
    return np.minimum(size, np.float32(LARGEST_WRITTEN_PX))


@rule(
    "RASTER-POINT-3",
    "A sprite covers the pixels whose centres are in the square around its snapped position, left and first row in, "
    "right and last row out; whether its position is inside the clip volume in x and y does not matter.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules", "hardware-pipeline-rules"),
)
def sprite_corner(x: Int64, y: Int64, size_px: Int64) -> tuple[Int64, Int64]:
    """Return the first corner of sprites in 1/256 pixel from their snapped centres."""
    return x - size_px * _HALF, y - size_px * _HALF


@rule(
    "RASTER-POINT-4",
    "A plain point is centred at the centre of the pixel that holds it if its size is odd, at the nearest corner of "
    "pixels if even, between two at the larger.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
)
def plain_corner(x: Int64, y: Int64, size_px: Int64) -> tuple[Int64, Int64]:
    """Return the first corner of plain points in 1/256 pixel from their snapped centres."""
    odd = size_px % 2 == 1
    x, y = (np.where(odd, (v >> 8 << 8) + _HALF, (v + _HALF) >> 8 << 8) for v in (x, y))
    return x - size_px * _HALF, y - size_px * _HALF


def square_edges(left: Int64, top: Int64, size_px: Int64) -> Int64:
    """Return the edges of squares, shape (m, 4, 3), from their first corner in 1/256 pixel."""
    size = size_px * SUBPIXELS
    edges = np.zeros((len(left), 4, 3), dtype=np.int64)
    for axis, start in ((0, left), (1, top)):
        edges[:, 2 * axis, axis], edges[:, 2 * axis, 2] = 1, -start
        edges[:, 2 * axis + 1, axis], edges[:, 2 * axis + 1, 2] = -1, start + size - 1
    return edges


@rule(
    "RASTER-POINT-5",
    "A sprite's coordinate is a plane over its square: 1 / n a pixel as float32, its constant taken at the 4x4-"
    "aligned block of the first corner and cut to 24 bits, its value at the pixel centre cut to 24 bits. With an "
    "upper-left sprite origin t is 1 at the first memory row and falls; with a lower-left one it is 0 there.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
    exactness="bit-exact where n is a power of two, else within 2^-22",
)
def sprite_planes(
    left: Int64,
    top: Int64,
    size_px: Int64,
    origin: WindowOriginMode,
    viewport: tuple[float, float, float, float],
) -> Planes:
    """Return the planes of s and t, shape (m, 2) each.

    Parameters
    ----------
    left, top : int64, shape (m,)
        The first corners in 1/256 pixel.
    size_px : int64, shape (m,)
    origin : WindowOriginMode
        UPPER_LEFT: t is 1 at the smallest memory row.
    viewport : tuple of float
    """
    slope = (np.float32(1.0) / size_px.astype(np.float32)).astype(np.float64)
    nothing = np.zeros(len(slope))
    falls = origin is WindowOriginMode.UPPER_LEFT
    slope_t, start_t = (-slope, 1.0) if falls else (slope, 0.0)
    corners = (left / np.float64(SUBPIXELS), top / np.float64(SUBPIXELS))
    x0, y0 = (_block(corner, viewport[k], viewport[2 + k]) for k, corner in enumerate(corners))
    s = cut_to_24_bits(slope * (x0 - corners[0]))
    t = cut_to_24_bits(start_t + slope_t * (y0 - corners[1]))
    return Planes(
        np.stack([slope, nothing], axis=1), np.stack([nothing, slope_t], axis=1), np.stack([s, t], axis=1), x0, y0
    )


def _block(corner: Float64, start: float, size: float) -> Float64:
    """Return the 4-aligned position before a corner, kept inside the viewport."""
    kept: Float64 = np.minimum(np.maximum(np.floor(corner / 4.0) * 4.0, start), start + size - 4.0)
    return kept


def point_rows(top: Int64, size_px: Int64) -> tuple[Int64, Int64]:
    """Return the first row that points may reach and the row after the last, generously."""
    return (top >> 8) - 1, (top >> 8) + size_px + 2
