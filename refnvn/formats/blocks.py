"""What do the texels of compressed blocks read as? The one door to all block formats.

A block decodes to codes first, whole numbers that filtering works on; ``block_coding.py`` says what they mean.
It encodes nothing and filters nothing. Read next: ``bc1.py``, ``astc.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ShapeError, SizeError
from refnvn.formats.astc import astc_driver
from refnvn.formats.astc_colours import unquantised_colour
from refnvn.formats.astc_results import HALF, SRGB8, UNORM8
from refnvn.formats.astc_room import astc_room
from refnvn.formats.astc_weights import unquantised_weight
from refnvn.formats.bc1 import bc1_driver
from refnvn.formats.bc6h import bc6h_driver
from refnvn.formats.bc7 import bc7_driver
from refnvn.formats.bc_alpha import bc2_driver, bc3_driver, bc4_driver
from refnvn.formats.block_coding import (
    Coding,
    astc_knows_hdr,
    block_channels,
    block_coding,
    code_values,
    is_astc,
)
from refnvn.formats.block_kernel import drive, room, rules_of
from refnvn.formats.floatbits import Float32, UInt8
from refnvn.formats.table import Format, NumericClass
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import note

LARGEST_SIDE_PX = 1 << 14
_OPAQUE_BLACK = 0xFF000000

_DTYPES: dict[Coding, type[Any]] = {
    Coding.UNORM8: np.uint8,
    Coding.SRGB8: np.uint8,
    Coding.UNORM16: np.uint16,
    Coding.SNORM16: np.int16,
    Coding.HALF: np.uint16,
}

_ASTC_KINDS = {Coding.HALF: HALF, Coding.UNORM8: UNORM8, Coding.SRGB8: SRGB8}


def _decode_astc(fmt: Format, blocks: UInt8, columns: int, out: NDArray[Any], rules: Rules) -> None:
    coding = block_coding(fmt, rules)
    size = fmt.block_width_px, fmt.block_height_px
    note(rules_of(unquantised_weight) | rules_of(unquantised_colour))  # they made tables, before anybody collected
    drive(astc_driver, blocks, columns, out, *size, _ASTC_KINDS[coding], astc_knows_hdr(coding, rules), astc_room())


def _decode_bc(fmt: Format, blocks: UInt8, columns: int, out: NDArray[Any]) -> None:
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
    else:
        drive(bc7_driver, blocks, columns, packed, room(24), room(16))


def _codes(fmt: Format, blocks: UInt8, rows: int, columns: int, rules: Rules) -> NDArray[Any]:
    """Return codes of shape (rows, height, columns, width, channels)."""
    shape = (rows, fmt.block_height_px, columns, fmt.block_width_px, block_channels(fmt))
    out = np.empty(shape, dtype=_DTYPES[block_coding(fmt, rules)])
    if is_astc(fmt):
        _decode_astc(fmt, blocks, columns, out, rules)
    else:
        _decode_bc(fmt, blocks, columns, out)
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
        Reads ``astc_decode`` and ``astc_profile`` for ASTC.

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
        Reads ``astc_decode`` and ``astc_profile`` for ASTC.

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


def decode_blocks_values(fmt: Format, data: NDArray[np.uint8], rules: Rules = NVN) -> Float32:
    """Return what the texels of blocks read as, each block on its own.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    data : uint8, shape (..., bytes_per_block)
        Any bytes.
    rules : Rules
        Reads ``decode_srgb``, ``astc_decode`` and ``astc_profile``, each where it matters.

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
