"""How far apart are two pixels in the texels of a cube?

The driver that was measured lowers the instruction to finite differences: the direction is moved along each
derivative, and the two places on the cube are subtracted. What ends on another face is unfolded into the plane of the
first one. The last bits of its divisions are not known, so this is a bound. A chip that has an instruction of its own
for this may do otherwise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.cube import along, direction, face_of
from refnvn.texture.lod import Derivatives, cut, four_lengths, log2_256

BOUND_256 = 1


def _seen_from(vector: Float64, face: Int64) -> tuple[Float64, Float64, Int64]:
    """Return coordinates -1 to 1 in the plane of a face, unfolded over its edges, and the face really met."""
    met, numbers = face_of(vector), direction(vector)
    largest = np.abs(numbers).max(axis=0)
    largest = np.where(largest == 0, 1.0, largest)
    across, down, outward = (along(numbers, face, axis) / largest for axis in range(3))
    over = met // 2 != face // 2
    over_columns = over & (along(_axis_of(met), face, 0) != 0)
    over_rows = over & ~over_columns
    across = np.where(over_columns, np.sign(across) * (2 - outward), across)
    down = np.where(over_rows, np.sign(down) * (2 - outward), down)
    return across, down, met


def _axis_of(face: Int64) -> Int64:
    """Return the unit vector of each face's axis, shape (3, ...)."""
    return np.stack([(face // 2 == axis).astype(np.int64) for axis in range(3)])


@rule(
    "TEX-LOD-9",
    "The derivatives in a cube are differences of the places that the direction and the direction moved by its "
    "derivative meet, unfolded over an edge; where a face changes only the lengths of the two derivatives count.",
    evidence=Evidence.DRIVER_MADE,
    sources=("texture-vectors", "texture-rules"),
    exactness="level within 1/256 but for 5 of 4,096, which are off by more",
    fields=("lod_length",),
)
def lod_of_cube_gradients(vector: ArrayLike, dx: ArrayLike, dy: ArrayLike, size_px: int, rules: Rules = NVN) -> Int64:
    """Return the level of detail of a cube, in 1/256, not yet biased or clamped.

    Parameters
    ----------
    vector, dx, dy : float32, shape (3, ...)
        The direction, and what it changes by in each direction of the screen.
    size_px : int
        Of a face of level 0 of the view.
    rules : Rules
        Reads ``lod_length``.

    Returns
    -------
    int64, shape (...)

    Examples
    --------
    >>> lod_of_cube_gradients([[1.0], [0.0], [0.0]], [[0.0], [0.0], [0.25]], np.zeros((3, 1)), 64).tolist()
    [768]
    """
    middle, right, down = (np.asarray(v, np.float64) for v in (vector, dx, dy))
    face = face_of(middle)
    s, t, _ = _seen_from(middle, face)
    s_right, t_right, face_right = _seen_from(middle + right, face)
    s_down, t_down, face_down = _seen_from(middle + down, face)
    half = size_px / 2
    moves = [cut(half * v) for v in (s_right - s, t_right - t, s_down - s, t_down - t)]
    lengths = four_lengths(Derivatives(*moves), rules)
    one_face = (face_right == face) & (face_down == face)
    return log2_256(np.where(one_face, lengths.max(axis=0), lengths[:2].max(axis=0)))
