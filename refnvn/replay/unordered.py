"""What do reads see of memory: what it holds now, or something older that no barrier has ordered away?

As long as nothing is read that is not ordered, the field ``unordered_reads`` is not read, and no bytes are kept.
Which value a read sees then: ``seen_values.py``. Read next: ``order.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.formats.floatbits import Int64
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Bytes, Segment, share_bytes
from refnvn.memory.surface import Placement, Surface
from refnvn.memory.write_log import Writer
from refnvn.replay.later_writes import Key, LaterWrites
from refnvn.replay.order import Order, Path, ReaderStage
from refnvn.replay.readings import Listener, Reader, bytes_read
from refnvn.replay.seen_values import (
    seen_unordered,
    shows_depth_before,
    shows_latest,
    shows_target_before,
    with_blocks,
)
from refnvn.rules.fields import Rules, UnorderedReads

WORD_B = 4


class SeenMemory:
    """Memory as one kind of reader sees it; ``depth`` and ``colors`` are targets that its draw writes."""

    __slots__ = ("_colors", "_depth", "_kept", "_path", "_reads", "_stage")

    def __init__(
        self, reads: Reads, stage: ReaderStage, path: Path, depth: Sequence[Segment], colors: Sequence[Segment]
    ) -> None:
        self._depth = depth
        self._colors = colors
        self._kept: dict[Placement, Bytes] = {}
        self._reads = reads
        self._stage = stage
        self._path = path

    @property
    def listener(self) -> Listener | None:
        """Who wants to be told what is read."""
        return self._reads.listener

    def tell(
        self,
        reader: Reader,
        what: str,
        starts: Int64 | int,
        size_B: int,
        element: str = "",
        numbers: Int64 | None = None,
    ) -> None:
        """Tell of elements that are read; see :class:`refnvn.replay.readings.BytesRead`."""
        self._reads.tell(reader, what, starts, size_B, element, numbers)

    def stored(self) -> None:
        """Take note that the reader's shader stores, too."""
        self._reads.stored()

    def keep(self, surface: Surface) -> None:
        """See a surface from now on as it is now: a draw will render to it that only reads it."""
        self._kept[surface.place] = self.codes_of(surface).copy()

    def read(self, address: int, size_B: int) -> Bytes:
        """Return bytes; errors as :meth:`refnvn.memory.memory.Memory.read`."""
        return self._reads.bytes_at(address, size_B, self._stage, self._path)

    def are_latest(self, surfaces: Iterable[Surface]) -> bool:
        """Say whether the reader sees of surfaces what they hold now."""
        those = list(surfaces)
        if any(share_bytes(one.segments, self._depth) for one in those):
            return self._reads.written_depth_is_latest()
        if any(share_bytes(one.segments, self._colors) for one in those) and not self._reads.own_target_is_whole():
            return False
        return self._reads.are_latest(those, self._stage, self._path)

    def codes_of(self, surface: Surface) -> Bytes:
        """Return codes; see :meth:`Reads.codes_of`."""
        if surface.place in self._kept:
            return self._kept[surface.place]
        if share_bytes(surface.segments, self._depth):
            return self._reads.written_depth(surface)
        codes = self._reads.codes_of(surface, self._stage, self._path)
        if share_bytes(surface.segments, self._colors) and not self._reads.own_target_is_whole():
            return with_blocks(codes)
        return codes


