"""The reciprocal of set-up, that of w, the anchor of a plane, and how a plane's sum is cut."""

import numpy as np
import pytest

from refnvn.kernel import jit_is_on
from refnvn.raster.interpolate import plane_at, slopes_in_units
from refnvn.raster.planes import anchor_vertex
from refnvn.raster.setup_reciprocal import coefficients, reciprocal, setup_reciprocal


@pytest.mark.rule("RASTER-RECIPROCAL-1")
def test_the_reciprocal_of_set_up_scales_and_keeps_signs() -> None:
    """Powers of two are exact in either sign; 3 gives what was measured of 3 * 2^21, one unit above the float."""
    assert setup_reciprocal(np.array([2.0**-20, -(2.0**30)])).tolist() == [2.0**20, -(2.0**-30)]
    third = setup_reciprocal(np.array([3.0, 3.0 * 2**21]))
    assert third[0] == third[1] * 2**21
    assert abs(third[0] * 3 - 1) < 2.0**-22


@pytest.mark.rule("RASTER-RECIPROCAL-1")
def test_the_table_has_128_segments_that_meet() -> None:
    """Where one ends the next begins, within two units of the last place."""
    c0, c1, c2 = coefficients().T / np.array([[4.0], [4.0], [2.0]])
    assert len(c0) == 128
    assert np.abs((c0 + c1 + c2)[:-1] - c0[1:]).max() < 2


@pytest.mark.rule("RASTER-RECIPROCAL-2")
def test_the_reciprocal_of_w_is_the_shader_s() -> None:
    """1 / 255 is not the nearest float, as a shader's 255 / 255 shows; 0 and infinity answer each other."""
    with np.errstate(divide="ignore"):
        found = reciprocal(np.array([255.0, 4.0, 0.0, np.inf], np.float32))
    assert found[0] == np.uint32(0x3B808080).view(np.float32)
    assert found[1:].tolist() == [0.25, np.inf, 0.0]


def at_centre(a: float, b: float, c: float) -> float:
    """Return the value at the centre of the pixel right of and below a reference point on a quad's middle."""
    return float(plane_at(slopes_in_units(np.float64(a), np.float64(b)), np.float64(c), (0.0, 0.0), (0.5, 0.5)))


@pytest.mark.rule("RASTER-PLANE-7")
def test_a_negative_sum_without_further_bits_loses_one_unit() -> None:
    """As 2048 falling triangles show: exact values lose a unit, others are cut, flat planes keep what they hold."""
    unit = 2.0**-24
    assert at_centre(-1.0, 0.0, 0.0) == -(0.5 - unit / 2)
    assert at_centre(-1.0, 0.0, -0.25 - unit / 4) == -0.75
    assert at_centre(1.0, 0.0, 0.0) == 0.5
    assert at_centre(0.0, 0.0, -0.5) == -0.5


@pytest.mark.rule("RASTER-PLANE-7")
def test_half_of_the_flatter_slope_is_cut_below_the_steeper_one() -> None:
    """Of a slope of 25 places below the other's first only what stands above the 26th is added."""
    assert at_centre(1.0, 2.0**-25, -0.5) == 2.0**-26
    assert at_centre(1.0, 2.0**-26, -0.5) == 0.0


@pytest.mark.rule("RASTER-PLANE-2")
@pytest.mark.parametrize(
    ("corners", "anchor"),
    [
        pytest.param([(-0.125, -26.47265625), (-5.8984375, 62.2265625), (20.7578125, 14.703125)], 0, id="x-exponent"),
        pytest.param([(26.765625, -8.3046875), (8.5625, 30.5703125), (76.90625, -3.40625)], 0, id="y-exponent"),
        pytest.param(
            [(21.1640625, 58.2890625), (67.54296875, -22.5703125), (-26.78515625, -41.34765625)], 0, id="sign"
        ),
        pytest.param(
            [(143.1875, 108.8671875), (206.75, 91.37109375), (172.87109375, 150.85546875)], 1, id="y-fraction"
        ),
        pytest.param(
            [(212.671875, 105.89453125), (158.32421875, 173.07421875), (164.6640625, 113.9609375)], 2, id="x"
        ),
        pytest.param(
            [(219.0390625, 198.37890625), (208.65625, 194.62890625), (203.46484375, 207.26953125)], 2, id="z"
        ),
    ],
)
def test_the_anchor_is_the_vertex_that_was_measured(corners: list[tuple[float, float]], anchor: int) -> None:
    """Triangles of ``pl_anchor`` and ``pl_origin`` whose constants only one vertex gives."""
    x, y = (np.array([[round(one[k] * 256) for one in corners]]) for k in (0, 1))
    assert anchor_vertex((x[:, 0], x[:, 1], x[:, 2]), (y[:, 0], y[:, 1], y[:, 2])).tolist() == [anchor]


@pytest.mark.skipif(not jit_is_on(), reason="compiled code is what is compared")
@pytest.mark.rule("RASTER-RECIPROCAL-2")
def test_compiled_and_plain_reciprocals_are_equal() -> None:
    """Of random bits, zeros, infinities and NaN."""
    from refnvn.raster.reciprocal_kernel import reciprocal_kernel

    words = np.random.default_rng(7).integers(0, 1 << 32, 2000, dtype=np.uint64).astype(np.uint32)
    words[:6] = (0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 1)
    values = words.view(np.float32)
    with np.errstate(all="ignore"):
        plain = reciprocal(values)
    one_by_one = np.array([reciprocal_kernel(value) for value in values])
    assert np.array_equal(plain.view(np.uint64), one_by_one.view(np.uint64))
