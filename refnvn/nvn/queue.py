"""``NVNqueue``: command buffers are executed in the order of their submission. Read next: ``device.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refnvn.enumerations import WindowOriginMode
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import owned, series
from refnvn.nvn.command_buffer import CommandBuffer, CommandHandle
from refnvn.nvn.recorder import captured_queue, device_for, submission

if TYPE_CHECKING:
    from refnvn.nvn.device import Device


class Queue:
    """``NVNqueue``: it keeps the window origin that its device has now.

    Parameters
    ----------
    device : Device
        Records.
    """

    def __init__(self, device: Device) -> None:
        self.device = device_for("Queue", device)
        self.index = len(device.recorder.queues)
        device.recorder.queues.append(captured_queue(device.get_window_origin_mode()))

    @property
    def window_origin(self) -> WindowOriginMode:
        """The origin that was captured."""
        return self.device.recorder.queues[self.index].window_origin

    def submit_commands(self, handles: Sequence[CommandHandle]) -> None:
        """``nvnQueueSubmitCommands``: execute recorded commands, in order.

        Raises
        ------
        ArgumentError
            For a handle of another device.
        """
        for position, handle in enumerate(series("submit_commands", "handles", handles, "CommandHandle")):
            if not isinstance(handle, CommandHandle) or handle.device is not self.device:
                raise ArgumentError(f"submit_commands: handles[{position}] is {handle!r}, allowed are this device's")
        event = submission([handle.index for handle in handles], self.index)
        self.device.recorder.timeline.append(event)

    def submit(self, *command_buffers: CommandBuffer) -> None:
        """End command buffers, submit them, and begin recording them anew: a convenience that NVN lacks.

        Raises
        ------
        ArgumentError
            For anything but command buffers of this device that are recording, each once; nothing is ended then.
        """
        call, seen = "submit", dict[int, int]()
        for place, buffer in enumerate(command_buffers):
            argument = f"command_buffers[{place}]"
            if not owned(call, argument, buffer, CommandBuffer, self.device).is_recording():
                raise ArgumentError(f"{call}: {argument} is not recording, begin_recording makes it so")
            if seen.setdefault(id(buffer), place) != place:
                raise ArgumentError(
                    f"{call}: {argument} is command_buffers[{seen[id(buffer)]}], allowed is each once"
                )
        self.submit_commands([buffer.end_recording() for buffer in command_buffers])
        for buffer in command_buffers:
            buffer.begin_recording()
