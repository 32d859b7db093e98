"""Are all rows of a PNG there, and what do those of 16 bits hold?

Pillow fills missing rows with zeros, so every file is inflated here once and its length checked. Pillow also drops
the low bytes of 16-bit RGB, so 16 bits are decoded here: undo each row's filter, big-endian codes.
It does not decode interlaced files, nor 8 bits and less, which Pillow does exactly. Read next: ``png.py``.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from refnvn.containers.png_chunks import Chunk, PngHeader
from refnvn.containers.source import require
from refnvn.errors import InputFileError

ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""The passes of an interlaced file: first x, first y, step in x, step in y."""
WHOLE = ((0, 0, 1, 1),)


def rows_size_B(header: PngHeader) -> int:
    """Return the bytes of all rows of all passes, each with the byte that names its filter.

    Examples
    --------
    >>> [rows_size_B(PngHeader(5, 3, 2, 0, interlaced)) for interlaced in (False, True)]
    [9, 15]
    """
    size_B = 0
    for x, y, step_x, step_y in ADAM7 if header.is_interlaced else WHOLE:
        width_px, height_px = -(-(header.width_px - x) // step_x), -(-(header.height_px - y) // step_y)
        if width_px > 0 and height_px > 0:
            size_B += height_px * (1 + (width_px * header.channels * header.depth_bits + 7) // 8)
    return size_B


def inflate(header: PngHeader, chunks: list[Chunk], name: str) -> bytes:
    """Return the inflated rows, of exactly the size that the header asks for.

    Raises
    ------
    InputFileError
        No zlib stream, or rows are missing or too many.
    """
    compressed = b"".join(payload for letters, payload in chunks if letters == b"IDAT")
    expected_B = rows_size_B(header)
    try:
        data = zlib.decompressobj().decompress(compressed, expected_B + 1)
    except zlib.error as error:
        raise InputFileError(f"{name}: pixel data cannot be inflated ({error}); allowed: a zlib stream") from error
    actual = f"{len(data)} bytes{' or more' if len(data) > expected_B else ''}"
    require(name, "size of its rows", actual, allowed=f"exactly {expected_B}", fine=len(data) == expected_B)
    return data


def decode_16_bit(header: PngHeader, data: bytes, name: str) -> NDArray[np.uint16]:
    """Return the codes of a 16-bit PNG of any colour type.

    Parameters
    ----------
    header : PngHeader
        Not interlaced.
    data : bytes
        The inflated rows.
    name : str
        What to call the file in an error.

    Returns
    -------
    uint16, shape (height, width, channels)
        Rows from the top down.

    Raises
    ------
    InputFileError
        Interlaced, or a filter that PNG does not have.
    """
    require(name, "16-bit PNG", "interlaced", allowed="not interlaced", fine=not header.is_interlaced)
    pixel_B = 2 * header.channels
    row_B = pixel_B * header.width_px
    stored = np.frombuffer(data, np.uint8).reshape(header.height_px, 1 + row_B)
    rows = np.empty((header.height_px, row_B), np.uint8)
    above = np.zeros(row_B, np.uint8)
    for y, row in enumerate(stored):
        require(name, f"filter of row {y}", row[0], allowed="0 to 4", fine=row[0] <= 4)
        above = rows[y] = _unfilter(int(row[0]), row[1:], above, pixel_B)
    return rows.view(">u2").astype(np.uint16).reshape(header.height_px, header.width_px, header.channels)


def _unfilter(sort: int, row: NDArray[np.uint8], above: NDArray[np.uint8], pixel_B: int) -> NDArray[np.uint8]:
    """Undo a row's filter: none, left, up, average or Paeth. Bytes wrap."""
    match sort:
        case 0:
            return row
        case 1:
            return np.cumsum(row.reshape(-1, pixel_B), axis=0, dtype=np.uint8).reshape(-1)
        case 2:
            return row + above
    predict = _average if sort == 3 else _paeth
    up = bytes(pixel_B) + above.tobytes()
    done = bytearray(pixel_B)
    for i, code in enumerate(row.tobytes()):
        done.append((code + predict(done[i], up[i + pixel_B], up[i])) & 0xFF)
    return np.frombuffer(done, np.uint8, offset=pixel_B)


def _average(left: int, up: int, _up_left: int) -> int:
    return (left + up) // 2


def _paeth(left: int, up: int, up_left: int) -> int:
    """Return the neighbour nearest to left + up - up_left; ties go to left, then up."""
    estimate = left + up - up_left
    return min((left, up, up_left), key=lambda neighbour: abs(estimate - neighbour))
