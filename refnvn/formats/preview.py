"""What picture shows a surface of any format to a person?

A preview is for eyes: 8 bits, a simple mapping per kind of format, other people's block decoders. Nothing in it is
an oracle value; the codes and ``codec.decode`` are.

| format | shown |
|---|---|
| unorm, compressed unorm | the value; sRGB formats show their codes, unconverted |
| snorm | (value + 1) / 2; a component that the format lacks is black |
| float, shared exponent | the value clamped to 0..1, NaN as 0; no tone mapping |
| integers | the lowest 8 bits of each component, opaque |
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
from refnvn.formats.floatbits import Float32, UInt8, clamped
from refnvn.formats.packing import unpack_codes
from refnvn.formats.preview_blocks import decode_blocks
from refnvn.formats.table import Format, NumericClass

LARGEST_SIDE_PX = 1 << 14


def linear_size_B(fmt: Format, width_px: int, height_px: int) -> int:
    """Return the bytes of tightly packed rows of texels or blocks.

    >>> from refnvn.formats.table import format_named
    >>> linear_size_B(format_named("RGBA_DXT1"), 5, 4)
    16
    """
    columns = -(-width_px // fmt.block_width_px)
    rows = -(-height_px // fmt.block_height_px)
    return columns * rows * fmt.bytes_per_block


def preview(fmt: Format, data: bytes | NDArray[np.uint8], width_px: int, height_px: int) -> UInt8:
    """Return a displayable picture of linear data.

    Parameters
    ----------
    fmt : Format
        Any format but NONE.
    data : bytes or uint8
        Tightly packed rows of texels or blocks, first row first; exactly as many bytes as the size needs.
    width_px, height_px : int
        1 to 16384.

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
    return _shown(fmt, flat.reshape(height_px, width_px, fmt.bytes_per_block))


def _to_8_bits(value: NDArray[Any]) -> UInt8:
    return np.floor(clamped(value, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def _grey(level: UInt8) -> UInt8:
    opaque = np.full_like(level, 255)
    return np.stack([level, level, level, opaque], axis=-1)


def _shown(fmt: Format, texels: UInt8) -> UInt8:
    if fmt.srgb:
        return _srgb_codes(fmt, texels)
    values = decode(fmt, texels)
    if fmt.is_depth_stencil:
        red = values[..., 0]
        return _grey(_to_8_bits(red) if fmt.component("D") else red.astype(np.uint8))
    if fmt.is_integer:
        return _integers_shown(values)
    if fmt.numeric_class in (NumericClass.UINT_TO_FLOAT, NumericClass.SINT_TO_FLOAT):
        return _integers_shown(np.nan_to_num(values).astype(np.int64))
    if fmt.numeric_class is NumericClass.SNORM:
        return _to_8_bits(_half_up(fmt, values))
    return _to_8_bits(values)


def _integers_shown(values: NDArray[Any]) -> UInt8:
    low = (values.astype(np.int64) & 0xFF).astype(np.uint8)
    low[..., 3] = 255
    return low


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
