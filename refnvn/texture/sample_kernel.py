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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import WrapMode
from refnvn.formats.floatbits import Float32, Int64, UInt8
from refnvn.formats.norm import encode_unorm
from refnvn.kernel import compiled, rule_compiled
from refnvn.rules.registry import note
from refnvn.texture import coordinates, weights
from refnvn.texture.coordinates import step_bits
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
_LARGEST_SUM = 255 * 256
_SUM = np.uint64(0xFFFF)
_RUN = 256
"""So many lanes at most have their places found together, which stay in the nearest cache."""


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


_places_kernel = compiled(_places)


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
    near = _weighted_kernel(texels[np.uint64(upper + left)], w00) + _weighted_kernel(
        texels[np.uint64(upper + right)], w10
    )
    far = _weighted_kernel(texels[np.uint64(lower + left)], w01) + _weighted_kernel(
        texels[np.uint64(lower + right)], w11
    )
    return np.uint64(near + far)


_level_kernel = compiled(_level)


class Plain(NamedTuple):
    """A plain texture, how it is wrapped and how far samples are moved, as the loops take it; arrays by level."""

    texels: Any
    starts: Any
    widths: Any
    heights: Any
    across_bits: Any
    down_bits: Any
    across_scale: Any
    down_scale: Any
    mode_s: Any
    mode_t: Any
    move_s: Any
    move_t: Any


def _add_level(
    sums: Any, u: Any, v: Any, x_256: Any, y_256: Any, texture: Any, level: Any, share: Any, linear: Any
) -> None:
    """Add what one level contributes to the sums of lanes that share a footprint."""
    width, height, start, texels = (
        texture.widths[level],
        texture.heights[level],
        texture.starts[level],
        texture.texels,
    )
    _places_kernel(x_256, u, texture.across_scale[level], texture.across_bits[level], width, linear)
    _places_kernel(y_256, v, texture.down_scale[level], texture.down_bits[level], height, linear)
    for lane in range(np.int32(sums.size)):
        k = np.uint32(lane)
        sums[k] += _level_kernel(
            texels, start, width, height, x_256[k], y_256[k], texture.move_s, texture.move_t, texture.mode_s,
            texture.mode_t, share, linear,
        )  # fmt: skip


_add_level_kernel = compiled(_add_level)


def _sums(sums: Any, u: Any, v: Any, of_lane: Any, texture: Any, levels: Any, shares: Any, linear: Any) -> None:
    """Write the sums of lanes in 1/256: bytes 0, 2, 1 and 3 of a texel in 16 bits each."""
    begin, count = np.int64(0), np.int64(u.size)
    x_256, y_256 = np.empty(_RUN, np.int64), np.empty(_RUN, np.int64)
    sums[:] = np.uint64(0)
    while begin < count:
        footprint, end = of_lane[np.uint64(begin)], begin + 1
        while end < min(count, begin + _RUN) and of_lane[np.uint64(end)] == footprint:
            end += 1
        f = np.uint64(footprint)
        for side in range(2):
            share = shares[np.uint64(side), f]
            if share != 0:
                _add_level_kernel(
                    sums[begin:end], u[begin:end], v[begin:end], x_256[: end - begin], y_256[: end - begin], texture,
                    np.uint64(levels[np.uint64(side), f]), share, linear[f],
                )  # fmt: skip
        begin = end


sums_kernel = compiled(_sums)


def _sample(
    u: Any, v: Any, of_lane: Any, texture: Any, levels: Any, shares: Any, linear: Any, values: Any,
    out_0: Any, out_1: Any, out_2: Any, out_3: Any,
) -> None:  # fmt: skip
    sums = np.empty(u.size, np.uint64)
    sums_kernel(sums, u, v, of_lane, texture, levels, shares, linear)
    for lane in range(u.size):
        k = np.uint64(lane)
        found = sums[k]
        out_0[k] = values[found & _SUM]
        out_2[k] = values[(found >> np.uint64(16)) & _SUM]
        out_1[k] = values[(found >> np.uint64(32)) & _SUM]
        out_3[k] = values[found >> np.uint64(48)]


_sample_kernel = compiled(_sample)


@functools.cache
def _sum_values() -> NDArray[np.float32]:
    """Return what each sum of 8-bit codes, in 1/256, reads as."""
    step = int(unorm16(np.array(1), 8))
    return norm_result(step * np.arange(_LARGEST_SUM + 1, dtype=np.int64), Kind.UNORM16)


@functools.cache
def sum_codes() -> UInt8:
    """Return what each sum is stored as in 8 bits of unorm."""
    return encode_unorm(_sum_values(), 8).astype(np.uint8)


def plain_of(texture: SampledTexture, sampler: Sampler, offset: tuple[int, int, int]) -> Plain:
    """Return a texture for the loops."""
    sizes = texture.sizes_px
    bits = step_bits(sizes[:2])
    scale = np.ldexp(1.0, bits.astype(np.int32))
    starts = np.concatenate([[0], np.cumsum(sizes.prod(axis=0))[:-1]]).astype(np.int64)
    across, down = (int(mode) for mode in sampler.wrap[:2])
    return Plain(
        texture.table.view("<u4").reshape(-1), starts, sizes[0].copy(), sizes[1].copy(), bits[0].copy(),
        bits[1].copy(), scale[0].copy(), scale[1].copy(), across, down, int(offset[0]), int(offset[1]),
    )  # fmt: skip


def note_plain(sampler: Sampler, linear: NDArray[np.bool_]) -> None:
    """Count the rules as used that the loops rest on."""
    note(_RULES)
    note("TEX-WRAP-4" if mode is WrapMode.CLAMP_TO_EDGE else "TEX-WRAP-1" for mode in sampler.wrap[:2])
    if not sampler.is_linear_between_levels and not linear.all():
        note(_RULES_OF_SINGLE_TEXELS)


def sample_plain(
    texture: SampledTexture,
    sampler: Sampler,
    uv: NDArray[np.float32],
    footprints: Footprints,
    offset: tuple[int, int, int],
) -> Float32:
    """Sample a plain texture, shape (4, lanes): what :func:`refnvn.texture.sample.sample` gives."""
    channels = ["RGBA".index(component.name) for component in texture.fmt.components]
    out = np.empty((4, uv.shape[1]), np.float32)
    _sample_kernel(
        np.ascontiguousarray(uv[0]), np.ascontiguousarray(uv[1]), footprints.of_lane,
        plain_of(texture, sampler, offset), np.stack([footprints.nearer, footprints.further]), footprints.weights,
        footprints.linear, _sum_values(), *(out[channel] for channel in channels),
    )  # fmt: skip
    note_plain(sampler, footprints.linear)
    if texture.swizzle == IDENTITY:
        note(("TEX-SWIZZLE-1",))
        return out
    mapped = mapped_channels(out.view(np.uint32), texture.swizzle, is_integer=False)
    return mapped.view(np.float32)
