"""What do exp2, log2, sine and cosine give in a shader, and the powers made of them?

All come from the interpolation unit (``interpolation_unit.py``) with 64 segments. What goes in is fixed point and
cut: exp2 takes 23 fraction bits, the sine 25 bits of a turn; a negative argument of exp2 and a negative logarithm are
ones' complements, so that both are a last place off.

The text is written for arrays and scalars alike: see ``bits.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import (
    INFINITY,
    KEEP_DENORMALS,
    NAN,
    SIGN,
    ZERO,
    Boolean,
    Double,
    Word,
    as_float,
    as_word,
    select,
)
from refnvn.shader.division import exponent_of, is_plain_positive, mantissa_of, packed
from refnvn.shader.float_arithmetic import float_mul, is_nan, number
from refnvn.shader.interpolation_unit import FRACTION_BITS, Fixed, coefficients, interpolate_17

EXP2 = coefficients("exp2")
EXP2_BIAS = 24456
"""3057 / 2^14 of the last place."""
LOG2 = coefficients("log2")
LOG2_BIAS = 6696
"""837 / 2^14 of the last place."""
SIN = coefficients("sin")
TURNS = np.float64(0.15915493667125702)
"""1 / (2 pi) as a float32, 0x3E22F983."""
LOG_OF_2 = np.uint32(0x3F317218)
LOG2_OF_E = np.uint32(0x3FB8AA3B)


def cut_to_24_bits(value: Double) -> Double:
    """Return a float64 cut towards zero to the 24 significant bits of a float32."""
    word = np.float64(value).view(np.uint64)
    return np.uint64(word & np.uint64(0xFFFFFFFFE0000000)).view(np.float64)


def split(position: Fixed) -> Fixed:
    """Return the segment of a position of 23 bits, one of 64."""
    return (position >> np.int64(17)) & np.int64(63)


@rule(
    "SHADER-EXP2-1",
    "The power exp2 cuts its argument to 23 fraction bits, takes the ones' complement of a negative one that has a "
    "fraction, and interpolates in 64 segments; a result below 2^-126 is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "special-function-sweeps"),
    exactness="bit-exact",
)
def float_exp2(a: Word, mode: int) -> Word:
    """Return 2 to the power of a.

    >>> [hex(int(float_exp2(np.uint32(w), 0))) for w in (0x3F000000, 0xBF000000)]
    ['0x3fb504f3', '0x3f3504f2']
    """
    x = np.float64(as_float(select(is_nan(a), ZERO, as_word(number(a, mode)))))
    size = np.abs(x)
    steps = np.int64(np.trunc(select(size > np.float64(512.0), np.float64(512.0), size) * np.float64(8388608.0)))
    complement = np.int64(-1) - steps + np.int64((steps & np.int64(0x7FFFFF)) == np.int64(0))
    position = select(x < np.float64(0.0), complement, steps)
    value = interpolate_17(EXP2, split(position), position & np.int64(0x1FFFF), EXP2_BIAS) >> np.int64(FRACTION_BITS)
    exponent = (position >> np.int64(23)) + np.int64(127)
    inside = (exponent > np.int64(0)) & (exponent < np.int64(255))
    plain = packed(select(inside, exponent, np.int64(127)), value, ZERO)
    tiny = np.float32(np.float64(value) * power_of_2(select(exponent > np.int64(0), np.int64(0), exponent)))
    small = select((mode & KEEP_DENORMALS) != 0, as_word(tiny), ZERO)
    outside = select(exponent > np.int64(0), INFINITY, small)
    return select(is_nan(a), NAN, select(inside, plain, outside))


def power_of_2(exponent: Fixed) -> Double:
    """Return the float64 2^(exponent - 150), for the significand of a float with that exponent field."""
    return np.uint64(np.int64(exponent + np.int64(1023 - 150)) << np.int64(52)).view(np.float64)


@rule(
    "SHADER-LOG2-1",
    "The logarithm log2 interpolates in 64 segments of the mantissa, adds the exponent, cuts to 36 fraction bits, "
    "takes the ones' complement of a negative sum and cuts to 24 significant bits; only that of 1 is exact; "
    "that of 0 is minus infinity, that of a negative number NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "special-function-sweeps"),
    exactness="bit-exact",
)
def float_log2(a: Word, mode: int) -> Word:
    """Return the logarithm to the base 2.

    >>> [hex(int(float_log2(np.uint32(w), 0))) for w in (0x3F800000, 0x3F000000)]
    ['0x0', '0xbf7ffffe']
    """
    denormal = (exponent_of(a) == np.int64(0)) & (mantissa_of(a) != np.int64(0)) & ((mode & KEEP_DENORMALS) != 0)
    scaled = as_word(np.float32(as_float(select(denormal, a, ZERO)) * np.float32(16777216.0)))
    word = select(denormal, scaled, np.uint32(a))
    power = exponent_of(word) - np.int64(127) - select(denormal, np.int64(24), np.int64(0))
    mantissa = mantissa_of(word)
    value = interpolate_17(LOG2, split(mantissa), mantissa & np.int64(0x1FFFF), LOG2_BIAS) >> np.int64(5)
    total = (power << np.int64(36)) + value
    negative = total < np.int64(0)
    size = np.float64(select(negative, np.int64(-1) - total, total)) * np.float64(2.0**-36)
    found = as_word(np.float32(cut_to_24_bits(size)))
    signed = np.uint32(found | select(negative, SIGN, ZERO))
    whole = select(np.uint32(a) == np.uint32(0x3F800000), ZERO, signed)
    return select(is_plain_positive(word), whole, log2_of_special(a, mode))


def log2_of_special(a: Word, mode: int) -> Word:
    """Return the logarithm of a zero, a negative number, an infinity or a NaN."""
    x = number(a, mode)
    below = select(x == np.float32(0.0), np.uint32(INFINITY | SIGN), NAN)
    return select(np.uint32(a) == INFINITY, INFINITY, below)


def turn_of(a: Word, mode: int) -> Fixed:
    """Return where in a turn an angle lies, in 2^-25 turns, for its absolute value."""
    size = np.abs(np.float64(number(a, mode)))
    turns = cut_to_24_bits(select(np.isfinite(size), size, np.float64(0.0)) * TURNS)
    turns = select(turns < np.float64(2.0**-126), np.float64(0.0), turns)
    part = turns - np.floor(turns)
    return np.int64(np.floor(part * np.float64(33554432.0)))


def sine_of_turn(turn: Fixed) -> Word:
    """Return the sine of an angle in 2^-25 turns, 0 to 2^25 - 1."""
    quadrant = turn >> np.int64(23)
    inside = turn & np.int64(0x7FFFFF)
    position = select((quadrant & np.int64(1)) != np.int64(0), np.int64(0x7FFFFF) - inside, inside)
    value = interpolate_17(SIN, split(position), position & np.int64(0x1FFFF), 0)
    found = as_word(np.float32(cut_to_24_bits(np.float64(value) * np.float64(2.0**-41))))
    return np.uint32(found | select(quadrant > np.int64(1), SIGN, ZERO))


def is_infinite_or_nan(a: Word) -> Boolean:
    """Return whether a word is no finite number."""
    return exponent_of(a) == np.int64(255)


@rule(
    "SHADER-SIN-1",
    "Sine and cosine take the angle times the float nearest 1 / (2 pi), cut to a float and then to 25 bits of a "
    "turn, fold it into a quarter and interpolate in 64 segments; an infinity gives NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "special-function-sweeps"),
    exactness="bit-exact",
)
def float_sin(a: Word, mode: int) -> Word:
    """Return the sine.

    >>> hex(int(float_sin(np.uint32(0x3E800000), 0)))
    '0x3e7d5776'
    """
    found = np.uint32(sine_of_turn(turn_of(a, mode)) ^ np.uint32(a & SIGN))
    return select(is_infinite_or_nan(a), NAN, found)


def float_cos(a: Word, mode: int) -> Word:
    """Return the cosine: the sine a quarter turn on."""
    found = sine_of_turn((turn_of(a, mode) + np.int64(0x800000)) & np.int64(0x1FFFFFF))
    return select(is_infinite_or_nan(a), NAN, found)


@rule(
    "SHADER-POW-1",
    "The power of x to y is exp2(y * log2(x)), the product rounded: NaN for x below 0, for 0^0, infinity^0 and "
    "1^infinity; exp and log are exp2(x * log2(e)) and log2(x) * log(2).",
    evidence=Evidence.DRIVER_MADE,
    sources=("shader-vectors", "shader-findings"),
    exactness="bit-exact",
)
def float_pow(a: Word, b: Word, mode: int) -> Word:
    """Return a to the power of b."""
    return float_exp2(float_mul(b, float_log2(a, mode), mode), mode)


def float_exp(a: Word, mode: int) -> Word:
    """Return e to the power of a."""
    return float_exp2(float_mul(a, LOG2_OF_E, mode), mode)


def float_log(a: Word, mode: int) -> Word:
    """Return the natural logarithm."""
    return float_mul(float_log2(a, mode), LOG_OF_2, mode)
