"""The draws whose numbers stand in memory. Read next: ``query_commands.py``."""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.enumerations import DrawPrimitive, IndexType
from refnvn.nvn.arguments import member, whole
from refnvn.nvn.recording_base import Address, Recorded
from refnvn.trace.check_commands import WORD_B

ARRAYS_B, ELEMENTS_B, MESH_B = 4 * WORD_B, 5 * WORD_B, 2 * WORD_B
"""Bytes of a record."""

MOST_DRAWS = (1 << 16) - 1
MOST_WORD = (1 << 32) - 1
MOST_STRIDE_B = (1 << 31) - 1
Mode = DrawPrimitive | str | int


class IndirectCommands(Recorded):
    """``nvnCommandBufferDrawArraysIndirect`` and its kin; records are read when the draw executes."""

    def draw_arrays_indirect(self, mode: Mode, buffer: Address) -> None:
        """Draw by a record: vertices, instances, first vertex, base instance."""
        call = "draw_arrays_indirect"
        command = c.DrawArraysIndirect(
            primitive=member(call, "mode", mode, DrawPrimitive),
            address=self._address(call, "buffer", buffer, ARRAYS_B),
        )
        self._record(call, command, address="buffer")

    def draw_elements_indirect(
        self, mode: Mode, index_type: IndexType | str | int, index_buffer: Address, buffer: Address
    ) -> None:
        """Draw by a record: indices, instances, first index, base vertex, base instance."""
        call = "draw_elements_indirect"
        command = c.DrawElementsIndirect(
            primitive=member(call, "mode", mode, DrawPrimitive),
            index_type=member(call, "index_type", index_type, IndexType),
            index_address=self._address(call, "index_buffer", index_buffer),
            address=self._address(call, "buffer", buffer, ELEMENTS_B),
        )
        self._record(call, command, index_address="index_buffer", address="buffer")

    def draw_mesh_tasks(self, count: int, first: int = 0) -> None:
        """Draw what workgroups of the bound mesh program give."""
        call = "draw_mesh_tasks"
        command = c.DrawMeshTasks(
            count=whole(call, "count", count, 0, MOST_WORD), first=whole(call, "first", first, 0, MOST_WORD)
        )
        self._record(call, command)

    def draw_mesh_tasks_indirect(self, buffer: Address) -> None:
        """Draw by a record: how many workgroups, and the first."""
        call = "draw_mesh_tasks_indirect"
        self._record(
            call, c.DrawMeshTasksIndirect(address=self._address(call, "buffer", buffer, MESH_B)), address="buffer"
        )

    def multi_draw_arrays_indirect_count(
        self, mode: Mode, buffer: Address, count_buffer: Address, max_draw_count: int, stride: int
    ) -> None:
        """Draw by as many records as a word in memory says, at most ``max_draw_count``."""
        call = "multi_draw_arrays_indirect_count"
        command = c.MultiDrawArraysIndirectCount(
            primitive=member(call, "mode", mode, DrawPrimitive),
            address=self._address(call, "buffer", buffer, ARRAYS_B),
            count_address=self._address(call, "count_buffer", count_buffer, WORD_B),
            most=whole(call, "max_draw_count", max_draw_count, 0, MOST_DRAWS),
            stride_B=whole(call, "stride", stride, 0, MOST_STRIDE_B),
        )
        self._record(call, command, address="buffer", count_address="count_buffer", stride_B="stride")

    def multi_draw_elements_indirect_count(
        self,
        mode: Mode,
        index_type: IndexType | str | int,
        index_buffer: Address,
        buffer: Address,
        count_buffer: Address,
        max_draw_count: int,
        stride: int,
    ) -> None:
        """Draw by index, by as many records as a word in memory says, at most ``max_draw_count``."""
        call = "multi_draw_elements_indirect_count"
        command = c.MultiDrawElementsIndirectCount(
            primitive=member(call, "mode", mode, DrawPrimitive),
            index_type=member(call, "index_type", index_type, IndexType),
            index_address=self._address(call, "index_buffer", index_buffer),
            address=self._address(call, "buffer", buffer, ELEMENTS_B),
            count_address=self._address(call, "count_buffer", count_buffer, WORD_B),
            most=whole(call, "max_draw_count", max_draw_count, 0, MOST_DRAWS),
            stride_B=whole(call, "stride", stride, 0, MOST_STRIDE_B),
        )
        self._record(
            call,
            command,
            index_address="index_buffer",
            address="buffer",
            count_address="count_buffer",
            stride_B="stride",
        )
