"""Whole ASTC blocks: results that Arm's decoder gives, laws, error colours, and any bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.formats.blocks import decode_block_codes, decode_blocks_values
from refnvn.formats.table import Format, format_named
from refnvn.rules.fields import NVN, AstcDecode, AstcProfile, Rules, watch

from .astc_blocks import HDR_CLASSES, LDR_CLASSES, RANDOM, SIZES, Block, put, void_extent, void_extents

HDR = NVN.with_(astc_profile=AstcProfile.HDR)
EIGHT_BITS = NVN.with_(astc_decode=AstcDecode.UNORM8)
MAGENTA = [1.0, 0.0, 1.0, 1.0]
HALF_MAGENTA = [0x3C00, 0, 0x3C00, 0x3C00]


def astc(width: int, height: int, *, srgb: bool = False) -> Format:
    """Return the format of a size."""
    return format_named(f"RGBA_ASTC_{width}x{height}{'_SRGB' if srgb else ''}")


def codes_of(block: Block, *, srgb: bool = False, rules: Rules = NVN) -> np.ndarray:
    """Return the codes of a block's texels."""
    data = np.frombuffer(block.data, np.uint8)
    return decode_block_codes(astc(block.width, block.height, srgb=srgb), data, rules).reshape(-1, 4)


def three(size: str, data: str, rules: Rules = NVN) -> list[list[int]]:
    """Return the codes of the first, middle and last texel."""
    width, height = map(int, size.split("x"))
    codes = codes_of(Block(width, height, bytes.fromhex(data)), rules=rules)
    found: list[list[int]] = codes[[0, len(codes) // 2, -1]].tolist()
    return found


@pytest.mark.rule(
    "FMT-ASTC-2", "FMT-ASTC-3", "FMT-ASTC-4", "FMT-ASTC-5", "FMT-ASTC-8", "FMT-ASTC-14", "FMT-ASTC-16", "FMT-ASTC-17"
)
@pytest.mark.parametrize(
    ("size", "data", "codes"),
    [
        pytest.param(
            "4x4",
            "42005128a658859f8416d703d065ead4",
            [[14167, 14420, 14870, 15360], [13808, 14386, 14567, 15360], [12838, 14295, 13556, 15360]],
            id="rgb-direct-4x4",
        ),
        pytest.param(
            "6x6",
            "438043878b932b10d3bd3e0f658a2009",
            [[14605, 14894, 11589, 15183], [14647, 14899, 12515, 15008], [14878, 14926, 14404, 13797]],
            id="rgba-direct-trits",
        ),
        pytest.param(
            "5x5",
            "f220b0308f2b2be138faef3d25928099",
            [[14564, 14564, 14564, 15360], [14613, 14613, 14613, 15360], [14709, 14709, 14709, 15360]],
            id="luminance-quints",
        ),
        pytest.param(
            "8x5",
            "51a1b207c01c32c7ae68c47613f68753",
            [[14038, 14038, 14038, 13030], [14031, 14031, 14031, 12925], [14022, 14022, 14022, 12806]],
            id="la-offset",
        ),
        pytest.param(
            "6x5",
            "5184c770231e4997ed4da9d7ea940032",
            [[14910, 14444, 14476, 15295], [15027, 14896, 14874, 14484], [15119, 15247, 15183, 13894]],
            id="two-planes",
        ),
        pytest.param(
            "8x8",
            "714965834633d03b4da8eaa374844d4b",
            [[15183, 13878, 14653, 15360], [14065, 13878, 11916, 15360], [13701, 13878, 0, 15360]],
            id="two-partitions-own",
        ),
        pytest.param(
            "10x10",
            "6191936a9014a1a71caf3547b0a62268",
            [[15135, 15135, 15135, 15360], [15135, 15135, 15135, 15155], [15231, 15231, 15231, 14998]],
            id="three-partitions",
        ),
        pytest.param(
            "12x12",
            "e17866e0dae11f8db2a5e5fe3fec82ee",
            [[13958, 13958, 13958, 15360], [14500, 14500, 14500, 15360], [15360, 15360, 15360, 15360]],
            id="four-partitions-shared",
        ),
        pytest.param(
            "10x6",
            "e32019d7aad24c15fc0233b5a7cc0541",
            [[14476, 14060, 10573, 15360], [14613, 14295, 0, 15360], [14510, 14119, 10228, 15360]],
            id="offset",
        ),
        pytest.param(
            "12x10",
            "14a1b750c2a20bc26662cb3a7a684c83",
            [[13063, 11910, 13030, 14380], [13219, 12119, 12978, 14341], [13255, 12167, 12966, 14327]],
            id="rgba-offset",
        ),
        pytest.param(
            "8x6",
            "e240ff495ad29d07c02afa114f172a90",
            [[15235, 12334, 12601, 14431], [15322, 12394, 12677, 12685], [15175, 12292, 12549, 14966]],
            id="scale-alpha",
        ),
    ],
)
def test_low_blocks_decode_as_in_arms_decoder(size: str, data: str, codes: list[list[int]]) -> None:
    """Half floats' bits that astcenc gives, class by class."""
    assert three(size, data) == codes


@pytest.mark.rule("FMT-ASTC-9", "FMT-ASTC-12")
@pytest.mark.parametrize(
    ("size", "data", "codes"),
    [
        pytest.param(
            "4x4",
            "42402200df0ba836540ab03541a252ed",
            [[16384, 16384, 16384, 15360], [6774, 6774, 6774, 15360], [11658, 11658, 11658, 15360]],
            id="hdr-luminance",
        ),
        pytest.param(
            "4x4",
            "42604e163e6fab4ff154245581d6e003",
            [[560, 560, 560, 15360], [744, 744, 744, 15360], [678, 678, 678, 15360]],
            id="hdr-luminance-small",
        ),
        pytest.param(
            "5x4",
            "42e0ccf6d818f96864f10ec24dbf3fec",
            [[7712, 6768, 7048, 15360], [7583, 6639, 6886, 15360], [7649, 6705, 6969, 15360]],
            id="hdr-scale",
        ),
        pytest.param(
            "5x5",
            "4260df19aff2cd02942c550f2c4c0677",
            [[27660, 27379, 26717, 15360], [27041, 26913, 26120, 15360], [26096, 26144, 25168, 15360]],
            id="hdr-direct",
        ),
        pytest.param(
            "6x6",
            "42c02d8fb2073a30cf6f8a7264014582",
            [[28598, 27763, 29161, 14703], [28348, 27548, 29116, 14990], [28224, 27368, 29088, 15167]],
            id="hdr-ldr-alpha",
        ),
        pytest.param(
            "8x8",
            "42e0d130fa663bfc486b5dbbde64ffc4",
            [[17984, 15984, 15140, 13504], [17900, 15910, 15043, 12552], [17726, 15758, 14883, 10580]],
            id="hdr-alpha",
        ),
    ],
)
def test_high_blocks_decode_as_in_arms_decoder(size: str, data: str, codes: list[list[int]]) -> None:
    """Where high dynamic range is known; half floats' bits that astcenc gives."""
    assert three(size, data, HDR) == codes


@pytest.mark.rule("FMT-ASTC-15", "FMT-ASTC-18")
def test_high_blocks_are_magenta_on_the_console() -> None:
    """The low profile shows the error colour for a mode that it does not know."""
    assert three("4x4", "42402200df0ba836540ab03541a252ed") == [HALF_MAGENTA] * 3
    srgb = codes_of(Block(4, 4, bytes.fromhex("42402200df0ba836540ab03541a252ed")), srgb=True, rules=HDR)
    assert srgb.tolist() == [[255, 0, 255, 255]] * 16


@pytest.mark.rule("FMT-ASTC-15")
def test_only_the_texels_of_a_high_partition_are_magenta() -> None:
    """Two partitions, one of luminance and one of high luminance: each shows itself in its own texels."""
    block = 34 | 1 << 11 | 77 << 13 | 1 << 23 | 0 << 25
    noise = int.from_bytes(bytes(range(7, 23)), "little")
    block = put(put(noise, 0, 29, block), 128 - 24 - 2, 2, 0b10)
    texels = codes_of(Block(8, 5, block.to_bytes(16, "little"))).reshape(5, 8, 4)
    magenta = (texels == HALF_MAGENTA).all(axis=-1).astype(int)
    assert ["".join(map(str, row)) for row in magenta] == ["00011111", "00001111", "00001111", "00000111", "00000111"]


@pytest.mark.rule("FMT-ASTC-10", "FMT-BLOCK-1")
@pytest.mark.parametrize(
    ("size", "data", "first", "last"),
    [
        pytest.param(
            "6x6",
            "438043878b932b10d3bd3e0f658a2009",
            [161, 197, 21, 233],
            [195, 201, 136, 94],
            id="rgba-direct-trits",
        ),
        pytest.param("12x10", "14a1b750c2a20bc26662cb3a7a684c83", [56, 26, 55, 133], [62, 30, 53, 127], id="offset"),
        pytest.param("8x6", "e240ff495ad29d07c02afa114f172a90", [240, 33, 42, 139], [232, 32, 40, 206], id="scale"),
    ],
)
def test_srgb_blocks_have_eight_bits(size: str, data: str, first: list[int], last: list[int]) -> None:
    """Codes that astcenc gives; colour by the sRGB table, alpha over 255."""
    width, height = map(int, size.split("x"))
    codes = codes_of(Block(width, height, bytes.fromhex(data)), srgb=True)
    assert [codes[0].tolist(), codes[-1].tolist()] == [first, last]
    values = decode_blocks_values(astc(width, height, srgb=True), np.frombuffer(bytes.fromhex(data), np.uint8))
    assert values[0, 0, 3] == np.float32(first[3] / 255)


@pytest.mark.rule("FMT-ASTC-1")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_block_of_zeros_is_magenta(size: tuple[int, int]) -> None:
    """What titles show where their layout is wrong, in every size, linear and sRGB."""
    for srgb in (False, True):
        values = decode_blocks_values(astc(*size, srgb=srgb), np.zeros(16, np.uint8))
        assert values.shape == (size[1], size[0], 4)
        assert values.reshape(-1, 4).tolist() == [MAGENTA] * (size[0] * size[1])


@pytest.mark.rule("FMT-ASTC-1")
def test_where_high_range_is_known_errors_are_nan() -> None:
    """All four channels; 8-bit results have no NaN and stay magenta."""
    zeros = Block(4, 4, bytes(16))
    assert codes_of(zeros, rules=HDR).tolist() == [[0xFFFF] * 4] * 16
    assert np.isnan(decode_blocks_values(astc(4, 4), np.zeros(16, np.uint8), HDR)).all()
    both = HDR.with_(astc_decode=AstcDecode.UNORM8)
    assert codes_of(zeros, rules=both).tolist() == [[255, 0, 255, 255]] * 16


def weighted(mode: int, partitions: int, colour_mode: int) -> Block:
    """Return a block of shared modes, all else zero, in the largest size."""
    header = mode | (partitions - 1) << 11 | colour_mode << (13 if partitions == 1 else 25)
    return Block(12, 12, header.to_bytes(16, "little"))


@pytest.mark.rule("FMT-ASTC-1", "FMT-ASTC-16")
@pytest.mark.parametrize(
    ("block", "legal"),
    [
        pytest.param(weighted(0b0_0_00_01_0_00_01, 1, 0), False, id="fewer-than-24-weight-bits"),
        pytest.param(weighted(34, 1, 0), True, id="24-weight-bits"),
        pytest.param(weighted(0b0_0_00_11_0_01_10, 1, 0), True, id="40-weights"),
        pytest.param(weighted(0b1_0_00_11_0_01_10, 1, 0), False, id="80-weights"),
        pytest.param(Block(8, 8, weighted(0b0_0_11_01_0_01_00, 1, 0).data), False, id="grid-too-wide"),
        pytest.param(Block(8, 8, weighted(0b0_0_11_00_0_01_00, 1, 0).data), False, id="grid-too-high"),
        pytest.param(weighted(34, 4, 8), False, id="24-colour-numbers"),
        pytest.param(weighted(34, 3, 8), True, id="18-colour-numbers"),
        pytest.param(weighted(34 | 1 << 10, 3, 0), True, id="two-planes-of-three-partitions"),
        pytest.param(weighted(34 | 1 << 10, 4, 0), False, id="two-planes-of-four-partitions"),
        pytest.param(weighted(0b0_1_00_10_1_00_11, 3, 8), False, id="no-room-for-colours"),
        pytest.param(weighted(0b0_0_11_10_0_01_00, 1, 0), False, id="reserved-mode"),
    ],
)
def test_a_block_that_breaks_a_law_is_the_error_colour(block: Block, legal: bool) -> None:
    """Whole, whatever else it says."""
    assert (codes_of(block).tolist() != [HALF_MAGENTA] * (block.width * block.height)) is legal


@pytest.mark.rule("FMT-ASTC-11", "FMT-ASTC-13", "FMT-ASTC-17")
def test_a_void_extent_is_one_colour() -> None:
    """65535 is 1, 0x8080 is cut to a half; as 8 bits the highest ones."""
    block = Block(5, 4, void_extent((0xFFFF, 0x8080, 0x00FF, 0)))
    assert codes_of(block).tolist() == [[0x3C00, 0x3804, 0x1BF8, 0]] * 20
    assert codes_of(block, rules=EIGHT_BITS).tolist() == [[255, 128, 0, 0]] * 20
    assert codes_of(block, srgb=True).tolist() == [[255, 128, 0, 0]] * 20
    values = decode_blocks_values(astc(5, 4), np.frombuffer(block.data, np.uint8))
    assert values[0, 0].tolist() == [1.0, 0.501953125, 255 / 65536, 0.0]


@pytest.mark.rule("FMT-ASTC-13", "FMT-ASTC-18")
def test_a_high_void_extent_is_known_to_high_range_only() -> None:
    """Its colours are half floats, taken as they are."""
    block = Block(4, 4, void_extent((0x4900, 0xC900, 0x7BFF, 0x3C00), hdr=True))
    assert codes_of(block, rules=HDR).tolist() == [[0x4900, 0xC900, 0x7BFF, 0x3C00]] * 16
    assert codes_of(block).tolist() == [HALF_MAGENTA] * 16
    assert codes_of(block, srgb=True, rules=HDR).tolist() == [[255, 0, 255, 255]] * 16


def extent(left: int, right: int, top: int, bottom: int) -> int:
    """Return the 52 bits of an extent."""
    return left | right << 13 | top << 26 | bottom << 39


@pytest.mark.rule("FMT-ASTC-13")
@pytest.mark.parametrize(
    ("bounds", "legal"),
    [
        pytest.param(extent(0, 1, 0, 1), True, id="ascending"),
        pytest.param(extent(1, 1, 0, 1), False, id="no-width"),
        pytest.param(extent(0, 1, 5, 4), False, id="descending"),
        pytest.param(extent(0x1FFF, 0x1FFF, 0x1FFF, 0x1FFE), False, id="nearly-all-ones"),
        pytest.param(extent(0x1FFF, 0x1FFF, 0x1FFF, 0x1FFF), True, id="all-ones"),
    ],
)
def test_a_void_extent_must_ascend_or_be_all_ones(bounds: int, legal: bool) -> None:
    """Else it is the error colour; so it is without its two reserved bits."""
    data = void_extent((0, 0, 0, 0), extent=bounds)
    assert (codes_of(Block(4, 4, data))[0].tolist() == [0, 0, 0, 0]) is legal
    without = put(int.from_bytes(data, "little"), 10, 2, 0b01).to_bytes(16, "little")
    assert codes_of(Block(4, 4, without))[0].tolist() == HALF_MAGENTA


@pytest.mark.parametrize("name", LDR_CLASSES)
def test_a_legal_low_block_has_no_error_colour_but_its_own(name: str) -> None:
    """Legal by construction: a block is the error colour only if its colours are, and all decode modes agree."""

    @given(LDR_CLASSES[name])
    def check(block: Block) -> None:
        halves, eight = codes_of(block), codes_of(block, rules=EIGHT_BITS)
        known = codes_of(block, rules=HDR)
        assert np.array_equal(halves, known), "a low block does not depend on the profile"
        values = halves.astype(np.uint16).view(np.float16).astype(np.float64)
        assert (values >= 0).all()
        assert (values <= 1).all()
        assert (np.abs(values * 256 - eight) <= 1.0).all()

    check()


@pytest.mark.parametrize("name", HDR_CLASSES)
def test_a_legal_high_block_is_never_nan(name: str) -> None:
    """Results of high dynamic range are finite and not negative."""

    @given(HDR_CLASSES[name])
    def check(block: Block) -> None:
        assert (codes_of(block, rules=HDR) <= 0x7BFF).all()

    check()


@given(block=void_extents(hdr=True))
def test_any_high_void_extent_keeps_its_bits(block: Block) -> None:
    """Four half floats."""
    expected = np.frombuffer(block.data[8:], "<u2")
    assert (codes_of(block, rules=HDR) == expected).all()


@given(block=RANDOM, rules=st.sampled_from((NVN, HDR, EIGHT_BITS)), srgb=st.booleans())
def test_random_bits_decode_to_something(block: Block, rules: Rules, srgb: bool) -> None:
    """The last class: no bits are refused, and the error colour fills a whole block."""
    codes = codes_of(block, srgb=srgb, rules=rules)
    assert codes.shape == (block.width * block.height, 4)


def test_each_field_is_read_where_it_matters() -> None:
    """Linear formats read both fields, sRGB formats no decode mode."""
    linear, srgb = watch(), watch()
    decode_blocks_values(astc(4, 4), np.zeros(16, np.uint8), linear)
    decode_blocks_values(astc(4, 4, srgb=True), np.zeros(16, np.uint8), srgb)
    assert linear.read == {"astc_decode", "astc_profile"}
    assert srgb.read == {"astc_profile", "decode_srgb"}
