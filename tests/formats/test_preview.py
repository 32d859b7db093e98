"""Pictures of surfaces."""

import numpy as np
import pytest

from refnvn.errors import SizeError, UnsupportedFormat
from refnvn.formats.picture_sheet import GAP_PX, grid, sheet
from refnvn.formats.preview import UNSCALED, linear_size_B, preview, white_of
from refnvn.formats.table import Format, format_named, formats

SHOWN = [f for f in formats().values() if f.name != "NONE"]
RED_OVER_BLUE = bytes([0x00, 0xF8, 0x1F, 0x00])  # 565: red first, the greater


def one_block(name: str, data: bytes) -> np.ndarray:
    """Return the picture of one 4 x 4 block."""
    return preview(format_named(name), data, 4, 4)


@pytest.mark.parametrize("fmt", SHOWN, ids=str)
def test_every_format_has_a_picture(fmt: Format) -> None:
    """Any bytes of the right size give RGBA8 of the asked size, partial blocks included."""
    data = np.random.default_rng(fmt.value).integers(0, 256, linear_size_B(fmt, 13, 7), dtype=np.uint8)
    picture = preview(fmt, data, 13, 7)
    assert picture.shape == (7, 13, 4)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize("fmt", SHOWN, ids=str)
@pytest.mark.parametrize("more", [pytest.param(-1, id="short"), pytest.param(1, id="long")])
def test_data_of_another_size_is_refused(fmt: Format, more: int) -> None:
    """One sentence with the bytes that the size needs."""
    with pytest.raises(SizeError, match=r"needs \d+ bytes, not"):
        preview(fmt, bytes(linear_size_B(fmt, 8, 8) + more), 8, 8)


def test_sides_outside_the_range_are_refused() -> None:
    """A side is 1 to 16384; NONE cannot be shown."""
    for width_px, height_px in ((0, 1), (1, -4), (1 << 20, 1)):
        with pytest.raises(SizeError, match="outside 1 to 16384"):
            preview(format_named("R8"), b"", width_px, height_px)
    with pytest.raises(UnsupportedFormat, match="NONE holds nothing"):
        preview(format_named("NONE"), b"", 1, 1)


@pytest.mark.parametrize(
    ("name", "texel", "shown"),
    [
        pytest.param("RGBA8_SRGB", [10, 20, 30, 40], [10, 20, 30, 40], id="srgb-codes"),
        pytest.param("BGRX8_SRGB", [10, 20, 30, 40], [30, 20, 10, 255], id="srgb-codes-of-bgrx"),
        pytest.param("RG8SN", [0x81, 0x7F], [0, 255, 0, 255], id="snorm"),
        pytest.param("R16UI", [0x34, 0x12], [0x34, 0, 0, 255], id="integers"),
        pytest.param("R16F", [0x00, 0xFE], [0, 0, 0, 255], id="nan"),
        pytest.param("R32F", [0, 0, 0, 0x43], [255, 0, 0, 255], id="large-float"),
        pytest.param("STENCIL8", [77], [77, 77, 77, 255], id="stencil"),
        pytest.param("DEPTH16", [0xFF, 0xFF], [255, 255, 255, 255], id="depth"),
        pytest.param("R8_I2F", [0xFF], [255, 0, 0, 255], id="converted-integers"),
    ],
)
def test_each_kind_of_format_is_shown_as_stated(name: str, texel: list[int], shown: list[int]) -> None:
    """The table at the head of the module, kind by kind."""
    assert preview(format_named(name), bytes(texel), 1, 1).tolist() == [[shown]]


def test_bc1_third_index_is_transparent_only_with_alpha() -> None:
    """Three-colour blocks: index 3 is transparent black in RGBA_DXT1 and opaque black in RGB_DXT1."""
    block = bytes([0x1F, 0x00, 0x00, 0xF8]) + b"\xff" * 4
    assert one_block("RGBA_DXT1", block)[0, 0].tolist() == [0, 0, 0, 0]
    assert one_block("RGB_DXT1", block)[0, 0].tolist() == [0, 0, 0, 255]


