"""A few triangles from clip space to the targets, compiled: what a small draw costs is the way there, not its pixels.

No rule is written here: each step calls, compiled, the function that the array path calls. Where a triangle needs
clipping, or all are large, the loop gives up before anything is drawn. Importing this module imports numba.

Read next: ``small.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.kernel import borrowing, compiled
from refnvn.raster import window
from refnvn.raster.arithmetic_kernel import rounded_24_kernel
from refnvn.raster.blend_kernel import copy_kernel
from refnvn.raster.blend_lines_kernel import blend_bytes_kernel, unsigned_sources_kernel
from refnvn.raster.plane_kernel import (
    attribute_plane_kernel,
    depth_plane_kernel,
    frame_kernel,
    reference_block_kernel,
)
from refnvn.raster.reciprocal_kernel import reciprocal_kernel
from refnvn.raster.setup_kernel import (
    are_whole_kernel,
    columns_kernel,
    corners_kernel,
    doubled_area_kernel,
    edges_kernel,
    is_perspective_kernel,
    on_axis_kernel,
    over_w_kernel,
    rows_between_kernel,
)
from refnvn.raster.span_kernel import run_values_kernel, slopes_in_units
from refnvn.raster.unorm8_kernel import merge_line_kernel, words_line_kernel
from refnvn.raster.walk_kernel import list_passing_kernel

AT_ONCE = 256
"""Pixels of a span that are worked out together."""
MOST_PIXELS = 1 << 15
"""In the rectangles around triangles: where there are more, threads and longer runs pay."""
_HALF = window.SUBPIXELS // 2


def _overlap(places: Any, first: Any, size: Any) -> Any:
    """Return how many columns or rows around three places are among some."""
    return max(min((max(places) >> 8) + 1, first + size) - max(min(places) >> 8, first), 0)


_overlap_kernel = compiled(_overlap)


def _serves(positions: Any, triangles: Any, axes: Any, clips: Any, area: Any) -> bool:
    """Say whether triangles need no clipping, and the rectangles around them hold not too many pixels of an area."""
    pixels = 0
    for i in range(len(triangles)):
        x, y, z, w = corners_kernel(positions, triangles[i], axes)
        if not are_whole_kernel(x, y, z, w, clips):
            return False
        pixels += _overlap_kernel(x, area[0], area[2]) * _overlap_kernel(y, area[1], area[3])
    return pixels <= MOST_PIXELS


_serves_kernel = compiled(_serves)


def _fit(
    frame: Any, block: Any, three: Any, w: Any, varyings: Any, how: Any, fits_w: Any, planes: Any, w_plane: Any
) -> None:
    """Fit the planes of one triangle's values and, where its w is not 1, of 1 / w."""
    perspective = is_perspective_kernel(w)
    inverse = (np.float64(1), np.float64(1), np.float64(1))
    if perspective:
        inverse = (reciprocal_kernel(w[0]), reciprocal_kernel(w[1]), reciprocal_kernel(w[2]))
    for component in range(len(varyings)):
        if how[component] == 0:
            continue
        values = (
            np.float64(varyings[component, three[0]]),
            np.float64(varyings[component, three[1]]),
            np.float64(varyings[component, three[2]]),
        )
        if perspective and how[component] == 2:
            values = (
                rounded_24_kernel(values[0] * inverse[0]),
                rounded_24_kernel(values[1] * inverse[1]),
                rounded_24_kernel(values[2] * inverse[2]),
            )
        a, b, c = attribute_plane_kernel(frame, values, block)
        planes[0, 0, component], planes[1, 0, component], planes[2, 0, component] = a, b, c
    if perspective and fits_w:
        a, b, c = attribute_plane_kernel(frame, inverse, block)
        w_plane[0, 0, 0], w_plane[1, 0, 0], w_plane[2, 0, 0] = a, b, c


_fit_kernel = compiled(_fit)


def _depth_plane(frame: Any, block: Any, z: Any, w: Any, depth_range: Any) -> Any:
    scale, offset = depth_range
    depths = (
        np.float64(on_axis_kernel(z[0], over_w_kernel(w[0]), scale, offset)),
        np.float64(on_axis_kernel(z[1], over_w_kernel(w[1]), scale, offset)),
        np.float64(on_axis_kernel(z[2], over_w_kernel(w[2]), scale, offset)),
    )
    return depth_plane_kernel(frame, depths, block)


