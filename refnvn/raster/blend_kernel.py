"""The loops that blend normalised targets, compiled: a span of pixels at a time, a block of it line by line.

No rule is written here and no state is: what a blend does comes as numbers (``blend_plan.py``), and the roundings are
the rules' own functions, compiled. A line holds one channel of a block of pixels, so that every loop is short, goes
straight ahead and is done for many pixels at once. Importing this module imports numba.

Read next: ``batch.py``, which chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats import norm
from refnvn.formats.floatbits import Int64, UInt32
from refnvn.kernel import compiled, rule_compiled
from refnvn.raster import blend_norm
from refnvn.raster.blend_plan import DESTINATION, LINES, RESULT, SATURATED, SOURCE, SOURCE1, NormPlan
from refnvn.raster.interpolate import Inputs
from refnvn.raster.lane_kernel import plane_arrays, span_values_kernel, words_of
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget, channel_bits

BLOCK = 512
"""So many pixels at a time: their lines stay in the nearest cache."""
_WORDS = {1: "<u1", 2: "<u2", 4: "<u4", 8: "<u4", 16: "<u4"}

_half_down = rule_compiled(norm.cut_then_half_down)
_nearest_whole = rule_compiled(blend_norm.nearest_whole)


def _unsigned_source_line(
    out: Any, values: Any, unit: Any, scale: Any, largest: Any, below_half: Any, fraction: Any
) -> None:
    zero = unit - unit
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        value = values[j] if values[j] > zero else zero  # noqa: FURB136 - NaN must become 0
        out[j] = _half_down(min(unit, value), scale, largest, below_half, fraction)


def _signed_source_line(
    out: Any, values: Any, unit: Any, scale: Any, largest: Any, below_half: Any, fraction: Any
) -> None:
    zero = unit - unit
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        size = abs(values[j])
        size = size if size < unit else unit  # noqa: FURB136 - as below
        size = size if values[j] == values[j] else zero  # NaN becomes 0
        code = _half_down(size, scale, largest, below_half, fraction)
        out[j] = -code if values[j] < zero else code


def _codes_line(out: Any, words: Any, shift: Any, mask: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = np.int32((words[j] >> shift) & mask)


def _byte_lines(one: Any, two: Any, three: Any, four: Any, words: Any, shifts: Any) -> None:
    first, second, third, fourth = shifts[0], shifts[1], shifts[2], shifts[3]
    byte = np.uint32(255)
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        word = words[j]
        one[j] = np.int32((word >> first) & byte)
        two[j] = np.int32((word >> second) & byte)
        three[j] = np.int32((word >> third) & byte)
        four[j] = np.int32((word >> fourth) & byte)


def _signed_line(out: Any, words: Any, shift: Any, mask: Any, low: Any) -> None:
    wraps = np.int32(mask) + np.int32(1)
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        code = np.int32((words[j] >> shift) & mask)
        out[j] = max(code - wraps if code + code >= wraps else code, np.int32(low))


def _table_line(out: Any, words: Any, shift: Any, mask: Any, table: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = table[(words[j] >> shift) & mask]


def _saturated_line(out: Any, source_alpha: Any, destination_alpha: Any, one: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        left = one - destination_alpha[j]
        out[j] = source_alpha[j] if source_alpha[j] < left else left  # noqa: FURB136 - no NaN is among codes


def _sum_line(
    out: Any, source: Any, destination: Any, first: Any, second: Any, numbers: Any, low: Any, one: Any,
    reciprocal: Any, half: Any,
) -> None:  # fmt: skip
    least, greatest = low * one, one * one
    source_offset, source_gain, offset, gain = numbers[0], numbers[1], numbers[2], numbers[3]
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        total = source[j] * (source_offset + source_gain * first[j])
        total = total + destination[j] * (offset + gain * second[j])
        total = max(least, total)
        total = min(greatest, total)
        out[j] = _nearest_whole(total, reciprocal, half)


def _sum_of_byte(word: Any, shift: Any, source: Any, first: Any, second: Any, numbers: Any, how: Any) -> Any:
    least, greatest, reciprocal, half = how
    destination = np.float32(np.int32((word >> shift) & np.uint32(255)))
    total = source * (numbers[0] + numbers[1] * first) + destination * (numbers[2] + numbers[3] * second)
    total = min(greatest, max(least, total))
    return np.uint32(np.int32(_nearest_whole(total, reciprocal, half))) << shift


_sum_of_byte_kernel = compiled(_sum_of_byte)


def _first_bytes(
    out: Any, words: Any, shift: Any, other_shift: Any, source: Any, other: Any, first: Any, second: Any,
    other_first: Any, other_second: Any, numbers: Any, others: Any, how: Any,
) -> None:  # fmt: skip
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        word = words[j]
        one = _sum_of_byte_kernel(word, shift, source[j], first[j], second[j], numbers, how)
        two = _sum_of_byte_kernel(word, other_shift, other[j], other_first[j], other_second[j], others, how)
        out[j] = one | two


def _last_bytes(
    words: Any, before: Any, written: Any, shift: Any, other_shift: Any, source: Any, other: Any, first: Any,
    second: Any, other_first: Any, other_second: Any, numbers: Any, others: Any, how: Any,
) -> None:  # fmt: skip
    keep = np.uint32(~written)
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        word = words[j]
        one = _sum_of_byte_kernel(word, shift, source[j], first[j], second[j], numbers, how)
        two = _sum_of_byte_kernel(word, other_shift, other[j], other_first[j], other_second[j], others, how)
        words[j] = (word & keep) | ((before[j] | one | two) & written)


def _lesser_line(out: Any, source: Any, destination: Any, sign: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = source[j] if sign * source[j] < sign * destination[j] else destination[j]


def _store_line(words: Any, line: Any, shift: Any, mask: Any) -> None:
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        code = np.uint32(np.int32(line[j])) & mask
        words[j] = words[j] | (code << shift)


def _store_table_line(words: Any, line: Any, shift: Any, table: Any) -> None:
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        words[j] = words[j] | (table[np.uint32(np.int32(line[j]))] << shift)


def _store_bytes_line(words: Any, written: Any, one: Any, two: Any, three: Any, four: Any, shifts: Any) -> None:
    first, second, third, fourth = shifts[0], shifts[1], shifts[2], shifts[3]
    keep = np.uint32(~written)
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        low = (np.uint32(np.int32(one[j])) << first) | (np.uint32(np.int32(two[j])) << second)
        high = (np.uint32(np.int32(three[j])) << third) | (np.uint32(np.int32(four[j])) << fourth)
        words[j] = (words[j] & keep) | ((low | high) & written)


_unsigned_source_line_kernel = compiled(_unsigned_source_line)
_signed_source_line_kernel = compiled(_signed_source_line)
_codes_line_kernel = compiled(_codes_line)
_byte_lines_kernel = compiled(_byte_lines)
_signed_line_kernel = compiled(_signed_line)
_table_line_kernel = compiled(_table_line)
_saturated_line_kernel = compiled(_saturated_line)
_sum_line_kernel = compiled(_sum_line)
_lesser_line_kernel = compiled(_lesser_line)
_store_line_kernel = compiled(_store_line)
_first_bytes_kernel = compiled(_first_bytes)
_last_bytes_kernel = compiled(_last_bytes)
_store_table_line_kernel = compiled(_store_table_line)
_store_bytes_line_kernel = compiled(_store_bytes_line)


def _combine(lines: Any, begin: Any, end: Any, how: Any) -> None:
    equations, operands, numbers, saturates, low, one, reciprocal, half, _ = how
    if saturates:
        _saturated_line_kernel(
            lines[SATURATED, begin:end], lines[SOURCE + 3, begin:end], lines[DESTINATION + 3, begin:end], one
        )
    for channel in range(4):
        out = lines[RESULT + channel, begin:end]
        source, destination = lines[SOURCE + channel, begin:end], lines[DESTINATION + channel, begin:end]
        first, second = lines[operands[channel, 0], begin:end], lines[operands[channel, 1], begin:end]
        if equations[channel, 0] == 0:
            _lesser_line_kernel(out, source, destination, equations[channel, 1])
        else:
            _sum_line_kernel(out, source, destination, first, second, numbers[channel], low, one, reciprocal, half)


_combine_kernel = compiled(_combine)


def _sum_bytes(words: Any, written: Any, shifts: Any, lines: Any, begin: Any, between: Any, how: Any) -> None:
    """Blend by sums alone, two channels at a time, which needs lines neither for what is stored nor for results."""
    operands, numbers, low, one, reciprocal, half = how[1], how[2], how[4], how[5], how[6], how[7]
    end, sums = begin + words.size, (low * one, one * one, reciprocal, half)
    _first_bytes_kernel(
        between[: words.size], words, shifts[0], shifts[1], lines[SOURCE, begin:end], lines[SOURCE + 1, begin:end],
        lines[operands[0, 0], begin:end], lines[operands[0, 1], begin:end],
        lines[operands[1, 0], begin:end], lines[operands[1, 1], begin:end],
        (numbers[0, 0], numbers[0, 1], numbers[0, 2], numbers[0, 3]),
        (numbers[1, 0], numbers[1, 1], numbers[1, 2], numbers[1, 3]), sums,
    )  # fmt: skip
    _last_bytes_kernel(
        words, between[: words.size], written, shifts[2], shifts[3],
        lines[SOURCE + 2, begin:end], lines[SOURCE + 3, begin:end],
        lines[operands[2, 0], begin:end], lines[operands[2, 1], begin:end],
        lines[operands[3, 0], begin:end], lines[operands[3, 1], begin:end],
        (numbers[2, 0], numbers[2, 1], numbers[2, 2], numbers[2, 3]),
        (numbers[3, 0], numbers[3, 1], numbers[3, 2], numbers[3, 3]), sums,
    )  # fmt: skip


_sum_bytes_kernel = compiled(_sum_bytes)


def _blend_bytes(words: Any, written: Any, shifts: Any, lines: Any, begin: Any, between: Any, how: Any) -> None:
    if how[8]:
        _sum_bytes_kernel(words, written, shifts, lines, begin, between, how)
        return
    end = begin + words.size
    d, r = DESTINATION, RESULT
    _byte_lines_kernel(
        lines[d, begin:end], lines[d + 1, begin:end], lines[d + 2, begin:end], lines[d + 3, begin:end], words, shifts
    )
    _combine_kernel(lines, begin, end, how)
    _store_bytes_line_kernel(
        words,
        written,
        lines[r, begin:end],
        lines[r + 1, begin:end],
        lines[r + 2, begin:end],
        lines[r + 3, begin:end],
        shifts,
    )


_blend_bytes_kernel = compiled(_blend_bytes)


def _blend_words(
    words: Any, count: Any, places: Any, read: Any, stored: Any, signed: bool, lines: Any, how: Any
) -> None:
    """Blend texels of which each 32-bit word is a line; the new words have no other bits than components."""
    low = how[4]
    for k in range(len(places)):
        line, from_ = lines[DESTINATION + places[k, 0], :count], words[places[k, 1], :count]
        shift, mask = np.uint32(places[k, 2]), np.uint32(places[k, 3])
        if places[k, 5]:
            _table_line_kernel(line, from_, shift, mask, read[places[k, 4] : places[k, 4] + places[k, 5]])
        elif signed:
            _signed_line_kernel(line, from_, shift, mask, low)
        else:
            _codes_line_kernel(line, from_, shift, mask)
    _combine_kernel(lines, 0, count, how)
    words[:, :count] = np.uint32(0)
    for k in range(len(places)):
        line, to = lines[RESULT + places[k, 0], :count], words[places[k, 1], :count]
        shift, mask = np.uint32(places[k, 2]), np.uint32(places[k, 3])
        if places[k, 7]:
            _store_table_line_kernel(to, line, shift, stored[places[k, 6] : places[k, 6] + places[k, 7]])
        else:
            _store_line_kernel(to, line, shift, mask)


_blend_words_kernel = compiled(_blend_words)


def _sources(lines: Any, first: Any, values: Any, begin: Any, count: Any, convert: Any) -> None:
    converts, signed, unit, scale, largest, below_half, fraction = convert
    for channel in range(4):
        out, line = lines[first + channel, :count], values[channel, begin : begin + count]
        if converts and signed:
            _signed_source_line_kernel(out, line, unit, scale, largest, below_half, fraction)
        elif converts:
            _unsigned_source_line_kernel(out, line, unit, scale, largest, below_half, fraction)
        else:
            out[:] = line


_sources_kernel = compiled(_sources)


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


_load_kernel = compiled(_load)
_save_kernel = compiled(_save)


def _lines_for(missing: Any, how: Any) -> Any:
    one = how[5]
    lines = np.zeros((LINES, BLOCK), dtype=how[2].dtype)
    for channel in missing:
        lines[DESTINATION + channel, :] = one if channel == 3 else one - one
    return lines


_lines_for_kernel = compiled(_lines_for)


def _blend_spans(
    texels: Any, written: Any, values: Any, second: Any, reads_second: bool, alive: Any, all_alive: bool,
    missing: Any, places: Any, read: Any, stored: Any, signed: bool, how: Any, convert: Any,
    row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    lines = _lines_for_kernel(missing, how)
    words = np.empty((len(written), BLOCK), dtype=np.uint32)
    for k in range(row.size):
        for first in range(left[k], right[k], BLOCK):
            last = min(first + BLOCK, right[k])
            count, begin = last - first, start[k] + first - left[k]
            _sources_kernel(lines, SOURCE, values, begin, count, convert)
            if reads_second:
                _sources_kernel(lines, SOURCE1, second, begin, count, convert)
            line = texels[row[k], first:last]
            _load_kernel(words, line)
            _blend_words_kernel(words, count, places, read, stored, signed, lines, how)
            _save_kernel(line, words, written, alive[begin : begin + count], all_alive)


def _blend_byte_spans(
    texels: Any, written: Any, values: Any, second: Any, reads_second: bool, alive: Any, all_alive: bool,
    shifts: Any, how: Any, convert: Any, row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    lines = np.empty((LINES, BLOCK), dtype=how[2].dtype)
    words, between = np.empty((1, BLOCK), dtype=np.uint32), np.empty(BLOCK, dtype=np.uint32)
    for k in range(row.size):
        for first in range(left[k], right[k], BLOCK):
            last = min(first + BLOCK, right[k])
            count, begin = last - first, start[k] + first - left[k]
            _sources_kernel(lines, SOURCE, values, begin, count, convert)
            if reads_second:
                _sources_kernel(lines, SOURCE1, second, begin, count, convert)
            line = texels[row[k], first:last]
            _load_kernel(words, line)
            _blend_bytes_kernel(words[0, :count], written[0], shifts, lines, 0, between, how)
            _save_kernel(line, words, written, alive[begin : begin + count], all_alive)


def _fill_blended(
    samples: Any, written: Any, shifts: Any, lines_how: Any, convert: Any, rows: Any, how: Any, flat: Any,
    a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any, wa: Any, wb: Any, wc: Any,
    primitive: Any, row: Any, left: Any, right: Any, begin: Any, end: Any,
) -> None:  # fmt: skip
    reciprocal = np.empty(BLOCK, dtype=np.float64)
    values = np.empty((how.size, BLOCK), dtype=np.float32)
    lines, between = np.empty((LINES, BLOCK), dtype=np.float32), np.empty(BLOCK, dtype=np.uint32)
    _, _, unit, scale, largest, below_half, fraction = convert
    for k in range(row.size):
        for first in range(left[k], right[k], BLOCK):
            last = min(first + BLOCK, right[k])
            span_values_kernel(
                values, 0, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
                primitive[k], row[k], first, last, reciprocal,
            )  # fmt: skip
            for channel in range(4):
                out, line = lines[SOURCE + channel, : last - first], values[rows[channel], : last - first]
                _unsigned_source_line_kernel(out, line, unit, scale, largest, below_half, fraction)
            for sample in range(len(samples)):
                lower, upper = max(first, begin[k, sample]), min(last, end[k, sample])
                if lower < upper:
                    words = samples[sample][row[k], lower:upper]
                    _blend_bytes_kernel(words, written, shifts, lines, lower - first, between, lines_how)


blend_spans_kernel: Any = compiled(_blend_spans)
blend_byte_spans_kernel: Any = compiled(_blend_byte_spans)
fill_blended_kernel: Any = compiled(_fill_blended)

_NO_LANES = np.zeros(0, dtype=np.bool_)


def _how(plan: NormPlan) -> tuple[Any, ...]:
    """Return what the loops need to combine lines."""
    kind = plan.dtype.type
    return (
        plan.equations, plan.lines, plan.numbers, plan.saturates, plan.low, plan.one, kind(1 / float(plan.one)),
        kind(0.5), plan.only_sums_of_sources,
    )  # fmt: skip


def _convert(plan: NormPlan) -> tuple[Any, ...]:
    """Return what the loops need to make codes of sources."""
    return plan.converts, plan.signed, plan.dtype.type(1), *plan.convert


def _shifts(plan: NormPlan) -> UInt32:
    shifts = np.zeros(4, dtype=np.uint32)
    shifts[plan.places[:, 0]] = plan.places[:, 2]
    return shifts


def takes(target: ColorTarget) -> bool:
    """Say whether the texels of a target are words that the loops can read."""
    return target.codes.shape[2] in _WORDS and target.codes.strides[2] == 1


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
        One that :func:`takes` says yes to.
    mask : int
        Channels that are written.
    source, second : float32, or codes in the plan's type where it does not convert, shape (4, lanes)
        None where there is no second source.
    spans : Spans
    alive : bool, shape (lanes,), or None
        Which fragments are stored; None for all.
    """
    size_B = target.codes.shape[2]
    texels = target.codes.view(_WORDS[size_B])
    written = np.zeros(4, dtype=np.uint8) if size_B < 4 else np.zeros(size_B, dtype=np.uint8)
    written[:size_B] = channel_bits(target.fmt, mask)
    others = (
        texels[..., 0] if size_B <= 4 else texels, written.view("<u4"), source, source if second is None else second,
        plan.reads_source1, _NO_LANES if alive is None else alive, alive is None,
    )  # fmt: skip
    where = (spans.row, spans.left, spans.right, spans.start)
    if plan.bytes:
        blend_byte_spans_kernel(*others, _shifts(plan), _how(plan), _convert(plan), *where)
    else:
        tables = (plan.missing, plan.places, plan.read, plan.stored, plan.signed)
        blend_spans_kernel(*others, *tables, _how(plan), _convert(plan), *where)


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
        words, words_of(targets[0], mask)[1], _shifts(plan), _how(plan), _convert(plan), np.array(rows),
        *plane_arrays(inputs), *where, *reach,
    )  # fmt: skip
