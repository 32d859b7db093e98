"""Arguments are taken in NVN's words, and what is not allowed is said with the argument's name."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.enumerations import ClearColorMask, DepthFunc
from refnvn.errors import ArgumentError, FieldRangeError, SizeError
from refnvn.nvn.arguments import (
    boolean,
    color_bits,
    color_integers,
    content,
    flag_bits,
    float32,
    float_bits,
    member,
    whole,
)


@pytest.mark.parametrize("value", ["LEQUAL", 4, DepthFunc.LEQUAL], ids=["name", "value", "member"])
def test_an_enumeration_is_a_name_a_value_or_a_member(value: DepthFunc | str | int) -> None:
    """All three mean the same."""
    assert member("call", "func", value, DepthFunc) is DepthFunc.LEQUAL


@pytest.mark.parametrize("value", ["lequal", 9, "", None], ids=["case", "number", "empty", "none"])
def test_an_unknown_member_lists_the_allowed(value: object) -> None:
    """The error has call, argument, value and names."""
    with pytest.raises(FieldRangeError, match=r"call: func is .*, allowed are NEVER, LESS, EQUAL"):
        member("call", "func", value, DepthFunc)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("value", "bits"), [("R | A", 9), (6, 6), ("RGBA", 15), (ClearColorMask.B, 4), ("", 0)],
    ids=["names", "number", "all", "member", "none"],
)  # fmt: skip
def test_flags_are_names_or_numbers(value: ClearColorMask | str | int, bits: int) -> None:
    """Names are joined by |."""
    assert flag_bits("call", "mask", value, ClearColorMask) == bits


@pytest.mark.parametrize("value", ["R | X", 16, -1], ids=["name", "bit", "negative"])
def test_unknown_flags_are_refused(value: str | int) -> None:
    """A bit that NVN does not have is no flag."""
    with pytest.raises(ArgumentError, match=r"call: mask is .*, allowed are"):
        flag_bits("call", "mask", value, ClearColorMask)


def test_whole_numbers_have_a_range() -> None:
    """Integers of numpy are taken, floats are not."""
    assert whole("call", "index", np.int16(3), 0, 7) == 3
    with pytest.raises(SizeError, match="call: index is 8, allowed are 0 to 7"):
        whole("call", "index", 8, 0, 7)
    with pytest.raises(ArgumentError, match=r"call: index is 1.5, allowed are whole numbers"):
        whole("call", "index", 1.5, 0, 7)  # type: ignore[arg-type]


def test_booleans_are_true_and_false() -> None:
    """Numbers other than 0 and 1 are refused."""
    assert boolean("call", "enable", 1) is True
    assert boolean("call", "enable", np.False_) is False
    with pytest.raises(ArgumentError, match="enable is 2, allowed are True and False"):
        boolean("call", "enable", 2)


@given(st.floats(width=64, allow_nan=False))
def test_numbers_round_to_the_nearest_float32(value: float) -> None:
    """The bits are those of a conversion of the processor, infinite where it overflows."""
    with np.errstate(over="ignore"):
        assert float_bits(value) == int(np.float64(value).astype(np.float32).view(np.uint32))


def test_float32_values_keep_their_bits() -> None:
    """A NaN of float32 is stored with its payload; others are the quiet NaN."""
    signalling = np.array([0x7F800001], np.uint32).view(np.float32)
    assert color_bits("call", np.repeat(signalling, 4)) == (0x7F800001,) * 4
    assert float_bits(float("nan")) == 0x7FC00000
    assert color_bits("call", (1, 0.5, -0.0, float("inf"))) == (0x3F800000, 0x3F000000, 0x80000000, 0x7F800000)


def test_state_floats_are_finite_float32() -> None:
    """0.1 becomes the nearest float32; what is not finite is refused."""
    assert float32("call", "x", 0.1) == struct.unpack("<f", struct.pack("<f", 0.1))[0]
    for value in (1e39, float("nan"), float("-inf")):
        with pytest.raises(FieldRangeError, match=r"call: x is .*, allowed are finite float32"):
            float32("call", "x", value)
    with pytest.raises(ArgumentError, match="call: x is 'a', allowed are numbers"):
        float32("call", "x", "a")  # type: ignore[arg-type]


@pytest.mark.parametrize("color", [(1, 2, 3), "red", None], ids=["three", "text", "none"])
def test_a_color_is_four_numbers(color: object) -> None:
    """Anything else is refused."""
    with pytest.raises(ArgumentError, match=r"call: color is .*, allowed are four numbers"):
        color_bits("call", color)  # type: ignore[arg-type]


def test_integer_colors_keep_all_32_bits() -> None:
    """No value passes through a float."""
    assert color_integers("call", (0x01000001, 0xFFFFFFFF, 7, 0), 0, 0xFFFFFFFF) == (0x01000001, 0xFFFFFFFF, 7, 0)
    with pytest.raises(SizeError, match=r"color\[2\] is -1, allowed are 0 to"):
        color_integers("call", (0, 0, -1, 0), 0, 0xFFFFFFFF)


def test_arrays_are_stored_little_endian_in_order() -> None:
    """Byte order and strides of the array do not matter."""
    assert content("call", "data", np.array([1, 258], ">u2")) == b"\x01\x00\x02\x01"
    assert content("call", "data", np.arange(4, dtype=np.uint8).reshape(2, 2).T) == b"\x00\x02\x01\x03"
    for data in (b"", np.array([object()]), 5):
        with pytest.raises(ArgumentError, match="call: data is"):
            content("call", "data", data)
