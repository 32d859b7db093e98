"""What end points do the colour numbers of an ASTC block make, in modes of high dynamic range?

These have 12 bits, on a scale that is nearly logarithmic. Tegra X1 has ASTC's low dynamic range only, where such a
mode gives the error colour; the modes are here for pictures made for other chips and to say what is lost.

Where a mode's numbers have spare high bits, a table says which field gets each of them.
Read next: ``astc.py``.
"""

from __future__ import annotations

from refnvn.formats.block_bits import sign_extended
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

LARGEST_12 = 0xFFF
ONE = 0x780

HDR_LUMINANCE, HDR_LUMINANCE_SMALL, HDR_SCALE, HDR_RGB, HDR_RGB_LDR_ALPHA, HDR_RGBA = 2, 3, 7, 11, 14, 15

IS_HDR = tuple(
    mode in (HDR_LUMINANCE, HDR_LUMINANCE_SMALL, HDR_SCALE, HDR_RGB, HDR_RGB_LDR_ALPHA, HDR_RGBA)
    for mode in range(16)
)
"""By colour endpoint mode: whether it is of high dynamic range."""

# Which modes put a spare bit where, one mode per bit of the mask: (mask, bit of the numbers, field, bit of the field)
RED, GREEN, BLUE, SCALE = 0, 1, 2, 3
SCALE_SHIFTS = (1, 1, 2, 3, 4, 5)
SCALE_BITS = (
    (0x30, 0, GREEN, 6), (0x3A, 1, GREEN, 5), (0x30, 2, BLUE, 6), (0x3A, 3, BLUE, 5), (0x3D, 6, SCALE, 5),
    (0x2D, 5, SCALE, 6), (0x04, 4, SCALE, 7), (0x3B, 4, RED, 6), (0x04, 3, RED, 6), (0x10, 5, RED, 7),
    (0x0F, 2, RED, 7), (0x05, 1, RED, 8), (0x0A, 0, RED, 8), (0x05, 0, RED, 9), (0x02, 6, RED, 9),
    (0x01, 3, RED, 10), (0x02, 5, RED, 10),
)  # fmt: skip
A, C, B0, B1 = 0, 1, 2, 3
D_BITS = (7, 6, 7, 6, 5, 6, 5, 6)
DIRECT_BITS = (
    (0xA4, 0, A, 9), (0x08, 2, A, 9), (0x50, 4, A, 9), (0x50, 5, A, 10), (0xA0, 1, A, 10), (0xC0, 2, A, 11),
    (0x04, 1, C, 6), (0xE8, 3, C, 6), (0x20, 2, C, 7), (0x5B, 0, B0, 6), (0x5B, 1, B1, 6), (0x12, 2, B0, 7),
    (0x12, 3, B1, 7),
)  # fmt: skip


def clamped_12(number: int) -> int:
    """Return a number clamped to 12 bits."""
    return min(max(number, 0), LARGEST_12)


def _set_grey(ends: Ints, at: int, first: int, second: int) -> None:
    for channel in range(3):
        ends[at + channel], ends[at + 4 + channel] = first, second
    ends[at + 3], ends[at + 7] = ONE, ONE


def hdr_luminance_ends(values: Ints, first: int, ends: Ints, at: int) -> None:
    """Two numbers: luminances of 8 bits; in the other order, half a step inside."""
    one, two = values[first], values[first + 1]
    if two >= one:
        _set_grey(ends, at, one << 4, two << 4)
    else:
        _set_grey(ends, at, (two << 4) + 8, (one << 4) - 8)


def hdr_luminance_small_ends(values: Ints, first: int, ends: Ints, at: int) -> None:
    """Two numbers: a luminance of 10 or 11 bits and a small difference."""
    one, two = values[first], values[first + 1]
    if one & 0x80:
        base, more = (two & 0xE0) << 4 | (one & 0x7F) << 2, (two & 0x1F) << 2
    else:
        base, more = (two & 0xF0) << 4 | (one & 0x7F) << 1, (two & 0x0F) << 1
    _set_grey(ends, at, base, min(base + more, LARGEST_12))


def _swap_major(ends: Ints, at: int, major: int) -> None:
    """Exchange red with the component that the fields call the major one."""
    ends[at], ends[at + major] = ends[at + major], ends[at]


def _add_spare_bits(table: Ints, count: int, mode: int, spare: int, fields: Ints, base: int) -> None:
    for entry in range(count):
        mask, bit, field, place = table[entry][0], table[entry][1], table[entry][2], table[entry][3]
        if mask >> mode & 1:
            fields[base + field] |= (spare >> bit & 1) << place


