"""How are many lanes of a plain texture sampled at once, in a compiled loop that gives the bits of ``sample.py``?

Plain is: 2D, four bytes of unorm to the texel, no border, no comparison, reduction or anisotropy. What the loop
needs of a lane's level of detail comes from the functions of the NumPy path, once for each footprint that there is:
lanes of one picture share few, since a derivative counts ten bits only. The loops of a run call the functions of
the rules; the value of a sum is looked up in a table that the rule of sums has made.

Importing this module imports numba. Read next: ``sample_lines_kernel.py``; ``sample.py``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import WrapMode
from refnvn.formats.floatbits import Float32, Int64, UInt8, UInt32
from refnvn.formats.norm import encode_unorm
from refnvn.kernel import borrowing
from refnvn.rules.registry import note
from refnvn.texture.coordinates import step_bits
from refnvn.texture.integer_sums import norm_result
from refnvn.texture.sample_lines_kernel import (
    fetch_kernel,
    neighbours_kernel,
    places_kernel,
    rows_kernel,
    weigh_kernel,
)
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
    sums: Any, u: Any, v: Any, texture: Any, level: Any, share: Any, linear: Any, scratch: Any, fetched: Any
) -> None:
    """Add what one level contributes to the sums of lanes that share a footprint."""
    count, width, height = sums.size, texture.widths[level], texture.heights[level]
    places, left, right, across = scratch[0, :count], scratch[1, :count], scratch[2, :count], scratch[3, :count]
    upper, lower, down = scratch[4, :count], scratch[5, :count], scratch[6, :count]
    places_kernel(places, u, texture.across_scale[level], texture.across_bits[level], width, linear)
    neighbours_kernel(left, right, across, places, texture.move_s, width, texture.mode_s)
    places_kernel(places, v, texture.down_scale[level], texture.down_bits[level], height, linear)
    neighbours_kernel(upper, lower, down, places, texture.move_t, height, texture.mode_t)
    if not linear:
        across[:], down[:] = np.int64(0), np.int64(0)
    rows_kernel(upper, lower, width, texture.starts[level])
    fetch_kernel(fetched, texture.texels, left, right, upper, lower)
    weigh_kernel(
        sums, fetched[0, :count], fetched[1, :count], fetched[2, :count], fetched[3, :count], across, down, share
    )


_add_level_kernel = borrowing(_add_level)


def _sums(
    sums: Any, u: Any, v: Any, of_lane: Any, texture: Any, levels: Any, shares: Any, linear: Any,
    scratch: Any, fetched: Any,
) -> None:  # fmt: skip
    """Write the sums of lanes in 1/256: bytes 0, 2, 1 and 3 of a texel in 16 bits each."""
    begin, count = np.int64(0), np.int64(u.size)
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
                    sums[begin:end], u[begin:end], v[begin:end], texture, np.uint64(levels[np.uint64(side), f]),
                    share, linear[f], scratch, fetched,
                )  # fmt: skip
        begin = end


sums_kernel = borrowing(_sums)


def scratch_of() -> tuple[Int64, UInt32]:
    """Return what the sums of a run are worked out in: numbers along both axes, and four texels."""
    return np.empty((7, _RUN), np.int64), np.empty((4, _RUN), np.uint32)


def _sample(
    u: Any, v: Any, of_lane: Any, texture: Any, levels: Any, shares: Any, linear: Any, values: Any,
    out_0: Any, out_1: Any, out_2: Any, out_3: Any, sums: Any, scratch: Any, fetched: Any,
) -> None:  # fmt: skip
    sums_kernel(sums, u, v, of_lane, texture, levels, shares, linear, scratch, fetched)
    for lane in range(u.size):
        k = np.uint64(lane)
        found = sums[k]
        out_0[k] = values[found & _SUM]
        out_2[k] = values[(found >> np.uint64(16)) & _SUM]
        out_1[k] = values[(found >> np.uint64(32)) & _SUM]
        out_3[k] = values[found >> np.uint64(48)]


_sample_kernel: Any = borrowing(_sample)


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
        np.empty(uv.shape[1], np.uint64), *scratch_of(),
    )  # fmt: skip
    note_plain(sampler, footprints.linear)
    if texture.swizzle == IDENTITY:
        note(("TEX-SWIZZLE-1",))
        return out
    mapped = mapped_channels(out.view(np.uint32), texture.swizzle, is_integer=False)
    return mapped.view(np.float32)
