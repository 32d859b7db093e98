"""Faults of the order of things: writes of one batch exchanged, and memory read later than its submission ran."""

from __future__ import annotations

from itertools import pairwise

import msgspec

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import with_recording
from refnvn.trace.files import Trace

Buffer = tuple[c.AnyCommand, ...]
SMALL_WRITES = (
    c.UpdateUniformBuffer,
    c.ClearBuffer,
    c.CopyBufferToBuffer,
    c.CopyBufferToTexture,
    c.CopyTextureToBuffer,
    c.CopyTextureToTexture,
)


def _batches(commands: Buffer) -> list[list[c.AnyCommand]]:
    """Return runs of commands: each of small writes alone, or of one other command."""
    found: list[list[c.AnyCommand]] = []
    for command in commands:
        small = isinstance(command, SMALL_WRITES)
        if small and found and isinstance(found[-1][0], SMALL_WRITES):
            found[-1].append(command)
        else:
            found.append([command])
    return found


def _in_batches(trace: Trace, *, backwards: bool) -> Trace:
    """Let the writes of one batch run in another order: from the end, or each pair exchanged."""

    def reordered(batch: list[c.AnyCommand]) -> list[c.AnyCommand]:
        if backwards:
            return batch[::-1]
        return [one for start in range(0, len(batch), 2) for one in batch[start : start + 2][::-1]]

    buffers = tuple(
        tuple(command for batch in _batches(commands) for command in reordered(batch))
        for commands in trace.recording.command_buffers
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=buffers))


def _writes_seen_early(trace: Trace) -> Trace:
    """Let each submission see what the processor writes right after it, as if the GPU ran late."""
    events = list(trace.recording.timeline)
    for place, (one, other) in enumerate(pairwise(trace.recording.timeline)):
        if isinstance(one, r.Submit) and isinstance(other, r.WriteMemory):
            events[place], events[place + 1] = other, one
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=tuple(events)))


def _ring_without_fence(trace: Trace) -> Trace:
    """Let each write land before the last submission, waited for or not."""
    events: list[r.AnyEvent] = []
    last: int | None = None
    for event in trace.recording.timeline:
        if isinstance(event, r.WriteMemory) and last is not None:
            events.insert(last, event)
            last += 1
            continue
        if isinstance(event, r.Submit):
            last = len(events)
        events.append(event)
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=tuple(events)))


def _starts_as_zeros(trace: Trace) -> Trace:
    """Let textures over flushed storage start as zeros: what was flushed never arrives."""
    flushed = {event.pool for event in trace.recording.timeline if isinstance(event, r.FlushMappedRange)}
    events = tuple(
        event
        for event in trace.recording.timeline
        if not isinstance(event, r.WriteMemory) or event.pool not in flushed
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=events))


register(
    Fault(
        id="ue-ring",
        symptom="black shapes on moving sprites for a frame; the race is the game's, not the renderer's",
        rewrite=_ring_without_fence,
    ),
    Fault(
        id="s4-sw-flushfill/cached",
        symptom="tables that the processor filled read zero, a sky built on them is black",
        rewrite=_starts_as_zeros,
    ),
    Fault(
        id="copy-order",
        symptom="a stale coefficient survives, the wave simulation diverges, tall panels flicker",
        rewrite=lambda trace: _in_batches(trace, backwards=False),
    ),
    Fault(
        id="s4-sw-blitorder",
        symptom="panels flicker, a simulation diverges to the largest half floats",
        rewrite=lambda trace: _in_batches(trace, backwards=True),
    ),
    Fault(
        id="buf-tex-copy-early",
        symptom="a texture shows another's blocks: a hard dark box with a stroke of magenta",
        rewrite=_writes_seen_early,
    ),
)
