"""Which pixels does a triangle touch, where conservative rasterisation is on?

A pixel is a closed square around its centre, wider by the dilation; it is covered where it meets the closed triangle:
no edge and no side of the bounding box parts them. Vertices may be snapped to finer steps than 1/256 pixel. Lines and
points were not measured and stay as they are, and so does what a triangle that clipping cuts is snapped to.

Read next: ``setup.py``.
"""

from __future__ import annotations

import math

import numpy as np

from refnvn.formats.floatbits import Float32, Int64
from refnvn.raster.state import Conservative
from refnvn.raster.window import FARTHEST_SUB, SUBPIXELS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_HALF = SUBPIXELS // 2
_QUARTER = SUBPIXELS // 4
_MOST_QUARTERS = 3
_SIDES = ((0, 1), (1, 2), (2, 0))


@rule(
    "RASTER-CONSERVATIVE-1",
    "Dilation is rounded up to quarters of a pixel, of which there are at most three.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "deko3d"),
    ledger=("conservative-raster",),
)
def reach_sub(dilate: float) -> int:
    """Return half the width of a pixel's square in 1/256 pixel; a number below 0 counts as 0.

    >>> reach_sub(0.0), reach_sub(0.4), reach_sub(9.0)
    (128, 256, 320)
    """
    quarters = math.ceil(dilate * 4) if 0 < dilate < math.inf else 0
    return _HALF + _QUARTER * min(quarters, _MOST_QUARTERS)


@rule(
    "RASTER-CONSERVATIVE-2",
    "The bias of a sub-pixel precision snaps window positions to 1 / 2^(8 + bias) pixel on its axis, ties to even, "
    "while conservative rasterisation is on.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "conservative-vectors"),
    ledger=("conservative-raster",),
)
def snapped_finer(pixels: Float32, bias: int) -> Int64:
    """Return positions in 1 / 2^(8 + bias) pixel; what is far away becomes ``FARTHEST_SUB``."""
    with np.errstate(all="ignore"):
        units = np.rint(pixels.astype(np.float64) * (SUBPIXELS << bias))
        near = np.abs(units) < FARTHEST_SUB
    return np.where(near, units, float(FARTHEST_SUB)).astype(np.int64)


@rule(
    "RASTER-CONSERVATIVE-3",
    "A pixel is covered where its closed square meets the closed triangle: at the square's best corner no edge lies "
    "outside, and the bounding boxes meet.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "conservative-vectors"),
    ledger=("conservative-raster",),
    exactness="bit-exact but for one pixel under a dilation; of triangles that clipping cuts no box is drawn",
)
def touched_edges(x: Int64, y: Int64, area: Int64, state: Conservative) -> Int64:
    """Return seven edges of each triangle, shape (m, 7, 3), as ``Primitives.edges`` has them.

    Parameters
    ----------
    x, y : int64, shape (m, 3)
        From :func:`snapped_finer`.
    area : int64, shape (m,)
        Signed; not zero where something is to be covered.
    state : Conservative
    """
    fine_x, fine_y = (1 << bits for bits in state.bias)
    reach = reach_sub(state.dilate)
    turn = np.where(area < 0, np.int64(-1), np.int64(1))
    edges = np.zeros((len(x), 7, 3), dtype=np.int64)
    for place, (one, other) in enumerate(_SIDES):
        dx, dy = (x[:, other] - x[:, one]) * turn, (y[:, other] - y[:, one]) * turn
        a, b = -dy * fine_x, dx * fine_y
        edges[:, place, 0], edges[:, place, 1] = a, b
        edges[:, place, 2] = dy * x[:, one] - dx * y[:, one] + (np.abs(a) + np.abs(b)) * reach
    for place, (values, fine) in enumerate(((x, fine_x), (y, fine_y))):
        least, greatest = values.min(axis=1), values.max(axis=1)
        edges[:, 3 + place, place], edges[:, 3 + place, 2] = fine, fine * reach - least
        edges[:, 5 + place, place], edges[:, 5 + place, 2] = -fine, fine * reach + greatest
    return edges


def widened(edge: tuple[int, int, int], state: Conservative) -> tuple[int, int, int]:
    """Return an edge of an outline in 1/256 pixel, with what its pixels' squares reach beyond their centres."""
    a, b, c = edge
    return a, b, c + (abs(a) + abs(b)) * reach_sub(state.dilate) + 1
