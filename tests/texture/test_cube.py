"""Cubes: faces, edges and corners."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.texture.cube import AXES, across_seam, corner_shares, face_of, on_face, without_corners

NAN, INF = float("nan"), float("inf")


@pytest.mark.rule("TEX-CUBE-1")
@pytest.mark.parametrize(
    ("vector", "face"),
    [
        pytest.param((1, 1, 1), 4, id="z-wins-over-all"),
        pytest.param((-1, 1, 0), 2, id="y-wins-over-x"),
        pytest.param((0, 0, -0.5), 5, id="minus-z"),
        pytest.param((-2, 1, 1), 1, id="minus-x"),
        pytest.param((0, 0, 0), 4, id="nothing"),
        pytest.param((NAN, 1, 0.5), 2, id="nan-first"),
        pytest.param((1, NAN, 0.5), 0, id="nan-second"),
        pytest.param((INF, 1, 0), 4, id="one-infinity"),
        pytest.param((-INF, 3, INF), 2, id="two-infinities"),
        pytest.param((1e-40, 1e-41, 0), 4, id="denormals"),
    ],
)
def test_the_face_of_a_direction(vector: tuple[float, ...], face: int) -> None:
    """Ties, nothing, NaN and infinities as measured."""
    assert int(face_of(np.array(vector, np.float32))) == face


@pytest.mark.rule("TEX-CUBE-2")
def test_the_place_on_a_face() -> None:
    """Components over the largest one, from -1..1 to 0..1."""
    found = on_face(np.array([4.0, 2.0, -1.0], np.float32))
    assert [float(part) for part in found] == [0.0, 0.625, 0.25]
    assert [float(part) for part in on_face(np.zeros(3, np.float32))] == [4.0, 0.5, 0.5]


@pytest.mark.rule("TEX-CUBE-3")
def test_the_edges_of_the_front() -> None:
    """+z adjoins -x, +x, +y and -y, upright."""
    columns, rows = np.array([-1, 4, 2, 2]), np.array([1, 1, -1, 4])
    found = across_seam(np.full(4, 4), columns, rows, 4)
    assert found.face.tolist() == [1, 0, 2, 3]
    assert list(zip(found.column.tolist(), found.row.tolist(), strict=True)) == [(3, 1), (0, 1), (2, 3), (2, 0)]
    assert not found.is_corner.any()


@pytest.mark.rule("TEX-CUBE-3")
@given(st.integers(0, 5), st.integers(1, 64), st.integers(0, 3), st.integers(0, 63))
def test_neighbours_are_neighbours(face: int, size_px: int, edge: int, along: int) -> None:
    """The texel over an edge touches the one before it: their middles in space are a texel's diagonal apart."""
    place = along % size_px
    inside = [(0, place), (size_px - 1, place), (place, 0), (place, size_px - 1)][edge]
    outside = [(-1, place), (size_px, place), (place, -1), (place, size_px)][edge]
    found = across_seam(*(np.array(v) for v in (face, *outside)), size_px)
    assert int(found.face) != face

    def middle(face: int, column: int, row: int) -> np.ndarray:
        s, t = (2 * v + 1 - size_px for v in (column, row))
        return s * AXES[face, 0] + t * AXES[face, 1] + size_px * AXES[face, 2]

    apart = middle(face, *inside) - middle(int(found.face), int(found.column), int(found.row))
    assert sorted(np.abs(apart).tolist()) == [0, 1, 1]


@pytest.mark.rule("TEX-CUBE-3")
def test_inside_nothing_changes_and_corners_are_told() -> None:
    """A texel of the face is itself; one beyond two edges is a corner."""
    found = across_seam(np.array([3, 3]), np.array([2, -1]), np.array([1, 4]), 4)
    assert (found.face[0], found.column[0], found.row[0]) == (3, 2, 1)
    assert found.is_corner.tolist() == [False, True]


@pytest.mark.rule("TEX-CUBE-4")
def test_a_corner_gives_its_weight_away() -> None:
    """85, 85 and 86 of 256; of 4 one each and two for the opposite texel."""
    assert [int(share) for share in corner_shares(np.array(256))] == [85, 86]
    assert [int(share) for share in corner_shares(np.array(4))] == [1, 2]
    weights, corner = np.array([100, 60, 50, 46]), np.array([True, False, False, False])
    assert without_corners(weights, corner).tolist() == [0, 93, 83, 80]
