"""Fitting the planes of triangles that were set up, compiled: loops over arrays that take several triangles at once.

No rule is written here: each loop calls, compiled, the very rules of ``planes.py``. Importing this module imports
numba. Read next: ``triangles.py``.
"""

from __future__ import annotations

from typing import Any

from refnvn.kernel import borrowing, compiled_apart
from refnvn.raster import planes
from refnvn.raster.arithmetic_kernel import rounded_24_kernel
from refnvn.raster.plane_kernel import (
    attribute_plane_kernel,
    depth_plane_kernel,
    frame_kernel,
    reference_block_kernel,
)
from refnvn.raster.reciprocal_kernel import reciprocal_kernel
from refnvn.raster.setup_kernel import on_axis_kernel, over_w_kernel

_Frame = planes.Frame


def _frames(
    count: Any, x0: Any, x1: Any, x2: Any, y0: Any, y1: Any, y2: Any, viewport: Any,
    at_x0: Any, at_x1: Any, at_x2: Any, at_y0: Any, at_y1: Any, at_y2: Any, base: Any, anchor: Any,
    step_x0: Any, step_x1: Any, step_y0: Any, step_y1: Any, block_x: Any, block_y: Any,
) -> None:  # fmt: skip
    for k in range(count):
        frame = frame_kernel((x0[k], x1[k], x2[k]), (y0[k], y1[k], y2[k]))
        at_x0[k], at_x1[k], at_x2[k] = frame.x
        at_y0[k], at_y1[k], at_y2[k] = frame.y
        base[k], anchor[k] = frame.base, frame.anchor
        step_x0[k], step_x1[k] = frame.step_x
        step_y0[k], step_y1[k] = frame.step_y
        block_x[k], block_y[k] = reference_block_kernel(frame, viewport)


_frames_kernel = compiled_apart(_frames)


def _attributes(
    count: Any, at_x0: Any, at_x1: Any, at_x2: Any, at_y0: Any, at_y1: Any, at_y2: Any, base: Any, anchor: Any,
    step_x0: Any, step_x1: Any, step_y0: Any, step_y1: Any, block_x: Any, block_y: Any,
    one: Any, two: Any, three: Any, a: Any, b: Any, c: Any,
) -> None:  # fmt: skip
    for k in range(count):
        frame = _Frame(
            (at_x0[k], at_x1[k], at_x2[k]), (at_y0[k], at_y1[k], at_y2[k]), base[k],
            (step_x0[k], step_x1[k]), (step_y0[k], step_y1[k]), anchor[k],
        )  # fmt: skip
        block = block_x[k], block_y[k]
        a[k], b[k], c[k] = attribute_plane_kernel(frame, (one[k], two[k], three[k]), block)


_attributes_kernel = compiled_apart(_attributes)


def _depths(
    count: Any, at_x0: Any, at_x1: Any, at_x2: Any, at_y0: Any, at_y1: Any, at_y2: Any, base: Any, anchor: Any,
    step_x0: Any, step_x1: Any, step_y0: Any, step_y1: Any, block_x: Any, block_y: Any,
    one: Any, two: Any, three: Any, a: Any, b: Any, c: Any,
) -> None:  # fmt: skip
    for k in range(count):
        frame = _Frame(
            (at_x0[k], at_x1[k], at_x2[k]), (at_y0[k], at_y1[k], at_y2[k]), base[k],
            (step_x0[k], step_x1[k]), (step_y0[k], step_y1[k]), anchor[k],
        )  # fmt: skip
        a[k], b[k], c[k] = depth_plane_kernel(frame, (one[k], two[k], three[k]), (block_x[k], block_y[k]))


_depths_kernel = compiled_apart(_depths)


def _inverses(count: Any, positions: Any, triangles: Any, place: Any, perspective: Any, found: Any) -> None:
    """Find 1 / w of the vertices of triangles that need it; 1 in others."""
    for k in range(count):
        for corner in range(3):
            found[corner, k] = 1.0
            if perspective[k]:
                found[corner, k] = reciprocal_kernel(positions[triangles[place[k], corner], 3])


_inverses_kernel = borrowing(_inverses)


def _gather(
    count: Any, triangles: Any, place: Any, words: Any, perspective: Any, smooth: Any, inverse: Any, found: Any
) -> None:
    """Find the values of one input at the vertices, over w where they are smooth and w is not 1."""
    for k in range(count):
        i = place[k]
        for corner in range(3):
            found[corner, k] = words[triangles[i, corner]]
    if smooth:
        for k in range(count):
            if perspective[k]:
                for corner in range(3):
                    found[corner, k] = rounded_24_kernel(found[corner, k] * inverse[corner, k])


_gather_kernel = borrowing(_gather)


def _window_depths(count: Any, positions: Any, triangles: Any, place: Any, depth_range: Any, found: Any) -> None:
    scale, offset = depth_range
    for k in range(count):
        for corner in range(3):
            vertex = triangles[place[k], corner]
            found[corner, k] = on_axis_kernel(
                positions[vertex, 2], over_w_kernel(positions[vertex, 3]), scale, offset
            )


_window_depths_kernel = borrowing(_window_depths)


def _fit(
    count: Any, positions: Any, triangles: Any, varyings: Any, provoking: Any, how: Any, viewport: Any,
    depth_range: Any, fits: Any, any_perspective: Any, room: Any, space: Any,
) -> None:  # fmt: skip
    """Fit the planes of triangles; ``fits`` says whether 1 / w, 1 / w everywhere, and depth are wanted."""
    x, y, at, steps, corners, block = room.x, room.y, space.at, space.steps, space.corners, room.reference
    _frames_kernel(
        count, x[0], x[1], x[2], y[0], y[1], y[2], viewport, at[0], at[1], at[2], at[3], at[4], at[5],
        corners[0], corners[1], steps[0], steps[1], steps[2], steps[3], block[0], block[1],
    )  # fmt: skip
    values, inverse, planes, depth = space.values, space.inverse, room.planes, room.depth
    if any_perspective or fits[1]:
        _inverses_kernel(count, positions, triangles, room.place, room.perspective, inverse)
    for component in range(how.size):
        if how[component] == 0:
            for k in range(count):
                room.flat[component, k] = varyings[component, provoking[room.place[k]]]
            continue
        smooth = any_perspective and how[component] == 2
        _gather_kernel(count, triangles, room.place, varyings[component], room.perspective, smooth, inverse, values)
        _attributes_kernel(
            count, at[0], at[1], at[2], at[3], at[4], at[5], corners[0], corners[1],
            steps[0], steps[1], steps[2], steps[3], block[0], block[1], values[0], values[1], values[2],
            planes[0, component], planes[1, component], planes[2, component],
        )  # fmt: skip
    if fits[1] or (fits[0] and any_perspective):
        _attributes_kernel(
            count, at[0], at[1], at[2], at[3], at[4], at[5], corners[0], corners[1],
            steps[0], steps[1], steps[2], steps[3], block[0], block[1], inverse[0], inverse[1], inverse[2],
            room.w_planes[0, 0], room.w_planes[1, 0], room.w_planes[2, 0],
        )  # fmt: skip
    if fits[2]:
        _window_depths_kernel(count, positions, triangles, room.place, depth_range, values)
        _depths_kernel(
            count, at[0], at[1], at[2], at[3], at[4], at[5], corners[0], corners[1],
            steps[0], steps[1], steps[2], steps[3], block[0], block[1], values[0], values[1], values[2],
            depth[0, 0], depth[1, 0], depth[2, 0],
        )  # fmt: skip


fit_kernel: Any = borrowing(_fit)
