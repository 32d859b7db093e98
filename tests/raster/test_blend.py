"""Blending, rule by rule, on values that were measured."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc
from refnvn.errors import ShapeError
from refnvn.formats.floatbits import from_bits
from refnvn.formats.table import format_named
from refnvn.raster.blend import BlendTargetState, blend, blends
from refnvn.raster.blend_components import channel_of, with_missing
from refnvn.raster.blend_factors import reads_source1
from refnvn.raster.blend_float import HALF, SINGLE, add, multiply, multiply_add, rounded
from refnvn.raster.blend_norm import rounded_quotient, widened
from refnvn.raster.blend_srgb import constant_values
from refnvn.rules.fields import NVN, BlendPrecision, MissingSource1

PROBE = Path(__file__).parents[1] / "data" / "hardware_blend" / "kept_probe.npz"
NOTHING = np.zeros(4, dtype=np.float32)
ONE = BlendFunc.ONE
ZERO = BlendFunc.ZERO


def state(source: BlendFunc, destination: BlendFunc, equation: BlendEquation = BlendEquation.ADD) -> BlendTargetState:
    """Return a state with the same factors for colours and alpha."""
    return BlendTargetState(
        source_color=source, destination_color=destination, color_equation=equation,
        source_alpha=source, destination_alpha=destination, alpha_equation=equation,
    )  # fmt: skip


def one(
    how: BlendTargetState,
    fmt: str,
    source: Any,
    stored: list[int],
    constant: NDArray[np.float32] = NOTHING,
    **more: Any,
) -> list[int]:
    """Blend one pixel; ``source`` are four floats, or four words where they are an array of them."""
    values = from_bits(source) if isinstance(source, np.ndarray) else np.array(source, dtype=np.float32)
    codes = np.array([stored], dtype=np.uint32)
    return blend(how, format_named(fmt), values.reshape(1, 4), None, constant, codes, **more)[0].tolist()


@pytest.mark.rule("RASTER-BLEND-2", "RASTER-BLEND-3")
def test_a_source_becomes_a_code_before_it_is_multiplied() -> None:
    """0.5 is 127 in 8 bits, so half of white over black is 127 and not 128; 127 * 127 / 255 is 63."""
    over = state(BlendFunc.SRC_ALPHA, BlendFunc.ONE_MINUS_SRC_ALPHA)
    assert one(over, "RGBA8", (1, 1, 1, 0.5), [0, 0, 0, 0]) == [127, 127, 127, 63]
    assert one(over, "RGBA8", (1, 1, 1, 0.5), [255, 255, 255, 255]) == [255, 255, 255, 191]
    assert one(state(ONE, ONE), "RGBA8", (0.5, 0, 0, 0), [200, 1, 2, 3]) == [255, 1, 2, 3]


@pytest.mark.rule("RASTER-BLEND-3")
@given(st.integers(-(65535**2), 2 * 65535**2), st.sampled_from([127, 255, 1023, 32767, 65535]))
def test_a_quotient_is_the_nearest_code(products: int, largest: int) -> None:
    """The rounded result is nearer to the exact one than any other code; there are no ties."""
    found = int(rounded_quotient(np.array([products]), largest, -largest)[0])
    exact = min(max(products, -largest * largest), largest * largest)
    assert abs(2 * (found * largest - exact)) < largest


@pytest.mark.rule("RASTER-BLEND-4")
def test_packed_fields_blend_in_more_bits_than_they_store() -> None:
    """565 in 8 bits: 8 of 31 is 66 of 255, and with 10 of 255 added 76, whose top bits are 9; 2-bit alpha in 10."""
    assert widened(np.array([8, 31], np.uint32), 5, 8).tolist() == [66, 255]
    assert widened(np.array([1, 3], np.uint32), 2, 10).tolist() == [341, 1023]
    added = one(state(ONE, ONE), "RGB565", (10 / 255, 10 / 255, 0, 1), [8, 8, 0])
    assert added == [9, 10, 0]
    assert one(state(ONE, ONE), "RGB10A2", (0, 0, 0, 0.25), [5, 6, 7, 1]) == [5, 6, 7, 2]


@pytest.mark.rule("RASTER-BLEND-5")
def test_a_missing_alpha_is_one() -> None:
    """DST_ALPHA is 1 on R8; what a format lacks reads as 0, 0, 0 and 1."""
    assert one(state(BlendFunc.DST_ALPHA, ZERO), "R8", (1, 0, 0, 0), [7]) == [255]
    fmt = format_named("RG8")
    found = with_missing(fmt, np.array([[3, 4]], np.uint32), lambda codes, _: codes.astype(np.int64), 255)
    assert found.tolist() == [[3, 4, 0, 255]]
    assert [channel_of(fmt, component) for component in fmt.components] == [0, 1]


@pytest.mark.rule("RASTER-BLEND-6")
def test_the_blender_loses_bits_that_cancellation_would_bring_back() -> None:
    """Two guard bits below the larger product and half a guard unit for the rest."""
    tiny = 2.0**-14
    assert float(multiply_add(1.0, 1.0, -tiny, 1.0)) == 1.0
    assert float(multiply_add(1.5, 1.5, -2.25, 1.0)) == 0.0
    assert float(add(2.0**10, 2.0**-4)) == 2.0**10
    assert float(multiply_add(0.0, np.inf, 3.0, 1.0)) == 3.0
    assert np.isnan(float(multiply_add(np.inf, 1.0, -np.inf, 1.0)))


@pytest.mark.rule("RASTER-BLEND-6")
def test_two_zeros_add_up_to_the_second_ones_sign() -> None:
    """+0 and -0 are -0, the other way round +0; a second factor of zero leaves the first one's sign."""
    zeros = [multiply_add(0.0, 1.0, -0.0, 1.0), multiply_add(-0.0, 1.0, 0.0, 1.0), multiply_add(-0.0, 1.0, 5.0, 0.0)]
    assert [bool(np.signbit(zero)) for zero in zeros] == [True, False, True]
    assert not np.signbit(multiply_add(1.25, 1.25, -1.25, 1.25))


