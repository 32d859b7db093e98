"""How are pictures of integers written as PNG, and read?

Written here rather than by Pillow, because Pillow has no 16-bit RGB, and so that the same array gives the same rows
and chunks everywhere; the compressed bytes are zlib's, and may differ between versions of zlib. Read by Pillow up to
8 bits and by ``png_rows.py`` above. Codes are stored as they are: no gamma, no colour profile.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from refnvn.containers.png_chunks import (
    IHDR,
    SIGNATURE,
    Chunk,
    PngHeader,
    chunk_bytes,
    chunks_of,
    header_of,
    text_chunks,
    text_of,
)
from refnvn.containers.png_rows import decode_16_bit, inflate
from refnvn.containers.source import Source, load, require
from refnvn.containers.surface import MAX_SIZE_PX
from refnvn.errors import InputFileError, ShapeError
from refnvn.files import write_file

LIMIT_PX = 1 << 26
"""More pixels are never decoded."""
LIMIT_B = 1 << 30
FILTER_UP = 2
COMPRESSION_LEVEL = 6

PALETTE = 3
COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}
"""By channels: grey, grey with alpha, RGB, RGBA."""
DECIDES_PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")

Codes = NDArray[np.uint8] | NDArray[np.uint16]


def png_bytes(values: Codes, text: Mapping[str, str] | None = None) -> bytes:
    """Return a picture as a PNG file.

    Parameters
    ----------
    values : uint8 or uint16, shape (height, width) or (height, width, channels)
        Rows from the top down; 1 channel is grey, 2 grey and alpha, 3 RGB, 4 RGBA.
    text : mapping of str to str, optional
        Text for the file, such as where the picture comes from.

    Raises
    ------
    ShapeError
        Another dtype or shape, or a side outside 1 to 16384.
    FieldRangeError
        A text PNG cannot hold.
    """
    channels = values.shape[2] if values.ndim == 3 else 1
    sides_fit = all(1 <= side <= MAX_SIZE_PX for side in values.shape[:2])
    if (
        values.dtype not in (np.uint8, np.uint16)
        or values.ndim not in (2, 3)
        or channels not in COLOUR_TYPES
        or not sides_fit
    ):
        raise ShapeError(
            f"values are {values.dtype} of shape {values.shape}; allowed in PNG: uint8 or uint16 of shape "
            f"(height, width) or (height, width, 1 to 4), sides 1 to {MAX_SIZE_PX}"
        )
    height_px, width_px = values.shape[:2]
    header = IHDR.pack(width_px, height_px, 8 * values.itemsize, COLOUR_TYPES[channels], 0, 0, 0)
    pixels = zlib.compress(_filtered(values), COMPRESSION_LEVEL)
    chunks = (chunk_bytes(b"IHDR", header), text_chunks(text or {}), chunk_bytes(b"IDAT", pixels))
    return b"".join((SIGNATURE, *chunks, chunk_bytes(b"IEND", b"")))


def _filtered(values: Codes) -> bytes:
    """Return the rows, big endian, each as its difference from the row above."""
    big_endian = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder(">"))
    rows = big_endian.view(np.uint8).reshape(values.shape[0], -1)
    filtered = np.full((rows.shape[0], 1 + rows.shape[1]), FILTER_UP, np.uint8)
    filtered[0, 1:] = rows[0]
    filtered[1:, 1:] = rows[1:] - rows[:-1]
    return filtered.tobytes()


def write_png(path: Path | str, values: Codes, text: Mapping[str, str] | None = None) -> None:
    """Write a picture as a PNG file in one step; see :func:`png_bytes`."""
    write_file(path, png_bytes(values, text))


def read_png(source: Source, *, limit_px: int = LIMIT_PX) -> Codes:
    """Read the codes of a PNG file.

    Parameters
    ----------
    source : Path, str or bytes
        A file, or its bytes.
    limit_px : int
        Larger pictures are refused before anything is decoded; never more than 2^26.

    Returns
    -------
    uint8 or uint16, shape (height, width) or (height, width, channels)
        Rows from the top down; grey, grey and alpha, RGB or RGBA. A palette becomes RGB or RGBA, grey of less than
        8 bits becomes 8 bits.

    Raises
    ------
    InputFileError
        Not a whole PNG, too large, 16 bits and interlaced, or a transparent colour of other than 8 bits.
    """
    data, name = load(source, LIMIT_B)
    chunks = chunks_of(data, name)
    header = header_of(chunks, name, min(limit_px, LIMIT_PX))
    has_key = any(letters == b"tRNS" for letters, _ in chunks)
    depth_says = f"of {header.depth_bits} bits, with tRNS"
    fine = not has_key or header.depth_bits == 8 or header.colour_type == PALETTE
    require(name, "PNG", depth_says, allowed="tRNS only with 8 bits or a palette", fine=fine)
    rows = inflate(header, chunks, name)
    if header.depth_bits == 16:
        values: Codes = decode_16_bit(header, rows, name)
    else:
        values = _by_pillow(header, chunks, name, has_key=has_key)
    return values[..., 0] if values.ndim == 3 and values.shape[2] == 1 else values


def _by_pillow(header: PngHeader, chunks: list[Chunk], name: str, *, has_key: bool) -> NDArray[np.uint8]:
    """Return the codes of a PNG of at most 8 bits, from nothing but the chunks that decide pixels."""
    from PIL import Image

    mode = {0: "L", 2: "RGB", PALETTE: "RGB", 4: "LA", 6: "RGBA"}[header.colour_type]
    if has_key:
        mode = {"L": "LA", "RGB": "RGBA"}.get(mode, mode)
    kept = (chunk_bytes(letters, payload) for letters, payload in chunks if letters in DECIDES_PIXELS)
    try:
        with Image.open(io.BytesIO(SIGNATURE + b"".join(kept)), formats=["PNG"]) as image:
            image.load()
            if header.colour_type == PALETTE:
                _check_palette(chunks, int(np.array(image).max()), name)
            return np.array(image.convert(mode), dtype=np.uint8)
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, zlib.error) as error:
        raise InputFileError(f"{name}: pixels cannot be decoded ({error}); allowed: a sound PNG") from error


def _check_palette(chunks: list[Chunk], largest: int, name: str) -> None:
    """Raise where a pixel has no colour in the palette, which Pillow would take for black."""
    colours = sum(len(payload) for letters, payload in chunks if letters == b"PLTE") // 3
    require(name, "largest palette index", largest, allowed=f"less than {colours}", fine=largest < colours)


def read_png_text(source: Source) -> dict[str, str]:
    """Return the texts of a PNG file that are not compressed, by keyword.

    Raises
    ------
    InputFileError
        Not a whole PNG.
    """
    data, name = load(source, LIMIT_B)
    return text_of(chunks_of(data, name))
