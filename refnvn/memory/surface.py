"""What is the working copy of one image: one level of one layer of a texture, as plain rows of stored codes?

A surface is looked up by where its texels lie (:func:`placement`), never by format, flags or object: whatever puts
the same texels at the same bytes is the same surface. It holds codes, not values.

It does not decide when copies become stale: ``cache.py`` does. Read next: ``cache.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

from refnvn.errors import ArgumentError
from refnvn.layout.address import layer_offset_B, level_of
from refnvn.layout.block_linear import BlockLinear
from refnvn.layout.texture import TextureLayout
from refnvn.layout.tiling import tile, untile
from refnvn.memory.pool import Bytes, Segment, gather, scatter, scatter_changes
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


class Placement(NamedTuple):
    """Where the texels of one image lie: what two images must share to be one."""

    pool: int
    start_B: int
    size_B: int
    blocks: BlockLinear | None
    pitch_B: int
    columns: int
    rows: int
    slices: int
    bytes_per_block: int


@rule(
    "MEM-SHARED-1",
    "Texture objects over one place in a pool are the same bytes, whatever their formats, flags, sizes and ages.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=(
        "srgb-alias",
        "dup-attachment",
        "res-variants",
        "image-flag-share",
        "transient-share",
        "alias-takeover",
        "alias-retire",
        "bc-as-rt",
    ),
)
def placement(pool: int, offset_B: int, layout: TextureLayout, level: int, layer: int) -> Placement:
    """Return where one image of a texture at ``offset_B`` of a pool lies.

    Raises
    ------
    SizeError
        For a level or layer that is not there.
    """
    of_level = level_of(layout, level)
    start_B = offset_B + layer_offset_B(layout, layer) + of_level.offset_B
    return Placement(
        pool,
        start_B,
        of_level.size_B,
        of_level.blocks,
        of_level.pitch_B,
        of_level.width_el,
        of_level.height_el,
        of_level.slices,
        layout.description.element.bytes_per_block,
    )


class Owner(Protocol):
    """Who is told that a surface was written."""

    def written(self, surface: Surface) -> None:
        """Take note that the codes of a surface have changed."""


class Surface:
    """The working copy of one image.

    Attributes
    ----------
    codes : uint8, shape (slices, rows, columns, bytes per texel or block)
        Stored codes; change them in place, then call :meth:`written`.
    place : Placement
        Where its texels lie.
    is_split : bool
        Whether its bytes have holes, or show some memory twice: then nothing is kept back from memory.
    is_current : bool
        False once memory was written, or another overlapping surface was taken: then the codes mean nothing any
        more and the surface must be taken anew.
    version : int
        How often its codes were said to have changed.
    """

    __slots__ = (
        "_image_B",
        "_layer",
        "_layout",
        "_level",
        "_owner",
        "codes",
        "is_current",
        "is_dirty",
        "is_split",
        "place",
        "segments",
        "version",
    )

    def __init__(
        self, owner: Owner, place: Placement, segments: list[Segment], layout: TextureLayout, level: int, layer: int
    ) -> None:
        self.place = place
        self.segments = segments
        self.is_current = True
        self.is_dirty = False
        self.version = 0
        self._owner = owner
        self._layout = layout
        self._level = level
        self._layer = layer
        self._image_B = layer_offset_B(layout, layer) + layout.levels[level].offset_B
        shape = (place.slices, place.rows, place.columns, place.bytes_per_block)
        self.codes: Bytes = np.empty(shape, np.uint8)
        mapped = [segment for segment in segments if segment.physical is not None]
        self.is_split = len(mapped) < len(segments) or _repeats(mapped)
        self.load()

    def written(self) -> None:
        """Say that the codes have changed.

        Raises
        ------
        ArgumentError
            If the surface is no longer current: something that overlaps it was taken or written since.
        """
        if not self.is_current:
            raise ArgumentError("a surface was written after other memory over the same bytes was taken or written")
        self.version += 1
        self._owner.written(self)

    def load(self) -> None:
        """Read the codes from memory."""
        storage = self._in_place()
        if storage is None:
            storage = self._gathered()
        untile(self._layout, storage, level=self._level, layer=self._layer, out=self._rows())

    def codes_of(self, image: Bytes) -> Bytes:
        """Return the codes that other bytes in the image's place would give.

        Parameters
        ----------
        image : uint8, shape (place.size_B,)
            The bytes of the image alone, as they would lie in memory.

        Returns
        -------
        uint8, shape of ``codes``
        """
        storage = np.zeros(self._image_B + self.place.size_B, np.uint8)
        storage[self._image_B :] = image
        codes = np.empty_like(self.codes)
        untile(self._layout, storage, level=self._level, layer=self._layer, out=self._rows(codes))
        return codes

    def store(self) -> None:
        """Write the codes to memory; padding, and what lies between, stay as they are."""
        storage = self._in_place()
        if storage is not None:
            tile(self._layout, self._rows(), storage, level=self._level, layer=self._layer)
            return
        storage = self._gathered()
        image = storage[self._image_B :]
        before = image.copy()
        tile(self._layout, self._rows(), storage, level=self._level, layer=self._layer)
        if self.is_split:
            scatter_changes(self.segments, before, image)
        else:
            scatter(self.segments, image)

    def _rows(self, codes: Bytes | None = None) -> Bytes:
        place = self.place
        return (self.codes if codes is None else codes).reshape(
            place.slices, place.rows, place.columns * place.bytes_per_block
        )

    def _in_place(self) -> Bytes | None:
        """Return memory itself, from the texture's first byte to the image's last; None where it is in pieces."""
        if len(self.segments) != 1:
            return None
        physical, offset_B, size_B = self.segments[0]
        if physical is None or physical.storage is None or offset_B < self._image_B:
            return None
        return physical.storage[offset_B - self._image_B : offset_B + size_B]

    def _gathered(self) -> Bytes:
        """Return a copy of the same bytes, of which only the image's are filled in."""
        storage = np.zeros(self._image_B + self.place.size_B, np.uint8)
        gather(self.segments, storage[self._image_B :])
        return storage


CodesOf = Callable[[Surface], Bytes]
"""From a surface to what a reader sees of it."""


def current_codes(surface: Surface) -> Bytes:
    """Return the codes themselves: what a reader sees that misses nothing."""
    return surface.codes


def _repeats(mapped: list[Segment]) -> bool:
    """Say whether two segments share bytes."""
    spans = sorted((id(s.physical), s.offset_B, s.offset_B + s.size_B) for s in mapped)
    return any(a[0] == b[0] and b[1] < a[2] for a, b in pairwise(spans))
