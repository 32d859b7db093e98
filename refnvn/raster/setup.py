"""Which pixels can each triangle cover? From clip-space vertices to edges in integers.

Triangles are set up many at a time. One that needs no clipping is three snapped points; the few others are cut one
by one and may have more edges. Culling happens here, on the winding that clip space shows.

It fits no planes: ``planes.py``. Read next: ``spans.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthMode, Face
from refnvn.formats.floatbits import Float32, Float64, Int64
from refnvn.raster.clip import Corner, Outline, corner, edge_along, is_left_or_first, outline
from refnvn.raster.conservative import reach_sub, snapped_finer, touched_edges, widened
from refnvn.raster.either import Three, chosen, three_of
from refnvn.raster.state import Conservative, RasterState
from refnvn.raster.target import Rectangle
from refnvn.raster.window import FARTHEST_SUB, SUBPIXELS, is_front, snapped, window_position

HALF = SUBPIXELS // 2
_ALWAYS = np.zeros(3, dtype=np.int64)
_NEXT_EDGE = ((0, 1), (1, 2), (2, 0))


@dataclass(frozen=True, slots=True)
class Primitives:
    """Triangles that may cover something, in the order of the draw.

    Attributes
    ----------
    ids : int64, shape (m,)
        Which triangles of the draw they are.
    vertices : int64, shape (m, 3)
        Their vertices.
    provoking : int64, shape (m,)
        The vertex that gives flat inputs.
    x, y : int64, shape (m, 3)
        Snapped positions in 1/256 pixel; a stand-in where ``homogeneous`` holds the triangle.
    edges : int64, shape (m, edges, 3)
        a, b, c: inside where a * x + b * y + c >= 0 at a pixel centre in 1/256 pixel.
    top, bottom : int64, shape (m,)
        First row, and the row after the last.
    front : bool, shape (m,)
    homogeneous : dict of int to float64 (3, 3)
        For triangles that have no three window positions: x * w, y * w, w of each vertex in pixels.
    """

    ids: Int64
    vertices: Int64
    provoking: Int64
    x: Int64
    y: Int64
    edges: Int64
    top: Int64
    bottom: Int64
    front: NDArray[np.bool_]
    homogeneous: dict[int, Float64] = field(default_factory=dict)


def is_plain(positions: Float32, x: Int64, y: Int64, state: RasterState) -> NDArray[np.bool_]:
    """Return which vertices need no clipping."""
    near_is_zero = state.depth_mode is DepthMode.NEAR_IS_ZERO
    z, w = positions[..., 2], positions[..., 3]
    plain: NDArray[np.bool_] = stays_whole(z, w, x, y, near_is_zero, state.depth_clamp)
    return plain


def stays_whole(z: Any, w: Any, x: Any, y: Any, near_is_zero: bool, depth_clamp: bool) -> Any:
    """Say of vertices whether they need no clipping; works on arrays and in compiled code."""
    near = np.isfinite(z) & np.isfinite(w) & (w > 0) & (np.abs(x) < FARTHEST_SUB) & (np.abs(y) < FARTHEST_SUB)
    least = chosen(near_is_zero, np.float32(0), -w)
    return near & (depth_clamp | ((z >= least) & (z <= w)))


def doubled_area(x: Three, y: Three) -> Any:
    """Return the signed doubled area of triangles; works on arrays and in compiled code."""
    return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])


def _plain_edges(x: Int64, y: Int64, area: Int64) -> Int64:
    """Return the edges of snapped triangles, shape (m, 3, 3), turned so that the inside is positive."""
    turn = np.where(area < 0, np.int64(-1), np.int64(1))
    edges = np.empty((len(x), 3, 3), dtype=np.int64)
    for place, (one, other) in enumerate(_NEXT_EDGE):
        dx, dy = (x[:, other] - x[:, one]) * turn, (y[:, other] - y[:, one]) * turn
        found = edge_along(dx, dy, x[:, one], y[:, one], is_left_or_first(dx, dy))
        edges[:, place, 0], edges[:, place, 1], edges[:, place, 2] = found
    return edges


def _rows(least_sub: Int64, greatest_sub: Int64, window: Rectangle, beside_sub: int) -> tuple[Int64, Int64]:
    """Return the rows whose centres, or samples ``beside_sub`` off, lie between two positions, inside the window."""
    return rows_between(least_sub, greatest_sub, beside_sub, window[1], window[1] + window[3])


def rows_between(least_sub: Any, greatest_sub: Any, beside_sub: int, first: int, end: int) -> tuple[Any, Any]:
    """Return the rows from ``first`` to ``end`` of :func:`_rows`; works on arrays and in compiled code."""
    top = np.maximum((least_sub + HALF - 1 - beside_sub) >> 8, first)
    bottom = np.minimum(((greatest_sub - HALF + beside_sub) >> 8) + 1, end)
    return top, np.maximum(bottom, top)


def culled(front: NDArray[np.bool_], cull: Face) -> NDArray[np.bool_]:
    """Return which triangles are dropped for their facing."""
    dropped: NDArray[np.bool_] = chosen(front, bool(cull & Face.FRONT), bool(cull & Face.BACK))
    return dropped


def corners_of(clip: Float32, x: Int64, y: Int64, state: RasterState) -> list[Corner]:
    """Return the corners of a triangle, or the ends of a line, that needs clipping."""
    x0, y0, width, height = state.viewport
    up = -1.0 if state.window_origin.name == "UPPER_LEFT" else 1.0
    found = []
    for k in range(len(clip)):
        w = float(clip[k, 3])
        across = float(clip[k, 0]) * (width / 2) + (x0 + width / 2) * w
        along = float(clip[k, 1]) * up * (height / 2) + (y0 + height / 2) * w
        inside = w > 0 and max(abs(int(x[k])), abs(int(y[k]))) < FARTHEST_SUB
        at = (int(x[k]), int(y[k])) if inside else None
        found.append(Corner(None, across, along, w, float(clip[k, 2])))
        if at is not None:
            found[-1] = corner(across, along, w, float(clip[k, 2]), at)
    return found


@dataclass(slots=True)
class _Clipped:
    """The triangles of a chunk that were cut, by their place in it."""

    outlines: dict[int, Outline] = field(default_factory=dict)
    homogeneous: dict[int, Float64] = field(default_factory=dict)


def _clip_all(places: NDArray[np.intp], clip: Float32, x: Int64, y: Int64, state: RasterState) -> _Clipped:
    """Cut the triangles at ``places`` one by one."""
    x0, y0, width, height = state.viewport
    cut = _Clipped()
    for place in places.tolist():
        if not np.isfinite(clip[place]).all():
            continue
        corners = corners_of(clip[place], x[place], y[place], state)
        found = outline(
            corners,
            cut_depth=not state.depth_clamp,
            near_is_zero=state.depth_mode is DepthMode.NEAR_IS_ZERO,
            centre=(x0 + width / 2, y0 + height / 2),
        )
        if found is not None:
            cut.outlines[place] = found
            if any(one.at is None for one in corners):
                cut.homogeneous[place] = np.array([[one.x, one.y, one.w] for one in corners])
    return cut


def _with_outlines(
    edges: Int64,
    area: Int64,
    rows: tuple[Int64, Int64],
    cut: _Clipped,
    window: Rectangle,
    beside_sub: int,
    touching: Conservative | None,
) -> Int64:
    """Return edges that hold the outlines too, padded with edges that admit everything; fill areas and rows."""
    missing = max((len(o.edges) for o in cut.outlines.values()), default=0) - edges.shape[1]
    if missing > 0:
        edges = np.concatenate([edges, np.broadcast_to(_ALWAYS, (len(edges), missing, 3))], axis=1)
    for place, found in cut.outlines.items():
        edges[place] = _ALWAYS
        drawn = found.edges if touching is None else [widened(one, touching) for one in found.edges]
        edges[place, : len(drawn)] = drawn
        area[place] = found.winding
        if found.rows_sub is None:
            rows[0][place], rows[1][place] = window[1], window[1] + window[3]
        else:
            least, greatest = (np.array([v]) for v in found.rows_sub)
            top, bottom = _rows(least, greatest, window, beside_sub)
            rows[0][place], rows[1][place] = top[0], bottom[0]
    return edges


def set_up(
    positions: Float32,
    triangles: Int64,
    first_id: int,
    state: RasterState,
    window: Rectangle,
    *,
    sampled: bool = False,
    first_made: int | None = None,
) -> Primitives:
    """Set up triangles.

    Parameters
    ----------
    positions : float32, shape (n, 4)
        Clip space. A triangle with a coordinate that is not finite covers nothing.
    triangles : int64, shape (m, 3)
        Indices of vertices.
    first_id : int
        The number of the first triangle in the draw.
    state : RasterState
    window : tuple of int
        The pixels that can be written: x, y, width, height.
    sampled : bool
        Whether samples beside the pixels' centres count.
    first_made : int or None
        Vertices from this number on were made by a cut: rounding may have put them beyond the plane that cut.

    Returns
    -------
    Primitives
        Only those that face the right way, have an area and reach into the window's rows.
    """
    clip = positions[triangles]
    x, y = (snapped(v) for v in window_position(clip, state))
    whole = is_plain(clip, x, y, state)
    if first_made is not None:
        whole |= (triangles >= first_made) & is_plain(clip, x, y, replace(state, depth_clamp=True))
    plain = np.all(whole, axis=1)
    touching = state.conservative
    beside_sub = HALF if sampled else 0
    if touching is not None:
        beside_sub = reach_sub(touching.dilate) + 1  # what finer steps may move a corner
        fine = [snapped_finer(v, n) for v, n in zip(window_position(clip, state), touching.bias, strict=True)]
        plain &= (np.abs(fine) < FARTHEST_SUB).all(axis=(0, 2))
        area = doubled_area(three_of(fine[0]), three_of(fine[1]))
        edges = touched_edges(fine[0], fine[1], area, touching)
    else:
        area = doubled_area(three_of(x), three_of(y))
        edges = _plain_edges(x, y, area)
    area[~plain] = 0
    rows = _rows(y.min(axis=1), y.max(axis=1), window, beside_sub)
    cut = _clip_all(np.nonzero(~plain)[0], clip, x, y, state) if not plain.all() else _Clipped()
    edges = _with_outlines(edges, area, rows, cut, window, beside_sub, touching)
    front = is_front(area, state)
    kept = np.nonzero((area != 0) & (rows[1] > rows[0]) & ~culled(front, state.cull_face))[0]
    places = enumerate(kept.tolist()) if cut.homogeneous else ()
    homogeneous = {new: cut.homogeneous[old] for new, old in places if old in cut.homogeneous}
    x, y = x[kept], y[kept]
    for place in homogeneous:
        x[place], y[place] = (0, SUBPIXELS, 0), (0, 0, SUBPIXELS)
    return Primitives(
        ids=first_id + kept,
        vertices=triangles[kept],
        provoking=triangles[kept, state.provoking_vertex],
        x=x,
        y=y,
        edges=np.ascontiguousarray(edges[kept]),
        top=rows[0][kept],
        bottom=rows[1][kept],
        front=front[kept],
        homogeneous=homogeneous,
    )
