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
_SEEN_2D = (4, 8, 16)
_SEEN_3D = (8, 16)


@dataclass(frozen=True, slots=True)
class SparseTile:
    """The shape of a 64 KiB tile: in texels or compressed blocks (``_el``) and in GOBs."""

    width_el: int
    height_el: int
    depth: int
    width_gob: int
    block_height_gob: int
    block_depth_gob: int


def tile_2d(bytes_per_block: int) -> SparseTile:
    """Return the standard 2D tile of a texel or block of 1, 2, 4, 8 or 16 bytes.

    Examples
    --------
    >>> tile_2d(16).block_height_gob, tile_2d(16).width_gob
    (8, 16)
    """
    shape = seen_tile_2d if bytes_per_block in _SEEN_2D else unseen_tile_2d
    return _tile(bytes_per_block, *shape(bytes_per_block), 1)


def tile_3d(bytes_per_block: int) -> SparseTile:
    """Return the standard 3D tile of a texel or block of 1, 2, 4, 8 or 16 bytes.

    Examples
    --------
    >>> tile = tile_3d(8)
    >>> tile.block_height_gob, tile.block_depth_gob, tile.width_gob
    (2, 16, 4)
    """
    shape = seen_tile_3d if bytes_per_block in _SEEN_3D else unseen_tile_3d
    return _tile(bytes_per_block, *shape(bytes_per_block))


@rule(
    "LAYOUT-SPARSE-1",
    "A 2D tile is 128x128, 128x64, 64x64 texels or blocks for 4, 8, 16 bytes each.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts"),
    ledger=("sparse-tile-height", "sparse-8gob-cap"),
)
def seen_tile_2d(bytes_per_block: int) -> tuple[int, int]:
    """Return width and height of a 2D tile that titles show.

    >>> seen_tile_2d(8)
    (128, 64)
    """
    return _TILE_2D[bytes_per_block]


@rule(
    "LAYOUT-SPARSE-6",
    "A 2D tile is 256x256 or 256x128 texels for 1 or 2 bytes each, by the table that the larger ones follow.",
    evidence=Evidence.INFERRED,
    sources=("layout-facts", "vulkan-sparse-shapes", "nil"),
    ledger=("sparse-tile-height",),
    refuted_by="a 1- or 2-byte sparse texture of a title that reads right at another height",
)
def unseen_tile_2d(bytes_per_block: int) -> tuple[int, int]:
    """Return width and height of a 2D tile that no title has shown.

    >>> unseen_tile_2d(1)
    (256, 256)
    """
    return _TILE_2D[bytes_per_block]


@rule(
    "LAYOUT-SPARSE-2",
    "A 3D tile is 32x16x16 or 16x16x16 texels or blocks for 8 or 16 bytes each.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts"),
    ledger=("sparse-3d-tile",),
)
def seen_tile_3d(bytes_per_block: int) -> tuple[int, int, int]:
    """Return width, height and depth of a 3D tile that a title shows.

    >>> seen_tile_3d(16)
    (16, 16, 16)
    """
    return _TILE_3D[bytes_per_block]


@rule(
    "LAYOUT-SPARSE-7",
    "A 3D tile is 64x32x32, 32x32x32, 32x32x16 texels for 1, 2, 4 bytes each, by the table of the larger ones.",
    evidence=Evidence.INFERRED,
    sources=("layout-facts", "vulkan-sparse-shapes", "nil"),
    ledger=("sparse-3d-tile",),
    refuted_by="a 1-, 2- or 4-byte sparse 3D texture of a title with tiles of another shape",
)
def unseen_tile_3d(bytes_per_block: int) -> tuple[int, int, int]:
    """Return width, height and depth of a 3D tile that no title has shown.

    >>> unseen_tile_3d(4)
    (32, 32, 16)
    """
    return _TILE_3D[bytes_per_block]


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
)
def holds_a_tile(tile: SparseTile, width_B: int, rows: int, slices: int, rules: Rules = NVN) -> bool:
    """Say whether a level of ``width_B`` bytes by ``rows`` by ``slices`` is laid out in whole tiles.

    Examples
    --------
    384x384 DXT1 is 12 GOBs wide, the tile 16:

    >>> holds_a_tile(tile_2d(8), 96 * 8, 96, 1)
    False
    """
    in_gobs = (ceil_div(width_B, GOB_WIDTH_B), ceil_div(rows, GOB_HEIGHT_ROWS), slices)
    tile_in_gobs = (tile.width_gob, tile.block_height_gob, tile.block_depth_gob)
    by_gobs = _reaches(in_gobs, tile_in_gobs)
    by_texels = _reaches((width_B, rows, slices), (tile.width_gob * GOB_WIDTH_B, tile.height_el, tile.depth))
    more_than_one = by_gobs and in_gobs[0] > tile_in_gobs[0] and in_gobs[1] > tile_in_gobs[1]
    if by_gobs == by_texels == more_than_one:
        return by_gobs
    return on_the_edge_of_a_tile(by_gobs, by_texels, more_than_one, rules)


@rule(
    "LAYOUT-SPARSE-8",
    "A level whose last GOB is partly filled, or that is exactly a tile wide or high, holds a tile if its GOBs do.",
    evidence=Evidence.OPEN,
    sources=("seed-titles", "nil", "ryujinx", "yuzu", "vulkan-sparse-shapes"),
    ledger=("sparse-64k",),
    fields=("sparse_padding", "sparse_tile_test"),
    refuted_by="the level sizes of a sparse texture with such a level, from a title's cooked data",
)
def on_the_edge_of_a_tile(by_gobs: bool, by_texels: bool, more_than_one: bool, rules: Rules = NVN) -> bool:
    """Return the answer where counting GOBs, counting texels and asking for more than a tile part.

    The seeds count in GOBs and ask for at least a tile; no title shows such a level.

    >>> on_the_edge_of_a_tile(True, False, False)
    True
    """
    if rules.sparse_padding is SparsePadding.MORE_THAN_A_TILE:
        return more_than_one
    return by_texels if rules.sparse_tile_test is SparseTileTest.TEXELS else by_gobs


def _reaches(size: tuple[int, int, int], of_tile: tuple[int, int, int]) -> bool:
    return all(one >= other for one, other in zip(size, of_tile, strict=True))


def _tile(bytes_per_block: int, width_el: int, height_el: int, depth: int) -> SparseTile:
    width_gob = width_el * bytes_per_block // GOB_WIDTH_B
    return SparseTile(width_el, height_el, depth, width_gob, height_el // GOB_HEIGHT_ROWS, depth)
