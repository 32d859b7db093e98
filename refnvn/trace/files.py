"""How is a trace kept: a folder or a zip of ``trace.json`` and ``blobs/NAME.bin``, written and read with no trust.

Equal traces give equal bytes, in a folder and in a zip (stored, sorted, every time stamp 1980). What is read is
checked before it is believed: names, sizes and how deep the JSON nests before anything is unpacked, types by
msgspec, references by :mod:`refnvn.trace.check`. No Python is ever evaluated.

What it does not do: it opens no other file than those two kinds. Read next: ``docs/trace-format.md``.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from refnvn.commands.recording import VERSION, Recording
from refnvn.errors import ArgumentError, InputFileError, RefnvnError, printable
from refnvn.files import check_replaceable, new_folder, write_file
from refnvn.trace.check import MOST_BLOBS_B, check
from refnvn.trace.sources import BLOB_SUFFIX, BLOBS, MOST_JSON_B, TRACE_JSON, Source, open_source

MOST_MESSAGE = 400
"""Characters of an error about what a trace holds."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_decoder = msgspec.json.Decoder(Recording)


class _Version(msgspec.Struct):
    refnvn_trace: Any = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A recording with its blobs' bytes.

    Attributes
    ----------
    recording : Recording
        Everything but bytes.
    blobs : dict of str to bytes
        One for each name in ``recording.blobs``, of that size.
    """

    recording: Recording
    blobs: Mapping[str, bytes]


def trace_json(recording: Recording) -> bytes:
    """Return ``trace.json``: equal recordings give equal bytes, and equal bytes equal recordings."""
    encoded = msgspec.json.encode(recording, order="deterministic")
    return msgspec.json.format(encoded, indent=1) + b"\n"


def trace_files(trace: Trace) -> dict[str, bytes]:
    """Return the files of a trace by name, sorted, ``trace.json`` last.

    Raises
    ------
    ArgumentError
        Where blobs and recording disagree, or the recording does not hold together.
    """
    sizes_B = {name: len(content) for name, content in trace.blobs.items()}
    if sizes_B != dict(trace.recording.blobs):
        odd = sorted(set(sizes_B.items()) ^ set(trace.recording.blobs.items()))
        raise ArgumentError(f"blob {odd[0][0]!r}: its bytes and the recording's blobs differ")
    check(trace.recording)
    files = {f"{BLOBS}/{name}{BLOB_SUFFIX}": bytes(trace.blobs[name]) for name in sorted(trace.blobs)}
    return {**files, TRACE_JSON: trace_json(trace.recording)}


def write_trace(path: Path | str, trace: Trace) -> None:
    """Write a trace in one step.

    Parameters
    ----------
    path : Path or str
        A zip where it ends in ``.zip``, else a folder; one that stands there must be empty, or a trace and nothing
        besides.
    trace : Trace
        Equal traces give equal bytes.

    Raises
    ------
    ArgumentError
        For a trace that would not be read again.
    InputFileError
        Where something else is in the way.
    """
    path = Path(path)
    files = trace_files(trace)
    if path.suffix == ".zip":
        write_file(path, _zip_bytes(files))
        return
    check_trace_replaceable(path)
    with new_folder(path) as folder:
        (folder / BLOBS).mkdir()
        for name, content in files.items():
            write_file(folder / name, content)


class _Listed(msgspec.Struct):
    refnvn_trace: int
    blobs: dict[str, Any] = {}


def check_trace_replaceable(path: Path | str) -> None:
    """Raise unless a trace may be written as a folder at ``path``, which loses nothing but another trace.

    Raises
    ------
    InputFileError
        For anything else that stands there, or lies in the trace without being listed.
    """

    def listed(content: bytes) -> list[str]:
        try:
            blobs = msgspec.json.decode(content, type=_Listed).blobs
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputFileError(f"{path}: is in the way: its {TRACE_JSON} is not that of a trace") from error
        return [f"{BLOBS}/{name}{BLOB_SUFFIX}" for name in blobs]

    check_replaceable(path, TRACE_JSON, listed)


def _zip_bytes(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


def read_trace(path: Path | str) -> Trace:
    """Read a trace from a folder or a zip.

    Raises
    ------
    InputFileError
        With the file, the place inside ``trace.json``, what is wrong and what is allowed.
    """
    path = Path(path)
    with open_source(path) as source:
        recording = _read_recording(source)
        _check_blob_files(source, recording)
        blobs = {name: source.read(f"{BLOBS}/{name}{BLOB_SUFFIX}") for name in recording.blobs}
    return Trace(recording, blobs)


def _read_recording(source: Source) -> Recording:
    where = source.name_of(TRACE_JSON)
    if source.sizes_B.get(TRACE_JSON, 0) > MOST_JSON_B:
        raise InputFileError(f"{where}: {source.sizes_B[TRACE_JSON]} bytes, allowed are {MOST_JSON_B}")
    return decode_recording(source.read(TRACE_JSON), where)


def decode_recording(content: bytes, where: str) -> Recording:
    """Return the recording of a ``trace.json``.

    Parameters
    ----------
    content : bytes
        Of the file.
    where : str
        Its name, for errors.

    Raises
    ------
    InputFileError
        For anything but a whole recording of this version.
    """
    try:
        _check_version(content, where)
        recording = _decoder.decode(content)
        check(recording)
    except RecursionError as error:
        raise InputFileError(f"{where}: is nested too deep") from error
    except msgspec.ValidationError as error:
        raise InputFileError(
            f"{where}: {printable(str(error), MOST_MESSAGE)}; docs/trace-format.md says what is allowed"
        ) from error
    except msgspec.DecodeError as error:
        raise InputFileError(f"{where}: is not a JSON text ({printable(str(error), MOST_MESSAGE)})") from error
    except RefnvnError as error:
        text = printable(str(error).removeprefix(f"{where}: "), MOST_MESSAGE)
        raise InputFileError(f"{where}: {text}") from error
    return recording


def _check_version(content: bytes, where: str) -> None:
    """Say first what version a trace has, before anything that a version may have changed."""
    version = msgspec.json.decode(content, type=_Version).refnvn_trace
    if version is None:
        raise InputFileError(f"{where}: has no refnvn_trace, it is not a trace")
    if type(version) is not int or version != VERSION:
        raise InputFileError(f"{where}: refnvn_trace is {printable(str(version), 40)}, allowed is {VERSION}")


def _check_blob_files(source: Source, recording: Recording) -> None:
    """Raise unless the blobs that there are are those that the recording lists, each of its size."""
    listed = {f"{BLOBS}/{name}{BLOB_SUFFIX}": size_B for name, size_B in recording.blobs.items()}
    for name, size_B in listed.items():
        if name not in source.sizes_B:
            raise InputFileError(f"{source.name_of(name)}: is missing")
        if source.sizes_B[name] != size_B:
            raise InputFileError(
                f"{source.name_of(name)}: {source.sizes_B[name]} bytes, {TRACE_JSON} says {size_B} in blobs"
            )
    for name in source.sizes_B:
        if name not in listed and name != TRACE_JSON:
            raise InputFileError(f"{source.name_of(name)}: is no blob that {TRACE_JSON} lists")
    assert sum(listed.values()) <= MOST_BLOBS_B
