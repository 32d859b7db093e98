"""Which of an ASTC block's two to four partitions does a texel belong to?

The specification has no table of maps: a hash of the partition's number gives twelve small factors, and the greatest
of four sums of them with the texel's place decides.

Read next: ``astc_colours.py``.
"""

from __future__ import annotations

from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

SMALL_BLOCK_TEXELS = 31
"""Blocks of fewer texels count places double."""

_WORD = 0xFFFFFFFF


def hashed(number: int) -> int:
    """Return the 32-bit hash of a partition's number.

    >>> hex(hashed(1))
    '0xc46f563'
    """
    number ^= number >> 15
    number = number - (number << 17) & _WORD
    number = number + (number << 7) & _WORD
    number = number + (number << 4) & _WORD
    number ^= number >> 5
    number = number + (number << 16) & _WORD
    number ^= number >> 7
    number ^= number >> 3
    number = (number ^ number << 6) & _WORD
    return number ^ number >> 17


@rule(
    "FMT-ASTC-6",
    "A texel's ASTC partition is the first greatest of up to four sums of its place times factors hashed from the "
    "partition's number, in 6 bits; blocks of fewer than 31 texels count places double.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def partition_factors(number: int, partitions: int, factors: Ints, at: int) -> None:
    """Fill for each of four sums: its factor of x, its factor of y, and what it starts from.

    Parameters
    ----------
    number : int
        10 bits of the block.
    partitions : int
        2 to 4.
    factors, at
        Twelve numbers are filled from ``at`` up.
    """
    seed = number + 1024 * (partitions - 1)
    noise = hashed(seed)
    small, large = 4 if seed & 2 else 5, 6 if partitions == 3 else 5
    x_shift, y_shift = (small, large) if seed & 1 else (large, small)
    for index in range(4):
        of_x, of_y = noise >> 8 * index & 15, noise >> 8 * index + 4 & 15
        factors[at + 3 * index] = of_x * of_x >> x_shift
        factors[at + 3 * index + 1] = of_y * of_y >> y_shift
        factors[at + 3 * index + 2] = noise >> 14 - 4 * index


def partition_of(factors: Ints, at: int, partitions: int, x: int, y: int, small_block: bool) -> int:
    """Return the partition of the texel (x, y), by the factors that start at ``at``."""
    if small_block:
        x, y = 2 * x, 2 * y
    found, greatest = 0, -1
    for index in range(partitions):
        of_sum = at + 3 * index
        total = factors[of_sum] * x + factors[of_sum + 1] * y + factors[of_sum + 2] & 63
        if total > greatest:
            found, greatest = index, total
    return found
