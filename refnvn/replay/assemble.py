"""Which points, lines or triangles does a run of vertices make, in which order, under which number?

Strips, fans, quads and polygons become triangles here; the rasteriser knows nothing of them but which edges are
diagonals. ``indices.py`` says which vertices a draw takes. Read next: ``draw.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DrawPrimitive
from refnvn.raster.assembled import Assembled, assembled
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import collect, note, rule

Places = NDArray[np.int64]
"""Positions in a run of vertices."""
MOST_KEPT_VERTICES = 32
"""What so short a run makes is kept."""


def _each(count: int, step: int, size: int) -> Places:
    """Return where each group of ``size`` vertices starts, ``step`` apart; what is left over makes nothing."""
    return np.arange(0, max(0, count - size + 1), step, dtype=np.int64)


def _columns(*columns: Places) -> Places:
    return np.stack(np.broadcast_arrays(*columns), axis=1)


def _points(count: int, _first: bool) -> Assembled:
    each = _each(count, 1, 1)
    return assembled(each[:, np.newaxis], each)


@rule(
    "PRIMITIVE-LINES-1",
    "Lines take their vertices two by two; a strip adds one vertex to the last, a loop also draws from the last "
    "vertex to the first. With FIRST the start of a segment provokes, with LAST its end.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors", "hardware-line-rules"),
)
def lines_of(primitive: DrawPrimitive, count: int, first_provokes: bool = False) -> Assembled:
    """Return the segments of LINES, LINE_STRIP or LINE_LOOP.

    Parameters
    ----------
    primitive : DrawPrimitive
    count : int
        Vertices of the run.
    first_provokes : bool
        Whether the first vertex gives flat inputs, not the last.

    Examples
    --------
    >>> lines_of(DrawPrimitive.LINE_LOOP, 3).vertices.tolist()
    [[0, 1], [1, 2], [2, 0]]
    """
    start = _each(count, 2 if primitive is DrawPrimitive.LINES else 1, 2)
    end = start + 1
    if primitive is DrawPrimitive.LINE_LOOP and count > 1:
        start, end = np.append(start, count - 1), np.append(end, 0)
    return assembled(_columns(start, end), start if first_provokes else end)


@rule(
    "PRIMITIVE-TRIANGLES-1",
    "Triangles take their vertices three by three; a strip adds one vertex to the last two, every other triangle "
    "with its first two exchanged; a fan adds one to the first and the last. What is left over makes nothing.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors",),
    ledger=("fans-quads",),
)
def triangles_of(primitive: DrawPrimitive, count: int, first_provokes: bool = False) -> Assembled:
    """Return the triangles of TRIANGLES, TRIANGLE_STRIP or TRIANGLE_FAN.

    Parameters
    ----------
    primitive : DrawPrimitive
    count : int
        Vertices of the run.
    first_provokes : bool
        Whether the first vertex gives flat inputs, not the last; of a fan the first is the second of the triangle.

    Examples
    --------
    >>> triangles_of(DrawPrimitive.TRIANGLE_STRIP, 4).vertices.tolist()
    [[0, 1, 2], [2, 1, 3]]
    """
    each = _each(count, 3 if primitive is DrawPrimitive.TRIANGLES else 1, 3)
    last = each + 2
    if primitive is DrawPrimitive.TRIANGLE_FAN:
        return assembled(_columns(np.zeros_like(each), each + 1, last), each + 1 if first_provokes else last)
    odd = each & 1 if primitive is DrawPrimitive.TRIANGLE_STRIP else np.zeros_like(each)
    return assembled(_columns(each + odd, each + 1 - odd, last), each if first_provokes else last)


@rule(
    "PRIMITIVE-QUADS-1",
    "A quad is the triangles 0-1-2 and 0-2-3, one of a strip 0-1-3 and 0-3-2: one primitive with one number, whose "
    "first or last vertex in the run provokes. Halves that fold over each other are both drawn.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors", "hardware-pipeline-rules"),
    ledger=("fans-quads",),
)
def quads_of(primitive: DrawPrimitive, count: int, first_provokes: bool = False) -> Assembled:
    """Return the triangles of QUADS or QUAD_STRIP, two for each quad.

    Examples
    --------
    >>> quads_of(DrawPrimitive.QUADS, 4).vertices.tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    is_strip = primitive is DrawPrimitive.QUAD_STRIP
    start = _each(count, 2 if is_strip else 4, 4)
    third, fourth = (start + 3, start + 2) if is_strip else (start + 2, start + 3)
    halves = np.stack([_columns(start, start + 1, third), _columns(start, third, fourth)], axis=1)
    numbers = np.repeat(np.arange(len(start), dtype=np.int64), 2)
    provoking = np.repeat(start if first_provokes else start + 3, 2)
    edges = np.tile(np.array([[True, True, False], [False, True, True]]), (len(start), 1))
    return assembled(halves.reshape(-1, 3), provoking, numbers, edges)


