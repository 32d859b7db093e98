"""``refnvn golden``: list, build, check, accept and export the catalogue's goldens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refnvn.cli.jobs import jobs_option, run_jobs
from refnvn.cli.output import (
    answering,
    check_apart,
    check_output,
    check_unlike,
    exit_code_for,
    json_option,
    print_json,
    print_table,
    strict_evidence_option,
)
from refnvn.errors import ArgumentError, RefnvnError
from refnvn.rules.evidence import Evidence

if TYPE_CHECKING:
    from refnvn.golden.case import GoldenCase


FORMS = ("c-header", "dir", "npz", "dds", "ktx2")
ENDINGS = {"c-header": ".h", "npz": ".npz", "dds": ".dds", "ktx2": ".ktx2"}


@click.group("golden")
def command() -> None:
    """Work with goldens: the exact bytes NVN would leave, and what else would be right.

    \b
    Examples:
      refnvn golden list
      refnvn golden build -o out
      refnvn golden export tex_layout/auto_block_height --to c-header -o auto_block_height.h
    """


@command.command("list")
@click.argument("names", nargs=-1)
@json_option
def list_(names: tuple[str, ...], as_json: bool) -> None:
    """List the catalogue: name, the test it serves, what it shows.

    NAMES are goldens or areas (tex_layout).

    \b
    Example:
      refnvn golden list sparse_layout
    """
    cases = _cases(names)
    if as_json:
        listed = [{"name": c.name, "t_test": c.t_test, "says": c.says, "ledger": list(c.ledger)} for c in cases]
        print_json({"goldens": listed})
    else:
        print_table(("golden", "test", "shows"), [(c.name, c.t_test, c.says) for c in cases])


@command.command("build")
@click.argument("names", nargs=-1)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the bundles.")
@click.option("--c-headers", type=click.Path(path_type=Path), help="Also write a C header of each golden there.")
@jobs_option
@json_option
@strict_evidence_option
def build(
    names: tuple[str, ...],
    output: Path,
    c_headers: Path | None,
    jobs: int,
    as_json: bool,
    strict_evidence: bool,
) -> None:
    """Run cases and write their bundles: values, masks, alternatives, evidence.

    NAMES are goldens or areas; none means all. Each bundle is a folder OUTPUT/area/topic, written in one step;
    folders on the way are made.

    \b
    Examples:
      refnvn golden build -o out --c-headers out/include
      refnvn golden build tex_layout -o out --jobs 2
    """
    from refnvn.golden.bundle import check_bundle_replaceable

    cases = _cases(names)
    for case in cases:
        check_bundle_replaceable(output / case.name)
    work = [(case.name, str(output), str(c_headers) if c_headers else None) for case in cases]
    built = dict(run_jobs(_build_one, work, jobs, "building"))
    with answering(exit_code_for(Evidence(max(built.values(), default=1)), strict_evidence)):
        if as_json:
            evidence = {name: Evidence(rank).name if rank else None for name, rank in sorted(built.items())}
            print_json({"output": str(output), "goldens": evidence})
        else:
            click.echo(f"{output}: {len(built)} goldens" + (f"; C headers in {c_headers}" if c_headers else ""))


@command.command("check")
@click.argument("names", nargs=-1)
@click.option(
    "--accepted", type=click.Path(path_type=Path), help="Folder of accepted results.  [default: the catalogue]"
)
@jobs_option
@click.option("--html", "page", type=click.Path(path_type=Path),
              help="Write a page that shows goldens which differ (all, where none does).")  # fmt: skip
@json_option
def check(names: tuple[str, ...], accepted: Path | None, jobs: int, page: Path | None, as_json: bool) -> None:
    """Build cases anew and compare them with what was accepted. Exit 1 if one differs.

    \b
    Examples:
      refnvn golden check --jobs 2
      refnvn golden check tex_layout --html changes.html
    """
    cases = _cases(names)
    if page is not None:
        check_output(page, accepted, form=".html")
    if accepted is not None and not accepted.is_dir():
        raise ArgumentError(f"--accepted {accepted}: is no folder; allowed is one of accepted results")
    work = [(case.name, str(accepted) if accepted else None) for case in cases]
    found = dict(sorted(run_jobs(_check_one, work, jobs, "checking")))
    differing = {name: differences for name, differences in found.items() if differences}
    if page is not None:
        _write_page(page, differing or found, accepted)
    with answering(1 if differing else 0):
        if as_json:
            print_json({"checked": len(found), "differing": differing})
            return
        for name, differences in differing.items():
            click.echo(f"{name}: differs from its accepted result")
            for line in differences:
                click.echo(f"  {line}")
        click.echo(f"{len(found)} goldens checked, {len(differing)} differ")


@command.command("accept")
@click.argument("names", nargs=-1, required=True)
@click.option("--reason", required=True, help="Why the result is right now; goes to accepted/CHANGES.md.")
@click.option(
    "--accepted", type=click.Path(path_type=Path), help="Folder of accepted results.  [default: the catalogue]"
)
@json_option
def accept(names: tuple[str, ...], reason: str, accepted: Path | None, as_json: bool) -> None:
    """Make what cases give now their accepted results.

    \b
    Example:
      refnvn golden accept tex_layout --reason "LAYOUT-AUTO-1 found from game files"
    """
    from refnvn.golden.accepted import accept as accept_case

    cases = _cases(names)
    changed = [case.name for case in cases if accept_case(case, reason, accepted)]
    if as_json:
        print_json({"accepted": changed, "unchanged": [case.name for case in cases if case.name not in changed]})
        return
    for name in changed:
        click.echo(f"accepted {name}")
    click.echo(f"{len(changed)} accepted, {len(cases) - len(changed)} unchanged")


@command.command("export")
@click.argument("name")
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="Form of the export.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File, or folder for dir.")
@click.option("--result", help="Which result, where the form holds one.")
@json_option
def export(name: str, form: str, output: Path, result: str | None, as_json: bool) -> None:
    """Write one golden for other tools: a C header with a compare function, a bundle, npz, DDS or KTX2.

    NAME is a golden of the catalogue, the folder of a bundle, or a trace: a folder or .zip.

    \b
    Examples:
      refnvn golden export tex_layout/bc3_160x160 --to c-header -o bc3_160x160.h
      refnvn golden export triangle.zip --to dir -o triangle
    """
    from refnvn.cli.golden_source import golden_from
    from refnvn.golden.export import export as export_golden

    if form == "dir":
        check_unlike(output, Path(name))
        if Path(name).is_dir():
            check_apart(output, Path(name))
    else:
        check_output(output, Path(name), form=ENDINGS[form])
    export_golden(golden_from(name), form, output, result=result)
    if as_json:
        print_json({"golden": name, "form": form, "output": str(output)})
    else:
        click.echo(str(output))


def _cases(names: Sequence[str]) -> list[GoldenCase]:
    """Return the cases that names or areas pick; all for none.

    Raises
    ------
    ArgumentError
        For a name that picks nothing.
    """
    from refnvn.golden.case import case_named, catalogue

    everything = catalogue()
    picked: dict[str, GoldenCase] = {}
    for name in names:
        of_area = [case for case in everything if case.name.split("/")[0] == name.rstrip("/")]
        for case in of_area or [case_named(name)]:
            picked[case.name] = case
    if not everything:
        raise ArgumentError("the catalogue is empty: the package `goldens` holds no case")
    return sorted(picked.values(), key=lambda case: case.name) if names else list(everything)


def _build_one(name: str, output: str, c_headers: str | None) -> tuple[str, int]:
    from refnvn.golden.build import build as build_golden
    from refnvn.golden.bundle import write_bundle
    from refnvn.golden.case import case_named
    from refnvn.golden.export import export as export_golden

    case = case_named(name)
    try:
        golden = build_golden(case)
    except RefnvnError as error:
        said = str(error).removeprefix(f"golden {name}: ")
        raise ArgumentError(f"golden {name}: {said}") from error
    write_bundle(golden, Path(output) / name)
    if c_headers is not None:
        export_golden(golden, "c-header", Path(c_headers) / f"refnvn_{name.replace('/', '_')}.h", parents=True)
    return name, int(golden.weakest or 0)


def _write_page(page: Path, found: Mapping[str, Sequence[str]], accepted: Path | None) -> None:
    from refnvn.compare.page import report_page
    from refnvn.compare.page_data import accepted_comparison
    from refnvn.files import write_file
    from refnvn.golden.accepted import accepted_arrays
    from refnvn.golden.build import build
    from refnvn.golden.case import case_named

    comparisons = [
        accepted_comparison(build(case_named(name)), accepted_arrays(name, accepted), words)
        for name, words in found.items()
    ]
    write_file(page, report_page("refnvn golden check", comparisons))


def _check_one(name: str, accepted: str | None) -> tuple[str, list[str]]:
    from refnvn.golden.accepted import check as check_case
    from refnvn.golden.case import case_named

    return name, list(check_case(case_named(name), Path(accepted) if accepted else None).differences)
