"""What is known of a sample before texels are looked for: its level of detail, its levels, its filter.

Read next: ``sample.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from refnvn.formats.floatbits import Int64
from refnvn.rules.fields import NVN, Rules
from refnvn.texture.footprint import Lanes
from refnvn.texture.gradients import Gradients, derived_lod
from refnvn.texture.level import Mip, clamped_lod, in_256ths, is_minified, linear_levels, nearest_level, within_levels
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler, sampler_lod_256
from refnvn.texture.stretched import Stretch


def _mip(sampler: Sampler, lod_256: Int64, levels: int) -> Mip:
    """Return the levels of each lane."""
    nothing = np.zeros_like(lod_256)
    if not sampler.is_mipmapped:
        return Mip(nothing, nothing, nothing)
    if sampler.is_linear_between_levels:
        return linear_levels(lod_256, levels)
    level = nearest_level(lod_256)
    return Mip(level, level, nothing)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is known of a sample before texels are looked for."""

    lanes: Lanes
    lod_256: Int64
    mip: Mip
    stretch: Stretch | None


def plan_of(
    texture: SampledTexture,
    sampler: Sampler,
    lanes: Lanes,
    lod: ArrayLike | None = None,
    bias: ArrayLike = 0.0,
    gradients: Gradients | None = None,
    rules: Rules = NVN,
) -> Plan:
    """Return what is known of a sample before texels are looked for; parameters as for a sample."""
    count = lanes.coordinates.shape[1]
    stretch = None
    if lod is not None:
        lod_256 = np.broadcast_to(in_256ths(lod), (count,))
    elif gradients is None:
        lod_256 = np.zeros(count, np.int64)
    else:
        lod_256, stretch = derived_lod(texture, sampler, lanes.coordinates, gradients, rules)
    sampler_bias, least, largest = sampler_lod_256(sampler)
    clamped = clamped_lod(lod_256, in_256ths(bias) + sampler_bias, (least, largest))
    minified = is_minified(clamped)
    linear = np.where(minified, sampler.is_linear_minified, sampler.is_linear_magnified)
    inside = within_levels(clamped, len(texture.levels))
    mip = _mip(sampler, inside, len(texture.levels))
    return Plan(replace(lanes, linear=linear & (not texture.fmt.is_integer)), inside, mip, stretch)
