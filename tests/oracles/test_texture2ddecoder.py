"""texture2ddecoder as a referee of block formats.

Known differences, by cause:

- BC1, BC3 colour: thirds and halves of 8-bit ends, not NVIDIA's arithmetic (at most 6 codes in green, 1 in red and
  blue). BC1 has no transparent texels. BC3 takes three colours where the first end point is not the greater.
- BC3 alpha, BC4, BC5: thirds, sevenths and fifths in 8 bits (at most 7 codes).
- BC6H: shown in 8 bits, and about 1 block in 40 misread, most of modes 01 and 11110, where the chip and imagecodecs
  agree with us. No signed form.
- ASTC: 16 bits brought to 8 by rounding in place of cutting, but for void extents (at most 1 code). Illegal blocks
are read past the end of
  its tables: they may end the process, so none goes in here.
- Any format: input that is too short is read past its end; ``guarded.py`` lets none through.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from refnvn.errors import SizeError
from refnvn.formats import astc
from refnvn.formats.astc_results import HALF
from refnvn.formats.astc_room import astc_room
from refnvn.formats.block_kernel import words_of
from refnvn.formats.blocks import decode_block_codes
from refnvn.formats.table import format_named
from tests.formats.astc_blocks import LDR_CLASSES, Block
from tests.oracles.guarded import BLOCK_B, guarded_decode

pytest.importorskip("texture2ddecoder")
pytestmark = pytest.mark.oracle
COUNT = 4000


def random_blocks(bytes_per_block: int, count: int = COUNT) -> np.ndarray:
    """Return the same random blocks every time."""
    return np.random.default_rng(5).integers(0, 256, (count, bytes_per_block), dtype=np.uint8)


def theirs(name: str, blocks: np.ndarray, width: int = 4, height: int = 4) -> np.ndarray:
    """Return R, G, B, A of each block."""
    picture = guarded_decode(name, blocks.tobytes(), width, height * len(blocks), (width, height))
    return picture.reshape(len(blocks), height, width, 4).astype(np.int64)


def ours(name: str, blocks: np.ndarray) -> np.ndarray:
    """Return our codes of each block."""
    return decode_block_codes(format_named(name), blocks).astype(np.int64)


@pytest.mark.parametrize("name", BLOCK_B)
@pytest.mark.parametrize("short_B", [1, 8, 32])
def test_input_that_is_too_short_does_not_reach_it(name: str, short_B: int) -> None:
    """It would read what lies behind the input; the guard refuses, as our own decoder does."""
    data = bytes(4 * BLOCK_B[name])
    with pytest.raises(SizeError, match="allowed"):
        guarded_decode(name, data[: max(0, len(data) - short_B)], 8, 8)


def test_bc7_is_equal() -> None:
    """Every mode, the reserved one too."""
    blocks = random_blocks(16)
    blocks[:: COUNT // 16, 0] = 0
    for place in range(len(blocks)):
        blocks[place, 0] &= 0xFF << place % 9 & 0xFF
        blocks[place, 0] |= 1 << place % 9 & 0xFF
    assert np.array_equal(ours("BPTC_UNORM", blocks), theirs("bc7", blocks))


def test_bc1_differs_by_its_mixes_and_its_alpha() -> None:
    """End points are equal, mixes near; index 3 of three colours is black in both."""
    blocks = random_blocks(8)
    mine, other = ours("RGBA_DXT1", blocks), theirs("bc1", blocks)
    apart = np.abs(mine - other)[..., :3].max(axis=(0, 1, 2))
    assert apart.tolist() == [1, 6, 1]
    indices = blocks[:, 4:, np.newaxis] >> np.array([0, 2, 4, 6], np.uint8) & 3
    assert np.array_equal(mine[indices < 2], other[indices < 2])
    assert (other[..., 3] == 255).all()
    assert (mine[mine[..., 3] == 0] == 0).all()
    assert (other[mine[..., 3] == 0][:, :3] == 0).all()


def test_bc3_differs_by_its_mixes_and_where_it_takes_three_colours() -> None:
    """Blocks whose first end point is the greater have near colours, others do not."""
    blocks = random_blocks(16)
    mine, other = ours("RGBA_DXT5", blocks), theirs("bc3", blocks)
    ends = blocks.view("<u2")
    apart = np.abs(mine - other)
    assert apart[ends[:, 4] > ends[:, 5]][..., :3].max() == 6
    assert apart[ends[:, 4] <= ends[:, 5]][..., :3].max() > 100
    assert apart[..., 3].max() == 7


@pytest.mark.parametrize(("name", "their_name", "channels"), [("RGTC1_UNORM", "bc4", 1), ("RGTC2_UNORM", "bc5", 2)])
def test_bc4_and_bc5_differ_by_their_steps(name: str, their_name: str, channels: int) -> None:
    """Within 7 codes of 8 bits, the two ends of the range equal."""
    blocks = random_blocks(8 * channels)
    mine, other = ours(name, blocks), theirs(their_name, blocks)[..., :channels]
    assert np.abs((mine + 128) // 257 - other).max() == 7
    assert (other[mine == 0] == 0).all()


def test_bc6h_agrees_but_for_blocks_that_it_misreads() -> None:
    """Shown in 8 bits: at least 97 of 100 blocks are equal; all wrong ones are listed as its fault by two others."""
    blocks = random_blocks(16)
    values = ours("BPTC_UFLOAT", blocks).astype(np.uint16).view(np.float16).astype(np.float64)
    shown = np.floor(np.clip(values, 0, 1) * 255 + 0.5)
    equal = (shown == theirs("bc6", blocks)[..., :3]).all(axis=(1, 2, 3))
    assert equal.mean() > 0.97


@pytest.mark.parametrize("name", LDR_CLASSES)
def test_legal_astc_blocks_differ_by_rounding_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their 8 bits are our 16-bit mix times 255 / 65536, rounded, class by class; void extents are cut."""
    monkeypatch.setattr(astc, "ldr_code", lambda mixed, _: mixed)

    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    @given(LDR_CLASSES[name])
    def check(block: Block) -> None:
        data = np.frombuffer(block.data, np.uint8)
        out = np.zeros((1, block.height, 1, block.width, 4), np.uint16)
        size = block.width, block.height
        astc.astc_driver(words_of(data).tolist(), 1, out, *size, HALF, False, astc_room().tolist())
        mixed = out.reshape(block.height, block.width, 4).astype(np.int64)
        eight = mixed >> 8 if name == "void-extent" else (mixed * 255 + 32768) >> 16
        assert np.array_equal(eight, theirs("astc", data[np.newaxis], *size)[0])

    check()
