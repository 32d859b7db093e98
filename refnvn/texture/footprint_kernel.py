"""Which lanes have derivatives that count the same? They share a level of detail, which is found once for all.

A derivative counts ten significant bits, so lanes of one picture share few. Compiled; importing this module imports
numba.

Read next: ``sample_kernel.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.kernel import compiled
from refnvn.texture.gradients import Gradients

_KEPT = np.uint32(0xFFFFC000)
"""Sign, exponent and the ten significant bits of a float32 that a derivative counts with."""
_EXPONENT = np.uint32(0x7F800000)
_MOST_FOOTPRINTS = 1 << 12


def _counting(word: Any) -> Any:
    """Return what of a float32 counts in a derivative: ten significant bits of a normal number, all of others."""
    exponent = np.uint32(word & _EXPONENT)
    return word if exponent == np.uint32(0) or exponent == _EXPONENT else np.uint32(word & _KEPT)


counting_kernel = compiled(_counting)


def _number(a: Any, b: Any, c: Any, d: Any, table: Any, slots: Any, count: Any, last: Any) -> Any:
    """Return the number of four words that count, -1 where there is no room, and how many there are now.

    ``last`` is the number that the lane before has got.
    """
    if count and table[0, last] == a and table[1, last] == b and table[2, last] == c and table[3, last] == d:
        return np.int64(last), count
    mask = np.uint32(slots.size - 1)
    mixed = np.uint32(np.uint32(a * np.uint32(0x9E3779B1)) ^ np.uint32(b * np.uint32(0x85EBCA77)))
    mixed = np.uint32(mixed ^ np.uint32(c * np.uint32(0xC2B2AE3D)) ^ np.uint32(d * np.uint32(0x27D4EB2F)))
    place = np.uint32(np.uint32(mixed ^ np.uint32(mixed >> np.uint32(15))) & mask)
    while True:
        other = np.int64(slots[place])
        if other < 0:
            if count >= table.shape[1]:
                return np.int64(-1), count
            table[0, count], table[1, count], table[2, count], table[3, count] = a, b, c, d
            slots[place] = np.int32(count)
            return count, count + 1
        if table[0, other] == a and table[1, other] == b and table[2, other] == c and table[3, other] == d:
            return other, count
        place = np.uint32(np.uint32(place + np.uint32(1)) & mask)


number_kernel = compiled(_number)


def _number_lanes(of_lane: Any, dx_u: Any, dx_v: Any, dy_u: Any, dy_v: Any, table: Any, slots: Any) -> Any:
    """Give lanes numbers by what counts of their derivatives; return how many there are, -1 for too many."""
    count, last = np.int64(0), np.int64(0)
    for lane in range(dx_u.size):
        k = np.uint64(lane)
        a, b = counting_kernel(dx_u[k]), counting_kernel(dx_v[k])
        c, d = counting_kernel(dy_u[k]), counting_kernel(dy_v[k])
        last, count = number_kernel(a, b, c, d, table, slots, count, np.uint64(last))
        if last < 0:
            return np.int64(-1)
        of_lane[k] = np.int32(last)
    return count


_number_lanes_kernel = compiled(_number_lanes)


def new_tables() -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return room for derivatives, shape (4, n), and where they are looked for."""
    return np.zeros((4, _MOST_FOOTPRINTS), np.uint32), np.full(4 * _MOST_FOOTPRINTS, -1, np.int32)


def gradients_of(table: NDArray[np.uint32]) -> Gradients:
    """Return derivatives of a table, shape (4, n)."""
    shared = table.copy().view(np.float32)
    return Gradients(shared[:2], shared[2:])


def shared_gradients(gradients: Gradients) -> tuple[NDArray[np.int32], Gradients] | None:
    """Return the derivatives that lanes have in common, and which of them each lane has; None if there are many."""
    words = [
        np.ascontiguousarray(way[axis]).view(np.uint32) for way in (gradients.dx, gradients.dy) for axis in (0, 1)
    ]
    of_lane = np.empty(words[0].size, np.int32)
    table, slots = new_tables()
    with np.errstate(over="ignore"):
        count = int(_number_lanes_kernel(of_lane, words[0], words[1], words[2], words[3], table, slots))
    return None if count < 0 else (of_lane, gradients_of(table[:, :count]))
