"""How are whole numbers of a range that is no power of two packed into the bits of an ASTC block?

A range has 2^n, 3 x 2^n or 5 x 2^n levels. Each number's low n bits stand as they are; above them is nothing, a trit
or a quint. Five trits share 8 bits, three quints share 7, which stand in pieces between the low bits:

    trits   m0 T0-1  m1 T2-3  m2 T4  m3 T5-6  m4 T7
    quints  m0 Q0-2  m1 Q3-4  m2 Q5-6

A sequence may end within a group; the pieces that are then missing are 0.

Read next: ``astc_weights.py``.
"""

from __future__ import annotations

from refnvn.formats.block_bits import bits
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

LEVELS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256)
"""The ranges by number: how many levels each has."""

TRITS, QUINTS = 3, 5


def _high_of(levels: int) -> int:
    """Return 3, 5 or 1: what stands above the low bits."""
    return next((high for high in (TRITS, QUINTS) if levels % high == 0), 1)


HIGH = tuple(_high_of(levels) for levels in LEVELS)
"""By range: 3 with trits, 5 with quints, else 1."""

LOW_BITS = tuple((levels // high).bit_length() - 1 for levels, high in zip(LEVELS, HIGH, strict=True))
"""By range: n, the bits below the trit or quint."""


def trits_of(code: int) -> tuple[int, ...]:
    """Return the five trits of 8 bits.

    >>> trits_of(0b00011111)
    (0, 0, 2, 2, 2)
    """
    if code >> 2 & 7 == 7:
        low, fourth, fifth = code >> 5 << 2 | code & 3, 2, 2
    elif code >> 5 & 3 == 3:
        low, fourth, fifth = code & 31, code >> 7, 2
    else:
        low, fourth, fifth = code & 31, code >> 5 & 3, code >> 7
    if low & 3 == 3:
        return (low >> 2 & 2 | low >> 2 & ~(low >> 3) & 1, low >> 4, 2, fourth, fifth)
    if low >> 2 & 3 == 3:
        return (low & 3, 2, 2, fourth, fifth)
    return (low & 2 | low & ~(low >> 1) & 1, low >> 2 & 3, low >> 4, fourth, fifth)


def quints_of(code: int) -> tuple[int, ...]:
    """Return the three quints of 7 bits.

    >>> quints_of(0b0000110)
    (4, 4, 0)
    """
    lowest = code & 1
    if code >> 1 & 3 == 3 and code >> 5 == 0:
        return (4, 4, lowest << 2 | (0 if lowest else code >> 3 & 3))
    if code >> 1 & 3 == 3:
        low, third = (code >> 3 & 3) << 3 | (~code >> 5 & 3) << 1 | lowest, 4
    else:
        low, third = code & 31, code >> 5
    if low & 7 == 5:
        return (low >> 3, 4, third)
    return (low & 7, low >> 3, third)


TRITS_OF = tuple(trits_of(code) for code in range(256))
QUINTS_OF = tuple(quints_of(code) for code in range(128))
TRIT_PIECES = ((0, 2), (2, 2), (4, 1), (5, 2), (7, 1))
"""By place in a group of five: the lowest bit of its piece, and how many."""
QUINT_PIECES = ((0, 3), (3, 2), (5, 2))


def sequence_bits(count: int, range_number: int) -> int:
    """Return how many bits ``count`` numbers of a range take.

    >>> sequence_bits(5, LEVELS.index(3)), sequence_bits(4, LEVELS.index(10))
    (8, 14)
    """
    low = count * LOW_BITS[range_number]
    if HIGH[range_number] == TRITS:
        return low + (8 * count + 4) // 5
    if HIGH[range_number] == QUINTS:
        return low + (7 * count + 2) // 3
    return low


@rule(
    "FMT-ASTC-2",
    "ASTC packs numbers of 2^n, 3 x 2^n or 5 x 2^n levels by bounded integer sequence encoding: five trits in 8 "
    "bits, three quints in 7; pieces beyond the end of a sequence are 0.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def read_sequence(words: Ints, place: int, count: int, range_number: int, values: Ints, at: int) -> None:
    """Read numbers of a range: the low bits of each, and its trit or quint above them.

    Parameters
    ----------
    words : whole numbers
        32-bit words.
    place : int
        The first bit.
    count, range_number : int
        How many numbers, and their range: an index of ``LEVELS``.
    values, at
        Filled from ``at`` up; up to four numbers after the last are overwritten.
    """
    low, high = LOW_BITS[range_number], HIGH[range_number]
    if high == 1:
        for index in range(count):
            values[at + index] = bits(words, place, low)
            place += low
    elif high == TRITS:
        _read_trits(words, place, count, low, values, at)
    else:
        _read_quints(words, place, count, low, values, at)


def _read_trits(words: Ints, place: int, count: int, low: int, values: Ints, at: int) -> None:
    for first in range(0, count, 5):
        code = 0
        for index in range(min(5, count - first)):
            values[at + first + index] = bits(words, place, low)
            place += low
            lowest, width = TRIT_PIECES[index][0], TRIT_PIECES[index][1]
            code |= bits(words, place, width) << lowest
            place += width
        for index in range(5):
            values[at + first + index] |= TRITS_OF[code][index] << low


def _read_quints(words: Ints, place: int, count: int, low: int, values: Ints, at: int) -> None:
    for first in range(0, count, 3):
        code = 0
        for index in range(min(3, count - first)):
            values[at + first + index] = bits(words, place, low)
            place += low
            lowest, width = QUINT_PIECES[index][0], QUINT_PIECES[index][1]
            code |= bits(words, place, width) << lowest
            place += width
        for index in range(3):
            values[at + first + index] |= QUINTS_OF[code][index] << low
