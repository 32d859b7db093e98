"""Image loads, where they differ from fetches."""

import numpy as np
import pytest

from refnvn.errors import UnsupportedFormat
from refnvn.formats.codec import decode
from refnvn.formats.image_load import decode_image_load, load_half, load_norm, load_unsigned_float
from refnvn.formats.table import format_named
from refnvn.rules.slack import METAL


@pytest.mark.rule("FMT-IMAGELOAD-1")
def test_norm_codes_are_multiplied_by_the_rounded_reciprocal() -> None:
    """Measured: code 127 of R8 loads as 0x3efeff00, one ULP above the quotient, and -13 of snorm 8 as 0xbdd1a346."""
    loaded = decode_image_load(format_named("R8"), np.array([127], dtype=np.uint8))
    assert loaded.view(np.uint32).tolist() == [0x3EFEFF00, 0, 0, 0x3F800000]
    assert decode(format_named("R8"), np.array([127], dtype=np.uint8)).view(np.uint32)[0] == 0x3EFEFEFF
    assert load_norm(np.array([0xF3, 0x80]), 8, signed=True).view(np.uint32).tolist() == [0xBDD1A346, 0xBF800000]


@pytest.mark.rule("FMT-IMAGELOAD-2")
def test_every_nan_half_loads_as_one_nan() -> None:
    """Measured: 0x7e00, 0xfe00, 0x7c01 and 0x7d2d all load as 0x7fffffff; infinity stays."""
    codes = np.array([0x7E00, 0xFE00, 0x7C01, 0x7D2D, 0xFC00])
    assert load_half(codes).view(np.uint32).tolist() == [0x7FFFFFFF] * 4 + [0xFF800000]


@pytest.mark.rule("FMT-IMAGELOAD-3")
def test_small_floats_load_without_special_values() -> None:
    """Measured: infinity loads as 65536, a quiet NaN as 98304, denormals as 0."""
    assert load_unsigned_float(np.array([0x7C0, 0x7E0, 1, 0x3F, 0x40]), 6).tolist() == [
        65536.0,
        98304.0,
        0.0,
        0.0,
        2.0**-14,
    ]


def test_metal_loads_what_it_fetches() -> None:
    """In Metal's profile an image read and a texture read agree."""
    texel = np.array([127], dtype=np.uint8)
    assert decode_image_load(format_named("R8"), texel, METAL).tolist() == decode(format_named("R8"), texel).tolist()


@pytest.mark.parametrize("name", ["RGBA32F", "R32UI", "RGBA8I"])
def test_plain_bits_load_as_they_are_fetched(name: str) -> None:
    """32-bit floats and integers need no conversion."""
    fmt = format_named(name)
    data = np.arange(fmt.bytes_per_block, dtype=np.uint8) + np.uint8(200)
    assert decode_image_load(fmt, data).tobytes() == decode(fmt, data).tobytes()


def test_formats_without_image_use_are_refused() -> None:
    """The error lists the uses that the format has."""
    with pytest.raises(UnsupportedFormat, match="RGBA8_SRGB cannot be used as image; its uses: texture"):
        decode_image_load(format_named("RGBA8_SRGB"), np.zeros(4, dtype=np.uint8))
