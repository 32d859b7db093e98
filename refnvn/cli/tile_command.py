"""``refnvn tile``: plain rows to block-linear guest bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import check_output, json_option, strict_evidence_option
from refnvn.cli.texture_options import texture_options


@click.command("tile")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Raw guest bytes.")
@texture_options
@json_option
@strict_evidence_option
def command(file: Path, output: Path, as_json: bool, strict_evidence: bool, **options: Any) -> None:
    """Lay a texture out as it lies in guest memory; padding is zero.

    FILE is a DDS or KTX2, a uint8 npy, or raw rows: layer by layer, level by level, slice by slice, no padding.
    OUTPUT is raw bytes, so its ending must not be that of another form.

    \b
    Examples:
      refnvn tile picture.dds -o picture.tiled.bin
      refnvn tile rows.bin --format RGBA8 --size 128x128 -o tiled.bin
    """
    from refnvn.cli.texture_input import load_linear
    from refnvn.cli.written import tell_written
    from refnvn.files import write_file
    from refnvn.layout.tiling import tile_texture

    check_output(output, file, form=".bin")
    loaded = load_linear(file, options)
    storage = tile_texture(loaded.layout, loaded.data)
    write_file(output, storage.data)
    tell_written(output, loaded, f"{storage.size} bytes", as_json=as_json, strict_evidence=strict_evidence)
