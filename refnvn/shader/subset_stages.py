"""How are geometry and tessellation shaders of the subset read: arrays of input vertices, emitted vertices, patches?

Read next: ``subset_entry.py``, ``ir_stages.py``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from refnvn.shader.builder import Builder
from refnvn.shader.ir import POINT_SIZE, POSITION, Output
from refnvn.shader.ir_base import ComponentType, Kind, Stage
from refnvn.shader.ir_stages import (
    EmitVertex,
    EndPrimitive,
    LoadPatchOutput,
    LoadVertexInput,
    LoadVertexOutput,
    StorePatchOutput,
    VertexInput,
)
from refnvn.shader.language import Array
from refnvn.shader.language_words import Word
from refnvn.shader.subset_values import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Literal,
    Misuse,
    Type,
    Value,
    VertexElements,
    typed,
)

if TYPE_CHECKING:
    from refnvn.shader.subset_body import Body
    from refnvn.shader.subset_expressions import Expressions

WITH_VERTICES = (Stage.TESS_CONTROL, Stage.TESS_EVALUATION, Stage.GEOMETRY)
STATEMENTS = ("emit_vertex", "end_primitive", "store_patch", "store_vertex")
LOADS = ("load_patch", "load_vertex")
MAX_LOCATION = 31


def pipeline_vertices(builder: Builder, attribute: str) -> VertexElements | None:
    """Return what ``gl.position`` or ``gl.point_size`` are in a stage that reads the vertices of a primitive."""
    if builder.stage not in WITH_VERTICES or attribute not in ("position", "point_size"):
        return None
    return VertexElements(*((POSITION, Type(FLOAT, 4)) if attribute == "position" else (POINT_SIZE, Type(FLOAT))))


def array_type(body: Body, annotation: ast.expr) -> Type | None:
    """Return the element type of a parameter that is an array of vertices; None where it is no array.

    ``Array[vec4]`` or ``Array[vec4, 3]``: how many vertices there are the primitive says.
    """
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if not isinstance(annotation, ast.Subscript) or body.source.names.get(ast.unparse(annotation.value)) is not Array:
        return None
    inside = annotation.slice.elts[0] if isinstance(annotation.slice, ast.Tuple) else annotation.slice
    found = body.named_type(inside)
    if not isinstance(found, Type) or found.kind == BOOL:
        raise Misuse(f"{ast.unparse(inside)} is no type of an input; use float, vec4, int, uvec2 ...")
    return found


def declare_vertices(builder: Builder, location: int, wanted: Type, name: str) -> VertexElements:
    """Declare an input of which each vertex has one."""
    builder.vertex_inputs[location] = VertexInput(
        location=location, components=wanted.size, type=ComponentType(wanted.kind), name=name
    )
    return VertexElements(location, wanted)


def element(expressions: Expressions, array: VertexElements, index: ast.expr) -> Value:
    """Return the input of one vertex."""
    builder = expressions.builder
    number = _vertex_number(expressions, index)
    if array.location < 0 and array.location not in builder.vertex_inputs:
        declare_vertices(builder, array.location, array.type, "position" if array.location == POSITION else "")
    registers = []
    for component in range(array.type.size):
        to = builder.register(Kind.WORD)
        builder.emit(LoadVertexInput(to=to, vertex=number, location=array.location, component=component))
        registers.append(to)
    return Value(array.type, tuple(registers))


def _vertex_number(expressions: Expressions, index: ast.expr) -> int:
    """Return the register of the number of a vertex."""
    found = expressions.expression(index)
    number = typed(expressions.builder, found, INT)
    if number.type.size != 1 or number.type.kind not in (INT, UINT):
        raise Misuse(f"an index is one int or uint, not {number.type}")
    if isinstance(found, Literal) and found.number < 0:
        raise Misuse(f"there is no vertex {found.number}")
    return number.registers[0]


def names_load(word: object) -> bool:
    """Say whether a word reads outputs of a tessellation control shader."""
    return isinstance(word, Word) and word.name in LOADS


def load(expressions: Expressions, name: str, arguments: list[ast.expr]) -> Value:
    """Compile ``load_vertex(location, vertex)`` or ``load_patch(location)``, of what was stored above."""
    builder = expressions.builder
    if builder.stage is not Stage.TESS_CONTROL:
        raise Misuse(f"{name} stands in a {Stage.TESS_CONTROL} shader")
    of_vertex = name == "load_vertex"
    if len(arguments) != 1 + of_vertex:
        raise Misuse("write load_vertex(location, vertex)" if of_vertex else "write load_patch(location)")
    location = expressions.constant_int(arguments[0])
    stored = (builder.outputs if of_vertex else builder.patch_outputs).get(location)
    if stored is None:
        raise Misuse(f"nothing above stores {'output' if of_vertex else 'patch output'} {location}")
    vertex = _vertex_number(expressions, arguments[1]) if of_vertex else None
    registers = []
    for component in range(stored.components):
        to = builder.register(Kind.WORD)
        registers.append(to)
        if vertex is None:
            builder.emit(LoadPatchOutput(to=to, location=location, component=component))
        else:
            builder.emit(LoadVertexOutput(to=to, vertex=vertex, location=location, component=component))
    return Value(Type(stored.type.value, stored.components), tuple(registers))


def names_statement(word: object) -> bool:
    """Say whether a word stands alone on its line in these stages."""
    return isinstance(word, Word) and word.name in STATEMENTS


def statement(body: Body, name: str, arguments: list[ast.expr]) -> None:
    """Compile ``emit_vertex(...)``, ``end_primitive()``, ``store_patch`` or ``store_vertex(location, value)``."""
    wanted = Stage.TESS_CONTROL if name.startswith("store_") else Stage.GEOMETRY
    if body.builder.stage is not wanted or body.entry is None:
        raise Misuse(f"{name} stands in the function of a {wanted} shader itself")
    if name == "emit_vertex":
        body.entry.finish(
            body, ast.copy_location(ast.Tuple(arguments, ast.Load()), arguments[0]) if arguments else None
        )
        body.builder.emit(EmitVertex())
    elif name == "end_primitive":
        if arguments:
            raise Misuse("end_primitive takes no arguments")
        body.builder.emit(EndPrimitive())
    elif len(arguments) != 2:
        raise Misuse(f"write {name}(location, value)")
    elif name == "store_vertex":
        body.entry.store(body, body.constant_int(arguments[0]), arguments[1])
    else:
        _store_patch(body, arguments)


def _store_patch(body: Body, arguments: list[ast.expr]) -> None:
    location = body.constant_int(arguments[0])
    if not 0 <= location <= MAX_LOCATION:
        raise Misuse(f"location {location}; locations are 0 to {MAX_LOCATION}")
    value = typed(body.builder, body.expression(arguments[1]), FLOAT)
    if value.type.kind == BOOL:
        raise Misuse("an output is a number; write float(x) or uint(x)")
    store_patch_output(body.builder, location, value, "")


def store_patch_output(builder: Builder, location: int, value: Value, name: str) -> None:
    """Emit the stores of an output of the patch."""
    output = Output(location=location, components=value.type.size, type=ComponentType(value.type.kind), name=name)
    known = builder.patch_outputs.setdefault(location, output)
    if (known.components, known.type) != (output.components, output.type):
        raise Misuse(f"patch output {location} is {value.type} here and another type elsewhere")
    for component, register in enumerate(value.registers):
        builder.emit(StorePatchOutput(location=location, component=component, of=register))
