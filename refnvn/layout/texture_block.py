"""Which block height, block depth and sparse tile does a texture take: packaged, sparse or automatic?

Read next: ``levels.py``.
"""

from __future__ import annotations

from refnvn.layout.block_linear import ceil_div
from refnvn.layout.block_size import (
    automatic_block_depth_gob,
    automatic_block_height_gob,
    shrunk_block_depth_gob,
    shrunk_block_height_gob,
    video_decode_block_height_gob,
)
from refnvn.layout.description import TextureDescription, TextureFlags
from refnvn.layout.multisample import sample_grid
from refnvn.layout.sparse import SparseTile, holds_a_tile, tile_2d, tile_3d, tile_of_blocks
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import (
    NVN,
    ExplicitBlock,
    MultisampleHeight,
    Rules,
    SparseHeight,
    SparsePadding,
    SparseSmall,
)
from refnvn.rules.registry import rule


def sparse_tile(description: TextureDescription, rules: Rules = NVN) -> SparseTile:
    """Return the tile of a sparse texture: its packaged blocks' tile, or the standard one."""
    bytes_per_block = description.element.bytes_per_block
    if description.packaged is not None:
        packaged = description.packaged
        return tile_of_blocks(bytes_per_block, packaged.block_height_gob, packaged.block_depth_gob)
    if rules.sparse_height is SparseHeight.AUTOMATIC:
        height_gob, depth_gob = block_height_gob(description, rules), block_depth_gob(description, rules)
        return tile_of_blocks(bytes_per_block, height_gob, depth_gob)
    return _standard_tile(description)


@rule(
    "LAYOUT-SPARSE-5",
    "A sparse texture without packaged layout takes its tile's blocks, if level 0 holds a tile; else automatic ones.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts", "layout-vectors"),
    ledger=("sparse-tile-height", "sparse-small-auto", "sparse-8gob-cap", "sparse-3d-tile"),
    fields=("sparse_height", "sparse_small"),
)
def takes_tile_blocks(description: TextureDescription, rules: Rules = NVN) -> bool:
    """Say whether a sparse texture is laid out in its tile's blocks."""
    columns, rows, slices = description.extent_el(0)
    width_B = columns * description.element.bytes_per_block
    if rules.sparse_height is SparseHeight.AUTOMATIC:
        return False
    if rules.sparse_small is SparseSmall.TILE:
        return True
    whole = rules.with_(sparse_padding=SparsePadding.AT_LEAST_A_TILE)
    return holds_a_tile(_standard_tile(description), width_B, rows, slices, whole)


def block_height_gob(description: TextureDescription, rules: Rules = NVN) -> int:
    """Return a texture's block height in GOBs: packaged, sparse, 3D, video decode or automatic."""
    if description.packaged is not None:
        return description.packaged.block_height_gob
    if description.is_sparse and takes_tile_blocks(description, rules):
        return _standard_tile(description).block_height_gob
    if TextureFlags.VIDEO_DECODE in description.flags:
        return video_decode_block_height_gob()
    if description.is_3d:
        return 1
    rows = description.extent_el(0)[1]
    if description.samples > 1:
        rows = multisample_rows(rows, description.samples, rules)
    return automatic_block_height_gob(rows, rules)


@rule(
    "LAYOUT-SAMPLES-3",
    "The automatic block height of a multisample texture counts the rows of samples in storage, not rows of pixels.",
    evidence=Evidence.OPEN,
    sources=("deko3d", "nil"),
    fields=("multisample_height",),
    refuted_by="a multisample texture of a title whose bytes read right at the other height",
)
def multisample_rows(rows: int, samples: int, rules: Rules = NVN) -> int:
    """Return the rows that the automatic block height of a multisample texture counts.

    >>> multisample_rows(64, 4)
    64
    """
    if rules.multisample_height is MultisampleHeight.PIXEL_ROWS:
        return ceil_div(rows, sample_grid(samples)[1])
    return rows


def block_depth_gob(description: TextureDescription, rules: Rules = NVN) -> int:
    """Return a texture's block depth in GOBs: packaged, sparse or automatic; 1 unless 3D."""
    if description.packaged is not None:
        return description.packaged.block_depth_gob
    if not description.is_3d:
        return 1
    if description.is_sparse and takes_tile_blocks(description, rules):
        return _standard_tile(description).block_depth_gob
    return automatic_block_depth_gob(max(1, description.depth), rules)


def level_block(
    description: TextureDescription, height_gob: int, depth_gob: int, level: int, rules: Rules = NVN
) -> tuple[int, int]:
    """Return ``(block height, block depth)`` in GOBs that a level uses."""
    _, rows, slices = description.extent_el(level)
    given = height_gob, depth_gob
    depth = shrunk_block_depth_gob(depth_gob, slices) if description.is_3d else depth_gob
    shrunk = shrunk_block_height_gob(height_gob, rows), depth
    if description.packaged is not None and level == 0 and shrunk != given:
        return oversized_level_0_block(given, shrunk, rules)
    return shrunk


@rule(
    "LAYOUT-LEVEL-4",
    "A block height or depth given from outside that level 0 does not need shrinks there as at every other level.",
    evidence=Evidence.OPEN,
    sources=("deko3d", "nil", "envytools", "yuzu"),
    fields=("explicit_block",),
    refuted_by="a packaged texture whose blocks are taller than its rows need and are read unshrunk",
)
def oversized_level_0_block(given: tuple[int, int], shrunk: tuple[int, int], rules: Rules = NVN) -> tuple[int, int]:
    """Return the block of level 0 where a packaged layout gives more than the level needs.

    >>> oversized_level_0_block((16, 1), (2, 1))
    (2, 1)
    """
    return given if rules.explicit_block is ExplicitBlock.KEEP_LEVEL_0 else shrunk


def _standard_tile(description: TextureDescription) -> SparseTile:
    bytes_per_block = description.element.bytes_per_block
    return tile_3d(bytes_per_block) if description.is_3d else tile_2d(bytes_per_block)
