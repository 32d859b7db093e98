"""Writing files so that nobody ever sees half of one.

A file is written under a temporary name in the same folder and then renamed; a folder is built beside its
final place and then swapped in. An interrupted run leaves the old content or the new, never a mixture.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from refnvn.errors import InputFileError


def _temporary_name(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")


def write_file(path: Path | str, content: bytes | str) -> None:
    """Write ``content`` to ``path`` in one step: readers see the old file or the whole new one.

    Parameters
    ----------
    path : Path or str
        Its folder is made where it is missing.
    content : bytes or str
        Text is encoded as UTF-8.

    Raises
    ------
    InputFileError
        The path cannot be written to.
    """
    path = Path(path)
    temporary = _temporary_name(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be written: {os.strerror(error.errno or 0)}") from error
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


@contextmanager
def new_folder(path: Path | str) -> Iterator[Path]:
    """Give a folder to fill that becomes ``path`` only when the block ends without an error.

    What stood at ``path`` before is replaced as a whole.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary_name(path)
    temporary.mkdir()
    try:
        yield temporary
        old = _temporary_name(path)
        if path.exists():
            path.rename(old)
        temporary.rename(path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def read_file(path: Path | str, limit_B: int = 1 << 32) -> bytes:
    """Read a whole file, or say in one sentence why not.

    Parameters
    ----------
    path : Path or str
        A regular file.
    limit_B : int
        Larger files are refused before they are read.

    Raises
    ------
    InputFileError
        Missing, not a file, unreadable, or larger than ``limit_B``.
    """
    path = Path(path)
    try:
        size_B = path.stat().st_size
        if not path.is_file():
            raise InputFileError(f"{path}: is not a file")
        if size_B > limit_B:
            raise InputFileError(f"{path}: {size_B} bytes, more than the {limit_B} bytes allowed")
        return path.read_bytes()
    except OSError as error:
        raise InputFileError(f"{path}: {os.strerror(error.errno or 0)}") from error
