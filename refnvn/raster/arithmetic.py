"""How does the set-up stage cut and align numbers? Float32-like steps that drop bits instead of rounding.

Values are float64, which holds every step exactly where exponents lie close together; the cuts are on powers of two,
so that every platform gives the same bits. Only ``+ - * /``, ``trunc``, ``rint`` and steps on bits are used. All but
``multiply_add`` and ``rounded_to_24_bits`` work on arrays and, one by one, in compiled code.

It holds no rule of its own. Read next: ``planes.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from refnvn.formats.floatbits import Float32, Float64
from refnvn.raster.either import binary_exponent, chosen, two_to_the

_LEAST_EXPONENT = np.int64(-900)
_EXPONENT_LIMIT = np.int64(1000)
_FLOAT32_BITS = 24
_EXTRA_BITS = 5
_KEEP_24 = np.int64(-1 << 29)
_KEEP_27 = np.int64(-1 << 26)


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


def cut_sum_to_24_bits(value: Any, is_flat: Any) -> Any:
    """Drop all significant bits but the first 24 of a sum, as the chip's adder does it; works in compiled code too.

    A negative sum is a ones' complement: where no bit is to be dropped it still loses one unit. A sum to which
    nothing was added, ``is_flat``, loses none.

    >>> bool(cut_sum_to_24_bits(np.float64(-1.0), False) == -(1 - 2**-24))
    True
    >>> float(cut_sum_to_24_bits(np.float64(-1.0), True))
    -1.0
    """
    below = np.int64(np.float64(value) < 0) & (np.int64(1) - np.int64(is_flat))
    return np.int64((np.float64(value).view(np.int64) - below) & _KEEP_24).view(np.float64)


def rounded_to_24_bits(value: Float64) -> Float64:
    """Round to the nearest number of 24 significant bits, ties to even, without the range of a float32."""
    unit = power_of_two(exponent(value) - (_FLOAT32_BITS - 1))
    rounded: Float64 = np.rint(value / unit) * unit
    return rounded


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


def rounded_product(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the unit two bits below the last of 24 of the factors' exponents, and the product rounded to it."""
    power = chosen((one == 0) | (other == 0), _LEAST_EXPONENT, exponent(one) + exponent(other))
    unit = power_of_two(np.maximum(power, _LEAST_EXPONENT) - (_FLOAT32_BITS + 1))
    return unit, np.rint(one * other / unit) * unit


def dot_of_two(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return a * b + c * d as the set-up stage does it.

    Each product is rounded to nearest two bits below the last of 24 bits of its unnormalised exponent (the sum of
    its factors' exponents), both are cut at the coarser of the two units, added, and cut to 24 bits.
    """
    first_unit, first = rounded_product(a, b)
    second_unit, second = rounded_product(c, d)
    coarse = np.maximum(first_unit, second_unit)
    return cut_to_24_bits((np.trunc(first / coarse) + np.trunc(second / coarse)) * coarse)


def multiply_add(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Float32:
    """Return a * b + c of float32 values, rounded once.

    The product is exact in float64. The sum is made sticky (its last bit is set where anything was lost), so that
    rounding it to float32 cannot round twice.

    >>> float(multiply_add(np.float32(3), np.float32(0.5), np.float32(1)))
    2.5
    """
    product = np.asarray(a, np.float32).astype(np.float64) * np.asarray(b, np.float32).astype(np.float64)
    addend = np.asarray(c, np.float32).astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        total = product + addend
        part = total - product
        lost = (product - (total - part)) + (addend - part)
        bits = np.atleast_1d(total).view(np.int64).reshape(total.shape)
        inexact = (lost != 0) & np.isfinite(total) & ((bits & 1) == 0)
        toward = np.where((lost > 0) == (total > 0), np.int64(1), np.int64(-1))
        sticky = np.where(inexact, bits + toward, bits)
        return np.atleast_1d(sticky).view(np.float64).reshape(total.shape).astype(np.float32)
