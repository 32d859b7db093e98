"""The parts of an ASTC block: block mode, sequences, weights, partitions, end points, results."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.formats.astc_block_mode import BLOCK_MODES, block_mode
from refnvn.formats.astc_colours import COLOURS, ldr_ends, unquantised_colour
from refnvn.formats.astc_hdr import hdr_ends
from refnvn.formats.astc_partition import partition_factors, partition_of
from refnvn.formats.astc_results import HALF, SRGB8, UNORM8, half_of_logarithmic, half_of_unorm16, ldr_code, widened_8
from refnvn.formats.astc_sequence import LEVELS, quints_of, read_sequence, sequence_bits, trits_of
from refnvn.formats.astc_weights import WEIGHTS_OF, grid_place, infilled, reversed_word, unquantised_weight


def range_of(levels: int) -> int:
    """Return the number of a range."""
    return LEVELS.index(levels)


def test_legal_block_modes_are_those_of_the_table() -> None:
    """Each row of the specification's table: width, height, planes, levels, bits of the weights."""
    assert block_mode(0b0_0_00_01_0_00_01) == (4, 3, 1, range_of(2), 12)
    assert block_mode(0b0_0_01_10_1_01_01) == (9, 4, 1, range_of(3), 58)
    assert block_mode(0b0_0_10_11_0_10_10)[:3] == (5, 10, 1)
    assert block_mode(0b0_0_01_11_0_11_10)[:3] == (5, 7, 1)
    assert block_mode(0b0_1_10_11_0_11_01)[:4] == (2, 5, 1, range_of(10))
    assert block_mode(0b1_0_00_01_0_01_00)[:3] == (12, 3, 2)
    assert block_mode(0b0_0_01_01_0_10_00)[:3] == (3, 12, 1)
    assert block_mode(0b11_10_01_0_10_00)[:4] == (7, 9, 1, range_of(4))
    assert block_mode(0b0_0_11_00_0_01_00)[:3] == (6, 10, 1)
    assert block_mode(0b0_0_11_01_1_01_00)[:3] == (10, 6, 1)


def test_block_modes_that_break_a_law_are_illegal() -> None:
    """Reserved ones, more than 64 weights, fewer than 24 or more than 96 bits."""
    assert BLOCK_MODES[0] == (0, 0, 0, 0, 0)
    assert BLOCK_MODES[0b0_0_11_10_0_01_00][0] == 0
    assert BLOCK_MODES[0b0_0_00_01_0_00_01][0] == 0
    assert all(w * h * p <= 64 and 24 <= b <= 96 for w, h, p, _, b in BLOCK_MODES if w)
    assert sum(w > 0 for w, *_ in BLOCK_MODES) == 775


@pytest.mark.rule("FMT-ASTC-2")
def test_trits_and_quints_cover_all_groups() -> None:
    """Every group of five trits and of three quints has a code; some by hand."""
    trits = [trits_of(code) for code in range(256)]
    quints = [quints_of(code) for code in range(128)]
    assert len(set(trits)) == 3**5
    assert len(set(quints)) == 5**3
    assert max(max(one) for one in trits) == 2
    assert max(max(one) for one in quints) == 4
    assert (trits_of(0b11111111), trits_of(0b00010111)) == ((2, 1, 2, 2, 2), (1, 1, 2, 0, 0))
    assert [quints_of(code) for code in (0b1111111, 0b0000111, 0b0100101)] == [(1, 3, 4), (4, 4, 4), (0, 4, 1)]


@pytest.mark.rule("FMT-ASTC-2")
def test_a_sequence_takes_its_bits_and_no_more() -> None:
    """ceil(8n/5) bits for n trits, ceil(7n/3) for quints, besides the low bits."""
    assert [sequence_bits(n, range_of(3)) for n in range(1, 6)] == [2, 4, 5, 7, 8]
    assert [sequence_bits(n, range_of(5)) for n in range(1, 4)] == [3, 5, 7]
    assert sequence_bits(6, range_of(24)) == 18 + 10
    values = [-1] * 12
    read_sequence([0xFFFFFFFF, 0xFFFFFFFF, 0], 0, 4, range_of(4), values, 2)
    assert values[:7] == [-1, -1, 3, 3, 3, 3, -1]


@pytest.mark.rule("FMT-ASTC-2")
def test_pieces_of_a_group_stand_between_low_bits() -> None:
    """Two numbers of twelve levels: m0, T0-1, m1, T2-3."""
    values = [0] * 8
    read_sequence([0b01_10_10_11, 0], 0, 2, range_of(12), values, 0)
    assert values[:2] == [2 << 2 | 3, 1 << 2 | 2]


