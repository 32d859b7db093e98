"""Advanced blend modes, rule by rule, on values that were measured."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.enumerations import BlendAdvancedOverlap as Overlap
from refnvn.enumerations import BlendFunc
from refnvn.formats.table import format_named
from refnvn.raster.advanced_blend import advanced, as_factors, blended
from refnvn.raster.advanced_blend_hsl import luminosity, with_luminosity, with_saturation
from refnvn.raster.advanced_blend_mixes import mixed, root_minus
from refnvn.raster.advanced_blend_overlap import covered_alpha, parts_of
from refnvn.raster.advanced_blend_plain import PLAIN
from refnvn.raster.advanced_blend_reciprocal import reciprocal
from refnvn.raster.blend import BlendTargetState, blend
from refnvn.rules.fields import NVN, BlendPrecision

DATA = Path(__file__).parents[1] / "data" / "hardware_blend"
Halves = NDArray[np.float64]


def halves(name: str, array: str) -> Halves:
    """Return an array of a probe as values, shape (texels, 4)."""
    with np.load(DATA / name) as file:
        stored = file[array]
    values = stored.view(np.float32) if stored.dtype == np.uint32 else stored.view(np.float16)
    return values.astype(np.float64).reshape(-1, 4)


def shown(
    mode: Mode, overlap: Overlap, source: list[float], stored: list[float], *, plain: bool = True
) -> list[float]:
    """Blend one pixel of halves."""
    found: list[float] = blended(mode, overlap, plain, np.array([source]), np.array([stored]))[0].tolist()
    return found


@pytest.mark.rule("RASTER-ADVANCED-1")
def test_a_reciprocal_is_a_line_that_is_cut() -> None:
    """Powers of two are exact; 1 / 3 is 341.25 / 1024 and comes out as 0.333251953125; beyond a half is infinite."""
    values = np.array([1.0, 0.25, 3.0, 1 + 2.0**-10, -2.0, 0.0, 2.0**-17])
    expected = [1.0, 4.0, 0.333251953125, 2045 / 2048, -0.5, np.inf, np.inf]
    assert reciprocal(values).tolist() == expected


@pytest.mark.rule("RASTER-ADVANCED-1")
def test_every_mantissa_was_measured() -> None:
    """The probe divides by each of 1024 mantissas; no reciprocal is off by more than 1.3 of its 2^-10."""
    alphas = halves("reciprocal_probe.npz", "in_src_RGBA16F")[:, 3]
    assert len(set(alphas.tolist())) == 1024
    mantissas = 1 + np.arange(1024) / 1024
    assert np.abs(reciprocal(mantissas) * 2048 - 2048 / mantissas).max() < 1.3


@pytest.mark.rule("RASTER-ADVANCED-2")
def test_soft_light_has_a_cubic() -> None:
    """It meets the root at 1/4 and 1 and lies up to 0.0014 beside it in between; beyond 1 it falls below zero."""
    values = np.arange(0x3400, 0x3C01, dtype=np.uint16).view(np.float16).astype(np.float64)
    found = root_minus(values)
    assert (float(found[0]), float(found[-1])) == (0.25, 0.0)
    assert 0.001 < np.abs(found - (np.sqrt(values) - values)).max() < 0.0014
    measured = {0.494384765625: 0.2091064453125, 0.49462890625: 0.208984375, 1.0146484375: -0.006591796875}
    assert [float(root_minus(np.array(one))) for one in measured] == list(measured.values())


@pytest.mark.rule("RASTER-ADVANCED-3")
@pytest.mark.parametrize("mode", ["VIVIDLIGHT", "COLORDODGE", "PINLIGHT", "LINEARLIGHT", "HARDMIX"])
def test_a_mix_is_measured_at_full_alpha(mode: str) -> None:
    """With both alphas 1 the result is the mix itself: every half of the probe."""
    source, stored = (halves("full_alpha_probe.npz", f"in_{side}_RGBA16F") for side in ("src", "dst"))
    names = {"VIVIDLIGHT", "PINLIGHT", "LINEARLIGHT", "HARDMIX"}
    array = f"out_RGBA16F_pm1_UNCORRELATED_{mode}{'_NV' if mode in names else ''}"
    found = mixed(Mode[mode], source[:, :3], stored[:, :3])
    assert np.array_equal(found, halves("full_alpha_probe.npz", array)[:, :3])


@pytest.mark.rule("RASTER-ADVANCED-4")
def test_luminosity_is_added_up_from_red() -> None:
    """0.30, 0.59 and 0.11 as halves; white is 2047 / 2048, since the last sum is rounded."""
    rows = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [1, 1, 1]])
    expected = [0.300048828125, 0.58984375, 0.1099853515625, 2047 / 2048]
    assert luminosity(rows)[:, 0].tolist() == expected


@pytest.mark.rule("RASTER-ADVANCED-5", "RASTER-ADVANCED-6")
def test_hsl_modes_are_measured_where_they_clip() -> None:
    """Bright colours: HSL_COLOR and HSL_HUE of the probe, every half."""
    source, stored = (halves("bright_probe.npz", f"in_{side}_RGBA16F")[:, :3] for side in ("src", "dst"))
    color = with_luminosity(source, stored)
    hue = with_luminosity(with_saturation(source, stored), stored)
    for name, found in (("COLOR", color), ("HUE", hue)):
        assert np.array_equal(found, halves("bright_probe.npz", f"out_RGBA16F_pm1_UNCORRELATED_HSL_{name}")[:, :3])


@pytest.mark.rule("RASTER-ADVANCED-6")
def test_a_grey_colour_has_no_hue() -> None:
    """Its saturation cannot be stretched: it becomes black."""
    assert with_saturation(np.full((1, 3), 0.5), np.array([[0.0, 0.5, 1.0]])).tolist() == [[0, 0, 0]]
    assert with_saturation(np.array([[0.0, 0.25, 0.5]]), np.array([[0.0, 0.5, 1.0]])).tolist() == [[0, 0.5, 1]]


@pytest.mark.rule("RASTER-ADVANCED-7", "RASTER-ADVANCED-8", "RASTER-ADVANCED-10")
def test_overlaps_cover_differently() -> None:
    """SRC_IN of alphas 1/2 and 3/4 shows 3/8 uncorrelated, 1/2 conjoint, 1/4 disjoint of a white source."""
    source, stored = [0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 0.75]
    assert [shown(Mode.SRC_IN, overlap, source, stored)[3] for overlap in Overlap] == [0.375, 0.25, 0.5]
    assert [shown(Mode.SRC_IN, overlap, source, stored)[0] for overlap in Overlap] == [0.375, 0.25, 0.5]
    assert [shown(Mode.XOR, overlap, source, stored)[0] for overlap in Overlap] == [0.125, 0.25, 0.0]


@pytest.mark.rule("RASTER-ADVANCED-9")
def test_alpha_is_the_sum_of_the_parts_that_show() -> None:
    """OVER: As + Ad (1 - As), min(As + Ad, 1), max; ATOP keeps one side's alpha; OUT what is left of it."""
    one, other = np.array([[0.5]]), np.array([[0.75]])
    found = {
        m: [float(covered_alpha(parts_of(m), o, one, other)[0, 0]) for o in Overlap]
        for m in (Mode.SRC_OVER, Mode.SRC_ATOP, Mode.DST_ATOP, Mode.SRC_OUT, Mode.DST_OUT, Mode.XOR)
    }
    assert found[Mode.SRC_OVER] == [0.875, 1.0, 0.75]
    assert found[Mode.SRC_ATOP] == [0.75] * 3
    assert found[Mode.DST_ATOP] == [0.5] * 3
    assert found[Mode.SRC_OUT] == [0.125, 0.25, 0.0]
    assert found[Mode.DST_OUT] == [0.375, 0.5, 0.25]
    assert found[Mode.XOR] == [0.5, 0.75, 0.25]


