"""The commands that report counters and let rendering depend on memory. Read next: ``draw_commands.py``."""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.enumerations import ConditionalRenderMode, CounterType
from refnvn.nvn.arguments import boolean, member, whole
from refnvn.nvn.recording_base import Address, Recorded
from refnvn.trace.check_commands import COUNTER_B, REPORT_B

MOST_VALUE = (1 << 32) - 1


class QueryCommands(Recorded):
    """``nvnCommandBufferReportCounter`` and ``nvnCommandBufferSetRenderEnableConditional`` with their kin."""

    def report_counter(self, counter: CounterType | str | int, buffer: Address) -> None:
        """Write a counter and the time to 16 bytes of memory."""
        call = "report_counter"
        command = c.ReportCounter(
            counter=member(call, "counter", counter, CounterType),
            address=self._address(call, "buffer", buffer, REPORT_B, "written"),
        )
        self._record(call, command, address="buffer")

    def reset_counter(self, counter: CounterType | str | int) -> None:
        """Set a counter to 0."""
        call = "reset_counter"
        self._record(call, c.ResetCounter(counter=member(call, "counter", counter, CounterType)))

    def report_value(self, value: int, buffer: Address) -> None:
        """Write a value to memory."""
        call = "report_value"
        command = c.ReportValue(
            value=whole(call, "value", value, 0, MOST_VALUE),
            address=self._address(call, "buffer", buffer, REPORT_B, "written"),
        )
        self._record(call, command, address="buffer")

    def set_render_enable(self, enable: bool) -> None:
        """Let draws and clears happen, or not."""
        call = "set_render_enable"
        self._record(call, c.SetRenderEnable(enable=boolean(call, "enable", enable)))

    def set_render_enable_conditional(self, mode: ConditionalRenderMode | str | int, addr: Address) -> None:
        """Let draws and clears happen if two 64-bit words, at ``addr`` and 16 bytes behind, are equal, or are not."""
        call = "set_render_enable_conditional"
        command = c.SetRenderEnableConditional(
            mode=member(call, "mode", mode, ConditionalRenderMode),
            address=self._address(call, "addr", addr, REPORT_B + COUNTER_B),
        )
        self._record(call, command, address="addr")
