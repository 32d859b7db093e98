"""Goldens of inline uniform updates, with ``t_ubp_running``: every draw sees the latest update before it."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture
from refnvn.shader.python import Uniform, attribute, fragment_shader, uvec4, vec4, vertex_shader

RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


class Tint(Uniform, binding=0):
    """One colour."""

    color: vec4


class Block(Uniform, binding=0):
    """The first 144 of 256 bytes."""

    at_00: uvec4
    at_10: uvec4
    at_20: uvec4
    at_30: uvec4
    at_40: uvec4
    at_50: uvec4
    at_60: uvec4
    at_70: uvec4
    at_80: uvec4


@vertex_shader
def positioned(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position on."""
    return position


@fragment_shader
def tinted(tint: Tint):  # type: ignore[no-untyped-def]
    """Write the block's colour."""
    return tint.color


@fragment_shader
def words_of_block(block: Block):  # type: ignore[no-untyped-def]
    """Write words at bytes 0, 60, 64 and 128 of the block."""
    return uvec4(block.at_00.x, block.at_30.w, block.at_40.x, block.at_80.x)


def start(device: Device, format_name: str, fragment: object, block: Buffer) -> tuple[Texture, CommandBuffer]:
    """Return a target of 8x2 pixels and commands that draw a triangle over the scissor."""
    target = device.texture(format_name, 8, 2)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(positioned, fragment))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RG32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(8)])
    commands.bind_vertex_buffer(0, device.buffer(np.array([(-1, -1), (3, -1), (-1, 3)], np.float32)))
    commands.bind_uniform_buffer("FRAGMENT", 0, block)
    commands.set_viewport(0, 0, 8, 2)
    return target, commands


def draw_columns(commands: CommandBuffer, first: int) -> None:
    """Draw into two columns."""
    commands.set_scissor(first, 0, 2, 2)
    commands.draw_arrays("TRIANGLES", 0, 3)


def floats(color: tuple[float, ...]) -> np.ndarray:
    """Return a colour as it lies in the block."""
    return np.array(color, np.float32)


@scene_case(
    "ubp_running/colour_between_draws",
    t_test="t_ubp_running",
    says="Update red, draw, update blue, draw, in one pass: red and blue, and blue in the next submission.",
    ledger=("inline-update", "inline-update-pass"),
)
def colour_between_draws(device: Device) -> None:
    """All blue where the last value is taken, all green where updates come at the end of the pass."""
    block = device.buffer(floats(GREEN))
    target, commands = start(device, "RGBA8", tinted, block)
    draw_columns(commands, 0)
    for first, color in ((2, RED), (4, BLUE)):
        commands.update_uniform_buffer(block, None, 0, floats(color))
        draw_columns(commands, first)
    queue = device.queue()
    queue.submit(commands)
    later = device.command_buffer()
    draw_columns(later, 6)
    queue.submit(later)
    target.read_texels("target")
    block.read("block")


@scene_case(
    "ubp_running/taken_when_recorded",
    t_test="t_ubp_running",
    says="An update carries the bytes of its recording, over what the processor wrote before the submission.",
    ledger=("inline-update",),
)
def taken_when_recorded(device: Device) -> None:
    """A submission that runs twice updates twice."""
    block = device.buffer(floats(GREEN))
    target, commands = start(device, "RGBA8", tinted, block)
    draw_columns(commands, 0)
    given = floats(RED)
    commands.update_uniform_buffer(block, None, 0, given)
    given[:] = BLUE
    draw_columns(commands, 2)
    block.write(floats(BLUE))
    queue = device.queue()
    queue.submit(commands)
    target.read_texels("first")
    block.write(floats((1.0, 1.0, 0.0, 1.0)))
    later = device.command_buffer()
    draw_columns(later, 4)
    later.update_uniform_buffer(block, None, 4, np.array([0.0], np.float32))
    draw_columns(later, 6)
    queue.submit(later)
    target.read_texels("second")


@scene_case(
    "ubp_running/partial",
    t_test="t_ubp_running",
    says="Of a 256-byte block of ones the first 64 bytes become twos: bytes 0, 60, 64 and 128 read 2, 2, 1 and 1.",
    ledger=("ub-partial", "inline-update"),
)
def partial(device: Device) -> None:
    """Two more parts meet at 0x14 and 0x18 and leave the four bytes between them; zeros there are the fault."""
    block = device.buffer(np.ones(64, np.uint32))
    target, commands = start(device, "RGBA32UI", words_of_block, block)
    draw_columns(commands, 0)
    commands.update_uniform_buffer(block, None, 0, np.full(16, 2, np.uint32))
    draw_columns(commands, 2)
    commands.update_uniform_buffer(block, None, 0, np.full(5, 3, np.uint32))
    commands.update_uniform_buffer(block, None, 0x18, np.full(22, 4, np.uint32))
    draw_columns(commands, 4)
    device.queue().submit(commands)
    target.read_texels("words")
    block.read("block")
