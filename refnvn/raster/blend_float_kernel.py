"""The loops that blend float and sRGB targets, compiled: line by line, by the rules' own functions.

Importing this module imports numba. Read next: ``blend_float.py``, whose rules these are; ``merge_batch.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.kernel import borrowing
from refnvn.raster.blend_float_plan import CONSTANT, ONE_MINUS, SATURATED, FloatPlan
from refnvn.raster.blend_float_sources_kernel import STEPS, copy_kernel, float_sources_kernel, half_bits_kernel
from refnvn.raster.blend_kernel import living_kernel, load_kernel, save_kernel, texels_of
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget

_BLOCK = 256
_HALF_CODES = 0xFFFF
_FLOAT_NAN = np.uint32(0x7FFFFFFF)
_operation, _one_minus, _greater = STEPS["_operation"], STEPS["one_minus"], STEPS["_greater"]
_flushed = STEPS["flushed"]


def _read_line(out: Any, words: Any, shift: Any, mask: Any, table: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = table[(words[j] >> shift) & mask]


def _read_float32_line(out: Any, words: Any, precision: Any) -> None:
    values = words.view(np.float32)
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = _flushed(np.float64(values[j]), precision)


def _one_minus_line(out: Any, line: Any, precision: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = _one_minus(line[j], precision)


def _sum_line(
    out: Any, source: Any, sign: Any, first: Any, destination: Any, other_sign: Any, second: Any, precision: Any
) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        one = -source[j] if sign < 0 else source[j]  # a product would leave the sign of NaN, which a zero takes
        other = -destination[j] if other_sign < 0 else destination[j]
        out[j] = _operation(one, first[j], other, second[j], precision)


def _greater_line(out: Any, source: Any, destination: Any, sign: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = sign * _greater(sign * source[j], sign * destination[j])


def _store_line(words: Any, line: Any, shift: Any, keep: Any, table: Any) -> None:
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        words[j] = (words[j] & keep) | (table[half_bits_kernel(line[j])] << shift)


def _store_float32_line(words: Any, line: Any) -> None:
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        words[j] = _FLOAT_NAN if line[j] != line[j] else np.float32(line[j]).view(np.uint32)


_read_line_kernel = borrowing(_read_line)
_read_float32_line_kernel = borrowing(_read_float32_line)
_one_minus_line_kernel = borrowing(_one_minus_line)
_sum_line_kernel = borrowing(_sum_line)
_greater_line_kernel = borrowing(_greater_line)
_store_line_kernel = borrowing(_store_line)
_store_float32_line_kernel = borrowing(_store_float32_line)


def _factor_line(out: Any, kind: Any, operand: Any, constant: Any, lines: Any, count: int, precision: Any) -> None:
    if kind == SATURATED:
        _one_minus_line_kernel(out, lines[7, :count], precision)
        for i in range(count):
            out[i] = np.fmin(lines[3, i], out[i])
    elif kind == CONSTANT or operand < 0:
        out[:] = _one_minus(constant, precision) if kind == ONE_MINUS else constant
    elif kind == ONE_MINUS:
        _one_minus_line_kernel(out, lines[operand, :count], precision)
    else:
        copy_kernel(out, lines[operand, :count])


_factor_line_kernel = borrowing(_factor_line)


def _blend_block(words: Any, count: int, lines: Any, places: Any, read: Any, stored: Any, how: Any) -> None:
    equations, kinds, operands, constants, precision = how
    first, second = lines[12, :count], lines[13, :count]
    for k in range(len(places)):
        line, word = lines[4 + places[k, 0], :count], words[places[k, 1], :count]
        if places[k, 4] < 0:
            _read_float32_line_kernel(line, word, precision)
        else:
            _read_line_kernel(line, word, np.uint32(places[k, 2]), np.uint32(places[k, 3]), read[places[k, 4] :])
    for channel in range(4):
        source, destination = lines[channel, :count], lines[4 + channel, :count]
        out, sign, other_sign = lines[14 + channel, :count], equations[channel, 0], equations[channel, 1]
        if sign == 0:
            _greater_line_kernel(out, source, destination, other_sign)
            continue
        _factor_line_kernel(
            first, kinds[channel, 0], operands[channel, 0], constants[channel, 0], lines, count, precision
        )
        _factor_line_kernel(
            second, kinds[channel, 1], operands[channel, 1], constants[channel, 1], lines, count, precision
        )
        _sum_line_kernel(out, source, sign, first, destination, other_sign, second, precision)
    for k in range(len(places)):
        line, word = lines[14 + places[k, 0], :count], words[places[k, 1], :count]
        if places[k, 4] < 0:
            _store_float32_line_kernel(word, line)
        else:
            shift = np.uint32(places[k, 2])
            keep = np.uint32(~(np.uint32(places[k, 3]) << shift))
            _store_line_kernel(word, line, shift, keep, stored[places[k, 5] :])


_blend_block_kernel = borrowing(_blend_block)


def _has_nan(line: Any, alive: Any, all_alive: bool) -> Any:
    """Say whether a fragment that is alive has come to NaN."""
    found = False
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        found = found or (line[j] != line[j] and (all_alive or alive[j] != 0))
    return found


_has_nan_kernel = borrowing(_has_nan)


def _blend_spans(
    texels: Any, written: Any, source: Any, second: Any, reads_second: bool, alive: Any, all_alive: bool,
    places: Any, read: Any, stored: Any, sources: Any, how: Any, row: Any, column: Any, end: Any, start: Any,
    words: Any, lines: Any, leaves: bool, left: Any, living: Any,
) -> Any:  # fmt: skip
    """Blend, and say whether NaN was stored in fewer bits than a half."""
    stored_nan = False
    for k in range(row.size):
        for first in range(column[k], end[k], _BLOCK):
            last = min(first + _BLOCK, end[k])
            count, begin = last - first, start[k] + first - column[k]
            line = texels[row[k], first:last]
            load_kernel(words, line)
            float_sources_kernel(lines[:4], source, begin, count, sources, how[4])
            if reads_second:
                float_sources_kernel(lines[8:12], second, begin, count, sources, how[4])
            lines[4:7, :] = 0.0
            lines[7, :] = 1.0
            _blend_block_kernel(words, count, lines, places, read, stored, how)
            for place in range(len(places)):
                if 0 < places[place, 3] < _HALF_CODES:
                    result = lines[14 + places[place, 0], :count]
                    stored_nan = stored_nan or _has_nan_kernel(result, alive[begin:], all_alive)
            if leaves:
                living_kernel(living[:count], lines, left, alive[begin:], all_alive)
                save_kernel(line, words, written, living, False)
            else:
                save_kernel(line, words, written, alive[begin:], all_alive)
    return stored_nan


blend_floats_kernel: Any = borrowing(_blend_spans)
_NO_LANES = np.zeros(0, dtype=np.uint8)


def blend_floats(
    plan: FloatPlan,
    target: ColorTarget,
    mask: int,
    source: NDArray[Any],
    second: NDArray[Any] | None,
    spans: Spans,
    alive: NDArray[np.bool_] | None,
) -> bool:
    """Blend fragments with a target, in order, and return whether NaN was stored in fewer bits than a half.

    Parameters
    ----------
    source, second : float32, or float64 numbers where the plan's sources are ``GIVEN``, shape (4, lanes)
        None where there is no second source.

    Everything else is as for :func:`refnvn.raster.blend_kernel.blend_spans`.
    """
    texels, written = texels_of(target, mask)
    how = (plan.equations, plan.kinds, plan.operands, plan.constants, plan.precision)
    table, colors, channels, one = plan.left
    stored_nan = blend_floats_kernel(
        texels, written, source, source if second is None else second, second is not None,
        _NO_LANES if alive is None else alive.view(np.uint8), alive is None, plan.places, plan.read, plan.stored,
        (plan.source, plan.to_nearest, plan.sources), how, spans.row, spans.left, spans.right, spans.start,
        np.empty((len(written), _BLOCK), np.uint32), np.zeros((18, _BLOCK)), bool(table.any()),
        (table, colors, channels, float(one)), np.empty(_BLOCK, np.uint8),
    )  # fmt: skip
    return bool(stored_nan)
