"""What the texture goldens share: textures named in a line, and blocks that carry their own number.

It holds no case. Read next: ``tex_layout.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.element import element_of
from refnvn.formats.table import format_named
from refnvn.golden.case import Result, guest_bytes
from refnvn.layout.description import NO_FLAGS, TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import Bytes, linear_size_B, tile_texture
from refnvn.rules.fields import Rules

TARGET_3D = TextureTarget.TARGET_3D


def texture(format_name: str, width: int, height: int, *, sparse: bool = False, **more: Any) -> TextureDescription:
    """Return a texture of an NVN format by name."""
    flags = TextureFlags.SPARSE if sparse else NO_FLAGS
    element = element_of(format_named(format_name))
    return TextureDescription(element=element, width=width, height=height, flags=flags, **more)


def numbered_blocks(count: int, bytes_per_block: int) -> Bytes:
    """Return blocks that hold their own number as little-endian words: block n reads n, n, ...

    >>> numbered_blocks(2, 8).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    """
    word = np.dtype("<u4") if bytes_per_block >= 4 else np.dtype(f"<u{bytes_per_block}")
    numbers: NDArray[Any] = np.arange(count, dtype=np.uint32).astype(word)
    return np.repeat(numbers, bytes_per_block // word.itemsize).view(np.uint8)


def numbered_storage(name: str, layout: TextureLayout) -> Result:
    """Return a texture's storage with its blocks numbered in packed order; bytes no block reaches are padding."""
    size_B = linear_size_B(layout)
    bytes_per_block = layout.description.element.bytes_per_block
    storage = tile_texture(layout, numbered_blocks(size_B // bytes_per_block, bytes_per_block))
    reached = tile_texture(layout, np.full(size_B, 1, np.uint8))
    return guest_bytes(name, storage, any_mask=reached == 0)


def size_row(description: TextureDescription, rules: Rules) -> tuple[int, ...]:
    """Return block height and depth, layers, layer stride, texture size: the columns of ``SIZE_COLUMNS``."""
    layout = texture_layout(description, rules)
    return (
        layout.block_height_gob,
        layout.block_depth_gob,
        layout.layers,
        layout.layer_stride_B,
        layout.size_B,
    )


SIZE_COLUMNS = ("block_height_gob", "block_depth_gob", "layers", "layer_stride_B", "size_B")
LEVEL_COLUMNS = ("offset_B", "size_B", "pitch_B", "block_height_gob", "block_depth_gob", "in_mip_tail")


def level_rows(description: TextureDescription, rules: Rules) -> list[tuple[int, ...]]:
    """Return one row a level: the columns of ``LEVEL_COLUMNS``."""
    rows: list[tuple[int, ...]] = []
    for level in texture_layout(description, rules).levels:
        assert level.blocks is not None
        rows.append(
            (
                level.offset_B,
                level.size_B,
                level.pitch_B,
                level.blocks.block_height_gob,
                level.blocks.block_depth_gob,
                int(level.in_mip_tail),
            )
        )
    return rows
