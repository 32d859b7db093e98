"""Triangles from their planes to the targets in one compiled loop: rows, spans, depth test, values, store.

No rule is written here: each step calls, compiled, the function that the array path calls. Depth is compared where it
is stored, so nothing is taken apart. What passes of a span is listed first and stored then, which spares a branch for
each pixel. Importing this module imports numba.

Read next: ``walk.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats import depth_stencil as depth_formats
from refnvn.formats import floatbits, norm
from refnvn.kernel import borrowing, inlined, prefetcher, rule_compiled
from refnvn.raster import depth_stencil, window
from refnvn.raster.arithmetic_kernel import choice_kernel, cut_24_kernel
from refnvn.raster.fit_kernel import fit_kernel
from refnvn.raster.reciprocal_kernel import reciprocal_kernel
from refnvn.raster.setup_kernel import columns_kernel, set_up_kernel
from refnvn.raster.span_kernel import depth_at, plane_at, quad_and_part, slopes_in_units
from refnvn.raster.unorm8_kernel import unorm8_code

_HALF = window.SUBPIXELS // 2
_prefetch = prefetcher()
_ZERO, _ONE = np.float32(0), np.float32(1)
_FLOAT_BITS, _UNORM24_BITS = 32, 24

_ordering = rule_compiled(depth_stencil.ordering)
_half_down = rule_compiled(norm.cut_then_half_down)
_within_range = rule_compiled(depth_stencil.within_range, chosen=choice_kernel)
_depth24_of = rule_compiled(depth_formats.depth24_of)
_is_nan_bits = rule_compiled(floatbits.is_nan_bits)
_depth32f_of = rule_compiled(
    depth_formats.depth32f_of,
    chosen=choice_kernel,
    clamped_bits=rule_compiled(depth_formats.clamped_bits, chosen=choice_kernel, is_nan_bits=_is_nan_bits),
)


def _depth_code(depth: Any, bits: Any) -> Any:
    """Return the code of a depth in a format of 16, 24 or, as a float, 32 bits."""
    if bits == _FLOAT_BITS:
        return np.uint32(_depth32f_of(np.float32(depth).view(np.uint32)))
    unit = depth if depth > _ZERO else _ZERO  # noqa: FURB136 - NaN must become 0
    wide = np.float64(unit if unit < _ONE else _ONE)  # noqa: FURB136 - as above
    if bits == _UNORM24_BITS:
        return np.uint32(_depth24_of(wide))
    return np.uint32(_half_down(wide, 1048576.0, 65535.0, 524287.0, 1 / 1048576))


depth_code_kernel: Any = inlined(_depth_code)


def _order(code: Any, old: Any, bits: Any) -> Any:
    if bits == _FLOAT_BITS:
        return _ordering(np.uint32(code).view(np.float32), np.uint32(old).view(np.float32))
    return _ordering(code, old)


_order_kernel = inlined(_order)


def _list_passing(
    columns: Any, line: Any, test: Any, plane: Any, slopes: Any, reference: Any, row: Any, left: Any, count: Any
) -> Any:
    """List the columns of pixels that pass the depth test, which is done on the way; return how many."""
    bits, shift, clamps, low, high, passes, writes = test
    keep = np.uint32(~(np.uint32((np.uint64(1) << np.uint64(bits)) - np.uint64(1)) << shift))
    passed = 0
    for i in range(count):
        column = left + i
        depth = np.float32(depth_at(plane, slopes, reference, (column, row), (0.5, 0.5)))
        if clamps:
            depth = _within_range(depth, low, high)
        code = depth_code_kernel(depth, bits)
        word = np.uint32(line[np.uint64(column)])
        both = (_order_kernel(code, np.uint32(np.uint32(word & ~keep) >> shift), bits) & passes) != 0
        columns[np.uint32(passed)] = column
        passed += both
        if writes:
            after = np.uint32(word & keep) | np.uint32(code << shift)
            line[np.uint64(column)] = after if both else word
    return passed


list_passing_kernel: Any = inlined(_list_passing)


def _at(plane: Any, x: Any, y: Any) -> Any:
    return plane_at(plane[0], plane[1], (x[0], y[0]), (x[1], y[1]))


_at_kernel = inlined(_at)


def _value(plane: Any, x: Any, y: Any, convert: Any) -> Any:
    return unorm8_code(np.float32(_at_kernel(plane, x, y)), convert)


_value_kernel = inlined(_value)


def _store(line: Any, columns: Any, count: Any, mask: Any, planes: Any, x0: Any, y: Any, convert: Any) -> None:
    one, two, three, four = planes
    keep = np.uint32(~mask)
    for i in range(count):
        column = columns[np.uint32(i)]
        x = quad_and_part(column, 0.5, x0)
        low = _value_kernel(one, x, y, convert) | (_value_kernel(two, x, y, convert) << np.uint32(8))
        high = _value_kernel(three, x, y, convert) | (_value_kernel(four, x, y, convert) << np.uint32(8))
        at = np.uint64(column)
        line[at] = np.uint32(line[at] & keep) | np.uint32((low | (high << np.uint32(16))) & mask)


_store_kernel = inlined(_store)


def _divided(plane: Any, x: Any, y: Any, times: Any, smooth: Any, convert: Any) -> Any:
    value = _at_kernel(plane, x, y)
    return unorm8_code(np.float32(cut_24_kernel(value * times) if smooth else value), convert)


_divided_kernel = inlined(_divided)


def _store_divided(
    line: Any, columns: Any, count: Any, mask: Any, planes: Any, smooth: Any, inverse: Any, x0: Any, y: Any,
    convert: Any,
) -> None:  # fmt: skip
    """Store as :func:`_store` does where smooth values are divided by the plane of 1 / w."""
    one, two, three, four = planes
    keep = np.uint32(~mask)
    for i in range(count):
        column = columns[np.uint32(i)]
        x = quad_and_part(column, 0.5, x0)
        times = reciprocal_kernel(np.float32(_at_kernel(inverse, x, y)))
        low = _divided_kernel(one, x, y, times, smooth[0], convert)
        low |= _divided_kernel(two, x, y, times, smooth[1], convert) << np.uint32(8)
        high = _divided_kernel(three, x, y, times, smooth[2], convert) << np.uint32(16)
        high |= _divided_kernel(four, x, y, times, smooth[3], convert) << np.uint32(24)
        at = np.uint64(column)
        line[at] = np.uint32(line[at] & keep) | np.uint32((low | high) & mask)


_store_divided_kernel = borrowing(_store_divided)


def _plane_of(room: Any, k: Any, component: Any, how: Any) -> Any:
    """Return the slopes of a component's plane, as they are used, and its constant; a flat one is level."""
    if how[component] == 0:
        return slopes_in_units(np.float64(0), np.float64(0)), np.float64(room.flat[component, k])
    slopes = slopes_in_units(room.planes[0, component, k], room.planes[1, component, k])
    return slopes, room.planes[2, component, k]


