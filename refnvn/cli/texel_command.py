"""``refnvn texel``: byte offset to texel, and texel to byte offset."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.describe_layout import storage_rules
from refnvn.cli.output import answering, exit_code_for, json_option, print_json, strict_evidence_option
from refnvn.cli.rests_on import evidence_json, evidence_line, placing_rules, rank_of
from refnvn.cli.texture_options import Texture, texture_from, texture_options
from refnvn.errors import ArgumentError, SizeError
from refnvn.rules.registry import collect, rules_named

if TYPE_CHECKING:
    from refnvn.layout.address import Texel
    from refnvn.layout.texture import TextureLayout


@click.command("texel")
@texture_options
@click.option("--offset", help="A byte of storage: 4096 or 0x1000.")
@click.option("--at", metavar="X,Y[,Z]", help="A pixel of the level; its texel or compressed block is taken.")
@click.option("--level", type=int, default=0, show_default=True, help="Mip level of --at.")
@click.option("--layer", type=int, default=0, show_default=True, help="Layer, or cube face, of --at.")
@click.option("--sample", type=int, default=0, show_default=True, help="Sample of --at in a multisample texture.")
@json_option
@strict_evidence_option
def command(
    offset: str | None,
    at: str | None,
    level: int,
    layer: int,
    sample: int,
    as_json: bool,
    strict_evidence: bool,
    **options: Any,
) -> None:
    """Say where a texel lies, or what lies at a byte, and how well that is known.

    Of a multisample texture both ways speak of pixels and samples; which sample of a pixel lies where is inferred,
    and for 16 samples open.

    \b
    Examples:
      refnvn texel --format RGBA8 --size 256x256 --at 16,0
      refnvn texel --format RGBA_DXT1 --size 256x256 --levels full --offset 0x8000
    """
    from refnvn.layout.texture import texture_layout

    texture = texture_from(options)
    layout = texture_layout(texture.description)
    if (offset is None) == (at is None):
        raise ArgumentError("give one of --offset BYTE and --at X,Y")
    if at is not None:
        answer, ids = _byte_of(texture, layout, at, level, layer, sample)
        text = f"0x{answer['offset_B']:x} ({answer['offset_B']})"
    else:
        answer, ids = _what_lies_at(texture, layout, _number(offset or ""))
        text = _words(texture, answer)
    rules = rules_named({rule.id for rule in placing_rules(layout)} | ids)
    with answering(exit_code_for(rank_of(rules), strict_evidence)):
        if as_json:
            print_json({**answer, **evidence_json(rules)})
        else:
            click.echo(text)
            click.echo(evidence_line(rules))


def _byte_of(
    texture: Texture, layout: TextureLayout, at: str, level: int, layer: int, sample: int
) -> tuple[dict[str, Any], set[str]]:
    """Return where a pixel, or a sample of one, lies, and the rules that say so."""
    from refnvn.layout.address import texel_offset_B

    with collect() as used:
        place = _place(texture, at, level, layer, sample)
        return {"offset_B": texel_offset_B(layout, place), **_place_json(texture, place)}, used


def _what_lies_at(texture: Texture, layout: TextureLayout, offset_B: int) -> tuple[dict[str, Any], set[str]]:
    """Return the pixel, sample and texel of storage at a byte, or why it is padding; and the rules that say so."""
    from refnvn.layout.address import Padding, texel_at, texel_offset_B

    found = texel_at(layout, offset_B)
    if isinstance(found, Padding):
        ids = set(layout.rules.get("layer_stride_B", ()))
        ids.update(storage_rules(layout) if found.layer is None else ())
        return {"padding": True, **dataclasses.asdict(found)}, ids
    with collect() as used:
        assert texel_offset_B(layout, found) == offset_B
        return {"padding": False, **_place_json(texture, found)}, used


def _place_json(texture: Texture, place: Texel) -> dict[str, Any]:
    """Return a texel of storage and what it is of: the first pixel of a block, the sample of a pixel."""
    from refnvn.layout.multisample import sample_grid

    element, samples = texture.description.element, texture.description.samples
    across, down = sample_grid(samples) if samples > 1 else (1, 1)
    x_px, x_cell = divmod(place.x_el * element.block_width_px, across)
    y_px, y_cell = divmod(place.y_el * element.block_height_px, down)
    return {
        **dataclasses.asdict(place),
        "x_px": x_px,
        "y_px": y_px,
        "sample": _sample_of(samples, (x_cell, y_cell)) if samples > 1 else 0,
    }


def _sample_of(samples: int, cell: tuple[int, int]) -> int:
    """Return the sample that lies in a cell of a pixel."""
    from refnvn.layout.multisample import sample_cell

    return next(one for one in range(samples) if sample_cell(samples, one) == cell)


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}|0x[0-9a-fA-F]{1,12}", text):
        raise SizeError(f"offset {text!r} is not a byte number such as 4096 or 0x1000")
    return int(text, 16 if text.startswith("0x") else 10)


def _place(texture: Texture, at: str, level: int, layer: int, sample: int) -> Texel:
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
    texel = f"x {answer['x_el']} y {answer['y_el']} z {answer['z']}, byte {answer['byte']} of it"
    pixel = f"x {answer['x_px']} y {answer['y_px']}"
    if texture.format.is_compressed:
        return f"{where}: block {texel}; its first pixel is {pixel}"
    if texture.description.samples > 1:
        return f"{where}: pixel {pixel} sample {answer['sample']}; texel of storage {texel}"
    return f"{where}: texel {texel}"