def hdr_scale_ends(values: Ints, first: int, ends: Ints, at: int, fields: Ints, base: int) -> None:
    """Four numbers: the second end, its other components as differences, and how far below it the first end is."""
    v0, v1, v2, v3 = values[first], values[first + 1], values[first + 2], values[first + 3]
    selector = v0 >> 6 & 3 | v1 >> 5 & 4 | v2 >> 4 & 8
    if selector & 12 != 12:
        major, mode = selector >> 2, selector & 3
    elif selector != 15:
        major, mode = selector & 3, 4
    else:
        major, mode = 0, 5
    spare = v1 >> 6 & 1 | v1 >> 4 & 2 | v2 >> 4 & 4 | v2 >> 2 & 8 | v3 >> 3 & 16 | v3 >> 1 & 32 | v3 << 1 & 64
    fields[base + RED], fields[base + GREEN], fields[base + BLUE] = v0 & 63, v1 & 31, v2 & 31
    fields[base + SCALE] = v3 & 31
    _add_spare_bits(SCALE_BITS, len(SCALE_BITS), mode, spare, fields, base)
    shift = SCALE_SHIFTS[mode]
    red, scale = fields[base + RED] << shift, fields[base + SCALE] << shift
    green, blue = fields[base + GREEN] << shift, fields[base + BLUE] << shift
    if mode != 5:
        green, blue = red - green, red - blue
    ends[at], ends[at + 1], ends[at + 2] = (
        clamped_12(red - scale),
        clamped_12(green - scale),
        clamped_12(blue - scale),
    )
    ends[at + 4], ends[at + 5], ends[at + 6] = clamped_12(red), clamped_12(green), clamped_12(blue)
    ends[at + 3], ends[at + 7] = ONE, ONE
    _swap_major(ends, at, major)
    _swap_major(ends, at + 4, major)


def hdr_direct_ends(values: Ints, first: int, ends: Ints, at: int, fields: Ints, base: int) -> None:
    """Six numbers: a greatest component, what the others and the first end are below it."""
    v0, v1, v2 = values[first], values[first + 1], values[first + 2]
    v3, v4, v5 = values[first + 3], values[first + 4], values[first + 5]
    ends[at + 3], ends[at + 7] = ONE, ONE
    major = v4 >> 7 | v5 >> 6 & 2
    if major == 3:
        ends[at], ends[at + 1], ends[at + 2] = v0 << 4, v2 << 4, (v4 & 0x7F) << 5
        ends[at + 4], ends[at + 5], ends[at + 6] = v1 << 4, v3 << 4, (v5 & 0x7F) << 5
        return
    mode = v1 >> 7 | v2 >> 6 & 2 | v3 >> 5 & 4
    spare = v2 >> 6 & 1 | v3 >> 5 & 2 | v4 >> 4 & 4 | v5 >> 3 & 8 | v4 >> 1 & 16 | v5 & 32
    fields[base + A], fields[base + C] = v0 | (v1 & 0x40) << 2, v1 & 63
    fields[base + B0], fields[base + B1] = v2 & 63, v3 & 63
    _add_spare_bits(DIRECT_BITS, len(DIRECT_BITS), mode, spare, fields, base)
    shift, d_bits = (mode >> 1) ^ 3, D_BITS[mode]
    a, c, b0, b1 = (
        fields[base + A] << shift,
        fields[base + C] << shift,
        fields[base + B0] << shift,
        fields[base + B1] << shift,
    )
    d0 = sign_extended(v4 & ((1 << d_bits) - 1), d_bits) << shift
    d1 = sign_extended(v5 & ((1 << d_bits) - 1), d_bits) << shift
    ends[at], ends[at + 1], ends[at + 2] = clamped_12(a - c), clamped_12(a - b0 - c - d0), clamped_12(a - b1 - c - d1)
    ends[at + 4], ends[at + 5], ends[at + 6] = clamped_12(a), clamped_12(a - b0), clamped_12(a - b1)
    _swap_major(ends, at, major)
    _swap_major(ends, at + 4, major)


def hdr_alpha_ends(v6: int, v7: int, ends: Ints, at: int) -> None:
    """Two numbers: alpha of both ends, or of one and a difference."""
    mode = v6 >> 7 | v7 >> 6 & 2
    low, high = v6 & 0x7F, v7 & 0x7F
    if mode == 3:
        ends[at + 3], ends[at + 7] = low << 5, high << 5
        return
    low |= high << (mode + 1) & 0x780
    half = 0x20 >> mode
    difference = (high & (0x3F >> mode) ^ half) - half
    ends[at + 3] = low << (4 - mode)
    ends[at + 7] = clamped_12((low + difference) << (4 - mode))


@rule(
    "FMT-ASTC-9",
    "ASTC makes two 12-bit end points of its colour numbers by one of six modes of high dynamic range: luminance in "
    "two precisions, colour with scale, direct colour with no alpha, alpha of low or of high dynamic range.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def hdr_ends(mode: int, values: Ints, first: int, ends: Ints, at: int, fields: Ints, base: int) -> None:
    """Make two end points of 12 bits by a mode of high dynamic range; the alpha of mode 14 has 8 bits.

    Parameters are those of :func:`refnvn.formats.astc_colours.ldr_ends`; ``fields`` has room for 4
    numbers from ``base`` up.
    """
    if mode == HDR_LUMINANCE:
        hdr_luminance_ends(values, first, ends, at)
    elif mode == HDR_LUMINANCE_SMALL:
        hdr_luminance_small_ends(values, first, ends, at)
    elif mode == HDR_SCALE:
        hdr_scale_ends(values, first, ends, at, fields, base)
    else:
        hdr_direct_ends(values, first, ends, at, fields, base)
    if mode == HDR_RGB_LDR_ALPHA:
        ends[at + 3], ends[at + 7] = values[first + 6], values[first + 7]
    elif mode == HDR_RGBA:
        hdr_alpha_ends(values[first + 6], values[first + 7], ends, at)
