"""What did a DDS mean by its pixel format before there were DXGI formats?

A legacy header names a FourCC, a number of Direct3D 9, or bit masks. Those whose bits are an NVN format's are here;
the others are refused, above all 4:4:4:4 with B lowest, which NVN does not have.

Masks are taken at their word. Direct3D's own tools wrote those of 10:10:10:2 with R and B exchanged; a file that
says R is lowest is RGB10A2 here, and nothing in it tells whether it came from those tools.
Luminance is R, and luminance with alpha is R and G: the same bits under the names that NVN has for them.

Read next: ``dds_header.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.containers.equivalents import equivalents
from refnvn.containers.surface import BlockSize
from refnvn.errors import InputFileError

HAS_ALPHA = 0x1
HAS_FOUR_CC = 0x4
IS_RGB = 0x40
IS_LUMINANCE = 0x20000
IS_SIGNED = 0x80000
"""DDPF_BUMPDUDV: the components are snorm."""

FOUR_CC_FORMATS = {
    b"DXT1": "RGBA_DXT1",
    b"DXT3": "RGBA_DXT3",
    b"DXT5": "RGBA_DXT5",
    b"ATI1": "RGTC1_UNORM",
    b"BC4U": "RGTC1_UNORM",
    b"BC4S": "RGTC1_SNORM",
    b"ATI2": "RGTC2_UNORM",
    b"BC5U": "RGTC2_UNORM",
    b"BC5S": "RGTC2_SNORM",
}

DIRECT3D_9_FORMATS = {
    36: "RGBA16",
    110: "RGBA16SN",
    111: "R16F",
    112: "RG16F",
    113: "RGBA16F",
    114: "R32F",
    115: "RG32F",
    116: "RGBA32F",
}
"""Numbers of D3DFORMAT that stand in the place of a FourCC."""

MASK_FORMATS = {
    (IS_RGB, 32, 0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000): "RGBA8",
    (IS_RGB, 32, 0x000000FF, 0x0000FF00, 0x00FF0000, 0x00000000): "RGBX8",
    (IS_RGB, 32, 0x00FF0000, 0x0000FF00, 0x000000FF, 0xFF000000): "BGRA8",
    (IS_RGB, 32, 0x00FF0000, 0x0000FF00, 0x000000FF, 0x00000000): "BGRX8",
    (IS_RGB, 32, 0x000003FF, 0x000FFC00, 0x3FF00000, 0xC0000000): "RGB10A2",
    (IS_RGB, 32, 0x0000FFFF, 0xFFFF0000, 0x00000000, 0x00000000): "RG16",
    (IS_RGB, 24, 0x000000FF, 0x0000FF00, 0x00FF0000, 0x00000000): "RGB8",
    (IS_RGB, 16, 0xF800, 0x07E0, 0x001F, 0x0000): "BGR565",
    (IS_RGB, 16, 0x001F, 0x07E0, 0xF800, 0x0000): "RGB565",
    (IS_RGB, 16, 0x7C00, 0x03E0, 0x001F, 0x8000): "BGR5A1",
    (IS_RGB, 16, 0x7C00, 0x03E0, 0x001F, 0x0000): "BGR5",
    (IS_RGB, 16, 0x001F, 0x03E0, 0x7C00, 0x8000): "RGB5A1",
    (IS_RGB, 16, 0x001F, 0x03E0, 0x7C00, 0x0000): "RGB5",
    (IS_RGB, 16, 0xF800, 0x07C0, 0x003E, 0x0001): "A1BGR5",
    (IS_RGB, 16, 0x000F, 0x00F0, 0x0F00, 0xF000): "RGBA4",
    (IS_RGB, 16, 0x00FF, 0xFF00, 0x0000, 0x0000): "RG8",
    (IS_RGB, 8, 0xFF, 0x00, 0x00, 0x00): "R8",
    (IS_LUMINANCE, 16, 0xFFFF, 0x0000, 0x0000, 0x0000): "R16",
    (IS_LUMINANCE, 16, 0x00FF, 0x0000, 0x0000, 0xFF00): "RG8",
    (IS_LUMINANCE, 8, 0xFF, 0x00, 0x00, 0x00): "R8",
    (IS_SIGNED, 32, 0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000): "RGBA8SN",
    (IS_SIGNED, 32, 0x0000FFFF, 0xFFFF0000, 0x00000000, 0x00000000): "RG16SN",
    (IS_SIGNED, 16, 0x00FF, 0xFF00, 0x0000, 0x0000): "RG8SN",
}
"""By sort, bits of a texel, and the masks of R, G, B and A; bit 0 is the lowest bit of the first byte."""


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """The eight words of DDS_PIXELFORMAT, without its size."""

    flags: int
    four_cc: bytes
    bits: int
    red_mask: int
    green_mask: int
    blue_mask: int
    alpha_mask: int

    def mask_key(self) -> tuple[int, int, int, int, int, int]:
        """Return the key of ``MASK_FORMATS``; masks that the flags do not announce count as 0."""
        sort = self.flags & (IS_RGB | IS_LUMINANCE | IS_SIGNED)
        green, blue = (0, 0) if sort == IS_LUMINANCE else (self.green_mask, self.blue_mask)
        alpha_mask = self.alpha_mask if self.flags & HAS_ALPHA or sort == IS_SIGNED else 0
        return sort, self.bits, self.red_mask, green, blue, alpha_mask

    def __str__(self) -> str:
        if self.flags & HAS_FOUR_CC:
            return f"FourCC {self.four_cc!r} (number {int.from_bytes(self.four_cc, 'little')})"
        masks = ", ".join(f"{mask:#x}" for mask in self.mask_key()[2:])
        return f"flags {self.flags:#x}, {self.bits} bits, masks {masks}"


def legacy_format(pixel_format: PixelFormat, name: str) -> tuple[str, BlockSize]:
    """Return NVN's format and its block for a legacy pixel format.

    Parameters
    ----------
    pixel_format : PixelFormat
        As the header has it; not the FourCC ``DX10``.
    name : str
        The file, for the error.

    Raises
    ------
    InputFileError
        No NVN format has these bits.

    Examples
    --------
    >>> legacy_format(PixelFormat(0x40, bytes(4), 16, 0xF800, 0x7E0, 0x1F, 0), "a.dds")[0]
    'BGR565'
    """
    if pixel_format.flags & HAS_FOUR_CC:
        number = int.from_bytes(pixel_format.four_cc, "little")
        found = FOUR_CC_FORMATS.get(pixel_format.four_cc) or DIRECT3D_9_FORMATS.get(number)
    else:
        found = MASK_FORMATS.get(pixel_format.mask_key())
    if found is None:
        names = ", ".join(code.decode() for code in FOUR_CC_FORMATS)
        raise InputFileError(
            f"{name}: pixel format is {pixel_format}; allowed: DX10, {names}, "
            f"the numbers {', '.join(map(str, DIRECT3D_9_FORMATS))}, and bit masks that are an NVN format's"
        )
    if pixel_format.flags & HAS_FOUR_CC:
        return found, equivalents()[found].block
    return found, BlockSize(pixel_format.bits // 8)
