"""``NVNcommandBuffer``: every command as a method, in NVN's words and order of arguments.

A command buffer records from the moment it is made. ``end_recording`` gives a handle that queues execute, as often
as it is submitted; ``begin_recording`` starts anew. What a command names is copied when it is recorded.

The commands are in groups: ``target_commands.py``, ``copy_commands.py``, ``state_commands.py``,
``texture_commands.py``, ``draw_commands.py``, ``stage_commands.py``, ``indirect_commands.py``, ``query_commands.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from refnvn.errors import ArgumentError
from refnvn.nvn.compute_commands import ComputeCommands
from refnvn.nvn.copy_commands import CopyCommands
from refnvn.nvn.draw_commands import DrawCommands
from refnvn.nvn.indirect_commands import IndirectCommands
from refnvn.nvn.query_commands import QueryCommands
from refnvn.nvn.recorder import device_for
from refnvn.nvn.stage_commands import StageCommands
from refnvn.nvn.state_commands import StateCommands
from refnvn.nvn.sync_commands import SyncCommands
from refnvn.nvn.target_commands import TargetCommands
from refnvn.nvn.texture_commands import TextureCommands

if TYPE_CHECKING:
    from refnvn.nvn.device import Device


@dataclass(frozen=True, slots=True)
class CommandHandle:
    """``NVNcommandHandle``: recorded commands that can be submitted."""

    device: Device
    index: int


class CommandBuffer(
    TargetCommands,
    CopyCommands,
    StateCommands,
    DrawCommands,
    ComputeCommands,
    IndirectCommands,
    QueryCommands,
    StageCommands,
    SyncCommands,
    TextureCommands,
):
    """``NVNcommandBuffer``.

    Parameters
    ----------
    device : Device
        Records.
    """

    def __init__(self, device: Device) -> None:
        super().__init__(device_for("CommandBuffer", device))
        device.command_buffers.append(self)

    @property
    def unsubmitted(self) -> int:
        """How many commands were recorded since the last handle."""
        return len(self._commands or ())

    def is_recording(self) -> bool:
        """Whether commands may be recorded."""
        return self._commands is not None

    def begin_recording(self) -> None:
        """Start recording; the strides of copies are 0 again.

        Raises
        ------
        ArgumentError
            Where commands that were not ended would be lost.
        """
        if self._commands:
            raise ArgumentError(f"begin_recording: {len(self._commands)} commands were not ended by end_recording")
        self._commands = []
        self._copy_row_stride_B = self._copy_image_stride_B = 0

    def end_recording(self) -> CommandHandle:
        """End recording and return the handle of what was recorded.

        Raises
        ------
        ArgumentError
            Where nothing is being recorded.
        """
        if self._commands is None:
            raise ArgumentError("end_recording: the command buffer is not recording")
        recorder = self.device.recorder
        recorder.command_buffers.append(tuple(self._commands))
        self._commands = None
        return CommandHandle(self.device, len(recorder.command_buffers) - 1)
