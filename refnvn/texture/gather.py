"""What does a gather read? One channel of the four texels that the linear filter would mix.

The texels come in the order lower left, lower right, upper right, upper left of OpenGL, rows counting upward: in
(column, row) of memory (0, 1), (1, 1), (1, 0), (0, 0). The mip filter plays no part: level 0 of the view is read.

Read next: ``fetch.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.enumerations import CompareMode
from refnvn.errors import ArgumentError, FieldRangeError
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, FilterWeights, Rules
from refnvn.rules.registry import rule
from refnvn.texture.cube import corner_shares
from refnvn.texture.footprint import Lanes, Quad, cube_quads, flat_quads
from refnvn.texture.results import filtered_words, quad_texels, texel_values
from refnvn.texture.sample import checked_coordinates
from refnvn.texture.sampled import SampledTexture, mapped_channels
from refnvn.texture.sampler import Sampler
from refnvn.texture.shadow import passes, reference_number

ORDER = (2, 3, 1, 0)
"""Texels of a quad, (0, 0), (1, 0), (0, 1), (1, 1), in the order in which a gather gives them."""

Offsets = tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]


def _quad(texture: SampledTexture, sampler: Sampler, lanes: Lanes) -> Quad:
    """Return the texels of the linear filter in level 0, whatever the sampler filters."""
    count = lanes.coordinates.shape[1]
    level, weight = np.zeros(count, np.int64), np.full(count, 256, np.int64)
    rules = NVN.with_(filter_weights=FilterWeights.NVIDIA)
    if texture.is_cube:
        return cube_quads(texture, lanes, level, weight, rules)[0]
    return flat_quads(texture, sampler, lanes, level, weight, rules)[0]


@rule(
    "TEX-GATHER-1",
    "A gather reads one channel, after the channel mapping, of the four texels of the linear filter, in the "
    "order (0, 1), (1, 1), (1, 0), (0, 0) of column and row; with four offsets, the texel (0, 0) of "
    "each.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def gather(
    texture: SampledTexture,
    sampler: Sampler,
    coordinates: ArrayLike,
    *,
    component: int = 0,
    offsets: tuple[int, int] | Offsets = (0, 0),
    reference: ArrayLike | None = None,
    rules: Rules = NVN,
) -> Float32:
    """Gather one channel of four texels in many lanes at once.

    Parameters
    ----------
    texture : SampledTexture
        2D, rectangle, cube, or an array of these.
    sampler : Sampler
        Its wrap modes, border and comparison.
    coordinates : float32, shape (coordinates, lanes)
        As for :func:`refnvn.texture.sample.sample`.
    component : int
        0 to 3: R, G, B, A of the mapping.
    offsets : 2 x int, or four of them
        Texels to add; four offsets give each result one of its own.
    reference : float32, shape (lanes,), or None
        For a comparing sampler.
    rules : Rules
        Reads what the format's conversion reads.

    Returns
    -------
    float32, shape (4, lanes)
        Of integer formats the bits of 32-bit integers.

    Raises
    ------
    FieldRangeError, ShapeError, ArgumentError
        For another component, other coordinates than the target takes, or no reference for a comparing sampler.
    """
    if component not in range(4):
        raise FieldRangeError(f"gather component is {component}, allowed are 0 to 3")
    array = checked_coordinates(texture, coordinates)
    lanes = Lanes(array, np.ones(array.shape[1], np.bool_))
    four: list[UInt32] = []
    for place, (across, down) in zip(ORDER, _offsets(offsets), strict=True):
        quad = _quad(texture, sampler, replace(lanes, offset=(across, down, 0)))
        place = 0 if isinstance(offsets[0], tuple) else place
        if texture.listener is not None:
            quad = replace(quad, takes_part=np.arange(4)[:, np.newaxis] == np.full(array.shape[1], place))
        four.append(_texel_words(texture, sampler, quad, place, reference, rules)[component])
    return np.ascontiguousarray(np.stack(four)).view(np.float32)


def _offsets(offsets: tuple[Any, ...]) -> list[tuple[int, int]]:
    if isinstance(offsets[0], tuple):
        return [(int(across), int(down)) for across, down in offsets]
    return [(int(offsets[0]), int(offsets[1]))] * 4


def _texel_words(
    texture: SampledTexture, sampler: Sampler, quad: Quad, place: int, reference: ArrayLike | None, rules: Rules
) -> UInt32:
    """Return one texel of quads, all channels after the mapping, shape (4, lanes)."""
    if sampler.compare_mode is CompareMode.COMPARE_R_TO_TEXTURE and texture.fmt.is_depth_stencil:
        if reference is None:
            raise ArgumentError("the sampler compares, and the gather has no reference")
        words = _compared(texture, sampler, quad, place, reference, rules)
    else:
        words = np.ascontiguousarray(texel_values(texture, sampler, [quad], rules)[place].T).view(np.uint32)
        if texture.is_cube and not texture.fmt.is_integer:
            words = np.where(quad.is_missing[place], _corner_words(texture, sampler, quad, place, rules), words)
    return mapped_channels(words, texture.swizzle, is_integer=texture.fmt.is_integer)


def _compared(
    texture: SampledTexture, sampler: Sampler, quad: Quad, place: int, reference: ArrayLike, rules: Rules
) -> UInt32:
    group = quad_texels(texture, sampler, [quad], rules)[0]
    ours = reference_number(np.asarray(reference, np.float32), group.kind, rules)
    passing = passes(ours, group.numbers[0, place, :, 0], sampler.compare_func)
    nothing = np.zeros_like(passing)
    ones: NDArray[np.float32] = np.stack([passing, nothing, nothing, ~nothing]).astype(np.float32)
    return ones.view(np.uint32)


@rule(
    "TEX-GATHER-2",
    "At a cube's corner a gather reads for the texel that does not exist what the linear filter would with all its "
    "weight: 85, 85 and 86 of 256 of the other three.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def _corner_words(texture: SampledTexture, sampler: Sampler, quad: Quad, place: int, rules: Rules) -> UInt32:
    """Return what stands for a missing texel, before the mapping, shape (4, lanes)."""
    neighbour, opposite = corner_shares(np.array(256))
    weights = np.zeros(quad.column.shape, np.int64)
    weights[place ^ 1] = weights[place ^ 2] = neighbour
    weights[place ^ 3] = opposite
    mean = replace(quad, weights=weights, takes_part=weights > 0)
    return filtered_words(texture, sampler, [mean], 256, rules.with_(filter_weights=FilterWeights.NVIDIA))
