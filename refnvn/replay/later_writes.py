"""Which stores may reach a read that came before them, because no barrier kept them back?

Reads of bytes are noted with the command that they belong to until a barrier protects them: vertices and indices,
uniform and storage buffers, records. Stores of shaders that come after the command and before that barrier may have
been there when it read. Where bytes are kept, what the reads may have seen is told, and a second replay shows it.

Images and textures are not noted: a later draw is held not to reach what an earlier one samples. Read next:
``unordered.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.enumerations import BarrierBits
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Bytes
from refnvn.replay.order import FRAGMENT_ORDERS, ReaderStage
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnorderedReads
from refnvn.rules.registry import rule

MOST_READS = 1024
"""Reads that are watched at a time; what is read beyond that is held to come first."""

Key = tuple[int, int, int]
"""The number of a command, and the address and size of what it reads."""


@dataclass(slots=True)
class _Read:
    """A read that nothing protects yet: who read, and the time at which its command ended."""

    stage: ReaderStage
    after: int
    bits: int = 0


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

    def note(self, key: Key, stage: ReaderStage) -> None:
        """Take note of a read."""
        if key not in self._reads and len(self._reads) < MOST_READS:
            read = _Read(stage, self._memory.log.time)
            self._reads[key] = read
            self._of_command.append(read)

    def command(self) -> None:
        """Take note that a command begins: what the one before stored is its own."""
        for read in self._of_command:
            read.after = self._memory.log.time
        self._of_command = []

    def barrier(self, bits: int) -> None:
        """Let a barrier protect the reads before it."""
        protected = {}
        for key, read in self._reads.items():
            read.bits |= bits
            if protects(read.bits, read.stage):
                protected[key] = read
        self._close(protected)

    def close(self) -> None:
        """Let everything be protected: a submission begins, or the replay ends."""
        self._close(dict(self._reads))
        self._stores = self._memory.log.stores

    def _close(self, reads: dict[Key, _Read]) -> None:
        log = self._memory.log
        for key, read in reads.items():
            del self._reads[key]
            if log.stores == self._stores:
                continue
            _, address, size_B = key
            segments = self._memory.segments(address, size_B)
            if not log.was_stored_after(segments, read.after) or read_comes_first(self._rules):
                continue
            states = log.states_after(segments, read.after)
            if states:
                self.states[key] = states


@rule(
    "ORDER-LATER-1",
    "A store that no ordering barrier keeps behind an earlier read may reach it; here the read comes first. An order "
    "of primitives protects what earlier vertices and dispatches read, one of primitives and fragments everything.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("barrier-war",),
    fields=("unordered_reads",),
    refuted_by="a console that never lets a later vertex shader's store reach an earlier draw, without any barrier",
)
def read_comes_first(rules: Rules) -> bool:
    """Say whether a read sees nothing of stores that come later, though no barrier protects it."""
    return rules.unordered_reads is UnorderedReads.FRESH


def protects(bits: int, stage: ReaderStage) -> bool:
    """Say whether barriers, all their bits together, protect a read from all later stores.

    >>> protects(0x1, ReaderStage.OTHER), protects(0x1, ReaderStage.FRAGMENT), protects(0x13, ReaderStage.FRAGMENT)
    (True, False, True)
    """
    if not bits & BarrierBits.ORDER_PRIMITIVES:
        return False
    return stage is ReaderStage.OTHER or bool(bits & FRAGMENT_ORDERS)
