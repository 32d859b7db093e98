"""``refnvn dump``: what a file dumped by a host renderer says, by its name and its bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import json_option


@click.command("dump")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "format_name", metavar="FORMAT", help="Of a texture; of a vertex stream its attribute.")
@click.option("--width", type=int, help="Pixels.")
@click.option("--height", type=int, help="Pixels.")
@click.option("--depth", type=int, help="Slices of a 3D texture.")
@click.option("--layers", type=int, help="Layers of the texture; they narrow the number of a colour target too.")
@click.option("--levels", type=int, help="Levels of the texture; likewise.")
@click.option(
    "--layout",
    type=click.Choice(["guest", "rows", "copies"]),
    help="Block-linear as in guest memory, plain rows, or a trace of copies into an RGBA16F texture.",
)
@click.option("--sparse", is_flag=True, help="The SPARSE flag, of block-linear bytes.")
@click.option("--stride", type=int, default=0, help="Bytes from row to row, or from vertex to vertex.")
@click.option("--page-map", type=click.Path(path_type=Path), help="The map beside zb_N.bin.  [default: zbm_N.bin]")
@click.option(
    "--control", type=click.Path(path_type=Path), help="The control section of a shader whose code FILE is."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the texture, as detile does.")
@json_option
def command(file: Path, output: Path | None, as_json: bool, **options: Any) -> None:
    """Tell what a dumped file holds, and what nothing says of it.

    Known by name: colour targets with their ambiguous number, sources of copies into 3D textures, vertex streams,
    index buffers, storage of ASTC textures with empty blocks and their maps of pages. Known by content: logs of
    passes and textures, whose lines become records with the values that their words give; traces of texture copies
    (written as npy with -o); shaders whose name has their key. Raw textures need --format, --width, --height and
    --layout, because no file says them. Everything else is shown as words of 32 bits.

    \b
    Examples:
      refnvn dump zb_17.bin --format RGBA_ASTC_6x6 --width 96 --height 48 -o zb_17.png
      refnvn dump F120_p7_vb0_1a2b3c000.bin --format RGB32F --stride 32
    """
    from refnvn.cli.dump_show import answer_of, tell

    tell(answer_of(file, output, options), as_json=as_json)
