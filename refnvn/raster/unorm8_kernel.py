"""Stores to targets of four plain bytes, compiled: converted channel by channel, gathered in words, stored.

No rule is written here: the loops call the conversion's own function. Its constants come as arguments, as otherwise
the compiler takes the clamps apart; a channel that is the same all along a run is converted once. Importing this
module imports numba. Read next: ``span_kernel.py``; ``batch.py``, which chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats import norm
from refnvn.formats.floatbits import Int64, UInt32
from refnvn.kernel import borrowing, compiled, rule_compiled
from refnvn.raster.inputs import Inputs
from refnvn.raster.span_kernel import BLOCK, plane_arrays, run_values_kernel, scratch_of, spread_kernel
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget, channel_bits

UNORM8 = (np.float32(1), np.float32(1 << 12), np.float32(255), np.float32((1 << 11) - 1), np.float32(1 / (1 << 12)))
"""One, and what ``norm.cut_then_half_down`` takes for 8 bits."""
_ALL = np.uint32(0xFFFFFFFF)
_half_down = rule_compiled(norm.cut_then_half_down)


def _unorm(value: Any, how: Any) -> Any:
    one, scale, largest, below_half, fraction = how
    zero = one - one
    value = value if value > zero else zero  # noqa: FURB136 - NaN must become 0
    return _half_down(min(one, value), scale, largest, below_half, fraction)


unorm_code: Any = compiled(_unorm)


def _unorm8(value: Any, how: Any) -> Any:
    return np.uint32(np.int32(unorm_code(value, how)))


unorm8_code: Any = compiled(_unorm8)


def _word(one: Any, two: Any, three: Any, four: Any, how: Any) -> Any:
    low = unorm8_code(one, how) | (unorm8_code(two, how) << np.uint32(8))
    high = (unorm8_code(three, how) << np.uint32(16)) | (unorm8_code(four, how) << np.uint32(24))
    return np.uint32(low | high)


_word_kernel = compiled(_word)


def _first_channel(line: Any, values: Any, others: Any, shift: Any, how: Any) -> None:
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        line[j] = others | np.uint32(unorm8_code(values[j], how) << (shift & np.uint32(31)))


def _next_channel(line: Any, values: Any, shift: Any, how: Any) -> None:
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        line[j] = line[j] | np.uint32(unorm8_code(values[j], how) << (shift & np.uint32(31)))


_first_channel_kernel = borrowing(_first_channel)
_next_channel_kernel = borrowing(_next_channel)


def _words_line(line: Any, values: Any, same: Any, rows: Any, how: Any) -> None:
    """Fill a line of words; of components that are the same all along only the first pixel is there."""
    others = np.uint32(0)
    for byte in range(4):
        if same[rows[byte]]:
            others = np.uint32(others | (unorm8_code(values[rows[byte], 0], how) << np.uint32(8 * byte)))
    is_first = True
    for byte in range(4):
        if not same[rows[byte]]:
            channel = values[rows[byte], : line.size]
            if is_first:
                _first_channel_kernel(line, channel, others, np.uint32(8 * byte), how)
            else:
                _next_channel_kernel(line, channel, np.uint32(8 * byte), how)
            is_first = False
    if is_first:
        spread_kernel(line, others)


words_line_kernel: Any = borrowing(_words_line)


def _merge_line(line: Any, words: Any, mask: Any) -> None:
    keep = np.uint32(~mask)
    if keep == 0:
        for i in range(np.int32(line.size)):
            line[np.uint32(i)] = words[np.uint32(i)]
    else:
        for i in range(np.int32(line.size)):
            j = np.uint32(i)
            line[j] = (line[j] & keep) | (words[j] & mask)


merge_line_kernel: Any = borrowing(_merge_line)


def _fill(
    words: Any, mask: Any, rows: Any, convert: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any,
    perspective: Any, wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any,
    values: Any, same: Any, reciprocal: Any, ramp: Any, line: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        for first in range(left[k], right[k], BLOCK):
            last = min(first + BLOCK, right[k])
            run_values_kernel(
                values, 0, same, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
                primitive[k], row[k], first, last, reciprocal, ramp,
            )  # fmt: skip
            target = words[row[k], first:last]
            if mask == _ALL:
                words_line_kernel(target, values, same, rows, convert)
            else:
                words_line_kernel(line[: last - first], values, same, rows, convert)
                merge_line_kernel(target, line, mask)


def _fill_samples(
    samples: Any, mask: Any, rows: Any, convert: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any,
    perspective: Any, wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any,
    values: Any, same: Any, reciprocal: Any, ramp: Any, line: Any, begin: Any, end: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        for first in range(left[k], right[k], BLOCK):
            last = min(first + BLOCK, right[k])
            run_values_kernel(
                values, 0, same, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
                primitive[k], row[k], first, last, reciprocal, ramp,
            )  # fmt: skip
            words_line_kernel(line[: last - first], values, same, rows, convert)
            for sample in range(len(samples)):
                lower, upper = max(first, begin[k, sample]), min(last, end[k, sample])
                if lower < upper:
                    merge_line_kernel(samples[sample][row[k], lower:upper], line[lower - first :], mask)


def _store(
    words: Any, mask: Any, values: Any, rows: Any, convert: Any, alive: Any, all_alive: bool,
    row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    keep = np.uint32(~mask)
    one, two, three, four = values[rows[0]], values[rows[1]], values[rows[2]], values[rows[3]]
    for k in range(row.size):
        line = words[row[k], left[k] : right[k]]
        for i in range(start[k], start[k + 1]):
            if all_alive or alive[i]:
                word = _word_kernel(one[i], two[i], three[i], four[i], convert)
                line[i - start[k]] = (line[i - start[k]] & keep) | (word & mask)


_fill_kernel: Any = borrowing(_fill)
_fill_samples_kernel: Any = borrowing(_fill_samples)
_store_kernel: Any = borrowing(_store)
_NO_LANES = np.zeros(0, dtype=np.bool_)


def words_of(target: ColorTarget, mask: int) -> tuple[UInt32, np.uint32]:
    """Return the texels of a target as words, and the bits of them that a channel mask lets be written."""
    bits = np.uint32(int.from_bytes(channel_bits(target.fmt, mask).tobytes(), "little"))
    return target.codes.view(np.uint32)[..., 0], bits


def store_unorm8(
    target: ColorTarget,
    mask: int,
    values: UInt32,
    rows: tuple[int, ...],
    spans: Spans,
    alive: NDArray[np.bool_] | None,
) -> None:
    """Convert and store fragments to a target of four 8-bit unorm channels; ``rows`` in the order of its bytes."""
    living = _NO_LANES if alive is None else alive
    where = (spans.row, spans.left, spans.right, spans.start)
    _store_kernel(
        *words_of(target, mask), values.view(np.float32), np.array(rows), UNORM8, living, alive is None, *where
    )


def fill_unorm8(target: ColorTarget, mask: int, inputs: Inputs, rows: tuple[int, ...], spans: Spans) -> None:
    """Interpolate, convert and store without a stop: for shaders that copy their inputs, where no test is on."""
    where = (spans.primitive, spans.row, spans.left, spans.right)
    _fill_kernel(
        *words_of(target, mask), np.array(rows), UNORM8, *plane_arrays(inputs), *where, *scratch_of(inputs),
        np.empty(BLOCK, np.uint32),
    )  # fmt: skip


def fill_samples_unorm8(
    targets: Sequence[ColorTarget],
    mask: int,
    inputs: Inputs,
    rows: tuple[int, ...],
    spans: Spans,
    reach: tuple[Int64, Int64],
) -> None:
    """Fill the samples of a target: interpolated and converted once, stored from ``reach[0]`` to ``reach[1]``."""
    words = tuple(words_of(target, mask)[0] for target in targets)
    where = (spans.primitive, spans.row, spans.left, spans.right)
    _fill_samples_kernel(
        words, words_of(targets[0], mask)[1], np.array(rows), UNORM8, *plane_arrays(inputs), *where,
        *scratch_of(inputs), np.empty(BLOCK, np.uint32), *reach,
    )  # fmt: skip
