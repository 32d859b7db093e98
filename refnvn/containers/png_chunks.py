"""What chunks does a PNG hold, and are they whole?

A PNG is a signature and chunks: length, four letters, payload, CRC. Everything is checked here before a decoder
sees it, and only what decides pixels is handed on, so that no ancillary chunk can do harm.
It does not decode pixels. Read next: ``png.py``.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from refnvn.containers.source import require
from refnvn.containers.surface import MAX_SIZE_PX
from refnvn.errors import FieldRangeError, InputFileError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHUNK_FRAME_B = 12
"""Length, letters and CRC."""
IHDR = struct.Struct(">2I5B")
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""By colour type: grey, RGB, palette, grey with alpha, RGBA."""
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
MAX_KEYWORD = 79

Chunk = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class PngHeader:
    """The fields of IHDR that are not fixed."""

    width_px: int
    height_px: int
    depth_bits: int
    colour_type: int
    is_interlaced: bool

    @property
    def channels(self) -> int:
        """How many codes a pixel stores."""
        return CHANNELS[self.colour_type]


def chunk_bytes(letters: bytes, payload: bytes) -> bytes:
    """Return one chunk as a file holds it.

    Examples
    --------
    >>> chunk_bytes(b"IEND", b"").hex()
    '0000000049454e44ae426082'
    """
    body = letters + payload
    return len(payload).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")


def chunks_of(data: bytes, name: str) -> list[Chunk]:
    """Return letters and payload of every chunk.

    Raises
    ------
    InputFileError
        No PNG, cut short, a wrong CRC, no IEND, or bytes after it.
    """
    require(name, "signature", data[:8], allowed=str(SIGNATURE), fine=data.startswith(SIGNATURE))
    chunks: list[Chunk] = []
    offset_B = len(SIGNATURE)
    while offset_B < len(data) and (not chunks or chunks[-1][0] != b"IEND"):
        left_B = len(data) - offset_B - CHUNK_FRAME_B
        length_B = int.from_bytes(data[offset_B : offset_B + 4], "big")
        require(name, f"length of chunk {len(chunks)}", length_B, allowed=f"at most the {max(0, left_B)} bytes left",
                fine=length_B <= left_B)  # fmt: skip
        body = data[offset_B + 4 : offset_B + 8 + length_B]
        offset_B += CHUNK_FRAME_B + length_B
        stored, computed = int.from_bytes(data[offset_B - 4 : offset_B], "big"), zlib.crc32(body)
        require(
            name, f"CRC of chunk {len(chunks)}", f"{stored:#x}", allowed=f"{computed:#x}", fine=stored == computed
        )
        chunks.append((body[:4], body[4:]))
    last = chunks[-1][0] if chunks else b"none"
    require(name, "last chunk", last, allowed="IEND", fine=last == b"IEND")
    require(name, "trailing bytes", len(data) - offset_B, allowed="none", fine=offset_B == len(data))
    return chunks


def header_of(chunks: list[Chunk], name: str, limit_px: int) -> PngHeader:
    """Return the header that the first chunk states.

    Raises
    ------
    InputFileError
        Not an IHDR, a side outside 1 to 16384, more than ``limit_px`` pixels, or a combination PNG does not have.
    """
    letters, payload = chunks[0]
    if letters != b"IHDR" or len(payload) != IHDR.size:
        raise InputFileError(
            f"{name}: first chunk is {letters!r} of {len(payload)} bytes; allowed: IHDR of {IHDR.size}"
        )
    width_px, height_px, depth_bits, colour_type, compression, filtering, interlace = IHDR.unpack(payload)
    for field, side_px in (("width_px", width_px), ("height_px", height_px)):
        require(name, field, side_px, allowed=f"1 to {MAX_SIZE_PX}", fine=1 <= side_px <= MAX_SIZE_PX)
    area_px = width_px * height_px
    require(name, "pixels", area_px, allowed=f"at most {limit_px}", fine=area_px <= limit_px)
    require(name, "colour type and depth", (colour_type, depth_bits), allowed=f"{DEPTHS}",
            fine=depth_bits in DEPTHS.get(colour_type, ()))  # fmt: skip
    methods = (compression, filtering, interlace)
    require(name, "compression, filter, interlace", methods, allowed="0, 0, 0 or 1",
            fine=methods in ((0, 0, 0), (0, 0, 1)))  # fmt: skip
    return PngHeader(width_px, height_px, depth_bits, colour_type, bool(interlace))


def text_chunks(text: Mapping[str, str]) -> bytes:
    """Return iTXt chunks, sorted by keyword.

    Raises
    ------
    FieldRangeError
        A keyword is not 1 to 79 printable ASCII letters without spaces around, or a text holds a zero.
    """
    data = b""
    for keyword, value in sorted(text.items()):
        is_keyword = 1 <= len(keyword) <= MAX_KEYWORD and keyword.isascii() and keyword.isprintable()
        if not is_keyword or keyword != keyword.strip() or "\0" in value:
            raise FieldRangeError(
                f"PNG text is {keyword!r}: {value!r}; allowed: keywords of 1 to {MAX_KEYWORD} printable ASCII "
                "characters, and no zero in the text"
            )
        data += chunk_bytes(b"iTXt", keyword.encode() + b"\0\0\0\0\0" + value.encode())
    return data


def text_of(chunks: list[Chunk]) -> dict[str, str]:
    """Return the texts of a file that are not compressed."""
    found = {}
    for letters, payload in chunks:
        keyword, _, rest = payload.partition(b"\0")
        if letters == b"tEXt":
            found[keyword.decode("latin-1")] = rest.decode("latin-1")
        if letters == b"iTXt" and rest[:1] == b"\0":
            value = rest[2:].split(b"\0", 2)[-1]
            found[keyword.decode("latin-1")] = value.decode("utf-8", "replace")
    return found
