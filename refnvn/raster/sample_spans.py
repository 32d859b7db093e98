"""Which samples of which pixels does a triangle cover? The exact spans of ``spans.py``, once for each sample.

A sample of a row is covered from one column to another, so that is what is kept: first column and the column after
the last, by sample, and by column of the grid where positions differ from pixel to pixel. The span itself reaches
over all of its samples; pixels in it may have none.

Read next: ``multisample.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.raster.interpolate import Lanes
from refnvn.raster.samples import CENTRE, SUBPIXELS_PER_UNIT, centres
from refnvn.raster.setup import Primitives
from refnvn.raster.spans import ROWS_AT_ONCE, Spans, columns_inside, rows_of, spans_of
from refnvn.raster.target import Rectangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Covered = NDArray[np.bool_]


@rule(
    "RASTER-COVERAGE-3",
    "A triangle covers the samples whose positions are inside its edges, by the arithmetic and the rule for ties "
    "that pixel centres have.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def sampled_spans(primitives: Primitives, begin: int, end: int, window: Rectangle, positions: Int64) -> Spans:
    """Return the spans of primitives ``begin`` to ``end`` inside a window, with the reach of each sample.

    Parameters
    ----------
    primitives : Primitives
    begin, end : int
    window : tuple of int
        x, y, width, height in pixels.
    positions : int64, shape (rows, columns, samples, 2)
        See :func:`refnvn.raster.samples.positions_by_pixel`.
    """
    primitive, row = rows_of(primitives, begin, end)
    down, across, samples, _ = positions.shape
    left = np.empty((len(row), across, samples), dtype=np.int64)
    right = np.empty_like(left)
    for column in range(across):
        for sample in range(samples):
            offset = positions[row % down, column, sample] * SUBPIXELS_PER_UNIT
            reach = columns_inside(primitives, primitive, row, window, offset[:, 0], offset[:, 1])
            left[:, column, sample], right[:, column, sample] = reach
    inside = right > left
    first = np.where(inside, left, window[0] + window[2]).min(axis=(1, 2))
    last = np.where(inside, right, window[0]).max(axis=(1, 2))
    some = last > first
    return spans_of(primitive[some], row[some], first[some], last[some], (left[some], right[some]))


def all_sampled_spans(primitives: Primitives, window: Rectangle, positions: Int64) -> Iterator[Spans]:
    """Yield all spans in order, so many rows at a time that little memory is needed."""
    heights = (primitives.bottom - primitives.top) * positions.shape[1] * positions.shape[2]
    before = np.concatenate([[0], np.cumsum(heights)])
    begin, count = 0, len(primitives.ids)
    while begin < count:
        end = int(np.searchsorted(before, before[begin] + ROWS_AT_ONCE, side="right")) - 1
        end = min(max(end, begin + 1), count)
        yield sampled_spans(primitives, begin, end, window, positions)
        begin = end


@rule(
    "RASTER-CONSERVATIVE-4",
    "Of a pixel that a conservative triangle touches all samples are covered; each keeps its place for depth.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("sample-vectors",),
)
def touched_samples(positions: Int64) -> Int64:
    """Return where samples are for what conservative triangles cover: all in the middle, as the pixel itself is."""
    return centres(positions.shape[2])


def coverage_of(spans: Spans, lanes: Lanes) -> Covered:
    """Return which samples of the pixels of spans are covered, shape (samples, lanes)."""
    assert spans.reach is not None
    left, right = spans.reach
    lengths = spans.right - spans.left
    if left.shape[1] == 1:
        begin, end = (np.repeat(np.ascontiguousarray(one[:, 0].T), lengths, axis=1) for one in (left, right))
    else:
        span, phase = np.repeat(np.arange(len(spans.row)), lengths), lanes.column % left.shape[1]
        begin, end = left[span, phase].T, right[span, phase].T
    covered: Covered = (lanes.column >= begin) & (lanes.column < end)
    return covered


def reach_of(spans: Spans, kept: NDArray[np.bool_]) -> tuple[Int64, Int64] | None:
    """Return first column and the column after the last of each sample, shape (spans, samples).

    Samples that are not ``kept`` reach nowhere. None where positions differ from column to column.
    """
    assert spans.reach is not None
    left, right = spans.reach
    if left.shape[1] > 1:
        return None
    begin = left[:, 0]
    return begin, np.where(kept, np.maximum(right[:, 0], begin), begin)


def offsets_of(positions: Int64, lanes: Lanes) -> Int64:
    """Return the sample positions of pixels in 1/16 pixel, shape (2, samples, lanes)."""
    down, across = positions.shape[:2]
    found: Int64 = np.moveaxis(positions[lanes.row % down, lanes.column % across], 0, -1)
    return np.moveaxis(found, 1, 0)


@rule(
    "RASTER-CENTROID-1",
    "A centroid input is evaluated at the pixel's centre where all samples are covered and in the sample mask, else "
    "at the one of the lowest number that is.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
)
def centroid_offsets(covered: Covered, offsets: Int64) -> Int64:
    """Return where centroid inputs are evaluated, in 1/16 pixel, shape (2, lanes).

    Parameters
    ----------
    covered : bool, shape (samples, lanes)
        Pixels without a covered sample are evaluated at the centre.
    offsets : int64, shape (2, samples, lanes)
        From :func:`offsets_of`.
    """
    first = np.argmax(covered, axis=0)
    partly = covered.any(axis=0) & ~covered.all(axis=0)
    at_first = np.take_along_axis(offsets, first[np.newaxis, np.newaxis], axis=1)[:, 0]
    return np.where(partly, at_first, np.int64(CENTRE[0]))
