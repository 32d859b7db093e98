"""The commands that bind storage buffers and images, and run compute shaders. Read next: ``indirect_commands.py``."""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.enumerations import ShaderStage
from refnvn.nvn.arguments import member, whole
from refnvn.nvn.recording_base import Address, Recorded, size_of
from refnvn.trace.check_commands import DISPATCH_B

MOST_GROUPS = 65535
MOST_STORAGE_SLOT, MOST_IMAGE_SLOT = 15, 7
MOST_HANDLE = (1 << 63) - 1


class ComputeCommands(Recorded):
    """``nvnCommandBufferBindStorageBuffer``, ``BindImage``, ``DispatchCompute`` and its indirect kind."""

    def bind_storage_buffer(
        self, stage: ShaderStage | str | int, index: int, buffer: Address, size: int | None = None
    ) -> None:
        """Bind a range of memory to a storage slot; the size None is that of a Buffer, 0 is from the address on."""
        call = "bind_storage_buffer"
        size_B = size_of(call, buffer, size)
        command = c.BindStorageBuffer(
            stage=member(call, "stage", stage, ShaderStage),
            index=whole(call, "index", index, 0, MOST_STORAGE_SLOT),
            address=self._address(call, "buffer", buffer, size_B, "bound"),
            size_B=size_B,
        )
        self._record(call, command, address="buffer", size_B="size")

    def bind_image(self, stage: ShaderStage | str | int, index: int, image: int) -> None:
        """Bind an image, by its handle, to an image slot of a stage; 0 takes away what is there."""
        call = "bind_image"
        command = c.BindImage(
            stage=member(call, "stage", stage, ShaderStage),
            index=whole(call, "index", index, 0, MOST_IMAGE_SLOT),
            handle=whole(call, "image", image, 0, MOST_HANDLE),
        )
        self._record(call, command, handle="image")

    def dispatch_compute(self, groups_x: int, groups_y: int = 1, groups_z: int = 1) -> None:
        """Run the compute shader that is bound for so many workgroups."""
        call = "dispatch_compute"
        command = c.DispatchCompute(
            groups_x=whole(call, "groups_x", groups_x, 0, MOST_GROUPS),
            groups_y=whole(call, "groups_y", groups_y, 0, MOST_GROUPS),
            groups_z=whole(call, "groups_z", groups_z, 0, MOST_GROUPS),
        )
        self._record(call, command)

    def dispatch_compute_indirect(self, buffer: Address) -> None:
        """Run the compute shader by a record: workgroups along x, y and z, read when it executes."""
        call = "dispatch_compute_indirect"
        command = c.DispatchComputeIndirect(address=self._address(call, "buffer", buffer, DISPATCH_B))
        self._record(call, command, address="buffer")
