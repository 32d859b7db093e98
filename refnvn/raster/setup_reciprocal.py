"""What does the set-up stage divide by, and what do 1 / w and its reciprocal become?

There is no divider. Set-up has a small interpolation unit of its own for one over the doubled area: a quadratic in
each of 128 segments of an octave, in fixed point, cut. One over w is the shader's reciprocal
(``refnvn/shader/division.py``), at vertices and at pixels.

The coefficients (``setup_reciprocal.csv``) are the only ones that give what was measured of all 2^22 arguments.
Read next: ``planes.py``.
"""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Any

import numpy as np

from refnvn.formats.floatbits import Int64
from refnvn.raster.either import binary_exponent, chosen, two_to_the
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import as_float, as_word
from refnvn.shader.division import float_rcp

_BITS = 24
_SEGMENT_BITS, _PLACE_BITS = 7, 16
_BELOW_BITS = 29
"""Bits of a float64's fraction below the 24 of a float32."""
_FRACTION, _PLACE = np.int64((1 << (_BITS - 1)) - 1), np.int64((1 << _PLACE_BITS) - 1)
_POWER_OF_HALF = np.int64(-1)


@functools.cache
def coefficients() -> Int64:
    """Return the table: C0 in quarters, C1 in quarters, C2 in halves of the last place, int64 (128, 3).

    >>> coefficients()[0].tolist()
    [67108866, -524272, 2024]
    """
    with Path(__file__).with_name("setup_reciprocal.csv").open(newline="", encoding="utf-8") as file:
        names = ("c0_quarter", "c1_quarter", "c2_half")
        return np.array([[int(row[name]) for name in names] for row in csv.DictReader(file)], dtype=np.int64)


def coefficient(segment: Any, power: int) -> Any:
    """Return one column of :func:`coefficients` at segments."""
    return coefficients()[segment, power]


@rule(
    "RASTER-RECIPROCAL-1",
    "The reciprocal of the doubled area is C0 + C1 x + C2 x^2 in one of 128 segments of an octave, x being 16 bits "
    "and its square cut to 16; the sum is cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("plane-vectors",),
    exactness="bit-exact for all 4194304 measured areas of 23 bits",
)
def setup_reciprocal(values: Any) -> Any:
    """Return 1 / values as set-up has it; works on arrays and in compiled code.

    Parameters
    ----------
    values : float64
        Normal, with at most 24 significant bits. Zero, which divides nothing, counts as one half.

    Examples
    --------
    >>> setup_reciprocal(np.array([1.0, -4.0, 3.0])).tolist()
    [1.0, -0.25, 0.3333333432674408]
    """
    power = chosen(values == 0, _POWER_OF_HALF, binary_exponent(values))
    fraction = (np.float64(values).view(np.int64) >> _BELOW_BITS) & _FRACTION
    segment, x = fraction >> _PLACE_BITS, fraction & _PLACE
    square = (x * x) >> _PLACE_BITS
    total = (coefficient(segment, 0) << _PLACE_BITS) + coefficient(segment, 1) * x
    total = total + ((coefficient(segment, 2) * square) << 1)
    found = np.float64(total >> (_PLACE_BITS + 2)) * two_to_the(-power - _BITS)
    return chosen(values < 0, -found, found)


@rule(
    "RASTER-RECIPROCAL-2",
    "One over w, of a vertex and of the plane of 1 / w at a pixel, is the reciprocal that shaders have.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "plane-vectors"),
    exactness="bit-exact for every float from 1 to 2",
)
def reciprocal(values: Any) -> Any:
    """Return 1 / values of float32, as float64; works on arrays and in compiled code.

    >>> reciprocal(np.array([2.0, 1.0, 255.0], np.float32)).tolist()
    [0.5, 1.0, 0.003921568393707275]
    """
    return np.float64(as_float(float_rcp(as_word(values), 0)))
