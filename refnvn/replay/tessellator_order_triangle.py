"""In which order does the tessellator give the points and triangles inside of a triangle?

The inside is two grids: one along the edge u = 0 that reaches to the middle, and what is left towards the corner
u = 1. Read next: ``tessellator_order.py``.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from refnvn.replay.tessellator_rings import Point, Ring, Triangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

BAND_POINTS = 8
Row = list[Point]


class Cell(NamedTuple):
    """A cell of a grid.

    Attributes
    ----------
    grid, depth, along : int
        Which grid, which row of it, and where in the row.
    depths, length : int
        Rows of the grid, and cells along a row.
    corners : tuple of points
        Lower left, lower right, upper left, upper right: the row below is nearer to u = 0.
    """

    grid: int
    depth: int
    along: int
    depths: int
    length: int
    corners: tuple[Point, Point, Point, Point]


@rule(
    "TESSELLATOR-ORDER-3",
    "Inside of a triangle of n rings the points come in rows: n rows along u = 0, each going on along the other two "
    "edges, one more through the middle where the rings have no point in it, then rows of what is left; both in "
    "bands of 8 points. In a patch of one piece the row through the middle is one of what is left.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
    exactness="all measured triangles, up to levels of 64",
)
def rows_of(rings: list[Ring]) -> tuple[list[Row], Row, list[Row]]:
    """Return the rows along u = 0, the row through the middle or nothing, and the rows that are left.

    Parameters
    ----------
    rings : list of rings
        Those inside, the outermost first; the last may be a point.
    """
    turned = [_from_second_corner(ring) for ring in rings]
    sides = [len(ring[0]) if ring[1] else 0 for ring in rings]
    count = sum(side > 0 for side in sides)
    is_even = sides[-1] == 0
    low: list[Row] = []
    for depth in range(count + is_even):
        before = [turned[k][k - depth] for k in range(depth)]
        behind = [turned[k][sides[k] + depth - k] for k in range(depth - 1, -1, -1)]
        low.append([*before, *turned[depth][: sides[depth] + 1], *behind])
    middle: Row = []
    left = count
    if not is_even:
        left -= 1
        before = [turned[k][2 * sides[k] + left - k] for k in range(left)]
        behind = [turned[k][2 * sides[k] - left + k] for k in range(left - 1, -1, -1)]
        middle = [*before, turned[left][2], *behind]
    high: list[Row] = []
    for number in range(left):
        last = left - 1 - number
        row = [turned[k][2 * sides[k] + last - k] for k in range(last + 1)]
        high.append(row + [turned[last][2 * sides[last] - k] for k in range(1, number + 1)])
    return low, middle, high


def points_of(low: list[Row], middle: Row, high: list[Row], *, one_piece: bool) -> list[Point]:
    """Return all points inside of a triangle in order: both grids in bands; the middle belongs to the first one.

    In one piece it belongs to the second, and the rows of what is left end at its right half.
    """
    half = len(middle) // 2
    rows = [list(enumerate(row)) for row in low]
    if one_piece and middle:
        left = [middle[: half + 1], *([*row, middle[half + 1 + k]] for k, row in enumerate(high))]
        return in_bands(rows) + [point for row in left for point in row]
    rows.append([(k + (k > half), point) for k, point in enumerate(middle)])
    return in_bands(rows) + in_bands([list(enumerate(row)) for row in high])


def in_bands(rows: list[list[tuple[int, Point]]]) -> list[Point]:
    """Return the points of rows, each with its place in its row: eight places of all rows, then the next eight."""
    longest = max((row[-1][0] for row in rows if row), default=-1)
    return [
        point
        for begin in range(0, longest + 1, BAND_POINTS)
        for row in rows
        for along, point in row
        if begin <= along < begin + BAND_POINTS
    ]  # fmt: skip


def _from_second_corner(ring: Ring) -> Row:
    """Return the points of a ring from the corner w = 1 on, towards v = 1."""
    if not ring[1]:
        return ring[0]
    flat = [point for side in ring for point in side]
    turned = flat[len(ring[0]) :] + flat[: len(ring[0])]
    return [turned[0], *turned[:0:-1]]


def cells_of(low: list[Row], middle: Row, high: list[Row]) -> tuple[list[Cell], list[tuple[Cell, Triangle]]]:
    """Return the cells of both grids, and the triangle in the middle of a row with its place."""
    cells: list[Cell] = []
    lone: list[tuple[Cell, Triangle]] = []
    size = (len(low) - 1 + bool(middle), len(low[0]) - 1)
    for depth, (one, other) in enumerate(itertools.pairwise(low)):
        cells += [_cell((0, depth, k), size, one, other, k) for k in range(size[1])]
    last = low[-1]
    half = len(last) // 2
    if middle:
        depth = len(low) - 1
        cells += [_cell((0, depth, k), size, last, middle, k) for k in range(half - 1)]
        cells += [_cell((0, depth, k + 1), size, last, middle, k) for k in range(half - 1, len(middle) - 1)]
        at = (last[half - 1], middle[half - 1], last[half])
        lone.append((Cell(0, depth, half - 1, *size, (at[0], at[2], at[1], at[1])), at))
    base = middle or last
    half = len(base) // 2
    right = base[half:]
    left = [base[: half + 1], *([*row, right[k + 1]] for k, row in enumerate(high))]
    for depth, (one, other) in enumerate(itertools.pairwise(left)):
        square = (len(high), len(one) - 1)
        cells += [_cell((1, depth, k), square, one, other, k) for k in range(len(one) - 1)]
    return cells, lone


def _cell(place: tuple[int, int, int], size: tuple[int, int], one: Row, other: Row, next_place: int) -> Cell:
    """Return the cell between a row, at ``place``, and the next one, at ``next_place``."""
    along = place[2]
    return Cell(*place, *size, (one[along], one[along + 1], other[next_place], other[next_place + 1]))
