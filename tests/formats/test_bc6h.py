"""BC6H by its specification, as the chip has it."""

import numpy as np
import pytest

from refnvn.formats.bc6h import half_bits, resolve_ends, widened_end
from refnvn.formats.bc6h_layouts import DELTA_BITS, END_BITS, MODES, REGIONS, RUNS_OF_MODE
from refnvn.formats.blocks import decode_block_codes, decode_blocks_values
from refnvn.formats.table import format_named


def texels(format_name: str, block: str) -> list[list[int]]:
    """Return the half bits of texels 0, 7 and 15."""
    codes = decode_block_codes(format_named(format_name), np.frombuffer(bytes.fromhex(block), np.uint8))
    found: list[list[int]] = codes.reshape(16, 3)[[0, 7, 15]].tolist()
    return found


@pytest.mark.rule("FMT-BC6H-1", "FMT-BC6H-2", "FMT-BC6H-3", "FMT-BC6H-4")
@pytest.mark.parametrize(
    ("block", "halves"),
    [
        pytest.param(
            "40ee5051046e8dc2e297c2e0cb273b28",
            [[27357, 20878, 17127], [27691, 20935, 17499], [27357, 20926, 17149]],
            id="mode-00",
        ),
        pytest.param(
            "615f02c04d7a40b6249e9c1ce50e46a3",
            [[18177, 1429, 21839], [14438, 3816, 29558], [10741, 3991, 29419]],
            id="mode-01",
        ),
        pytest.param(
            "22f72138d8d88f082c63d0d1fa5ca1e6",
            [[14779, 16918, 16313], [14728, 16889, 16320], [14728, 16889, 16320]],
            id="mode-00010",
        ),
        pytest.param(
            "83e30e26a2e54349aec4bcdbf6b8310f",
            [[15740, 8383, 6665], [8280, 14607, 5103], [24691, 914, 8540]],
            id="mode-00011",
        ),
        pytest.param(
            "4a867cdf48a9e1f08bf85f4976954832",
            [[737, 11783, 17607], [834, 11812, 17539], [767, 11796, 17602]],
            id="mode-01010",
        ),
        pytest.param(
            "af689f9b4d0f1b4bc7b8b3b7c2a6be01",
            [[15284, 22225, 18699], [15283, 22223, 18701], [15285, 22226, 18699]],
            id="mode-01111",
        ),
    ],
)
def test_unsigned_modes_decode_as_measured(block: str, halves: list[list[int]]) -> None:
    """Measured blocks."""
    assert texels("BPTC_UFLOAT", block) == halves


@pytest.mark.rule("FMT-BC6H-1", "FMT-BC6H-2", "FMT-BC6H-3", "FMT-BC6H-4")
@pytest.mark.parametrize(
    ("block", "halves"),
    [
        pytest.param(
            "8066c9853f1e29a2732d1af2e3e60025",
            [[45324, 39479, 36573], [45819, 39309, 36395], [45385, 39549, 36608]],
            id="mode-00",
        ),
        pytest.param(
            "c3aa75fa2a985d819679965f62f3a550",
            [[13754, 8153, 22103], [9150, 4185, 21150], [9150, 4185, 21150]],
            id="mode-00011",
        ),
        pytest.param(
            "2f791c84adbcdfc09f8df10ac91d7fa9",
            [[56627, 35690, 7627], [56629, 35689, 7627], [56626, 35691, 7628]],
            id="mode-01111",
        ),
        pytest.param(
            "874f602108585b093bcdbee333853c00",
            [[47404, 40486, 63848], [52222, 36367, 63508], [44811, 42703, 64031]],
            id="mode-00111",
        ),
    ],
)
def test_signed_modes_decode_as_measured(block: str, halves: list[list[int]]) -> None:
    """Measured blocks."""
    assert texels("BPTC_SFLOAT", block) == halves


@pytest.mark.rule("FMT-BC6H-5")
@pytest.mark.parametrize("mode", [0x13, 0x17, 0x1B, 0x1F], ids=hex)
def test_reserved_modes_are_zero(mode: int) -> None:
    """Red, green and blue are 0 and alpha reads 1, measured for both formats."""
    block = np.array([mode] + [0xAB] * 15, dtype=np.uint8)
    for name in ("BPTC_UFLOAT", "BPTC_SFLOAT"):
        values = decode_blocks_values(format_named(name), block)
        assert np.array_equal(values, np.broadcast_to(np.float32([0, 0, 0, 1]), (4, 4, 4)))


@pytest.mark.rule("FMT-BC6H-4")
def test_a_negative_zero_comes_out_positive() -> None:
    """The magnitude decides; the largest results are the largest finite halves."""
    assert (half_bits(-1, True), half_bits(-2, True), half_bits(1, True)) == (0, 0x8001, 0)
    assert (half_bits(0xFFFF, False), half_bits(-0x7FFF, True)) == (0x7BFF, 0xFBFF)


@pytest.mark.rule("FMT-BC6H-3")
def test_end_points_widen_to_both_ends_of_the_range() -> None:
    """0 and the largest code are exact; 16 bits stay as they are."""
    assert [widened_end(c, 6, False) for c in (0, 1, 63)] == [0, 1536, 0xFFFF]
    assert [widened_end(c, 6, True) for c in (-32, -31, -1, 0, 31)] == [-0x7FFF, -0x7FFF, -1536, 0, 0x7FFF]
    assert [widened_end(c, 16, signed) for c, signed in ((0x1234, False), (-5, True))] == [0x1234, -5]


@pytest.mark.rule("FMT-BC6H-2")
def test_deltas_wrap_in_the_bits_of_the_end_point() -> None:
    """Mode 00 has ten bits and deltas of five: 1023 + 1 is 0, and 16 is -16."""
    fields = [1023, 0, 5] + [1, 16, 31] + [0] * 6
    resolve_ends(0, False, fields)
    assert fields == [1023, 0, 5] + [0, 1008, 4] + [1023, 0, 5] * 2
    resolve_ends(9, True, fields := [63, 31, 32] + [1] * 9)
    assert fields == [-1, 31, -32] + [1] * 9


def test_layouts_place_every_bit_once() -> None:
    """All bits of a mode's fields, each once; with mode and partition they fill what the indices leave."""
    for mode, runs in enumerate(RUNS_OF_MODE):
        placed = [(field, bit) for field, lowest, count in runs for bit in range(lowest, lowest + count)]
        ends = 2 * REGIONS[mode]
        expected = [
            (channel + 3 * end, bit)
            for end in range(ends)
            for channel in range(3)
            for bit in range(DELTA_BITS[mode][channel] if end and DELTA_BITS[mode][channel] else END_BITS[mode])
        ]
        assert sorted(placed) == sorted(expected)
        mode_bits = 2 if mode < 2 else 5
        assert mode_bits + len(placed) + (5 + 46 if REGIONS[mode] == 2 else 63) == 128


def test_fourteen_modes_and_four_reserved_codes() -> None:
    """The lowest two bits decide 00 and 01, else five."""
    assert sorted(set(MODES)) == list(range(-1, 14))
    assert [code for code, mode in enumerate(MODES) if mode == -1] == [0x13, 0x17, 0x1B, 0x1F]
    assert MODES.count(0) == MODES.count(1) == 8
