"""How are the pixels of a 16-bit PNG decoded?

Pillow drops the low bytes of 16-bit RGB, so these are decoded here: inflate, undo each row's filter, big-endian
codes. It does not read interlaced files, nor 8 bits and less, which Pillow does exactly. Read next: ``png.py``.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from refnvn.containers.png_chunks import Chunk, PngHeader
from refnvn.containers.source import require
from refnvn.errors import InputFileError


def decode_16_bit(header: PngHeader, chunks: list[Chunk], name: str) -> NDArray[np.uint16]:
    """Return the codes of a 16-bit PNG of any colour type.

    Returns
    -------
    uint16, shape (height, width, channels)
        Rows from the top down.

    Raises
    ------
    InputFileError
        Interlaced, with a transparent colour, or its data is broken, short or long.
    """
    has_key = any(letters == b"tRNS" for letters, _ in chunks)
    require(name, "16-bit PNG", "interlaced", allowed="not interlaced", fine=not header.is_interlaced)
    require(name, "16-bit PNG", "one with tRNS", allowed="an alpha channel or none", fine=not has_key)
    pixel_B = 2 * header.channels
    row_B = pixel_B * header.width_px
    data = _inflate(b"".join(payload for letters, payload in chunks if letters == b"IDAT"),
                    header.height_px * (1 + row_B), name)  # fmt: skip
    stored = np.frombuffer(data, np.uint8).reshape(header.height_px, 1 + row_B)
    rows = np.empty((header.height_px, row_B), np.uint8)
    above = np.zeros(row_B, np.uint8)
    for y, row in enumerate(stored):
        require(name, f"filter of row {y}", row[0], allowed="0 to 4", fine=row[0] <= 4)
        above = rows[y] = _unfilter(int(row[0]), row[1:], above, pixel_B)
    return rows.view(">u2").astype(np.uint16).reshape(header.height_px, header.width_px, header.channels)


def _inflate(compressed: bytes, expected_B: int, name: str) -> bytes:
    """Return the inflated bytes, never more than one beyond what is expected."""
    try:
        data = zlib.decompressobj().decompress(compressed, expected_B + 1)
    except zlib.error as error:
        raise InputFileError(f"{name}: pixel data cannot be inflated ({error}); allowed: a zlib stream") from error
    require(name, "size of its pixels", f"{len(data)} bytes or more", allowed=f"exactly {expected_B}",
            fine=len(data) == expected_B)  # fmt: skip
    return data


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
