"""The sRGB curve, both ways."""

import csv
from decimal import Decimal, getcontext
from pathlib import Path

import numpy as np
import pytest

import refnvn.formats.srgb as srgb
from refnvn.formats.srgb import curve_scaled, decode_srgb, encode_srgb, encode_srgb_alpha, rounded_to_half
from refnvn.rules.slack import METAL


def floats(*words: int) -> np.ndarray:
    """Return float32 values by their bits."""
    return np.array(words, dtype=np.uint32).view(np.float32)


@pytest.mark.rule("FMT-SRGB-2")
@pytest.mark.parametrize(
    ("code", "threshold"),
    [
        pytest.param(1, 0x39000000, id="first"),
        pytest.param(12, 0x3B680000, id="end-of-line"),
        pytest.param(50, 0x3D000000, id="power-of-two"),
        pytest.param(140, 0x3E854000, id="fine-grid"),
        pytest.param(188, 0x3F000000, id="one-half"),
        pytest.param(189, 0x3F017000, id="above-one-half"),
        pytest.param(228, 0x3F457000, id="furthest-from-curve"),
        pytest.param(255, 0x3F7EF000, id="last"),
    ],
)
def test_colour_code_begins_at_its_measured_threshold(code: int, threshold: int) -> None:
    """The chip stores an sRGB code from the measured float on, and not from the float before it."""
    assert encode_srgb(floats(threshold, threshold - 1)).tolist() == [code, code - 1]


@pytest.mark.rule("FMT-SRGB-1")
def test_values_are_cut_to_halves_below_one_half_and_rounded_above() -> None:
    """Both sides of one half, NaN and everything outside 0..1."""
    below = rounded_to_half(floats(0x3EFFFFFF, 0x3E801FFF, 0x3E802000))
    assert below.tolist() == [0.5 - 2.0**-12, 0.25, 0.25 + 2.0**-12]
    above = rounded_to_half(floats(0x3F000FFF, 0x3F001000, 0x3F7FF000))
    assert above.tolist() == [0.5, 0.5 + 2.0**-11, 1.0]
    assert rounded_to_half(floats(0x7FC00000, 0xBF800000, 0x7F800000)).tolist() == [0.0, 0.0, 1.0]
    assert rounded_to_half(floats(0x33800000, 0x337FFFFF)).tolist() == [2.0**-24, 0.0]


@pytest.mark.rule("FMT-SRGB-3")
@pytest.mark.parametrize(
    ("code", "threshold"),
    [
        pytest.param(1, 0x3B010000, id="first"),
        pytest.param(2, 0x3BC10000, id="second"),
        pytest.param(3, 0x3C20C000, id="third"),
        pytest.param(128, 0x3F001000, id="above-one-half"),
        pytest.param(255, 0x3F7F7000, id="last"),
    ],
)
def test_alpha_code_begins_at_its_measured_threshold(code: int, threshold: int) -> None:
    """Alpha of an sRGB target has other thresholds than alpha of a linear one."""
    assert encode_srgb_alpha(floats(threshold, threshold - 1)).tolist() == [code, code - 1]


@pytest.mark.rule("FMT-SRGB-4")
def test_codes_read_as_measured() -> None:
    """Nine measured codes across the steps."""
    read = decode_srgb(np.array([0, 1, 10, 11, 32, 128, 200, 248, 255])).view(np.uint32)
    expected = [0, 0x39A00000, 0x3B480000, 0x3B5C0000, 0x3C6C0000, 0x3E5D0000, 0x3F140000, 0x3F700000, 0x3F800000]
    assert read.tolist() == expected


def test_read_values_have_eight_significant_bits() -> None:
    """Every code reads as a number with a mantissa of at most eight bits."""
    words = decode_srgb(np.arange(256)).view(np.uint32)
    assert not (words & np.uint32(0xFFFF)).any()


def test_integer_curve_is_the_exact_curve() -> None:
    """Decimal arithmetic with 60 digits gives the same 64-bit fractions, rounded down."""
    getcontext().prec = 60
    for double_code in range(511):
        share = Decimal(double_code) / 510
        if share <= Decimal("0.04045"):
            value = share / Decimal("12.92")
        else:
            value = ((share + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")
        error = value * (1 << 64) - curve_scaled(double_code)
        assert Decimal("-1e-20") < error < 1 + Decimal("1e-20"), double_code


def test_threshold_file_lists_rising_halves_for_all_codes() -> None:
    """The data file has codes 1 to 255 in order, halves that rise, and values that are those halves."""
    path = Path(srgb.__file__).with_name("srgb_encode.csv")
    with path.open(newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["code"]) for row in rows] == list(range(1, 256))
    halves = np.array([int(row["least_half_bits"], 16) for row in rows], dtype=np.uint16)
    assert (np.diff(halves.astype(np.int32)) > 0).all()
    assert halves.view(np.float16).astype(float).tolist() == [float(row["least_half"]) for row in rows]


@pytest.mark.parametrize("rules", [pytest.param(srgb.NVN, id="nvn"), pytest.param(METAL, id="metal")])
def test_every_code_survives_a_round_trip(rules: srgb.Rules) -> None:
    """What an sRGB code reads as stores that code again, in both profiles."""
    codes = np.arange(256)
    assert encode_srgb(decode_srgb(codes, rules), rules).tolist() == codes.tolist()


def test_metal_follows_the_exact_curve() -> None:
    """Metal's profile rounds the exact curve to nearest: 0.5 is 188, and reads of 188 lie within half a code."""
    assert int(encode_srgb(0.5, METAL)) == 188
    assert int(encode_srgb_alpha(0.5, METAL)) == 128
    values = np.linspace(0.0, 1.0, 4001, dtype=np.float32)
    line = values.astype(np.float64)
    curve = np.where(line <= 0.0031308, line * 12.92, 1.055 * line ** (1 / 2.4) - 0.055) * 255
    distance = np.abs(encode_srgb(values, METAL).astype(np.float64) - curve)
    assert distance.max() < 0.5 + 1e-4  # the two pieces of the public curve do not meet exactly
