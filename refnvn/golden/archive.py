"""How are many arrays kept in one compressed file whose content is always the same?

An ``.npz``: a zip of ``.npy`` files in the order of their names, every time stamp 1980. Reading takes what is
asked for and allows nothing else, and looks at the size that the archive states before it unpacks anything.

What it does not do: the compressed bytes are zlib's and may differ between its versions; the arrays never do.
Read next: ``accepted.py``.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from refnvn.containers.npy import npy_bytes, read_npy
from refnvn.errors import InputFileError
from refnvn.files import read_file

MOST_HEADER_B = 1 << 12
_EPOCH = (1980, 1, 1, 0, 0, 0)


def npz_bytes(arrays: Mapping[str, NDArray[Any]], more: Mapping[str, bytes] | None = None) -> bytes:
    """Return arrays as an npz.

    Parameters
    ----------
    arrays : dict of file name to ndarray
        Names end in ``.npy``; ``numpy.load`` shows them without.
    more : dict of file name to bytes, optional
        Other files to put beside them.
    """
    files = {**{name: npy_bytes(array) for name, array in arrays.items()}, **(more or {})}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name], compresslevel=9)
    return buffer.getvalue()


def read_npz(path: Path, sizes_B: Mapping[str, int]) -> dict[str, NDArray[Any]]:
    """Read the named arrays of an npz, none larger than it may be.

    Parameters
    ----------
    path : Path
        The archive.
    sizes_B : dict of file name to int
        How many bytes each array has.

    Raises
    ------
    InputFileError
        For no zip, a missing or additional member, or one of another size.
    """
    content = read_file(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = {entry.filename: entry for entry in archive.infolist()}
            if set(entries) != set(sizes_B) or len(archive.infolist()) != len(entries):
                raise InputFileError(
                    f"{path}: holds {len(entries)} files, expected are {len(sizes_B)} others or more"
                )
            return {name: _member(archive, entries[name], size_B, path) for name, size_B in sizes_B.items()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise InputFileError(f"{path}: is not a whole npz ({error})") from error


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, size_B: int, path: Path) -> NDArray[Any]:
    if not size_B <= entry.file_size <= size_B + MOST_HEADER_B:
        raise InputFileError(f"{path}: {entry.filename} has {entry.file_size} bytes, its array {size_B}")
    with archive.open(entry) as member:
        return read_npy(member.read(size_B + MOST_HEADER_B + 1), limit_B=size_B)
