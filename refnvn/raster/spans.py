"""Which pixels of each row does a triangle cover? Exact spans, by one integer division for each edge and row.

A span is a run of pixels of one row and one triangle. Spans come in the order of the draw: triangle by triangle, row
by row. A pixel is covered where its centre is inside all edges.

Read next: ``inputs.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.raster.either import chosen
from refnvn.raster.setup import Primitives
from refnvn.raster.target import Rectangle
from refnvn.raster.window import SUBPIXELS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

ROWS_AT_ONCE = 1 << 15
LANES_MAX = 1 << 15
_HALF = SUBPIXELS // 2


@dataclass(frozen=True, slots=True)
class Spans:
    """Runs of pixels in drawing order.

    Attributes
    ----------
    primitive : int64, shape (k,)
        Index into the primitives that were set up together.
    row, left, right : int64, shape (k,)
        Memory row, first column, and the column after the last.
    start : int64, shape (k + 1,)
        The lane of each span's first pixel; the last entry is the number of lanes.
    reach : tuple of int64, each of shape (k, columns, samples), or None
        With several samples: first column, and the column after the last, where each sample is covered.
    """

    primitive: Int64
    row: Int64
    left: Int64
    right: Int64
    start: Int64
    reach: tuple[Int64, Int64] | None = None

    @property
    def lanes(self) -> int:
        """How many pixels there are."""
        return int(self.start[-1])

    def part(self, begin: int, end: int) -> Spans:
        """Return the spans ``begin`` to ``end``, lanes counted from 0."""
        start = self.start[begin : end + 1] - self.start[begin]
        reach = None if self.reach is None else (self.reach[0][begin:end], self.reach[1][begin:end])
        return Spans(
            self.primitive[begin:end], self.row[begin:end], self.left[begin:end], self.right[begin:end], start, reach
        )


def spans_of(
    primitive: Int64, row: Int64, left: Int64, right: Int64, reach: tuple[Int64, Int64] | None = None
) -> Spans:
    """Return spans with their lanes counted."""
    start = np.zeros(len(row) + 1, dtype=np.int64)
    np.cumsum(right - left, out=start[1:])
    return Spans(primitive, row, left, right, start, reach)


@rule(
    "RASTER-COVERAGE-1",
    "A triangle covers the pixels whose centres are inside its three edges, which are exact in integers of 1/256 "
    "pixel; triangles that share an edge cover each pixel along it once.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules"),
)
def covered_spans(primitives: Primitives, begin: int, end: int, window: Rectangle) -> Spans:
    """Return the spans of primitives ``begin`` to ``end`` inside a window.

    Parameters
    ----------
    primitives : Primitives
    begin, end : int
    window : tuple of int
        x, y, width, height in pixels.
    """
    primitive, row = rows_of(primitives, begin, end)
    left, right = columns_inside(primitives, primitive, row, window, _HALF, _HALF)
    some = right > left
    return spans_of(primitive[some], row[some], left[some], right[some])


def rows_of(primitives: Primitives, begin: int, end: int) -> tuple[Int64, Int64]:
    """Return primitive and row of all rows of primitives ``begin`` to ``end``."""
    heights = (primitives.bottom - primitives.top)[begin:end]
    primitive = np.repeat(np.arange(begin, end), heights)
    first = np.cumsum(heights) - heights
    return primitive, primitives.top[primitive] + np.arange(len(primitive)) - np.repeat(first, heights)


def columns_inside(
    primitives: Primitives, primitive: Int64, row: Int64, window: Rectangle, x: Int64 | int, y: Int64 | int
) -> tuple[Int64, Int64]:
    """Return where the point (x, y) of a pixel, in 1/256 pixel, is inside all edges: from one column to another."""
    edge = np.moveaxis(primitives.edges[primitive], 2, 0)
    at = [one if isinstance(one, int) else one[:, np.newaxis] for one in (x, y)]
    first, end = window[0], window[0] + window[2]
    left, right = columns_of_edge(edge[0], edge[1], edge[2], row[:, np.newaxis], at[0], at[1], first, end)
    return left.max(axis=1, initial=first), right.min(axis=1, initial=end)


def columns_of_edge(a: Any, b: Any, c: Any, row: Any, x: Any, y: Any, first: Any, end: Any) -> tuple[Any, Any]:
    """Return from where to where the point (x, y) of a row's pixels is inside an edge, within ``first`` and ``end``.

    Works on arrays and in compiled code. Nowhere is to ``first``.
    """
    at_column_0 = a * x + b * (row * SUBPIXELS + y) + c
    # rises: inside from -columns on; falls: inside up to columns
    columns = floor_quotient(at_column_0, chosen(a == 0, np.int64(1), np.abs(a) * SUBPIXELS))
    nowhere = (a == 0) & (at_column_0 < 0)
    return chosen(a > 0, -columns, first), chosen(a < 0, columns + 1, chosen(nowhere, first, end))


def floor_quotient(value: Any, divisor: Any) -> Any:
    """Return value / divisor of integers, rounded down; compiled code has a quicker way to the same number."""
    return value // divisor


def all_spans(primitives: Primitives, window: Rectangle) -> Iterator[Spans]:
    """Yield all spans in order, so many rows at a time that little memory is needed."""
    rows_before = np.concatenate([[0], np.cumsum(primitives.bottom - primitives.top)])
    begin, count = 0, len(primitives.ids)
    while begin < count:
        end = int(np.searchsorted(rows_before, rows_before[begin] + ROWS_AT_ONCE, side="right")) - 1
        end = min(max(end, begin + 1), count)
        yield covered_spans(primitives, begin, end, window)
        begin = end


def batches(spans: Spans, lanes_max: int = LANES_MAX) -> Iterator[Spans]:
    """Yield spans in batches of at most ``lanes_max`` pixels, or of one pair of rows; a pair is never parted."""
    if spans.lanes <= lanes_max:
        if len(spans.row):
            yield spans
        return
    begin, count = 0, len(spans.row)
    pair = _follows_its_pair(spans)
    while begin < count:
        end = int(np.searchsorted(spans.start, spans.start[begin] + lanes_max, side="right")) - 1
        end = min(max(end, begin + 1), count)
        if end < count and pair[end]:
            end += 1 if end - begin == 1 else -1
        yield spans.part(begin, end)
        begin = end


def by_primitive(spans: Spans) -> Iterator[Spans]:
    """Yield the spans of one primitive after another, each whole."""
    edges = np.flatnonzero(np.diff(spans.primitive)) + 1
    for begin, end in pairwise([0, *edges.tolist(), len(spans.row)]):
        if begin < end:
            yield spans.part(begin, end)


def _follows_its_pair(spans: Spans) -> NDArray[np.bool_]:
    """Return which spans are the second row of the quads of the span before."""
    found = np.zeros(len(spans.row), dtype=np.bool_)
    found[1:] = (spans.primitive[1:] == spans.primitive[:-1]) & (spans.row[1:] >> 1 == spans.row[:-1] >> 1)
    return found


def in_rows(spans: Spans, top: int, bottom: int) -> Spans:
    """Return the spans of some rows."""
    inside = (spans.row >= top) & (spans.row < bottom)
    if inside.all():
        return spans
    reach = None if spans.reach is None else (spans.reach[0][inside], spans.reach[1][inside])
    return spans_of(spans.primitive[inside], spans.row[inside], spans.left[inside], spans.right[inside], reach)
