"""The loops that make numbers of the sources of float and sRGB blends, compiled: a line of one channel at a time.

No rule is written here: the conversions' own steps are called, and tables that the rules fill. Importing this module
imports numba. Read next: ``blend_float_kernel.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats import small_float, srgb
from refnvn.formats.floatbits import INFINITY_BITS, MAGNITUDE_MASK
from refnvn.formats.small_float import HALF_MANTISSA_BITS
from refnvn.kernel import borrowing, rule_compiled
from refnvn.raster import blend_float
from refnvn.raster.arithmetic_kernel import binary_exponent_kernel, choice_kernel, two_to_the_kernel
from refnvn.raster.blend_float_plan import CUT, FLUSHED, ROUNDED

_NAN = 0x7FFF
_ZERO = np.float32(0)


STEPS: dict[str, Any] = {
    "chosen": choice_kernel,
    "binary_exponent": binary_exponent_kernel,
    "two_to_the": two_to_the_kernel,
}
for _name in (
    "exponent_of", "_bounded", "rounded", "flushed", "_product", "_sum_of_zeros", "_cut_with_sticky", "_operation",
    "one_minus", "_greater",
):  # fmt: skip
    STEPS[_name] = rule_compiled(getattr(blend_float, _name), **STEPS)
_flushed = STEPS["flushed"]


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


half_bits_kernel = rule_compiled(_half_bits)
_encoded_magnitude = rule_compiled(
    small_float.encoded_magnitude, dropped_bits=rule_compiled(small_float.dropped_bits), chosen=STEPS["chosen"]
)
_with_sign = rule_compiled(small_float.with_sign)
_half_of_unit = rule_compiled(srgb.half_of_unit, **STEPS)


def _flushed_source(out: Any, values: Any, precision: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        out[j] = _flushed(np.float64(values[j]), precision)


def _cut_source(out: Any, words: Any, to_nearest: Any, table: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        bits = np.int64(words[j])
        magnitude = bits & MAGNITUDE_MASK
        code = _encoded_magnitude(magnitude, HALF_MANTISSA_BITS, to_nearest)
        out[j] = table[_with_sign(_NAN if magnitude > INFINITY_BITS else code, bits)]


def _rounded_source(out: Any, values: Any, table: Any) -> None:
    for i in range(np.int32(out.size)):
        j = np.uint32(i)
        above = np.float64(max(_ZERO, values[j]))  # NaN becomes 0
        out[j] = table[half_bits_kernel(_half_of_unit(min(1.0, above)))]


def _copy(out: Any, values: Any) -> None:
    for i in range(np.int32(out.size)):
        out[np.uint32(i)] = values[np.uint32(i)]


_flushed_source_kernel = borrowing(_flushed_source)
_cut_source_kernel = borrowing(_cut_source)
_rounded_source_kernel = borrowing(_rounded_source)
copy_kernel = borrowing(_copy)


def _sources(lines: Any, values: Any, begin: Any, count: Any, how: Any, precision: Any) -> None:
    """Fill four lines with what sources count as."""
    kind, to_nearest, tables = how
    for channel in range(4):
        out, line, table = lines[channel, :count], values[channel, begin : begin + count], tables[channel // 3]
        if kind == FLUSHED:
            _flushed_source_kernel(out, line, precision)
        elif kind == CUT:
            _cut_source_kernel(out, line.view(np.uint32), to_nearest, table)
        elif kind == ROUNDED:
            _rounded_source_kernel(out, line, table)
        else:
            copy_kernel(out, line)


float_sources_kernel = borrowing(_sources)
