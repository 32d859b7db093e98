"""Which pixels does a line cover? Its shape as four edges with exact integers, like a triangle's three.

Vertices are snapped to 1/256 pixel like all others. A line of one pixel follows the diamond-exit rule; a wider one
has the same extent along its longer side ("major" axis) and n pixels across in each column or row. With several
samples a line is the exact rectangle around its segment instead.

Attributes along lines: ``segments.py``. Read next: ``spans.py``.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, Int64
from refnvn.raster.clip import owns_ties
from refnvn.raster.window import SUBPIXELS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_HALF = SUBPIXELS // 2
_NONE = np.iinfo(np.int64).max


@rule(
    "RASTER-LINE-1",
    "Without multisampling, or with it off on a target of several samples, a line is max(1, width rounded to "
    "nearest even) pixels wide.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
    exactness="bit-exact; of ties only 0.5 and 1.5 were measured",
)
def line_width_px(width: float) -> int:
    """Return how many pixels wide a line is.

    >>> line_width_px(1.5), line_width_px(0.5), line_width_px(6.75)
    (2, 1, 7)
    """
    return max(1, int(np.rint(np.float32(width))))


def is_x_major(dx: Int64 | Float64, dy: Int64 | Float64) -> NDArray[np.bool_]:
    """Say which lines are wider than high; both alike counts as wider."""
    major: NDArray[np.bool_] = np.abs(dx) >= np.abs(dy)
    return major


def _meets(x0: Int64, y0: Int64, x1: Int64, y1: Int64, column_sub: Int64, row_sub: Int64) -> NDArray[np.bool_]:
    """Say whether segments meet the diamonds around pixel centres; upper edges and top corner are part of them."""
    along, across = column_sub + row_sub, column_sub - row_sub
    inside: NDArray[np.bool_] = (np.maximum(x0 + y0, x1 + y1) > along - _HALF) & (
        np.minimum(x0 + y0, x1 + y1) <= along + _HALF
    )
    inside &= (np.maximum(x0 - y0, x1 - y1) >= across - _HALF) & (np.minimum(x0 - y0, x1 - y1) < across + _HALF)
    dx, dy = x1 - x0, y1 - y0
    beside = dx * (row_sub - y0) - dy * (column_sub - x0)
    reach = _HALF * np.maximum(np.abs(dx), np.abs(dy))
    rising = np.where(dx != 0, dx, -dy) > 0
    touched = np.where(rising, (beside >= -reach) & (beside < reach), (beside > -reach) & (beside <= reach))
    met: NDArray[np.bool_] = inside & touched
    return met


def _holds(x: Int64, y: Int64, column_sub: Int64, row_sub: Int64) -> NDArray[np.bool_]:
    """Say whether a point lies in the diamond around a pixel centre."""
    along, across = column_sub + row_sub, column_sub - row_sub
    found: NDArray[np.bool_] = (x + y > along - _HALF) & (x + y <= along + _HALF)
    return found & (x - y >= across - _HALF) & (x - y < across + _HALF)


@rule(
    "RASTER-LINE-2",
    "A line of one pixel covers the pixels whose diamond |x| + |y| < 1/2 its segment meets and does not end in. The "
    "diamond owns its two edges of the larger memory row and their corner; for a line higher than wide also its "
    "right corner, and never its left one. A line as wide as high counts as wide.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
)
def exits_diamond(x0: Int64, y0: Int64, x1: Int64, y1: Int64, column_sub: Int64, row_sub: Int64) -> NDArray[np.bool_]:
    """Say whether segments cover pixels.

    Parameters
    ----------
    x0, y0, x1, y1 : int64
        Start and end in 1/256 pixel.
    column_sub, row_sub : int64
        A pixel's centre.

    Examples
    --------
    >>> one = [np.array([v]) for v in (0, 128, 512, 128)]
    >>> [bool(exits_diamond(*one, np.array([c]), np.array([128]))[0]) for c in (128, 384, 640)]
    [True, True, False]
    """
    covered = _meets(x0, y0, x1, y1, column_sub, row_sub) & ~_holds(x1, y1, column_sub, row_sub)
    dx, dy = x1 - x0, y1 - y0
    within = (row_sub >= np.minimum(y0, y1)) & (row_sub <= np.maximum(y0, y1)) & ~is_x_major(dx, dy)
    left = within & (dx * (row_sub - y0) == dy * (column_sub - _HALF - x0))
    right = within & (dx * (row_sub - y0) == dy * (column_sub + _HALF - x0))
    ends_there = (column_sub + _HALF == x1) & (row_sub == y1)
    drawn: NDArray[np.bool_] = np.where(right, ~ends_there, covered & ~left)
    return drawn


def _across(du: Int64, dv: Int64, u0: Int64, v0: Int64, centre_sub: Int64) -> Int64:
    """Return the minor index of the pixel that holds the line at a major position; between two, the smaller."""
    rise = dv * (centre_sub - u0) + v0 * du
    index: Int64 = -((-rise) // (SUBPIXELS * du)) - 1
    return index


def _extent(x0: Int64, y0: Int64, x1: Int64, y1: Int64, x_major: NDArray[np.bool_]) -> tuple[Int64, Int64]:
    """Return the first and the last pixel along the major axis; first after last where there are none."""
    u0, v0, u1, v1 = (np.where(x_major, a, b) for a, b in ((x0, y0), (y0, x0), (x1, y1), (y1, x1)))
    turn = np.where(u1 < u0, np.int64(-1), np.int64(1))
    du, dv = np.where(u1 == u0, np.int64(1), (u1 - u0) * turn), (v1 - v0) * turn
    least, greatest = np.minimum(u0, u1), np.maximum(u0, u1)
    first, last = (least >> 8) + 1, -(-greatest >> 8) - 2  # these are passed through from side to side
    none = first > last
    first, last = np.where(none, _NONE, first), np.where(none, -_NONE, last)
    for end in (u0, u1):
        for step in (-1, 0, 1):
            index = (end >> 8) + step
            centre = index * SUBPIXELS + _HALF
            across = _across(du, dv, u0, v0, centre) * SUBPIXELS + _HALF
            column, row = np.where(x_major, centre, across), np.where(x_major, across, centre)
            hit = exits_diamond(x0, y0, x1, y1, column, row)
            first = np.where(hit, np.minimum(first, index), first)
            last = np.where(hit, np.maximum(last, index), last)
    return first, last


@rule(
    "RASTER-LINE-3",
    "A line of n pixels has the extent of the one-pixel line along its major axis; in each column or row of that it "
    "covers n pixels, of which the lowest holds the line's position at the pixel centre less (n - 1) / 2, a tie "
    "going to the smaller index. What is outside the clip volume in x and y changes nothing.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
)
def line_edges(x: Int64, y: Int64, width_px: int) -> Int64:
    """Return the edges of lines without multisampling.

    Parameters
    ----------
    x, y : int64, shape (m, 2)
        Snapped start and end in 1/256 pixel.
    width_px : int

    Returns
    -------
    int64, shape (m, 4, 3)
        a, b, c by edge: a pixel centre is covered where all a * x + b * y + c >= 0.
    """
    x0, y0, x1, y1 = x[:, 0], y[:, 0], x[:, 1], y[:, 1]
    x_major = is_x_major(x1 - x0, y1 - y0)
    first, last = _extent(x0, y0, x1, y1, x_major)
    empty = first > last
    first, last = np.where(empty, np.int64(1), first), np.where(empty, np.int64(0), last)
    u0, v0, u1, v1 = (np.where(x_major, a, b) for a, b in ((x0, y0), (y0, x0), (x1, y1), (y1, x1)))
    turn = np.where(u1 < u0, np.int64(-1), np.int64(1))
    du, dv = (u1 - u0) * turn, (v1 - v0) * turn
    lowest = (v0 - (width_px - 1) * _HALF) * du - dv * u0
    ones, zeros = np.ones_like(du), np.zeros_like(du)
    rows = (
        (-dv, du, _HALF * du - lowest),
        (dv, -du, lowest + (_HALF + SUBPIXELS * (width_px - 1)) * du - 1),
        (ones, zeros, -(first * SUBPIXELS + _HALF)),
        (-ones, zeros, last * SUBPIXELS + _HALF),
    )
    along_u, along_v, constant = (np.stack(column, axis=1) for column in zip(*rows, strict=True))
    wide = x_major[:, np.newaxis]
    return np.stack([np.where(wide, along_u, along_v), np.where(wide, along_v, along_u), constant], axis=2)


def line_rows(y: Int64, width: float) -> tuple[Int64, Int64]:
    """Return the first row that lines may reach and the row after the last, generously."""
    beyond = int(max(1.0, width)) + 2
    return (y.min(axis=1) >> 8) - beyond, (y.max(axis=1) >> 8) + beyond + 1


@rule(
    "RASTER-LINE-4",
    "With multisampling a line is the exact rectangle around its snapped segment, max(1, width) wide without any "
    "rounding, with caps square to it at its ends; samples on its edges are decided as a triangle's are.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules",),
    exactness="bit-exact on 93 random pipelines; ties on the long sides were not seen",
)
def rectangle_edges(x: Int64, y: Int64, width: float) -> Int64:
    """Return the edges of lines with multisampling, shape (m, 4, 3), as :func:`line_edges` does for pixels.

    Parameters
    ----------
    x, y : int64, shape (m, 2)
        Snapped start and end in 1/256 pixel; lines of no length have edges that admit nothing.
    width : float
        In pixels, a float32.

    Examples
    --------
    >>> rectangle_edges(np.array([[0, 512]]), np.array([[128, 128]]), 1.0)[0].tolist()
    [[512, 0, 0], [-512, 0, 262143], [0, 512, 0], [0, -512, 131071]]
    """
    half = Fraction(max(1.0, float(np.float32(width)))) * _HALF
    found = np.zeros((len(x), 4, 3), dtype=np.int64)
    for place, (xs, ys) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        found[place] = _rectangle(xs[0], ys[0], xs[1] - xs[0], ys[1] - ys[0], half)
    return found


def _rectangle(x0: int, y0: int, dx: int, dy: int, half: Fraction) -> list[tuple[int, int, int]]:
    """Return the four edges of one line: start, end, and the two long sides, the right-hand one first."""
    length = dx * dx + dy * dy
    if not length:
        return [(0, 0, -1)] * 4
    along, across = dx * x0 + dy * y0, dx * y0 - dy * x0
    squared = half * half * length
    reach = math.isqrt(math.floor(squared))
    on_edge = reach * reach == squared
    least, greatest = (reach - (on_edge and not owns_ties(dx * s, dy * s)) for s in (1, -1))
    return [
        (dx, dy, -along - (not owns_ties(dy, -dx))),
        (-dx, -dy, along + length - (not owns_ties(-dy, dx))),
        (-dy, dx, least - across),
        (dy, -dx, greatest + across),
    ]
