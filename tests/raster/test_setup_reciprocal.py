"""The reciprocal of set-up, that of w, and how a negative sum is cut."""

import numpy as np
import pytest

from refnvn.kernel import jit_is_on
from refnvn.raster.arithmetic import cut_sum_to_24_bits
from refnvn.raster.interpolate import plane_at
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


@pytest.mark.rule("RASTER-PLANE-7")
def test_a_negative_sum_without_further_bits_loses_one_unit() -> None:
    """As 2048 falling triangles show: exact values lose a unit, others are cut, flat planes keep what they hold."""
    unit = 2.0**-23
    values = np.array([-1.5, -1.5 - unit / 4, 1.5, -1.5])
    flat = np.array([False, False, False, True])
    assert cut_sum_to_24_bits(values, flat).tolist() == [-1.5 + unit, -1.5, 1.5, -1.5]
    assert plane_at(-1.0, 0.0, 0.0, 0.5, 0.0) == -(0.5 - 2.0**-25)
    assert plane_at(0.0, 0.0, -0.5, 0.5, 0.0) == -0.5


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
