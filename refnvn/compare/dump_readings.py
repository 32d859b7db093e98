"""In which ways could the bytes of a texture dump be meant? Each way is a reading; none is judged here.

The readings are what is said, and what is commonly wrong about it: another block height, rows that are not tiled,
another pitch, sparse padding, more levels or layers, another start, another size of ASTC block. The order of bytes
and components is varied in ``dump_order.py``; ``dump_likeness.py`` judges.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from refnvn.compare.dump import Content, Dump, Reading, ReadingKind, corner
from refnvn.compare.dump_images import there
from refnvn.compare.dump_pitch import as_rows
from refnvn.errors import RefnvnError
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, formats
from refnvn.layout.description import PackagedLayout, TextureFlags, TextureTarget
from refnvn.layout.search import BLOCK_HEIGHTS_GOB
from refnvn.layout.texture import TextureLayout, texture_layout

STARTS_B = (128, 148, 256, 512, 4096)
"""Where texels begin behind headers that people write."""
MOST_LAYERS = 8
FEWEST_EL = 4
"""Levels with fewer columns or rows look like anything."""


def readings(dump: Dump) -> Iterator[Reading]:
    """Give every reading of a dump that its bytes suffice for, the one that was said first."""
    content = Content(dump.data)
    yield from _tiled(dump, content, ReadingKind.AS_SAID, "as said", "", _laid_out(dump))
    if dump.description.is_linear:
        flags = dump.description.flags & ~(TextureFlags.LINEAR | TextureFlags.LINEAR_RENDER_TARGET)
        tiled = _laid_out(dump, flags=flags, stride_B=0)
        yield from _tiled(dump, content, ReadingKind.ROWS, "tiled, not linear", "without --linear", tiled)
    else:
        yield from _heights(dump, content)
        yield from _sparse(dump, content)
    yield from as_rows(dump, content)
    yield from _chains(dump, content)
    yield from _starts(dump, content)
    yield from _astc_sizes(dump, content)


def _laid_out(dump: Dump, **changes: Any) -> TextureLayout | None:
    """Return the layout of what was said with some of it changed; None where NVN has no such texture."""
    try:
        return texture_layout(dataclasses.replace(dump.description, **changes))
    except RefnvnError:
        return None


def _tiled(
    dump: Dump, content: Content, kind: ReadingKind, words: str, options: str, layout: TextureLayout | None,
    *, start_B: int = 0, fmt: Format | None = None,
) -> Iterator[Reading]:  # fmt: skip
    """Give the reading by a layout, unless there is none or the file ends before the level that it shows."""
    if layout is None or dump.layer >= layout.layers:
        return
    data, level = dump.data[start_B:], layout.levels[0]
    if dump.layer * layout.layer_stride_B + level.offset_B + level.size_B > data.size:
        return
    kept = there(layout, data)
    rows = kept[dump.layer, 0][0]
    yield Reading(
        kind=kind,
        words=words,
        options=options,
        fmt=fmt or dump.fmt,
        rows=corner(rows, layout.description.element.bytes_per_block),
        width_px=level.width_px,
        height_px=level.height_px,
        lost=content.lost(kept.values()),
        missing=max(0, layout.size_B - data.size) / layout.size_B,
    )


def _heights(dump: Dump, content: Content) -> Iterator[Reading]:
    kind, said = ReadingKind.BLOCK_HEIGHT, dump.description.packaged
    automatic = _laid_out(dump, packaged=None)
    if said is not None:
        words = "the automatic block height"
        yield from _tiled(dump, content, kind, words, "without --block-height", automatic)
    depth = said.block_depth_gob if said is not None else max(1, automatic.block_depth_gob if automatic else 1)
    for height in BLOCK_HEIGHTS_GOB:
        options = f"--block-height {height}" + (f" --block-depth {depth}" if depth > 1 else "")
        layout = _laid_out(dump, packaged=PackagedLayout(height, depth))
        yield from _tiled(dump, content, kind, f"block height {height}", options, layout)


def _sparse(dump: Dump, content: Content) -> Iterator[Reading]:
    said = dump.description.is_sparse
    words, options = ("not sparse", "without --sparse") if said else ("sparse", "--sparse")
    flags = dump.description.flags ^ TextureFlags.SPARSE
    yield from _tiled(dump, content, ReadingKind.SPARSE, words, options, _laid_out(dump, flags=flags))
    if dump.description.packaged is not None:
        words, options = f"{words}, automatic block height", f"{options}, without --block-height"
        automatic = _laid_out(dump, flags=flags, packaged=None)
        yield from _tiled(dump, content, ReadingKind.SPARSE, words, options, automatic)


def _chains(dump: Dump, content: Content) -> Iterator[Reading]:
    """Give other numbers of levels, or of layers, whose size is exactly the file's."""
    said, kind = dump.description, ReadingKind.LEVELS
    largest = max(said.width, said.rows_px(), said.depth if said.is_3d else 1)
    for levels in range(1, largest.bit_length() + 1):
        if levels != said.levels:
            words = f"{levels} level" + ("s" if levels > 1 else "")
            yield from _tiled(dump, content, kind, words, f"--levels {levels}", _if_it_fits(dump, levels=levels))
    if said.target is TextureTarget.TARGET_2D:
        for layers in range(2, MOST_LAYERS + 1):
            array = _if_it_fits(dump, target=TextureTarget.TARGET_2D_ARRAY, depth=layers)
            yield from _tiled(dump, content, kind, f"{layers} layers", f"--layers {layers}", array)


