"""Which draws go to their one target in a single loop, and how?

They are those where nothing stands between a shader's inputs and plain bytes. Read next: ``batch.py`` and
``merge_batch.py``, whose loops they are.
"""

from __future__ import annotations

from typing import NamedTuple

from refnvn.raster.batch import fill, stores_unorm8
from refnvn.raster.inputs import Inputs
from refnvn.raster.merge import SECOND_SOURCE, Merge, has_second_source
from refnvn.raster.merge_batch import fill_blended, fills_blended
from refnvn.raster.spans import Spans
from refnvn.raster.stage import Stage
from refnvn.raster.target import ColorTarget
from refnvn.rules.registry import note


def shade_at_once(stage: Stage, inputs: Inputs, spans: Spans) -> bool:
    """Take all spans to the one target in a single loop, if nothing stands between their inputs and its texels.

    That is so where the shader only copies, no test is on and the target holds plain bytes; the same steps as
    :func:`refnvn.raster.fragment.shade` takes, without a stop. Returns whether it was done.
    """
    found = filled_at_once(stage)
    if found is None:
        return False
    note(("RASTER-ORDER-1", "RASTER-EARLY-1"))
    mask = stage.state.channel_masks[found.location]
    if mask and found.merge is not None:
        fill_blended(found.merge, [found.target], mask, inputs, found.rows, spans, stage.rules)
    elif mask:
        fill(found.target, mask, inputs, found.rows, spans)
    return True


class Filled(NamedTuple):
    """The one target that can be filled at once: its location, itself, the rows that it gets, how it merges."""

    location: int
    target: ColorTarget
    rows: tuple[int, ...]
    merge: Merge | None


def filled_at_once(stage: Stage) -> Filled | None:
    """Return the target that can be filled in a single loop by input rows, or None where something stands between."""
    if stage.planes is not None:
        return None
    found = stored_rows(stage)
    if found is None or (found.merge is not None and not fills_blended(found.merge, found.target, stage.rules)):
        return None
    return found


def stored_rows(stage: Stage) -> Filled | None:
    """Return the one target of four plain bytes that gets copies of inputs, and the input rows that it gets."""
    fragment = stage.fragment
    if fragment is None or fragment.copies is None:
        return None
    found = plain_target(stage)
    return None if found is None else found._replace(rows=tuple(fragment.copies[row] for row in found.rows))


def plain_target(stage: Stage) -> Filled | None:
    """Return the one target of four plain bytes that a draw writes, and which output rows it gets."""
    fragment = stage.fragment
    if fragment is None or len(fragment.outputs) != 1:
        return None
    ((location, rows),) = fragment.outputs.items()
    target = stage.colors[location] if 0 <= location < len(stage.colors) else None
    if target is None or stage.tests_alpha or not stores_unorm8(target.fmt, rows, stage.rules):
        return None
    if location == SECOND_SOURCE and has_second_source(stage.state):
        return None
    return Filled(location, target, rows, stage.merge(location, target))
