"""How does an output meet what is stored? Blending or a logic operation, fragment after fragment.

Fragments of one pixel must merge in the order of the draw: they are taken in rounds, in which every pixel comes once.
A target that neither blends nor has a logic operation needs none of this: ``output.py`` stores to it.

Read next: ``blend.py``, ``logic_op.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from refnvn.enumerations import LogicOp
from refnvn.formats.floatbits import Float32, Int64, UInt8, UInt32, from_bits
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.raster import output
from refnvn.raster.blend import BlendTargetState, blend, blends
from refnvn.raster.interpolate import Lanes
from refnvn.raster.logic_op import acts_on, logic_op
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, channel_bits, write_bits
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader

SECOND_SOURCE = 1
"""The output that target 0 may blend with."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What happens between the outputs of a draw and one target.

    Attributes
    ----------
    blend : BlendTargetState or None
    constant : float32, shape (4,)
        The blend colour.
    logic_op : LogicOp
        COPY where there is none.
    plans : dict
        The blend as compiled loops take it, once it was asked for.
    """

    blend: BlendTargetState | None
    constant: Float32
    logic_op: LogicOp
    plans: dict[str, Any] = field(default_factory=dict, compare=False)


@rule(
    "RASTER-MERGE-1",
    "A logic operation other than COPY switches blending off on all targets of a draw, also on those that it does "
    "not act on.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pipeline-rules"),
    ledger=("logic-op",),
)
def merge_of(state: RasterState, location: int, target: ColorTarget) -> Merge | None:
    """Return how a target merges; None where outputs are just stored."""
    constant = np.array(state.blend_color, dtype=np.float32)
    if state.logic_op is not LogicOp.COPY:
        return Merge(None, constant, state.logic_op) if acts_on(target.fmt) else None
    how = state.blends[location]
    return Merge(how, constant, LogicOp.COPY) if how is not None and blends(target.fmt) else None


@rule(
    "RASTER-MERGE-2",
    "Where target 0 blends with a SRC1 factor output 1 is its second source and is stored to no target.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("seed-titles",),
    ledger=("src1-written",),
)
def has_second_source(state: RasterState) -> bool:
    """Say whether output 1 is the second source of target 0."""
    how = state.blends[0]
    return state.logic_op is LogicOp.COPY and how is not None and how.uses_source1


def second_source(state: RasterState, shader: Shader, values: UInt32) -> Float32 | None:
    """Return output 1 as the second source, shape (lanes, 4); None where the shader does not write it."""
    rows = output.written_rows(shader).get(SECOND_SOURCE) if has_second_source(state) else None
    if rows is None:
        return None
    found = np.zeros((4, values.shape[1]), dtype=np.float32)
    found[3] = 1.0
    found[: len(rows)] = from_bits(values[list(rows)])
    return np.ascontiguousarray(found.T)


def rounds(lanes: Lanes) -> Iterator[Int64]:
    """Yield indices of lanes so that in a round every pixel comes once, and the rounds keep each pixel's order.

    >>> zeros = np.zeros(3, np.int64)
    >>> [one.tolist() for one in rounds(Lanes(zeros, np.array([4, 5, 4]), zeros))]
    [[0, 1], [2]]
    """
    count = len(lanes.row)
    if not count:
        return
    pixels = lanes.row * (int(lanes.column.max()) + 1) + lanes.column
    order = np.argsort(pixels, kind="stable")
    begins = np.ones(count, dtype=np.bool_)
    begins[1:] = pixels[order][1:] != pixels[order][:-1]
    firsts = np.maximum.accumulate(np.where(begins, np.arange(count), 0))
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count) - firsts
    by_place = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place))
    for begin, end in zip(np.concatenate([[0], ends[:-1]]), ends, strict=True):
        yield by_place[begin:end]


def store_merged(
    merge: Merge,
    target: ColorTarget,
    mask: int,
    bits: UInt32,
    second: Float32 | None,
    lanes: Lanes,
    rules: Rules,
) -> None:
    """Merge fragments with a target and store them in order.

    Parameters
    ----------
    merge : Merge
    target : ColorTarget
    mask : int
        Channels that are written.
    bits : uint32, shape (4, lanes)
        Of R, G, B, A.
    second : float32, shape (lanes, 4), or None
        The second source.
    lanes : Lanes
    rules : Rules
        Reads what blending and conversions need.
    """
    written = channel_bits(target.fmt, mask)
    for part in rounds(lanes):
        at = (lanes.row[part], lanes.column[part])
        stored = target.codes[at]
        codes = _merged(merge, target, mask, bits[:, part], None if second is None else second[part], stored, rules)
        write_bits(stored, codes, written)
        target.codes[at] = stored


def _merged(
    merge: Merge,
    target: ColorTarget,
    mask: int,
    bits: UInt32,
    second: Float32 | None,
    stored: UInt8,
    rules: Rules,
) -> UInt8:
    """Return the bytes of texels after blending or a logic operation, before the channel mask."""
    fmt = target.fmt
    codes = unpack_codes(fmt, stored)
    if merge.blend is None:
        drawn = unpack_codes(fmt, output.stored_codes(fmt, bits, rules))
        return pack_codes(fmt, logic_op(merge.logic_op, fmt, drawn, codes))
    source = from_bits(np.ascontiguousarray(bits.T))
    return pack_codes(fmt, blend(merge.blend, fmt, source, second, merge.constant, codes, rules, mask=mask))
