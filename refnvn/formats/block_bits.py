"""How are fields read from a block of 128 bits?

Blocks lie in 32-bit words, little-endian, so that bit 0 is the lowest bit of the first byte. ``place`` counts bits
from the first word given; a driver lets each block start at its own place.

Read next: ``bc7.py``.
"""

from __future__ import annotations

from refnvn.formats.block_kernel import Ints

BLOCK_BITS = 128


def bits(words: Ints, place: int, count: int) -> int:
    """Return ``count`` bits, 0 to 32, from ``place`` up.

    One word beyond the last field is looked at, so words end with one to spare.

    >>> bits([0xFFFFFFFF, 0x1, 0x0], 30, 4)
    7
    """
    word = place >> 5
    code: int = (words[word] | words[word + 1] << 32) >> (place & 31) & ((1 << count) - 1)
    return code


def sign_extended(code: int, count: int) -> int:
    """Return a two's complement code of ``count`` bits as a signed number.

    >>> sign_extended(0b1111, 4)
    -1
    """
    return code - ((code >> (count - 1) & 1) << count)


def weighted(first: int, second: int, weight: int) -> int:
    """Return the mean of two numbers, the second weighing ``weight`` of 64, rounded halves up.

    >>> weighted(0, 255, 32)
    128
    """
    return ((64 - weight) * first + weight * second + 32) >> 6
