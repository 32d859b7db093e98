"""Floating-point arithmetic of shaders, against measured values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.shader.bits import KEEP_DENORMALS
from tests.shader.words import apply, apply_all, bits

WORDS = st.integers(0, (1 << 32) - 1)
NAN = 0x7FFFFFFF


@pytest.mark.rule("SHADER-DENORM-1")
@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        pytest.param("float.add", (0x0041E27E, 0xC09FE034), 0xC09FE034, id="operand-of-a-sum"),
        pytest.param("float.add", (0x807C459C, 0xA7A29F1A), 0xA7A29F1A, id="negative-operand-of-a-sum"),
        pytest.param("float.mul", (0x1AE92DBA, 0x1F800000), 0, id="product"),
        pytest.param("float.mul", (0xB74FD285, 0x082B9612), 0x80000000, id="negative-product"),
        pytest.param("float.abs", (0x80000001,), 0, id="absolute-value"),
        pytest.param("float.floor", (0x80000001,), 0x80000000, id="floor"),
    ],
)
def test_denormals_are_zeros(name: str, operands: tuple[int, ...], expected: int) -> None:
    """Operands and results below 2^-126 are zeros of their sign."""
    assert apply(name, *operands) == expected


def test_denormals_can_be_kept() -> None:
    """With the other setting a denormal is a number like others."""
    assert apply("float.add", 1, 1, mode=KEEP_DENORMALS) == 2
    assert apply("float.mul", 0x1AE92DBA, 0x1F800000, mode=KEEP_DENORMALS) != 0


@pytest.mark.rule("SHADER-NAN-1")
@pytest.mark.parametrize("word", [0x7FC00000, 0xFFC00000, 0x7F800001, 0x7FFFFFFF, 0x7FA5A5A5, 0xFFFE6965])
def test_every_nan_that_arithmetic_gives_is_one(word: int) -> None:
    """Payload and sign of a NaN are lost."""
    assert apply("float.add", word, 0x3F800000) == NAN
    assert apply("float.abs", word) == NAN
    assert apply("float.trunc", word) == NAN
    assert apply("float.mul", 0x7F800000, 0) == NAN


@pytest.mark.rule("SHADER-ADD-1")
@given(WORDS, WORDS)
def test_sums_are_rounded_once(a: int, b: int) -> None:
    """A sum of numbers whose exact sum a float64 holds is that sum rounded; a difference is a sum."""
    x, y = (float(np.uint32(word).view(np.float32)) for word in (a, b))
    if all(2.0**-100 < abs(v) < 2.0**100 for v in (x, y)) and abs(np.log2(abs(x)) - np.log2(abs(y))) < 28:
        assert apply("float.add", a, b) == bits(x + y)[0]
        assert apply("float.sub", a, b) == bits(x - y)[0]
    assert apply("float.sub", a, b) == apply("float.add", a, b ^ 0x80000000)


@pytest.mark.rule("SHADER-MUL-1")
@given(WORDS, WORDS)
def test_products_are_rounded_once(a: int, b: int) -> None:
    """A float64 holds every product of two floats exactly."""
    x, y = (float(np.uint32(word).view(np.float32)) for word in (a, b))
    if 2.0**-120 < abs(x * y) < 2.0**120 and all(2.0**-126 <= abs(v) < 2.0**127 for v in (x, y)):
        assert apply("float.mul", a, b) == bits(x * y)[0]


@pytest.mark.rule("SHADER-FMA-1")
@pytest.mark.parametrize(
    ("a", "b", "c", "expected"),
    [
        pytest.param(0xFD6174AA, 0x3F13B2B6, 0xD287FB19, 0xFD021361, id="small-addend"),
        pytest.param(0x44846B42, 0x477FFF00, 0x1C305DAA, 0x4C846ABE, id="addend-breaks-no-tie"),
        pytest.param(0x3F800001, 0x3F800001, 0xBF800002, 0x28800000, id="only-the-lost-bit"),
        pytest.param(0x3F800001, 0x3F800001, 0x00800000, 0x3F800002, id="tiny-addend"),
        pytest.param(0x3F800001, 0x3FC00000, 0x00800000, 0x3FC00002, id="tie-broken-up-by-a-tiny-addend"),
        pytest.param(0x3F800001, 0x3FC00000, 0x80800000, 0x3FC00001, id="tie-broken-down-by-a-tiny-addend"),
        pytest.param(0x7F800000, 0, 0x3F800000, NAN, id="infinity-times-zero"),
    ],
)
def test_fused_products_are_rounded_once(a: int, b: int, c: int, expected: int) -> None:
    """The product is exact and the sum rounded once, also where a float64 sum would round twice."""
    assert apply("float.fma", a, b, c) == expected


@pytest.mark.rule("SHADER-SIGN-1")
def test_negation_turns_the_sign_of_zero_too() -> None:
    """The negative of +0 is -0, of a NaN the one NaN, of a denormal a zero."""
    assert apply("float.neg", 0) == 0x80000000
    assert apply("float.neg", 0x7FC00000) == NAN
    assert apply("float.neg", 1) == 0x80000000
    assert apply("float.neg", 0x3F800000) == 0xBF800000


@pytest.mark.rule("SHADER-SIGN-2")
@pytest.mark.parametrize(
    ("word", "expected"),
    [(0x40000000, 0x3F800000), (0xFF800000, 0xBF800000), (0x80000000, 0), (0x807FFFFF, 0), (0x7FC00000, 0)],
    ids=["two", "minus-infinity", "minus-zero", "denormal", "nan"],
)
def test_sign_is_one_of_three(word: int, expected: int) -> None:
    """Zeros of both signs, denormals and NaN have sign +0."""
    assert apply("float.sign", word) == expected


@pytest.mark.rule("SHADER-MIN-1")
def test_minimum_and_maximum_prefer_numbers() -> None:
    """With a NaN the other operand is the result; of two zeros -0 is the lesser."""
    assert apply("float.min", 0xFFFE6965, 0x402C55F1) == 0x402C55F1
    assert apply("float.max", 0xFFFE6965, 0x402C55F1) == 0x402C55F1
    assert apply("float.max", 0x402C55F1, 0x7F800001) == 0x402C55F1
    assert apply("float.min", 0x7FC00000, 0x7F800001) == NAN
    for a, b in ((0, 0x80000000), (0x80000000, 0)):
        assert apply("float.min", a, b) == 0x80000000
        assert apply("float.max", a, b) == 0
    assert apply("float.min", 0x80000001, 0x3F800000) == 0x80000000


@pytest.mark.rule("SHADER-SATURATE-1")
@pytest.mark.parametrize(
    ("word", "expected"),
    [(0x3F000000, 0x3F000000), (0x40000000, 0x3F800000), (0xBF800000, 0), (0x7FC00000, 0), (0x80000000, 0),
     (0x7F800000, 0x3F800000), (0x00000001, 0)],
    ids=["inside", "above", "below", "nan", "minus-zero", "infinity", "denormal"],
)  # fmt: skip
def test_saturate_lies_between_zero_and_one(word: int, expected: int) -> None:
    """A NaN saturates to 0."""
    assert apply("float.saturate", word) == expected


@pytest.mark.rule("SHADER-ROUND-1")
def test_rounding_keeps_signs_and_takes_ties_to_even() -> None:
    """Floor, ceiling, truncation and rounding of -2.5, -0.25, 0.5 and 1.5."""
    words = bits(-2.5, -0.25, 0.5, 1.5)
    assert apply_all("float.floor", words).tolist() == bits(-3.0, -1.0, 0.0, 1.0).tolist()
    assert apply_all("float.ceil", words).tolist() == bits(-2.0, -0.0, 1.0, 2.0).tolist()
    assert apply_all("float.trunc", words).tolist() == bits(-2.0, -0.0, 0.0, 1.0).tolist()
    assert apply_all("float.round_even", words).tolist() == bits(-2.0, -0.0, 0.0, 2.0).tolist()


@pytest.mark.rule("SHADER-FRACT-1")
@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (0x80800000, 0x3F800000),
        (0x907A5DBC, 0x3F800000),
        (0x477C0000, 0),
        (0x7F800000, NAN),
        (0xBE800000, 0x3F400000),
    ],
    ids=["least-negative", "tiny-negative", "whole", "infinity", "minus-a-quarter"],
)
def test_fraction_may_be_one(word: int, expected: int) -> None:
    """The fraction of a tiny negative number rounds to 1."""
    assert apply("float.fract", word) == expected


@pytest.mark.rule("SHADER-COMPARE-1")
def test_comparisons_with_nan_are_false() -> None:
    """Only 'not equal' holds with a NaN; denormals equal zero."""
    for nan, other in ((0x7FC00000, 0x3F800000), (0x3F800000, 0xFFFFFFFF), (NAN, NAN)):
        assert [apply(f"float.{how}", nan, other) for how in ("less", "less_equal", "equal")] == [False] * 3
        assert apply("float.not_equal", nan, other)
    assert apply("float.equal", 1, 0x80000000)
    assert not apply("float.less", 0x80000001, 1)
    assert apply("float.less", 0xFF800000, 0x7F800000)


@pytest.mark.rule("SHADER-CLASS-1")
def test_classes_look_at_bits() -> None:
    """A signalling NaN is a NaN, an infinity of either sign is infinite."""
    assert [apply("float.is_nan", w) for w in (0x7F800001, 0xFFFFFFFF, 0x7F800000, 1)] == [True, True, False, False]
    assert [apply("float.is_infinite", w) for w in (0x7F800000, 0xFF800000, 0x7F7FFFFF, NAN)] == [
        True,
        True,
        False,
        False,
    ]
