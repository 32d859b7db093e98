"""The two compiled loops of a textured fill: where pixels lie in the texture, and what is stored.

Between them the levels of detail are found, by NumPy, once for each footprint. No rule is written here: as in
``lane_kernel.py`` each loop calls, compiled, the functions of the other path. Importing this module imports numba.

Read next: ``textured.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.kernel import borrowing, compiled, rule_compiled
from refnvn.raster.span_kernel import ramp_of, span_values_kernel, spread_kernel
from refnvn.texture import gradients
from refnvn.texture.footprint_kernel import counting_kernel, number_kernel
from refnvn.texture.sample_kernel import sums_kernel

_COLUMNS = 128
"""So many columns are first looked at together, as most have the footprint of the one before."""
_differences = rule_compiled(gradients.quad_differences)


def _bits_of(value: Any) -> Any:
    return np.float32(value).view(np.uint32)


_bits_kernel = compiled(_bits_of)


def _quad_words(near_left: Any, near_right: Any, far_left: Any, far_right: Any) -> Any:
    """Return what counts of the differences of a quad: of both rows, then of both columns."""
    near, far, left, right = _differences(near_left, near_right, far_left, far_right)
    return (
        counting_kernel(_bits_kernel(near)), counting_kernel(_bits_kernel(far)),
        counting_kernel(_bits_kernel(left)), counting_kernel(_bits_kernel(right)),
    )  # fmt: skip


_quad_words_kernel = compiled(_quad_words)


def _are_all(values: Any, begin: Any, end: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Say whether the quads of some columns have one and the same footprint, these four words."""
    u_near, v_near = values[0, 0, begin:end], values[0, 1, begin:end]
    u_far, v_far = values[1, 0, begin:end], values[1, 1, begin:end]
    other = np.uint32(0)
    for quad in range((end - begin) >> 1):
        k = np.uint64(quad) * np.uint64(2)
        j = k + np.uint64(1)
        us = _quad_words_kernel(u_near[k], u_near[j], u_far[k], u_far[j])
        vs = _quad_words_kernel(v_near[k], v_near[j], v_far[k], v_far[j])
        across = np.uint32((us[0] ^ a) | (us[1] ^ a) | (vs[0] ^ b) | (vs[1] ^ b))
        down = np.uint32((us[2] ^ c) | (us[3] ^ c) | (vs[2] ^ d) | (vs[3] ^ d))
        other = np.uint32(other | across | down)
    return other == np.uint32(0)


_are_all_kernel = borrowing(_are_all)


def _number_some_quads(
    numbers: Any, values: Any, begin: Any, end: Any, table: Any, slots: Any, count: Any, last: Any
) -> Any:
    """Give numbers to the footprints of some columns, quad by quad; return the last one and how many there are."""
    for column in range(begin, end, 2):
        k, j = np.uint32(column), np.uint32(column + 1)
        us = _quad_words_kernel(values[0, 0, k], values[0, 0, j], values[1, 0, k], values[1, 0, j])
        vs = _quad_words_kernel(values[0, 1, k], values[0, 1, j], values[1, 1, k], values[1, 1, j])
        for lane in range(4):
            row, side = lane >> 1, lane & 1
            last, count = number_kernel(
                us[row], vs[row], us[2 + side], vs[2 + side], table, slots, count, np.uint64(last)
            )
            if last < 0:
                return last, count
            numbers[row, column + side] = np.int32(last)
    return last, count


_number_some_quads_kernel = borrowing(_number_some_quads)


def _number_quads(numbers: Any, values: Any, width: Any, table: Any, slots: Any, count: Any) -> Any:
    """Give numbers to the footprints of all pixels of a pair of rows; return how many there are, -1 for too many."""
    last = np.int64(0)
    for begin in range(0, width, _COLUMNS):
        end = min(begin + _COLUMNS, width)
        if count and _are_all_kernel(
            values, begin, end, table[0, last], table[1, last], table[2, last], table[3, last]
        ):
            spread_kernel(numbers[0, begin:end], np.int32(last))
            spread_kernel(numbers[1, begin:end], np.int32(last))
        else:
            last, count = _number_some_quads_kernel(numbers, values, begin, end, table, slots, count, last)
            if last < 0:
                return np.int64(-1)
    return count


_number_quads_kernel = borrowing(_number_quads)


