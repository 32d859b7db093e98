"""Which way do fragments that blend go, through NumPy or through compiled loops? Both give the same bits.

Compiled loops serve blending by factors on normalised targets; everything else is merged by ``merge.py``.

Read next: ``blend_plan.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Int64, UInt32, from_bits
from refnvn.raster.batch import Batch, note_planes
from refnvn.raster.blend import arithmetic_of, as_plain, missing_source1
from refnvn.raster.blend_factors import Operands
from refnvn.raster.blend_kept import left_alone
from refnvn.raster.blend_plan import NormPlan, counts_in_codes, norm_plan
from refnvn.raster.interpolate import Inputs, Lanes
from refnvn.raster.merge import Merge, store_merged
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import note


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
    if batch.compiled and merge.blend is not None and counts_in_codes(merge.blend, target.fmt, rules):
        from refnvn.raster import blend_kernel

        if blend_kernel.takes(target):
            has_second = second is not None
            plan = norm_plan(merge.blend, target.fmt, merge.constant, rules, mask, has_second=has_second)
            source = from_bits(bits)
            first, other = _sources(plan, target, source, second, rules)
            alive = _not_left_alone(plan, merge, target, mask, source, alive, rules)
            blend_kernel.blend_spans(plan, target, mask, first, other, batch.spans, alive)
            return
    lanes = batch.lanes
    if alive is not None:
        lanes = Lanes(lanes.primitive[alive], lanes.column[alive], lanes.row[alive])
        bits = bits[:, alive]
        second = None if second is None else second[alive]
    store_merged(merge, target, mask, bits, second, lanes, rules)


def _sources(
    plan: NormPlan, target: ColorTarget, source: Float32, second: Float32 | None, rules: Rules
) -> tuple[NDArray[np.floating], NDArray[np.floating] | None]:
    """Return both sources as the loops take them, shape (4, lanes): as they are, or as codes."""
    other = None
    if plan.reads_source1:
        other = (missing_source1(np.ascontiguousarray(source.T), rules) if second is None else second).T
    if plan.converts:
        return source, None if other is None else np.ascontiguousarray(other)
    arithmetic = arithmetic_of(target.fmt, rules)
    return arithmetic.source(source).astype(plan.dtype), None if other is None else np.ascontiguousarray(
        arithmetic.source(other).astype(plan.dtype)
    )


def _not_left_alone(
    plan: NormPlan,
    merge: Merge,
    target: ColorTarget,
    mask: int,
    source: Float32,
    alive: NDArray[np.bool_] | None,
    rules: Rules,
) -> NDArray[np.bool_] | None:
    """Return which fragments blend: all that are alive, where a pixel left alone looks like one stored."""
    plain = as_plain(merge.blend) if merge.blend is not None else None
    if plan.keeps_codes or plain is None:
        return alive
    arithmetic = arithmetic_of(target.fmt, rules)
    first = arithmetic.source(np.ascontiguousarray(source.T))
    constant = np.broadcast_to(arithmetic.constant(merge.constant.reshape(1, 4)), first.shape)
    operands = Operands(source=first, source1=first, destination=first, constant=constant)
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
