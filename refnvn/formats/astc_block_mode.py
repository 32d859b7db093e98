"""What do the lowest 11 bits of an ASTC block say about its grid of weights?

They give the grid's width and height, the range of a weight, and whether there are two planes of weights. In the
specification's letters, R being the range, A and B parts of the size, D two planes, H the higher ranges:

    10  9  8  7  6  5  4  3  2  1  0    width   height
     D  H  B  B  A  A R0  0  0 R2 R1    B + 4   A + 2
     D  H  B  B  A  A R0  0  1 R2 R1    B + 8   A + 2
     D  H  B  B  A  A R0  1  0 R2 R1    A + 2   B + 8
     D  H  0  B  A  A R0  1  1 R2 R1    A + 2   B + 6
     D  H  1  B  A  A R0  1  1 R2 R1    B + 2   A + 2
     D  H  0  0  A  A R0 R2 R1  0  0    12      A + 2
     D  H  0  1  A  A R0 R2 R1  0  0    A + 2   12
     B  B  1  0  A  A R0 R2 R1  0  0    A + 6   B + 6     (D and H are 0)
     D  H  1  1  0  0 R0 R2 R1  0  0    6       10
     D  H  1  1  0  1 R0 R2 R1  0  0    10      6
     .  .  1  1  1  1  1  1  1  0  0    void extent, in 9 bits
     anything else                      reserved

Read next: ``astc_sequence.py``.
"""

from __future__ import annotations

from refnvn.formats.astc_sequence import sequence_bits

MOST_WEIGHTS = 64
LEAST_WEIGHT_BITS = 24
MOST_WEIGHT_BITS = 96
VOID_EXTENT = 0b111111100
VOID_EXTENT_MASK = 0b111111111
MODES = 1 << 11
_ILLEGAL = (0, 0, 0, 0, 0)


def _size(mode: int) -> tuple[int, int] | None:
    """Return the width and height of the grid, or None where the mode is reserved."""
    a, b = mode >> 5 & 3, mode >> 7 & 3
    if mode & 3:
        form = mode >> 2 & 3
        if form == 3:
            return (a + 2, (b & 1) + 6) if b < 2 else ((b & 1) + 2, a + 2)
        return ((b + 4, a + 2), (b + 8, a + 2), (a + 2, b + 8))[form]
    if mode >> 2 & 3 == 0:
        return None
    if b == 3:
        return {0: (6, 10), 1: (10, 6)}.get(a)
    return ((12, a + 2), (a + 2, 12), (a + 6, (mode >> 9 & 3) + 6))[b]


def block_mode(mode: int) -> tuple[int, int, int, int, int]:
    """Return what 11 bits say: width, height, planes, range of a weight, bits of all weights; zeros where illegal.

    >>> block_mode(0b00001000010)
    (4, 4, 1, 2, 32)
    """
    size = _size(mode)
    if size is None:
        return _ILLEGAL
    width, height = size
    planes = 1 + (mode >> 10 & 1)
    higher = mode >> 9 & 1
    if mode & 3 == 0 and mode >> 7 & 3 == 2:
        planes, higher = 1, 0
    selector = (mode & 3 or mode >> 2 & 3) << 1 | mode >> 4 & 1
    range_number = selector - 2 + 6 * higher
    count = width * height * planes
    return width, height, planes, range_number, sequence_bits(count, range_number)


def _legal(mode: tuple[int, int, int, int, int]) -> tuple[int, int, int, int, int]:
    width, height, planes, _, weight_bits = mode
    legal = width * height * planes <= MOST_WEIGHTS and LEAST_WEIGHT_BITS <= weight_bits <= MOST_WEIGHT_BITS
    return mode if legal else _ILLEGAL


BLOCK_MODES = tuple(_legal(block_mode(mode)) for mode in range(MODES))
"""By the lowest 11 bits: width, height, planes, range and bits of the weights; all 0 where no block may have them."""