@pytest.mark.rule("RASTER-BLEND-7")
def test_float_targets_take_halves_or_flushed_floats() -> None:
    """A half target cuts its source to a half; a float32 target flushes denormals on the way in and out."""
    source = np.array([0x3F801FFF, 0x3F802000, 1, 0x3F800000], np.uint32)
    assert one(state(ONE, ZERO), "RGBA16F", source, [0, 0, 0, 0]) == [0x3C00, 0x3C01, 0, 0x3C00]
    assert one(state(ONE, ONE), "RGBA32F", source, [0, 0, 7, 0]) == [0x3F801FFF, 0x3F802000, 0, 0x3F800000]
    inverted = state(ZERO, BlendFunc.ONE_MINUS_SRC_COLOR)
    assert one(inverted, "RGBA16F", (2**-13, 0, 0, 0), [0x3C00] * 4) == [0x3C00, 0x3C00, 0x3C00, 0x3C00]


@pytest.mark.rule("RASTER-BLEND-8")
def test_results_are_rounded_to_nearest_even() -> None:
    """Ties go to the even half, denormals included; 65520 is infinite."""
    values = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11, 1.5 * 2.0**-24, 65519.0, 65520.0, -65520.0])
    assert rounded(values, HALF).tolist() == [1, 1 + 2.0**-9, 2.0**-23, 65504, np.inf, -np.inf]
    assert float(multiply(2.0**-100, 2.0**-30, SINGLE)) == 0


@pytest.mark.rule("RASTER-BLEND-9")
def test_minimum_and_maximum_take_the_number() -> None:
    """NaN loses against any number; -0 is less than +0."""
    source = np.array([0x7FC00000, 0x80000000, 0, 0x3F800000], np.uint32)
    stored = [0x3C00, 0, 0x8000, 0x4000]
    assert one(state(ONE, ONE, BlendEquation.MAX), "RGBA16F", source, stored) == [0x3C00, 0, 0, 0x4000]
    assert one(state(ONE, ONE, BlendEquation.MIN), "RGBA16F", source, stored) == [0x3C00, 0x8000, 0x8000, 0x3C00]


@pytest.mark.rule("RASTER-BLEND-10")
def test_srgb_targets_blend_between_codes_in_halves() -> None:
    """Adding nothing keeps every code; 188 (0.5 linear) and itself add up to 255."""
    codes = [[code, 255 - code, code, code] for code in range(256)]
    stored = np.array(codes, dtype=np.uint32)
    black = np.zeros((256, 4), np.float32)
    kept = blend(state(ONE, ONE), format_named("RGBA8_SRGB"), black, None, NOTHING, stored)
    assert np.array_equal(kept, stored)
    assert one(state(ONE, ONE), "RGBA8_SRGB", (0.5, 0.5, 0.5, 0), [188, 188, 0, 9]) == [255, 255, 188, 9]


