"""What do the texels of an ASTC block read as? From the block's header to its results.

    bits 0-10     block mode: the grid of weights (``astc_block_mode.py``), or void extent: one colour
    bits 11-12    partitions - 1
    one partition:      bits 13-16 colour endpoint mode; colours from bit 17 up
    more partitions:    bits 13-22 their number; bits 23-28 modes; colours from bit 29 up
    from bit 127 down   weights; below them what bits 23-28 had no room for; below that the second plane's channel

A block that breaks any of the format's laws shows the error colour, whole. A partition of high dynamic range where
only the low one is known shows it in its own texels.

Codes are half floats' bits, or 8-bit codes. What the codes mean: ``blocks.py``.
"""

from __future__ import annotations

from refnvn.formats.astc_block_mode import BLOCK_MODES, VOID_EXTENT, VOID_EXTENT_MASK
from refnvn.formats.astc_colours import COLOURS, LEAST_COLOUR_RANGE, MOST_COLOUR_NUMBERS, ldr_ends
from refnvn.formats.astc_hdr import HDR_RGB_LDR_ALPHA, IS_HDR, hdr_ends
from refnvn.formats.astc_partition import SMALL_BLOCK_TEXELS, partition_factors, partition_of
from refnvn.formats.astc_results import HALF, HALF_ONE, LARGEST_16, SRGB8, half_of_logarithmic, ldr_code, widened_8
from refnvn.formats.astc_room import (
    ENDS,
    FACTORS,
    FIELDS,
    MODES,
    MOST_PARTITIONS,
    PLANE_ROOM,
    VALUES,
    WEIGHTS,
)
from refnvn.formats.astc_sequence import LEVELS, read_sequence, sequence_bits
from refnvn.formats.astc_weights import grid_place, infilled, read_weights
from refnvn.formats.block_bits import BLOCK_BITS, bits, weighted
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

HALF_NAN = 0xFFFF
LARGEST_8 = 255
NO_EXTENT = 0x1FFF
NO_CHANNEL = 4
ILLEGAL = -1


def _colour_range(numbers: int, room: int) -> int:
    """Return the largest range in which as many colour numbers fit, or -1 where even 6 levels do not."""
    fitting = [r for r in range(LEAST_COLOUR_RANGE, len(LEVELS)) if sequence_bits(numbers, r) <= room]
    return max(fitting, default=ILLEGAL)


COLOUR_RANGES = tuple(
    tuple(_colour_range(numbers, room) for room in range(BLOCK_BITS))
    for numbers in range(0, MOST_COLOUR_NUMBERS + 1, 2)
)
"""By half the colour numbers and bits of room: the range, or -1 where none fits."""


@rule(
    "FMT-ASTC-1",
    "An illegal ASTC block shows the error colour in all its texels: opaque magenta, or NaN where high dynamic range "
    "is known; a block of zeros is one, since its block mode is reserved.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format", "seed-titles"),
)
def astc_error(width: int, height: int, kind: int, hdr: bool, out: Ints, row: int, column: int) -> None:
    """Fill a block's texels with the error colour."""
    one = HALF_ONE if kind == HALF else LARGEST_8
    for y in range(height):
        for x in range(width):
            for channel in range(4):
                out[row, y, column, x, channel] = HALF_NAN if hdr else (0 if channel == 1 else one)


@rule(
    "FMT-ASTC-13",
    "An ASTC void extent is one 16-bit colour for the whole block; it is illegal where its two reserved bits are not "
    "set, where it is of unknown high dynamic range, or where an extent that is not all ones does not ascend.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def void_extent(
    words: Ints, place: int, width: int, height: int, kind: int, hdr: bool, out: Ints, row: int, column: int
) -> bool:
    """Fill a block's texels from a void extent; return whether it was legal."""
    left, right = bits(words, place + 12, 13), bits(words, place + 25, 13)
    top, bottom = bits(words, place + 38, 13), bits(words, place + 51, 13)
    unbounded = left == NO_EXTENT and right == NO_EXTENT and top == NO_EXTENT and bottom == NO_EXTENT
    is_hdr = bits(words, place + 9, 1) == 1
    if bits(words, place + 10, 2) != 3 or (is_hdr and not hdr):
        return False
    if not unbounded and (left >= right or top >= bottom):
        return False
    for channel in range(4):
        colour = bits(words, place + 64 + 16 * channel, 16)
        code = colour if is_hdr else ldr_code(colour, kind)
        for y in range(height):
            for x in range(width):
                out[row, y, column, x, channel] = code
    return True


