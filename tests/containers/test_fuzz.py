"""Readers under made-up files: one sentence of an error, or a value as long as the file, in bounded memory."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from refnvn.containers.dds import read_dds
from refnvn.containers.dds_header import read_dds_header
from refnvn.containers.equivalents import equivalents
from refnvn.containers.ktx2 import read_ktx2
from refnvn.containers.ktx2_header import IDENTIFIER
from refnvn.containers.npy import read_npy
from refnvn.containers.pfm import read_pfm
from refnvn.containers.png import read_png
from refnvn.containers.surface import Surfaces
from refnvn.errors import RefnvnError
from tests.containers.test_hostile_headers import FILES

Reader = Callable[[bytes], Any]

MAGICS: dict[str, tuple[Reader, bytes]] = {
    "dds": (read_dds, b"DDS |\0\0\0"),
    "ktx2": (read_ktx2, IDENTIFIER),
    "npy": (read_npy, b"\x93NUMPY\x01\x00"),
    "pfm": (read_pfm, b"PF\n"),
    "png": (read_png, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
}
WORDS = st.one_of(
    st.sampled_from([0, 1, 2, 3, 4, 6, 16, 64, 16384, 16385, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]),
    st.integers(0, 0xFFFFFFFF),
)
SIDES = st.one_of(st.integers(0, 40), WORDS)
ROOM_B = 4 << 20
"""What a reader may take beside some copies of the file: modules on their first use, tables, messages."""


def peak_B(work: Callable[[], object]) -> int:
    """Return the most memory that some work held at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def outcome(reader: Reader, data: bytes) -> Any:
    """Read in memory bounded by the file; return the value, or the error of refnvn that came instead."""
    found: list[Any] = []

    def read() -> None:
        try:
            found.append(reader(data))
        except RefnvnError as error:
            found.append(error)

    assert peak_B(read) <= 8 * len(data) + ROOM_B
    if isinstance(found[0], RefnvnError):
        assert "\n" not in str(found[0])
        assert "allowed" in str(found[0])
    return found[0]


def size_of(value: Any) -> int:
    """Return the bytes that a reader gave."""
    if isinstance(value, Surfaces):
        return sum(len(part) for levels in value.parts for part in levels)
    return int(value.nbytes) if isinstance(value, np.ndarray) else 0


@pytest.mark.parametrize("kind", MAGICS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rest=st.binary(max_size=400))
@example(rest=b"")
def test_anything_behind_a_magic_is_read_or_refused(kind: str, rest: bytes) -> None:
    """Random bytes behind the first bytes of a form never give another exception, nor more than the file holds."""
    reader, magic = MAGICS[kind]
    value = outcome(reader, magic + rest)
    assert size_of(value) <= len(rest)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_sound_file_with_pieces_replaced_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """Pieces overwritten, cut out or put in anywhere: refused, or read as no more than is there."""
    reader, sound, _ = FILES[name]
    spoiled = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(spoiled)))
        end = data.draw(st.integers(start, min(len(spoiled), start + 12)))
        spoiled[start:end] = data.draw(st.binary(max_size=12))
    outcome(reader, bytes(spoiled))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    height=SIDES, width=SIDES, depth=SIDES, levels=SIDES, array=SIDES, caps2=WORDS,
    code=st.sampled_from([row.dxgi_code or 0 for row in equivalents().values()]), dimension=st.integers(0, 5),
    misc=st.sampled_from([0, 4, 8]), payload=st.integers(0, 3000),
)  # fmt: skip
def test_a_dds_header_of_any_numbers_is_believed_only_if_the_file_is_as_long(
    height: int, width: int, depth: int, levels: int, array: int, caps2: int, code: int, dimension: int, misc: int,
    payload: int,
) -> None:  # fmt: skip
    """A DX10 header of sound form and any numbers: what is read is exactly the payload."""
    file = b"DDS " + struct.pack("<7I", 124, 0x1007, height, width, 0, depth, levels) + bytes(44)
    file += struct.pack("<2I", 32, 4) + b"DX10" + bytes(20) + struct.pack("<5I", 0x1000, caps2, 0, 0, 0)
    file += struct.pack("<5I", code, dimension, misc, array, 0) + bytes(payload)
    value = outcome(read_dds, file)
    outcome(lambda data: read_dds_header(data, "a file"), file)
    assert isinstance(value, RefnvnError) or size_of(value) == payload


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), name=st.sampled_from([name for name in FILES if name.startswith("ktx2")]))
def test_a_ktx2_whose_numbers_are_any_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """Words of the header and offsets of the index set to anything: never a read beyond the file."""
    _, sound, header_B = FILES[name]
    spoiled = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 3))):
        at_B = 4 * data.draw(st.integers(3, header_B // 4 - 1))
        struct.pack_into("<I", spoiled, at_B, data.draw(st.one_of(WORDS, st.integers(0, len(sound) + 9))))
    value = outcome(read_ktx2, bytes(spoiled))
    assert size_of(value) <= len(sound)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    width=SIDES,
    height=SIDES,
    scale=st.sampled_from(["1.0", "-1.0", "0", "nan", "-1.0e9"]),
    more=st.binary(max_size=99),
)
def test_a_pfm_of_any_size_is_read_or_refused(width: int, height: int, scale: str, more: bytes) -> None:
    """Sides of any number: what is read is exactly what is there."""
    value = outcome(read_pfm, f"PF\n{width} {height}\n{scale}\n".encode() + more)
    assert isinstance(value, RefnvnError) or size_of(value) == len(more)
