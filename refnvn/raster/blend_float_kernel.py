"""The loops that blend float and sRGB targets, compiled: pixel after pixel, by the rules' own functions.

Importing this module imports numba. Read next: ``blend_float.py``, whose rules these are; ``merge_batch.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, UInt32
from refnvn.kernel import compiled, rule_compiled
from refnvn.raster import blend_float, either
from refnvn.raster.blend_float_plan import CONSTANT, ONE_MINUS, SATURATED, FloatPlan
from refnvn.raster.blend_kernel import load_kernel, save_kernel, texels_of
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget

_BLOCK = 256
_NAN = 0x7FFF
_FLOAT_NAN = np.uint32(0x7FFFFFFF)


def _chosen(condition: Any, one: Any, other: Any) -> Any:
    return one if condition else other


_steps: dict[str, Any] = {
    "chosen": compiled(_chosen),
    "binary_exponent": rule_compiled(either.binary_exponent),
    "two_to_the": rule_compiled(either.two_to_the),
}
for _name in (
    "exponent_of", "_bounded", "rounded", "flushed", "_product", "_sum_of_zeros", "_cut_with_sticky", "_operation",
    "one_minus", "_greater",
):  # fmt: skip
    _steps[_name] = rule_compiled(getattr(blend_float, _name), **_steps)
_operation, _one_minus, _greater = _steps["_operation"], _steps["one_minus"], _steps["_greater"]
_flushed = _steps["flushed"]


def _half_bits(value: Any) -> Any:
    """Return the code of a number that is a half, or NaN."""
    bits: Any = np.float64(value).view(np.int64)
    sign = ((bits >> 63) & 1) << 15
    exponent = ((bits >> 52) & 0x7FF) - 1023
    mantissa = (bits & 0xFFFFFFFFFFFFF) | (1 << 52)
    shift = min(max(28 - exponent, 42), 62)  # 42 but for denormals; so far that zero has no bit left
    code = (mantissa >> shift) + (max(exponent + 14, 0) << 10)
    code = 0x7C00 if exponent > 15 else code
    return _NAN if value != value else sign | code


_half_bits_kernel = compiled(_half_bits)


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
        out[j] = _operation(sign * source[j], first[j], other_sign * destination[j], second[j], precision)


def _greater_line(out: Any, source: Any, destination: Any, sign: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = sign * _greater(sign * source[j], sign * destination[j])


def _store_line(words: Any, line: Any, shift: Any, keep: Any, table: Any) -> None:
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        words[j] = (words[j] & keep) | (table[_half_bits_kernel(line[j])] << shift)


def _store_float32_line(words: Any, line: Any) -> None:
    values = line.astype(np.float32).view(np.uint32)
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        words[j] = _FLOAT_NAN if line[j] != line[j] else values[j]


_read_line_kernel = compiled(_read_line)
_read_float32_line_kernel = compiled(_read_float32_line)
_one_minus_line_kernel = compiled(_one_minus_line)
_sum_line_kernel = compiled(_sum_line)
_greater_line_kernel = compiled(_greater_line)
_store_line_kernel = compiled(_store_line)
_store_float32_line_kernel = compiled(_store_float32_line)


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
        out[:] = lines[operand, :count]


_factor_line_kernel = compiled(_factor_line)


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


_blend_block_kernel = compiled(_blend_block)


def _fill_lines(lines: Any, source: Any, second: Any) -> None:
    for i in range(len(source)):
        for channel in range(4):
            lines[channel, i] = source[i, channel]
            lines[8 + channel, i] = second[i, channel]


_fill_lines_kernel = compiled(_fill_lines)


def _blend_spans(
    texels: Any, written: Any, source: Any, second: Any, alive: Any, all_alive: bool, places: Any, read: Any,
    stored: Any, how: Any, row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    words, lines = np.empty((len(written), _BLOCK), dtype=np.uint32), np.zeros((18, _BLOCK))
    for k in range(row.size):
        for first in range(left[k], right[k], _BLOCK):
            last = min(first + _BLOCK, right[k])
            begin = start[k] + first - left[k]
            end = begin + last - first
            line = texels[row[k], first:last]
            load_kernel(words, line)
            _fill_lines_kernel(lines, source[begin:end], second[begin:end])
            lines[4:7, :] = 0.0
            lines[7, :] = 1.0
            _blend_block_kernel(words, last - first, lines, places, read, stored, how)
            save_kernel(line, words, written, alive[begin:end], all_alive)


blend_floats_kernel: Any = compiled(_blend_spans)
_NO_LANES = np.zeros(0, dtype=np.bool_)


def blend_floats(
    plan: FloatPlan,
    target: ColorTarget,
    mask: int,
    source: Float64,
    second: Float64 | None,
    spans: Spans,
    alive: NDArray[np.bool_] | None,
) -> None:
    """Blend fragments with a target, in order.

    Parameters
    ----------
    source, second : float64, shape (lanes, 4)
        In the numbers of the target's arithmetic; None where there is no second source.

    Everything else is as for :func:`refnvn.raster.blend_kernel.blend_spans`.
    """
    texels, written = texels_of(target, mask)
    how = (plan.equations, plan.kinds, plan.operands, plan.constants, plan.precision)
    blend_floats_kernel(
        texels, written, source, source if second is None else second, _NO_LANES if alive is None else alive,
        alive is None, plan.places, plan.read, plan.stored, how, spans.row, spans.left, spans.right, spans.start,
    )  # fmt: skip


def half_bits(values: Float64) -> UInt32:
    """Return the codes of numbers that are halves, one by one."""
    return np.array([_half_bits_kernel(value) for value in values], dtype=np.uint32)
