"""``refnvn layout``: where a texture's levels and layers lie, and which rule set each number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.output import (
    answering,
    exit_code_for,
    json_option,
    print_json,
    print_table,
    strict_evidence_option,
)
from refnvn.cli.texture_options import Texture, texture_from, texture_options
from refnvn.errors import SizeError

if TYPE_CHECKING:
    from refnvn.layout.search import Candidate


@click.command("layout")
@texture_options
@click.option("--bytes", "size_B", type=int, help="List the layouts of this texture that have so many bytes.")
@json_option
@strict_evidence_option
def command(size_B: int | None, as_json: bool, strict_evidence: bool, **options: Any) -> None:
    """Lay a texture out as NVN does.

    \b
    Examples:
      refnvn layout --format RGBA_DXT5 --size 160x160
      refnvn layout --format RGBA8 --size 512x512 --levels full --sparse
      refnvn layout --format RGBA8 --size 320x320 --bytes 409600     which layouts have that size?

    Sizes are in bytes, blocks in GOBs (64 bytes x 8 rows). Every number names the rule that set it.
    """
    from refnvn.cli.describe_layout import layout_json, layout_rules, print_layout
    from refnvn.layout.texture import texture_layout

    texture = texture_from(options)
    if size_B is not None:
        _search(texture, size_B, as_json)
        return
    layout = texture_layout(texture.description)
    with answering(exit_code_for(max(rule.evidence for rule in layout_rules(layout)), strict_evidence)):
        if as_json:
            print_json(layout_json(texture.format, layout))
        else:
            print_layout(texture.format, layout)


def _search(texture: Texture, size_B: int, as_json: bool) -> None:
    """Tell the layouts of a size, or the nearest sizes, and exit."""
    from refnvn.layout.search import layouts_of_size

    if size_B < 1:
        raise SizeError(f"--bytes {size_B} is not a size; it must be at least 1")
    found = layouts_of_size(texture.description, size_B)
    with answering(0 if found else 1):
        _tell(texture, size_B, found, as_json)


def _tell(texture: Texture, size_B: int, found: Sequence[Candidate], as_json: bool) -> None:
    from refnvn.layout.search import nearest_sizes

    if as_json:
        layouts = [
            {
                "words": one.words,
                "levels": len(one.layout.levels),
                "block_height_gob": one.layout.block_height_gob,
                "block_depth_gob": one.layout.block_depth_gob,
                "sparse": one.layout.description.is_sparse,
                "size_B": one.layout.size_B,
                "storage_size_B": one.layout.storage_size_B,
            }
            for one in found
        ]
        near = [{"size_B": size, "words": words} for size, words in nearest_sizes(texture.description, size_B)]
        print_json({"bytes": size_B, "layouts": layouts, "nearest": near})
    elif found:
        click.echo(f"Layouts of {size_B} bytes; equal sizes can still order the bytes differently:")
        print_table(("layout", "block", "storage"), [_row(one) for one in found], indent="  ")
    else:
        click.echo(f"No layout of this texture has {size_B} bytes. The nearest:")
        for size, words in nearest_sizes(texture.description, size_B):
            click.echo(f"  {size} bytes ({size - size_B:+d}): {words}")


def _row(candidate: Candidate) -> tuple[object, ...]:
    layout = candidate.layout
    depth = f"x{layout.block_depth_gob}" if layout.description.is_3d else ""
    return candidate.words, f"{layout.block_height_gob}{depth}", layout.storage_size_B
