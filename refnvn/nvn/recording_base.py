"""What the groups of commands of a command buffer share: where a command goes, and what an address is.

Read next: ``command_buffer.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

from refnvn.commands.commands import AnyCommand
from refnvn.errors import ArgumentError, SizeError
from refnvn.nvn.arguments import owned, whole
from refnvn.nvn.memory_pool import Buffer

if TYPE_CHECKING:
    from refnvn.nvn.device import Device

Address = SupportsIndex | Buffer
MOST_ADDRESS = (1 << 48) - 1


class Recorded:
    """The commands that are being recorded."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._commands: list[AnyCommand] | None = []

    def _record(self, call: str, command: AnyCommand, **argument_names: str) -> None:
        """Check a command and put it at the end.

        Parameters
        ----------
        call : str
            NVN's name of the call, for errors.
        command : command
            Complete.
        **argument_names : str
            NVN's name of the argument that became a field, where they differ.
        """
        if self._commands is None:
            raise ArgumentError(f"{call}: the command buffer is not recording, begin_recording makes it so")
        self.device.recorder.check(call, command, argument_names)
        self._commands.append(command)

    def _address(self, call: str, argument: str, address: Address, needed_B: int = 0, what: str = "read") -> int:
        """Return a GPU address: a number, or that of a buffer of this device that holds the bytes needed.

        Raises
        ------
        SizeError
            For a buffer with fewer bytes.
        """
        if not isinstance(address, Buffer):
            return whole(call, argument, address, 0, MOST_ADDRESS)
        buffer = owned(call, argument, address, Buffer, self.device)
        if needed_B > buffer.get_size():
            raise SizeError(f"{call}: {argument} has {buffer.get_size()} bytes, {needed_B} are {what}")
        return buffer.get_address()


def size_of(call: str, address: Address, size: int | None, argument: str = "size") -> int:
    """Return a size in bytes; None takes that of the buffer.

    Raises
    ------
    ArgumentError
        For None beside an address that is a number.
    """
    if size is None:
        if not isinstance(address, Buffer):
            raise ArgumentError(f"{call}: {argument} is None, allowed where the buffer is a Buffer")
        return address.get_size()
    return whole(call, argument, size, 0, MOST_ADDRESS)
