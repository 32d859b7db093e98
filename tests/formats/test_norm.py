"""Normalised codes: values in, values out."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.formats.norm import decode_snorm, decode_unorm, encode_snorm, encode_unorm, sign_extended
from refnvn.rules.slack import METAL


def bits(word: int) -> np.float32:
    """Return the float32 with these bits."""
    return np.array(word, dtype=np.uint32).view(np.float32)[()]


@pytest.mark.rule("FMT-NORM-1")
@pytest.mark.parametrize(
    ("width", "code", "threshold"),
    [
        pytest.param(8, 1, 0x3B100000, id="first-of-8"),
        pytest.param(8, 128, 0x3F001000, id="middle-of-8"),
        pytest.param(8, 255, 0x3F7F8000, id="last-of-8"),
        pytest.param(10, 1, 0x3A100000, id="first-of-10"),
        pytest.param(10, 1023, 0x3F7FE000, id="last-of-10"),
        pytest.param(16, 53, 0x3A524000, id="low-of-16"),
        pytest.param(16, 65468, 0x3F7FBC80, id="high-of-16"),
    ],
)
def test_unorm_code_begins_at_its_measured_threshold(width: int, code: int, threshold: int) -> None:
    """The chip stores a code from the measured float32 on, and not from the float before it."""
    assert int(encode_unorm(bits(threshold), width)) == code
    assert int(encode_unorm(bits(threshold - 1), width)) == code - 1


@pytest.mark.rule("FMT-NORM-1")
@pytest.mark.parametrize(
    ("value", "code"),
    [
        pytest.param(0x3F000000, 127, id="one-half"),
        pytest.param(0x3F800000, 255, id="one"),
        pytest.param(0xBF000000, 0, id="negative"),
        pytest.param(0x7F800000, 255, id="infinity"),
        pytest.param(0xFF800000, 0, id="minus-infinity"),
        pytest.param(0x7FC00000, 0, id="quiet-nan"),
        pytest.param(0x7F800001, 0, id="signalling-nan"),
        pytest.param(0x00000001, 0, id="denormal"),
    ],
)
def test_unorm_special_values_are_as_measured(value: int, code: int) -> None:
    """Halves round down, everything outside 0..1 clamps, NaN is 0."""
    assert int(encode_unorm(bits(value), 8)) == code


@pytest.mark.rule("FMT-NORM-2")
@pytest.mark.parametrize(
    ("width", "value", "code"),
    [
        pytest.param(8, 0x3F000000, 0x3F, id="one-half-of-8"),
        pytest.param(8, 0xBF000000, 0xC1, id="minus-one-half-of-8"),
        pytest.param(8, 0xFF800000, 0x81, id="minus-infinity-of-8"),
        pytest.param(8, 0x7FC00000, 0x00, id="nan-of-8"),
        pytest.param(8, 0x3B900000, 0x01, id="first-of-8"),
        pytest.param(8, 0x3F7F0000, 0x7F, id="last-of-8"),
        pytest.param(8, 0x3F7EFFFF, 0x7E, id="before-last-of-8"),
        pytest.param(16, 0xBF000000, 0xC001, id="minus-one-half-of-16"),
        pytest.param(16, 0x3F7FE900, 32756, id="high-of-16"),
        pytest.param(16, 0x3F7FE8FF, 32755, id="before-high-of-16"),
    ],
)
def test_snorm_codes_are_as_measured(width: int, value: int, code: int) -> None:
    """The magnitude is converted and the sign put back; the most negative code never appears."""
    assert int(encode_snorm(bits(value), width)) == code


@given(st.floats(width=32, allow_nan=False), st.floats(width=32, allow_nan=False), st.sampled_from([8, 10, 16]))
def test_unorm_and_snorm_grow_with_the_value(one: float, other: float, width: int) -> None:
    """A larger value never stores a smaller code."""
    low, high = np.float32(min(one, other)), np.float32(max(one, other))
    assert int(encode_unorm(low, width)) <= int(encode_unorm(high, width))
    signed = [int(sign_extended(encode_snorm(v, width), width)) for v in (low, high)]
    assert signed[0] <= signed[1]


@pytest.mark.rule("FMT-NORM-3")
def test_unorm_codes_read_as_the_correctly_rounded_quotient() -> None:
    """Reading divides by the largest code and rounds once; measured bits of three codes."""
    read = decode_unorm(np.array([1, 0x123, 1023]), 10).view(np.uint32)
    assert read.tolist()[0] == 0x3A802008
    assert decode_unorm(np.array([1]), 8).view(np.uint32).tolist() == [0x3B808081]
    exact = np.arange(65536, dtype=np.float64) / 65535.0
    assert np.array_equal(exact.astype(np.float32), decode_unorm(np.arange(65536), 16))


@pytest.mark.rule("FMT-NORM-4")
def test_snorm_lowest_codes_both_read_as_minus_one() -> None:
    """-2^(n-1) reads like -(2^(n-1) - 1), in the 2-bit alpha of vertex formats too."""
    assert decode_snorm(np.array([0x80, 0x81, 0x82]), 8).tolist() == [-1.0, -1.0, float(np.float32(-126 / 127))]
    assert decode_snorm(np.array([0, 1, 2, 3]), 2).tolist() == [0.0, 1.0, -1.0, -1.0]
    assert decode_snorm(np.array([5]), 10).view(np.uint32).tolist() == [0x3C205028]


def test_metal_rounds_the_product_to_nearest_even() -> None:
    """Metal's profile stores 0.5 as 128 and -0.5 as -64, and its D16 half as 32768."""
    assert int(encode_unorm(0.5, 8, METAL)) == 128
    assert int(encode_unorm(0.5, 16, METAL)) == 32768
    assert int(sign_extended(encode_snorm(-0.5, 8, METAL), 8)) == -64


@pytest.mark.parametrize("width", [1, 2, 4, 5, 6, 8, 10, 16])
def test_every_unorm_code_survives_a_round_trip(width: int) -> None:
    """What a code reads as stores that code again, by NVIDIA's rounding and by Metal's."""
    codes = np.arange(1 << width)
    for rules in (None, METAL):
        again = encode_unorm(decode_unorm(codes, width), width, *([rules] if rules else []))
        assert np.array_equal(codes, again)


@given(value=st.floats(0.0, 1.0, width=32), width=st.sampled_from([8, 10, 16, 24]))
def test_nearest_even_is_exact_up_to_24_bits(value: float, width: int) -> None:
    """A float32 times a code of 24 bits needs 48 bits, which float64 holds: the product is rounded once."""
    assert int(encode_unorm(value, width, METAL)) == round(Fraction(value) * ((1 << width) - 1))
