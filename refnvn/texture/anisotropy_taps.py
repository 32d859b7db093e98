"""Where along a footprint does the filter take its taps, and how much does each weigh?

Taps come in pairs, one on each side of the middle. All pairs but the outermost weigh the same. Weights are counted in
1/1024 of the whole, which holds the halves and quarters of 1/256 that the chip has.

```
 ratio 3:    o     o  |  o     o      pairs at 1/2 and 3/2 steps; the outer one weighs what is left
```
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from refnvn.formats.floatbits import Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.anisotropy import Axes

MOST_PAIRS = 8
_SOURCES = ("texture-vectors", "texture-rules")


class Taps(NamedTuple):
    """Pairs of taps of each lane.

    Attributes
    ----------
    first_256 : int64, shape (lanes,)
        How far the taps of the first pair stand from the middle, in 1/256 step; the next ones 3, 5, ... times that.
    weight : int64, shape (8, lanes)
        Of one tap of the pair, in 1/256 of the unit; 0 where there is no such pair.
    units : int64, shape (lanes,)
        2 or 4: the weights of both taps of all pairs add up to 256 times this.
    """

    first_256: Int64
    weight: Int64
    units: Int64


@functools.cache
def _reciprocal_powers() -> Int64:
    """Return round(256 * 2^(-f/256)) for f = 0 .. 255, by integers."""
    return np.array([_largest_power(9 * 256 - fraction) for fraction in range(256)], np.int64)


def _largest_power(exponent_256: int) -> int:
    """Return 2^(exponent/256 - 1) rounded to nearest, for results up to 256: no number of these ends in a half."""
    return next(m for m in range(256, 0, -1) if (2 * m - 1) ** 256 <= 1 << exponent_256)


@functools.cache
def _powers_128() -> Int64:
    """Return floor(128 * 2^(x/256) + 1/2) for x = 0 .. 256, by integers."""
    return np.array([_largest_power(8 * 256 + fraction) for fraction in range(257)], np.int64)


@rule(
    "TEX-ANISO-3",
    "With m = 256 / ratio, kept to halves below ratio 4 and to quarters from there, there are 128/m pairs, rounded "
    "up, at 1/2, 3/2, ... steps; all weigh m but the outermost, which takes the rest. Below ratio 2 there is one "
    "pair at 1 - 1/ratio.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def taps_of(ratio_log2_256: Int64) -> Taps:
    """Return the taps of footprints.

    Parameters
    ----------
    ratio_log2_256 : int64, shape (lanes,)
        0 to 1024.

    Examples
    --------
    >>> taps = taps_of(np.array([512]))
    >>> taps.weight[:3, 0].tolist(), int(taps.first_256[0]), int(taps.units[0])
    ([256, 256, 0], 128, 4)
    """
    whole, fraction = ratio_log2_256 >> 8, ratio_log2_256 & 255
    reciprocal = _reciprocal_powers()[fraction]  # 256 / the fraction's power
    quarters = reciprocal << 2 >> whole  # of m; what is finer is cut
    units = np.where((whole == 0) | (quarters > 4 * 64), 2, 4)
    pairs = np.where(whole == 0, 1, -(-512 // quarters))
    each = np.where(units == 2, quarters >> 1, quarters)
    index = np.arange(MOST_PAIRS)[:, np.newaxis]
    rest = 128 * units - (pairs - 1) * each
    weight = np.where(index < pairs - 1, each, np.where(index == pairs - 1, rest, 0))
    return Taps(np.where(whole == 0, 256 - reciprocal, 128), weight, units)


class Spread(NamedTuple):
    """The taps of one level: like :class:`Taps`, with the distance between them.

    Attributes
    ----------
    taps : Taps
    spacing_64 : int64, shape (lanes,)
        Texels of the level from tap to tap, in 1/64.
    """

    taps: Taps
    spacing_64: Int64


@rule(
    "TEX-ANISO-4",
    "The ratio of the taps is the footprint's, or the longer axis in texels of level 0 where the shorter is below "
    "one there, whatever biases and clamps say. Of two mixed levels the nearer has this ratio, with taps spaced by "
    "2^(lod - level) rounded to 1/128 texel and cut to 1/64; the further has it times 2^(lod - level) and taps one "
    "texel apart, as has a level that is not mixed.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=(*_SOURCES, "texture-probe"),
)
def spread_over(axes: Axes, lod_256: Int64, level: Int64, *, mixed: bool) -> Spread:
    """Return the taps of footprints in one level.

    Parameters
    ----------
    axes : Axes
        Of the footprints.
    lod_256 : int64, shape (lanes,)
        The level of detail that is sampled: biased, clamped, within the levels.
    level : int64, shape (lanes,)
    mixed : bool
        Whether the mip filter is linear.

    Examples
    --------
    >>> one = np.array([64])
    >>> axes = Axes(np.array([640]), np.array([256]), one, one)
    >>> spread = spread_over(axes, axes.lod_256, np.array([1]), mixed=True)
    >>> int(spread.spacing_64[0]), spread.taps.weight[:2, 0].tolist()
    (90, [256, 0])
    """
    ratio = np.clip(np.where(axes.lod_256 > 0, axes.ratio_log2_256, axes.length_log2_256), 0, 1024)
    if not mixed:
        return Spread(taps_of(ratio), np.full(ratio.shape, 64, np.int64))
    beyond = lod_256 - 256 * level
    taps = taps_of(np.where(beyond >= 0, ratio, np.clip(ratio + beyond, 0, 1024)))
    return Spread(taps, np.where(beyond > 0, _powers_128()[np.clip(beyond, 0, 256)] >> 1, 64))


@rule(
    "TEX-ANISO-5",
    "The first tap along the direction stands at its offset times one texel, rounded to 1/128 texel with halves "
    "toward larger coordinates, times the spacing, floored to 1/128; the next ones at 3, 5, ... times that, the "
    "other taps of the pairs as far on the other side.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=(*_SOURCES, "texture-probe"),
)
def first_tap_128(first_256: Int64, one_texel_64: Int64, spacing_64: Int64) -> Int64:
    """Return how far the first tap along the direction stands from the middle along one axis, in 1/128 texel.

    Parameters
    ----------
    first_256, spacing_64 : int64, shape (lanes,)
        Of :class:`Taps` and :class:`Spread`.
    one_texel_64 : int64, shape (lanes,)
        One texel along the direction, in 1/64 texel.

    Examples
    --------
    >>> int(first_tap_128(np.array(128), np.array(-64), np.array(64)))
    -64
    >>> int(first_tap_128(np.array(125), np.array(-64), np.array(105)))
    -102
    """
    return (((first_256 * one_texel_64 + 64) >> 7) * spacing_64) >> 6


@rule(
    "TEX-ANISO-6",
    "Of two levels each gives its share of every tap's weight by running sums from the middle outward, rounded to "
    "nearest, so that the whole is kept; halves go up on the side of the direction and down on the other.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def shared_weight(weight: Int64, level_weight: Int64, side: int) -> Int64:
    """Return the weights of taps in a level of a weight in 1/256, shape (pairs, lanes).

    Parameters
    ----------
    weight : int64, shape (pairs, lanes)
    level_weight : int64, shape (lanes,)
    side : int
        1 for the taps along the direction, -1 for the others.

    Examples
    --------
    >>> shared_weight(np.array([[1], [1]]), np.array([128]), 1)[:, 0].tolist()
    [1, 0]
    >>> shared_weight(np.array([[1], [1]]), np.array([128]), -1)[:, 0].tolist()
    [0, 1]
    """
    running = (np.cumsum(weight, axis=0) * level_weight + (128 if side > 0 else 127)) >> 8
    return np.diff(running, axis=0, prepend=0)
