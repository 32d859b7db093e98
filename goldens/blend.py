"""Goldens of blending: second sources of ``t_missing_src1``, targets that a shader does not write, advanced modes."""

from __future__ import annotations

import numpy as np

from goldens.drawing import STRIDE_B, colored, draw_rectangle, positioned, set_up_drawing
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import BlendState, ColorState, VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture
from refnvn.shader.python import attribute, flat, fragment_shader, varying, vec4, vertex_shader

SIZE_PX = 4
FULL = (-1.0, -1.0, 1.0, 1.0)


@vertex_shader
def two_colors(position: vec4 = attribute(0), first: vec4 = attribute(1), second: vec4 = attribute(2)):  # type: ignore[no-untyped-def]
    """Pass position and two colours on."""
    return position, first, second


@fragment_shader
def both_written(first: vec4 = varying(0, flat), second: vec4 = varying(1, flat)):  # type: ignore[no-untyped-def]
    """Write outputs 0 and 1."""
    return first, second


def byte(code: int) -> float:
    """Return what an 8-bit code means."""
    return code / 255


def blending(commands: CommandBuffer, blend: BlendState) -> None:
    """Turn blending on for target 0, in a way."""
    commands.bind_color_state(ColorState().set_blend_enable(0, True))
    commands.bind_blend_state(blend)


@scene_case(
    "blend/src1_written",
    t_test="t_missing_src1",
    says="Output 1 is the second source of target 0 where a SRC1 factor wants one, and stays out of target 1.",
    ledger=("src1-written",),
)
def src1_written(device: Device) -> None:
    """40 + 200 * 0.5 is 140; a second source of zero leaves 40, and target 1 keeps its 7."""
    first, second = (device.texture("RGBA8", SIZE_PX, SIZE_PX) for _ in range(2))
    commands = device.command_buffer()
    commands.set_render_targets([first, second])
    commands.clear_color(0, (byte(200),) * 4)
    commands.clear_color(1, (byte(7),) * 4)
    commands.bind_program(device.program(two_colors, both_written))
    formats = [VertexAttribState().set_format("RGBA32F", 16 * k) for k in range(3)]
    commands.bind_vertex_attrib_state(formats)
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(STRIDE_B + 16)])
    commands.set_viewport(0, 0, SIZE_PX, SIZE_PX)
    blending(commands, BlendState().set_blend_func("ONE", "SRC1_ALPHA", "ONE", "SRC1_ALPHA"))
    corners = [(-1, -1), (3, -1), (-1, 3)]
    colors = (*(byte(40),) * 4, 1.0, 1.0, 1.0, 0.5)
    vertices = np.array([(x, y, 0.0, 1.0, *colors) for x, y in corners], np.float32)
    commands.bind_vertex_buffer(0, device.buffer(vertices))
    commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    first.read_texels("first")
    second.read_texels("second")


@scene_case(
    "blend/src1_unwritten",
    t_test="t_missing_src1",
    says="A second source that the shader does not write is zero: SRC1 factors are 0 and their opposites 1.",
    ledger=("src1-unwritten",),
)
def src1_unwritten(device: Device) -> None:
    """Below 50 * 0 + 100 * 1, above 50 * 1 + 100 * 0; a refused pipeline leaves 100 everywhere."""
    target = device.texture("RGBA8", SIZE_PX, SIZE_PX)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (byte(100),) * 4)
    set_up_drawing(device, commands, SIZE_PX, SIZE_PX)
    blending(
        commands,
        BlendState().set_blend_func("SRC1_COLOR", "ONE_MINUS_SRC1_COLOR", "SRC1_COLOR", "ONE_MINUS_SRC1_COLOR"),
    )
    draw_rectangle(device, commands, (-1.0, -1.0, 1.0, 0.0), (byte(50),) * 4)
    blending(
        commands,
        BlendState().set_blend_func("ONE_MINUS_SRC1_COLOR", "SRC1_COLOR", "ONE_MINUS_SRC1_COLOR", "SRC1_COLOR"),
    )
    draw_rectangle(device, commands, (-1.0, 0.0, 1.0, 1.0), (byte(50),) * 4)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "blend/unwritten_outputs",
    t_test="t_missing_src1",
    says="Targets outside the shader's outputs keep everything, with blending on and their masks open.",
    ledger=("unwritten-outputs",),
)
def unwritten_outputs(device: Device) -> None:
    """Noise or fog colour in a G-buffer is what a faulty path leaves there."""
    targets: list[Texture] = [device.texture("RGBA8", SIZE_PX, SIZE_PX) for _ in range(3)]
    commands = device.command_buffer()
    commands.set_render_targets(targets)
    color = ColorState()
    for slot in range(len(targets)):
        commands.clear_color(slot, (byte(10 * slot + 10),) * 4)
        color.set_blend_enable(slot, True)
        commands.bind_blend_state(BlendState().set_blend_target(slot).set_blend_func("ONE", "ONE", "ONE", "ONE"))
    commands.bind_color_state(color)
    set_up_drawing(device, commands, SIZE_PX, SIZE_PX)
    draw_rectangle(device, commands, FULL, (byte(1), byte(2), byte(3), byte(4)))
    device.queue().submit(commands)
    for slot, target in enumerate(targets):
        target.read_texels(f"target_{slot}")


MODES = ("SRC_OVER", "MULTIPLY", "SCREEN", "DARKEN", "LIGHTEN", "EXCLUSION", "PLUS_CLAMPED", "XOR")
"""A row each."""


@scene_case(
    "blend/advanced_modes",
    t_test="t_advanced_blend",
    says="An advanced mode takes the place of the factors that are set beside it.",
    ledger=("advanced-blend",),
)
def advanced_modes(device: Device) -> None:
    """With the plain state's factors kept, which add here, translucent layers are too bright."""
    target = device.texture("RGBA8", SIZE_PX, len(MODES))
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0.8, 0.4, 0.2, 1.0))
    set_up_drawing(device, commands, SIZE_PX, len(MODES))
    for row, mode in enumerate(MODES):
        state = BlendState().set_blend_func("ONE", "ONE", "ONE", "ONE").set_advanced_mode(mode)
        blending(commands, state)
        commands.set_scissor(0, row, SIZE_PX, 1)
        draw_rectangle(device, commands, FULL, (0.2, 0.4, 0.6, 0.6))
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "blend/advanced_sources",
    t_test="t_advanced_blend",
    says="SRC_OVER of a source that is not premultiplied multiplies it with its alpha first.",
    ledger=("advanced-blend",),
)
def advanced_sources(device: Device) -> None:
    """White at alpha 0.6 over black: 153 where it is multiplied here, 255 where it was before."""
    target = device.texture("RGBA8", SIZE_PX, 2)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0, 0, 0, 1))
    commands.bind_program(device.program(positioned, colored))
    set_up_drawing(device, commands, SIZE_PX, 2)
    for row, premultiplied in enumerate((True, False)):
        blending(commands, BlendState().set_advanced_mode("SRC_OVER").set_advanced_premultiplied_src(premultiplied))
        commands.set_scissor(0, row, SIZE_PX, 1)
        draw_rectangle(device, commands, FULL, (1.0, 1.0, 1.0, 0.6))
    device.queue().submit(commands)
    target.read_texels("target")
