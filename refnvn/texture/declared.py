"""What does a shader read whose instruction has another dimension than the texture?

The instruction decides. Most mismatches are harmless, because 1D textures are one-row 2D ones, arrays and cubes are
images one after the other, and the first one is taken where the instruction names none. What a cube instruction
reads of fewer than six images, and a 3D one of a flat texture, is not known.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from refnvn.formats.table import format_named
from refnvn.layout.description import MULTISAMPLE, TextureTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, MismatchedTexture, Rules, UnboundTexture
from refnvn.rules.registry import rule
from refnvn.texture.cube import FACES
from refnvn.texture.sampled import ARRAYS, CUBES, SampledTexture

_FLAT = (
    TextureTarget.TARGET_1D,
    TextureTarget.TARGET_2D,
    TextureTarget.TARGET_RECTANGLE,
    TextureTarget.TARGET_BUFFER,
)


@rule(
    "TEX-SLOT-1",
    "The dimension of the instruction decides: one without a layer takes the first layer or face, a cube of an array "
    "of cubes the first cube, an array instruction sees a plain texture as one layer, a cube's faces as layers, and "
    "a 1D texture as one row.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles", "open-gpu-doc"),
    ledger=("sample-dim-mismatch", "tex-1d-row", "cube-as-array"),
    refuted_by="a console whose 2D sample of an array shows another layer than the first",
)
def as_declared(texture: SampledTexture, declared: TextureTarget, rules: Rules = NVN) -> SampledTexture:
    """Return a texture as an instruction of another dimension sees it.

    Parameters
    ----------
    texture : SampledTexture
    declared : TextureTarget
        What the shader declares.
    rules : Rules
        Reads ``mismatched_texture`` where the instruction cannot read the texture.

    Returns
    -------
    SampledTexture
        Its target is ``declared``.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> layers = np.arange(4, dtype=np.uint8).reshape(4, 1, 1, 1)
    >>> array = SampledTexture(format_named("R8UI"), TextureTarget.TARGET_2D_ARRAY, (layers,))
    >>> as_declared(array, TextureTarget.TARGET_2D).levels[0].tolist()
    [[[[0]]]]
    """
    if declared is texture.target:
        return texture
    images = texture.levels[0].shape[0]
    if (declared in CUBES and images < FACES) or (declared is TextureTarget.TARGET_3D) != texture.is_3d:
        return unknown_content(texture, declared, rules)
    if (declared in MULTISAMPLE) != (texture.target in MULTISAMPLE):
        return unknown_content(texture, declared, rules)
    count = images
    if declared in _FLAT:
        count = 1
    elif declared is TextureTarget.TARGET_CUBEMAP:
        count = FACES
    elif declared is TextureTarget.TARGET_CUBEMAP_ARRAY:
        count = images - images % FACES
    elif declared is TextureTarget.TARGET_2D_MULTISAMPLE:
        count = 1
    elif declared not in ARRAYS and declared not in MULTISAMPLE:
        return unknown_content(texture, declared, rules)
    return replace(texture, target=declared, levels=tuple(level[:count] for level in texture.levels))


@rule(
    "TEX-SLOT-2",
    "What a cube instruction reads of fewer than six images, a 3D one of a flat texture, or a multisample one of a "
    "texture without samples, is not known; zero is recorded, in all four channels.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("cube-slot-2d", "vol-slot-2d"),
    fields=("mismatched_texture",),
    refuted_by="any value but zero read on a console by a cube instruction from a 2D texture",
)
def unknown_content(texture: SampledTexture, declared: TextureTarget, rules: Rules = NVN) -> SampledTexture:
    """Return what stands for a texture that an instruction cannot read: zeros, if nothing else is set.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> flat = SampledTexture(format_named("R8"), TextureTarget.TARGET_2D, (np.ones((1, 4, 4, 1), np.uint8),))
    >>> unknown_content(flat, TextureTarget.TARGET_CUBEMAP).levels[0].shape
    (6, 1, 1, 16)
    """
    if rules.mismatched_texture is MismatchedTexture.TEXELS:
        images = FACES if declared in CUBES else 1
        levels = tuple(np.repeat(level[:1], images, axis=0) for level in texture.levels)
        return replace(texture, target=declared, levels=levels)
    return constant_content(declared, float(rules.mismatched_texture is MismatchedTexture.ONES))


@rule(
    "TEX-UNBOUND-1",
    "A slot or an id without a texture reads zero in all four channels, by any instruction.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("texid-stale-view", "ms-slot"),
    fields=("unbound_texture",),
    refuted_by="a console that reads anything but zero where no texture is registered",
)
def unbound_content(declared: TextureTarget, rules: Rules = NVN) -> SampledTexture:
    """Return what an instruction reads where no texture is: one texel a level.

    Examples
    --------
    >>> unbound_content(TextureTarget.TARGET_2D).levels[0].tolist()
    [[[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]]]
    """
    return constant_content(declared, float(rules.unbound_texture is UnboundTexture.ONES))


def constant_content(declared: TextureTarget, number: float) -> SampledTexture:
    """Return a texture of one texel that holds one number in four channels, in every image that a target needs."""
    texel = np.full((FACES if declared in CUBES else 1, 1, 1, 4), number, "<f4").view(np.uint8)
    return SampledTexture(format_named("RGBA32F"), declared, (texel,))
