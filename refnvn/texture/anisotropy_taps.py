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
    offset_256 : int64, shape (8, lanes)
        How far both taps of a pair stand from the middle, in 1/256 step.
    weight : int64, shape (8, lanes)
        Of one tap of the pair, in 1/256 of the unit; 0 where there is no such pair.
    units : int64, shape (lanes,)
        2 or 4: the weights of both taps of all pairs add up to 256 times this.
    """

    offset_256: Int64
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
    >>> taps.weight[:3, 0].tolist(), taps.offset_256[:2, 0].tolist(), int(taps.units[0])
    ([256, 256, 0], [128, 384], 4)
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
    offset = np.broadcast_to(256 * index + 128, weight.shape)
    return Taps(np.where(whole == 0, 256 - reciprocal, offset), weight, units)


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
    "Taps stand one texel apart; only the nearer of two mixed levels spaces them by the shorter axis, "
    "2^(lod - level) rounded to 1/128 texel and cut to 1/64. The ratio is the footprint's, but in the further of two "
    "mixed levels, and where the shorter axis is below a texel of level 0, it is the longer axis in texels of the "
    "level.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def spread_over(axes: Axes, level: Int64, *, mixed: bool) -> Spread:
    """Return the taps of footprints in one level.

    Parameters
    ----------
    axes : Axes
        Of the footprints.
    level : int64, shape (lanes,)
    mixed : bool
        Whether the mip filter is linear.

    Examples
    --------
    >>> one = np.array([64])
    >>> spread = spread_over(Axes(np.array([640]), np.array([256]), one, one), np.array([1]), mixed=True)
    >>> int(spread.spacing_64[0]), spread.taps.weight[:2, 0].tolist()
    (90, [256, 0])
    """
    beyond = axes.lod_256 - (256 * level if mixed else 0)
    is_wide = beyond > 0
    in_level = np.clip(axes.length_log2_256 - 256 * level, 0, 1024)
    taps = taps_of(np.where(is_wide, axes.ratio_log2_256, in_level))
    spaced = _powers_128()[np.clip(beyond, 0, 256)] >> 1 if mixed else 64
    return Spread(taps, np.where(is_wide, spaced, 64))


@rule(
    "TEX-ANISO-5",
    "The step from tap to tap along each axis of the texture is the direction times the spacing, floored to 1/64 "
    "texel; a tap along the direction moves the linear filter's position by its offset in steps, rounded to 1/128 "
    "texel, halves toward larger coordinates; the other tap of the pair moves as far back.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    exactness="bit-exact, but in the nearer of two mixed levels where the ratio is below 2: there weights differ by "
    "at most 1/256 in 10 of 180 footprints, reason unknown",
)
def tap_offset_256(offset_256: Int64, one_texel_64: Int64, spacing_64: Int64) -> Int64:
    """Return how far a tap stands from the middle along one axis, in 1/256 texel.

    Examples
    --------
    >>> int(tap_offset_256(np.array(128), np.array(-64), np.array(64)))
    -128
    >>> int(tap_offset_256(np.array(256), np.array(-33), np.array(65)))
    -136
    """
    step_64 = (one_texel_64 * spacing_64) >> 6
    return 2 * ((offset_256 * step_64 + 64) >> 7)


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
