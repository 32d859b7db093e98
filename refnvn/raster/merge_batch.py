"""Which way do fragments that blend go, through NumPy or through compiled loops? Both give the same bits.

Compiled loops serve blending by factors on targets whose bits are all channels; the rest is merged by ``merge.py``.

Read next: ``blend_plan.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Int64, UInt32, from_bits
from refnvn.raster.batch import Batch, note_planes
from refnvn.raster.blend import arithmetic_of, missing_source1
from refnvn.raster.blend_float_plan import CUT, GIVEN, counts_in_floats, float_plan
from refnvn.raster.blend_plan import counts_in_codes, norm_plan
from refnvn.raster.inputs import Inputs
from refnvn.raster.interpolate import Lanes
from refnvn.raster.merge import Merge, store_merged
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import note

Alive = NDArray[np.bool_] | None
P = TypeVar("P")


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
    if alive is not None and not alive.any():
        return
    if batch.compiled and merge.blend is not None:
        source = from_bits(bits)
        if counts_in_codes(merge.blend, target.fmt, rules):
            _blend_codes(merge, target, mask, source, second, batch.spans, alive, rules)
            return
        if counts_in_floats(merge.blend, target.fmt, rules):
            _blend_floats(merge, target, mask, source, second, batch.spans, alive, rules)
            return
    lanes = batch.lanes
    if alive is not None:
        lanes = Lanes(lanes.primitive[alive], lanes.column[alive], lanes.row[alive])
        bits = bits[:, alive]
        second = None if second is None else second[alive]
    store_merged(merge, target, mask, bits, second, lanes, rules)


def _blend_codes(
    merge: Merge, target: ColorTarget, mask: int, source: Float32, second: Float32 | None, spans: Spans,
    alive: Alive, rules: Rules,
) -> None:  # fmt: skip
    from refnvn.raster import blend_kernel

    plan = _plan(norm_plan, merge, target, mask, second, rules)
    other = _second(source.T, second, rules).T if plan.reads_source1 else None
    if not plan.converts:
        arithmetic = arithmetic_of(target.fmt, rules)
        source = arithmetic.source(source).astype(plan.dtype)
        other = None if other is None else arithmetic.source(other).astype(plan.dtype)
    other = None if other is None else np.ascontiguousarray(other)
    blend_kernel.blend_spans(plan, target, mask, source, other, spans, alive)


def _blend_floats(
    merge: Merge, target: ColorTarget, mask: int, source: Float32, second: Float32 | None, spans: Spans,
    alive: Alive, rules: Rules,
) -> None:  # fmt: skip
    from refnvn.raster import blend_float_kernel

    plan = _plan(float_plan, merge, target, mask, second, rules)
    given = [source.T, _second(source.T, second, rules)] if plan.reads_source1 else [source.T]
    if plan.source == GIVEN:
        arithmetic = arithmetic_of(target.fmt, rules)
        with np.errstate(all="ignore"):
            given = [arithmetic.source(np.ascontiguousarray(one)) for one in given]
    first, *others = (np.ascontiguousarray(one.T) for one in given)
    stored_nan = blend_float_kernel.blend_floats(
        plan, target, mask, first, others[0] if others else None, spans, alive
    )
    if stored_nan or (plan.source == CUT and any(np.isnan(_alive(one, alive)).any() for one in given)):
        note(("FMT-FLOAT-3",))


def _alive(values: Float32, alive: Alive) -> Float32:
    return values if alive is None else values[alive]


def _plan(
    make: Callable[..., P], merge: Merge, target: ColorTarget, mask: int, second: Float32 | None, rules: Rules
) -> P:
    """Return the plan of a merge, the same for all batches of a draw."""
    if make.__name__ not in merge.plans:
        assert merge.blend is not None
        merge.plans[make.__name__] = make(
            merge.blend, target.fmt, merge.constant, rules, mask, has_second=second is not None
        )
    found: P = merge.plans[make.__name__]
    return found


def _second(source: Float32, second: Float32 | None, rules: Rules) -> Float32:
    """Return the second source, shape (lanes, 4), or what stands in for it."""
    return missing_source1(np.ascontiguousarray(source), rules) if second is None else second


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
