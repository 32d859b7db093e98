"""``refnvn run``: one scene or trace to its results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from refnvn.cli.output import (
    answering,
    check_apart,
    check_output,
    exit_code_for,
    json_option,
    print_json,
    print_table,
    strict_evidence_option,
)

if TYPE_CHECKING:
    from refnvn.golden.result import Result
    from refnvn.trace.files import Trace


@click.command("run")
@click.argument("source", metavar="SCENE-or-TRACE")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the results.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), help="Also write the trace: FOLDER or .zip.")
@click.option("--fault", metavar="ID", help="Run it as a path with this fault would; rules --fault lists them.")
@json_option
@strict_evidence_option
def command(
    source: str, output: Path, trace_path: Path | None, fault: str | None, as_json: bool, strict_evidence: bool
) -> None:
    """Run one scene or trace by NVN's rules and write what it reads back.

    SCENE is a golden of the catalogue; TRACE is a folder or a zip with a trace.json. OUTPUT gets results.json, an
    npy (of memory: bin) for each result, and a png where one can be made.

    \b
    Examples:
      refnvn run clear_tex/mask -o results --trace mask.zip
      refnvn run mask.zip -o results
      refnvn run clear_tex/mask -o wrong --fault clear-tex-partial/mask
    """
    from refnvn.golden.results_folder import check_results_replaceable, write_results
    from refnvn.rules import registry

    check_output(output, Path(source), trace_path)
    if Path(source).is_dir():
        check_apart(output, Path(source))
    if trace_path is not None:
        check_output(trace_path, Path(source))
        check_apart(trace_path, output)
        _check_trace_path(trace_path)
    check_results_replaceable(output)
    with registry.collect() as used:
        name, results, trace = _run(source, fault, needs_trace=trace_path is not None)
    if trace is not None and trace_path is not None:
        from refnvn.trace.files import write_trace

        write_trace(trace_path, trace)
    description = write_results(output, name, results, used)
    with answering(exit_code_for(registry.weakest(used), strict_evidence)):
        if as_json:
            print_json({"output": str(output), **description})
            return
        rows = [(result.name, result.kind, _size(result)) for result in results]
        print_table(("result", "kind", "size"), rows)
        click.echo(f"{output}: {len(results)} {'result' if len(results) == 1 else 'results'}")


def _check_trace_path(path: Path) -> None:
    from refnvn.trace.files import check_trace_replaceable

    if path.suffix != ".zip":
        check_trace_replaceable(path)


def _run(source: str, fault: str | None, *, needs_trace: bool) -> tuple[str, list[Result], Trace | None]:
    """Return the name, the results and, of a scene or trace, the trace."""
    from refnvn.cli.scene_source import scene_from
    from refnvn.rules.fields import NVN

    scene = scene_from(source)
    trace = scene.trace() if needs_trace else None
    if fault is not None:
        return f"{scene.name} with the fault {fault}", scene.faulty_results(fault), trace
    return scene.name, scene.results(NVN), trace


def _size(result: Result) -> str:
    image = result.image
    if image is None:
        return " x ".join(map(str, result.array.shape))
    return f"{image.format} {image.width_px}x{image.height_px}" + (f"x{image.layers}" if image.layers > 1 else "")
