"""What the drawing goldens share: one program, and rectangles of one colour at one depth.

Colours travel as flat inputs, so that no interpolation decides. It holds no case. Read next: ``depth16_clear.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import DepthStencilState, VertexAttribState, VertexStreamState
from refnvn.shader.python import attribute, flat, fragment_shader, varying, vec4, vertex_shader

STRIDE_B = 32
"""Bytes of a vertex: position and colour, four floats each."""


@vertex_shader
def positioned(position: vec4 = attribute(0), color: vec4 = attribute(1)):  # type: ignore[no-untyped-def]
    """Pass position and colour on."""
    return position, color


@fragment_shader
def colored(color: vec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the colour of the last vertex."""
    return color


def set_up_drawing(device: Device, commands: CommandBuffer, width_px: int, height_px: int) -> None:
    """Bind the program and the layout of its vertices, and set viewport and scissor to a size."""
    commands.bind_program(device.program(positioned, colored))
    commands.bind_vertex_attrib_state(
        [VertexAttribState().set_format("RGBA32F", 0), VertexAttribState().set_format("RGBA32F", 16)]
    )
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(STRIDE_B)])
    commands.set_viewport(0, 0, width_px, height_px)
    commands.set_scissor(0, 0, width_px, height_px)


def draw_rectangle(
    device: Device,
    commands: CommandBuffer,
    corners: tuple[float, float, float, float],
    color: Sequence[float],
    depth: float = 0.0,
) -> None:
    """Draw ``(left, bottom, right, top)`` in normalized device coordinates as two triangles."""
    left, bottom, right, top = corners
    positions = [(left, bottom), (right, bottom), (left, top), (left, top), (right, bottom), (right, top)]
    vertices = np.array([(x, y, depth, 1.0, *color) for x, y in positions], np.float32)
    commands.bind_vertex_buffer(0, device.buffer(vertices))
    commands.draw_arrays("TRIANGLES", 0, len(positions))


def depth_state(func: str, *, write: bool = True) -> DepthStencilState:
    """Return a state that tests depth by a function."""
    return DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(write).set_depth_func(func)
