"""What does a clear store? The same codes as a draw of the same value, in the bits that its masks name.

A clear value is four 32-bit words; the target's format decides whether they are floats or integers, so an integer
never passes through a float. Tests, blending and logic operations do not touch a clear. Which layers, levels and
scissor a clear command has is not decided here: it is given a rectangle of one slice.

Conversions: ``refnvn/formats``. Read next: ``draw.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.errors import FieldRangeError, ShapeError
from refnvn.formats.codec import encode
from refnvn.formats.depth_stencil import encode_depth_stencil
from refnvn.formats.floatbits import UInt32, from_bits
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.target import (
    ColorTarget,
    DepthStencilTarget,
    Rectangle,
    channel_bits,
    clipped,
    plane_bits,
    write_bits,
)
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule


@rule(
    "RASTER-CLEAR-1",
    "A clear value is four raw 32-bit words that the target's format reads as floats, or as integers that saturate "
    "to its range: an integer clear is exact to the last bit.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "open-gpu-doc", "deko3d"),
    ledger=("clear-int",),
)
def clear_words(fmt: Format, color: UInt32) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    """Return the four words of a clear as values of the format's type.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> clear_words(format_named("R32UI"), np.array([0x01000001, 0, 0, 0], np.uint32)).tolist()
    [16777217, 0, 0, 0]
    """
    if fmt.numeric_class is NumericClass.SINT:
        return color.view(np.int32)
    return color if fmt.is_integer else from_bits(color)


@rule(
    "RASTER-CLEAR-2",
    "A colour clear writes the bits of the channels in its mask that the format has; all other bits of the texel "
    "stay, and channels of the mask that the format lacks mean nothing.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("seed-titles", "open-gpu-doc", "deko3d"),
    ledger=("mask-covers-all", "clear-tex-partial"),
)
def clear_color(
    target: ColorTarget,
    color: UInt32,
    mask: int = 15,
    rectangle: Rectangle | None = None,
    rules: Rules = NVN,
) -> None:
    """Clear part of a colour target in place.

    Parameters
    ----------
    target : ColorTarget
    color : uint32, shape (4,)
        Bits of R, G, B, A: float32 bits, or integers for integer formats.
    mask : int
        Channels R, G, B, A in bits 0 to 3.
    rectangle : tuple of int or None
        x, y, width, height in the target's columns and memory rows, clipped to the target; None is all of it.
    rules : Rules
        Reads what the format's conversion needs.

    Raises
    ------
    ShapeError
        For a colour that is not four uint32.
    FieldRangeError
        For a mask outside 0 to 15.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> texels = np.zeros((1, 2, 4), np.uint8)
    >>> half = np.full(4, 0.5, np.float32).view(np.uint32)
    >>> clear_color(ColorTarget(format_named("RGBA8"), texels), half, 0b0101, (1, 0, 1, 1)); texels.tolist()
    [[[0, 0, 0, 0], [127, 0, 127, 0]]]
    """
    words = np.asarray(color)
    if words.dtype != np.uint32 or words.shape != (4,):
        raise ShapeError(f"a clear colour must be uint32 of shape (4,), not {words.dtype} of shape {words.shape}")
    if not 0 <= mask <= 15:
        raise FieldRangeError(f"a clear mask must be 0 to 15, not {mask}")
    part = target.codes[clipped(rectangle, target.codes.shape[1], target.codes.shape[0])]
    if part.size and mask:
        code = encode(target.fmt, clear_words(target.fmt, words), rules)
        write_bits(part, code, channel_bits(target.fmt, mask))


@rule(
    "RASTER-CLEAR-3",
    "A depth-stencil clear stores the depth plane whole, if asked to, and stencil as (old & ~mask) | (value & mask); "
    "the other plane of a combined format stays.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("seed-titles", "open-gpu-doc", "deko3d"),
    ledger=("clear-ds-partial-stencil", "ds-pair", "d16-clear"),
)
def clear_depth_stencil(
    target: DepthStencilTarget,
    depth_bits: int,
    depth_mask: bool,
    stencil: int,
    stencil_mask: int,
    rectangle: Rectangle | None = None,
    rules: Rules = NVN,
) -> None:
    """Clear part of a depth-stencil target in place; a plane that the format lacks is not cleared.

    Parameters
    ----------
    target : DepthStencilTarget
    depth_bits : int
        float32 bits of the depth; clamped to 0..1, NaN is 0.
    depth_mask : bool
        Whether depth is cleared.
    stencil, stencil_mask : int
        0 to 255.
    rectangle : tuple of int or None
        As for :func:`clear_color`.
    rules : Rules
        Reads what the format's depth needs.

    Raises
    ------
    FieldRangeError
        For a stencil value or mask outside 0 to 255, or depth bits that do not fit 32.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> texels = np.full((1, 1, 4), 0xFF, np.uint8)
    >>> target = DepthStencilTarget(format_named("DEPTH24_STENCIL8"), texels)
    >>> clear_depth_stencil(target, 0x3F800000, False, 0x12, 0x0F); hex(texels[0, 0, 0]), int(texels[0, 0, 3])
    ('0xf2', 255)
    """
    if not 0 <= stencil <= 255 or not 0 <= stencil_mask <= 255:
        raise FieldRangeError(f"stencil {stencil} and its mask {stencil_mask} must be 0 to 255")
    if not 0 <= depth_bits < 1 << 32:
        raise FieldRangeError(f"depth bits must fit 32 bits, not {depth_bits:#x}")
    part = target.codes[clipped(rectangle, target.codes.shape[1], target.codes.shape[0])]
    bits = plane_bits(target.fmt, depth_mask, stencil_mask if target.fmt.component("S") else 0)
    if part.size and bits.any():
        depth = from_bits(np.array(depth_bits, dtype=np.uint32)) if target.fmt.component("D") else None
        code = encode_depth_stencil(
            target.fmt, depth, stencil if target.fmt.component("S") else None, rules, clear=True
        )
        write_bits(part, code, bits)
