"""The small steps of ``formats/either.py``, which serve arrays and single numbers alike, and what vertices have.

It holds no rule. Read next: ``blend_float.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats.either import binary_exponent, chosen, two_to_the

__all__ = ["Three", "binary_exponent", "chosen", "one_of_three", "three_of", "two_to_the"]
Three = tuple[Any, Any, Any]
"""What the three vertices of triangles have: arrays of shape (triangles,), or numbers of one triangle."""


def three_of(values: Any) -> Three:
    """Return values of shape (triangles, 3) vertex by vertex."""
    return values[:, 0], values[:, 1], values[:, 2]


def one_of_three(which: Any, zero: Any, one: Any, two: Any) -> Any:
    """Return the value that a number from 0 to 2 names.

    >>> one_of_three(np.array([2, 0]), 1, 2, np.array([3, 4])).tolist()
    [3, 1]
    """
    return np.asarray(which).choose((zero, one, two))
