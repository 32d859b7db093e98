"""How far apart are two pixels in texels, and which level of detail is that?

Everything is a float of ten bits, the leading one included, cut or rounded at a stated place of each step. A length
is no square root but ``max + 11/32 min``; the footprint's length is the largest of four: of the two derivatives, and
of their sum and difference times 11/16, which stand in for the diagonals of the pixel.

Levels of detail are integers in 1/256. What biases and clamps do to them: ``level.py``. 3D: ``lod_volume.py``. Cubes:
``lod_cube.py``.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, LodLength, Rules
from refnvn.rules.registry import rule

BITS = 10
_SOURCES = ("texture-vectors", "texture-rules")
_HUGE = 2.0**60
_LEAST, _LARGEST = 2.0**-120, 2.0**120


class Derivatives(NamedTuple):
    """What two coordinates change by from a pixel to its neighbours, to the right and up or down, in texels."""

    dudx: Float64
    dvdx: Float64
    dudy: Float64
    dvdy: Float64


def exponent_above(value: Float64) -> NDArray[np.int32]:
    """Return e where abs(value) < 2^e and no smaller e would do; 0 for 0."""
    return np.frexp(value)[1].astype(np.int32)


def cut(value: Float64, bits: int = BITS) -> Float64:
    """Drop all significant bits but the first ``bits``, toward zero.

    >>> float(cut(np.array(1023.9)))
    1023.0
    """
    mantissa, exponent = np.frexp(value)
    result: Float64 = np.ldexp(np.trunc(np.ldexp(mantissa, bits)), exponent - bits)
    return result


def rounded(value: Float64, unit: Float64) -> Float64:
    """Round to a multiple of a power of two, halves up."""
    result: Float64 = np.floor(value / unit + 0.5) * unit
    return result


def unit_of(value: Float64, bits: int) -> Float64:
    """Return the place of the last of ``bits`` significant bits."""
    unit: Float64 = np.ldexp(1.0, exponent_above(value) - bits)
    return unit


def multiplied(mantissa: Int64, factor: ArrayLike, drop: ArrayLike) -> Int64:
    """Multiply a ten-bit mantissa by an integer, in units of 2^drop, as the chip does.

    Each partial product is cut at three bits below the unit, their sum rounded up in eighths.

    >>> int(multiplied(np.array(513), 80, 6))
    642
    """
    times = np.asarray(factor, np.int64)
    eighths = np.zeros(np.broadcast_shapes(mantissa.shape, times.shape), np.int64)
    for bit in range(BITS):
        eighths += ((mantissa >> bit) & 1) * ((times << (bit + 3)) >> np.asarray(drop, np.int64))
    return (eighths + 7) >> 3


@rule(
    "TEX-LOD-1",
    "A derivative is cut to ten bits and multiplied by the size: partial products are cut three places below the "
    "last, their sum is rounded up in eighths and cut to ten bits; NaN is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def in_texels(derivative: ArrayLike, size_px: ArrayLike) -> Float64:
    """Return a derivative of a normalised coordinate in texels.

    Parameters
    ----------
    derivative : float32, any shape
        Any float.
    size_px : integers
        Texels along the axis.

    Returns
    -------
    float64, same shape
        Ten significant bits.

    Examples
    --------
    >>> float(in_texels(0.1, 80)), float(in_texels(-0.5, 64))
    (8.0, -32.0)
    """
    wide = np.nan_to_num(np.asarray(derivative, np.float64), nan=0.0, posinf=_HUGE, neginf=-_HUGE)
    mantissa, exponent = np.frexp(np.abs(wide))
    size = np.asarray(size_px, np.int64)
    size_exponent = np.frexp(size.astype(np.float64))[1].astype(np.int64) - 1
    product = multiplied(np.floor(np.ldexp(mantissa, BITS)).astype(np.int64), size, size_exponent)
    scaled = np.ldexp(product.astype(np.float64), exponent - BITS + size_exponent.astype(np.int32))
    return np.copysign(cut(scaled), wide)


def combined(one: Float64, other: Float64) -> Float64:
    """Add after cutting both at eleven bits below the larger exponent.

    >>> float(combined(np.array(1.0), np.array(2.0**-11)))
    1.0
    """
    unit = unit_of(np.maximum(np.abs(one), np.abs(other)), BITS + 1)
    result: Float64 = np.trunc(one / unit) * unit + np.trunc(other / unit) * unit
    return result


def _larger_smaller(a: Float64, b: Float64) -> tuple[Float64, Float64]:
    return np.maximum(np.abs(a), np.abs(b)), np.minimum(np.abs(a), np.abs(b))


@rule(
    "TEX-LOD-2",
    "The length of a derivative is its larger component plus 11/32 of the smaller, rounded half up at a quarter of "
    "the smaller one's last place.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def length(a: Float64, b: Float64) -> Float64:
    """Return the length of vectors of ten-bit components.

    Examples
    --------
    >>> float(length(np.array(32.0), np.array(-32.0)))
    43.0
    """
    large, small = _larger_smaller(a, b)
    return cut(large) + rounded(cut(small) * 11 / 32, unit_of(small, BITS + 2))


def eleven_sixteenths(value: Float64) -> Float64:
    """Return 11/16 of a magnitude, rounded half up at half its last place."""
    magnitude = np.abs(value)
    return rounded(cut(magnitude) * 11 / 16, unit_of(magnitude, BITS + 1))


def diagonal_length(a: Float64, b: Float64) -> Float64:
    """Return 11/16 of the length of a sum or difference of derivatives, as its own approximation.

    11/16 of the larger component, cut to ten bits, and 121/512 of the smaller, rounded at an eighth of its last
    place.
    """
    large, small = _larger_smaller(a, b)
    return cut(eleven_sixteenths(large)) + rounded(cut(small) * 121 / 512, unit_of(small, BITS + 3))


@rule(
    "TEX-LOD-3",
    "The footprint's length is the largest of |dx|, |dy|, 11/16 |dx + dy| and 11/16 |dx - dy|.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    fields=("lod_length",),
)
def four_lengths(d: Derivatives, rules: Rules = NVN) -> Float64:
    """Return the four lengths, shape (4, ...); the largest one counts.

    Parameters
    ----------
    d : Derivatives
        In texels, ten bits each.
    rules : Rules
        Reads ``lod_length``: a port takes the larger of the two true lengths.

    Examples
    --------
    >>> four_lengths(Derivatives(*map(np.array, (4.0, 0.0, 0.0, 4.0)))).tolist()
    [4.0, 4.0, 3.6953125, 3.6953125]
    """
    if rules.lod_length is LodLength.EUCLIDEAN:
        lengths = [np.sqrt(a * a + b * b) for a, b in ((d.dudx, d.dvdx), (d.dudy, d.dvdy))]
        return np.stack([*lengths, np.zeros_like(lengths[0]), np.zeros_like(lengths[0])])
    sums = combined(d.dudx, d.dudy), combined(d.dvdx, d.dvdy)
    differences = combined(d.dudx, -d.dudy), combined(d.dvdx, -d.dvdy)
    return np.stack(
        [length(d.dudx, d.dvdx), length(d.dudy, d.dvdy), diagonal_length(*sums), diagonal_length(*differences)]
    )


@functools.cache
def _log_table() -> Int64:
    """Return round(256 log2(1 + (j + 15/32)/256)) for all j, by integers: the ends are 0 and 255."""
    table = []
    for j in range(256):
        numerator = 8192 + 32 * j + 15  # over 2^13
        twice = (numerator**512).bit_length() - 1 - 13 * 512  # floor(512 log2)
        table.append((twice + 1) // 2)
    table[0], table[255] = 0, 255
    return np.array(table, np.int64)


@rule(
    "TEX-LOD-4",
    "The logarithm of a length, in 1/256, is its exponent and a table entry for its next eight bits j: "
    "log2(1 + (j + 15/32)/256) rounded to nearest, 0 for j = 0 and 255 for j = 255.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def log2_256(value: Float64) -> Int64:
    """Return 256 log2 of values; of 0 a number far below any level.

    Examples
    --------
    >>> log2_256(np.array([1.0, 4.0, 1.5])).tolist()
    [0, 512, 150]
    """
    mantissa, exponent = np.frexp(np.clip(np.nan_to_num(value, nan=0.0, posinf=_LARGEST), _LEAST, _LARGEST))
    index = np.floor(np.ldexp(mantissa, 9)).astype(np.int64) - 256
    logarithm: Int64 = (exponent.astype(np.int64) - 1) * 256 + _log_table()[index]
    return logarithm


def derivatives_in_texels(
    dx: NDArray[np.floating], dy: NDArray[np.floating], width_px: int, height_px: int
) -> Derivatives:
    """Return derivatives in texels; dx and dy hold u and v, shape (2, ...)."""
    return Derivatives(
        in_texels(dx[0], width_px),
        in_texels(dx[1], height_px),
        in_texels(dy[0], width_px),
        in_texels(dy[1], height_px),
    )


def lod_of_gradients(
    dx: NDArray[np.floating], dy: NDArray[np.floating], width_px: int, height_px: int, rules: Rules = NVN
) -> Int64:
    """Return the level of detail of a 2D texture, in 1/256, not yet biased or clamped.

    Parameters
    ----------
    dx, dy : float32, shape (2, ...)
        What u and v change by in each direction of the screen.
    width_px, height_px : int
        Of level 0 of the view.
    rules : Rules
        Reads ``lod_length``.

    Returns
    -------
    int64, shape (...)

    Examples
    --------
    Four texels to the pixel make level 2:

    >>> lod_of_gradients(np.array([[4 / 64], [0.0]]), np.array([[0.0], [4 / 64]]), 64, 64).tolist()
    [512]
    """
    lengths = four_lengths(derivatives_in_texels(dx, dy, width_px, height_px), rules)
    return log2_256(lengths.max(axis=0))
