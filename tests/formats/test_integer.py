"""Integer formats."""

import numpy as np
import pytest

from refnvn.errors import ShapeError
from refnvn.formats.codec import decode, encode
from refnvn.formats.integer import decode_integer, decode_integer_as_float, encode_integer
from refnvn.formats.table import format_named


@pytest.mark.rule("FMT-INT-1")
def test_integers_saturate_in_every_width() -> None:
    """Measured: 0xe5c73a51 stores 0xff in R8UI, 0x6382664b 0x7f and 0xe14d64bf 0x80 in R8I."""
    assert int(encode_integer(np.uint32(0xE5C73A51), 8, signed=False)) == 0xFF
    assert int(encode_integer(np.array(0x6382664B, np.uint32).view(np.int32), 8, signed=True)) == 0x7F
    assert int(encode_integer(np.array(0xE14D64BF, np.uint32).view(np.int32), 8, signed=True)) == 0x80
    texel = encode(format_named("RGB10A2UI"), np.array([5000, 1, 1023, 7], dtype=np.uint32))
    assert int(texel.view("<u4")[0]) == 0x3FF | 1 << 10 | 1023 << 20 | 3 << 30


def test_wide_integers_saturate_too() -> None:
    """A 64-bit number beyond every range is the largest code."""
    assert int(encode_integer(np.uint64((1 << 64) - 1), 32, signed=False)) == 0xFFFFFFFF
    assert int(encode_integer(np.int64(-5), 32, signed=False)) == 0


@pytest.mark.rule("FMT-INT-2")
def test_signed_fields_are_sign_extended() -> None:
    """A 16-bit -3 reads as -3, not 65533; missing components are integer 0, 0, 1."""
    texel = encode(format_named("R16I"), np.array([-3, 0, 0, 0], dtype=np.int32))
    read = decode(format_named("R16I"), texel)
    assert read.dtype == np.int32
    assert read.tolist() == [-3, 0, 0, 1]
    assert int(decode_integer(np.array(0xFFFD), 16, signed=False)) == 65533


@pytest.mark.rule("FMT-INT-3")
def test_converted_vertex_integers_are_the_nearest_float() -> None:
    """Measured: 0xffffffff reads as 2^32 unsigned and as -1 signed, a byte 5 as 5."""
    assert float(decode_integer_as_float(np.array(0xFFFFFFFF), 32, signed=False)) == 2.0**32
    assert float(decode_integer_as_float(np.array(0xFFFFFFFF), 32, signed=True)) == -1.0
    read = decode(format_named("RGB8_I2F"), np.array([5, 0x80, 0xFF], dtype=np.uint8))
    assert read.tolist() == [5.0, -128.0, -1.0, 1.0]


def test_floats_are_refused_by_integer_formats() -> None:
    """An integer must not pass through a float, where 0x01000001 would lose its last bit."""
    with pytest.raises(ShapeError, match="must be integers"):
        encode(format_named("R32UI"), np.zeros(4, dtype=np.float32))
    kept = encode(format_named("R32UI"), np.array([0x01000001, 0, 0, 0], dtype=np.uint32))
    assert kept.tolist() == [1, 0, 0, 1]
