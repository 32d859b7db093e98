"""The inner loops of large draws, compiled: inputs and depths of fragments, tests in order, codes stored.

No rule is written here. Each loop calls, compiled, the very function that the NumPy path calls on arrays; so both
give the same bits, and tests hold them against each other. Importing this module imports numba.

Read next: ``span_kernel.py`` (planes), ``unorm8_kernel.py`` (stores to plain bytes); ``batch.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, UInt8, UInt32
from refnvn.kernel import borrowing, rule_compiled
from refnvn.raster import depth_bounds, depth_stencil
from refnvn.raster.inputs import Inputs
from refnvn.raster.interpolate import CANONICAL_NAN_BITS
from refnvn.raster.span_kernel import (
    depth_at,
    interpolate_kernel,
    plane_arrays,
    ramp_of,
    slopes_in_units,
    widest,
)
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget, channel_bits

_NAN = np.array(CANONICAL_NAN_BITS, dtype=np.uint32).view(np.float32)[()]
_ordering = rule_compiled(depth_stencil.ordering)
_lies_within = rule_compiled(depth_bounds.lies_within)


def _depths(
    out: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, x: float, y: float,
    primitive: Any, row: Any, left: Any, right: Any, start: Any,
) -> None:  # fmt: skip
    for k in range(row.size):
        p = primitive[k]
        count = np.int32(right[k] - left[k])
        target = out[start[k] : start[k] + count]
        slope_x, slope_y, constant = a[p, 0], b[p, 0], c[p, 0]
        plane, reference = (slope_x, slope_y, constant), (x0[p], y0[p])
        slopes = slopes_in_units(slope_x, slope_y)
        for i in range(count):
            depth = depth_at(plane, slopes, reference, (left[k] + i, row[k]), (x, y))
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


depths_kernel: Any = borrowing(_depths)
test_kernel: Any = borrowing(_test)
store_bytes_kernel: Any = borrowing(_store_bytes)

_NO_LANES = np.zeros(0, dtype=np.bool_)


def _where(spans: Spans) -> tuple[Any, ...]:
    return spans.primitive, spans.row, spans.left, spans.right, spans.start


def values_of(inputs: Inputs, spans: Spans) -> UInt32:
    """Return the bits of all input components at the pixels of spans, shape (components, lanes)."""
    out = np.empty((len(inputs.rows), spans.lanes), dtype=np.uint32)
    if inputs.rows:
        longest = widest(spans)
        same, reciprocal = np.empty(len(inputs.rows), np.bool_), np.empty(longest, np.float64)
        interpolate_kernel(
            out.view(np.float32), *plane_arrays(inputs), *_where(spans), same, reciprocal, ramp_of(longest)
        )
    return out


def depths_of(inputs: Inputs, spans: Spans, x: float, y: float) -> Float32:
    """Return the depth at one place in the pixels of spans before any clamp."""
    out = np.empty(spans.lanes, dtype=np.float32)
    planes = inputs.depth
    assert planes is not None
    depths_kernel(out, planes.a, planes.b, planes.c, planes.x0, planes.y0, x, y, *_where(spans))
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


def store_bytes(target: ColorTarget, mask: int, codes: UInt8, spans: Spans, alive: NDArray[np.bool_] | None) -> None:
    """Store codes of fragments, shape (lanes, bytes per texel)."""
    living = _NO_LANES if alive is None else alive
    bits = channel_bits(target.fmt, mask)
    store_bytes_kernel(target.codes, bits, codes, living, alive is None, *_where(spans)[1:])
