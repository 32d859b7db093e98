"""How are single layout facts scored? By what each says is expected of the texture it gives.

A fact that says of itself not to be tested against is information, and reported with its words.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from refnvn.conformance.fields import Fields, number
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, information
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

_MOST_ROWS = 1000
UNTESTABLE = "do not test against this number"

_TARGETS = {
    "2d": TextureTarget.TARGET_2D,
    "3d": TextureTarget.TARGET_3D,
    "cube": TextureTarget.TARGET_CUBEMAP,
    "cube array": TextureTarget.TARGET_CUBEMAP_ARRAY,
    "sparse_2d": TextureTarget.TARGET_2D,
    "sparse_3d": TextureTarget.TARGET_3D,
}


def _described(given: Fields, expect: Fields) -> TextureDescription:
    """Return the texture of a fact; a layer stride is asked of an array unless the texture is sparse."""
    kind = given.word("kind", _TARGETS, "2d")
    sparse = given.flag("sparse", False) or kind.startswith("sparse")
    layers = given.integer("layers", 1)
    target = _TARGETS[kind]
    if kind == "2d" and not sparse and (layers > 1 or "layer_stride" in expect):
        target = TextureTarget.TARGET_2D_ARRAY
    explicit = "block_height" in given and not sparse
    return TextureDescription(
        element=Element(
            given.integer("bytes_per_block", 4), given.integer("block_w", 1), given.integer("block_h", 1)
        ),
        target=target,
        width=given.integer("width", 1),
        height=given.integer("height", 1),
        depth=layers if layers > 1 else given.integer("depth", 1),
        levels=given.integer("mips", 1),
        flags=TextureFlags.SPARSE if sparse else NO_FLAGS,
        packaged=PackagedLayout(given.integer("block_height")) if explicit else None,
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


def _automatic_rows(expect: Fields, rules: Rules) -> Pairs:
    table = expect.inner("block_rows_to_gobs")
    return [(automatic_block_height_gob(_key(table, rows), rules), table.integer(rows)) for rows in table.value]


def _key(table: Fields, key: str, prefix: str = "") -> int:
    """Return the number that a key of a table is, behind a prefix."""
    digits = key.removeprefix(prefix)
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise InputFileError(f"{table.name} has the key {key!r}; allowed is {prefix or 'a'} number")
    return int(digits)


def _rounding_ranges(expect: Fields, rules: Rules) -> Pairs:
    """Rows 1 to 1000: whether rounding up differs, found and stated."""
    up = rules.with_(auto_block_height=AutoBlockHeight.ROUND_UP)
    stated: set[int] = set()
    for place, part in enumerate(expect.items("rows")):
        first, last = _several(f"rows[{place}]", part, 2)
        stated.update(range(first, min(last, _MOST_ROWS) + 1))
    return [
        (int(automatic_block_height_gob(rows, rules) != automatic_block_height_gob(rows, up)), int(rows in stated))
        for rows in range(1, _MOST_ROWS + 1)
    ]


def _several(name: str, value: Any, count: int | None = None) -> list[int]:
    """Return a list of numbers, or one number as a list of itself."""
    values = value if isinstance(value, list) else [value]
    if count is not None and len(values) != count:
        raise InputFileError(f"{name} is {reprlib.repr(value)}; allowed are {count} numbers")
    return [number(name, one) for one in values]


def _tile_widths(expect: Fields, _: Rules) -> Pairs:
    table = expect.inner("tile_width_gobs_2d")
    return [(tile_of_blocks(1, _key(table, name, "bh"), 1).width_gob, table.integer(name)) for name in table.value]


def _tile_shapes(expect: Fields, _: Rules) -> Pairs:
    pairs: Pairs = []
    for bytes_per_block in expect.value:
        shape = expect.inner(bytes_per_block)
        blocks = shape.numbers("blocks")
        is_3d = len(blocks) == 3
        tile = (tile_3d if is_3d else tile_2d)(int(bytes_per_block))
        sides = (tile.width_el, tile.height_el, tile.depth)[: 3 if is_3d else 2]
        pairs += _matched(f"{shape.name}: blocks", sides, blocks)
        pairs += [
            (tile.block_height_gob, shape.integer("block_height")),
            (tile.width_gob, shape.integer("width_gobs")),
        ]
        if is_3d:
            pairs.append((tile.block_depth_gob, shape.integer("block_depth")))
    return pairs


def _matched(name: str, found: Sequence[int], stated: Sequence[int]) -> Pairs:
    """Pair numbers that must be as many."""
    if len(found) != len(stated):
        raise InputFileError(f"{name} holds {len(stated)} numbers; allowed are {len(found)}")
    return list(zip(found, stated, strict=True))


def _tiles_of_box(given: Fields, expect: Fields) -> Pairs:
    """Which tiles of one slab cover the stated box of texels."""
    pairs: Pairs = []
    box = expect.inner("box_texels")
    (left, right), (top, bottom) = (_several(f"{box.name}: {axis}", box.get(axis), 2) for axis in ("x", "y"))
    for one in given.objects("formats"):
        tile = tile_3d(one.integer("bytes_per_block"))
        key = str(one.integer("bytes_per_block"))
        width_px, height_px = tile.width_el * one.integer("block_w"), tile.height_el * one.integer("block_h")
        across, down = given.integer("width") // max(width_px, 1), given.integer("height") // max(height_px, 1)
        stated = set(expect.inner("tiles_of_box").numbers(key))
        texels = expect.inner("tile_texels").numbers(key)
        pairs += _matched(f"{expect.name}: tile_texels", (width_px, height_px, tile.depth), texels)
        pairs.append((across, expect.inner("tiles_across").integer(key)))
        if across * down > _MOST_ROWS:
            raise InputFileError(f"{given.name}: {across * down} tiles; allowed are {_MOST_ROWS}")
        for place in range(across * down):
            x, y = place % across * width_px, place // across * height_px
            pairs.append((int(left <= x < right and top <= y < bottom), int(place in stated)))
    return pairs


def _pairs(fact: Fields, rules: Rules) -> Pairs:
    """Return every number that a fact states, with what the rules find."""
    expect = fact.inner("expect")
    for key, table in (
        ("block_rows_to_gobs", _automatic_rows),
        ("rows", _rounding_ranges),
        ("tile_width_gobs_2d", _tile_widths),
    ):
        if key in expect:
            return table(expect, rules)
    if "tiles_of_box" in expect:
        return _tiles_of_box(fact.inner("given"), expect)
    if set(expect.value) <= {"1", "2", "4", "8", "16"}:
        return _tile_shapes(expect, rules)
    several = isinstance(fact.get("given"), list)
    textures = fact.objects("given") if several else [fact.inner("given")]
    layouts = [texture_layout(_described(one, expect), rules) for one in textures]
    pairs: Pairs = []
    for key in expect.value:
        stated = _several(f"{expect.name}: {key}", expect.get(key))
        found = [one for layout in layouts for one in _found(expect, key, layout, rules)]
        pairs += _matched(f"{expect.name}: {key}", found, stated)
    return pairs


def _found(expect: Fields, key: str, layout: TextureLayout, rules: Rules) -> list[int]:
    """Return what the rules find for one key of ``expect``."""
    if key not in _NUMBERS:
        raise InputFileError(f"{expect.name} has the key {key!r}; known are {', '.join(_NUMBERS)}")
    try:
        found = _NUMBERS[key](layout, rules)
    except (IndexError, AssertionError) as error:
        raise InputFileError(f"{expect.name}: {key} is asked of a texture that has no such thing") from error
    return found if isinstance(found, list) else [found]


def _score(file: VectorFile, rules: Rules) -> Iterable[ArrayScore]:
    whole = Fields(file.json, "the file")
    for fact in [*whole.objects("facts"), *whole.objects("public_checks")]:
        name = str(fact.value.get("id", fact.name))
        fact.name = "the fact"
        if fact.value.get("note") == UNTESTABLE:
            yield information(name, f"the file says: {fact.value.get('status')}")
            continue
        try:
            with collect() as used:
                pairs = _pairs(fact, rules)
        except RefnvnError as error:
            raise InputFileError(f"{file.path}: fact {name}: {error}") from error
        found, stated = np.array(pairs, np.int64).reshape(-1, 2).T
        yield compare(name, found, stated, used)


SCHEMA = Schema(
    name="layout_facts",
    recognises=lambda file: file.json_has("format", "facts", "public_checks"),
    score=_score,
)
