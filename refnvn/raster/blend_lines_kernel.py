"""The loops that blend lines of codes, compiled: one channel of a block of pixels in each line.

No rule is written here and no state is: what a blend does comes as numbers (``blend_plan.py``), and the roundings are
the rules' own functions, compiled. Every loop is short, goes straight ahead and is done for many pixels at once.
Importing this module imports numba. Read next: ``blend_kernel.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats import norm
from refnvn.kernel import compiled, rule_compiled
from refnvn.raster import blend_norm
from refnvn.raster.blend_plan import DESTINATION, RESULT, SATURATED, SOURCE

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


unsigned_source_line_kernel = compiled(_unsigned_source_line)
signed_source_line_kernel = compiled(_signed_source_line)
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


blend_bytes_kernel = compiled(_blend_bytes)


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


blend_words_kernel = compiled(_blend_words)
