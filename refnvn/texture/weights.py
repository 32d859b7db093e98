"""How is a weight of one shared among mip levels, slices and texels?

The whole is 256. It is split level by level, then slice, column and row; a split never loses anything: what one side
does not get the other keeps. Which side wins a tie differs from split to split, and was measured.

Quads are four texels of one slice of one level in the order (0, 0), (1, 0), (0, 1), (1, 1) of (column, row).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

WHOLE = 256
QUAD = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Column and row of the four texels of a quad."""

_TIES_UP, _TIES_DOWN = 128, 127
_SOURCES = ("texture-vectors", "texture-rules")


def passed(weight: ArrayLike, fraction_256: ArrayLike, rounding: int) -> Int64:
    """Return the part of a weight that goes to the further side.

    >>> int(passed(256, 77, 128))
    77
    """
    part: Int64 = part_of(np.asarray(weight, np.int64), np.asarray(fraction_256, np.int64), rounding)
    return part


def part_of(weight: Any, fraction_256: Any, rounding: int) -> Any:
    """Return the same of int64 arrays or scalars."""
    return (weight * fraction_256 + rounding) >> 8


@rule(
    "TEX-WEIGHT-1",
    "Between two mip levels the further one weighs the fraction of the level of detail, in 1/256, and the nearer the "
    "rest.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def level_weights(fraction_256: ArrayLike) -> Int64:
    """Return the weights of two levels, shape (2, ...).

    Examples
    --------
    >>> level_weights(64).tolist()
    [192, 64]
    """
    fraction = np.asarray(fraction_256, np.int64)
    return np.stack([WHOLE - fraction, fraction])


@rule(
    "TEX-WEIGHT-2",
    "A level's weight is split between two slices of a 3D texture before it is split between texels; a tie goes to "
    "the nearer slice.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def slice_weights(weight: ArrayLike, fraction_256: ArrayLike) -> Int64:
    """Return the weights of two slices, shape (2, ...).

    Examples
    --------
    >>> slice_weights(1, 128).tolist()
    [1, 0]
    """
    further = passed(weight, fraction_256, _TIES_DOWN)
    return np.stack([np.asarray(weight, np.int64) - further, further])


@rule(
    "TEX-WEIGHT-3",
    "A weight is split between columns, a tie going to the further one, then each column's between rows, where a tie "
    "goes to the further row in the further column and to the nearer row in the nearer column.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def quad_weights(weight: ArrayLike, across_256: ArrayLike, down_256: ArrayLike) -> Int64:
    """Return the weights of a quad's four texels, shape (4, ...).

    Examples
    --------
    >>> quad_weights(256, 128, 64).tolist()
    [96, 96, 32, 32]
    """
    whole, across, down = (np.asarray(one, np.int64) for one in (weight, across_256, down_256))
    return np.stack(quad_shares(whole, across, down))


def quad_shares(whole: Any, across_256: Any, down_256: Any) -> tuple[Any, Any, Any, Any]:
    """Return the weights of a quad's four texels, of int64 arrays or scalars."""
    right = part_of(whole, across_256, _TIES_UP)
    left = whole - right
    right_below = part_of(right, down_256, _TIES_UP)
    left_below = part_of(left, down_256, _TIES_DOWN)
    return left - left_below, right - right_below, left_below, right_below


@rule(
    "TEX-WEIGHT-4",
    "A texel takes part where the product of its fractions is not zero, even if its weight is rounded to zero: that "
    "decides about NaN and infinities; a texel of fraction zero is not looked at.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("mipchain-sample",),
)
def quad_takes_part(across_256: ArrayLike, down_256: ArrayLike) -> NDArray[np.bool_]:
    """Return which of a quad's four texels take part, bool of shape (4, ...).

    Examples
    --------
    >>> quad_takes_part(1, 0).tolist()
    [True, True, False, False]
    """
    across, down = np.broadcast_arrays(np.asarray(across_256) > 0, np.asarray(down_256) > 0)
    return np.stack([np.ones_like(across), across, down, across & down])


def exact_quad_weights(weight: ArrayLike, across: Float64, down: Float64) -> Float64:
    """Return the plain products of fractions, shape (4, ...): what a port that rounds nowhere has."""
    whole = np.asarray(weight, np.float64)
    shares = [(1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down]
    return np.stack([whole * share for share in shares])
