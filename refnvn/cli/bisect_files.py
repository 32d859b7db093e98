"""The readbacks of ``refnvn bisect``: a folder's files by its list, or by the names that a host renderer gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from refnvn.cli.file_kind import file_kind
from refnvn.cli.readback_files import file_values
from refnvn.commands.recording import Recording
from refnvn.compare.bisect import MANIFEST, MOST_MANIFEST_B, DumpEntry, read_manifest
from refnvn.compare.host_dumps import DumpedFile, HostDumps, host_dumps
from refnvn.compare.host_texels import raw_texels
from refnvn.compare.judge import Actual
from refnvn.compare.pictures import CODES, picture_texels
from refnvn.containers.png import read_png
from refnvn.dumps.names import DumpKind, name_of_dump
from refnvn.errors import ArgumentError, InputFileError
from refnvn.files import read_file
from refnvn.formats.table import NumericClass
from refnvn.golden.result import Result

MOST_FILES = 65536
MOST_REASONS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the user says of files that no name says."""

    serials: Mapping[int, int]
    after: int | None = None
    format: str | None = None
    width: int | None = None
    height: int | None = None
    layout: str | None = None


class Readbacks:
    """A folder of readbacks of one recording.

    Attributes
    ----------
    entries : tuple of DumpEntry
    assumed, left_out : list and tuple of str
        What was assumed, of which more comes up while files are read; files that are no readbacks, and why.

    Raises
    ------
    InputFileError
        For a list that is none or names what is not there, or where no file is a readback.
    """

    def __init__(self, recording: Recording, folder: Path, said: Said) -> None:
        self.recording = recording
        self.folder = folder
        self.by_list = (folder / MANIFEST).exists() or not folder.is_dir()
        found = self._listed() if self.by_list else self._named(said)
        more = {name: getattr(said, name) for name in ("format", "width", "height", "layout")}
        self.entries = tuple(_with(one, more) for one in found.entries)
        self.assumed = list(found.assumed)
        self.left_out = found.left_out

    def _listed(self) -> HostDumps:
        path = self.folder / MANIFEST
        entries = read_manifest(read_file(path, MOST_MANIFEST_B), str(path)).readbacks
        for entry in entries:
            if not (self.folder / entry.file).is_file():
                raise InputFileError(f"{path}: names {entry.file}, which is not in {self.folder}")
        return HostDumps(entries, (), ())

    def _named(self, said: Said) -> HostDumps:
        inside = sorted(one for one in self.folder.iterdir() if one.is_file() and not one.name.startswith("."))
        if len(inside) > MOST_FILES:
            raise InputFileError(f"{self.folder}: {len(inside)} files; allowed: {MOST_FILES}")
        files = [DumpedFile(one.name, one.stat().st_size, _extent(one)) for one in inside]
        more = any(one is not None for one in (said.format, said.width, said.height, said.layout))
        found = host_dumps(self.recording, files, said.serials, said.after, any_size=more)
        if not found.entries:
            reasons = "; ".join(found.left_out[:MOST_REASONS]) or "it is empty"
            raise InputFileError(
                f"{self.folder}: has no {MANIFEST}, and no file that is a readback by name: {reasons}"
            )
        return found

    def read(self, entry: DumpEntry, expected: Result) -> Actual:
        """Return what a file holds, as texels or bytes of what is expected.

        Raises
        ------
        InputFileError
            For a file that cannot hold it.
        """
        path = self.folder / entry.file
        try:
            return self._read(path, entry, expected)
        except ArgumentError as error:
            raise InputFileError(f"{path}: {error}") from error

    def _read(self, path: Path, entry: DumpEntry, expected: Result) -> Actual:
        content = read_file(path)
        kind = file_kind(path, content)
        if kind == "png":
            classes = CODES if self.by_list else (NumericClass.UNORM,)
            return picture_texels(
                read_png(path), expected, lambda words: self._tell(f"{words}; it is taken as right"),
                has_alpha=self.by_list, classes=classes,
            )  # fmt: skip
        if kind == "raw" and entry.texture is not None:
            return raw_texels(self.recording, entry, np.frombuffer(content, np.uint8), expected, self._tell)
        values: Actual = file_values(path, "linear", {})
        return values

    def _tell(self, words: str) -> None:
        if words not in self.assumed:
            self.assumed.append(words)


def _with(entry: DumpEntry, said: Mapping[str, Any]) -> DumpEntry:
    """Return an entry with what is said of all files, where it says nothing itself and is of a texture."""
    if entry.texture is None:
        return entry
    more = {name: value for name, value in said.items() if value is not None and getattr(entry, name) is None}
    return msgspec.structs.replace(entry, **more)


def _extent(path: Path) -> tuple[int, int] | None:
    if name_of_dump(path).kind is not DumpKind.TARGET:
        return None
    pixels = read_png(path)
    return pixels.shape[1], pixels.shape[0]


def serials_of(texts: tuple[str, ...]) -> dict[int, int]:
    """Return which serial is which texture, from texts ``SERIAL=INDEX``.

    Raises
    ------
    ArgumentError
        For another text.
    """
    found = {}
    for text in texts:
        serial, equals, texture = text.partition("=")
        if not (equals and serial.isdecimal() and texture.isdecimal()):
            raise ArgumentError(f"--texture {text}: allowed is SERIAL=INDEX, two numbers, such as 17=0")
        found[int(serial)] = int(texture)
    return found
