"""How is a sparse texture cut into 64 KiB tiles, and which levels share the mip tail?

A tile is one row of blocks: 128 GOBs in all, ``128 / (block height * block depth)`` of them side by side. Levels
that hold at least one tile have their width padded to whole tiles; from the first level that does not, the rest is
the mip tail, packed like a plain texture. A texture smaller than one tile is all tail and keeps the automatic
block height.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.errors import FieldRangeError
from refnvn.layout.block_linear import ceil_div
from refnvn.layout.gob import GOB_HEIGHT_ROWS, GOB_SIZE_B, GOB_WIDTH_B
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules, SparsePadding, SparseTileTest
from refnvn.rules.registry import rule

TILE_SIZE_B = 65536
TILE_SIZE_GOB = TILE_SIZE_B // GOB_SIZE_B

_TILE_2D = {1: (256, 256), 2: (256, 128), 4: (128, 128), 8: (128, 64), 16: (64, 64)}
_TILE_3D = {1: (64, 32, 32), 2: (32, 32, 32), 4: (32, 32, 16), 8: (32, 16, 16), 16: (16, 16, 16)}


@dataclass(frozen=True, slots=True)
class SparseTile:
    """The shape of a 64 KiB tile: in texels or compressed blocks (``_el``) and in GOBs."""

    width_el: int
    height_el: int
    depth: int
    width_gob: int
    block_height_gob: int
    block_depth_gob: int


@rule(
    "LAYOUT-SPARSE-1",
    "A 2D tile is 256x256, 256x128, 128x128, 128x64, 64x64 blocks for 1, 2, 4, 8, 16 bytes per block.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts", "vulkan-sparse-shapes", "layout-vectors"),
    ledger=("sparse-tile-height", "sparse-8gob-cap"),
    refuted_by="a 1- or 2-byte sparse texture that reads right at another height: those two follow the table",
)
def tile_2d(bytes_per_block: int) -> SparseTile:
    """Return the standard 2D tile; 4, 8 and 16 bytes are seen in titles, 1 and 2 follow the table.

    Examples
    --------
    >>> tile_2d(16).block_height_gob, tile_2d(16).width_gob
    (8, 16)
    """
    width_el, height_el = _TILE_2D[bytes_per_block]
    return _tile(bytes_per_block, width_el, height_el, 1)


@rule(
    "LAYOUT-SPARSE-2",
    "A 3D tile is 64x32x32, 32x32x32, 32x32x16, 32x16x16, 16x16x16 blocks for 1, 2, 4, 8, 16 bytes.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts", "vulkan-sparse-shapes", "layout-vectors"),
    ledger=("sparse-3d-tile",),
    refuted_by="a 1-, 2- or 4-byte sparse 3D texture of a title with tiles of another shape: those follow the table",
)
def tile_3d(bytes_per_block: int) -> SparseTile:
    """Return the standard 3D tile; 8 and 16 bytes are seen in a title, the others follow the table.

    Examples
    --------
    >>> tile = tile_3d(8)
    >>> tile.block_height_gob, tile.block_depth_gob, tile.width_gob
    (2, 16, 4)
    """
    return _tile(bytes_per_block, *_TILE_3D[bytes_per_block])


@rule(
    "LAYOUT-SPARSE-3",
    "A 64 KiB tile is one row of blocks, 128 / (block height * block depth) GOBs wide, also of a packaged layout.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts", "nil", "open-gpu-doc"),
    ledger=("sparse-64k", "sparse-tile-height", "sparse-3d-tile"),
)
def tile_of_blocks(bytes_per_block: int, block_height_gob: int, block_depth_gob: int) -> SparseTile:
    """Return the tile that given blocks make.

    Raises
    ------
    FieldRangeError
        Where one block alone is larger than a tile.

    Examples
    --------
    >>> tile_of_blocks(16, 8, 1) == tile_2d(16)
    True
    """
    width_gob = TILE_SIZE_GOB // (block_height_gob * block_depth_gob)
    if width_gob == 0:
        raise FieldRangeError(
            f"sparse: a block of {block_height_gob} x {block_depth_gob} GOBs is larger than a tile of {TILE_SIZE_GOB}"
        )
    width_el = width_gob * GOB_WIDTH_B // bytes_per_block
    height_el = block_height_gob * GOB_HEIGHT_ROWS
    return SparseTile(width_el, height_el, block_depth_gob, width_gob, block_height_gob, block_depth_gob)


@rule(
    "LAYOUT-SPARSE-4",
    "Levels at least one tile wide, high and deep are padded in width to whole tiles; the rest is the mip tail.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts", "layout-vectors"),
    ledger=("sparse-64k", "sparse-small-auto"),
    fields=("sparse_padding", "sparse_tile_test"),
    refuted_by="a padded level exactly one tile high, or one whose last GOB or row of the tile is partly filled",
)
def holds_a_tile(tile: SparseTile, width_B: int, rows: int, slices: int, rules: Rules = NVN) -> bool:
    """Say whether a level of ``width_B`` bytes by ``rows`` by ``slices`` is laid out in whole tiles.

    Sizes are counted in whole GOBs, as the seeds count them; counting texels differs where the last GOB is only
    partly filled, and nothing decides that.

    Examples
    --------
    384x384 DXT1 is 12 GOBs wide, the tile 16:

    >>> holds_a_tile(tile_2d(8), 96 * 8, 96, 1)
    False
    """
    if rules.sparse_tile_test is SparseTileTest.TEXELS:
        tile_width = tile.width_gob * GOB_WIDTH_B
        level = (width_B, rows, slices)
        shape = (tile_width, tile.height_el, tile.depth)
    else:
        level = (ceil_div(width_B, GOB_WIDTH_B), ceil_div(rows, GOB_HEIGHT_ROWS), slices)
        shape = (tile.width_gob, tile.block_height_gob, tile.block_depth_gob)
    if rules.sparse_padding is SparsePadding.MORE_THAN_A_TILE:
        return level[0] > shape[0] and level[1] > shape[1] and level[2] >= shape[2]
    return all(size >= of_tile for size, of_tile in zip(level, shape, strict=True))


def _tile(bytes_per_block: int, width_el: int, height_el: int, depth: int) -> SparseTile:
    width_gob = width_el * bytes_per_block // GOB_WIDTH_B
    return SparseTile(width_el, height_el, depth, width_gob, height_el // GOB_HEIGHT_ROWS, depth)
