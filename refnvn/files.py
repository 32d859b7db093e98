"""Writing files so that nobody ever sees half of one.

A file is written under a temporary name in the same folder and then renamed, which no reader can see half done. A
folder is built beside its final place; then the old one is set aside under a name that can be found again, the new
one takes its place, and the old one goes. Between those two renames there is neither: a run that is killed right
there leaves the old folder as ``.NAME.previous``, and the next write to the same place puts it back first.

A symbolic link is written through: what it points to gets the content, the link stays. A device or a pipe is written
to as it is. Folders on the way are made only where the caller says so; a mistyped path makes nothing.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from refnvn.errors import InputFileError

Content = bytes | bytearray | memoryview | str
MOST_LIST_B = 256 << 20
"""Of a file that lists the others of a folder."""


def _temporary_name(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")


def previous_name(path: Path) -> Path:
    """Return where the old folder stands for as long as a new one takes its place.

    >>> previous_name(Path("out/bundle")).as_posix()
    'out/.bundle.previous'
    """
    return path.with_name(f".{path.name}.previous")


def _refused(path: Path, error: OSError) -> InputFileError:
    return InputFileError(f"{path}: cannot be written: {error.strerror or error}")


def _written_place(path: Path) -> Path:
    """Return what a path stands for, symbolic links followed."""
    if not path.is_symlink():
        return path
    place = Path(os.path.realpath(path))
    if place.is_symlink():
        raise InputFileError(f"{path}: cannot be written: its symbolic links go round in a circle")
    return place


def check_parent(path: Path | str) -> None:
    """Raise unless the folder that is to hold ``path`` is there.

    Raises
    ------
    InputFileError
        Naming the first folder that is missing, or the file that stands in its place; or for a path like ``.`` that
        ends in no name.
    """
    path = Path(path)
    if path.name in ("", ".."):
        raise InputFileError(f"{path}: cannot be written: allowed is a path that ends in a name")
    for folder in reversed(path.parents):
        if not folder.exists():
            raise InputFileError(f"{path}: cannot be written: folder {folder} is missing")
        if not folder.is_dir():
            raise InputFileError(f"{path}: cannot be written: {folder} is no folder")


def _prepared(path: Path | str, parents: bool) -> Path:
    """Return the place to write to, its folder there."""
    path = Path(path)
    try:
        place = _written_place(path)
        if parents and place.name:
            place.parent.mkdir(parents=True, exist_ok=True)
        check_parent(place)
    except OSError as error:
        raise _refused(path, error) from error
    return place


def write_file(path: Path | str, content: Content, *, parents: bool = False) -> None:
    """Write ``content`` to ``path`` in one step: readers see the old file or the whole new one.

    Parameters
    ----------
    path : Path or str
        A symbolic link is written through; a device or a pipe gets the content directly.
    content : bytes, anything that lends its bytes, or str
        Text is encoded as UTF-8.
    parents : bool
        Make the folders on the way where they are missing.

    Raises
    ------
    InputFileError
        The path cannot be written to.
    """
    place = _prepared(path, parents)
    data = content.encode() if isinstance(content, str) else content
    try:
        if _is_device(Path(path)):
            Path(path).write_bytes(data)
            return
        temporary = _temporary_name(place)
        try:
            temporary.write_bytes(data)
            temporary.replace(place)
        finally:
            with suppress(FileNotFoundError):
                temporary.unlink()
    except OSError as error:
        raise _refused(Path(path), error) from error


def _is_device(path: Path) -> bool:
    """Whether there is something at ``path`` that is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def new_folder(path: Path | str, *, parents: bool = False) -> Iterator[Path]:
    """Give a folder to fill that becomes ``path`` only when the block ends without an error.

    What stood at ``path`` before is replaced as a whole. A reader may find neither for the instant between two
    renames; a run that dies in that instant leaves the old folder as :func:`previous_name`, and the next call puts it
    back.

    Parameters
    ----------
    path : Path or str
        A symbolic link is followed: the folder that it points to is replaced.
    parents : bool
        Make the folders on the way where they are missing.

    Raises
    ------
    InputFileError
        The path cannot be written to.
    """
    place = _prepared(path, parents)
    temporary = _temporary_name(place)
    try:
        _put_back(place)
        temporary.mkdir()
    except OSError as error:
        raise _refused(Path(path), error) from error
    try:
        yield temporary
        try:
            _swap_in(temporary, place)
        except OSError as error:
            raise _refused(Path(path), error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _put_back(place: Path) -> None:
    """Undo what a run that was killed left: restore the old folder, or remove it if the new one is there."""
    previous = previous_name(place)
    if not previous.exists():
        return
    if place.exists():
        shutil.rmtree(previous)
    else:
        previous.rename(place)


def _swap_in(temporary: Path, place: Path) -> None:
    previous = previous_name(place)
    if not place.exists():
        temporary.rename(place)
        return
    place.rename(previous)
    try:
        temporary.rename(place)
    except BaseException:
        with suppress(OSError):
            previous.rename(place)
        raise
    shutil.rmtree(previous, ignore_errors=True)


def check_replaceable(path: Path | str, mark: str, listed: Callable[[bytes], Collection[str]]) -> None:
    """Raise unless ``path`` is missing, an empty folder, or a folder that holds what its own list says and no more.

    Parameters
    ----------
    path : Path or str
        What is to be replaced as a whole.
    mark : str
        Name of the file in it that lists the others.
    listed : callable
        From the bytes of that file to the names that it lists, with ``/``; none of what the caller knows is its own
        gives :class:`InputFileError`.

    Raises
    ------
    InputFileError
        So that a wrong path costs nobody a file.
    """
    path = Path(path)
    try:
        if not os.path.lexists(path):
            return
        if not path.is_dir():
            raise InputFileError(f"{path}: is in the way; allowed are a new name, an empty folder, one with {mark}")
        found = _names_below(path)
    except OSError as error:
        raise _refused(path, error) from error
    if not found:
        return
    if mark not in found:
        raise InputFileError(f"{path}: is in the way; allowed are a new name, an empty folder, one with {mark}")
    allowed = {mark, *listed(read_file(path / mark, MOST_LIST_B))}
    others = sorted(found - allowed)
    if others:
        raise InputFileError(
            f"{path}: is in the way: {others[0]!r} in it is not listed in its {mark}; allowed is another name"
        )


def _names_below(folder: Path) -> set[str]:
    """Return every file and link below a folder, and every folder that holds nothing."""
    names = set()
    for parent, folders, files in os.walk(folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        here = Path(parent).relative_to(folder)
        names |= {(here / name).as_posix() for name in (*files, *links)}
        if not folders and not files and here.name not in ("", "blobs"):
            names.add(here.as_posix())
    return names


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
