"""Footprints longer than wide: measured weights of columns."""

import numpy as np
import pytest

from refnvn.texture.anisotropy import Axes, axes_of, one_texel_along, ratio_log2_256
from refnvn.texture.anisotropy_taps import first_tap_128, shared_weight, spread_over, taps_of
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
    assert taps.first_256.tolist() == [128]


@pytest.mark.rule("TEX-ANISO-4")
def test_only_the_nearer_of_two_levels_stretches_its_taps() -> None:
    """At level 1.5: level 1 keeps the ratio and spaces by 2^0.5, level 2 has the ratio in its texels, one apart."""
    footprint, lod_256 = axes(640, 256), np.array([384])
    near, far = (spread_over(footprint, lod_256, np.array([level]), mixed=True) for level in (1, 2))
    assert (near.spacing_64.tolist(), far.spacing_64.tolist()) == ([90], [64])
    assert near.taps.weight.tolist() == taps_of(np.array([256])).weight.tolist()
    assert far.taps.weight.tolist() == taps_of(np.array([128])).weight.tolist()
    alone = spread_over(footprint, lod_256, np.array([1]), mixed=False)
    assert (alone.spacing_64.tolist(), alone.taps.weight.tolist()) == ([64], near.taps.weight.tolist())


@pytest.mark.rule("TEX-ANISO-4")
@pytest.mark.parametrize(
    ("length", "ratio", "lod", "level", "taps", "spacing"),
    [
        pytest.param(256, 512, 0, 0, 256, 64, id="below-a-texel-only-the-length-counts"),
        pytest.param(640, 256, 512, 2, 256, 64, id="raised-to-a-whole-level"),
        pytest.param(640, 256, 448, 1, 256, 107, id="biased-by-a-quarter"),
        pytest.param(256, 512, 333, 1, 256, 79, id="least-level-beyond-it"),
    ],
)
def test_biases_and_clamps_move_the_level_alone(
    length: int, ratio: int, lod: int, level: int, taps: int, spacing: int
) -> None:
    """The ratio stays what the footprint has; the level that is sampled decides the spacing."""
    found = spread_over(axes(length, ratio), np.array([lod]), np.array([level]), mixed=True)
    assert found.taps.weight.tolist() == taps_of(np.array([taps])).weight.tolist()
    assert found.spacing_64.tolist() == [spacing]


@pytest.mark.rule("TEX-ANISO-5")
@pytest.mark.parametrize(
    ("first_256", "one_64", "spacing_64", "place_128"),
    [
        pytest.param(52, 64, 76, 30, id="floored"),
        pytest.param(55, 64, 76, 33, id="half-up-first"),
        pytest.param(127, 64, 76, 76, id="near-two"),
        pytest.param(121, -64, 99, -93, id="negative"),
        pytest.param(81, -64, 89, -56, id="negative-half"),
    ],
)
def test_measured_places_of_single_pairs(first_256: int, one_64: int, spacing_64: int, place_128: int) -> None:
    """Measured with ratios below 2: rounded to 1/128 toward larger coordinates, then spaced and floored."""
    assert int(first_tap_128(*(np.array(v) for v in (first_256, one_64, spacing_64)))) == place_128


@pytest.mark.rule("TEX-ANISO-6")
def test_levels_share_weights_without_loss() -> None:
    """The sum of a level's taps is its weight to 1/256 of a unit, whichever side ties go to."""
    weight = taps_of(np.array([700])).weight
    for side in (-1, 1):
        parts = [shared_weight(weight, np.array([level]), side).sum() for level in (77, 256 - 77)]
        assert sum(parts) == weight.sum()
    assert shared_weight(np.array([[1], [1]]), np.array([128]), 1)[:, 0].tolist() == [1, 0]
    assert shared_weight(np.array([[1], [1]]), np.array([128]), -1)[:, 0].tolist() == [0, 1]
