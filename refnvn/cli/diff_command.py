"""``refnvn diff``: compare somebody's readback with a golden, or with another file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.output import answering, check_output, json_option, print_json
from refnvn.cli.readback_files import file_values, readback_files, result_values
from refnvn.cli.texture_options import texture_options
from refnvn.errors import InputFileError, ShapeError, SizeError

if TYPE_CHECKING:
    from refnvn.compare.judge import Weighed
    from refnvn.golden.result import Image


@click.command("diff")
@click.argument("expected")
@click.argument("actual", type=click.Path(path_type=Path))
@click.option("--result", "asked", multiple=True, metavar="NAME",
              help="Which result a file is; of a folder, judge only this one. May be repeated.")  # fmt: skip
@click.option("--partial", is_flag=True, help="Do not fail for results that a folder lacks.")
@click.option("--exact", is_flag=True, help="Refuse what only slack permits: ask for NVIDIA's own bits.")
@click.option("--layout", type=click.Choice(["linear", "guest"]), default="linear", show_default=True,
              help="How a raw ACTUAL lies; guest is untiled first, by --format and --size.")  # fmt: skip
@click.option("--html", "page", type=click.Path(path_type=Path),
              help="Write the report page, one file to open in a browser.")  # fmt: skip
@click.option("--places", type=click.IntRange(0, 1000), default=8, show_default=True, help="Wrong places to list.")
@texture_options
@json_option
def command(
    expected: str,
    actual: Path,
    asked: tuple[str, ...],
    partial: bool,
    exact: bool,
    layout: str,
    page: Path | None,
    places: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Say whether ACTUAL is the same as EXPECTED, permitted, or wrong and where. Exit 1 if wrong or incomplete.

    EXPECTED is a golden (tex_layout/bc3_160x160), the folder of a bundle, a trace (folder or .zip), or a file. ACTUAL
    is raw bytes, npy, PNG, DDS or KTX2; or a folder that holds one such file for each result, named as the result. A
    folder that lacks one is an incomplete readback: name what to judge with --result, or allow it with --partial.

    \b
    Examples:
      refnvn diff tex_layout/bc3_160x160 readback.bin
      refnvn diff out/sparse_layout/slab_3d readbacks/ --exact
      refnvn diff rows.npy dump.bin --layout guest --format RGBA8 --size 128x128
      refnvn diff tex_layout/bc3_160x160 readback.bin --html report.html
    """
    from refnvn.cli.golden_source import golden_from, is_trace
    from refnvn.compare.judge import weighed, weighed_raw

    says = f"{actual} compared with {expected}"
    if page is not None:
        check_output(page, Path(expected), actual, form=".html")
    if Path(expected).is_file() and not is_trace(Path(expected)):
        wanted = file_values(Path(expected), "linear", options)
        given = file_values(actual, layout, options)
        try:
            found = weighed_raw(*_same_kind(wanted, given), name=actual.name, most_places=places)
        except (InputFileError, ShapeError) as error:
            raise InputFileError(f"{actual} beside {expected}: {error}") from error
    else:
        golden = golden_from(expected)
        files, required = readback_files(golden, actual, asked)
        given_results = result_values(golden, files, layout, options)
        try:
            found = weighed(
                golden, given_results, exact=exact, most_places=places, required=() if partial else required
            )
        except (SizeError, ShapeError) as error:
            raise InputFileError(f"{actual}: {error}") from error
        says = f"{golden.says} ({says})"
    if page is not None:
        _write_page(page, Path(expected).name if Path(expected).exists() else expected, says, found, options)
    verdict = found.verdict
    with answering(verdict.exit_code):
        if as_json:
            print_json(verdict.to_dict())
        else:
            click.echo(verdict.text())


def _write_page(page: Path, name: str, says: str, found: Weighed, options: dict[str, Any]) -> None:
    from refnvn.compare.page import report_page
    from refnvn.compare.page_data import comparison_object
    from refnvn.files import write_file

    image = None
    if options["format_name"] is not None and options["size"] is not None:
        image = _image(options)
    comparison = comparison_object(name, says, found, image=image)
    write_file(page, report_page(f"refnvn diff: {name}", [comparison]))


def _image(options: dict[str, Any]) -> Image:
    """Return what the bytes of two plain files are, by the options that describe a texture."""
    from refnvn.cli.texture_options import texture_from
    from refnvn.golden.result import Image
    from refnvn.layout.description import TextureTarget, layer_count
    from refnvn.rules.fields import NVN

    texture = texture_from(options)
    what = texture.description
    is_3d, one_row = what.target is TextureTarget.TARGET_3D, what.target is TextureTarget.TARGET_1D_ARRAY
    return Image(
        format=texture.format.name,
        width_px=what.width,
        height_px=1 if one_row else what.height,
        depth_px=what.depth if is_3d else 1,
        layers=layer_count(what, NVN),
        levels=what.levels,
        samples=what.samples,
        dimensions="3d" if is_3d else "2d",
    )


def _same_kind(wanted: Any, given: Any) -> tuple[Any, Any]:
    """Return two arrays: raw bytes beside an array are read by its dtype and shape.

    Raises
    ------
    InputFileError
        For another number of bytes.
    """
    import numpy as np

    if isinstance(wanted, bytes) and isinstance(given, bytes):
        wanted, given = np.frombuffer(wanted, np.uint8), np.frombuffer(given, np.uint8)
    elif isinstance(given, bytes):
        given = _shaped(given, wanted)
    elif isinstance(wanted, bytes):
        wanted = _shaped(wanted, given)
    if wanted.shape != given.shape or wanted.dtype != given.dtype:
        raise InputFileError(
            f"{given.dtype} of shape {given.shape} is given, {wanted.dtype} of shape {wanted.shape} expected"
        )
    return wanted, given


def _shaped(raw: bytes, like: Any) -> Any:
    import numpy as np

    if len(raw) != like.nbytes:
        raise InputFileError(f"{len(raw)} raw bytes beside an array of {like.nbytes}: {like.dtype}, {like.shape}")
    return np.frombuffer(raw, like.dtype).reshape(like.shape)
