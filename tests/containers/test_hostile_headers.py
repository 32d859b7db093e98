"""Files that are cut short or damaged are refused by one error of refnvn, or read; nothing else ever happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from refnvn.containers.dds import dds_bytes, read_dds
from refnvn.containers.ktx2 import ktx2_bytes, read_ktx2
from refnvn.containers.npy import npy_bytes, read_npy
from refnvn.containers.pfm import pfm_bytes, read_pfm
from refnvn.containers.png import png_bytes, read_png, read_png_text
from refnvn.containers.png_chunks import CHUNK_FRAME_B, chunk_bytes, chunks_of
from refnvn.containers.surface import BlockSize, Kind, Surfaces
from refnvn.errors import InputFileError, RefnvnError

CUBE = Surfaces(
    format="BPTC_UNORM", block=BlockSize(16, 4, 4), kind=Kind.CUBE, width_px=8, height_px=8, layers=6, levels=2,
    parts=tuple((bytes([face]) * 64, bytes([face]) * 16) for face in range(6)),
)  # fmt: skip
VOLUME = Surfaces(
    format="RGBA8", block=BlockSize(4), kind=Kind.THREE_D, width_px=3, height_px=2, depth=2, levels=2,
    parts=((bytes(48), bytes(4)),),
)  # fmt: skip
LEGACY_DDS = dds_bytes(CUBE)[:84] + b"DXT5" + dds_bytes(CUBE)[88:128] + bytes(480)

GREY = np.arange(12, dtype=np.uint8).reshape(3, 4)

Reader = Callable[[bytes], Any]

FILES: dict[str, tuple[Reader, bytes, int]] = {
    "dds cube": (read_dds, dds_bytes(CUBE), 148),
    "dds volume": (read_dds, dds_bytes(VOLUME), 148),
    "dds legacy": (read_dds, LEGACY_DDS, 128),
    "ktx2 cube": (read_ktx2, ktx2_bytes(CUBE), len(ktx2_bytes(CUBE)) - 480),
    "ktx2 volume": (read_ktx2, ktx2_bytes(VOLUME), len(ktx2_bytes(VOLUME)) - 52),
    "npy": (read_npy, npy_bytes(np.zeros((2, 3), np.float32)), 128),
    "npy bool": (read_npy, npy_bytes(np.zeros(3, np.bool_)), 128 + 3),
    "pfm": (read_pfm, pfm_bytes(np.zeros((2, 3, 3), np.float32)), 13),
    "png 8 bits": (read_png, png_bytes(GREY, {"from": "a test"}), 200),
    "png 16 bits": (read_png, png_bytes(np.zeros((3, 4, 4), np.uint16)), 200),
    "png text": (read_png_text, png_bytes(GREY, {"from": "a test"}), 200),
}


def read_or_refuse(reader: Reader, data: bytes) -> None:
    """Read; only refnvn's own errors, of one sentence, may come out."""
    says = "allowed"
    try:
        reader(data)
    except RefnvnError as error:
        says = str(error)
    assert "allowed" in says
    assert "\n" not in says


@pytest.mark.parametrize("name", FILES)
def test_file_cut_short_anywhere_is_refused(name: str) -> None:
    """A file that ends early, at any byte, is an error that says what was missing."""
    reader, data, _ = FILES[name]
    reader(data)
    for end_B in range(len(data)):
        with pytest.raises(InputFileError, match="allowed"):
            reader(data[:end_B])


@pytest.mark.parametrize("name", FILES)
def test_any_damaged_byte_of_a_header_is_read_or_refused(name: str) -> None:
    """One byte of a header changed to anything gives a value or refnvn's error, never another exception."""
    reader, data, header_B = FILES[name]
    for at_B in range(min(header_B, len(data))):
        for code in {data[at_B] ^ flip for flip in (1, 2, 4, 8, 16, 32, 64, 128, 255)} | {0, 1, 0x20, 0x7F, 0xFF}:
            read_or_refuse(reader, data[:at_B] + bytes([code]) + data[at_B + 1 :])


@pytest.mark.parametrize("name", FILES)
def test_any_damaged_word_of_a_header_is_read_or_refused(name: str) -> None:
    """Words of extreme values anywhere in a header, and many at once, never give another exception."""
    reader, data, header_B = FILES[name]
    source = random.Random(name)
    words = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    for _ in range(800):
        damaged = bytearray(data)
        for _ in range(source.randint(1, 3)):
            at_B = source.randrange(0, min(header_B, len(data)) - 4)
            damaged[at_B : at_B + 4] = source.choice(words).to_bytes(4, source.choice(["little", "big"]))
        read_or_refuse(reader, bytes(damaged))


@pytest.mark.parametrize("name", ["png 8 bits", "png 16 bits"])
def test_damaged_chunks_with_a_true_checksum_are_read_or_refused(name: str) -> None:
    """A PNG whose chunks are damaged before their CRC was made never gives another exception."""
    reader, data, _ = FILES[name]
    chunks = chunks_of(data, name)
    for place, (letters, payload) in enumerate(chunks):
        body = letters + payload
        for at_B in range(len(body)):
            for flip in (1, 2, 128, 255):
                damaged = body[:at_B] + bytes([body[at_B] ^ flip]) + body[at_B + 1 :]
                pieces = [chunk_bytes(*chunk) for chunk in chunks]
                pieces[place] = chunk_bytes(damaged[:4], damaged[4:])
                assert len(pieces[place]) == CHUNK_FRAME_B + len(payload)
                read_or_refuse(reader, data[:8] + b"".join(pieces))
