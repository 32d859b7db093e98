"""How are many lanes of a plain texture sampled at once, in a compiled loop that gives the bits of ``sample.py``?

Plain is: 2D, four bytes of unorm to the texel, no border, no comparison, reduction or anisotropy. What the loop
needs of a lane's level of detail comes from the functions of the NumPy path, once for each footprint that there is:
lanes of one picture share few, since a derivative counts ten bits only. The loop calls, compiled, the functions that
place a coordinate and share its weight, and looks the value of a sum up in a table that the rule of sums has made.

Importing this module imports numba. Read next: ``sample.py``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import WrapMode
from refnvn.formats.floatbits import Float32, Int64
from refnvn.kernel import compiled, rule_compiled
from refnvn.rules.registry import note
from refnvn.texture import coordinates, weights
from refnvn.texture.coordinates import step_bits
from refnvn.texture.gradients import Gradients
from refnvn.texture.integer_sums import norm_result
from refnvn.texture.sampled import IDENTITY, SampledTexture, mapped_channels
from refnvn.texture.sampler import Sampler
from refnvn.texture.texels import Kind, unorm16

_RULES = (
    "FMT-BITS-1", "FMT-FILL-1", "TEX-COORD-1", "TEX-COORD-2", "TEX-COORD-3", "TEX-FILTER-1", "TEX-SUM-1",
    "TEX-TEXEL-1", "TEX-WEIGHT-1", "TEX-WEIGHT-3", "TEX-WEIGHT-4", "TEX-WRAP-3", "TEX-WRAP-5",
)  # fmt: skip
"""What the loop rests on, wrap modes left out."""
_RULES_OF_SINGLE_TEXELS = ("FMT-NORM-3", "TEX-FILTER-2")
_KEPT = np.uint32(0xFFFFC000)
"""Sign, exponent and the ten significant bits of a float32 that a derivative counts with."""
_EXPONENT = np.uint32(0x7F800000)
_MOST_FOOTPRINTS = 1 << 12
_LARGEST_SUM = 255 * 256


def _select(condition: Any, yes: Any, no: Any) -> Any:
    return yes if condition else no


_number = rule_compiled(coordinates.number, select=compiled(_select))
_repeats_and_steps = rule_compiled(coordinates.repeats_and_steps)
_linear_256 = rule_compiled(coordinates.linear_256)
_nearest_256 = rule_compiled(coordinates.nearest_256)
_part_of = rule_compiled(weights.part_of)
_quad_shares = rule_compiled(weights.quad_shares, part_of=_part_of)

_REPEAT, _MIRRORED, _TO_EDGE = int(WrapMode.REPEAT), int(WrapMode.MIRRORED_REPEAT), int(WrapMode.CLAMP_TO_EDGE)
WRAPS = (WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT, WrapMode.CLAMP_TO_EDGE)
"""The wrap modes that the loop knows."""


@dataclass(frozen=True, slots=True)
class Footprints:
    """What lanes differ in but for where they lie: by number, and the number of each lane.

    Attributes
    ----------
    of_lane : int32, shape (lanes,)
    nearer, further : int64, shape (footprints,)
        Levels.
    weights : int64, shape (2, footprints)
        Of the levels.
    linear : bool, shape (footprints,)
        Whether texels are filtered between.
    """

    of_lane: NDArray[np.int32]
    nearer: Int64
    further: Int64
    weights: Int64
    linear: NDArray[np.bool_]


def _place(number: Any, scale: Any, bits: Any, size: Any, linear: Any) -> Any:
    repeats, steps = _repeats_and_steps(np.int64(np.floor(number * scale)), bits)
    if linear:
        return _linear_256(repeats, steps, bits, size)
    return _nearest_256(repeats, steps, bits, size)


_place_kernel = compiled(_place)


def _wrapped(texel: Any, size: Any, mode: Any) -> Any:
    """Return what stands in for a texel outside."""
    if mode == _REPEAT:
        return np.mod(texel, size)
    if mode == _MIRRORED:
        there_and_back = np.mod(texel, 2 * size)
        return there_and_back if there_and_back < size else 2 * size - 1 - there_and_back
    return min(max(texel, np.int64(0)), size - 1)


_wrapped_kernel = compiled(_wrapped)


def _weighted(texel: Any, share: Any) -> Any:
    """Return bytes 0 and 2 of a texel times a share, side by side, and bytes 1 and 3."""
    even, weight = np.uint32(0x00FF00FF), np.uint32(share)
    low = np.uint32(np.uint32(texel & even) * weight)
    return low, np.uint32(np.uint32(np.uint32(texel >> np.uint32(8)) & even) * weight)


_weighted_kernel = compiled(_weighted)


def _level(
    texels: Any, start: Any, width: Any, height: Any, x_256: Any, y_256: Any, move_s: Any, move_t: Any, mode_s: Any,
    mode_t: Any, share: Any, linear: Any,
) -> Any:  # fmt: skip
    """Return the weighted sum of a quad's four texels."""
    left, top = (x_256 >> 8) + move_s, (y_256 >> 8) + move_t
    right, below = left + 1, top + 1
    across, down = x_256 & 255, y_256 & 255
    if not linear:
        across, down = np.int64(0), np.int64(0)
    if left < 0 or right >= width:
        left, right = _wrapped_kernel(left, width, mode_s), _wrapped_kernel(right, width, mode_s)
        if mode_s == _TO_EDGE and left == right:
            across = np.int64(0)
    if top < 0 or below >= height:
        top, below = _wrapped_kernel(top, height, mode_t), _wrapped_kernel(below, height, mode_t)
        if mode_t == _TO_EDGE and top == below:
            down = np.int64(0)
    w00, w10, w01, w11 = _quad_shares(share, across, down)
    upper, lower = start + top * width, start + below * width
    low_0, high_0 = _weighted_kernel(texels[np.uint64(upper + left)], w00)
    low_1, high_1 = _weighted_kernel(texels[np.uint64(upper + right)], w10)
    low_2, high_2 = _weighted_kernel(texels[np.uint64(lower + left)], w01)
    low_3, high_3 = _weighted_kernel(texels[np.uint64(lower + right)], w11)
    return np.uint32(low_0 + low_1 + low_2 + low_3), np.uint32(high_0 + high_1 + high_2 + high_3)


