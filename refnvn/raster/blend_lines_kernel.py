"""The loops that blend lines of codes, compiled: one channel of a block of pixels in each line.

No rule is written here and no state is: what a blend does comes as numbers (``blend_plan.py``), and the roundings are
the rules' own functions, compiled. Every loop is short, goes straight ahead and is done for many pixels at once.
Importing this module imports numba. Read next: ``blend_kernel.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats import norm
from refnvn.kernel import borrowing, compiled, rule_compiled
from refnvn.raster import blend_norm
from refnvn.raster.blend_plan import DESTINATION, RESULT, SATURATED, SOURCE
from refnvn.raster.span_kernel import spread_kernel
from refnvn.raster.unorm8_kernel import unorm_code

_half_down = rule_compiled(norm.cut_then_half_down)
_nearest_whole = rule_compiled(blend_norm.nearest_whole)


def _unsigned_source_line(out: Any, values: Any, how: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = unorm_code(values[j], how)


def _signed_source_line(out: Any, values: Any, how: Any) -> None:
    unit, scale, largest, below_half, fraction = how
    zero = unit - unit
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        size = abs(values[j])
        size = size if size < unit else unit  # noqa: FURB136 - NaN
        size = size if values[j] == values[j] else zero  # NaN becomes 0
        code = _half_down(size, scale, largest, below_half, fraction)
        out[j] = -code if values[j] < zero else code


def _codes_line(out: Any, words: Any, shift: Any, mask: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = np.int32((words[j] >> shift) & mask)


def _byte_lines(one: Any, two: Any, three: Any, four: Any, words: Any) -> None:
    byte = np.uint32(255)
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        word = words[j]
        one[j] = np.int32(word & byte)
        two[j] = np.int32((word >> np.uint32(8)) & byte)
        three[j] = np.int32((word >> np.uint32(16)) & byte)
        four[j] = np.int32(word >> np.uint32(24))


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
    shift = np.uint32(shift & np.uint32(31))  # known to be below 32, it needs no 64 bits
    destination = np.float32(np.int32(np.uint32(word >> shift) & np.uint32(255)))
    total = source * (numbers[0] + numbers[1] * first) + destination * (numbers[2] + numbers[3] * second)
    total = min(greatest, max(least, total))
    return np.uint32(np.uint32(np.int32(_nearest_whole(total, reciprocal, half))) << shift)


_sum_of_byte_kernel = compiled(_sum_of_byte)


def _two_bytes(
    words: Any, written: Any, shift: Any, source: Any, other: Any, first: Any, second: Any,
    other_first: Any, other_second: Any, numbers: Any, others: Any, how: Any,
) -> None:  # fmt: skip
    keep, other_shift = np.uint32(~written), np.uint32(shift + np.uint32(8))
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        word = words[j]
        one = _sum_of_byte_kernel(word, shift, source[j], first[j], second[j], numbers, how)
        two = _sum_of_byte_kernel(word, other_shift, other[j], other_first[j], other_second[j], others, how)
        words[j] = (word & keep) | ((one | two) & written)


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


def _store_bytes_line(words: Any, written: Any, one: Any, two: Any, three: Any, four: Any) -> None:
    keep = np.uint32(~written)
    for i in range(np.int32(words.size)):
        j = np.uint32(i)
        low = np.uint32(np.int32(one[j])) | (np.uint32(np.int32(two[j])) << np.uint32(8))
        high = (np.uint32(np.int32(three[j])) << np.uint32(16)) | (np.uint32(np.int32(four[j])) << np.uint32(24))
        words[j] = (words[j] & keep) | ((low | high) & written)


unsigned_source_line_kernel = borrowing(_unsigned_source_line)


def _unsigned_sources(lines: Any, count: Any, values: Any, same: Any, rows: Any, how: Any) -> None:
    """Fill the lines of four sources with the codes of a run of pixels; ``same`` components are converted once."""
    for channel in range(4):
        some = 1 if same[rows[channel]] else count
        line = lines[SOURCE + channel]
        unsigned_source_line_kernel(line[:some], values[rows[channel], :some], how)
        if some != count:
            spread_kernel(line[:count], line[0])


unsigned_sources_kernel = borrowing(_unsigned_sources)
signed_source_line_kernel = borrowing(_signed_source_line)
_codes_line_kernel = borrowing(_codes_line)
_byte_lines_kernel = borrowing(_byte_lines)
_signed_line_kernel = borrowing(_signed_line)
_table_line_kernel = borrowing(_table_line)
_saturated_line_kernel = borrowing(_saturated_line)
_sum_line_kernel = borrowing(_sum_line)
_lesser_line_kernel = borrowing(_lesser_line)
_store_line_kernel = borrowing(_store_line)
_two_bytes_kernel = borrowing(_two_bytes)
_store_table_line_kernel = borrowing(_store_table_line)
_store_bytes_line_kernel = borrowing(_store_bytes_line)


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


_combine_kernel = borrowing(_combine)


def _sum_bytes(words: Any, written: Any, channels: Any, lines: Any, begin: Any, how: Any) -> None:
    """Blend by sums alone, two bytes at a time, which needs lines neither for what is stored nor for results."""
    operands, numbers, low, one, reciprocal, half = how[1], how[2], how[4], how[5], how[6], how[7]
    end, sums = begin + words.size, (low * one, one * one, reciprocal, half)
    for pair in range(2):
        shift = np.uint32(16 * pair)
        c, d = channels[2 * pair], channels[2 * pair + 1]
        _two_bytes_kernel(
            words, np.uint32(written & np.uint32(0xFFFF << shift)), shift,
            lines[SOURCE + c, begin:end], lines[SOURCE + d, begin:end],
            lines[operands[c, 0], begin:end], lines[operands[c, 1], begin:end],
            lines[operands[d, 0], begin:end], lines[operands[d, 1], begin:end],
            (numbers[c, 0], numbers[c, 1], numbers[c, 2], numbers[c, 3]),
            (numbers[d, 0], numbers[d, 1], numbers[d, 2], numbers[d, 3]), sums,
        )  # fmt: skip


_sum_bytes_kernel = borrowing(_sum_bytes)


def _blend_bytes(words: Any, written: Any, channels: Any, lines: Any, begin: Any, how: Any) -> None:
    """Blend texels of four bytes; ``channels`` says which channel each byte is."""
    if how[8]:
        _sum_bytes_kernel(words, written, channels, lines, begin, how)
        return
    end = begin + words.size
    one, two, three, four = channels[0], channels[1], channels[2], channels[3]
    _byte_lines_kernel(
        lines[DESTINATION + one, begin:end], lines[DESTINATION + two, begin:end],
        lines[DESTINATION + three, begin:end], lines[DESTINATION + four, begin:end], words,
    )  # fmt: skip
    _combine_kernel(lines, begin, end, how)
    _store_bytes_line_kernel(
        words, written, lines[RESULT + one, begin:end], lines[RESULT + two, begin:end],
        lines[RESULT + three, begin:end], lines[RESULT + four, begin:end],
    )  # fmt: skip


blend_bytes_kernel = borrowing(_blend_bytes)


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


blend_words_kernel = borrowing(_blend_words)
