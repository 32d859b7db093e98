"""``refnvn diagnose``: what is wrong with a dump of a texture, or with a readback of a scene?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refnvn.cli.jobs import jobs_option
from refnvn.cli.output import json_option
from refnvn.cli.texture_options import texture_options
from refnvn.errors import ArgumentError


@click.command("diagnose")
@click.argument("scene_and_actual", metavar="[SCENE-or-TRACE ACTUAL]", nargs=-1)
@click.option("--result", "asked", multiple=True, metavar="NAME",
              help="With a scene: which result a file is; of a folder, look only at this one.")  # fmt: skip
@click.option("--exact", is_flag=True, help="With a scene: do not excuse what only slack permits.")
@click.option("--layout", type=click.Choice(["linear", "guest"]), default="linear", show_default=True,
              help="With a scene: how a raw ACTUAL lies.")  # fmt: skip
@click.option("--html", "page", type=click.Path(path_type=Path), help="With a scene: write the report page.")
@jobs_option
@click.option("--texture", type=click.Path(path_type=Path), help="A dump of a texture, with no scene.")
@texture_options
@click.option("--layer", type=int, default=0, show_default=True, help="With --texture: the layer to look at.")
@click.option("--start", "start_B", type=int, default=0, help="With --texture: byte at which the texture starts.")
@click.option("--like", type=click.Path(path_type=Path),
              help="With --texture: a PNG of what level 0 should look like.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path),
              help="With --texture: write a labelled sheet of the readings (PNG).")  # fmt: skip
@json_option
def command(
    scene_and_actual: tuple[str, ...],
    asked: tuple[str, ...],
    exact: bool,
    layout: str,
    page: Path | None,
    jobs: int,
    texture: Path | None,
    layer: int,
    start_B: int,
    like: Path | None,
    output: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Name what may be wrong with a readback of a scene, or with a dump of a texture.

    SCENE is a golden of the catalogue, TRACE a folder or zip; ACTUAL is a file or a folder of them, as for diff. What
    is the same or permitted is not blamed. Every known fault that the scene can reach is replayed, then pairs of
    those that explain a part; then the two images alone are looked at. Exits with 1 where something is wrong.

    --texture FILE is raw bytes, or a DDS header with raw bytes behind it, and the other options say what it is taken
    for. Tried are other block heights, rows that are not tiled, pitches, sparse padding, levels and layers, starts,
    sizes of ASTC blocks and orders of bytes; the likeliest comes first. All-zero blocks are counted. With --like a
    picture of what is expected decides, and orders of components and rows upside down are tried too. Exits with 1
    where something else explains the dump clearly better than what was said, or where it is all zero.

    \b
    Examples:
      refnvn diagnose clear_tex/mask wrong --jobs 2
      refnvn diagnose mask.zip mask --html report.html
      refnvn diagnose --texture dump.bin --format RGBA_DXT5 --size 160x160 -o readings.png
    """
    if texture is None:
        if len(scene_and_actual) != len(("SCENE", "ACTUAL")):
            raise ArgumentError(
                "nothing to diagnose: give SCENE-or-TRACE and ACTUAL, or --texture FILE with --format and --size"
            )
        source, actual = scene_and_actual
        _diagnose_scene(source, Path(actual), asked, layout, options, exact, jobs, page, as_json)
        return
    if scene_and_actual:
        raise ArgumentError(f"--texture looks at one file and no scene; {' '.join(scene_and_actual)} is too much")
    from refnvn.cli.diagnose_texture import diagnose_texture

    diagnose_texture(
        texture, options, layer=layer, start_B=start_B, like=like, output=output, as_json=as_json
    )  # fmt: skip


def _diagnose_scene(
    source: str,
    actual: Path,
    asked: tuple[str, ...],
    layout: str,
    options: dict[str, Any],
    exact: bool,
    jobs: int,
    page: Path | None,
    as_json: bool,
) -> None:
    from refnvn.cli.diagnose_scene import diagnose_scene
    from refnvn.cli.readback_files import readback_files, result_values
    from refnvn.cli.scene_source import scene_from

    scene = scene_from(source)
    trace, golden = scene.trace(), scene.golden()
    files, _ = readback_files(golden, actual, asked)
    given = result_values(golden, files, layout, options)
    diagnose_scene(
        source, actual, given, trace, golden, exact=exact, jobs=jobs, page=page, as_json=as_json
    )  # fmt: skip
