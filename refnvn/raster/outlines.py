"""What is drawn of triangles in the polygon modes LINE and POINT?

Triangles are culled by their facing, then become lines or points that keep their number, facing and provoking vertex.

Read next: ``shapes.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import PolygonMode
from refnvn.formats.floatbits import Float32, Float64, Int64
from refnvn.raster.assembled import Assembled, assembled
from refnvn.raster.clip import winding
from refnvn.raster.clip_sides import beyond_a_side
from refnvn.raster.depth_offset import depth_slopes
from refnvn.raster.either import three_of
from refnvn.raster.planes import depth_planes, frame_of, reference_block
from refnvn.raster.setup import corners_of, culled, is_plain
from refnvn.raster.state import RasterState
from refnvn.raster.window import SUBPIXELS, is_front, snapped, window_depth, window_position
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


class Outlines(NamedTuple):
    """What is drawn of triangles: lines or points, whether each shows a front, and of which triangle it is."""

    drawn: Assembled
    front: NDArray[np.bool_]
    triangle: NDArray[np.intp]


def signed_areas(clip: Float32, state: RasterState) -> Int64:
    """Return the doubled areas of triangles in window columns and rows, of clipped ones the sign alone.

    Parameters
    ----------
    clip : float32, shape (m, 3, 4)
    state : RasterState
    """
    x, y = (snapped(v) for v in window_position(clip, state))
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    for place in np.nonzero(~is_plain(clip, x, y, state).all(axis=1))[0].tolist():
        corners = corners_of(clip[place], x[place], y[place], state)
        if any(one.at is None for one in corners) and np.isfinite(clip[place]).all():
            area[place] = np.sign(winding(corners))
    return area


@rule(
    "RASTER-OFFSET-3",
    "In the polygon modes LINE and POINT polygon offset takes the slope of the triangle, not of what is drawn of it.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
    exactness="one random pipeline decides; of triangles that need clipping the slope is not known and 0",
)
def triangle_slopes(clip: Float32, state: RasterState) -> Float64:
    """Return the larger slope of depth of triangles, shape (m, 3, 4), along x and y; 0 of those without area."""
    x, y = (snapped(v) for v in window_position(clip, state))
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    found = np.zeros(len(clip))
    some = np.nonzero(is_plain(clip, x, y, state).all(axis=1) & (area != 0))[0]
    if some.size:
        depths = window_depth(clip[some], state).astype(np.float64)
        frame = frame_of(three_of(x[some]), three_of(y[some]))
        found[some] = depth_slopes(depth_planes(frame, depths, reference_block(frame, state.viewport)))
    return found


@rule(
    "PRIMITIVE-MODE-3",
    "In the polygon modes LINE and POINT a triangle that does not itself reach into the scissor is dropped, even "
    "where its wide lines or large points would.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
    exactness="three random pipelines of 13,000 show it, both modes and samples among them",
)
def reaches_scissor(clip: Float32, state: RasterState) -> NDArray[np.bool_]:
    """Say which triangles, shape (m, 3, 4), reach into the scissor; those that need clipping count as such."""
    x, y = (snapped(v) for v in window_position(clip, state))
    if state.scissor is None:
        return np.ones(len(clip), dtype=np.bool_)
    left, top, width, height = (SUBPIXELS * side for side in state.scissor)
    across = (x.max(axis=1) >= left) & (x.min(axis=1) < left + width)
    down = (y.max(axis=1) >= top) & (y.min(axis=1) < top + height)
    found: NDArray[np.bool_] = (across & down) | ~is_plain(clip, x, y, state).all(axis=1)
    return found


@rule(
    "PRIMITIVE-MODE-2",
    "LINE draws the edges 0-1, 1-2, 2-0 of each triangle as lines, POINT a point at the start of each of them; "
    "diagonals of quads, strips of quads and polygons are no edges. Each half of a quad is culled by its own facing, "
    "and a triangle of no area counts as a back face. Flat inputs come from the provoking vertex of the primitive.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("line-vectors", "hardware-line-rules", "hardware-pipeline-rules"),
)
def outlines_of(triangles: Assembled, positions: Float32, state: RasterState) -> Outlines:
    """Return the lines or points that are drawn of triangles.

    Parameters
    ----------
    triangles : Assembled
    positions : float32, shape (n, 4)
        Clip space.
    state : RasterState
        ``polygon_mode`` is LINE or POINT.
    """
    clip = positions[triangles.vertices]
    area = signed_areas(clip, state)
    front = is_front(area, state) & (area != 0)
    kept = ~culled(front, state.cull_face) & ~beyond_a_side(clip) & reaches_scissor(clip, state)
    triangle, edge = np.nonzero(triangles.outlined & kept[:, np.newaxis])
    start, end = triangles.vertices[triangle, edge], triangles.vertices[triangle, (edge + 1) % 3]
    is_line = state.polygon_mode is PolygonMode.LINE
    drawn = np.stack([start, end], axis=1) if is_line else start[:, np.newaxis]
    lines = assembled(drawn, triangles.provoking[triangle], triangles.ids[triangle])
    return Outlines(lines, front[triangle], triangle)
