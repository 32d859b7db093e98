"""In which order does the tessellator give the points and triangles of a patch?

The inside is walked in bands of eight points along v, a band in parts of three cells; around it the outer ring is
walked once. A patch of few points is made in one piece. Read next: ``tessellator.py``.
"""

from __future__ import annotations

from typing import NamedTuple

from refnvn.replay.tessellator_order_triangle import Cell, cells_of, in_bands, points_of, rows_of
from refnvn.replay.tessellator_rings import Point, Ring, Triangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

BAND_CELLS = 7
FLAT_CELLS = 3
PIECE_POINTS = 32
PIECE_TRIANGLES = 42
"""As many as 128 numbers of points name."""


class _Place(NamedTuple):
    """Which cell a triangle is in, and which corner of it the triangle does not have."""

    column: int
    row: int
    missing: tuple[int, int]


def _place(triangle: Triangle) -> _Place:
    """Return where a triangle inside of a quad is."""
    column, row = min(one.column for one in triangle), min(one.row for one in triangle)
    corners = {(one.column - column, one.row - row) for one in triangle}
    (missing,) = {(0, 0), (1, 0), (0, 1), (1, 1)} - corners
    return _Place(column - 1, row - 1, missing)


@rule(
    "TESSELLATOR-ORDER-4",
    "A patch of up to 32 points and up to 42 triangles is made in one piece: each triangle begins with its lowest "
    "number. In others one at the outer ring begins with its inner corner, of two the one that is walked first.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def is_one_piece(rings: list[Ring], triangles: list[Triangle], *, point_mode: bool) -> bool:
    """Say whether a patch is made in one piece."""
    points = sum(len(side) for ring in rings for side in ring)
    return points <= PIECE_POINTS and (point_mode or len(triangles) <= PIECE_TRIANGLES)


@rule(
    "TESSELLATOR-ORDER-2",
    "Inside of a quad points come in bands of 8 along v, column by column. Cells come in bands of 7, in parts of so "
    "many columns as 32 points give; a part row by row, but column by column where it has up to three rows or more "
    "columns than rows. Of a cell cut from upper left to lower right the lower triangle comes first; of one cut the "
    "other way the one behind, except in the first row or column that is walked.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
    exactness="all measured quads, up to levels of 64",
)
def quad_order(
    rings: list[Ring], triangles: list[Triangle], *, point_mode: bool
) -> tuple[list[Point], list[Triangle]]:
    """Return the inner points (all, of a quad without rings) and all triangles of a quad, in order.

    Parameters
    ----------
    rings : list of rings
        The outer one first.
    triangles : list of triangles
        Those at the outer ring in order.
    point_mode : bool
        Whether the patch is points.
    """
    inner = [point for ring in rings[1:] for side in ring for point in side]
    if not inner:
        return sorted(point for side in rings[0] for point in side), triangles
    count = max(one.column for one in inner), max(one.row for one in inner)
    columns: list[list[Point]] = [[] for _ in range(count[0])]
    for point in sorted(inner, key=lambda one: one.row):
        columns[point.column - 1].append(point)
    points = in_bands([list(enumerate(one)) for one in columns])
    inside = [one for one in triangles if not any(point.ring == 0 for point in one)]
    inside.sort(key=lambda one: _walked(_place(one), count[1] - 1, count[0] - 1))
    around = [one for one in triangles if any(point.ring == 0 for point in one)]
    if is_one_piece(rings, triangles, point_mode=point_mode):
        return points, _from_lowest([*inside, *around], points)
    return points, [_from_corner(one) for one in inside] + [_from_inner(one) for one in around]


def triangle_order(
    rings: list[Ring], triangles: list[Triangle], *, point_mode: bool
) -> tuple[list[Point], list[Triangle]]:
    """Return the inner points and all triangles of a triangle in order; parameters are as for :func:`quad_order`."""
    if len(rings) == 1:
        return [], [_turned(triangles[0], 1)]
    one_piece = is_one_piece(rings, triangles, point_mode=point_mode)
    low, middle, high = rows_of(rings[1:])
    points = points_of(low, middle, high, one_piece=one_piece)
    inside = [one for one in triangles if not any(point.ring == 0 for point in one)]
    around = [one for one in triangles if any(point.ring == 0 for point in one)]
    if one_piece:
        return points, _from_lowest([*sorted(inside, key=_bent), *around], points)
    named = {frozenset(one) for one in inside}
    cells, lone = cells_of(low, middle, high)
    found = [(_key(cell, (1, 1)), three) for cell, three in lone]
    for cell in cells:
        for missing, three in _halves(cell):
            if frozenset(three) in named:
                found.append((_key(cell, missing), three))
    found.sort(key=lambda one: one[0])
    return points, [three for _, three in found] + [_from_inner(one) for one in around]


def _bent(triangle: Triangle) -> tuple[int, int]:
    """Return what the triangles of a piece are sorted by: the bent column, and how far along it they are."""
    column = min(one.column for one in triangle)
    near = [one.row for one in triangle if one.column == column]
    far = [one.row for one in triangle if one.column != column]
    return column, min(near) + min(far)


def _key(cell: Cell, missing: tuple[int, int]) -> tuple[int, ...]:
    return _walked(_Place(cell.depth, cell.along, missing), cell.length, cell.depths, cell.grid)


def _halves(cell: Cell) -> list[tuple[tuple[int, int], Triangle]]:
    """Return the four triangles that a cell could be cut into, each with the corner that it does not have."""
    a, b, d, e = cell.corners
    return [((1, 1), (a, d, b)), ((0, 0), (b, d, e)), ((0, 1), (a, d, e)), ((1, 0), (a, e, b))]


def _walked(place: _Place, row_count: int, column_count: int, grid: int = 0) -> tuple[int, ...]:
    """Return what triangles inside of a patch are sorted by."""
    band, row = divmod(place.row, BAND_CELLS)
    height = min(BAND_CELLS, row_count - BAND_CELLS * band)
    size = PIECE_POINTS // (height + 1) - 1
    part, column = divmod(place.column, size)
    width = min(size, column_count - size * part)
    by_column = height <= FLAT_CELLS or width > height
    slow, fast = (column, row) if by_column else (row, column)
    starts = slow == 0
    is_first = {(1, 1): True, (0, 0): False, (0, 1): by_column is starts, (1, 0): by_column is not starts}
    return grid, band, part, slow, fast, 0 if is_first[place.missing] else 1


def _turned(triangle: Triangle, first: int) -> Triangle:
    a, b, c = (triangle[(first + k) % 3] for k in range(3))
    return a, b, c


def _from_lowest(triangles: list[Triangle], points: list[Point]) -> list[Triangle]:
    """Return triangles from their lowest numbers on; points that have none yet count as higher."""
    numbers = {point: number for number, point in enumerate(points)}
    return [_turned(one, min(range(3), key=lambda k: numbers.get(one[k], len(numbers)))) for one in triangles]


def _from_corner(triangle: Triangle) -> Triangle:
    """Return a triangle from its lower left corner on; without one from its upper left corner."""
    place = _place(triangle)
    wanted = (1, 2) if place.missing == (0, 0) else (1, 1)
    found = [(one.column - place.column, one.row - place.row) == wanted for one in triangle]
    return _turned(triangle, found.index(True))


def _from_inner(triangle: Triangle) -> Triangle:
    """Return a triangle of the outer ring from its inner corner on; of two the one that is walked first."""
    is_outer = [point.ring == 0 for point in triangle]
    if is_outer.count(True) == 2:
        return _turned(triangle, is_outer.index(False))
    return _turned(triangle, is_outer.index(True) + 1)
