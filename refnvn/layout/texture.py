"""Where do the levels and layers of a whole texture lie, and which rule said so?

:func:`texture_layout` takes what a ``TextureBuilder`` knows and gives every number that NVN's
``GetStorageSize`` and its siblings rest on. Each number carries the ids of the rules that made it.

It moves no bytes: ``tiling.py`` does. Read next: ``address.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from refnvn.layout.block_linear import align
from refnvn.layout.description import TextureDescription, layer_count, linear_stride_B
from refnvn.layout.gob import depth_stencil_gob_order
from refnvn.layout.levels import (
    LevelLayout,
    layer_stride_B,
    linear_alignment_B,
    place_levels,
    sparse_storage_alignment_B,
    storage_alignment_B,
)
from refnvn.layout.sparse import SparseTile
from refnvn.layout.texture_block import block_depth_gob, block_height_gob, sparse_tile
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import collect

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextureLayout:
    """A whole texture in storage.

    Attributes
    ----------
    description : TextureDescription
        What it was made from.
    levels : tuple of LevelLayout
        The same in every layer.
    layers : int
        Layers in storage.
    layer_stride_B : int
        Bytes from layer to layer.
    size_B : int
        ``layer_stride_B * layers``.
    block_height_gob, block_depth_gob : int
        Of the texture, before levels shrink them; 0 for a linear one.
    tile : SparseTile or None
        The 64 KiB tile of a sparse texture.
    tail_first_level : int or None
        First level in the mip tail of a sparse texture; None if there is no tail.
    rules : dict of str to tuple of str
        For each number above, the ids of the rules that made it.
    by : Rules
        The rules it was laid out by.
    """

    description: TextureDescription
    levels: tuple[LevelLayout, ...]
    layers: int
    layer_stride_B: int
    size_B: int
    block_height_gob: int
    block_depth_gob: int
    tile: SparseTile | None
    tail_first_level: int | None
    rules: dict[str, tuple[str, ...]]
    by: Rules

    @property
    def storage_alignment_B(self) -> int:
        """What ``GetStorageAlignment`` answers; asked for apart, since no evidence decides most of it."""
        if self.levels[0].blocks is None:
            return linear_alignment_B(self.description)
        if self.tile is not None:
            return sparse_storage_alignment_B()
        return storage_alignment_B(self.description, self.levels, self.by)

    @property
    def storage_size_B(self) -> int:
        """What ``GetStorageSize`` answers: the texture's bytes, up to the storage alignment unless linear."""
        if self.levels[0].blocks is None:
            return self.size_B
        return align(self.size_B, self.storage_alignment_B)


def texture_layout(description: TextureDescription, rules: Rules = NVN) -> TextureLayout:
    """Lay a texture out.

    Parameters
    ----------
    description : TextureDescription
        As its builder describes it.
    rules : Rules
        The layout fields.

    Returns
    -------
    TextureLayout
        Bit-exact where the rules it names are.

    Examples
    --------
    >>> from refnvn.layout.description import Element
    >>> layout = texture_layout(TextureDescription(element=Element(16, 4, 4), width=160, height=160))
    >>> layout.block_height_gob, layout.size_B
    (4, 40960)
    """
    because: dict[str, tuple[str, ...]] = {}

    def noted(name: str, compute: Callable[[], T]) -> T:
        with collect() as used:
            value = compute()
        because[name] = tuple(sorted(used))
        return value

    if description.is_linear:
        return _linear_layout(description, because, noted, rules)
    if description.element.is_depth_stencil:
        noted("gob_order", depth_stencil_gob_order)
    layers = noted("layers", lambda: layer_count(description, rules))
    tile = noted("tile", lambda: sparse_tile(description, rules)) if description.is_sparse else None
    height_gob = noted("block_height_gob", lambda: block_height_gob(description, rules))
    depth_gob = noted("block_depth_gob", lambda: block_depth_gob(description, rules))
    levels = noted("levels", lambda: place_levels(description, height_gob, depth_gob, tile, rules))
    stride_B = noted("layer_stride_B", lambda: layer_stride_B(description, levels, rules))
    tail = next((level.level for level in levels if level.in_mip_tail), None)
    return TextureLayout(
        description=description,
        levels=levels,
        layers=layers,
        layer_stride_B=stride_B,
        size_B=stride_B * layers,
        block_height_gob=height_gob,
        block_depth_gob=depth_gob,
        tile=tile,
        tail_first_level=tail,
        rules=because,
        by=rules,
    )


def _linear_layout(
    description: TextureDescription,
    because: dict[str, tuple[str, ...]],
    noted: Callable[[str, Callable[[], int]], int],
    rules: Rules,
) -> TextureLayout:
    stride_B = noted("pitch_B", lambda: linear_stride_B(description))
    columns, rows, _ = description.extent_el(0)
    size_B = stride_B * rows
    level = LevelLayout(
        level=0,
        width_px=description.width,
        height_px=description.rows_px(),
        width_el=columns,
        height_el=rows,
        slices=1,
        offset_B=0,
        size_B=size_B,
        pitch_B=stride_B,
        blocks=None,
    )
    return TextureLayout(
        description=description,
        levels=(level,),
        layers=1,
        layer_stride_B=size_B,
        size_B=size_B,
        block_height_gob=0,
        block_depth_gob=0,
        tile=None,
        tail_first_level=None,
        rules=because,
        by=rules,
    )
