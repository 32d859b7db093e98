"""Samples in storage."""

from __future__ import annotations

import pytest

from refnvn.errors import FieldRangeError
from refnvn.layout.multisample import sample_cell, sample_grid


@pytest.mark.rule("LAYOUT-SAMPLES-1")
def test_grid_of_each_sample_count() -> None:
    """1x1, 2x1, 2x2, 4x2, 4x4 texels of storage a pixel."""
    assert [sample_grid(n) for n in (1, 2, 4, 8, 16)] == [(1, 1), (2, 1), (2, 2), (4, 2), (4, 4)]


@pytest.mark.rule("LAYOUT-SAMPLES-2")
def test_cells_of_two_and_eight_samples_are_permuted() -> None:
    """Two samples lie right to left; eight as the D3D mode has them."""
    assert [sample_cell(2, s) for s in range(2)] == [(1, 0), (0, 0)]
    assert [sample_cell(8, s) for s in range(8)] == [
        (2, 0), (1, 1), (3, 1), (1, 0), (0, 1), (0, 0), (2, 1), (3, 0),
    ]  # fmt: skip


@pytest.mark.rule("LAYOUT-SAMPLES-4")
def test_sixteen_samples_lie_in_pairs_where_eight_lie() -> None:
    """Measured: 7 and 9 of 16 raster samples become sample 0 of 8, 0 and 6 become 6, 2 and 12 become 4."""
    cells = [sample_cell(16, s) for s in range(16)]
    assert sorted(cells) == sorted((x, y) for x in range(4) for y in range(4))
    for pair, one in {(7, 9): 0, (0, 6): 6, (2, 12): 4, (8, 11): 1, (5, 14): 2}.items():
        assert {(cells[k][0], cells[k][1] // 2) for k in pair} == {sample_cell(8, one)}


def test_impossible_counts_are_refused() -> None:
    """Three samples, or sample 4 of 4, are no samples."""
    with pytest.raises(FieldRangeError, match=r"samples 3 is not one of 1, 2, 4, 8, 16"):
        sample_grid(3)
    with pytest.raises(FieldRangeError, match=r"sample 4 is not in 0\.\.3"):
        sample_cell(4, 4)
