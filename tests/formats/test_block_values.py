"""The values of many texels, by tables and a compiled loop, are those of few, by the rules."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from refnvn.formats import block_coding, block_values
from refnvn.formats.block_coding import Coding, block_channels, code_values
from refnvn.formats.block_coding import block_coding as coding_of
from refnvn.formats.block_values import TABLES_FROM_TEXELS, spread_values
from refnvn.formats.table import format_named
from refnvn.rules.fields import NVN, AstcDecode, DecodeSrgb, watch
from refnvn.rules.registry import collect

FORMATS = ["RGBA_DXT1", "RGBA_DXT1_SRGB", "RGTC1_UNORM", "RGTC2_UNORM", "RGTC1_SNORM", "RGTC2_SNORM", "BPTC_UFLOAT",
           "BPTC_UNORM", "RGBA_ASTC_6x6", "RGBA_ASTC_6x6_SRGB"]  # fmt: skip
DTYPES = {Coding.UNORM8: np.uint8, Coding.SRGB8: np.uint8, Coding.SNORM16: np.int16}


def every_code(name: str) -> np.ndarray:
    """Return all codes of a format in every channel, as often as tables need."""
    fmt = format_named(name)
    dtype = np.dtype(DTYPES.get(coding_of(fmt), np.uint16))
    unsigned = np.dtype(f"u{dtype.itemsize}")
    one = np.arange(1 << 8 * dtype.itemsize, dtype=unsigned).view(dtype)
    channels = np.stack([np.roll(one, 7 * channel) for channel in range(block_channels(fmt))], axis=-1)
    return np.resize(channels, (TABLES_FROM_TEXELS // 512, 512, channels.shape[-1]))


@pytest.mark.parametrize("srgb", list(DecodeSrgb))
@pytest.mark.parametrize("name", FORMATS)
def test_many_texels_have_the_values_of_few(monkeypatch: pytest.MonkeyPatch, name: str, srgb: DecodeSrgb) -> None:
    """Every code of every coding in every channel, bit for bit, NaNs too, by either decoding of sRGB."""
    fmt, codes, rules = format_named(name), every_code(name), dataclasses.replace(NVN, decode_srgb=srgb)
    monkeypatch.setattr(block_coding, "tables_pay", lambda _texels: True)
    many = code_values(fmt, codes, rules)
    monkeypatch.setattr(block_coding, "tables_pay", lambda _texels: False)
    few = code_values(fmt, codes, rules)
    assert many.dtype == np.float32
    assert many.tobytes() == few.tobytes()


@pytest.mark.parametrize("name", FORMATS)
def test_either_way_names_the_same_rules_and_fields(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A golden lists what it used, however many texels it had and however old the tables are."""
    fmt, codes = format_named(name), every_code(name)[:1]
    found = []
    for pays in (True, False, True):
        monkeypatch.setattr(block_coding, "tables_pay", lambda _texels, pays=pays: pays)
        watched = watch()
        with collect() as used:
            code_values(fmt, codes, watched)
        found.append((set(used), set(watched.read)))
    assert found[0] == found[1] == found[2]
    assert found[0][0]


def test_the_loop_is_the_same_interpreted() -> None:
    """Codes 3, 1 of two channels read as the table says, blue and alpha as the fill."""
    values = np.zeros((1, 4), np.float32)
    table = np.arange(8, dtype=np.float32) * 10
    spread_values(np.array([[3, 1]], np.uint16), table, table, np.array([0, 0, 5, 1], np.float32), values)
    assert values.tolist() == [[30.0, 10.0, 5.0, 1.0]]


def test_few_texels_need_no_compiler() -> None:
    """Below the limit the rules are called."""
    assert not block_values.tables_pay(TABLES_FROM_TEXELS - 1)


def test_another_coding_of_astc_has_its_own_tables() -> None:
    """Linear ASTC by 8 bits reads code 255 as 1."""
    rules = dataclasses.replace(NVN, astc_decode=next(one for one in AstcDecode if one is not NVN.astc_decode))
    codes = np.full((TABLES_FROM_TEXELS, 4), 255, np.uint8)
    assert (code_values(format_named("RGBA_ASTC_6x6"), codes, rules) == 1).all()
