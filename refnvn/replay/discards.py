"""What does discarding a target leave? Nothing that anybody may rely on.

Read next: ``clears.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.memory.pool import Bytes
from refnvn.replay.context import Context
from refnvn.replay.views import Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import DiscardedContent, Rules
from refnvn.rules.registry import rule


@rule(
    "DISCARD-TARGET-1",
    "What a discarded target holds is undefined in every layer of its view, until it is written anew; here it stays.",
    evidence=Evidence.INFERRED,
    sources=("nvn-header", "deko3d"),
    fields=("discarded_content",),
    refuted_by="a title that reads what it has discarded, or a console that discards inside the scissor only",
)
def discarded(codes: Bytes, rules: Rules) -> Bytes | None:
    """Return what codes become; None for what they are.

    >>> discarded(np.array([1], np.uint8), Rules(discarded_content=DiscardedContent.TURNED)).tolist()
    [254]
    """
    setting = rules.discarded_content
    if setting is DiscardedContent.KEPT:
        return None
    if setting is DiscardedContent.TURNED:
        return ~codes
    return np.full_like(codes, 0xFF if setting is DiscardedContent.ONES else 0)


def discard_color(context: Context, command: c.DiscardColor) -> None:
    """Discard a colour target; a slot without one is left out."""
    _discard(context, context.state.colors[command.index])


def discard_depth_stencil(context: Context, _command: c.DiscardDepthStencil) -> None:
    """Discard the depth-stencil target, if there is one."""
    _discard(context, context.state.depth_stencil)


def _discard(context: Context, target: Target | None) -> None:
    if target is None:
        return
    for part in target.parts():
        part_codes = part.surface.codes[part.first_slice : part.first_slice + part.slices]
        changed = discarded(part_codes, context.rules)
        if changed is not None:
            part_codes[...] = changed
            part.surface.written()
