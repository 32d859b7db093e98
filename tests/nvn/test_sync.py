"""Syncs, events and flushes are recorded with the numbers that NVN's calls name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from refnvn.commands import commands as c
from refnvn.commands import sync as s
from refnvn.enumerations import EventSignalLocation, EventSignalMode, EventWaitMode
from refnvn.errors import RefnvnError
from refnvn.nvn.device import Device
from refnvn.nvn.sync import Event, EventBuilder, Sync


def test_calls_become_commands_and_events() -> None:
    """Of two queues and two syncs each has its number."""
    device = Device()
    first, second = device.queue(), device.queue()
    one, other = Sync(device), Sync(device)
    memory = device.buffer(64)
    event = Event(EventBuilder().set_storage(memory.get_memory_pool(), memory.get_memory_offset() + 8))
    commands = device.command_buffer()
    commands.fence_sync(other, "GRAPHICS_WORLD_SPACE_COMPLETE", 1)
    commands.wait_sync(other)
    commands.signal_event(event, "ADD", "VERTEX_PIPE", "NO_WAIT_MEMORY", 5)
    commands.wait_event(event, "GEQUAL_WRAP", 4)
    commands.report_value(7, memory.get_address(16))
    second.submit(commands)
    second.fence_sync(one)
    first.wait_sync(one)
    one.wait(10)
    event.signal("WRITE", 9)
    memory.invalidate_mapped_range(4, 8)
    first.flush()
    second.finish()
    trace = device.trace().recording
    address = memory.get_address(8)
    assert trace.command_buffers[0] == (
        c.FenceSync(sync=1, condition=1, flags=1),
        c.WaitSync(sync=1),
        c.SignalEvent(
            address=address, mode=EventSignalMode.ADD, location=EventSignalLocation.VERTEX_PIPE, flags=1, value=5
        ),
        c.WaitEvent(address=address, mode=EventWaitMode.GEQUAL_WRAP, value=4),
        c.ReportValue(value=7, address=memory.get_address(16)),
    )
    assert trace.timeline[1:] == (
        s.QueueFenceSync(sync=0, queue=1),
        s.QueueWaitSync(sync=0, queue=0),
        s.SyncWait(sync=0),
        s.EventSignal(address=address, mode=EventSignalMode.WRITE, value=9),
        s.InvalidateMappedRange(pool=0, offset_B=memory.get_memory_offset() + 4, size_B=8),
        s.QueueFlush(queue=0),
        s.QueueFinish(queue=1),
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: Sync(5), "Sync: device is 5, allowed is a Device"),
        (lambda _: Event(EventBuilder()), "Event: builder has no storage, set_storage gives it a pool"),
        (lambda d: EventBuilder().set_storage(d.memory_pool(4096), 2), "offset is 2, allowed are multiples of 4"),
        (lambda d: EventBuilder().set_storage(d.memory_pool(4096), 4096), "offset is 4096, allowed are 0 to 4092"),
        (lambda d: d.queue().fence_sync(Sync(Device())), "fence_sync: sync is of another device"),
        (lambda d: d.command_buffer().fence_sync(Sync(d), "NEVER"), "fence_sync: condition is 'NEVER', allowed are"),
        (lambda d: d.command_buffer().wait_event(5, "EQUAL", 1), "wait_event: event is int, allowed is Event"),
        (lambda d: Sync(d).wait(-1), "Sync.wait: timeout_ns is -1, allowed are 0 to"),
        (lambda d: d.buffer(4).write(b"abcd", racing="yes"), "write: racing is 'yes', allowed are True and False"),
    ],
)
def test_what_cannot_be_is_refused(call: Callable[[Any], object], message: str) -> None:
    """One error: call, argument, value, what is allowed."""
    with pytest.raises(RefnvnError, match=message):
        call(Device())
