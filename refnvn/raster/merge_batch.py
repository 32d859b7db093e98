"""Which way do fragments that blend go, through NumPy or through compiled loops? Both give the same bits.

Compiled loops serve blending by factors on targets whose bits are all channels; the rest is merged by ``merge.py``.

Read next: ``blend_plan.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Int64, UInt32, from_bits
from refnvn.raster.batch import Batch, note_planes
from refnvn.raster.blend import BlendTargetState, arithmetic_of, as_plain, missing_source1
from refnvn.raster.blend_factors import Operands
from refnvn.raster.blend_float_plan import counts_in_floats, float_plan
from refnvn.raster.blend_kept import left_alone
from refnvn.raster.blend_plan import counts_in_codes, norm_plan
from refnvn.raster.interpolate import Inputs, Lanes
from refnvn.raster.merge import Merge, store_merged
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import note

Alive = NDArray[np.bool_] | None


def merge_batch(
    merge: Merge,
    target: ColorTarget,
    mask: int,
    bits: UInt32,
    second: Float32 | None,
    batch: Batch,
    alive: NDArray[np.bool_] | None,
    rules: Rules,
) -> None:
    """Merge a batch of fragments with a target, in order.

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
    batch : Batch
    alive : bool, shape (lanes,), or None
        Which fragments are stored; None for all.
    rules : Rules
        Reads what blending and conversions need.
    """
    if batch.compiled and merge.blend is not None:
        source = from_bits(bits)
        if counts_in_codes(merge.blend, target.fmt, rules):
            _blend_codes(merge.blend, merge.constant, target, mask, source, second, batch.spans, alive, rules)
            return
        if counts_in_floats(merge.blend, target.fmt, rules):
            _blend_floats(merge.blend, merge.constant, target, mask, source, second, batch.spans, alive, rules)
            return
    lanes = batch.lanes
    if alive is not None:
        lanes = Lanes(lanes.primitive[alive], lanes.column[alive], lanes.row[alive])
        bits = bits[:, alive]
        second = None if second is None else second[alive]
    store_merged(merge, target, mask, bits, second, lanes, rules)


def _blend_codes(
    state: BlendTargetState, constant: Float32, target: ColorTarget, mask: int, source: Float32,
    second: Float32 | None, spans: Spans, alive: Alive, rules: Rules,
) -> None:  # fmt: skip
    from refnvn.raster import blend_kernel

    plan = norm_plan(state, target.fmt, constant, rules, mask, has_second=second is not None)
    arithmetic = arithmetic_of(target.fmt, rules)
    other = _second(source.T, second, rules).T if plan.reads_source1 else None
    if not plan.keeps_codes:
        first = arithmetic.source(np.ascontiguousarray(source.T))
        alive = _not_left_alone(state, constant, target, mask, first, alive, rules)
    if not plan.converts:
        source = arithmetic.source(source).astype(plan.dtype)
        other = None if other is None else arithmetic.source(other).astype(plan.dtype)
    other = None if other is None else np.ascontiguousarray(other)
    blend_kernel.blend_spans(plan, target, mask, source, other, spans, alive)


def _blend_floats(
    state: BlendTargetState, constant: Float32, target: ColorTarget, mask: int, source: Float32,
    second: Float32 | None, spans: Spans, alive: Alive, rules: Rules,
) -> None:  # fmt: skip
    from refnvn.raster import blend_float_kernel

    plan = float_plan(state, target.fmt, constant, rules, mask, has_second=second is not None)
    arithmetic, turned = arithmetic_of(target.fmt, rules), np.ascontiguousarray(source.T)
    with np.errstate(all="ignore"):
        first = arithmetic.source(turned)
        other = arithmetic.source(_second(turned, second, rules)) if plan.reads_source1 else None
        alive = _not_left_alone(state, constant, target, mask, first, alive, rules)
    blend_float_kernel.blend_floats(plan, target, mask, first, other, spans, alive)


def _second(source: Float32, second: Float32 | None, rules: Rules) -> Float32:
    """Return the second source, shape (lanes, 4), or what stands in for it."""
    return missing_source1(np.ascontiguousarray(source), rules) if second is None else second


def _not_left_alone(
    state: BlendTargetState, constant: Float32, target: ColorTarget, mask: int, first: NDArray[Any],
    alive: Alive, rules: Rules,
) -> Alive:  # fmt: skip
    """Return which fragments that are alive blend, their sources being numbers of the target's arithmetic."""
    plain, arithmetic = as_plain(state), arithmetic_of(target.fmt, rules)
    assert plain is not None
    constants = np.broadcast_to(arithmetic.constant(constant.reshape(1, 4)), first.shape)
    operands = Operands(source=first, source1=first, destination=first, constant=constants)
    blended = ~left_alone(plain.color, plain.alpha, target.fmt, mask, operands, arithmetic)
    return blended if alive is None else alive & blended


def fills_blended(merge: Merge, target: ColorTarget, rules: Rules) -> bool:
    """Say whether spans of a target of four plain bytes can be interpolated and blended in one compiled loop."""
    how = merge.blend
    return how is not None and not how.uses_source1 and counts_in_codes(how, target.fmt, rules)


def fill_blended(
    merge: Merge,
    targets: Sequence[ColorTarget],
    mask: int,
    inputs: Inputs,
    rows: tuple[int, ...],
    spans: Spans,
    rules: Rules,
    reach: tuple[Int64, Int64] | None = None,
) -> None:
    """Blend spans with targets for which :func:`fills_blended` holds.

    Parameters
    ----------
    rows : tuple of int
        The input rows that are R, G, B and A.
    reach : tuple of int64, each of shape (spans, targets), or None
        First column, and the column after the last, of each target; None where there is one and spans say it.
    """
    from refnvn.raster import blend_kernel

    assert merge.blend is not None
    note_planes(inputs)
    note(("RASTER-MERGE-2", "RASTER-OUTPUT-2"))
    plan = norm_plan(merge.blend, targets[0].fmt, merge.constant, rules, mask)
    if reach is None:
        reach = spans.left[:, np.newaxis], spans.right[:, np.newaxis]
    blend_kernel.fill_blended(plan, targets, mask, inputs, rows, spans, reach)