@pytest.mark.rule("RASTER-ADVANCED-11")
def test_dividing_modes_multiply_in_the_last_operation() -> None:
    """HARDLIGHT and DIFFERENCE of the overlap probe, uncorrelated, every half."""
    source, stored = (halves("overlap_probe.npz", f"in_{side}_RGBA16F") for side in ("src", "dst"))
    for mode in (Mode.HARDLIGHT, Mode.DIFFERENCE):
        found = blended(mode, Overlap.UNCORRELATED, True, source, stored)
        expected = halves("overlap_probe.npz", f"out_RGBA16F_pm1_UNCORRELATED_{mode.name}")
        assert np.array_equal(found, expected)


@pytest.mark.rule("RASTER-ADVANCED-12")
def test_plain_modes_know_no_overlap() -> None:
    """Sums, differences, one channel: the same under all three; PLUS does not clamp, MINUS goes below 0."""
    source, stored = [0.5, 0.25, 0.75, 0.75], [0.75, 0.5, 0.25, 0.75]
    for mode in PLAIN:
        assert len({tuple(shown(mode, overlap, source, stored)) for overlap in Overlap}) == 1
    assert shown(Mode.PLUS, Overlap.CONJOINT, source, stored) == [1.25, 0.75, 1.0, 1.5]
    assert shown(Mode.PLUS_CLAMPED, Overlap.DISJOINT, source, stored) == [1.0, 0.75, 1.0, 1.0]
    assert shown(Mode.PLUS_DARKER, Overlap.DISJOINT, source, stored) == [0.75, 0.25, 0.5, 1.0]
    assert shown(Mode.MINUS, Overlap.DISJOINT, source, stored) == [0.25, 0.25, -0.5, 0.0]
    assert shown(Mode.GREEN, Overlap.DISJOINT, source, stored) == [0.75, 0.25, 0.25, 0.75]


