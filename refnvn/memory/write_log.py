"""What did the GPU write, when, and what stood there before?

Every write has a time, which only counts. As long as nobody asks what memory held before (``keeps_bytes`` is off), a
write costs one entry of a dictionary: the latest time at which each kind of writer wrote each place. Where it is on,
each write keeps the bytes that it replaced, and :meth:`WriteLog.states` puts them back one by one.

It knows no barriers: which writes a reader may miss is told as the times up to which each writer's writes are
settled. ``replay/order.py`` holds those rules. Read next: ``memory.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import gt

import numpy as np

from refnvn.memory.pool import Bytes, Pool, Segment, gather, share_bytes, shared_parts

MOST_PLACES = 1024
"""Places that are told apart; more are united, which lets a reader overlap with too much, never with too little."""
MOST_KEPT_B = 1 << 28
"""Replaced bytes that are kept; beyond that, of each place only the first write and the last two are."""

Settled = Sequence[int]
"""By writer: the time up to which its writes are settled for a reader."""


class Writer(IntEnum):
    """Who writes."""

    ORDERED = 0
    """The processor, and commands that no barrier is needed for."""
    VERTEX = 1
    """Vertex to geometry shaders."""
    FRAGMENT = 2
    """Fragments, and clears."""
    COMPUTE = 3
    """Compute shaders."""
    COUNT = 4
    """Reports of what draws counted, which only conditions may miss."""


@dataclass(slots=True)
class _Place:
    """Somewhere that was written, and when last by whom."""

    segments: list[Segment]
    latest: list[int]


@dataclass(slots=True)
class _Write:
    """One write with what it replaced."""

    time: int
    writer: Writer
    place: Hashable
    segments: list[Segment]
    before: Bytes


class WriteLog:
    """The writes of one memory.

    Attributes
    ----------
    writer : Writer
        Who writes now.
    time : int
        Of the latest write.
    stores : int
        How many times shaders stored.
    keeps_bytes : bool
        Whether replaced bytes are kept. Set it before the first write.
    """

    def __init__(self) -> None:
        self.writer = Writer.ORDERED
        self.time = 0
        self.stores = 0
        self.keeps_bytes = False
        self._latest = [0] * len(Writer)
        self._places: dict[Hashable, _Place] = {}
        self._writes: list[_Write] = []
        self._kept_B = 0
        self._limit_B = MOST_KEPT_B

    @property
    def listens(self) -> bool:
        """Whether a write now has to be told."""
        return self.writer is not Writer.ORDERED or self.keeps_bytes

    def note(self, place: Hashable, segments: list[Segment], before: Bytes | None = None) -> None:
        """Take note of a write.

        Parameters
        ----------
        place : hashable
            The same for writes of the same segments.
        segments : list of Segment
            What was written.
        before : uint8, shape (n,) or None
            What stood there; needed where bytes are kept.
        """
        self.time += 1
        found = self._places.get(place)
        if found is None:
            found = self._new_place(place, segments)
        found.latest[self.writer] = self._latest[self.writer] = self.time
        if self.keeps_bytes:
            assert before is not None
            self._writes.append(_Write(self.time, self.writer, place, segments, before))
            self._kept_B += before.size
            if self._kept_B > self._limit_B:
                self._thin_out()
                self._limit_B = max(MOST_KEPT_B, 2 * self._kept_B)

    def has_unsettled(self, settled: Settled) -> bool:
        """Say, at once, whether there may be any write that a reader may miss."""
        return _is_later(self._latest, settled)

    def is_unsettled(self, segments: Sequence[Segment], settled: Settled) -> bool:
        """Say whether a reader of segments may miss a write to one of their bytes."""
        return any(
            _is_later(place.latest, settled) and share_bytes(place.segments, segments)
            for place in self._places.values()
        )

    def states(self, segments: list[Segment], settled: Settled, start: int) -> list[Bytes]:
        """Return what segments may hold for a reader: now, then each time without one more of the writes it may miss.

        Parameters
        ----------
        segments : list of Segment
            What is read.
        settled : sequence of int
            By writer; a byte that a settled write replaced keeps what that write left.
        start : int
            The time at which the reader began: it does not miss what it wrote itself since then.

        Returns
        -------
        list of uint8 arrays, shape (bytes of the segments,)
            The newest first. Bytes must be kept, or there is only the newest.
        """
        size_B = sum(segment.size_B for segment in segments)
        now = np.empty(size_B, np.uint8)
        gather(segments, now)
        found, fixed = [now], np.zeros(size_B, np.bool_)
        for write in reversed(self._writes):
            older = found[-1].copy()
            for here, there in shared_parts(segments, write.segments):
                if write.time <= settled[write.writer] or write.time > start:
                    fixed[here] = True
                else:
                    older[here] = np.where(fixed[here], older[here], write.before[there])
            if not np.array_equal(older, found[-1]):
                found.append(older)
        return found

    def was_stored_after(self, segments: Sequence[Segment], time: int, writers: Collection[Writer]) -> bool:
        """Say whether a write of one of some writers reached a byte of segments after a time."""
        return any(
            any(place.latest[writer] > time for writer in writers) and share_bytes(place.segments, segments)
            for place in self._places.values()
        )

    def states_after(self, segments: list[Segment], time: int, writers: Collection[Writer]) -> list[Bytes]:
        """Return what segments held after each write of some writers later than a time, the latest first."""
        now = np.empty(sum(segment.size_B for segment in segments), np.uint8)
        gather(segments, now)
        found = []
        for write in reversed(self._writes):
            shared = shared_parts(segments, write.segments)
            if write.time <= time:
                break
            if shared and write.writer in writers:
                found.append(now.copy())
            for here, there in shared:
                now[here] = write.before[there]
        return found

    def forget(self, until: int) -> None:
        """Drop the writes up to a time: they are settled for every reader."""
        self._places = {key: place for key, place in self._places.items() if max(place.latest) > until}
        self._writes = [write for write in self._writes if write.time > until]
        self._kept_B = sum(write.before.size for write in self._writes)

    def _new_place(self, key: Hashable, segments: list[Segment]) -> _Place:
        if len(self._places) >= MOST_PLACES:
            self._unite_places()
        place = _Place([s for s in segments if s.physical is not None], [0] * len(Writer))
        self._places[key] = place
        return place

    def _unite_places(self) -> None:
        """Make one place of all places in a pool: from the first byte to the last."""
        united: dict[Pool, _Place] = {}
        for place in self._places.values():
            for pool, start_B, size_B in place.segments:
                assert pool is not None
                whole = united.setdefault(pool, _Place([Segment(pool, start_B, size_B)], [0] * len(Writer)))
                first_B = min(start_B, whole.segments[0].offset_B)
                end_B = max(start_B + size_B, whole.segments[0].offset_B + whole.segments[0].size_B)
                whole.segments = [Segment(pool, first_B, end_B - first_B)]
                whole.latest = [max(pair) for pair in zip(whole.latest, place.latest, strict=True)]
        self._places = dict(united.items())

    def _thin_out(self) -> None:
        """Keep the first and the last two writes of each place: the oldest state stays right, others are gone."""
        by_place: dict[Hashable, list[_Write]] = {}
        for write in self._writes:
            by_place.setdefault(write.place, []).append(write)
        kept = {id(one) for writes in by_place.values() for one in (writes[0], *writes[-2:])}
        self._writes = [write for write in self._writes if id(write) in kept]
        self._kept_B = sum(write.before.size for write in self._writes)


def _is_later(latest: Sequence[int], settled: Settled) -> bool:
    """Say whether any writer wrote later than its writes are settled."""
    return any(map(gt, latest, settled))
