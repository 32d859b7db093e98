"""Rows of a texture, padded or not."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.dumps.raw_rows import plain_rows
from refnvn.errors import SizeError
from refnvn.layout.description import Element, TextureDescription, TextureTarget
from refnvn.layout.texture import TextureLayout, texture_layout


def layout(**said: object) -> TextureLayout:
    """Return a texture of 3 x 2 texels of four bytes, or as said."""
    return texture_layout(TextureDescription(element=Element(4), **{"width": 3, "height": 2, **said}))  # type: ignore[arg-type]


ROWS = np.arange(24, dtype=np.uint8)


def test_padding_is_left_out() -> None:
    """Rows of 12 bytes 20 apart, the last padding there or not."""
    padded = np.full((2, 20), 99, np.uint8)
    padded[:, :12] = ROWS.reshape(2, 12)
    for size in (40, 32):
        assert (plain_rows(layout(), padded.reshape(-1)[:size], 20) == ROWS).all()


def test_slices_are_rows_too() -> None:
    """A 3D texture's rows at one pitch."""
    slab = layout(height=1, depth=2, target=TextureTarget.TARGET_3D)
    padded = np.zeros((2, 16), np.uint8)
    padded[:, :12] = ROWS.reshape(2, 12)
    assert (plain_rows(slab, padded.reshape(-1), 16) == ROWS).all()


@pytest.mark.parametrize("stride_B", [0, 12])
def test_rows_without_padding_stay(stride_B: int) -> None:
    """Of all levels and layers."""
    assert (plain_rows(layout(), ROWS, stride_B) == ROWS).all()
    chain = layout(levels=2)
    assert plain_rows(chain, np.zeros(28, np.uint8), 0).size == 28


@pytest.mark.parametrize(
    ("said", "size", "stride_B", "words"),
    [
        ({}, 25, 0, "allowed for plain rows of this texture: 24"),
        ({}, 24, 8, "rows 8 bytes apart; allowed: 12 or more"),
        ({}, 41, 20, "allowed for 2 rows 20 bytes apart: 40"),
        ({"levels": 2}, 56, 20, "allowed with padded rows: one of one"),
    ],
)
def test_what_does_not_fit_is_refused(said: dict[str, object], size: int, stride_B: int, words: str) -> None:
    """One error each."""
    with pytest.raises(SizeError, match=words):
        plain_rows(layout(**said), np.zeros(size, np.uint8), stride_B)
