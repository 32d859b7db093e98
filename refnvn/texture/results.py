"""What four channels do the quads of a sample give? Filtered, reduced, compared, or one texel as a fetch reads it.

All results are 32-bit words of shape (4, lanes): float bits, or integers for integer formats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.codec import missing_components
from refnvn.formats.floatbits import UInt32
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, FilterWeights, Rules
from refnvn.rules.registry import rule
from refnvn.texture.border import border_texels, integer_border
from refnvn.texture.combine import filtered, whole_values
from refnvn.texture.footprint import Quad
from refnvn.texture.reduction import reduced
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler
from refnvn.texture.shadow import passes, passing_share, reference_number
from refnvn.texture.texels import Texels, filter_texels
from refnvn.texture.wrap import BORDER


def _codes(texture: SampledTexture, quad: Quad) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the codes of a quad's texels, any code where the texel is the border, and where that is."""
    is_border = quad.column == BORDER
    nothing = np.zeros_like(quad.column)
    places = [np.where(is_border, nothing, place) for place in (quad.image, quad.row, quad.column)]
    level = np.broadcast_to(quad.level, quad.column.shape)
    if texture.listener is not None:
        texture.tell(quad.takes_part & ~is_border & ~quad.is_missing, level, *places, 0)
    return texture.codes_at(level, *places), is_border


def _with_border(texels: Texels, border: Texels, is_border: NDArray[np.bool_]) -> Texels:
    where = is_border[..., np.newaxis]
    places = None
    if texels.places is not None and border.places is not None:
        places = np.where(where, border.places, texels.places)
    return Texels(texels.kind, texels.channels, np.where(where, border.numbers, texels.numbers), places)


def quad_texels(texture: SampledTexture, sampler: Sampler, quads: list[Quad], rules: Rules) -> list[Texels]:
    """Return the texels of all quads in groups of channels, numbers of shape (quads, 4, lanes, channels)."""
    codes, borders = zip(*(_codes(texture, quad) for quad in quads), strict=True)
    is_border = np.stack(borders)
    groups = filter_texels(texture.fmt, np.stack(codes), rules)
    if not is_border.any():
        return list(groups)
    edge = border_texels(texture.fmt, sampler.border_words.view(np.float32), rules)
    return [_with_border(inner, outer, is_border) for inner, outer in zip(groups, edge, strict=True)]


def _words_of(values: NDArray[np.float32]) -> UInt32:
    """Return float32 values, shape (lanes, 4), as words of shape (4, lanes)."""
    return np.ascontiguousarray(values.T).view(np.uint32)


@rule(
    "TEX-FILTER-1",
    "A sample is the weighted sum of its texels, channel by channel, in the filter's numbers of the format.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules", "metal-specification"),
    fields=("filter_weights",),
)
def filtered_words(
    texture: SampledTexture, sampler: Sampler, quads: list[Quad], whole: int, rules: Rules = NVN
) -> UInt32:
    """Return filtered samples.

    Parameters
    ----------
    texture, sampler
    quads : list of Quad
        In the order in which they are added.
    whole : int
        What all weights add up to: 256, or 1024 for anisotropic footprints.
    rules : Rules
        Reads ``filter_weights``, and what the format's conversion reads.

    Returns
    -------
    uint32, shape (4, lanes)
        Float bits; 0, 0, 0, 1 for what the format lacks.
    """
    if rules.filter_weights is FilterWeights.EXACT:
        return _exact_words(texture, sampler, quads, rules)
    weights = np.stack([quad.weights for quad in quads]).astype(np.int64)
    takes_part = np.stack([quad.takes_part for quad in quads])
    values = missing_components(texture.fmt, weights.shape[2:])
    at_once = 2 if texture.is_3d else 1
    for group in quad_texels(texture, sampler, quads, rules):
        values[..., list(group.channels)] = filtered(
            group, weights, takes_part, whole=whole, at_once=at_once, srgb=texture.fmt.srgb
        )
    return _words_of(values)


def _flat(array: NDArray[Any]) -> NDArray[Any]:
    """Join the first two dimensions, quads and texels."""
    return array.reshape(-1, *array.shape[2:])


