"""How are single layout facts scored? By what each says is expected of the texture it gives.

A fact that says of itself not to be tested against is reported as not run, with its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError, RefnvnError
from refnvn.layout.block_linear import BlockLinear
from refnvn.layout.block_size import automatic_block_height_gob
from refnvn.layout.description import (
    NO_FLAGS,
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
)
from refnvn.layout.sparse import SparseTile, tile_2d, tile_3d, tile_of_blocks
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.rules.fields import AutoBlockHeight, Rules, SparsePadding
from refnvn.rules.registry import collect

Pairs = list[tuple[int, int]]
"""Numbers found and stated, one pair a case."""

UNTESTABLE = "do not test against this number"

_TARGETS = {
    "2d": TextureTarget.TARGET_2D,
    "3d": TextureTarget.TARGET_3D,
    "cube": TextureTarget.TARGET_CUBEMAP,
    "cube array": TextureTarget.TARGET_CUBEMAP_ARRAY,
    "sparse_2d": TextureTarget.TARGET_2D,
    "sparse_3d": TextureTarget.TARGET_3D,
}


def _described(given: dict[str, Any], expect: dict[str, Any]) -> TextureDescription:
    """Return the texture of a fact; a layer stride is asked of an array unless the texture is sparse."""
    kind = given.get("kind", "2d")
    sparse = given.get("sparse", False) or kind.startswith("sparse")
    layers = given.get("layers", 1)
    target = _TARGETS[kind]
    if kind == "2d" and not sparse and (layers > 1 or "layer_stride" in expect):
        target = TextureTarget.TARGET_2D_ARRAY
    explicit = "block_height" in given and not sparse
    return TextureDescription(
        element=Element(given.get("bytes_per_block", 4), given.get("block_w", 1), given.get("block_h", 1)),
        target=target,
        width=given.get("width", 1),
        height=given.get("height", 1),
        depth=layers if layers > 1 else given.get("depth", 1),
        levels=given.get("mips", 1),
        flags=TextureFlags.SPARSE if sparse else NO_FLAGS,
        packaged=PackagedLayout(given["block_height"]) if explicit else None,
    )


def _blocks(layout: TextureLayout) -> BlockLinear:
    blocks = layout.levels[0].blocks
    assert blocks is not None
    return blocks


def _tile(layout: TextureLayout) -> SparseTile:
    assert layout.tile is not None
    return layout.tile


def _unpadded(layout: TextureLayout, rules: Rules) -> TextureLayout:
    return texture_layout(layout.description, rules.with_(sparse_padding=SparsePadding.NEVER))


_NUMBERS: dict[str, Callable[[TextureLayout, Rules], Any]] = {
    "block_height": lambda layout, _: layout.block_height_gob,
    "block_depth": lambda layout, _: layout.block_depth_gob,
    "level_size": lambda layout, _: layout.levels[0].size_B,
    "level0_size": lambda layout, _: layout.levels[0].size_B,
    "gap_after_level0": lambda layout, _: layout.layer_stride_B - layout.levels[0].size_B,
    "level1_offset": lambda layout, _: layout.levels[1].offset_B,
    "level1_offset_if_unpadded": lambda layout, rules: _unpadded(layout, rules).levels[1].offset_B,
    "width_gobs_unpadded": lambda layout, rules: _blocks(_unpadded(layout, rules)).width_gob,
    "level7_offset": lambda layout, _: layout.levels[7].offset_B,
    "level_offsets": lambda layout, _: [level.offset_B for level in layout.levels],
    "sum_of_levels": lambda layout, _: layout.levels[-1].offset_B + layout.levels[-1].size_B,
    "layer_stride": lambda layout, _: layout.layer_stride_B,
    "layers": lambda layout, _: layout.layers,
    "cubes": lambda layout, _: layout.layers // 6,
    "total_size": lambda layout, _: layout.size_B,
    "width_gobs": lambda layout, _: _blocks(layout).width_gob,
    "width_gobs_level0": lambda layout, _: _blocks(layout).width_gob,
    "height_gobs": lambda layout, _: -(-layout.levels[0].height_el // 8),
    "block_rows_of_gobs": lambda layout, _: _blocks(layout).height_block,
    "block_rows": lambda layout, _: layout.levels[0].height_el,
    "tile_gobs": lambda layout, _: [_tile(layout).width_gob, _tile(layout).block_height_gob],
    "wrong_size_unpadded": lambda layout, rules: _unpadded(layout, rules).levels[0].size_B,
}
"""What each key of ``expect`` asks of a layout."""


def _automatic_rows(expect: dict[str, Any], rules: Rules) -> Pairs:
    table = expect["block_rows_to_gobs"]
    return [(automatic_block_height_gob(int(rows), rules), height) for rows, height in table.items()]


def _rounding_ranges(expect: dict[str, Any], rules: Rules) -> Pairs:
    """Rows 1 to 1000: whether rounding up differs, found and stated."""
    up = rules.with_(auto_block_height=AutoBlockHeight.ROUND_UP)
    stated = {rows for first, last in expect["rows"] for rows in range(first, last + 1)}
    return [
        (int(automatic_block_height_gob(rows, rules) != automatic_block_height_gob(rows, up)), int(rows in stated))
        for rows in range(1, 1001)
    ]


def _tile_widths(expect: dict[str, Any], _: Rules) -> Pairs:
    widths = expect["tile_width_gobs_2d"]
    return [(tile_of_blocks(1, int(name.removeprefix("bh")), 1).width_gob, width) for name, width in widths.items()]


def _tile_shapes(expect: dict[str, Any], _: Rules) -> Pairs:
    pairs: Pairs = []
    for bytes_per_block, shape in expect.items():
        is_3d = len(shape["blocks"]) == 3
        tile = (tile_3d if is_3d else tile_2d)(int(bytes_per_block))
        blocks = (tile.width_el, tile.height_el, tile.depth)[: len(shape["blocks"])]
        pairs += zip(blocks, shape["blocks"], strict=True)
        pairs += [(tile.block_height_gob, shape["block_height"]), (tile.width_gob, shape["width_gobs"])]
        if is_3d:
            pairs.append((tile.block_depth_gob, shape["block_depth"]))
    return pairs


def _tiles_of_box(fact: dict[str, Any]) -> Pairs:
    """Which tiles of one slab cover the stated box of texels."""
    given, expect = fact["given"], fact["expect"]
    pairs: Pairs = []
    for one in given["formats"]:
        tile = tile_3d(one["bytes_per_block"])
        key = str(one["bytes_per_block"])
        width_px, height_px = tile.width_el * one["block_w"], tile.height_el * one["block_h"]
        across, down = given["width"] // width_px, given["height"] // height_px
        (left, right), (top, bottom) = expect["box_texels"]["x"], expect["box_texels"]["y"]
        stated = set(expect["tiles_of_box"][key])
        pairs += zip((width_px, height_px, tile.depth), expect["tile_texels"][key], strict=True)
        pairs.append((across, expect["tiles_across"][key]))
        for number in range(across * down):
            x, y = number % across * width_px, number // across * height_px
            pairs.append((int(left <= x < right and top <= y < bottom), int(number in stated)))
    return pairs


def _pairs(fact: dict[str, Any], rules: Rules) -> Pairs:
    """Return every number that a fact states, with what the rules find."""
    given, expect = fact["given"], fact["expect"]
    for key, table in (
        ("block_rows_to_gobs", _automatic_rows),
        ("rows", _rounding_ranges),
        ("tile_width_gobs_2d", _tile_widths),
    ):
        if key in expect:
            return table(expect, rules)
    if "tiles_of_box" in expect:
        return _tiles_of_box(fact)
    if set(expect) <= {"1", "2", "4", "8", "16"}:
        return _tile_shapes(expect, rules)
    if isinstance(given, list):
        layouts = [texture_layout(_described(one, expect), rules) for one in given]
        return [
            (number, stated)
            for key, values in expect.items()
            for number, stated in zip((_NUMBERS[key](one, rules) for one in layouts), values, strict=True)
        ]
    layout = texture_layout(_described(given, expect), rules)
    pairs: Pairs = []
    for key, stated in expect.items():
        found = _NUMBERS[key](layout, rules)
        pairs += zip(found, stated, strict=True) if isinstance(stated, list) else [(found, stated)]
    return pairs


def _score(file: VectorFile, rules: Rules) -> Iterable[ArrayScore]:
    for fact in [*file.json["facts"], *file.json["public_checks"]]:
        name = str(fact.get("id", "?")) if isinstance(fact, dict) else "?"
        try:
            if fact.get("note") == UNTESTABLE:
                yield not_run(name, f"the file says: {fact['status']}")
                continue
            with collect() as used:
                pairs = _pairs(fact, rules)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError, AssertionError, RefnvnError) as error:
            raise InputFileError(f"{file.path}: fact {name}: {type(error).__name__}: {error}") from error
        found, stated = (np.array(numbers, np.int64) for numbers in zip(*pairs, strict=True))
        yield compare(name, found, stated, used)


SCHEMA = Schema(
    name="layout_facts",
    recognises=lambda file: file.json_has("format", "facts", "public_checks"),
    score=_score,
)
