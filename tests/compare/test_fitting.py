"""What a readback of another size would fit, said in the error that refuses it."""

from __future__ import annotations

from typing import Any

import pytest

from refnvn.compare.fitting import what_fits
from refnvn.golden.result import Image


@pytest.mark.parametrize(
    ("size_B", "said", "words"),
    [
        (64 * 64 * 8, {}, "texels of 8 bytes (RGBA16F, RGBA16, RGBA16SN, ...)"),
        (64 * 64, {}, "texels of 1 bytes (R8, R8SN, R8UI, ...)"),
        (20 * 14 * 4, {"width_px": 20, "height_px": 14, "format": "RGBA8", "layers": 2}, "1 of 2 layers"),
        (100 * 448, {"width_px": 100, "height_px": 100}, "rows 448 bytes apart"),
        (16 * 128 * 8, {"width_px": 20, "height_px": 100}, "as block-linear bytes RGBA8 20x100"),
        (32 * 32 * 4, {}, "level 1 of 64x64"),
        (64 * 70 * 4, {}, "70 rows of this width, where there are 64"),
        (64 * 64 * 4, {"samples": 4}, "one sample of each texel"),
        (64 * 64 * 4, {"levels": 3}, "level 0 alone"),
        (16 * 16 * 16, {"format": "RGBA_DXT1"}, "blocks as of RGBA_DXT3, RGBA_DXT5"),
        (16000, {}, "; it is cut off: 97 % of it are there"),
        (0, {}, "; it is empty"),
    ],
)
def test_what_would_fit_is_said(size_B: int, said: dict[str, Any], words: str) -> None:
    """Sizes counted by hand: other texels, one layer, padded rows, GOBs of 512 bytes, another level, cut off."""
    what = Image(**{"format": "RGBA8", "width_px": 64, "height_px": 64, **said})
    assert words in what_fits(what, size_B)


def test_nothing_is_said_where_nothing_fits() -> None:
    """A longer file of no such size."""
    assert what_fits(Image(format="RGBA8", width_px=64, height_px=64), 64 * 64 * 4 + 3) == ""


def test_rows_where_block_linear_bytes_are_wanted() -> None:
    """Storage was expected."""
    what = Image(format="RGBA8", width_px=8, height_px=8, layout="guest")
    assert what_fits(what, 256) == "; would fit: plain rows, where block-linear bytes are expected"
    assert what_fits(what, 255) == ""
