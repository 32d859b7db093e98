"""How commands print: tables for people, one JSON object for scripts, evidence checks for the strict."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from refnvn.rules.evidence import Evidence

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
strict_evidence_option = click.option(
    "--strict-evidence", is_flag=True, help="Exit with 3 if the answer rests on an inferred or open rule."
)


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
