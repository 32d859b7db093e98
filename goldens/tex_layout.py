"""Goldens of ``t_tex_layout``: the automatic block height, and sparse textures smaller than a tile."""

from __future__ import annotations

from goldens.textures import LEVEL_COLUMNS, SIZE_COLUMNS, level_rows, numbered_storage, size_row, texture
from refnvn.golden.case import Result, golden_case, table
from refnvn.layout.block_size import automatic_block_height_gob
from refnvn.layout.sparse import tile_2d
from refnvn.layout.texture import texture_layout
from refnvn.rules.fields import Rules


@golden_case(
    "tex_layout/auto_block_height",
    t_test="t_tex_layout",
    says="The automatic block height of 1 to 128 rows of blocks.",
    ledger=("auto-block-height",),
)
def auto_block_height(rules: Rules) -> list[Result]:
    """Rounding the division up is wrong at 20 of these rows."""
    rows = range(1, 129)
    return [table("height", ("rows", "block_height_gob"), [(r, automatic_block_height_gob(r, rules)) for r in rows])]


@golden_case(
    "tex_layout/measured_textures",
    t_test="t_tex_layout",
    says="Textures of titles and game files that read right, by eye or byte for byte, at the automatic block height.",
    ledger=("auto-block-height",),
)
def measured_textures(rules: Rules) -> list[Result]:
    """40 rows of blocks take 4 GOBs, not 8; the last is a file that garbled at 8."""
    seen = (
        ("RGBA_DXT5", 160, 160),
        ("BPTC_UNORM", 672, 160),
        ("BPTC_UNORM", 1232, 160),
        ("BPTC_UNORM", 112, 112),
        ("BPTC_UNORM", 288, 208),
        ("BPTC_UNORM", 880, 432),
        ("BPTC_UNORM", 504, 156),
    )
    labels = [f"{name} {width}x{height}" for name, width, height in seen]
    rows = [size_row(texture(name, width, height), rules) for name, width, height in seen]
    return [table("textures", SIZE_COLUMNS, rows, row_labels=labels)]


@golden_case(
    "tex_layout/bc3_160x160",
    t_test="t_tex_layout",
    says="A 160x160 BC3 texture as it lies in storage, each block holding its number.",
    ledger=("auto-block-height",),
)
def bc3_160x160(rules: Rules) -> list[Result]:
    """At 8 GOBs 160 of the 1600 blocks would stay in place; the size is the same."""
    return [numbered_storage("storage", texture_layout(texture("RGBA_DXT5", 160, 160), rules))]


@golden_case(
    "tex_layout/sparse_small",
    t_test="t_tex_layout",
    says="Sparse textures smaller than a tile keep the automatic block height: a 192x160 icon, a 384x384 DXT1.",
    ledger=("sparse-small-auto",),
)
def sparse_small(rules: Rules) -> list[Result]:
    """The tile's 8 GOBs would show the left half of the icon and stray fragments."""
    icon = texture("RGBA_DXT5", 192, 160, sparse=True)
    dxt1 = texture("RGBA_DXT1", 384, 384, sparse=True)
    tile = tile_2d(icon.element.bytes_per_block)
    return [
        table("textures", SIZE_COLUMNS, [size_row(icon, rules), size_row(dxt1, rules)], row_labels=("icon", "dxt1")),
        table("tile", ("width_gob", "height_gob"), [(tile.width_gob, tile.block_height_gob)], row_labels=("icon",)),
        numbered_storage("icon", texture_layout(icon, rules)),
        numbered_storage("dxt1", texture_layout(dxt1, rules)),
    ]


@golden_case(
    "tex_layout/bc1_mip_chain",
    t_test="t_tex_layout",
    says="All levels of a 256x256 and of a 160x160 BC1 texture: offsets, and blocks that shrink with the level.",
    ledger=("auto-block-height",),
)
def bc1_mip_chain(rules: Rules) -> list[Result]:
    """The first is the layout of a real picture's file; the second starts at 40 rows, 4 GOBs and not 8."""
    real = texture("RGBA_DXT1", 256, 256, levels=9)
    forty_rows = texture("RGBA_DXT1", 160, 160, levels=8)
    return [
        table("levels_256", LEVEL_COLUMNS, level_rows(real, rules)),
        table("levels_160", LEVEL_COLUMNS, level_rows(forty_rows, rules)),
        numbered_storage("storage_256", texture_layout(real, rules)),
    ]
