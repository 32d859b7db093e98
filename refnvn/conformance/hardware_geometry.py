"""How is the second half of the measured family ``stages`` scored: geometry shaders and captured vertices?

``out_gs_*`` hold what a geometry shader read or made, captured by transform feedback, 0xDEAD behind it;
``out_gs_seen`` what fragments saw in each of four layers. ``out_capture_*`` hold rows of 256 words of one or two
buffers after two draws. Each is recorded and replayed as a scene.

Read next: ``hardware_stages.py``.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.score import ArrayScore, compare, information, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.nvn.device import Device
from refnvn.replay.run import replay
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.feedback import with_feedback
from refnvn.shader.ir import Shader
from refnvn.shader.python import (
    Array,
    emit_vertex,
    end_primitive,
    flat,
    fragment_shader,
    geometry_shader,
    gl,
    uint,
    uvec3,
    uvec4,
    varying,
    vec4,
    vertex_shader,
)

_BLANK = 0xDEAD
_GEOMETRY = re.compile(r"out_gs_in_(?P<mode>[A-Z_]+?)_(?P<count>\d+)_(?P<provoking>FIRST|LAST)")
_CAPTURE = re.compile(r"out_capture_(?P<kind>triangles|strip|two)_(?P<sizes>[\d_]+)")
_TAKEN = {
    "POINTS": ("points", 1), "LINES": ("lines", 2), "LINE_STRIP": ("lines", 2), "LINE_LOOP": ("lines", 2),
    "LINES_ADJACENCY": ("lines_adjacency", 4), "LINE_STRIP_ADJACENCY": ("lines_adjacency", 4),
    "TRIANGLES_ADJACENCY": ("triangles_adjacency", 6), "TRIANGLE_STRIP_ADJACENCY": ("triangles_adjacency", 6),
}  # fmt: skip
_TRIANGLES = ("triangles", 3)
_ROWS = 64
_WORDS = 256


@vertex_shader
def numbered():  # type: ignore[no-untyped-def]
    """Pass the vertex's number on."""
    return vec4(0.0), gl.vertex_id


def _reads(takes: str, vertices: int, invocations: int = 1) -> Shader:
    """Return a geometry shader that emits, as points, what it reads of each vertex."""

    @geometry_shader(takes=takes, makes="points", max_vertices=vertices, invocations=invocations)
    def reads(number: Array[int] = varying(0)):  # type: ignore[no-untyped-def,type-arg]
        for i in range(vertices):
            emit_vertex(
                vec4(0.0), uvec4(uint(number[i]), uint(gl.primitive_id), uint(gl.invocation_id), uint(0))
            )  # fmt: skip
            end_primitive()

    return reads


def _strips(makes: str) -> Shader:
    """Return a geometry shader that ends its strip behind the fifth of six vertices."""

    @geometry_shader(takes="points", makes=makes, max_vertices=6)
    def strips(number: Array[int] = varying(0)):  # type: ignore[no-untyped-def,type-arg]
        for i in range(6):
            emit_vertex(vec4(0.0), uvec4(uint(i), uint(number[0]), uint(0), uint(0)))
            if i == 4:
                end_primitive()

    return strips


@geometry_shader(takes="points", makes="points", max_vertices=3)
def keeps():  # type: ignore[no-untyped-def]
    """Emit three points, the second as the first."""
    emit_vertex(vec4(0.0), uvec4(5, 6, 7, 8))
    emit_vertex(vec4(0.0), uvec4(5, 6, 7, 8))
    emit_vertex(vec4(0.0), uvec4(9, 6, 7, 8))


@geometry_shader(takes="points", makes="triangle_strip", max_vertices=5)
def too_many():  # type: ignore[no-untyped-def]
    """Emit nine of five vertices."""
    for i in range(9):
        emit_vertex(vec4(0.0), uvec4(uint(i), uint(0), uint(0), uint(0)))


def _layered(writes: bool) -> Shader:
    """Return a geometry shader that emits a strip of five vertices into as many layers, with numbers or without."""

    @geometry_shader(takes="points", makes="triangle_strip", max_vertices=5)
    def layered():  # type: ignore[no-untyped-def]
        for i in range(5):
            right = 1.0 if i == 1 or i == 3 else -1.0
            top = 3.0 if i == 4 else 1.0 if i >= 2 else -1.0
            gl.layer = i & 3
            if writes:
                gl.primitive_id = 100 + i
            emit_vertex(vec4(right, top, 0.0, 1.0), uvec4(uint(i), uint(0), uint(0), uint(0)))

    return layered


