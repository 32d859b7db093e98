"""How does a geometry shader run on the primitives of a draw?

Once for each primitive and invocation, primitive after primitive; what it emits takes the place of what came in.
Read next: ``emitted.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DrawPrimitive, ShaderStage
from refnvn.errors import ArgumentError, SizeError
from refnvn.formats.floatbits import Int64
from refnvn.memory.write_log import Writer
from refnvn.raster.assembled import Shape
from refnvn.replay.assemble import neighbours_of
from refnvn.replay.context import Context
from refnvn.replay.emitted import strips_between, strips_of
from refnvn.replay.lane_memory import BoundMemory
from refnvn.replay.rasterise import Shaded, vertex_linked
from refnvn.replay.texture_reads import textures_of_stage
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import Shader, first_rows
from refnvn.shader.ir_base import Builtin
from refnvn.shader.ir_stages import InputPrimitive
from refnvn.shader.special_outputs import PRIMITIVE_ID

MOST_EMITTED = 1 << 22
"""Vertices that geometry shaders emit in one draw of one instance."""
WORDS_AT_ONCE = 1 << 22
Words = NDArray[np.uint32]
Uniforms = Callable[[int], NDArray[np.uint8]]

_SHAPES = {
    InputPrimitive.POINTS: Shape.POINTS,
    InputPrimitive.LINES: Shape.LINES,
    InputPrimitive.TRIANGLES: Shape.TRIANGLES,
}
_ADJACENT = {
    InputPrimitive.LINES_ADJACENCY: (DrawPrimitive.LINES_ADJACENCY, DrawPrimitive.LINE_STRIP_ADJACENCY),
    InputPrimitive.TRIANGLES_ADJACENCY: (DrawPrimitive.TRIANGLES_ADJACENCY, DrawPrimitive.TRIANGLE_STRIP_ADJACENCY),
}


@rule(
    "PRIMITIVE-GEOMETRY-1",
    "A geometry shader takes the vertices of each primitive in the order in which it is drawn, the provoking one "
    "last; quads and polygons as triangles, each with the number of the quad or polygon; strips with adjacency with "
    "the neighbours that their ends allow.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def vertices_taken(shader: Shader, before: Shaded, primitive: DrawPrimitive | None, runs: Sequence[Int64]) -> Int64:
    """Return the vertices of each primitive that a geometry shader takes, shape (m, vertices).

    Parameters
    ----------
    shader : Shader
    before : Shaded
        What the stage before gave.
    primitive : DrawPrimitive or None
        That the draw names; None behind a tessellator.
    runs : sequence of int64 arrays
        The vertices of the draw, in runs that a restart parts.

    Raises
    ------
    ArgumentError
        For primitives of another kind.
    """
    assert shader.geometry is not None
    wanted = shader.geometry.input
    if wanted in _ADJACENT:
        if primitive not in _ADJACENT[wanted]:
            raise ArgumentError(f"the geometry shader takes {wanted}, not what the draw gives")
        return np.concatenate([run[neighbours_of(primitive, len(run))] for run in runs])
    if before.primitives.shape is not _SHAPES[wanted] or (primitive is not None and primitive.name.endswith("CENCY")):
        raise ArgumentError(f"the geometry shader takes {wanted}, not what the draw gives")
    return before.primitives.vertices


def geometry_shaded(context: Context, shader: Shader, before: Shaded, vertices: Int64, uniforms: Uniforms) -> Shaded:
    """Run a geometry shader and return what it emits.

    Parameters
    ----------
    vertices : int64, shape (m, vertices)
        From :func:`vertices_taken`.
    """
    assert shader.geometry is not None
    layout = shader.geometry
    context.memory.log.writer = Writer.VERTEX
    inputs = vertex_linked(before.shader, before.values, shader)
    lanes = len(vertices) * layout.invocations
    each = max(WORDS_AT_ONCE // (layout.max_vertices * max(shader.output_components, 1)), 1)
    each = max(each // layout.invocations, 1) * layout.invocations
    parts = [(np.zeros((shader.output_components, 0), np.uint32), np.zeros(0, np.int64), np.zeros(0, np.bool_))]
    emitted = 0
    for first in range(0, lanes, each):
        lane = np.arange(first, min(first + each, lanes))
        place = lane // layout.invocations
        builtins = {
            Builtin.PRIMITIVE_ID: before.primitives.ids[place].astype(np.uint32),
            Builtin.INVOCATION_ID: (lane % layout.invocations).astype(np.uint32),
        }
        parts.append(_emitted(context, shader, inputs, vertices[place], builtins, uniforms))
        emitted += parts[-1][0].shape[1]
        if emitted > MOST_EMITTED:
            raise SizeError(f"more than {MOST_EMITTED} vertices emitted in one draw")
    values = np.concatenate([one[0] for one in parts], axis=1)
    strips = strips_between(
        np.concatenate([one[1] for one in parts]), np.concatenate([one[2] for one in parts])
    )  # fmt: skip
    made = strips_of(layout.output, strips)
    return Shaded(shader, values, replace(made, ids=_numbers(shader, values, made.provoking)))


def _emitted(
    context: Context,
    shader: Shader,
    inputs: Words,
    vertices: Int64,
    builtins: dict[Builtin, Words],
    uniforms: Uniforms,
) -> tuple[Words, Int64, NDArray[np.bool_]]:
    """Return the vertices that some lanes emit, how many each, and behind which of them strips end."""
    count = len(vertices)
    outputs = run(
        shader,
        LaneInputs(
            count=count,
            values=np.zeros((0, count), np.uint32),
            builtins={one.value: values for one, values in builtins.items()},
            uniforms=uniforms,
            textures=textures_of_stage(context, ShaderStage.GEOMETRY, shader),
            memory=BoundMemory(context, ShaderStage.GEOMETRY, shader),
            vertex_values=np.ascontiguousarray(inputs[:, vertices].transpose(2, 0, 1)),
        ),
        rules=context.rules,
    )
    if outputs.stages is None:
        return np.zeros((shader.output_components, 0), np.uint32), np.zeros(count, np.int64), np.zeros(0, np.bool_)
    found = outputs.stages.emitted
    lane = np.repeat(np.arange(count), found.counts)
    place = np.arange(len(lane)) - np.repeat(np.cumsum(found.counts) - found.counts, found.counts)
    return np.ascontiguousarray(found.values[place, :, lane].T), found.counts, found.ends[place, lane]


@rule(
    "PRIMITIVE-ID-2",
    "Behind a geometry shader fragments see the primitive number that the provoking vertex was emitted with, 0 where "
    "the shader writes none.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
    ledger=("primitive-id",),
)
def _numbers(shader: Shader, values: Words, provoking: Int64) -> Int64:
    """Return the numbers of emitted primitives."""
    row = first_rows(shader.outputs).get(PRIMITIVE_ID)
    if row is None:
        return np.zeros(len(provoking), dtype=np.int64)
    numbers: Int64 = values[row].view(np.int32)[provoking].astype(np.int64)
    return numbers
