"""The commands that bind programs and buffers, draw, and order. Read next: ``device.py``."""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.enumerations import BarrierBits, DrawPrimitive, IndexType, ShaderStage, ShaderStageBits
from refnvn.nvn.arguments import flag_bits, instance, member, whole
from refnvn.nvn.program import Program
from refnvn.nvn.recording_base import Address, Recorded, size_of
from refnvn.nvn.target_commands import INT32
from refnvn.trace.check_commands import INDEX_B

ALL_GRAPHICS = ShaderStageBits.ALL_GRAPHICS


class DrawCommands(Recorded):
    """``nvnCommandBufferBindProgram``, the binding of buffers, draws and barriers."""

    def bind_program(self, program: Program | None, stages: ShaderStageBits | str | int = ALL_GRAPHICS) -> None:
        """Bind a copy of a program, or none, to stages."""
        call = "bind_program"
        record = None if program is None else instance(call, "program", program, Program).record
        index = None if record is None else self.device.recorder.program_index(record)
        self._record(
            call, c.BindProgram(program=index, stages=int(flag_bits(call, "stages", stages, ShaderStageBits)))
        )

    def bind_vertex_buffer(self, index: int, buffer: Address, size: int | None = None) -> None:
        """Bind a range of memory to a stream; the size None is that of a Buffer, 0 binds nothing."""
        call = "bind_vertex_buffer"
        size_B = size_of(call, buffer, size)
        command = c.BindVertexBuffer(
            index=whole(call, "index", index, 0, 15),
            address=self._address(call, "buffer", buffer, size_B, "bound"),
            size_B=size_B,
        )
        self._record(call, command, address="buffer", size_B="size")

    def bind_uniform_buffer(
        self, stage: ShaderStage | str | int, index: int, buffer: Address, size: int | None = None
    ) -> None:
        """Bind a range of memory to a uniform slot of a stage; the size None is that of a Buffer."""
        call = "bind_uniform_buffer"
        size_B = size_of(call, buffer, size)
        command = c.BindUniformBuffer(
            stage=member(call, "stage", stage, ShaderStage),
            index=whole(call, "index", index, 0, 13),
            address=self._address(call, "buffer", buffer, size_B, "bound"),
            size_B=size_B,
        )
        self._record(call, command, address="buffer", size_B="size")

    def draw_arrays(self, mode: DrawPrimitive | str | int, first: int, count: int) -> None:
        """Draw vertices in order."""
        call = "draw_arrays"
        command = c.DrawArrays(
            primitive=member(call, "mode", mode, DrawPrimitive),
            first=whole(call, "first", first, 0, INT32[1]),
            count=whole(call, "count", count, 0, INT32[1]),
        )
        self._record(call, command)

    def draw_arrays_instanced(
        self, mode: DrawPrimitive | str | int, first: int, count: int, base_instance: int, instance_count: int
    ) -> None:
        """Draw vertices in order, once for each instance."""
        call = "draw_arrays_instanced"
        command = c.DrawArraysInstanced(
            primitive=member(call, "mode", mode, DrawPrimitive),
            first=whole(call, "first", first, 0, INT32[1]),
            count=whole(call, "count", count, 0, INT32[1]),
            base_instance=whole(call, "base_instance", base_instance, 0, INT32[1]),
            instance_count=whole(call, "instance_count", instance_count, 0, INT32[1]),
        )
        self._record(call, command)

    def draw_elements(
        self,
        mode: DrawPrimitive | str | int,
        index_type: IndexType | str | int,
        count: int,
        index_buffer: Address,
    ) -> None:
        """Draw vertices by index."""
        self._draw_elements("draw_elements", mode, index_type, count, index_buffer, 0)

    def draw_elements_base_vertex(
        self,
        mode: DrawPrimitive | str | int,
        index_type: IndexType | str | int,
        count: int,
        index_buffer: Address,
        base_vertex: int,
    ) -> None:
        """Draw vertices by index, plus a number."""
        self._draw_elements("draw_elements_base_vertex", mode, index_type, count, index_buffer, base_vertex)

    def draw_elements_instanced(
        self,
        mode: DrawPrimitive | str | int,
        index_type: IndexType | str | int,
        count: int,
        index_buffer: Address,
        base_vertex: int,
        base_instance: int,
        instance_count: int,
    ) -> None:
        """Draw vertices by index, plus a number, once for each instance."""
        call = "draw_elements_instanced"
        indices, number = member(call, "index_type", index_type, IndexType), whole(call, "count", count, 0, INT32[1])
        command = c.DrawElementsInstanced(
            primitive=member(call, "mode", mode, DrawPrimitive),
            index_type=indices,
            count=number,
            address=self._address(call, "index_buffer", index_buffer, number * INDEX_B[indices]),
            base_vertex=whole(call, "base_vertex", base_vertex, *INT32),
            base_instance=whole(call, "base_instance", base_instance, 0, INT32[1]),
            instance_count=whole(call, "instance_count", instance_count, 0, INT32[1]),
        )
        self._record(call, command, address="index_buffer")

    def _draw_elements(
        self,
        call: str,
        mode: DrawPrimitive | str | int,
        index_type: IndexType | str | int,
        count: int,
        index_buffer: Address,
        base_vertex: int,
    ) -> None:
        indices, number = member(call, "index_type", index_type, IndexType), whole(call, "count", count, 0, INT32[1])
        command = c.DrawElements(
            primitive=member(call, "mode", mode, DrawPrimitive),
            index_type=indices,
            count=number,
            address=self._address(call, "index_buffer", index_buffer, number * INDEX_B[indices]),
            base_vertex=whole(call, "base_vertex", base_vertex, *INT32),
        )
        self._record(call, command, address="index_buffer")

    def barrier(self, barrier: BarrierBits | str | int) -> None:
        """Order what comes after what came before."""
        self._record("barrier", c.Barrier(bits=int(flag_bits("barrier", "barrier", barrier, BarrierBits))))
