"""What does a read see that no barrier orders: the latest, or something older, and each place its own?

By NVN's setting of ``unordered_reads`` such a read sees what all commands before it left. Other settings take one
of the values that a place held since the barrier that orders reader and writer: the one before, the one before that,
the oldest. A place is a texel or a word of a buffer. The MIXED settings let each place choose for itself: a place is
given one of the words of sixteen bits of which eight are set, and bit n says whether setting n takes something older
there. No such word contains another, so of any two places each is older in some setting in which the other is not.

As long as nothing is read that is not ordered, the field is not read, and no bytes are kept. Read next: ``order.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Bytes, Segment, share_bytes
from refnvn.memory.surface import Surface
from refnvn.memory.write_log import Writer
from refnvn.replay.order import Order, Path, ReaderStage
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnorderedReads
from refnvn.rules.registry import rule

WORD_B = 4
STEPS_BACK = {
    UnorderedReads.FRESH: 0,
    UnorderedReads.ONE_BACK: 1,
    UnorderedReads.TWO_BACK: 2,
    UnorderedReads.OLDEST: 1 << 30,
}
FIRST_MIX = UnorderedReads.MIXED


class SeenMemory:
    """Memory as one kind of reader sees it; of what is ``unspecified`` it may see anything."""

    __slots__ = ("_path", "_reads", "_stage", "_unspecified")

    def __init__(self, reads: Reads, stage: ReaderStage, path: Path, unspecified: Sequence[Segment]) -> None:
        self._unspecified = unspecified
        self._reads = reads
        self._stage = stage
        self._path = path

    def read(self, address: int, size_B: int) -> Bytes:
        """Return bytes; errors as :meth:`refnvn.memory.memory.Memory.read`."""
        return self._reads.bytes_at(address, size_B, self._stage, self._path)

    def are_latest(self, surfaces: Iterable[Surface]) -> bool:
        """Say whether the reader sees of surfaces what they hold now."""
        those = list(surfaces)
        if self._unspecified and any(share_bytes(one.segments, self._unspecified) for one in those):
            return self._reads.written_depth_is_latest()
        return self._reads.are_latest(those, self._stage, self._path)

    def codes_of(self, surface: Surface) -> Bytes:
        """Return codes; see :meth:`Reads.codes_of`."""
        if self._unspecified and share_bytes(surface.segments, self._unspecified):
            return self._reads.written_depth(surface)
        return self._reads.codes_of(surface, self._stage, self._path)


class Reads:
    """What the reads of one replay see.

    Attributes
    ----------
    order : Order
        What barriers have ordered so far.
    """

    def __init__(self, memory: Memory, rules: Rules) -> None:
        self.order = Order()
        self._memory = memory
        self._rules = rules
        self._places = 0
        self._start = 0
        memory.log.keeps_bytes = rules.peek("unordered_reads") is not UnorderedReads.FRESH

    def by(self, stage: ShaderStage, path: Path, unspecified: Sequence[Segment] = ()) -> SeenMemory:
        """Return memory as a shader of a stage, or what comes before it, sees it through a path."""
        reader = ReaderStage.FRAGMENT if stage is ShaderStage.FRAGMENT else ReaderStage.OTHER
        return SeenMemory(self, reader, path, unspecified)

    def command(self, writer: Writer) -> None:
        """Take note that a command begins, and whose its writes are; reads see what it writes itself."""
        self._memory.log.writer = writer
        self._start = self._memory.log.time

    def barrier(self, bits: int) -> None:
        """Take note of a barrier."""
        self.order.barrier(bits, self._memory.log.time)
        self._memory.log.forget(self.order.all_settled)

    def submission(self) -> None:
        """Take note that a submission begins: it sees all that was written before."""
        self.order.submission(self._memory.log.time)
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
        data = self._memory.read(address, size_B)
        settled = self.order.settled(stage, path)
        if not size_B or not self._memory.log.has_unsettled(settled):
            return data
        segments = self._memory.segments(address, size_B)
        if not self._memory.log.is_unsettled(segments, settled) or shows_latest(self._rules):
            return data
        states = self._memory.log.states(segments, settled, self._start)
        lead_B = address % WORD_B
        padding = (lead_B, -(lead_B + size_B) % WORD_B)
        words = np.stack([np.pad(state, padding).reshape(-1, WORD_B) for state in states])
        return self._seen(words).reshape(-1)[lead_B : lead_B + size_B]

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
        if self.are_latest([surface], stage, path):
            return surface.codes
        settled = self.order.settled(stage, path)
        older = self._memory.log.states(surface.segments, settled, self._start)[1:]
        states = [surface.codes_of(state) for state in older]
        texels = np.stack([surface.codes, *states])
        return self._seen(texels.reshape(len(texels), -1, texels.shape[-1])).reshape(surface.codes.shape)

    def are_latest(self, surfaces: Iterable[Surface], stage: ReaderStage, path: Path) -> bool:
        """Say whether a reader sees of surfaces what they hold now."""
        log, settled = self._memory.log, self.order.settled(stage, path)
        if not log.has_unsettled(settled):
            return True
        return not any(log.is_unsettled(one.segments, settled) for one in surfaces) or shows_latest(self._rules)

    def written_depth_is_latest(self) -> bool:
        """Say whether a draw that samples the depth that it writes sees what was there before."""
        return shows_depth_before(self._rules)

    def written_depth(self, surface: Surface) -> Bytes:
        """Return the codes of depth that the draw writes itself: turned over where a place shows anything."""
        return self._seen(np.stack([surface.codes, ~surface.codes]).reshape(2, -1, surface.codes.shape[-1])).reshape(
            surface.codes.shape
        )

    def _seen(self, states: NDArray[np.uint8]) -> Bytes:
        first = self._places
        self._places += states.shape[1]
        return seen_unordered(states, first, self._rules)


@rule(
    "ORDER-READ-1",
    "A read that no barrier orders sees what all commands before it left, or anything that the place held since the "
    "barrier that orders reader and writer, each place for itself; submissions see all of earlier ones.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles", "barrier-vectors"),
    ledger=("feedback-snapshot", "feedback-tile", "s4-sw-fbsnap", "s4-sw-barrier"),
    refuted_by="a draw of a console, without a barrier, that reads no value that the place has held since then",
    fields=("unordered_reads",),
)
def shows_latest(rules: Rules) -> bool:
    """Say whether a read that no barrier orders sees what all commands before it left."""
    return rules.unordered_reads is UnorderedReads.FRESH


@rule(
    "ORDER-DEPTH-1",
    "What a draw samples of the depth or stencil that it writes itself is not specified, whatever barrier stands "
    "before it; here it is what was there before the draw.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("pool-depth-reader",),
    fields=("unordered_reads",),
    refuted_by="a console that always gives one value in a draw that samples and writes one depth target",
)
def shows_depth_before(rules: Rules) -> bool:
    """Say whether such a sample sees what was there: always, but where every place shows anything."""
    return rules.unordered_reads < UnorderedReads.MIXED


def seen_unordered(states: NDArray[np.uint8], first: int, rules: Rules) -> Bytes:
    """Return what each place shows to a read that no barrier orders.

    Parameters
    ----------
    states : uint8, shape (n, places, bytes)
        What places held, the latest first.
    first : int
        The number of the first place among all that were read so.
    rules : Rules
        What could be otherwise.

    Returns
    -------
    uint8, shape (places, bytes)

    Examples
    --------
    >>> held = np.array([[[3], [8]], [[2], [8]], [[1], [7]]], np.uint8)
    >>> seen_unordered(held, 0, Rules()).tolist()
    [[3], [8]]
    >>> seen_unordered(held, 0, Rules(unordered_reads=UnorderedReads.ONE_BACK)).tolist()
    [[2], [7]]
    """
    setting = rules.unordered_reads
    if setting is UnorderedReads.FRESH or len(states) == 1:
        latest: Bytes = states[0]
        return latest
    changed = (states[1:] != states[:-1]).any(axis=2)
    steps: NDArray[np.int64] = np.concatenate([np.zeros((1, changed.shape[1]), np.int64), np.cumsum(changed, axis=0)])
    wanted = np.minimum(_steps_back(setting, first, steps[-1]), steps[-1])
    chosen = np.argmax(steps == wanted, axis=0)
    seen: Bytes = states[chosen, np.arange(states.shape[1])]
    return seen


def _steps_back(setting: UnorderedReads, first: int, most: NDArray[np.int64]) -> NDArray[np.int64] | int:
    """Return how many values back each place goes, of the most that it could."""
    if setting in STEPS_BACK:
        return STEPS_BACK[setting]
    places = np.arange(first, first + most.size)
    older = words_of_eight()[places % words_of_eight().size] >> (setting - FIRST_MIX) & 1
    steps: NDArray[np.int64] = older * (1 + (places * 7 + (setting - FIRST_MIX)) % np.maximum(most, 1))
    return steps


@cache
def words_of_eight() -> NDArray[np.int64]:
    """Return the 12870 numbers of 16 bits of which 8 are set.

    >>> words_of_eight().size
    12870
    """
    numbers: NDArray[Any] = np.arange(1 << 16)
    bits = sum(numbers >> bit & 1 for bit in range(16))
    found: NDArray[np.int64] = numbers[bits == 8]
    return found
