"""``refnvn conformance``: measured vectors against the rules, scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refnvn.cli.output import answering, check_output
from refnvn.cli.progress import progress
from refnvn.errors import ArgumentError
from refnvn.files import write_file

if TYPE_CHECKING:
    from refnvn.conformance.report import Report

STDOUT = "-"
MOST_NAMED = 3


@click.command("conformance")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option("--json", "json_to", metavar="FILE", is_flag=False, flag_value=STDOUT,
              help="Write everything as one JSON object to FILE; - or nothing is standard output.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit with 1 also for what no rule serves yet.")
@click.option("--details", is_flag=True, help="A line for each array, not only for wrong ones.")
def command(paths: tuple[Path, ...], json_to: str | None, strict: bool, details: bool) -> None:
    """Score every vector file under each PATH against the rules.

    Cases are measured elements; each is equal, within its rule's declared bound, or wrong. Exit 0 when nothing is
    wrong beyond the mismatches that the project lists with count and reason, else 1. A family that is known by name
    but that no rule serves yet is `not run`, which --strict refuses and lists; what holds no results is information.
    A file of no known kind, an array without cases or one that nothing judges is an error, exit 2.

    \b
    Examples:
      refnvn conformance tests/data/hardware
      refnvn conformance tests/data --details
      refnvn conformance tests/data/layout_public.json --json scores.json --strict
    """
    from refnvn.conformance.run import run, vector_files

    if json_to not in (None, STDOUT):
        _check_target(Path(json_to), paths)
    files = vector_files(paths)
    with progress(len(files), "scoring") as step:
        report = run(files, progress=lambda number, _total, _name: step() if number else None)
    if json_to not in (None, STDOUT):
        write_file(json_to, json.dumps(report.as_dict(), indent=2) + "\n")
    with answering(report.exit_code(strict)):
        _tell(report, json_to, details, strict)


def _check_target(target: Path, paths: tuple[Path, ...]) -> None:
    """Refuse to write over vectors, which `--json PATH` by mistake would."""
    if target.suffix != ".json":
        raise ArgumentError(f"--json {target}: the report is JSON; name a file that ends in .json, or - for stdout")
    check_output(target)
    place = target.resolve()
    if target.exists() and any(path.resolve() in (place, *place.parents) for path in paths):
        raise ArgumentError(f"--json {target}: would be written over vectors that are to be scored")


def _tell(report: Report, json_to: str | None, details: bool, strict: bool) -> None:
    if json_to == STDOUT:
        click.echo(json.dumps(report.as_dict(), indent=2))
        return
    click.echo(report.text(details), nl=False)
    for line in [*_known(report), *(_not_run(report) if strict else [])]:
        click.echo(line)
    if json_to is not None:
        click.echo(f"written: {json_to}")


def _not_run(report: Report) -> list[str]:
    """Return what a strict run fails for, arrays of a file that wait for the same in one line."""
    from refnvn.conformance.score import Status

    waiting: dict[tuple[str, str], list[str]] = {}
    for file in report.files:
        for score in file.arrays:
            if score.status is Status.NOT_RUN:
                waiting.setdefault((file.file, score.reason), []).append(score.array)
    lines = [
        f"  {file} {', '.join(arrays[:MOST_NAMED])}"
        f"{f' and {len(arrays) - MOST_NAMED} more' if len(arrays) > MOST_NAMED else ''}: {reason}"
        for (file, reason), arrays in waiting.items()
    ]
    return ["Not run, which --strict refuses:", *lines] if lines else []


def _known(report: Report) -> list[str]:
    """Return what is listed as known of the arrays that were scored: found, listed, why."""
    lines = [
        f"  {file.file} {score.array}: {score.wrong} of at most {score.known}: {score.reason}"
        for file in report.files
        for score in file.arrays
        if score.known
    ]
    return ["Known mismatches:", *lines] if lines else []
