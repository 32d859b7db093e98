"""What does a statement that reaches memory do, in the lanes of a mask?

Loads happen in every lane; helper lanes, which only stand by for derivatives, store nothing and change nothing.
Shared memory belongs to one run, which is one workgroup's.

Read next: ``lane_memory.py``, ``atomics.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, SharedContent
from refnvn.rules.registry import rule
from refnvn.shader.atomics import change_inside
from refnvn.shader.ir import Shader
from refnvn.shader.ir_memory import (
    AtomicImage,
    AtomicMemory,
    Barrier,
    ImageSize,
    LoadImage,
    LoadMemory,
    MemoryBarrier,
    MemorySize,
    MemoryStatement,
    StoreImage,
    StoreMemory,
)
from refnvn.shader.lane_memory import Lanes, Words, in_memory_order

if TYPE_CHECKING:
    from refnvn.shader.execute import LaneInputs

WORD_B = 4
Mask = NDArray[np.bool_]


@rule(
    "SHADER-HELPER-1",
    "Lanes that only stand by for the differences of a quad store nothing and change nothing; nor does a fragment "
    "after its discard, or one that tests took away before the shader ran.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-memory-model",),
    ledger=("unwritten-store",),
)
def may_change(mask: Mask, lanes: LaneInputs) -> Mask:
    """Return the lanes of a mask that may change memory."""
    return mask if lanes.live is None else mask & lanes.live


@rule(
    "SHADER-SHARED-1",
    "Shared memory belongs to one workgroup and holds nothing that can be relied on before it is stored to; here it "
    "is zero. What lies outside reads 0 and is not stored.",
    evidence=Evidence.INFERRED,
    sources=("gl-memory-model",),
    fields=("shared_content",),
    refuted_by="a title that relies on what shared memory holds at first",
)
def shared_memory(size_B: int, rules: Rules) -> Words:
    """Return the words of shared memory at first."""
    ones = size_B and rules.shared_content is SharedContent.ONES
    return np.full(size_B // WORD_B, 0xFFFFFFFF if ones else 0, np.uint32)


@rule(
    "SHADER-BARRIER-1",
    "After a barrier every invocation of a workgroup sees what the others had stored before it; all of them come to "
    "the same barrier.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-memory-model",),
)
def check_barrier(mask: Mask) -> None:
    """Raise unless every invocation came.

    Raises
    ------
    ArgumentError
        For a barrier in a branch that only some take.
    """
    if not mask.all():
        raise ArgumentError(
            f"a barrier that {np.count_nonzero(mask)} of {mask.size} invocations of a workgroup come to; "
            "it must stand where all of them do"
        )


class MemoryAccess:
    """The memory statements of one run of a shader.

    Parameters
    ----------
    shader : Shader
        Validated.
    lanes : LaneInputs
        What is bound, and which lanes may store.
    registers : list of arrays
        Of the run; what is loaded is written there.
    rules : Rules
        Reads ``memory_order``, and ``shared_content`` where there is shared memory.
    """

    def __init__(self, shader: Shader, lanes: LaneInputs, registers: list[NDArray[Any]], rules: Rules) -> None:
        self._lanes = lanes
        self._memory = lanes.memory
        self._registers = registers
        self._rules = rules
        self._images = {slot.binding: slot for slot in shader.images}
        self._shared = shared_memory(shader.shared_B, rules)

    def run(self, statement: MemoryStatement, mask: Mask) -> None:
        """Run one statement in the lanes of a mask."""
        match statement:
            case LoadMemory():
                self._load(statement, np.flatnonzero(mask))
            case StoreMemory():
                self._store(statement, self._changing(mask))
            case AtomicMemory():
                self._change(statement, self._changing(mask))
            case MemorySize(to=to, binding=binding):
                self._registers[to][mask] = self._memory.size_B(binding)
            case LoadImage():
                self._load_texels(statement, np.flatnonzero(mask))
            case StoreImage():
                self._store_texels(statement, self._changing(mask))
            case AtomicImage():
                self._change_texels(statement, self._changing(mask))
            case ImageSize(to=to, binding=binding):
                for register, size in zip(to, self._memory.image_size(self._images[binding]), strict=True):
                    self._registers[register][mask] = size
            case Barrier():
                check_barrier(mask)
            case MemoryBarrier():
                pass
            case _:
                raise AssertionError(statement)

    def _changing(self, mask: Mask) -> Lanes:
        return in_memory_order(may_change(mask, self._lanes), self._rules)

    def _words(self, register: int, lanes: Lanes) -> Words:
        found: Words = self._registers[register][lanes]
        return found

    def _optional(self, register: int | None, lanes: Lanes) -> Words | None:
        return None if register is None else self._words(register, lanes)

    def _rows(self, registers: tuple[int, ...], lanes: Lanes) -> Words:
        return np.stack([self._words(register, lanes) for register in registers])

    def _offsets_B(self, statement: LoadMemory | StoreMemory | AtomicMemory, lanes: Lanes) -> Words:
        if self._lanes.watch is not None:
            self._lanes.watch(lanes)
        if statement.plus_B is None:
            return np.full(lanes.size, statement.offset_B, np.uint32)
        offsets_B: Words = self._words(statement.plus_B, lanes) + np.uint32(statement.offset_B)
        return offsets_B

    def _load(self, load: LoadMemory, lanes: Lanes) -> None:
        offsets_B = self._offsets_B(load, lanes)
        if load.binding is not None:
            self._registers[load.to][lanes] = self._memory.load(load.binding, offsets_B)
            return
        places = (offsets_B // WORD_B).astype(np.intp)
        inside = places < self._shared.size
        self._registers[load.to][lanes] = np.where(inside, self._shared[np.where(inside, places, 0)], 0)

    def _store(self, store: StoreMemory, lanes: Lanes) -> None:
        offsets_B, words = self._offsets_B(store, lanes), self._words(store.of, lanes)
        if store.binding is not None:
            self._memory.store(store.binding, offsets_B, words)
            return
        places = (offsets_B // WORD_B).astype(np.intp)
        inside = places < self._shared.size
        self._shared[places[inside]] = words[inside]

    def _change(self, atomic: AtomicMemory, lanes: Lanes) -> None:
        offsets_B, words = self._offsets_B(atomic, lanes), self._words(atomic.of, lanes)
        compares = self._optional(atomic.compare, lanes)
        if atomic.binding is not None:
            found = self._memory.change(atomic.binding, atomic.operation, offsets_B, words, compares)
        else:
            found = change_inside(
                self._shared, (offsets_B // WORD_B).astype(np.intp), atomic.operation, words, compares
            )
        self._registers[atomic.to][lanes] = found

    def _load_texels(self, load: LoadImage, lanes: Lanes) -> None:
        slot = self._images[load.binding]
        texels = self._memory.load_texels(slot, self._rows(load.at, lanes), self._optional(load.sample, lanes))
        for register, row in zip(load.to, texels, strict=True):
            self._registers[register][lanes] = row

    def _store_texels(self, store: StoreImage, lanes: Lanes) -> None:
        slot = self._images[store.binding]
        at, samples = self._rows(store.at, lanes), self._optional(store.sample, lanes)
        self._memory.store_texels(slot, at, samples, self._rows(store.of, lanes))

    def _change_texels(self, atomic: AtomicImage, lanes: Lanes) -> None:
        found = self._memory.change_texels(
            self._images[atomic.binding],
            atomic.operation,
            self._rows(atomic.at, lanes),
            self._optional(atomic.sample, lanes),
            self._words(atomic.of, lanes),
            self._optional(atomic.compare, lanes),
        )
        self._registers[atomic.to][lanes] = found
