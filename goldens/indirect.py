"""Goldens of ``t_geometry_hazards``: draws whose numbers stand in memory; and of instanced streams (``t_pull``).

Triangles and quads cover cells of a target; each shows which vertex, instance or element was drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goldens.vertex_input import COLUMNS, cell_position, counted, pass_words
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture
from refnvn.shader.python import attribute, flat, fragment_shader, gl, uint, uvec4, varying, vec4, vertex_shader

QUAD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
CORNERS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], np.float32)


@vertex_shader
def numbered(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position and the numbers of vertex and instance on."""
    return position, uvec4(uint(gl.vertex_id), uint(gl.instance_id), 1, 0)


@fragment_shader
def pass_numbers(numbers: uvec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the numbers of the last vertex."""
    return numbers


def start(device: Device, vertices: np.ndarray[Any, Any]) -> tuple[Texture, CommandBuffer]:
    """Return an 8x8 target of words and commands that draw RG32F positions to it."""
    target = device.texture("RGBA32UI", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(numbered, pass_numbers))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RG32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(8)])
    commands.bind_vertex_buffer(0, device.buffer(vertices))
    commands.set_viewport(0, 0, 8, 8)
    commands.set_scissor(0, 0, 8, 8)
    return target, commands


def words(*numbers: int) -> np.ndarray[Any, Any]:
    """Return 32-bit words."""
    return np.array(numbers, np.int64).astype(np.uint32)


@scene_case(
    "geometry_hazards/arrays_record",
    t_test="t_geometry_hazards",
    says="An arrays record that a copy of the same submission wrote is read when the draw executes: a whole quad.",
    ledger=("indirect",),
)
def arrays_record(device: Device) -> None:
    """Read when it is recorded its count is 0. The first vertex and the instances come from it too."""
    target, commands = start(device, np.concatenate([QUAD / 4, QUAD]))
    record = device.buffer(16)
    commands.copy_buffer_to_buffer(device.buffer(words(4, 2, 4, 0)), record)
    commands.barrier("ORDER_INDIRECT_DATA")
    commands.draw_arrays_indirect("QUADS", record)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "geometry_hazards/elements_record",
    t_test="t_geometry_hazards",
    says="An elements record gives first index, base vertex (signed) and instances, for 8-bit and 16-bit indices.",
    ledger=("indirect", "index8"),
)
def elements_record(device: Device) -> None:
    """A fan of byte indices 5 to 8 less 5 in the left half; triangles of 16-bit indices on the right."""
    for name, kind, mode in (("bytes", "BYTE", "TRIANGLE_FAN"), ("shorts", "SHORT", "QUADS")):
        target, commands = start(device, QUAD)
        indices = np.array([9, 9, 5, 6, 7, 8], np.uint8 if kind == "BYTE" else np.uint16)
        record = device.buffer(words(0, 0, 0, 0, 0))
        commands.copy_buffer_to_buffer(device.buffer(words(4, 1, 2, -5, 0)), record)
        commands.draw_elements_indirect(mode, kind, device.buffer(indices), record)
        device.queue().submit(commands)
        target.read_texels(name)


@scene_case(
    "geometry_hazards/index_bytes",
    t_test="t_geometry_hazards",
    says="8-bit indices 0, 0, 0 become 0, 1, 2 by a copy of the same submission: the triangle covers all 64 pixels.",
    ledger=("index8-gpu-write", "index8"),
)
def index_bytes(device: Device) -> None:
    """Index bytes from before the submission draw nothing."""
    target, commands = start(device, np.array([(-1, -1), (3, -1), (-1, 3)], np.float32))
    indices = device.buffer(np.zeros(4, np.uint8))
    commands.copy_buffer_to_buffer(device.buffer(np.array([0, 1, 2, 0], np.uint8)), indices)
    commands.draw_elements("TRIANGLES", "BYTE", 3, indices)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "geometry_hazards/byte_indices",
    t_test="t_geometry_hazards",
    says="8-bit indices 0, 1, 2, 2, 1, 3 are two triangles: a whole quad.",
    ledger=("index8",),
)
def byte_indices(device: Device) -> None:
    """Read in pairs of bytes they are vertices far outside."""
    target, commands = start(device, CORNERS)
    commands.draw_elements("TRIANGLES", "BYTE", 6, device.buffer(np.array([0, 1, 2, 2, 1, 3], np.uint8)))
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "geometry_hazards/draw_counts",
    t_test="t_geometry_hazards",
    says="A multi-draw of at most 1100 records does as many as a word in memory says: 1060, the last each one pixel.",
    ledger=("multidraw-count", "indirect"),
)
def draw_counts(device: Device) -> None:
    """Cut off at 1024 the last 36 are missing; the records past the count would draw too; most have no indices."""
    target = device.texture("R8UI", 64, 32)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(in_cell, pass_numbers))
    commands.set_viewport(0, 0, 64, 32)
    commands.set_scissor(0, 0, 64, 32)
    records = np.zeros((1100, 5), np.uint32)
    records[:, 1] = 1
    records[1000:, 0] = 3
    records[:, 3] = 3 * np.arange(1100)
    indices = device.buffer(np.array([0, 1, 2], np.uint8))
    count = device.buffer(words(0))
    commands.copy_buffer_to_buffer(device.buffer(words(1060)), count)
    commands.multi_draw_elements_indirect_count("TRIANGLES", "BYTE", indices, device.buffer(records), count, 1100, 20)
    device.queue().submit(commands)
    target.read_texels("target")


@vertex_shader
def in_cell():  # type: ignore[no-untyped-def]
    """Cover the middle of pixel n // 3 of rows of 64."""
    corner = gl.vertex_id % 3
    cell = gl.vertex_id // 3
    along = 1.0 if corner == 1 else 0.5 if corner == 2 else 0.0
    up = 1.0 if corner == 2 else 0.0
    x = (float(cell % 64) + along) * 0.03125 - 1.0
    y = (float(cell // 64) + up) * 0.0625 - 1.0
    return vec4(x, y, 0.0, 1.0), uvec4(1, 0, 0, 0)


@vertex_shader
def words_in_instances(words: uvec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the words on, in the column of the instance."""
    return cell_position(gl.instance_id * 3 + gl.vertex_id % 3, 8.0), words


@scene_case(
    "pull/divisors",
    t_test="t_pull",
    says="Divisor 2 with base instance 3 and 5 instances reads elements 3, 3, 4, 4, 5; rows for divisors 0 to 3.",
    ledger=("vin-pull", "instanced-arrays"),
)
def divisors(device: Device) -> None:
    """Without the base instance they are 0, 0, 1, 1, 2; each word is the element's number."""
    target = device.texture("RGBA32UI", COLUMNS, 5)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(words_in_instances, pass_words))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32UI", 0)])
    commands.bind_vertex_buffer(0, device.buffer(counted(first=0, elements=16)[::3]))
    record = device.buffer(words(3, 5, 0, 3))
    for row, divisor in enumerate((0, 1, 2, 3, 2)):
        commands.bind_vertex_stream_state([VertexStreamState().set_stride(16).set_divisor(divisor)])
        commands.set_viewport(0, row, COLUMNS, 1)
        commands.set_scissor(0, row, COLUMNS, 1)
        if row < 4:
            commands.draw_arrays_instanced("TRIANGLES", 0, 3, 3, 5)
        else:
            commands.draw_arrays_indirect("TRIANGLES", record)
    device.queue().submit(commands)
    target.read_texels("words")
