"""What picture shows a surface of a block-compressed format?

The blocks go through texture2ddecoder, which reads past the end of short input: callers check sizes first
(``preview.py`` does). Three things it lacks are done here: BC2, the transparent texels of BC1, and the rule that the
colours of BC2 and BC3 always come from four. Signed formats are shown as if unsigned: BC4 and BC5 with their end
points moved by half the range, BC6H unchanged, so negative values look wrong.

Not oracle values: NVIDIA's palettes differ in the last bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import UInt8, UInt32
from refnvn.formats.table import Format

BLOCK_TEXELS = 16


def _decoded(name: str, blocks: UInt8, width_px: int, height_px: int, *more: int) -> UInt8:
    """Call a texture2ddecoder function and return R, G, B, A."""
    import texture2ddecoder

    raw = getattr(texture2ddecoder, f"decode_{name}")(blocks.tobytes(), width_px, height_px, *more)
    bgra = np.frombuffer(raw, dtype=np.uint8).reshape(height_px, width_px, 4)
    return np.ascontiguousarray(bgra[..., [2, 1, 0, 3]])


def _placed(per_block: UInt8, width_px: int, height_px: int) -> UInt8:
    """Lay 16 bytes per block (row by row of 4 x 4 texels) out as a picture plane."""
    columns, rows = -(-width_px // 4), -(-height_px // 4)
    plane = per_block.reshape(rows, columns, 4, 4).swapaxes(1, 2).reshape(rows * 4, columns * 4)
    return plane[:height_px, :width_px]


def _colour_words(colour: UInt8) -> tuple[UInt32, UInt32, UInt32]:
    """Return the two end points and the index word of 8-byte colour blocks, shape (blocks, 8)."""
    halves = np.ascontiguousarray(colour).view("<u2").astype(np.uint32)
    return halves[:, 0], halves[:, 1], halves[:, 2] | (halves[:, 3] << np.uint32(16))


def four_colours(colour: UInt8) -> UInt8:
    """Rewrite colour blocks so that a BC1 decoder uses four colours and gives the same picture.

    Where the first end point is not the greater, the two are swapped and with them the indices 0 and 1, 2 and 3;
    where they are equal every index is 0.

    Parameters
    ----------
    colour : uint8, shape (blocks, 8)

    Returns
    -------
    uint8, shape (blocks, 8)
    """
    first, second, indices = _colour_words(colour)
    swap = first < second
    indices = np.where(swap, indices ^ np.uint32(0x55555555), np.where(first == second, np.uint32(0), indices))
    words = np.stack(
        [np.where(swap, second, first), np.where(swap, first, second), indices & 0xFFFF, indices >> np.uint32(16)],
        axis=-1,
    )
    return np.ascontiguousarray(words.astype("<u2")).view(np.uint8)


def bc1_alpha(colour: UInt8) -> UInt8:
    """Return the alpha of BC1 blocks: 0 for index 3 where the first end point is not the greater, else 255.

    Parameters
    ----------
    colour : uint8, shape (blocks, 8)

    Returns
    -------
    uint8, shape (blocks, 16)
    """
    first, second, indices = _colour_words(colour)
    shifts = np.arange(BLOCK_TEXELS, dtype=np.uint32) * np.uint32(2)
    index = (indices[:, np.newaxis] >> shifts) & np.uint32(3)
    clear = (index == 3) & (first <= second)[:, np.newaxis]
    return np.where(clear, np.uint8(0), np.uint8(255))


def bc2_alpha(blocks: UInt8) -> UInt8:
    """Return the alpha of the first 8 bytes of BC2 blocks: 4 bits per texel, low bits first, times 17.

    Parameters
    ----------
    blocks : uint8, shape (blocks, 8)

    Returns
    -------
    uint8, shape (blocks, 16)
    """
    nibbles = np.stack([blocks & np.uint8(15), blocks >> np.uint8(4)], axis=-1)
    return nibbles.reshape(len(blocks), BLOCK_TEXELS) * np.uint8(17)


def _moved_end_points(blocks: UInt8, width_B: int) -> UInt8:
    """Move the signed end points of BC4 or BC5 blocks to unsigned ones."""
    moved = blocks.copy()
    for half in range(0, width_B, 8):
        moved[:, half : half + 2] ^= np.uint8(0x80)
    return moved


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
    blocks = np.ascontiguousarray(data).reshape(-1, fmt.bytes_per_block)
    name = fmt.name.removesuffix("_SRGB")
    if name.startswith("RGBA_ASTC"):
        return _decoded("astc", blocks, width_px, height_px, fmt.block_width_px, fmt.block_height_px)
    if name in ("RGB_DXT1", "RGBA_DXT1"):
        return _bc1(blocks, width_px, height_px, transparent=name == "RGBA_DXT1")
    if name == "RGBA_DXT3":
        picture = _decoded("bc1", four_colours(blocks[:, 8:]), width_px, height_px)
        picture[..., 3] = _placed(bc2_alpha(blocks[:, :8]), width_px, height_px)
        return picture
    if name == "RGBA_DXT5":
        whole = np.concatenate([blocks[:, :8], four_colours(blocks[:, 8:])], axis=1)
        return _decoded("bc3", whole, width_px, height_px)
    if name.startswith("RGTC"):
        unsigned = _moved_end_points(blocks, fmt.bytes_per_block) if name.endswith("SNORM") else blocks
        return _decoded("bc4" if name.startswith("RGTC1") else "bc5", unsigned, width_px, height_px)
    return _decoded("bc7" if name == "BPTC_UNORM" else "bc6", blocks, width_px, height_px)


def _bc1(blocks: UInt8, width_px: int, height_px: int, *, transparent: bool) -> UInt8:
    picture = _decoded("bc1", blocks, width_px, height_px)
    alpha = _placed(bc1_alpha(blocks), width_px, height_px) if transparent else np.uint8(255)
    picture[..., 3] = alpha
    return picture
