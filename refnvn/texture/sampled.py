"""What is the content of a texture as sampling needs it: stored codes of every level and image, and how to read them?

All levels lie one after the other in one table, so that lanes of different levels are read in one go. Images are the
slices of a 3D texture, the faces of cubes, the layers of arrays. Codes stay codes until they are read.

Where the codes come from: ``view.py``. Read next: ``footprint.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.enumerations import TextureSwizzle
from refnvn.errors import ShapeError
from refnvn.formats.block_coding import code_values
from refnvn.formats.codec import decode
from refnvn.formats.floatbits import Int64, UInt32
from refnvn.formats.table import Format
from refnvn.layout.description import TextureTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.cube import FACES

CUBES = (TextureTarget.TARGET_CUBEMAP, TextureTarget.TARGET_CUBEMAP_ARRAY)
ARRAYS = (TextureTarget.TARGET_1D_ARRAY, TextureTarget.TARGET_2D_ARRAY, TextureTarget.TARGET_CUBEMAP_ARRAY)
LINES = (TextureTarget.TARGET_1D, TextureTarget.TARGET_1D_ARRAY)
IDENTITY = (TextureSwizzle.R, TextureSwizzle.G, TextureSwizzle.B, TextureSwizzle.A)

Swizzle = tuple[TextureSwizzle, TextureSwizzle, TextureSwizzle, TextureSwizzle]


@dataclass(frozen=True, eq=False)
class SampledTexture:
    """The content that a view shows.

    Attributes
    ----------
    fmt : Format
        What the codes mean.
    target : TextureTarget
        1D, 2D, 3D, cube, their arrays, or rectangle.
    levels : tuple of arrays, shape (images, rows, columns, bytes per texel)
        uint8 stored texels of each level; of a compressed format its decoded codes, shape (.., channels).
    swizzle : 4 x TextureSwizzle
        The channel mapping.
    samples : int
        Of a multisample target; the samples of a pixel are then neighbours in a row of codes.
    listener : callable or None
        Is told which texels are read: int64 arrays of one shape, level, image, row, column and sample.

    Raises
    ------
    ShapeError
        On construction, for no level, another number of dimensions, or faces that are no whole cubes.
    """

    fmt: Format
    target: TextureTarget
    levels: tuple[NDArray[Any], ...]
    swizzle: Swizzle = IDENTITY
    samples: int = 1
    listener: Callable[[Int64, Int64, Int64, Int64, Int64], None] | None = None

    def __post_init__(self) -> None:
        if not self.levels or any(level.ndim != 4 or level.size == 0 for level in self.levels):
            raise ShapeError("a sampled texture needs levels of shape (images, rows, columns, bytes)")
        images = self.levels[0].shape[0]
        if self.target in CUBES and images % FACES:
            raise ShapeError(f"a cube needs a multiple of {FACES} images, not {images}")

    @property
    def is_3d(self) -> bool:
        """Whether images are slices that are filtered between."""
        return self.target is TextureTarget.TARGET_3D

    @property
    def is_cube(self) -> bool:
        """Whether six images make a cube."""
        return self.target in CUBES

    @property
    def is_array(self) -> bool:
        """Whether the last coordinate chooses a layer, or a cube."""
        return self.target in ARRAYS

    @property
    def layers(self) -> int:
        """Layers, or cubes."""
        images = int(self.levels[0].shape[0])
        return images // FACES if self.is_cube else images

    @functools.cached_property
    def sizes_px(self) -> Int64:
        """Columns, rows and images of every level, shape (3, levels)."""
        shapes = np.array([level.shape[:3] for level in self.levels], np.int64).T[::-1]
        sizes: Int64 = shapes // np.array([[self.samples], [1], [1]])
        return sizes

    @functools.cached_property
    def kept(self) -> dict[str, Any]:
        """What has been found out about this texture, for those who ask again."""
        return {}

    @functools.cached_property
    def table(self) -> NDArray[Any]:
        """The codes of all levels one after another, shape (texels, bytes per texel)."""
        return np.concatenate([level.reshape(-1, level.shape[-1]) for level in self.levels])

    @functools.cached_property
    def _starts(self) -> Int64:
        counts = self.sizes_px.prod(axis=0) * self.samples
        return np.concatenate([[0], np.cumsum(counts)[:-1]])

    def codes_at(self, level: Int64, image: Int64, row: Int64, column: Int64, sample: ArrayLike = 0) -> NDArray[Any]:
        """Return stored texels, shape (..., bytes per texel); all places must exist."""
        columns, rows, _ = self.sizes_px[:, level]
        pixel = (image * rows + row) * columns + column
        codes: NDArray[Any] = self.table[self._starts[level] + pixel * self.samples + np.asarray(sample)]
        return codes

    @functools.cached_property
    def silent(self) -> SampledTexture:
        """The same without a listener."""
        return replace(self, listener=None)

    def tell(self, reads: NDArray[np.bool_], *places: ArrayLike) -> None:
        """Tell the listener of texels; ``reads`` says which of the places are read, :meth:`codes_at` names them."""
        if self.listener is not None:
            level, image, row, column, sample = (np.broadcast_to(one, reads.shape)[reads] for one in places)
            self.listener(level, image, row, column, sample)

    def values_of(self, codes: NDArray[Any], rules: Rules = NVN) -> NDArray[Any]:
        """Return what a fetch reads of texels, shape (..., 4), before the channel mapping."""
        if self.fmt.is_compressed:
            return code_values(self.fmt, codes, rules)
        return decode(self.fmt, codes, rules)


@rule(
    "TEX-SWIZZLE-1",
    "A read gives R, G, B, A with 0, 0, 0, 1 for what the format lacks (depth is red); then each channel takes the "
    "one that the mapping names, or 0, or 1: the integer 1 for integer formats.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("deko3d", "seed-titles", "nvn-formats"),
    ledger=("tex-swizzle", "depth-as-red", "rgb565-order", "rgba4-order"),
)
def mapped_channels(words: UInt32, swizzle: Swizzle, *, is_integer: bool) -> UInt32:
    """Return 32-bit words with the channel mapping applied.

    Parameters
    ----------
    words : uint32, shape (4, ...)
        R, G, B, A as float bits or integers.
    swizzle : 4 x TextureSwizzle
    is_integer : bool
        Whether the format is an integer one.

    Returns
    -------
    uint32, shape (4, ...)

    Examples
    --------
    A glyph in an R8 atlas mapped (ONE, ONE, ONE, R):

    >>> one = TextureSwizzle.ONE
    >>> red = np.array([64, 0, 0, 1], np.uint32)
    >>> mapped_channels(red, (one, one, one, TextureSwizzle.R), is_integer=True).tolist()
    [1, 1, 1, 64]
    """
    one = np.uint32(1 if is_integer else 0x3F800000)
    constants = {TextureSwizzle.ZERO: np.uint32(0), TextureSwizzle.ONE: one}
    channels = [
        np.full(words.shape[1:], constants[source]) if source in constants else words[source - TextureSwizzle.R]
        for source in swizzle
    ]
    return np.stack(channels)