@rule(
    "FMT-ASTC-14",
    "ASTC partitions share one colour endpoint mode, or each has one of two neighbouring classes, its bits beyond "
    "the header's six standing below the weights.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def read_modes(words: Ints, place: int, partitions: int, below: int, room: Ints) -> int:
    """Read the colour endpoint mode of each partition; return the place below all that stands under the weights."""
    if partitions == 1:
        room[MODES] = bits(words, place + 13, 4)
        return below
    shared = bits(words, place + 23, 2)
    if shared == 0:
        for partition in range(partitions):
            room[MODES + partition] = bits(words, place + 25, 4)
        return below
    more = 3 * partitions - 4
    below -= more
    each = bits(words, place + 25, 4) | bits(words, below, more) << 4
    for partition in range(partitions):
        own_class = shared - 1 + (each >> partition & 1)
        room[MODES + partition] = own_class << 2 | each >> partitions + 2 * partition & 3
    return below


def colour_numbers(mode: int) -> int:
    """Return how many colour numbers a colour endpoint mode takes.

    >>> [colour_numbers(mode) for mode in (0, 4, 8, 12)]
    [2, 4, 6, 8]
    """
    return 2 * (mode >> 2) + 2


@rule(
    "FMT-ASTC-15",
    "An ASTC partition of high dynamic range, where only the low one is known, shows opaque magenta in its own "
    "texels.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format", "nvn-formats"),
)
def unknown_ends(ends: Ints, at: int) -> None:
    """Write two end points of opaque magenta in 16 bits."""
    for channel in range(8):
        ends[at + channel] = 0 if channel % 4 == 1 else LARGEST_16


def partition_ends(mode: int, first: int, at: int, kind: int, hdr: bool, room: Ints) -> None:
    """Write two end points in 16 bits, from ``at`` up, of the colour numbers from ``first`` up."""
    if not IS_HDR[mode]:
        ldr_ends(mode, room, first, room, at)
        for channel in range(8):
            room[at + channel] = widened_8(room[at + channel], kind == SRGB8 and channel % 4 != 3)
        return
    if not hdr:
        unknown_ends(room, at)
        return
    hdr_ends(mode, room, first, room, at, room, FIELDS)
    for channel in range(8):
        low_alpha = mode == HDR_RGB_LDR_ALPHA and channel % 4 == 3
        room[at + channel] = widened_8(room[at + channel], False) if low_alpha else room[at + channel] << 4


def numbers_before(partition: int, room: Ints) -> int:
    """Return how many colour numbers the partitions before one take."""
    numbers = 0
    for earlier in range(partition):
        numbers += colour_numbers(room[MODES + earlier])
    return numbers


