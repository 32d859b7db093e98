"""What do geometry and tessellation shaders have alone? Arrays of input vertices, vertices that are emitted, patches.

Read next: ``ir.py``, where these join the others.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from refnvn.shader.ir_base import ComponentType, Identifier, Place, Record, Register, Statement

MOST_EMITTED = 1024
MOST_INVOCATIONS = 32
MOST_PATCH_VERTICES = 32

EmittedVertices = Annotated[int, Meta(ge=1, le=MOST_EMITTED)]
Invocations = Annotated[int, Meta(ge=1, le=MOST_INVOCATIONS)]
PatchVertices = Annotated[int, Meta(ge=1, le=MOST_PATCH_VERTICES)]


class InputPrimitive(StrEnum):
    """What a geometry shader takes."""

    POINTS = "points"
    LINES = "lines"
    LINES_ADJACENCY = "lines_adjacency"
    TRIANGLES = "triangles"
    TRIANGLES_ADJACENCY = "triangles_adjacency"

    @property
    def vertices(self) -> int:
        """How many vertices it has."""
        return {"points": 1, "lines": 2, "lines_adjacency": 4, "triangles": 3, "triangles_adjacency": 6}[self.value]


class OutputPrimitive(StrEnum):
    """What a geometry shader makes."""

    POINTS = "points"
    LINE_STRIP = "line_strip"
    TRIANGLE_STRIP = "triangle_strip"


class Domain(StrEnum):
    """What a tessellation evaluation shader divides."""

    TRIANGLES = "triangles"
    QUADS = "quads"
    ISOLINES = "isolines"


class Spacing(StrEnum):
    """How edges are divided."""

    EQUAL = "equal_spacing"
    FRACTIONAL_EVEN = "fractional_even_spacing"
    FRACTIONAL_ODD = "fractional_odd_spacing"


class Geometry(Record, frozen=True, kw_only=True):
    """How a geometry shader runs.

    Attributes
    ----------
    input, output
        Primitives.
    max_vertices : int
        What is emitted beyond them is lost.
    invocations : int
        How often it runs for each primitive.
    """

    input: InputPrimitive
    output: OutputPrimitive
    max_vertices: EmittedVertices
    invocations: Invocations = 1


class TessEvaluation(Record, frozen=True, kw_only=True):
    """How the tessellator divides patches for a tessellation evaluation shader."""

    domain: Domain
    spacing: Spacing = Spacing.EQUAL
    clockwise: bool = False
    point_mode: bool = False


class TessControl(Record, frozen=True, kw_only=True):
    """How many vertices a tessellation control shader gives a patch: it runs once for each."""

    vertices: PatchVertices


class VertexInput(Record, frozen=True, kw_only=True):
    """An input of which each vertex of the primitive or patch has one: -1 the position, -2 the point size."""

    location: Annotated[int, Meta(ge=-2, le=31)]
    components: Annotated[int, Meta(ge=1, le=4)] = 4
    type: ComponentType = ComponentType.FLOAT
    name: Identifier = ""


class StageStatement(Statement, frozen=True, kw_only=True):
    """Base of the statements of this file.

    Attributes
    ----------
    read_fields : tuple of str
        Which fields name registers that are read.
    """

    read_fields: ClassVar[tuple[str, ...]] = ()


class LoadVertexInput(StageStatement, frozen=True, kw_only=True):
    """``to`` = one component of an input of the vertex whose number ``vertex`` holds; 0 where there is none."""

    read_fields: ClassVar[tuple[str, ...]] = ("vertex",)

    to: Register
    vertex: Register
    location: Annotated[int, Meta(ge=-2, le=31)]
    component: Place = 0


class LoadVertexOutput(StageStatement, frozen=True, kw_only=True):
    """``to`` = one component of what invocation ``vertex`` stored to an output before the last barrier."""

    read_fields: ClassVar[tuple[str, ...]] = ("vertex",)

    to: Register
    vertex: Register
    location: Annotated[int, Meta(ge=-2, le=31)]
    component: Place = 0


class LoadPatchOutput(StageStatement, frozen=True, kw_only=True):
    """``to`` = one component of an output of the patch, as stored before the last barrier."""

    to: Register
    location: Annotated[int, Meta(ge=-9, le=31)]
    component: Place = 0


class StorePatchOutput(StageStatement, frozen=True, kw_only=True):
    """One component of a patch's output = ``of``; of several invocations the last one's stays."""

    read_fields: ClassVar[tuple[str, ...]] = ("of",)

    location: Annotated[int, Meta(ge=-9, le=31)]
    component: Place = 0
    of: Register


class EmitVertex(StageStatement, frozen=True, kw_only=True):
    """Emit a vertex with what the outputs hold now; they keep it."""


class EndPrimitive(StageStatement, frozen=True, kw_only=True):
    """End the strip."""


AnyStageStatement: TypeAlias = (
    LoadVertexInput | LoadVertexOutput | LoadPatchOutput | StorePatchOutput | EmitVertex | EndPrimitive
)
STAGE_LOADS = (LoadVertexInput, LoadVertexOutput, LoadPatchOutput)
"""Statements that do nothing but write their registers."""
