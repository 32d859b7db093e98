"""``refnvn detile``: block-linear guest bytes to plain rows, or to a picture."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import check_output, json_option, print_json, print_table
from refnvn.cli.texture_options import texture_options
from refnvn.errors import ArgumentError


@click.command("detile")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Ending names the form.")
@texture_options
@click.option("--level", "one_level", type=int, help="Only this mip level.  [default: all that the form can hold]")
@click.option("--layer", "one_layer", type=int, help="Only this layer or face.  [default: all]")
@click.option("--start", "start_B", type=int, default=0, help="Byte of the file at which the texture starts.")
@click.option("--allow-rest", is_flag=True, help="Ignore bytes behind the texture.")
@click.option("--try-heights", is_flag=True, help="Write a labelled contact sheet (PNG) of all block heights.")
@json_option
def command(
    file: Path,
    output: Path,
    one_level: int | None,
    one_layer: int | None,
    start_B: int,
    allow_rest: bool,
    try_heights: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Read a texture as it lies in guest memory and write it in plain rows.

    FILE is raw bytes, or a DDS header with block-linear bytes behind it, which then says format, size and levels.
    The output's ending names its form: .png (all levels and layers on one sheet), .dds, .ktx2, .npy (stored bytes of
    one level), .pfm (values of one level), .bin (all levels of all layers, tightly packed).

    \b
    Examples:
      refnvn detile texture.dds -o texture.png
      refnvn detile dump.bin --format RGBA_DXT5 --size 160x160 -o dump.dds
      refnvn detile dump.bin --format RGBA_DXT5 --size 160x160 --try-heights -o heights.png
    """
    from refnvn.cli.texture_input import load_tiled
    from refnvn.cli.texture_output import Images, save_levels

    check_output(output, file)
    loaded = load_tiled(file, options, start_B, allow_rest)
    if try_heights:
        if one_level:
            raise ArgumentError(f"--try-heights shows level 0, not {one_level}: smaller levels shrink their blocks")
        _try_heights(loaded, output, one_layer or 0, as_json)
        return
    save_levels(output, loaded, Images(loaded, tiled=True), one_level, one_layer)
    layout = loaded.layout
    if as_json:
        from refnvn.cli.describe_layout import layout_json

        print_json({"output": str(output), "layout": layout_json(loaded.texture.format, layout)})
    else:
        click.echo(f"{output}: {_summary(loaded)}")


def _summary(loaded: Any) -> str:
    from refnvn.cli.describe_layout import why_block_height

    levels = len(loaded.layout.levels)
    plural = "s" if levels > 1 else ""
    return f"{loaded.texture.format.nvn_name}, {levels} level{plural}; {why_block_height(loaded.layout)}"


def _try_heights(loaded: Any, output: Path, layer: int, as_json: bool) -> None:
    """Write level 0 at every block height, and say which has the weakest seams."""
    from refnvn.cli.picture import contact_sheet, level_picture, seam_ratio
    from refnvn.containers.png import write_png
    from refnvn.layout.address import layer_offset_B
    from refnvn.layout.description import PackagedLayout
    from refnvn.layout.search import BLOCK_HEIGHTS_GOB
    from refnvn.layout.texture import texture_layout
    from refnvn.layout.tiling import untile
    from refnvn.rules.fields import NVN, ExplicitBlock

    if output.suffix.lower() != ".png":
        raise ArgumentError(f"{output}: --try-heights writes a PNG")
    if loaded.layout.levels[0].blocks is None:
        raise ArgumentError("--try-heights: a linear texture has no blocks")
    layer_offset_B(loaded.layout, layer)  # refuses a layer that is not there
    as_given = NVN.with_(explicit_block=ExplicitBlock.KEEP_LEVEL_0)
    fmt, description = loaded.texture.format, loaded.texture.description
    rows: list[dict[str, Any]] = []
    pictures = []
    for height in BLOCK_HEIGHTS_GOB:
        packaged = PackagedLayout(height, loaded.layout.block_depth_gob)
        layout = texture_layout(dataclasses.replace(description, packaged=packaged), as_given)
        used_B = layout.levels[0].size_B + layer * layout.layer_stride_B
        if used_B > loaded.data.size:
            rows.append({"block_height_gob": height, "fits": False, "seam_ratio": None})
            continue
        picture = level_picture(fmt, layout.levels[0], untile(layout, loaded.data, layer=layer))
        ratio = round(seam_ratio(picture, fmt), 2)
        rows.append({"block_height_gob": height, "fits": True, "seam_ratio": ratio})
        mark = " (NVN)" if height == loaded.layout.block_height_gob else ""
        pictures.append((f"{height} GOBs{mark} seams {ratio}", picture))
    write_png(output, contact_sheet(pictures))
    if as_json:
        print_json({"output": str(output), "by_rule_gob": loaded.layout.block_height_gob, "heights": rows})
        return
    click.echo(f"{output}: level 0 at {len(pictures)} block heights; by rule {_summary(loaded)}")
    table = [(row["block_height_gob"], row["seam_ratio"] if row["fits"] else "longer than the file") for row in rows]
    print_table(("block height", "seams at GOB edges (1 = none)"), table, indent="  ")
    click.echo("  A height that reads padding scores well too: look at the pictures.")
