"""Goldens of ``t_transform_feedback`` and ``t_rast_discard``: what vertex shaders leave in memory by themselves."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.shader.feedback import with_feedback
from refnvn.shader.python import (
    attribute,
    flat,
    fragment_shader,
    gl,
    image,
    image3D,
    image_store,
    ivec3,
    uint,
    uvec2,
    varying,
    vec3,
    vec4,
    vertex_shader,
)

CONTROL_B = 32
POSITION = -1


@vertex_shader
def spread(position: vec3 = attribute(0), packed: uvec2 = attribute(1)):  # type: ignore[no-untyped-def]
    """Pass a position and a packed pair on."""
    return vec4(position, 1.0), position, packed.x, packed.y


@vertex_shader
def placed(position: vec3 = attribute(0)):  # type: ignore[no-untyped-def]
    """Draw a point where a captured position says."""
    gl.point_size = 1.0
    return vec4(position, 1.0), uint(gl.vertex_id) + uint(1)


@fragment_shader
def number(value: uint = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the number of a vertex, from 1 on."""
    return value


@vertex_shader
def filling(volume: image3D = image(0)):  # type: ignore[no-untyped-def]
    """Store i / 64 into texel i of a volume of 4 x 4 x 4."""
    i = gl.vertex_id
    image_store(volume, ivec3(i % 4, i // 4 % 4, i // 16), vec4(float(i) * 0.015625))
    return vec4(0.0, 0.0, 0.0, 1.0)


def set_up(device: Device, commands: CommandBuffer, points: int) -> None:
    """Bind six words for each vertex: a position of three floats, and a packed pair."""
    rows = np.zeros((points, 5), np.float32)
    rows[:, 0] = (np.arange(points) * 2 + 1) / 8 - 1
    rows[:, 1:3] = (0.0, 0.25)
    rows[:, 3:] = np.arange(2 * points, dtype=np.uint32).reshape(-1, 2).view(np.float32)
    commands.bind_vertex_attrib_state(
        [VertexAttribState().set_format("RGB32F", 0), VertexAttribState().set_format("RG32UI", 12)]
    )
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(20)])
    commands.bind_vertex_buffer(0, device.buffer(rows))


def draw_captured(device: Device, control: Buffer, captured: Buffer, stride_B: int) -> None:
    """Draw the captured positions as points, as many as were captured, into a row of eight pixels."""
    target, commands = device.texture("R8UI", 8, 1), device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_colorui(0, (0, 0, 0, 0))
    commands.set_viewport(0, 0, 8, 1)
    commands.set_scissor(0, 0, 8, 1)
    commands.barrier("ORDER_PRIMITIVES | ORDER_INDIRECT_DATA")
    commands.bind_program(device.program(placed, number))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGB32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(stride_B)])
    commands.bind_vertex_buffer(0, captured)
    commands.draw_transform_feedback("POINTS", control)
    device.queue().submit(commands)
    target.read_texels("drawn")


@scene_case(
    "transform_feedback/room",
    t_test="t_transform_feedback",
    says="Six points, room for four in the smallest of three buffers: four are stored in each, four pixels drawn.",
    ledger=("transform-feedback",),
)
def room(device: Device) -> None:
    """A path without capture leaves zeros; one that stores as much as each buffer holds leaves five or six."""
    captured = device.buffer(np.full(48, 0xEEEEEEEE, np.uint32))
    control, commands = device.buffer(CONTROL_B), device.command_buffer()
    set_up(device, commands, 6)
    commands.bind_program(device.program(with_feedback(spread, [0], [1], [2])))
    commands.bind_transform_feedback_buffer(0, captured, 12 * 6)
    commands.bind_transform_feedback_buffer(1, captured.get_address(96), 4 * 5)
    commands.bind_transform_feedback_buffer(2, captured.get_address(144), 4 * 4)
    commands.set_rasterizer_discard(True)
    commands.begin_transform_feedback(control)
    commands.draw_arrays("POINTS", 0, 6)
    commands.end_transform_feedback(control)
    commands.set_rasterizer_discard(False)
    queue = device.queue()
    queue.submit(commands)
    captured.read("captured")
    halved = device.buffer(np.zeros(12, np.float32))
    commands = device.command_buffer()
    commands.copy_buffer_to_buffer(captured, halved, 48)
    queue.submit(commands)
    queue.finish()
    draw_captured(device, control, halved, 12)


@scene_case(
    "transform_feedback/strip_paused",
    t_test="t_transform_feedback",
    says="A strip interleaved at a stride of 24 with a word between, paused over one draw and resumed in the next.",
    ledger=("transform-feedback",),
)
def strip_paused(device: Device) -> None:
    """A path that rejects interleaved layouts, or captures strips as strips, leaves other words."""
    captured = device.buffer(np.full(96, 0xEEEEEEEE, np.uint32))
    control, commands = device.buffer(CONTROL_B), device.command_buffer()
    set_up(device, commands, 5)
    layout = with_feedback(spread, [0, None, 1], strides=[24])
    commands.bind_program(device.program(layout))
    commands.bind_transform_feedback_buffer(0, captured)
    commands.set_rasterizer_discard(True)
    commands.begin_transform_feedback(control)
    commands.draw_arrays("TRIANGLE_STRIP", 0, 4)
    commands.pause_transform_feedback(control)
    commands.draw_arrays("TRIANGLES", 0, 3)
    commands.resume_transform_feedback(control)
    commands.draw_arrays_instanced("TRIANGLE_STRIP", 1, 4, 0, 2)
    commands.end_transform_feedback(control)
    device.queue().submit(commands)
    captured.read("captured")


@scene_case(
    "rast_discard/volume",
    t_test="t_rast_discard",
    says="64 points with the rasteriser off store i / 64 into a volume; no fragment is drawn.",
    ledger=("rast-discard",),
)
def discarded(device: Device) -> None:
    """A path that skips discarded draws leaves a volume of zeros."""
    volume = device.texture("RGBA16F", 4, 4, 4, target="3D", flags="IMAGE")
    target, commands = device.texture("R8UI", 4, 4), device.command_buffer()
    pool = device.texture_pool(512)
    commands.set_texture_pool(pool)
    commands.set_render_targets([target])
    commands.clear_colorui(0, (0, 0, 0, 0))
    commands.set_viewport(0, 0, 4, 4)
    commands.bind_program(device.program(filling))
    commands.bind_image("VERTEX", 0, device.get_image_handle(pool.register_image(None, volume)))
    commands.set_rasterizer_discard(True)
    commands.draw_arrays("POINTS", 0, 64)
    device.queue().submit(commands)
    volume.read_texels("volume")
    target.read_texels("drawn")