def fetched(texture: SampledTexture, sampler: Sampler, quads: list[Quad], rules: Rules) -> NDArray[Any]:
    """Return what a fetch reads of all texels, shape (texels, lanes, 4); of the border what the filter has."""
    codes, borders = zip(*(_codes(texture, quad) for quad in quads), strict=True)
    values = _flat(texture.values_of(np.stack(codes), rules))
    is_border = _flat(np.stack(borders))
    if is_border.any():
        values = np.where(is_border[..., np.newaxis], _border_value(texture, sampler, rules), values)
    return values


def _border_value(texture: SampledTexture, sampler: Sampler, rules: Rules) -> NDArray[Any]:
    """Return what the border reads as, shape (4,)."""
    if texture.fmt.is_integer:
        return integer_border(texture.fmt, sampler.border_words).view(missing_components(texture.fmt, ()).dtype)
    value = missing_components(texture.fmt, ())
    whole = np.array([[256, 0, 0, 0]], np.int64)[..., np.newaxis]
    for group in border_texels(texture.fmt, sampler.border_words.view(np.float32), rules):
        one = group[np.newaxis, np.newaxis, np.newaxis]
        four = Texels(
            one.kind, one.channels, np.repeat(one.numbers, 4, axis=1),
            None if one.places is None else np.repeat(one.places, 4, axis=1),
        )  # fmt: skip
        value[list(group.channels)] = filtered(four, whole, whole > 0, srgb=texture.fmt.srgb)[0]
    return value


def _exact_words(texture: SampledTexture, sampler: Sampler, quads: list[Quad], rules: Rules) -> UInt32:
    weights = _flat(np.stack([np.asarray(quad.weights, np.float64) for quad in quads])) / 256
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        values = fetched(texture, sampler, quads, rules).astype(np.float64)
    weighed = np.where((weights > 0)[..., np.newaxis], values, 0.0)
    with np.errstate(invalid="ignore"):  # infinities of both signs
        total = (weights[..., np.newaxis] * weighed).sum(axis=0)
    return _words_of(total.astype(np.float32))


@rule(
    "TEX-FILTER-2",
    "Where neither texels nor levels are filtered between, a sample reads what a fetch of that texel would.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-probe"),
)
def single_words(texture: SampledTexture, sampler: Sampler, quads: list[Quad], rules: Rules = NVN) -> UInt32:
    """Return the first texel of the first quad as a fetch reads it.

    Parameters
    ----------
    texture, sampler, quads
    rules : Rules
        Reads what the format's conversion reads.

    Returns
    -------
    uint32, shape (4, lanes)
    """
    values = fetched(texture, sampler, quads[:1], rules)[0]
    return np.ascontiguousarray(values.T).view(np.uint32)


def texel_values(texture: SampledTexture, sampler: Sampler, quads: list[Quad], rules: Rules) -> NDArray[np.float32]:
    """Return what the filter reads of each texel alone, shape (texels, lanes, 4); of integer formats the fetched."""
    if texture.fmt.is_integer or rules.filter_weights is FilterWeights.EXACT:
        return fetched(texture, sampler, quads, rules)
    groups = quad_texels(texture, sampler, quads, rules)
    values = missing_components(texture.fmt, groups[0].numbers.shape[:-1])
    for group in groups:
        values[..., list(group.channels)] = whole_values(group)
    return _flat(values)


def reduced_words(texture: SampledTexture, sampler: Sampler, quads: list[Quad], rules: Rules = NVN) -> UInt32:
    """Return the least or largest texels of the quads, by the sampler's reduction."""
    weights = _flat(np.stack([quad.weights for quad in quads]))
    return _words_of(reduced(texel_values(texture, sampler, quads, rules), weights, sampler.reduction))


def shadow_words(
    texture: SampledTexture,
    sampler: Sampler,
    quads: list[Quad],
    whole: int,
    reference: ArrayLike,
    rules: Rules = NVN,
) -> UInt32:
    """Return which share of the texels a reference passes against, as red."""
    group = quad_texels(texture, sampler, quads, rules)[0]
    weights = _flat(np.stack([quad.weights for quad in quads]))
    lanes = weights.shape[1]
    ours = reference_number(np.broadcast_to(np.asarray(reference, np.float32), (lanes,)), group.kind, rules)
    passing = passes(ours, _flat(group.numbers)[..., 0], sampler.compare_func)
    values = missing_components(texture.fmt, (lanes,))
    values[:, 0] = passing_share(passing, weights, whole)
    return _words_of(values)
