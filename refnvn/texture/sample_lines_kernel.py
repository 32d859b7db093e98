"""The loops that sample a run of lanes line by line, compiled: places, neighbours, texels, weights.

Every loop is short and goes straight ahead, so that many lanes are done at once; texels alone are fetched one by one.
No rule is written here: the functions that place a coordinate and share its weight are called. Importing this module
imports numba. Read next: ``sample_kernel.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.enumerations import WrapMode
from refnvn.kernel import borrowing, compiled, rule_compiled
from refnvn.texture import coordinates, weights


def _select(condition: Any, yes: Any, no: Any) -> Any:
    return yes if condition else no


_number = rule_compiled(coordinates.number, select=compiled(_select))
_repeats_and_steps = rule_compiled(coordinates.repeats_and_steps)
_linear_256 = rule_compiled(coordinates.linear_256)
_nearest_256 = rule_compiled(coordinates.nearest_256)
_part_of = rule_compiled(weights.part_of)
_quad_shares = rule_compiled(weights.quad_shares, part_of=_part_of)

_REPEAT, _MIRRORED, _TO_EDGE = int(WrapMode.REPEAT), int(WrapMode.MIRRORED_REPEAT), int(WrapMode.CLAMP_TO_EDGE)


def _places(out: Any, coordinates: Any, scale: Any, bits: Any, size: Any, linear: Any) -> None:
    """Write where coordinates lie along one axis of a level, in 1/256 texel."""
    if linear:
        for lane in range(np.int32(out.size)):
            k = np.uint32(lane)
            number = _number(np.float64(coordinates[k]))
            repeats, steps = _repeats_and_steps(np.int64(np.floor(number * scale)), bits)
            out[k] = _linear_256(repeats, steps, bits, size)
    else:
        for lane in range(np.int32(out.size)):
            k = np.uint32(lane)
            number = _number(np.float64(coordinates[k]))
            repeats, steps = _repeats_and_steps(np.int64(np.floor(number * scale)), bits)
            out[k] = _nearest_256(repeats, steps, bits, size)


places_kernel = borrowing(_places)


def _wrapped(texel: Any, size: Any, mode: Any) -> Any:
    """Return what stands in for a texel outside."""
    if mode == _REPEAT:  # a division takes long; the two agree where the size is a power of two
        return texel & (size - 1) if size & (size - 1) == 0 else np.mod(texel, size)
    if mode == _MIRRORED:
        there_and_back = np.mod(texel, 2 * size)
        return there_and_back if there_and_back < size else 2 * size - 1 - there_and_back
    return min(max(texel, np.int64(0)), size - 1)


_wrapped_kernel = compiled(_wrapped)


def _weighted(texel: Any, share: Any) -> Any:
    """Return bytes 0, 2, 1 and 3 of a texel times a share, side by side in 16 bits each."""
    even = np.uint64(0x00FF00FF)
    wide = np.uint64(texel)
    spread = np.uint64((wide & even) | np.uint64(((wide >> np.uint64(8)) & even) << np.uint64(32)))
    return np.uint64(spread * np.uint64(share))


_weighted_kernel = compiled(_weighted)


def _inside(places: Any, move: Any, size: Any) -> Any:
    """Say whether both texels of all places along an axis lie in the texture."""
    least, greatest = places[0], places[0]
    for lane in range(np.int32(places.size)):
        place = places[np.uint32(lane)]
        least, greatest = min(least, place), max(greatest, place)
    return (least >> 8) + move >= 0 and (greatest >> 8) + move + 1 < size


_inside_kernel = borrowing(_inside)


def _neighbours(first: Any, second: Any, fraction: Any, places: Any, move: Any, size: Any, mode: Any) -> None:
    """Write the two texels that places along an axis lie between, and the fraction that the second one gets."""
    if _inside_kernel(places, move, size):
        for lane in range(np.int32(places.size)):
            k = np.uint32(lane)
            texel = (places[k] >> 8) + move
            first[k], second[k], fraction[k] = texel, texel + 1, places[k] & 255
        return
    for lane in range(np.int32(places.size)):
        k = np.uint32(lane)
        texel = (places[k] >> 8) + move
        near, far = _wrapped_kernel(texel, size, mode), _wrapped_kernel(texel + 1, size, mode)
        is_one = mode == _TO_EDGE and near == far
        first[k], second[k], fraction[k] = near, far, np.int64(0) if is_one else places[k] & 255


neighbours_kernel = borrowing(_neighbours)


def _rows(first: Any, second: Any, width: Any, start: Any) -> None:
    """Turn numbers of rows into the places of their first texels."""
    for lane in range(np.int32(first.size)):
        k = np.uint32(lane)
        first[k], second[k] = start + first[k] * width, start + second[k] * width


rows_kernel = borrowing(_rows)


def _fetch(fetched: Any, texels: Any, left: Any, right: Any, upper: Any, lower: Any) -> None:
    near, next_, below, far = fetched[0], fetched[1], fetched[2], fetched[3]
    for lane in range(np.int32(left.size)):
        k = np.uint32(lane)
        near[k], next_[k] = texels[np.uint64(upper[k] + left[k])], texels[np.uint64(upper[k] + right[k])]
        below[k], far[k] = texels[np.uint64(lower[k] + left[k])], texels[np.uint64(lower[k] + right[k])]


fetch_kernel = borrowing(_fetch)


def _weigh(sums: Any, near: Any, next_: Any, below: Any, far: Any, across: Any, down: Any, share: Any) -> None:
    """Add the weighted sums of quads."""
    for lane in range(np.int32(sums.size)):
        k = np.uint32(lane)
        w00, w10, w01, w11 = _quad_shares(share, across[k], down[k])
        upper = _weighted_kernel(near[k], w00) + _weighted_kernel(next_[k], w10)
        lower = _weighted_kernel(below[k], w01) + _weighted_kernel(far[k], w11)
        sums[k] += np.uint64(upper + lower)


weigh_kernel = borrowing(_weigh)
