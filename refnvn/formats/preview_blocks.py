"""What picture shows a surface of a block-compressed format?

The codes of our own decoder, brought to 8 bits: 16-bit codes rounded, half floats clamped to 0..1, signed values
moved up by half the range where the format has the channel. sRGB formats show their codes, unconverted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.block_coding import Coding, block_coding, code_values
from refnvn.formats.blocks import decode_image_codes
from refnvn.formats.floatbits import UInt8, clamped
from refnvn.formats.table import Format


def decode_blocks(fmt: Format, data: NDArray[np.uint8], width_px: int, height_px: int) -> UInt8:
    """Return a picture of compressed data of exactly the right size.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    data : uint8, flat
        Rows of blocks.
    width_px, height_px : int

    Returns
    -------
    uint8, shape (height_px, width_px, 4)
        R, G, B, A.
    """
    codes = decode_image_codes(fmt, data, width_px, height_px)
    coding = block_coding(fmt)
    if coding in (Coding.UNORM8, Coding.SRGB8):
        return codes
    values = code_values(fmt, codes)
    if coding is Coding.SNORM16:
        channels = slice(codes.shape[-1])
        values[..., channels] = values[..., channels] * np.float32(0.5) + np.float32(0.5)
    return np.floor(clamped(values, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
