"""The colours of BC1, BC2 and BC3, as NVIDIA mixes them."""

import numpy as np
import pytest

from refnvn.formats.bc1 import mixed_5, mixed_6
from refnvn.formats.blocks import decode_block_codes
from refnvn.formats.table import format_named

FOUR_INDICES = bytes([0b11100100] * 4)
"""Each row has the indices 0, 1, 2, 3."""


def palette(format_name: str, block: bytes) -> list[list[int]]:
    """Return the four colours of a block, whose own indices are replaced."""
    data = np.frombuffer(block[:-4] + FOUR_INDICES, np.uint8)
    codes = decode_block_codes(format_named(format_name), data)
    assert np.array_equal(codes[1:, :, :3], codes[:-1, :, :3])
    found: list[list[int]] = codes[0].tolist()
    return found


@pytest.mark.rule("FMT-BC1-1", "FMT-BC1-2")
@pytest.mark.parametrize(
    ("block", "colours"),
    [
        pytest.param(
            "b76d04065cfee7cf",
            [[107, 182, 189, 255], [0, 195, 33, 255], [71, 186, 137, 255], [35, 191, 85, 255]],
            id="one",
        ),
        pytest.param(
            "ae8baf33f2881d93",
            [[140, 117, 115, 255], [49, 117, 123, 255], [110, 117, 118, 255], [79, 117, 121, 255]],
            id="other",
        ),
    ],
)
def test_four_colours_are_those_of_the_chip(block: str, colours: list[list[int]]) -> None:
    """Measured blocks whose first end point is the greater."""
    assert palette("RGBA_DXT1", bytes.fromhex(block)) == colours


@pytest.mark.rule("FMT-BC1-3")
@pytest.mark.parametrize(
    ("block", "colours"),
    [
        pytest.param("d311f51b0d9be23e", [[16, 56, 156], [24, 125, 173], [20, 91, 165]], id="one"),
        pytest.param("7b5acd64bba586f9", [[90, 77, 222], [99, 154, 107], [94, 116, 165]], id="other"),
    ],
)
def test_three_colours_are_those_of_the_chip(block: str, colours: list[list[int]]) -> None:
    """Measured blocks whose first end point is not the greater: index 3 is black, clear only with alpha."""
    opaque = [[*colour, 255] for colour in colours]
    assert palette("RGBA_DXT1", bytes.fromhex(block)) == [*opaque, [0, 0, 0, 0]]
    assert palette("RGB_DXT1", bytes.fromhex(block)) == [*opaque, [0, 0, 0, 255]]


@pytest.mark.rule("FMT-BC1-3")
def test_equal_end_points_make_three_colours() -> None:
    """Half way between equals: the greater is asked for."""
    assert palette("RGBA_DXT1", bytes([0x34, 0x12] * 2 + [0] * 4))[3] == [0, 0, 0, 0]


@pytest.mark.rule("FMT-BC1-1")
def test_red_of_equal_end_points_is_not_the_end_point() -> None:
    """(2 * 31 + 31) * 22 / 8 is 255, but the third of 1 and 1 is 8, 16 and 16 give 132: nothing is rounded."""
    assert [mixed_5(c, c, False) for c in (0, 1, 16, 31)] == [0, 8, 132, 255]
    assert [mixed_5(c, c, True) for c in (0, 1, 16, 31)] == [0, 8, 132, 255]
    assert mixed_5(2, 3, False) == 19


@pytest.mark.rule("FMT-BC1-2")
def test_green_rounds_from_the_nearer_end() -> None:
    """The two thirds of 0 and 255 are 80 and 175, not 85 and 170."""
    assert (mixed_6(0, 255, False), mixed_6(255, 0, False), mixed_6(0, 255, True)) == (80, 175, 128)


@pytest.mark.rule("FMT-BC1-3")
@pytest.mark.parametrize(
    ("format_name", "block", "colours"),
    [
        pytest.param(
            "RGBA_DXT3",
            "fdbf13d5857936c775544d9e3ec733f6",
            [[82, 142, 173], [156, 203, 107], [107, 161, 151], [132, 184, 129]],
            id="bc2",
        ),
        pytest.param(
            "RGBA_DXT5",
            "a9c367883c42ddb63939d93e62d22878",
            [[57, 36, 206], [57, 219, 206], [57, 93, 206], [57, 162, 206]],
            id="bc3",
        ),
    ],
)
def test_bc2_and_bc3_have_four_colours_always(format_name: str, block: str, colours: list[list[int]]) -> None:
    """Measured blocks whose first end point is the less: still thirds, and no black."""
    assert [c[:3] for c in palette(format_name, bytes.fromhex(block))] == colours
