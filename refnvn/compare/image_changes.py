"""What may a wrong path have made of an image: turned, moved, recoloured, laid out otherwise, or another one?

Two of these at once: ``image_pairs.py``. Read next: ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.fitting import ROW_ALIGNMENT_B
from refnvn.compare.image_colours import Changed, Texels, colours, orders
from refnvn.compare.image_formats import other_formats
from refnvn.compare.image_parts import Part
from refnvn.errors import RefnvnError
from refnvn.formats.element import element_of
from refnvn.formats.table import NumericClass
from refnvn.layout.description import PackagedLayout, TextureDescription
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import linear_size_B, tile_texture, untile_texture

MOST_SHIFT = 16
LEAST_MOVED = 8
"""Texels that have to agree on a move."""
BLOCK_HEIGHTS_GOB = (1, 2, 4, 8, 16, 32)
PITCHES_PX = (1, 2, 4, 8, 16, 32)


def changes(part: Part, parts: Iterable[Part]) -> Iterator[Changed]:
    """Yield what an image may have become, each unlike the image itself.

    Parameters
    ----------
    part : Part
        The image: how it should be, and how it is, by which it may say how far it is moved.
    parts : iterable of Part
        Every image of the comparison: one may hold another's.
    """
    yield from unlike(part, chain(places(part, part.expected), values(part, part.expected), _others(part, parts)))


def unlike(part: Part, changed: Iterable[Changed]) -> Iterator[Changed]:
    """Yield those of some changes that have the image's shape and are not the image itself."""
    for one in changed:
        if one.texels.shape == part.expected.shape and not np.array_equal(one.texels, part.expected):
            yield one


def places(part: Part, texels: Texels) -> Iterator[Changed]:
    """Yield texels in other places: turned, in other layers, laid out otherwise, moved."""
    yield from chain(turned(texels), other_slices(texels), layouts(part, texels))
    if not part.fmt.is_compressed:
        yield from moved(texels, part.actual)


def values(part: Part, texels: Texels) -> Iterator[Changed]:
    """Yield texels with other values in the same places: components, colours, samples of a pixel."""
    if part.fmt.is_compressed:
        return
    apart = part.apart(texels)
    for one in chain(orders(part.fmt, apart), colours(part.fmt, apart), other_formats(part.fmt, apart)):
        yield Changed(one.words, one.texels.reshape(texels.shape))
    if part.samples > 1:
        yield from _samples(part, texels)


def _samples(part: Part, texels: Texels) -> Iterator[Changed]:
    """Yield samples in other places of their pixel, one in the place of all, and their mean."""
    samples = texels.reshape(*texels.shape[:3], part.samples, -1)
    yield Changed("samples in reverse order", samples[..., ::-1, :].reshape(texels.shape))
    for sample in range(part.samples):
        same = np.broadcast_to(samples[..., sample : sample + 1, :], samples.shape)
        yield Changed(
            f"every sample holds sample {sample}: shaded or stored once for a pixel", same.reshape(texels.shape)
        )
    if part.fmt.numeric_class is NumericClass.UNORM and {one.bits for one in part.fmt.components} == {8}:
        mean = np.rint(samples.mean(axis=3, keepdims=True)).astype(np.uint8)
        averaged = np.broadcast_to(mean, samples.shape).reshape(texels.shape)
        yield Changed("every sample holds the mean of the pixel: resolved on the way", averaged)


def turned(texels: Texels) -> Iterator[Changed]:
    """Yield rows or columns in another order."""
    yield Changed("rows upside down: the other window origin", texels[:, ::-1])
    yield Changed("columns mirrored", texels[:, :, ::-1])
    yield Changed("turned by half a turn", texels[:, ::-1, ::-1])
    if texels.shape[1] == texels.shape[2]:
        yield Changed("rows and columns exchanged", texels.swapaxes(1, 2))
        yield Changed("turned by a quarter turn to the left", np.rot90(texels, axes=(1, 2)))
        yield Changed("turned by a quarter turn to the right", np.rot90(texels, -1, axes=(1, 2)))


