"""In which order do things happen? As the timeline says, but for what nothing orders.

A recording says of a write of the processor that it races: nothing made the processor wait for the GPU. Then the
submissions that no wait stands behind may have seen it or not. And two queues wait for one another only where a sync
makes them.

Read next: ``run.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands import sync as s
from refnvn.commands.commands import AnyCommand
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import QueueOrder, RacingWrite, Rules
from refnvn.rules.registry import rule

Placed = list[tuple[int, r.AnyEvent]]
"""Events with their positions in the recording."""


def in_order(recording: r.Recording, rules: Rules) -> Placed:
    """Return the events of a recording in the order in which they happen."""
    events: Placed = list(enumerate(recording.timeline))
    if any(isinstance(event, r.WriteMemory | r.WriteTexels) and event.racing for _, event in events):
        events = with_races(events, recording.command_buffers, rules)
    pairs = unordered_pairs([event for _, event in events], recording.command_buffers)
    return with_other_queues_first(events, pairs, rules) if pairs else events


@rule(
    "ORDER-RACE-1",
    "A write of the processor that races may be seen by submissions that nobody waited for, by the last of them or "
    "by all; what stands behind a wait for the queue or for a fence is never overtaken.",
    evidence=Evidence.OPEN,
    sources=("seed-titles", "nvn-header"),
    ledger=("ue-ring",),
    refuted_by="a console that never shows such a write to what was submitted before it",
    fields=("racing_write",),
)
def with_races(events: Placed, buffers: Sequence[tuple[AnyCommand, ...]], rules: Rules) -> Placed:
    """Return events with racing writes where the rules let them land."""
    if rules.racing_write is RacingWrite.AFTER:
        return events
    found: Placed = []
    running = _Running(buffers)
    for position, event in events:
        if isinstance(event, r.WriteMemory | r.WriteTexels) and event.racing and running.submissions:
            place = running.submissions[0 if rules.racing_write is RacingWrite.BEFORE_ALL else -1]
            found.insert(place, (position, event))
            running.inserted(place)
            continue
        running.note(event, len(found))
        found.append((position, event))
    return found


@rule(
    "ORDER-QUEUE-1",
    "Submissions of two queues are ordered by syncs alone, and by what the processor does between them: where there "
    "is neither, the later one may be done first.",
    evidence=Evidence.OPEN,
    sources=("nvn-header",),
    refuted_by="a console that never lets a queue overtake another without a sync",
    fields=("queue_order",),
)
def with_other_queues_first(events: Placed, pairs: Sequence[tuple[int, int]], rules: Rules) -> Placed:
    """Return events with the second submission of each pair in front of the first, where the rules let it."""
    if rules.queue_order is QueueOrder.SUBMITTED:
        return events
    found = list(events)
    for first, second in pairs:
        found.insert(first, found.pop(second))
    return found


def unordered_pairs(events: Sequence[r.AnyEvent], buffers: Sequence[tuple[AnyCommand, ...]]) -> list[tuple[int, int]]:
    """Return pairs of submissions of two queues with nothing between that orders them, no submission in two pairs."""
    pairs: list[tuple[int, int]] = []
    last: int | None = None
    signals: set[int] = set()
    for place, event in enumerate(events):
        if isinstance(event, s.QueueFenceSync):
            signals.add(event.sync)
        elif isinstance(event, s.QueueWaitSync):
            last = None if event.sync in signals else last
        elif isinstance(event, r.Submit):
            before = None if last is None else events[last]
            if isinstance(before, r.Submit) and before.queue != event.queue:
                signalled = signals | _syncs(buffers, before, c.FenceSync)
                if not signalled & _syncs(buffers, event, c.WaitSync) and not _waits_for_events(buffers, event):
                    pairs.append((last or 0, place))
                    last, signals = None, set()
                    continue
            last, signals = place, set()
        elif not isinstance(event, s.QueueFlush):
            last = None
    return pairs


def _syncs(
    buffers: Sequence[tuple[AnyCommand, ...]], event: r.Submit, kind: type[c.FenceSync | c.WaitSync]
) -> set[int]:
    """Return the syncs that commands of a submission signal, or wait for."""
    known = [buffer for buffer in event.command_buffers if buffer < len(buffers)]
    return {command.sync for buffer in known for command in buffers[buffer] if isinstance(command, kind)}


def _waits_for_events(buffers: Sequence[tuple[AnyCommand, ...]], event: r.Submit) -> bool:
    """Say whether commands of a submission wait for events, which another queue may signal."""
    known = [buffer for buffer in event.command_buffers if buffer < len(buffers)]
    return any(isinstance(command, c.WaitEvent) for buffer in known for command in buffers[buffer])


class _Running:
    """The submissions that nobody has waited for: where they stand."""

    def __init__(self, buffers: Sequence[tuple[AnyCommand, ...]]) -> None:
        self._buffers = buffers
        self._queues: list[int] = []
        self._fences: dict[int, list[int]] = {}
        self.submissions: list[int] = []

    def inserted(self, place: int) -> None:
        """Move what stands behind a place."""
        self.submissions = [one + (one >= place) for one in self.submissions]
        self._fences = {key: [one + (one >= place) for one in ends] for key, ends in self._fences.items()}

    def note(self, event: r.AnyEvent, place: int) -> None:
        """Follow an event that stands at a place."""
        if isinstance(event, r.Submit):
            self.submissions.append(place)
            self._queues.append(event.queue)
            self._note_fences(event)
        elif isinstance(event, r.ReadTexels | r.ReadMemory):
            self._done(self.submissions)
        elif isinstance(event, s.QueueFinish):
            self._done(self._of_queue(event.queue))
        elif isinstance(event, s.QueueFenceSync):
            self._fences[event.sync] = self._of_queue(event.queue)
        elif isinstance(event, s.SyncWait):
            self._done(self._fences.get(event.sync, []))

    def _note_fences(self, event: r.Submit) -> None:
        """Note fences that command buffers end with; others leave commands behind them running."""
        known = [buffer for buffer in event.command_buffers if buffer < len(self._buffers)]
        commands = [command for buffer in known for command in self._buffers[buffer]]
        if commands and isinstance(commands[-1], c.FenceSync):
            self._fences[commands[-1].sync] = self._of_queue(event.queue)

    def _of_queue(self, queue: int) -> list[int]:
        return [one for one, of in zip(self.submissions, self._queues, strict=True) if of == queue]

    def _done(self, places: Sequence[int]) -> None:
        kept = [pair for pair in zip(self.submissions, self._queues, strict=True) if pair[0] not in places]
        self.submissions, self._queues = [one for one, _ in kept], [queue for _, queue in kept]
