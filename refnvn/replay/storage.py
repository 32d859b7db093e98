"""What do shaders find and leave in storage buffers?

A bound range is bytes of guest memory: each access reads and writes memory itself, so that whatever looks at the
same bytes sees it. Of a sequence of accesses the bytes from the first to the last are read once and only those that
changed are written.

Read next: ``images.py``, ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.memory.memory import Memory
from refnvn.replay.readings import Reader
from refnvn.replay.state import BoundRange
from refnvn.replay.unordered import SeenMemory
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, StorageBound
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown
from refnvn.shader.atomics import change_in_order
from refnvn.shader.ir_memory import AtomicOperation

UNBOUND_STORAGE = unknown(
    "REPLAY-STORAGE-4",
    "What happens where a shader reaches a storage slot with nothing bound? It goes by address, and 0 is none.",
    settled_by="a console whose {stage} shader reaches storage slot {slot} with nothing bound there",
    instead="call bind_storage_buffer before this draw or dispatch",
    module=__name__,
)

WORD_B = 4
Words = NDArray[np.uint32]


@rule(
    "REPLAY-STORAGE-1",
    "A storage buffer that is bound with size 0 is used from its address on; here up to the end of its pool.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("ssbo-size0",),
)
def reach_B(memory: Memory, bound: BoundRange) -> int:
    """Return how many bytes a shader reaches from the address of a binding of size 0."""
    number, offset_B = memory.locate(bound.address, 0)
    return memory.pools[number].size_B - offset_B


@rule(
    "REPLAY-STORAGE-2",
    "Past the bytes that are bound to a storage buffer a load gives 0, a store is dropped, an atomic access finds 0 "
    "and changes nothing.",
    evidence=Evidence.OPEN,
    sources=("gl-memory-model", "seed-titles"),
    fields=("storage_bound",),
    refuted_by="a console whose shader reaches the word behind a storage buffer that is bound with its size",
)
def past_the_end_B(memory: Memory, bound: BoundRange, rules: Rules) -> int:
    """Return how many bytes a shader reaches where it leaves the bytes that are bound."""
    return reach_B(memory, bound) if rules.storage_bound is StorageBound.POOL else bound.size_B


@rule(
    "REPLAY-STORAGE-3",
    "Each stage has storage slots of its own, 16 of them.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("s4-3f-ssbo",),
)
def bound_storage(slots: Mapping[tuple[ShaderStage, int], BoundRange], stage: ShaderStage, index: int) -> BoundRange:
    """Return what is bound to a storage slot of a stage.

    Raises
    ------
    UnknownBehaviour
        Where nothing is.
    """
    bound = slots.get((stage, index))
    if bound is None:
        raise UNBOUND_STORAGE.error(stage=stage.name.lower(), slot=index)
    return bound


class StorageAccess:
    """The storage buffers of one stage, while a draw or dispatch runs.

    Parameters
    ----------
    memory : Memory
        Where they lie.
    slots : dict
        What is bound, by stage and slot.
    stage : ShaderStage
    rules : Rules
        Reads ``storage_bound`` if an access leaves what is bound.
    seen : SeenMemory
        What loads see.
    """

    def __init__(
        self,
        memory: Memory,
        slots: Mapping[tuple[ShaderStage, int], BoundRange],
        stage: ShaderStage,
        rules: Rules,
        seen: SeenMemory,
    ) -> None:
        self._memory = memory
        self._seen = seen
        self._slots = slots
        self._stage = stage
        self._rules = rules

    def load(self, binding: int, offsets_B: Words) -> Words:
        """Return words; see :class:`refnvn.shader.lane_memory.LaneMemory`."""
        found = np.zeros(offsets_B.size, np.uint32)
        inside, offsets_B = self._inside(binding, offsets_B)
        if offsets_B.size:
            first_B, last_B = int(offsets_B.min()), int(offsets_B.max())
            address = self._bound(binding).address
            content = self._seen.read(address + first_B, last_B + WORD_B - first_B).view("<u4")
            found[inside] = content[(offsets_B - first_B) // WORD_B]
            self._tell_words(Reader.STORAGE, binding, offsets_B)
        return found

    def store(self, binding: int, offsets_B: Words, words: Words) -> None:
        """Store words."""
        inside, offsets_B = self._inside(binding, offsets_B)

        def put(content: Words, places: NDArray[np.intp]) -> None:
            content[places] = words[inside]

        self._changed(binding, offsets_B, put)

    def change(
        self, binding: int, operation: AtomicOperation, offsets_B: Words, words: Words, compares: Words | None
    ) -> Words:
        """Change words, one after another, and return what each was."""
        found = np.zeros(offsets_B.size, np.uint32)
        inside, offsets_B = self._inside(binding, offsets_B)
        compared = None if compares is None else compares[inside]

        def change(content: Words, places: NDArray[np.intp]) -> None:
            found[inside] = change_in_order(content, places, operation, words[inside], compared)

        self._changed(binding, offsets_B, change)
        self._tell_words(Reader.ATOMIC, binding, offsets_B)
        return found

    def _tell_words(self, reader: Reader, binding: int, offsets_B: Words) -> None:
        if self._seen.listener is not None and offsets_B.size:
            what = f"storage buffer {binding} of the {self._stage.name.lower()} shader"
            self._seen.tell(reader, what, self._bound(binding).address + offsets_B.astype(np.int64), WORD_B)

    def size_B(self, binding: int) -> int:
        """Return how many bytes are bound."""
        return self._bound(binding).size_B

    def _bound(self, binding: int) -> BoundRange:
        return bound_storage(self._slots, self._stage, binding)

    def _inside(self, binding: int, offsets_B: Words) -> tuple[NDArray[np.bool_], Words]:
        """Return which accesses stay inside of what is bound, and their offsets, of whole words."""
        bound = self._bound(binding)
        offsets_B = offsets_B & ~np.uint32(WORD_B - 1)
        limit_B = bound.size_B or reach_B(self._memory, bound)
        inside = offsets_B.astype(np.int64) + WORD_B <= limit_B
        if not inside.all():
            limit_B = past_the_end_B(self._memory, bound, self._rules) if bound.size_B else limit_B
            inside = offsets_B.astype(np.int64) + WORD_B <= limit_B
        return inside, offsets_B[inside]

    def _changed(self, binding: int, offsets_B: Words, change: Callable[[Words, NDArray[np.intp]], None]) -> None:
        """Let a function change words of memory, given them and the places of each access among them."""
        if not offsets_B.size:
            return
        first_B, last_B = int(offsets_B.min()), int(offsets_B.max())
        address = self._bound(binding).address + first_B
        before = self._memory.read(address, last_B + WORD_B - first_B)
        content = before.copy()
        change(content.view("<u4"), ((offsets_B - first_B) // WORD_B).astype(np.intp))
        self._memory.write_changes(address, before, content)
