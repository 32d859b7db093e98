"""How are the words of geometry and tessellation shaders written down as GLSL?

GLSL leaves open what outputs hold after a vertex was emitted; here they keep it. Read next: ``glsl.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from refnvn.shader.ir import POINT_SIZE, POSITION, Output, Shader
from refnvn.shader.ir_base import ComponentType, Stage
from refnvn.shader.ir_stages import (
    EmitVertex,
    EndPrimitive,
    LoadPatchOutput,
    LoadVertexInput,
    LoadVertexOutput,
    StageStatement,
    StorePatchOutput,
    VertexInput,
)
from refnvn.shader.special_outputs import SPECIAL_OUTPUTS
from refnvn.shader.type_names import AS_WORD

Register = Callable[[int, str], str]
_VECTORS = {ComponentType.FLOAT: "vec", ComponentType.INT: "ivec", ComponentType.UINT: "uvec"}
_OF_VERTEX = {POSITION: "gl_in[{}].gl_Position", POINT_SIZE: "gl_in[{}].gl_PointSize"}


def type_name(one: Output | VertexInput) -> str:
    """Return what GLSL calls the type of an input or output."""
    return one.type.value if one.components == 1 else f"{_VECTORS[one.type]}{one.components}"


def layouts(shader: Shader) -> Iterator[str]:
    """Yield how a geometry or tessellation shader runs."""
    if shader.geometry is not None:
        one = shader.geometry
        yield f"layout({one.input}) in;"
        if one.invocations > 1:
            yield f"layout(invocations = {one.invocations}) in;"
        yield f"layout({one.output}, max_vertices = {one.max_vertices}) out;"
    if shader.tess_control is not None:
        yield f"layout(vertices = {shader.tess_control.vertices}) out;"
    if shader.tess_evaluation is not None:
        how = shader.tess_evaluation
        words = [how.domain.value, how.spacing.value, "cw" if how.clockwise else "ccw"]
        yield f"layout({', '.join([*words, *(['point_mode'] if how.point_mode else [])])}) in;"


def declarations(shader: Shader) -> Iterator[str]:
    """Yield the inputs of vertices and the outputs of patches."""
    for one in shader.vertex_inputs:
        if one.location >= 0:
            yield f"layout(location = {one.location}) in {type_name(one)} vertex_in_{one.location}[];"
    for output in shader.patch_outputs:
        if output.location >= 0:
            yield f"layout(location = {output.location}) patch out {type_name(output)} patch_{output.location};"


def output_name(shader: Shader, name: str) -> str:
    """Return how an output of a vertex is written: by invocation in a tessellation control shader."""
    if shader.stage is not Stage.TESS_CONTROL:
        return name
    return f"gl_out[gl_InvocationID].{name}" if name.startswith("gl_") else f"{name}[gl_InvocationID]"


def _load(one: Output | VertexInput, name: str, component: int, to: str) -> str:
    part = name if one.components == 1 else f"{name}.{'xyzw'[component]}"
    return f"{to} = {AS_WORD[one.type].format(part)};"


def line(shader: Shader, statement: StageStatement, register: Register) -> str:
    """Return a statement."""
    match statement:
        case LoadVertexInput(to=to, vertex=vertex, location=location, component=component):
            one = next(found for found in shader.vertex_inputs if found.location == location)
            name = _OF_VERTEX.get(location, f"vertex_in_{location}[{{}}]").format(register(vertex, "word"))
            return _load(one, name, component, register(to, "word"))
        case LoadVertexOutput(to=to, vertex=vertex, location=location, component=component):
            stored = next(found for found in shader.outputs if found.location == location)
            number = register(vertex, "word")
            special = f"gl_out[{number}].{SPECIAL_OUTPUTS[location].glsl}" if location < 0 else ""
            return _load(stored, special or f"out_{location}[{number}]", component, register(to, "word"))
        case LoadPatchOutput(to=to, location=location, component=component):
            stored = next(found for found in shader.patch_outputs if found.location == location)
            if location < 0:
                part = f"{SPECIAL_OUTPUTS[location].glsl}[{component}]"
                return f"{register(to, 'word')} = {AS_WORD[stored.type].format(part)};"
            return _load(stored, f"patch_{location}", component, register(to, "word"))
        case StorePatchOutput(location=location, component=component, of=of):
            output = next(found for found in shader.patch_outputs if found.location == location)
            if location < 0:
                return f"{SPECIAL_OUTPUTS[location].glsl}[{component}] = {register(of, 'float')};"
            part = "" if output.components == 1 else f".{'xyzw'[component]}"
            return f"patch_{location}{part} = {register(of, output.type.value)};"
        case EmitVertex():
            return "EmitVertex();"
        case EndPrimitive():
            return "EndPrimitive();"
    raise AssertionError(statement)