@pytest.mark.rule("RASTER-BLEND-11")
def test_the_constant_of_an_srgb_target_is_no_code() -> None:
    """0.001 is less than half a code's step but lets three quarters of a code through as a factor."""
    constant = np.array([0.75, 0.75, 0.75, 0.75], np.float32)
    scaled = one(state(ZERO, BlendFunc.CONSTANT_COLOR), "RGBA8_SRGB", (0, 0, 0, 0), [255, 128, 1, 255], constant)
    assert scaled == [225, 112, 1, 191]


@pytest.mark.rule("RASTER-BLEND-11")
def test_the_constant_of_an_srgb_target_is_clamped() -> None:
    """A random pipeline's 1.19 leaves nothing of its opposite, and NaN is 0."""
    constant = np.array([1.1943243, np.nan, -2.0, 0.5], np.float32)
    found = one(state(ZERO, BlendFunc.ONE_MINUS_CONSTANT_COLOR), "RGBA8_SRGB", (0, 0, 0, 0), [200] * 4, constant)
    assert found == [0, 200, 200, 100]


@pytest.mark.rule("RASTER-BLEND-11")
def test_the_constant_of_an_srgb_target_is_nearest_from_a_half_on_and_cut_below() -> None:
    """Measured: 0.876719, 0.52 of a half's step too large, goes up; 0.464352, 0.985 of a step too large, is cut."""
    constant = np.array([[0.876719, 0.464352, 0.3, 0.7]], np.float32)
    steps = constant_values(constant, NVN)[0] * [2**11, 2**12, 2**12, 2**11]
    assert steps.tolist() == [1796, 1901, 1228, 1434]
    ties = constant_values(np.array([[1025.5 / 2048, 1026.5 / 2048, 0.5, 1.0]], np.float32), NVN)[0] * 2048
    assert ties.tolist() == [1026, 1027, 1024, 2048]


@pytest.mark.rule("RASTER-BLEND-12")
def test_integer_targets_do_not_blend() -> None:
    """Float, normalised and sRGB formats blend, integer formats do not."""
    assert [blends(format_named(n)) for n in ("R32F", "RGBA8SN", "RGBA8_SRGB", "R11G11B10F")] == [True] * 4
    assert [blends(format_named(n)) for n in ("RGBA8UI", "RG32I", "RGB10A2UI")] == [False] * 3


@pytest.mark.rule("RASTER-BLEND-13")
def test_an_unwritten_second_source_is_zero() -> None:
    """SRC1 factors are 0 and their opposites 1, as the chip has it and as hosts assume; the worlds differ."""
    how = state(BlendFunc.SRC1_ALPHA, BlendFunc.ONE_MINUS_SRC1_COLOR)
    source = (1, 0.2, 0, 1)
    assert one(how, "RGBA8", source, [10, 20, 30, 40]) == [10, 20, 30, 40]
    assert one(how, "RGBA8", source, [10, 20, 30, 40], rules=NVN.with_(missing_source1=MissingSource1.OPAQUE)) == [
        255, 71, 30, 255,
    ]  # fmt: skip
    same = NVN.with_(missing_source1=MissingSource1.SOURCE)
    assert one(how, "RGBA8", source, [10, 20, 30, 40], rules=same) == [255, 67, 30, 255]


@pytest.mark.rule("RASTER-BLEND-14")
def test_measured_pixels_are_left_alone() -> None:
    """Over NaN payloads: a source alpha of 0 or 1, or all of a source 0 or 1, keeps every bit of a pixel."""
    over = state(BlendFunc.SRC_ALPHA, BlendFunc.ONE_MINUS_SRC_ALPHA)
    stored = [0x7E05, 0x8000, 1, 0xFC01]
    assert one(over, "RGBA16F", (3, -2, 1, 0), stored) == stored
    assert one(over, "RGBA16F", (np.inf, -2, 1, 0), stored)[0] == 0x7FFF
    assert one(state(BlendFunc.DST_COLOR, ZERO), "RGBA8SN", (1, 1, 1, 1), [0x80, 1, 2, 3]) == [0x80, 1, 2, 3]
    assert one(state(BlendFunc.DST_COLOR, ZERO), "RGBA8SN", (1, 1, 0, 1), [0x80, 1, 2, 3]) == [0x81, 1, 0, 3]
    less = state(BlendFunc.DST_COLOR, ZERO, BlendEquation.SUB)
    assert one(less, "R32F", (1, 0, 0, 1), [0x800AE398]) == [0x800AE398]
    assert one(less, "R32F", (-1, 0, 0, 1), [0x800AE398]) == [0]


