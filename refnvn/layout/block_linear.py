"""Where does a byte live inside one block-linear level?

GOBs are grouped into blocks, one GOB wide, ``block_height`` high and ``block_depth`` deep. Inside a block GOBs go
down first, then back; blocks go right, then down, then back::

      block_height 2:    GOB 0  2  4 ...     one row of blocks,
                         GOB 1  3  5 ...     then the next below it

The offset is a sum of three parts, one for the byte column, one for the row and one for the slice, so that a copy
needs three short tables and no arithmetic per texel.

It knows bytes and rows, not texels or formats. Read next: ``description.py``, ``texture.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.layout.gob import GOB_HEIGHT_ROWS, GOB_SIZE_B, GOB_WIDTH_B, Position, gob_offset_B, gob_position
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


def ceil_div(value: int, by: int) -> int:
    """Return ``value / by`` rounded up.

    >>> ceil_div(65, 64)
    2
    """
    return -(-value // by)


def align(value: int, to: int) -> int:
    """Return ``value`` rounded up to a multiple of ``to``.

    >>> align(65, 64)
    128
    """
    return ceil_div(value, to) * to


@dataclass(frozen=True, slots=True)
class BlockLinear:
    """The blocks of one level.

    Attributes
    ----------
    width_gob : int
        GOBs in a row, padding included.
    height_block : int
        Rows of blocks in a slice of blocks.
    depth_block : int
        Slices of blocks.
    block_height_gob, block_depth_gob : int
        GOBs down and back in a block, powers of two, 1..32.
    """

    width_gob: int
    height_block: int
    depth_block: int
    block_height_gob: int
    block_depth_gob: int

    @property
    def block_size_B(self) -> int:
        """Bytes of one block."""
        return GOB_SIZE_B * self.block_height_gob * self.block_depth_gob

    @property
    def pitch_B(self) -> int:
        """Bytes of a row of texels, padding included."""
        return self.width_gob * GOB_WIDTH_B

    @property
    def size_B(self) -> int:
        """Bytes of the level."""
        return self.width_gob * self.height_block * self.depth_block * self.block_size_B

    def offset_B(self, x_B: int, y: int, z: int) -> int:
        """Return the offset in the level of the byte in column ``x_B``, row ``y`` and slice ``z``."""
        return column_offset_B(self, x_B) + row_offset_B(self, y) + slice_offset_B(self, z)

    def position(self, offset_B: int) -> tuple[int, int, int]:
        """Return ``(x_B, y, z)`` of the byte at an offset in the level: the inverse of :meth:`offset_B`."""
        block, in_block_B = divmod(offset_B, self.block_size_B)
        row_of_blocks, x_gob = divmod(block, self.width_gob)
        z_block, y_block = divmod(row_of_blocks, self.height_block)
        gob, in_gob_B = divmod(in_block_B, GOB_SIZE_B)
        z_gob, y_gob = divmod(gob, self.block_height_gob)
        x_B, y = gob_position(in_gob_B)
        return (
            x_gob * GOB_WIDTH_B + x_B,
            (y_block * self.block_height_gob + y_gob) * GOB_HEIGHT_ROWS + y,
            z_block * self.block_depth_gob + z_gob,
        )


@rule(
    "LAYOUT-BLOCK-1",
    "Blocks are one GOB wide and follow one another along x first, so a byte column moves by whole blocks.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "console-swizzler-pair", "layout-vectors", "open-gpu-doc"),
)
def column_offset_B(level: BlockLinear, x_B: Position) -> Position:
    """Return the part of the offset that the byte column decides."""
    return (x_B // GOB_WIDTH_B) * level.block_size_B + gob_offset_B(x_B % GOB_WIDTH_B, x_B * 0)


@rule(
    "LAYOUT-BLOCK-2",
    "Inside a block GOBs go down before they go back; rows of blocks follow one another after whole rows of blocks.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "console-swizzler-pair", "layout-vectors"),
)
def row_offset_B(level: BlockLinear, y: Position) -> Position:
    """Return the part of the offset that the row decides."""
    y_gob, y_in_gob = divmod(y, GOB_HEIGHT_ROWS)
    y_block, y_in_block = divmod(y_gob, level.block_height_gob)
    in_block_B = y_in_block * GOB_SIZE_B + gob_offset_B(y * 0, y_in_gob)
    return y_block * level.width_gob * level.block_size_B + in_block_B


@rule(
    "LAYOUT-BLOCK-3",
    "Slices of a block lie the block's height apart, slices of blocks come last: a slice keeps its parent's blocks.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts", "tegra-swizzle-samples", "layout-vectors"),
)
def slice_offset_B(level: BlockLinear, z: Position) -> Position:
    """Return the part of the offset that the slice decides."""
    z_block, z_in_block = divmod(z, level.block_depth_gob)
    per_slice_of_blocks_B = level.width_gob * level.height_block * level.block_size_B
    return z_block * per_slice_of_blocks_B + z_in_block * level.block_height_gob * GOB_SIZE_B
