"""``refnvn bisect``: after which command do somebody's readbacks part from NVN?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.output import answering, check_output, json_option, print_json
from refnvn.cli.progress import progress
from refnvn.errors import InputFileError

if TYPE_CHECKING:
    from refnvn.cli.bisect_files import Readbacks
    from refnvn.compare.bisect import Parting
    from refnvn.trace.files import Trace

MOST_SUSPECTS = 12


@click.command("bisect")
@click.argument("trace_path", metavar="SCENE-or-TRACE")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--list", "listing", is_flag=True, help="List the commands with their numbers, and stop.")
@click.option(
    "--after", type=int, help="Of dumps by name: the command behind which targets were dumped.  [default: last]"
)
@click.option("--texture", "serials", multiple=True, metavar="SERIAL=INDEX",
              help="Of dumps by name: which serial is which texture of the trace.")  # fmt: skip
@click.option("--format", "format_name", metavar="FORMAT",
              help="Of raw textures: their components in another order.")  # fmt: skip
@click.option("--width", type=int, help="Of raw textures: pixels of a row, if more than the level has.")
@click.option("--height", type=int, help="Of raw textures: rows, if more than the level has.")
@click.option("--layout", type=click.Choice(["rows", "guest"]),
              help="Of raw textures: plain rows, or all of one, block-linear.  [default: rows]")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path),
              help="Write the trace that ends where the readbacks part: FOLDER or .zip.")  # fmt: skip
@click.option("--html", "page", type=click.Path(path_type=Path), help="Write the report page of the wrong readback.")
@json_option
def command(
    trace_path: str,
    folder: Path | None,
    listing: bool,
    after: int | None,
    serials: tuple[str, ...],
    format_name: str | None,
    width: int | None,
    height: int | None,
    layout: str | None,
    output: Path | None,
    page: Path | None,
    as_json: bool,
) -> None:
    """Find the first command after which readbacks part from what NVN leaves. Exit 1 if one does.

    DIR holds files (raw, npy, png, dds) and readbacks.json, which says after which command each was taken and what it
    holds; any subset will do:

    \b
      {"refnvn_readbacks": 1, "readbacks": [
        {"file": "pass1.npy", "after": 12, "texture": 0},
        {"file": "depth.bin", "after": 30, "texture": 2, "level": 0, "layer": 3},
        {"file": "heap.bin", "after": 30, "pool": 0, "offset_B": 4096, "size_B": 512}]}

    A texture's raw bytes may say "format", "width", "height" and "layout" too, as the options do for all of them.
    Commands count from 1 as they are submitted; --list shows their numbers. What NVN leaves open, and slack, count as
    right. With -o, go on with: refnvn diagnose cut.zip DIR/FILE

    Without readbacks.json the names that host renderers give their dumps say what they can (refnvn dump FILE): colour
    targets NAME_N.png and .raw, F1_p2_vb0_ADDRESS.bin, F1_p2_ib1_ADDRESS.bin, F1_c3d_SERIAL.bin, zb_SERIAL.bin. What
    they do not say is assumed, and listed: which texture a serial is, which commands a pass has, when it was dumped.

    \b
    Examples:
      refnvn bisect frame.zip --list
      refnvn bisect frame.zip dumps/ -o cut.zip
      refnvn bisect frame.zip targets/ --texture 17=0
    """
    from refnvn.cli.scene_source import scene_from
    from refnvn.compare.bisect import first_parting

    trace = scene_from(trace_path).trace()
    if listing:
        _list(trace, as_json)
        return
    if folder is None:
        raise InputFileError("DIR is missing: the folder that holds readbacks.json, or dumps by name; or --list")
    for one in (output, page):
        if one is not None:
            check_output(one, folder, form=".html" if one is page else None)
    from refnvn.cli.bisect_files import Readbacks, Said, serials_of

    said = Said(
        serials=serials_of(serials), after=after, format=format_name, width=width, height=height, layout=layout
    )
    readbacks = Readbacks(trace.recording, folder, said)
    with progress(len(readbacks.entries), "comparing") as advance:
        found = first_parting(trace, readbacks.entries, readbacks.read, advance)
    _write(found, output, page)
    with answering(1 if found.wrong else 0):
        if as_json:
            more = {"assumed": readbacks.assumed, "left_out": list(readbacks.left_out)}
            print_json({**_as_json(found, output), **more})
        else:
            click.echo("\n".join([*_said(readbacks), *_lines(found, folder, output)]))


def _list(trace: Trace, as_json: bool) -> None:
    from refnvn.trace.steps import steps

    found = list(steps(trace.recording))
    if as_json:
        print_json({"commands": [{"number": one.number, "command": one.words} for one in found]})
    else:
        click.echo("\n".join(one.words for one in found) or "no command is submitted")


def _said(readbacks: Readbacks) -> list[str]:
    """Return what was assumed, and which files were left out."""
    lines = []
    for heading, said in (("assumed:", readbacks.assumed), ("left out:", readbacks.left_out)):
        if said:
            lines += [heading, *(f"  {one}" for one in said[:MOST_SUSPECTS])]
            lines += [f"  and {len(said) - MOST_SUSPECTS} more"] if len(said) > MOST_SUSPECTS else []
    return [*lines, ""] if lines else []


def _write(found: Parting, output: Path | None, page: Path | None) -> None:
    if found.wrong is None:
        return
    if output is not None:
        from refnvn.trace.files import write_trace

        write_trace(output, found.wrong.trace)
    if page is not None:
        from refnvn.compare.page import report_page
        from refnvn.compare.page_data import comparison_object
        from refnvn.files import write_file

        comparison = comparison_object(
            found.wrong.entry.file, f"after command {found.wrong.entry.after}", found.wrong.found
        )
        write_file(page, report_page("refnvn bisect", [comparison]))


def _lines(found: Parting, folder: Path, output: Path | None) -> list[str]:
    if found.wrong is None:
        what = "the readback is" if found.compared == 1 else f"all {found.compared} readbacks are"
        return [f"{what} the same or permitted"]
    entry = found.wrong.entry
    lines = [
        f"{entry.file}: the first that is wrong, after command {entry.after}",
        *(f"  {line}" for line in found.wrong.found.verdict.text().splitlines()),
    ]
    right = f"after command {found.right_before}" if found.right_before else "nowhere before"
    lines.append(f"the same bytes were last right {right}; the fault lies in one of these:")
    lines += [f"  {one.words}" for one in found.suspects[-MOST_SUSPECTS:]]
    if len(found.suspects) > MOST_SUSPECTS:
        lines.append(f"  and {len(found.suspects) - MOST_SUSPECTS} before them")
    if output is not None:
        lines.append(f"{output}: the trace up to there; go on with: refnvn diagnose {output} {folder / entry.file}")
    return lines


def _as_json(found: Parting, output: Path | None) -> dict[str, Any]:
    wrong = found.wrong
    return {
        "compared": found.compared,
        "parts": wrong is not None,
        "file": None if wrong is None else wrong.entry.file,
        "after": None if wrong is None else wrong.entry.after,
        "right_before": found.right_before if wrong is not None else None,
        "suspects": [{"number": one.number, "command": one.words} for one in found.suspects],
        "verdict": None if wrong is None else wrong.found.verdict.to_dict(),
        "trace": None if output is None or wrong is None else str(output),
    }
