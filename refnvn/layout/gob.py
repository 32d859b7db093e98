"""Where does a byte live inside a GOB (group of bytes), the 512-byte unit of every block-linear surface?

A GOB is 64 bytes wide and 8 rows high. It is made of sixteen sectors of 32 bytes; a sector holds 16 bytes of one
row and the 16 bytes below them. On a Tegra the sectors lie in this order::

      byte column   0..15 16..31 32..47 48..63
      rows 0, 1        0      1      8      9
      rows 2, 3        2      3     10     11
      rows 4, 5        4      5     12     13
      rows 6, 7        6      7     14     15

which is the same as choosing the bits of the offset, lowest first, from the byte column x and the row y::

      offset bit    0   1   2   3   4   5   6   7   8
      taken from   x0  x1  x2  x3  y0  x4  y1  y2  x5

The offset is therefore a sum of a part that only x decides and a part that only y decides.

It knows nothing of blocks, levels or texels. Read next: ``block_linear.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Position = TypeVar("Position", int, "NDArray[np.int64]")
"""One column, row or slice, or an array of them: the rules of this room are the same arithmetic for both."""

GOB_WIDTH_B = 64
GOB_HEIGHT_ROWS = 8
GOB_SIZE_B = GOB_WIDTH_B * GOB_HEIGHT_ROWS
RUN_B = 16
"""Bytes of one row that stay together: the longest piece a copy can move at once."""


@rule(
    "LAYOUT-GOB-1",
    "Inside a GOB the offset bits are, lowest first, x0 x1 x2 x3 y0 x4 y1 y2 x5 of the byte column x and the row y.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "console-swizzler-pair", "layout-vectors", "yuzu", "ryujinx"),
)
def gob_offset_B(x_B: Position, y: Position) -> Position:
    """Return the offset of the byte in column ``x_B`` and row ``y`` of a GOB.

    Textures of titles read right in this order; desktop GPUs of the same time order the sectors otherwise. That
    depth and stencil lie so too is :func:`depth_stencil_gob_order`.

    Parameters
    ----------
    x_B, y : int or int64 array
        Byte column, 0..63, and row, 0..7.

    Returns
    -------
    int or int64 array
        0..511.

    Examples
    --------
    >>> gob_offset_B(16, 0), gob_offset_B(0, 1), gob_offset_B(32, 0)
    (32, 16, 256)
    """
    offset_B: Position = (x_B >> 5) * 256 + (y >> 1) * 64 + ((x_B >> 4) & 1) * 32 + (y & 1) * 16 + (x_B & 15)
    return offset_B


@rule(
    "LAYOUT-GOB-2",
    "Depth and stencil lie in the same order of bytes inside a GOB as colour.",
    evidence=Evidence.OPEN,
    sources=("yuzu", "ryujinx", "nil"),
    refuted_by="a depth surface read by the Tegra's processor: NIL keeps another order for it, emulators this one",
)
def depth_stencil_gob_order() -> str:
    """Return the name of the order for depth and stencil; the other order is in no public source.

    >>> depth_stencil_gob_order()
    'Tegra'
    """
    return "Tegra"


def gob_position(offset_B: int) -> tuple[int, int]:
    """Return ``(x_B, y)`` of the byte at an offset 0..511: the inverse of :func:`gob_offset_B`.

    Examples
    --------
    >>> gob_position(16), gob_position(256)
    ((0, 1), (32, 0))
    """
    x_B = (offset_B >> 8) * 32 + ((offset_B >> 5) & 1) * 16 + (offset_B & 15)
    y = ((offset_B >> 6) & 3) * 2 + ((offset_B >> 4) & 1)
    return x_B, y
