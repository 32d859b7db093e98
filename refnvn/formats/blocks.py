"""What do the texels of compressed blocks read as? The one door to all block formats.

A block decodes to codes first, whole numbers that filtering works on; what a code means is the format's *coding*:

| coding | formats | a code c reads as |
|---|---|---|
| UNORM8 | BC1, BC2, BC3, BC7 | c / 255 |
| SRGB8 | their sRGB formats, and ASTC's | red, green and blue by the sRGB table, alpha c / 255 |
| UNORM16 | BC4, BC5 | c / 65535 |
| SNORM16 | BC4, BC5, signed | c / 32767 |
| HALF | BC6H, ASTC | the half float of these bits |

It encodes nothing and filters nothing. Read next: ``bc1.py``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ShapeError, SizeError, UnsupportedFormat
from refnvn.formats.bc1 import bc1_driver
from refnvn.formats.bc6h import bc6h_driver
from refnvn.formats.bc7 import bc7_driver
from refnvn.formats.bc_alpha import bc2_driver, bc3_driver, bc4_driver
from refnvn.formats.block_kernel import drive, room
from refnvn.formats.codec import missing_components
from refnvn.formats.floatbits import Float32, UInt8
from refnvn.formats.norm import decode_snorm, decode_unorm
from refnvn.formats.small_float import decode_half
from refnvn.formats.srgb import decode_srgb
from refnvn.formats.table import Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule

LARGEST_SIDE_PX = 1 << 14
_OPAQUE_BLACK = 0xFF000000


class Coding(StrEnum):
    """What the codes of a block format mean."""

    UNORM8 = "unorm8"
    SRGB8 = "srgb8"
    UNORM16 = "unorm16"
    SNORM16 = "snorm16"
    HALF = "half"


_DTYPES: dict[Coding, type[Any]] = {
    Coding.UNORM8: np.uint8,
    Coding.SRGB8: np.uint8,
    Coding.UNORM16: np.uint16,
    Coding.SNORM16: np.int16,
    Coding.HALF: np.uint16,
}


def block_coding(fmt: Format, rules: Rules = NVN) -> Coding:
    """Return what the codes of a compressed format mean.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> block_coding(format_named("RGTC1_SNORM")).value
    'snorm16'

    Raises
    ------
    UnsupportedFormat
        For a format that is not compressed.
    """
    del rules
    if not fmt.is_compressed:
        raise UnsupportedFormat(f"{fmt.nvn_name} is not compressed; refnvn.formats.codec decodes its texels")
    if fmt.srgb:
        return Coding.SRGB8
    if fmt.name.startswith("RGTC"):
        return Coding.SNORM16 if fmt.numeric_class is NumericClass.COMPRESSED_SNORM else Coding.UNORM16
    if fmt.numeric_class in (NumericClass.COMPRESSED_SFLOAT, NumericClass.COMPRESSED_UFLOAT):
        return Coding.HALF
    return Coding.UNORM8


def block_channels(fmt: Format) -> int:
    """Return how many channels the codes of a compressed format have: 1, 2, 3 (BC6H) or 4."""
    if fmt.name.startswith("RGTC"):
        return int(fmt.name[4])
    return 3 if fmt.name in ("BPTC_SFLOAT", "BPTC_UFLOAT") else 4


def _decode_into(fmt: Format, blocks: UInt8, columns: int, out: NDArray[Any]) -> None:
    """Decode blocks, row by row, into codes of shape (rows, height, columns, width, channels)."""
    name = fmt.name.removesuffix("_SRGB")
    if name.startswith("RGTC"):
        signed = fmt.numeric_class is NumericClass.COMPRESSED_SNORM
        drive(bc4_driver, blocks, columns, out, room(8), block_channels(fmt), signed)
        return
    if name in ("BPTC_SFLOAT", "BPTC_UFLOAT"):
        drive(bc6h_driver, blocks, columns, out, room(12), room(48), name == "BPTC_SFLOAT")
        return
    packed = out.view("<u4")[..., 0]
    if name in ("RGB_DXT1", "RGBA_DXT1"):
        drive(bc1_driver, blocks, columns, packed, room(4), _OPAQUE_BLACK if name == "RGB_DXT1" else 0)
    elif name == "RGBA_DXT3":
        drive(bc2_driver, blocks, columns, packed, room(4))
    elif name == "RGBA_DXT5":
        drive(bc3_driver, blocks, columns, packed, room(4), room(8))
    elif name == "BPTC_UNORM":
        drive(bc7_driver, blocks, columns, packed, room(24), room(16))
    else:
        raise UnsupportedFormat(f"{fmt.nvn_name} is not decoded to values yet; BC formats are")


def _codes(fmt: Format, blocks: UInt8, rows: int, columns: int, rules: Rules) -> NDArray[Any]:
    """Return codes of shape (rows, height, columns, width, channels)."""
    shape = (rows, fmt.block_height_px, columns, fmt.block_width_px, block_channels(fmt))
    out = np.empty(shape, dtype=_DTYPES[block_coding(fmt, rules)])
    _decode_into(fmt, blocks, columns, out)
    return out


def decode_block_codes(fmt: Format, data: NDArray[np.uint8], rules: Rules = NVN) -> NDArray[Any]:
    """Return the codes of blocks, each on its own.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    data : uint8, shape (..., bytes_per_block)
        Any bytes: illegal blocks have a result too.
    rules : Rules
        Read by ASTC only.

    Returns
    -------
    uint8, uint16 or int16, shape (..., block_height_px, block_width_px, channels)
        By the format's coding; channels as :func:`block_channels` says. Bit-exact.

    Raises
    ------
    UnsupportedFormat
        For a format that is not compressed.
    ShapeError
        For data of another dtype or last dimension.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> decode_block_codes(format_named("RGTC1_UNORM"), np.full(8, 255, np.uint8))[0, 0].tolist()
    [65535]
    """
    block_coding(fmt, rules)
    blocks = np.asarray(data)
    if blocks.dtype != np.uint8 or blocks.ndim == 0 or blocks.shape[-1] != fmt.bytes_per_block:
        raise ShapeError(
            f"blocks of {fmt.nvn_name} must be uint8 of shape (..., {fmt.bytes_per_block}), "
            f"not {blocks.dtype} of shape {blocks.shape}"
        )
    count = blocks.size // fmt.bytes_per_block
    codes = _codes(fmt, blocks, count, 1, rules)
    return codes.reshape(*blocks.shape[:-1], fmt.block_height_px, fmt.block_width_px, codes.shape[-1])


def decode_image_codes(
    fmt: Format, rows: bytes | NDArray[np.uint8], width_px: int, height_px: int, rules: Rules = NVN
) -> NDArray[Any]:
    """Return the codes of an image of blocks.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    rows : bytes or uint8, any shape
        Tightly packed rows of blocks, the first row first; exactly as many bytes as the size needs.
    width_px, height_px : int
        1 to 16384; blocks at the right and lower edge may reach beyond it.
    rules : Rules
        Read by ASTC only.

    Returns
    -------
    uint8, uint16 or int16, shape (height_px, width_px, channels)

    Raises
    ------
    UnsupportedFormat
        For a format that is not compressed.
    SizeError
        For a side outside its range, or data of another size.
    ShapeError
        For data that are not bytes.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> decode_image_codes(format_named("RGBA_DXT1"), bytes([0, 248, 0, 248, 0, 0, 0, 0]), 1, 1).tolist()
    [[[255, 0, 0, 255]]]
    """
    block_coding(fmt, rules)
    for side, side_px in (("width", width_px), ("height", height_px)):
        if not 1 <= side_px <= LARGEST_SIDE_PX:
            raise SizeError(f"{side} {side_px} of an image of {fmt.nvn_name} is outside 1 to {LARGEST_SIDE_PX}")
    blocks = np.frombuffer(rows, np.uint8) if isinstance(rows, bytes) else np.asarray(rows)
    if blocks.dtype != np.uint8:
        raise ShapeError(f"blocks of {fmt.nvn_name} must be uint8, not {blocks.dtype}")
    columns, block_rows = -(-width_px // fmt.block_width_px), -(-height_px // fmt.block_height_px)
    needed_B = columns * block_rows * fmt.bytes_per_block
    if blocks.size != needed_B:
        raise SizeError(f"{width_px} x {height_px} of {fmt.nvn_name} needs {needed_B} bytes, not {blocks.size}")
    codes = _codes(fmt, blocks, block_rows, columns, rules)
    image = codes.reshape(block_rows * fmt.block_height_px, columns * fmt.block_width_px, -1)
    return np.ascontiguousarray(image[:height_px, :width_px])


@rule(
    "FMT-BLOCK-1",
    "A compressed sRGB format decodes to the 8-bit codes of its linear twin; red, green and blue then read by the "
    "sRGB table, alpha as its code over 255.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks",),
    fields=("decode_srgb",),
)
def srgb_values(codes: NDArray[np.uint8], rules: Rules = NVN) -> Float32:
    """Return what R, G, B, A codes of a compressed sRGB format read as.

    Examples
    --------
    >>> srgb_values(np.array([255, 0, 0, 51], np.uint8)).tolist()
    [1.0, 0.0, 0.0, 0.20000000298023224]
    """
    values = decode_srgb(codes, rules)
    values[..., 3] = decode_unorm(codes[..., 3], 8)
    return values


def code_values(fmt: Format, codes: NDArray[Any], rules: Rules = NVN) -> Float32:
    """Return what the codes of a compressed format read as.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    codes : integers, shape (..., channels)
        As :func:`decode_block_codes` and :func:`decode_image_codes` give them.
    rules : Rules
        Reads ``decode_srgb`` for sRGB formats.

    Returns
    -------
    float32, shape (..., 4)
        R, G, B, A, correctly rounded; what the format lacks is 0, 0, 0, 1.
    """
    read = _values_of(block_coding(fmt, rules), codes, rules)
    if read.shape[-1] == 4:
        return read
    values = missing_components(fmt, codes.shape[:-1])
    values[..., : read.shape[-1]] = read
    return values


def _values_of(coding: Coding, codes: NDArray[Any], rules: Rules) -> Float32:
    if coding is Coding.SRGB8:
        return srgb_values(codes, rules)
    if coding is Coding.HALF:
        return decode_half(codes.astype(np.uint32))
    if coding is Coding.SNORM16:
        return decode_snorm(codes.view(np.uint16), 16)
    return decode_unorm(codes, 8 if coding is Coding.UNORM8 else 16)


def decode_blocks_values(fmt: Format, data: NDArray[np.uint8], rules: Rules = NVN) -> Float32:
    """Return what the texels of blocks read as, each block on its own.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    data : uint8, shape (..., bytes_per_block)
        Any bytes.
    rules : Rules
        Reads ``decode_srgb``; ASTC reads more.

    Returns
    -------
    float32, shape (..., block_height_px, block_width_px, 4)
        R, G, B, A.

    Raises
    ------
    UnsupportedFormat, ShapeError
        As :func:`decode_block_codes`.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> decode_blocks_values(format_named("RGTC1_UNORM"), np.full(8, 255, np.uint8))[3, 3].tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    return code_values(fmt, decode_block_codes(fmt, data, rules), rules)


def decode_image(
    fmt: Format, rows: bytes | NDArray[np.uint8], width_px: int, height_px: int, rules: Rules = NVN
) -> Float32:
    """Return what the texels of an image of blocks read as.

    Parameters and errors are those of :func:`decode_image_codes`.

    Returns
    -------
    float32, shape (height_px, width_px, 4)
        R, G, B, A.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> decode_image(format_named("RGTC1_UNORM"), bytes([0] * 8), 3, 2).shape
    (2, 3, 4)
    """
    return code_values(fmt, decode_image_codes(fmt, rows, width_px, height_px, rules), rules)
