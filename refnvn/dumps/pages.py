"""What does a pair of an ASTC texture's storage and its map of pages say?

``zb_<serial>.bin`` is storage as it lies in guest memory; of a sparse texture its first 2 MiB. ``zbm_<serial>.bin``
has a byte for each page of 4 KiB of it. Nothing says which byte means *mapped*, so pages are counted by it and by
whether they hold anything: a page that holds something was mapped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from refnvn.errors import SizeError
from refnvn.layout.tiling import Bytes

PAGE_B = 4096
BLOCK_B = 16


@dataclass(frozen=True, slots=True)
class PageCount:
    """Pages of one map byte: how many there are, and how many of them are all zero."""

    map_byte: int
    pages: int
    empty: int


@dataclass(frozen=True, slots=True)
class ZeroBlocks:
    """The blocks of a storage that are all zero, and its pages by their map.

    Attributes
    ----------
    blocks, empty : int
        Blocks of 16 bytes, padding included.
    pages : tuple of PageCount
        Empty without a map.
    mapped_bytes : tuple of int
        Map bytes whose pages hold something.
    """

    blocks: int
    empty: int
    pages: tuple[PageCount, ...]
    mapped_bytes: tuple[int, ...]


def zero_blocks(storage: Bytes, page_map: Bytes | None = None) -> ZeroBlocks:
    """Count the empty blocks of a storage, and its pages by their map.

    Parameters
    ----------
    storage : uint8, shape (n,)
        Whole blocks.
    page_map : uint8, shape (pages,), or None
        One byte for each page, the last page perhaps short.

    Raises
    ------
    SizeError
        The storage has no whole blocks, or the map is of another length.
    """
    if storage.size == 0 or storage.size % BLOCK_B:
        raise SizeError(f"a storage of {storage.size} bytes; allowed: one or more blocks of {BLOCK_B}")
    empty = int((~storage.reshape(-1, BLOCK_B).any(axis=1)).sum())
    if page_map is None:
        return ZeroBlocks(storage.size // BLOCK_B, empty, (), ())
    count = -(-storage.size // PAGE_B)
    if page_map.size != count:
        raise SizeError(f"a map of {page_map.size} bytes; allowed: {count}, one for each page of {PAGE_B} bytes")
    held = np.array([storage[at : at + PAGE_B].any() for at in range(0, storage.size, PAGE_B)])
    pages = tuple(
        PageCount(int(code), int((page_map == code).sum()), int(((page_map == code) & ~held).sum()))
        for code in np.unique(page_map)
    )
    mapped = tuple(one.map_byte for one in pages if one.empty < one.pages)
    return ZeroBlocks(storage.size // BLOCK_B, empty, pages, mapped)