_depth_plane_kernel = compiled(_depth_plane)


def _save(target: Any, line: Any, columns: Any, listed: Any, left: Any) -> None:
    """Store the pixels of a line, which begins at a column, at the columns that are listed."""
    for i in range(listed):
        target[columns[i]] = line[columns[i] - left]


_save_kernel = borrowing(_save)


def _color(
    words: Any, left: Any, last: Any, mask: Any, columns: Any, listed: Any, values: Any, same: Any, rows: Any,
    convert: Any, merge: Any, lines: Any, line: Any, new: Any,
) -> None:  # fmt: skip
    """Store or blend a run of pixels of a row of words, of which those are left that are listed."""
    blends, channels, lines_how, source_convert = merge
    count = last - left
    copy_kernel(line[:count], words[left:last])
    if blends:
        unsigned_sources_kernel(lines, count, values, same, rows, source_convert)
        blend_bytes_kernel(line[:count], mask, channels, lines, 0, lines_how)
    else:
        words_line_kernel(new[:count], values, same, rows, convert)
        merge_line_kernel(line[:count], new, mask)
    if listed == count:
        copy_kernel(words[left:last], line)
    else:
        _save_kernel(words, line, columns, listed, left)


_color_kernel = borrowing(_color)


def _draw(vertices: Any, settings: Any, area: Any, color: Any, merge: Any, zeta: Any, scratch: Any) -> Any:
    """Draw triangles; return whether it was done, how many were drawn, if w was not 1, pixels, and samples passed."""
    positions, triangles, provoking, varyings = vertices
    axes, clips, facing, viewport, depth_range, fits_w, how = settings
    words, mask, rows, convert = color
    depths, tests, test = zeta
    planes, w_plane, origin, perspective, flat, values, same, reciprocal, ramp, columns, lines, line, new = scratch
    drawn = pixels = passed = 0
    not_one = False
    first, stop = area[0], area[0] + area[2]
    if not _serves_kernel(positions, triangles, axes, clips, area):
        return False, drawn, not_one, pixels, passed
    for i in range(len(triangles)):
        three = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        x, y, z, w = corners_kernel(positions, three, axes)
        size = doubled_area_kernel(x, y)
        if size == 0 or (facing[1] if size * facing[0] > 0 else facing[2]):
            continue
        top, bottom = rows_between_kernel(min(y), max(y), 0, area[1], area[1] + area[3])
        if bottom <= top:
            continue
        drawn += 1
        perspective[0] = is_perspective_kernel(w)
        not_one = not_one or perspective[0]
        edges = edges_kernel(x, y, size)
        frame = frame_kernel(x, y)
        block = reference_block_kernel(frame, viewport)
        origin[0, 0], origin[1, 0] = block
        depth = (0.0, 0.0, 0.0)
        if tests:
            depth = _depth_plane_kernel(frame, block, z, w, depth_range)
        if mask:
            for component in range(len(varyings)):
                flat[0, component] = varyings[component, provoking[i]]
            _fit_kernel(frame, block, three, w, varyings, how, fits_w, planes, w_plane)
        for row in range(top, bottom):
            left, right = first, stop
            for a, b, c in edges:
                begin, end = columns_kernel(a, b, c, row, _HALF, _HALF, first, stop)
                left, right = max(left, begin), min(right, end)
            while left < right:
                last = min(left + AT_ONCE, right)
                pixels += last - left
                listed = last - left
                if tests:
                    slopes = slopes_in_units(depth[0], depth[1])
                    listed = list_passing_kernel(
                        columns, depths[row], test, depth, slopes, block, row, left, last - left
                    )
                passed += listed
                if mask and listed:
                    run_values_kernel(
                        values, 0, same, how, flat, planes[0], planes[1], planes[2], origin[0], origin[1],
                        perspective, w_plane[0], w_plane[1], w_plane[2], 0, row, left, last, reciprocal, ramp,
                    )  # fmt: skip
                    _color_kernel(
                        words[row], left, last, mask, columns, listed, values, same, rows, convert,
                        merge, lines, line, new,
                    )  # fmt: skip
                left = last
    return True, drawn, not_one, pixels, passed


draw_kernel: Any = compiled(_draw)
