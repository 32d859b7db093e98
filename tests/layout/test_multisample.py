"""Samples in storage."""

from __future__ import annotations

import pytest

from refnvn.errors import FieldRangeError, UnknownBehaviour
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


@pytest.mark.rule("LAYOUT-SAMPLES-2")
def test_order_of_sixteen_samples_is_unknown_and_says_so() -> None:
    """Nothing states the cells of 16 samples: it stops with the rule's id."""
    with pytest.raises(UnknownBehaviour, match="LAYOUT-SAMPLES-2"):
        sample_cell(16, 3)


def test_impossible_counts_are_refused() -> None:
    """Three samples, or sample 4 of 4, are no samples."""
    with pytest.raises(FieldRangeError, match=r"samples 3 is not one of 1, 2, 4, 8, 16"):
        sample_grid(3)
    with pytest.raises(FieldRangeError, match=r"sample 4 is not in 0\.\.3"):
        sample_cell(4, 4)
