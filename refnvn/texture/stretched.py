"""Which quads does an anisotropic footprint have in one level?

Each tap is the linear filter's quad, moved along the longer axis, with a share of the level's weight. Weights count
in 1/1024 here, for taps weigh halves and quarters of 1/256. In which order the chip adds the taps of formats with an
exponent is not known: this adds pair after pair from the middle, the lower tap first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from refnvn.formats.floatbits import Int64
from refnvn.rules.fields import Rules
from refnvn.texture.anisotropy import Axes, axes_of
from refnvn.texture.anisotropy_taps import MOST_PAIRS, first_tap_128, shared_weight, spread_over
from refnvn.texture.footprint import Lanes, Quad, flat_quads
from refnvn.texture.lod import Derivatives
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

UNITS = 4
"""Weights of taps count in 1/256 of a quarter."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The axes of all lanes' footprints."""

    axes: Axes

    @property
    def lod_256(self) -> Int64:
        """The level of detail, that of the shorter axis."""
        return self.axes.lod_256


def stretch_of(d: Derivatives, largest: float) -> Stretch:
    """Return the axes of footprints; derivatives are in texels."""
    return Stretch(axes_of(d, largest))


def stretched_quads(
    texture: SampledTexture,
    sampler: Sampler,
    lanes: Lanes,
    stretch: Stretch,
    lod_256: Int64,
    level: Int64,
    weight: Int64,
    rules: Rules,
) -> list[Quad]:
    """Return the quads of a level, weights in 1/1024.

    Parameters
    ----------
    texture, sampler, lanes, rules
    stretch : Stretch
    lod_256 : int64, shape (lanes,)
        The level of detail that is sampled.
    level, weight : int64, shape (lanes,)
        The level of each lane, and its weight in 1/256.
    """
    axes = stretch.axes
    taps, spacing_64 = spread_over(axes, lod_256, level, mixed=sampler.is_linear_between_levels)
    quads: list[Quad] = []
    scale = UNITS // taps.units
    weights = {side: shared_weight(taps.weight, weight, side) for side in (-1, 1)}
    first = [first_tap_128(taps.first_256, one, spacing_64) for one in (axes.step_x_64, axes.step_y_64)]
    for pair in range(MOST_PAIRS):
        if not taps.weight[pair].any():
            continue
        for side in (-1, 1):
            times = 2 * side * (2 * pair + 1)  # 1/128 to 1/256
            moved = (times * first[0], times * first[1])
            quads += [
                replace(quad, weights=quad.weights * scale)
                for quad in flat_quads(texture, sampler, lanes, level, weights[side][pair], rules, moved)
            ]
    return quads
