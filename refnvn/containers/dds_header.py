"""What does the header of a DDS say, and is it true?

::

    0    'DDS '
    4    DDS_HEADER: size 124, flags, height, width, pitch, depth, levels, 11 reserved words,
         DDS_PIXELFORMAT (size 32, flags, FourCC, bits, four masks), four words of capabilities, reserved
    128  DDS_HEADER_DXT10, where the FourCC is 'DX10': DXGI format, dimension, misc, array size, misc 2
    148  texels

The flags that announce which fields count, and the pitch, are wrong in many files and decide nothing here; the
size of the payload decides. An array of one layer cannot be told from no array and is read as none.
It does not read texels. Read next: ``dds.py``.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from refnvn.containers.dds_legacy import HAS_FOUR_CC, PixelFormat, legacy_format
from refnvn.containers.equivalents import Equivalent, by_dxgi_code, equivalents
from refnvn.containers.source import lies_of, require
from refnvn.containers.surface import CUBE_FACES, BlockSize, Kind, Shape
from refnvn.errors import InputFileError

MAGIC = b"DDS "
HEADER_B = 124
PIXEL_FORMAT_B = 32
LEGACY_PAYLOAD_OFFSET_B = 128
DX10_PAYLOAD_OFFSET_B = 148

HEADER = struct.Struct("<4s7I44x2I4s5I4I4x")
"""Magic, size, flags, height, width, pitch, depth, levels, the pixel format, four words of capabilities."""
HEADER_DX10 = struct.Struct("<5I")

FLAG_DEPTH = 0x800000
CAPS2_CUBE = 0x200
CAPS2_ALL_FACES = 0xFC00
CAPS2_VOLUME = 0x200000
MISC_CUBE = 0x4
MAX_ALPHA_MODE = 4
DIMENSIONS = {2: Kind.ONE_D, 3: Kind.TWO_D, 4: Kind.THREE_D}

TYPED = {
    1: 2, 5: 6, 9: 10, 15: 16, 23: 24, 27: 28, 33: 34, 39: 41, 48: 49, 53: 54, 60: 61,
    70: 71, 73: 74, 76: 77, 79: 80, 82: 83, 90: 87, 92: 88, 94: 95, 97: 98,
}  # fmt: skip
"""DXGI's typeless formats, and one of the same bits that says what they mean (DXGI_FORMAT, Microsoft)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DdsHeader:
    """What a DDS says before its texels.

    Attributes
    ----------
    shape : Shape
        The texture. What follows the header need not be as long as ``shape.total_B``: a DDS for the Switch holds
        block-linear bytes.
    says : str
        The pixel format in the file's own words: a DXGI name, a FourCC or masks.
    is_dx10 : bool
        Whether the header is followed by the DX10 one.
    """

    shape: Shape
    says: str
    is_dx10: bool


def read_dds_header(data: bytes, name: str, *, typeless: str | None = None) -> tuple[DdsHeader, int]:
    """Read the header alone, whatever follows it.

    Parameters
    ----------
    data : bytes
        The file, or at least its header.
    name : str
        What to call the file in an error.
    typeless : str or None
        NVN's format to take where the header names a DXGI format that does not say what its bits mean.

    Returns
    -------
    header : DdsHeader
        What it says.
    payload_offset_B : int
        Where the texels begin: 128 or 148.

    Raises
    ------
    InputFileError
        The header is cut short, contradicts itself, or names what NVN does not have.
    """
    require(name, "size", f"{len(data)} bytes", allowed=f"{HEADER.size} or more", fine=len(data) >= HEADER.size)
    magic, size_B, flags, height_px, width_px, _, depth, levels, *rest = HEADER.unpack_from(data)
    pixel_format_size_B, *words, _, caps2, _, _ = rest
    require(name, "magic", magic, allowed=str(MAGIC), fine=magic == MAGIC)
    require(name, "header size", size_B, allowed=str(HEADER_B), fine=size_B == HEADER_B)
    require(name, "pixel format size", pixel_format_size_B, allowed=str(PIXEL_FORMAT_B),
            fine=pixel_format_size_B == PIXEL_FORMAT_B)  # fmt: skip
    pixel_format = PixelFormat(*words)
    size = {"width_px": width_px, "height_px": height_px, "levels": max(1, levels)}
    if pixel_format.flags & HAS_FOUR_CC and pixel_format.four_cc == b"DX10":
        return _dx10(data, name, size, depth, typeless), DX10_PAYLOAD_OFFSET_B
    nvn, block = legacy_format(pixel_format, name)
    is_volume = bool(flags & FLAG_DEPTH or caps2 & CAPS2_VOLUME)
    shape = _legacy_shape(name, nvn, block, size, depth if is_volume else None, caps2)
    return DdsHeader(shape=shape, says=str(pixel_format), is_dx10=False), LEGACY_PAYLOAD_OFFSET_B


