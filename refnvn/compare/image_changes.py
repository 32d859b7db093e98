"""What may a wrong path have made of an image: turned, moved, recoloured, laid out otherwise, or another one?

Read next: ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.image_colours import Changed, colours, orders
from refnvn.compare.image_texels import Texels, texels_of
from refnvn.compare.places import View
from refnvn.errors import RefnvnError
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, format_named
from refnvn.golden.result import Image
from refnvn.layout.description import PackagedLayout, TextureDescription
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import linear_size_B, tile_texture, untile_texture

MOST_SHIFT = 16
LEAST_MOVED = 8
"""Texels that have to agree on a move."""
BLOCK_HEIGHTS_GOB = (1, 2, 4, 8, 16, 32)
PITCHES_PX = (1, 2, 4, 8, 16, 32)
ROW_ALIGNMENT_B = (64, 256)
"""Of rows in buffers of a host."""


def changes(name: str, image: Image, texels: Texels, actual: Texels, views: Mapping[str, View]) -> Iterator[Changed]:
    """Yield what an image may have become, each unlike the image itself.

    Parameters
    ----------
    name : str
        Of the result.
    image : Image
        What it is.
    texels : uint8
        As it should be.
    actual : uint8
        As it is: by its texels it may say how far it is moved.
    views : mapping of str to View
        Every result of the comparison: one may hold another's image.
    """
    fmt = format_named(image.format)
    changed = [*_turned(texels), *_other_slices(texels), *_layouts(image, fmt, texels)]
    if not fmt.is_compressed:
        changed += [*orders(fmt, texels), *colours(fmt, texels), *_shifts(texels), *_moved(texels, actual)]
    changed += _other_results(name, texels, views)
    yield from (one for one in changed if one.texels.shape == texels.shape and not np.array_equal(one.texels, texels))


def _turned(texels: Texels) -> Iterator[Changed]:
    yield Changed("rows upside down: the other window origin", texels[:, ::-1])
    yield Changed("columns mirrored", texels[:, :, ::-1])
    yield Changed("turned by half a turn", texels[:, ::-1, ::-1])
    if texels.shape[1] == texels.shape[2]:
        yield Changed("rows and columns exchanged", texels.swapaxes(1, 2))
        yield Changed("turned by a quarter turn to the left", np.rot90(texels, axes=(1, 2)))
        yield Changed("turned by a quarter turn to the right", np.rot90(texels, -1, axes=(1, 2)))


def _other_slices(texels: Texels) -> Iterator[Changed]:
    for first in range(1, len(texels)):
        yield Changed(f"layers moved on by {first}", np.roll(texels, -first, axis=0))
    if len(texels) > 1:
        for layer in range(len(texels)):
            yield Changed(f"every layer holds layer {layer}", np.broadcast_to(texels[layer], texels.shape))


def _shifts(texels: Texels) -> Iterator[Changed]:
    for axis, word in ((1, "rows"), (2, "columns")):
        for by in sorted(range(-MOST_SHIFT, MOST_SHIFT + 1), key=abs):
            if by and abs(by) < texels.shape[axis]:
                yield Changed(f"moved by {by} {word}", np.roll(texels, by, axis=axis))
    for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        yield Changed(f"moved by {down} row and {right} column", np.roll(texels, (down, right), axis=(1, 2)))


def _moved(texels: Texels, actual: Texels) -> Iterator[Changed]:
    """Yield the move that most of those texels made that are unlike all others, before and after."""
    before, after = _once(texels), _once(actual)
    _, *found = np.intersect1d(before[0], after[0], assume_unique=True, return_indices=True)
    if len(found[0]) < LEAST_MOVED:
        return
    places = [
        np.stack(np.unravel_index(one[1][which], texels.shape[:3]))
        for one, which in zip((before, after), found, strict=True)
    ]
    moves, counts = np.unique(places[1] - places[0], axis=1, return_counts=True)
    layers, down, right = (int(by) for by in moves[:, counts.argmax()])
    if layers == 0 and counts.max() >= LEAST_MOVED and max(abs(down), abs(right)) > 0:
        words = f"moved by {down} rows and {right} columns"
        yield Changed(words, np.roll(texels, (down, right), axis=(1, 2)))


def _once(texels: Texels) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return texels that are unlike all others, as one value each, and their places."""
    size_B = texels.shape[-1]
    kind = np.dtype(f"<u{size_B}") if size_B in (1, 2, 4, 8) else np.dtype((np.void, size_B))
    whole = np.ascontiguousarray(texels).view(kind).reshape(-1)
    values, first, counts = np.unique(whole, return_index=True, return_counts=True)
    return values[counts == 1], first[counts == 1]


