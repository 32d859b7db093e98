"""The small steps of ``formats/either.py``, which serve arrays and single numbers alike, and one more.

It holds no rule. Read next: ``blend_float.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats.either import binary_exponent, chosen, two_to_the

__all__ = ["binary_exponent", "chosen", "one_of_three", "two_to_the"]


def one_of_three(which: Any, zero: Any, one: Any, two: Any) -> Any:
    """Return the value that a number from 0 to 2 names.

    >>> one_of_three(np.array([2, 0]), 1, 2, np.array([3, 4])).tolist()
    [3, 1]
    """
    return np.asarray(which).choose((zero, one, two))
