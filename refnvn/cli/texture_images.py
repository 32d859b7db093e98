"""The images of a texture in plain rows, however they are held: tiled, in rows, a plane of them, or decoded.

Each has a ``format`` and gives rows of one level of one layer; what writes them need not know which it is.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from refnvn.cli.image_choice import ImageChoice
from refnvn.cli.texture_input import Loaded
from refnvn.errors import ArgumentError
from refnvn.formats.blocks import decode_image
from refnvn.formats.codec import decode
from refnvn.formats.depth_stencil import decode_stencil
from refnvn.formats.table import Format, format_named
from refnvn.layout.address import layer_offset_B, level_of
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout
from refnvn.layout.tiling import Bytes, image_size_B, untile

_WIDE = {"f": "RGBA32F", "u": "RGBA32UI", "i": "RGBA32I"}
"""The format that holds decoded values bit for bit, by the kind of their dtype."""


class Images(Protocol):
    """Rows of texels or blocks by level and layer."""

    @property
    def format(self) -> Format:
        """What the rows hold."""

    @property
    def layout(self) -> TextureLayout:
        """Which levels and layers there are."""

    def rows(self, level: int, layer: int) -> Bytes:
        """Return ``(slices, rows, bytes)`` of one level of one layer."""


class StoredImages:
    """What a file holds: block-linear bytes where ``tiled``, else plain rows of the whole texture."""

    def __init__(self, loaded: Loaded, *, tiled: bool) -> None:
        self._data = loaded.data
        self._tiled = tiled
        self.format = loaded.texture.format
        self.layout = loaded.layout

    def rows(self, level: int, layer: int) -> Bytes:
        """Return ``(slices, rows, bytes)`` of one level of one layer."""
        of_level = level_of(self.layout, level)
        if self._tiled:
            return untile(self.layout, self._data, level=level, layer=layer)
        layer_offset_B(self.layout, layer)  # refuses a layer that is not there
        per_layer_B = sum(image_size_B(self.layout, one) for one in self.layout.levels)
        start_B = layer * per_layer_B + sum(image_size_B(self.layout, one) for one in self.layout.levels[:level])
        part = self._data[start_B : start_B + image_size_B(self.layout, of_level)]
        return part.reshape(of_level.slices, of_level.height_el, -1)


class StencilImages:
    """The stencil plane of a combined format, as a texture of STENCIL8."""

    def __init__(self, images: Images) -> None:
        if images.format.component("S") is None:
            raise ArgumentError(f"--stencil: {images.format.nvn_name} has no stencil")
        self._images = images
        self.format = format_named("STENCIL8")
        self.layout = images.layout

    def rows(self, level: int, layer: int) -> Bytes:
        """Return ``(slices, rows, bytes)`` of one level of one layer."""
        return decode_stencil(self._images.format, elements(self._images, level, layer))


class DecodedImages:
    """What texels read as, as a texture of four components of 32 bits."""

    def __init__(self, images: Images) -> None:
        self._images = images
        self.layout = images.layout
        self.format = format_named(_WIDE[self.values(len(self.layout.levels) - 1, 0).dtype.kind])

    def values(self, level: int, layer: int) -> Any:
        """Return ``(slices, height, width, 4)`` of one level of one layer."""
        return level_values(self._images, level, layer)

    def rows(self, level: int, layer: int) -> Bytes:
        """Return ``(slices, rows, bytes)`` of one level of one layer."""
        values = self.values(level, layer)
        little = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
        return little.view(np.uint8).reshape(*values.shape[:2], -1)


def elements(images: Images, level: int, layer: int) -> Bytes:
    """Return the texels or blocks of one level of one layer, shape (slices, rows, columns, bytes of one)."""
    rows = images.rows(level, layer)
    return rows.reshape(*rows.shape[:2], -1, images.format.bytes_per_block)


def level_values(images: Images, level: int, layer: int) -> Any:
    """Return what the texels of one level of one layer read as, shape (slices, height, width, 4)."""
    of_level = level_of(images.layout, level)
    if not images.format.is_compressed:
        return decode(images.format, elements(images, level, layer))
    size = of_level.width_px, of_level.height_px
    return np.stack([decode_image(images.format, rows, *size) for rows in images.rows(level, layer)])


def chosen_rows(images: Images, choice: ImageChoice, level: LevelLayout, layer: int) -> Bytes:
    """Return the chosen slices of one level of one layer, shape (slices, rows, bytes)."""
    slices = choice.slices(level)
    return images.rows(level.level, layer)[slices.start : slices.stop]