def other_slices(texels: Texels) -> Iterator[Changed]:
    """Yield layers in another order, and one in the place of all."""
    for first in range(1, len(texels)):
        yield Changed(f"layers moved on by {first}", np.roll(texels, -first, axis=0))
    if len(texels) > 1:
        for layer in range(len(texels)):
            yield Changed(f"every layer holds layer {layer}", np.broadcast_to(texels[layer], texels.shape))


def moved(texels: Texels, actual: Texels) -> Iterator[Changed]:
    """Yield texels moved by a few rows or columns, and as far as those of them say that are unlike all others."""
    yield from chain(_shifts(texels), _moved_by_texels(texels, actual))


def _shifts(texels: Texels) -> Iterator[Changed]:
    for axis, word in ((1, "rows"), (2, "columns")):
        for by in sorted(range(-MOST_SHIFT, MOST_SHIFT + 1), key=abs):
            if by and abs(by) < texels.shape[axis]:
                yield Changed(f"moved by {by} {word}", np.roll(texels, by, axis=axis))
    for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        yield Changed(f"moved by {down} row and {right} column", np.roll(texels, (down, right), axis=(1, 2)))


def _moved_by_texels(texels: Texels, actual: Texels) -> Iterator[Changed]:
    """Yield the move that most of those texels made that are unlike all others, before and after."""
    before, after = _once(texels), _once(actual)
    _, *found = np.intersect1d(before[0], after[0], assume_unique=True, return_indices=True)
    if len(found[0]) < LEAST_MOVED:
        return
    where = [
        np.stack(np.unravel_index(one[1][which], texels.shape[:3]))
        for one, which in zip((before, after), found, strict=True)
    ]
    sizes = np.array(texels.shape[:3])[:, np.newaxis]
    moves, counts = np.unique((where[1] - where[0] + sizes // 2) % sizes, axis=1, return_counts=True)
    layers, down, right = (int(by) for by in moves[:, counts.argmax()] - sizes[:, 0] // 2)
    is_shift = 0 in (down, right) and max(abs(down), abs(right)) <= MOST_SHIFT
    if layers == 0 and counts.max() >= LEAST_MOVED and not is_shift:
        words = f"moved by {down} rows and {right} columns"
        yield Changed(words, np.roll(texels, (down, right), axis=(1, 2)))


def _once(texels: Texels) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return texels that are unlike all others, as one value each, and their places."""
    size_B = texels.shape[-1]
    kind = np.dtype(f"<u{size_B}") if size_B in (1, 2, 4, 8) else np.dtype((np.void, size_B))
    whole = np.ascontiguousarray(texels).view(kind).reshape(-1)
    values, first, counts = np.unique(whole, return_index=True, return_counts=True)
    return values[counts == 1], first[counts == 1]


def layouts(part: Part, texels: Texels) -> Iterator[Changed]:
    """Yield what another block height on the way makes of an image, and rows at another pitch."""
    heights = BLOCK_HEIGHTS_GOB if part.samples == 1 and not part.is_3d else ()
    for height in heights:
        for other in heights:
            if height != other and (changed := _retiled(part, texels, height, other)) is not None:
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


def _retiled(part: Part, texels: Texels, height: int, other: int) -> Texels | None:
    """Return an image stored with one block height and read with another; None where it cannot be stored so."""

    def layout(block_height: int) -> TextureLayout:
        return texture_layout(TextureDescription(
            element=element_of(part.fmt), width=part.width_px, height=part.height_px,
            packaged=PackagedLayout(block_height),
        ))  # fmt: skip

    try:
        stored, read = layout(height), layout(other)
        changed = []
        for one in texels:
            storage = tile_texture(stored, one.reshape(-1))
            size_B = max(read.size_B - storage.size, 0)
            padded = np.concatenate((storage, np.zeros(size_B, np.uint8)))[: read.size_B]
            changed.append(untile_texture(read, padded)[: linear_size_B(read)])
    except RefnvnError:
        return None
    return np.stack(changed).reshape(texels.shape)


def _others(part: Part, parts: Iterable[Part]) -> Iterator[Changed]:
    for other in parts:
        if other is not part and other.expected.shape == part.expected.shape:
            yield Changed(f"holds what result {other.name} should", other.expected)
