"""What serves arrays and, compiled, single numbers alike? Small steps that NumPy has for arrays only.

A rule that is written with these is compiled as it stands: there ``chosen`` is a plain choice between two numbers.
It holds no rule. Read next: ``small_float.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_MANTISSA_BITS = 52
_EXPONENT_MASK = 0x7FF
_BIAS = 1023


def chosen(condition: Any, one: Any, other: Any) -> Any:
    """Return ``one`` where a condition holds, else ``other``.

    >>> chosen(np.array([True, False]), 1, 2).tolist()
    [1, 2]
    """
    return np.where(condition, one, other)


def binary_exponent(value: Any) -> Any:
    """Return floor(log2(abs(value))) of normal float64 numbers; of others something that means nothing.

    >>> binary_exponent(np.array([1.0, 0.75, -8.0])).tolist()
    [0, -1, 3]
    """
    return ((np.float64(value).view(np.int64) >> _MANTISSA_BITS) & _EXPONENT_MASK) - _BIAS


def two_to_the(exponent: Any) -> Any:
    """Return 2 ** exponent, for -1022 to 1023; beyond that something that means nothing.

    >>> two_to_the(np.array([-2, 3])).tolist()
    [0.25, 8.0]
    """
    return np.int64((np.int64(exponent) + _BIAS) << _MANTISSA_BITS).view(np.float64)
