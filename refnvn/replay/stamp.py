"""How is one clear value written over many texels? What a clear does to a texel is found once and repeated.

A clear sets some bits of every texel and keeps the others, whatever the texel held. So the rule of
``raster/clear.py`` is asked for two texels, all zeros and all ones: the bits that come out different are kept, the
others are what is set. The answer is then laid over any region at memory speed.

It decides nothing about what a clear stores. Read next: ``clears.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.rules.registry import collect, note

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Stamp:
    """What becomes of every texel: ``(old & kept) | put``.

    Attributes
    ----------
    put, kept : unsigned words, shape (words of a texel,)
    keeps_all, keeps_none : bool
        Whether ``kept`` is all ones, or all zeros.
    rules : frozenset of str
        The rules that gave it.
    """

    put: NDArray[Any]
    kept: NDArray[Any]
    keeps_all: bool
    keeps_none: bool
    rules: frozenset[str]

    def apply(self, codes: Bytes) -> None:
        """Stamp texels in place; ``codes`` is uint8 of shape (..., bytes per texel)."""
        note(self.rules)
        if self.keeps_all:
            return
        words = codes.view(self.put.dtype)
        put, kept = self.put, self.kept
        if len(put) == 1:
            words, put, kept = words[..., 0], put[0], kept[0]
        if self.keeps_none:
            words[...] = put
        else:
            words &= kept
            words |= put


def stamp_of(clear: Callable[[Bytes], None], bytes_per_texel: int) -> Stamp:
    """Return what a clear does to any texel.

    Parameters
    ----------
    clear : callable
        Clears uint8 codes of shape (1, 1, bytes per texel) in place; it sets bits whatever they were.
    bytes_per_texel : int
        1 to 16.

    Examples
    --------
    >>> def low_nibble(codes): codes[...] = (codes & 0xF0) | 0x05
    >>> texels = np.array([[0x12], [0xFF]], np.uint8)
    >>> stamp_of(low_nibble, 1).apply(texels); [hex(t) for t in texels[:, 0]]
    ['0x15', '0xf5']
    """
    zeros = np.zeros((1, 1, bytes_per_texel), np.uint8)
    ones = np.full((1, 1, bytes_per_texel), 255, np.uint8)
    with collect() as used:
        clear(zeros)
        clear(ones)
    kept = (zeros ^ ones)[0, 0]
    put = zeros[0, 0] & ~kept
    word = next(size for size in (8, 4, 2, 1) if bytes_per_texel % size == 0)
    return Stamp(
        put.view(f"<u{word}"), kept.view(f"<u{word}"), bool((kept == 255).all()), not kept.any(), frozenset(used)
    )


class Stamps:
    """The stamps that a replay has used, by what was asked."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Stamp] = {}

    def get(self, key: Hashable, bytes_per_texel: int, clear: Callable[[Bytes], None]) -> Stamp:
        """Return the stamp of a key, found on its first use."""
        stamp = self._found.get(key)
        if stamp is None:
            if len(self._found) >= 4096:
                self._found.clear()
            stamp = stamp_of(clear, bytes_per_texel)
            self._found[key] = stamp
        return stamp
