"""Goldens of ``t_sparse_layout``: 64 KiB tiles in two and three dimensions, padding, the mip tail."""

from __future__ import annotations

import numpy as np

from goldens.textures import (
    LEVEL_COLUMNS,
    SIZE_COLUMNS,
    TARGET_3D,
    level_rows,
    numbered_storage,
    size_row,
    texture,
)
from refnvn.golden.case import Image, Result, golden_case, image, table
from refnvn.layout.description import TextureDescription
from refnvn.layout.sparse import TILE_SIZE_B
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import Bytes, untile
from refnvn.rules.fields import Rules

FORMATS_BY_BYTES = {1: "R8", 2: "RG8", 4: "RGBA8", 8: "RGBA16F", 16: "RGBA32F"}
TILE_COLUMNS = ("width", "height", "depth", "width_gob", "block_height_gob", "block_depth_gob")

SPARSE_TEXTURES = (
    ("RGBA_DXT5", 384, 384),
    ("RGBA_DXT5", 1920, 912),
    ("BGRA8", 1350, 270),
    ("RGBA8", 512, 512),
    ("RGBA_DXT1", 4096, 2048),
    ("RGBA_DXT1", 1024, 512),
    ("RGBA_DXT1", 384, 384),
    ("RGBA_DXT5", 192, 160),
    ("RGBA_ASTC_6x6", 1024, 1024),
    ("RGBA8", 518, 572),
    ("RGTC2_UNORM", 1024, 1024),
)


@golden_case(
    "sparse_layout/tile_shapes",
    t_test="t_sparse_layout",
    says="The 64 KiB tile of 1, 2, 4, 8 and 16 bytes per block, in texels or blocks and in GOBs, 2D and 3D.",
    ledger=("sparse-tile-height", "sparse-3d-tile", "sparse-8gob-cap"),
)
def tile_shapes(rules: Rules) -> list[Result]:
    """4, 8 and 16 bytes are seen in titles in 2D, 8 and 16 in 3D; the rest follow the standard table."""
    flat = [texture(name, 2048, 2048, sparse=True) for name in FORMATS_BY_BYTES.values()]
    deep = [texture(name, 512, 512, sparse=True, target=TARGET_3D, depth=64) for name in FORMATS_BY_BYTES.values()]
    labels = [f"{size} bytes" for size in FORMATS_BY_BYTES]
    return [
        table("tiles_2d", TILE_COLUMNS, [_tile_row(one, rules) for one in flat], row_labels=labels),
        table("tiles_3d", TILE_COLUMNS, [_tile_row(one, rules) for one in deep], row_labels=labels),
    ]


@golden_case(
    "sparse_layout/textures",
    t_test="t_sparse_layout",
    says="Block heights and sizes of sparse 2D textures of one level.",
    ledger=("sparse-64k", "sparse-tile-height", "sparse-8gob-cap", "sparse-small-auto"),
)
def textures(rules: Rules) -> list[Result]:
    """384x384 DXT5 is 0x40000 bytes, 1350x270 BGRA8 0x210000; a size too small overruns a streamer's buffer."""
    labels = [f"{name} {width}x{height}" for name, width, height in SPARSE_TEXTURES]
    rows = [size_row(texture(name, width, height, sparse=True), rules) for name, width, height in SPARSE_TEXTURES]
    return [table("textures", SIZE_COLUMNS, rows, row_labels=labels)]


@golden_case(
    "sparse_layout/astc_6x6_levels",
    t_test="t_sparse_layout",
    says="Levels of a sparse 1024x1024 ASTC 6x6 texture: level 1 lies at 0x90000, the mip tail starts at level 2.",
    ledger=("sparse-64k",),
)
def astc_6x6_levels(rules: Rules) -> list[Result]:
    """Unpadded, level 1 would lie at 0x81000 and read zero blocks, which ASTC shows in magenta."""
    chain = texture("RGBA_ASTC_6x6", 1024, 1024, sparse=True, levels=11)
    return [table("levels", LEVEL_COLUMNS, level_rows(chain, rules))]


@golden_case(
    "sparse_layout/bc3_384x384",
    t_test="t_sparse_layout",
    says="A sparse 384x384 BC3 texture as it lies in storage, each block holding its number.",
    ledger=("sparse-8gob-cap",),
)
def bc3_384x384(rules: Rules) -> list[Result]:
    """Two rows of 8-GOB blocks, 32 GOBs wide."""
    return [numbered_storage("storage", texture_layout(texture("RGBA_DXT5", 384, 384, sparse=True), rules))]


@golden_case(
    "sparse_layout/bc1_1024x512",
    t_test="t_sparse_layout",
    says="A sparse 1024x512 BC1 texture as it lies in storage, each block holding its number.",
    ledger=("sparse-tile-height",),
)
def bc1_1024x512(rules: Rules) -> list[Result]:
    """At the automatic 16 GOBs 1,024 of the 32,768 blocks would stay in place; the size is the same."""
    return [numbered_storage("storage", texture_layout(texture("RGBA_DXT1", 1024, 512, sparse=True), rules))]


@golden_case(
    "sparse_layout/slab_3d",
    t_test="t_sparse_layout",
    says="Tiles 5-7, 9-11 of a BC1 slab and 10-15, 18-23 of a BC6H one cover the same texels, x 128..511, y 64..191.",
    ledger=("sparse-3d-tile",),
)
def slab_3d(rules: Rules) -> list[Result]:
    """One byte a block: 1 where its tile is mapped. Blocks one GOB high would make two different patchworks."""
    bc1 = texture("RGBA_DXT1", 512, 256, sparse=True, target=TARGET_3D, depth=16)
    bc6h = texture("BPTC_UFLOAT", 512, 256, sparse=True, target=TARGET_3D, depth=16)
    return [
        _mapped_blocks("bc1", bc1, (*range(5, 8), *range(9, 12)), rules),
        _mapped_blocks("bc6h", bc6h, (*range(10, 16), *range(18, 24)), rules),
    ]


def _mapped_blocks(name: str, description: TextureDescription, tiles: tuple[int, ...], rules: Rules) -> Result:
    """Fill the mapped tiles with ones, the others with the zeros that unmapped pages read, and untile."""
    layout = texture_layout(description, rules)
    storage: Bytes = np.zeros(layout.size_B, np.uint8)
    for tile in tiles:
        storage[tile * TILE_SIZE_B : (tile + 1) * TILE_SIZE_B] = 1
    blocks = untile(layout, storage)[:, :, :: description.element.bytes_per_block]
    slices, rows, columns = blocks.shape
    what = Image(format="R8UI", width_px=columns, height_px=rows, depth_px=slices, dimensions="3d")
    return image(name, blocks, what, axes=("slice", "row of blocks", "block"))


def _tile_row(description: TextureDescription, rules: Rules) -> tuple[int, ...]:
    tile = texture_layout(description, rules).tile
    assert tile is not None
    return (
        tile.width_el,
        tile.height_el,
        tile.depth,
        tile.width_gob,
        tile.block_height_gob,
        tile.block_depth_gob,
    )
