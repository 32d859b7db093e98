"""Setting up many triangles, compiled: from clip space to edges and planes, one triangle after another.

No rule is written here: each step calls, compiled, the function that the array path calls. A triangle that needs
clipping ends the loop; ``shapes.py`` sets it up and goes on behind it. Importing this module imports numba.

Read next: ``triangles.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.kernel import borrowing, inlined, rule_compiled
from refnvn.raster import clip, setup, spans, window
from refnvn.raster.arithmetic_kernel import choice_kernel
from refnvn.raster.reciprocal_kernel import reciprocal_kernel

_EXACT = np.int64(1 << 52)
_ONE = np.float32(1)

on_axis_kernel: Any = rule_compiled(window.on_axis)
_in_units = rule_compiled(window.in_units, chosen=choice_kernel)
_stays_whole = rule_compiled(setup.stays_whole, chosen=choice_kernel)
doubled_area_kernel: Any = rule_compiled(setup.doubled_area)
rows_between_kernel: Any = rule_compiled(setup.rows_between)
_is_left_or_first = rule_compiled(clip.is_left_or_first)
_edge_along = rule_compiled(clip.edge_along)


def _floor(value: Any, divisor: Any) -> Any:
    """Return value // divisor: a float64 quotient is at most one off where both are exact."""
    if not -_EXACT < value < _EXACT:
        return value // divisor
    quotient = np.int64(np.floor(np.float64(value) / np.float64(divisor)))
    rest = value - quotient * divisor
    return quotient - (rest < 0) + (rest >= divisor)


columns_kernel: Any = rule_compiled(spans.columns_of_edge, chosen=choice_kernel, floor_quotient=inlined(_floor))


def _edge(x: Any, y: Any, one: int, other: int, turn: Any) -> Any:
    dx, dy = (x[other] - x[one]) * turn, (y[other] - y[one]) * turn
    return _edge_along(dx, dy, x[one], y[one], _is_left_or_first(dx, dy))


_edge_kernel = inlined(_edge)


def _edges(x: Any, y: Any, area: Any) -> Any:
    """Return the edges of a triangle as they are where its area is positive."""
    turn = np.int64(-1 if area < 0 else 1)
    return _edge_kernel(x, y, 0, 1, turn), _edge_kernel(x, y, 1, 2, turn), _edge_kernel(x, y, 2, 0, turn)


edges_kernel: Any = inlined(_edges)


def _over_w(w: Any) -> Any:
    return _ONE if w == _ONE else np.float32(reciprocal_kernel(w))


over_w_kernel: Any = inlined(_over_w)


def _window_place(positions: Any, vertex: Any, axes: Any) -> Any:
    w = positions[vertex, 3]
    over_w = over_w_kernel(w)
    x = _in_units(on_axis_kernel(positions[vertex, 0], over_w, axes[0], axes[1]))
    return x, _in_units(on_axis_kernel(positions[vertex, 1], over_w, axes[2], axes[3])), positions[vertex, 2], w


_window_place_kernel = inlined(_window_place)


def _corners(positions: Any, three: Any, axes: Any) -> Any:
    """Return snapped x and y, z and w of a triangle's vertices."""
    x0, y0, z0, w0 = _window_place_kernel(positions, three[0], axes)
    x1, y1, z1, w1 = _window_place_kernel(positions, three[1], axes)
    x2, y2, z2, w2 = _window_place_kernel(positions, three[2], axes)
    return (x0, x1, x2), (y0, y1, y2), (z0, z1, z2), (w0, w1, w2)


corners_kernel: Any = inlined(_corners)


def _are_whole(x: Any, y: Any, z: Any, w: Any, clips: Any) -> Any:
    """Say whether a triangle needs no clipping."""
    return (
        _stays_whole(z[0], w[0], x[0], y[0], clips[0], clips[1])
        & _stays_whole(z[1], w[1], x[1], y[1], clips[0], clips[1])
        & _stays_whole(z[2], w[2], x[2], y[2], clips[0], clips[1])
    )


are_whole_kernel: Any = inlined(_are_whole)


def _is_perspective(w: Any) -> Any:
    return (w[0] != 1) | (w[1] != 1) | (w[2] != 1)


is_perspective_kernel: Any = inlined(_is_perspective)


def _set_up(
    begin: Any, end: Any, positions: Any, triangles: Any, axes: Any, clips: Any, facing: Any, area_px: Any,
    beside_sub: Any, room: Any,
) -> Any:  # fmt: skip
    """Find the edges of triangles ``begin`` to ``end``; those that are kept fill the room from its beginning.

    Returns how many are kept, how many were seen, whether one has w other than 1, and where it stopped.
    """
    k = seen = 0
    not_one = False
    first, stop = area_px[0], area_px[0] + area_px[2]
    for i in range(begin, end):
        x, y, z, w = corners_kernel(positions, (triangles[i, 0], triangles[i, 1], triangles[i, 2]), axes)
        if not are_whole_kernel(x, y, z, w, clips):
            return k, seen, not_one, i
        area = doubled_area_kernel(x, y)
        is_front = area * facing[0] > 0
        if area == 0 or (facing[1] if is_front else facing[2]):
            continue
        top, bottom = rows_between_kernel(min(y), max(y), beside_sub, area_px[1], area_px[1] + area_px[3])
        if bottom <= top:
            continue
        seen += 1
        is_perspective = is_perspective_kernel(w)
        not_one = not_one | is_perspective
        left, right = rows_between_kernel(min(x), max(x), beside_sub, first, stop)
        if seen > 1 and right <= left:
            continue
        edge_0, edge_1, edge_2 = edges_kernel(x, y, area)
        room.place[k], room.front[k], room.perspective[k] = i, is_front, is_perspective
        room.x[0, k], room.x[1, k], room.x[2, k] = x
        room.y[0, k], room.y[1, k], room.y[2, k] = y
        room.edges[k, 0, 0], room.edges[k, 0, 1], room.edges[k, 0, 2] = edge_0
        room.edges[k, 1, 0], room.edges[k, 1, 1], room.edges[k, 1, 2] = edge_1
        room.edges[k, 2, 0], room.edges[k, 2, 1], room.edges[k, 2, 2] = edge_2
        room.rows[0, k], room.rows[1, k] = top, bottom
        k += 1
    return k, seen, not_one, end


set_up_kernel: Any = borrowing(_set_up)
