"""The commands that signal and wait. Read next: ``queue.py``."""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.enumerations import (
    EventSignalFlags,
    EventSignalLocation,
    EventSignalMode,
    EventWaitMode,
    SyncCondition,
    SyncFlags,
)
from refnvn.nvn.arguments import flag_bits, member, owned, whole
from refnvn.nvn.recording_base import Recorded
from refnvn.nvn.sync import MOST_WORD, Event, Sync


class SyncCommands(Recorded):
    """``nvnCommandBufferFenceSync``, ``WaitSync``, ``SignalEvent`` and ``WaitEvent``."""

    def fence_sync(
        self,
        sync: Sync,
        condition: SyncCondition | str | int = "ALL_GPU_COMMANDS_COMPLETE",
        flags: SyncFlags | str | int = 0,
    ) -> None:
        """Signal a sync when the commands before are done."""
        call = "fence_sync"
        command = c.FenceSync(
            sync=owned(call, "sync", sync, Sync, self.device).index,
            condition=member(call, "condition", condition, SyncCondition),
            flags=int(flag_bits(call, "flags", flags, SyncFlags)),
        )
        self._record(call, command)

    def wait_sync(self, sync: Sync) -> None:
        """Wait for a sync."""
        self._record("wait_sync", c.WaitSync(sync=owned("wait_sync", "sync", sync, Sync, self.device).index))

    def signal_event(
        self,
        event: Event,
        mode: EventSignalMode | str | int,
        location: EventSignalLocation | str | int,
        flags: EventSignalFlags | str | int,
        value: int,
    ) -> None:
        """Write or add to the word of an event when the commands before are done."""
        call = "signal_event"
        command = c.SignalEvent(
            address=owned(call, "event", event, Event, self.device).address,
            mode=member(call, "mode", mode, EventSignalMode),
            location=member(call, "location", location, EventSignalLocation),
            flags=int(flag_bits(call, "flags", flags, EventSignalFlags)),
            value=whole(call, "value", value, 0, MOST_WORD),
        )
        self._record(call, command, address="event")

    def wait_event(self, event: Event, mode: EventWaitMode | str | int, value: int) -> None:
        """Wait until the word of an event has a value."""
        call = "wait_event"
        command = c.WaitEvent(
            address=owned(call, "event", event, Event, self.device).address,
            mode=member(call, "mode", mode, EventWaitMode),
            value=whole(call, "value", value, 0, MOST_WORD),
        )
        self._record(call, command, address="event")
