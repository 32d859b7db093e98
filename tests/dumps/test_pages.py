"""Empty blocks of a storage, and what its map of pages means."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.dumps.pages import PageCount, zero_blocks
from refnvn.errors import SizeError


def test_blocks_and_pages_are_counted() -> None:
    """Three pages: one held and marked 7, one empty and marked 0, one empty and marked 7."""
    storage = np.zeros(3 * 4096, np.uint8)
    storage[100] = 1
    found = zero_blocks(storage, np.array([7, 0, 7], np.uint8))
    assert (found.blocks, found.empty) == (768, 767)
    assert found.pages == (PageCount(0, 1, 1), PageCount(7, 2, 1))
    assert found.mapped_bytes == (7,)


def test_a_storage_without_a_map_has_no_pages() -> None:
    """Blocks alone."""
    found = zero_blocks(np.ones(32, np.uint8))
    assert (found.blocks, found.empty, found.pages, found.mapped_bytes) == (2, 0, (), ())


def test_two_mebibytes_have_512_pages() -> None:
    """What a dump of a sparse texture has."""
    assert zero_blocks(np.zeros(2 << 20, np.uint8), np.zeros(512, np.uint8)).pages == (PageCount(0, 512, 512),)


@pytest.mark.parametrize(
    ("size", "pages", "words"),
    [(0, None, "0 bytes"), (17, None, "17 bytes"), (4096, 2, "a map of 2 bytes; allowed: 1")],
)
def test_sizes_that_do_not_fit_are_refused(size: int, pages: int | None, words: str) -> None:
    """One error each."""
    with pytest.raises(SizeError, match=words):
        zero_blocks(np.zeros(size, np.uint8), None if pages is None else np.zeros(pages, np.uint8))