def _copy(out: Any, line: Any) -> None:
    for i in range(np.int32(out.size)):
        out[np.uint32(i)] = line[np.uint32(i)]


_copy_kernel = borrowing(_copy)


def _locate(
    uv: Any, of_lane: Any, how: Any, flat: Any, a: Any, b: Any, c: Any, x0: Any, y0: Any, perspective: Any,
    wa: Any, wb: Any, wc: Any, primitive: Any, row: Any, left: Any, right: Any, start: Any,
    table: Any, slots: Any, count: Any,
    values: Any, numbers: Any, same: Any, reciprocal: Any, ramp: Any,
) -> Any:  # fmt: skip
    k = np.int64(0)
    while k < row.size:
        p, pair, first, last, after = primitive[k], row[k] >> 1, left[k], right[k], k + 1
        while after < row.size and primitive[after] == p and row[after] >> 1 == pair:
            first, last = min(first, left[after]), max(last, right[after])
            after += 1
        first, last = first & ~np.int64(1), (last + 1) & ~np.int64(1)
        for side in range(2):
            span_values_kernel(
                values[side], 0, same, how, flat, a, b, c, x0, y0, perspective, wa, wb, wc,
                p, 2 * pair + side, first, last, reciprocal, ramp,
            )  # fmt: skip
        count = _number_quads_kernel(numbers, values, last - first, table, slots, count)
        if count < 0:
            return count
        for span in range(k, after):
            side, begin, end = row[span] & 1, left[span] - first, right[span] - first
            lanes = slice(start[span], start[span] + end - begin)
            _copy_kernel(uv[0, lanes], values[side, 0, begin:end])
            _copy_kernel(uv[1, lanes], values[side, 1, begin:end])
            _copy_kernel(of_lane[lanes], numbers[side, begin:end])
        k = after
    return count


locate_kernel: Any = borrowing(_locate)


def _store(
    line: Any, mask: Any, sums: Any, codes: Any, shifts: Any, masks: Any, constant: Any, straight: bool
) -> None:
    """Store what sums mean: bytes of a texel as they come where ``straight``, else each from its own place."""
    keep, one = np.uint32(~mask), np.uint64(0xFFFF)
    for i in range(np.int32(line.size)):
        j = np.uint32(i)
        found = sums[j]
        even = np.uint32(codes[found & one]) | (np.uint32(codes[(found >> np.uint64(16)) & one]) << np.uint32(16))
        odd = np.uint32(codes[(found >> np.uint64(32)) & one]) | (
            np.uint32(codes[found >> np.uint64(48)]) << np.uint32(16)
        )
        word = np.uint32(even | np.uint32(odd << np.uint32(8)))
        if not straight:
            placed = constant
            for byte in range(4):
                code = np.uint32(np.uint32(word >> shifts[byte]) & masks[byte])
                placed = np.uint32(placed | np.uint32(code << np.uint32(8 * byte)))
            word = placed
        line[j] = word if keep == 0 else (line[j] & keep) | (word & mask)


_store_kernel = borrowing(_store)


def _fill(
    words: Any, mask: Any, uv: Any, of_lane: Any, alike: Any, texture: Any, levels: Any, shares: Any, linear: Any,
    codes: Any, shifts: Any, masks: Any, constant: Any, straight: bool, row: Any, left: Any, right: Any, start: Any,
    sums: Any, scratch: Any, fetched: Any,
) -> None:  # fmt: skip
    for lane in range(of_lane.size):
        of_lane[np.uint64(lane)] = alike[np.uint64(of_lane[np.uint64(lane)])]
    sums_kernel(sums, uv[0], uv[1], of_lane, texture, levels, shares, linear, scratch, fetched)
    for k in range(row.size):
        lanes = slice(start[k], start[k] + right[k] - left[k])
        _store_kernel(words[row[k], left[k] : right[k]], mask, sums[lanes], codes, shifts, masks, constant, straight)


fill_kernel: Any = borrowing(_fill)


def scratch_of(widest: int) -> tuple[Any, ...]:
    """Return what two rows of so many pixels are worked out in, as ``locate_kernel`` takes it."""
    values, numbers = np.empty((2, 2, widest), np.float32), np.empty((2, widest), np.int32)
    return values, numbers, np.empty(2, np.bool_), np.empty(widest, np.float64), ramp_of(widest)
