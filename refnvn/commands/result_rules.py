"""What may a readback be called, and how much may it hold? One rule for traces, results and goldens.

A result's name becomes a part of file names and of C identifiers; its elements are stored codes. It reads nothing.
Read next: ``recording.py``.
"""

from __future__ import annotations

import re

from refnvn.commands.resources import Region
from refnvn.errors import ArgumentError, SizeError, printable
from refnvn.formats.table import Format

MOST_ELEMENTS = 1 << 28
"""Of one result."""
MOST_SIDE_PX = 1 << 16
"""Width, height, layers or slices of one result."""

_RESULT_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_DEVICE_NAMES = re.compile(r"con|prn|aux|nul|com\d|lpt\d")


def check_result_name(name: str) -> None:
    """Raise unless ``name`` is safe as a part of a file name and of a C identifier.

    Raises
    ------
    ArgumentError
        With the name and what is allowed.

    Examples
    --------
    >>> check_result_name("level_0")
    """
    if not _RESULT_NAME.fullmatch(name) or _DEVICE_NAMES.fullmatch(name):
        raise ArgumentError(
            f"result name '{printable(name)}': allowed are up to 64 of a-z, 0-9 and _, a letter first, no name of a "
            "device"
        )


def code_width_bits(fmt: Format) -> int:
    """Return the bits of one element of a result in a format: 8, 16 or 32.

    Bytes of blocks, and of depth that stands beside stencil or padding; components where all have one width and
    nothing is between them; else whole texels of 16 or 32 bits, else bytes.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> [code_width_bits(format_named(name)) for name in ("RGBA16F", "RGB565", "RGB_DXT1", "DEPTH24_STENCIL8")]
    [16, 16, 8, 8]
    """
    widths = {one.bits for one in fmt.components}
    uniform = len(widths) == 1 and sum(one.bits for one in fmt.components) == 8 * fmt.bytes_per_block
    if fmt.is_compressed or (fmt.is_depth_stencil and len(fmt.components) > 1):
        return 8
    width = next(iter(widths)) if uniform else 8 * fmt.bytes_per_block
    return width if width in (8, 16, 32) else 8


def check_result_elements(elements: int) -> None:
    """Raise for more elements than a result may have.

    Raises
    ------
    SizeError
        With both numbers.
    """
    if elements > MOST_ELEMENTS:
        raise SizeError(f"a result of {elements} elements, allowed are {MOST_ELEMENTS}")


def check_result_region(region: Region) -> None:
    """Raise for a region that is wider, higher or deeper than an image result may be.

    Raises
    ------
    SizeError
        Naming the side.
    """
    for side in ("width", "height", "depth"):
        if getattr(region, side) > MOST_SIDE_PX:
            raise SizeError(f"{side} {getattr(region, side)} of a result, allowed are {MOST_SIDE_PX}")
