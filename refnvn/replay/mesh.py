"""How are mesh shaders run, and what do their workgroups draw?

Workgroup after workgroup, task shaders first where there are any; the primitives of all come in that order. What a
workgroup writes lies in memory of its own (``refnvn/commands/mesh.py``).

Read next: ``rasterise.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.commands.mesh import CORNERS, GROUP_BINDING, PAYLOAD_BINDING
from refnvn.commands.resources import MeshStages
from refnvn.enumerations import DrawPrimitive, ShaderStage
from refnvn.errors import ArgumentError, SizeError
from refnvn.memory.write_log import Writer
from refnvn.raster.assembled import ALL_EDGES, Assembled, Shape
from refnvn.replay.bound_shaders import shader_of
from refnvn.replay.context import Context
from refnvn.replay.dispatch import invocations
from refnvn.replay.draw import is_rasterised
from refnvn.replay.draw_targets import DrawTargets
from refnvn.replay.errors import field
from refnvn.replay.group_memory import GroupMemory
from refnvn.replay.indirect import words_now
from refnvn.replay.lane_memory import BoundMemory
from refnvn.replay.rasterise import Fragments, Shaded, rasterised
from refnvn.replay.statistics import count_mesh
from refnvn.replay.texture_reads import textures_of_stage
from refnvn.replay.uniform_buffers import bound_uniforms
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import Shader, from_object

Words = NDArray[np.uint32]
MOST_GROUPS = 1 << 16
"""Workgroups of mesh shaders in one draw."""
MOST_NUMBERS = 1 << 32
"""A workgroup's number is a word."""
MOST_WORDS = 1 << 26
"""What the workgroups of one draw may write together."""


def draw_mesh_tasks(context: Context, command: c.DrawMeshTasks) -> None:
    """Draw what so many workgroups give."""
    _draw(context, command.first, command.count)


@rule(
    "DRAW-MESH-1",
    "A mesh record is two words, how many workgroups and which is the first, read when the draw executes; the "
    "numbers that task shaders, or mesh shaders without them, see begin there, and a count of 0 draws nothing.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("mesh-indirect",),
    refuted_by="a console whose task shader sees 0 where the record's second word is 5",
)
def draw_mesh_tasks_indirect(context: Context, command: c.DrawMeshTasksIndirect) -> None:
    """Draw by a record in memory."""
    with field("address"):
        count, first = words_now(context, command.address, 2, "record")
        context.indirect.add(count, 1)
    _draw(context, first, count)


def _draw(context: Context, first: int, count: int) -> None:
    program = context.state.programs.get(ShaderStage.VERTEX)
    stages = None if program is None else context.recording.programs[program].mesh
    if stages is None:
        raise ArgumentError("a mesh draw needs a program with a mesh shader; none is bound to the vertex stage")
    if not count:
        return
    if count > MOST_GROUPS:
        raise SizeError(f"{count} workgroups; {MOST_GROUPS} in one draw are allowed")
    if first + count > MOST_NUMBERS:
        raise SizeError(f"{count} workgroups from number {first} on; numbers below {MOST_NUMBERS} are allowed")
    if context.counted:
        count_mesh(context)
    groups = MeshGroups(context, stages)
    values, primitives = gathered(stages, list(groups.outputs(first, count)))
    if not len(primitives) or not is_rasterised(context):
        return
    fragment = shader_of(context, ShaderStage.FRAGMENT)
    fragments = Fragments(
        fragment,
        bound_uniforms(context, ShaderStage.FRAGMENT, fragment),
        textures_of_stage(context, ShaderStage.FRAGMENT, fragment),
        BoundMemory(context, ShaderStage.FRAGMENT, fragment),
    )
    with DrawTargets(context) as targets:
        shaded = Shaded(groups.declared, values, primitives)
        context.count("samples_passed", rasterised(context, shaded, fragments, targets))
    context.count(primitives.shape.name.lower(), len(primitives))


