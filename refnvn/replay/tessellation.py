"""How is a patch drawn: control shader, levels, tessellator, evaluation shader?

Patches are taken in order; the vertices that the tessellator makes of all of them are shaded together. Read next:
``tessellator.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.errors import ArgumentError, SizeError
from refnvn.formats.floatbits import Float32, Int64
from refnvn.memory.write_log import Writer
from refnvn.raster.assembled import assembled
from refnvn.replay.context import Context
from refnvn.replay.lane_memory import BoundMemory
from refnvn.replay.rasterise import Shaded, vertex_linked
from refnvn.replay.tessellator import INNER_LEVELS, Tessellated, tessellated
from refnvn.replay.texture_reads import textures_of_stage
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import Output, Shader, first_rows
from refnvn.shader.ir_base import Builtin
from refnvn.shader.ir_stages import Domain, TessEvaluation
from refnvn.shader.special_outputs import TESS_LEVEL_INNER, TESS_LEVEL_OUTER

MOST_MADE = 1 << 22
"""Vertices that control and evaluation shaders give in one draw of one instance."""
WORDS_AT_ONCE = 1 << 22
Words = NDArray[np.uint32]
Uniforms = Callable[[ShaderStage, Shader], Callable[[int], NDArray[np.uint8]]]


@dataclass(frozen=True, slots=True)
class _Patches:
    """Patches before the tessellator.

    Attributes
    ----------
    shader : Shader
        What gave their vertices.
    values : uint32, shape (components, n)
    vertices : int64, shape (patches, vertices)
    outputs : tuple of Output
        Of the patches.
    patch_values : uint32, shape (components, patches)
    levels : float32, shape (patches, 6)
        Four outer, two inner ones.
    """

    shader: Shader
    values: Words
    vertices: Int64
    outputs: tuple[Output, ...]
    patch_values: Words
    levels: Float32


def patches_of(runs: Sequence[Int64], size: int) -> Int64:
    """Return the vertices of each patch, shape (m, size); what is left over at the end of a run makes nothing.

    >>> patches_of([np.arange(7), np.arange(2)], 3).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    return np.concatenate([run[: len(run) // size * size].reshape(-1, size) for run in runs])


def tessellation_shaded(
    context: Context, control: Shader | None, evaluation: Shader, before: Shaded, vertices: Int64, uniforms: Uniforms
) -> Shaded:
    """Run the tessellation stages and return what the evaluation shader gives.

    Parameters
    ----------
    control : Shader or None
        Without one the vertices are those of the vertex shader, and the levels the queue's.
    before : Shaded
        What the vertex shader gave.
    vertices : int64, shape (patches, vertices)
    uniforms : callable
        Returns what a stage's shader reads of its uniform slots.

    Raises
    ------
    ArgumentError
        For inputs that nothing writes, or levels that the control shader does not write.
    SizeError
        For more vertices than ``MOST_MADE``.
    """
    context.memory.log.writer = Writer.VERTEX
    if control is None:
        patches = _uncontrolled(context, before, vertices)
    else:
        patches = _controlled(context, control, evaluation, before, vertices, uniforms)
    how = evaluation.tess_evaluation
    assert how is not None
    made = _divided(how, patches.levels)
    values = _evaluated(context, evaluation, patches, made, uniforms)
    return _joined(evaluation, values, made)


def _divided(how: TessEvaluation, levels: Float32) -> list[Tessellated]:
    """Return what the tessellator makes of each patch; refused while it grows, so that it never takes all memory."""
    made, total = [], 0
    for of_patch in levels.tolist():
        made.append(tessellated(how, tuple(of_patch)))
        total += len(made[-1].coordinates)
        if total > MOST_MADE:
            raise SizeError(f"more than {MOST_MADE} vertices of patches in one draw")
    return made


@rule(
    "TESSELLATION-LEVELS-1",
    "Without a tessellation control shader patches keep their vertices, and have the levels that "
    "SetOuterTessellationLevels and SetInnerTessellationLevels set, 1 before that; a patch has three vertices before "
    "SetPatchSize.",
    evidence=Evidence.INFERRED,
    sources=("gl-tessellation", "nvn-header"),
    refuted_by="a console that draws patches before any of these calls otherwise",
)
def _uncontrolled(context: Context, before: Shaded, vertices: Int64) -> _Patches:
    """Return patches as the vertex shader gave them."""
    stages = context.state.stages
    levels = np.array([*stages.outer_levels, *stages.inner_levels], np.float32)
    count = len(vertices)
    return _Patches(
        before.shader, before.values, vertices, (), np.zeros((0, count), np.uint32), np.tile(levels, (count, 1))
    )


@rule(
    "TESSELLATION-CONTROL-1",
    "A tessellation control shader runs once for each vertex that it gives a patch; of what several invocations "
    "write to an output of the patch, the last one's stays.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-tessellation",),
)
def _controlled(
    context: Context, control: Shader, evaluation: Shader, before: Shaded, vertices: Int64, uniforms: Uniforms
) -> _Patches:
    """Run the control shader."""
    layout = control.tess_control
    assert layout is not None
    count = len(vertices) * layout.vertices
    if count > MOST_MADE:
        raise SizeError(f"{count} vertices of patches; {MOST_MADE} in one draw are allowed")
    inputs = vertex_linked(before.shader, before.values, control)
    each = max(WORDS_AT_ONCE // max(inputs.shape[0] * vertices.shape[1], 1), layout.vertices)
    each -= each % layout.vertices
    values, patch_values = [], []
    for first in range(0, count, each):
        lane = np.arange(first, min(first + each, count))
        patch = lane // layout.vertices
        builtins = {
            Builtin.PRIMITIVE_ID: patch.astype(np.uint32),
            Builtin.INVOCATION_ID: (lane % layout.vertices).astype(np.uint32),
            Builtin.PATCH_VERTICES: np.full(len(lane), vertices.shape[1], np.uint32),
        }
        lanes = _lanes(context, ShaderStage.TESS_CONTROL, control, builtins, inputs[:, vertices[patch]], uniforms)
        outputs = run(control, lanes, rules=context.rules)
        values.append(outputs.values)
        patch_values.append(
            np.zeros((0, len(lane) // layout.vertices), np.uint32)
            if outputs.stages is None
            else outputs.stages.patch_values
        )
    found = np.concatenate(patch_values, axis=1)
    return _Patches(
        control,
        np.concatenate(values, axis=1),
        np.arange(count, dtype=np.int64).reshape(-1, layout.vertices),
        control.patch_outputs,
        found,
        _levels(control, evaluation, found),
    )


def _levels(control: Shader, evaluation: Shader, patch_values: Words) -> Float32:
    """Return the levels that a control shader wrote, shape (patches, 6)."""
    rows = first_rows(control.patch_outputs)
    assert evaluation.tess_evaluation is not None
    wanted = {TESS_LEVEL_OUTER: 4, TESS_LEVEL_INNER: 2 if INNER_LEVELS[evaluation.tess_evaluation.domain] else 0}
    levels = np.ones((patch_values.shape[1], 6), np.float32)
    for first, (location, count) in zip((0, 4), wanted.items(), strict=True):
        if count and location not in rows:
            raise ArgumentError("the tessellation control shader does not write the levels that the domain needs")
        if count:
            levels[:, first : first + count] = (
                patch_values[rows[location] : rows[location] + count].view(np.float32).T
            )
    return levels


def _lanes(
    context: Context,
    stage: ShaderStage,
    shader: Shader,
    builtins: dict[Builtin, Words],
    by_vertex: Words,
    uniforms: Uniforms,
    values: Words | None = None,
) -> LaneInputs:
    """Return lanes whose vertices' inputs are ``by_vertex``, shape (components, lanes, vertices)."""
    count = by_vertex.shape[1]
    return LaneInputs(
        count=count,
        values=np.zeros((0, count), np.uint32) if values is None else values,
        builtins={one.value: found for one, found in builtins.items()},
        uniforms=uniforms(stage, shader),
        textures=textures_of_stage(context, stage, shader),
        memory=BoundMemory(context, stage, shader),
        vertex_values=np.ascontiguousarray(by_vertex.transpose(2, 0, 1)),
    )


def _evaluated(
    context: Context, evaluation: Shader, patches: _Patches, made: Sequence[Tessellated], uniforms: Uniforms
) -> Words:
    """Run the evaluation shader on all vertices that the tessellator made."""
    inputs = vertex_linked(patches.shader, patches.values, evaluation)
    of_patch = _patch_linked(patches, evaluation)
    counts = np.array([len(one.coordinates) for one in made], dtype=np.int64)
    patch_of = np.repeat(np.arange(len(made)), counts)
    coordinates = np.concatenate([np.zeros((0, 3), np.float32), *(one.coordinates for one in made)]).view(np.uint32)
    each = max(WORDS_AT_ONCE // max(inputs.shape[0] * patches.vertices.shape[1], 1), 1)
    values = [np.zeros((evaluation.output_components, 0), np.uint32)]
    for first in range(0, len(patch_of), each):
        patch = patch_of[first : first + each]
        at = np.ascontiguousarray(coordinates[first : first + each].T)
        builtins = {
            Builtin.PRIMITIVE_ID: patch.astype(np.uint32),
            Builtin.PATCH_VERTICES: np.full(len(patch), patches.vertices.shape[1], np.uint32),
            Builtin.TESS_COORD_X: at[0],
            Builtin.TESS_COORD_Y: at[1],
            Builtin.TESS_COORD_Z: at[2],
        }
        by_vertex = inputs[:, patches.vertices[patch]]
        lanes = _lanes(
            context, ShaderStage.TESS_EVALUATION, evaluation, builtins, by_vertex, uniforms, of_patch[:, patch]
        )
        values.append(run(evaluation, lanes, rules=context.rules).values)
    return np.concatenate(values, axis=1)


def _patch_linked(patches: _Patches, evaluation: Shader) -> Words:
    """Return the inputs of the evaluation shader that are the patch's, shape (components, patches)."""
    rows = first_rows(patches.outputs)
    written = {one.location: one.components for one in patches.outputs}
    found = [patches.patch_values[:0]]
    for one in evaluation.inputs:
        if written.get(one.location, 0) < one.components:
            raise ArgumentError(
                f"the tess_evaluation shader reads {one.components} components of patch output {one.location}; "
                f"{written.get(one.location, 0)} are written"
            )
        found.append(patches.patch_values[rows[one.location] : rows[one.location] + one.components])
    return np.concatenate(found)


def _joined(evaluation: Shader, values: Words, made: Sequence[Tessellated]) -> Shaded:
    """Return the primitives of all patches, one patch after another; their number is the patch's."""
    starts = np.cumsum([0, *(len(one.coordinates) for one in made)])
    some = [(number, one) for number, one in enumerate(made) if len(one.primitives)]
    if not some:
        return Shaded(
            evaluation, values, assembled(np.zeros((0, _corners(evaluation)), np.int64), np.zeros(0, np.int64))
        )
    vertices = np.concatenate([one.primitives + starts[number] for number, one in some])
    ids = np.repeat([number for number, _ in some], [len(one.primitives) for _, one in some]).astype(np.int64)
    return Shaded(evaluation, values, assembled(vertices, vertices[:, -1], ids))


def _corners(evaluation: Shader) -> int:
    """Return how many vertices each primitive of the tessellator has."""
    how = evaluation.tess_evaluation
    assert how is not None
    return 1 if how.point_mode else 2 if how.domain is Domain.ISOLINES else 3
