"""Faults of mesh draws by records: left out, or from workgroup 0 on whatever the record says."""

from __future__ import annotations

from collections.abc import Iterable

from refnvn.commands import commands as c
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands

WORD_B = 4


def _skipped(command: c.AnyCommand, _: Pass) -> Iterable[c.AnyCommand]:
    return () if isinstance(command, c.DrawMeshTasksIndirect) else (command,)


def _from_zero(command: c.AnyCommand, _: Pass) -> Iterable[c.AnyCommand]:
    """Start at workgroup 0."""
    if not isinstance(command, c.DrawMeshTasksIndirect):
        return (command,)
    return c.ClearBuffer(address=command.address + WORD_B, size_B=WORD_B, value=0), command


register(
    Fault(
        id="mesh-indirect/skipped",
        symptom="meshlets are missing",
        rewrite=lambda trace: rewrite_commands(trace, _skipped),
    ),
    Fault(
        id="mesh-indirect/from-zero",
        symptom="the first batch of meshlets is repeated, the others are missing",
        rewrite=lambda trace: rewrite_commands(trace, _from_zero),
    ),
)