@pytest.mark.rule("RASTER-BLEND-14")
def test_channels_that_are_not_written_do_not_count() -> None:
    """With alpha masked only the colours decide whether a pixel is left alone."""
    how = BlendTargetState(source_color=ONE, destination_color=ONE)
    assert one(how, "RGBA8SN", (0, 0, 0, 0.5), [0x80, 1, 2, 3]) == [0x81, 1, 2, 63]
    assert one(how, "RGBA8SN", (0, 0, 0, 0.5), [0x80, 1, 2, 3], mask=7) == [0x80, 1, 2, 3]


def test_the_probe_holds_kept_payloads() -> None:
    """The evidence itself: over alpha 0 the payload 5 of a NaN stays in the probe's results."""
    with np.load(PROBE) as probe:
        source, stored = probe["in_src_RGBA16F"], probe["in_dst_RGBA16F"]
        left = probe["out_RGBA16F_alpha"]
    quiet = (source[..., 3] & 0x7FFFFFFF == 0) & np.isfinite(source.view(np.float32)).all(axis=-1)
    assert quiet.sum() > 90
    assert np.array_equal(left[quiet], stored[quiet])
    assert (stored[quiet][:, 2] == 0x7E05).all()


@pytest.mark.rule("RASTER-BLEND-1")
def test_source1_factors_read_the_second_source() -> None:
    """The four SRC1 factors read the second source, no other does."""
    assert {f.name for f in BlendFunc if reads_source1(f)} == {
        "SRC1_COLOR", "ONE_MINUS_SRC1_COLOR", "SRC1_ALPHA", "ONE_MINUS_SRC1_ALPHA",
    }  # fmt: skip


@pytest.mark.rule("RASTER-BLEND-1")
def test_colours_and_alpha_have_their_own_factors() -> None:
    """Saturation is min(As, 1 - Ad) for colours and 1 for alpha; equations differ too."""
    saturated = state(BlendFunc.SRC_ALPHA_SATURATE, ONE)
    assert one(saturated, "RGBA8", (1, 1, 1, 1), [0, 0, 0, 155]) == [100, 100, 100, 255]
    apart = BlendTargetState(
        source_color=ONE, destination_color=ONE, color_equation=BlendEquation.REVERSE_SUB,
        source_alpha=ONE, destination_alpha=ZERO,
    )  # fmt: skip
    assert one(apart, "RGBA8", (10 / 255, 0, 1, 7 / 255), [20, 20, 20, 20]) == [10, 20, 0, 7]


@pytest.mark.rule("RASTER-BLEND-15")
def test_a_port_blends_in_float32() -> None:
    """Without codes on the way half of white over black is 127.5 and stored as 127; a third of it 42, not 43."""
    port = NVN.with_(blend_precision=BlendPrecision.FLOAT32)
    over = state(BlendFunc.SRC_ALPHA, BlendFunc.ONE_MINUS_SRC_ALPHA)
    assert one(over, "RGBA8", (1 / 3, 0, 0, 0.5), [0, 0, 0, 0]) == [42, 0, 0, 63]
    assert one(over, "RGBA8", (1 / 3, 0, 0, 0.5), [0, 0, 0, 0], rules=port) == [42, 0, 0, 64]
    for name in ("RGBA8", "RGBA16F", "RGB565", "R11G11B10F", "RGBA8_SRGB", "RGBA16SN", "RGBX8", "RGBX16"):
        stored = [9] * len(format_named(name).components)
        assert one(state(ZERO, ONE), name, (1, 1, 1, 1), stored, rules=port)[:3] == [9, 9, 9]


def test_arrays_of_another_shape_are_refused() -> None:
    """Sources are float32 of four channels, codes uint32 of as many components as the format has."""
    fmt = format_named("RGBA8")
    with pytest.raises(ShapeError, match="source must be float32"):
        blend(BlendTargetState(), fmt, np.zeros((1, 3), np.float32), None, NOTHING, np.zeros((1, 4), np.uint32))
    with pytest.raises(ShapeError, match=r"shape \(1, 4\)"):
        blend(BlendTargetState(), fmt, np.zeros((1, 4), np.float32), None, NOTHING, np.zeros((1, 3), np.uint32))
