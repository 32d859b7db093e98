"""Which mip levels does a level of detail take, and when is a texture magnified?

A level of detail is an integer in 1/256. Numbers that come as floats (an explicit level, biases, clamps) are cut
*toward zero* to 1/256 one by one, then added.

Read next: ``sampler.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_SOURCES = ("texture-vectors", "texture-rules")
_FAR = 1 << 20


class Mip(NamedTuple):
    """The two levels that a sample lies between, and the weight of the further one in 1/256."""

    nearer: Int64
    further: Int64
    fraction_256: Int64


@rule(
    "TEX-LEVEL-1",
    "An explicit level of detail, a bias and a clamp are each cut toward zero to 1/256; NaN is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("sampler-lod-bias",),
)
def in_256ths(value: ArrayLike) -> Int64:
    """Return numbers in 1/256.

    Examples
    --------
    >>> in_256ths([-0.7, 1.999, float("nan")]).tolist()
    [-179, 511, 0]
    """
    wide = np.nan_to_num(np.asarray(value, np.float64), nan=0.0, posinf=_FAR, neginf=-_FAR)
    return np.trunc(np.clip(wide, -_FAR, _FAR) * 256).astype(np.int64)


@rule(
    "TEX-LEVEL-2",
    "Shader bias and sampler bias are added to the level of detail, and the sum is brought into the sampler's clamp, "
    "the upper end last.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("sampler-lod-bias", "upsample-pinned-lod", "sparse-first-mapped"),
)
def clamped_lod(lod_256: Int64, bias_256: ArrayLike, clamp_256: tuple[int, int]) -> Int64:
    """Return the biased level of detail within the sampler's clamp.

    Parameters
    ----------
    lod_256 : int64, any shape
        Computed or explicit.
    bias_256 : integers
        The sum of both biases.
    clamp_256 : (int, int)
        The sampler's least and largest level.

    Examples
    --------
    >>> clamped_lod(np.array([0, 300, 9999]), 64, (128, 2560)).tolist()
    [128, 364, 2560]
    """
    biased = np.asarray(lod_256 + np.asarray(bias_256, np.int64))
    least, largest = clamp_256
    return np.minimum(np.maximum(biased, least), largest)


@rule(
    "TEX-LEVEL-6",
    "The level of detail is last brought between the first and last level that the view has.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("upsample-pinned-lod",),
)
def within_levels(lod_256: Int64, levels: int) -> Int64:
    """Return the level of detail that is sampled.

    Examples
    --------
    >>> within_levels(np.array([-300, 300, 9999]), 4).tolist()
    [0, 300, 768]
    """
    return np.clip(lod_256, 0, (levels - 1) * 256)


@rule(
    "TEX-LEVEL-3",
    "A texture is minified from a level of detail of 1/256 on, after the sampler's clamp and even if it has but one "
    "level; below that the magnification filter acts.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def is_minified(lod_256: Int64) -> NDArray[np.bool_]:
    """Return whether the minification filter acts.

    Examples
    --------
    >>> is_minified(np.array([0, 1])).tolist()
    [False, True]
    """
    minified: NDArray[np.bool_] = np.asarray(lod_256) >= 1
    return minified


@rule(
    "TEX-LEVEL-4",
    "The nearest mip filter takes the level of detail plus one half, floored.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def nearest_level(lod_256: Int64) -> Int64:
    """Return the level that the nearest mip filter takes.

    Examples
    --------
    >>> nearest_level(np.array([127, 128, 383])).tolist()
    [0, 1, 1]
    """
    level: Int64 = (np.asarray(lod_256) + 128) >> 8
    return level


@rule(
    "TEX-LEVEL-5",
    "The linear mip filter takes the floor of the level of detail and the level after it; a level of weight zero is "
    "not looked at.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("mipchain-sample",),
)
def linear_levels(lod_256: Int64, levels: int) -> Mip:
    """Return the two levels that the linear mip filter takes.

    Examples
    --------
    >>> [part.tolist() for part in linear_levels(np.array([64, 512]), 3)]
    [[0, 2], [1, 2], [64, 0]]
    """
    nearer = np.asarray(lod_256) >> 8
    return Mip(nearer, np.minimum(nearer + 1, levels - 1), np.asarray(lod_256) & 255)
