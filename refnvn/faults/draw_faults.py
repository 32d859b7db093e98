"""Faults of draws: records and indices that are read too early, byte indices, counts that are cut off.

What is read too early is copied to memory of its own when the command buffer begins, and read there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import MemoryPool
from refnvn.enumerations import IndexType
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands, with_recording
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
MULTI_DRAWS = (c.MultiDrawArraysIndirectCount, c.MultiDrawElementsIndirectCount)
ARRAYS_RECORD_B, ELEMENTS_RECORD_B = 16, 20
SNAPSHOT_B = 65536
SNAPSHOT_ALIGNMENT_B = 16
WORD_B = 4
MOST_DRAWS = 1024


class _Snapshot:
    """Memory behind all pools, where ranges lie as they were when a command buffer began."""

    def __init__(self, pools: int) -> None:
        self._next = pool_base_B(pools)
        self.copies: list[c.AnyCommand] = []

    def of(self, address: int, size_B: int) -> int:
        """Return where a range is copied to."""
        place = self._next
        self._next += -(-size_B // SNAPSHOT_ALIGNMENT_B) * SNAPSHOT_ALIGNMENT_B
        self.copies.append(c.CopyBufferToBuffer(source=address, destination=place, size_B=size_B))
        return place


Early = Callable[[c.AnyCommand, _Snapshot], c.AnyCommand]


def _read_early(trace: Trace, early: Early) -> Trace:
    """Let commands read ranges of a snapshot that the beginning of their command buffer takes."""
    recording = trace.recording
    snapshot = _Snapshot(len(recording.pools))
    buffers = []
    for commands in recording.command_buffers:
        changed = [early(command, snapshot) for command in commands]
        buffers.append((*snapshot.copies, *changed))
        snapshot.copies = []
    pools = (*recording.pools, MemoryPool(size_B=SNAPSHOT_B))
    return with_recording(trace, msgspec.structs.replace(recording, command_buffers=tuple(buffers), pools=pools))


def _early_records(command: c.AnyCommand, snapshot: _Snapshot) -> c.AnyCommand:
    if isinstance(command, c.DrawArraysIndirect):
        return msgspec.structs.replace(command, address=snapshot.of(command.address, ARRAYS_RECORD_B))
    if isinstance(command, c.DrawElementsIndirect):
        return msgspec.structs.replace(command, address=snapshot.of(command.address, ELEMENTS_RECORD_B))
    if isinstance(command, MULTI_DRAWS):
        return msgspec.structs.replace(command, count_address=snapshot.of(command.count_address, WORD_B))
    return command


def _early_byte_indices(command: c.AnyCommand, snapshot: _Snapshot) -> c.AnyCommand:
    if isinstance(command, c.DrawElements) and command.index_type is IndexType.BYTE:
        return msgspec.structs.replace(command, address=snapshot.of(command.address, command.count))
    return command


def _bytes_in_pairs(command: c.AnyCommand, _: Pass) -> Commands:
    """Read byte indices as 16-bit ones."""
    by_byte = getattr(command, "index_type", None) is IndexType.BYTE
    return (msgspec.structs.replace(command, index_type=IndexType.SHORT),) if by_byte else (command,)


def _cut_off(command: c.AnyCommand, _: Pass) -> Commands:
    if not isinstance(command, MULTI_DRAWS):
        return (command,)
    return (msgspec.structs.replace(command, most=min(command.most, MOST_DRAWS)),)


def _all_drawn(command: c.AnyCommand, _: Pass) -> Commands:
    """Draw every record, whatever the count says."""
    if not isinstance(command, MULTI_DRAWS):
        return (command,)
    return c.ClearBuffer(address=command.count_address, size_B=WORD_B, value=command.most), command


def _none_drawn(command: c.AnyCommand, _: Pass) -> Commands:
    return () if isinstance(command, MULTI_DRAWS) else (command,)


def _base_instance_dropped(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.DrawArraysIndirect):
        zero = c.ClearBuffer(address=command.address + ARRAYS_RECORD_B - WORD_B, size_B=WORD_B, value=0)
        return zero, command
    if isinstance(command, c.DrawElementsIndirect):
        zero = c.ClearBuffer(address=command.address + ELEMENTS_RECORD_B - WORD_B, size_B=WORD_B, value=0)
        return zero, command
    return (command,)


register(
    Fault(
        id="indirect",
        symptom="nothing is drawn on the first frame, last frame's number of things later",
        rewrite=lambda trace: _read_early(trace, _early_records),
    ),
    Fault(
        id="index8-gpu-write",
        symptom="last frame's primitives are drawn, or none on the first frame",
        rewrite=lambda trace: _read_early(trace, _early_byte_indices),
    ),
    Fault(
        id="index8",
        symptom="triangles are garbage or degenerate, full-screen copies are missing",
        rewrite=lambda trace: rewrite_commands(trace, _bytes_in_pairs),
    ),
    Fault(
        id="multidraw-count/cut-off",
        symptom="level geometry is missing",
        rewrite=lambda trace: rewrite_commands(trace, _cut_off),
    ),
    Fault(
        id="multidraw-count/all",
        symptom="stale meshes are drawn past the live count",
        rewrite=lambda trace: rewrite_commands(trace, _all_drawn),
    ),
    Fault(
        id="multidraw-count/none",
        symptom="the level is empty",
        rewrite=lambda trace: rewrite_commands(trace, _none_drawn),
    ),
    Fault(
        id="vin-pull/base-instance",
        symptom="instances of indirect draws overlap at the first ones' places",
        rewrite=lambda trace: rewrite_commands(trace, _base_instance_dropped),
    ),
)
