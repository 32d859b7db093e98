"""The 1, 2, 4, 5 and 6-bit fields of packed formats."""

import numpy as np
import pytest

from refnvn.formats.codec import decode, encode
from refnvn.formats.packed import decode_packed, encode_alpha1, encode_alpha2, encode_packed, encode_packed4
from refnvn.formats.table import format_named
from refnvn.rules.slack import METAL


def word(name: str, value: int) -> int:
    """Store one float32, given by its bits, to all components and return the texel."""
    number = np.full(4, value, dtype=np.uint32).view(np.float32)
    return int.from_bytes(encode(format_named(name), number).tobytes(), "little")


@pytest.mark.rule("FMT-PACKED-1")
def test_five_and_six_bits_are_an_8_bit_code_cut() -> None:
    """Measured: one half is 127 in 8 bits, so 15 and 31."""
    assert word("RGB565", 0x3F000000) == 0x7BEF
    assert word("RGB565", 0x3F800000) == 0xFFFF
    assert word("RGB565", 0x7FC00000) == 0
    assert int(encode_packed(0.999, 5)) == 31


@pytest.mark.rule("FMT-PACKED-2")
def test_one_bit_alpha_is_the_top_bit_of_8() -> None:
    """Measured: alpha one half is 0 in RGB5A1."""
    assert word("RGB5A1", 0x3F000000) == 0x3DEF
    assert word("RGB5A1", 0x3F001000) >> 15 == 1
    assert int(encode_alpha1(0.5)) == 0


@pytest.mark.rule("FMT-PACKED-3")
def test_four_bits_are_the_top_of_8() -> None:
    """Measured through the driver: one half is 7."""
    assert word("RGBA4", 0x3F000000) == 0x7777
    assert int(encode_packed4(1.0)) == 15


@pytest.mark.rule("FMT-PACKED-4")
@pytest.mark.parametrize(
    ("code", "threshold"),
    [
        pytest.param(1, 0x3E3FB000, id="one"),
        pytest.param(2, 0x3F000400, id="two"),
        pytest.param(3, 0x3F501800, id="three"),
    ],
)
def test_two_bit_alpha_begins_at_its_measured_threshold(code: int, threshold: int) -> None:
    """The 2-bit alpha goes through ten bits, a division by five and a rounding."""
    at, before = np.array([threshold, threshold - 1], dtype=np.uint32).view(np.float32)
    assert int(encode_alpha2(at)) == code
    assert int(encode_alpha2(before)) == code - 1


@pytest.mark.rule("FMT-PACKED-5")
def test_packed_codes_read_as_their_bits_repeated() -> None:
    """Measured texel 0xf17e of RGB565, and 0x5a of RGB5A1."""
    texel = np.array([0x7E, 0xF1], dtype=np.uint8)
    assert decode(format_named("RGB565"), texel).view(np.uint32).tolist() == [
        0x3F77F7F8,
        0x3E30B0B1,
        0x3F77F7F8,
        0x3F800000,
    ]
    texel = np.array([0x5A, 0x00], dtype=np.uint8)
    assert decode(format_named("RGB5A1"), texel).view(np.uint32).tolist() == [0x3F56D6D7, 0x3D808081, 0, 0]


def test_metal_converts_straight_to_nearest() -> None:
    """Metal's profile rounds to the code and divides by the largest code."""
    assert int(encode_packed(0.5, 5, METAL)) == 16
    assert int(encode_alpha1(0.6, METAL)) == 1
    assert float(decode_packed(np.array(16), 5, METAL)) == float(np.float32(16) / np.float32(31))


@pytest.mark.parametrize(
    ("name", "texel", "red_green_blue"),
    [
        pytest.param("RGB565", 0x001F, (1, 0, 0), id="rgb565-low-is-red"),
        pytest.param("BGR565", 0x001F, (0, 0, 1), id="bgr565-low-is-blue"),
        pytest.param("BGR5", 0x7C00, (1, 0, 0), id="bgr5-high-is-red"),
        pytest.param("BGR5A1", 0x001F, (0, 0, 1), id="bgr5a1-low-is-blue"),
        pytest.param("A1BGR5", 0xF800, (1, 0, 0), id="a1bgr5-high-is-red"),
        pytest.param("RGBA4", 0x000F, (1, 0, 0), id="rgba4-low-is-red"),
    ],
)
def test_nvn_order_decides_which_field_is_red(name: str, texel: int, red_green_blue: tuple[int, ...]) -> None:
    """The first component of an NVN format's name stands in the lowest bits."""
    data = np.array([texel & 255, texel >> 8], dtype=np.uint8)
    assert tuple(decode(format_named(name), data)[:3].tolist()) == red_green_blue