@pytest.mark.rule("FMT-ASTC-3")
@pytest.mark.parametrize(
    ("levels", "weights"),
    [
        pytest.param(3, [0, 32, 64], id="3"),
        pytest.param(4, [0, 21, 43, 64], id="4"),
        pytest.param(5, [0, 16, 32, 48, 64], id="5"),
        pytest.param(6, [0, 64, 12, 52, 25, 39], id="6"),
        pytest.param(8, [0, 9, 18, 27, 37, 46, 55, 64], id="8"),
        pytest.param(10, [0, 64, 7, 57, 14, 50, 21, 43, 28, 36], id="10"),
        pytest.param(12, [0, 64, 17, 47, 5, 59, 23, 41, 11, 53, 28, 36], id="12"),
    ],
)
def test_weights_are_those_of_the_specification(levels: int, weights: list[int]) -> None:
    """All codes of the smaller ranges."""
    assert [unquantised_weight(range_of(levels), code) for code in range(levels)] == weights


@pytest.mark.rule("FMT-ASTC-3")
def test_every_range_of_weights_is_even_and_symmetrical() -> None:
    """A range holds as many weights as levels, from 0 to 64, and 64 - w with each w."""
    for number in range(12):
        weights = sorted(WEIGHTS_OF[number][: LEVELS[number]])
        assert len(set(weights)) == LEVELS[number]
        assert weights[0] == 0
        assert [64 - w for w in reversed(weights)] == weights


@pytest.mark.rule("FMT-ASTC-4")
@given(word=st.integers(0, 2**32 - 1))
def test_reversing_a_word_turns_its_text_round(word: int) -> None:
    """Bit 31 becomes bit 0."""
    assert f"{reversed_word(word):032b}" == f"{word:032b}"[::-1]


@pytest.mark.rule("FMT-ASTC-5")
def test_a_grid_of_two_spreads_over_the_block() -> None:
    """Corners are exact; between them weights are means in sixteenths."""
    weights = [0, 64, 64, 0, 0, 0, 0]
    places = [grid_place(x, 4, 2) for x in range(4)]
    assert places == [0, 5, 11, 16]
    rows = [[infilled(weights, 0, 2, across, down) for across in places] for down in places]
    assert [rows[0][0], rows[0][3], rows[3][0], rows[3][3]] == [0, 64, 64, 0]
    assert rows[0] == [0, 20, 44, 64]
    assert rows[1] == [20, 24, 40, 44]
    assert [grid_place(x, 12, 12) for x in range(12)] == [16 * x for x in range(12)]


PARTITION_MAPS = {
    (77, 2, 8, 5): ["00011111", "00001111", "00001111", "00000111", "00000111"],
    (600, 2, 5, 4): ["00011", "01111", "01111", "01110"],
    (1023, 4, 12, 10): [
        "333333111333",
        "333333311333",
        "333333311333",
        "333333331333",
        "222222221230",
        "222222333000",
        "223333311000",
        "333330111000",
        "333000111000",
        "300000011000",
    ],
}
"""By number, partitions, width and height: what Arm's decoder shows of blocks of flat partitions."""


@pytest.mark.rule("FMT-ASTC-6")
@pytest.mark.parametrize("key", PARTITION_MAPS, ids=lambda key: "-".join(map(str, key)))
def test_partitions_are_those_of_the_hash(key: tuple[int, int, int, int]) -> None:
    """Maps of two and four partitions, of a small block too, whose places count double."""
    number, partitions, width, height = key
    factors = [0] * 12
    partition_factors(number, partitions, factors, 0)
    small = width * height < 31
    found = [
        "".join(str(partition_of(factors, 0, partitions, x, y, small)) for x in range(width)) for y in range(height)
    ]
    assert found == PARTITION_MAPS[key]


@pytest.mark.rule("FMT-ASTC-7")
@pytest.mark.parametrize(
    ("levels", "colours"),
    [
        pytest.param(6, [0, 255, 51, 204, 102, 153], id="6"),
        pytest.param(8, [0, 36, 73, 109, 146, 182, 219, 255], id="8"),
        pytest.param(10, [0, 255, 28, 227, 56, 199, 84, 171, 113, 142], id="10"),
        pytest.param(12, [0, 255, 69, 186, 23, 232, 92, 163, 46, 209, 116, 139], id="12"),
        pytest.param(24, [0, 255, 33, 222, 66, 189, 99, 156, 11, 244, 44, 211], id="24"),
        pytest.param(192, [0, 255, 4, 251, 8, 247, 12, 243], id="192"),
    ],
)
def test_colours_are_those_of_the_specification(levels: int, colours: list[int]) -> None:
    """The first codes of some ranges."""
    assert [unquantised_colour(range_of(levels), code) for code in range(len(colours))] == colours


@pytest.mark.rule("FMT-ASTC-7")
def test_every_range_of_colours_is_symmetrical() -> None:
    """A range holds as many colours as levels, from 0 to 255, and 255 - c with each c."""
    for number in range(range_of(6), len(LEVELS)):
        colours = sorted(COLOURS[number][: LEVELS[number]])
        assert len(set(colours)) == LEVELS[number]
        assert [255 - c for c in reversed(colours)] == colours


def ends_of(mode: int, *values: int) -> list[int]:
    """Return the eight channels of both end points of a mode of low dynamic range."""
    ends = [0] * 8
    ldr_ends(mode, list(values), 0, ends, 0)
    return ends


