"""How commands print and what they refuse to write over: tables for people, one JSON object for scripts.

Exit codes that are known before anything is printed go through :func:`answering`. Outputs go through
:func:`check_output` before anything is computed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from refnvn.cli.streams import ClosedPipe, output_watched
from refnvn.errors import ArgumentError
from refnvn.files import check_parent
from refnvn.rules.evidence import Evidence

FORMS = {
    ".png": "a PNG",
    ".dds": "a DDS",
    ".ktx2": "a KTX2",
    ".npy": "an npy",
    ".npz": "an npz",
    ".pfm": "a PFM",
    ".json": "JSON",
    ".zip": "a zip",
    ".h": "a C header",
    ".html": "a page",
}
"""Endings that name a form of file."""

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
strict_evidence_option = click.option(
    "--strict-evidence", is_flag=True, help="Exit with 3 if the answer rests on an inferred or open rule."
)

opaque_option = click.option("--opaque", is_flag=True, help="In a PNG show the colours only, as if alpha were 1.")


def print_json(value: object) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], indent: str = "") -> None:
    """Print aligned columns; numbers to the right, words to the left."""
    text = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(header), *text]) for i in range(len(header))]
    numeric = [all(_is_number(row[i]) for row in text) for i in range(len(header))]
    for row in [list(header), *text]:
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        click.echo((indent + "  ".join(cells)).rstrip())


def _is_number(cell: str) -> bool:
    return cell.replace("x", "").replace(".", "").replace("%", "").isalnum() and cell[:1].isdigit()


def exit_code_for(evidence: Evidence | None, strict: bool) -> int:
    """Return 3 for evidence that is inferred or open when the user asked to be told, else 0."""
    return 3 if strict and evidence is not None and evidence >= Evidence.INFERRED else 0


@contextmanager
def answering(code: int) -> Iterator[None]:
    """Print an answer whose exit code is known already, and exit with it, even if the reader has gone away."""
    with suppress(ClosedPipe), output_watched():
        yield
    sys.exit(code)


def check_output(output: Path, *inputs: Path | None, form: str | None = None) -> None:
    """Refuse, before any work, an output that cannot be meant.

    Parameters
    ----------
    output : Path
        The file or folder to write.
    inputs : Path or None
        What the command reads, or writes besides.
    form : str or None
        The ending of the form that is written whatever the output is called; endings of other forms are refused.

    Raises
    ------
    InputFileError
        Its folder is missing.
    ArgumentError
        It is an input, or its ending names another form.
    """
    check_unlike(output, *inputs)
    ending = output.suffix.lower()
    if form is not None and ending in FORMS and ending != form:
        raise ArgumentError(f"{output}: the ending names {FORMS[ending]}, but what is written is {_form_words(form)}")
    check_parent(output)


def check_unlike(output: Path, *inputs: Path | None) -> None:
    """Refuse an output that is an input or holds one.

    Raises
    ------
    ArgumentError
        Naming it.
    """
    for one in inputs:
        if one is None:
            continue
        if _is_same(output, one):
            raise ArgumentError(f"{output}: is an input too; allowed is another name")
        if one.exists() and _real(one).is_relative_to(_real(output)):
            raise ArgumentError(f"{output}: holds {one}; allowed is another name")


def check_apart(output: Path, other: Path) -> None:
    """Refuse an output that holds something else that is read or written, or lies in it.

    Raises
    ------
    ArgumentError
        Naming both.
    """
    mine, theirs = _real(output), _real(other)
    if theirs.is_relative_to(mine):
        raise ArgumentError(f"{output}: holds {other}; allowed is another name")
    if mine.is_relative_to(theirs):
        raise ArgumentError(f"{output}: lies in {other}; allowed is another name")


def _is_same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return _real(one) == _real(other)


def _real(path: Path) -> Path:
    """Return a path with its links followed; unlike ``resolve`` it takes links that go round in a circle."""
    return Path(os.path.realpath(path))


def _form_words(form: str) -> str:
    return FORMS.get(form, "raw guest bytes")
