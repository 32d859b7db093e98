"""Integer arithmetic and bits of shaders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shader.words import apply

WORDS = st.integers(0, (1 << 32) - 1)
MASK = (1 << 32) - 1


def signed(word: int) -> int:
    """Return a word read as two's complement."""
    return word - (1 << 32) if word >> 31 else word


@pytest.mark.rule("SHADER-INT-1")
@given(WORDS, WORDS)
def test_sums_and_products_wrap(a: int, b: int) -> None:
    """Integers count modulo 2^32; the upper half of a product is exact."""
    assert apply("word.add", a, b) == (a + b) & MASK
    assert apply("word.sub", a, b) == (a - b) & MASK
    assert apply("word.mul", a, b) == a * b & MASK
    assert apply("word.neg", a) == -a & MASK
    assert apply("uint.mul_high", a, b) == a * b >> 32
    assert apply("int.mul_high", a, b) == signed(a) * signed(b) >> 32 & MASK


@pytest.mark.rule("SHADER-SHIFT-1")
@given(WORDS, WORDS)
def test_shift_counts_are_taken_modulo_32(a: int, count: int) -> None:
    """A shift by 32 is none."""
    assert apply("word.shift_left", a, count) == a << count % 32 & MASK
    assert apply("uint.shift_right", a, count) == a >> count % 32
    assert apply("int.shift_right", a, count) == signed(a) >> count % 32 & MASK


@pytest.mark.rule("SHADER-INTDIV-1")
@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        pytest.param("uint.div", 7, 0, MASK, id="unsigned-by-zero"),
        pytest.param("uint.rem", 7, 0, MASK, id="remainder-by-zero"),
        pytest.param("int.div", -7 & MASK, 0, MASK, id="signed-by-zero"),
        pytest.param("int.div", -7 & MASK, 2, -3 & MASK, id="cut-towards-zero"),
        pytest.param("int.div", 7, -2 & MASK, -3 & MASK, id="negative-divisor"),
        pytest.param("int.div", 1 << 31, MASK, 1 << 31, id="least-by-minus-one"),
        pytest.param("uint.div", MASK, 10, 429496729, id="unsigned"),
    ],
)
def test_integer_quotients(name: str, a: int, b: int, expected: int) -> None:
    """Quotients are cut towards zero; all ones for a divisor of zero."""
    assert apply(name, a, b) == expected


@pytest.mark.rule("SHADER-INTREM-1")
def test_the_signed_remainder_is_unsigned() -> None:
    """-7 modulo 4 is that of 4294967289: 1."""
    assert apply("uint.rem", -7 & MASK, 4) == 1
    assert apply("uint.rem", -8 & MASK, 5) == 3


@pytest.mark.rule("SHADER-BITS-1")
@given(WORDS, WORDS)
def test_bitwise_operations_and_orders(a: int, b: int) -> None:
    """Words are compared as unsigned or signed numbers."""
    assert (apply("word.and", a, b), apply("word.or", a, b), apply("word.xor", a, b)) == (a & b, a | b, a ^ b)
    assert apply("word.not", a) == a ^ MASK
    assert (apply("word.equal", a, b), apply("word.not_equal", a, a)) == (a == b, False)
    assert (apply("uint.less", a, b), apply("uint.less_equal", a, b)) == (a < b, a <= b)
    assert (apply("int.less", a, b), apply("int.less_equal", a, b)) == (signed(a) < signed(b), signed(a) <= signed(b))
    assert (apply("uint.min", a, b), apply("uint.max", a, b)) == (min(a, b), max(a, b))
    assert apply("int.min", a, b) == min(a, b, key=signed)
    assert apply("int.max", a, b) == max(a, b, key=signed)
    assert apply("int.abs", a) == abs(signed(a)) & MASK


@pytest.mark.rule("SHADER-BITS-2")
@given(WORDS)
def test_bits_are_counted_and_found(a: int) -> None:
    """The place of a bit that is not there is -1; the highest bit of a signed number is the one unlike its sign."""
    assert apply("word.bit_count", a) == a.bit_count()
    assert apply("uint.find_msb", a) == (a.bit_length() - 1) & MASK
    assert apply("int.find_msb", a) == ((a ^ MASK if a >> 31 else a).bit_length() - 1) & MASK
    assert apply("word.find_lsb", a) == ((a & -a).bit_length() - 1) & MASK
    assert apply("word.reverse", a) == int(f"{a:032b}"[::-1], 2)


def test_booleans_join() -> None:
    """And, or, xor and not as everywhere."""
    for a in (False, True):
        for b in (False, True):
            assert apply("bool.and", a, b) == (a and b)
            assert apply("bool.or", a, b) == (a or b)
            assert apply("bool.xor", a, b) == (a != b)
        assert apply("bool.not", a) == (not a)
