"""Which texel a coordinate means: measured places in textures of 3 to 32768 texels."""

import numpy as np
import pytest

from refnvn.texture.coordinates import (
    array_layer,
    coordinate_steps,
    exact_linear_position,
    linear_position,
    moved,
    nearest_position,
    texel_position,
)

MEASURED = [
    # size, coordinate, place of the linear filter, texel of the nearest
    pytest.param(3, "0x1.9bdf14p-1", 1.9140625, 2, id="three"),
    pytest.param(1000, "0x1.ad99eep-3", 209.265625, 209, id="thousand"),
    pytest.param(1000, "0x1.2ac04ep-1", 582.99609375, 583, id="thousand-next"),
    pytest.param(10000, "0x1.cb2e82p-2", 4483.6953125, 4484, id="ten-thousand"),
    pytest.param(32768, "0x1.5ef8c6p-1", 22461.69140625, 22462, id="largest"),
    pytest.param(32768, "0x1.5c8386p-14", 2.22265625, 2, id="largest-near-zero"),
]


@pytest.mark.rule("TEX-COORD-2", "TEX-COORD-3")
@pytest.mark.parametrize(("size_px", "coordinate", "place", "texel"), MEASURED)
def test_a_measured_coordinate_is_placed(size_px: int, coordinate: str, place: float, texel: int) -> None:
    """The linear filter and the nearest one read where the chip read."""
    u = np.float32(float.fromhex(coordinate))
    found = linear_position(u, size_px)
    assert int(found.texel) + int(found.fraction_256) / 256 == place
    assert int(nearest_position(u, size_px).texel) == texel


@pytest.mark.rule("TEX-COORD-1")
def test_a_coordinate_is_cut_to_steps_of_the_texture() -> None:
    """Steps are 2^-21 up to 8192 texels, finer above; NaN and denormals are 0, infinities far away."""
    assert [int(part) for part in coordinate_steps(1 - 2.0**-22, 8192)] == [0, 2**21 - 1, 21]
    assert [int(part) for part in coordinate_steps(1 - 2.0**-22, 8193)] == [0, 2**22 - 1, 22]
    assert [int(part) for part in coordinate_steps(-(2.0**-30), 4)] == [-1, 2**21 - 1, 21]
    assert [int(part) for part in coordinate_steps(np.float32(1e-40), 4)][:2] == [0, 0]
    assert int(nearest_position(float("nan"), 4).texel) == 0
    assert int(nearest_position(float("-inf"), 4).texel) < -(2**26)


@pytest.mark.rule("TEX-COORD-4")
def test_a_rectangle_counts_texels() -> None:
    """A coordinate of 1.6 lies 26/256 beyond the middle of texel 1."""
    assert [int(part) for part in texel_position(1.6)] == [1, 26]
    assert [int(part) for part in texel_position(-0.25)] == [-1, 64]


@pytest.mark.rule("TEX-COORD-5")
def test_a_layer_is_rounded_to_even_and_clamped() -> None:
    """Measured with five layers: ties go to even layers, floats beside them to the nearer one."""
    above, below = 1.5000001192092896, 2.499999761581421
    measured = {4.5: 4, 5.5: 4, -0.5: 0, 0.5: 0, above: 2, below: 2, -1e9: 0, 1e9: 4, float("nan"): 0}
    assert array_layer(list(measured), 5).tolist() == list(measured.values())


def test_an_offset_moves_whole_texels() -> None:
    """Offsets act before wrapping and leave the fraction alone."""
    assert [int(part) for part in moved(linear_position(0.4, 4), -8)] == [-7, 26]


def test_exact_positions_keep_all_steps() -> None:
    """What a port would have differs from the rounded position by less than 1/256 texel."""
    u = np.random.default_rng(1).uniform(-2, 2, 200).astype(np.float32)
    for size_px in (1, 5, 1000, 16384):
        texel, fraction = exact_linear_position(u, size_px)
        rounded = linear_position(u, size_px)
        error = texel + fraction - (rounded.texel + rounded.fraction_256 / 256)
        assert np.abs(error).max() <= 1 / 512
        assert ((fraction >= 0) & (fraction < 1)).all()
