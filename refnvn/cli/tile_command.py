"""``refnvn tile``: plain rows to block-linear guest bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import check_output, json_option, print_json
from refnvn.cli.texture_options import texture_options


@click.command("tile")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Raw guest bytes.")
@texture_options
@json_option
def command(file: Path, output: Path, as_json: bool, **options: Any) -> None:
    """Lay a texture out as it lies in guest memory; padding is zero.

    FILE is a DDS or KTX2, a uint8 npy, or raw rows: layer by layer, level by level, slice by slice, no padding.

    \b
    Examples:
      refnvn tile picture.dds -o picture.tiled.bin
      refnvn tile rows.bin --format RGBA8 --size 128x128 -o tiled.bin
    """
    from refnvn.cli.describe_layout import layout_json, why_block_height
    from refnvn.cli.texture_input import load_linear
    from refnvn.files import write_file
    from refnvn.layout.tiling import tile_texture

    check_output(output, file, form=".bin")
    loaded = load_linear(file, options)
    storage = tile_texture(loaded.layout, loaded.data)
    write_file(output, storage.data)
    if as_json:
        print_json({"output": str(output), "layout": layout_json(loaded.texture.format, loaded.layout)})
    else:
        click.echo(f"{output}: {storage.size} bytes; {why_block_height(loaded.layout)}")
