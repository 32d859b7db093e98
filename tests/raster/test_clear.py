"""Clears: what they store, and what they leave."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.errors import FieldRangeError, ShapeError, UnsupportedFormat
from refnvn.formats.depth_stencil import encode_depth_stencil
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import format_named
from refnvn.raster.clear import clear_color, clear_depth_stencil
from refnvn.raster.target import ColorTarget, DepthStencilTarget

VECTORS = Path(__file__).parents[1] / "data" / "hardware" / "clear.npz"
NAMES = {"SRGB8_ALPHA8": "RGBA8_SRGB", "RGB10_A2": "RGB10A2", "R11F_G11F_B10F": "R11G11B10F"}
MEASURED = ("RGBA8", "RGBA8_SNORM", "RGBA16F", "RGBA32F", "RGBA32I", "RGBA8UI", "RGB10_A2", "R11F_G11F_B10F", "RG16")


def words(*values: float) -> np.ndarray:
    """Return the float32 bits of four values."""
    return np.array(values, dtype=np.float32).view(np.uint32)


def color(name: str, fill: int = 0, size: int = 4) -> ColorTarget:
    """Return a square target whose bytes are all ``fill``."""
    fmt = format_named(name)
    return ColorTarget(fmt, np.full((size, size, fmt.bytes_per_block), fill, np.uint8))


def depth(name: str, fill: int = 0, size: int = 4) -> DepthStencilTarget:
    """Return a square depth-stencil target whose bytes are all ``fill``."""
    fmt = format_named(name)
    return DepthStencilTarget(fmt, np.full((size, size, fmt.bytes_per_block), fill, np.uint8))


@pytest.mark.rule("RASTER-CLEAR-1")
@pytest.mark.parametrize("name", MEASURED)
def test_clears_of_single_pixels_store_what_the_chip_stored(name: str) -> None:
    """One clear per pixel with a scissor of one pixel leaves the measured image."""
    with np.load(VECTORS) as file:
        values, measured = file[f"in_{name}"], file[f"out_{name}"]
    rows, columns = min(6, len(values)), values.shape[1]
    fmt = format_named(NAMES.get(name, name.replace("_SNORM", "SN")))
    target = ColorTarget(fmt, np.zeros((rows, columns, fmt.bytes_per_block), np.uint8))
    for row in range(rows):
        for column in range(columns):
            clear_color(target, values[row, column].view(np.uint32), 15, (column, row, 1, 1))
    expected = np.ascontiguousarray(measured[:rows]).view(np.uint8).reshape(target.codes.shape)
    assert (target.codes == expected).all()


@pytest.mark.rule("RASTER-CLEAR-1")
def test_integer_clear_keeps_every_bit() -> None:
    """0x01000001, which a float cannot hold, is stored as it is; narrow fields saturate."""
    target = color("RGBA32UI")
    clear_color(target, np.array([0x01000001, 0xFFFFFFFF, 0x80000001, 7], np.uint32))
    assert unpack_codes(target.fmt, target.codes)[3, 3].tolist() == [0x01000001, 0xFFFFFFFF, 0x80000001, 7]
    narrow = color("RGBA8I")
    clear_color(narrow, np.array([300, -300, 5, -5], np.int32).view(np.uint32))
    assert narrow.codes[0, 0].view(np.int8).tolist() == [127, -128, 5, -5]


@pytest.mark.rule("RASTER-CLEAR-2")
def test_mask_is_judged_against_the_channels_of_the_format() -> None:
    """R8 with mask 1 is a whole clear, and with mask 14 none at all."""
    target = color("R8", fill=9)
    clear_color(target, words(1, 1, 1, 1), 14)
    assert (target.codes == 9).all()
    clear_color(target, words(1, 0, 0, 0), 1)
    assert (target.codes == 255).all()


@pytest.mark.rule("RASTER-CLEAR-2")
@pytest.mark.parametrize("name", ["RGB565", "RGB5A1", "RGBA4", "RGB10A2", "R11G11B10F", "BGRA8", "RGBA16F", "RG32F"])
@given(mask=st.integers(0, 15), fill=st.integers(0, 255))
def test_masked_channels_keep_their_stored_bits(name: str, mask: int, fill: int) -> None:
    """Whatever the packing, a channel outside the mask holds the code that it held before."""
    target, whole = color(name, fill, size=1), color(name, size=1)
    before = unpack_codes(target.fmt, target.codes)[0, 0]
    clear_color(whole, words(0.7, 0.3, 0.6, 0.9))
    clear_color(target, words(0.7, 0.3, 0.6, 0.9), mask)
    after, cleared = (unpack_codes(target.fmt, t.codes)[0, 0] for t in (target, whole))
    for place, component in enumerate(target.fmt.components):
        written = mask >> "RGBA".index(component.name) & 1
        assert after[place] == (cleared if written else before)[place]


@pytest.mark.rule("RASTER-CLEAR-2")
@pytest.mark.parametrize(
    ("rectangle", "pixels"),
    [
        pytest.param(None, 16, id="whole"),
        pytest.param((1, 2, 2, 1), 2, id="inside"),
        pytest.param((-5, -5, 7, 6), 2, id="over-the-corner"),
        pytest.param((3, 0, 1 << 30, 1 << 30), 4, id="huge"),
        pytest.param((9, 9, 4, 4), 0, id="outside"),
        pytest.param((0, 0, -3, 4), 0, id="negative"),
    ],
)
def test_rectangle_is_clipped_to_the_target(rectangle: tuple[int, int, int, int] | None, pixels: int) -> None:
    """A clear writes the pixels of its rectangle that there are, and no others."""
    target = color("RGBA8")
    clear_color(target, words(1, 1, 1, 1), 15, rectangle)
    assert int((target.codes == 255).all(axis=2).sum()) == pixels
    assert int((target.codes == 0).all(axis=2).sum()) == 16 - pixels


@pytest.mark.rule("RASTER-CLEAR-3")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("DEPTH24_STENCIL8", [0xA5, 0xFF, 0xFF, 0xBF], id="depth-24"),
        pytest.param("DEPTH32F_STENCIL8", [0x00, 0x00, 0x40, 0x3F, 0xA5, 0xAA, 0xAA, 0xAA], id="depth-32"),
    ],
)
def test_depth_clear_with_partial_stencil_mask(name: str, expected: list[int]) -> None:
    """Depth 0.75 whole; stencil (0xAA & ~0x0F) | (0x55 & 0x0F) = 0xA5; bits that nothing reads stay."""
    target = depth(name, fill=0xAA)
    clear_depth_stencil(target, 0x3F400000, True, 0x55, 0x0F)
    assert target.codes[1, 1].tolist() == expected


@pytest.mark.rule("RASTER-CLEAR-3")
def test_clearing_one_plane_leaves_the_other() -> None:
    """Depth alone keeps stencil; stencil alone keeps depth; no mask keeps both."""
    target = depth("DEPTH24_STENCIL8", fill=0x77)
    clear_depth_stencil(target, 0x3F800000, False, 0x12, 0)
    assert (target.codes == 0x77).all()
    clear_depth_stencil(target, 0x3F800000, True, 0x12, 0)
    assert target.codes[0, 0].tolist() == [0x77, 0xFF, 0xFF, 0xFF]
    clear_depth_stencil(target, 0, False, 0x12, 0xFF, (0, 0, 1, 1))
    assert target.codes[0, 0].tolist() == [0x12, 0xFF, 0xFF, 0xFF]
    assert target.codes[0, 1].tolist() == [0x77, 0xFF, 0xFF, 0xFF]


@pytest.mark.rule("RASTER-CLEAR-3")
@pytest.mark.parametrize("name", ["DEPTH16", "DEPTH24", "DEPTH24_STENCIL8", "DEPTH32F"])
def test_clear_and_draw_store_one_code(name: str) -> None:
    """A clear of 0.5 stores what a fragment of depth 0.5 stores (D16: 32767), so that EQUAL passes."""
    target = depth(name)
    clear_depth_stencil(target, 0x3F000000, True, 0, 0)
    assert target.codes[0, 0].tolist() == encode_depth_stencil(target.fmt, np.float32(0.5)).tolist()
    assert name != "DEPTH16" or target.codes[0, 0].tolist() == [0xFF, 0x7F]


@pytest.mark.rule("RASTER-CLEAR-3")
def test_float_depth_clear_keeps_denormals() -> None:
    """Bits 0x00000001 stay, though a fragment of that depth would store 0."""
    target = depth("DEPTH32F")
    clear_depth_stencil(target, 1, True, 0, 0)
    assert target.codes[0, 0].tolist() == [1, 0, 0, 0]


def test_stencil_only_format_takes_no_depth() -> None:
    """STENCIL8 ignores the depth of a clear."""
    target = depth("STENCIL8", fill=0xF0)
    clear_depth_stencil(target, 0x3F800000, True, 0xFF, 0x03)
    assert (target.codes == 0xF3).all()


@pytest.mark.parametrize("name", ["RGB9E5F", "RGBA_DXT1", "DEPTH16", "NONE", "RGBA8_UI2F"])
def test_formats_without_stored_channels_are_refused(name: str) -> None:
    """No channel of a shared exponent, a block or a vertex conversion can be written alone."""
    fmt = format_named(name)
    with pytest.raises(UnsupportedFormat, match="cannot be a colour target"):
        ColorTarget(fmt, np.zeros((1, 1, max(fmt.bytes_per_block, 1)), np.uint8))


def test_unread_bits_go_with_alpha() -> None:
    """RGBX8: a mask of three channels leaves the fourth byte, a mask with alpha makes it 0."""
    target = color("RGBX8", fill=0x11)
    clear_color(target, words(1, 1, 1, 1), 7)
    assert target.codes[0, 0].tolist() == [255, 255, 255, 0x11]
    clear_color(target, words(1, 1, 1, 1), 15)
    assert target.codes[0, 0].tolist() == [255, 255, 255, 0]


def test_bad_arguments_are_refused_before_anything_is_written() -> None:
    """Shapes, masks and ranges are checked."""
    target, zeta = color("RGBA8"), depth("DEPTH24_STENCIL8")
    with pytest.raises(ShapeError, match=r"uint32 of shape \(4,\)"):
        clear_color(target, np.zeros(4, np.float32))  # type: ignore[arg-type]
    with pytest.raises(FieldRangeError, match="not 16"):
        clear_color(target, words(1, 1, 1, 1), 16)
    with pytest.raises(FieldRangeError, match="0 to 255"):
        clear_depth_stencil(zeta, 0, True, 256, 1)
    with pytest.raises(FieldRangeError, match="32"):
        clear_depth_stencil(zeta, 1 << 32, True, 0, 1)
    with pytest.raises(ShapeError, match="rows, columns, 4"):
        ColorTarget(format_named("RGBA8"), np.zeros((4, 4), np.uint8))
    with pytest.raises(UnsupportedFormat, match="cannot be a depth-stencil target"):
        DepthStencilTarget(format_named("RGBA8"), np.zeros((1, 1, 4), np.uint8))
    assert not target.codes.any()
    assert not zeta.codes.any()
