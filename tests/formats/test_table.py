"""The table of formats."""

import pytest

from refnvn.errors import FieldRangeError, UnsupportedFormat
from refnvn.formats.table import Format, Use, format_named, formats

ALL = list(formats().values())


def test_all_157_formats_are_there_in_order() -> None:
    """The values of NVNformat run from 0 to 0x9c without a gap."""
    assert [f.value for f in ALL] == list(range(157))


@pytest.mark.parametrize("fmt", [f for f in ALL if f.components], ids=str)
def test_components_cover_every_bit_of_the_texel_once(fmt: Format) -> None:
    """Fields neither overlap nor leave bits over."""
    bits = [b for c in fmt.components for b in range(c.first_bit, c.first_bit + c.bits)]
    assert bits == list(range(8 * fmt.bytes_per_block))


@pytest.mark.parametrize("fmt", ALL, ids=str)
def test_a_format_is_found_by_its_name_and_its_value(fmt: Format) -> None:
    """With and without NVN's prefix, in lower case, and as a number."""
    for name in (fmt.name, fmt.nvn_name, fmt.nvn_name.lower(), f"0x{fmt.value:02x}"):
        assert format_named(name) is fmt


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("BC1", "NVN calls it: RGB_DXT1, RGBA_DXT1", id="bc1"),
        pytest.param("BC3_SRGB", "NVN calls it: RGBA_DXT5_SRGB;", id="bc3-srgb"),
        pytest.param("DXT5", "NVN calls it: RGBA_DXT5;", id="dxt5"),
        pytest.param("BC4", "NVN calls it: RGTC1_UNORM;", id="bc4"),
        pytest.param("BC5S", "NVN calls it: RGTC2_SNORM;", id="bc5-signed"),
        pytest.param("bc6h", "NVN calls it: BPTC_SFLOAT, BPTC_UFLOAT;", id="bc6h"),
        pytest.param("BC7", "NVN calls it: BPTC_UNORM, BPTC_UNORM_SRGB", id="bc7"),
        pytest.param("ASTC_8x8", "NVN calls it: RGBA_ASTC_8x8;", id="astc"),
        pytest.param("RGBA8_SNORM", "NVN calls it: RGBA8SN;", id="snorm"),
        pytest.param("RGBA", "close to it: RGBA8", id="close"),
        pytest.param("qqq", "is not an NVN format; `refnvn formats`", id="nothing-close"),
    ],
)
def test_other_peoples_names_are_answered_with_nvns(name: str, hint: str) -> None:
    """An unknown name is an error that says what NVN calls it, or what comes close."""
    with pytest.raises(FieldRangeError, match=hint):
        format_named(name)


def test_a_use_that_a_format_lacks_is_refused_with_those_it_has() -> None:
    """RGB8 is for vertices only."""
    with pytest.raises(UnsupportedFormat, match="RGB8 cannot be used as texture; its uses: vertex"):
        format_named("RGB8").require(Use.TEXTURE)
    format_named("RGBA8").require(Use.TEXTURE)
