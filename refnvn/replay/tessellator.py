"""Which points and primitives does the tessellator make of a patch? Rings of points, from the edges to the middle.

Places are whole numbers of 1/65536 in u and v. Read next: ``tessellator_rings.py``, ``tessellation.py``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Int64
from refnvn.replay.tessellation_factors import HALF, ONE, Division, clamped, division, place_of
from refnvn.replay.tessellator_order import quad_order, triangle_order
from refnvn.replay.tessellator_rings import Point, Ring, Triangle, between_rings, middle_strip, outermost
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import collect, note, rule
from refnvn.shader.ir_stages import Domain, Spacing, TessEvaluation

_LINES_AT_ONCE = 8
_THIRD, _TWO_THIRDS = 0x5555, 0xAAAA
_OUTER = {Domain.TRIANGLES: 3, Domain.QUADS: 4, Domain.ISOLINES: 2}
FAR = 65
"""The column or row of the far sides of an outer ring, whose divisions differ."""
INNER_LEVELS = {Domain.TRIANGLES: 1, Domain.QUADS: 2, Domain.ISOLINES: 0}


@dataclass(frozen=True, slots=True)
class Tessellated:
    """What the tessellator makes of a patch.

    Attributes
    ----------
    coordinates : float32, shape (n, 3)
        u, v and, of triangles, w.
    primitives : int64, shape (m, 1 to 3)
        Points, lines or triangles of them.
    """

    coordinates: Float32
    primitives: Int64


NOTHING = Tessellated(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int64))


def tessellated(how: TessEvaluation, levels: tuple[float, ...]) -> Tessellated:
    """Return what the tessellator makes of a patch.

    Parameters
    ----------
    how : TessEvaluation
    levels : tuple of six float
        Four outer levels, two inner ones.

    Examples
    --------
    >>> one = tessellated(TessEvaluation(domain=Domain.TRIANGLES), (1.0,) * 6)
    >>> one.coordinates.tolist(), one.primitives.tolist()
    ([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [[0, 2, 1]])
    """
    found, used = _kept(how, levels)
    note(used)
    return found


@functools.lru_cache(maxsize=256)
def _kept(how: TessEvaluation, levels: tuple[float, ...]) -> tuple[Tessellated, frozenset[str]]:
    """Return what the tessellator makes of a patch, and the rules that it used, which count each time."""
    with collect() as used:
        found = _tessellated(how, levels)
    return found, frozenset(used)


def _tessellated(how: TessEvaluation, levels: tuple[float, ...]) -> Tessellated:
    outer, inner = list(levels[: _OUTER[how.domain]]), list(levels[4 : 4 + INNER_LEVELS[how.domain]])
    found = clamped(outer, inner, how.spacing)
    if found is None:
        return NOTHING
    if how.domain is Domain.ISOLINES:
        return _isolines(how, *levels[:2])
    outer, inner = found
    make = triangle_patch if how.domain is Domain.TRIANGLES else quad_patch
    rings, triangles = make(outer, inner, how.spacing)
    return _numbered(how, rings, triangles)


@rule(
    "TESSELLATOR-ORDER-1",
    "The outer ring's points come after the inner ones, from its second corner on; its triangles after the inner "
    "ones, side by side. A clockwise patch has the same order, each triangle turned round.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def _numbered(how: TessEvaluation, rings: list[Ring], triangles: list[Triangle]) -> Tessellated:
    """Return points as coordinates and triangles as numbers of points."""
    in_order = quad_order if how.domain is Domain.QUADS else triangle_order
    inside, triangles = in_order(rings, triangles, point_mode=how.point_mode)
    order = list(dict.fromkeys([*inside, *_from_origin(rings[0])]))
    numbers = {point: number for number, point in enumerate(order)}
    uv = (np.array([(point.u, point.v) for point in order], dtype=np.float64) / ONE).astype(np.float32)
    third = np.zeros(len(uv), np.float32)
    if how.domain is Domain.TRIANGLES:
        third = (np.float32(1) - uv[:, 0]) - uv[:, 1]
    coordinates = np.concatenate([uv, third[:, np.newaxis]], axis=1)
    if how.point_mode:
        return Tessellated(coordinates, np.arange(len(uv), dtype=np.int64)[:, np.newaxis])
    named = np.array([[numbers[point] for point in three] for three in triangles], dtype=np.int64).reshape(-1, 3)
    return Tessellated(coordinates, named[:, [0, 2, 1]] if how.clockwise else named)


def _from_origin(ring: Ring) -> list[Point]:
    """Return the points of a ring from its second corner on, against the direction in which it was made."""
    flat = [point for side in ring for point in side]
    start = len(ring[0]) if len(flat) > len(ring[0]) else 0
    turned = flat[start:] + flat[:start]
    return [turned[0], *turned[:0:-1]]


@rule(
    "TESSELLATOR-TRIANGLE-1",
    "A triangle's outer ring is divided by the outer levels of the edges u = 0, v = 0, w = 0; ring r inside of it "
    "lies at two thirds of point r of the inner division, each place moved by half of that; the middle is a point at "
    "a third, or a triangle.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def triangle_patch(outer: list[float], inner: list[float], spacing: Spacing) -> tuple[list[Ring], list[Triangle]]:
    """Return rings of points and the triangles between them, counter-clockwise."""
    edges = [division(level, spacing) for level in outer]
    rings: list[Ring] = [[_triangle_side(k, edge, 0, edge.points - 1, 0, FAR) for k, edge in enumerate(edges)]]
    if max(*outer, *inner) == 1:
        return rings, [(rings[0][0][0], rings[0][1][0], rings[0][2][0])]
    middle = division(inner[0], spacing)
    for number in range(1, middle.points >> 1):
        depth = (place_of(middle, number) * _TWO_THIRDS + HALF) >> 16
        last = middle.points - 1 - number
        rings.append([_triangle_side(side, middle, number, last, depth, last) for side in range(3)])
    if not middle.is_odd:
        half = middle.half_points
        rings.append([[Point(_THIRD, _THIRD, half, half, half)], [], []])
    triangles = _between(rings, edges, [middle] * 3)
    if middle.is_odd:
        triangles.append((rings[-1][0][0], rings[-1][1][0], rings[-1][2][0]))
    return rings, triangles


def _triangle_side(side: int, edge: Division, first: int, last: int, depth: int, far: int) -> list[Point]:
    """Return the points of one side of a ring, without its end; ``far`` is the row of the third side."""
    points: list[Point] = []
    for k in range(first, last):
        number = k if side == 1 else last - (k - first)
        along = place_of(edge, number) - (depth + 1) // 2
        u, v = ((depth, along), (along, depth), (along, ONE - along - depth))[side]
        points.append(Point(u, v, first, *((first, number), (number, first), (number, far))[side]))
    return points


@rule(
    "TESSELLATOR-QUAD-1",
    "A quad's outer ring is divided by the outer levels of u = 0, v = 0, u = 1, v = 1; ring r inside of it lies at "
    "points r of both inner divisions. The middle is a row of points where the shorter one is even, else a strip.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def quad_patch(outer: list[float], inner: list[float], spacing: Spacing) -> tuple[list[Ring], list[Triangle]]:
    """Return rings of points and the triangles between them, counter-clockwise."""
    edges = [division(level, spacing) for level in outer]
    across, along = (division(level, spacing) for level in inner)
    rings: list[Ring] = [
        [_quad_side(k, edge, 0, edge.points - 1, ONE * (k >> 1), FAR * (k >> 1)) for k, edge in enumerate(edges)]
    ]
    if max(*outer, *inner) == 1:
        return rings, middle_strip(rings[0])
    count = min(across.points, along.points) >> 1
    for number in range(1, count):
        ends = (across.points - 1 - number, along.points - 1 - number)
        sides = []
        for side in range(4):
            edge, beside = (along, across) if side % 2 == 0 else (across, along)
            line = number if side < 2 else ends[side % 2]
            sides.append(_quad_side(side, edge, number, ends[1 - side % 2], place_of(beside, line), line))
        rings.append(sides)
    row = _middle_row(across, along, count)
    triangles = _between(rings, edges, [along, across, along, across], row)
    if row is None:
        triangles += middle_strip(rings[-1])
    else:
        rings.append([row, [], [], []])
    return rings, triangles


def _quad_side(side: int, edge: Division, first: int, last: int, depth: int, line: int) -> list[Point]:
    """Return the points of one side of a ring, without its end; ``line`` is its column or row."""
    points: list[Point] = []
    for k in range(first, last):
        number = k if side in (1, 2) else last - (k - first)
        along = place_of(edge, number)
        is_upright = side % 2 == 0
        place = (depth, along, first, line, number) if is_upright else (along, depth, first, number, line)
        points.append(Point(*place))
    return points


def _middle_row(across: Division, along: Division, count: int) -> list[Point] | None:
    """Return the points in a row that the middle of a quad is; None where it is a strip."""
    if across.points > along.points and not along.is_odd:
        middle = along.half_points
        return [Point(place_of(across, k), HALF, count, k, middle) for k in range(count, across.points - count)]
    if along.points >= across.points and not across.is_odd:
        middle = across.half_points
        return [Point(HALF, place_of(along, k), count, middle, k) for k in range(count, along.points - count)]
    return None


def _between(
    rings: list[Ring], edges: list[Division], inner: list[Division], row: list[Point] | None = None
) -> list[Triangle]:
    """Return the triangles between all rings, from the middle outwards."""
    whole = [_closed(ring) for ring in rings]
    if row is not None:
        is_across = inner[1].points > inner[0].points
        flat = [[row[0]], row, [row[-1]], row[::-1]]
        whole.append(flat if is_across else [row[::-1], [row[0]], row, [row[-1]]])
    triangles: list[Triangle] = []
    for number in range(len(whole) - 2, -1, -1):
        for side in (0, *range(len(edges) - 1, 0, -1)):
            inside, outside = whole[number + 1][side], whole[number][side]
            if number:
                triangles += between_rings(inside, outside)
            else:
                triangles += outermost(inside, outside, inner[side], edges[side])
    return triangles


def _closed(ring: Ring) -> list[list[Point]]:
    """Return each side of a ring with its end."""
    if not ring[1]:
        return [[ring[0][0]]] * len(ring)
    return [[*side, ring[(k + 1) % len(ring)][0]] for k, side in enumerate(ring)]


@rule(
    "TESSELLATOR-ISOLINES-1",
    "Isolines: as many lines as the first outer level rounded up, at equal distances from v = 0, without the one at "
    "1; each divided by the second level. Points and segments come eight lines at a time, column by column, line "
    "after line.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def _isolines(how: TessEvaluation, lines: float, segments: float) -> Tessellated:
    """Return points and lines."""
    many, _ = clamped([lines], [], Spacing.EQUAL) or ([1.0], [])
    long, _ = clamped([segments], [], how.spacing) or ([1.0], [])
    rows, columns = division(many[0], Spacing.EQUAL), division(long[0], how.spacing)
    v = [place_of(rows, k) for k in range(rows.points - 1)]
    u = [place_of(columns, k) for k in range(columns.points)]
    bands = [v[first : first + _LINES_AT_ONCE] for first in range(0, len(v), _LINES_AT_ONCE)]
    places = np.array([(x, y, 0) for band in bands for x in u for y in band], dtype=np.float64) / ONE
    numbers: NDArray[np.int64] = np.arange(len(places), dtype=np.int64)
    if how.point_mode:
        return Tessellated(places.astype(np.float32), numbers[:, np.newaxis])
    parts = np.split(numbers, np.cumsum([len(band) * len(u) for band in bands])[:-1])
    segments_of = [
        np.stack([one[: -len(band)], one[len(band) :]], axis=1) for one, band in zip(parts, bands, strict=True)
    ]
    return Tessellated(places.astype(np.float32), np.concatenate(segments_of))
