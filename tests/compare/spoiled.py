"""Pictures made of waves, discs and a little noise, and the dumps of textures that hold them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.dump import Dump
from refnvn.formats.codec import encode
from refnvn.formats.element import element_of
from refnvn.formats.table import format_named
from refnvn.layout.description import PackagedLayout, TextureDescription
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import Bytes, tile_texture

SIZE_PX = (200, 120)


def painted(seed: int, width_px: int = SIZE_PX[0], height_px: int = SIZE_PX[1]) -> NDArray[np.float32]:
    """Return an opaque picture, values 0 to 1, shape (height, width, 4)."""
    source = np.random.default_rng(seed)
    y, x = np.mgrid[:height_px, :width_px] / max(width_px, height_px)
    picture = np.ones((height_px, width_px, 4), np.float32)
    for channel in range(3):
        value = source.normal(0, 0.05, x.shape)
        for _ in range(6):
            across, down, phase = source.uniform((2, 2, 0), (25, 25, 6))
            value += source.uniform(0.2, 1) * np.sin(across * x + down * y + phase)
        for _ in range(8):
            at_x, at_y, radius = source.uniform((0, 0, 0.03), (1, 1, 0.2))
            value[(x - at_x) ** 2 + (y - at_y) ** 2 < radius**2] += source.uniform(-2, 2)
        picture[..., channel] = (value - value.min()) / (value.max() - value.min())
    return picture


def rows_of(name: str, picture: NDArray[np.float32]) -> Bytes:
    """Return a picture in a format, shape (height, width, bytes of a texel)."""
    return encode(format_named(name), picture)


def described(name: str, **said: Any) -> TextureDescription:
    """Return a texture of the usual size, or as said."""
    size = {"width": SIZE_PX[0], "height": SIZE_PX[1]}
    return TextureDescription(element=element_of(format_named(name)), **{**size, **said})


def tiled(description: TextureDescription, rows: Bytes, height_gob: int | None = None) -> Bytes:
    """Return storage with these rows, by the automatic block height or by another."""
    if height_gob is not None:
        description = dataclasses.replace(description, packaged=PackagedLayout(height_gob))
    return tile_texture(texture_layout(description), np.ascontiguousarray(rows).reshape(-1))


def dump_of(name: str, data: Bytes, description: TextureDescription | None = None) -> Dump:
    """Return bytes and what is said of them."""
    return Dump(fmt=format_named(name), description=description or described(name), data=data)
