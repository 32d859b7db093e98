"""Where do the bytes of a file come from, and what is it called when something is wrong with it?

Every reader of this room takes a path or the bytes themselves. Read next: ``surface.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from refnvn.errors import ArgumentError, InputFileError
from refnvn.files import read_file

HEADERS_B = 1 << 20
"""What a file may take beside its texels."""

Source = Path | str | bytes


def load(source: Source, limit_B: int) -> tuple[bytes, str]:
    """Return the bytes and the name of a file of at most ``limit_B`` bytes of texels and its headers.

    Raises
    ------
    InputFileError
        Missing, unreadable or too large.
    """
    if not isinstance(source, bytes):
        return read_file(source, limit_B + HEADERS_B), str(source)
    if len(source) > limit_B + HEADERS_B:
        raise InputFileError(f"bytes: {len(source)} bytes, more than the {limit_B + HEADERS_B} bytes allowed")
    return source, "bytes"


@contextmanager
def lies_of(name: str) -> Iterator[None]:
    """Turn what is wrong with a value that a file states into one error that names the file."""
    try:
        yield
    except ArgumentError as error:
        raise InputFileError(f"{name}: {error}") from error


def require(name: str, field: str, value: object, *, allowed: str, fine: bool) -> None:
    """Raise InputFileError naming file, field, value and what was allowed, unless ``fine``."""
    if not fine:
        raise InputFileError(f"{name}: {field} is {value}; allowed: {allowed}")
