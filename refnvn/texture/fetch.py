"""What does a texel fetch read, inside of a texture and outside?

A fetch takes whole numbers: a level, a texel, a layer, a sample. Nothing is filtered, wrapped or compared; the
channel mapping acts. Buffer textures are one row of any length, with no limit of 16384.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.errors import ShapeError
from refnvn.formats.floatbits import Float32, Int64, UInt32
from refnvn.formats.integer import as_integers
from refnvn.layout.description import TextureTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.sampled import LINES, SampledTexture, mapped_channels

COORDINATES = {
    TextureTarget.TARGET_1D: 1,
    TextureTarget.TARGET_BUFFER: 1,
    TextureTarget.TARGET_2D: 2,
    TextureTarget.TARGET_RECTANGLE: 2,
    TextureTarget.TARGET_2D_MULTISAMPLE: 2,
    TextureTarget.TARGET_1D_ARRAY: 2,
    TextureTarget.TARGET_3D: 3,
    TextureTarget.TARGET_2D_ARRAY: 3,
    TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY: 3,
    TextureTarget.TARGET_CUBEMAP: 3,
    TextureTarget.TARGET_CUBEMAP_ARRAY: 3,
}
"""How many coordinates a fetch from each target takes; cubes are fetched as arrays of faces."""


@rule(
    "TEX-FETCH-2",
    "One integer fetch serves buffer textures and 1D textures, and has no type: elements are counted along one row "
    "of any length, and the bits of integers come through a float declaration as they are.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("tbuf-1d-fetch", "tbuf-int-as-float", "tex-int-as-float"),
    refuted_by="a console that wraps at element 16384, or converts integers in a fetch that is declared float",
)
def _places(texture: SampledTexture, texels: Int64) -> tuple[Int64, Int64, Int64]:
    """Return column, row and image."""
    column, nothing = texels[0], np.zeros_like(texels[0])
    if texture.target in LINES or texture.target is TextureTarget.TARGET_BUFFER:
        return column, nothing, texels[1] if len(texels) > 1 else nothing
    return column, texels[1], texels[2] if len(texels) > 2 else nothing


@rule(
    "TEX-FETCH-1",
    "A fetch outside of the level, the levels, the layers or the samples reads 0 in all four channels.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
    exactness="bit-exact for texels outside of a 2D level, which were measured; levels and layers by analogy",
)
def _zero_outside(words: UInt32, inside: NDArray[np.bool_]) -> UInt32:
    """Return words, shape (4, lanes), with those of lanes outside set to 0."""
    return np.where(inside, words, np.uint32(0))


def fetch(
    texture: SampledTexture,
    texels: ArrayLike,
    *,
    level: ArrayLike = 0,
    sample: ArrayLike = 0,
    offset: tuple[int, int, int] = (0, 0, 0),
    rules: Rules = NVN,
) -> Float32:
    """Fetch texels in many lanes at once.

    Parameters
    ----------
    texture : SampledTexture
    texels : integers, shape (coordinates, lanes)
        As many as :data:`COORDINATES` has for the target.
    level, sample : integers, shape (lanes,) or a number
        Of the view; ``sample`` only of multisample targets.
    offset : 3 x int
        Texels to add.
    rules : Rules
        Reads what the format's conversion reads.

    Returns
    -------
    float32, shape (4, lanes)
        R, G, B, A after the channel mapping; for integer formats the bits of 32-bit integers.

    Raises
    ------
    ShapeError
        For other coordinates than the target takes, or floats.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> codes = np.array([0, 255], np.uint8).reshape(1, 1, 2, 1)
    >>> texture = SampledTexture(format_named("R8"), TextureTarget.TARGET_2D, (codes,))
    >>> fetch(texture, [[1, 2], [0, 0]]).tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]
    """
    array = as_integers(texels)
    needed = COORDINATES[texture.target]
    if array.ndim != 2 or array.shape[0] != needed:
        raise ShapeError(f"{texture.target.name} takes texels of shape ({needed}, lanes), not {array.shape}")
    column, row, image = (place + move for place, move in zip(_places(texture, array), offset, strict=True))
    levels = np.broadcast_to(as_integers(level), column.shape)
    known = (levels >= 0) & (levels < len(texture.levels))
    at = np.where(known, levels, 0)
    columns, rows, images = texture.sizes_px[:, at]
    inside = known & (column >= 0) & (column < columns) & (row >= 0) & (row < rows) & (image >= 0) & (image < images)
    samples = np.broadcast_to(as_integers(sample), column.shape)
    inside &= (samples >= 0) & (samples < texture.samples)
    places = [np.where(inside, place, 0) for place in (image, row, column, samples)]
    if texture.listener is not None:
        texture.tell(inside, at, *places)
    values: NDArray[Any] = texture.values_of(texture.codes_at(at, *places), rules)
    words = np.ascontiguousarray(values.T).view(np.uint32)
    mapped = mapped_channels(words, texture.swizzle, is_integer=texture.fmt.is_integer)
    return np.ascontiguousarray(_zero_outside(mapped, inside)).view(np.float32)
