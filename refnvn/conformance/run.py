"""What do the rules score on every vector file under some paths?

One file after another, each by the schema that recognises it.

It prints nothing: ``report.py`` renders.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from refnvn.conformance.report import Report
from refnvn.conformance.schemas import schema_of
from refnvn.conformance.score import ArrayScore, FileScore, Status
from refnvn.conformance.signature import META
from refnvn.conformance.vector_file import SUFFIXES, VectorFile, suffix_of
from refnvn.errors import InputFileError, RefnvnError
from refnvn.rules.fields import NVN, Rules

Progress = Callable[[int, int, str], None]
"""Called before each file with its number from 0, how many there are, and its name."""

Known = dict[tuple[str, str], tuple[int, str]]
KEPT_SEED = 1
"""The seed of the vectors that known mismatches are counted on."""


@functools.cache
def known_mismatches() -> Known:
    """Return count and reason of every known mismatch, by file name and array."""
    text = Path(__file__).with_name("known.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["mismatch"]
    return {(e["file"], e["array"]): (int(e["count"]), str(e["reason"])) for e in entries}


def vector_files(paths: Iterable[Path | str]) -> list[Path]:
    """Return every vector file that paths name or hold, sorted, each once; other files in folders are ignored.

    Raises
    ------
    InputFileError
        For a path that does not exist, a named file of another kind, or a folder without any vector file.
    """
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if suffix_of(p) and p.is_file())
            if not inside:
                raise InputFileError(f"{path}: holds no vector file ({', '.join(SUFFIXES)})")
            found |= dict.fromkeys(inside)
        elif path.is_file():
            VectorFile(path)
            found[path] = None
        else:
            raise InputFileError(f"{path}: no such file or folder")
    return sorted(found)


class Elsewhere(NamedTuple):
    """The most that files of other seeds than the kept ones showed: which arrays, how many in each, and why."""

    file: str
    arrays: re.Pattern[str]
    most: int
    reason: str


@functools.cache
def known_elsewhere() -> tuple[Elsewhere, ...]:
    """Return what measurements with other seeds showed."""
    text = Path(__file__).with_name("known.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["elsewhere"]
    return tuple(Elsewhere(e["file"], re.compile(e["arrays"]), int(e["count"]), str(e["reason"])) for e in entries)


def _is_of_another_seed(file: VectorFile) -> bool:
    """Say whether a file tells that its inputs are not those of the kept one."""
    try:
        return file.is_npz and int(json.loads(str(file.array(META))).get("seed", KEPT_SEED)) != KEPT_SEED
    except (RefnvnError, ValueError, TypeError, AttributeError):
        return False


def _with_known(file: VectorFile, score: ArrayScore, known: Known) -> ArrayScore:
    name = file.path.name
    count, reason = known.get((name, score.array), (0, ""))
    if score.wrong > count and _is_of_another_seed(file):
        for one in known_elsewhere():
            if one.file == name and one.arrays.fullmatch(score.array):
                count, reason = max(count, one.most), one.reason
    return replace(score, known=count, reason=reason) if count else score


def score_file(path: Path, rules: Rules = NVN, known: Known | None = None) -> FileScore:
    """Score one file by its schema.

    Raises
    ------
    InputFileError
        For a file that is damaged, of no schema, or does not hold what its schema says.
    """
    file = VectorFile(path)
    schema = schema_of(file)
    listed = known_mismatches() if known is None else known
    try:
        arrays = tuple(_with_known(file, score, listed) for score in schema.score(file, rules))
    except InputFileError:
        raise
    except RefnvnError as error:  # the file asks a rule for something that there is not
        raise InputFileError(f"{path}: {error}") from error
    _check_complete(file, arrays)
    return FileScore(file=path.name, path=path.as_posix(), schema=schema.name, arrays=arrays)


def _check_complete(file: VectorFile, arrays: Sequence[ArrayScore]) -> None:
    """Refuse a file that leaves something unjudged: such a file is damaged, and would pass as equal.

    Arrays without any case, and arrays that no score read or named: ``in_X`` whose ``out_X`` is gone. An input whose
    results are not run yet, or information (named with the same first word), waits with them.

    Raises
    ------
    InputFileError
        Naming the array.
    """
    if not arrays:
        raise InputFileError(f"{file.path}: holds nothing to score; allowed is at least one array or vector")
    for score in arrays:
        if not score.cases and not score.reason:
            raise InputFileError(f"{file.path}: array {score.array!r} holds no case; allowed is at least one")
    unscored = (Status.NOT_RUN, Status.INFORMATION)
    if all(score.status in unscored for score in arrays):
        return
    waiting = {_subject(score.array) for score in arrays if score.status in unscored}
    judged = {score.array for score in arrays} | file.read | {META}
    for name in file.headers:
        if name not in judged and not (name.startswith("in_") and _subject(name) in waiting):
            raise InputFileError(
                f"{file.path}: array {name!r} is used by nothing: the array that it belongs to is missing"
            )


def _subject(array: str) -> str:
    """Return the first word of an array's name behind ``in_`` or ``out_``."""
    return [*array.split("_"), ""][1]


def run(
    paths: Sequence[Path | str],
    rules: Rules = NVN,
    *,
    progress: Progress | None = None,
    known: Known | None = None,
) -> Report:
    """Score every vector file under ``paths``.

    Parameters
    ----------
    paths : sequence of paths
        Files, or folders that are searched all the way down.
    rules : Rules
        What answers; NVN unless something else is to be tried.
    progress : callable or None
        See :data:`Progress`.
    known : mapping or None
        Known mismatches instead of the project's list.

    Returns
    -------
    Report

    Raises
    ------
    InputFileError
        See :func:`vector_files` and :func:`score_file`.
    """
    files = vector_files(paths)
    scores = []
    for number, path in enumerate(files):
        if progress is not None:
            progress(number, len(files), path.name)
        scores.append(score_file(path, rules, known))
    return Report(files=tuple(scores))
