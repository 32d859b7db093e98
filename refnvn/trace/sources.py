"""Which files does a trace bring, and how large do they claim to be? A folder or a zip, looked at before it is read.

Allowed are ``trace.json`` and ``blobs/NAME.bin``, nothing else and nothing twice; a folder's names that start with a
dot are passed over. A zip may claim 1 GiB in all, and no member more than deflate can hold. A link that leaves the
folder is refused. Read next: ``files.py``.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from refnvn.errors import InputFileError, printable
from refnvn.files import read_file
from refnvn.trace.check import MOST_BLOBS_B

TRACE_JSON = "trace.json"
BLOBS = "blobs"
BLOB_SUFFIX = ".bin"
MOST_JSON_B = 256 << 20
MOST_TOTAL_B = MOST_BLOBS_B
MOST_FILES = 1 << 16
DEFLATE_RATIO = 1032
"""No byte of deflate gives more."""
SMALL_B = 1 << 16
"""Claims below this need no ratio."""
ENCRYPTED = 1

_MEMBER = re.compile(r"trace\.json|blobs/[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.bin")
_ZIP_ERRORS = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError,
    OSError, ValueError, IndexError, KeyError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """The files of a trace.

    Attributes
    ----------
    path : Path
        The folder or the zip.
    sizes_B : dict of str to int
        Size of each file, as claimed.
    read_member : callable
        From a name to all bytes of that file.
    """

    path: Path
    sizes_B: Mapping[str, int]
    read_member: Callable[[str], bytes]

    def name_of(self, member: str) -> str:
        """Return how errors name a file."""
        return f"{self.path}/{member}"

    def read(self, member: str) -> bytes:
        """Return a file's bytes, as many as it claimed.

        Raises
        ------
        InputFileError
            Where it is missing, or has more or fewer.
        """
        if member not in self.sizes_B:
            raise InputFileError(f"{self.name_of(member)}: is missing")
        content = self.read_member(member)
        if len(content) != self.sizes_B[member]:
            raise InputFileError(
                f"{self.name_of(member)}: {len(content)} bytes, it claims to have {self.sizes_B[member]}"
            )
        return content


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Open a folder or a zip.

    Raises
    ------
    InputFileError
        For neither, or for names and sizes that are not allowed.
    """
    if path.is_dir():
        yield _folder(path)
        return
    if not path.exists():
        raise InputFileError(f"{path}: is missing; a trace is a folder or a zip")
    read_file_limit_B = MOST_TOTAL_B + MOST_JSON_B
    if not path.is_file() or path.stat().st_size > read_file_limit_B:
        raise InputFileError(f"{path}: is no file of at most {read_file_limit_B} bytes")
    try:
        archive = zipfile.ZipFile(path)
    except _ZIP_ERRORS as error:
        raise InputFileError(f"{path}: is neither a folder nor a zip ({error})") from error
    with archive:
        yield _zip(path, archive)


def check_member(path: Path, member: str) -> None:
    """Raise unless a trace may have a file of this name.

    Raises
    ------
    InputFileError
        For absolute names, names that leave the trace, and anything that is not listed in the format.
    """
    if not _MEMBER.fullmatch(member):
        raise InputFileError(
            f"{path}: holds '{printable(member)}', allowed are {TRACE_JSON} and {BLOBS}/NAME{BLOB_SUFFIX}"
        )


def _folder(root: Path) -> Source:
    inside = _real(root)
    sizes_B: dict[str, int] = {}
    for member, file in _members(root):
        check_member(root, member)
        if not _real(file).is_relative_to(inside):
            raise InputFileError(f"{root}: {member} leads out of the folder")
        if not file.is_file():
            raise InputFileError(f"{root}: {member} is not a file")
        sizes_B[member] = file.stat().st_size
        _check_total(root, sizes_B)
    return Source(root, sizes_B, lambda member: read_file(root / member, limit_B=sizes_B[member]))


def _real(path: Path) -> Path:
    """Return a path with its links followed; unlike ``resolve`` it takes links that go round in a circle."""
    return Path(os.path.realpath(path))


def _members(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and path of every file of the folder and of its ``blobs``, hidden ones left out."""
    try:
        for entry in sorted(root.iterdir()):
            if entry.name == BLOBS and entry.is_dir():
                if not _real(entry).is_relative_to(_real(root)):
                    raise InputFileError(f"{root}: {BLOBS} leads out of the folder")
                for blob in sorted(entry.iterdir()):
                    if not blob.name.startswith("."):
                        yield f"{BLOBS}/{blob.name}", blob
            elif not entry.name.startswith("."):
                yield entry.name, entry
    except OSError as error:
        raise InputFileError(f"{root}: {os.strerror(error.errno or 0)}") from error


def _check_total(path: Path, sizes_B: Mapping[str, int]) -> None:
    if len(sizes_B) > MOST_FILES:
        raise InputFileError(f"{path}: holds more than the {MOST_FILES} files allowed")


def _zip(path: Path, archive: zipfile.ZipFile) -> Source:
    entries: dict[str, zipfile.ZipInfo] = {}
    for entry in archive.infolist():
        if entry.filename == f"{BLOBS}/" and not entry.file_size and not entry.compress_size:
            continue
        if entry.orig_filename != entry.filename:
            raise InputFileError(f"{path}: holds a name that is cut short, '{printable(entry.orig_filename)}'")
        check_member(path, entry.filename)
        if entry.filename in entries:
            raise InputFileError(f"{path}: holds {entry.filename} twice")
        _check_claim(path, entry)
        entries[entry.filename] = entry
    sizes_B = {name: entry.file_size for name, entry in entries.items()}
    _check_total(path, sizes_B)
    if sum(sizes_B.values()) > MOST_TOTAL_B:
        raise InputFileError(f"{path}: claims {sum(sizes_B.values())} bytes unpacked, allowed are {MOST_TOTAL_B}")

    def read(member: str) -> bytes:
        try:
            with archive.open(entries[member]) as file:
                return file.read(sizes_B[member] + 1)
        except _ZIP_ERRORS as error:
            raise InputFileError(f"{path}/{member}: cannot be unpacked ({error})") from error

    return Source(path, sizes_B, read)


def _check_claim(path: Path, entry: zipfile.ZipInfo) -> None:
    """Refuse what is encrypted, compressed in another way, or claims more than its compressed bytes can hold."""
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputFileError(f"{path}: {entry.filename} is encrypted or packed otherwise; allowed: stored, deflated")
    if entry.file_size > max(SMALL_B, entry.compress_size * DEFLATE_RATIO):
        raise InputFileError(
            f"{path}: {entry.filename} claims {entry.file_size} bytes from {entry.compress_size}, "
            f"allowed are {DEFLATE_RATIO} times as many"
        )
