"""What does a shader's floating-point arithmetic give, to the bit?

Measured on NVIDIA hardware: denormals are zeros of their sign on the way in and out, every NaN that arithmetic makes
is 0x7FFFFFFF, minimum and maximum prefer the number to the NaN. Sums, products, fused products and the rounding
functions are IEEE 754 otherwise, rounded to nearest even. Only moves, selects and integer operations leave a word
as it is.

It holds no quotients and roots (``division.py``) and no exponentials (``special_functions.py``). The text is written
for arrays and scalars alike: see ``bits.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import (
    EXPONENT,
    INFINITY,
    KEEP_DENORMALS,
    MAGNITUDE,
    NAN,
    ONE,
    SIGN,
    ZERO,
    Boolean,
    Double,
    Number,
    Word,
    as_float,
    as_word,
    select,
)


@rule(
    "SHADER-DENORM-1",
    "Shader arithmetic takes a denormal operand as zero of the same sign, and a denormal result becomes zero of the "
    "same sign.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
    fields=("shader_denormals",),
)
def flush(word: Word, mode: int) -> Word:
    """Return float bits with denormals made zero, unless ``mode`` keeps them.

    >>> [hex(int(flush(np.uint32(w), 0))) for w in (0x80000001, 0x00800000)]
    ['0x80000000', '0x800000']
    """
    denormal = np.uint32(word & EXPONENT) == ZERO
    return select(denormal & ((mode & KEEP_DENORMALS) == 0), np.uint32(word & SIGN), np.uint32(word))


@rule(
    "SHADER-NAN-1",
    "A NaN that arithmetic gives is 0x7FFFFFFF, whatever payloads went in.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def one_nan(word: Word) -> Word:
    """Return float bits with every NaN replaced by the one NaN.

    >>> hex(int(one_nan(np.uint32(0xFFC00000))))
    '0x7fffffff'
    """
    return select(is_nan(word), NAN, np.uint32(word))


def is_nan(word: Word) -> Boolean:
    """Return whether float bits are a NaN of any kind."""
    return np.uint32(word & MAGNITUDE) > INFINITY


def number(word: Word, mode: int) -> Number:
    """Return the float32 that arithmetic sees in a word."""
    return as_float(flush(word, mode))


def result(value: Number, mode: int) -> Word:
    """Return the word that arithmetic leaves for a float32."""
    return one_nan(flush(as_word(value), mode))


@rule(
    "SHADER-ADD-1",
    "A sum or difference is rounded once to nearest even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_add(a: Word, b: Word, mode: int) -> Word:
    """Return a + b.

    >>> hex(int(float_add(np.uint32(0x3F800000), np.uint32(0x3F800000), 0)))
    '0x40000000'
    """
    return result(np.float32(number(a, mode) + number(b, mode)), mode)


def float_sub(a: Word, b: Word, mode: int) -> Word:
    """Return a - b: the sum with the negative."""
    return float_add(a, np.uint32(b ^ SIGN), mode)


@rule(
    "SHADER-MUL-1",
    "A product is rounded once to nearest even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_mul(a: Word, b: Word, mode: int) -> Word:
    """Return a * b."""
    return result(np.float32(number(a, mode) * number(b, mode)), mode)


def to_odd(total: Double, error: Double) -> Double:
    """Return a float64 sum that was inexact by ``error``, moved to the neighbour with an odd last bit.

    A float64 rounded to odd and then to float32 is rounded as if once.
    """
    word = np.float64(total).view(np.uint64)
    inexact = (error != np.float64(0)) & (np.uint64(word & np.uint64(1)) == np.uint64(0)) & np.isfinite(error)
    away = (error > np.float64(0)) == (total > np.float64(0))
    moved = select(away, np.uint64(word + np.uint64(1)), np.uint64(word - np.uint64(1)))
    return np.uint64(select(inexact, moved, word)).view(np.float64)


@rule(
    "SHADER-FMA-1",
    "A fused multiply-add takes the exact product and rounds once.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_fma(a: Word, b: Word, c: Word, mode: int) -> Word:
    """Return a * b + c.

    >>> x, y = np.uint32(0x3F800001), np.uint32(0xBF800002)
    >>> hex(int(float_fma(x, x, y, 0))), hex(int(float_add(float_mul(x, x, 0), y, 0)))
    ('0x28800000', '0x0')
    """
    product = np.float64(number(a, mode)) * np.float64(number(b, mode))
    addend = np.float64(number(c, mode))
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    return result(np.float32(to_odd(total, error)), mode)


@rule(
    "SHADER-SIGN-1",
    "Negation and absolute value flush denormals and give the one NaN as other arithmetic does.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_abs(a: Word, mode: int) -> Word:
    """Return the absolute value."""
    return one_nan(flush(np.uint32(a & MAGNITUDE), mode))


def float_neg(a: Word, mode: int) -> Word:
    """Return the negative."""
    return one_nan(flush(np.uint32(a ^ SIGN), mode))


@rule(
    "SHADER-MIN-1",
    "The minimum or maximum of a number and a NaN is the number, and -0 is less than +0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_min(a: Word, b: Word, mode: int) -> Word:
    """Return the lesser.

    >>> hex(int(float_min(np.uint32(0x7FC00000), np.uint32(0x80000000), 0)))
    '0x80000000'
    """
    x, y = number(a, mode), number(b, mode)
    first = (x < y) | ((x == y) & (np.uint32(a & SIGN) != ZERO)) | is_nan(b)
    return result(select(first & np.logical_not(is_nan(a)), x, y), mode)


def float_max(a: Word, b: Word, mode: int) -> Word:
    """Return the greater: the minimum turned round."""
    x, y = number(a, mode), number(b, mode)
    first = (x > y) | ((x == y) & (np.uint32(a & SIGN) == ZERO)) | is_nan(b)
    return result(select(first & np.logical_not(is_nan(a)), x, y), mode)


@rule(
    "SHADER-SATURATE-1",
    "A saturated value lies in 0 to 1; a NaN and -0 become +0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_saturate(a: Word, mode: int) -> Word:
    """Return the value clamped to 0 .. 1."""
    x = number(a, mode)
    low = select(x > np.float32(0), flush(a, mode), ZERO)
    return select(x >= np.float32(1), ONE, low)


@rule(
    "SHADER-ROUND-1",
    "Floor, ceiling, truncation and rounding to nearest even are exact and keep the sign of a zero; round is round "
    "to nearest even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_round_even(a: Word, mode: int) -> Word:
    """Return the nearest integer, the even one of two.

    >>> as_float(float_round_even(as_word(np.float32(2.5)), 0)).tolist()
    2.0
    """
    return result(np.rint(number(a, mode)), mode)


def float_floor(a: Word, mode: int) -> Word:
    """Return the greatest integer not above."""
    return result(np.floor(number(a, mode)), mode)


def float_ceil(a: Word, mode: int) -> Word:
    """Return the least integer not below."""
    return result(np.ceil(number(a, mode)), mode)


def float_trunc(a: Word, mode: int) -> Word:
    """Return the integer towards zero."""
    return result(np.trunc(number(a, mode)), mode)


@rule(
    "SHADER-FRACT-1",
    "The fraction of x is x minus its floor, rounded once, so that it may be 1; that of an infinity is NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_fract(a: Word, mode: int) -> Word:
    """Return x - floor(x)."""
    return float_sub(a, float_floor(a, mode), mode)


@rule(
    "SHADER-SIGN-2",
    "The sign of a positive number is 1, of a negative one -1, of everything else, zeros and NaN, +0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_sign(a: Word, mode: int) -> Word:
    """Return -1, 0 or 1."""
    x = number(a, mode)
    signed_one = np.uint32(np.uint32(a & SIGN) | ONE)
    return select((x > np.float32(0)) | (x < np.float32(0)), signed_one, ZERO)


@rule(
    "SHADER-COMPARE-1",
    "A comparison with a NaN is false, but for 'not equal', which is true; denormals compare as zeros, and -0 "
    "equals +0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_less(a: Word, b: Word, mode: int) -> Boolean:
    """Return whether a < b."""
    return number(a, mode) < number(b, mode)


def float_less_equal(a: Word, b: Word, mode: int) -> Boolean:
    """Return whether a <= b."""
    return number(a, mode) <= number(b, mode)


def float_equal(a: Word, b: Word, mode: int) -> Boolean:
    """Return whether a == b."""
    return number(a, mode) == number(b, mode)


def float_not_equal(a: Word, b: Word, mode: int) -> Boolean:
    """Return whether a != b."""
    return number(a, mode) != number(b, mode)


@rule(
    "SHADER-CLASS-1",
    "Asking whether a word is NaN or infinite looks at its bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def float_is_nan(a: Word) -> Boolean:
    """Return whether a word is a NaN."""
    return is_nan(a)


def float_is_infinite(a: Word) -> Boolean:
    """Return whether a word is an infinity."""
    return np.uint32(a & MAGNITUDE) == INFINITY
