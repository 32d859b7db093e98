"""What does a channel of its own hold in a block: the alpha of BC2 and BC3, red in BC4, red and green in BC5?

    BC2 alpha: sixteen 4-bit codes, texel (0, 0) lowest, row by row
    BC3 alpha, BC4, each half of BC5:
        bits  0-7    first end point
        bits  8-15   second end point
        bits 16-63   sixteen 3-bit indices, texel (0, 0) lowest, row by row

A first end point that is the greater makes eight steps, else there are six and the two ends of the range. NVIDIA
reaches a step from the end point that is nearer, with weights that are not sevenths and fifths: in 8 bits for the
alpha of BC3, in 16 bits for BC4 and BC5, whose results are finer than any 8-bit decoder's.

What the codes mean: ``blocks.py``. Read next: ``bc7.py``.
"""

from __future__ import annotations

from refnvn.formats.bc1 import BLOCK_PX, OPAQUE, colour_palette
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

LARGEST_16 = 65535
LARGEST_SIGNED_16 = 32767
LEAST_SIGNED_8 = -127
STEP_OF_8 = 36
STEP_OF_6 = 48
SHARE_OF_8 = 289
SHARE_OF_6 = 385
_COLOUR_MASK = 0x00FFFFFF


@rule(
    "FMT-BC2-1",
    "The alpha of a BC2 texel is 17 times its 4-bit code.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "s3tc"),
)
def bc2_alpha(code: int) -> int:
    """Return the 8-bit alpha of a 4-bit code.

    >>> bc2_alpha(15)
    255
    """
    return code * 17


@rule(
    "FMT-BC3-1",
    "A step between the alpha end points of BC3 is near + (far - near) k / 2^s, the product cut to 1/256, the sum "
    "rounded halves up; k is 289 for eight steps and 385 for six, s is 11, 10 or 9 for one, two or four parts.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "block-ends"),
)
def bc3_step(near: int, far: int, share: int, shift: int) -> int:
    """Return an 8-bit alpha some parts of the way from the nearer end point.

    ``share`` is 289 or 385; ``shift`` is 3, 2 or 1 for one, two or four parts (of seven or of five).

    >>> bc3_step(255, 0, SHARE_OF_8, 3)
    219
    """
    return (256 * near + ((far - near) * share >> shift) + 128) >> 8


def bc3_palette(first: int, second: int, palette: Ints) -> None:
    """Fill the eight alphas of a BC3 block from its 8-bit end points."""
    palette[0], palette[1] = first, second
    if first > second:
        palette[2] = bc3_step(first, second, SHARE_OF_8, 3)
        palette[3] = bc3_step(first, second, SHARE_OF_8, 2)
        palette[4] = bc3_step(second, first, SHARE_OF_8, 1)
        palette[5] = bc3_step(first, second, SHARE_OF_8, 1)
        palette[6] = bc3_step(second, first, SHARE_OF_8, 2)
        palette[7] = bc3_step(second, first, SHARE_OF_8, 3)
    else:
        palette[2] = bc3_step(first, second, SHARE_OF_6, 3)
        palette[3] = bc3_step(first, second, SHARE_OF_6, 2)
        palette[4] = bc3_step(second, first, SHARE_OF_6, 2)
        palette[5] = bc3_step(second, first, SHARE_OF_6, 3)
        palette[6] = 0
        palette[7] = OPAQUE


@rule(
    "FMT-BC4-1",
    "An unsigned BC4 or BC5 end point is 257 times its code, over 65535.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "block-ends"),
)
def unsigned_end(code: int) -> int:
    """Return an 8-bit end point in 16 bits.

    >>> unsigned_end(255)
    65535
    """
    return 257 * code


@rule(
    "FMT-BC4-2",
    "A signed BC4 or BC5 end point c, -128 counting as -127, is its sign times 258 |c| + |c| / 64 rounded down, over "
    "32767.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "block-ends"),
)
def signed_end(code: int) -> int:
    """Return a signed end point, -127 to 127, in 16 bits.

    >>> signed_end(127), signed_end(-64)
    (32767, -16513)
    """
    magnitude = abs(code) * 258 + (abs(code) >> 6)
    return -magnitude if code < 0 else magnitude


@rule(
    "FMT-BC4-3",
    "A step between the end points of BC4 or BC5 is the nearer end in 16 bits plus 36 for each of seven parts, or 48 "
    "for each of five, times the difference of the 8-bit codes.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "block-ends"),
)
def bc4_step(near_end: int, difference: int, weight: int) -> int:
    """Return a 16-bit step; ``difference`` is far minus near in 8 bits, ``weight`` 36 or 48 times the parts.

    >>> bc4_step(unsigned_end(255), 0 - 255, STEP_OF_8)
    56355
    """
    return near_end + weight * difference


