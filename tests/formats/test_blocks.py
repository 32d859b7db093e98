"""The door to all compressed formats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.errors import ShapeError, SizeError, UnsupportedFormat
from refnvn.formats import block_kernel
from refnvn.formats.block_coding import Coding, block_channels, block_coding, code_values, srgb_values
from refnvn.formats.block_kernel import compiled_with_callees, rules_of, words_of
from refnvn.formats.blocks import decode_block_codes, decode_blocks_values, decode_image, decode_image_codes
from refnvn.formats.codec import decode
from refnvn.formats.srgb import decode_srgb
from refnvn.formats.table import Format, format_named, formats
from refnvn.rules.fields import NVN, DecodeSrgb
from refnvn.rules.registry import collect

COMPRESSED = [f for f in formats().values() if f.is_compressed]


def random_bytes(fmt: Format, *shape: int) -> np.ndarray:
    """Return bytes that are always the same for a format."""
    return np.random.default_rng(fmt.value).integers(0, 256, (*shape, fmt.bytes_per_block), dtype=np.uint8)


@pytest.mark.parametrize("fmt", COMPRESSED, ids=str)
def test_any_bytes_decode(fmt: Format) -> None:
    """Values and codes have the stated shapes, in any leading shape, none included; decode hands over."""
    data = random_bytes(fmt, 2, 3)
    values = decode_blocks_values(fmt, data)
    assert values.shape == (2, 3, fmt.block_height_px, fmt.block_width_px, 4)
    assert values.dtype == np.float32
    codes = decode_block_codes(fmt, data)
    assert codes.shape == (*values.shape[:-1], block_channels(fmt))
    assert code_values(fmt, codes).tobytes() == values.tobytes()
    assert decode(fmt, data).tobytes() == values.tobytes()
    assert decode(fmt, data[1, 2]).tobytes() == values[1, 2].tobytes()
    assert decode(fmt, data[:0]).shape == (0, *values.shape[1:])


@pytest.mark.parametrize("fmt", COMPRESSED, ids=str)
def test_an_image_is_its_blocks_side_by_side(fmt: Format) -> None:
    """Rows of blocks make an image; what reaches beyond its right and lower edge is cut."""
    columns, rows = 3, 2
    data = random_bytes(fmt, rows, columns)
    width, height = columns * fmt.block_width_px - 1, rows * fmt.block_height_px - 2
    image = decode_image(fmt, data.tobytes(), width, height)
    blocks = decode_blocks_values(fmt, data)
    whole = blocks.swapaxes(1, 2).reshape(rows * fmt.block_height_px, columns * fmt.block_width_px, 4)
    assert image.tobytes() == whole[:height, :width].tobytes()
    assert image.tobytes() == decode_image(fmt, data, width, height).tobytes()
    assert decode_image_codes(fmt, data, width, height).shape == (height, width, block_channels(fmt))


def test_codings_are_as_the_table_says() -> None:
    """Two formats of each coding."""
    found = {name: block_coding(format_named(name)) for name in ("RGBA_DXT1", "BPTC_UNORM", "RGTC2_UNORM")}
    assert found == {"RGBA_DXT1": Coding.UNORM8, "BPTC_UNORM": Coding.UNORM8, "RGTC2_UNORM": Coding.UNORM16}
    assert block_coding(format_named("RGTC1_SNORM")) is Coding.SNORM16
    assert block_coding(format_named("BPTC_SFLOAT")) is Coding.HALF
    assert block_coding(format_named("RGBA_ASTC_8x8_SRGB")) is Coding.SRGB8
    assert decode_block_codes(format_named("RGTC1_SNORM"), np.zeros(8, np.uint8)).dtype == np.int16


@pytest.mark.rule("FMT-BLOCK-1")
def test_srgb_formats_read_colour_by_the_table_and_alpha_plainly() -> None:
    """Code 128 of a colour is 55 / 256 on the chip, of alpha 128 / 255; a port may follow the exact curve."""
    codes = np.array([128, 255, 0, 128], np.uint8)
    assert srgb_values(codes).tolist() == [0.216796875 - 1 / 1024, 1.0, 0.0, float(np.float32(128 / 255))]
    exact = NVN.with_(decode_srgb=DecodeSrgb.EXACT)
    assert srgb_values(codes, exact)[0] == decode_srgb(np.array(128), exact) != srgb_values(codes)[0]


@pytest.mark.parametrize("name", ["RGBA_DXT1", "RGBA_DXT5", "BPTC_UNORM"])
def test_srgb_twins_have_equal_codes(name: str) -> None:
    """The codes of a BC block do not depend on sRGB."""
    data = random_bytes(format_named(name), 20)
    twin = format_named(name + "_SRGB")
    assert np.array_equal(decode_block_codes(format_named(name), data), decode_block_codes(twin, data))


@pytest.mark.parametrize("fmt", COMPRESSED, ids=str)
def test_compiled_blocks_equal_interpreted_ones(fmt: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """One rule, two ways to run it: the same bits, and the same rules counted."""
    data = random_bytes(fmt, 60)
    monkeypatch.setattr(block_kernel, "_loaded", set())
    with collect() as by_interpreter:
        interpreted = decode_block_codes(fmt, data)
    monkeypatch.setattr(block_kernel, "INTERPRETED_TEXELS", 0)
    with collect() as by_kernel:
        compiled = decode_block_codes(fmt, data)
    assert interpreted.tobytes() == compiled.tobytes()
    assert by_interpreter == by_kernel != set()


def test_words_are_little_endian_with_one_to_spare() -> None:
    """Bit 0 is the lowest bit of the first byte."""
    assert words_of(np.array([1, 0, 0, 0x80, 2, 0, 0, 0], np.uint8)).tolist() == [0x80000001, 2, 0]


def doubled(number: int) -> int:
    """Return twice a number."""
    return 2 * number


def test_a_function_without_rules_compiles_alone() -> None:
    """Nothing of the package is called, so nothing is linked and no rule counted."""
    assert rules_of(doubled) == frozenset()
    assert compiled_with_callees(doubled)(21) == 42


@given(format_index=st.integers(0, len(COMPRESSED) - 1), data=st.binary(min_size=16, max_size=16))
def test_no_block_is_refused(format_index: int, data: bytes) -> None:
    """Whatever sixteen bytes hold, a block decodes, and twice to the same bits."""
    fmt = COMPRESSED[format_index]
    block = np.frombuffer(data[: fmt.bytes_per_block], np.uint8)
    assert decode_block_codes(fmt, block).tobytes() == decode_block_codes(fmt, block).tobytes()


@pytest.mark.parametrize(
    ("size", "bytes_given", "complaint"),
    [
        pytest.param((0, 4), 8, "width 0 of an image of NVN_FORMAT_RGBA_DXT1 is outside 1 to 16384", id="no-width"),
        pytest.param((4, -1), 8, "height -1 .* outside 1 to 16384", id="negative-height"),
        pytest.param((16385, 4), 8, "width 16385 .* outside", id="too-wide"),
        pytest.param((5, 4), 8, "5 x 4 of NVN_FORMAT_RGBA_DXT1 needs 16 bytes, not 8", id="short"),
        pytest.param((4, 4), 16, "needs 8 bytes, not 16", id="long"),
        pytest.param((16384, 16384), 0, "needs 134217728 bytes, not 0", id="empty"),
    ],
)
def test_a_size_that_does_not_fit_is_refused(size: tuple[int, int], bytes_given: int, complaint: str) -> None:
    """One sentence with what was given and what is needed; nothing is allocated before."""
    with pytest.raises(SizeError, match=complaint):
        decode_image(format_named("RGBA_DXT1"), bytes(bytes_given), *size)


def test_data_of_another_shape_is_refused() -> None:
    """Blocks are bytes, as many as the format has."""
    fmt = format_named("BPTC_UNORM")
    with pytest.raises(ShapeError, match=r"must be uint8 of shape \(..., 16\), not uint8 of shape \(3, 8\)"):
        decode_blocks_values(fmt, np.zeros((3, 8), np.uint8))
    with pytest.raises(ShapeError, match="not float32"):
        decode_block_codes(fmt, np.zeros(16, np.float32))  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="must be uint8, not uint16"):
        decode_image(fmt, np.zeros(8, np.uint16), 4, 4)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedFormat, match="RGBA8 is not compressed"):
        decode_image(format_named("RGBA8"), bytes(4), 1, 1)
    with pytest.raises(UnsupportedFormat, match="RGBA8 is not compressed"):
        decode_blocks_values(format_named("RGBA8"), np.zeros(4, np.uint8))