@rule(
    "PRIMITIVE-POLYGON-1",
    "A polygon is one primitive, drawn as a fan around its first vertex, which provokes under either convention.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors", "hardware-line-rules"),
)
def polygon_of(count: int) -> Assembled:
    """Return the triangles of a POLYGON.

    Examples
    --------
    >>> polygon_of(4).vertices.tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    each = _each(count, 1, 3)
    nothing = np.zeros_like(each)
    edges = np.stack([each == 0, np.ones(len(each), dtype=np.bool_), each == len(each) - 1], axis=1)
    return assembled(_columns(nothing, each + 1, each + 2), nothing, nothing, edges)


@rule(
    "PRIMITIVE-ADJACENCY-1",
    "Without a geometry shader neighbours are passed over: of four vertices of a line the middle two are drawn, of "
    "six of a triangle the first, third and fifth; strips likewise; flat inputs come from a vertex that is drawn.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors",),
)
def with_adjacency(primitive: DrawPrimitive, count: int, first_provokes: bool = False) -> Assembled:
    """Return the lines or triangles of a primitive with adjacency.

    Examples
    --------
    >>> with_adjacency(DrawPrimitive.TRIANGLES_ADJACENCY, 6).vertices.tolist()
    [[0, 2, 4]]
    """
    if primitive in (DrawPrimitive.LINES_ADJACENCY, DrawPrimitive.LINE_STRIP_ADJACENCY):
        start = _each(count, 4 if primitive is DrawPrimitive.LINES_ADJACENCY else 1, 4) + 1
        return assembled(_columns(start, start + 1), start if first_provokes else start + 1)
    if primitive is DrawPrimitive.TRIANGLES_ADJACENCY:
        each = _each(count, 6, 6)
        return assembled(_columns(each, each + 2, each + 4), each if first_provokes else each + 4)
    each = _each((count & ~1) - 2, 2, 4)
    odd = each & 2
    return assembled(_columns(each + odd, each + 2 - odd, each + 4), each if first_provokes else each + 4)


@rule(
    "PRIMITIVE-ADJACENCY-2",
    "To a geometry shader a strip of triangles with adjacency gives, of triangle i, vertices 2 i, 2 i + 2 and "
    "2 i + 4, and between them the neighbour before it (1 for the first), the one behind it (the last vertex for the "
    "last) and 2 i + 3; every other triangle starts at its second vertex.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def neighbours_of(primitive: DrawPrimitive, count: int) -> Places:
    """Return the vertices of each primitive with adjacency, its neighbours among them, shape (m, 4 or 6).

    Examples
    --------
    >>> neighbours_of(DrawPrimitive.TRIANGLE_STRIP_ADJACENCY, 8).tolist()
    [[0, 1, 2, 6, 4, 3], [4, 0, 2, 5, 6, 7]]
    """
    if primitive in (DrawPrimitive.LINES_ADJACENCY, DrawPrimitive.LINE_STRIP_ADJACENCY):
        start = _each(count, 4 if primitive is DrawPrimitive.LINES_ADJACENCY else 1, 4)
        return start[:, np.newaxis] + np.arange(4)
    if primitive is DrawPrimitive.TRIANGLES_ADJACENCY:
        return _each(count, 6, 6)[:, np.newaxis] + np.arange(6)
    first = _each((count & ~1) - 2, 2, 4)
    before, behind = np.where(first == 0, 1, first - 2), np.where(first + 6 < (count & ~1), first + 6, first + 5)
    even = np.stack([first, before, first + 2, behind, first + 4, first + 3], axis=1)
    odd = np.stack([first + 2, before, first, first + 3, first + 4, behind], axis=1)
    return np.where((first & 2)[:, np.newaxis] != 0, odd, even)


_MAKERS: dict[DrawPrimitive, Callable[[int, bool], Assembled]] = {
    DrawPrimitive.POINTS: _points,
    DrawPrimitive.PATCHES: _points,  # vertex by vertex: the tessellator takes them in groups of a patch's size
    **{
        one: lambda count, first, one=one: lines_of(one, count, first)  # type: ignore[misc]
        for one in (DrawPrimitive.LINES, DrawPrimitive.LINE_STRIP, DrawPrimitive.LINE_LOOP)
    },
    **{
        one: lambda count, first, one=one: triangles_of(one, count, first)  # type: ignore[misc]
        for one in (DrawPrimitive.TRIANGLES, DrawPrimitive.TRIANGLE_STRIP, DrawPrimitive.TRIANGLE_FAN)
    },
    **{
        one: lambda count, first, one=one: quads_of(one, count, first)  # type: ignore[misc]
        for one in (DrawPrimitive.QUADS, DrawPrimitive.QUAD_STRIP)
    },
    DrawPrimitive.POLYGON: lambda count, _first: polygon_of(count),
    **{
        one: lambda count, first, one=one: with_adjacency(one, count, first)  # type: ignore[misc]
        for one in DrawPrimitive
        if one.name.endswith("ADJACENCY")
    },
}


def primitives_of(primitive: DrawPrimitive, count: int, first_provokes: bool = False) -> Assembled:
    """Return what one run of vertices makes, the vertices being positions in the run.

    Examples
    --------
    >>> primitives_of(DrawPrimitive.POINTS, 2).vertices.tolist()
    [[0], [1]]
    """
    if count > MOST_KEPT_VERTICES:
        return _MAKERS[primitive](count, first_provokes)
    made, used = _kept(primitive, count, first_provokes)
    note(used)
    return made


@functools.cache
def _kept(primitive: DrawPrimitive, count: int, first_provokes: bool) -> tuple[Assembled, frozenset[str]]:
    """Return what a short run of vertices makes, and which rules say so; nobody changes it."""
    with collect() as used:
        made = _MAKERS[primitive](count, first_provokes)
    return made, frozenset(used)


@rule(
    "PRIMITIVE-ID-1",
    "Primitives are numbered from 0 through a draw; an index that restarts does not start the count again, each "
    "instance does.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors", "hardware-pipeline-rules"),
    ledger=("primitive-id",),
)
def one_after_another(runs: list[Assembled]) -> Assembled:
    """Return the primitives of several runs, numbered through.

    Examples
    --------
    >>> run = quads_of(DrawPrimitive.QUADS, 8)
    >>> one_after_another([run, run]).ids.tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    ids, before = [], 0
    for run in runs:
        ids.append(run.ids + before)
        before += int(run.ids[-1]) + 1 if len(run) else 0
    return Assembled(
        runs[0].shape,
        np.concatenate([run.vertices for run in runs]),
        np.concatenate(ids),
        np.concatenate([run.provoking for run in runs]),
        np.concatenate([run.outlined for run in runs]),
    )


def primitives_of_runs(primitive: DrawPrimitive, runs: list[Places], first_provokes: bool = False) -> Assembled:
    """Return the primitives of a draw.

    Parameters
    ----------
    primitive : DrawPrimitive
    runs : list of int64 arrays
        The vertices, in runs that a restart parts; at least one, which may be empty.
    first_provokes : bool
        See :func:`triangles_of`.
    """
    return one_after_another([primitives_of(primitive, len(run), first_provokes).renamed(run) for run in runs])
