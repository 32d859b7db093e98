"""What do the statements of geometry and tessellation shaders do: read a vertex's inputs, emit vertices?

Lanes of a tessellation control shader come patch after patch, each with all of its invocations; those of a geometry
shader primitive after primitive. Read next: ``execute_numpy.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader, first_rows
from refnvn.shader.ir_stages import (
    EmitVertex,
    EndPrimitive,
    LoadPatchOutput,
    LoadVertexInput,
    LoadVertexOutput,
    StageStatement,
    StorePatchOutput,
)

Words = NDArray[np.uint32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Emitted:
    """What a geometry shader emits.

    Attributes
    ----------
    values : uint32, shape (most vertices, output components, lanes)
    counts : int64, shape (lanes,)
        How many vertices each lane emitted.
    ends : bool, shape (most vertices, lanes)
        Behind which of them a strip ends.
    """

    values: Words
    counts: NDArray[np.int64]
    ends: Mask


class StageAccess:
    """The state of the lanes of a run that only these stages have.

    Parameters
    ----------
    shader : Shader
    vertex_values : uint32, shape (vertices, components, lanes)
        Inputs by vertex.
    count : int
        Lanes.
    registers, outputs
        Of the run.
    """

    def __init__(
        self, shader: Shader, vertex_values: Words | None, count: int, registers: list[NDArray[Any]], outputs: Words
    ) -> None:
        self.registers = registers
        self.outputs = outputs
        empty = np.zeros((0, 0, count), np.uint32)
        self.vertex_values = empty if vertex_values is None else vertex_values
        self.vertex_rows = first_rows(shader.vertex_inputs)
        self.output_rows = first_rows(shader.outputs)
        self.patch_rows = first_rows(shader.patch_outputs)
        self.invocations = vertices = shader.tess_control.vertices if shader.tess_control is not None else 1
        self.patch_of_lane = np.arange(count) // vertices
        components = sum(one.components for one in shader.patch_outputs)
        self.patch_values = np.zeros((components, -(-count // vertices)), np.uint32)
        most = shader.geometry.max_vertices if shader.geometry is not None else 0
        self.emitted = Emitted(
            np.zeros((most, len(outputs), count), np.uint32),
            np.zeros(count, np.int64),
            np.zeros((most, count), np.bool_),
        )

    def run(self, statement: StageStatement, mask: Mask) -> None:
        """Run a statement in the lanes of a mask."""
        match statement:
            case LoadVertexInput(to=to):
                np.copyto(self.registers[to], self._input(statement), where=mask)
            case LoadVertexOutput(to=to, vertex=vertex, location=location, component=component):
                row = self.outputs[self.output_rows[location] + component]
                np.copyto(
                    self.registers[to], of_invocations(row, self.registers[vertex], self.invocations), where=mask
                )
            case LoadPatchOutput(to=to, location=location, component=component):
                row = self.patch_values[self.patch_rows[location] + component]
                np.copyto(self.registers[to], row[self.patch_of_lane], where=mask)
            case StorePatchOutput(location=location, component=component, of=of):
                lanes = np.nonzero(mask)[0]
                row = self.patch_values[self.patch_rows[location] + component]
                row[self.patch_of_lane[lanes]] = self.registers[of][lanes]
            case EmitVertex():
                emit(self.emitted, self.outputs, mask)
            case EndPrimitive():
                lanes = np.nonzero(mask & (self.emitted.counts > 0))[0]
                self.emitted.ends[self.emitted.counts[lanes] - 1, lanes] = True
            case _:
                raise AssertionError(statement)

    def _input(self, load: LoadVertexInput) -> Words:
        """Return one component of the inputs of each lane's vertex; 0 for a vertex that there is not."""
        vertices = len(self.vertex_values)
        number = self.registers[load.vertex]
        inside = number < np.uint32(vertices)
        row = self.vertex_rows[load.location] + load.component
        place = np.where(inside, number, 0).astype(np.int64)
        if not vertices:
            return np.zeros_like(number)
        found: Words = np.where(inside, self.vertex_values[place, row, np.arange(len(number))], np.uint32(0))
        return found


@rule(
    "TESSELLATION-CONTROL-2",
    "Behind a barrier each invocation of a tessellation control shader reads what all invocations of its patch had "
    "stored before it to outputs of their vertices and of the patch.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-tessellation"),
)
def of_invocations(row: Words, numbers: Words, invocations: int) -> Words:
    """Return what the invocation of a number stored in the patch of each lane; 0 where there is no such invocation.

    Parameters
    ----------
    row : uint32, shape (lanes,)
        One component of an output, patch after patch.
    numbers : uint32, shape (lanes,)
        Of invocations.
    invocations : int
        Of a patch.

    Examples
    --------
    >>> of_invocations(np.uint32([5, 6, 7, 8]), np.uint32([1, 0, 1, 2]), 2).tolist()
    [6, 5, 8, 0]
    """
    inside = numbers < np.uint32(invocations)
    first = np.arange(len(row)) // invocations * invocations
    found: Words = np.where(inside, row[first + np.where(inside, numbers, 0)], np.uint32(0))
    return found


@rule(
    "SHADER-EMIT-1",
    "A vertex is emitted with what the outputs hold, which they keep; vertices beyond the most that the shader "
    "declares are lost.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def emit(emitted: Emitted, outputs: Words, mask: Mask) -> None:
    """Emit a vertex in the lanes of a mask.

    Examples
    --------
    >>> one = Emitted(np.zeros((1, 1, 1), np.uint32), np.zeros(1, np.int64), np.zeros((1, 1), np.bool_))
    >>> for value in (7, 9):
    ...     emit(one, np.array([[value]], np.uint32), np.array([True]))
    >>> one.values.ravel().tolist(), one.counts.tolist()
    ([7], [1])
    """
    lanes = np.nonzero(mask & (emitted.counts < len(emitted.values)))[0]
    emitted.values[emitted.counts[lanes], :, lanes] = outputs[:, lanes].T
    emitted.counts[lanes] += 1
