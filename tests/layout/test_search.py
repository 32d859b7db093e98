"""Finding layouts by their size."""

from __future__ import annotations

from refnvn.layout.description import Element, PackagedLayout, TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.search import layouts_of_size, nearest_sizes
from refnvn.layout.texture import texture_layout


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


def test_every_explicit_block_of_a_3d_texture_is_found_by_its_size() -> None:
    """40 slices of 64x64: depth 32 pads them to 64; 5 GOBs of rows in blocks of 4 are 8."""
    description = TextureDescription(
        element=Element(4), target=TextureTarget.TARGET_3D, width=64, height=40, depth=40,
        packaged=PackagedLayout(4, 32),
    )  # fmt: skip
    size_B = texture_layout(description).size_B
    assert size_B == 4 * 8 * 512 * 64
    found = {
        (one.layout.description.packaged.block_height_gob, one.layout.description.packaged.block_depth_gob)
        for one in layouts_of_size(TextureDescription(
            element=Element(4), target=TextureTarget.TARGET_3D, width=64, height=40, depth=40), size_B)
        if one.layout.description.packaged is not None
    }  # fmt: skip
    assert (4, 32) in found
    assert {depth for _, depth in found} == {32}


def test_other_flags_stay_when_layouts_are_searched() -> None:
    """The blocks of a video decode texture are two GOBs high: 100 rows are 13 GOBs, and 14 in blocks of two."""
    flags = TextureFlags.VIDEO_DECODE | TextureFlags.COMPRESSIBLE
    description = TextureDescription(element=Element(1), width=64, height=100, flags=flags)
    found = layouts_of_size(description, 14 * 512)
    assert "automatic block height, 1 level, as laid out" in [one.words for one in found]
    kept = {one.layout.description.flags & flags for one in found}
    assert kept == {flags}
