"""How does a draw command become points, lines and triangles on targets?

Vertex numbers, attributes, the vertex shader on all vertices of an instance at once, primitives, and the rasteriser.
Each number of an indexed draw is shaded once.

It holds no order of the fragment stage: ``raster/fragment.py`` does. Read next: ``vertex.py``, ``assemble.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.enumerations import CounterType, DrawPrimitive, ShaderStage
from refnvn.errors import ArgumentError, SizeError
from refnvn.memory.write_log import Writer
from refnvn.raster.assembled import Assembled
from refnvn.replay.assemble import primitives_of, primitives_of_runs
from refnvn.replay.bound_shaders import reads_nothing_written, shader_of
from refnvn.replay.context import Context
from refnvn.replay.draw_targets import DrawTargets
from refnvn.replay.errors import field
from refnvn.replay.feedback import capture, captured_vertices
from refnvn.replay.geometry import geometry_shaded, vertices_taken
from refnvn.replay.indices import index_size_B, runs_between, vertex_numbers
from refnvn.replay.lane_memory import memory_of_stage
from refnvn.replay.order import Path
from refnvn.replay.rasterise import Fragments, Shaded, rasterised
from refnvn.replay.readings import Reader
from refnvn.replay.statistics import (
    count_clipped,
    count_generated,
    count_geometry,
    count_input_primitives,
    count_invocations,
    count_tessellation,
    count_vertices,
)
from refnvn.replay.tessellation import patches_of, tessellation_shaded
from refnvn.replay.texture_reads import textures_of_stage
from refnvn.replay.uniform_buffers import bound_uniforms
from refnvn.replay.vertex import VertexFetch
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, plan_of, run
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Builtin
from refnvn.shader.textures import NO_TEXTURES, Textures

MOST_VERTICES = 1 << 22
VERTICES_TOGETHER = 1 << 15
"""Vertices, or primitives, of instances that are drawn together."""
Numbers = NDArray[np.int64]
Words = NDArray[np.uint32]


def draw_arrays(context: Context, command: c.DrawArrays) -> None:
    """Draw vertices ``first`` to ``first + count - 1``."""
    _draw(context, _run_of_vertices(command.primitive, command.first, command.count), ONE_INSTANCE)


def draw_arrays_instanced(context: Context, command: c.DrawArraysInstanced) -> None:
    """Draw vertices ``first`` to ``first + count - 1``, once for each instance."""
    instances = Instances(command.base_instance, command.instance_count)
    _draw(context, _run_of_vertices(command.primitive, command.first, command.count), instances)


def draw_elements(context: Context, command: c.DrawElements) -> None:
    """Draw vertices by index."""
    _draw(context, _runs_of_indices(context, command), ONE_INSTANCE)


def draw_elements_instanced(context: Context, command: c.DrawElementsInstanced) -> None:
    """Draw vertices by index, once for each instance."""
    _draw(context, _runs_of_indices(context, command), Instances(command.base_instance, command.instance_count))


def draw_transform_feedback(context: Context, command: c.DrawTransformFeedback) -> None:
    """Draw as many vertices as were captured."""
    count = captured_vertices(context, command)
    with field("address"):
        context.indirect.add(count, 1)
    _draw(context, _run_of_vertices(command.primitive, 0, count), ONE_INSTANCE)


def draw_vertices(context: Context, numbers: Numbers, primitives: Assembled) -> None:
    """Draw primitives of vertices of which ``numbers`` gives the numbers."""
    _draw(context, _Drawn(numbers, primitives), ONE_INSTANCE)


@dataclass(frozen=True, slots=True)
class Instances:
    """How often a draw is done, and which element of instanced streams it starts from."""

    base: int
    count: int


ONE_INSTANCE = Instances(0, 1)


class _Drawn(NamedTuple):
    """What one instance draws: vertex numbers, each once, and primitives of positions among them."""

    numbers: Numbers
    primitives: Assembled
    primitive: DrawPrimitive | None = None
    runs: tuple[Numbers, ...] = ()


def _run_of_vertices(primitive: DrawPrimitive, first: int, count: int) -> _Drawn:
    _check_count(count)
    places = np.arange(count, dtype=np.int64)
    return _Drawn(first + places, primitives_of(primitive, count), primitive, (places,))


def _runs_of_indices(context: Context, command: c.DrawElements | c.DrawElementsInstanced) -> _Drawn:
    _check_count(command.count)
    with field("address"):
        size_B = command.count * index_size_B(command.index_type)
        seen = context.reads.by(ShaderStage.VERTEX, Path.DIRECT)
        data = seen.read(command.address, size_B) if size_B else np.zeros(0, np.uint8)
        if seen.listener is not None:
            numbers, each_B = np.arange(command.count, dtype=np.int64), index_size_B(command.index_type)
            seen.tell(Reader.INDEX, "indices", command.address + numbers * each_B, each_B, "index", numbers)
    runs = runs_between(
        vertex_numbers(data, command.index_type, command.base_vertex),
        command.base_vertex,
        context.state.restart_index,
    )
    numbers, places = np.unique(np.concatenate(runs), return_inverse=True)
    parts = np.split(places.reshape(-1).astype(np.int64), np.cumsum([len(run) for run in runs])[:-1])
    return _Drawn(numbers, primitives_of_runs(command.primitive, parts), command.primitive, tuple(parts))


def _check_count(count: int) -> None:
    if count > MOST_VERTICES:
        with field("count"):
            raise SizeError(f"{count} vertices; {MOST_VERTICES} in one draw are allowed")


@rule(
    "REPLAY-INSTANCE-1",
    "Instances are drawn one after another, each whole, its primitives numbered from 0; the shader sees the number "
    "of the instance without the base instance, which only chooses elements of instanced streams.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "vertex-vectors", "seed-titles"),
    ledger=("instanced-arrays",),
)
def _draw(context: Context, drawn: _Drawn, instances: Instances) -> None:
    """Shade the vertices of each instance and draw its primitives."""
    fragment = shader_of(context, ShaderStage.FRAGMENT)
    vertex = shader_of(context, ShaderStage.VERTEX)
    if vertex is None:
        raise ArgumentError("a draw needs a vertex shader; none is bound")
    if context.counted:
        _count_input(context, drawn, instances.count)
    if not len(drawn.primitives) or not instances.count:
        return
    uniforms = bound_uniforms(context, ShaderStage.FRAGMENT, fragment)
    stages = ((ShaderStage.VERTEX, vertex), (ShaderStage.FRAGMENT, fragment))
    textures = {stage: textures_of_stage(context, stage, shader) for stage, shader in stages}
    memory = memory_of_stage(context, ShaderStage.FRAGMENT, fragment)
    fragments = Fragments(fragment, uniforms, textures[ShaderStage.FRAGMENT], memory)
    with DrawTargets(context) as targets:
        for shaded in _shaded_instances(context, vertex, drawn, instances, textures[ShaderStage.VERTEX], targets):
            shaded = _before_raster(context, shaded, drawn, instances.count)
            written = capture(context, shaded)
            if context.counted:
                count_generated(context, len(shaded.primitives), written)
                count_clipped(context, shaded, is_rasterised=is_rasterised(context))
            if is_rasterised(context):
                context.count("samples_passed", rasterised(context, shaded, fragments, targets))
    context.count(drawn.primitives.shape.name.lower(), len(drawn.primitives) * instances.count)


def _shaded_instances(
    context: Context, vertex: Shader, drawn: _Drawn, instances: Instances, textures: Textures, targets: DrawTargets
) -> Iterator[Shaded]:
    """Yield what the vertex shader gives each instance, or many in a row where nobody can tell."""
    plain = instances.count > 1 and reads_nothing_written(context)
    each = max(VERTICES_TOGETHER // max(drawn.numbers.size, len(drawn.primitives)), 1) if plain else 1
    first = 0
    while first < instances.count:
        count = min(each, instances.count - first) if first else 1
        if count == 1:
            outputs = shaded_vertices(context, vertex, drawn.numbers, first, instances.base, textures)
            yield Shaded(vertex, outputs, drawn.primitives)
            first += 1
            continue
        before = targets.held_back
        many = instances_together(drawn.numbers, drawn.primitives, count)
        number = first + np.repeat(np.arange(count), drawn.numbers.size)
        outputs = shaded_vertices(context, vertex, many.numbers, number, instances.base, textures)
        if targets.held_back != before:  # vertices are bytes of a target
            each = 1
            continue
        yield Shaded(vertex, outputs, many.primitives)
        first += count


def instances_together(numbers: Numbers, primitives: Assembled, count: int) -> _Drawn:
    """Return the vertices and primitives of several instances, one after another."""
    offsets = np.repeat(np.arange(count) * numbers.size, len(primitives))
    return _Drawn(
        np.tile(numbers, count),
        Assembled(
            primitives.shape,
            np.tile(primitives.vertices, (count, 1)) + offsets[:, np.newaxis],
            np.tile(primitives.ids, count),
            np.tile(primitives.provoking, count) + offsets,
            np.tile(primitives.outlined, (count, 1)),
        ),
    )


def _count_input(context: Context, drawn: _Drawn, instances: int) -> None:
    """Count the vertices and primitives that a draw takes."""
    count_vertices(context, drawn.runs, instances)
    patches = drawn.primitive is DrawPrimitive.PATCHES
    size = context.state.stages.patch_size
    primitives = sum(len(run) // size for run in drawn.runs) if patches else len(drawn.primitives)
    count_input_primitives(context, primitives, instances)


def _before_raster(context: Context, shaded: Shaded, drawn: _Drawn, instances: int) -> Shaded:
    """Run the stages between vertex shader and rasteriser that have a shader."""
    evaluation = shader_of(context, ShaderStage.TESS_EVALUATION)
    if (drawn.primitive is DrawPrimitive.PATCHES) is not (evaluation is not None):
        raise ArgumentError("PATCHES are drawn with a tessellation evaluation shader, and nothing else is")
    primitive, vertices, ids = drawn.primitive, shaded.primitives.vertices, shaded.primitives.ids
    if evaluation is not None:
        control, primitive = shader_of(context, ShaderStage.TESS_CONTROL), None
        vertices = patches_of(drawn.runs, context.state.stages.patch_size)
        shaded = tessellation_shaded(
            context,
            control,
            evaluation,
            shaded,
            vertices,
            lambda stage, shader: bound_uniforms(context, stage, shader),
        )
        ids = np.arange(len(vertices))
        if context.counted:
            count_tessellation(context, control, len(vertices), shaded.primitives)
    geometry = shader_of(context, ShaderStage.GEOMETRY)
    if geometry is not None:
        taken = vertices_taken(geometry, shaded, primitive, drawn.runs)
        uniforms = bound_uniforms(context, ShaderStage.GEOMETRY, geometry)
        shaded = geometry_shaded(context, geometry, shaded, taken, uniforms)
        if evaluation is None:
            vertices, ids = taken, np.arange(len(taken))
        if context.counted:
            count_geometry(context, geometry, len(taken), len(shaded.primitives))
    if context.counted:
        if primitive is DrawPrimitive.POLYGON:  # its triangles share vertices as those of a fan do
            ids = np.arange(len(vertices))
        count_invocations(context, CounterType.VERTEX_SHADER_INVOCATIONS, vertices, ids, instances=instances)
    return shaded


@rule(
    "REPLAY-DISCARD-1",
    "Rasterizer discard ends a draw before the rasteriser: the shaders before it run, their stores to memory and "
    "transform feedback happen, fragments and targets do not.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("seed-titles", "nvn-header"),
    ledger=("rast-discard",),
)
def is_rasterised(context: Context) -> bool:
    """Say whether what was shaded is rasterised."""
    return not context.state.stages.rasterizer_discard


def shaded_vertices(
    context: Context,
    shader: Shader,
    numbers: Numbers,
    instance: int | Numbers = 0,
    base_instance: int = 0,
    textures: Textures = NO_TEXTURES,
) -> Words:
    """Return the outputs of a vertex shader for vertices of one instance, or of one each, shape (components, n)."""
    context.memory.log.writer = Writer.VERTEX
    seen = context.reads.by(ShaderStage.VERTEX, Path.DIRECT)
    fetch = VertexFetch(seen, context.state, context.rules, context.kept)
    values, plan = fetch.inputs(shader.inputs, numbers, instance, base_instance), plan_of(shader)
    builtins: dict[str, Words] = {}
    if plan.builtins:
        builtins[Builtin.VERTEX_ID] = numbers.astype(np.uint32)
        builtins[Builtin.INSTANCE_ID] = np.full(numbers.size, instance, np.uint32)
    uniforms = bound_uniforms(context, ShaderStage.VERTEX, shader)
    lanes = LaneInputs(
        count=numbers.size,
        values=values,
        builtins=builtins,
        uniforms=uniforms,
        textures=textures,
        memory=memory_of_stage(context, ShaderStage.VERTEX, shader),
    )
    return run(shader, lanes, rules=context.rules).values
