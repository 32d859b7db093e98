"""``refnvn decode``: plain rows of texels to a picture or to values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import (
    answering,
    check_output,
    exit_code_for,
    json_option,
    opaque_option,
    print_json,
    strict_evidence_option,
)
from refnvn.cli.texture_options import texture_options
from refnvn.errors import ArgumentError


@click.command("decode")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help=".png, .npy or .pfm")
@texture_options
@click.option("--level", "one_level", type=int, default=0, show_default=True, help="Mip level.")
@click.option("--layer", "one_layer", type=int, default=0, show_default=True, help="Layer or face.")
@opaque_option
@json_option
@strict_evidence_option
def command(
    file: Path,
    output: Path,
    one_level: int,
    one_layer: int,
    opaque: bool,
    as_json: bool,
    strict_evidence: bool,
    **options: Any,
) -> None:
    """Decode texels that are already in plain rows (detile first what is not).

    FILE is a DDS or KTX2, a uint8 npy, or raw rows. A .npy gets the values that NVN's texture unit reads, shape
    (slices, height, width, 4), float32, or integers for integer formats; a .pfm gets R, G and B as float32; a .png
    gets a preview, which is for the eye. Blocks of compressed formats are laid out as the texels they hold.

    \b
    Examples:
      refnvn decode rows.bin --format R11G11B10F --size 64x64 -o values.npy
      refnvn decode picture.ktx2 -o picture.png --level 2
    """
    from refnvn.cli.rests_on import evidence_json, evidence_line, rank_of
    from refnvn.cli.texture_input import load_linear
    from refnvn.cli.texture_output import Images, level_values, save_levels
    from refnvn.containers.npy import write_npy
    from refnvn.rules.registry import collect, rules_named

    check_output(output, file)
    loaded = load_linear(file, options)
    images = Images(loaded, tiled=False)
    ending, fmt, remark = output.suffix.lower(), loaded.texture.format, ""
    if ending not in (".png", ".npy", ".pfm"):
        raise ArgumentError(f"{output}: the ending {output.suffix!r} names no form; allowed: .png, .npy, .pfm")
    with collect() as used:
        if ending == ".npy":
            if opaque:
                raise ArgumentError(f"{output}: --opaque is for pictures, which end in .png")
            write_npy(output, level_values(loaded, images, one_level, one_layer))
        else:
            remark = save_levels(output, loaded, images, one_level, one_layer, opaque=opaque)
    rules = [] if ending == ".png" else [rule for rule in rules_named(used) if not rule.id.startswith("LAYOUT-")]
    with answering(exit_code_for(rank_of(rules), strict_evidence)):
        said = {"output": str(output), "format": fmt.nvn_name, "level": one_level, "layer": one_layer}
        if as_json:
            print_json({**said, "remark": remark, **evidence_json(rules)})
            return
        click.echo(f"{output}: {said['format']}, level {one_level}, layer {one_layer}")
        for line in filter(None, (remark, "a preview, for the eye" if ending == ".png" else evidence_line(rules))):
            click.echo(f"  {line}")