def read_ends(words: Ints, place: int, below: int, partitions: int, kind: int, hdr: bool, room: Ints) -> bool:
    """Read the colour numbers between ``place`` and ``below`` and make all end points; return whether they fit."""
    numbers = numbers_before(partitions, room)
    if numbers > MOST_COLOUR_NUMBERS or below < place:
        return False
    range_number = COLOUR_RANGES[numbers // 2][below - place]
    if range_number == ILLEGAL:
        return False
    read_sequence(words, place, numbers, range_number, room, VALUES)
    for index in range(VALUES, VALUES + numbers):
        room[index] = COLOURS[range_number][room[index]]
    for partition in range(partitions):
        first = VALUES + numbers_before(partition, room)
        partition_ends(room[MODES + partition], first, ENDS + 8 * partition, kind, hdr, room)
    return True


def logarithmic_channels(mode: int, hdr: bool) -> int:
    """Return how many channels, from red up, of a colour endpoint mode are of high dynamic range: 0, 3 or 4."""
    if not hdr or not IS_HDR[mode]:
        return 0
    return 3 if mode == HDR_RGB_LDR_ALPHA else 4


def fill_texels(
    width: int, height: int, mode: int, partitions: int, channel_2: int, kind: int, hdr: bool, room: Ints,
    out: Ints, row: int, column: int,
) -> None:  # fmt: skip
    """Write all texels of a block from its end points and its grids of weights.

    ``channel_2`` takes the weights of the second plane.
    """
    grid_width, grid_height = BLOCK_MODES[mode][0], BLOCK_MODES[mode][1]
    small = width * height < SMALL_BLOCK_TEXELS
    second, partition = 0, 0
    for y in range(height):
        down = grid_place(y, height, grid_height)
        for x in range(width):
            across = grid_place(x, width, grid_width)
            weight = infilled(room, WEIGHTS, grid_width, across, down)
            if channel_2 != NO_CHANNEL:
                second = infilled(room, WEIGHTS + PLANE_ROOM, grid_width, across, down)
            if partitions > 1:
                partition = partition_of(room, FACTORS, partitions, x, y, small)
            logarithmic = logarithmic_channels(room[MODES + partition], hdr)
            end = ENDS + 8 * partition
            for channel in range(4):
                own_weight = second if channel == channel_2 else weight
                mixed = weighted(room[end + channel], room[end + 4 + channel], own_weight)
                code = half_of_logarithmic(mixed) if channel < logarithmic else ldr_code(mixed, kind)
                out[row, y, column, x, channel] = code


@rule(
    "FMT-ASTC-16",
    "An ASTC block is legal if its grid is no larger than the block, has at most 64 weights in 24 to 96 bits, has no "
    "second plane beside four partitions, and at most 18 colour numbers, of at least 6 levels, fit in the rest.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def weighted_block(
    words: Ints, at: int, width: int, height: int, kind: int, hdr: bool, room: Ints, out: Ints, row: int, column: int
) -> bool:
    """Fill the texels of a block that is no void extent; return whether it was legal."""
    place = 32 * at
    mode = bits(words, place, 11)
    grid_width, grid_height, planes = BLOCK_MODES[mode][0], BLOCK_MODES[mode][1], BLOCK_MODES[mode][2]
    range_number, weight_bits = BLOCK_MODES[mode][3], BLOCK_MODES[mode][4]
    partitions = bits(words, place + 11, 2) + 1
    if (
        grid_width == 0
        or grid_width > width
        or grid_height > height
        or (planes == 2 and partitions == MOST_PARTITIONS)
    ):
        return False
    below = read_modes(words, place, partitions, place + BLOCK_BITS - weight_bits, room)
    channel_2 = NO_CHANNEL
    if planes == 2:
        below -= 2
        channel_2 = bits(words, below, 2)
    if not read_ends(words, place + (17 if partitions == 1 else 29), below, partitions, kind, hdr, room):
        return False
    read_weights(words, at, grid_width * grid_height, planes, range_number, room)
    if partitions > 1:
        partition_factors(bits(words, place + 13, 10), partitions, room, FACTORS)
    fill_texels(width, height, mode, partitions, channel_2, kind, hdr, room, out, row, column)
    return True


def astc_driver(
    words: Ints, columns: int, out: Ints, width: int, height: int, kind: int, hdr: bool, room: Ints
) -> None:
    """Decode ASTC blocks, four words each, to half floats or 8-bit codes, channel last.

    Parameters
    ----------
    words, columns, out
        As every driver takes them.
    width, height : int
        Of a block.
    kind : int
        Of the results: ``HALF``, ``UNORM8`` or ``SRGB8``.
    hdr : bool
        Whether high dynamic range is known; only with ``HALF``.
    room : whole numbers
        As :mod:`refnvn.formats.astc_room` lays it out.
    """
    for row in range(len(out)):
        for column in range(columns):
            at = 4 * (row * columns + column)
            if words[at] & VOID_EXTENT_MASK == VOID_EXTENT:
                legal = void_extent(words, 32 * at, width, height, kind, hdr, out, row, column)
            else:
                legal = weighted_block(words, at, width, height, kind, hdr, room, out, row, column)
            if not legal:
                astc_error(width, height, kind, hdr, out, row, column)
