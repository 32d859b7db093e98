"""How long and how wide is a pixel's footprint, and along which direction is it sampled?

The ratio of its axes is ``rho^2 / |det|`` in logarithms; the level of detail is the one of the shorter axis. Along
the longer axis stand the taps of ``anisotropy_taps.py``.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.lod import (
    BITS,
    Derivatives,
    combined,
    cut,
    eleven_sixteenths,
    four_lengths,
    log2_256,
    multiplied,
)

_SOURCES = ("texture-vectors", "texture-rules")


class Axes(NamedTuple):
    """A footprint.

    Attributes
    ----------
    length_log2_256 : int64
        Logarithm of the longer axis in texels of level 0.
    ratio_log2_256 : int64
        Logarithm of the ratio of the axes, 0 to that of the largest anisotropy.
    step_x_64, step_y_64 : int64
        One texel along the longer axis, in 1/64 texel.
    """

    length_log2_256: Int64
    ratio_log2_256: Int64
    step_x_64: Int64
    step_y_64: Int64

    @property
    def lod_256(self) -> Int64:
        """The level of detail: that of the shorter axis."""
        return self.length_log2_256 - self.ratio_log2_256


def _product(a: Float64, b: Float64) -> Float64:
    """Return the product of ten-bit numbers, cut to ten bits as in ``lod.py``."""
    (mantissa_a, exponent_a), (mantissa_b, exponent_b) = np.frexp(np.abs(a)), np.frexp(np.abs(b))
    whole_a, whole_b = (np.floor(np.ldexp(m, BITS)).astype(np.int64) for m in (mantissa_a, mantissa_b))
    product = multiplied(whole_a, whole_b, BITS - 1).astype(np.float64)
    magnitude = cut(np.ldexp(product, exponent_a + exponent_b - BITS - 1))
    return np.sign(a) * np.sign(b) * magnitude


@rule(
    "TEX-ANISO-1",
    "The ratio of a footprint's axes is its length squared over the determinant, by logarithms in 1/256, at least 1 "
    "and at most the sampler's largest anisotropy, rounded down to a power of two.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def ratio_log2_256(length_log2_256: Int64, d: Derivatives, largest: float) -> Int64:
    """Return the logarithm of the ratio of the axes, in 1/256.

    Examples
    --------
    >>> ratio_log2_256(np.array(512), Derivatives(*map(np.array, (4.0, 0.0, 0.0, 1.0))), 16).tolist()
    512
    """
    determinant = combined(_product(d.dudx, d.dvdy), -_product(d.dvdx, d.dudy))
    most = (math.frexp(max(1.0, largest))[1] - 1) * 256
    return np.clip(2 * length_log2_256 - log2_256(np.abs(determinant)), 0, most)


@functools.cache
def _unit_vectors() -> Int64:
    """Return round(64 a / sqrt(a^2 + b^2)) for a = 2m + 1, b = 2M + 1 and m, M from 0 to 15, [m, M]."""
    table = np.zeros((16, 16), np.int64)
    for m in range(16):
        for n in range(16):
            a, b = 2 * m + 1, 2 * n + 1
            table[m, n] = (math.isqrt((128 * a) ** 2 // (a * a + b * b)) + 1) // 2
    return table


@rule(
    "TEX-ANISO-2",
    "Taps stand along the vector that was longest of the two derivatives, their sum and their difference; its "
    "direction is known by the first four bits of its components, and one texel along it in 1/64 texel.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def one_texel_along(d: Derivatives, winner: Int64) -> tuple[Int64, Int64]:
    """Return one texel along the longer axis, (x, y) in 1/64 texel.

    Parameters
    ----------
    d : Derivatives
    winner : int64
        0 and 1 the derivatives, 2 their sum, 3 their difference.

    Examples
    --------
    >>> [int(part) for part in one_texel_along(Derivatives(*map(np.array, (3.0, 3.0, 0.0, 0.5))), np.array(0))]
    [45, 45]
    """
    x = np.choose(winner, [d.dudx, d.dudy, combined(d.dudx, d.dudy), combined(d.dudx, -d.dudy)])
    y = np.choose(winner, [d.dvdx, d.dvdy, combined(d.dvdx, d.dvdy), combined(d.dvdx, -d.dvdy)])
    size_x, size_y = (np.where(winner > 1, eleven_sixteenths(v), np.abs(v)) for v in (x, y))
    large, small = np.maximum(size_x, size_y), np.minimum(size_x, size_y)
    power = np.frexp(large)[1]
    first, second = (np.floor(np.ldexp(v, 4 - power)).astype(np.int64) for v in (large, small))
    flat = np.floor(np.ldexp(small, 6 - power)) == 0
    table = _unit_vectors()
    first, second = np.clip(first, 0, 15), np.clip(second, 0, 15)
    long_side = np.where(flat, 64, table[first, second])
    short_side = np.where(flat, 0, table[second, first])
    x_is_long = size_x > size_y
    return (
        (np.where(x_is_long, long_side, short_side) * np.sign(x)).astype(np.int64),
        (np.where(x_is_long, short_side, long_side) * np.sign(y)).astype(np.int64),
    )


def axes_of(d: Derivatives, largest: float) -> Axes:
    """Return the footprints of derivatives in texels.

    Parameters
    ----------
    d : Derivatives
        In texels, ten bits each.
    largest : float
        The sampler's largest anisotropy, 1 to 16.
    """
    lengths = four_lengths(d)
    length = log2_256(lengths.max(axis=0))
    return Axes(length, ratio_log2_256(length, d, largest), *one_texel_along(d, lengths.argmax(axis=0)))
