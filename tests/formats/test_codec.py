"""All formats through one door; blocks of compressed ones are tested in test_blocks.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.errors import ShapeError, UnsupportedFormat
from refnvn.formats.codec import decode, encode, missing_components, value_dtype
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format, NumericClass, Use, format_named, formats
from refnvn.rules.fields import NVN, Rules, StorePadding
from refnvn.rules.registry import collect
from refnvn.rules.slack import METAL

READ_ONLY = (NumericClass.UINT_TO_FLOAT, NumericClass.SINT_TO_FLOAT)
ENCODABLE = [
    f for f in formats().values() if f.components and not f.is_depth_stencil and f.numeric_class not in READ_ONLY
]
RENDERABLE = [f for f in ENCODABLE if f.has(Use.RENDER_TARGET)]
PROFILES = [pytest.param(NVN, id="nvn"), pytest.param(METAL, id="metal")]


def codes_of(fmt: Format) -> np.ndarray:
    """Return all 65536 patterns of narrow components, the same in every component, without what never is stored."""
    patterns = np.arange(65536, dtype=np.uint64) * np.uint64(0x10001)
    columns = [(patterns & np.uint64((1 << c.bits) - 1)).astype(np.uint32) for c in fmt.components]
    if fmt.numeric_class is NumericClass.SNORM:
        lowest = [np.uint32(1 << (c.bits - 1)) for c in fmt.components]
        columns = [np.where(k == low, np.uint32(0), k) for k, low in zip(columns, lowest, strict=True)]
    columns = [np.zeros_like(k) if c.name == "X" else k for k, c in zip(columns, fmt.components, strict=True)]
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("rules", PROFILES)
@pytest.mark.parametrize("fmt", [f for f in RENDERABLE if f.name != "RGB9E5F"], ids=str)
def test_codes_survive_a_round_trip_in_every_renderable_format(fmt: Format, rules: Rules) -> None:
    """What a code reads as is stored as that code, NaN payloads included; -2^(n-1) of snorm is never stored."""
    codes = codes_of(fmt)
    again = unpack_codes(fmt, encode(fmt, decode(fmt, pack_codes(fmt, codes), rules), rules))
    used = [i for i, c in enumerate(fmt.components) if c.name != "X"]
    assert np.array_equal(codes[:, used], again[:, used])


@pytest.mark.parametrize("fmt", ENCODABLE, ids=str)
@given(values=st.lists(st.floats(width=32, allow_nan=False), min_size=2, max_size=2))
def test_a_larger_value_never_reads_back_smaller(fmt: Format, values: list[float]) -> None:
    """Storing is monotone in every format, integers by saturation."""
    pair = np.sort(np.array(values, dtype=np.float32))
    if fmt.is_integer:
        pair = np.clip(np.nan_to_num(pair), -(2.0**62), 2.0**62).astype(np.int64)
    read = decode(fmt, encode(fmt, np.repeat(pair[:, np.newaxis], 4, axis=1)))
    assert (read[0, :3] <= read[1, :3]).all()


@pytest.mark.rule("FMT-FILL-1")
@pytest.mark.parametrize(
    ("name", "read"),
    [
        pytest.param("R8", [1.0, 0.0, 0.0, 1.0], id="one-component"),
        pytest.param("RG16SN", [-1 / 32767, -1 / 32767, 0.0, 1.0], id="two-components"),
        pytest.param("RGBX8UI", [255, 255, 255, 1], id="unread-alpha-of-integers"),
        pytest.param("RGBX8", [1.0, 1.0, 1.0, 1.0], id="unread-alpha"),
        pytest.param("RG8I", [-1, -1, 0, 1], id="two-signed-integers"),
    ],
)
def test_missing_components_read_as_0_0_0_1(name: str, read: list[float]) -> None:
    """Measured for one-component formats; the one is of the format's class."""
    fmt = format_named(name)
    values = decode(fmt, np.full(fmt.bytes_per_block, 255, dtype=np.uint8))
    assert values.tolist() == np.array(read, dtype=value_dtype(fmt)).tolist()
    assert missing_components(fmt, (2,)).tolist() == [[0, 0, 0, 1]] * 2


def test_bgra_texels_read_in_rgba_order() -> None:
    """Blue stands in the first byte of BGRA8 and comes out third."""
    assert decode(format_named("BGRA8"), np.array([255, 0, 0, 0], dtype=np.uint8)).tolist() == [0.0, 0.0, 1.0, 0.0]
    assert encode(format_named("BGRA8_SRGB"), [1.0, 0.0, 0.0, 0.0]).tolist() == [0, 0, 255, 0]


@pytest.mark.rule("FMT-PADDING-1")
def test_formats_that_share_a_target_code_store_alpha_in_their_padding() -> None:
    """RGBX16 has the colour target code of RGBA16."""
    assert encode(format_named("RGBX16"), [0.0, 0.0, 0.0, 1.0]).tolist() == [0] * 6 + [255] * 2
    assert encode(format_named("RGBX8I"), np.array([0, 0, 0, -1])).tolist() == [0, 0, 0, 255]


@pytest.mark.rule("FMT-PADDING-2")
@pytest.mark.parametrize(
    ("setting", "byte"),
    [
        pytest.param(StorePadding.ZERO, 0, id="zero"),
        pytest.param(StorePadding.ALPHA, 127, id="alpha"),
        pytest.param(StorePadding.ONES, 255, id="ones"),
    ],
)
def test_padding_with_a_code_of_its_own_is_an_open_choice(setting: StorePadding, byte: int) -> None:
    """RGBX8 stores zero unless a world says otherwise, and a golden on it says that the rule is open."""
    rules = NVN.with_(store_padding=setting)
    with collect() as used:
        assert encode(format_named("RGBX8"), [0.0, 0.0, 0.0, 0.5], rules).tolist() == [0, 0, 0, byte]
    assert "FMT-PADDING-2" in used


@pytest.mark.parametrize("fmt", [f for f in formats().values() if f.components], ids=str)
def test_every_uncompressed_format_decodes(fmt: Format) -> None:
    """Any bytes decode to four values of the format's dtype, in any leading shape, none included."""
    data = np.random.default_rng(fmt.value).integers(0, 256, (2, 3, fmt.bytes_per_block), dtype=np.uint8)
    values = decode(fmt, data)
    assert values.shape == (2, 3, 4)
    assert values.dtype == value_dtype(fmt)
    assert decode(fmt, data[0, 0]).tobytes() == values[0, 0].tobytes()
    assert decode(fmt, data[:0]).shape == (0, 3, 4)


def test_what_cannot_be_done_is_said_with_what_can() -> None:
    """Errors name the format and the way out."""
    with pytest.raises(UnsupportedFormat, match=r"BPTC_UNORM is compressed: nothing here encodes"):
        encode(format_named("BPTC_UNORM"), np.zeros(4, dtype=np.float32))
    with pytest.raises(UnsupportedFormat, match=r"DEPTH16 has no colour; .*encode_depth_stencil"):
        encode(format_named("DEPTH16"), np.zeros(4, dtype=np.float32))
    with pytest.raises(UnsupportedFormat, match=r"R8_UI2F can only be read, as a vertex attribute"):
        encode(format_named("R8_UI2F"), np.zeros(4, dtype=np.float32))
    with pytest.raises(UnsupportedFormat, match="NONE holds nothing"):
        decode(format_named("NONE"), np.zeros(0, dtype=np.uint8))
    with pytest.raises(ShapeError, match=r"must have shape \(..., 4\), not \(3,\)"):
        encode(format_named("R8"), np.zeros(3, dtype=np.float32))
