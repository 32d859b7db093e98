"""Fences, events, flushes, and writes that race with the GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from goldens.perf_order import events, fences, flushed_storage, vertices_written_again
from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands import sync as s
from refnvn.commands.resources import MemoryPool
from refnvn.enumerations import EventSignalLocation, EventSignalMode, EventWaitMode, MemoryPoolFlags
from refnvn.errors import RefnvnError
from refnvn.replay.run import replay
from refnvn.replay.sync import is_satisfied, signalled
from refnvn.rules.fields import NVN, QueueOrder, RacingWrite, ReportValueSize, Rules, UnflushedWrite, watch
from refnvn.testing import results_of
from refnvn.trace.check import check
from tests.replay.scenes import BUFFER, BUFFER_B, POOL_B, recording, run

COPY = c.CopyBufferToBuffer(source=BUFFER, destination=BUFFER + 64, size_B=4)
OTHER_COPY = c.CopyBufferToBuffer(source=BUFFER, destination=BUFFER + 68, size_B=4)
CACHED = int(MemoryPoolFlags.CPU_CACHED | MemoryPoolFlags.GPU_CACHED)
BEFORE_LAST, BEFORE_ALL = (NVN.with_(racing_write=one) for one in (RacingWrite.BEFORE_LAST, RacingWrite.BEFORE_ALL))


def write(blob: str, **fields: Any) -> r.WriteMemory:
    """Return a write of one word."""
    return r.WriteMemory(pool=0, offset_B=BUFFER_B, blob=blob, **fields)


def copied(events: Sequence[Any], rules: Rules = NVN, **fields: Any) -> list[int]:
    """Return the two words that copies leave."""
    read = r.ReadMemory(name="copies", pool=0, offset_B=BUFFER_B + 64, size_B=8)
    blobs = {name: bytes([value, 0, 0, 0]) for name, value in (("old", 1), ("new", 2), ("newer", 3))}
    found: list[int] = run([], [write("old"), *events, read], blobs, rules, **fields)["copies"].view("<u4").tolist()
    return found


@pytest.mark.rule("ORDER-RACE-1")
@pytest.mark.parametrize(
    ("rules", "expected"), [(NVN, [1, 1]), (BEFORE_LAST, [1, 2]), (BEFORE_ALL, [2, 2])], ids=["after", "last", "all"]
)
def test_a_racing_write_may_be_seen_by_what_nobody_waited_for(rules: Rules, expected: list[int]) -> None:
    """Two submissions, then the write: none, the second or both see it."""
    assert copied([[COPY], [OTHER_COPY], write("new", racing=True)], rules) == expected


@pytest.mark.rule("ORDER-RACE-1")
@pytest.mark.parametrize(
    "waits",
    [
        pytest.param([s.QueueFinish()], id="finish"),
        pytest.param([s.QueueFenceSync(sync=3), s.SyncWait(sync=3)], id="fence"),
        pytest.param([r.ReadMemory(name="word", pool=0, offset_B=0, size_B=4)], id="readback"),
    ],
)
def test_what_was_waited_for_is_not_overtaken(waits: list[Any]) -> None:
    """The first submission is done, the second may see the write."""
    for rules, expected in ((NVN, [1, 1]), (BEFORE_LAST, [1, 2]), (BEFORE_ALL, [1, 2])):
        assert copied([[COPY], *waits, [OTHER_COPY], write("new", racing=True)], rules) == expected
        assert copied([[COPY], [OTHER_COPY], *waits, write("new", racing=True)], rules) == [1, 1]


@pytest.mark.rule("ORDER-RACE-1")
def test_a_fence_inside_a_command_buffer_orders_what_it_ends() -> None:
    """At the end of the commands it orders all of them; with a command behind it that one still runs."""
    fence = c.FenceSync(sync=0)
    behind = [s.SyncWait(sync=0), write("new", racing=True)]
    assert copied([[COPY, OTHER_COPY, fence], *behind], BEFORE_ALL) == [1, 1]
    assert copied([[COPY, fence, OTHER_COPY], *behind], BEFORE_ALL) == [2, 2]


@pytest.mark.rule("ORDER-RACE-1")
def test_racing_writes_keep_their_own_order() -> None:
    """The newer one is on top, wherever both land; a write that does not race stays where it is."""
    two = [write("new", racing=True), write("newer", racing=True)]
    assert copied([[COPY], [OTHER_COPY], *two], BEFORE_ALL) == [3, 3]
    assert copied([[COPY], write("newer"), [OTHER_COPY]], BEFORE_ALL) == [1, 3]


def test_of_two_queues_each_is_waited_for() -> None:
    """A finish of the first queue says nothing of the second."""
    queues = (r.Queue(), r.Queue())
    timeline = (
        write("old"),
        r.Submit(command_buffers=(0,)),
        r.Submit(command_buffers=(1,), queue=1),
        s.QueueFinish(queue=0),
        write("new", racing=True),
        r.ReadMemory(name="copies", pool=0, offset_B=BUFFER_B + 64, size_B=8),
    )
    made = recording([], [], {"old": b"\1\0\0\0", "new": b"\2\0\0\0"}, queues=queues, timeline=timeline,
                     command_buffers=((COPY,), (OTHER_COPY,)))  # fmt: skip
    blobs = {"old": b"\1\0\0\0", "new": b"\2\0\0\0"}
    assert replay(made, blobs, BEFORE_ALL)["copies"].view("<u4").tolist() == [1, 2]


@pytest.mark.rule("ORDER-EVENT-1")
def test_the_word_of_an_event_is_written_added_to_and_compared() -> None:
    """Sums wrap; at least counts round, as sequence numbers do."""
    assert signalled(5, EventSignalMode.WRITE, 9) == 9
    assert signalled((1 << 32) - 2, EventSignalMode.ADD, 5) == 3
    assert [is_satisfied(word, EventWaitMode.EQUAL, 7) for word in (6, 7, 8)] == [False, True, False]
    assert [is_satisfied(word, EventWaitMode.GEQUAL_WRAP, 7) for word in (6, 7, 8)] == [False, True, True]
    assert not is_satisfied((1 << 31) + 7, EventWaitMode.GEQUAL_WRAP, 7)
    results = results_of(events)
    assert np.asarray(results["words"]).view("<u4").tolist() == [12, 10, 10, 12, 0x12345678, 0]
    assert np.asarray(results["event"]).view("<u4").tolist() == [12]


@pytest.mark.rule("QUERY-VALUE-1")
def test_a_value_is_a_word_or_a_report() -> None:
    """Four bytes of sixteen change, or all."""
    commands = [
        c.ClearBuffer(address=BUFFER, size_B=16, value=0xFFFFFFFF),
        c.ReportValue(value=5, address=BUFFER),
    ]
    read = r.ReadMemory(name="report", pool=0, offset_B=BUFFER_B, size_B=16)
    plain, report = (
        run([], [commands, read], rules=rules)["report"].view("<u4").tolist()
        for rules in (NVN, NVN.with_(report_value_size=ReportValueSize.REPORT))
    )
    assert plain == [5, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF]
    assert report[:2] == [5, 0]
    assert report[2:] != plain[2:]


@pytest.mark.rule("ORDER-FLUSH-1")
def test_lines_of_a_cached_pool_wait_for_their_flush() -> None:
    """Of two lines one is flushed: the GPU sees that one, the processor both; uncached pools hold nothing back."""
    data = bytes(range(1, 129))
    flush = r.FlushMappedRange(pool=0, offset_B=BUFFER_B + 70, size_B=1)
    copy = [c.CopyBufferToBuffer(source=BUFFER, destination=BUFFER + 256, size_B=128)]
    reads = [
        r.ReadMemory(name="cpu", pool=0, offset_B=BUFFER_B, size_B=128),
        r.ReadMemory(name="gpu", pool=0, offset_B=BUFFER_B + 256, size_B=128),
    ]
    held = NVN.with_(unflushed_write=UnflushedWrite.HELD)
    for flags, rules, first in ((CACHED, held, bytes(64)), (CACHED, NVN, data[:64]), (0x22, held, data[:64])):
        pools = (MemoryPool(size_B=POOL_B, flags=flags),)
        results = run([], [write("data"), flush, copy, *reads], {"data": data}, rules, pools=pools)
        assert results["cpu"].tobytes() == data
        assert results["gpu"].tobytes() == first + data[64:]


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ([c.WaitSync(sync=1)], r"command_buffers\[0\]\[0\] WaitSync.sync: sync 1 is signalled by nothing before"),
        (s.SyncWait(sync=0), r"timeline\[0\].sync: sync 0 is signalled by nothing before"),
        (s.QueueWaitSync(sync=0), r"timeline\[0\].sync: sync 0 is signalled by nothing before"),
        ([c.WaitEvent(address=BUFFER, mode=EventWaitMode.EQUAL, value=1)],
         r"command_buffers\[0\]\[0\] WaitEvent.value: the event holds 0, 1 is waited for: the wait would never end"),
    ],
)  # fmt: skip
def test_a_wait_that_would_never_end_is_an_error(event: Any, message: str) -> None:
    """A console would stand still; a replay says where."""
    with pytest.raises(RefnvnError, match=message):
        replay(recording([], [event]), {})


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (s.QueueFinish(queue=1), r"timeline\[0\].queue: no queue 1"),
        (
            s.EventSignal(address=BUFFER + 2, mode=EventSignalMode.ADD, value=1),
            r"timeline\[0\].address: 0x\w+, allowed",
        ),
        ([c.SignalEvent(address=4, mode=EventSignalMode.ADD, location=0, value=1)], r"\[0\]\[0\].address"),
        ([c.ReportValue(address=BUFFER + 4, value=1)], r"\[0\]\[0\].address: 0x\w+, allowed are multiples of 16"),
        (s.InvalidateMappedRange(pool=0, offset_B=POOL_B, size_B=1), r"timeline\[0\]"),
    ],
)
def test_a_trace_with_wrong_places_is_refused(event: Any, message: str) -> None:
    """Queues, words and ranges must be there."""
    with pytest.raises(RefnvnError, match=message):
        check(recording([], [event]))


def test_scenes_show_the_order() -> None:
    """The fenced pass draws old vertices; the copies hold 1, 2, 3, 3; what was flushed is sampled."""
    columns = np.asarray(results_of(vertices_written_again)["fenced"]).reshape(16, 16, 4)[:, :, 0]
    assert (columns == np.where(np.arange(16) < 12, 255, 0)).all()
    assert np.asarray(results_of(fences)["copies"]).view("<u4").tolist() == [1] * 4 + [2] * 4 + [3] * 8
    held = results_of(flushed_storage, NVN.with_(unflushed_write=UnflushedWrite.HELD))
    assert np.asarray(held["flushed"]).reshape(4, 4, 4)[2, 3].tolist() == [200, 140, 0, 255]
    assert not np.asarray(held["unflushed"]).any()


def fills(*between: Any, first: Sequence[Any] = (), second: Sequence[Any] = (), rules: Rules) -> int:
    """Return the word that two queues fill, 1 by the first and 2 by the second, with events between them."""
    buffers = tuple(
        (*extra, c.ClearBuffer(address=BUFFER, size_B=4, value=value), *more)
        for value, extra, more in ((1, (), first), (2, second, ()))
    )
    timeline = (
        r.Submit(command_buffers=(0,)),
        *between,
        r.Submit(command_buffers=(1,), queue=1),
        r.ReadMemory(name="word", pool=0, offset_B=BUFFER_B, size_B=4),
    )
    made = recording([], [], queues=(r.Queue(), r.Queue()), timeline=timeline, command_buffers=buffers)
    return int(replay(made, {}, rules)["word"][0])


@pytest.mark.rule("ORDER-QUEUE-1")
def test_only_a_sync_orders_two_queues() -> None:
    """Without one the later submission may be done first; a fence and a wait, or the processor, keep the order."""
    other = NVN.with_(queue_order=QueueOrder.OTHER_FIRST)
    fence, wait = s.QueueFenceSync(sync=1), s.QueueWaitSync(sync=1, queue=1)
    assert [fills(rules=NVN), fills(rules=other)] == [2, 1]
    assert fills(fence, s.QueueFlush(), rules=other) == 1
    assert fills(fence, wait, rules=other) == 2
    assert fills(s.QueueFinish(), rules=other) == 2
    assert fills(first=[c.FenceSync(sync=2)], second=[c.WaitSync(sync=2)], rules=other) == 2
    assert fills(fence, second=[c.WaitSync(sync=1)], rules=other) == 2
    word = BUFFER + 64
    signal = c.SignalEvent(address=word, mode=EventSignalMode.WRITE, location=EventSignalLocation.BOTTOM, value=1)
    wait_for_it = c.WaitEvent(address=word, mode=EventWaitMode.EQUAL, value=1)
    assert fills(first=[signal], second=[wait_for_it], rules=other) == 2


def test_the_order_of_queues_is_asked_only_where_two_are_unordered() -> None:
    """A recording of one queue reads no field of it."""
    watched = watch()
    copied([[COPY], [OTHER_COPY]], watched)
    assert "queue_order" not in watched.read
    fills(rules=watched)
    assert "queue_order" in watched.read
