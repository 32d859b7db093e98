"""What does the GPU see of what the processor wrote to a pool that it caches?

Lines of 64 bytes are held back until they are flushed, where the rules say so; the processor itself reads what it
wrote. ``WriteTexels`` is taken to flush what it writes.

Read next: ``texels.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.enumerations import MemoryPoolFlags
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Bytes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnflushedWrite
from refnvn.rules.registry import rule

LINE_B = 64


class CpuCache:
    """Writes that have not reached memory, by pool, in their order.

    Parameters
    ----------
    memory : Memory
        Where they go.
    rules : Rules
        Reads ``unflushed_write`` at writes to cached pools.
    """

    def __init__(self, memory: Memory, rules: Rules) -> None:
        self._memory = memory
        self._rules = rules
        self._held: dict[int, list[tuple[int, Bytes]]] = {}

    def write(self, pool: int, offset_B: int, data: Bytes) -> None:
        """Write bytes by the processor."""
        cached = MemoryPoolFlags.CPU_CACHED in self._memory.pool(pool).flags
        if cached and is_held(self._rules):
            self._memory.pool(pool).check_range(offset_B, data.size)
            self._held.setdefault(pool, []).append((offset_B, data))
        else:
            self._memory.write_pool(pool, offset_B, data)

    def flush(self, pool: int, offset_B: int, size_B: int) -> None:
        """Let the lines of a range reach memory."""
        start, stop = offset_B // LINE_B * LINE_B, -(-(offset_B + size_B) // LINE_B) * LINE_B
        kept: list[tuple[int, Bytes]] = []
        for at, data in self._held.pop(pool, []):
            first, last = max(at, start), min(at + data.size, stop)
            if first >= last:
                kept.append((at, data))
                continue
            self._memory.write_pool(pool, first, data[first - at : last - at])
            kept += [(at, data[: first - at])] * (first > at) + [(last, data[last - at :])] * (last < at + data.size)
        if kept:
            self._held[pool] = kept

    def read(self, pool: int, offset_B: int, size_B: int) -> Bytes:
        """Return bytes as the processor sees them: with its own writes."""
        found = self._memory.read_pool(pool, offset_B, size_B)
        if pool not in self._held:
            return found
        found = np.array(found)
        for at, data in self._held[pool]:
            first, last = max(at, offset_B), min(at + data.size, offset_B + size_B)
            if first < last:
                found[first - offset_B : last - offset_B] = data[first - at : last - at]
        return found


@rule(
    "ORDER-FLUSH-1",
    "What the processor writes to a cached pool reaches the GPU when it is flushed at the latest; before that the "
    "GPU may see what was there. A texture over storage that was written and flushed starts with those bytes.",
    evidence=Evidence.OPEN,
    sources=("nvn-header", "seed-titles"),
    ledger=("s4-sw-flushfill",),
    refuted_by="a console that always shows a write to a CPU_CACHED pool without FlushMappedRange",
    fields=("unflushed_write",),
)
def is_held(rules: Rules) -> bool:
    """Say whether writes to cached pools wait for a flush."""
    return rules.unflushed_write is UnflushedWrite.HELD
