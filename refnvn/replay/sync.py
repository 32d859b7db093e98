"""What do fences, events and waits do in a replay, where everything is done when its turn comes?

A wait is satisfied by what stands before it, or never: then it is an error, since a console would stand still. The
word of an event is memory like any other.

Read next: ``timeline.py``, which says what a wait orders.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands import sync as s
from refnvn.enumerations import EventSignalMode, EventWaitMode
from refnvn.errors import ArgumentError
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import ReportValueSize
from refnvn.rules.registry import rule

WORD_B = 4
_WORD = (1 << 32) - 1
_HALF = 1 << 31


def fence_sync(context: Context, command: c.FenceSync | s.QueueFenceSync) -> None:
    """Signal a sync: all that stands before it is done."""
    context.syncs.add(command.sync)


def wait_sync(context: Context, command: c.WaitSync | s.QueueWaitSync | s.SyncWait) -> None:
    """Wait for a sync.

    Raises
    ------
    ArgumentError
        For one that nothing before signals.
    """
    if command.sync not in context.syncs:
        with field("sync"):
            raise ArgumentError(f"sync {command.sync} is signalled by nothing before: the wait would never end")


def no_wait(_context: Context, _event: s.QueueFlush | s.QueueFinish) -> None:
    """Do nothing: what was submitted is done."""


def invalidate_mapped_range(context: Context, event: s.InvalidateMappedRange) -> None:
    """Do nothing: what the GPU wrote is seen at once."""
    with field("offset_B"):
        context.memory.pool(event.pool).check_range(event.offset_B, event.size_B)


@rule(
    "ORDER-EVENT-1",
    "An event is a 32-bit word in memory: a signal writes it or adds to it, a wait compares it.",
    evidence=Evidence.INFERRED,
    sources=("nvn-header", "open-gpu-doc"),
    refuted_by="a console whose event occupies anything but one word",
)
def signalled(old: int, mode: EventSignalMode, value: int) -> int:
    """Return the word after a signal.

    >>> signalled(0xFFFFFFFF, EventSignalMode.ADD, 2)
    1
    """
    return (old + value) & _WORD if mode is EventSignalMode.ADD else value


def signal_event(context: Context, command: c.SignalEvent | s.EventSignal) -> None:
    """Write or add to the word of an event."""
    with field("address"):
        old = int(context.memory.read(command.address, WORD_B).view("<u4")[0])
        if command.mode is EventSignalMode.ADD:
            context.reads.tell(Reader.EVENT, "signal that adds", command.address, WORD_B)
        new = np.array([signalled(old, command.mode, command.value)], "<u4")
        context.memory.write(command.address, new.view(np.uint8))


def is_satisfied(word: int, mode: EventWaitMode, value: int) -> bool:
    """Say whether a wait ends: at equality, or at a word that is not behind, counted round.

    >>> is_satisfied(1, EventWaitMode.GEQUAL_WRAP, 0xFFFFFFFF)
    True
    """
    return word == value if mode is EventWaitMode.EQUAL else (word - value) & _WORD < _HALF


def wait_event(context: Context, command: c.WaitEvent) -> None:
    """Wait for an event.

    Raises
    ------
    ArgumentError
        Where nothing before has brought its word so far.
    """
    with field("address"):
        word = int(context.memory.read(command.address, WORD_B).view("<u4")[0])
        context.reads.tell(Reader.EVENT, "wait", command.address, WORD_B)
    if not is_satisfied(word, command.mode, command.value):
        with field("value"):
            raise ArgumentError(f"the event holds {word}, {command.value} is waited for: the wait would never end")


@rule(
    "QUERY-VALUE-1",
    "ReportValue writes a 32-bit value when all commands before it are done, and nothing behind it.",
    evidence=Evidence.OPEN,
    sources=("nvn-header", "deko3d"),
    refuted_by="the 16 bytes at the address of a ReportValue on a console",
    fields=("report_value_size",),
)
def report_value(context: Context, command: c.ReportValue) -> None:
    """Write a value."""
    from refnvn.replay.queries import reported_time

    data = np.array([command.value], "<u4").view(np.uint8)
    if context.rules.report_value_size is ReportValueSize.REPORT:
        context.count("reports")
        words = (command.value, reported_time(context.counters["reports"], context.rules))
        data = np.array(words, "<u8").view(np.uint8)
    with field("address"):
        context.memory.write(command.address, data)
