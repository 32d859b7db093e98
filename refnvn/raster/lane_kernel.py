"""The inner loops of large draws, compiled: planes at pixels, tests in order, stores.

No rule is written here. Each loop calls, compiled, the very function that the NumPy path calls on arrays; so both
give the same bits, and tests hold them against each other. Importing this module imports numba. Spans are walked in
order, rows as slices with unsigned indices, which spares a branch for negative ones.

Read next: ``batch.py``, which chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats import norm
from refnvn.formats.floatbits import Float32, Int64, UInt8, UInt32
from refnvn.kernel import compiled, rule_compiled
from refnvn.raster import arithmetic, depth_bounds, depth_stencil, interpolate
from refnvn.raster.interpolate import CANONICAL_NAN_BITS, Inputs
from refnvn.raster.reciprocal_kernel import reciprocal_kernel
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget, channel_bits
from refnvn.shader.ir_base import Interpolation

_HOW = {Interpolation.FLAT: 0, Interpolation.NOPERSPECTIVE: 1, Interpolation.SMOOTH: 2}
_NAN = np.array(CANONICAL_NAN_BITS, dtype=np.uint32).view(np.float32)[()]
_ONE = np.float32(1)
_ZERO = np.float32(0)
_SCALE_8 = np.float32(1 << 12)
_FRACTION_8 = np.float32(1 / (1 << 12))
_LARGEST_8 = np.float32(255)
_SHORT = 32
"""Spans of fewer pixels are not worth slices of rows."""
_BELOW_HALF_8 = np.float32((1 << 11) - 1)


_cut_24 = rule_compiled(arithmetic.cut_to_24_bits)
_cut_27 = rule_compiled(arithmetic.cut_to_27_bits)
_plane_at = rule_compiled(interpolate.plane_at, cut_sum_to_24_bits=rule_compiled(arithmetic.cut_sum_to_24_bits))
_depth_at = rule_compiled(interpolate.depth_at, cut_to_24_bits=_cut_24, cut_to_27_bits=_cut_27)
_ordering = rule_compiled(depth_stencil.ordering)
_lies_within = rule_compiled(depth_bounds.lies_within)
_half_down = rule_compiled(norm.cut_then_half_down)


def _span_values(
    out: Any, begin: int, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any,
    wa: Any, wb: Any, wc: Any, p: Any, row: Any, left: Any, right: Any, reciprocal: Any,
) -> None:  # fmt: skip
    count = np.int32(right - left)
    dx, dy = (left + 0.5) - x0[p], (row + 0.5) - y0[p]
    if perspective[p]:
        for i in range(count):
            w = np.float32(_plane_at(wa[p, 0], wb[p, 0], wc[p, 0], dx + i, dy))
            reciprocal[np.uint32(i)] = reciprocal_kernel(w)
    for component in range(out.shape[0]):
        target = out[component, begin : begin + count]
        if how[component] == 0 or np.isnan(c[p, component]):
            value = flat[p, component] if how[component] == 0 else _NAN
            for i in range(count):
                target[np.uint32(i)] = value
            continue
        slope_x, slope_y, constant = a[p, component], b[p, component], c[p, component]
        if how[component] == 2 and perspective[p]:
            for i in range(count):
                plane = _plane_at(slope_x, slope_y, constant, dx + i, dy)
                product = plane * reciprocal[np.uint32(i)]
                target[np.uint32(i)] = _NAN if np.isnan(product) else np.float32(_cut_24(product))
        elif slope_x == 0:  # the same all along the row
            value = np.float32(_plane_at(slope_x, slope_y, constant, dx, dy))
            for i in range(count):
                target[np.uint32(i)] = value
        else:
            for i in range(count):
                target[np.uint32(i)] = np.float32(_plane_at(slope_x, slope_y, constant, dx + i, dy))


span_values_kernel = compiled(_span_values)


def _interpolate(
    out: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any,
    wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any, start: Any, widest: int,
) -> None:  # fmt: skip
    reciprocal = np.empty(widest, dtype=np.float64)
    for k in range(row.size):
        span_values_kernel(
            out, start[k], how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
            primitive[k], row[k], left[k], right[k], reciprocal,
        )  # fmt: skip


def _depths(
    out: Any, a: Any, b: Any, c: Any, x: float, y: float,
    primitive: Any, row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        p = primitive[k]
        count = np.int32(right[k] - left[k])
        target = out[start[k] : start[k] + count]
        slope_x, slope_y, constant = a[p, 0], b[p, 0], c[p, 0]
        for i in range(count):
            depth = _depth_at(slope_x, slope_y, constant, left[k] + i, row[k], x, y)
            target[np.uint32(i)] = _NAN if np.isnan(constant) else np.float32(depth)


def _test(
    depth: Any, stencil: Any, is_float: bool, passes: Any, after: Any, has_stencil: bool, mask: int, write: bool,
    low: Any, high: Any, bounded: bool, codes: Any, alive: Any, all_alive: bool, front: Any, passed: Any,
    primitive: Any, row: Any, left: Any, right: Any, start: Any, top: int, first: int,
) -> None:  # fmt: skip
    for k in range(row.size):
        face = np.uint32(1 if front[primitive[k]] else 0)
        line = np.uint32(row[k] - top)
        for i in range(right[k] - left[k]):
            lane = np.uint32(start[k] + i)
            if not (all_alive or alive[lane]):
                continue
            column = np.uint32(left[k] + i - first)
            code, old = codes[lane], depth[line, column]
            if is_float:
                kept = np.uint32(old).view(np.float32)
                order = _ordering(np.uint32(code).view(np.float32), kept)
                inside = not bounded or _lies_within(
                    kept, np.uint32(low).view(np.float32), np.uint32(high).view(np.float32)
                )
            else:
                order = _ordering(code, old)
                inside = not bounded or _lies_within(old, low, high)
            if not inside:
                continue
            both = (order & mask) != 0
            if has_stencil:
                stored = stencil[line, column]
                outcome = np.uint32(0)
                if passes[face, stored]:
                    outcome = np.uint32(2) if both else np.uint32(1)
                stencil[line, column] = after[face, outcome, stored]
                both = outcome == np.uint32(2)
            if both:
                passed[lane] = True
                if write:
                    depth[line, column] = code


def _unorm8(value: Any) -> Any:
    unit = value if value > _ZERO else _ZERO  # noqa: FURB136 - NaN must become 0
    unit = unit if unit < _ONE else _ONE  # noqa: FURB136 - as above
    return np.uint32(np.int32(_half_down(unit, _SCALE_8, _LARGEST_8, _BELOW_HALF_8, _FRACTION_8)))


_unorm8_code = compiled(_unorm8)


def _span_unorm8(
    line: Any, mask: Any, one: Any, two: Any, three: Any, four: Any, alive: Any, all_alive: bool
) -> None:
    keep = np.uint32(~mask)
    if all_alive and keep == 0:
        for i in range(np.int32(line.size)):
            j = np.uint32(i)
            low = _unorm8_code(one[j]) | (_unorm8_code(two[j]) << np.uint32(8))
            high = (_unorm8_code(three[j]) << np.uint32(16)) | (_unorm8_code(four[j]) << np.uint32(24))
            line[j] = low | high
    else:
        for i in range(np.int32(line.size)):
            j = np.uint32(i)
            if all_alive or alive[j]:
                low = _unorm8_code(one[j]) | (_unorm8_code(two[j]) << np.uint32(8))
                high = (_unorm8_code(three[j]) << np.uint32(16)) | (_unorm8_code(four[j]) << np.uint32(24))
                line[j] = (line[j] & keep) | ((low | high) & mask)


_span_unorm8_kernel = compiled(_span_unorm8)


def _store_unorm8(
    words: Any, mask: Any, values: Any, rows: Any, alive: Any, all_alive: bool,
    row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    keep = np.uint32(~mask)
    one, two, three, four = values[rows[0]], values[rows[1]], values[rows[2]], values[rows[3]]
    for k in range(row.size):
        count = np.int32(right[k] - left[k])
        begin, end = start[k], start[k] + count
        if count < _SHORT:
            for i in range(begin, end):
                if all_alive or alive[i]:
                    low = _unorm8_code(one[i]) | (_unorm8_code(two[i]) << np.uint32(8))
                    high = (_unorm8_code(three[i]) << np.uint32(16)) | (_unorm8_code(four[i]) << np.uint32(24))
                    column = np.uint64(left[k] + i - begin)
                    words[row[k], column] = (words[row[k], column] & keep) | ((low | high) & mask)
            continue
        _span_unorm8_kernel(
            words[row[k], left[k] : left[k] + count], mask,
            one[begin:end], two[begin:end], three[begin:end], four[begin:end],
            alive[begin:end], all_alive,
        )  # fmt: skip


def _fill_unorm8(
    words: Any, mask: Any, rows: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any,
    perspective: Any, wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any, widest: int,
) -> None:  # fmt: skip
    reciprocal = np.empty(widest, dtype=np.float64)
    values = np.empty((how.size, widest), dtype=np.float32)
    alive = np.empty(0, dtype=np.bool_)
    for k in range(row.size):
        count = np.int32(right[k] - left[k])
        span_values_kernel(
            values, 0, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
            primitive[k], row[k], left[k], right[k], reciprocal,
        )  # fmt: skip
        _span_unorm8_kernel(
            words[row[k], left[k] : left[k] + count], mask,
            values[rows[0]], values[rows[1]], values[rows[2]], values[rows[3]], alive, True,
        )  # fmt: skip


def _fill_samples(
    words: Any, mask: Any, rows: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any,
    perspective: Any, wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any, widest: int,
    begin: Any, end: Any,
) -> None:  # fmt: skip
    reciprocal = np.empty(widest, dtype=np.float64)
    values = np.empty((how.size, widest), dtype=np.float32)
    line = np.empty(widest, dtype=np.uint32)
    alive = np.empty(0, dtype=np.bool_)
    keep = np.uint32(~mask)
    for k in range(row.size):
        count = np.int32(right[k] - left[k])
        span_values_kernel(
            values, 0, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
            primitive[k], row[k], left[k], right[k], reciprocal,
        )  # fmt: skip
        _span_unorm8_kernel(
            line[:count], np.uint32(0xFFFFFFFF),
            values[rows[0]], values[rows[1]], values[rows[2]], values[rows[3]], alive, True,
        )  # fmt: skip
        for sample in range(len(words)):
            first, last = begin[k, sample], end[k, sample]
            target = words[sample][row[k], first:last]
            source = line[first - left[k] : last - left[k]]
            if keep == 0:
                for i in range(np.int32(target.size)):
                    target[np.uint32(i)] = source[np.uint32(i)]
            else:
                for i in range(np.int32(target.size)):
                    j = np.uint32(i)
                    target[j] = (target[j] & keep) | (source[j] & mask)


def _store_bytes(
    texels: Any, bits: Any, codes: Any, alive: Any, all_alive: bool, row: Any, left: Any, right: Any, start: Any
) -> None:
    for k in range(row.size):
        count = np.int32(right[k] - left[k])
        line = texels[row[k], left[k] : left[k] + count]
        part = codes[start[k] : start[k] + count]
        for i in range(count):
            j = np.uint32(i)
            if all_alive or alive[np.uint64(start[k]) + np.uint64(i)]:
                for byte in range(bits.size):
                    line[j, byte] = (line[j, byte] & ~bits[byte]) | (part[j, byte] & bits[byte])


interpolate_kernel: Any = compiled(_interpolate)
depths_kernel: Any = compiled(_depths)
test_kernel: Any = compiled(_test)
store_unorm8_kernel: Any = compiled(_store_unorm8)
store_bytes_kernel: Any = compiled(_store_bytes)
fill_unorm8_kernel: Any = compiled(_fill_unorm8)
fill_samples_kernel: Any = compiled(_fill_samples)

_NO_LANES = np.zeros(0, dtype=np.bool_)
_NO_PLANE = np.zeros((1, 1))


def _where(spans: Spans) -> tuple[Any, ...]:
    return spans.primitive, spans.row, spans.left, spans.right, spans.start


def plane_arrays(inputs: Inputs) -> tuple[Any, ...]:
    """Return the planes of inputs as the kernels take them."""
    how = np.array([_HOW[one] for one in inputs.rows], dtype=np.int64)
    flat = np.ascontiguousarray(inputs.flat).view(np.float32)
    if inputs.planes is None:
        blank = np.zeros(inputs.flat.shape)
        planes = (blank, blank, blank, np.zeros(len(blank)), np.zeros(len(blank)))
    else:
        planes = (inputs.planes.a, inputs.planes.b, inputs.planes.c, inputs.planes.x0, inputs.planes.y0)
    w = inputs.inverse_w
    inverse = (_NO_PLANE, _NO_PLANE, _NO_PLANE) if w is None else (w.a, w.b, w.c)
    perspective = inputs.perspective if w is not None else np.zeros_like(inputs.perspective)
    return how, flat, *planes, perspective, *inverse


def widest(spans: Spans) -> int:
    """Return how many pixels the longest span has."""
    return int((spans.right - spans.left).max(initial=0))


def values_of(inputs: Inputs, spans: Spans) -> UInt32:
    """Return the bits of all input components at the pixels of spans, shape (components, lanes)."""
    out = np.empty((len(inputs.rows), spans.lanes), dtype=np.uint32)
    if inputs.rows:
        interpolate_kernel(out.view(np.float32), *plane_arrays(inputs), *_where(spans), widest(spans))
    return out


def depths_of(inputs: Inputs, spans: Spans, x: float, y: float) -> Float32:
    """Return the depth at one place in the pixels of spans before any clamp."""
    out = np.empty(spans.lanes, dtype=np.float32)
    assert inputs.depth is not None
    depths_kernel(out, inputs.depth.a, inputs.depth.b, inputs.depth.c, x, y, *_where(spans))
    return out


def run_tests(
    planes: depth_stencil.StoredPlanes,
    tests: depth_stencil.Tests,
    spans: Spans,
    codes: UInt32,
    front: NDArray[np.bool_],
    alive: NDArray[np.bool_] | None,
) -> NDArray[np.bool_]:
    """Test fragments in order; see :func:`refnvn.raster.depth_stencil.run_tests`."""
    passed = np.zeros(spans.lanes, dtype=np.bool_)
    living = _NO_LANES if alive is None else alive
    low, high = (np.uint32(code) for code in tests.bounds or (0, 0))
    test_kernel(
        planes.depth, planes.stencil, planes.is_float, tests.passes, tests.after, tests.stencil, tests.depth,
        tests.depth_write, low, high, tests.bounds is not None, codes, living, alive is None, front, passed,
        *_where(spans), planes.top, planes.left,
    )  # fmt: skip
    return passed


def words_of(target: ColorTarget, mask: int) -> tuple[UInt32, np.uint32]:
    """Return the texels of a target as words, and the bits of them that a channel mask lets be written."""
    bits = np.uint32(int.from_bytes(channel_bits(target.fmt, mask).tobytes(), "little"))
    return target.codes.view(np.uint32)[..., 0], bits


def store_unorm8(
    target: ColorTarget,
    mask: int,
    values: UInt32,
    rows: tuple[int, ...],
    spans: Spans,
    alive: NDArray[np.bool_] | None,
) -> None:
    """Convert and store fragments to a target of four 8-bit unorm channels; ``rows`` in the order of its bytes."""
    living = _NO_LANES if alive is None else alive
    store_unorm8_kernel(
        *words_of(target, mask), values.view(np.float32), np.array(rows), living, alive is None, *_where(spans)[1:]
    )


def fill_unorm8(target: ColorTarget, mask: int, inputs: Inputs, rows: tuple[int, ...], spans: Spans) -> None:
    """Interpolate, convert and store without a stop: for shaders that copy their inputs, where no test is on."""
    where = (spans.primitive, spans.row, spans.left, spans.right)
    fill_unorm8_kernel(*words_of(target, mask), np.array(rows), *plane_arrays(inputs), *where, widest(spans))


def fill_samples_unorm8(
    targets: Sequence[ColorTarget],
    mask: int,
    inputs: Inputs,
    rows: tuple[int, ...],
    spans: Spans,
    reach: tuple[Int64, Int64],
) -> None:
    """Fill the samples of a target: interpolated and converted once, stored from ``reach[0]`` to ``reach[1]``."""
    words = tuple(words_of(target, mask)[0] for target in targets)
    where = (spans.primitive, spans.row, spans.left, spans.right)
    fill_samples_kernel(
        words, words_of(targets[0], mask)[1], np.array(rows), *plane_arrays(inputs), *where, widest(spans), *reach
    )


def store_bytes(target: ColorTarget, mask: int, codes: UInt8, spans: Spans, alive: NDArray[np.bool_] | None) -> None:
    """Store codes of fragments, shape (lanes, bytes per texel)."""
    living = _NO_LANES if alive is None else alive
    bits = channel_bits(target.fmt, mask)
    store_bytes_kernel(target.codes, bits, codes, living, alive is None, *_where(spans)[1:])
