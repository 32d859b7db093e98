"""What colours does a BC7 block hold?

The lowest set bit of the first byte is the mode: how many subsets, and how wide every field is. After it come,
without gaps: partition, rotation, index selection; the end points, all reds, all greens, all blues, all alphas; the
shared lowest bits; the indices; in modes 4 and 5 a second set of indices.

    mode  0  1  2  3  4  5  6  7      a byte of zeros: reserved, the block is transparent black

The specification leaves nothing open: a block has one result, to the bit. What the codes mean: ``blocks.py``.
Read next: ``bc6h.py``.
"""

from __future__ import annotations

from refnvn.formats.bc1 import BLOCK_PX, OPAQUE, packed
from refnvn.formats.bc_partitions import ANCHORS, SUBSET_MAPS
from refnvn.formats.block_bits import BLOCK_BITS, bits, weighted
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

RESERVED = 8
CHANNELS = 4

# mode                      0  1  2  3  4  5  6  7
SUBSETS = (3, 2, 3, 2, 1, 1, 1, 2)
PARTITION_BITS = (4, 6, 6, 6, 0, 0, 0, 6)
ROTATION_BITS = (0, 0, 0, 0, 2, 2, 0, 0)
SELECTION_BITS = (0, 0, 0, 0, 1, 0, 0, 0)
COLOUR_BITS = (4, 6, 5, 7, 5, 7, 7, 5)
ALPHA_BITS = (0, 0, 0, 0, 6, 8, 7, 5)
LOWEST_BITS = (6, 2, 0, 4, 0, 0, 2, 4)
INDEX_BITS = (3, 3, 2, 2, 2, 2, 4, 2)
SECOND_INDEX_BITS = (0, 0, 0, 0, 3, 2, 0, 0)

WEIGHTS = (
    (0,) * 16,
    (0,) * 16,
    (0, 21, 43, 64, *(0,) * 12),
    (0, 9, 18, 27, 37, 46, 55, 64, *(0,) * 8),
    (0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64),
)
"""By bits of an index and the index: what the second end point weighs, of 64."""


def bc7_mode(first_byte: int) -> int:
    """Return the place of the lowest set bit, or 8 where there is none.

    >>> bc7_mode(0b0101000)
    3
    """
    mode = 0
    while mode < RESERVED and not first_byte >> mode & 1:
        mode += 1
    return mode


@rule(
    "FMT-BC7-2",
    "An end point of BC7 gets the lowest bit that it shares, if any, below its own bits, and is widened to 8 bits by "
    "repeating its highest bits; a mode without alpha is opaque.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def bc7_widened(code: int, width: int) -> int:
    """Return a code of 5 to 8 bits, its shared bit included, as 8 bits.

    >>> bc7_widened(0b10000, 5)
    132
    """
    code <<= 8 - width
    return code | code >> width


def read_ends(words: Ints, place: int, mode: int, ends: Ints) -> int:
    """Read the end points of a mode into ``ends``, four channels each, 8 bits; return the place after them."""
    count = 2 * SUBSETS[mode]
    shared_place = place + count * (3 * COLOUR_BITS[mode] + ALPHA_BITS[mode])
    shared = LOWEST_BITS[mode]
    for channel in range(CHANNELS):
        width = COLOUR_BITS[mode] if channel < 3 else ALPHA_BITS[mode]
        for end in range(count):
            if width == 0:
                ends[CHANNELS * end + channel] = OPAQUE
            elif shared == 0:
                ends[CHANNELS * end + channel] = bc7_widened(bits(words, place, width), width)
            else:
                lowest = bits(words, shared_place + end * shared // count, 1)
                code = bits(words, place, width) << 1 | lowest
                ends[CHANNELS * end + channel] = bc7_widened(code, width + 1)
            place += width
    return shared_place + shared


def rotated(red: int, green: int, blue: int, alpha: int, rotation: int) -> int:
    """Return a packed colour with alpha and one colour exchanged: 1 red, 2 green, 3 blue."""
    if rotation == 1:
        return packed(alpha, green, blue, red)
    if rotation == 2:
        return packed(red, alpha, blue, green)
    if rotation == 3:
        return packed(red, green, alpha, blue)
    return packed(red, green, blue, alpha)


@rule(
    "FMT-BC7-1",
    "A BC7 block decodes exactly as its specification says: mode, partition, end points, indices and weights of 64.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def bc7_block(words: Ints, place: int, ends: Ints, texels: Ints) -> None:
    """Decode one block of a mode that is not reserved to 16 packed colours.

    Parameters
    ----------
    words : whole numbers
        32-bit words.
    place : int
        The block's first bit.
    ends : whole numbers, 24
        Room to work in.
    texels : whole numbers, 16
        Filled.
    """
    mode = bc7_mode(bits(words, place, 8))
    place += mode + 1
    subsets = SUBSETS[mode]
    partition = bits(words, place, PARTITION_BITS[mode])
    place += PARTITION_BITS[mode]
    rotation = bits(words, place, ROTATION_BITS[mode])
    place += ROTATION_BITS[mode]
    swapped = bits(words, place, SELECTION_BITS[mode]) == 1
    place = read_ends(words, place + SELECTION_BITS[mode], mode, ends)

    width, second_width = INDEX_BITS[mode], SECOND_INDEX_BITS[mode]
    second_place = place + 16 * width - subsets
    subset_map, anchors = SUBSET_MAPS[subsets - 1][partition], ANCHORS[subsets - 1][partition]
    for texel in range(16):
        anchor = anchors >> texel & 1
        colour_weight = WEIGHTS[width][bits(words, place, width - anchor)]
        place += width - anchor
        alpha_weight = colour_weight
        if second_width != 0:
            alpha_weight = WEIGHTS[second_width][bits(words, second_place, second_width - anchor)]
            second_place += second_width - anchor
            if swapped:
                colour_weight, alpha_weight = alpha_weight, colour_weight
        end = 2 * CHANNELS * (subset_map >> 2 * texel & 3)
        texels[texel] = rotated(
            weighted(ends[end], ends[end + 4], colour_weight),
            weighted(ends[end + 1], ends[end + 5], colour_weight),
            weighted(ends[end + 2], ends[end + 6], colour_weight),
            weighted(ends[end + 3], ends[end + 7], alpha_weight),
            rotation,
        )


@rule(
    "FMT-BC7-3",
    "A BC7 block whose first byte is 0 is reserved and decodes to zero in all four channels.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def bc7_reserved(texels: Ints) -> None:
    """Fill 16 packed colours with transparent black."""
    for texel in range(16):
        texels[texel] = 0


def bc7_driver(words: Ints, columns: int, out: Ints, ends: Ints, texels: Ints) -> None:
    """Decode BC7 blocks, four words each, to packed colours."""
    for row in range(len(out)):
        for column in range(columns):
            place = BLOCK_BITS * (row * columns + column)
            if bits(words, place, 8) == 0:
                bc7_reserved(texels)
            else:
                bc7_block(words, place, ends, texels)
            for y in range(BLOCK_PX):
                for x in range(BLOCK_PX):
                    out[row, y, column, x] = texels[4 * y + x]