def steps_between(first_end: int, second_end: int, difference: int, palette: Ints) -> None:
    """Fill the steps of BC4; ``difference`` is second minus first in 8 bits, negative for eight steps."""
    palette[0], palette[1] = first_end, second_end
    if difference < 0:
        palette[2] = bc4_step(first_end, difference, STEP_OF_8)
        palette[3] = bc4_step(first_end, difference, 2 * STEP_OF_8)
        palette[4] = bc4_step(second_end, -difference, 4 * STEP_OF_8)
        palette[5] = bc4_step(first_end, difference, 4 * STEP_OF_8)
        palette[6] = bc4_step(second_end, -difference, 2 * STEP_OF_8)
        palette[7] = bc4_step(second_end, -difference, STEP_OF_8)
    else:
        palette[2] = bc4_step(first_end, difference, STEP_OF_6)
        palette[3] = bc4_step(first_end, difference, 2 * STEP_OF_6)
        palette[4] = bc4_step(second_end, -difference, 2 * STEP_OF_6)
        palette[5] = bc4_step(second_end, -difference, STEP_OF_6)


def unsigned_palette(first: int, second: int, palette: Ints) -> None:
    """Fill the eight 16-bit codes of an unsigned BC4 block from its 8-bit end points."""
    palette[6], palette[7] = 0, LARGEST_16
    steps_between(unsigned_end(first), unsigned_end(second), second - first, palette)


@rule(
    "FMT-BC4-4",
    "A signed BC4 or BC5 block takes -128 for -127 before it asks whether the first end point is the greater, so "
    "that -127, -128 has six steps.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "block-ends"),
)
def signed_palette(first: int, second: int, palette: Ints) -> None:
    """Fill the eight 16-bit codes of a signed BC4 block from its end points in two's complement."""
    first = max(first - ((first & 128) << 1), LEAST_SIGNED_8)
    second = max(second - ((second & 128) << 1), LEAST_SIGNED_8)
    palette[6], palette[7] = -LARGEST_SIGNED_16, LARGEST_SIGNED_16
    steps_between(signed_end(first), signed_end(second), second - first, palette)


def bc2_driver(words: Ints, columns: int, out: Ints, colours: Ints) -> None:
    """Decode BC2 blocks, four words each, to packed colours; the colours are always four."""
    for row in range(len(out)):
        for column in range(columns):
            at = 4 * (row * columns + column)
            alphas, indices = words[at] | words[at + 1] << 32, words[at + 3]
            colour_palette(words[at + 2], False, 0, colours)
            for y in range(BLOCK_PX):
                for x in range(BLOCK_PX):
                    colour = colours[indices & 3] & _COLOUR_MASK
                    out[row, y, column, x] = colour | bc2_alpha(alphas & 15) << 24
                    alphas >>= 4
                    indices >>= 2


def bc3_driver(words: Ints, columns: int, out: Ints, colours: Ints, alphas: Ints) -> None:
    """Decode BC3 blocks, four words each, to packed colours; the colours are always four."""
    for row in range(len(out)):
        for column in range(columns):
            at = 4 * (row * columns + column)
            ends, indices = words[at], words[at + 3]
            places = ends >> 16 | words[at + 1] << 16
            bc3_palette(ends & 255, ends >> 8 & 255, alphas)
            colour_palette(words[at + 2], False, 0, colours)
            for y in range(BLOCK_PX):
                for x in range(BLOCK_PX):
                    colour = colours[indices & 3] & _COLOUR_MASK
                    out[row, y, column, x] = colour | alphas[places & 7] << 24
                    places >>= 3
                    indices >>= 2


def bc4_driver(words: Ints, columns: int, out: Ints, palette: Ints, channels: int, signed: bool) -> None:
    """Decode BC4 blocks of two words, or BC5 blocks of two such halves, to 16-bit codes, channel last."""
    for row in range(len(out)):
        for column in range(columns):
            for channel in range(channels):
                at = 2 * (channels * (row * columns + column) + channel)
                ends = words[at]
                places = ends >> 16 | words[at + 1] << 16
                if signed:
                    signed_palette(ends & 255, ends >> 8 & 255, palette)
                else:
                    unsigned_palette(ends & 255, ends >> 8 & 255, palette)
                for y in range(BLOCK_PX):
                    for x in range(BLOCK_PX):
                        out[row, y, column, x, channel] = palette[places & 7]
                        places >>= 3
