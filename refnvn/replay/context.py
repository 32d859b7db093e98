"""What does every command work on? One replay's memory, textures, rules and the state of the queue that runs.

It executes nothing. Read next: ``run.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any

from refnvn.commands.commands import ReportCounter
from refnvn.commands.recording import Recording, pool_base_B
from refnvn.enumerations import CounterType, MemoryPoolFlags
from refnvn.errors import ArgumentError, SizeError
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Bytes, Pool
from refnvn.replay.cpu_cache import CpuCache
from refnvn.replay.errors import failed, field
from refnvn.replay.indirect_work import IndirectWork
from refnvn.replay.later_writes import Key
from refnvn.replay.observer import Observer
from refnvn.replay.registered import Descriptors
from refnvn.replay.sampled_content import SampledContent
from refnvn.replay.stamp import Stamps
from refnvn.replay.state import DRAW_COUNTERS, State, initial_state
from refnvn.replay.unordered import Reads
from refnvn.replay.views import Textures
from refnvn.rules.fields import Rules
from refnvn.rules.kept import Kept

MOST_RESULTS_B = 1 << 30


class Context:
    """A replay in progress.

    Attributes
    ----------
    recording : Recording
        What is replayed.
    blobs : mapping of str to bytes
        By name.
    rules : Rules
        Passed down to everything.
    threads : int
        How many may draw at the same time; nothing depends on it.
    memory, textures, stamps
        Guest memory, what lies in it, and the clear values used so far.
    reads : Reads
        What barriers have ordered, and what reads see.
    cpu_cache : CpuCache
        What the processor wrote and the GPU may not see yet.
    descriptors, content
        What is registered in pools, and what textures show.
    state : State
        Of the queue whose commands run.
    indirect : IndirectWork
        What draws have asked for whose numbers stand in memory.
    syncs : set of int
        Those that were signalled.
    counted : frozenset of CounterType
        What is counted of vertices, primitives and invocations: what some report asks for.
    counters : dict of str to int
        How often what happened.
    results : dict of str to uint8 array
        What was read back, in the order of the timeline.
    shaders : dict
        Validated shaders by program and stage.
    kept : Kept
        What the last draw found out and still holds.
    observer : Observer or None
        Who looks on.
    """

    def __init__(
        self,
        recording: Recording,
        blobs: Mapping[str, bytes],
        rules: Rules,
        threads: int = 1,
        memory: type[Memory] = Memory,
        later: Mapping[Key, list[Bytes]] | None = None,
    ) -> None:
        self.recording = recording
        self.blobs = blobs
        self.rules = rules
        self.threads = threads
        self.memory = memory()
        for index, pool in enumerate(recording.pools):
            with field(f"pools[{index}]"):
                initial = b"" if pool.initial is None else self.blob(pool.initial)
                self.memory.add_pool(pool_base_B(index), Pool(pool.size_B, MemoryPoolFlags(pool.flags), initial))
        self.reads = Reads(self.memory, rules, later)
        self.cpu_cache = CpuCache(self.memory, rules)
        self.textures = Textures(recording, self.memory, rules)
        self.descriptors = Descriptors()
        self.content = SampledContent(self.memory, self.textures, rules)
        self.stamps = Stamps()
        self.queues = [initial_state(queue.window_origin) for queue in recording.queues]
        self.state: State = self.queues[0] if self.queues else initial_state(recording.window_origin)
        self.syncs: set[int] = set()
        self.indirect = IndirectWork()
        self.counted = _counted(recording)
        self.counters: dict[str, int] = {}
        self.results: dict[str, Any] = {}
        self.results_B = 0
        self.shaders: dict[Any, Any] = {}
        self.kept = Kept()
        self.observer: Observer | None = None

    def watch(self, observer: Observer | None) -> None:
        """Let somebody look on."""
        self.observer = observer
        self.kept.keeps = observer is None
        self.reads.listener = None if observer is None else partial(observer.reads, self)

    def blob(self, name: str) -> bytes:
        """Return a blob, of the size that the recording says.

        Raises
        ------
        ReplayError
            Where there is none, or it has another size.
        """
        stated_B = self.recording.blobs.get(name)
        if name not in self.blobs:
            raise failed("blob", ArgumentError(f"no blob {name!r}"))
        found = self.blobs[name]
        if stated_B is not None and len(found) != stated_B:
            raise failed("blob", SizeError(f"blob {name!r} has {len(found)} bytes, the recording says {stated_B}"))
        return found

    def keep(self, name: str, data: Any) -> None:
        """Keep a result.

        Raises
        ------
        ArgumentError, SizeError
            For a name that is taken, or more than 1 GiB of results.
        """
        if name in self.results:
            raise ArgumentError(f"result {name!r} was read before; each needs a name of its own")
        self.results_B += data.size
        if self.results_B > MOST_RESULTS_B:
            raise SizeError(f"results of {self.results_B} bytes together; {MOST_RESULTS_B} are allowed")
        self.results[name] = data

    def count(self, name: str, number: int = 1) -> None:
        """Count something that happened."""
        self.counters[name] = self.counters.get(name, 0) + number


def _counted(recording: Recording) -> frozenset[CounterType]:
    """Return the counters of draws that some command reports."""
    commands = itertools.chain.from_iterable(recording.command_buffers)
    return DRAW_COUNTERS.intersection(one.counter for one in commands if type(one) is ReportCounter)
