"""Which face of a cube does a direction meet, where on it, and what lies beyond its edges?

Faces come in the order +x, -x, +y, -y, +z, -z, and are layers of a 2D array in that order. Each has three axes:
where its columns run to, where its rows run to, and where it faces. A point of the cube is the sum of the three times
its coordinates, so that walking over an edge is a change of axes, exact in whole numbers.

Level of detail: ``lod_cube.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float32, Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_SOURCES = ("texture-vectors", "texture-rules")

FACES = 6
_AXES = {
    # columns, rows, outward
    "+x": ((0, 0, -1), (0, -1, 0), (1, 0, 0)),
    "-x": ((0, 0, 1), (0, -1, 0), (-1, 0, 0)),
    "+y": ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    "-y": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "+z": ((1, 0, 0), (0, -1, 0), (0, 0, 1)),
    "-z": ((-1, 0, 0), (0, -1, 0), (0, 0, -1)),
}
AXES: NDArray[np.int64] = np.array(list(_AXES.values()), np.int64)
"""Axes of the faces, shape (face, columns/rows/outward, x/y/z)."""


class OnFace(NamedTuple):
    """A point of a cube: the face, and its coordinates 0 to 1 along columns and rows."""

    face: Int64
    s: Float64
    t: Float64


def along(vector: NDArray[np.number], face: Int64, axis: int) -> NDArray[np.float64]:
    """Return the component of vectors, shape (3, ...), along an axis of faces: 0 columns, 1 rows, 2 outward."""
    axes = np.moveaxis(AXES[face, axis], -1, 0)
    with np.errstate(invalid="ignore"):
        products = np.where(axes == 0, 0.0, axes * vector)
    total: Float64 = products.sum(axis=0)
    return total


@rule(
    "TEX-CUBE-1",
    "A direction meets the face of its largest component; of equal ones z wins over y and y over x; a NaN is below "
    "all others, and where components are infinite they are NaN and the others 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def face_of(vector: ArrayLike) -> Int64:
    """Return the face that directions meet, 0 to 5.

    Parameters
    ----------
    vector : float32 or float64, shape (3, ...)
        Any floats.

    Examples
    --------
    >>> face_of([[1.0, 0.0, 0.0], [-1.0, 0.0, -2.0], [-1.0, 0.0, 0.5]]).tolist()
    [5, 4, 3]
    """
    raw = np.asarray(vector, np.float64)
    size = np.where(np.isnan(raw) | np.isinf(raw), -1.0, np.abs(direction(raw)))
    is_z = (size[2] >= size[0]) & (size[2] >= size[1])
    axis = np.where(is_z, 2, np.where(size[1] >= size[0], 1, 0))
    major = np.take_along_axis(direction(raw), axis[np.newaxis], axis=0)[0]
    face: Int64 = (2 * axis + (major < 0)).astype(np.int64)
    return face


def direction(vector: ArrayLike) -> Float64:
    """Return directions as numbers: NaN and denormals are 0, and everything beside an infinity is too."""
    wide = np.asarray(vector, np.float64)
    nothing = np.isnan(wide) | (np.abs(wide) < 2.0**-126) | np.isinf(wide).any(axis=0)
    return np.where(nothing, 0.0, wide)


@rule(
    "TEX-CUBE-2",
    "A coordinate on a face is the component times the rounded reciprocal of the largest one, rounded to float32; "
    "from -1..1 it is brought to 0..1 and then treated as any other.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    exactness="bit-exact at 4 texels; at 1024 one of 1,820 is off by 1/256 texel: the reciprocal's last bit",
)
def on_face(vector: ArrayLike) -> OnFace:
    """Return where directions meet the cube.

    Parameters
    ----------
    vector : float32, shape (3, ...)
        Any floats; the null vector meets the middle of +z.

    Examples
    --------
    >>> [float(part) for part in on_face([2.0, -1.0, 0.0])]
    [0.0, 0.5, 0.75]
    """
    numbers = direction(vector)
    face = face_of(vector)
    major = np.where(along(numbers, face, 2) == 0, 1.0, along(numbers, face, 2))
    with np.errstate(divide="ignore", over="ignore"):
        reciprocal = np.float32(1) / major.astype(np.float32)
    s, t = (_unit(along(numbers, face, axis).astype(np.float32), reciprocal) for axis in (0, 1))
    return OnFace(face, s, t)


def _unit(component: Float32, reciprocal: Float32) -> Float64:
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        product = (component * reciprocal).astype(np.float64)
    return (np.nan_to_num(product, nan=0.0) + 1) / 2


class Seam(NamedTuple):
    """Where texels next to a face really are."""

    face: Int64
    column: Int64
    row: Int64
    is_corner: NDArray[np.bool_]


@rule(
    "TEX-CUBE-3",
    "The linear filter of a cube takes texels across an edge from the face that adjoins there.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("cube-as-array",),
)
def across_seam(face: Int64, column: Int64, row: Int64, size_px: ArrayLike) -> Seam:
    """Return the texel that stands at most one step beyond a face's edges.

    Parameters
    ----------
    face, column, row : int64, any shape
        Columns and rows from -1 to ``size_px``.
    size_px : integers

    Returns
    -------
    Seam
        ``is_corner`` where both are outside: there is no such texel, and the place is the nearest one of the face.

    Examples
    --------
    The texel left of +z's upper left one is -x's upper right one:

    >>> seam = across_seam(np.array(4), np.array(-1), np.array(0), 4)
    >>> int(seam.face), int(seam.column), int(seam.row)
    (1, 3, 0)
    """
    size = np.asarray(size_px, np.int64)
    outside_s, outside_t = (column < 0) | (column >= size), (row < 0) | (row >= size)
    corner = outside_s & outside_t
    column, row = np.clip(column, -1, size), np.clip(row, -1, size)
    inside_s, inside_t = np.clip(column, 0, size - 1), np.clip(row, 0, size - 1)
    # twice the distance from the face's middle, in texels; over an edge, the face itself is one texel behind
    s = np.where(corner, 2 * inside_s, 2 * column) + 1 - size
    t = np.where(corner, 2 * inside_t, 2 * row) + 1 - size
    crosses = (outside_s | outside_t) & ~corner
    depth = np.where(crosses, size - 1, size)
    axes = np.moveaxis(AXES[face], (-2, -1), (0, 1))
    point = s * axes[0] + t * axes[1] + depth * axes[2]
    new_face = np.where(crosses, _face_beyond(point, size), face)
    new_axes = np.moveaxis(AXES[new_face], (-2, -1), (0, 1))
    place = [((point * new_axes[axis]).sum(axis=0) + size - 1) >> 1 for axis in (0, 1)]
    return Seam(new_face, np.where(crosses, place[0], inside_s), np.where(crosses, place[1], inside_t), corner)


def _face_beyond(point: Int64, size: Int64) -> Int64:
    """Return the face of the component that reaches beyond the cube."""
    beyond = np.abs(point) > size
    axis = beyond.argmax(axis=0)
    sign = np.take_along_axis(point, axis[np.newaxis], axis=0)[0] < 0
    face: Int64 = (2 * axis + sign).astype(np.int64)
    return face


@rule(
    "TEX-CUBE-4",
    "At a cube's corner the weight w of the texel that does not exist goes to its two neighbours, w/3 rounded to "
    "nearest each, and the rest to the texel opposite.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def corner_shares(weight: Int64) -> tuple[Int64, Int64]:
    """Return what each neighbour and what the opposite texel get.

    Examples
    --------
    >>> [int(share) for share in corner_shares(np.array(256))]
    [85, 86]
    """
    neighbour = (2 * weight + 3) // 6
    return neighbour, weight - 2 * neighbour


def without_corners(weights: NDArray[Any], is_corner: NDArray[np.bool_]) -> NDArray[Any]:
    """Return a quad's weights, shape (4, ...), with those of missing texels given to the other three.

    Whole weights are shared by :func:`corner_shares`, others equally.
    """
    missing = np.where(is_corner, weights, 0)
    neighbour, opposite = corner_shares(missing) if weights.dtype.kind == "i" else (missing / 3, missing / 3)
    result = np.where(is_corner, 0, weights)
    for place in range(4):
        result[place ^ 1] += neighbour[place]
        result[place ^ 2] += neighbour[place]
        result[place ^ 3] += opposite[place]
    return result
