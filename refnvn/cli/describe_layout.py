"""A texture layout in words, as a table and as JSON."""

from __future__ import annotations

from typing import Any

import click

from refnvn.cli.output import print_table
from refnvn.cli.rests_on import height_and_depth_rules
from refnvn.formats.table import Format
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout
from refnvn.rules.registry import Rule, collect, rules_named


def layout_rules(layout: TextureLayout) -> list[Rule]:
    """Return every rule that made a number of the layout."""
    return rules_named({*(one for ids in layout.rules.values() for one in ids), *storage_rules(layout)})


def storage_rules(layout: TextureLayout) -> tuple[str, ...]:
    """Return the ids of the rules that made the storage alignment."""
    with collect() as used:
        _ = layout.storage_alignment_B
    return tuple(sorted(used))


def print_layout(fmt: Format, layout: TextureLayout) -> None:
    """Print a layout for people."""
    click.echo(_title(fmt, layout))
    for line in _facts(layout):
        click.echo("  " + line)
    click.echo()
    unit = "blocks" if fmt.is_compressed else "texels"
    header = ("level", "pixels", unit, "offset", "bytes", "pitch", "block", "padding", "")
    print_table(header, [_level_row(layout, level) for level in layout.levels])
    click.echo()
    click.echo("Rules:")
    for rule in layout_rules(layout):
        click.echo(f"  {rule.id}: {rule.says}  [{rule.evidence.title}]")


def layout_json(fmt: Format, layout: TextureLayout) -> dict[str, Any]:
    """Return a layout as one JSON object; sizes in bytes, blocks in GOBs."""
    description = layout.description
    return {
        "format": fmt.nvn_name,
        "target": description.target.name,
        "width": description.width,
        "height": description.height,
        "depth": description.depth,
        "samples": description.samples,
        "flags": description.flags.value,
        "layers": layout.layers,
        "block_height_gob": layout.block_height_gob,
        "block_depth_gob": layout.block_depth_gob,
        "levels": [_level_json(level) for level in layout.levels],
        "layer_stride_B": layout.layer_stride_B,
        "size_B": layout.size_B,
        "storage_size_B": layout.storage_size_B,
        "storage_alignment_B": layout.storage_alignment_B,
        "tile": _tile_json(layout),
        "tail_first_level": layout.tail_first_level,
        "rules": {
            **{name: list(ids) for name, ids in layout.rules.items()},
            "block_height_gob": list(height_and_depth_rules(layout)[0]),
            "storage_alignment_B": list(storage_rules(layout)),
        },
        "evidence": {rule.id: rule.evidence.name for rule in layout_rules(layout)},
    }


def why_block_height(layout: TextureLayout) -> str:
    """Return block height and depth, and the arithmetic or the table that gave them, in one line."""
    level = layout.levels[0]
    if level.blocks is None:
        return f"linear, rows {level.pitch_B} bytes apart"
    block = f"block height {layout.block_height_gob}"
    block += f", depth {layout.block_depth_gob} GOBs" if layout.description.is_3d else " GOBs"
    if layout.description.packaged:
        taken = level.blocks.block_height_gob, level.blocks.block_depth_gob
        if taken == (layout.block_height_gob, layout.block_depth_gob):
            return f"{block} as given"
        return f"{block} as given, {' and '.join(map(str, dict.fromkeys(taken)))} at level 0 (LAYOUT-LEVEL-4)"
    ids = height_and_depth_rules(layout)
    if "LAYOUT-AUTO-1" in ids[0]:
        rows = level.height_el
        return f"{block}: {rows} rows of blocks, floor({rows} * 3 / 16) = {rows * 3 // 16} (LAYOUT-AUTO-1)"
    named = ", ".join(dict.fromkeys((*ids[0], *ids[1])))
    if layout.description.is_3d and "LAYOUT-AUTO-2" in ids[1]:
        slices = level.slices
        return f"{block}: {slices} slices, floor({slices} * 3 / 2) = {slices * 3 // 2} ({named})"
    return f"{block} ({named})"


