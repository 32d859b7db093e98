"""What do quotients, reciprocals and roots give in a shader?

The hardware has no divider: a quotient is the dividend times the reciprocal of the divisor, so x / x may fall short
of 1 and a divisor above 2^126, whose reciprocal would be a denormal, gives 0. Reciprocal and roots come from the
interpolation unit, whose last bit is not always the nearest one.

The text is written for arrays and scalars alike: see ``bits.py``. Read next: ``interpolation_unit.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import EXACT_DIVISION, SIGN, Boolean, Word, select
from refnvn.shader.float_arithmetic import float_mul, number, result
from refnvn.shader.interpolation_unit import (
    FRACTION_BITS,
    Fixed,
    coefficients,
    interpolate_16,
    interpolate_17,
)

RECIPROCAL = coefficients("reciprocal")
RECIPROCAL_BIAS = 8092
"""2023 / 2^15 of the last place."""
SQRT = coefficients("sqrt")
INVERSE_SQRT = coefficients("inverse_sqrt")
ROOT_BIAS = -1
HIDDEN = np.int64(1 << 23)
"""The leading one of a mantissa."""


def exponent_of(word: Word) -> Fixed:
    """Return the exponent field, 0 to 255."""
    return np.int64(np.uint32(np.uint32(word >> np.uint32(23)) & np.uint32(0xFF)))


def mantissa_of(word: Word) -> Fixed:
    """Return the mantissa field."""
    return np.int64(np.uint32(word & np.uint32(0x007FFFFF)))


def is_plain(word: Word) -> Boolean:
    """Return whether a word is a normal number whose reciprocal is one too."""
    exponent = exponent_of(word)
    return (exponent > np.int64(0)) & (exponent < np.int64(253))


def packed(exponent: Fixed, significand: Fixed, sign: Word) -> Word:
    """Return a float of an exponent field and a significand of 24 bits, which may carry into the exponent."""
    return np.uint32(np.uint32((exponent << np.int64(23)) + (significand - HIDDEN)) | np.uint32(sign))


@rule(
    "SHADER-RCP-1",
    "The reciprocal comes from the interpolation unit with 128 segments an octave: the nearest float for 86.8 % of "
    "all mantissas, else 1 ULP off; a denormal's is an infinity, and one that would be denormal is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "reciprocal-table", "special-function-sweeps"),
    exactness="bit-exact",
    fields=("shader_division",),
)
def float_rcp(a: Word, mode: int) -> Word:
    """Return 1 / a.

    >>> [hex(int(float_rcp(np.uint32(w), 0))) for w in (0x40000000, 0x437F0000)]
    ['0x3f000000', '0x3b808080']
    """
    mantissa = mantissa_of(a)
    value = interpolate_16(
        RECIPROCAL, mantissa >> np.int64(16), mantissa & np.int64(0xFFFF), RECIPROCAL_BIAS
    ) >> np.int64(FRACTION_BITS)
    interpolated = packed(np.int64(253) - exponent_of(a), value, np.uint32(a & SIGN))
    rounded = result(np.float32(np.float32(1) / number(a, mode)), mode)
    return select(is_plain(a) & ((mode & EXACT_DIVISION) == 0), interpolated, rounded)


@rule(
    "SHADER-DIV-1",
    "A quotient is the dividend times the reciprocal of the divisor, each rounded and flushed.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
    exactness="bit-exact",
    fields=("shader_division",),
)
def float_div(a: Word, b: Word, mode: int) -> Word:
    """Return a / b.

    >>> [hex(int(float_div(np.uint32(w), np.uint32(w), 0))) for w in (0x7F7FFFFF, 0x437F0000)]
    ['0x0', '0x3f7fffff']
    """
    by_reciprocal = float_mul(a, float_rcp(b, mode), mode)
    rounded = result(np.float32(number(a, mode) / number(b, mode)), mode)
    return select((mode & EXACT_DIVISION) != 0, rounded, by_reciprocal)


def root_segment(a: Word) -> Fixed:
    """Return the segment of a root's table: 64 for even exponents, then 64 for odd ones."""
    odd = (exponent_of(a) + np.int64(1)) & np.int64(1)
    return (odd << np.int64(6)) + (mantissa_of(a) >> np.int64(17))


def half_exponent(a: Word) -> Fixed:
    """Return half the exponent, rounded down."""
    return (exponent_of(a) - np.int64(127)) >> np.int64(1)


def is_plain_positive(a: Word) -> Boolean:
    """Return whether a word is a normal number above 0."""
    exponent = exponent_of(a)
    return (exponent > np.int64(0)) & (exponent < np.int64(255)) & (np.uint32(a & SIGN) == np.uint32(0))


@rule(
    "SHADER-SQRT-1",
    "The square root comes from the interpolation unit with 64 segments an octave; that of a negative number is NaN, "
    "of -0 it is -0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "special-function-sweeps"),
    exactness="bit-exact",
    fields=("shader_division",),
)
def float_sqrt(a: Word, mode: int) -> Word:
    """Return the square root.

    >>> hex(int(float_sqrt(np.uint32(0x3380D959), 0)))
    '0x39806c7e'
    """
    value = interpolate_17(SQRT, root_segment(a), mantissa_of(a) & np.int64(0x1FFFF), ROOT_BIAS)
    interpolated = packed(half_exponent(a) + np.int64(127), value >> np.int64(FRACTION_BITS), np.uint32(0))
    rounded = result(np.sqrt(number(a, mode)), mode)
    return select(is_plain_positive(a) & ((mode & EXACT_DIVISION) == 0), interpolated, rounded)


@rule(
    "SHADER-RSQ-1",
    "The inverse square root comes from the interpolation unit with 64 segments an octave, and is exact for powers "
    "of 4; those of +0 and -0 are the infinities, that of a negative number is NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "special-function-sweeps"),
    exactness="bit-exact",
    fields=("shader_division",),
)
def float_inverse_sqrt(a: Word, mode: int) -> Word:
    """Return 1 / sqrt(a).

    >>> [hex(int(float_inverse_sqrt(np.uint32(w), 0))) for w in (0x3F800000, 0x40000000)]
    ['0x3f800000', '0x3f3504f2']
    """
    value = interpolate_17(INVERSE_SQRT, root_segment(a), mantissa_of(a) & np.int64(0x1FFFF), ROOT_BIAS)
    power_of_4 = (root_segment(a) == np.int64(0)) & (mantissa_of(a) == np.int64(0))
    significand = select(power_of_4, HIDDEN << np.int64(1), value >> np.int64(FRACTION_BITS))
    interpolated = packed(np.int64(126) - half_exponent(a), significand, np.uint32(0))
    rounded = result(np.float32(np.float64(1) / np.sqrt(np.float64(number(a, mode)))), mode)
    return select(is_plain_positive(a) & ((mode & EXACT_DIVISION) == 0), interpolated, rounded)
