"""Finding layouts by their size."""

from __future__ import annotations

from refnvn.layout.description import Element, TextureDescription
from refnvn.layout.search import layouts_of_size, nearest_sizes


def test_bc1_with_nine_levels_is_found_by_its_size() -> None:
    """46080 bytes is a 256x256 BC1 with nine levels at the automatic block height (a real file's size)."""
    description = TextureDescription(element=Element(8, 4, 4), width=256, height=256)
    words = [found.words for found in layouts_of_size(description, 46080)]
    assert "automatic block height, 9 levels, as laid out" in words


def test_size_that_fits_nothing_gets_its_neighbours() -> None:
    """500000 bytes is no layout of 320x320 RGBA8; 491520 is the next below."""
    description = TextureDescription(element=Element(4), width=320, height=320)
    assert layouts_of_size(description, 500000) == []
    below, above = nearest_sizes(description, 500000)
    assert below[0] == 491520
    assert above[0] > 500000
