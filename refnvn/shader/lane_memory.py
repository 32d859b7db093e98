"""What does a shader reach outside of its registers, and in which order do its lanes come?

Whatever runs a shader that reaches memory gives it a :class:`LaneMemory`: what is bound, as words and texels. Lanes
come one after another, so each access is a sequence. Read next: ``execute_memory.py``, ``atomics.py``.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import MemoryOrder, Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir_memory import AtomicOperation, ImageSlot

Words = NDArray[np.uint32]
Lanes = NDArray[np.intp]


class LaneMemory(Protocol):
    """Bound storage buffers and images. Arrays hold one element a lane, in the order in which lanes come."""

    def load(self, binding: int, offsets_B: Words) -> Words:
        """Return words of a storage buffer."""

    def store(self, binding: int, offsets_B: Words, words: Words) -> None:
        """Store words in a storage buffer."""

    def change(
        self, binding: int, operation: AtomicOperation, offsets_B: Words, words: Words, compares: Words | None
    ) -> Words:
        """Change words of a storage buffer, one after another, and return what each was."""

    def size_B(self, binding: int) -> int:
        """Return how many bytes are bound."""

    def load_texels(self, slot: ImageSlot, at: Words, samples: Words | None) -> Words:
        """Return texels, shape (4, n), at coordinates of shape (1 to 3, n)."""

    def store_texels(self, slot: ImageSlot, at: Words, samples: Words | None, texels: Words) -> None:
        """Store texels of shape (4, n)."""

    def change_texels(
        self,
        slot: ImageSlot,
        operation: AtomicOperation,
        at: Words,
        samples: Words | None,
        words: Words,
        compares: Words | None,
    ) -> Words:
        """Change texels of 32 bits, one after another, and return what each was."""

    def image_size(self, slot: ImageSlot) -> tuple[int, int, int]:
        """Return width, height and layers or slices."""


class Unbound:
    """What a shader reaches where nobody gave it memory: it is told so."""

    def __getattr__(self, name: str) -> Any:
        """Raise, whatever is asked.

        Raises
        ------
        ArgumentError
        """
        if name.startswith("__"):
            raise AttributeError(name)
        raise ArgumentError("the shader reaches storage buffers or images, and the lanes give no memory")


NO_MEMORY: Any = Unbound()
"""Nothing bound."""


@rule(
    "SHADER-ORDER-1",
    "Nothing but barriers orders the memory accesses of invocations against each other; here a statement is done in "
    "one lane after another, a workgroup, primitive or instance goes step by step, and one comes after another.",
    evidence=Evidence.INFERRED,
    sources=("gl-memory-model", "seed-titles"),
    fields=("memory_order",),
    refuted_by="a title that relies on an order of atomic accesses in one draw or dispatch",
)
def in_memory_order(mask: NDArray[np.bool_], rules: Rules) -> Lanes:
    """Return the lanes of a mask in the order in which their accesses happen.

    >>> from refnvn.rules.fields import NVN
    >>> in_memory_order(np.array([True, False, True]), NVN).tolist()
    [0, 2]
    """
    lanes = np.flatnonzero(mask)
    return lanes[::-1] if rules.memory_order is MemoryOrder.REVERSED else lanes