def test_bc2_takes_four_bit_alpha_and_four_colours() -> None:
    """Alpha nibbles count from the low bits; the colours are four even where the first end point is the less."""
    alpha = bytes([0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE])
    less_first = bytes([0x1F, 0x00, 0x00, 0xF8]) + bytes([0b11100100] * 4)
    picture = one_block("RGBA_DXT3", alpha + less_first)
    assert picture[..., 3].ravel().tolist() == [17 * k for k in range(16)]
    blue, red, third, two_thirds = picture[0, :, :3].astype(int).tolist()
    assert (blue, red) == ([0, 0, 255], [255, 0, 0])
    assert third[2] > third[0] > 0
    assert two_thirds[0] > two_thirds[2] > 0
    assert np.array_equal(one_block("RGBA_DXT5", b"\xff\xff" + bytes(6) + less_first)[..., :3], picture[..., :3])


def test_signed_bc4_is_shown_as_half_plus_half() -> None:
    """End points -127 and 127 show as 0 and 255; the channels that BC4 lacks are black."""
    low = one_block("RGTC1_SNORM", bytes([0x81, 0x81, 0, 0, 0, 0, 0, 0]))[0, 0].tolist()
    high = one_block("RGTC1_SNORM", bytes([0x7F, 0x7F, 0, 0, 0, 0, 0, 0]))[0, 0].tolist()
    assert (low, high) == ([0, 0, 0, 255], [255, 0, 0, 255])


def test_astc_void_extent_shows_its_colour() -> None:
    """A void-extent block of an 8 x 5 format fills its forty texels with one colour."""
    block = bytes([0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) + bytes(
        [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    )
    picture = preview(format_named("RGBA_ASTC_8x5"), block, 8, 5)
    assert np.unique(picture.reshape(-1, 4), axis=0).tolist() == [[255, 0, 255, 255]]


@pytest.mark.parametrize(
    ("name", "texels", "shown"),
    [
        pytest.param("R8UI", [0, 1, 1, 0], [0, 255, 255, 0], id="flags"),
        pytest.param("R8UI", [0, 5, 10, 15], [0, 85, 170, 255], id="up-to-15"),
        pytest.param("R8UI", [0, 5, 10, 16], [0, 5, 10, 16], id="up-to-16"),
        pytest.param("R8UI", [0, 0, 0, 0], [0, 0, 0, 0], id="nothing"),
        pytest.param("R8I", [0, 1, 2, 3], [0, 85, 170, 255], id="signed"),
        pytest.param("R8I", [0, 1, 2, 0xFF], [0, 1, 2, 255], id="negative"),
        pytest.param("R8_UI2F", [0, 1, 1, 0], [0, 255, 255, 0], id="converted"),
        pytest.param("R8", [0, 1, 1, 0], [0, 1, 1, 0], id="unorm-is-not-scaled"),
        pytest.param("STENCIL8", [0, 1, 1, 0], [0, 1, 1, 0], id="stencil-is-not-scaled"),
    ],
)
def test_small_integers_are_scaled_to_white(name: str, texels: list[int], shown: list[int]) -> None:
    """Integers that all are below 16 would look black: the largest of them is shown as white."""
    assert preview(format_named(name), bytes(texels), 4, 1)[0, :, 0].tolist() == shown


def test_alpha_has_no_part_in_the_scale_of_integers() -> None:
    """An alpha of 200 does not leave the colours dark."""
    fmt = format_named("RGBA8UI")
    assert preview(fmt, bytes([1, 2, 0, 200]), 1, 1).tolist() == [[[127, 255, 0, 255]]]
    assert white_of(fmt, bytes([1, 2, 0, 200, 3, 0, 0, 0])) == 3
    assert white_of(fmt, b"") == UNSCALED


def test_a_shared_white_keeps_pictures_comparable() -> None:
    """A texel of 1 beside a picture that reaches 3 is a third of white."""
    assert preview(format_named("R8UI"), bytes([1]), 1, 1, white=3).tolist() == [[[85, 0, 0, 255]]]


def test_a_sheet_leaves_gaps_and_a_grid_is_about_square() -> None:
    """Pictures lie side by side, rows below one another; one alone is not framed."""
    one = np.full((2, 3, 4), 9, np.uint8)
    assert sheet([[one]]) is one
    assert grid([one] * 5).shape == (2 * 2 + GAP_PX, 3 * 3 + 2 * GAP_PX, 4)
    laid = grid([one] * 3, 2)
    assert laid[2 : 2 + GAP_PX].max() == 0
    assert (laid[2 + GAP_PX :, :3] == 9).all()
    with pytest.raises(SizeError, match="is too large"):
        sheet([[np.broadcast_to(np.uint8(0), (1 << 14, 1 << 15, 4))] * 2])
