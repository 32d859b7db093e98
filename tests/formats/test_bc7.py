"""BC7 by its specification, as the chip has it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.formats.bc7 import bc7_mode, bc7_widened
from refnvn.formats.bc_partitions import ANCHORS, SUBSET_MAPS
from refnvn.formats.blocks import decode_block_codes, decode_blocks_values
from refnvn.formats.table import format_named

BC7 = format_named("BPTC_UNORM")


def texels(block: str) -> list[list[int]]:
    """Return the codes of texels 0, 6 and 15."""
    codes = decode_block_codes(BC7, np.frombuffer(bytes.fromhex(block), np.uint8)).reshape(16, 4)
    found: list[list[int]] = codes[[0, 6, 15]].tolist()
    return found


@pytest.mark.rule("FMT-BC7-1", "FMT-BC7-2")
@pytest.mark.parametrize(
    ("block", "codes"),
    [
        pytest.param(
            "05611ba06a1627ac3de5167c9eecd403",
            [[103, 90, 47, 255], [121, 90, 36, 255], [189, 57, 222, 255]],
            id="mode-0",
        ),
        pytest.param(
            "025ef9b49dffa3f21e9eb15e9a0d28d6",
            [[122, 118, 203, 255], [111, 214, 143, 255], [111, 214, 143, 255]],
            id="mode-1",
        ),
        pytest.param(
            "dc1cbc15daea4b8da92142a49bb59d8f",
            [[121, 197, 94, 255], [189, 41, 33, 255], [178, 130, 33, 255]],
            id="mode-2",
        ),
        pytest.param(
            "48593a533cc1c112b0d228cbc4cb4a3d",
            [[50, 16, 129, 255], [45, 9, 89, 255], [45, 9, 89, 255]],
            id="mode-3",
        ),
        pytest.param(
            "10a236be308e9d5f0c322ec2cb54f7f6",
            [[68, 148, 125, 172], [121, 190, 163, 190], [16, 107, 90, 97]],
            id="mode-4",
        ),
        pytest.param("600b2330590b43418dbe5ce05c94c8af", [[80, 135, 135, 61]] * 3, id="mode-5"),
        pytest.param(
            "c0bdd3ecc11c663806e9b7c38c76c978",
            [[228, 175, 41, 104], [228, 175, 41, 104], [204, 137, 32, 107]],
            id="mode-6",
        ),
        pytest.param("80d617fb512017420bd54cd6be38c46e", [[178, 113, 69, 185]] * 3, id="mode-7"),
    ],
)
def test_each_mode_decodes_as_measured(block: str, codes: list[list[int]]) -> None:
    """One measured block of each mode."""
    assert texels(block) == codes


@pytest.mark.rule("FMT-BC7-3")
def test_a_reserved_block_is_transparent_black() -> None:
    """A first byte of 0, whatever follows."""
    assert texels("0052e5aa4636c849568dae9d95938743") == [[0, 0, 0, 0]] * 3


@pytest.mark.rule("FMT-BC7-2")
def test_end_points_repeat_their_highest_bits() -> None:
    """Six bits 100001 become 10000110."""
    assert [bc7_widened(0b100001, 6), bc7_widened(255, 8), bc7_widened(0b11111, 5)] == [0b10000110, 255, 255]


def test_the_mode_is_the_lowest_set_bit() -> None:
    """All 256 first bytes; 0 has none."""
    assert [bc7_mode(byte) for byte in (0, 1, 2, 0x80, 0xF8)] == [8, 0, 1, 7, 3]


def test_every_anchor_is_in_its_subset() -> None:
    """Each subset of each map has exactly one anchor, and subset 0 has texel 0."""
    for subsets in (1, 2, 3):
        for partition in range(64):
            found = [
                SUBSET_MAPS[subsets - 1][partition] >> 2 * texel & 3
                for texel in range(16)
                if ANCHORS[subsets - 1][partition] >> texel & 1
            ]
            assert sorted(found) == list(range(subsets))
            assert found[0] == 0
            used = {SUBSET_MAPS[subsets - 1][partition] >> 2 * texel & 3 for texel in range(16)}
            assert used == set(range(subsets))


@given(colour=st.tuples(*[st.integers(0, 127)] * 4), lowest=st.integers(0, 1), indices=st.integers(0, 2**63 - 1))
def test_equal_end_points_make_one_colour(colour: tuple[int, ...], lowest: int, indices: int) -> None:
    """A mode 6 block with twice the same end point shows it everywhere, whatever the indices."""
    block = 1 << 6 | lowest << 63 | lowest << 64 | indices << 65
    for channel, code in enumerate(colour):
        block |= (code << 7 + 14 * channel) | (code << 14 + 14 * channel)
    codes = decode_block_codes(BC7, np.frombuffer(block.to_bytes(16, "little"), np.uint8))
    assert np.array_equal(codes, np.broadcast_to([2 * code + lowest for code in colour], (4, 4, 4)))


def test_values_are_codes_over_255() -> None:
    """Correctly rounded."""
    block = np.frombuffer(bytes.fromhex("600b2330590b43418dbe5ce05c94c8af"), np.uint8)
    expected = (np.array([80, 135, 135, 61]) / 255.0).astype(np.float32)
    assert np.array_equal(decode_blocks_values(BC7, block)[0, 0], expected)
