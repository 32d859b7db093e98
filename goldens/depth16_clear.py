"""Goldens of ``t_depth16_clear``: a D16 clear and a fragment of the same depth store the same code."""

from __future__ import annotations

import numpy as np

from goldens.drawing import depth_state, draw_rectangle, set_up_drawing
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device

WHITE = (1.0, 1.0, 1.0, 1.0)
FULL = (-1.0, -1.0, 1.0, 1.0)
SIZE_PX = 64


@scene_case(
    "depth16_clear/equal_pass",
    t_test="t_depth16_clear",
    says="A D16 target cleared to 0.5 accepts a full-screen EQUAL pass at 0.5 in every pixel.",
    ledger=("d16-clear",),
)
def equal_pass(device: Device) -> None:
    """Where the clear truncates and fragments round, nothing passes: a tile grid in highlights."""
    device.set_depth_mode("NEAR_IS_ZERO")
    color = device.texture("RGBA8", SIZE_PX, SIZE_PX)
    depth = device.texture("DEPTH16", SIZE_PX, SIZE_PX)
    commands = device.command_buffer()
    commands.set_render_targets([color], depth_stencil=depth)
    commands.clear_color(0, (0, 0, 0, 1))
    commands.clear_depth_stencil(0.5, True)
    set_up_drawing(device, commands, SIZE_PX, SIZE_PX)
    commands.bind_depth_stencil_state(depth_state("EQUAL", write=False))
    draw_rectangle(device, commands, FULL, WHITE, 0.5)
    device.queue().submit(commands)
    color.read_texels("color")


@scene_case(
    "depth16_clear/boundaries",
    t_test="t_depth16_clear",
    says="Depths half-way between D16 codes, and their neighbours, pass an EQUAL pass after a clear to the same.",
    ledger=("d16-clear",),
)
def boundaries(device: Device) -> None:
    """One column of pixels a depth: cleared by scissor, then drawn; stored codes may round one way or the other."""
    device.set_depth_mode("NEAR_IS_ZERO")
    codes = (0, 1, 100, 16383, 32767, 40000, 65533, 65534)
    ties = [np.float32((code + 0.5) / 65535) for code in codes]
    around = [np.nextafter(tie, np.float32(to), dtype=np.float32) for tie in ties for to in (0, 1)]
    depths = [float(one) for pair in zip(ties, around[::2], around[1::2], strict=True) for one in pair]
    color = device.texture("RGBA8", len(depths), 4)
    depth = device.texture("DEPTH16", len(depths), 4)
    commands = device.command_buffer()
    commands.set_render_targets([color], depth_stencil=depth)
    commands.clear_color(0, (0, 0, 0, 1))
    set_up_drawing(device, commands, len(depths), 4)
    commands.bind_depth_stencil_state(depth_state("EQUAL", write=False))
    for x, value in enumerate(depths):
        commands.set_scissor(x, 0, 1, 4)
        commands.clear_depth_stencil(value, True)
        draw_rectangle(device, commands, FULL, WHITE, value)
    device.queue().submit(commands)
    color.read_texels("color")
    depth.read_texels("depth")


@scene_case(
    "depth16_clear/first_use",
    t_test="t_clear_ds",
    says="A depth target that nothing cleared is zero: a GEQUAL pass at 0.25 covers it.",
    ledger=("zero-init",),
)
def first_use(device: Device) -> None:
    """Starting at 1.0 the pass is rejected and a film stays black."""
    device.set_depth_mode("NEAR_IS_ZERO")
    color = device.texture("RGBA8", 16, 16)
    depth = device.texture("DEPTH32F", 16, 16)
    commands = device.command_buffer()
    commands.set_render_targets([color], depth_stencil=depth)
    commands.clear_color(0, (0, 0, 0, 1))
    set_up_drawing(device, commands, 16, 16)
    commands.bind_depth_stencil_state(depth_state("GEQUAL"))
    draw_rectangle(device, commands, FULL, WHITE, 0.25)
    device.queue().submit(commands)
    color.read_texels("color")
    depth.read_texels("depth")
