"""May workgroups run all at once although they load and store? If no two of them meet in a word, nobody can tell.

They run together on a copy of the storage buffers that are bound, and which words each reached is kept. Where a word
that somebody changed was reached by two workgroups, the copy is dropped, and they run one after another on memory
itself. So it is with what a copy does not show: images, shared memory, buffers that overlap, accesses that leave what
is bound; and where each store counts because reads may see what a place held before.

Read next: ``dispatch.py``.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.replay.context import Context
from refnvn.replay.order import Path
from refnvn.replay.readings import Reader
from refnvn.replay.storage import bound_storage
from refnvn.shader.atomics import change_in_order
from refnvn.shader.ir import Shader, walk
from refnvn.shader.ir_memory import (
    AtomicMemory,
    AtomicOperation,
    LoadMemory,
    MemoryBarrier,
    MemorySize,
    MemoryStatement,
    StoreMemory,
)

WORD_B = 4
MOST_HELD_B = 1 << 24
"""Bytes of all storage buffers together of which a copy is made."""
MOST_REACHED = 1 << 24
"""Accesses of words that are remembered between two looks at whether workgroups met."""
Words = NDArray[np.uint32]
Places = NDArray[np.intp]
_SERVED = (LoadMemory, StoreMemory, AtomicMemory, MemorySize, MemoryBarrier)


class MetInMemory(Exception):
    """Workgroups met, or may have: they have to run one after another."""


def may_hold(shader: Shader) -> bool:
    """Say whether a shader reaches nothing but storage buffers."""
    reached = [one for one in walk(shader.statements) if isinstance(one, MemoryStatement)]
    return not shader.shared_B and all(isinstance(one, _SERVED) for one in reached)


class HeldStorage:
    """A copy of the storage buffers of a dispatch, on which workgroups run together.

    Parameters
    ----------
    context : Context
        Whose memory is copied.
    shader : Shader
        For which :func:`may_hold` is true.
    group_size : int
        Invocations of a workgroup, which are neighbours among the lanes.

    Raises
    ------
    MetInMemory
        Where a copy would not show what the shader sees.
    """

    def __init__(self, context: Context, shader: Shader, group_size: int) -> None:
        self._context = context
        self._group_size = group_size
        self._groups: Places = np.zeros(0, np.intp)
        self._starts: dict[int, int] = {}
        self._words: dict[int, Words] = {}
        self._before: dict[int, Words] = {}
        self._reached: list[tuple[Places, Places, bool]] = []
        self._reached_so_far = 0
        self._loaded: list[tuple[Reader, int, Places]] = []
        self._room_B = MOST_HELD_B
        if context.memory.log.keeps_bytes:
            raise MetInMemory
        slots = context.state.storage_buffers
        loaded = {one.binding for one in walk(shader.statements) if isinstance(one, LoadMemory)}
        for one in shader.storage:
            bound = slots.get((ShaderStage.COMPUTE, one.binding))
            if bound is None or not bound.size_B or bound.size_B % WORD_B or bound.address % WORD_B:
                raise MetInMemory
            bound = bound_storage(slots, ShaderStage.COMPUTE, one.binding)
            self._starts[one.binding] = bound.address // WORD_B
            self._copy(one.binding, bound.address, bound.size_B, loads=one.binding in loaded)
        ends = sorted((self._starts[binding], words.size) for binding, words in self._words.items())
        if any(start + size > after for (start, size), (after, _) in pairwise(ends)):
            raise MetInMemory

    def _copy(self, binding: int, address: int, size_B: int, *, loads: bool) -> None:
        memory = self._context.memory
        self._room_B -= size_B
        if self._room_B < 0 or len(memory.segments(address, size_B)) != 1:
            raise MetInMemory
        reader = self._context.reads.by(ShaderStage.COMPUTE, Path.DIRECT) if loads else memory
        self._words[binding] = reader.read(address, size_B).view("<u4")
        self._before[binding] = self._words[binding].copy()

    def watch(self, lanes: Places) -> None:
        """Take note of which lanes access memory next."""
        self._groups = lanes // self._group_size

    def load(self, binding: int, offsets_B: Words) -> Words:
        """Return words; see :class:`refnvn.shader.lane_memory.LaneMemory`."""
        places = self._places(binding, offsets_B, changes=False)
        self._note(Reader.STORAGE, binding, places)
        found: Words = self._words[binding][places]
        return found

    def store(self, binding: int, offsets_B: Words, words: Words) -> None:
        """Store words."""
        self._words[binding][self._places(binding, offsets_B, changes=True)] = words

    def change(
        self, binding: int, operation: AtomicOperation, offsets_B: Words, words: Words, compares: Words | None
    ) -> Words:
        """Change words, one after another, and return what each was."""
        places = self._places(binding, offsets_B, changes=True)
        self._note(Reader.ATOMIC, binding, places)
        return change_in_order(self._words[binding], places, operation, words, compares)

    def size_B(self, binding: int) -> int:
        """Return how many bytes are bound."""
        return self._words[binding].size * WORD_B

    def _note(self, reader: Reader, binding: int, places: Places) -> None:
        if self._context.reads.listener is not None:
            self._loaded.append((reader, binding, places + self._starts[binding]))

    def _places(self, binding: int, offsets_B: Words, *, changes: bool) -> Places:
        places = (offsets_B // WORD_B).astype(np.intp)
        if (places >= self._words[binding].size).any():
            raise MetInMemory
        self._reached_so_far += places.size
        if self._reached_so_far > MOST_REACHED:
            raise MetInMemory
        self._reached.append((places + self._starts[binding], self._groups, changes))
        return places

    def keep(self) -> None:
        """Let memory have what the workgroups left.

        Raises
        ------
        MetInMemory
            Where two of them met in a word; memory is then as it was.
        """
        if _met(self._reached):
            raise MetInMemory
        self._reached.clear()
        self._reached_so_far = 0
        for reader, binding, places in self._loaded:
            what = f"storage buffer {binding} of the compute shader"
            self._context.reads.tell(reader, what, places.astype(np.int64) * WORD_B, WORD_B)
        self._loaded.clear()
        for binding, words in self._words.items():
            before = self._before[binding]
            address = self._starts[binding] * WORD_B
            self._context.memory.write_changes(address, before.view(np.uint8), words.view(np.uint8))
            self._before[binding] = words.copy()


def _met(reached: list[tuple[Places, Places, bool]]) -> bool:
    """Say whether a word that was changed was reached by two groups."""
    if not reached:
        return False
    words = np.concatenate([one for one, _, _ in reached])
    groups = np.concatenate([one for _, one, _ in reached])
    changed = np.concatenate([np.full(one.size, changes) for one, _, changes in reached])
    order = np.lexsort((groups, words))
    words, groups, changed = words[order], groups[order], changed[order]
    shared = np.flatnonzero((words[1:] == words[:-1]) & (groups[1:] != groups[:-1]))
    return bool(np.isin(words[shared], words[changed]).any())