def _if_it_fits(dump: Dump, **changes: Any) -> TextureLayout | None:
    layout = _laid_out(dump, **changes)
    return layout if layout and dump.data.size in (layout.size_B, layout.storage_size_B) else None


def _starts(dump: Dump, content: Content) -> Iterator[Reading]:
    """Give other starts: behind a header or a layer, and a file that begins with a smaller level."""
    layout = texture_layout(dump.description)
    surplus_B = dump.data.size - layout.size_B
    for start_B in dict.fromkeys((surplus_B, *STARTS_B, *_first_bytes(layout))):
        if 0 < start_B <= surplus_B:
            words = f"{start_B} bytes before the texture"
            options = f"--start {start_B} --allow-rest"
            yield from _tiled(dump, content, ReadingKind.START, words, options, layout, start_B=start_B)
    for level in layout.levels[1:]:
        yield from _from_level(dump, content, layout, level.level)


def _first_bytes(layout: TextureLayout) -> list[int]:
    return [layout.layer_stride_B * layer for layer in range(1, MOST_LAYERS)] + [one.size_B for one in layout.levels]


def _from_level(dump: Dump, content: Content, layout: TextureLayout, first: int) -> Iterator[Reading]:
    """Give the reading of a file that lacks the levels before ``first``."""
    level = layout.levels[first]
    too_small = min(level.width_el, level.height_el) < FEWEST_EL or level.size_B > dump.data.size
    if too_small or level.blocks is None or dump.layer:
        return
    storage = np.zeros(level.offset_B + dump.data.size, np.uint8)
    storage[level.offset_B :] = dump.data
    kept = [rows for (layer, number), rows in there(layout, storage).items() if layer == 0 and number >= first]
    there_B = layout.layer_stride_B - level.offset_B
    yield Reading(
        kind=ReadingKind.START,
        words=f"begins with level {first}, {level.width_px}x{level.height_px}",
        options=f"--size {level.width_px}x{level.height_px}",
        fmt=dump.fmt,
        rows=corner(kept[0][0], layout.description.element.bytes_per_block),
        width_px=level.width_px,
        height_px=level.height_px,
        lost=content.lost(kept),
        missing=max(0, there_B - dump.data.size) / there_B,
    )


def _astc_sizes(dump: Dump, content: Content) -> Iterator[Reading]:
    """Give every other size of ASTC block with the same picture size."""
    if "ASTC" not in dump.fmt.name:
        return
    for other in formats().values():
        if "ASTC" in other.name and other.srgb is dump.fmt.srgb and other != dump.fmt:
            words = f"ASTC blocks of {other.block_width_px}x{other.block_height_px}"
            layout = _laid_out(dump, element=element_of(other))
            yield from _tiled(
                dump, content, ReadingKind.ASTC_SIZE, words, f"--format {other.name}", layout, fmt=other
            )
