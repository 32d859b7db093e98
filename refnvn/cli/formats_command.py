"""``refnvn formats``: the table of NVN's formats, and one format in full."""

from __future__ import annotations

from typing import Any

import click

from refnvn.cli.output import json_option, print_json, print_table
from refnvn.formats.table import Component, Format, NumericClass, Use, format_named, formats

USE_WORDS = {
    Use.TEXTURE: "texture",
    Use.RENDER_TARGET: "target",
    Use.BLENDABLE: "blend",
    Use.VERTEX: "vertex",
    Use.IMAGE: "image",
    Use.BUFFER_TEXTURE: "buffer",
}
SURENESS = {"yes": "", "likely": "?"}


@click.command("formats")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--use", "uses", multiple=True, type=click.Choice([u.value for u in Use]), help="Only with this use.")
@click.option("--class", "numeric_class", type=click.Choice([c.value for c in NumericClass]), help="Only this class.")
@json_option
def command(names: tuple[str, ...], uses: tuple[str, ...], numeric_class: str | None, as_json: bool) -> None:
    """List NVN's formats: value, bytes, bits, what codes mean, and uses.

    With NAMEs each of these formats in full: bit layout, uses, hardware codes, the DXGI and Vulkan formats of the
    same bits, and remarks. A use marked ? is likely, not certain. Bits are listed from the lowest of the first byte.

    \b
    Examples:
      refnvn formats
      refnvn formats --use render_target --class snorm
      refnvn formats RGB565 R11G11B10F RGBA_DXT1
    """
    if names:
        listed = list({entry.name: entry for entry in map(format_named, names)}.values())
    else:
        listed = list(formats().values())
    chosen = [entry for entry in listed if _is_wanted(entry, uses, numeric_class)]
    if as_json:
        print_json({"formats": [_as_dict(entry) for entry in chosen]})
    elif names:
        click.echo("\n\n".join(_in_full(entry) for entry in chosen))
    else:
        header = ("value", "name", "bytes", "block", "bits", "class", "uses")
        print_table(header, [_row(entry) for entry in chosen])
        click.echo(f"{len(chosen)} formats")


def _is_wanted(entry: Format, uses: tuple[str, ...], numeric_class: str | None) -> bool:
    return all(entry.has(Use(use)) for use in uses) and numeric_class in (None, entry.numeric_class.value)


def _row(entry: Format) -> tuple[object, ...]:
    return (
        f"0x{entry.value:02x}",
        entry.name,
        entry.bytes_per_block,
        _block(entry),
        " ".join(f"{c.name}{c.bits}" for c in entry.components) or "-",
        _class(entry),
        _uses(entry) or "-",
    )


def _block(entry: Format) -> str:
    return f"{entry.block_width_px}x{entry.block_height_px}" if entry.is_compressed else "-"


def _class(entry: Format) -> str:
    return f"{entry.numeric_class}, sRGB" if entry.srgb else entry.numeric_class.value


def _uses(entry: Format) -> str:
    return " ".join(word + SURENESS[entry.uses[use]] for use, word in USE_WORDS.items() if entry.has(use))


def _in_full(entry: Format) -> str:
    unit = f"block of {_block(entry)} pixels" if entry.is_compressed else "texel"
    facts = {
        "codes": _class(entry),
        "uses": _uses(entry) or "none",
        "not known": " ".join(word for use, word in USE_WORDS.items() if entry.uses[use] == "unknown"),
        "reads as": " ".join(entry.fill) and f"(R, G, B, A) = ({', '.join(entry.fill)})",
        "hardware": ", ".join(f"{kind} {code}" for kind, code in _hardware_codes(entry).items()),
        "same bits": ", ".join(f"{kind} {name}" for kind, name in _twins(entry).items())
        or "no DXGI or Vulkan format",
        "remarks": entry.notes,
    }
    size = "1 byte" if entry.bytes_per_block == 1 else f"{entry.bytes_per_block} bytes"
    lines = [f"{entry.nvn_name} (0x{entry.value:02x}): {size} per {unit}"]
    lines += [f"  {line}" for line in bit_drawing(entry.components)]
    lines += [f"  {name + ':':11}{text}" for name, text in facts.items() if text]
    return "\n".join(lines)


def bit_drawing(components: tuple[Component, ...]) -> list[str]:
    """Return a drawing of a texel's fields in three lines, the highest bit on the left.

    >>> from refnvn.formats.table import format_named
    >>> print("\\n".join(bit_drawing(format_named("RGB5A1").components)))
      15   14..10   9..5   4..0
    +----+--------+------+------+
    | A  |   B    |  G   |  R   |
    """
    if not components:
        return []
    fields = sorted(components, key=lambda c: -c.first_bit)
    spans = [f"{c.first_bit + c.bits - 1}..{c.first_bit}" if c.bits > 1 else f"{c.first_bit}" for c in fields]
    above = " ".join(f" {span} " for span in spans)
    edge = "+".join("-" * (len(span) + 2) for span in spans)
    inside = "|".join(c.name.center(len(span) + 2) for c, span in zip(fields, spans, strict=True))
    return [f" {above}".rstrip(), f"+{edge}+", f"|{inside}|"]


def _hardware_codes(entry: Format) -> dict[str, str]:
    codes = {"texture": entry.hw_texture_code, "target": entry.hw_target_code, "vertex": entry.hw_vertex_code}
    return {kind: code for kind, code in codes.items() if code}


def _twins(entry: Format) -> dict[str, str]:
    from refnvn.containers.equivalents import equivalents

    twin = equivalents().get(entry.name)
    names = {"DXGI": twin.dxgi_name, "Vulkan": twin.vulkan_name} if twin else {}
    return {kind: name for kind, name in names.items() if name}


def _as_dict(entry: Format) -> dict[str, Any]:
    twins = _twins(entry)
    return {
        "name": entry.name,
        "nvn_name": entry.nvn_name,
        "value": entry.value,
        "bytes_per_block": entry.bytes_per_block,
        "block_width_px": entry.block_width_px,
        "block_height_px": entry.block_height_px,
        "components": [{"name": c.name, "first_bit": c.first_bit, "bits": c.bits} for c in entry.components],
        "class": entry.numeric_class.value,
        "srgb": entry.srgb,
        "uses": {use.value: entry.uses[use] for use in Use},
        "fill": list(entry.fill),
        "hardware_codes": _hardware_codes(entry),
        "dxgi": twins.get("DXGI"),
        "vulkan": twins.get("Vulkan"),
        "notes": entry.notes,
    }