@fragment_shader
def sees(value: uvec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the tag, the primitive's number and the layer."""
    return uvec4(value.x, uint(gl.primitive_id), uint(gl.layer), uint(1))


@vertex_shader
def captured():  # type: ignore[no-untyped-def]
    """Give three words and one."""
    return vec4(0.0), uvec3(uint(gl.vertex_id), uint(gl.instance_id), uint(7)), uint(100) + uint(gl.vertex_id)


def _captured(
    vertex: Shader, geometry: Shader | None, mode: str, count: int, sizes_B: list[int], words: int, rules: Rules,
    draws: int = 1, instances: int = 1,
) -> NDArray[np.uint32]:  # fmt: skip
    """Return what draws leave in buffers of so many words."""
    device = Device("captured")
    commands, control = device.command_buffer(), device.buffer(32)
    memory = [device.buffer(np.full(words, _BLANK, np.uint32)) for _ in sizes_B]
    for number, (buffer, size_B) in enumerate(zip(memory, sizes_B, strict=True)):
        commands.bind_transform_feedback_buffer(number, buffer, min(size_B, 4 * words))
    commands.bind_program(device.program(vertex, geometry=geometry))
    commands.set_rasterizer_discard(True)
    commands.begin_transform_feedback(control)
    for _ in range(draws):
        commands.draw_arrays_instanced(mode, 0, count, 0, instances)
    commands.end_transform_feedback(control)
    device.queue().submit(commands)
    for number, buffer in enumerate(memory):
        buffer.read(f"memory{number}")
    trace = device.trace()
    found = replay(trace.recording, trace.blobs, rules)
    return np.stack([found[f"memory{number}"].view(np.uint32) for number in range(len(sizes_B))])


def _drawn(writes: bool, rules: Rules) -> NDArray[np.uint32]:
    """Return what fragments saw in four layers."""
    device = Device("seen")
    target, commands = device.texture("RGBA32UI", 4, 4, 4, target="2D_ARRAY"), device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_colorui(0, (9999,) * 4)
    commands.set_viewport(0, 0, 4, 4)
    commands.bind_program(device.program(numbered, sees, geometry=_layered(writes)))
    commands.draw_arrays("POINTS", 0, 1)
    device.queue().submit(commands)
    target.read_texels("seen")
    trace = device.trace()
    return replay(trace.recording, trace.blobs, rules)["seen"].view(np.uint32).reshape(4, 4, 4, 4)


def _of_geometry(name: str, rules: Rules) -> NDArray[np.uint32] | None:
    """Return the captured rows of an array; None where it is not one of these."""
    whole = 4 * 4 * _ROWS
    found = _GEOMETRY.fullmatch(name)
    if found is not None:
        takes, vertices = _TAKEN.get(found["mode"], _TRIANGLES)
        shader, mode, count, size_B = _reads(takes, vertices), found["mode"], int(found["count"]), whole
    elif name == "out_gs_invocations":
        shader, mode, count, size_B = _reads("triangles", 3, 3), "TRIANGLES", 9, whole
    elif name in ("out_gs_out_triangle_strip_LAST", "out_gs_out_line_strip_LAST"):
        makes = name.removeprefix("out_gs_out_").removesuffix("_LAST")
        shader, mode, count, size_B = _strips(makes), "POINTS", 2, whole
    elif name == "out_gs_room":
        shader, mode, count, size_B = _strips("triangle_strip"), "POINTS", 4, 16 * 13
    elif name == "out_gs_kept_outputs":
        shader, mode, count, size_B = keeps, "POINTS", 2, whole
    elif name == "out_gs_too_many":
        shader, mode, count, size_B = too_many, "POINTS", 2, whole
    else:
        return None
    layout = with_feedback(shader, [0])
    return _captured(numbered, layout, mode, count, [size_B], 4 * _ROWS, rules).reshape(_ROWS, 4)


def _of_capture(name: str, rules: Rules) -> NDArray[np.uint32] | None:
    """Return the rows of buffers of an array; None where it is not one of these."""
    one = with_feedback(captured, [0, 1])
    found = _CAPTURE.fullmatch(name)
    if found is None:
        mode = name.removeprefix("out_capture_")
        if mode == "instances":
            return _captured(one, None, "TRIANGLE_STRIP", 4, [1024], _WORDS, rules, 2, 2)
        count = {"LINES_ADJACENCY": 8, "LINE_STRIP_ADJACENCY": 8}.get(mode, 12)
        return _captured(one, None, mode, count, [1024], _WORDS, rules, 2) if mode in _TAKEN else None
    sizes_B = [int(size) for size in found["sizes"].split("_")]
    if found["kind"] == "two":
        return _captured(with_feedback(captured, [0], [1]), None, "TRIANGLES", 6, sizes_B, _WORDS, rules, 2)
    mode, count = ("TRIANGLE_STRIP", 5) if found["kind"] == "strip" else ("TRIANGLES", 6)
    return _captured(one, None, mode, count, sizes_B[:1], _WORDS, rules, 2)


def score_geometry(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an array ``out_gs_*`` or ``out_capture_*``."""
    if "_FIRST" in name:
        return information(name, "NVN draws by the last vertex")
    with collect() as used:
        if name.startswith("out_gs_seen_"):
            by_rule: NDArray[np.uint32] | None = _drawn(name.endswith("1"), rules)
        else:
            by_rule = (_of_geometry if name.startswith("out_gs_") else _of_capture)(name, rules)
    if by_rule is None:
        return not_run(name, "no rule knows this array")
    return compare(name, by_rule, array_of(file, name, by_rule.shape, "u").astype(np.uint32), used)
