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

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import as_float, as_word
from refnvn.shader.division import float_rcp

_BITS = 24
_SEGMENT_BITS, _PLACE_BITS = 7, 16


@functools.cache
def coefficients() -> Int64:
    """Return the table: C0 in quarters, C1 in quarters, C2 in halves of the last place, int64 (128, 3).

    >>> coefficients()[0].tolist()
    [67108866, -524272, 2024]
    """
    with Path(__file__).with_name("setup_reciprocal.csv").open(newline="", encoding="utf-8") as file:
        names = ("c0_quarter", "c1_quarter", "c2_half")
        return np.array([[int(row[name]) for name in names] for row in csv.DictReader(file)], dtype=np.int64)


@rule(
    "RASTER-RECIPROCAL-1",
    "The reciprocal of the doubled area is C0 + C1 x + C2 x^2 in one of 128 segments of an octave, x being 16 bits "
    "and its square cut to 16; the sum is cut to 24 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("plane-vectors",),
    exactness="bit-exact for all 4194304 measured areas of 23 bits",
)
def setup_reciprocal(values: Float64) -> Float64:
    """Return 1 / values as set-up has it.

    Parameters
    ----------
    values : float64
        Not zero; with at most 24 significant bits.

    Examples
    --------
    >>> setup_reciprocal(np.array([1.0, -4.0, 3.0])).tolist()
    [1.0, -0.25, 0.3333333134651184]
    """
    mantissa, power = np.frexp(np.abs(values))
    whole = (mantissa * (1 << _BITS)).astype(np.int64)  # 2^23 to 2^24 - 1
    fraction = whole - (1 << (_BITS - 1))
    segment, x = fraction >> _PLACE_BITS, fraction & ((1 << _PLACE_BITS) - 1)
    c0, c1, c2 = (coefficients()[segment, k] for k in range(3))
    square = (x * x) >> _PLACE_BITS
    total = (c0 << _PLACE_BITS) + c1 * x + ((c2 * square) << 1)
    significand = (total >> (_PLACE_BITS + 2)).astype(np.float64)
    found: Float64 = np.copysign(np.ldexp(significand, 1 - _BITS - power), values)
    return found


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
