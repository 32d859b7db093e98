"""When may draws that follow each other be drawn as one? Where nobody can tell: it only saves time.

Draws of vertices with no other command between them share all state. Their triangles one after another are what one
draw with all of their vertices gives, if nothing that a draw reads can be what one before it wrote: no shader
touches memory or textures, nothing is captured, all goes to one layer, and the bytes of vertices and uniforms are
none of a target's. The last is seen by reading them: what shares a byte with a target makes memory store it.

Read next: ``draw.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.commands.commands import AnyCommand
from refnvn.enumerations import ShaderStage
from refnvn.errors import RefnvnError
from refnvn.raster.assembled import Assembled
from refnvn.replay.assemble import primitives_of
from refnvn.replay.bound_shaders import PLAIN_STAGES, reads_nothing_written, shader_of
from refnvn.replay.context import Context
from refnvn.replay.draw import draw_vertices
from refnvn.replay.draw_targets import DrawTargets
from refnvn.replay.order import Path
from refnvn.replay.queries import counted
from refnvn.replay.uniform_buffers import bound_uniforms
from refnvn.replay.vertex import VertexFetch

MOST_VERTICES = 1 << 16
"""Of draws that are drawn together, and of each of them."""
Numbers = NDArray[np.int64]


class _Run(NamedTuple):
    """Draws that are drawn together: the numbers of their vertices, and primitives of places among those."""

    numbers: Numbers
    primitives: Assembled


def end_of_run(commands: Sequence[AnyCommand], begin: int) -> int:
    """Return where the draws of vertices that start at ``begin`` end, or where they have enough vertices."""
    vertices = 0
    for place in range(begin, len(commands)):
        command = commands[place]
        if not isinstance(command, c.DrawArrays):
            return place
        vertices += command.count
        if vertices > MOST_VERTICES:
            return place
    return len(commands)


def draw_together(context: Context, commands: Sequence[AnyCommand], *, inside: bool = False) -> bool:
    """Draw these draws of vertices, the first of which was drawn already, at once; say whether it was done.

    Parameters
    ----------
    context : Context
    commands : sequence of commands
        Draws of vertices.
    inside : bool
        Whether they are parts of one command, which counts samples itself.
    """
    if not reads_nothing_written(context):
        return False
    try:
        first, *others = [command for command in commands if isinstance(command, c.DrawArrays)]
        runs = _by_shape(others)
        if not len(primitives_of(first.primitive, first.count)) or not all(
            _shares_no_bytes(context, run.numbers) for run in runs
        ):
            return False
    except RefnvnError:  # one of them will say so, by its own number
        return False
    (_draw_runs if inside else counted(_draw_runs))(context, runs)
    return True


def _draw_runs(context: Context, runs: Sequence[_Run]) -> None:
    for run in runs:
        draw_vertices(context, run.numbers, run.primitives)


def _shares_no_bytes(context: Context, numbers: Numbers) -> bool:
    """Read what the draws will read; say whether all targets, just written, are still kept back from memory."""
    targets = DrawTargets(context)
    targets.layer(0)
    if not targets.are_kept_back:
        return False
    vertex = shader_of(context, ShaderStage.VERTEX)
    assert vertex is not None
    seen = context.reads.by(ShaderStage.VERTEX, Path.DIRECT)
    VertexFetch(seen, context.state, context.rules, context.kept).inputs(vertex.inputs, numbers)
    for stage in PLAIN_STAGES:
        bound_uniforms(context, stage, shader_of(context, stage))
    return targets.are_kept_back


def _by_shape(draws: Sequence[c.DrawArrays]) -> list[_Run]:
    """Return the runs of draws that make the same kind of primitives."""
    made = {kind: primitives_of(*kind) for kind in {(draw.primitive, draw.count) for draw in draws}}
    some = [(draw, made[draw.primitive, draw.count]) for draw in draws if len(made[draw.primitive, draw.count])]
    return [_joined(list(group)) for _, group in itertools.groupby(some, key=lambda one: one[1].shape)]


def _joined(draws: Sequence[tuple[c.DrawArrays, Assembled]]) -> _Run:
    """Return the primitives of draws one after another, each draw's numbered from 0."""
    counts = [draw.count for draw, _ in draws]
    parts = [
        one.moved(offset) for (_, one), offset in zip(draws, itertools.accumulate(counts, initial=0), strict=False)
    ]
    return _Run(
        np.concatenate([np.arange(draw.first, draw.first + draw.count, dtype=np.int64) for draw, _ in draws]),
        Assembled(
            parts[0].shape,
            np.concatenate([one.vertices for one in parts]),
            np.concatenate([one.ids for one in parts]),
            np.concatenate([one.provoking for one in parts]),
            np.concatenate([one.outlined for one in parts]),
        ),
    )