_level_kernel = compiled(_level)


def _sample(
    texels: Any, starts: Any, widths: Any, heights: Any, across_bits: Any, down_bits: Any, across_scale: Any,
    down_scale: Any, mode_s: Any, mode_t: Any, u: Any, v: Any, move_s: Any, move_t: Any,
    of_lane: Any, levels: Any, shares: Any, linear: Any, values: Any, out_0: Any, out_1: Any, out_2: Any, out_3: Any,
) -> None:  # fmt: skip
    for lane in range(u.size):
        k = np.uint64(lane)
        footprint = np.uint64(of_lane[k])
        is_linear = linear[footprint]
        s, t = _number(np.float64(u[k])), _number(np.float64(v[k]))
        low, high = np.uint32(0), np.uint32(0)
        for side in range(2):
            share = shares[np.uint64(side), footprint]
            if share == 0:
                continue
            level = np.uint64(levels[np.uint64(side), footprint])
            width, height = widths[level], heights[level]
            x_256 = _place_kernel(s, across_scale[level], across_bits[level], width, is_linear)
            y_256 = _place_kernel(t, down_scale[level], down_bits[level], height, is_linear)
            more_low, more_high = _level_kernel(
                texels, starts[level], width, height, x_256, y_256, move_s, move_t, mode_s, mode_t, share, is_linear
            )
            low, high = np.uint32(low + more_low), np.uint32(high + more_high)
        out_0[k] = values[np.uint64(low & np.uint32(0xFFFF))]
        out_1[k] = values[np.uint64(high & np.uint32(0xFFFF))]
        out_2[k] = values[np.uint64(low >> np.uint32(16))]
        out_3[k] = values[np.uint64(high >> np.uint32(16))]


_sample_kernel = compiled(_sample)


@functools.cache
def _sum_values() -> NDArray[np.float32]:
    """Return what each sum of 8-bit codes, in 1/256, reads as."""
    step = int(unorm16(np.array(1), 8))
    return norm_result(step * np.arange(_LARGEST_SUM + 1, dtype=np.int64), Kind.UNORM16)


