"""What end points do the colour numbers of an ASTC block make, in modes of low dynamic range?

Colour numbers have a range that is as large as the room between header and weights allows. Each is unquantised to 0
to 255; a colour endpoint mode then makes two colours of 2, 4, 6 or 8 of them.

High dynamic range: ``astc_hdr.py``, to read next.
"""

from __future__ import annotations

from contextvars import Context

from refnvn.formats.astc_sequence import HIGH, LEVELS, LOW_BITS
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

LARGEST = 255
LEAST_COLOUR_RANGE = LEVELS.index(6)
MOST_COLOUR_NUMBERS = 18

LUMINANCE, LUMINANCE_OFFSET = 0, 1
LUMINANCE_ALPHA, LUMINANCE_ALPHA_OFFSET = 4, 5
RGB_SCALE, RGB, RGB_OFFSET = 6, 8, 9
RGB_SCALE_ALPHA, RGBA, RGBA_OFFSET = 10, 12, 13

_FACTORS = {3: (0, 204, 93, 44, 22, 11, 5), 5: (0, 113, 54, 26, 13, 6)}
_PATTERNS = {
    6: (0b000000000,),
    12: (0b100010110,),
    24: (0b010000101, 0b100001010),
    48: (0b001000001, 0b010000010, 0b100000100),
    96: (0b000100000, 0b001000000, 0b010000001, 0b100000010),
    192: (0b000010000, 0b000100000, 0b001000000, 0b010000000, 0b100000001),
    10: (0b000000000,),
    20: (0b100001100,),
    40: (0b010000010, 0b100000101),
    80: (0b001000000, 0b010000001, 0b100000010),
    160: (0b000100000, 0b001000000, 0b010000000, 0b100000001),
}
"""By levels: where each low bit but the lowest goes in 9 bits, the lower of them first."""


def _spread(range_number: int, code: int) -> int:
    """Return a code of a range of trits or quints as 0 to 255."""
    low_bits = LOW_BITS[range_number]
    low, high = code & ((1 << low_bits) - 1), code >> low_bits
    pattern = sum(place for bit, place in enumerate(_PATTERNS[LEVELS[range_number]], start=1) if low >> bit & 1)
    mirror = 0x1FF * (low & 1)
    spread = high * _FACTORS[HIGH[range_number]][low_bits] + pattern ^ mirror
    return mirror & 0x80 | spread >> 2


def _repeated(code: int, width: int) -> int:
    """Return a code widened to 8 bits by repeating its bits."""
    widened = code << 8 - width
    while width < 8:
        widened |= widened >> width
        width *= 2
    return widened


@rule(
    "FMT-ASTC-7",
    "An ASTC colour number is unquantised to 0 to 255: bits alone are repeated, trits and quints are multiplied by "
    "their range's factor, added to its bit pattern and mirrored by the lowest bit.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def unquantised_colour(range_number: int, code: int) -> int:
    """Return the colour, 0 to 255, of a code of a range.

    >>> [unquantised_colour(LEVELS.index(6), code) for code in range(6)]
    [0, 255, 51, 204, 102, 153]
    """
    if HIGH[range_number] == 1:
        return _repeated(code, LOW_BITS[range_number])
    return _spread(range_number, code)


def _table() -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            unquantised_colour(number, code) if number >= LEAST_COLOUR_RANGE and code < levels else 0
            for code in range(256)
        )
        for number, levels in enumerate(LEVELS)
    )


COLOURS = Context().run(_table)
"""By range and code: the colour number. Whoever imports this first has used no rule by that."""


def clamped_8(number: int) -> int:
    """Return a number clamped to 0 to 255."""
    return min(max(number, 0), LARGEST)


def offset_of(high: int) -> int:
    """Return the signed offset, -32 to 31, that the second number of a pair holds in bits 1 to 6."""
    offset = high >> 1 & 63
    return offset - ((offset & 32) << 1)


def base_of(low: int, high: int) -> int:
    """Return the base of a pair of numbers: the first halved, with the highest bit of the second."""
    return low >> 1 | high & 128


def set_end(ends: Ints, at: int, red: int, green: int, blue: int, alpha: int) -> None:
    """Write one end point."""
    ends[at], ends[at + 1], ends[at + 2], ends[at + 3] = red, green, blue, alpha


def set_contracted(ends: Ints, at: int, red: int, green: int, blue: int, alpha: int) -> None:
    """Write one end point with red and green pulled half way to blue."""
    set_end(ends, at, (red + blue) >> 1, (green + blue) >> 1, blue, alpha)