def _legacy_shape(
    name: str, nvn: str, block: BlockSize, size: dict[str, Any], depth: int | None, caps2: int
) -> Shape:
    """Return the shape of a header without DX10: never 1D, never an array, a cube only with all its faces."""
    with lies_of(name):
        if depth is not None:
            if caps2 & CAPS2_CUBE:
                raise InputFileError(f"{name}: caps2 is {caps2:#x}; allowed: a cube or a volume, not both")
            return Shape(format=nvn, block=block, kind=Kind.THREE_D, depth=depth, **size)
        if not caps2 & CAPS2_CUBE:
            return Shape(format=nvn, block=block, **size)
        require(name, "caps2", f"{caps2:#x}", allowed=f"all six faces of a cube, {CAPS2_ALL_FACES:#x}",
                fine=caps2 & CAPS2_ALL_FACES == CAPS2_ALL_FACES)  # fmt: skip
        return Shape(format=nvn, block=block, kind=Kind.CUBE, layers=CUBE_FACES, **size)


def _row(code: int, name: str, typeless: str | None) -> Equivalent:
    """Return the row of a DXGI format; of a typeless one that of the format that is said, if it has its bits."""
    row = by_dxgi_code().get(code)
    if row is not None:
        return row
    typed = by_dxgi_code().get(TYPED.get(code, -1))
    if typed is None:
        raise InputFileError(f"{name}: DXGI format is {code}; allowed: one whose bits are an NVN format's")
    said = equivalents().get(typeless or "")
    if said is not None and said.block == typed.block:
        return said
    raise InputFileError(
        f"{name}: DXGI format is {code}; allowed: one that says what its bits mean, or a format of those bits said "
        f"beside it, such as {typed.nvn}"
    )


def _dx10(data: bytes, name: str, size: dict[str, Any], depth: int, typeless: str | None) -> DdsHeader:
    """Return what a header with DX10 says."""
    require(name, "size", f"{len(data)} bytes", allowed=f"{DX10_PAYLOAD_OFFSET_B} or more for a DX10 header",
            fine=len(data) >= DX10_PAYLOAD_OFFSET_B)  # fmt: skip
    code, dimension, misc, array_size, misc2 = HEADER_DX10.unpack_from(data, LEGACY_PAYLOAD_OFFSET_B)
    array_size = max(1, array_size)  # Pillow and others write 0 for what is no array
    row = _row(code, name, typeless)
    require(name, "resource dimension", dimension, allowed="2, 3 or 4", fine=dimension in DIMENSIONS)
    require(name, "misc flag", f"{misc:#x}", allowed="0, or 0x4 for a 2D cube",
            fine=misc == 0 or (misc == MISC_CUBE and DIMENSIONS[dimension] is Kind.TWO_D))  # fmt: skip
    require(name, "misc flags 2", misc2, allowed=f"0 to {MAX_ALPHA_MODE}", fine=misc2 <= MAX_ALPHA_MODE)
    kind = Kind.CUBE if misc == MISC_CUBE else DIMENSIONS[dimension]
    with lies_of(name):
        shape = Shape(
            format=row.nvn,
            block=row.block,
            kind=kind,
            is_array=array_size > 1 and kind is not Kind.THREE_D,
            depth=depth if kind is Kind.THREE_D else 1,
            layers=array_size * (CUBE_FACES if kind is Kind.CUBE else 1),
            **size,
        )
    return DdsHeader(shape=shape, says=row.dxgi_name, is_dx10=True)
