"""What has a barrier ordered, and what may a read that no barrier has ordered see?

A write is *settled* for a reader once barriers have finished the writer's work before the reader's, and then emptied
the cache that the reader looks through. A read of what is not settled may see any of the values that a place held
since then, and each place another one.

| reader looks through | settled by |
|---|---|
| nothing: storage buffers, image loads, vertices, indices | an order |
| the texture cache: samples, fetches, gathers | an order, then or at once INVALIDATE_TEXTURE |
| the constant cache: uniform buffers | an order, then or at once INVALIDATE_SHADER |
| the command processor: indirect draws, dispatches, captured counts | an order, then or at once ORDER_INDIRECT_DATA |
| the command processor, when it gets there: conditions | ORDER_PRIMITIVES; reports of samples passed too |

INVALIDATE_TEXTURE_DESCRIPTOR, INVALIDATE_ZCULL and INVALIDATE_L2_CACHE change no byte here: descriptors come from the
processor, and the other two are caches that nothing sees past.

It chooses no value: ``unordered.py`` does. What was written when: ``memory/write_log.py``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from refnvn.commands import commands as c
from refnvn.enumerations import BarrierBits, CounterType
from refnvn.memory.write_log import Writer
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Times = list[int]
"""By writer."""
_ALWAYS = 1 << 62
"""The time up to which writes are settled that need no barrier."""


class ReaderStage(IntEnum):
    """When a reader works."""

    FRAGMENT = 0
    """In fragment shaders."""
    OTHER = 1
    """In shaders before them, in compute shaders, and before any shader."""


class Path(IntEnum):
    """What a reader looks through."""

    DIRECT = 0
    TEXTURE = 1
    CONSTANT = 2
    INDIRECT = 3
    CONDITION = 4


FRAGMENT_ORDERS = BarrierBits.ORDER_FRAGMENTS | BarrierBits.ORDER_FRAGMENTS_TILED
EVERYTHING = (Writer.VERTEX, Writer.FRAGMENT, Writer.COMPUTE)
_CACHES = {
    BarrierBits.INVALIDATE_TEXTURE: Path.TEXTURE,
    BarrierBits.INVALIDATE_SHADER: Path.CONSTANT,
    BarrierBits.ORDER_INDIRECT_DATA: Path.INDIRECT,
}

_FRAGMENT_COMMANDS = (
    c.ClearColor,
    c.ClearColori,
    c.ClearColorui,
    c.ClearDepthStencil,
    c.ClearTexture,
    c.ClearTexturei,
    c.ClearTextureui,
    c.DrawArrays,
    c.DrawElements,
    c.DrawArraysInstanced,
    c.DrawElementsInstanced,
    c.DrawArraysIndirect,
    c.DrawElementsIndirect,
    c.MultiDrawArraysIndirectCount,
    c.MultiDrawElementsIndirectCount,
    c.DrawTransformFeedback,
    c.DrawTexture,
    c.DrawMeshTasks,
    c.DrawMeshTasksIndirect,
)
WRITERS: dict[type[Any], Writer] = {
    **dict.fromkeys(_FRAGMENT_COMMANDS, Writer.FRAGMENT),
    **dict.fromkeys((c.DispatchCompute, c.DispatchComputeIndirect), Writer.COMPUTE),
}
"""Whose the writes of a command are; copies, fills, updates and reports take effect in order without barriers.