@pytest.mark.rule("FMT-ASTC-8")
def test_each_low_mode_makes_its_end_points() -> None:
    """Worked by hand from the specification, mode by mode."""
    assert ends_of(0, 10, 200) == [10, 10, 10, 255, 200, 200, 200, 255]
    assert ends_of(1, 0x83, 0xC5) == [0xE0, 0xE0, 0xE0, 255, 0xE5, 0xE5, 0xE5, 255]
    assert ends_of(1, 0xFF, 0xFF)[4:] == [255, 255, 255, 255]
    assert ends_of(4, 1, 2, 3, 4) == [1, 1, 1, 3, 2, 2, 2, 4]
    assert ends_of(5, 100, 0x80 | 8, 20, 0x7E) == [178, 178, 178, 10, 182, 182, 182, 9]
    assert ends_of(6, 200, 100, 50, 128) == [100, 50, 25, 255, 200, 100, 50, 255]
    assert ends_of(8, 1, 2, 3, 4, 5, 6) == [1, 3, 5, 255, 2, 4, 6, 255]
    assert ends_of(8, 20, 1, 30, 2, 40, 3) == [2, 2, 3, 255, 30, 35, 40, 255]
    assert ends_of(9, 100, 2, 100, 4, 100, 6) == [50, 50, 50, 255, 51, 52, 53, 255]
    assert ends_of(9, 100, 0x7E, 100, 0x7C, 100, 2) == [50, 49, 51, 255, 50, 50, 50, 255]
    assert ends_of(10, 200, 100, 50, 128, 7, 8) == [100, 50, 25, 7, 200, 100, 50, 8]
    assert ends_of(12, 20, 1, 30, 2, 40, 3, 7, 9) == [2, 2, 3, 9, 30, 35, 40, 7]
    assert ends_of(13, 100, 2, 100, 4, 100, 6, 100, 0x7E) == [50, 50, 50, 50, 51, 52, 53, 49]


@pytest.mark.rule("FMT-ASTC-9")
def test_high_luminance_and_direct_modes_by_hand() -> None:
    """Modes 2, 3, and 11 with both high bits set, worked from the specification; alpha is 1.0, 0x780."""
    ends = [0] * 8

    def made(mode: int, *values: int) -> list[int]:
        hdr_ends(mode, list(values), 0, ends, 0, [0] * 4, 0)
        return list(ends)

    assert made(2, 10, 200) == [160, 160, 160, 0x780, 3200, 3200, 3200, 0x780]
    assert made(2, 200, 10) == [168, 168, 168, 0x780, 3192, 3192, 3192, 0x780]
    assert made(3, 0x85, 0x21) == [0x214, 0x214, 0x214, 0x780, 0x218, 0x218, 0x218, 0x780]
    assert made(3, 0x05, 0x21) == [0x20A, 0x20A, 0x20A, 0x780, 0x20C, 0x20C, 0x20C, 0x780]
    assert made(11, 1, 2, 3, 4, 0x85, 0x86) == [16, 48, 160, 0x780, 32, 64, 192, 0x780]
    assert made(14, 1, 2, 3, 4, 0x85, 0x86, 7, 8) == [16, 48, 160, 7, 32, 64, 192, 8]
    assert made(15, 1, 2, 3, 4, 0x85, 0x86, 0x81, 0x82)[3::4] == [32, 64]


@pytest.mark.rule("FMT-ASTC-10")
def test_only_srgb_colours_widen_by_half_a_step() -> None:
    """0x12 becomes 0x1212, or 0x1280."""
    assert [widened_8(code, False) for code in (0, 0x12, 255)] == [0, 0x1212, 0xFFFF]
    assert [widened_8(code, True) for code in (0, 0x12, 255)] == [0x80, 0x1280, 0xFF80]


@pytest.mark.rule("FMT-ASTC-11")
def test_halves_are_cut_from_sixteen_bits() -> None:
    """All 65536 mixes: the greatest half that is not above mix / 65536, and 1 for the last."""
    mixes = np.arange(0x10000)
    halves = np.array([half_of_unorm16(int(mix)) for mix in mixes], np.uint16).view(np.float16).astype(np.float64)
    above = np.nextafter(halves.astype(np.float16), np.float16(2)).astype(np.float64)
    exact = mixes / 65536
    assert (halves[:-1] <= exact[:-1]).all()
    assert (above[:-1] > exact[:-1]).all()
    assert halves[-1] == 1.0
    assert [ldr_code(0x80FF, kind) for kind in (HALF, UNORM8, SRGB8)] == [0x3807, 0x80, 0x80]


@pytest.mark.rule("FMT-ASTC-12")
def test_logarithmic_mixes_rise_to_the_largest_half() -> None:
    """The three lines meet: 0, 512, 1536 and 2047 of the mantissa; no result is infinite, none falls."""
    assert [half_of_logarithmic(0x7800 + m) - 0x3C00 for m in (0, 511, 512, 1535, 1536, 2047)] == [
        0, 191, 192, 703, 704, 1023,
    ]  # fmt: skip
    halves = [half_of_logarithmic(mix) for mix in range(0x10000)]
    assert halves == sorted(halves)
    assert (halves[0], halves[-1]) == (0, 0x7BFF)
