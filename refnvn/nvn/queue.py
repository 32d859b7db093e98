"""``NVNqueue``: command buffers are executed in the order of their submission. Read next: ``device.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refnvn.enumerations import WindowOriginMode
from refnvn.errors import ArgumentError
from refnvn.nvn.command_buffer import CommandBuffer, CommandHandle
from refnvn.nvn.recorder import captured_queue, submission

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
        self.device = device
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
        for position, handle in enumerate(handles):
            if not isinstance(handle, CommandHandle) or handle.device is not self.device:
                raise ArgumentError(f"submit_commands: handles[{position}] is {handle!r}, allowed are this device's")
        event = submission([handle.index for handle in handles], self.index)
        self.device.recorder.timeline.append(event)

    def submit(self, *command_buffers: CommandBuffer) -> None:
        """End command buffers, submit them, and begin recording them anew: a convenience that NVN lacks."""
        self.submit_commands([buffer.end_recording() for buffer in command_buffers])
        for buffer in command_buffers:
            buffer.begin_recording()
