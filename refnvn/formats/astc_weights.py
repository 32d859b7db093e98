"""What does each texel of an ASTC block weigh between its two end points?

Weights stand at the top of the block, backwards, in a grid that may be coarser than the block. Each is unquantised to
0 to 64; a texel's weight is a mean of the four around it, in sixteenths.

Read next: ``astc_partition.py``.
"""

from __future__ import annotations

from contextvars import Context

from refnvn.formats.astc_room import BACKWARDS, PLANE_ROOM, VALUES, WEIGHTS
from refnvn.formats.astc_sequence import HIGH, LEVELS, LOW_BITS, read_sequence
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

WEIGHT_RANGES = 12

_WORD_STEPS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF), (16, 0x0000FFFF))
_TRIT_FACTORS = (0, 50, 23, 11)
_QUINT_FACTORS = (0, 28, 13)


def _spread(range_number: int, code: int) -> int:
    """Return a code of a range of trits or quints, and low bits, as 0 to 63."""
    low_bits, levels = LOW_BITS[range_number], LEVELS[range_number]
    low, high = code & ((1 << low_bits) - 1), code >> low_bits
    trits = HIGH[range_number] == 3
    if low_bits == 0:
        return (0, 32, 63)[code] if trits else (0, 16, 32, 47, 63)[code]
    second, third = low >> 1 & 1, low >> 2 & 1
    pattern = {
        6: 0,
        12: 0b1000101 * second,
        24: 0b0100001 * second | 0b1000010 * third,
        10: 0,
        20: 0b1000010 * second,
    }[levels]
    factor = _TRIT_FACTORS[low_bits] if trits else _QUINT_FACTORS[low_bits]
    mirror = 0x7F * (low & 1)
    spread = high * factor + pattern ^ mirror
    return mirror & 0x20 | spread >> 2


def _repeated(code: int, width: int) -> int:
    """Return a code widened to 6 bits by repeating its bits."""
    doubled = code << 6 - width
    while width < 6:
        doubled |= doubled >> width
        width *= 2
    return doubled


@rule(
    "FMT-ASTC-3",
    "An ASTC weight is unquantised to 0 to 63 by its range's bit pattern and factor, and those above 32 count one "
    "more, so that weights are 64ths.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def unquantised_weight(range_number: int, code: int) -> int:
    """Return the weight, 0 to 64, of a code of a range.

    >>> [unquantised_weight(LEVELS.index(5), code) for code in range(5)]
    [0, 16, 32, 48, 64]
    """
    powers = HIGH[range_number] == 1
    weight = _repeated(code, LOW_BITS[range_number]) if powers else _spread(range_number, code)
    return weight + 1 if weight > 32 else weight


def _table() -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(unquantised_weight(number, code) if code < LEVELS[number] else 0 for code in range(32))
        for number in range(WEIGHT_RANGES)
    )


WEIGHTS_OF = Context().run(_table)
"""By range and code: the weight. Whoever imports this first has used no rule by that."""


def reversed_word(word: int) -> int:
    """Return 32 bits in the other order.

    >>> hex(reversed_word(0x80000001 | 2))
    '0xc0000001'
    """
    for step in range(5):
        shift, mask = _WORD_STEPS[step][0], _WORD_STEPS[step][1]
        word = (word >> shift & mask) | (word & mask) << shift
    return word


@rule(
    "FMT-ASTC-4",
    "ASTC stores weights from bit 127 downwards, in a block of two planes one weight of each in turn.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def read_weights(words: Ints, at: int, count: int, planes: int, range_number: int, room: Ints) -> None:
    """Read the grid of weights of a block into ``WEIGHTS``, the planes one after the other.

    Parameters
    ----------
    words, at
        32-bit words, and the block's first.
    count, planes, range_number : int
        Weights of one plane, planes, and their range.
    room : whole numbers
        As :mod:`refnvn.formats.astc_room` lays it out.
    """
    for word in range(4):
        room[BACKWARDS + word] = reversed_word(words[at + 3 - word])
    read_sequence(room, 32 * BACKWARDS, count * planes, range_number, room, VALUES)
    for index in range(count):
        for plane in range(planes):
            code = room[VALUES + planes * index + plane]
            room[WEIGHTS + plane * PLANE_ROOM + index] = WEIGHTS_OF[range_number][code]


@rule(
    "FMT-ASTC-5",
    "A texel's ASTC weight is the mean of the four grid weights around it: its place in the grid is in 1/16, from "
    "1024ths of the block's side, and the shares are rounded as the specification says.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def infilled(weights: Ints, grid: int, grid_width: int, across: int, down: int) -> int:
    """Return the weight of a texel from the grid that starts at ``grid`` in ``weights``.

    ``across`` and ``down`` are its place in the grid in 1/16, as :func:`grid_place` gives them.
    """
    first = grid + (down >> 4) * grid_width + (across >> 4)
    right, below = across & 15, down & 15
    both = (right * below + 8) >> 4
    total = (
        weights[first] * (16 - right - below + both)
        + weights[first + 1] * (right - both)
        + weights[first + grid_width] * (below - both)
        + weights[first + grid_width + 1] * both
    )
    mean: int = (total + 8) >> 4
    return mean


def grid_place(texel: int, block_side: int, grid_side: int) -> int:
    """Return where a texel lies along one side of the grid, in 1/16.

    >>> [grid_place(x, 4, 2) for x in range(4)]
    [0, 5, 11, 16]
    """
    step = (1024 + block_side // 2) // (block_side - 1)
    return (step * texel * (grid_side - 1) + 32) >> 6