def direct_ends(values: Ints, first: int, alphas: int, ends: Ints, at: int) -> None:
    """Six numbers, red, green and blue of both ends in turn: swapped and contracted where the second is darker."""
    red_0, green_0, blue_0 = values[first], values[first + 2], values[first + 4]
    red_1, green_1, blue_1 = values[first + 1], values[first + 3], values[first + 5]
    alpha_0, alpha_1 = alphas & LARGEST, alphas >> 8
    if red_1 + green_1 + blue_1 >= red_0 + green_0 + blue_0:
        set_end(ends, at, red_0, green_0, blue_0, alpha_0)
        set_end(ends, at + 4, red_1, green_1, blue_1, alpha_1)
    else:
        set_contracted(ends, at, red_1, green_1, blue_1, alpha_1)
        set_contracted(ends, at + 4, red_0, green_0, blue_0, alpha_0)


def offset_ends(values: Ints, first: int, with_alpha: bool, ends: Ints, at: int) -> None:
    """Three or four pairs of base and offset: swapped and contracted where the offsets' sum is negative."""
    red, green, blue = (
        base_of(values[first], values[first + 1]),
        base_of(values[first + 2], values[first + 3]),
        base_of(values[first + 4], values[first + 5]),
    )
    red_by, green_by, blue_by = (
        offset_of(values[first + 1]),
        offset_of(values[first + 3]),
        offset_of(values[first + 5]),
    )
    alpha, alpha_by = LARGEST, 0
    if with_alpha:
        alpha = base_of(values[first + 6], values[first + 7])
        alpha_by = offset_of(values[first + 7])
    if red_by + green_by + blue_by >= 0:
        set_end(ends, at, red, green, blue, alpha)
        set_end(ends, at + 4, red + red_by, green + green_by, blue + blue_by, alpha + alpha_by)
    else:
        set_contracted(ends, at, red + red_by, green + green_by, blue + blue_by, alpha + alpha_by)
        set_contracted(ends, at + 4, red, green, blue, alpha)
    for channel in range(8):
        ends[at + channel] = clamped_8(ends[at + channel])


def luminance_ends(mode: int, values: Ints, first: int, ends: Ints, at: int) -> None:
    """Two or four numbers: luminance, perhaps with alpha, of both ends, or of one with its offset."""
    one, two = values[first], values[first + 1]
    alpha_0, alpha_1 = LARGEST, LARGEST
    if mode == LUMINANCE_OFFSET:
        one = one >> 2 | two & 0xC0
        two = min(one + (values[first + 1] & 63), LARGEST)
    elif mode == LUMINANCE_ALPHA:
        alpha_0, alpha_1 = values[first + 2], values[first + 3]
    elif mode == LUMINANCE_ALPHA_OFFSET:
        by = offset_of(two)
        one = base_of(one, two)
        two = clamped_8(one + by)
        alpha_0 = base_of(values[first + 2], values[first + 3])
        alpha_1 = clamped_8(alpha_0 + offset_of(values[first + 3]))
    set_end(ends, at, one, one, one, alpha_0)
    set_end(ends, at + 4, two, two, two, alpha_1)


def scaled_ends(values: Ints, first: int, with_alpha: bool, ends: Ints, at: int) -> None:
    """Four or six numbers: the second end, the share of it that the first end is, perhaps both alphas."""
    red, green, blue, scale = values[first], values[first + 1], values[first + 2], values[first + 3]
    alpha_0, alpha_1 = LARGEST, LARGEST
    if with_alpha:
        alpha_0, alpha_1 = values[first + 4], values[first + 5]
    set_end(ends, at, red * scale >> 8, green * scale >> 8, blue * scale >> 8, alpha_0)
    set_end(ends, at + 4, red, green, blue, alpha_1)


@rule(
    "FMT-ASTC-8",
    "ASTC makes two 8-bit end points of its colour numbers by one of ten modes of low dynamic range: direct, base "
    "and offset, or base and scale; of luminance or colour; with or without alpha.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def ldr_ends(mode: int, values: Ints, first: int, ends: Ints, at: int) -> None:
    """Make two end points of 8 bits by a mode of low dynamic range.

    Parameters
    ----------
    mode : int
        0 to 15; not one of high dynamic range.
    values, first
        Colour numbers, 0 to 255, and the first of them.
    ends, at
        Filled from ``at``: two times red, green, blue, alpha.
    """
    if mode in (RGB_SCALE, RGB_SCALE_ALPHA):
        scaled_ends(values, first, mode == RGB_SCALE_ALPHA, ends, at)
    elif mode == RGB:
        direct_ends(values, first, LARGEST << 8 | LARGEST, ends, at)
    elif mode == RGBA:
        direct_ends(values, first, values[first + 7] << 8 | values[first + 6], ends, at)
    elif mode in (RGB_OFFSET, RGBA_OFFSET):
        offset_ends(values, first, mode == RGBA_OFFSET, ends, at)
    else:
        luminance_ends(mode, values, first, ends, at)
