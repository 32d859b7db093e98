"""Component bits in texel bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.errors import FieldRangeError, ShapeError, UnsupportedFormat
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format, format_named, formats

UNCOMPRESSED = [f for f in formats().values() if f.components]


@pytest.mark.rule("FMT-BITS-1")
@pytest.mark.parametrize(
    ("name", "word", "codes"),
    [
        pytest.param("RGB10A2", 0x2BC4B064, [100, 300, 700, 0], id="ten-bit-fields"),
        pytest.param("R11G11B10F", 0xDC3887D0, [0x7D0, 0x710, 0x370], id="eleven-bit-fields"),
        pytest.param("RGB9E5F", 0xFE9891DE, [0x1DE, 0x048, 0x1A6, 31], id="shared-exponent"),
        pytest.param("DEPTH24_STENCIL8", 0xABCDEF12, [0x12, 0xABCDEF], id="stencil-in-the-low-byte"),
        pytest.param("BGRA8", 0x04030201, [1, 2, 3, 4], id="bytes"),
    ],
)
def test_fields_stand_where_the_table_says(name: str, word: int, codes: list[int]) -> None:
    """Codes come lowest bits first from the little-endian word; packing puts them back."""
    data = np.frombuffer(word.to_bytes(4, "little"), dtype=np.uint8)
    assert unpack_codes(format_named(name), data).tolist() == codes
    assert pack_codes(format_named(name), np.array(codes)).tolist() == data.tolist()


@pytest.mark.parametrize("fmt", UNCOMPRESSED, ids=str)
def test_bytes_survive_a_round_trip_in_every_format(fmt: Format) -> None:
    """Packing what was unpacked gives the same bytes: the fields of every format cover every bit once."""
    data = np.random.default_rng(fmt.value).integers(0, 256, (5, 7, fmt.bytes_per_block), dtype=np.uint8)
    codes = unpack_codes(fmt, data)
    assert codes.shape == (5, 7, len(fmt.components))
    assert np.array_equal(data, pack_codes(fmt, codes))


@given(st.integers(0, 0xFFFFFFFF), st.integers(0, 0xFF))
def test_strided_views_unpack_like_copies(word: int, other: int) -> None:
    """A view with gaps between its bytes gives the same codes as a copy of it."""
    spaced = np.full(8, other, dtype=np.uint8)
    spaced[::2] = np.frombuffer(word.to_bytes(4, "little"), dtype=np.uint8)
    for name in ("RGBA8", "RGB10A2"):
        fmt = format_named(name)
        assert np.array_equal(unpack_codes(fmt, spaced[::2]), unpack_codes(fmt, spaced[::2].copy()))


def test_wrong_arrays_are_refused() -> None:
    """Errors name the format, what was given and what was allowed."""
    with pytest.raises(ShapeError, match=r"RGBA8 must be uint8 of shape \(..., 4\), not uint8 of shape \(3,\)"):
        unpack_codes(format_named("RGBA8"), np.zeros(3, dtype=np.uint8))
    with pytest.raises(ShapeError, match="not int64"):
        unpack_codes(format_named("R8"), np.zeros((2, 1), dtype=np.int64))
    with pytest.raises(UnsupportedFormat, match="BPTC_UNORM is compressed"):
        unpack_codes(format_named("BPTC_UNORM"), np.zeros(16, dtype=np.uint8))
    with pytest.raises(UnsupportedFormat, match="NONE holds nothing"):
        pack_codes(format_named("NONE"), np.zeros(0, dtype=np.uint8))
    with pytest.raises(FieldRangeError, match="code 64 of component G of NVN_FORMAT_RGB565 is outside 0 to 63"):
        pack_codes(format_named("RGB565"), np.array([0, 64, 0]))
    with pytest.raises(FieldRangeError, match="code -1"):
        pack_codes(format_named("RGBA8"), np.array([0, 0, -1, 0]))
    with pytest.raises(ShapeError, match="must be integers"):
        pack_codes(format_named("RG8"), np.zeros(2, dtype=np.float32))
