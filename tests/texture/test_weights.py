"""How weights are split."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.texture.weights import (
    exact_quad_weights,
    level_weights,
    quad_takes_part,
    quad_weights,
    slice_weights,
)

FRACTION = st.integers(0, 255)


@pytest.mark.rule("TEX-WEIGHT-3")
@given(FRACTION, FRACTION)
def test_the_last_weight_is_the_rounded_product(across: int, down: int) -> None:
    """With all 256: w11 = (fx fy + 128) / 256, w01 and w10 what their fractions leave, w00 the rest."""
    w00, w10, w01, w11 = (int(weight) for weight in quad_weights(256, across, down))
    assert w11 == (across * down + 128) // 256
    assert (w10, w01, w00) == (across - w11, down - w11, 256 - across - down + w11)


@pytest.mark.rule("TEX-WEIGHT-1", "TEX-WEIGHT-2", "TEX-WEIGHT-3")
@given(FRACTION, FRACTION, FRACTION, FRACTION)
def test_nothing_is_lost(level: int, deep: int, across: int, down: int) -> None:
    """All weights of two levels, two slices and four texels add up to 256, none below zero."""
    weights = [
        quad_weights(part, across, down) for whole in level_weights(level) for part in slice_weights(whole, deep)
    ]
    assert int(np.sum(weights)) == 256
    assert int(np.min(weights)) >= 0


@pytest.mark.rule("TEX-WEIGHT-2")
def test_a_tie_between_slices_goes_to_the_nearer() -> None:
    """Half of an odd weight: the further slice gets the smaller half, the further column the larger."""
    assert slice_weights(3, 128).tolist() == [2, 1]
    assert quad_weights(3, 128, 0).tolist() == [1, 2, 0, 0]


@pytest.mark.rule("TEX-WEIGHT-3")
def test_a_tie_between_rows_depends_on_the_column() -> None:
    """It goes to the further row in the further column, to the nearer row in the nearer one."""
    assert quad_weights(1, 0, 128).tolist() == [1, 0, 0, 0]
    assert quad_weights(1, 255, 128).tolist() == [0, 0, 0, 1]


@pytest.mark.rule("TEX-WEIGHT-4")
def test_texels_of_fraction_zero_take_no_part() -> None:
    """1/256 each way leaves the last texel no weight, but it takes part."""
    assert quad_weights(256, 1, 1).tolist() == [254, 1, 1, 0]
    assert quad_takes_part(1, 1).all()
    assert quad_takes_part(0, 1).tolist() == [True, False, True, False]


def test_exact_weights_are_products() -> None:
    """A port's weights are the plain products."""
    found = exact_quad_weights(256, np.array(0.25), np.array(0.5))
    assert found.tolist() == [96.0, 32.0, 96.0, 32.0]
