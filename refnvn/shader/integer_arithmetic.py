"""What does a shader's integer arithmetic give?

32-bit words, wrapping; signed operations read them as two's complement. The text is written for arrays and scalars
alike: see ``bits.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import ALL_ONES, SIGN, ZERO, Boolean, Word, as_int, from_int, select


@rule(
    "SHADER-INT-1",
    "Sums, differences, products and negatives of integers wrap at 32 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-findings",),
)
def word_add(a: Word, b: Word) -> Word:
    """Return a + b modulo 2^32."""
    return np.uint32(np.uint32(a) + np.uint32(b))


def word_sub(a: Word, b: Word) -> Word:
    """Return a - b modulo 2^32."""
    return np.uint32(np.uint32(a) - np.uint32(b))


def word_mul(a: Word, b: Word) -> Word:
    """Return a * b modulo 2^32."""
    return np.uint32(np.uint32(a) * np.uint32(b))


def word_neg(a: Word) -> Word:
    """Return -a modulo 2^32."""
    return np.uint32(ZERO - np.uint32(a))


def uint_mul_high(a: Word, b: Word) -> Word:
    """Return the upper 32 bits of the unsigned product."""
    return np.uint32((np.uint64(a) * np.uint64(b)) >> np.uint64(32))


def int_mul_high(a: Word, b: Word) -> Word:
    """Return the upper 32 bits of the signed product."""
    return from_int((np.int64(as_int(a)) * np.int64(as_int(b))) >> np.int64(32))


@rule(
    "SHADER-SHIFT-1",
    "A shift count is taken modulo 32.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-findings",),
)
def word_shift_left(a: Word, count: Word) -> Word:
    """Return a shifted towards the high bits.

    >>> int(word_shift_left(np.uint32(1), np.uint32(33)))
    2
    """
    return np.uint32(np.uint32(a) << np.uint32(count & np.uint32(31)))


def uint_shift_right(a: Word, count: Word) -> Word:
    """Return a shifted towards the low bits, zeros coming in."""
    return np.uint32(np.uint32(a) >> np.uint32(count & np.uint32(31)))


def int_shift_right(a: Word, count: Word) -> Word:
    """Return a shifted towards the low bits, the sign coming in."""
    return from_int(np.int64(as_int(a)) >> np.int64(count & np.uint32(31)))


@rule(
    "SHADER-INTDIV-1",
    "An integer quotient is cut towards zero; dividing by zero gives all ones, as quotient and as remainder.",
    evidence=Evidence.DRIVER_MADE,
    sources=("shader-findings",),
)
def uint_div(a: Word, b: Word) -> Word:
    """Return the unsigned quotient.

    >>> hex(int(uint_div(np.uint32(7), np.uint32(0))))
    '0xffffffff'
    """
    divisor = select(np.uint32(b) == ZERO, np.uint32(1), np.uint32(b))
    return select(np.uint32(b) == ZERO, ALL_ONES, np.uint32(np.uint32(a) // divisor))


def magnitude(a: Word) -> Word:
    """Return the absolute value of a signed word, unsigned: that of the least is 2^31."""
    return select(np.uint32(a & SIGN) != ZERO, np.uint32(ZERO - np.uint32(a)), np.uint32(a))


def int_div(a: Word, b: Word) -> Word:
    """Return the signed quotient; the least number by -1 is itself."""
    quotient = uint_div(magnitude(a), magnitude(b))
    negative = np.uint32((a ^ b) & SIGN) != ZERO
    signed = select(negative, np.uint32(ZERO - quotient), quotient)
    return select(np.uint32(b) == ZERO, ALL_ONES, signed)


@rule(
    "SHADER-INTREM-1",
    "The remainder of signed integers is that of their words taken as unsigned.",
    evidence=Evidence.DRIVER_MADE,
    sources=("shader-findings",),
)
def uint_rem(a: Word, b: Word) -> Word:
    """Return the unsigned remainder, for signed operands too; all ones for a divisor of zero."""
    divisor = select(np.uint32(b) == ZERO, np.uint32(1), np.uint32(b))
    return select(np.uint32(b) == ZERO, ALL_ONES, np.uint32(np.uint32(a) % divisor))


@rule(
    "SHADER-BITS-1",
    "Bitwise operations, comparisons, minimum and maximum of integers are exact.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-findings",),
)
def word_and(a: Word, b: Word) -> Word:
    """Return the bits that both have."""
    return np.uint32(a & b)


def word_or(a: Word, b: Word) -> Word:
    """Return the bits that either has."""
    return np.uint32(a | b)


def word_xor(a: Word, b: Word) -> Word:
    """Return the bits that one has."""
    return np.uint32(a ^ b)


def word_not(a: Word) -> Word:
    """Return the bits that it has not."""
    return np.uint32(a ^ ALL_ONES)


def word_equal(a: Word, b: Word) -> Boolean:
    """Return whether all bits are the same."""
    return np.uint32(a) == np.uint32(b)


def word_not_equal(a: Word, b: Word) -> Boolean:
    """Return whether some bit differs."""
    return np.uint32(a) != np.uint32(b)


def uint_less(a: Word, b: Word) -> Boolean:
    """Return whether a < b, unsigned."""
    return np.uint32(a) < np.uint32(b)


def uint_less_equal(a: Word, b: Word) -> Boolean:
    """Return whether a <= b, unsigned."""
    return np.uint32(a) <= np.uint32(b)


def int_less(a: Word, b: Word) -> Boolean:
    """Return whether a < b, signed."""
    return as_int(a) < as_int(b)


def int_less_equal(a: Word, b: Word) -> Boolean:
    """Return whether a <= b, signed."""
    return as_int(a) <= as_int(b)


def uint_min(a: Word, b: Word) -> Word:
    """Return the lesser, unsigned."""
    return select(np.uint32(a) < np.uint32(b), np.uint32(a), np.uint32(b))


def uint_max(a: Word, b: Word) -> Word:
    """Return the greater, unsigned."""
    return select(np.uint32(a) < np.uint32(b), np.uint32(b), np.uint32(a))


def int_min(a: Word, b: Word) -> Word:
    """Return the lesser, signed."""
    return select(as_int(a) < as_int(b), np.uint32(a), np.uint32(b))


def int_max(a: Word, b: Word) -> Word:
    """Return the greater, signed."""
    return select(as_int(a) < as_int(b), np.uint32(b), np.uint32(a))


def int_abs(a: Word) -> Word:
    """Return the absolute value; that of the least number is itself."""
    return magnitude(a)


@rule(
    "SHADER-BITS-2",
    "Counting and finding bits is exact; where there is no such bit the place is -1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-findings",),
)
def word_bit_count(a: Word) -> Word:
    """Return the number of ones.

    >>> word_bit_count(np.array([0xFF00FF01], np.uint32)).tolist()
    [17]
    """
    pairs = np.uint32(np.uint32(a) - np.uint32(np.uint32(a >> np.uint32(1)) & np.uint32(0x55555555)))
    low, high = np.uint32(pairs & np.uint32(0x33333333)), np.uint32(pairs >> np.uint32(2)) & np.uint32(0x33333333)
    nibbles = np.uint32(low + np.uint32(high))
    octets = np.uint32(np.uint32(nibbles + np.uint32(nibbles >> np.uint32(4))) & np.uint32(0x0F0F0F0F))
    return np.uint32(np.uint32(octets * np.uint32(0x01010101)) >> np.uint32(24))


def uint_find_msb(a: Word) -> Word:
    """Return the place of the highest one; all ones (-1) for 0."""
    filled = np.uint32(a | np.uint32(a >> np.uint32(1)))
    filled = np.uint32(filled | np.uint32(filled >> np.uint32(2)))
    filled = np.uint32(filled | np.uint32(filled >> np.uint32(4)))
    filled = np.uint32(filled | np.uint32(filled >> np.uint32(8)))
    filled = np.uint32(filled | np.uint32(filled >> np.uint32(16)))
    return np.uint32(word_bit_count(filled) - np.uint32(1))


def int_find_msb(a: Word) -> Word:
    """Return the place of the highest bit that differs from the sign; -1 for 0 and -1."""
    return uint_find_msb(select(np.uint32(a & SIGN) != ZERO, np.uint32(a ^ ALL_ONES), np.uint32(a)))


def word_find_lsb(a: Word) -> Word:
    """Return the place of the lowest one; -1 for 0."""
    return uint_find_msb(np.uint32(a & np.uint32(ZERO - np.uint32(a))))


def word_reverse(a: Word) -> Word:
    """Return the bits in the other order."""
    swapped = np.uint32(np.uint32(np.uint32(a >> np.uint32(1)) & np.uint32(0x55555555))
                        | np.uint32(np.uint32(a & np.uint32(0x55555555)) << np.uint32(1)))  # fmt: skip
    swapped = np.uint32(np.uint32(np.uint32(swapped >> np.uint32(2)) & np.uint32(0x33333333))
                        | np.uint32(np.uint32(swapped & np.uint32(0x33333333)) << np.uint32(2)))  # fmt: skip
    swapped = np.uint32(np.uint32(np.uint32(swapped >> np.uint32(4)) & np.uint32(0x0F0F0F0F))
                        | np.uint32(np.uint32(swapped & np.uint32(0x0F0F0F0F)) << np.uint32(4)))  # fmt: skip
    swapped = np.uint32(np.uint32(np.uint32(swapped >> np.uint32(8)) & np.uint32(0x00FF00FF))
                        | np.uint32(np.uint32(swapped & np.uint32(0x00FF00FF)) << np.uint32(8)))  # fmt: skip
    return np.uint32(np.uint32(swapped >> np.uint32(16)) | np.uint32(swapped << np.uint32(16)))


def boolean_and(a: Boolean, b: Boolean) -> Boolean:
    """Return whether both hold."""
    return np.logical_and(a, b)


def boolean_or(a: Boolean, b: Boolean) -> Boolean:
    """Return whether either holds."""
    return np.logical_or(a, b)


def boolean_xor(a: Boolean, b: Boolean) -> Boolean:
    """Return whether one holds and the other does not."""
    return np.logical_xor(a, b)


def boolean_not(a: Boolean) -> Boolean:
    """Return whether it does not hold."""
    return np.logical_not(a)
