"""The GOB: its address bits, its sectors, and the way back."""

from __future__ import annotations

import pytest

from refnvn.layout.gob import gob_offset_B, gob_position


@pytest.mark.rule("LAYOUT-GOB-1")
def test_sectors_lie_in_tegra_order() -> None:
    """The 4x4 grid of 32-byte sectors, row by row: 0 1 8 9 / 2 3 10 11 / 4 5 12 13 / 6 7 14 15."""
    grid = [[gob_offset_B(column * 16, row * 2) // 32 for column in range(4)] for row in range(4)]
    assert grid == [[0, 1, 8, 9], [2, 3, 10, 11], [4, 5, 12, 13], [6, 7, 14, 15]]


@pytest.mark.rule("LAYOUT-GOB-1")
def test_x_and_y_own_disjoint_bits_of_the_offset() -> None:
    """Column bits make the mask 0x12f, row bits 0x0d0."""
    columns = rows = 0
    for x_B in range(64):
        columns |= gob_offset_B(x_B, 0)
    for y in range(8):
        rows |= gob_offset_B(0, y)
    assert (columns, rows) == (0x12F, 0x0D0)


def test_every_offset_of_a_gob_is_one_position() -> None:
    """Offset to position and back is the identity on all 512 bytes."""
    assert [gob_offset_B(*gob_position(offset_B)) for offset_B in range(512)] == list(range(512))