def _layouts(image: Image, fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield what another block height on the way makes of an image, and rows at another pitch."""
    for height in BLOCK_HEIGHTS_GOB:
        for other in BLOCK_HEIGHTS_GOB:
            if height != other and (changed := _retiled(image, fmt, texels, height, other)) is not None:
                yield Changed(f"stored with a block height of {height} GOBs and read with {other}", changed)
    yield from _pitches(texels)


def _pitches(texels: Texels) -> Iterator[Changed]:
    """Yield rows that are read at another pitch, and rows that were stored at another and are read at the image's."""
    slices, rows, columns, size_B = texels.shape
    flat = texels.reshape(slices, -1)
    for texel in (sign * by for by in PITCHES_PX for sign in (1, -1)):
        pitch_B = (columns + texel) * size_B
        if pitch_B > 0:
            starts = np.arange(rows)[:, None] * pitch_B + np.arange(columns * size_B)
            inside = starts < flat.shape[1]
            read = np.where(inside, flat[:, np.where(inside, starts, 0)], 0).astype(np.uint8)
            yield Changed(f"rows read {abs(texel)} texels too {'long' if texel > 0 else 'short'}",
                           read.reshape(texels.shape))  # fmt: skip
    row_B = columns * size_B
    stored_B = {row_B + texel * size_B: f"{texel} texels longer" for texel in PITCHES_PX}
    stored_B |= {-(-row_B // to) * to: f"at multiples of {to} bytes" for to in ROW_ALIGNMENT_B if row_B % to}
    for pitch_B, words in stored_B.items():
        stored = np.zeros((slices, rows, pitch_B), np.uint8)
        stored[..., :row_B] = flat.reshape(slices, rows, row_B)
        read = stored.reshape(slices, -1)[:, : rows * row_B]
        yield Changed(f"rows stored {words} and read without", read.reshape(texels.shape))


def _retiled(image: Image, fmt: Format, texels: Texels, height: int, other: int) -> Texels | None:
    """Return an image stored with one block height and read with another; None where it cannot be stored so."""
    if image.depth_px != 1:
        return None

    def layout(block_height: int) -> TextureDescription:
        return TextureDescription(
            element=element_of(fmt), width=image.width_px, height=image.height_px,
            packaged=PackagedLayout(block_height),
        )  # fmt: skip

    try:
        stored, read = texture_layout(layout(height)), texture_layout(layout(other))
        changed = []
        for one in texels:
            storage = tile_texture(stored, one.reshape(-1))
            size_B = max(read.size_B - storage.size, 0)
            padded = np.concatenate((storage, np.zeros(size_B, np.uint8)))[: read.size_B]
            changed.append(untile_texture(read, padded)[: linear_size_B(read)])
    except RefnvnError:
        return None
    return np.stack(changed).reshape(texels.shape)


def _other_results(name: str, texels: Texels, views: Mapping[str, View]) -> Iterator[Changed]:
    for other, view in views.items():
        found = texels_of(view, view.expected)
        if other != name and found is not None and found.shape == texels.shape:
            yield Changed(f"holds what result {other} should", found)
