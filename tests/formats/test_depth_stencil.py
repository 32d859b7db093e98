"""Depth and stencil codes and their texels."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.errors import FieldRangeError, ShapeError, UnsupportedFormat
from refnvn.formats.codec import decode
from refnvn.formats.depth_stencil import (
    decode_depth,
    decode_stencil,
    depth_code,
    depth_value,
    encode_depth16,
    encode_depth24,
    encode_depth32f,
    encode_depth32f_clear,
    encode_depth_stencil,
    stencil_code,
)
from refnvn.formats.table import format_named
from refnvn.rules.slack import METAL

MEASURED = Path(__file__).parents[1] / "data" / "hardware_depth" / "depth.npz"


def floats(*words: int) -> np.ndarray:
    """Return float32 values by their bits."""
    return np.array(words, dtype=np.uint32).view(np.float32)


@pytest.mark.rule("FMT-DEPTH-1")
def test_depth16_is_a_16_bit_unorm() -> None:
    """Measured: 0.5 stores 32767, and both sides of two thresholds."""
    assert encode_depth16(floats(0x3F000000, 0x3F800000, 0x7FC00000)).tolist() == [32767, 65535, 0]
    assert encode_depth16(floats(0x3A524000, 0x3A523FFF)).tolist() == [53, 52]
    assert encode_depth16(floats(0x3F7FBC80, 0x3F7FBC7F)).tolist() == [65468, 65467]


@pytest.mark.rule("FMT-DEPTH-2")
def test_depth24_codes_are_as_measured() -> None:
    """Measured codes at one half, on both sides of it, and at three thresholds."""
    words = (0x3F000000, 0x3F800000, 0x3E800000, 0x3F407F77, 0x3E82F523, 0x3EC00243)
    assert encode_depth24(floats(*words)).tolist() == [8388608, 16777215, 4194304, 12615542, 4291217, 6291745]
    assert encode_depth24(floats(0x33C00000, 0x33BFFFFF)).tolist() == [2, 1]
    assert encode_depth24(floats(0x3E70BA7F, 0x3E70BA7E)).tolist() == [3944096, 3944095]
    assert encode_depth24(floats(0x3F7FA4F2, 0x3F7FA4F1)).tolist() == [16753905, 16753904]


@pytest.mark.rule("FMT-DEPTH-3", "FMT-DEPTH-4")
@pytest.mark.parametrize(
    ("word", "drawn", "cleared"),
    [
        pytest.param(0x3F800001, 0x3F800000, 0x3F800000, id="above-one"),
        pytest.param(0x7F800000, 0x3F800000, 0x3F800000, id="infinity"),
        pytest.param(0x7F800001, 0, 0, id="signalling-nan"),
        pytest.param(0xFFC00000, 0, 0, id="negative-nan"),
        pytest.param(0x80800000, 0, 0, id="least-negative-normal"),
        pytest.param(0x80000000, 0x80000000, 0x80000000, id="minus-zero-stays"),
        pytest.param(0x00000001, 0, 1, id="denormal"),
        pytest.param(0x007FFFFF, 0, 0x007FFFFF, id="largest-denormal"),
        pytest.param(0x80000001, 0x80000000, 0, id="negative-denormal"),
        pytest.param(0x00800000, 0x00800000, 0x00800000, id="least-normal"),
    ],
)
def test_float_depth_differs_between_draws_and_clears_in_denormals(word: int, drawn: int, cleared: int) -> None:
    """Measured: draws flush denormals to the zero of their sign before they clamp, clears only clamp."""
    assert int(encode_depth32f(floats(word))[0]) == drawn
    assert int(encode_depth32f_clear(floats(word))[0]) == cleared


@pytest.mark.rule("FMT-DEPTH-5")
def test_depth_codes_read_as_the_correctly_rounded_quotient() -> None:
    """Measured: code 1 of D16 reads as the float with bits 0x37800080; depth reads as red."""
    assert depth_value(np.array([1, 65535]), 16).view(np.uint32).tolist() == [0x37800080, 0x3F800000]
    codes = np.arange(0, 1 << 24, 997)
    exact = (codes.astype(np.float64) / float((1 << 24) - 1)).astype(np.float32)
    assert np.array_equal(depth_value(codes, 24), exact)
    texel = encode_depth_stencil(format_named("DEPTH24_STENCIL8"), 1.0, 0x55)
    assert texel.tolist() == [0x55, 0xFF, 0xFF, 0xFF]
    assert decode(format_named("DEPTH24_STENCIL8"), texel).tolist() == [1.0, 0.0, 0.0, 1.0]


@pytest.mark.rule("FMT-STENCIL-1")
def test_stencil_is_stored_and_read_as_it_is() -> None:
    """All 256 values pass, others are refused, and stencil alone reads as integers."""
    fmt = format_named("STENCIL8")
    values = np.arange(256)
    assert decode_stencil(fmt, encode_depth_stencil(fmt, stencil=values)).tolist() == values.tolist()
    assert decode(fmt, np.array([7], dtype=np.uint8)).tolist() == [7, 0, 0, 1]
    assert int(stencil_code(255)) == 255
    with pytest.raises(FieldRangeError, match="0 to 255"):
        stencil_code(256)


def test_combined_float_format_keeps_planes_apart() -> None:
    """Depth in the first word, stencil in the lowest byte of the second, nothing in the rest."""
    fmt = format_named("DEPTH32F_STENCIL8")
    texels = encode_depth_stencil(fmt, np.float32([0.25, 1.0]), np.array([1, 254]))
    assert texels.tolist() == [[0, 0, 0x80, 0x3E, 1, 0, 0, 0], [0, 0, 0x80, 0x3F, 254, 0, 0, 0]]
    assert decode_depth(fmt, texels).tolist() == [0.25, 1.0]
    assert decode_stencil(fmt, texels).tolist() == [1, 254]


@pytest.mark.parametrize("name", ["DEPTH16", "DEPTH24_STENCIL8", "DEPTH32F"])
def test_measured_draws_and_clears_are_all_matched(name: str) -> None:
    """Every measured gl_FragDepth and clear value of the family stores the measured code."""
    with np.load(MEASURED, allow_pickle=False) as measured:
        for what in ("fragdepth", "clear"):
            values = measured[f"in_{what}_{name}"].view(np.float32)
            words = measured[f"out_{what}_{name}"]
            codes = words >> 8 if name == "DEPTH24_STENCIL8" else words
            assert np.array_equal(codes, depth_code(format_named(name), values, clear=what == "clear"))


def test_depth24_code_survives_a_round_trip() -> None:
    """What a 24-bit code reads as stores that code again, wherever float32 can tell the codes apart."""
    codes = np.arange(0, 1 << 24, 101)
    assert np.array_equal(encode_depth24(depth_value(codes, 24)), codes)


def test_metal_rounds_depth24_to_nearest() -> None:
    """A port's 24-bit depth is the product with 2^24 - 1, rounded."""
    assert int(encode_depth24(0.75, METAL)) == round(0.75 * 16777215)


def test_missing_planes_are_refused() -> None:
    """A plane that the format lacks, and no plane at all, are errors that name the format or the planes."""
    with pytest.raises(UnsupportedFormat, match="DEPTH16 has no stencil; its components: D"):
        encode_depth_stencil(format_named("DEPTH16"), 0.0, 0)
    with pytest.raises(UnsupportedFormat, match="RGBA8 has no depth"):
        decode_depth(format_named("RGBA8"), np.zeros(4, dtype=np.uint8))
    with pytest.raises(ShapeError, match="must be given"):
        encode_depth_stencil(format_named("DEPTH16"))
    with pytest.raises(ShapeError, match="must fit"):
        encode_depth_stencil(format_named("DEPTH24_STENCIL8"), np.zeros(2, np.float32), np.zeros(3, np.int32))
