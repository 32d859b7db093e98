"""More raster samples than colour samples, and what coverage modulation makes of outputs."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.enumerations import CoverageModulationMode as Mode
from refnvn.enumerations import DepthFunc
from refnvn.errors import ArgumentError, UnknownBehaviour
from refnvn.formats.table import format_named
from refnvn.raster.coverage_modulation import LINEAR, covered_steps, modulated, multiplied_as, table_steps
from refnvn.raster.mixed_samples import color_sample_of
from refnvn.raster.samples import Multisample
from refnvn.raster.target import DepthStencilTarget
from refnvn.rules.fields import NVN
from tests.raster.scenes import ONE, WHOLE, color, constant, draw, view
from tests.raster.test_multisample import SIZE, left_half, sampled, texels

NONE, QUARTER = 0, 0x3E800000


def halves(value: float, steps: int, name: str, *, blends: bool = False) -> float:
    """Return what a value becomes as the red of a target."""
    bits = np.full((4, 1), value, np.float32).view(np.uint32)
    found = modulated(format_named(name), Mode.RGBA, bits, np.array([steps]), NVN, blends=blends)
    return float(found.view(np.float32)[0, 0])


@pytest.mark.rule("RASTER-MODULATION-1", "RASTER-MODULATION-2")
def test_shares_are_sixteenths() -> None:
    """Measured: of 8 samples one is a table's second entry; 0.5625 is 9 steps, 0.66 eleven, 0.004 none."""
    table = table_steps(np.array([0.0039, 0.0156, 0.0352, 0.0625, 0.5625, 0.66, *[1.0] * 10], np.float32))
    assert table[:6] == (0, 0, 1, 1, 9, 11)
    assert covered_steps(np.array([1, 2, 3]), 8, table).tolist() == [0, 1, 11]
    assert covered_steps(np.array([1, 2]), 2, LINEAR).tolist() == [8, 16]


@pytest.mark.rule("RASTER-MODULATION-3", "RASTER-MODULATION-4")
def test_codes_are_multiplied_not_values() -> None:
    """Measured: half of 0.75 and of 0.5 is 95 and 63 of 255, of codes; 11-bit floats lose bits twice."""
    assert [round(halves(v, 8, "RGBA8") * 255) for v in (0.75, 0.5, 1.0)] == [95, 63, 127]
    assert halves(0.32627517, 12, "R11G11B10F") == 0.2421875
    assert halves(-1.0, 8, "RGBA8SN") == pytest.approx(-63 / 127)
    assert np.isnan(halves(np.inf, 0, "RGBA16F"))


@pytest.mark.rule("RASTER-MODULATION-5")
def test_blenders_multiply_their_own_numbers() -> None:
    """An 11-bit float is a half there, a 2-bit alpha ten bits wide, and alpha that is lacking counts."""
    assert halves(0.32627517, 12, "R11G11B10F", blends=True) == 0.24462890625
    assert multiplied_as(format_named("R8"), 3, blends=False) is None
    alpha = multiplied_as(format_named("R8"), 3, blends=True)
    assert alpha is not None
    assert alpha.bits == 8


@pytest.mark.rule("RASTER-MODULATION-6")
def test_a_mode_names_channels_and_integers_stay() -> None:
    """RGB leaves alpha, ALPHA leaves colours; an integer target keeps all bits."""
    bits, steps = np.full((4, 1), ONE, np.uint32), np.array([4])
    of = {mode: modulated(format_named("RGBA32F"), mode, bits, steps, NVN)[:, 0].tolist() for mode in Mode}
    assert of[Mode.NONE] == [ONE] * 4
    assert of[Mode.RGB] == [QUARTER] * 3 + [ONE]
    assert of[Mode.ALPHA] == [ONE] * 3 + [QUARTER]
    assert modulated(format_named("RGBA8UI"), Mode.RGBA, bits, steps, NVN) is bits


@pytest.mark.rule("RASTER-MIXED-1")
def test_raster_samples_belong_to_colour_samples_as_measured() -> None:
    """Of 8 in 4: 3 5, 0 7, 1 4, 2 6; of 16 in 2: those right of the middle are sample 0's."""
    groups = color_sample_of(8, 4)
    assert [np.flatnonzero(groups == one).tolist() for one in range(4)] == [[3, 5], [0, 7], [1, 4], [2, 6]]
    assert np.flatnonzero(color_sample_of(16, 2) == 0).tolist() == [0, 3, 5, 6, 7, 9, 13, 14]


@pytest.mark.rule("RASTER-MIXED-2")
def test_a_plain_target_is_modulated_by_its_share() -> None:
    """An upright edge leaves 2 of 4 raster samples of column 3: half of white; the counter counts raster samples."""
    target = color("RGBA8", SIZE, SIZE)
    mixed = Multisample(raster_samples=4, coverage_modulation=Mode.RGB)
    passed = draw(
        view(target, multisample=mixed), [target], None, left_half(SIZE, 3 + 7.5 / 16), constant(ONE, ONE, ONE, ONE)
    )
    assert target.codes[5, 2:5].tolist() == [[255] * 4, [127, 127, 127, 255], [0] * 4]
    assert passed == SIZE * (3 * 4 + 2)


@pytest.mark.rule("RASTER-MIXED-2")
def test_depth_is_that_of_raster_samples() -> None:
    """Three of four depth samples are nearer: a quarter is left, and stores its depth."""
    target, zeta = color("RGBA8", SIZE, SIZE), sampled("DEPTH32F", kind=DepthStencilTarget)
    for one, value in zip((zeta.codes, *zeta.others), (0.25, 0.25, 0.75, 0.25), strict=True):
        one.view(np.float32)[...] = value
    mixed = Multisample(raster_samples=4, coverage_modulation=Mode.RGBA)
    state = view(target, multisample=mixed, depth_test=True, depth_write=True, depth_func=DepthFunc.LESS)
    assert draw(state, [target], zeta, WHOLE, constant(ONE, ONE, ONE, ONE)) == SIZE * SIZE
    assert (target.codes == 64).all()
    assert texels(zeta).view(np.float32)[:, 0, 0, 0].tolist() == [0.25, 0.25, 0.5, 0.25]


def test_what_does_not_fit_is_said() -> None:
    """Depth of another number of samples; a shader that runs for each sample."""
    target = color("RGBA8", SIZE, SIZE)
    zeta = sampled("DEPTH32F", 2, kind=DepthStencilTarget)
    with pytest.raises(ArgumentError, match="of 2 samples beside 4 raster samples"):
        draw(view(target, multisample=Multisample(raster_samples=4)), [target], zeta, WHOLE, constant(ONE))
    shaded = Multisample(raster_samples=4, sample_shading=True)
    with pytest.raises(UnknownBehaviour, match="RASTER-MIXED-2"):
        draw(view(target, multisample=shaded), [target], None, WHOLE, constant(ONE))
