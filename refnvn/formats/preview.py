"""What picture shows a surface of any format to a person?

A preview is for eyes: 8 bits and a simple mapping per kind of format. Nothing in it is an oracle value; the codes
and ``codec.decode`` are.

| format | shown |
|---|---|
| unorm, compressed unorm | the value; sRGB formats show their codes, unconverted |
| snorm | (value + 1) / 2; a component that the format lacks is black |
| float, shared exponent | the value clamped to 0..1, NaN as 0; no tone mapping |
| integers | the lowest 8 bits of each component, opaque; where the largest is below 16, it is shown as 255 |
| depth, combined formats | the depth, grey |
| stencil | the 8 bits, grey |

Block formats: ``preview_blocks.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError, UnsupportedFormat
from refnvn.formats.codec import CHANNELS, decode
from refnvn.formats.floatbits import Float32, Int64, UInt8, clamped
from refnvn.formats.packing import unpack_codes
from refnvn.formats.preview_blocks import decode_blocks
from refnvn.formats.table import Format, NumericClass

LARGEST_SIDE_PX = 1 << 14
SMALL_INTEGERS = 16
"""Integers that all are below this are shown brighter: unscaled they would all look black."""
UNSCALED = 255


def linear_size_B(fmt: Format, width_px: int, height_px: int) -> int:
    """Return the bytes of tightly packed rows of texels or blocks.

    >>> from refnvn.formats.table import format_named
    >>> linear_size_B(format_named("RGBA_DXT1"), 5, 4)
    16
    """
    columns = -(-width_px // fmt.block_width_px)
    rows = -(-height_px // fmt.block_height_px)
    return columns * rows * fmt.bytes_per_block


def white_of(fmt: Format, data: bytes | NDArray[np.uint8]) -> int:
    """Return the integer that is to be shown as white, so that several pictures can share it.

    Parameters
    ----------
    fmt : Format
        Any format.
    data : bytes or uint8
        Whole texels or blocks of all the pictures.

    Returns
    -------
    int
        1 to 15 where no colour component of an integer format is negative or above that; else :data:`UNSCALED`.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> white_of(format_named("R8UI"), bytes([0, 1, 3])), white_of(format_named("R8UI"), bytes([0, 99]))
    (3, 255)
    """
    flat = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    integers = _integers(fmt, flat.reshape(-1, fmt.bytes_per_block)) if flat.size else None
    if integers is None:
        return UNSCALED
    colours = integers[..., :3]
    smallest, largest = int(np.min(colours)), int(np.max(colours))
    return largest if smallest >= 0 and 0 < largest < SMALL_INTEGERS else UNSCALED


def preview(
    fmt: Format, data: bytes | NDArray[np.uint8], width_px: int, height_px: int, *, white: int | None = None
) -> UInt8:
    """Return a displayable picture of linear data.

    Parameters
    ----------
    fmt : Format
        Any format but NONE.
    data : bytes or uint8
        Tightly packed rows of texels or blocks, first row first; exactly as many bytes as the size needs.
    width_px, height_px : int
        1 to 16384.
    white : int or None
        The integer to show as 255, where the format holds integers; None takes :func:`white_of` of ``data``.

    Returns
    -------
    uint8, shape (height_px, width_px, 4)
        R, G, B, A. For the eye only: not oracle values.

    Raises
    ------
    SizeError
        For a side outside the range, or data of another size.
    UnsupportedFormat
        For NONE.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> preview(format_named("R8"), bytes([255]), 1, 1).tolist()
    [[[255, 0, 0, 255]]]
    """
    if fmt.numeric_class is NumericClass.NONE:
        raise UnsupportedFormat(f"{fmt.nvn_name} holds nothing to show; any other format can be shown")
    for side, side_px in (("width", width_px), ("height", height_px)):
        if not 1 <= side_px <= LARGEST_SIDE_PX:
            raise SizeError(f"preview {side} {side_px} is outside 1 to {LARGEST_SIDE_PX}")
    flat = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else np.ascontiguousarray(data).reshape(-1)
    needed_B = linear_size_B(fmt, width_px, height_px)
    if flat.dtype != np.uint8 or flat.size != needed_B:
        raise SizeError(
            f"{width_px} x {height_px} of {fmt.nvn_name} needs {needed_B} bytes, not {flat.size} of {flat.dtype}"
        )
    if fmt.is_compressed:
        return decode_blocks(fmt, flat, width_px, height_px)
    texels = flat.reshape(height_px, width_px, fmt.bytes_per_block)
    return _shown(fmt, texels, white_of(fmt, flat) if white is None else white)


def _to_8_bits(value: NDArray[Any]) -> UInt8:
    return np.floor(clamped(value, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def _grey(level: UInt8) -> UInt8:
    opaque = np.full_like(level, 255)
    return np.stack([level, level, level, opaque], axis=-1)


def _shown(fmt: Format, texels: UInt8, white: int) -> UInt8:
    if fmt.srgb:
        return _srgb_codes(fmt, texels)
    integers = _integers(fmt, texels)
    if integers is not None:
        return _integers_shown(integers, white)
    values = decode(fmt, texels)
    if fmt.is_depth_stencil:
        red = values[..., 0]
        return _grey(_to_8_bits(red) if fmt.component("D") else red.astype(np.uint8))
    if fmt.numeric_class is NumericClass.SNORM:
        return _to_8_bits(_half_up(fmt, values))
    return _to_8_bits(values)


def _integers(fmt: Format, texels: UInt8) -> Int64 | None:
    """Return R, G, B, A where a format holds integers that are colours, else None."""
    if fmt.is_compressed or fmt.is_depth_stencil:
        return None
    if fmt.is_integer:
        values: Int64 = decode(fmt, texels).astype(np.int64)
        return values
    if fmt.numeric_class in (NumericClass.UINT_TO_FLOAT, NumericClass.SINT_TO_FLOAT):
        numbers: Int64 = np.nan_to_num(decode(fmt, texels)).astype(np.int64)
        return numbers
    return None


def _integers_shown(integers: Int64, white: int) -> UInt8:
    shown = integers & 0xFF if white == UNSCALED else np.clip(integers, 0, white) * 255 // white
    picture = shown.astype(np.uint8)
    picture[..., 3] = 255
    return picture


def _half_up(fmt: Format, values: NDArray[Any]) -> Float32:
    """Move -1..1 to 0..1 in the components that the format has."""
    moved: Float32 = values.copy()
    for component in fmt.components:
        if component.name in CHANNELS:
            channel = CHANNELS.index(component.name)
            moved[..., channel] = values[..., channel] * np.float32(0.5) + np.float32(0.5)
    return moved


def _srgb_codes(fmt: Format, texels: UInt8) -> UInt8:
    picture = np.full((*texels.shape[:2], 4), 255, dtype=np.uint8)
    codes = unpack_codes(fmt, texels)
    for place, component in enumerate(fmt.components):
        if component.name in CHANNELS:
            picture[..., CHANNELS.index(component.name)] = codes[..., place]
    return picture
