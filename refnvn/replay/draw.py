"""How does a draw command become triangles on targets?

Vertex numbers, attributes, the vertex shader on all vertices at once, triangles, and the rasteriser. Each number of
an indexed draw is shaded once.

It holds no order of the fragment stage: ``raster/fragment.py`` does. Read next: ``vertex.py``, ``assemble.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.enumerations import DrawPrimitive, ShaderStage
from refnvn.errors import ArgumentError, SizeError
from refnvn.raster.assembled import Shape
from refnvn.raster.draw import draw_triangles
from refnvn.replay.assemble import primitives_of
from refnvn.replay.context import Context
from refnvn.replay.draw_state import DrawTargets, raster_state
from refnvn.replay.errors import NotReplayed, field
from refnvn.replay.indices import index_size_B, vertex_numbers
from refnvn.replay.vertex import VertexFetch
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnboundUniform
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import POSITION, Builtin, Shader, first_rows, from_object

MOST_VERTICES = 1 << 22
Numbers = NDArray[np.int64]
Words = NDArray[np.uint32]
Uniforms = Callable[[int], NDArray[np.uint8]]


def draw_arrays(context: Context, command: c.DrawArrays) -> None:
    """Draw vertices ``first`` to ``first + count - 1``."""
    _check_count(command.count)
    numbers = np.arange(command.first, command.first + command.count, dtype=np.int64)
    _draw(context, command.primitive, numbers, np.arange(command.count, dtype=np.int64))


def draw_elements(context: Context, command: c.DrawElements) -> None:
    """Draw vertices by index."""
    _check_count(command.count)
    with field("address"):
        size_B = command.count * index_size_B(command.index_type)
        data = context.memory.read(command.address, size_B) if size_B else np.zeros(0, np.uint8)
    indices = vertex_numbers(data, command.index_type, command.base_vertex)
    numbers, places = np.unique(indices, return_inverse=True)
    _draw(context, command.primitive, numbers, places.reshape(-1).astype(np.int64))


def _check_count(count: int) -> None:
    if count > MOST_VERTICES:
        with field("count"):
            raise SizeError(f"{count} vertices; {MOST_VERTICES} in one draw are allowed")


def _draw(context: Context, primitive: DrawPrimitive, numbers: Numbers, places: Numbers) -> None:
    """Shade the vertices ``numbers`` and draw the triangles that a run of their ``places`` makes."""
    drawn = primitives_of(primitive, places.size).renamed(places)
    if drawn.shape is not Shape.TRIANGLES:
        raise NotReplayed(f"primitive {primitive.name} is not replayed yet")
    triangles = drawn.vertices
    state = raster_state(context)
    vertex = shader_of(context, ShaderStage.VERTEX)
    if vertex is None:
        raise ArgumentError("a draw needs a vertex shader; none is bound")
    fragment = shader_of(context, ShaderStage.FRAGMENT)
    if not triangles.size:
        return
    outputs = shaded_vertices(context, vertex, numbers)
    uniforms = bound_uniforms(context, ShaderStage.FRAGMENT, fragment)
    varyings = linked(vertex, outputs, fragment)
    with DrawTargets(context) as targets:
        passed = draw_triangles(
            state,
            targets.colors,
            targets.depth_stencil,
            clip_positions(vertex, outputs),
            varyings,
            triangles,
            fragment,
            uniforms,
            context.rules,
            threads=context.threads,
        )
    context.count("samples_passed", passed)
    context.count("triangles", len(triangles))


def shader_of(context: Context, stage: ShaderStage) -> Shader | None:
    """Return the validated shader that is bound to a stage; None where no program, or one without it, is bound.

    Raises
    ------
    ReplayError
        For what is no shader of that stage.
    """
    program = context.state.programs.get(stage)
    if program is None:
        return None
    key = (program, stage)
    if key not in context.shaders:
        name = stage.name.lower()
        stored = getattr(context.recording.programs[program], name)
        with field(f"programs[{program}].{name}"):
            found = None if stored is None else from_object(stored, name)
            if found is not None and found.stage != name:
                raise ArgumentError(f"a {found.stage} shader; a {name} shader is needed")
            context.shaders[key] = found
    shader: Shader | None = context.shaders[key]
    return shader


@rule(
    "REPLAY-UNIFORM-1",
    "A shader reads the bytes bound to its stage's uniform slot as memory holds them when the draw executes.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("ub-unbound",),
    refuted_by="a draw that reads uniform bytes as they were when it was recorded",
)
def bound_uniforms(context: Context, stage: ShaderStage, shader: Shader | None) -> Uniforms:
    """Return a function from binding to bytes: what the blocks of a shader hold now."""
    held: dict[int, NDArray[np.uint8]] = {}
    for block in shader.uniforms if shader is not None else ():
        bound = context.state.uniform_buffers.get((stage, block.binding))
        if bound is not None and bound.size_B:
            read = context.memory.read(bound.address, min(bound.size_B, block.size_B))
            held[block.binding] = read
        if bound is None or bound.size_B < block.size_B:
            read = held.get(block.binding, np.zeros(0, np.uint8))
            held[block.binding] = filled_up(read, block.size_B, context.rules)
    return lambda binding: held[binding]


@rule(
    "REPLAY-UNIFORM-2",
    "A uniform slot without a buffer, and bytes past the end of one, read zero.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("ub-unbound",),
    fields=("unbound_uniform",),
    refuted_by="what a console reads from a uniform slot that nothing is bound to",
)
def filled_up(content: NDArray[np.uint8], size_B: int, rules: Rules) -> NDArray[np.uint8]:
    """Return the bytes of a block, what nothing is bound to filled up."""
    rest = 0xFF if rules.unbound_uniform is UnboundUniform.ONES else 0
    return np.concatenate((content, np.full(size_B - content.size, rest, np.uint8)))


def shaded_vertices(context: Context, shader: Shader, numbers: Numbers) -> Words:
    """Return the outputs of a vertex shader for vertices, shape (components, n)."""
    fetch = VertexFetch(context.memory, context.state, context.rules)
    values = fetch.inputs(shader.inputs, numbers)
    builtins: dict[str, Words] = {
        Builtin.VERTEX_ID: numbers.astype(np.uint32),
        Builtin.INSTANCE_ID: np.zeros(numbers.size, np.uint32),
    }
    uniforms = bound_uniforms(context, ShaderStage.VERTEX, shader)
    lanes = LaneInputs(count=numbers.size, values=values, builtins=builtins, uniforms=uniforms)
    return run(shader, lanes, rules=context.rules).values


def clip_positions(shader: Shader, outputs: Words) -> NDArray[np.float32]:
    """Return the positions among a vertex shader's outputs, shape (n, 4).

    Raises
    ------
    ArgumentError
        Where it writes none.
    """
    row = first_rows(shader.outputs).get(POSITION)
    if row is None:
        raise ArgumentError("the vertex shader writes no position")
    return np.ascontiguousarray(outputs[row : row + 4].T).view(np.float32)


def linked(vertex: Shader, outputs: Words, fragment: Shader | None) -> Words:
    """Return the fragment shader's inputs, by vertex, in its order.

    Raises
    ------
    ArgumentError
        For an input that the vertex shader does not write.
    """
    wanted = fragment.inputs if fragment is not None else ()
    rows = first_rows(vertex.outputs)
    written = {one.location: one.components for one in vertex.outputs}
    found = [outputs[:0]]
    for one in wanted:
        if written.get(one.location, 0) < one.components:
            raise ArgumentError(
                f"the fragment shader reads {one.components} components at location {one.location}; "
                f"the vertex shader writes {written.get(one.location, 0)}"
            )
        found.append(outputs[rows[one.location] : rows[one.location] + one.components])
    return np.concatenate(found)
