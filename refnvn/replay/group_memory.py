"""What does a workgroup of a task or mesh shader reach? Words of its own in some bindings, the stage's in the others.

Read next: ``mesh.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.replay.lane_memory import BoundMemory
from refnvn.shader.atomics import change_in_order
from refnvn.shader.ir_memory import AtomicOperation

WORD_B = 4
Words = NDArray[np.uint32]


class GroupMemory:
    """Memory of a workgroup: a :class:`refnvn.shader.lane_memory.LaneMemory`.

    Parameters
    ----------
    bound : BoundMemory
        What the stage reaches otherwise; images too.
    own : dict of int to uint32 array
        Words by binding, changed in place. Past their end loads give 0 and stores are dropped.
    """

    def __init__(self, bound: BoundMemory, own: dict[int, Words]) -> None:
        self._bound = bound
        self._own = own

    def __getattr__(self, name: str) -> Any:
        """Return what images need."""
        return getattr(self._bound, name)

    def load(self, binding: int, offsets_B: Words) -> Words:
        """Return words of a storage buffer."""
        if binding not in self._own:
            return self._bound.load(binding, offsets_B)
        inside, places = self._inside(binding, offsets_B)
        found = np.zeros(offsets_B.size, np.uint32)
        found[inside] = self._own[binding][places]
        return found

    def store(self, binding: int, offsets_B: Words, words: Words) -> None:
        """Store words in a storage buffer."""
        if binding not in self._own:
            self._bound.store(binding, offsets_B, words)
            return
        inside, places = self._inside(binding, offsets_B)
        self._own[binding][places] = words[inside]

    def change(
        self, binding: int, operation: AtomicOperation, offsets_B: Words, words: Words, compares: Words | None
    ) -> Words:
        """Change words of a storage buffer, one after another, and return what each was."""
        if binding not in self._own:
            return self._bound.change(binding, operation, offsets_B, words, compares)
        inside, places = self._inside(binding, offsets_B)
        found = np.zeros(offsets_B.size, np.uint32)
        compared = None if compares is None else compares[inside]
        found[inside] = change_in_order(self._own[binding], places, operation, words[inside], compared)
        return found

    def size_B(self, binding: int) -> int:
        """Return how many bytes are bound."""
        return self._own[binding].size * WORD_B if binding in self._own else self._bound.size_B(binding)

    def _inside(self, binding: int, offsets_B: Words) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        places = (offsets_B // WORD_B).astype(np.intp)
        inside = places < self._own[binding].size
        return inside, places[inside]