_plane_of_kernel = inlined(_plane_of)


def _planes_of(room: Any, k: Any, order: Any, how: Any, mask: Any) -> Any:
    """Return the planes of the bytes of a texel; level ones where none is stored."""
    if not mask:
        level = slopes_in_units(np.float64(0), np.float64(0)), np.float64(0)
        return level, level, level, level
    return (
        _plane_of_kernel(room, k, order[0], how),
        _plane_of_kernel(room, k, order[1], how),
        _plane_of_kernel(room, k, order[2], how),
        _plane_of_kernel(room, k, order[3], how),
    )


_planes_of_kernel = inlined(_planes_of)


def _depth_plane_of(room: Any, k: Any, is_on: Any) -> Any:
    """Return the plane of depth and its reference point; zeros where it is not tested."""
    zero = np.float64(0)
    if not is_on:
        return (zero, zero, zero), (zero, zero)
    plane = (room.depth[0, 0, k], room.depth[1, 0, k], room.depth[2, 0, k])
    return plane, (room.depth_reference[0, k], room.depth_reference[1, k])


_depth_plane_of_kernel = inlined(_depth_plane_of)


def _span(edges: Any, k: Any, row: Any, first: Any, stop: Any) -> Any:
    left, right = first, stop
    for edge in range(edges.shape[1]):
        begin, end = columns_kernel(
            edges[k, edge, 0], edges[k, edge, 1], edges[k, edge, 2], row, _HALF, _HALF, first, stop
        )
        left, right = max(left, begin), min(right, end)
    return left, right


_span_kernel = inlined(_span)


