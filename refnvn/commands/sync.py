"""What orders the processor and the queues: flushes, finishes, fences and events, in the order of the timeline.

Read next: ``recording.py``.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from refnvn.commands.commands import SyncIndex
from refnvn.commands.event import Event
from refnvn.commands.resources import Bytes64, Index
from refnvn.enumerations import EventSignalMode, SyncCondition


class QueueFlush(Event, frozen=True, kw_only=True):
    """``nvnQueueFlush``: the queue begins what was submitted."""

    queue: Index = 0


class QueueFinish(Event, frozen=True, kw_only=True):
    """``nvnQueueFinish``: the processor waits until the queue is done."""

    queue: Index = 0


class QueueFenceSync(Event, frozen=True, kw_only=True):
    """``nvnQueueFenceSync``: signal a sync when what was submitted to the queue is done."""

    sync: SyncIndex
    condition: SyncCondition = SyncCondition.ALL_GPU_COMMANDS_COMPLETE
    flags: Annotated[int, Meta(ge=0, le=1)] = 0
    queue: Index = 0


class QueueWaitSync(Event, frozen=True, kw_only=True):
    """``nvnQueueWaitSync``: let the queue wait for a sync before what is submitted next."""

    sync: SyncIndex
    queue: Index = 0


class SyncWait(Event, frozen=True, kw_only=True):
    """``nvnSyncWait``: the processor waits for a sync."""

    sync: SyncIndex


class EventSignal(Event, frozen=True, kw_only=True):
    """``nvnEventSignal``: the processor writes or adds to the word of an event."""

    address: Bytes64
    mode: EventSignalMode
    value: Annotated[int, Meta(ge=0, lt=1 << 32)]


class InvalidateMappedRange(Event, frozen=True, kw_only=True):
    """``nvnMemoryPoolInvalidateMappedRange``: what the GPU wrote becomes visible to a processor that caches."""

    pool: Index
    offset_B: Bytes64
    size_B: Bytes64


AnySyncEvent = (
    QueueFlush | QueueFinish | QueueFenceSync | QueueWaitSync | SyncWait | EventSignal | InvalidateMappedRange
)
