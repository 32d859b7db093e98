"""Fences and events: ``NVNsync``, ``NVNevent`` and its builder. Read next: ``sync_commands.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refnvn.commands import sync as s
from refnvn.enumerations import EventSignalMode
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import instance, member, whole
from refnvn.nvn.memory_pool import MemoryPool
from refnvn.nvn.recorder import device_for
from refnvn.trace.check_commands import WORD_B

if TYPE_CHECKING:
    from refnvn.nvn.device import Device

MOST_WORD = (1 << 32) - 1
NO_LIMIT = (1 << 64) - 1


class Sync:
    """``NVNsync``.

    Parameters
    ----------
    device : Device
        Records.
    """

    def __init__(self, device: Device) -> None:
        self.device = device_for("Sync", device)
        self.index = device.recorder.new_sync()

    def wait(self, timeout_ns: int = NO_LIMIT) -> None:
        """``nvnSyncWait``: let the processor wait, now in the order of the recording; it always succeeds."""
        whole("Sync.wait", "timeout_ns", timeout_ns, 0, NO_LIMIT)
        self.device.recorder.add_event("Sync.wait", s.SyncWait(sync=self.index))


class EventBuilder:
    """``NVNeventBuilder``."""

    def __init__(self) -> None:
        self.set_defaults()

    def set_defaults(self) -> EventBuilder:
        """No storage."""
        self._pool: MemoryPool | None = None
        self._offset = 0
        return self

    def set_storage(self, pool: MemoryPool, offset: int) -> EventBuilder:
        """Set the pool, and where in it the event's word lies: a multiple of 4."""
        call = "EventBuilder.set_storage"
        self._pool = instance(call, "pool", pool, MemoryPool)
        self._offset = whole(call, "offset", offset, 0, pool.size_B - WORD_B)
        if self._offset % WORD_B:
            raise ArgumentError(f"{call}: offset is {self._offset}, allowed are multiples of {WORD_B}")
        return self

    def get_storage(self) -> tuple[MemoryPool, int]:
        """Return pool and offset: a convenience.

        Raises
        ------
        ArgumentError
            Where none was set.
        """
        if self._pool is None:
            raise ArgumentError("Event: builder has no storage, set_storage gives it a pool")
        return self._pool, self._offset


class Event:
    """``NVNevent``: a word in memory that the GPU and the processor signal and wait for.

    Parameters
    ----------
    builder : EventBuilder
        With storage; copied.
    """

    def __init__(self, builder: EventBuilder) -> None:
        self.pool, self.offset = instance("Event", "builder", builder, EventBuilder).get_storage()

    @property
    def device(self) -> Device:
        """The device of its memory."""
        return self.pool.device

    @property
    def address(self) -> int:
        """The GPU address of its word."""
        return self.pool.get_buffer_address(self.offset)

    def signal(self, mode: EventSignalMode | str | int, value: int) -> None:
        """Write or add to the word by the processor, now in the order of the recording."""
        call = "Event.signal"
        event = s.EventSignal(
            address=self.address,
            mode=member(call, "mode", mode, EventSignalMode),
            value=whole(call, "value", value, 0, MOST_WORD),
        )
        self.device.recorder.add_event(call, event)

    def get_value(self, name: str) -> None:
        """Read the word by the processor, as a result of that name."""
        self.pool.read(name, self.offset, WORD_B)
