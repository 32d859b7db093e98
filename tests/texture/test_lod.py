"""Levels of detail: lengths, logarithms, biases, clamps, and which levels they mean."""

import numpy as np
import pytest

from refnvn.rules.fields import NVN, LodLength
from refnvn.texture.gradients import quad_gradients
from refnvn.texture.level import clamped_lod, in_256ths, is_minified, linear_levels, nearest_level, within_levels
from refnvn.texture.lod import Derivatives, four_lengths, in_texels, length, lod_of_gradients, log2_256
from refnvn.texture.lod_cube import lod_of_cube_gradients
from refnvn.texture.lod_volume import lod_of_volume_gradients
from refnvn.texture.sampler import Sampler, sampler_lod_256

OBLIQUE = (0.0676194429397583, 0.14950565993785858, -0.12481208890676498)


def rows(*values: float) -> np.ndarray:
    """Return values as (n, 1)."""
    return np.array(values, np.float32)[:, np.newaxis]


@pytest.mark.rule("TEX-LOD-1")
def test_derivatives_keep_ten_bits() -> None:
    """1023.5/1024 loses its last half; NaN is 0; the sign stays."""
    assert float(in_texels(1023.5 / 1024, 1024)) == 1023.0
    assert in_texels([float("nan"), -0.5], 7).tolist() == [0.0, -3.5]
    assert float(in_texels(float("inf"), 64)) >= 2.0**60


@pytest.mark.rule("TEX-LOD-2")
def test_a_length_is_no_square_root() -> None:
    """The diagonal of a square is 1 + 11/32, not 1.414; the diagonal of a thin one is short by little."""
    assert float(length(np.array(1.0), np.array(-1.0))) == 1 + 11 / 32
    assert float(length(np.array(4.0), np.array(0.0))) == 4.0


@pytest.mark.rule("TEX-LOD-3")
def test_sum_and_difference_count() -> None:
    """Two equal derivatives: their sum times 11/16 is longer than either."""
    along = [np.array(v) for v in (4.0, 0.0, 4.0, 0.0)]
    assert four_lengths(Derivatives(*along)).tolist() == [4.0, 4.0, 5.5, 0.0]
    euclidean = NVN.with_(lod_length=LodLength.EUCLIDEAN)
    assert four_lengths(Derivatives(*along), euclidean).max() == 4.0


@pytest.mark.rule("TEX-LOD-4")
def test_the_logarithm_is_a_table_of_eight_bits() -> None:
    """Powers of two are whole; the ends of the table are 0 and 255; in between 15/32 is added."""
    values = np.array([1.0, 2.0, 1 + 1 / 256, 2 - 1 / 256, 1.25])
    assert log2_256(values).tolist() == [0, 256, 2, 255, 83]
    assert int(log2_256(np.array(0.0))) < -(2**14)


def test_measured_gradients_give_their_levels() -> None:
    """A measured anisotropic gradient lies beyond the last level; a small one below the first."""
    level = lod_of_gradients(rows(0.69065356, -0.76276565), rows(-0.37247464, -0.6015987), 64, 64)
    assert int(level[0]) >= 1536
    assert int(lod_of_gradients(rows(0.0017225, 0), rows(0, 0), 64, 64)[0]) < 0


@pytest.mark.rule("TEX-LOD-7")
def test_quads_take_their_own_rows_and_columns() -> None:
    """Each lane's derivative is that of its own row to the right, of its own column down."""
    found = quad_gradients(np.array([[0.0, 1.0, 10.0, 13.0]], np.float32))
    assert (found.dx.tolist(), found.dy.tolist()) == ([[1, 1, 3, 3]], [[10, 12, 10, 12]])


@pytest.mark.rule("TEX-LOD-8")
@pytest.mark.parametrize(
    ("dx", "dy", "level_256"),
    [
        pytest.param((0, 0, 0.04567665234208107), (0, 0, 0), 140, id="one-axis"),
        pytest.param(OBLIQUE, OBLIQUE, 820, id="equal"),
    ],
)
def test_measured_volume_gradients(dx: tuple[float, ...], dy: tuple[float, ...], level_256: int) -> None:
    """Two measured gradients of a 32x32x32 texture, within the bound of 2/256."""
    found = lod_of_volume_gradients(rows(*dx), rows(*dy), (32, 32, 32))
    assert abs(int(found[0]) - level_256) <= 2


@pytest.mark.rule("TEX-LOD-9")
def test_measured_cube_gradients() -> None:
    """Two measured gradients of a cube of 64 texels: moving outward changes nothing, and one across a face."""
    still = rows(0, 0, 0)
    assert int(lod_of_cube_gradients(rows(1, 0, 0), rows(-0.0930669754743576, 0, 0), still, 64)[0]) <= 0
    vector = rows(-0.8370686173439026, -0.5178952217102051, 0.32001885771751404)
    dx = rows(-0.23649917542934418, 0.11760499328374863, -0.10874143987894058)
    assert abs(int(lod_of_cube_gradients(vector, dx, still, 64)[0]) - 846) <= 1


@pytest.mark.rule("TEX-LEVEL-1")
def test_numbers_are_cut_toward_zero() -> None:
    """-0.7 is -179/256: the floor would be -180 and was measured to be wrong."""
    assert in_256ths([-0.7, 2.3, 0.003, float("nan"), -16.3]).tolist() == [-179, 588, 0, 0, -4172]


@pytest.mark.rule("TEX-LEVEL-2", "TEX-LEVEL-6", "TEX-SAMPLER-1")
def test_biases_and_clamps() -> None:
    """Bias, then least, then largest, then the levels there are; the sampler holds no more than 16 either way."""
    bias, least, largest = sampler_lod_256(Sampler(lod_bias=0.3, lod_clamp=(1.25, 3.7)))
    assert (bias, least, largest) == (76, 320, 947)
    assert clamped_lod(np.array([0, 500, 5000]), bias, (least, largest)).tolist() == [320, 576, 947]
    assert clamped_lod(np.array([0]), 0, (512, 256)).tolist() == [256]
    assert within_levels(np.array([947, -1]), 3).tolist() == [512, 0]
    assert sampler_lod_256(Sampler(lod_bias=-20, lod_clamp=(-1000, 1000))) == (-4096, 0, 4095)


@pytest.mark.rule("TEX-LEVEL-3")
def test_minification_starts_at_one_part() -> None:
    """1/256 is minified, 0 is not."""
    assert is_minified(np.array([-5, 0, 1])).tolist() == [False, False, True]


@pytest.mark.rule("TEX-LEVEL-4")
def test_half_a_level_goes_up() -> None:
    """127/256 is level 0, 128/256 level 1."""
    assert nearest_level(np.array([127, 128])).tolist() == [0, 1]


@pytest.mark.rule("TEX-LEVEL-5")
def test_two_levels_and_their_fraction() -> None:
    """At a whole level the further one has no weight; beyond the last there is none."""
    found = linear_levels(np.array([256, 300, 512]), 3)
    assert [part.tolist() for part in found] == [[1, 1, 2], [2, 2, 2], [0, 44, 0]]
