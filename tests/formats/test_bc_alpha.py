"""The channels that have a block of their own: alpha of BC2 and BC3, BC4 and BC5."""

import numpy as np
import pytest

from refnvn.formats.bc_alpha import bc2_alpha, bc3_step, bc4_step, signed_end, unsigned_end
from refnvn.formats.blocks import decode_block_codes, decode_blocks_values
from refnvn.formats.table import format_named

INDICES = sum((texel % 8) << 3 * texel for texel in range(16)).to_bytes(6, "little")
"""0 to 7, twice."""


def eight(format_name: str, first: int, second: int, channel: int = 0) -> list[int]:
    """Return the codes of the eight indices of a block with these end points."""
    fmt = format_named(format_name)
    block = (bytes([first, second]) + INDICES).ljust(fmt.bytes_per_block, b"\0")
    codes: list[int] = decode_block_codes(fmt, np.frombuffer(block, np.uint8))[..., channel].ravel()[:8].tolist()
    return codes


@pytest.mark.rule("FMT-BC2-1")
def test_bc2_alpha_is_seventeen_times_its_code() -> None:
    """Texel 0 has the lowest four bits; measured."""
    assert [bc2_alpha(code) for code in (0, 1, 7, 15)] == [0, 17, 119, 255]
    codes = decode_block_codes(format_named("RGBA_DXT3"), np.arange(0x10, 0x20, dtype=np.uint8))
    assert codes[0, :, 3].tolist() == [0, 17, 17, 17]


@pytest.mark.rule("FMT-BC3-1")
@pytest.mark.parametrize(
    ("ends", "alphas"),
    [
        pytest.param((200, 13), [200, 13, 174, 147, 119, 94, 66, 39], id="eight-steps"),
        pytest.param((129, 128), [129, 128, 129, 129, 129, 128, 128, 128], id="neighbours"),
        pytest.param((13, 200), [13, 200, 48, 83, 130, 165, 0, 255], id="six-steps"),
        pytest.param((100, 100), [100, 100, 100, 100, 100, 100, 0, 255], id="equal"),
    ],
)
def test_bc3_alpha_is_that_of_the_chip(ends: tuple[int, int], alphas: list[int]) -> None:
    """Measured codes of all eight indices."""
    assert eight("RGBA_DXT5", *ends, channel=3) == alphas
    assert bc3_step(200, 13, 289, 3) == 174


@pytest.mark.rule("FMT-BC4-1", "FMT-BC4-3")
@pytest.mark.parametrize(
    ("ends", "codes"),
    [
        pytest.param((200, 13), [51400, 3341, 44668, 37936, 30269, 24472, 16805, 10073], id="eight-steps"),
        pytest.param((13, 200), [3341, 51400, 12317, 21293, 33448, 42424, 0, 65535], id="six-steps"),
        pytest.param((100, 100), [25700, 25700, 25700, 25700, 25700, 25700, 0, 65535], id="equal"),
    ],
)
def test_bc4_has_sixteen_bits(ends: tuple[int, int], codes: list[int]) -> None:
    """Measured codes of all eight indices, finer than 8 bits."""
    assert eight("RGTC1_UNORM", *ends) == codes
    assert unsigned_end(ends[0]) == codes[0]


@pytest.mark.rule("FMT-BC4-2", "FMT-BC4-3", "FMT-BC4-4")
@pytest.mark.parametrize(
    ("ends", "codes"),
    [
        pytest.param((13, 200), [3354, -14448, 870, -1614, -4512, -6582, -9480, -11964], id="eight-steps"),
        pytest.param((200, 13), [-14448, 3354, -11136, -7824, -3270, 42, -32767, 32767], id="six-steps"),
        pytest.param((127, 129), [32767, -32767, 23623, 14479, 3809, -3809, -14479, -23623], id="whole-range"),
        pytest.param((129, 128), [-32767] * 7 + [32767], id="minus-127-and-minus-128"),
        pytest.param((128, 129), [-32767] * 7 + [32767], id="minus-128-and-minus-127"),
    ],
)
def test_signed_bc4_clamps_its_ends_first(ends: tuple[int, int], codes: list[int]) -> None:
    """Measured codes; -127, -128 would be eight steps if -128 were not taken for -127 before the comparison."""
    assert eight("RGTC1_SNORM", *ends) == codes
    assert bc4_step(signed_end(13), -69, 36) == 870


@pytest.mark.rule("FMT-BC4-1", "FMT-BC4-2")
@pytest.mark.parametrize(
    ("name", "code", "green"),
    [
        pytest.param("RGTC2_UNORM", 0xAC, 0.6745098, id="unsigned"),
        pytest.param("RGTC2_SNORM", 0xB1, -0.62205875, id="signed"),
    ],
)
def test_bc5_is_two_blocks(name: str, code: int, green: float) -> None:
    """Red, then green, each with its own end points; blue reads 0 and alpha 1."""
    block = bytes([0] * 8 + [code, code] + [0] * 6)
    values = decode_blocks_values(format_named(name), np.frombuffer(block, np.uint8))
    assert values.reshape(-1, 4).tolist() == [[0.0, float(np.float32(green)), 0.0, 1.0]] * 16
