"""How do words change between float, integer, half and boolean in a shader, and how is one chosen or moved?

The text is written for arrays and scalars alike: see ``bits.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import (
    INFINITY,
    MAGNITUDE,
    SIGN,
    ZERO,
    Boolean,
    Double,
    Word,
    as_float,
    as_int,
    as_word,
    from_int,
    select,
)
from refnvn.shader.float_arithmetic import flush, is_nan, result


def cut_between(a: Word, low: Double, high: Double, mode: int) -> Word:
    """Return a float cut towards zero and clamped, as the low 32 bits of the integer; NaN is 0."""
    whole = np.trunc(np.float64(as_float(select(is_nan(a), ZERO, flush(a, mode)))))
    return from_int(np.int64(select(whole < low, low, select(whole > high, high, whole))))


@rule(
    "SHADER-TOINT-1",
    "A float becomes an integer by cutting towards zero; what is out of range becomes the nearest end of the range, "
    "a NaN 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def int_from_float(a: Word, mode: int) -> Word:
    """Return the signed integer.

    >>> hex(int(int_from_float(np.uint32(0x7F800000), 0)))
    '0x7fffffff'
    """
    return cut_between(a, np.float64(-2147483648.0), np.float64(2147483647.0), mode)


def uint_from_float(a: Word, mode: int) -> Word:
    """Return the unsigned integer; 0 for negative numbers."""
    return cut_between(a, np.float64(0.0), np.float64(4294967295.0), mode)


@rule(
    "SHADER-FROMINT-1",
    "An integer becomes the nearest float, ties to even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-findings",),
)
def float_from_int(a: Word) -> Word:
    """Return the float of a signed integer.

    >>> hex(int(float_from_int(np.uint32(0xFFFFFFFF))))
    '0xbf800000'
    """
    return as_word(np.float32(as_int(a)))


def float_from_uint(a: Word) -> Word:
    """Return the float of an unsigned integer."""
    return as_word(np.float32(np.uint32(a)))


@rule(
    "SHADER-HALF-1",
    "A shader packs a float to a half rounded to nearest even, too large ones to infinity, a NaN to 0x7FFF; a half "
    "unpacks to its value, its NaN to the one NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def half_from_float(a: Word, mode: int) -> Word:
    """Return the half in the low 16 bits, zeros above.

    >>> hex(int(half_from_float(np.uint32(0x477FF000), 0)))
    '0x7c00'
    """
    size = np.uint32(flush(a, mode) & MAGNITUDE)
    odd = np.uint32(np.uint32(size >> np.uint32(13)) & np.uint32(1))
    normal = np.uint32(np.uint32(size - np.uint32(0x38000000 - 0x0FFF) + odd) >> np.uint32(13))
    aligned = as_word(np.float32(as_float(size) + np.float32(0.5)))
    small = np.uint32(aligned - np.uint32(0x3F000000))
    code = select(
        size < np.uint32(0x38800000), small, select(size >= np.uint32(0x47800000), np.uint32(0x7C00), normal)
    )
    signed = np.uint32(code | np.uint32(np.uint32(a & SIGN) >> np.uint32(16)))
    return select(is_nan(a), np.uint32(0x7FFF), signed)


def float_from_half(a: Word, mode: int) -> Word:
    """Return the float of the half in the low 16 bits."""
    size = np.uint32(a & np.uint32(0x7FFF))
    fraction = np.uint32(size << np.uint32(13))
    small = as_word(np.float32(np.float32(as_int(size)) * np.float32(2.0**-24)))
    special = np.uint32(fraction | INFINITY)
    normal = np.uint32(fraction + np.uint32(0x38000000))
    code = select(size < np.uint32(0x0400), small, select(size >= np.uint32(0x7C00), special, normal))
    signed = np.uint32(code | np.uint32(np.uint32(a & np.uint32(0x8000)) << np.uint32(16)))
    return result(as_float(signed), mode)


@rule(
    "SHADER-MOVE-1",
    "A move or a selection leaves every bit as it is, denormals and NaN payloads included.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
)
def word_select(condition: Boolean, a: Word, b: Word) -> Word:
    """Return a where the condition holds, else b."""
    return select(condition, np.uint32(a), np.uint32(b))


def boolean_select(condition: Boolean, a: Boolean, b: Boolean) -> Boolean:
    """Return a where the condition holds, else b."""
    return select(condition, a, b)


def word_move(a: Word) -> Word:
    """Return a."""
    return np.uint32(a)


def boolean_move(a: Boolean) -> Boolean:
    """Return a."""
    return a


def word_from_boolean(a: Boolean) -> Word:
    """Return 1 where it holds, else 0."""
    return select(a, np.uint32(1), ZERO)
