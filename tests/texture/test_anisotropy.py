"""Footprints longer than wide: measured weights of columns."""

import numpy as np
import pytest

from refnvn.texture.anisotropy import Axes, axes_of, one_texel_along, ratio_log2_256
from refnvn.texture.anisotropy_taps import shared_weight, spread_over, tap_offset_256, taps_of
from refnvn.texture.lod import Derivatives, derivatives_in_texels, log2_256


def derivatives(*values: float) -> Derivatives:
    """Return derivatives in texels."""
    return Derivatives(*(np.array([value]) for value in values))


def axes(length_256: int, ratio_256: int) -> Axes:
    """Return the axes of a footprint along columns."""
    return Axes(*(np.array([value]) for value in (length_256, ratio_256, 64, 0)))


@pytest.mark.rule("TEX-ANISO-1")
def test_the_ratio_is_clamped_to_a_power_of_two() -> None:
    """Six to one is 2.585 octaves; a largest anisotropy of 3 acts as 2."""
    six = derivatives(6.0, 0.0, 0.0, 1.0)
    length = log2_256(np.array([6.0]))
    assert ratio_log2_256(length, six, 16).tolist() == length.tolist()
    assert ratio_log2_256(length, six, 3).tolist() == [256]
    assert ratio_log2_256(length, six, 1).tolist() == [0]
    assert axes_of(six, 16).lod_256.tolist() == [0]


@pytest.mark.rule("TEX-ANISO-2")
def test_the_direction_is_coarse() -> None:
    """Along an axis a texel is 64/64; a slope below 1/64 is none; a negative one keeps its sign."""
    first = np.array([0])
    assert [part.tolist() for part in one_texel_along(derivatives(-5.0, 0.05, 0, 0), first)] == [[-64], [0]]
    assert [part.tolist() for part in one_texel_along(derivatives(3.0, -3.0, 0, 0), first)] == [[45], [-45]]
    assert [part.tolist() for part in one_texel_along(derivatives(0, 0, 0.5, 4.0), np.array([1]))] == [[11], [63]]


@pytest.mark.rule("TEX-ANISO-3")
@pytest.mark.parametrize(
    ("dudx", "columns"),
    [
        pytest.param(0.010015731677412987, [100.0, 28.0], id="2.6"),
        pytest.param(0.018461044877767563, [54.0, 54.0, 20.0], id="4.7"),
        pytest.param(0.046672623604536057, [21.25] * 6 + [0.5], id="11.9"),
    ],
)
def test_measured_weights_of_columns(dudx: float, columns: list[float]) -> None:
    """Measured weights, in 1/256, of the columns to the right of the middle, one texel high and ``dudx`` wide."""
    dx, dy = np.array([[dudx], [0.0]]), np.array([[0.0], [0.00390625]])
    found = axes_of(derivatives_in_texels(dx, dy, 256, 256), 16)
    taps = taps_of(found.ratio_log2_256)
    weights = taps.weight[:, 0] / int(taps.units[0])
    assert weights[weights > 0].tolist() == columns
    assert taps.offset_256[: len(columns), 0].tolist() == [256 * k + 128 for k in range(len(columns))]


@pytest.mark.rule("TEX-ANISO-4")
def test_only_the_nearer_of_two_levels_stretches_its_taps() -> None:
    """At level 1.5: level 1 keeps the ratio and spaces by 2^0.5, level 2 has the ratio in its texels, one apart."""
    footprint = axes(640, 256)
    near, far = (spread_over(footprint, np.array([level]), mixed=True) for level in (1, 2))
    assert (near.spacing_64.tolist(), far.spacing_64.tolist()) == ([90], [64])
    assert near.taps.weight.tolist() == taps_of(np.array([256])).weight.tolist()
    assert far.taps.weight.tolist() == taps_of(np.array([128])).weight.tolist()
    alone = spread_over(footprint, np.array([1]), mixed=False)
    assert (alone.spacing_64.tolist(), alone.taps.weight.tolist()) == ([64], near.taps.weight.tolist())


@pytest.mark.rule("TEX-ANISO-4")
def test_below_a_texel_the_ratio_is_the_length() -> None:
    """Where the shorter axis is half a texel, only the longer axis counts."""
    found = spread_over(axes(256, 512), np.array([0]), mixed=True)
    assert found.taps.weight.tolist() == taps_of(np.array([256])).weight.tolist()


@pytest.mark.rule("TEX-ANISO-5")
def test_steps_are_floored_and_offsets_rounded_up() -> None:
    """-33/64 at 65/64 is floored to -34/64; half of 1/128 goes toward larger coordinates."""
    assert int(tap_offset_256(np.array(256), np.array(-33), np.array(65))) == -136
    assert int(tap_offset_256(np.array(1), np.array(64), np.array(64))) == 2
    assert int(tap_offset_256(np.array(1), np.array(-64), np.array(64))) == 0


@pytest.mark.rule("TEX-ANISO-6")
def test_levels_share_weights_without_loss() -> None:
    """The sum of a level's taps is its weight to 1/256 of a unit, whichever side ties go to."""
    weight = taps_of(np.array([700])).weight
    for side in (-1, 1):
        parts = [shared_weight(weight, np.array([level]), side).sum() for level in (77, 256 - 77)]
        assert sum(parts) == weight.sum()
    assert shared_weight(np.array([[1], [1]]), np.array([128]), 1)[:, 0].tolist() == [1, 0]
    assert shared_weight(np.array([[1], [1]]), np.array([128]), -1)[:, 0].tolist() == [0, 1]
