"""``refnvn pixel``: the life of one sample, or of some bytes of memory: who wrote and who read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from refnvn.cli.output import json_option, print_json
from refnvn.cli.progress import progress
from refnvn.errors import ArgumentError

if TYPE_CHECKING:
    from refnvn.compare.moments import BytesPlace, SamplePlace
    from refnvn.trace.files import Trace


@click.command("pixel")
@click.argument("source", metavar="SCENE-or-TRACE")
@click.argument("coordinates", metavar="[X Y]", nargs=-1, type=int)
@click.option(
    "--target", "texture", type=int, help="The texture, by its number in the trace.  [default: the one read]"
)
@click.option("--layer", type=int, default=0, show_default=True, help="Layer, face or slice.")
@click.option("--level", type=int, default=0, show_default=True, help="Level.")
@click.option("--sample", type=int, default=0, show_default=True, help="Sample, of a multisample texture.")
@click.option("--pool", type=int, help="Instead of X Y: bytes of a memory pool, by its number in the trace.")
@click.option("--offset", "offset_B", type=int, default=0, show_default=True, help="With --pool: the first byte.")
@click.option("--size", "size_B", type=int, default=4, show_default=True, help="With --pool: how many bytes.")
@click.option("--until", type=int, metavar="COMMAND", help="Stop after a command; bisect --list shows numbers.")
@click.option("--rules", "with_rules", is_flag=True, help="Name the rules that each command used.")
@json_option
def command(
    source: str,
    coordinates: tuple[int, ...],
    texture: int | None,
    layer: int,
    level: int,
    sample: int,
    pool: int | None,
    offset_B: int,
    size_B: int,
    until: int | None,
    with_rules: bool,
    as_json: bool,
) -> None:
    """Tell every command that wrote or read one sample, with tests, values and codes, before and after.

    X and Y count columns and rows of memory from 0. A draw to the texture tells each fragment of the pixel, also
    those that stored nothing and why, with every sample of the pixel; readers are told by what they read: vertices,
    indices, uniforms, storage, images, texels, copies, conditions and more. What the processor does between commands
    is told too. Without --target it is the texture that the first readback shows.

    \b
    Examples:
      refnvn pixel alpha/ramp 3 5
      refnvn pixel frame.zip 3 5 --target 0 --layer 0 --until 8
      refnvn pixel sbw/query_slots --pool 0 --offset 4096 --size 16
    """
    from refnvn.cli.scene_source import scene_from
    from refnvn.compare.history import history_of
    from refnvn.compare.history_words import history_lines, history_object
    from refnvn.compare.moments import BytesPlace, SamplePlace
    from refnvn.trace.steps import steps

    trace = scene_from(source).trace()
    place: SamplePlace | BytesPlace
    if pool is not None:
        if coordinates or texture is not None:
            raise ArgumentError("--pool looks at bytes; X, Y and --target at a texture: one of the two")
        place = BytesPlace(pool=pool, offset_B=offset_B, size_B=size_B)
    else:
        if len(coordinates) != len(("X", "Y")):
            raise ArgumentError("give X and Y, or bytes with --pool")
        number = _read_texture(trace) if texture is None else texture
        x, y = coordinates
        place = SamplePlace(texture=number, x=x, y=y, level=level, layer=layer, sample=sample)
    total = sum(1 for _ in steps(trace.recording)) if until is None else until
    with progress(total, "watching") as advance:
        history = history_of(trace, place, until=until, advance=advance)
    if as_json:
        print_json(history_object(history))
    else:
        click.echo("\n".join(history_lines(history, with_rules=with_rules)))


def _read_texture(trace: Trace) -> int:
    """Return the texture that the first readback shows.

    Raises
    ------
    ArgumentError
        Where none is read.
    """
    for event in trace.recording.timeline:
        found = getattr(event, "texture", None)
        if hasattr(event, "name") and found is not None:
            return int(found.texture)
    raise ArgumentError(f"no texture is read back; --target takes 0 to {len(trace.recording.textures) - 1}")
