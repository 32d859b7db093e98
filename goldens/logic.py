"""Goldens of ``t_logic``: sixteen operations on codes, a column each; the upper rows under a channel mask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldens.drawing import colored, positioned
from refnvn.enumerations import LogicOp
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.program import Program
from refnvn.nvn.states import BlendState, ChannelMaskState, ColorState, VertexAttribState, VertexStreamState
from refnvn.shader.python import attribute, flat, fragment_shader, uvec4, varying, vec4, vertex_shader

COLUMNS = len(LogicOp)
ROWS = 4
STRIDE_B = 32

STORED = (0xF0, 0x0F, 0xAA, 0x00)
DRAWN = (0xCC, 0x33, 0x0F, 0x80)
"""Bytes; as parts of 255 they become the same codes whichever way a port rounds."""


@vertex_shader
def positioned_words(position: vec4 = attribute(0), words: uvec4 = attribute(1)):  # type: ignore[no-untyped-def]
    """Pass position and words on."""
    return position, words


@fragment_shader
def worded(words: uvec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the words of the last vertex."""
    return words


def set_up(commands: CommandBuffer, program: Program, fmt: str) -> None:
    """Bind a program whose second attribute has a format."""
    commands.bind_program(program)
    commands.bind_vertex_attrib_state(
        [VertexAttribState().set_format("RGBA32F", 0), VertexAttribState().set_format(fmt, 16)]
    )
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(STRIDE_B)])
    commands.set_viewport(0, 0, COLUMNS, ROWS)


def draw_columns(device: Device, commands: CommandBuffer, words: np.ndarray, *, blend: bool = False) -> None:
    """Draw four words over every column, by another operation each; the upper half under a mask of R and B."""
    corners = np.array([(-1, -1, 0, 1), (3, -1, 0, 1), (-1, 3, 0, 1)], np.float32).view(np.uint32)
    vertices = np.concatenate([corners, np.tile(words.astype(np.uint32), (3, 1))], axis=1)
    commands.bind_vertex_buffer(0, device.buffer(np.ascontiguousarray(vertices)))
    for column, op in enumerate(LogicOp):
        commands.bind_color_state(ColorState().set_logic_op(op).set_blend_enable(0, blend))
        for first, green_and_alpha in ((0, True), (ROWS // 2, False)):
            mask = ChannelMaskState().set_channel_mask(0, True, green_and_alpha, True, green_and_alpha)
            commands.bind_channel_mask_state(mask)
            commands.set_scissor(column, first, 1, ROWS // 2)
            commands.draw_arrays("TRIANGLES", 0, 3)


def on_floats(device: Device, fmt: str, stored: Sequence[float], drawn: Sequence[float]) -> None:
    """Combine what a float output becomes with what a clear stored."""
    target = device.texture(fmt, COLUMNS, ROWS)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, stored)
    set_up(commands, device.program(positioned, colored), "RGBA32F")
    draw_columns(device, commands, np.array(drawn, np.float32).view(np.uint32))
    device.queue().submit(commands)
    target.read_texels("target")


def on_integers(device: Device, fmt: str, stored: tuple[int, int, int, int], drawn: Sequence[int]) -> None:
    """Combine integers."""
    target = device.texture(fmt, COLUMNS, ROWS)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_colorui(0, stored)
    set_up(commands, device.program(positioned_words, worded), "RGBA32UI")
    draw_columns(device, commands, np.array(drawn, np.uint32))
    device.queue().submit(commands)
    target.read_texels("target")


def parts(codes: Sequence[int], largest: int) -> list[float]:
    """Return codes as parts of the largest one."""
    return [code / largest for code in codes]


@scene_case(
    "logic/rgba8",
    t_test="t_logic",
    says="Sixteen operations combine the 8-bit codes of a float output with those that are stored.",
    ledger=("logic-op",),
)
def rgba8(device: Device) -> None:
    """OR of 0x80 into alpha keeps the colours; written by COPY they go black."""
    on_floats(device, "RGBA8", parts(STORED, 255), parts(DRAWN, 255))


@scene_case(
    "logic/rgba16",
    t_test="t_logic",
    says="Sixteen operations combine 16-bit codes.",
    ledger=("logic-op",),
)
def rgba16(device: Device) -> None:
    """Codes that fit float32 whichever way a port rounds."""
    stored, drawn = (0xF0F0, 0x0FF0, 0xAAAA, 0x0000), (0xCCCC, 0x3333, 0x0F0F, 0x8000)
    on_floats(device, "RGBA16", parts(stored, 65535), parts(drawn, 65535))


@scene_case(
    "logic/rgb10a2",
    t_test="t_logic",
    says="Sixteen operations combine fields of ten bits, and the two of alpha.",
    ledger=("logic-op",),
)
def rgb10a2(device: Device) -> None:
    """Alpha 2 of 3 meets alpha 1."""
    on_floats(
        device,
        "RGB10A2",
        [0x3C0 / 1023, 0x0F0 / 1023, 0x2AA / 1023, 1 / 3],
        [*parts((0x333, 0xCC, 0x3F), 1023), 2 / 3],
    )


@scene_case(
    "logic/bgr565",
    t_test="t_logic",
    says="Sixteen operations combine packed fields of 5, 6 and 5 bits.",
    ledger=("logic-op",),
)
def bgr565(device: Device) -> None:
    """Bytes 165 and 99 give the same fields by truncation and by rounding."""
    on_floats(device, "BGR565", parts((99, 99, 165, 255), 255), parts((165, 165, 99, 255), 255))


@scene_case(
    "logic/rgba8ui",
    t_test="t_logic",
    says="Sixteen operations combine 8-bit integers.",
    ledger=("logic-op",),
)
def rgba8ui(device: Device) -> None:
    """The bytes of the unorm case, as integers."""
    on_integers(device, "RGBA8UI", STORED, DRAWN)


@scene_case(
    "logic/rg32ui",
    t_test="t_logic",
    says="Sixteen operations combine all 32 bits of two integers.",
    ledger=("logic-op",),
)
def rg32ui(device: Device) -> None:
    """OR of 5 << 8 into 3 is 0x0503: a list of light probes that grows."""
    on_integers(device, "RG32UI", (3, 0xF0F0_F0F0, 0, 0), (5 << 8, 0xCCCC_3333, 0, 0))


@scene_case(
    "logic/no_blending",
    t_test="t_logic",
    says="With a logic operation set, a float target takes its source unblended, whatever the operation.",
    ledger=("logic-op",),
)
def no_blending(device: Device) -> None:
    """Only COPY, which is none, blends: 0.5 + 0.25."""
    target = device.texture("RGBA16F", COLUMNS, ROWS)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0.25, 0.25, 0.25, 0.25))
    set_up(commands, device.program(positioned, colored), "RGBA32F")
    commands.bind_blend_state(BlendState().set_blend_func("ONE", "ONE", "ONE", "ONE"))
    half = np.full(4, 0.5, np.float32).view(np.uint32)
    draw_columns(device, commands, half, blend=True)
    device.queue().submit(commands)
    target.read_texels("target")
