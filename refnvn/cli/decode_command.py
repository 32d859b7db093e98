"""``refnvn decode``: texels, in plain rows or as they lie in guest memory, to a picture or to values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.image_choice import image_options
from refnvn.cli.output import (
    answering,
    exit_code_for,
    json_option,
    opaque_option,
    print_json,
    strict_evidence_option,
)
from refnvn.cli.texture_form import form_options, output_of
from refnvn.cli.texture_options import texture_options
from refnvn.errors import ArgumentError

_SEVERAL = (".dds", ".ktx2")
"""Forms that hold all levels and layers where none is chosen."""


@click.command("decode")
@click.argument("file", type=click.Path(path_type=Path))
@form_options("png", "dds", "ktx2", "pfm", "npy")
@texture_options
@image_options
@click.option("--tiled", is_flag=True, help="FILE is block-linear: detile it first, as detile does.")
@click.option("--start", "start_B", type=int, help="With --tiled: byte at which the texture starts.")
@click.option("--allow-rest", is_flag=True, help="With --tiled: ignore bytes behind the texture.")
@click.option("--stencil", is_flag=True, help="Of a combined format the stencil, not the depth.")
@click.option("--sheet", is_flag=True, help="In a PNG show every level, layer and slice under its label.")
@opaque_option
@json_option
@strict_evidence_option
def command(
    file: Path,
    output: Path | None,
    form: str | None,
    tiled: bool,
    start_B: int | None,
    allow_rest: bool,
    stencil: bool,
    sheet: bool,
    opaque: bool,
    as_json: bool,
    strict_evidence: bool,
    **options: Any,
) -> None:
    """Decode texels: in plain rows, or with --tiled as they lie in guest memory.

    FILE is a DDS or KTX2, a uint8 npy, or raw rows; with --tiled what detile reads. A .npy gets the values that NVN's
    texture unit reads, shape (slices, height, width, 4), float32, or integers for integer formats; a .pfm gets R, G
    and B of one slice as float32; a .dds or .ktx2 gets the values of all levels and layers as RGBA32F, RGBA32UI or
    RGBA32I; a .png gets a preview, which is for the eye. Blocks of compressed formats are laid out as the texels they
    hold. Forms that hold one image take level 0 of layer 0 where none is chosen.

    \b
    Examples:
      refnvn decode rows.bin --format R11G11B10F --size 64x64 -o values.npy
      refnvn decode picture.ktx2 -o picture.png --level 2
      refnvn decode picture.ktx2 --sheet --to png
      refnvn decode dump.bin --tiled --format RGBA_DXT5 --size 160x160 -o values.npy
    """
    from refnvn.cli.image_choice import choice_from
    from refnvn.cli.rests_on import evidence_json, evidence_line, placing_rules, rank_of
    from refnvn.cli.texture_images import Images, StencilImages, StoredImages
    from refnvn.cli.texture_input import load_linear, load_tiled
    from refnvn.cli.texture_output import save_values
    from refnvn.rules.registry import collect, rules_named

    output = output_of(file, output, form)
    if not tiled and (start_B is not None or allow_rest):
        raise ArgumentError("--start and --allow-rest are for block-linear bytes: give --tiled with them")
    loaded = load_tiled(file, options, start_B or 0, allow_rest) if tiled else load_linear(file, options)
    images: Images = StoredImages(loaded, tiled=tiled)
    images = StencilImages(images) if stencil else images
    choice, ending = choice_from(options, loaded.layout), output.suffix.lower()
    choice = choice if sheet or ending in _SEVERAL else choice.one_image()
    with collect() as used:
        remark = save_values(output, images, choice, opaque=opaque, labels=sheet)
    decoding = [] if ending == ".png" else [rule for rule in rules_named(used) if not rule.id.startswith("LAYOUT-")]
    rules = [*(placing_rules(loaded.layout) if tiled else []), *decoding]
    with answering(exit_code_for(rank_of(rules), strict_evidence)):
        said = {"output": str(output), "format": loaded.texture.format.nvn_name}
        said_of = {"level": choice.level, "layer": choice.layer, "slice": choice.slice_}
        if as_json:
            print_json({**said, **said_of, "remark": remark, **evidence_json(rules)})
            return
        which = [f"{name} {number}" for name, number in said_of.items() if number is not None]
        click.echo(f"{output}: {', '.join([said['format'], *which])}")
        for line in filter(None, (remark, "a preview, for the eye" if ending == ".png" else evidence_line(rules))):
            click.echo(f"  {line}")
