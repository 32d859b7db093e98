"""Goldens of ``t_alpha``: which alphas of a ramp the test lets pass, and what failing fragments leave."""

from __future__ import annotations

import numpy as np

from goldens.drawing import depth_state, set_up_drawing
from refnvn.enumerations import AlphaFunc
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import ColorState

STEPS = 16
REFERENCES = (0.0, 0.3125, 0.5, 1.0, float("nan"))
"""No multiple of 1/15 lies between 0.3125 or 0.5 and its nearest 8-bit code, so slack decides nothing."""


def draw_ramp(device: Device, commands: CommandBuffer, row: int, rows: int, depth: float = 0.0) -> None:
    """Draw a row of 16 white pixels whose alphas are k / 15."""
    top, bottom = (row + 1) * 2 / rows - 1, row * 2 / rows - 1
    vertices = []
    for k in range(STEPS):
        left, right = k / 8 - 1, (k + 1) / 8 - 1
        corners = [(left, bottom), (right, bottom), (left, top), (left, top), (right, bottom), (right, top)]
        vertices += [(x, y, depth, 1.0, 1.0, 1.0, 1.0, k / 15) for x, y in corners]
    commands.bind_vertex_buffer(0, device.buffer(np.array(vertices, np.float32)))
    commands.draw_arrays("TRIANGLES", 0, len(vertices))


def draw_all_tests(device: Device, commands: CommandBuffer) -> int:
    """Draw a ramp for each function and reference, a row each; return the rows."""
    rows = len(AlphaFunc) * len(REFERENCES)
    set_up_drawing(device, commands, STEPS, rows)
    for number, func in enumerate(AlphaFunc):
        commands.bind_color_state(ColorState().set_alpha_test(func))
        for place, reference in enumerate(REFERENCES):
            commands.set_alpha_ref(reference)
            draw_ramp(device, commands, number * len(REFERENCES) + place, rows)
    return rows


def ramp(device: Device, fmt: str) -> None:
    """Draw all tests to a target of a format."""
    target = device.texture(fmt, STEPS, len(AlphaFunc) * len(REFERENCES))
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0, 0, 0, 0))
    draw_all_tests(device, commands)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "alpha/ramp",
    t_test="t_alpha",
    says="Eight functions and five references let their part of a ramp of alphas k / 15 pass, on an 8-bit target.",
    ledger=("alpha-test",),
)
def ramp_on_bytes(device: Device) -> None:
    """Without the test all 16 pixels of every row are drawn."""
    ramp(device, "RGBA8")


@scene_case(
    "alpha/ramp_float",
    t_test="t_alpha",
    says="On a float target alphas and references compare as floats: NaN passes NOTEQUAL and ALWAYS alone.",
    ledger=("alpha-test",),
)
def ramp_on_floats(device: Device) -> None:
    """The channels hold 1 where a fragment passed; alpha is the ramp itself."""
    ramp(device, "RGBA32F")


@scene_case(
    "alpha/integer_target",
    t_test="t_alpha",
    says="Where colour 0 is an integer target nothing is tested, not even by NEVER.",
    ledger=("alpha-test",),
)
def integer_target(device: Device) -> None:
    """Colour 0 is written in every pixel."""
    target = device.texture("RGBA8UI", STEPS, 4)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_colorui(0, (7, 7, 7, 7))
    set_up_drawing(device, commands, STEPS, 4)
    commands.set_alpha_ref(0.5)
    for row, func in enumerate(("NEVER", "LESS", "GREATER", "EQUAL")):
        commands.bind_color_state(ColorState().set_alpha_test(func))
        draw_ramp(device, commands, row, 4)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "alpha/depth",
    t_test="t_alpha",
    says="A fragment that fails the alpha test leaves depth, stencil and colour as they are.",
    ledger=("alpha-test",),
)
def depth(device: Device) -> None:
    """The ramp passes from k = 8 on: only there depth becomes 0.25 and stencil 1."""
    device.set_depth_mode("NEAR_IS_ZERO")
    color = device.texture("RGBA8", STEPS, 4)
    planes = device.texture("DEPTH24_STENCIL8", STEPS, 4)
    commands = device.command_buffer()
    commands.set_render_targets([color], depth_stencil=planes)
    commands.clear_color(0, (0, 0, 0, 0))
    commands.clear_depth_stencil(1.0, True, 0, 255)
    set_up_drawing(device, commands, STEPS, 4)
    tested = depth_state("LESS").set_stencil_test_enable(True)
    commands.bind_depth_stencil_state(tested.set_stencil_op("FRONT_AND_BACK", "KEEP", "KEEP", "REPLACE"))
    commands.set_stencil_ref("FRONT_AND_BACK", 1)
    commands.bind_color_state(ColorState().set_alpha_test("GREATER"))
    commands.set_alpha_ref(0.5)
    for row in range(4):
        draw_ramp(device, commands, row, 4, depth=0.25)
    device.queue().submit(commands)
    color.read_texels("color")
    planes.read_texels("planes")
