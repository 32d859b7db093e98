"""``NVNqueue``: command buffers are executed in the order of their submission. Read next: ``device.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refnvn.commands import sync as s
from refnvn.commands.presents import PresentTexture
from refnvn.enumerations import SyncCondition, SyncFlags, WindowOriginMode
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import flag_bits, member, owned, series, whole
from refnvn.nvn.command_buffer import CommandBuffer, CommandHandle
from refnvn.nvn.recorder import captured_queue, device_for, submission
from refnvn.nvn.sync import Sync
from refnvn.nvn.window import Window

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

    def flush(self) -> None:
        """``nvnQueueFlush``: begin what was submitted."""
        self.device.recorder.add_event("flush", s.QueueFlush(queue=self.index))

    def finish(self) -> None:
        """``nvnQueueFinish``: let the processor wait until the queue is done, now in the order of the recording."""
        self.device.recorder.add_event("finish", s.QueueFinish(queue=self.index))

    def fence_sync(
        self,
        sync: Sync,
        condition: SyncCondition | str | int = "ALL_GPU_COMMANDS_COMPLETE",
        flags: SyncFlags | str | int = 0,
    ) -> None:
        """``nvnQueueFenceSync``: signal a sync when what was submitted is done."""
        call = "fence_sync"
        event = s.QueueFenceSync(
            sync=owned(call, "sync", sync, Sync, self.device).index,
            condition=member(call, "condition", condition, SyncCondition),
            flags=int(flag_bits(call, "flags", flags, SyncFlags)),
            queue=self.index,
        )
        self.device.recorder.add_event(call, event)

    def wait_sync(self, sync: Sync) -> None:
        """``nvnQueueWaitSync``: let the queue wait for a sync before what is submitted next."""
        index = owned("wait_sync", "sync", sync, Sync, self.device).index
        self.device.recorder.add_event("wait_sync", s.QueueWaitSync(sync=index, queue=self.index))

    def acquire_texture(self, window: Window) -> int:
        """``nvnQueueAcquireTexture``: return the number of the next texture of a window to draw into."""
        return owned("acquire_texture", "window", window, Window, self.device).acquire_texture()

    def present_texture(self, window: Window, texture_index: int, name: str | None = None) -> None:
        """``nvnQueuePresentTexture``: show a texture; the picture on the screen is a result.

        Parameters
        ----------
        window : Window
            Its crop, or that of its layer, counts as it is now.
        texture_index : int
            Of the window's textures.
        name : str or None
            Of the result; None is ``present_0``, ``present_1`` and so on.
        """
        call, recorder = "present_texture", self.device.recorder
        owned(call, "window", window, Window, self.device)
        index = whole(call, "texture_index", texture_index, 0, len(window.textures) - 1)
        texture = window.textures[index]
        if texture is None:
            raise ArgumentError(f"{call}: texture_index is {index}, the window has no texture there")
        event = PresentTexture(
            name=recorder.result_name(call, f"present_{recorder.presents}" if name is None else name),
            texture=texture.ref(),
            window_crop=window.crop,
            layer_crop=window.native_window.crop,
            window_origin=self.device.get_window_origin_mode(),
            queue=self.index,
        )
        recorder.add_event(call, event)

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