def _title(fmt: Format, layout: TextureLayout) -> str:
    d = layout.description
    size = f"{d.width}x{d.height}" + (f"x{d.depth}" if d.depth > 1 else "")
    levels = f"{len(layout.levels)} level" + ("s" if len(layout.levels) > 1 else "")
    layers = f", {layout.layers} layers" if d.has_layers else ""
    samples = f", {d.samples} samples" if d.samples > 1 else ""
    block = f"{fmt.bytes_per_block} bytes per " + ("block" if fmt.is_compressed else "texel")
    return f"{fmt.nvn_name} {size}, {d.target.name.replace('TARGET_', '')}, {levels}{layers}{samples}; {block}"


def _facts(layout: TextureLayout) -> list[str]:
    ids = {name: " ".join(found) for name, found in layout.rules.items()}
    if layout.levels[0].blocks is None:
        return [
            f"linear, rows {layout.levels[0].pitch_B} bytes apart  [{ids['pitch_B']}]",
            f"storage {_hex(layout.storage_size_B)}, alignment {layout.storage_alignment_B}",
        ]
    facts = [_block_fact(layout)]
    if layout.tile is not None:
        tile = layout.tile
        tail = "no mip tail" if layout.tail_first_level is None else f"mip tail from level {layout.tail_first_level}"
        facts.append(
            f"sparse: tiles of {tile.width_el}x{tile.height_el}x{tile.depth} texels or blocks, "
            f"{tile.width_gob} GOBs wide; {tail}  [{ids['tile']}]"
        )
    if layout.layers != 1:
        facts.append(f"layers {_hex(layout.layer_stride_B)} apart  [{ids['layer_stride_B']}]")
    facts.append(
        f"storage {_hex(layout.storage_size_B)}, alignment {layout.storage_alignment_B}  "
        f"[{ids['layer_stride_B']} {' '.join(storage_rules(layout))}]"
    )
    return facts


def _block_fact(layout: TextureLayout) -> str:
    """Return block height, of a 3D texture depth, and which rules set them."""
    depth = f", depth {layout.block_depth_gob}" if layout.description.is_3d else ""
    block = f"block height {layout.block_height_gob}{depth} GOBs"
    if layout.description.packaged:
        return f"{block}  [given]"
    height_ids, depth_ids = height_and_depth_rules(layout)
    return f"{block} (by rule)  [{' '.join(dict.fromkeys((*height_ids, *(depth_ids if depth else ()))))}]"


def _level_row(layout: TextureLayout, level: LevelLayout) -> tuple[object, ...]:
    used_B = level.width_el * level.height_el * level.slices * layout.description.element.bytes_per_block
    blocks = level.blocks
    block = "-" if blocks is None else f"1x{blocks.block_height_gob}x{blocks.block_depth_gob}"
    slices = f"x{level.slices}" if layout.description.is_3d else ""
    return (
        level.level,
        f"{level.width_px}x{level.height_px}{slices}",
        f"{level.width_el}x{level.height_el}",
        f"0x{level.offset_B:x}",
        level.size_B,
        level.pitch_B,
        block,
        f"{100 * (level.size_B - used_B) / level.size_B:.1f}%",
        "mip tail" if level.in_mip_tail else "",
    )


def _level_json(level: LevelLayout) -> dict[str, Any]:
    blocks = level.blocks
    return {
        "level": level.level,
        "width_px": level.width_px,
        "height_px": level.height_px,
        "width_el": level.width_el,
        "height_el": level.height_el,
        "slices": level.slices,
        "offset_B": level.offset_B,
        "size_B": level.size_B,
        "pitch_B": level.pitch_B,
        "block_height_gob": blocks.block_height_gob if blocks else 0,
        "block_depth_gob": blocks.block_depth_gob if blocks else 0,
        "in_mip_tail": level.in_mip_tail,
    }


def _tile_json(layout: TextureLayout) -> dict[str, int] | None:
    tile = layout.tile
    if tile is None:
        return None
    return {
        "width_el": tile.width_el,
        "height_el": tile.height_el,
        "depth": tile.depth,
        "width_gob": tile.width_gob,
        "block_height_gob": tile.block_height_gob,
        "block_depth_gob": tile.block_depth_gob,
    }


def _hex(size_B: int) -> str:
    return f"{size_B} bytes (0x{size_B:x})"
