"""Planes at the pixels of spans, compiled: a run of pixels of one row at a time, component by component.

No rule is written here: each loop calls, compiled, the very function that the NumPy path calls on arrays. Where a
component is the same all along a run it is found once. Rows are slices with unsigned indices, which spares a branch
for negative ones. Importing this module imports numba.

Read next: ``lane_kernel.py`` and ``unorm8_kernel.py``, its uses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats.floatbits import Float64
from refnvn.kernel import borrowing, rule_compiled
from refnvn.raster import interpolate
from refnvn.raster.arithmetic_kernel import (
    choice_kernel,
    cut_24_kernel,
    cut_27_kernel,
    exponent_kernel,
    power_of_two_kernel,
)
from refnvn.raster.inputs import Inputs, interpolation_numbers
from refnvn.raster.interpolate import CANONICAL_NAN_BITS
from refnvn.raster.reciprocal_kernel import reciprocal_kernel
from refnvn.raster.spans import Spans

_NAN = np.array(CANONICAL_NAN_BITS, dtype=np.uint32).view(np.float32)[()]
_NO_PLANE = np.zeros((1, 1))
BLOCK = 1024
"""So many pixels at a time: their lines stay in the nearest cache."""


slopes_in_units: Any = rule_compiled(
    interpolate.slopes_in_units, chosen=choice_kernel, exponent=exponent_kernel, power_of_two=power_of_two_kernel
)
quad_and_part: Any = rule_compiled(interpolate.quad_and_part)
plane_at: Any = rule_compiled(interpolate.plane_at, chosen=choice_kernel, cut_to_24_bits=cut_24_kernel)
depth_at: Any = rule_compiled(
    interpolate.depth_at, cut_to_27_bits=cut_27_kernel, quad_and_part=quad_and_part, plane_at=plane_at
)


def _spread(line: Any, value: Any) -> None:
    for i in range(np.int32(line.size)):
        line[np.uint32(i)] = value


def _plane_line(line: Any, a: Any, b: Any, c: Any, quad: Any, part_y: Any, quads: Any, parts: Any) -> None:
    slopes = slopes_in_units(a, b)
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        line[j] = np.float32(plane_at(slopes, c, (quad[0] + quads[j], quad[1]), (parts[j], part_y)))


def _reciprocal_line(line: Any, a: Any, b: Any, c: Any, quad: Any, part_y: Any, quads: Any, parts: Any) -> None:
    slopes = slopes_in_units(a, b)
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        value = plane_at(slopes, c, (quad[0] + quads[j], quad[1]), (parts[j], part_y))
        line[j] = reciprocal_kernel(np.float32(value))


def _divided_line(
    line: Any, reciprocal: Any, a: Any, b: Any, c: Any, quad: Any, part_y: Any, quads: Any, parts: Any
) -> None:
    slopes = slopes_in_units(a, b)
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        value = plane_at(slopes, c, (quad[0] + quads[j], quad[1]), (parts[j], part_y))
        product = value * reciprocal[j]
        line[j] = _NAN if np.isnan(product) else np.float32(cut_24_kernel(product))


spread_kernel: Any = borrowing(_spread)
_plane_line_kernel = borrowing(_plane_line)
_reciprocal_line_kernel = borrowing(_reciprocal_line)
_divided_line_kernel = borrowing(_divided_line)


def _run_values(
    out: Any, begin: int, same: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any,
    wa: Any, wb: Any, wc: Any, p: Any, row: Any, left: Any, right: Any, reciprocal: Any, ramp: Any,
) -> None:  # fmt: skip
    """Fill ``out`` from ``begin`` and say which components are the ``same`` all along: of those only one pixel."""
    count = right - left
    quad_y, part_y = quad_and_part(row, 0.5, y0[p])
    quad = (np.float64(left & ~1) - x0[p], quad_y)
    quads, parts = ramp[0, left & 1 :], ramp[1, left & 1 :]
    if perspective[p]:
        some = 1 if wa[p, 0] == 0 else count
        _reciprocal_line_kernel(reciprocal[:some], wa[p, 0], wb[p, 0], wc[p, 0], quad, part_y, quads, parts)
        if some != count:
            spread_kernel(reciprocal[:count], reciprocal[0])
    for component in range(out.shape[0]):
        slope_x, slope_y, constant = a[p, component], b[p, component], c[p, component]
        is_flat = how[component] == 0
        if is_flat or np.isnan(constant):
            same[component] = True
            out[component, begin] = flat[p, component] if is_flat else _NAN
            continue
        divides = how[component] == 2 and perspective[p]
        same[component] = slope_x == 0 and not (divides and wa[p, 0] != 0)
        line = out[component, begin : begin + (1 if same[component] else count)]
        if divides:
            _divided_line_kernel(line, reciprocal, slope_x, slope_y, constant, quad, part_y, quads, parts)
        else:
            _plane_line_kernel(line, slope_x, slope_y, constant, quad, part_y, quads, parts)


run_values_kernel: Any = borrowing(_run_values)


def _span_values(
    out: Any, begin: int, same: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any,
    wa: Any, wb: Any, wc: Any, p: Any, row: Any, left: Any, right: Any, reciprocal: Any, ramp: Any,
) -> None:  # fmt: skip
    """Fill all of ``out``."""
    run_values_kernel(
        out, begin, same, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc, p, row, left, right, reciprocal, ramp
    )
    for component in range(out.shape[0]):
        if same[component]:
            spread_kernel(out[component, begin : begin + right - left], out[component, begin])


span_values_kernel: Any = borrowing(_span_values)


def _interpolate(
    out: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any,
    wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any, start: Any,
    same: Any, reciprocal: Any, ramp: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        span_values_kernel(
            out, start[k], same, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
            primitive[k], row[k], left[k], right[k], reciprocal, ramp,
        )  # fmt: skip


interpolate_kernel: Any = borrowing(_interpolate)


def plane_arrays(inputs: Inputs) -> tuple[Any, ...]:
    """Return the planes of inputs as the kernels take them."""
    how = interpolation_numbers(inputs.rows)
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


def scratch_of(inputs: Inputs) -> tuple[Any, ...]:
    """Return what runs of up to ``BLOCK`` pixels are worked out in, as kernels take it."""
    components = len(inputs.rows)
    values, same = np.empty((components, BLOCK), np.float32), np.empty(components, np.bool_)
    return values, same, np.empty(BLOCK, np.float64), ramp_of(BLOCK)


def ramp_of(count: int) -> Float64:
    """Return how far from a left one of a quad are the middles of its own and later quads, and pixels from those."""
    left = np.arange(count + 1, dtype=np.float64)
    return np.stack([np.floor(left / 2) * 2 + 1, np.where(left % 2 == 0, -0.5, 0.5)])
