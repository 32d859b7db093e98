"""``refnvn detile``: block-linear guest bytes to plain rows, or to a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.image_choice import image_options
from refnvn.cli.output import json_option, opaque_option, strict_evidence_option
from refnvn.cli.texture_form import form_options, output_of
from refnvn.cli.texture_options import texture_options
from refnvn.errors import ArgumentError


@click.command("detile")
@click.argument("file", type=click.Path(path_type=Path))
@form_options("png", "dds", "ktx2", "pfm", "npy", "bin")
@texture_options
@image_options
@click.option("--start", "start_B", type=int, default=0, help="Byte of the file at which the texture starts.")
@click.option("--allow-rest", is_flag=True, help="Ignore bytes behind the texture.")
@click.option("--try-heights", is_flag=True, help="Write a labelled contact sheet (PNG) of all block heights.")
@click.option("--sheet", is_flag=True, help="In a PNG label every level, layer and slice.")
@opaque_option
@json_option
@strict_evidence_option
def command(
    file: Path,
    output: Path | None,
    form: str | None,
    start_B: int,
    allow_rest: bool,
    try_heights: bool,
    sheet: bool,
    opaque: bool,
    as_json: bool,
    strict_evidence: bool,
    **options: Any,
) -> None:
    """Read a texture as it lies in guest memory and write it in plain rows.

    FILE is raw bytes, or a DDS header with block-linear bytes behind it, which then says format, size and levels.
    The output's ending names its form: .png (all levels and layers on one sheet), .dds, .ktx2, .npy (stored bytes of
    one level), .pfm (values of one level), .bin (all levels of all layers, tightly packed). Without --level, --layer,
    --face or --slice all that the form can hold is written.

    With --try-heights FILE may have the size of any block height; each is judged by its own.

    \b
    Examples:
      refnvn detile texture.dds -o texture.png
      refnvn detile dump.bin --format RGBA_DXT5 --size 160x160 -o dump.dds
      refnvn detile dump.bin --format RGBA_DXT5 --size 160x160 --to ktx2
      refnvn detile dump.bin --format RGBA_DXT5 --size 160x160 --try-heights -o heights.png
    """
    from refnvn.cli.image_choice import choice_from
    from refnvn.cli.texture_images import StoredImages
    from refnvn.cli.texture_input import load_bytes, load_tiled
    from refnvn.cli.texture_output import save_stored
    from refnvn.cli.written import tell_written

    output = output_of(file, output, form)
    if try_heights:
        from refnvn.cli.try_heights import Question, write_heights

        if options["one_level"]:
            raise ArgumentError(
                f"--try-heights shows level 0, not {options['one_level']}: smaller levels shrink their blocks"
            )
        data = load_bytes(file, options, start_B)
        question = Question(*data, options["one_layer"] or 0, options["block_height"])
        write_heights(question, file, output, opaque=opaque, as_json=as_json, strict_evidence=strict_evidence)
        return
    loaded = load_tiled(file, options, start_B, allow_rest)
    images, choice = StoredImages(loaded, tiled=True), choice_from(options, loaded.layout)
    remark = save_stored(output, images, choice, opaque=opaque, labels=sheet)
    levels = len(loaded.layout.levels)
    what = f"{loaded.texture.format.nvn_name}, {levels} level" + ("s" if levels > 1 else "")
    tell_written(output, loaded, what, remark, as_json=as_json, strict_evidence=strict_evidence)