But for reports of samples passed, see :func:`writer_of_report`.
"""


@rule(
    "ORDER-PRIMITIVES-1",
    "ORDER_PRIMITIVES finishes all earlier work before later vertex, geometry and compute shaders read, and earlier "
    "vertex, geometry and compute work before later fragments.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("nn-gfx", "deko3d", "seed-titles"),
    ledger=("barrier-prims", "barrier-war", "s4-sw-barrier"),
)
def finished_by_primitives(reader: ReaderStage) -> tuple[Writer, ...]:
    """Return whose writes ORDER_PRIMITIVES orders before a reader.

    Whether it finishes fragments before fragments, sources disagree on (an open driver waits for everything, a
    title's notes say that fragments stay unordered), so nothing is promised.
    """
    return EVERYTHING if reader is ReaderStage.OTHER else (Writer.VERTEX, Writer.COMPUTE)


@rule(
    "ORDER-FRAGMENTS-1",
    "ORDER_FRAGMENTS and ORDER_FRAGMENTS_TILED finish earlier fragments, their targets, stores and clears, before "
    "later fragments read.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("nn-gfx", "deko3d", "seed-titles", "barrier-vectors"),
    ledger=("barrier-fragment-image", "feedback-tile"),
)
def finished_by_fragments(reader: ReaderStage) -> tuple[Writer, ...]:
    """Return whose writes ORDER_FRAGMENTS orders before a reader."""
    return (Writer.FRAGMENT,) if reader is ReaderStage.FRAGMENT else ()


@rule(
    "ORDER-CACHE-1",
    "A read through a cache sees what was ordered before the cache was last emptied: INVALIDATE_TEXTURE empties "
    "that of textures, INVALIDATE_SHADER that of uniform buffers, ORDER_INDIRECT_DATA what was read ahead for "
    "indirect commands.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("nn-gfx", "seed-titles", "barrier-vectors"),
    ledger=("feedback-snapshot", "rt-continue"),
)
def emptied_caches(bits: int) -> list[Path]:
    """Return the caches that a barrier empties.

    >>> emptied_caches(0x12)
    [<Path.TEXTURE: 1>]
    """
    return [path for bit, path in _CACHES.items() if bits & bit]


@rule(
    "ORDER-CONDITION-1",
    "A condition is compared when the command processor gets there, which reads nothing ahead and waits for nothing: "
    "what shaders and clears wrote to its words, and what a report left there that counts what was drawn, it is sure "
    "to see only behind an order of primitives.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles", "open-gpu-doc", "deko3d"),
    ledger=("render-cond",),
    refuted_by="a condition of a console, right behind a report of samples passed, that never sees what was there "
    "before; or one behind ORDER_PRIMITIVES that does",
)
def settled_for_conditions(finished: Times, counted: int) -> Times:
    """Return the times up to which writes are settled for conditions.

    Parameters
    ----------
    finished : list of int
        By writer, for what works before fragments.
    counted : int
        Up to when reports of what was counted are settled.
    """
    return [*finished[: Writer.COUNT], counted]


def writer_of_report(counter: CounterType) -> Writer:
    """Return whose write a report is.

    >>> writer_of_report(CounterType.TIMESTAMP).name, writer_of_report(CounterType.SAMPLES_PASSED).name
    ('ORDERED', 'COUNT')
    """
    times = (CounterType.TIMESTAMP, CounterType.TIMESTAMP_TOP)
    return writer_of_times() if counter in times else Writer.COUNT


@rule(
    "ORDER-REPORT-1",
    "A report of a time takes effect in the order of commands, for conditions too, without a barrier: titles report "
    "a time behind a conditional clear, and their next one is skipped.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("render-cond", "report-table"),
)
def writer_of_times() -> Writer:
    """Return whose write a report of a time is: one that nobody misses."""
    return Writer.ORDERED


class Order:
    """How far the writes of a replay are settled, for each kind of reader."""

    def __init__(self) -> None:
        self._finished: dict[ReaderStage, Times] = {stage: _times(0) for stage in ReaderStage}
        self._seen: dict[tuple[ReaderStage, Path], Times] = {
            (stage, path): _times(0) for stage in ReaderStage for path in Path
        }
        self._counted = 0

    def settled(self, stage: ReaderStage, path: Path) -> Times:
        """Return the time up to which each writer's writes are settled for a reader; do not change it."""
        if path is Path.CONDITION:
            return settled_for_conditions(self._finished[stage], self._counted)
        return self._finished[stage] if path is Path.DIRECT else self._seen[stage, path]

    def barrier(self, bits: int, now: int) -> None:
        """Take note of a barrier.

        Parameters
        ----------
        bits : int
            :class:`BarrierBits`.
        now : int
            The time of the latest write.
        """
        for stage, finished in self._finished.items():
            for writer in _finished_writers(bits, stage):
                finished[writer] = now
        for path in emptied_caches(bits):
            self._empty_cache(path)
        if bits & BarrierBits.ORDER_PRIMITIVES:
            self._counted = now

    @property
    def all_settled(self) -> int:
        """The time up to which all writes are settled for all readers."""
        times = (*self._finished.values(), *self._seen.values())
        return min(self._counted, *(time for of_reader in times for time in of_reader[Writer.VERTEX :]))

    def _empty_cache(self, path: Path) -> None:
        for stage, finished in self._finished.items():
            self._seen[stage, path] = list(finished)

    def submission(self, now: int) -> None:
        """Take note that a submission begins at a time."""
        for times in (*self._finished.values(), *self._seen.values()):
            times[:] = _times(now)
        self._counted = now


def _times(now: int) -> Times:
    """Return one time for every writer that barriers are about."""
    return [_ALWAYS if writer in (Writer.ORDERED, Writer.COUNT) else now for writer in Writer]


def _finished_writers(bits: int, stage: ReaderStage) -> set[Writer]:
    finished: set[Writer] = set()
    if bits & BarrierBits.ORDER_PRIMITIVES:
        finished |= set(finished_by_primitives(stage))
    if bits & FRAGMENT_ORDERS:
        finished |= set(finished_by_fragments(stage))
    return finished
