"""What may a wrong path have made of an image's components: exchanged, sRGB once more, alpha multiplied in or out?

Read next: ``image_changes.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.srgb import decode_srgb, encode_srgb
from refnvn.formats.table import Format, NumericClass

COLOURS = 3
Texels = NDArray[np.uint8]
"""Shape (slices, rows, columns, bytes of a texel or block)."""
Flags = NDArray[np.bool_]
"""Shape (slices, rows, columns)."""


@dataclass(frozen=True, slots=True)
class Changed:
    """An image changed: what happened, and the texels."""

    words: str
    texels: Texels


def orders(fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield other orders of components of one width, and other orders of bytes."""
    parts = sorted(fmt.components, key=lambda one: one.first_bit)
    names, widths = [one.name for one in parts], [one.bits for one in parts]
    for order in _permutations(widths):
        words = f"components {''.join(names)} hold {''.join(names[one] for one in order)}"
        yield Changed(words, _ordered(fmt, texels, order))
    for word_B in (2, 4, 8):
        if texels.shape[-1] % word_B == 0:
            words = f"bytes of words of {word_B} reversed"
            yield Changed(words, texels.reshape(*texels.shape[:3], -1, word_B)[..., ::-1].reshape(texels.shape))


def _ordered(fmt: Format, texels: Texels, order: tuple[int, ...]) -> Texels:
    """Return texels with components, counted from the lowest bit, in another order."""
    parts = sorted(fmt.components, key=lambda one: one.first_bit)
    if all(one.bits == parts[0].bits and one.bits % 8 == 0 for one in parts):
        whole = texels.reshape(*texels.shape[:3], len(parts), -1)
        return np.ascontiguousarray(whole[..., order, :]).reshape(texels.shape)
    place = {one.name: at for at, one in enumerate(fmt.components)}
    codes = unpack_codes(fmt, texels)
    changed = codes.copy()
    for part, source in zip(parts, order, strict=True):
        changed[..., place[part.name]] = codes[..., place[parts[source].name]]
    return pack_codes(fmt, changed).reshape(texels.shape)


def _permutations(widths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all orders but the first in which each place keeps its width."""
    for order in permutations(range(len(widths))):
        fits = all(widths[one] == width for one, width in zip(order, widths, strict=True))
        if fits and order != tuple(range(len(widths))):
            yield order


def colours(fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield sRGB once more or once less, and alpha multiplied in or out, of formats of 8 bits."""
    if fmt.numeric_class is not NumericClass.UNORM or {one.bits for one in fmt.components} != {8}:
        return
    colours = [one.first_bit // 8 for one in fmt.components if one.name in "RGB"]
    values = texels[..., colours].astype(np.float32) / np.float32(255)

    def with_colours(codes: NDArray[Any]) -> Texels:
        changed = texels.copy()
        changed[..., colours] = codes.astype(np.uint8)
        return changed

    every = np.arange(256, dtype=np.uint8)
    encoded, linear = encode_srgb(every.astype(np.float32) / np.float32(255)), np.rint(decode_srgb(every) * 255)
    yield Changed("sRGB encoded once more", with_colours(encoded[texels[..., colours]]))
    yield Changed("sRGB decoded once more", with_colours(linear[texels[..., colours]]))
    alpha_at = [one.first_bit // 8 for one in fmt.components if one.name == "A"]
    if alpha_at and len(colours) == COLOURS:
        alpha = texels[..., alpha_at].astype(np.float32) / np.float32(255)
        yield Changed("colours multiplied with alpha", with_colours(np.rint(values * alpha * 255)))
        with np.errstate(all="ignore"):
            divided = np.nan_to_num(np.rint(np.minimum(values / alpha, 1) * 255))
        yield Changed("colours divided by alpha", with_colours(divided))
