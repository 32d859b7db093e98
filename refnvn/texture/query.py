"""What do queries answer: sizes, levels, and the level of detail that a sample would take?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from refnvn.formats.floatbits import Float32, Int64
from refnvn.layout.description import TextureTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.gradients import Gradients, derived_lod
from refnvn.texture.level import clamped_lod, nearest_level, within_levels
from refnvn.texture.sample import checked_coordinates
from refnvn.texture.sampled import LINES, SampledTexture
from refnvn.texture.sampler import Sampler, sampler_lod_256


def size_of(texture: SampledTexture, level: int = 0) -> tuple[int, ...]:
    """Return the size of a level: columns, rows, and slices, layers or cubes, as the target has them; else zeros.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> codes = np.zeros((6, 4, 8, 1), np.uint8)
    >>> size_of(SampledTexture(format_named("R8"), TextureTarget.TARGET_2D_ARRAY, (codes,)))
    (8, 4, 6)
    """
    inside = 0 <= level < len(texture.levels)
    columns, rows, images = (int(size) for size in texture.sizes_px[:, level if inside else 0])
    last = images if texture.is_3d else texture.layers
    if texture.target in LINES or texture.target is TextureTarget.TARGET_BUFFER:
        size: tuple[int, ...] = (columns,)
    else:
        size = (columns, rows)
    size = (*size, last) if texture.is_3d or texture.is_array else size
    return size if inside else tuple(0 for _ in size)


@rule(
    "TEX-QUERY-1",
    "The query of the level of detail gives the level that a sample would take, biased by the sampler, clamped and, "
    "without a linear mip filter, rounded; and beside it the biased level of detail, not clamped.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules", "texture-probe"),
)
def query_lod(
    texture: SampledTexture, sampler: Sampler, coordinates: ArrayLike, gradients: Gradients, rules: Rules = NVN
) -> Float32:
    """Return ``(level, level of detail not clamped)`` of each lane, shape (2, lanes).

    Parameters
    ----------
    texture, sampler
    coordinates : float32, shape (coordinates, lanes)
    gradients : Gradients
    rules : Rules
        Reads ``lod_length``.
    """
    lod_256, _ = derived_lod(texture, sampler, checked_coordinates(texture, coordinates), gradients, rules)
    bias, least, largest = sampler_lod_256(sampler)
    level: Int64 = within_levels(clamped_lod(lod_256, bias, (least, largest)), len(texture.levels))
    if not sampler.is_mipmapped:
        level = np.zeros_like(level)
    elif not sampler.is_linear_between_levels:
        level = nearest_level(level) << 8
    return (np.stack([level, lod_256 + bias]) / 256).astype(np.float32)
