"""Which stores may reach a read that came before them, because no barrier kept them back?

Reads are noted with the command that they belong to until barriers keep everything from them: vertices and indices,
uniform and storage buffers, records, and images that shaders load from. Stores of shaders that come after the command
and before that barrier may have been there when it read. Where bytes are kept, what the reads may have seen is told,
and a second replay shows it.

Textures are not noted: later rendering is held not to reach what an earlier draw samples.
Read next: ``unordered.py``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from refnvn.enumerations import BarrierBits
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Bytes, Segment
from refnvn.memory.write_log import Writer
from refnvn.replay.order import EVERYTHING, FRAGMENT_ORDERS, ReaderStage
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnorderedReads
from refnvn.rules.registry import rule

MOST_READS = 1024
"""Reads that are watched at a time; what is read beyond that is held to come first."""

Key = tuple[int, Hashable]
"""The number of a command, and what it reads: an address and a size, or the place of an image."""


@dataclass(slots=True)
class _Read:
    """A read that not everything is kept from yet.

    ``after`` is the time at which its command ended, ``bits`` are those of the barriers since, and ``kept`` the
    writers whose later stores they keep away.
    """

    segments: list[Segment]
    stage: ReaderStage
    after: int
    bits: int = 0
    kept: set[Writer] = field(default_factory=set)


class LaterWrites:
    """The reads of one replay that later stores may reach.

    Attributes
    ----------
    states : dict of Key to list of uint8 arrays
        What reads may see of stores that came after them, the latest first; filled where bytes are kept.
    """

    def __init__(self, memory: Memory, rules: Rules) -> None:
        self.states: dict[Key, list[Bytes]] = {}
        self._memory = memory
        self._rules = rules
        self._reads: dict[Key, _Read] = {}
        self._of_command: list[_Read] = []
        self._stores = 0

    def note(self, key: Key, segments: list[Segment], stage: ReaderStage) -> None:
        """Take note of a read."""
        if key not in self._reads and len(self._reads) < MOST_READS:
            read = _Read(segments, stage, self._memory.log.time)
            self._reads[key] = read
            self._of_command.append(read)

    def command(self) -> None:
        """Take note that a command begins: what the one before stored is its own."""
        for read in self._of_command:
            read.after = self._memory.log.time
        self._of_command = []

    def barrier(self, bits: int) -> None:
        """Let a barrier keep later stores from the reads before it."""
        for key, read in list(self._reads.items()):
            read.bits |= bits
            self._keep_away(key, read, kept_away(read.bits, read.stage))

    def close(self) -> None:
        """Let everything be kept away: a submission begins, or the replay ends."""
        for key, read in list(self._reads.items()):
            self._keep_away(key, read, EVERYTHING)
        self._stores = self._memory.log.stores

    def _keep_away(self, key: Key, read: _Read, writers: Iterable[Writer]) -> None:
        """See which of some writers have stored since the read; later stores of theirs do not reach it."""
        newly = set(writers) - read.kept
        read.kept |= newly
        if len(read.kept) == len(EVERYTHING):
            del self._reads[key]
        log = self._memory.log
        if not newly or log.stores == self._stores or not log.was_stored_after(read.segments, read.after, newly):
            return
        if not read_comes_first(self._rules):
            self.states.setdefault(key, []).extend(log.states_after(read.segments, read.after, newly))


@rule(
    "ORDER-LATER-1",
    "A store that no ordering barrier keeps behind an earlier read may reach it; here the read comes first. An order "
    "of primitives keeps stores from what earlier vertices and dispatches read, an order of fragments those of later "
    "fragments from earlier ones, both together everything.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("barrier-war",),
    fields=("unordered_reads",),
    refuted_by="a console that never lets a later vertex shader's store reach an earlier draw, without any barrier",
)
def read_comes_first(rules: Rules) -> bool:
    """Say whether a read sees nothing of stores that come later, though no barrier keeps them away."""
    return rules.unordered_reads is UnorderedReads.FRESH


def kept_away(bits: int, stage: ReaderStage) -> tuple[Writer, ...]:
    """Return whose later stores barriers, all their bits together, keep from an earlier read.

    >>> kept_away(0x1, ReaderStage.FRAGMENT), kept_away(0x12, ReaderStage.FRAGMENT)
    ((), (<Writer.FRAGMENT: 2>,))
    """
    has_primitives, has_fragments = bits & BarrierBits.ORDER_PRIMITIVES, bits & FRAGMENT_ORDERS
    if has_primitives and (has_fragments or stage is ReaderStage.OTHER):
        return EVERYTHING
    return (Writer.FRAGMENT,) if has_fragments and stage is ReaderStage.FRAGMENT else ()
