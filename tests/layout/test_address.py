"""Texel to byte and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.errors import SizeError
from refnvn.layout.address import Padding, Texel, texel_at, texel_offset_B
from refnvn.layout.description import Element, TextureDescription
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import linear_size_B, tile_texture
from tests.layout.strategies import textures


@given(textures(), st.data())
@settings(max_examples=200, deadline=None)
def test_byte_to_texel_and_back_is_the_identity(description: TextureDescription, data: st.DataObject) -> None:
    """Every byte is one byte of one texel, at which that texel lies, or padding."""
    layout = texture_layout(description)
    offset_B = data.draw(st.integers(0, layout.storage_size_B - 1))
    found = texel_at(layout, offset_B)
    if isinstance(found, Texel):
        assert texel_offset_B(layout, found) == offset_B


@given(textures())
@settings(max_examples=40, deadline=None)
def test_padding_is_exactly_what_tiling_leaves_alone(description: TextureDescription) -> None:
    """Bytes called padding are those that a texture of all ones leaves zero."""
    layout = texture_layout(description)
    storage = tile_texture(layout, np.full(linear_size_B(layout), 0xFF, np.uint8))
    for offset_B in range(0, layout.size_B, max(1, layout.size_B // 150)):
        assert isinstance(texel_at(layout, offset_B), Padding) == (storage[offset_B] == 0)


@pytest.mark.rule("LAYOUT-BLOCK-1")
def test_next_gob_to_the_right_is_one_block_further() -> None:
    """In a 256x256 RGBA8 texture with 16-GOB blocks texel (16, 0) lies 8192 bytes in."""
    layout = texture_layout(TextureDescription(element=Element(4), width=256, height=256))
    assert texel_offset_B(layout, Texel(0, 0, 16, 0, 0)) == 8192


@pytest.mark.parametrize("offset_B", [-1, 65536], ids=["negative", "behind"])
def test_byte_outside_the_storage_is_refused(offset_B: int) -> None:
    """Only bytes of the storage are anything."""
    layout = texture_layout(TextureDescription(element=Element(4), width=128, height=128))
    with pytest.raises(SizeError, match=r"is not in 0\.\.65535"):
        texel_at(layout, offset_B)


def test_texel_outside_its_level_is_refused() -> None:
    """x, y, z and the byte must be in the level."""
    layout = texture_layout(TextureDescription(element=Element(4), width=8, height=8))
    for texel, match in (
        (Texel(0, 0, 8, 0, 0), "x 8"),
        (Texel(0, 0, 0, -1, 0), "y -1"),
        (Texel(0, 0, 0, 0, 1), "z 1"),
        (Texel(0, 0, 0, 0, 0, 4), "byte 4"),
    ):
        with pytest.raises(SizeError, match=match):
            texel_offset_B(layout, texel)
