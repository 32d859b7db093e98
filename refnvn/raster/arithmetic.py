"""How does the set-up stage cut and align numbers? Float32-like steps that drop bits instead of rounding.

Values are float64, which holds every step exactly where exponents lie close together; the cuts are on powers of two,
so that every platform gives the same bits. Only ``+ - * /``, ``trunc``, ``rint`` and steps on bits are used. All work
on arrays and, one by one, in compiled code.

It holds no rule of its own. Read next: ``planes.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.raster.either import binary_exponent, two_to_the

_LEAST_EXPONENT = np.int64(-900)
_EXPONENT_LIMIT = np.int64(1000)
_FLOAT32_BITS = 24
_EXTRA_BITS = 5
_KEEP_24 = np.int64(-1 << 29)
_KEEP_27 = np.int64(-1 << 26)
_KEEP_29 = np.int64(-1 << 24)


def exponent(value: Any) -> Any:
    """Return floor(log2(abs(value))) of normal numbers, and a very small number for zero.

    >>> exponent(np.array([1.0, 3.0, -0.5, 0.0])).tolist()
    [0, 1, -1, -1023]
    """
    return binary_exponent(value)


def power_of_two(exponents: Any) -> Any:
    """Return 2 ** exponents, exactly; beyond 2 ** 1000 and 2 ** -1000 those."""
    return two_to_the(np.minimum(np.maximum(exponents, -_EXPONENT_LIMIT), _EXPONENT_LIMIT))


def cut_to_24_bits(value: Any) -> Any:
    """Drop all significant bits but the first 24, toward zero; works on arrays and in compiled code.

    >>> float(cut_to_24_bits(np.float64(1 + 2**-23 + 2**-24))) == 1 + 2**-23
    True
    """
    return np.int64(np.float64(value).view(np.int64) & _KEEP_24).view(np.float64)


def cut_to_27_bits(value: Any) -> Any:
    """Drop all significant bits but the first 27, toward zero; works on arrays and in compiled code."""
    return np.int64(np.float64(value).view(np.int64) & _KEEP_27).view(np.float64)


def cut_to_29_bits(value: Any) -> Any:
    """Drop all significant bits but the first 29, toward zero; works on arrays and in compiled code."""
    return np.int64(np.float64(value).view(np.int64) & _KEEP_29).view(np.float64)


def rounded_to_24_bits(value: Any) -> Any:
    """Round to the nearest number of 24 significant bits, ties to even, without the range of a float32."""
    power = exponent(value) - (_FLOAT32_BITS - 1)
    return np.rint(value * power_of_two(-power)) * power_of_two(power)


def aligned_sum(*terms: Any) -> Any:
    """Add terms after cutting each five bits below the last of 24 bits of the largest.

    >>> float(aligned_sum(np.array(1.0), np.array(2.0**-40))[()])
    1.0
    """
    largest = exponent(terms[0])
    for term in terms[1:]:
        largest = np.maximum(largest, exponent(term))
    unit = power_of_two(np.maximum(largest, _LEAST_EXPONENT) - (_FLOAT32_BITS - 1 + _EXTRA_BITS))
    total = np.trunc(terms[0] / unit)
    for term in terms[1:]:
        total = total + np.trunc(term / unit)
    return total * unit


def aligned_difference(one: Any, other: Any) -> Any:
    """Return one - other, each cut one bit below the last of 24 bits of the larger; the rest is cut to 24 bits.

    >>> float(aligned_difference(np.float64(1.0), np.float64(2.0**-26)))
    1.0
    """
    power = np.maximum(np.maximum(exponent(one), exponent(other)), _LEAST_EXPONENT) - _FLOAT32_BITS
    scale = power_of_two(-power)  # as exact as a division by the unit, and quicker
    return cut_to_24_bits((np.trunc(one * scale) - np.trunc(other * scale)) * power_of_two(power))
