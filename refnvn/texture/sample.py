"""What does a shader read when it samples a texture? From coordinates and a level of detail to four channels.

The order, for each lane:

1. the level of detail, from the shader or from derivatives, biased and clamped (``gradients.py``, ``level.py``);
2. magnified or minified, and so which filter, one level or two (``sampler.py``);
3. the footprint in each level (``footprint.py``), stretched along an axis if anisotropic (``stretched.py``);
4. the texels' codes, compared (``shadow.py``), reduced (``reduction.py``) or filtered (``combine.py``);
5. the channel mapping (``sampled.py``).

Texel fetches and gathers: ``fetch.py``, ``gather.py``. Read next: ``footprint.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.enumerations import CompareMode, SamplerReduction
from refnvn.errors import ArgumentError, ShapeError
from refnvn.formats.floatbits import Float32, UInt32, as_float32
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import NVN, Rules
from refnvn.texture.footprint import Lanes, Quad, cube_quads, flat_quads
from refnvn.texture.gradients import Gradients
from refnvn.texture.plain import sampled_at_once
from refnvn.texture.plan import Plan, plan_of
from refnvn.texture.results import filtered_words, reduced_words, shadow_words, single_words
from refnvn.texture.sampled import SampledTexture, mapped_channels
from refnvn.texture.sampler import Sampler
from refnvn.texture.stretched import stretched_quads
from refnvn.texture.weights import WHOLE, level_weights

COORDINATES = {
    TextureTarget.TARGET_1D: 1,
    TextureTarget.TARGET_2D: 2,
    TextureTarget.TARGET_3D: 3,
    TextureTarget.TARGET_1D_ARRAY: 2,
    TextureTarget.TARGET_2D_ARRAY: 3,
    TextureTarget.TARGET_RECTANGLE: 2,
    TextureTarget.TARGET_CUBEMAP: 3,
    TextureTarget.TARGET_CUBEMAP_ARRAY: 4,
}
"""How many coordinates a sample of each target takes, the layer included."""


def checked_coordinates(texture: SampledTexture, coordinates: ArrayLike) -> NDArray[np.float32]:
    """Return coordinates as an array, or raise where the target takes others."""
    needed = COORDINATES.get(texture.target)
    array = as_float32(coordinates)
    if needed is None:
        raise ArgumentError(f"a texture of target {texture.target.name} is not sampled; its texels are fetched")
    if array.ndim != 2 or array.shape[0] != needed:
        raise ShapeError(f"{texture.target.name} takes coordinates of shape ({needed}, lanes), not {array.shape}")
    return array


def quads_of(texture: SampledTexture, sampler: Sampler, plan: Plan, rules: Rules) -> tuple[list[Quad], int]:
    """Return the quads of all levels in the order in which they are added, and what their weights add up to."""
    mip, weights = plan.mip, level_weights(plan.mip.fraction_256)
    quads: list[Quad] = []
    for level, weight in ((mip.nearer, weights[0]), (mip.further, weights[1])):
        if not weight.any():
            continue
        if plan.stretch is not None:
            quads += stretched_quads(texture, sampler, plan.lanes, plan.stretch, plan.lod_256, level, weight, rules)
        elif texture.is_cube:
            quads += cube_quads(texture, plan.lanes, level, weight, rules)
        else:
            quads += flat_quads(texture, sampler, plan.lanes, level, weight, rules)
    return quads, WHOLE if plan.stretch is None else 4 * WHOLE


def sample(
    texture: SampledTexture,
    sampler: Sampler,
    coordinates: ArrayLike,
    *,
    lod: ArrayLike | None = None,
    bias: ArrayLike = 0.0,
    gradients: Gradients | None = None,
    offset: tuple[int, int, int] = (0, 0, 0),
    reference: ArrayLike | None = None,
    seamless: bool = True,
    rules: Rules = NVN,
) -> Float32:
    """Sample a texture in many lanes at once.

    Parameters
    ----------
    texture : SampledTexture
        The content that a view shows.
    sampler : Sampler
    coordinates : float32, shape (coordinates, lanes)
        As many as :data:`COORDINATES` has for the target; the layer of an array, or the cube, comes last.
    lod : float32, shape (lanes,) or a number, or None
        An explicit level of detail.
    bias : float32, shape (lanes,) or a number
        Added to the level of detail.
    gradients : Gradients or None
        Derivatives; where neither they nor ``lod`` are given the level of detail is 0.
    offset : 3 x int
        Texels to add along columns, rows and slices.
    reference : float32, shape (lanes,), or None
        What a comparing sampler compares with; needed where it compares and not looked at otherwise.
    seamless : bool
        Whether a cube's filter crosses its edges; NVN's does.
    rules : Rules
        Reads ``filter_weights``, ``lod_length``, and what the format's conversion reads.

    Returns
    -------
    float32, shape (4, lanes)
        R, G, B, A after the channel mapping; for integer formats the bits of 32-bit integers.

    Raises
    ------
    ShapeError, ArgumentError
        For other coordinates than the target takes, or no reference for a comparing sampler.

    Examples
    --------
    >>> from refnvn.enumerations import MagFilter
    >>> from refnvn.formats.table import format_named
    >>> texels = np.array([0, 255], np.uint8).reshape(1, 1, 2, 1)
    >>> texture = SampledTexture(format_named("R8"), TextureTarget.TARGET_2D, (texels,))
    >>> sample(texture, Sampler(mag_filter=MagFilter.LINEAR), [[0.375], [0.5]])[0].tolist()
    [0.2500038146972656]
    """
    array = checked_coordinates(texture, coordinates)
    at_once = sampled_at_once(texture, sampler, array, lod, bias, gradients, offset, rules)
    if at_once is not None:
        return at_once
    lanes = Lanes(array, np.zeros(array.shape[1], np.bool_), offset, seamless)
    plan = plan_of(texture, sampler, lanes, lod, bias, gradients, rules)
    words = _words(texture, sampler, plan, reference, rules)
    mapped = mapped_channels(words, texture.swizzle, is_integer=texture.fmt.is_integer)
    return np.ascontiguousarray(mapped).view(np.float32)


def _words(
    texture: SampledTexture, sampler: Sampler, plan: Plan, reference: ArrayLike | None, rules: Rules
) -> UInt32:
    """Return R, G, B, A before the channel mapping as 32-bit words, shape (4, lanes)."""
    quads, whole = quads_of(texture, sampler, plan, rules)
    if sampler.compare_mode is CompareMode.COMPARE_R_TO_TEXTURE and texture.fmt.is_depth_stencil:
        if reference is None:
            raise ArgumentError("the sampler compares, and the sample has no reference")
        return shadow_words(texture, sampler, quads, whole, reference, rules)
    if texture.fmt.is_integer:
        return single_words(texture, sampler, quads, rules)
    if sampler.reduction is not SamplerReduction.AVERAGE:
        return reduced_words(texture, sampler, quads, rules)
    result: NDArray[Any] = filtered_words(texture, sampler, quads, whole, rules)
    one_texel = ~plan.lanes.linear
    if plan.stretch is not None or sampler.is_linear_between_levels or not one_texel.any():
        return result
    return np.where(one_texel, single_words(texture, sampler, quads, rules), result)
