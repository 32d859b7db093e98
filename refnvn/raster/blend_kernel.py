"""The loops that blend normalised targets, compiled: a span of pixels at a time, a block of it line by line.

Importing this module imports numba. Read next: ``blend_lines_kernel.py``; ``merge_batch.py``, which chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64, UInt32
from refnvn.kernel import borrowing
from refnvn.raster.blend_lines_kernel import (
    blend_bytes_kernel,
    blend_words_kernel,
    signed_source_line_kernel,
    unsigned_source_line_kernel,
    unsigned_sources_kernel,
)
from refnvn.raster.blend_plan import DESTINATION, LINES, SOURCE, SOURCE1, NormPlan
from refnvn.raster.inputs import Inputs
from refnvn.raster.span_kernel import BLOCK, plane_arrays, run_values_kernel, scratch_of
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget, channel_bits
from refnvn.raster.unorm8_kernel import words_of

_WORDS = {1: "<u1", 2: "<u2", 4: "<u4", 8: "<u4", 16: "<u4"}


def _copy(to: Any, words: Any) -> None:
    for i in range(np.int32(len(to))):
        to[np.uint32(i)] = words[np.uint32(i)]


copy_kernel: Any = borrowing(_copy)


def _sources(lines: Any, first: Any, values: Any, begin: Any, count: Any, convert: Any) -> None:
    converts, signed, how = convert
    for channel in range(4):
        out, line = lines[first + channel, :count], values[channel, begin : begin + count]
        if converts and signed:
            signed_source_line_kernel(out, line, how)
        elif converts:
            unsigned_source_line_kernel(out, line, how)
        else:
            copy_kernel(out, line)


_sources_kernel = borrowing(_sources)


def _load(words: Any, line: Any) -> None:
    for i in range(np.int32(len(line))):
        if line.ndim == 1:
            words[0, i] = line[i]
        else:
            for word in range(line.shape[1]):
                words[word, i] = line[i, word]


def _save(line: Any, words: Any, written: Any, alive: Any, all_alive: bool) -> None:
    for i in range(np.int32(len(line))):
        if not (all_alive or alive[i]):
            continue
        if line.ndim == 1:
            line[i] = (line[i] & ~written[0]) | (words[0, i] & written[0])
        else:
            for word in range(line.shape[1]):
                line[i, word] = (line[i, word] & ~written[word]) | (words[word, i] & written[word])


def _living(out: Any, lines: Any, left: Any, alive: Any, all_alive: bool) -> None:
    """Say which fragments are stored: those that are alive and not left alone for what their sources are."""
    table, colors, channels, one = left
    for i in range(np.int32(out.size)):
        out[np.uint32(i)] = np.uint8(7)
    for channel in colors:
        line = lines[SOURCE + channel]
        for i in range(np.int32(out.size)):
            j = np.uint32(i)
            kinds = np.uint8(4) | np.uint8(line[j] == 0) | (np.uint8(line[j] == one) << np.uint8(1))
            out[j] = np.uint8(out[j] & kinds)
    for channel in channels:
        line = lines[SOURCE + channel]
        for i in range(np.int32(out.size)):
            j = np.uint32(i)
            out[j] = np.uint8(out[j] & (np.uint8(3) | (np.uint8(np.isfinite(line[j])) << np.uint8(2))))
    line = lines[SOURCE + 3]
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        color = 0 if out[j] & np.uint8(1) else 1 if out[j] & np.uint8(2) else 2
        alpha = 0 if line[j] == 0 else 1 if line[j] == one else 2
        is_left = out[j] >= np.uint8(4) and table[color, alpha]
        out[j] = np.uint8(not is_left and (all_alive or alive[j]))


living_kernel = borrowing(_living)
load_kernel = borrowing(_load)
save_kernel = borrowing(_save)


def _blend_spans(
    texels: Any, written: Any, values: Any, second: Any, reads_second: bool, alive: Any, all_alive: bool,
    places: Any, read: Any, stored: Any, signed: bool, how: Any, convert: Any,
    row: Any, column: Any, end: Any, start: Any, lines: Any, words: Any, leaves: bool, left: Any, living: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        for first in range(column[k], end[k], BLOCK):
            last = min(first + BLOCK, end[k])
            count, begin = last - first, start[k] + first - column[k]
            _sources_kernel(lines, SOURCE, values, begin, count, convert)
            if reads_second:
                _sources_kernel(lines, SOURCE1, second, begin, count, convert)
            line = texels[row[k], first:last]
            load_kernel(words, line)
            blend_words_kernel(words, count, places, read, stored, signed, lines, how)
            if leaves:
                living_kernel(living[:count], lines, left, alive[begin:], all_alive)
                save_kernel(line, words, written, living, False)
            else:
                save_kernel(line, words, written, alive[begin:], all_alive)


def _blend_byte_spans(
    texels: Any, written: Any, values: Any, second: Any, reads_second: bool, alive: Any, all_alive: bool,
    channels: Any, how: Any, convert: Any, row: Any, column: Any, end: Any, start: Any, lines: Any, words: Any,
    leaves: bool, left: Any, living: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        for first in range(column[k], end[k], BLOCK):
            last = min(first + BLOCK, end[k])
            count, begin = last - first, start[k] + first - column[k]
            _sources_kernel(lines, SOURCE, values, begin, count, convert)
            if reads_second:
                _sources_kernel(lines, SOURCE1, second, begin, count, convert)
            line = texels[row[k], first:last]
            load_kernel(words, line)
            blend_bytes_kernel(words[0, :count], written[0], channels, lines, 0, how)
            if leaves:
                living_kernel(living[:count], lines, left, alive[begin:], all_alive)
                save_kernel(line, words, written, living, False)
            else:
                save_kernel(line, words, written, alive[begin:], all_alive)


def _fill_blended(
    samples: Any, written: Any, channels: Any, lines_how: Any, convert: Any, rows: Any, how: Any, flat: Any,
    a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any, wa: Any, wb: Any, wc: Any,
    primitive: Any, row: Any, left: Any, right: Any, begin: Any, end: Any,
    values: Any, same: Any, reciprocal: Any, ramp: Any, lines: Any, stored: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        for first in range(left[k], right[k], BLOCK):
            last = min(first + BLOCK, right[k])
            run_values_kernel(
                values, 0, same, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
                primitive[k], row[k], first, last, reciprocal, ramp,
            )  # fmt: skip
            unsigned_sources_kernel(lines, last - first, values, same, rows, convert[2])
            for sample in range(len(samples)):
                lower, upper = max(first, begin[k, sample]), min(last, end[k, sample])
                if lower < upper:
                    words = samples[sample][row[k], lower:upper]
                    if len(samples) == 1:
                        blend_bytes_kernel(words, written, channels, lines, lower - first, lines_how)
                    else:  # samples stand apart in memory, where loops would go one by one
                        part = stored[: upper - lower]
                        copy_kernel(part, words)
                        blend_bytes_kernel(part, written, channels, lines, lower - first, lines_how)
                        copy_kernel(words, part)


blend_spans_kernel: Any = borrowing(_blend_spans)
blend_byte_spans_kernel: Any = borrowing(_blend_byte_spans)
fill_blended_kernel: Any = borrowing(_fill_blended)

_NO_LANES = np.zeros(0, dtype=np.uint8)


def how_of(plan: NormPlan) -> tuple[Any, ...]:
    """Return what the loops need to combine lines."""
    kind = plan.dtype.type
    return (
        plan.equations, plan.lines, plan.numbers, plan.saturates, plan.low, plan.one, kind(1 / float(plan.one)),
        kind(0.5), plan.only_sums_of_sources,
    )  # fmt: skip


def sources_of(plan: NormPlan) -> tuple[Any, ...]:
    """Return what the loops need to make codes of sources."""
    return plan.converts, plan.signed, (plan.dtype.type(1), *plan.convert)


def channels_of(plan: NormPlan) -> NDArray[np.int64]:
    """Return which channel each byte of a texel is."""
    in_order = np.argsort(plan.places[:, 2])
    channels: NDArray[np.int64] = plan.places[in_order, 0]
    return channels


def _lines(plan: NormPlan) -> NDArray[Any]:
    """Return lines to work in, those of channels that a format lacks filled."""
    lines = np.zeros((LINES, BLOCK), dtype=plan.dtype)
    lines[DESTINATION + plan.missing] = np.where(plan.missing == 3, plan.one, 0)[:, np.newaxis]
    return lines


def texels_of(target: ColorTarget, mask: int) -> tuple[NDArray[Any], UInt32]:
    """Return the texels of a target as words, and the bits of each word that a channel mask lets be written."""
    size_B = target.codes.shape[2]
    texels = target.codes.view(_WORDS[size_B])
    written = np.zeros(max(size_B, 4), dtype=np.uint8)
    written[:size_B] = channel_bits(target.fmt, mask)
    return (texels[..., 0] if size_B <= 4 else texels), written.view(np.uint32)


def blend_spans(
    plan: NormPlan,
    target: ColorTarget,
    mask: int,
    source: NDArray[Any],
    second: NDArray[Any] | None,
    spans: Spans,
    alive: NDArray[np.bool_] | None,
) -> None:
    """Blend fragments with a target, in order.

    Parameters
    ----------
    plan : NormPlan
    target : ColorTarget
        One whose format ``plan`` was made for.
    mask : int
        Channels that are written.
    source, second : float32, or codes in the plan's type where it does not convert, shape (4, lanes)
        None where there is no second source.
    spans : Spans
    alive : bool, shape (lanes,), or None
        Which fragments are stored; None for all.
    """
    texels, written = texels_of(target, mask)
    others = (
        texels, written, source, source if second is None else second,
        plan.reads_source1, _NO_LANES if alive is None else alive.view(np.uint8), alive is None,
    )  # fmt: skip
    where = (spans.row, spans.left, spans.right, spans.start)
    table, colors, channels, one = plan.left
    left = (table, colors, channels, plan.dtype.type(one))
    scratch = (
        _lines(plan), np.empty((len(written), BLOCK), dtype=np.uint32), not plan.keeps_codes and bool(table.any()),
        left, np.empty(BLOCK, dtype=np.uint8),
    )  # fmt: skip
    if plan.bytes:
        blend_byte_spans_kernel(*others, channels_of(plan), how_of(plan), sources_of(plan), *where, *scratch)
    else:
        tables = (plan.places, plan.read, plan.stored, plan.signed)
        blend_spans_kernel(*others, *tables, how_of(plan), sources_of(plan), *where, *scratch)


def fill_blended(
    plan: NormPlan,
    targets: Sequence[ColorTarget],
    mask: int,
    inputs: Inputs,
    rows: tuple[int, ...],
    spans: Spans,
    reach: tuple[Int64, Int64],
) -> None:
    """Interpolate and blend without a stop, for shaders that copy their inputs to targets of four bytes.

    ``rows`` are those of R, G, B, A; each sample is blended from ``reach[0]`` to ``reach[1]``.
    """
    words = tuple(words_of(target, mask)[0] for target in targets)
    where = (spans.primitive, spans.row, spans.left, spans.right)
    fill_blended_kernel(
        words, words_of(targets[0], mask)[1], channels_of(plan), how_of(plan), sources_of(plan), np.array(rows),
        *plane_arrays(inputs), *where, *reach, *scratch_of(inputs), _lines(plan), np.empty(BLOCK, np.uint32),
    )  # fmt: skip