def _draw_spans(count: Any, room: Any, lists: Any, how: Any, colors: Any, tests: Any) -> Any:
    """Test and store the pixels of some spans in order; return how many passed."""
    spans, columns = lists
    words, mask, order, convert = colors
    zeta, is_on, test = tests
    passed, last = 0, np.int64(-1)
    depth, reference = _depth_plane_of_kernel(room, spans[0, 0], is_on)
    slopes, planes = slopes_in_units(depth[0], depth[1]), _planes_of_kernel(room, spans[0, 0], order, how, mask)
    for span in range(count):
        k, row, left, right = spans[span, 0], spans[span, 1], spans[span, 2], spans[span, 3]
        if k != last:  # most spans are of the triangle of the span before
            depth, reference = _depth_plane_of_kernel(room, k, is_on)
            slopes, planes = slopes_in_units(depth[0], depth[1]), _planes_of_kernel(room, k, order, how, mask)
            last = k
        line = np.uint64(row)
        x0, y = room.reference[0, k], quad_and_part(row, 0.5, room.reference[1, k])
        while left < right:
            listed = some = min(right - left, len(columns) - 1)
            if is_on:
                listed = list_passing_kernel(columns, zeta[line], test, depth, slopes, reference, row, left, some)
            else:
                for i in range(some):
                    columns[np.uint32(i)] = left + i
            passed += listed
            left += some
            if mask and room.perspective[k]:
                smooth = (how[order[0]] == 2, how[order[1]] == 2, how[order[2]] == 2, how[order[3]] == 2)
                inverse = (slopes_in_units(room.w_planes[0, 0, k], room.w_planes[1, 0, k]), room.w_planes[2, 0, k])
                _store_divided_kernel(words[line], columns, listed, mask, planes, smooth, inverse, x0, y, convert)
            elif mask:
                _store_kernel(words[line], columns, listed, mask, planes, x0, y, convert)
    return passed


_draw_spans_kernel = borrowing(_draw_spans)


def _walk(count: Any, area: Any, room: Any, lists: Any, how: Any, colors: Any, tests: Any) -> Any:
    """Draw triangles that were set up into the pixels of an area; return how many pixels there were and passed."""
    spans = lists[0]
    first, stop = area[0], area[0] + area[2]
    passed = pixels = listed = 0
    for k in range(count):
        for row in range(max(room.rows[0, k], area[1]), min(room.rows[1, k], area[1] + area[3])):
            left, right = _span_kernel(room.edges, k, row, first, stop)
            if left >= right:
                continue
            spans[listed, 0], spans[listed, 1], spans[listed, 2], spans[listed, 3] = k, row, left, right
            pixels += right - left
            listed += 1
            if tests[1]:
                _prefetch(tests[0], row, left)
                _prefetch(tests[0], row, right - 1)
            if colors[1]:
                _prefetch(colors[0], row, left)
                _prefetch(colors[0], row, right - 1)
            if listed == len(spans):
                passed += _draw_spans_kernel(listed, room, lists, how, colors, tests)
                listed = 0
    if listed:
        passed += _draw_spans_kernel(listed, room, lists, how, colors, tests)
    return pixels, passed


walk_kernel: Any = borrowing(_walk)


def _draw(
    begin: Any, end: Any, where: Any, window: Any, values: Any, room: Any, space: Any, lists: Any, colors: Any,
    tests: Any,
) -> Any:  # fmt: skip
    """Set up and draw triangles ``begin`` to ``end``, or until one needs clipping, as many at a time as a room holds.

    Returns how many had an area, whether one had w other than 1, where it stopped, and what :func:`_walk` returns.
    """
    seen = pixels = passed = 0
    not_one = False
    while begin < end:
        stop = min(begin + len(room.place), end)
        kept, some, perspective, stopped = set_up_kernel(
            begin, stop, where[0], where[1], window[0], window[1], window[2], window[3], window[4], room
        )
        fit_kernel(
            kept, where[0], where[1], values[0], values[1], values[2], values[3], values[4], values[5],
            perspective, room, space,
        )  # fmt: skip
        covered, drawn = walk_kernel(kept, window[3], room, lists, values[2], colors, tests)
        seen, pixels, passed, not_one = seen + some, pixels + covered, passed + drawn, not_one or perspective
        begin = stopped
        if stopped < stop:
            break
    return 0, seen, not_one, begin, pixels, passed


draw_kernel: Any = borrowing(_draw)
