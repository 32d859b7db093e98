"""Where do the levels of a layer lie, and how far apart are the layers?

Read next: ``texture.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.layout.block_linear import BlockLinear, align, ceil_div
from refnvn.layout.description import TEXTURE_STRIDE_ALIGNMENT_B, TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.gob import GOB_HEIGHT_ROWS, GOB_SIZE_B, GOB_WIDTH_B
from refnvn.layout.sparse import TILE_SIZE_B, SparseTile, holds_a_tile
from refnvn.layout.texture_block import level_block
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules, SingleLayerStride, SparsePadding, StorageAlignment
from refnvn.rules.registry import rule

PAGE_B = 4096
BIG_PAGE_B = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelLayout:
    """One level of one layer.

    Attributes
    ----------
    level : int
        0 is the largest.
    width_px, height_px : int
        Pixels (texels of storage if multisampled).
    width_el, height_el, slices : int
        Texels, or compressed blocks.
    offset_B, size_B : int
        Inside the layer.
    pitch_B : int
        Bytes of a row, padding included.
    blocks : BlockLinear or None
        None for a linear texture.
    in_mip_tail : bool
        Whether a sparse texture packs this level into its mip tail.
    """

    level: int
    width_px: int
    height_px: int
    width_el: int
    height_el: int
    slices: int
    offset_B: int
    size_B: int
    pitch_B: int
    blocks: BlockLinear | None
    in_mip_tail: bool = False


@rule(
    "LAYOUT-LEVEL-3",
    "The levels of a layer follow one another with no gap, each as large as its own whole blocks.",
    evidence=Evidence.SWITCH,
    sources=("console-swizzler-pair", "layout-facts", "layout-vectors"),
    ledger=("sparse-64k",),
)
def place_levels(
    description: TextureDescription,
    height_gob: int,
    depth_gob: int,
    tile: SparseTile | None,
    rules: Rules = NVN,
) -> tuple[LevelLayout, ...]:
    """Return the levels of one layer in order."""
    levels: list[LevelLayout] = []
    offset_B = 0
    in_mip_tail = False
    for number in range(description.levels):
        columns, rows, slices = description.extent_el(number)
        width_B = columns * description.element.bytes_per_block
        in_mip_tail = tile is not None and (in_mip_tail or not holds_a_tile(tile, width_B, rows, slices, rules))
        width_gob = ceil_div(width_B, GOB_WIDTH_B)
        if tile is not None and not in_mip_tail and rules.sparse_padding is not SparsePadding.NEVER:
            width_gob = align(width_gob, tile.width_gob)
        height_of_level_gob, depth_of_level_gob = level_block(description, height_gob, depth_gob, number, rules)
        blocks = BlockLinear(
            width_gob=width_gob,
            height_block=ceil_div(rows, GOB_HEIGHT_ROWS * height_of_level_gob),
            depth_block=ceil_div(slices, depth_of_level_gob),
            block_height_gob=height_of_level_gob,
            block_depth_gob=depth_of_level_gob,
        )
        width_px, height_px, _ = description.extent_px(number)
        levels.append(
            LevelLayout(
                level=number,
                width_px=width_px,
                height_px=height_px,
                width_el=columns,
                height_el=rows,
                slices=slices,
                offset_B=offset_B,
                size_B=blocks.size_B,
                pitch_B=blocks.pitch_B,
                blocks=blocks,
                in_mip_tail=in_mip_tail,
            )
        )
        offset_B += blocks.size_B
    return tuple(levels)


@rule(
    "LAYOUT-LAYERS-3",
    "Layers lie apart by the sum of the levels, rounded up to a block of level 0, or to whole tiles if sparse.",
    evidence=Evidence.SWITCH,
    sources=("layout-facts", "layout-vectors", "deko3d", "ryujinx"),
    ledger=("cube-array-faces", "sparse-64k"),
)
def layer_stride_B(description: TextureDescription, levels: tuple[LevelLayout, ...], rules: Rules = NVN) -> int:
    """Return the bytes from layer to layer; for a texture without layers the sum of its levels."""
    total_B = levels[-1].offset_B + levels[-1].size_B
    if description.is_sparse:
        return align(total_B, TILE_SIZE_B)
    blocks = levels[0].blocks
    assert blocks is not None
    if description.has_layers or total_B % blocks.block_size_B == 0:
        return align(total_B, blocks.block_size_B)
    return single_layer_size_B(total_B, blocks.block_size_B, rules)


@rule(
    "LAYOUT-LAYERS-4",
    "A texture without layers is as large as the sum of its levels, not rounded up to a block.",
    evidence=Evidence.OPEN,
    sources=("deko3d", "nil", "layout-vectors"),
    fields=("single_layer_stride",),
    refuted_by="nvnTextureBuilderGetStorageSize of a mipmapped 2D texture, read on a console",
)
def single_layer_size_B(total_B: int, block_size_B: int, rules: Rules = NVN) -> int:
    """Return the size of a texture without layers whose levels end inside a block of level 0.

    >>> single_layer_size_B(5632, 4096)
    5632
    """
    return align(total_B, block_size_B) if rules.single_layer_stride is SingleLayerStride.ALIGNED else total_B


@rule(
    "LAYOUT-STORAGE-1",
    "Sparse storage is whole 64 KiB tiles, aligned to 64 KiB.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "nvn-device-info"),
    ledger=("sparse-64k",),
)
def sparse_storage_alignment_B() -> int:
    """Return the alignment of a sparse texture's storage.

    >>> sparse_storage_alignment_B()
    65536
    """
    return TILE_SIZE_B


@rule(
    "LAYOUT-STORAGE-2",
    "The storage of a texture that is not sparse is aligned to 512 bytes, and its size is a multiple of that.",
    evidence=Evidence.OPEN,
    sources=("open-gpu-doc", "deko3d", "nil"),
    fields=("storage_alignment",),
    refuted_by="nvnTextureBuilderGetStorageAlignment and GetStorageSize read on a console",
)
def storage_alignment_B(description: TextureDescription, levels: tuple[LevelLayout, ...], rules: Rules = NVN) -> int:
    """Return the alignment of a block-linear texture's storage: what files carry and the header's address needs."""
    compressible = description.element.is_depth_stencil or TextureFlags.COMPRESSIBLE in description.flags
    if rules.storage_alignment is StorageAlignment.PAGE:
        blocks = levels[0].blocks
        assert blocks is not None
        return max(PAGE_B, blocks.block_size_B)
    if rules.storage_alignment is StorageAlignment.BIG_PAGE and compressible:
        return BIG_PAGE_B
    return GOB_SIZE_B


@rule(
    "LAYOUT-STORAGE-3",
    "A linear texture's storage is aligned to 32 bytes, a buffer texture's to its element, 4 for 12-byte elements.",
    evidence=Evidence.INFERRED,
    sources=("open-gpu-doc", "deko3d"),
    refuted_by="nvnTextureBuilderGetStorageAlignment of a linear or a buffer texture, read on a console",
)
def linear_alignment_B(description: TextureDescription) -> int:
    """Return the alignment of a linear texture's storage.

    >>> from refnvn.layout.description import Element, TextureTarget
    >>> linear_alignment_B(TextureDescription(element=Element(12), target=TextureTarget.TARGET_BUFFER, width=5))
    4
    """
    if description.target is not TextureTarget.TARGET_BUFFER:
        return TEXTURE_STRIDE_ALIGNMENT_B
    element_B = description.element.bytes_per_block
    return 4 if element_B == 12 else element_B
