"""``refnvn texel``: byte offset to texel, and texel to byte offset."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import click

from refnvn.cli.output import json_option, print_json
from refnvn.cli.texture_options import Texture, texture_from, texture_options
from refnvn.errors import ArgumentError, SizeError


@click.command("texel")
@texture_options
@click.option("--offset", help="A byte of storage: 4096 or 0x1000.")
@click.option("--at", metavar="X,Y[,Z]", help="A pixel of the level; its texel or compressed block is taken.")
@click.option("--level", type=int, default=0, show_default=True, help="Mip level of --at.")
@click.option("--layer", type=int, default=0, show_default=True, help="Layer, or cube face, of --at.")
@click.option("--sample", type=int, default=0, show_default=True, help="Sample of --at in a multisample texture.")
@json_option
def command(
    offset: str | None, at: str | None, level: int, layer: int, sample: int, as_json: bool, **options: Any
) -> None:
    """Say where a texel lies, or what lies at a byte.

    \b
    Examples:
      refnvn texel --format RGBA8 --size 256x256 --at 16,0
      refnvn texel --format RGBA_DXT1 --size 256x256 --levels full --offset 0x8000
    """
    from refnvn.layout.address import Padding, texel_at
    from refnvn.layout.texture import texture_layout

    texture = texture_from(options)
    layout = texture_layout(texture.description)
    if (offset is None) == (at is None):
        raise ArgumentError("give one of --offset BYTE and --at X,Y")
    if at is not None:
        place = _place(texture, at, level, layer, sample)
        from refnvn.layout.address import texel_offset_B

        where = texel_offset_B(layout, place)
        answer: dict[str, Any] = {"offset_B": where, **dataclasses.asdict(place)}
        text = f"0x{where:x} ({where})"
    else:
        found = texel_at(layout, _number(offset or ""))
        answer = {"padding": isinstance(found, Padding), **dataclasses.asdict(found)}
        text = _words(texture, answer)
    if as_json:
        print_json(answer)
    else:
        click.echo(text)


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}|0x[0-9a-fA-F]{1,12}", text):
        raise SizeError(f"offset {text!r} is not a byte number such as 4096 or 0x1000")
    return int(text, 16 if text.startswith("0x") else 10)


def _place(texture: Texture, at: str, level: int, layer: int, sample: int) -> Any:
    from refnvn.layout.address import Texel
    from refnvn.layout.multisample import sample_cell, sample_grid

    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9}){1,2}", at):
        raise SizeError(f"position {at!r} is not X,Y or X,Y,Z")
    x_px, y_px, *rest = (int(n) for n in at.split(","))
    samples = texture.description.samples
    across, down = sample_grid(samples) if samples > 1 else (1, 1)
    width_px, height_px, _ = texture.description.extent_px(max(0, level))
    for axis, value, size in (("x", x_px, width_px // across), ("y", y_px, height_px // down)):
        if value >= size:
            raise SizeError(f"{axis} {value} is not in the 0..{size - 1} pixels of level {level}")
    if samples > 1:
        x_cell, y_cell = sample_cell(samples, sample)
        x_px, y_px = x_px * across + x_cell, y_px * down + y_cell
    elif sample:
        raise SizeError(f"sample {sample}: the texture has one sample, 0")
    element = texture.description.element
    return Texel(
        level, layer, x_px // element.block_width_px, y_px // element.block_height_px, rest[0] if rest else 0
    )


def _words(texture: Texture, answer: dict[str, Any]) -> str:
    where = ", ".join(f"{name} {answer[name]}" for name in ("level", "layer") if answer[name] is not None)
    if answer["padding"]:
        return f"padding {answer['reason']}" + (f" ({where})" if where else "")
    kind = "block" if texture.format.is_compressed else "texel"
    return f"{where}: {kind} x {answer['x_el']} y {answer['y_el']} z {answer['z']}, byte {answer['byte']} of it"
