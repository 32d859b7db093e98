"""astc-encoder-py (Arm's astcenc) as a referee of ASTC, read as half floats and as 8 bits.

Known differences, by cause:

- Illegal blocks, and in the low profile nothing else: read as half floats they are NaN, read as 8 bits white, where
  the specification asks the low profile for magenta.
- Void extents of high dynamic range: a colour that is negative, infinite or NaN comes out as NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from refnvn.formats.blocks import decode_block_codes
from refnvn.formats.table import format_named
from refnvn.rules.fields import NVN, AstcDecode, AstcProfile, Rules
from tests.formats.astc_blocks import HDR_CLASSES, LDR_CLASSES, SIZES, Block, void_extent

astc_encoder: Any = pytest.importorskip("astc_encoder")
pytestmark = pytest.mark.oracle
HDR = NVN.with_(astc_profile=AstcProfile.HDR)
EIGHT_BITS = NVN.with_(astc_decode=AstcDecode.UNORM8)
RANDOM_BLOCKS = 400
NAN = 0xFFFF


def theirs(size: tuple[int, int], blocks: np.ndarray, profile: str, kind: str) -> np.ndarray:
    """Return their codes of blocks, one below the other."""
    flags = astc_encoder.ASTCConfigFlags.USE_DECODE_UNORM8 if (profile, kind) == ("LDR", "U8") else 0
    config = astc_encoder.ASTCConfig(getattr(astc_encoder.ASTCProfile, profile), *size, 1, 60.0, flags)
    image = astc_encoder.ASTCImage(getattr(astc_encoder.ASTCType, kind), size[0], size[1] * len(blocks), 1)
    swizzle = astc_encoder.ASTCSwizzle.from_str("RGBA")
    decoded = astc_encoder.ASTCContext(config).decompress(blocks.tobytes(), image, swizzle)
    dtype = np.uint16 if kind == "F16" else np.uint8
    return np.frombuffer(decoded.data, dtype).reshape(len(blocks), size[1], size[0], 4)


def ours(size: tuple[int, int], blocks: np.ndarray, rules: Rules = NVN, *, srgb: bool = False) -> np.ndarray:
    """Return our codes of the same blocks."""
    fmt = format_named(f"RGBA_ASTC_{size[0]}x{size[1]}{'_SRGB' if srgb else ''}")
    return decode_block_codes(fmt, blocks, rules)


def is_colour(codes: np.ndarray, colour: Sequence[int]) -> np.ndarray:
    """Return which texels have a colour."""
    return (codes == np.array(colour, codes.dtype)).all(axis=-1)


@pytest.mark.parametrize("name", LDR_CLASSES)
def test_legal_low_blocks_are_equal(name: str) -> None:
    """Half floats' bits, 8 bits and sRGB codes, class by class."""

    @settings(max_examples=40)
    @given(LDR_CLASSES[name])
    def check(block: Block) -> None:
        size, data = (block.width, block.height), np.frombuffer(block.data, np.uint8)[np.newaxis]
        assert np.array_equal(ours(size, data), theirs(size, data, "LDR", "F16"))
        assert np.array_equal(ours(size, data, EIGHT_BITS), theirs(size, data, "LDR", "U8"))
        assert np.array_equal(ours(size, data, srgb=True), theirs(size, data, "LDR_SRGB", "U8"))

    check()


@pytest.mark.parametrize("name", HDR_CLASSES)
def test_legal_high_blocks_are_equal(name: str) -> None:
    """Half floats' bits, where high dynamic range is known."""

    @settings(max_examples=40)
    @given(HDR_CLASSES[name])
    def check(block: Block) -> None:
        size, data = (block.width, block.height), np.frombuffer(block.data, np.uint8)[np.newaxis]
        assert np.array_equal(ours(size, data, HDR), theirs(size, data, "HDR", "F16"))

    check()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_random_bits_are_equal_but_for_the_error_colour(size: tuple[int, int]) -> None:
    """Which blocks and texels are illegal agrees too: they are magenta here and NaN, white or magenta there."""
    blocks = np.random.default_rng(size[0] * 16 + size[1]).integers(0, 256, (RANDOM_BLOCKS, 16), dtype=np.uint8)
    blocks[blocks[:, 0] == 0xFC, 1] &= 0xFE  # no void extent of high dynamic range: below
    low, their_low = ours(size, blocks), theirs(size, blocks, "LDR", "F16")
    magenta = is_colour(low, (0x3C00, 0, 0x3C00, 0x3C00))
    allowed = is_colour(their_low, (0x3C00, 0, 0x3C00, 0x3C00)) | is_colour(their_low, (NAN,) * 4)
    assert np.array_equal(magenta, allowed)
    assert np.array_equal(low[~magenta], their_low[~magenta])
    assert np.array_equal(ours(size, blocks, HDR), theirs(size, blocks, "HDR", "F16"))
    for rules, srgb, profile in ((EIGHT_BITS, False, "LDR"), (NVN, True, "LDR_SRGB")):
        codes, their_codes = ours(size, blocks, rules, srgb=srgb), theirs(size, blocks, profile, "U8")
        assert np.array_equal(codes[~magenta], their_codes[~magenta])


def test_a_negative_void_extent_is_their_fault() -> None:
    """The specification gives the half float as it is; they give NaN."""
    data = np.frombuffer(void_extent((0xC900, 0x4900, 0, 0x3C00), hdr=True), np.uint8)[np.newaxis]
    assert ours((4, 4), data, HDR)[0, 0, 0].tolist() == [0xC900, 0x4900, 0, 0x3C00]
    assert theirs((4, 4), data, "HDR", "F16")[0, 0, 0].tolist() == [0x7FFF, 0x4900, 0, 0x3C00]