@pytest.mark.rule("RASTER-ADVANCED-13")
def test_porter_duff_modes_are_ordinary_blends() -> None:
    """SRC_OVER is ONE, ONE_MINUS_SRC_ALPHA; not premultiplied its ONE becomes SRC_ALPHA; SRC_IN is a program then."""
    over = as_factors(Mode.SRC_OVER, Overlap.UNCORRELATED, True)
    assert over == ((BlendFunc.ONE, BlendFunc.ONE_MINUS_SRC_ALPHA),) * 2
    assert as_factors(Mode.PLUS, Overlap.UNCORRELATED, False) == (
        (BlendFunc.SRC_ALPHA, BlendFunc.ONE),
        (BlendFunc.ONE, BlendFunc.ONE),
    )
    assert as_factors(Mode.SRC_IN, Overlap.UNCORRELATED, False) is None
    assert as_factors(Mode.SRC_OVER, Overlap.CONJOINT, True) is None


@pytest.mark.rule("RASTER-ADVANCED-14")
def test_codes_become_halves_cut() -> None:
    """MULTIPLY of opaque code 200 with 100: 200 / 255 and 100 / 255 cut to halves, times, stored: 78."""
    how = BlendTargetState(advanced_mode=Mode.MULTIPLY)
    source = np.array([[200, 200, 200, 255]], np.float32) / np.float32(255)
    stored = np.array([[100, 255, 0, 255]], np.uint32)
    found = blend(how, format_named("RGBA8"), source, None, np.zeros(4, np.float32), stored)
    assert found.tolist() == [[78, 200, 0, 255]]


@pytest.mark.parametrize("mode", [m for m in Mode if m is not Mode.NONE], ids=lambda m: m.name)
def test_every_mode_blends_every_class_of_target(mode: Mode) -> None:
    """No mode, overlap or kind of source is missing on any format that blends."""
    source = np.array([[0.25, 0.5, 0.125, 0.5]], np.float32)
    for name in ("RGBA8", "RGBA8_SRGB", "RGBA16F", "R11G11B10F", "RGBA32F", "RGB565", "RG16", "RGBA8SN", "RGB10A2"):
        fmt = format_named(name)
        stored = np.array([[1] * len(fmt.components)], np.uint32)
        for overlap in Overlap:
            for premultiplied in (True, False):
                how = BlendTargetState(
                    advanced_mode=mode, advanced_overlap=overlap, advanced_premultiplied=premultiplied
                )
                found = blend(how, fmt, source, None, np.zeros(4, np.float32), stored)
                assert all(int(code) < 1 << c.bits for code, c in zip(found[0], fmt.components, strict=True))


def test_a_port_stays_within_two_codes() -> None:
    """The published formulas in float32 give what the chip gives to 2 of 255, on colours within their alphas."""
    rng = np.random.default_rng(5)
    source = rng.uniform(0.1, 1, (512, 4))
    source[:, :3] *= source[:, 3:]
    stored = rng.integers(30, 256, (512, 4))
    stored[:, :3] = stored[:, :3] * stored[:, 3:] // 255
    port = NVN.with_(blend_precision=BlendPrecision.FLOAT32)
    for mode in [m for m in Mode if m is not Mode.NONE]:
        for overlap in Overlap:
            how = BlendTargetState(advanced_mode=mode, advanced_overlap=overlap)
            given = (format_named("RGBA8"), source.astype(np.float32), None, np.zeros(4, np.float32))
            ours, theirs = (blend(how, *given, stored.astype(np.uint32), rules) for rules in (NVN, port))
            far = np.abs(ours.astype(np.int64) - theirs.astype(np.int64)) > 2
            assert far.mean() < 0.01, (mode, overlap)


@pytest.mark.rule("RASTER-ADVANCED-14")
def test_colours_that_a_target_lacks_are_black_on_both_sides() -> None:
    """HSL modes on a red target: the measured codes, which a green or blue of the source would change."""
    with np.load(DATA / "formats_probe.npz") as probe:
        source, stored = probe["in_src_R8"].reshape(-1, 4).view(np.float32), probe["in_dst_R8"].reshape(-1, 1)
        measured = probe["out_R8_pm1_UNCORRELATED_HSL_LUMINOSITY"].reshape(-1, 1)
    how = (Mode.HSL_LUMINOSITY, Overlap.UNCORRELATED, True, format_named("R8"))
    found = advanced(*how, source, stored.astype(np.uint32), NVN)
    assert found.tolist() == measured.tolist()
    black = source * np.float32([1, 0, 0, 1])
    assert advanced(*how, black, stored.astype(np.uint32), NVN).tolist() == measured.tolist()


@pytest.mark.rule("RASTER-ADVANCED-15")
def test_a_source_without_alpha_leaves_bits_that_halves_cannot_hold() -> None:
    """0xF01F is 0xEFFF after a half; measured as left alone where the source's alpha is the code 0."""
    stored, source = np.array([[0xF01F, 0x54CD, 0x7509, 0xD4EC]], np.uint32), np.array([[0, 1, 0, -1]], np.float32)
    fmt = format_named("RGBA16")
    kept = [advanced(Mode.MULTIPLY, overlap, True, fmt, source, stored, NVN) for overlap in Overlap]
    assert [one.tolist() for one in kept] == [stored.tolist()] * 3
    assert advanced(Mode.PLUS_CLAMPED, Overlap.CONJOINT, True, fmt, source, stored, NVN)[0, 3] == 0xD4DF
