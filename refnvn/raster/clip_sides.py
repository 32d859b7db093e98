"""Which triangles lie beyond one side of what is seen, so that nothing of them is drawn?

It matters where a viewport ends inside of a pixel, as all of that pixel is drawn to (``window.py``), and where wide
lines or points are drawn of triangles. Read next: ``shapes.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32
from refnvn.raster.state import RasterState
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


def ends_inside_pixels(state: RasterState) -> bool:
    """Say whether something beyond a side of the viewport could be drawn to: a part of a pixel, or a touched one."""
    return state.conservative is not None or any(float(value) % 1.0 for value in state.viewport)


@rule(
    "RASTER-CLIP-8",
    "A triangle whose corners all lie beyond the same side, left, right, lower or upper, is not drawn, though pixels "
    "that the viewport ends in, or wide lines and points of a polygon mode, reach farther.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-line-rules", "hardware-pipeline-rules"),
    exactness="one random pipeline of 6,500 shows it of filled triangles, another one of lines",
)
def beyond_a_side(clip: Float32) -> NDArray[np.bool_]:
    """Return which primitives lie beyond one side.

    Parameters
    ----------
    clip : float32, shape (m, corners, 4)

    Examples
    --------
    >>> corners = np.array([[1.5, 0, 0, 1], [2, 2, 0, 1], [1.01, -2, 0, 1]], np.float32)
    >>> beyond_a_side(corners[np.newaxis]).tolist(), beyond_a_side(corners[np.newaxis] * 0.5).tolist()
    ([True], [True])
    """
    w = clip[..., 3]
    sides = (clip[..., 0] > w, clip[..., 0] < -w, clip[..., 1] > w, clip[..., 1] < -w)
    found: NDArray[np.bool_] = np.any([side.all(axis=-1) for side in sides], axis=0)
    return found
