"""Faults of DrawTexture: it is left out, or its handle is looked up in the wrong pool."""

from __future__ import annotations

from collections.abc import Iterable

from refnvn.commands import commands as c
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands
from refnvn.trace.files import Trace


def _left_out(command: c.AnyCommand, _: Pass) -> Iterable[c.AnyCommand]:
    return () if isinstance(command, c.DrawTexture) else (command,)


def _in_the_first_pool(trace: Trace) -> Trace:
    """Look every handle of DrawTexture up in the pool that was set first."""
    pools: list[c.SetTexturePool] = []

    def change(command: c.AnyCommand, _: Pass) -> Iterable[c.AnyCommand]:
        if isinstance(command, c.SetTexturePool):
            pools.append(command)
        if isinstance(command, c.DrawTexture) and pools:
            return pools[0], command, pools[-1]
        return (command,)

    return rewrite_commands(trace, change)


register(
    Fault(
        id="draw-texture/skipped",
        symptom="the screen stays black while frames run",
        rewrite=lambda trace: rewrite_commands(trace, _left_out),
    ),
    Fault(
        id="draw-texture/first-pool",
        symptom="the picture alternates with another texture",
        rewrite=_in_the_first_pool,
    ),
)
