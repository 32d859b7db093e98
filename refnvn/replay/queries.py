"""What is counted and reported, and when do draws and clears not happen?

A report writes 16 bytes in the order of the commands: a counter and a time. A condition compares two counters in
memory when it is reached; until it is lifted, draws and clears happen or not by what it found.

The time that a report writes is no number to compare: it differs from run to run on a console too. Read next:
``statistics.py``, ``run.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from refnvn.commands import commands as c
from refnvn.enumerations import ConditionalRenderMode, CounterType, ShaderStage
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.order import Path, writer_of_report
from refnvn.replay.readings import Reader
from refnvn.replay.state import ALWAYS, Condition
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import (
    ConditionReach,
    ConditionTime,
    OpenCounters,
    Rules,
    TimestampPace,
    TimestampStart,
)
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown

ZCULL = unknown(
    "QUERY-ZCULL-1",
    "What does a report of ZCULL_STATS hold?",
    settled_by="the report of a console after draws that its coarse depth test drops",
    module=__name__,
)

Handler = Callable[[Context, Any], None]
COUNTER_B = 8
PAIR_B = 16
"""From one counter of a pair to the other: a report is between them."""
TIMES = (CounterType.TIMESTAMP, CounterType.TIMESTAMP_TOP)
_WORD = (1 << 64) - 1
_START, _OTHER_START, _OTHER_PACE = 1 << 40, 0x5555555555555555, 0x3333333333333333


@rule(
    "QUERY-REPORT-1",
    "ReportCounter writes a counter of 64 bits and behind it a time of 64 bits, least byte first, when all commands "
    "before it are done; there may be any number of reports.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "nvn-header"),
    ledger=("render-cond", "report-table", "query-slots"),
)
def report_counter(context: Context, command: c.ReportCounter) -> None:
    """Write a report."""
    if command.counter is CounterType.ZCULL_STATS:
        with field("counter"):
            raise ZCULL.error()
    context.count("reports")
    words = (reported_counter(context, command.counter), reported_time(context.counters["reports"], context.rules))
    context.memory.log.writer = writer_of_report(command.counter)
    with field("address"):
        context.memory.write(command.address, np.array(words, "<u8").view(np.uint8))


@rule(
    "QUERY-TIME-1",
    "The counter of a timestamp report is 0: only the field behind it holds the time.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("render-cond", "report-table"),
)
def reported_counter(context: Context, counter: CounterType) -> int:
    """Return the first 64 bits of a report."""
    if counter in TIMES:
        return 0
    counted = context.state.counters.get(counter, 0)
    return open_count(counted, context.rules) if counter in context.state.open_counters else counted


@rule(
    "QUERY-OPEN-1",
    "A counter of invocations, or of what the clipper makes, holds any number where hardware may count more than one "
    "way: vertices that several primitives share, primitives that are cut, fragments that tests may drop early.",
    evidence=Evidence.OPEN,
    sources=("gl-pipeline-statistics", "counter-vectors"),
    refuted_by="the reports of a console around strips, cut triangles and shaders that discard",
    fields=("open_counters",),
)
def open_count(counted: int, rules: Rules) -> int:
    """Return a number that nothing decides.

    >>> from refnvn.rules.fields import NVN
    >>> open_count(3, NVN)
    3
    """
    return counted ^ _WORD if rules.open_counters is OpenCounters.TURNED else counted


@rule(
    "QUERY-TIME-2",
    "The time of a report is a number that grows from report to report; nothing else is known of it.",
    evidence=Evidence.OPEN,
    sources=("nvn-header",),
    refuted_by="a console whose reports hold the same times in every run",
    fields=("timestamp_start", "timestamp_pace"),
)
def reported_time(number: int, rules: Rules) -> int:
    """Return the time of the n-th report of a replay.

    >>> from refnvn.rules.fields import NVN
    >>> reported_time(2, NVN) > reported_time(1, NVN)
    True
    """
    start = _START + (_OTHER_START if rules.timestamp_start is TimestampStart.ELSEWHERE else 0)
    pace = _OTHER_PACE if rules.timestamp_pace is TimestampPace.OTHER else 0
    return (start + number + pace) & _WORD


def reset_counter(context: Context, command: c.ResetCounter) -> None:
    """Count from 0 again."""
    context.state.counters[command.counter] = 0
    context.state.open_counters.discard(command.counter)


@rule(
    "QUERY-SAMPLES-1",
    "The counter of samples passed grows by the covered samples that pass all tests of the draws since it was reset.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("occlusion-vectors", "open-gpu-doc"),
    ledger=("query-slots", "render-cond"),
)
def add_samples(context: Context, passed: int) -> None:
    """Count what a draw let pass."""
    context.state.count(CounterType.SAMPLES_PASSED, passed)


def set_render_enable(context: Context, command: c.SetRenderEnable) -> None:
    """Let draws and clears happen, or not."""
    context.state.rendering = ALWAYS if command.enable else Condition(holds=False)


def set_render_enable_conditional(context: Context, command: c.SetRenderEnableConditional) -> None:
    """Compare two counters now, and let draws and clears happen by what is found."""
    holds = condition_holds(context, command.mode, command.address)
    context.state.rendering = Condition(holds, command.mode, command.address)


@rule(
    "QUERY-CONDITION-1",
    "RENDER_IF_EQUAL lets draws and clears happen where the 64-bit words at the address and 16 bytes behind it are "
    "equal, RENDER_IF_NOT_EQUAL where they differ, read when the GPU gets there, until rendering is enabled again.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "open-gpu-doc", "occlusion-vectors"),
    ledger=("render-cond",),
)
def condition_holds(context: Context, mode: ConditionalRenderMode, address: int) -> bool:
    """Return what a condition finds in memory now."""
    seen = context.reads.by(ShaderStage.VERTEX, Path.CONDITION)
    with field("address"):
        data = seen.read(address, PAIR_B + COUNTER_B)
    if seen.listener is not None:
        seen.tell(Reader.CONDITION, mode.name, address + np.array([0, PAIR_B]), COUNTER_B)
    first, other = data[:COUNTER_B], data[PAIR_B:]
    return bool((first == other).all()) == (mode is ConditionalRenderMode.RENDER_IF_EQUAL)


@rule(
    "QUERY-CONDITION-2",
    "A condition is found once, when it is set, and holds for all that follows, whatever is written to its words.",
    evidence=Evidence.INFERRED,
    sources=("yuzu",),
    refuted_by="a console that draws by what a report wrote to the words between the condition and the draw",
    fields=("condition_time",),
)
def condition_now(context: Context) -> bool:
    """Return whether rendering is enabled."""
    rendering = context.state.rendering
    if rendering.mode is not None and context.rules.condition_time is ConditionTime.COMMAND:
        return condition_holds(context, rendering.mode, rendering.address)
    return rendering.holds


@rule(
    "QUERY-CONDITION-3",
    "ClearTexture, as a clear that is drawn, happens by the condition too; copies and ClearBuffer always happen.",
    evidence=Evidence.OPEN,
    sources=("open-gpu-doc",),
    refuted_by="a texture clear that happens under a condition that does not hold",
    fields=("condition_reach",),
)
def texture_clear_happens(context: Context) -> bool:
    """Return whether a texture clear happens; only a condition that keeps rendering off asks what is open."""
    return condition_now(context) or context.rules.condition_reach is ConditionReach.TARGETS


def if_enabled(handler: Handler, happens: Callable[[Context], bool] = condition_now) -> Handler:
    """Return what executes a draw or a clear only where rendering is enabled."""

    def execute(context: Context, command: Any) -> None:
        if context.state.rendering is ALWAYS or happens(context):
            handler(context, command)
        else:
            context.count("not_rendered")
            if context.observer is not None:
                context.observer.skips(context, command)

    return execute


def if_texture_clears_enabled(handler: Handler) -> Handler:
    """Return what executes a texture clear only where it happens."""
    return if_enabled(handler, texture_clear_happens)


def counted(handler: Handler) -> Handler:
    """Return what executes a draw only where rendering is enabled, and counts the samples that pass."""

    def execute(context: Context, command: Any) -> None:
        before = context.counters.get("samples_passed", 0)
        handler(context, command)
        add_samples(context, context.counters.get("samples_passed", 0) - before)

    return if_enabled(execute)
