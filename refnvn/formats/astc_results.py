"""What does an ASTC texel become once its two end points are mixed?

The mix has 16 bits. What follows depends on the profile and on the decode mode:

| texel | result |
|---|---|
| low dynamic range, half floats | mix / 65536 cut to a half float; 65535 is 1 |
| low dynamic range, 8 bits; sRGB | the highest 8 bits of the mix |
| high dynamic range | 5 bits of exponent, 11 of mantissa, bent into a half float's 10 |

Read next: ``astc.py``.
"""

from __future__ import annotations

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

HALF, UNORM8, SRGB8 = 0, 1, 2
"""Kinds of results: half floats' bits; 8-bit codes; 8-bit codes whose red, green and blue are sRGB."""

HALF_ONE = 0x3C00
LARGEST_HALF = 0x7BFF
LARGEST_16 = 0xFFFF

HIGHEST_BIT = tuple(number.bit_length() - 1 for number in range(256))
"""By number: its highest bit that is set, -1 for 0."""


@rule(
    "FMT-ASTC-10",
    "An ASTC end point of low dynamic range widens to 16 bits by repeating its 8 bits, but red, green and blue of an "
    "sRGB format by appending 128.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def widened_8(code: int, srgb_colour: bool) -> int:
    """Return an 8-bit end point in 16 bits; ``srgb_colour`` for red, green and blue of an sRGB format.

    >>> hex(widened_8(0x12, False)), hex(widened_8(0x12, True))
    ('0x1212', '0x1280')
    """
    return code << 8 | (128 if srgb_colour else code)


@rule(
    "FMT-ASTC-11",
    "A mixed ASTC colour of low dynamic range, as a half float, is its 16 bits over 65536, cut towards zero, and "
    "65535 is 1.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def half_of_unorm16(mixed: int) -> int:
    """Return the half float's bits of a mix of low dynamic range.

    >>> [hex(half_of_unorm16(mixed)) for mixed in (0, 1, 4, 0x8080, 0xFFFE, 0xFFFF)]
    ['0x0', '0x100', '0x400', '0x3804', '0x3bff', '0x3c00']
    """
    if mixed == LARGEST_16:
        return HALF_ONE
    if mixed < 4:
        return mixed << 8
    exponent = HIGHEST_BIT[mixed >> 8] + 8 if mixed >> 8 else HIGHEST_BIT[mixed]
    return (exponent - 1) << 10 | (mixed << 10 >> exponent) & 0x3FF


def ldr_code(mixed: int, kind: int) -> int:
    """Return the code of a mixed colour of low dynamic range, by the kind of result.

    >>> hex(ldr_code(0x80FF, HALF)), ldr_code(0x80FF, UNORM8)
    ('0x3807', 128)
    """
    return half_of_unorm16(mixed) if kind == HALF else mixed >> 8


@rule(
    "FMT-ASTC-12",
    "A mixed ASTC colour of high dynamic range is a half float whose exponent is its highest 5 bits and whose "
    "mantissa is the other 11 bent by three lines; nothing is above the largest finite half.",
    evidence=Evidence.SPECIFICATION,
    sources=("khronos-data-format",),
)
def half_of_logarithmic(mixed: int) -> int:
    """Return the half float's bits of a mix of high dynamic range.

    >>> hex(half_of_logarithmic(0x7800)), hex(half_of_logarithmic(0xFFFF))
    ('0x3c00', '0x7bff')
    """
    mantissa = mixed & 0x7FF
    if mantissa < 512:
        bent = 3 * mantissa
    elif mantissa < 1536:
        bent = 4 * mantissa - 512
    else:
        bent = 5 * mantissa - 2048
    return min((mixed >> 11) << 10 | bent >> 3, LARGEST_HALF)
