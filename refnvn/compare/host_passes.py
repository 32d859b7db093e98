"""Which passes does a recording have, and which memory do their draws read?

NVN has no passes. Here one begins at a ``SetRenderTargets`` that something is drawn to or cleared in, and lasts to
the next; passes count from 0. A host may split them further, and nothing says where: whoever uses a host's number of
a pass says that it assumes this.

Read next: ``host_dumps.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from refnvn.commands import commands as c
from refnvn.commands.recording import FIRST_POOL_BASE_B, POOL_SPACING_B, Recording
from refnvn.commands.resources import TextureRef
from refnvn.replay.indices import index_size_B
from refnvn.trace.steps import steps

Indexed = c.DrawElements | c.DrawElementsInstanced
_CLEARS = (c.ClearColor, c.ClearColori, c.ClearColorui, c.ClearDepthStencil)


@dataclass(frozen=True, slots=True)
class MemoryRange:
    """Some bytes of a pool."""

    pool: int
    offset_B: int
    size_B: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """One draw: its number, the ranges of its vertex streams by index, and of its indices with their type."""

    number: int
    streams: dict[int, MemoryRange]
    indices: MemoryRange | None
    index_type: int | None


@dataclass(slots=True)
class Pass:
    """The colour targets of a pass, the number of the last command that wrote them, and its draws."""

    colors: tuple[TextureRef, ...]
    last: int
    draws: list[Drawn] = field(default_factory=list)


def memory_range(address: int, size_B: int) -> MemoryRange:
    """Return the bytes at a GPU address."""
    pool, offset_B = divmod(address - FIRST_POOL_BASE_B, POOL_SPACING_B)
    return MemoryRange(pool, offset_B, size_B)


def passes(recording: Recording) -> list[Pass]:
    """Return the passes of a recording, in order."""
    return list(_passes(recording))


def _passes(recording: Recording) -> Iterator[Pass]:
    streams: dict[int, MemoryRange] = {}
    found = Pass((), 0)
    for step in steps(recording):
        command = step.command
        if isinstance(command, c.SetRenderTargets):
            if found.last:
                yield found
            found = Pass(tuple(one for one in command.colors if one is not None), 0)
        elif isinstance(command, c.BindVertexBuffer):
            streams.pop(command.index, None)
            if command.size_B:
                streams[command.index] = memory_range(command.address, command.size_B)
        elif isinstance(command, _CLEARS):
            found.last = step.number
        elif type(command).__name__.startswith(("Draw", "MultiDraw")):
            found.last = step.number
            found.draws.append(_drawn(step.number, command, streams))
    if found.last:
        yield found


def _drawn(number: int, command: c.AnyCommand, streams: dict[int, MemoryRange]) -> Drawn:
    if not isinstance(command, Indexed):
        return Drawn(number, dict(streams), None, None)
    size_B = command.count * index_size_B(command.index_type)
    return Drawn(number, dict(streams), memory_range(command.address, size_B), int(command.index_type))
