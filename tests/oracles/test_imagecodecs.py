"""imagecodecs (its decoder is bcdec) as a referee of BC1 to BC7.

Known differences, by cause:

- BC1, BC2, BC3 colour: thirds and halves of 8-bit ends (at most 5 codes in green, 1 in red and blue).
- BC3 alpha, BC4, BC5: sevenths and fifths in 8 bits (at most 7 codes). No signed form.
- BC6H and BC7: none; no random block tells whether it makes a negative zero positive.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from refnvn.formats.blocks import decode_block_codes
from refnvn.formats.table import format_named

imagecodecs: Any = pytest.importorskip("imagecodecs")
pytestmark = pytest.mark.oracle
COUNT = 4000


def both(name: str, number: int, channels: int) -> tuple[np.ndarray, np.ndarray]:
    """Return our codes and theirs of the same random blocks."""
    fmt = format_named(name)
    blocks = np.random.default_rng(6).integers(0, 256, (COUNT, fmt.bytes_per_block), dtype=np.uint8)
    shape = (4 * COUNT, 4, channels) if channels > 1 else (4 * COUNT, 4)
    decoded = imagecodecs.bcn_decode(blocks.tobytes(), number, shape=shape)
    if decoded.dtype == np.float16:
        decoded = decoded.view(np.uint16)
    return decode_block_codes(fmt, blocks).astype(np.int64), decoded.reshape(COUNT, 4, 4, channels).astype(np.int64)


@pytest.mark.parametrize(
    ("name", "number", "channels"),
    [("BPTC_UNORM", 7, 4), ("BPTC_UFLOAT", 6, 3), ("BPTC_SFLOAT", -6, 3)],
    ids=["bc7", "bc6h", "bc6h-signed"],
)
def test_bc6h_and_bc7_are_equal(name: str, number: int, channels: int) -> None:
    """Every bit of every texel, half floats' bits for BC6H."""
    ours, theirs = both(name, number, channels)
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("name", "number", "most"),
    [("RGBA_DXT1", 1, [1, 5, 1, 0]), ("RGBA_DXT3", 2, [1, 5, 1, 0]), ("RGBA_DXT5", 3, [1, 5, 1, 7])],
    ids=["bc1", "bc2", "bc3"],
)
def test_bc1_to_bc3_differ_by_their_mixes(name: str, number: int, most: list[int]) -> None:
    """Channel by channel, the largest difference in codes."""
    ours, theirs = both(name, number, 4)
    assert np.abs(ours - theirs).max(axis=(0, 1, 2)).tolist() == most


@pytest.mark.parametrize(("name", "number", "channels"), [("RGTC1_UNORM", 4, 1), ("RGTC2_UNORM", 5, 2)])
def test_bc4_and_bc5_differ_by_their_steps(name: str, number: int, channels: int) -> None:
    """Within 7 codes of 8 bits."""
    ours, theirs = both(name, number, channels)
    assert np.abs((ours + 128) // 257 - theirs).max() == 7
