"""Which layouts of a texture have a given number of bytes? For a dump whose size is all that is known of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from refnvn.errors import RefnvnError
from refnvn.layout.description import PackagedLayout, TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import linear_size_B
from refnvn.rules.fields import NVN, Rules

BLOCK_HEIGHTS_GOB = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout that fits, in words, and how many bytes it leaves over."""

    words: str
    layout: TextureLayout
    size_B: int


def layouts_of_size(description: TextureDescription, size_B: int, rules: Rules = NVN) -> list[Candidate]:
    """Return every layout of the texture whose storage, texture or packed rows have ``size_B`` bytes.

    Tried are the automatic block, every explicit block height (of a 3D texture with every depth), one to all levels,
    sparse and linear. Other flags stay as they are.

    Parameters
    ----------
    description : TextureDescription
        Format, size, target and flags; its levels and blocks, SPARSE and LINEAR are varied.
    size_B : int
        Bytes of the dump.
    """
    fitting = []
    for words, one in _variations(description):
        try:
            layout = texture_layout(one, rules)
        except RefnvnError:
            continue
        for size, kind in _sizes(layout):
            if size == size_B:
                fitting.append(Candidate(f"{words}, {kind}", layout, size))
                break
    return fitting


def nearest_sizes(description: TextureDescription, size_B: int, rules: Rules = NVN) -> list[tuple[int, str]]:
    """Return the sizes just below and just above ``size_B`` that some layout has, in words."""
    below: tuple[int, str] | None = None
    above: tuple[int, str] | None = None
    for words, one in _variations(description):
        try:
            layout = texture_layout(one, rules)
        except RefnvnError:
            continue
        for size, kind in _sizes(layout):
            if size < size_B and (below is None or size > below[0]):
                below = size, f"{words}, {kind}"
            if size > size_B and (above is None or size < above[0]):
                above = size, f"{words}, {kind}"
    return [found for found in (below, above) if found]


def _sizes(layout: TextureLayout) -> list[tuple[int, str]]:
    return [
        (layout.size_B, "as laid out"),
        (layout.storage_size_B, "with the storage alignment"),
        (linear_size_B(layout), "as packed rows, not tiled"),
    ]


def _variations(description: TextureDescription) -> Iterator[tuple[str, TextureDescription]]:
    largest = max(description.width, description.rows_px(), description.depth if description.is_3d else 1)
    most = 1 if description.samples > 1 or description.is_linear else min(15, largest.bit_length())
    for levels in dict.fromkeys((description.levels, *range(1, most + 1))):
        yield from _block_heights(dataclasses.replace(description, levels=levels))
    flat = description.target in (TextureTarget.TARGET_2D, TextureTarget.TARGET_RECTANGLE)
    if flat and not description.is_linear:
        flags = description.flags & ~TextureFlags.SPARSE | TextureFlags.LINEAR
        linear = dataclasses.replace(description, levels=1, flags=flags, packaged=None)
        yield "linear, stride a multiple of 32", linear


def _block_heights(description: TextureDescription) -> Iterator[tuple[str, TextureDescription]]:
    levels = f"{description.levels} level" + ("s" if description.levels > 1 else "")
    if description.is_linear:
        yield f"linear, {levels}", description
        return
    flags = description.flags & ~TextureFlags.SPARSE
    plain = dataclasses.replace(description, packaged=None, flags=flags)
    yield f"automatic block{'' if description.is_3d else ' height'}, {levels}", plain
    for depth in _block_depths_gob(description):
        for height in BLOCK_HEIGHTS_GOB:
            block = f"block height {height}" + (f", depth {depth}" if description.is_3d else "")
            yield f"{block}, {levels}", dataclasses.replace(plain, packaged=PackagedLayout(height, depth))
    if description.samples == 1:
        yield f"sparse, {levels}", dataclasses.replace(plain, flags=flags | TextureFlags.SPARSE)


def _block_depths_gob(description: TextureDescription) -> tuple[int, ...]:
    """Return the block depths that level 0 can tell apart: up to the first that holds all slices."""
    if not description.is_3d:
        return (1,)
    return tuple(depth for depth in BLOCK_HEIGHTS_GOB if depth == 1 or depth // 2 < description.depth)
