"""What do clip distances that a shader writes leave of points, lines and triangles?

A vertex is inside a plane where its distance is not negative; a primitive keeps the part where all of its distances,
linear in clip space, are not. Read next: ``cut.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

SMALLEST_NORMAL = np.float32(2.0**-126)


@rule(
    "RASTER-CLIP-5",
    "A point, or a primitive with all vertices outside of one plane, is dropped where a clip distance is negative; "
    "denormals count as 0, and a vertex whose distance is NaN or minus infinity drops its primitive.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def dropped(distances: Float32) -> NDArray[np.bool_]:
    """Return which primitives are not drawn at all.

    Parameters
    ----------
    distances : float32, shape (primitives, vertices, planes)

    Examples
    --------
    >>> dropped(np.array([[[1], [-1]], [[-1], [-1]], [[np.nan], [1]]], np.float32)).tolist()
    [False, True, True]
    """
    outside = outside_of(distances)
    some_cut = _any_of(outside) & _any_of(np.isinf(distances))
    bad = _any_of(np.isnan(distances) | np.isneginf(distances))
    found: NDArray[np.bool_] = np.any(np.all(outside, axis=1), axis=1) | bad | some_cut
    return found


def _any_of(values: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say for each primitive whether something holds anywhere in it."""
    found: NDArray[np.bool_] = np.any(values, axis=(1, 2))
    return found


def outside_of(distances: Float32) -> NDArray[np.bool_]:
    """Return which distances are negative; denormals are 0."""
    found: NDArray[np.bool_] = distances <= -SMALLEST_NORMAL
    return found
