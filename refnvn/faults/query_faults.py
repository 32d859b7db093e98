"""Faults of reports and conditions: conditions that are ignored, reports that are forgotten or written otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from refnvn.commands import commands as c
from refnvn.enumerations import CounterType
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Change, Pass, rewrite_commands

Commands = Iterable[c.AnyCommand]
COUNTER_B = 8
TABLE = 256
SLOTS = 8192
SOME_TIME = 0x00C0FFEE
TIMES = (CounterType.TIMESTAMP, CounterType.TIMESTAMP_TOP)


def _always_rendered(command: c.AnyCommand, _: Pass) -> Commands:
    return (c.SetRenderEnable(enable=True),) if isinstance(command, c.SetRenderEnableConditional) else (command,)


def _counter_written(report: c.ReportCounter, value: int) -> Commands:
    """Report, and put other words where the counter is."""
    return report, c.ClearBuffer(address=report.address, size_B=COUNTER_B, value=value)


def _time_in_both(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.ReportCounter) and command.counter in TIMES:
        return _counter_written(command, SOME_TIME)
    return (command,)


def _small_table() -> Change:
    """Return a change that forgets timestamp reports once 256 reports are known."""
    known = 0

    def forget(command: c.AnyCommand, _: Pass) -> Commands:
        nonlocal known
        if not isinstance(command, c.ReportCounter):
            return (command,)
        known += 1
        return () if known > TABLE and command.counter in TIMES else (command,)

    return forget


def _few_slots() -> Change:
    """Return a change that lets queries past the 8192nd read 0."""
    used = 0

    def count(command: c.AnyCommand, _: Pass) -> Commands:
        nonlocal used
        if not isinstance(command, c.ReportCounter) or command.counter in TIMES:
            return (command,)
        used += 1
        return _counter_written(command, 0) if used > SLOTS else (command,)

    return count


def _other_counters(command: c.AnyCommand, _: Pass) -> Commands:
    served = (*TIMES, CounterType.SAMPLES_PASSED)
    if isinstance(command, c.ReportCounter) and command.counter not in served:
        return _counter_written(command, 0)
    return (command,)


register(
    Fault(
        id="render-cond/ignored",
        symptom="targets are cleared again before they are read: the scene is black with only the interface",
        rewrite=lambda trace: rewrite_commands(trace, _always_rendered),
    ),
    Fault(
        id="render-cond/time-in-both",
        symptom="a timestamp report reads as unequal, so every clear that hangs on it runs",
        rewrite=lambda trace: rewrite_commands(trace, _time_in_both),
    ),
    Fault(
        id="report-table",
        symptom="in scenes with many queries a clear runs that should not: the screen is black but for text",
        rewrite=lambda trace: rewrite_commands(trace, _small_table()),
    ),
    Fault(
        id="query-slots",
        symptom="late queries read 0, objects are wrongly culled",
        rewrite=lambda trace: rewrite_commands(trace, _few_slots()),
    ),
    Fault(
        id="query-slots/other-counters",
        symptom="counters of vertices, primitives and invocations read 0: what scales its work by them does none",
        rewrite=lambda trace: rewrite_commands(trace, _other_counters),
    ),
)
