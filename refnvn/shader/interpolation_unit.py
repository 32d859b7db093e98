"""How does the hardware compute 1/x, roots, exp2, log2 and sine: by a quadratic in a table's segment.

One unit serves all of them. The leading bits of the argument pick a segment with three coefficients, the rest is the
distance ``x`` into it, and the result is C0 + C1 * x + C2 * x^2 in fixed point, cut. The square is short: of its
partial products only the columns above bit 16 (for 16 bits of x) or 18 (for 17) are added.

The coefficients (``special_functions.csv``) were recovered from results for every operand of whole ranges
(``tests/data/special_functions``); they give all of those.
The text is written for arrays and scalars alike: see ``bits.py``. Read next: ``special_functions.py``.
"""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Fixed: TypeAlias = Any
"""int64, array or scalar: a fixed-point number."""

FRACTION_BITS = 17
"""Fraction bits of an interpolated value below its last place, which is 2^-24."""


@functools.cache
def _rows() -> dict[str, list[tuple[int, int, int]]]:
    found: dict[str, list[tuple[int, int, int]]] = {}
    with Path(__file__).with_name("special_functions.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["function"], []).append(
                (int(row["c0_quarter"]), int(row["c1"]), int(row["c2_half"]))
            )
    return found


def coefficients(function: str) -> NDArray[np.int64]:
    """Return the table of a function: a row for each segment.

    Parameters
    ----------
    function : str
        ``reciprocal``, ``sqrt``, ``inverse_sqrt``, ``exp2``, ``log2`` or ``sin``.

    Returns
    -------
    int64, shape (segments, 3)
        C0 in quarters, C1 in ones, C2 in halves of the result's last place, per segment, segment and segment squared.

    Examples
    --------
    >>> coefficients("reciprocal")[0].tolist()
    [67108864, -131068, 2026]
    """
    return np.array(_rows()[function], dtype=np.int64)


def short_square(x: Fixed, dropped: int) -> Fixed:
    """Return the square of x without the partial products of the columns up to ``dropped``.

    The product of bits i < j of x stands in column i + j + 1, that of bit i with itself in column 2 i.

    >>> short_square(np.array([3, 1 << 15]), 16).tolist()
    [0, 1073741824]
    """
    lost = np.int64(0) * x
    for i in range(dropped // 2 + 1):
        bit = (x >> np.int64(i)) & np.int64(1)
        above = (x >> np.int64(i + 1)) & np.int64((1 << max(dropped - 1 - 2 * i, 0)) - 1)
        lost = lost + bit * ((above << np.int64(2 * i + 2)) + np.int64(1 << (2 * i)))
    return x * x - lost


@rule(
    "SHADER-UNIT-1",
    "Reciprocal, roots, exp2, log2 and sine are quadratics in 64 or 128 segments, with coefficients of 26, 16 and 10 "
    "bits or so, a short square, and a result that is cut, not rounded.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("special-function-sweeps", "shader-vectors"),
)
def interpolate_17(table: NDArray[np.int64], segment: Fixed, x: Fixed, bias: int) -> Fixed:
    """Return C0 + C1 x + C2 x^2 for a distance of 17 bits, with 17 bits below the last place.

    Parameters
    ----------
    table : int64, shape (segments, 3)
        From :func:`coefficients`.
    segment, x : int64
        The segment, and the distance into it of 17 bits.
    bias : int
        Added, in units of the result.
    """
    square = short_square(x, 18) >> np.int64(18)
    constant = (table[segment, 0] << np.int64(FRACTION_BITS - 2)) + np.int64(bias)
    return constant + table[segment, 1] * x + table[segment, 2] * square


def interpolate_16(table: NDArray[np.int64], segment: Fixed, x: Fixed, bias: int) -> Fixed:
    """Return the same for a distance of 16 bits."""
    square = short_square(x, 16) >> np.int64(16)
    constant = (table[segment, 0] << np.int64(FRACTION_BITS - 2)) + np.int64(bias)
    return constant + ((table[segment, 1] * x) << np.int64(1)) + table[segment, 2] * square
