"""What may a wrong path have made of an image: turned, moved, recoloured, laid out otherwise, or another one?

Read next: ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.image_texels import Texels, texels_of
from refnvn.compare.places import View
from refnvn.errors import RefnvnError
from refnvn.formats.element import element_of
from refnvn.formats.srgb import decode_srgb, encode_srgb
from refnvn.formats.table import Format, NumericClass, format_named
from refnvn.golden.result import Image
from refnvn.layout.description import PackagedLayout, TextureDescription
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import linear_size_B, tile_texture, untile_texture

MOST_SHIFT = 16
BLOCK_HEIGHTS_GOB = (1, 2, 4, 8, 16, 32)
PITCHES_PX = (1, 2, 4, 8, 16, 32)
COLOURS = 3


@dataclass(frozen=True, slots=True)
class Changed:
    """An image changed: what happened, and the texels."""

    words: str
    texels: Texels


def changes(name: str, image: Image, texels: Texels, views: Mapping[str, View]) -> Iterator[Changed]:
    """Yield what an image may have become, each unlike the image itself.

    Parameters
    ----------
    name : str
        Of the result.
    image : Image
        What it is.
    texels : uint8
        As it should be.
    views : mapping of str to View
        Every result of the comparison: one may hold another's image.
    """
    fmt = format_named(image.format)
    changed = [*_turned(texels), *_other_slices(texels), *_layouts(image, fmt, texels)]
    if not fmt.is_compressed:
        changed += [*_orders(fmt, texels), *_colours(fmt, texels), *_shifts(texels)]
    changed += _other_results(name, texels, views)
    yield from (one for one in changed if one.texels.shape == texels.shape and not np.array_equal(one.texels, texels))


def _turned(texels: Texels) -> Iterator[Changed]:
    yield Changed("rows upside down: the other window origin", texels[:, ::-1])
    yield Changed("columns mirrored", texels[:, :, ::-1])
    yield Changed("turned by half a turn", texels[:, ::-1, ::-1])
    if texels.shape[1] == texels.shape[2]:
        yield Changed("rows and columns exchanged", texels.swapaxes(1, 2))


def _other_slices(texels: Texels) -> Iterator[Changed]:
    for first in range(1, len(texels)):
        yield Changed(f"layers moved on by {first}", np.roll(texels, -first, axis=0))
    if len(texels) > 1:
        for layer in range(len(texels)):
            yield Changed(f"every layer holds layer {layer}", np.broadcast_to(texels[layer], texels.shape))


def _orders(fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield other orders of components of one width, and of bytes."""
    widths = {one.bits for one in fmt.components}
    names = [one.name for one in sorted(fmt.components, key=lambda one: one.first_bit)]
    if len(widths) == 1 and len(names) > 1 and (width := widths.pop()) % 8 == 0:
        parts = texels.reshape(*texels.shape[:3], len(names), width // 8)
        for order in permutations(range(len(names))):
            if order != tuple(range(len(names))):
                words = f"components {''.join(names)} hold {''.join(names[one] for one in order)}"
                yield Changed(words, parts[..., order, :].reshape(texels.shape))
    for word_B in (2, 4, 8):
        if texels.shape[-1] % word_B == 0:
            words = f"bytes of words of {word_B} reversed"
            yield Changed(words, texels.reshape(*texels.shape[:3], -1, word_B)[..., ::-1].reshape(texels.shape))
    if fmt.name.startswith(("RGB565", "BGR565")):
        codes = texels.view("<u2")
        swapped = (codes & 0x07E0) | (codes & 0x1F) << 11 | codes >> 11
        yield Changed("red and blue of 5-6-5 exchanged", swapped.astype("<u2").view(np.uint8))


def _colours(fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield sRGB once more or once less, and alpha multiplied in or out, of formats of 8 bits."""
    if fmt.numeric_class is not NumericClass.UNORM or {one.bits for one in fmt.components} != {8}:
        return
    colours = [one.first_bit // 8 for one in fmt.components if one.name in "RGB"]
    values = texels[..., colours].astype(np.float32) / np.float32(255)

    def with_colours(codes: NDArray[Any]) -> Texels:
        changed = texels.copy()
        changed[..., colours] = codes.astype(np.uint8)
        return changed

    yield Changed("sRGB encoded once more", with_colours(encode_srgb(values)))
    linear = np.rint(decode_srgb(texels[..., colours]) * 255)
    yield Changed("sRGB decoded once more", with_colours(linear))
    alpha_at = [one.first_bit // 8 for one in fmt.components if one.name == "A"]
    if alpha_at and len(colours) == COLOURS:
        alpha = texels[..., alpha_at].astype(np.float32) / np.float32(255)
        yield Changed("colours multiplied with alpha", with_colours(np.rint(values * alpha * 255)))
        with np.errstate(all="ignore"):
            divided = np.nan_to_num(np.rint(np.minimum(values / alpha, 1) * 255))
        yield Changed("colours divided by alpha", with_colours(divided))


def _shifts(texels: Texels) -> Iterator[Changed]:
    for axis, word in ((1, "rows"), (2, "columns")):
        for by in range(-MOST_SHIFT, MOST_SHIFT + 1):
            if by and abs(by) < texels.shape[axis]:
                yield Changed(f"moved by {by} {word}", np.roll(texels, by, axis=axis))
    for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        yield Changed(f"moved by {down} row and {right} column", np.roll(texels, (down, right), axis=(1, 2)))


def _layouts(image: Image, fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield what another block height on the way makes of an image, and rows at another pitch."""
    for height in BLOCK_HEIGHTS_GOB:
        for other in BLOCK_HEIGHTS_GOB:
            if height != other and (changed := _retiled(image, fmt, texels, height, other)) is not None:
                yield Changed(f"stored with a block height of {height} GOBs and read with {other}", changed)
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
