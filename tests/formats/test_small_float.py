"""Halves, 11-bit and 10-bit floats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.formats.floatbits import from_bits
from refnvn.formats.small_float import (
    decode_half,
    decode_small_float,
    encode_half,
    encode_nan,
    encode_unsigned_float,
    float32_code,
)
from refnvn.rules.slack import METAL


def value(word: int) -> np.float32:
    """Return the float32 with these bits."""
    return from_bits(np.array(word, dtype=np.uint32))[()]


@pytest.mark.rule("FMT-FLOAT-1")
@pytest.mark.parametrize(
    ("word", "code"),
    [
        pytest.param(0x3F800000, 0x3C00, id="one"),
        pytest.param(0xBF000000, 0xB800, id="minus-half"),
        pytest.param(0x477FFFFF, 0x7BFF, id="just-under-65536-stays-finite"),
        pytest.param(0x7F7FFFFF, 0x7BFF, id="largest-float-stays-finite"),
        pytest.param(0xFF7FFFFF, 0xFBFF, id="most-negative-stays-finite"),
        pytest.param(0x7F800000, 0x7C00, id="infinity"),
        pytest.param(0xFF800000, 0xFC00, id="minus-infinity"),
        pytest.param(0x00000001, 0x0000, id="denormal"),
        pytest.param(0x80000001, 0x8000, id="negative-denormal-is-minus-zero"),
        pytest.param(0x35A80000, 21, id="denormal-half"),
        pytest.param(0x35A7FFFF, 20, id="before-denormal-half"),
        pytest.param(0x3F7D8000, 15340, id="near-one"),
    ],
)
def test_half_codes_are_as_measured(word: int, code: int) -> None:
    """Mantissa bits are cut off, finite values stay finite."""
    assert int(encode_half(value(word))) == code


@pytest.mark.rule("FMT-FLOAT-2")
@pytest.mark.parametrize(
    ("mantissa_bits", "word", "code"),
    [
        pytest.param(6, 0x35800000, 1, id="first-of-11"),
        pytest.param(6, 0x357FFFFF, 0, id="before-first-of-11"),
        pytest.param(6, 0x3F7E0000, 959, id="last-below-one-of-11"),
        pytest.param(5, 0x36000000, 1, id="first-of-10"),
        pytest.param(5, 0x3F7C0000, 479, id="last-below-one-of-10"),
        pytest.param(6, 0xBF000000, 0, id="negative-is-zero"),
        pytest.param(6, 0xFF800000, 0, id="minus-infinity-is-zero"),
        pytest.param(6, 0x7F800000, 0x7C0, id="infinity-of-11"),
        pytest.param(5, 0x7F800000, 0x3E0, id="infinity-of-10"),
        pytest.param(6, 0x7F7FFFFF, 0x7BF, id="largest-stays-finite"),
    ],
)
def test_unsigned_float_codes_are_as_measured(mantissa_bits: int, word: int, code: int) -> None:
    """Negative values become zero, finite ones stay finite."""
    assert int(encode_unsigned_float(value(word), mantissa_bits)) == code


@pytest.mark.rule("FMT-FLOAT-3")
@pytest.mark.parametrize(
    ("word", "half", "eleven", "ten"),
    [
        pytest.param(0x7FC00000, 0x7E00, 0x7E0, 0x3F0, id="quiet"),
        pytest.param(0xFFC00000, 0xFE00, 0x7E0, 0x3F0, id="negative-quiet"),
        pytest.param(0x7F800001, 0x7C01, 0x7C1, 0x3E1, id="payload-that-would-be-lost"),
        pytest.param(0x7FA5A5A5, 0x7D2D, 0x7D2, 0x3E9, id="signalling"),
        pytest.param(0x7FFFFFFF, 0x7FFF, 0x7FF, 0x3FF, id="all-ones"),
    ],
)
def test_nan_keeps_the_top_of_its_payload(word: int, half: int, eleven: int, ten: int) -> None:
    """Measured stores of five NaNs in three widths; the sign goes where there is none."""
    nan = value(word)
    assert int(encode_half(nan)) == half
    assert int(encode_unsigned_float(nan, 6)) == eleven
    assert int(encode_unsigned_float(nan, 5)) == ten
    assert int(encode_nan(np.uint32(word), 5)) == ten


@pytest.mark.rule("FMT-FLOAT-4")
def test_small_floats_read_as_the_same_value() -> None:
    """Every finite half reads as NumPy's, and infinities stay; NaN payloads move up unchanged."""
    codes = np.arange(65536)
    read = decode_half(codes)
    by_numpy = codes.astype(np.uint16).view(np.float16).astype(np.float32)
    nan = np.isnan(by_numpy)
    assert np.array_equal(read[~nan].view(np.uint32), by_numpy[~nan].view(np.uint32))
    payload = (codes & 0x3FF) << 13 | 0x7F800000 | (codes >> 15) << 31
    assert np.array_equal(read[nan].view(np.uint32), payload[nan].astype(np.uint32))
    measured = decode_small_float(np.array([0x7D0]), 6)
    assert measured.view(np.uint32).tolist() == [0x7FA00000]
    assert decode_small_float(np.array([1]), 6).view(np.uint32).tolist() == [0x35800000]


@pytest.mark.rule("FMT-FLOAT-5")
@pytest.mark.parametrize(
    "word",
    [
        pytest.param(0x7F800001, id="signalling-nan"),
        pytest.param(0xFFC00001, id="negative-nan"),
        pytest.param(0x00000001, id="denormal"),
        pytest.param(0x80000000, id="minus-zero"),
    ],
)
def test_float32_is_stored_bit_for_bit(word: int) -> None:
    """Thirty-two-bit floats pass unchanged, whatever they are."""
    assert int(float32_code(value(word))) == word


@pytest.mark.parametrize("mantissa_bits", [pytest.param(5, id="ten"), pytest.param(6, id="eleven")])
def test_every_unsigned_float_code_survives_a_round_trip(mantissa_bits: int) -> None:
    """What a code reads as stores that code again, NaN included."""
    codes = np.arange(1 << (mantissa_bits + 5))
    assert np.array_equal(codes, encode_unsigned_float(decode_small_float(codes, mantissa_bits), mantissa_bits))


def test_every_half_code_survives_a_round_trip() -> None:
    """What a half reads as stores that half again, NaN and its sign included."""
    codes = np.arange(65536)
    assert np.array_equal(codes, encode_half(decode_half(codes)))


@given(st.integers(0, 0xFFFFFFFF))
def test_metal_half_is_the_nearest_even_half(word: int) -> None:
    """Metal's profile equals NumPy's conversion, which rounds to nearest even, for everything that is no NaN."""
    number = value(word)
    if np.isnan(number):
        return
    with np.errstate(over="ignore"):
        by_numpy = number.astype(np.float16)
    assert int(encode_half(number, METAL)) == int(by_numpy.view(np.uint16))


def test_metal_small_floats_round_to_nearest() -> None:
    """Metal's profile rounds up where NVIDIA cuts, and overflows to infinity."""
    just_under_one = np.float32(1) - np.float32(2.0**-12)
    assert int(encode_unsigned_float(just_under_one, 6)) == 0x3BF
    assert int(encode_unsigned_float(just_under_one, 6, METAL)) == 0x3C0
    assert int(encode_half(70000.0, METAL)) == 0x7C00
