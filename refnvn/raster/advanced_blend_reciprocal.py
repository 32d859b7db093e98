"""What is one divided by a half, in the blender? A line on each of sixteen parts of an octave, cut to 11 bits.

All 1024 mantissas were measured: the sixteen lines below give every one of them. It is nothing like a correctly
rounded reciprocal, and every advanced mode that divides shows it.

Read next: ``advanced_blend_mixes.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.formats.floatbits import Float64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_MANTISSA_BITS = 10
_PART_BITS = 6
"""Of a mantissa, those that say how far along a line it lies."""
_SLOPE_BITS = 11

_BEYOND_HALF = 65536.0

_STARTS = (
    16380, 15418, 14560, 13795, 13106, 12482, 11914, 11399, 10924, 10487, 10084, 9710, 9365, 9042, 8741, 8458,
)  # fmt: skip
"""Where each line starts, in eighths of a unit of 2^-10."""

_SLOPES = (
    3850, 3431, 3056, 2736, 2490, 2279, 2075, 1900, 1748, 1599, 1496, 1375, 1289, 1201, 1122, 1048,
)  # fmt: skip
"""How much each line falls from one mantissa to the next, in units of 2^-21."""


@rule(
    "RASTER-ADVANCED-1",
    "The blender's reciprocal of a half is exact for powers of two; else the mantissa's upper four bits choose one "
    "of sixteen lines, its lower six a point on it, which is cut to 11 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "hardware-clip-rules"),
)
def reciprocal(values: Float64) -> Float64:
    """Return reciprocals of halves; infinite for zero, and beyond a half.

    Parameters
    ----------
    values : float64
        Halves.

    Returns
    -------
    float64
        11 significant bits.

    Examples
    --------
    >>> reciprocal(np.array([0.5, 3.0])).tolist()
    [2.0, 0.333251953125]
    """
    fraction, power = np.frexp(np.abs(values))
    mantissa = np.where(np.isfinite(fraction), fraction * 2048 - 1024, 0).astype(np.int64)
    part, along = mantissa >> _PART_BITS & 15, mantissa & ((1 << _PART_BITS) - 1)
    line = np.array(_STARTS)[part] * (1 << _SLOPE_BITS - 3) - np.array(_SLOPES)[part] * along
    units = np.where(mantissa == 0, 2 << _MANTISSA_BITS, line >> _SLOPE_BITS)
    found = np.copysign(np.ldexp(units / float(1 << _MANTISSA_BITS), -power), values)
    beyond = (values == 0) | (np.abs(found) >= _BEYOND_HALF)
    return np.where(beyond, np.copysign(np.inf, values), found)
