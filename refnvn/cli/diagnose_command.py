"""``refnvn diagnose``: what is wrong with a dump of a texture, or with a readback of a scene?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import json_option
from refnvn.cli.texture_options import texture_options
from refnvn.errors import ArgumentError


@click.command("diagnose")
@click.argument("scene_and_actual", metavar="[SCENE ACTUAL]", nargs=-1)
@click.option("--texture", type=click.Path(path_type=Path), help="A dump of a texture, with no scene.")
@texture_options
@click.option("--layer", type=int, default=0, show_default=True, help="The layer to look at.")
@click.option("--start", "start_B", type=int, default=0, help="Byte of the file at which the texture starts.")
@click.option("--like", type=click.Path(path_type=Path), help="A PNG of what level 0 should look like.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write a labelled sheet of the readings (PNG).")
@json_option
def command(
    scene_and_actual: tuple[str, ...],
    texture: Path | None,
    layer: int,
    start_B: int,
    like: Path | None,
    output: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Name what may be wrong with a dump of a texture.

    --texture FILE is raw bytes, or a DDS header with raw bytes behind it, and the other options say what it is taken
    for. Tried are other block heights, rows that are not tiled, pitches, sparse padding, levels and layers, starts,
    sizes of ASTC blocks and orders of bytes; the likeliest comes first. All-zero blocks are counted. With --like a
    picture of what is expected decides, and orders of components and rows upside down are tried too.

    Exits with 1 where something else explains the dump clearly better than what was said, or where it is all zero;
    else with 0. The form with a scene and a readback is not there yet.

    \b
    Examples:
      refnvn diagnose --texture dump.bin --format RGBA_DXT5 --size 160x160 -o readings.png
    """
    if texture is None:
        if scene_and_actual:
            raise ArgumentError("diagnose SCENE ACTUAL is not there yet; a dump without a scene: --texture FILE")
        raise ArgumentError("nothing to diagnose: give --texture FILE with --format and --size")
    if scene_and_actual:
        raise ArgumentError(f"--texture looks at one file and no scene; {' '.join(scene_and_actual)} is too much")
    from refnvn.cli.diagnose_texture import diagnose_texture

    diagnose_texture(
        texture, options, layer=layer, start_B=start_B, like=like, output=output, as_json=as_json
    )  # fmt: skip
