"""How is a file of vectors opened without trusting it?

``.npz`` files are looked into before anything is read: every member must be a plain array whose header, size and
file size agree, and all of them together must stay under a limit. No pickles. ``.json`` and ``.json.gz`` are read
up to a limit.

It does not know what the arrays mean: ``schemas.py`` does.
"""

from __future__ import annotations

import functools
import gzip
import json
import lzma
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import InputFileError
from refnvn.files import read_file

SUFFIXES = (".npz", ".json", ".json.gz")
LIMIT_B = 1 << 30
JSON_LIMIT_B = 1 << 28
_HEADER_LIMIT_B = 10_000
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,
    OSError,
    EOFError,
    ValueError,
    TypeError,
    SyntaxError,
    MemoryError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)
"""What zipfile, NumPy's header reader and the JSON reader are known to raise on hostile bytes."""

_HEADERS: dict[tuple[int, int], Callable[..., Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


@dataclass(frozen=True, slots=True)
class ArrayHeader:
    """Shape and dtype of one array, as its header claims and its size confirms."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def suffix_of(path: Path) -> str | None:
    """Return which suffix of vector files a path has, or None.

    >>> suffix_of(Path("pipeline.json.gz"))
    '.json.gz'
    """
    return next((s for s in reversed(SUFFIXES) if path.name.endswith(s)), None)


def _header(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> ArrayHeader:
    """Read one member's header and check it against the member's size."""
    if not member.filename.endswith(".npy"):
        raise InputFileError(f"{path}: member {member.filename!r} is not an array (.npy)")
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        if version not in _HEADERS:
            raise InputFileError(f"{path}: member {member.filename!r} has array format {version}, not 1.0 or 2.0")
        shape, _, dtype = _HEADERS[version](stream, max_header_size=_HEADER_LIMIT_B)
        header_B = stream.tell()
    if dtype.hasobject:
        raise InputFileError(f"{path}: member {member.filename!r} holds Python objects; only plain arrays are read")
    claimed_B = math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or claimed_B != member.file_size - header_B:
        raise InputFileError(
            f"{path}: member {member.filename!r} claims {claimed_B} bytes of shape {shape}, "
            f"but holds {member.file_size - header_B}"
        )
    return ArrayHeader(shape, dtype)


def _headers(path: Path, archive: zipfile.ZipFile) -> dict[str, ArrayHeader]:
    members = archive.infolist()
    total_B = sum(m.file_size for m in members)
    if total_B > LIMIT_B:
        raise InputFileError(f"{path}: its arrays claim {total_B} bytes, more than the {LIMIT_B} allowed")
    headers: dict[str, ArrayHeader] = {}
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name in headers:
            raise InputFileError(f"{path}: holds array {name!r} twice")
        headers[name] = _header(path, archive, member)
    return headers


class VectorFile:
    """One file of vectors: its name, its array headers or its JSON value; contents are read when asked for.

    Parameters
    ----------
    path : Path
        A file with one of ``SUFFIXES``.

    Raises
    ------
    InputFileError
        On use, for anything that is not what the suffix says.
    """

    def __init__(self, path: Path) -> None:
        suffix = suffix_of(path)
        if suffix is None:
            raise InputFileError(f"{path}: not a vector file; those end in {', '.join(SUFFIXES)}")
        self.path = path
        self.is_npz = suffix == ".npz"
        self.family = path.name.removesuffix(suffix)
        self.read: set[str] = set()
        """Names of the arrays that were read."""

    def _open(self) -> IO[bytes]:
        try:
            if not self.path.is_file():
                raise InputFileError(f"{self.path}: is not a file")
            return self.path.open("rb")
        except OSError as error:
            raise InputFileError(f"{self.path}: {error.strerror}") from error

    @functools.cached_property
    def headers(self) -> dict[str, ArrayHeader]:
        """The arrays of an npz file by name; empty for JSON."""
        if not self.is_npz:
            return {}
        with self._open() as stream:
            try:
                with zipfile.ZipFile(stream) as archive:
                    return _headers(self.path, archive)
            except _DAMAGED as error:
                raise InputFileError(f"{self.path}: is not a sound npz file: {error}") from error

    def array(self, name: str) -> NDArray[Any]:
        """Read one array.

        Raises
        ------
        InputFileError
            Where there is none of that name, or its bytes are damaged.
        """
        if name not in self.headers:
            raise InputFileError(f"{self.path}: has no array {name!r}")
        self.read.add(name)
        with self._open() as stream:
            try:
                with np.load(stream, allow_pickle=False, max_header_size=_HEADER_LIMIT_B) as archive:
                    array: NDArray[Any] = archive[name]
                    return array
            except _DAMAGED as error:
                raise InputFileError(f"{self.path}: array {name!r} cannot be read: {error}") from error

    @functools.cached_property
    def json(self) -> Any:
        """The value of a JSON file; None for npz."""
        if self.is_npz:
            return None
        raw = read_file(self.path, JSON_LIMIT_B)
        try:
            if self.path.name.endswith(".gz"):
                raw = _unzipped(self.path, raw)
            return json.loads(raw)
        except _DAMAGED as error:
            raise InputFileError(f"{self.path}: is not sound JSON: {error}") from error

    def json_has(self, *keys: str) -> bool:
        """Whether the file is a JSON object with all these keys."""
        return isinstance(self.json, dict) and all(key in self.json for key in keys)


def _unzipped(path: Path, raw: bytes) -> bytes:
    import io

    with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
        content = stream.read(JSON_LIMIT_B + 1)
    if len(content) > JSON_LIMIT_B:
        raise InputFileError(f"{path}: unpacks to more than the {JSON_LIMIT_B} bytes allowed")
    return content