def sample_plain(
    texture: SampledTexture,
    sampler: Sampler,
    uv: NDArray[np.float32],
    footprints: Footprints,
    offset: tuple[int, int, int],
) -> Float32:
    """Sample a plain texture, shape (4, lanes): what :func:`refnvn.texture.sample.sample` gives."""
    sizes = texture.sizes_px
    bits = step_bits(sizes[:2])
    scale = np.ldexp(1.0, bits.astype(np.int32))
    starts = np.concatenate([[0], np.cumsum(sizes.prod(axis=0))[:-1]]).astype(np.int64)
    channels = ["RGBA".index(component.name) for component in texture.fmt.components]
    out = np.empty((4, uv.shape[1]), np.float32)
    across, down = (int(mode) for mode in sampler.wrap[:2])
    _sample_kernel(
        texture.table.view("<u4").reshape(-1), starts, sizes[0].copy(), sizes[1].copy(), bits[0], bits[1], scale[0],
        scale[1], across, down, np.ascontiguousarray(uv[0]), np.ascontiguousarray(uv[1]),
        np.int64(offset[0]), np.int64(offset[1]), footprints.of_lane,
        np.stack([footprints.nearer, footprints.further]), footprints.weights, footprints.linear, _sum_values(),
        *(out[channel] for channel in channels),
    )  # fmt: skip
    note(_RULES)
    note("TEX-WRAP-4" if mode is WrapMode.CLAMP_TO_EDGE else "TEX-WRAP-1" for mode in sampler.wrap[:2])
    if not sampler.is_linear_between_levels and not footprints.linear.all():
        note(_RULES_OF_SINGLE_TEXELS)
    if texture.swizzle == IDENTITY:
        note(("TEX-SWIZZLE-1",))
        return out
    mapped = mapped_channels(out.view(np.uint32), texture.swizzle, is_integer=False)
    return mapped.view(np.float32)


def _counting(word: Any) -> Any:
    """Return what of a float32 counts in a derivative: ten significant bits of a normal number, all of others."""
    exponent = np.uint32(word & _EXPONENT)
    return word if exponent == np.uint32(0) or exponent == _EXPONENT else np.uint32(word & _KEPT)


_counting_kernel = compiled(_counting)


def _number_lanes(of_lane: Any, dx_u: Any, dx_v: Any, dy_u: Any, dy_v: Any, table: Any, slots: Any) -> Any:
    """Give lanes numbers by what counts of their derivatives; return how many there are, -1 for too many."""
    count, last = np.int64(0), np.uint64(0)
    mask = np.uint32(slots.size - 1)
    for lane in range(dx_u.size):
        k = np.uint64(lane)
        a, b = _counting_kernel(dx_u[k]), _counting_kernel(dx_v[k])
        c, d = _counting_kernel(dy_u[k]), _counting_kernel(dy_v[k])
        if count and table[0, last] == a and table[1, last] == b and table[2, last] == c and table[3, last] == d:
            of_lane[k] = np.int32(last)
            continue
        mixed = np.uint32(np.uint32(a * np.uint32(0x9E3779B1)) ^ np.uint32(b * np.uint32(0x85EBCA77)))
        mixed = np.uint32(mixed ^ np.uint32(c * np.uint32(0xC2B2AE3D)) ^ np.uint32(d * np.uint32(0x27D4EB2F)))
        place = np.uint32(np.uint32(mixed ^ np.uint32(mixed >> np.uint32(15))) & mask)
        while True:
            other = slots[place]
            if other < 0:
                if count >= table.shape[1]:
                    return np.int64(-1)
                table[0, count], table[1, count], table[2, count], table[3, count] = a, b, c, d
                slots[place], last = np.int32(count), np.uint64(count)
                count += 1
                break
            if table[0, other] == a and table[1, other] == b and table[2, other] == c and table[3, other] == d:
                last = np.uint64(other)
                break
            place = np.uint32(np.uint32(place + np.uint32(1)) & mask)
        of_lane[k] = np.int32(last)
    return count


_number_lanes_kernel = compiled(_number_lanes)


def shared_gradients(gradients: Gradients) -> tuple[NDArray[np.int32], Gradients] | None:
    """Return the derivatives that lanes have in common, and which of them each lane has; None if there are many."""
    words = [
        np.ascontiguousarray(way[axis]).view(np.uint32) for way in (gradients.dx, gradients.dy) for axis in (0, 1)
    ]
    of_lane = np.empty(words[0].size, np.int32)
    table = np.zeros((4, _MOST_FOOTPRINTS), np.uint32)
    slots = np.full(4 * _MOST_FOOTPRINTS, -1, np.int32)
    with np.errstate(over="ignore"):
        count = int(_number_lanes_kernel(of_lane, words[0], words[1], words[2], words[3], table, slots))
    if count < 0:
        return None
    shared = table[:, :count].copy().view(np.float32)
    return of_lane, Gradients(shared[:2], shared[2:])
