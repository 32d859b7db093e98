"""In which order does the tessellator give the points and triangles of a quad?

The inside is walked in bands of eight points along v, a band in parts of three cells; around it the outer ring is
walked once. Read next: ``tessellator.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from refnvn.replay.tessellator_order_triangle import BAND_POINTS, Cell, cells_of, points_of, rows_of
from refnvn.replay.tessellator_rings import Point, Ring, Triangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

BAND_CELLS = 7
FLAT_CELLS = 3
PIECE_POINTS = 32
ONE_PIECE = 32
"""Up to so many triangles a patch is made in one piece: 32 are, 45 are not."""


class _Cells:
    """The cells between the inner points of a quad.

    Attributes
    ----------
    columns, rows : dict of int to int
        The number of each u and v.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self.columns = {u: number for number, u in enumerate(sorted({u for u, _ in points}))}
        self.rows = {v: number for number, v in enumerate(sorted({v for _, v in points}))}

    def place(self, triangle: Triangle) -> _Place:
        """Return where a triangle is, and which corner of its cell it does not have."""
        columns, rows = (
            [names[point[axis]] for point in triangle] for axis, names in enumerate((self.columns, self.rows))
        )
        column, row = min(columns), min(rows)
        corners = {(x - column, y - row) for x, y in zip(columns, rows, strict=True)}
        (missing,) = {(0, 0), (1, 0), (0, 1), (1, 1)} - corners
        return _Place(column, row, missing)


class _Place(NamedTuple):
    column: int
    row: int
    missing: tuple[int, int]


@rule(
    "TESSELLATOR-ORDER-2",
    "Inside of a quad points come in bands along v, of 8 and then 7 more, column by column. Cells come band by band, "
    "in parts of so many columns as 32 points give; a part row by row, but column by column where it has up to three "
    "rows or more columns than rows. Of a cell cut from upper left to lower right the lower triangle comes first; of "
    "one cut the other way the one behind, except in the first row or column that is walked.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
    exactness="all measured quads without points that coincide, up to levels of 40",
)
def quad_order(rings: list[Ring], triangles: list[Triangle]) -> tuple[list[Point], list[Triangle]]:
    """Return the inner points (all, of a quad without rings) and all triangles of a quad, in order.

    Parameters
    ----------
    rings : list of rings
        The outer one first.
    triangles : list of triangles
        Those at the outer ring in order.
    """
    outer = {point for side in rings[0] for point in side}
    inner = [point for ring in rings[1:] for side in ring for point in side]
    if not inner:
        return sorted(outer), triangles
    cells = _Cells(inner)
    rows = list(cells.rows)
    starts = [0, *range(BAND_POINTS, len(rows), BAND_CELLS), len(rows)]
    points = [(u, v) for begin, end in itertools.pairwise(starts) for u in cells.columns for v in rows[begin:end]]
    inside = [one for one in triangles if outer.isdisjoint(one)]
    inside.sort(key=lambda one: _walked(cells.place(one), len(rows) - 1, len(cells.columns) - 1))
    numbers = {point: number for number, point in enumerate(points)}
    is_one_piece = len(triangles) <= ONE_PIECE
    around = [_from_first(one, outer, numbers, is_one_piece) for one in triangles if not outer.isdisjoint(one)]
    return points, [_from_corner(one, cells) for one in inside] + around


def triangle_order(rings: list[Ring], triangles: list[Triangle]) -> tuple[list[Point], list[Triangle]]:
    """Return the inner points and all triangles of a triangle in order; parameters are as for :func:`quad_order`."""
    if len(rings) == 1:
        return [], [_turned(triangles[0], 1)]
    outer = {point for side in rings[0] for point in side}
    low, middle, high = rows_of(rings[1:])
    points = points_of(low, middle, high)
    inside = {frozenset(one) for one in triangles if outer.isdisjoint(one)}
    cells, lone = cells_of(low, middle, high)
    found = [(_key(cell, (1, 1)), three) for cell, three in lone]
    for cell in cells:
        for missing, three in _halves(cell):
            if frozenset(three) in inside:
                found.append((_key(cell, missing), three))
    numbers = {point: number for number, point in enumerate(points)}
    is_one_piece = len(triangles) <= ONE_PIECE
    around = [_from_first(one, outer, numbers, is_one_piece) for one in triangles if not outer.isdisjoint(one)]
    return points, [three for _, three in sorted(found, key=lambda one: one[0])] + around


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


def _from_corner(triangle: Triangle, cells: _Cells) -> Triangle:
    """Return a triangle from its lower left corner on; without one from its upper left corner."""
    place = cells.place(triangle)
    wanted = (0, 1) if place.missing == (0, 0) else (0, 0)
    found = [
        (cells.columns[u] - place.column, cells.rows[v] - place.row) == wanted for u, v in triangle
    ]  # fmt: skip
    return _turned(triangle, found.index(True))


def _from_first(triangle: Triangle, outer: set[Point], numbers: dict[Point, int], is_one_piece: bool) -> Triangle:
    """Return a triangle of the outer ring from its inner corner on; of two the one that is walked first."""
    is_outer = [point in outer for point in triangle]
    if is_outer.count(True) == 2:
        return _turned(triangle, is_outer.index(False))
    if is_one_piece:
        return _turned(triangle, min(range(3), key=lambda k: numbers.get(triangle[k], len(numbers))))
    return _turned(triangle, is_outer.index(True) + 1)
