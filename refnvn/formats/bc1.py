"""What colours does a BC1 block hold, and the colour half of a BC2 or BC3 block?

    bits  0-15   first end point, 5:6:5 (red highest)
    bits 16-31   second end point
    bits 32-63   sixteen 2-bit indices, texel (0, 0) lowest, row by row

NVIDIA mixes the two end points in its own whole-number arithmetic: red and blue from the five stored bits, green from
its six bits widened to eight. No common decoder agrees with it in green, and most not in red and blue.

Colours here are 8-bit codes packed in one number, red lowest. What the codes mean: ``blocks.py``.
Read next: ``bc_alpha.py``.
"""

from __future__ import annotations

from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

BLOCK_PX = 4
OPAQUE = 255


def widened_5(code: int) -> int:
    """Return a 5-bit code widened to 8 bits by repeating its highest bits."""
    return code << 3 | code >> 2


def widened_6(code: int) -> int:
    """Return a 6-bit code widened to 8 bits by repeating its highest bits."""
    return code << 2 | code >> 4


def packed(red: int, green: int, blue: int, alpha: int) -> int:
    """Return four 8-bit codes as one number, red lowest."""
    return red | green << 8 | blue << 16 | alpha << 24


@rule(
    "FMT-BC1-1",
    "A third between two 5-bit codes of a BC colour block is (2 near + far) 22 / 8 rounded down, half is "
    "(near + far) 33 / 8.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks",),
)
def mixed_5(near: int, far: int, half: bool) -> int:
    """Return the 8-bit red or blue a third of the way from ``near`` to ``far``, or half way.

    >>> mixed_5(31, 0, False), mixed_5(31, 0, True)
    (170, 127)
    """
    if half:
        return (near + far) * 33 >> 3
    return (2 * near + far) * 22 >> 3


@rule(
    "FMT-BC1-2",
    "Between two greens of a BC colour block, widened to 8 bits, a third is near + (far - near) 321 / 1024, the "
    "product cut to 1/256, the sum rounded halves up; half uses 513.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks",),
)
def mixed_6(near: int, far: int, half: bool) -> int:
    """Return the 8-bit green a third of the way from ``near`` to ``far``, both 8 bits, or half way.

    >>> mixed_6(255, 0, False), mixed_6(255, 0, True)
    (175, 127)
    """
    share = 513 if half else 321
    return (256 * near + ((far - near) * share >> 2) + 128) >> 8


@rule(
    "FMT-BC1-3",
    "A BC1 block whose first end point, as a number, is not the greater holds three colours: index 2 is half way, "
    "index 3 is black, transparent in RGBA formats and opaque in RGB formats.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "s3tc"),
)
def has_three_colours(first: int, second: int) -> bool:
    """Return whether index 3 of a BC1 block is black."""
    return first <= second


def colour_palette(ends: int, three_colours: bool, black: int, palette: Ints) -> None:
    """Fill four colours from the word of the two end points.

    Parameters
    ----------
    ends : int
        32 bits.
    three_colours : bool
        Whether index 2 is half way and index 3 is ``black``.
    black : int
        Packed colour.
    palette : whole numbers, 4
        Filled; alpha is opaque where the colour is not ``black``.
    """
    red_0, green_0, blue_0 = ends >> 11 & 31, widened_6(ends >> 5 & 63), ends & 31
    red_1, green_1, blue_1 = ends >> 27 & 31, widened_6(ends >> 21 & 63), ends >> 16 & 31
    palette[0] = packed(widened_5(red_0), green_0, widened_5(blue_0), OPAQUE)
    palette[1] = packed(widened_5(red_1), green_1, widened_5(blue_1), OPAQUE)
    palette[2] = packed(
        mixed_5(red_0, red_1, three_colours),
        mixed_6(green_0, green_1, three_colours),
        mixed_5(blue_0, blue_1, three_colours),
        OPAQUE,
    )
    if three_colours:
        palette[3] = black
    else:
        palette[3] = packed(
            mixed_5(red_1, red_0, False), mixed_6(green_1, green_0, False), mixed_5(blue_1, blue_0, False), OPAQUE
        )


def bc1_driver(words: Ints, columns: int, out: Ints, palette: Ints, black: int) -> None:
    """Decode BC1 blocks, two words each, to packed colours.

    Parameters
    ----------
    words, columns, out
        As every driver takes them; ``out`` is uint32.
    palette : whole numbers, 4
        Room to work in.
    black : int
        Packed colour of index 3 in a block of three colours.
    """
    for row in range(len(out)):
        for column in range(columns):
            at = 2 * (row * columns + column)
            ends, indices = words[at], words[at + 1]
            colour_palette(ends, has_three_colours(ends & 0xFFFF, ends >> 16), black, palette)
            for y in range(BLOCK_PX):
                for x in range(BLOCK_PX):
                    out[row, y, column, x] = palette[indices & 3]
                    indices >>= 2
