"""How does the set-up stage multiply? With two multipliers, each of which leaves out most of what lies below.

Both take significands of 24 bits as integers. The first, of slopes, recodes one factor by Booth's rule to digits of
two bits and rounds every row by itself; the second, of constants, drops the columns below a place of every row. The
rules work on arrays, a row for each along a new first axis, and, compiled, on numbers, row after row.

Read next: ``planes.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.raster.arithmetic import cut_to_24_bits, exponent, power_of_two
from refnvn.raster.either import chosen
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

RECODED_ROWS = 12
"""Rows of two bits above the last bit of a significand."""
CUT_ROWS = 19
"""Rows of one bit that reach below the column where constants' products end."""
_BELOW_BITS, _FRACTION, _LEADING_ONE = np.int64(29), np.int64((1 << 23) - 1), np.int64(1 << 23)
_ZERO, _ONE, _TWO, _SEVEN, _HALF_OF_16 = np.int64(0), np.int64(1), np.int64(2), np.int64(7), np.int64(8)
_LAST_ROW, _ROW_BITS, _HALF_A_ROW, _UNIT_BITS = np.int64(16), np.int64(17), np.int64(1 << 16), np.int64(4)
_CUT_BITS = np.int64(19)
_SLOPE_PLACES, _CONSTANT_PLACES, _SUM_PLACES = np.int64(25), np.int64(27), np.int64(28)
_NO_POWER = np.int64(-900)


def significand(value: Any) -> Any:
    """Return the 24 bits of a number from the leading one on, int64; 0 of zero.

    >>> int(significand(np.float64(-1.5))) == 3 << 22
    True
    """
    bits = np.float64(value).view(np.int64)
    return chosen(value == 0, _ZERO, ((bits >> _BELOW_BITS) & _FRACTION) | _LEADING_ONE)


def power_of_product(one: Any, other: Any) -> Any:
    """Return the sum of two exponents, what a product's is before its carry; a very small number for zero."""
    return chosen((one == 0) | (other == 0), _NO_POWER, np.maximum(exponent(one) + exponent(other), _NO_POWER))


def sign_of_product(one: Any, other: Any) -> Any:
    """Return 1 or -1; of numbers without a finite product NaN."""
    product = one * other
    return chosen(product < 0, -1.0, 1.0) + 0.0 * product


def recoded_row(recoded: Any, other: Any, row: Any) -> Any:
    """Return one row of a slope's product in units of 2^17, the digit being -2 to 2 at bit 2 * row + 1 of a factor.

    A negative row is a ones' complement, to which a row that begins above bit 17 adds its one.
    """
    window = ((recoded >> _ONE << _ONE) >> (_TWO * row)) & _SEVEN
    digit = ((window + _ONE) >> _ONE) - ((window >> _TWO) << _TWO)
    begin = _TWO * row + _ONE
    lost = np.int64(digit < 0) & np.int64(begin <= _LAST_ROW)
    return (((other * digit - lost) << begin) + _HALF_A_ROW) >> _ROW_BITS


def recoded_rows(recoded: Any, other: Any) -> Any:
    """Return the sum of all rows of :func:`recoded_row`, arrays at once."""
    rows = np.arange(RECODED_ROWS, dtype=np.int64).reshape((RECODED_ROWS,) + (1,) * np.ndim(recoded))
    return recoded_row(recoded, other, rows).sum(axis=0)


@rule(
    "RASTER-PLANE-9",
    "A product of a slope is that of an array of rows: its first factor, a value difference, without its last bit "
    "recoded to digits from -2 to 2, of two bits each. Every row is rounded by itself, halves up, to bit 17 of the "
    "48 of the product, a negative one as ones' complement, its one being added only from bit 17 on. The last bit's "
    "row joins them, and the sum is rounded, halves up, to bit 21: two below the last of 24.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("plane-vectors",),
    exactness="bit-exact in all slopes of 3428 measured planes; rounding exact products misses 1 % of them",
)
def recoded_product(recoded: Any, other: Any) -> Any:
    """Return the product of two significands in units of 2^21.

    >>> one, third = significand(np.float64(1.0)), significand(np.float64(1 / 3))
    >>> int(recoded_product(one, third)) == int(third) << 2
    True
    """
    last = ((other * (recoded & _ONE)) + _HALF_A_ROW) >> _ROW_BITS
    return (recoded_rows(recoded, other) + last + _HALF_OF_16) >> _UNIT_BITS


def dot_of_two(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return a * b + c * d as slopes have it, ``a`` and ``c`` being recoded.

    The products are cut at the coarser unit of the two, added, and cut to 24 bits.
    """
    first_power, second_power = power_of_product(a, b), power_of_product(c, d)
    first_unit = power_of_two(first_power - _SLOPE_PLACES)
    second_unit = power_of_two(second_power - _SLOPE_PLACES)
    coarse = np.maximum(first_unit, second_unit)
    first = sign_of_product(a, b) * recoded_product(significand(a), significand(b)) * first_unit
    second = sign_of_product(c, d) * recoded_product(significand(c), significand(d)) * second_unit
    return cut_to_24_bits((np.trunc(first / coarse) + np.trunc(second / coarse)) * coarse)


def cut_row(one: Any, other: Any, row: Any) -> Any:
    """Return what the bit ``row`` of a factor adds to a constant's product, in units of 2^19."""
    return ((one >> row) & _ONE) * (other >> (_CUT_BITS - row))


def cut_rows(one: Any, other: Any) -> Any:
    """Return the sum of all rows of :func:`cut_row`, arrays at once."""
    rows = np.arange(CUT_ROWS, dtype=np.int64).reshape((CUT_ROWS,) + (1,) * np.ndim(one))
    return cut_row(one, other, rows).sum(axis=0)


@rule(
    "RASTER-PLANE-10",
    "A product of a constant is that of an array of rows of one bit each, of which all columns below bit 19 of the "
    "48 of the product, four below the last of 24, are dropped.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("plane-vectors",),
    exactness="bit-exact in all constants of 3197 measured planes; exact products miss 16 %",
)
def cut_product(one: Any, other: Any) -> Any:
    """Return the product of two significands in units of 2^19.

    >>> int(cut_product(significand(np.float64(1.0)), significand(np.float64(1.5)))) == 3 << 26
    True
    """
    return cut_rows(one, other) + (one >> _CUT_BITS) * other


def moved_constant(value: Any, along_x: Any, way_x: Any, along_y: Any, way_y: Any) -> Any:
    """Return value + along_x * way_x + along_y * way_y as constants have it.

    Each term is cut five bits below the last of 24 bits of the largest, a product counting with the sum of its
    factors' exponents.
    """
    power_x, power_y = power_of_product(along_x, way_x), power_of_product(along_y, way_y)
    power = np.maximum(np.maximum(exponent(value), _NO_POWER), np.maximum(power_x, power_y))
    unit = power_of_two(power - _SUM_PLACES)
    x = cut_product(significand(along_x), significand(way_x)) * power_of_two(power_x - _CONSTANT_PLACES)
    y = cut_product(significand(along_y), significand(way_y)) * power_of_two(power_y - _CONSTANT_PLACES)
    total = np.trunc(value / unit) + np.trunc(sign_of_product(along_x, way_x) * x / unit)
    return (total + np.trunc(sign_of_product(along_y, way_y) * y / unit)) * unit
