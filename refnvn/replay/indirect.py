"""How are draws executed whose numbers stand in memory?

A record is read when its draw executes, after everything that stands before it, and the draw is then what the direct
one with these numbers would be. A multi-draw reads how many of its records live.

Dispatches have records too: ``dispatch.py``. Read next: ``indirect_work.py``, ``draw.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.enumerations import ShaderStage
from refnvn.errors import RefnvnError
from refnvn.replay.bound_shaders import reads_nothing_written
from refnvn.replay.context import Context
from refnvn.replay.draw import draw_arrays_instanced, draw_elements_instanced
from refnvn.replay.draw_runs import draw_together, end_of_run
from refnvn.replay.errors import field
from refnvn.replay.indices import index_size_B
from refnvn.replay.order import Path
from refnvn.replay.readings import Reader
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

ARRAYS_WORDS, ELEMENTS_WORDS = 4, 5
RECORDS_AHEAD = 1 << 12
"""Records of a multi-draw that are read at once, where no draw can change one."""
WORD_B = 4


def words_now(context: Context, address: int, count: int, what: str) -> list[int]:
    """Return 32-bit words of memory as it is now; ``what`` they are is told to who watches."""
    seen = context.reads.by(ShaderStage.VERTEX, Path.INDIRECT)
    found: list[int] = seen.read(address, count * WORD_B).view("<u4").tolist()
    seen.tell(Reader.INDIRECT, what, address, count * WORD_B)
    return found


@rule(
    "DRAW-INDIRECT-1",
    "An arrays record is four words, vertices, instances, first vertex and base instance; an elements record five, "
    "indices, instances, first index, base vertex and base instance; each is read when its draw executes.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "deko3d"),
    ledger=("indirect", "index8-gpu-write"),
)
def draw_arrays_indirect(context: Context, command: c.DrawArraysIndirect) -> None:
    """Draw vertices in order, by a record."""
    with field("address"):
        vertices, instances, first, base_instance = words_now(context, command.address, ARRAYS_WORDS, "record")
        context.indirect.add(vertices, instances)
    draw = c.DrawArraysInstanced(
        primitive=command.primitive,
        first=first,
        count=vertices,
        base_instance=base_instance,
        instance_count=instances,
    )
    draw_arrays_instanced(context, draw)


def draw_elements_indirect(context: Context, command: c.DrawElementsIndirect) -> None:
    """Draw vertices by index, by a record."""
    with field("address"):
        indices, instances, first, base_vertex, base_instance = words_now(
            context, command.address, ELEMENTS_WORDS, "record"
        )
        context.indirect.add(indices, instances)
    draw = c.DrawElementsInstanced(
        primitive=command.primitive,
        index_type=command.index_type,
        count=indices,
        address=command.index_address + first * index_size_B(command.index_type),
        base_vertex=int(np.uint32(base_vertex).astype(np.int32)),
        base_instance=base_instance,
        instance_count=instances,
    )
    draw_elements_instanced(context, draw)


@rule(
    "DRAW-INDIRECT-2",
    "A multi-draw does the least of the count in memory and its own limit, whatever that limit is, one record after "
    "another at the stride.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("multidraw-count",),
)
def live_records(context: Context, count_address: int, most: int) -> int:
    """Return how many records of a multi-draw live, as memory says now."""
    with field("count_address"):
        return min(words_now(context, count_address, 1, "count of records")[0], most)


def multi_draw_arrays_indirect_count(context: Context, command: c.MultiDrawArraysIndirectCount) -> None:
    """Draw vertices in order, by each live record."""
    number, count, ahead = 0, live_records(context, command.count_address, command.most), True
    while number < count:
        address = command.address + number * command.stride_B
        draw_arrays_indirect(context, c.DrawArraysIndirect(primitive=command.primitive, address=address))
        number += 1
        if ahead and number < count and reads_nothing_written(context):
            drawn = _drawn_ahead(context, command, number, min(count, number + RECORDS_AHEAD))
            ahead, number = drawn > 0, number + drawn


def _drawn_ahead(context: Context, command: c.MultiDrawArraysIndirectCount, begin: int, end: int) -> int:
    """Draw by records from ``begin`` on at once, those of one instance that stand in a row; return how many."""
    draws = []
    for number in range(begin - 1, end):  # the one before was drawn
        try:
            words = words_now(context, command.address + number * command.stride_B, ARRAYS_WORDS, "record")
        except RefnvnError:  # it will say so in its turn
            break
        vertices, instances, first, base_instance = words
        if number >= begin and (instances, base_instance) != (1, 0):
            break
        draws.append(c.DrawArrays(primitive=command.primitive, first=first, count=vertices))
    draws = draws[: end_of_run(draws, 0)]
    if len(draws) < 2 or not draw_together(context, draws, inside=True):
        return 0
    with field("address"):
        for draw in draws[1:]:
            context.indirect.add(draw.count, 1)
    return len(draws) - 1


def multi_draw_elements_indirect_count(context: Context, command: c.MultiDrawElementsIndirectCount) -> None:
    """Draw vertices by index, by each live record."""
    for number in range(live_records(context, command.count_address, command.most)):
        draw = c.DrawElementsIndirect(
            primitive=command.primitive,
            index_type=command.index_type,
            index_address=command.index_address,
            address=command.address + number * command.stride_B,
        )
        draw_elements_indirect(context, draw)