class MeshGroups:
    """The workgroups of one draw, run one after another.

    Attributes
    ----------
    declared : Shader
        The outputs of the mesh shader, as a vertex shader declares them.
    """

    def __init__(self, context: Context, stages: MeshStages) -> None:
        self._context = context
        self._stages = stages
        self._mesh = from_object(stages.mesh, "the mesh shader")
        self._task = None if stages.task is None else from_object(stages.task, "the task shader")
        outputs = {"refnvn_shader": 1, "stage": "vertex", "outputs": list(stages.outputs)}
        self.declared = from_object(outputs, "the outputs")
        self._words = group_words(stages, self.declared)
        self._run_so_far = 0
        self._words_so_far = 0

    def outputs(self, first: int, count: int) -> Iterator[Words]:
        """Yield the memory of each mesh workgroup, in order."""
        self._context.memory.log.writer = Writer.VERTEX
        for number in range(first, first + count):
            if self._task is None:
                yield self._mesh_group(number, count, np.zeros(0, np.uint32))
                continue
            task = self._one_group(self._task, number, count, 1 + self._stages.payload_words, None)
            for group in range(mesh_groups(int(task[0]))):
                yield self._mesh_group(group, int(task[0]), task[1:])

    def _mesh_group(self, number: int, count: int, payload: Words) -> Words:
        self._words_so_far += self._words
        if self._words_so_far > MOST_WORDS:
            raise SizeError(f"more than {MOST_WORDS} words that workgroups of one draw may write")
        return self._one_group(self._mesh, number, count, self._words, payload)

    def _one_group(self, shader: Shader, number: int, count: int, words: int, payload: Words | None) -> Words:
        """Run one workgroup and return its memory."""
        self._context.indirect.add_mesh_group()
        self._run_so_far += 1
        if self._run_so_far > 2 * MOST_GROUPS:
            raise SizeError(f"more than {2 * MOST_GROUPS} workgroups of task and mesh shaders in one draw")
        context, lanes = self._context, prod(shader.local_size)
        own = {GROUP_BINDING: np.zeros(words, np.uint32)}
        if payload is not None:
            own[PAYLOAD_BINDING] = payload
        inputs = LaneInputs(
            count=lanes,
            values=np.zeros((0, lanes), np.uint32),
            builtins=invocations(shader, np.array([[number, 0, 0]], np.uint32), (count, 1, 1)),
            uniforms=bound_uniforms(context, ShaderStage.VERTEX, shader),
            textures=textures_of_stage(context, ShaderStage.VERTEX, shader),
            memory=GroupMemory(BoundMemory(context, ShaderStage.VERTEX), own),
        )
        run(shader, inputs, rules=context.rules)
        return own[GROUP_BINDING]


@rule(
    "DRAW-MESH-2",
    "A task's workgroup asks for workgroups of the mesh shader, which are numbered from 0 and see its payload.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-mesh-shader",),
    ledger=("mesh-indirect",),
)
def mesh_groups(asked: int) -> int:
    """Return how many workgroups of the mesh shader a task gets.

    Raises
    ------
    SizeError
        For more than a draw may have.
    """
    if asked > MOST_GROUPS:
        raise SizeError(f"a task asks for {asked} workgroups; {MOST_GROUPS} are allowed")
    return asked


def components_of(declared: Shader) -> int:
    """Return the words of a vertex."""
    return sum(one.components for one in declared.outputs)


def group_words(stages: MeshStages, declared: Shader) -> int:
    """Return the words of a mesh workgroup's memory."""
    return 1 + stages.primitives * CORNERS[stages.primitive] + stages.vertices * components_of(declared)


def gathered(stages: MeshStages, groups: list[Words]) -> tuple[Words, Assembled]:
    """Return vertices, shape (components, n), and primitives of all workgroups.

    Raises
    ------
    ArgumentError
        For more primitives than are declared, or vertices that are not there.
    """
    corners = CORNERS[stages.primitive]
    start = 1 + stages.primitives * corners
    vertices, primitives = [], [np.zeros((0, corners), np.int64)]
    for number, words in enumerate(groups):
        count = int(words[0])
        if count > stages.primitives:
            raise ArgumentError(f"a mesh workgroup gives {count} primitives; {stages.primitives} are declared")
        found = words[1 : 1 + count * corners].reshape(-1, corners).astype(np.int64)
        if (found >= stages.vertices).any():
            raise ArgumentError(f"a mesh primitive names vertex {found.max()}; {stages.vertices} are declared")
        primitives.append(found + number * stages.vertices)
        vertices.append(words[start:].reshape(stages.vertices, -1))
    values = np.ascontiguousarray(np.concatenate(vertices).T) if vertices else np.zeros((0, 0), np.uint32)
    return values, _assembled(stages.primitive, np.concatenate(primitives))


def _assembled(primitive: DrawPrimitive, vertices: NDArray[np.int64]) -> Assembled:
    count = len(vertices)
    return Assembled(
        Shape(CORNERS[primitive]),
        vertices,
        np.arange(count, dtype=np.int64),
        vertices[:, 0],
        np.array([ALL_EDGES] * count, dtype=np.bool_).reshape(count, len(ALL_EDGES)),
    )
