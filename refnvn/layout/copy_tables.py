"""Which bytes of storage make a rectangle of a level? Two short tables: one per row, one per 16-byte run.

The offset of a byte is a sum of what its column, its row and its slice decide (``block_linear.py``), and 16 bytes
of a row stay together (``gob.py``). A copy therefore needs, for every row, the offset of that row, and, for every
run of 16 bytes, the offset of that run: the rule is asked once per row and once per run, never per texel.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError
from refnvn.layout.address import layer_offset_B, level_of
from refnvn.layout.block_linear import BlockLinear, column_offset_B, row_offset_B, slice_offset_B
from refnvn.layout.gob import RUN_B
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout
from refnvn.rules.registry import collect, note


@dataclass(frozen=True, slots=True)
class Region:
    """A box of one level in texels or compressed blocks (``_el``) and slices."""

    x_el: int
    y_el: int
    z: int
    width_el: int
    height_el: int
    slices: int


@dataclass(frozen=True, slots=True)
class CopyTables:
    """Where the rows and runs of a region lie.

    Attributes
    ----------
    rows : uint64, shape (slices * height_el,)
        Offset in storage of each row's column 0.
    runs : uint64, shape (n,)
        Offset of each run of 16 bytes, to be added to a row's.
    skip_B : int
        Bytes of the first run before the region begins, 0..15.
    width_B : int
        Bytes of a row of the region.
    """

    rows: NDArray[np.uint64]
    runs: NDArray[np.uint64]
    skip_B: int
    width_B: int


def whole(level: LevelLayout) -> Region:
    """Return the region that is all of a level."""
    return Region(0, 0, 0, level.width_el, level.height_el, level.slices)


def copy_tables(layout: TextureLayout, level: int, layer: int, region: Region | None = None) -> CopyTables:
    """Return the tables of a region of a level of a layer.

    Raises
    ------
    SizeError
        For a level, layer or region that is not there.
    """
    of_level = level_of(layout, level)
    region = region or whole(of_level)
    _check_region(of_level, region)
    bytes_per_block = layout.description.element.bytes_per_block
    tables, used = _tables(
        of_level.blocks,
        of_level.pitch_B,
        layer_offset_B(layout, layer) + of_level.offset_B,
        region.x_el * bytes_per_block,
        region.width_el * bytes_per_block,
        (region.y_el, region.y_el + region.height_el),
        (region.z, region.z + region.slices),
    )
    note(used)
    return tables


@functools.lru_cache(maxsize=64)
def _tables(
    blocks: BlockLinear | None,
    pitch_B: int,
    base_B: int,
    start_B: int,
    width_B: int,
    rows: tuple[int, int],
    slices: tuple[int, int],
) -> tuple[CopyTables, frozenset[str]]:
    """Ask the rules once for every row, slice and run; the last answers are kept, with the rules that gave them."""
    skip_B = start_B % RUN_B
    x_B = np.arange(start_B - skip_B, start_B + width_B, RUN_B, dtype=np.int64)
    y = np.arange(*rows, dtype=np.int64)
    z = np.arange(*slices, dtype=np.int64)
    with collect() as used:
        if blocks is None:
            runs, of_rows, of_slices = x_B, y * pitch_B, z * 0
        else:
            runs, of_rows, of_slices = (
                column_offset_B(blocks, x_B),
                row_offset_B(blocks, y),
                slice_offset_B(blocks, z),
            )
    all_rows = (base_B + of_slices[:, None] + of_rows[None, :]).reshape(-1)
    tables = CopyTables(all_rows.astype(np.uint64), runs.astype(np.uint64), skip_B, width_B)
    return tables, frozenset(used)


def _check_region(level: LevelLayout, region: Region) -> None:
    for axis, start, size, limit in (
        ("x", region.x_el, region.width_el, level.width_el),
        ("y", region.y_el, region.height_el, level.height_el),
        ("z", region.z, region.slices, level.slices),
    ):
        if start < 0 or size < 1 or start + size > limit:
            raise SizeError(f"region {axis} {start}..{start + size - 1} is not in 0..{limit - 1} of its level")
