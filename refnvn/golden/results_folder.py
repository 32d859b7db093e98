"""How are the results of one run written: arrays, bytes, pictures, and a file that says what they are?

A folder with ``results.json``, an ``NAME.npy`` or (of memory) ``NAME.bin`` for each result, and ``NAME.png`` where a
picture can be made. Unlike a golden's bundle it holds one set of values and nothing that else would be right.

Read next: ``bundle.py``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from refnvn.containers.npy import npy_bytes
from refnvn.errors import InputFileError
from refnvn.files import check_replaceable, new_folder, write_file
from refnvn.golden.preview import preview_png
from refnvn.golden.result import Result
from refnvn.rules.registry import weakest
from refnvn.version import VERSION as REFNVN_VERSION

RESULTS_JSON = "results.json"
VERSION = 1


def describe_results(name: str, results: Sequence[Result], rules: Iterable[str]) -> dict[str, Any]:
    """Return what ``results.json`` holds.

    Parameters
    ----------
    name : str
        Of the golden or the recording.
    results : sequence of Result
        In the order in which they were read.
    rules : iterable of str
        Ids of the rules that ran.
    """
    used = sorted(set(rules))
    evidence = weakest(set(used))
    return {
        "refnvn_results": VERSION,
        "name": name,
        "refnvn_version": REFNVN_VERSION,
        "results": [_entry(result) for result in results],
        "rules": used,
        "weakest_evidence": None if evidence is None else evidence.name,
    }


def _entry(result: Result) -> dict[str, Any]:
    content = result_file(result)[1]
    entry: dict[str, Any] = {
        "name": result.name,
        "kind": result.kind,
        "file": result_file(result)[0],
        "size_B": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "dtype": result.array.dtype.name,
        "shape": list(result.array.shape),
        "axes": list(result.axes),
    }
    if result.columns:
        entry["columns"] = list(result.columns)
    if result.image is not None:
        entry["image"] = asdict(result.image)
    return entry


def result_file(result: Result) -> tuple[str, bytes]:
    """Return name and content of a result's file: plain bytes for memory, npy for all others."""
    if result.kind == "bytes":
        return f"{result.name}.bin", result.array.tobytes()
    return f"{result.name}.npy", npy_bytes(result.array)


class _ListedResult(msgspec.Struct):
    name: str
    file: str


class _Listed(msgspec.Struct):
    refnvn_results: int
    results: tuple[_ListedResult, ...]


def check_results_replaceable(path: Path | str) -> None:
    """Raise unless results may be written at ``path``, which loses nothing but earlier results.

    Raises
    ------
    InputFileError
        For anything else that stands there, or lies beside results without being listed.
    """

    def listed(content: bytes) -> list[str]:
        try:
            results = msgspec.json.decode(content, type=_Listed).results
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputFileError(f"{path}: is in the way: its {RESULTS_JSON} is not one of refnvn's") from error
        return [name for one in results for name in (one.file, f"{one.name}.png")]

    check_replaceable(path, RESULTS_JSON, listed)


def write_results(path: Path | str, name: str, results: Sequence[Result], rules: Iterable[str]) -> dict[str, Any]:
    """Write results as a folder, in one step, and return what ``results.json`` holds.

    Raises
    ------
    InputFileError
        Where something stands at ``path`` that is neither an empty folder nor one of results and nothing besides.
    """
    check_results_replaceable(path)
    description = describe_results(name, results, rules)
    with new_folder(path) as folder:
        for result in results:
            file, content = result_file(result)
            write_file(folder / file, content)
            if picture := preview_png(result):
                write_file(folder / f"{result.name}.png", picture)
        text = msgspec.json.format(msgspec.json.encode(description), indent=1) + b"\n"
        write_file(folder / RESULTS_JSON, text)
    return description
