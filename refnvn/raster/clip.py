"""What becomes of a triangle that reaches behind the eye, beyond the near or far plane, or out of range?

Its edges are kept as lines between snapped points: the chip clips only where it must, and snaps each new point to
1/256 pixel again. All other triangles never come here; however far their vertices are, nothing of clipping is seen.

One triangle at a time: such triangles are few. Read next: ``setup.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from refnvn.raster.window import FARTHEST_SUB, SUBPIXELS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

GUARD_PX = 1 << 15
_LINE_SCALE = 1 << 28
_LINE_LIMIT = 1 << 60

Edge = tuple[int, int, int]
"""a, b, c: a point (x, y) in 1/256 pixel is inside where a * x + b * y + c >= 0, the tie rule being part of c."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner of a triangle, or of what is left of it.

    Attributes
    ----------
    at : tuple of int or None
        Snapped position in 1/256 pixel; None behind the eye, at infinity or too far away.
    x, y, w : float
        Homogeneous window position: pixels times w.
    z : float
        Clip z.
    """

    at: tuple[int, int] | None
    x: float
    y: float
    w: float
    z: float


def corner(x: float, y: float, w: float, z: float, at: tuple[int, int] | None = None) -> Corner:
    """Return a corner at a homogeneous window position, snapped if it can be and if ``at`` does not say where."""
    if at is None and w > 0:
        across, along = x / w * SUBPIXELS, y / w * SUBPIXELS
        if max(abs(across), abs(along)) < FARTHEST_SUB:
            at = (round(across), round(along))
    if at is None:
        return Corner(None, x, y, w, z)
    return Corner(at, at[0] / SUBPIXELS * w, at[1] / SUBPIXELS * w, w, z)


def edge_between(x0: int, y0: int, x1: int, y1: int) -> Edge:
    """Return the edge from one point to another, inside on its left (x right, y along the rows), by the tie rule.

    >>> edge_between(0, 0, 256, 0), edge_between(256, 0, 0, 0)
    ((0, 256, 0), (0, -256, -1))
    """
    dx, dy = x1 - x0, y1 - y0
    return edge_along(dx, dy, x0, y0, owns_ties(dx, dy))


def edge_along(dx: Any, dy: Any, x: Any, y: Any, ties: Any) -> tuple[Any, Any, Any]:
    """Return the edge from a point in a direction, which owns its ties or not; for arrays and compiled code."""
    return -dy, dx, dy * x - dx * y - 1 + ties


@rule(
    "RASTER-COVERAGE-2",
    "A pixel centre exactly on an edge belongs to the triangle if the edge is a left one or the one with the smaller "
    "memory row, whatever the window origin.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules"),
)
def owns_ties(dx: Any, dy: Any) -> Any:
    """Say whether an edge of this direction, inside on its left, owns the points on it."""
    return is_left_or_first(dx, dy)


def is_left_or_first(dx: Any, dy: Any) -> Any:
    """Say whether an edge is a left one, or the one with the smaller row; works on arrays and in compiled code."""
    return (dy < 0) | ((dy == 0) & (dx > 0))


@rule(
    "RASTER-CLIP-1",
    "Without depth clamp a line, or a triangle that is not cut to smaller ones, is cut at the near and the far "
    "plane, and every new end or corner is snapped to 1/256 pixel again before edges are drawn through it.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-clip-rules", "deko3d"),
    ledger=("depth-clamp",),
    exactness="bit-exact on two random pipelines; lines with w other than 1 were not measured",
)
def cut_at_depth(ring: list[Corner], near_is_zero: bool) -> list[Corner]:
    """Return what is left of a ring of corners, or of the two ends of a line, between the near and the far plane."""
    is_line = len(ring) == 2
    for far in (False, True):
        ring = _cut_at_plane(ring, far, near_is_zero)
        if is_line:
            ring = ring[:2]  # the way back from the end meets the plane in the same point
    return ring


def _cut_at_plane(ring: list[Corner], far: bool, near_is_zero: bool) -> list[Corner]:
    kept: list[Corner] = []
    inside = [_inside(one, far, near_is_zero) for one in ring]
    for k, (one, depth) in enumerate(zip(ring, inside, strict=True)):
        other, other_depth = ring[(k + 1) % len(ring)], inside[(k + 1) % len(ring)]
        if depth >= 0:
            kept.append(one)
        if depth >= 0 and other_depth < 0:
            kept.append(_between(one, other, depth / (depth - other_depth)))
        elif depth < 0 and other_depth >= 0:
            kept.append(_between(other, one, other_depth / (other_depth - depth)))
    return kept


def _inside(one: Corner, far: bool, near_is_zero: bool) -> float:
    if far:
        return one.w - one.z
    return one.z if near_is_zero else one.z + one.w


def _between(one: Corner, other: Corner, part: float) -> Corner:
    """Return the corner at ``part`` of the way in clip space."""
    w, z = one.w + part * (other.w - one.w), one.z + part * (other.z - one.z)
    if one.at and other.at and one.w == other.w:
        across = round(one.at[0] + part * (other.at[0] - one.at[0]))
        along = round(one.at[1] + part * (other.at[1] - one.at[1]))
        return corner(0.0, 0.0, w, z, (across, along))
    return corner(one.x + part * (other.x - one.x), one.y + part * (other.y - one.y), w, z)


@rule(
    "RASTER-CLIP-2",
    "An edge to a vertex behind the eye runs from the snapped visible vertex away from the other's projection to a "
    "square of 2^15 pixels around the viewport's centre, where its new end is snapped to 1/256 pixel.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-clip-rules",),
    exactness="all but pixel centres that coincide with a vertex (1 of 22502 pixels)",
)
def guard_end(seen: Corner, hidden: Corner, centre: tuple[float, float]) -> tuple[int, int] | None:
    """Return where the edge from a seen corner ends, in 1/256 pixel; None where it is outside already."""
    assert seen.at is not None
    start = (seen.at[0] / SUBPIXELS, seen.at[1] / SUBPIXELS)
    scale = 1.0 if hidden.w <= 0 else 1.0 / hidden.w
    way = (
        hidden.x * scale - start[0] * (hidden.w * scale),
        hidden.y * scale - start[1] * (hidden.w * scale),
    )
    ways = [
        (middle + math.copysign(GUARD_PX, delta) - begin) / delta
        for begin, delta, middle in zip(start, way, centre, strict=True)
        if delta
    ]
    ahead = [part for part in ways if part > 0 and math.isfinite(part)]
    if not ahead:
        return None
    end = [(begin + min(ahead) * delta) * SUBPIXELS for begin, delta in zip(start, way, strict=True)]
    if not max(abs(end[0]), abs(end[1])) < FARTHEST_SUB:
        return None
    return round(end[0]), round(end[1])


def _line(one: Corner, other: Corner, turn: int) -> Edge | None:
    """Return the edge through two corners neither of which is snapped, in integers of 28 bits."""
    a, b = one.y * other.w - one.w * other.y, one.w * other.x - one.x * other.w
    c = one.x * other.y - one.y * other.x
    size = max(abs(a), abs(b))
    if size == 0 or not math.isfinite(size) or not math.isfinite(c):
        return None
    scale = turn * _LINE_SCALE / size
    return round(a * scale), round(b * scale), round(max(min(c * scale * SUBPIXELS, _LINE_LIMIT), -_LINE_LIMIT))


def _edge(one: Corner, other: Corner, turn: int, centre: tuple[float, float]) -> Edge | None:
    """Return the edge from one corner of a ring to the next; None where it limits nothing that can be seen."""
    begin, end = one.at, other.at
    if begin is None and end is None:
        return None if one.w <= 0 and other.w <= 0 else _line(one, other, turn)
    if end is None:
        end = guard_end(one, other, centre)
    elif begin is None:
        begin = guard_end(other, one, centre)
    if begin is None or end is None:
        return _line(one, other, turn)
    first, second = (begin, end) if turn > 0 else (end, begin)
    return edge_between(*first, *second)


def _doubled_area(points: list[tuple[int, int]]) -> int:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True))


def winding(corners: list[Corner]) -> float:
    """Return a number whose sign is that of the area of a triangle, behind the eye or not."""
    one, two, three = corners
    return (
        one.x * (two.y * three.w - two.w * three.y)
        + two.x * (three.y * one.w - three.w * one.y)
        + three.x * (one.y * two.w - one.w * two.y)
    )


@dataclass(frozen=True, slots=True)
class Outline:
    """What is drawn of a clipped triangle.

    Attributes
    ----------
    edges : list of Edge
    winding : int
        The sign of the area in memory columns and rows.
    rows_sub : tuple of int or None
        Least and greatest row in 1/256 pixel; None where the outline is open.
    """

    edges: list[Edge]
    winding: int
    rows_sub: tuple[int, int] | None


def outline(
    corners: list[Corner], *, cut_depth: bool, near_is_zero: bool, centre: tuple[float, float]
) -> Outline | None:
    """Return the outline of a triangle's visible part; None where there is none.

    Parameters
    ----------
    corners : list of three Corner
    cut_depth : bool
        Whether the near and far plane cut.
    near_is_zero : bool
        Whether the near plane is z = 0 rather than z = -w.
    centre : tuple of float
        The viewport's centre in pixels.
    """
    ring = cut_at_depth(corners, near_is_zero) if cut_depth else corners
    if len(ring) < 3 or all(one.w <= 0 for one in ring):
        return None
    points = [one.at for one in ring if one.at is not None]
    closed = len(points) == len(ring)
    size = _doubled_area(points) if closed else winding(corners)
    if size == 0 or not math.isfinite(size):
        return None
    turn = 1 if size > 0 else -1
    found = [_edge(one, ring[(k + 1) % len(ring)], turn, centre) for k, one in enumerate(ring)]
    rows = (min(y for _, y in points), max(y for _, y in points)) if closed else None
    edges = [edge for edge in found if edge is not None]
    return Outline(edges, turn, rows) if edges else None
