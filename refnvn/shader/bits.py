"""What are the words that arithmetic is written in, so that one text is both an array rule and a scalar kernel?

A register is 32 bits; a floating-point number travels as its bits. The functions of ``float_arithmetic.py``,
``integer_arithmetic.py``, ``conversions.py`` and ``special_functions.py`` take and return such words (or booleans)
and are written so that NumPy runs them on arrays as they stand, while ``numba_source.py`` copies the same text into a
kernel where each name is a scalar. Therefore there: every integer result is wrapped in ``np.uint32(...)`` (compiled
integer arithmetic widens), every constant has a width, a choice is :func:`select`, never ``if`` on a value.

``mode`` is the setting of a run: a sum of the flags below, the same for all lanes.

It holds no rule. Read next: ``float_arithmetic.py``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Word: TypeAlias = Any
"""uint32, array or scalar: 32 bits."""
Boolean: TypeAlias = Any
"""bool, array or scalar."""
Number: TypeAlias = Any
"""float32, array or scalar."""
Double: TypeAlias = Any
"""float64, array or scalar."""

KEEP_DENORMALS = 1
"""Flag of ``mode``: denormals are numbers like others."""
EXACT_DIVISION = 2
"""Flag of ``mode``: quotients, reciprocals and roots are correctly rounded."""

SIGN = np.uint32(0x80000000)
MAGNITUDE = np.uint32(0x7FFFFFFF)
EXPONENT = np.uint32(0x7F800000)
INFINITY = np.uint32(0x7F800000)
NAN = np.uint32(0x7FFFFFFF)
ONE = np.uint32(0x3F800000)
ZERO = np.uint32(0)
ALL_ONES = np.uint32(0xFFFFFFFF)


def select(condition: Boolean, yes: Any, no: Any) -> Any:
    """Return ``yes`` where the condition holds, else ``no``.

    >>> select(np.array([True, False]), np.uint32(1), np.uint32(2)).tolist()
    [1, 2]
    """
    return np.where(condition, yes, no)


def as_float(word: Word) -> Number:
    """Return the float32 that has these bits."""
    return np.uint32(word).view(np.float32)


def as_word(number: Number) -> Word:
    """Return the bits of a float32."""
    return np.float32(number).view(np.uint32)


def as_int(word: Word) -> Any:
    """Return the int32 that has these bits."""
    return np.uint32(word).view(np.int32)


def from_int(number: Any) -> Word:
    """Return the low 32 bits of an int64."""
    return np.uint32(np.int64(number).view(np.uint64) & np.uint64(0xFFFFFFFF))