class Reads:
    """What the reads of one replay see.

    Attributes
    ----------
    order : Order
        What barriers have ordered so far.
    later : LaterWrites
        What stores may have reached that come after a read.
    listener : callable or None
        Is told what is read.
    """

    def __init__(self, memory: Memory, rules: Rules, later: Mapping[Key, list[Bytes]] | None = None) -> None:
        self.order = Order()
        self.later = LaterWrites(memory, rules)
        self.listener: Listener | None = None
        self._shown = later or {}
        self._command = 0
        self._memory = memory
        self._rules = rules
        self._places = 0
        self._start = 0
        memory.log.keeps_bytes = rules.peek("unordered_reads") is not UnorderedReads.FRESH

    def by(
        self, stage: ShaderStage, path: Path, depth: Sequence[Segment] = (), colors: Sequence[Segment] = ()
    ) -> SeenMemory:
        """Return memory as a shader of a stage, or what comes before it, sees it through a path.

        Parameters
        ----------
        stage, path
            Who reads, and through what.
        depth, colors : sequence of Segment
            Where the targets lie that its draw writes.
        """
        reader = ReaderStage.FRAGMENT if stage is ShaderStage.FRAGMENT else ReaderStage.OTHER
        return SeenMemory(self, reader, path, depth, colors)

    def tell(
        self,
        reader: Reader,
        what: str,
        starts: Int64 | int,
        size_B: int,
        element: str = "",
        numbers: Int64 | None = None,
    ) -> None:
        """Tell of elements that are read; see :class:`refnvn.replay.readings.BytesRead`."""
        if self.listener is None or not size_B:
            return
        places = np.atleast_1d(np.asarray(starts, np.int64))
        if places.size:
            self.listener(bytes_read(self._memory, reader, what, places, size_B, element, numbers))

    def command(self, writer: Writer) -> None:
        """Take note that a command begins, and whose its writes are; reads see what it writes itself."""
        self._memory.log.writer = writer
        self._start = self._memory.log.time
        self._command += 1
        self.later.command()

    def stored(self) -> None:
        """Take note that a shader stored to an image."""
        self._memory.log.stores += 1

    def barrier(self, bits: int) -> None:
        """Take note of a barrier."""
        self.order.barrier(bits, self._memory.log.time)
        self.later.barrier(bits)
        self._memory.log.forget(self.order.all_settled)

    def submission(self) -> None:
        """Take note that a submission begins: it sees all that was written before."""
        self.order.submission(self._memory.log.time)
        self.later.close()
        self._memory.log.forget(self._memory.log.time)

    def bytes_at(self, address: int, size_B: int, stage: ReaderStage, path: Path) -> Bytes:
        """Return bytes as a reader sees them.

        Parameters
        ----------
        address, size_B : int
            The range.
        stage, path
            Who reads, and through what.

        Returns
        -------
        uint8, shape (size_B,)

        Raises
        ------
        SizeError, ArgumentError
            As :meth:`Memory.read`.
        """
        segments = self._memory.segments(address, size_B)
        data = self._memory.read_segments(segments, size_B)
        if not size_B:
            return data
        key = (self._command, (address, size_B))
        if path is not Path.CONDITION:  # what comes later waits until the command processor has compared
            self.later.note(key, segments, stage)
        later = self._shown.get(key, [])
        if later and self._rules.unordered_reads is UnorderedReads.LATER:
            return later[0]
        states = [*self._older(segments, stage, path), *later]
        if not states:
            return data
        states.insert(0, data)
        lead_B = address % WORD_B
        padding = (lead_B, -(lead_B + size_B) % WORD_B)
        words = np.stack([np.pad(state, padding).reshape(-1, WORD_B) for state in states])
        return self._seen(words, len(later)).reshape(-1)[lead_B : lead_B + size_B]

    def _older(self, segments: list[Segment], stage: ReaderStage, path: Path) -> list[Bytes]:
        """Return what segments held that a reader may see instead of what they hold, where that matters."""
        settled = self.order.settled(stage, path)
        if not self._memory.log.has_unsettled(settled):
            return []
        if not self._memory.log.is_unsettled(segments, settled) or shows_latest(self._rules):
            return []
        return self._memory.log.states(segments, settled, self._start)[1:]

    def codes_of(self, surface: Surface, stage: ReaderStage, path: Path) -> Bytes:
        """Return the codes of a surface as a reader sees them: its own array where nothing is unordered.

        Parameters
        ----------
        surface : Surface
            A current one.
        stage, path
            Who reads, and through what.

        Returns
        -------
        uint8, shape of ``surface.codes``
        """
        later: list[Bytes] = []
        if path is Path.DIRECT:
            key = (self._command, surface.place)
            self.later.note(key, surface.segments, stage)
            later = self._shown.get(key, [])
        if later and self._rules.unordered_reads is UnorderedReads.LATER:
            return surface.codes_of(later[0])
        states = later
        if not self.are_latest([surface], stage, path):
            settled = self.order.settled(stage, path)
            states = [*self._memory.log.states(surface.segments, settled, self._start)[1:], *later]
        if not states:
            return surface.codes
        texels = np.stack([surface.codes, *(surface.codes_of(state) for state in states)])
        places = texels.reshape(len(texels), -1, texels.shape[-1])
        return self._seen(places, len(later)).reshape(surface.codes.shape)

    def are_latest(self, surfaces: Iterable[Surface], stage: ReaderStage, path: Path) -> bool:
        """Say whether a reader sees of surfaces what they hold now."""
        log, settled = self._memory.log, self.order.settled(stage, path)
        if not log.has_unsettled(settled):
            return True
        return not any(log.is_unsettled(one.segments, settled) for one in surfaces) or shows_latest(self._rules)

    def own_target_is_whole(self) -> bool:
        """Say whether a draw that samples its own target sees all of what was there before."""
        return shows_target_before(self._rules)

    def written_depth_is_latest(self) -> bool:
        """Say whether a draw that samples the depth that it writes sees what was there before."""
        return shows_depth_before(self._rules)

    def written_depth(self, surface: Surface) -> Bytes:
        """Return the codes of depth that the draw writes itself: turned over where a place shows anything."""
        return self._seen(np.stack([surface.codes, ~surface.codes]).reshape(2, -1, surface.codes.shape[-1])).reshape(
            surface.codes.shape
        )

    def _seen(self, states: NDArray[np.uint8], later: int = 0) -> Bytes:
        first = self._places
        self._places += states.shape[1]
        return seen_unordered(states, first, self._rules, later)
