"""Goldens of the depth mode, where the near plane lies, and of conservative rasterisation: which pixels are touched.

Read next: ``primitives.py``.
"""

from __future__ import annotations

import numpy as np

from goldens.drawing import depth_state, draw_rectangle, set_up_drawing
from goldens.primitives import finished, positions, started
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device

SIZE_PX = 8
WHITE = (1.0, 1.0, 1.0, 1.0)
HALVES = (((-1, -1, 0, 1), -0.5), ((0, -1, 1, 1), 0.5))
"""The left half at clip z -0.5, the right one at 0.5; w is 1."""


def _drawn(device: Device, mode: str) -> None:
    """Draw both halves over depth 0.125 in a depth mode and read what was stored."""
    device.set_depth_mode(mode)
    color, depth = device.texture("RGBA8", SIZE_PX, SIZE_PX), device.texture("DEPTH32F", SIZE_PX, SIZE_PX)
    commands = device.command_buffer()
    commands.set_render_targets([color], None, depth)
    commands.clear_depth_stencil(0.125, True, 0, 0)
    set_up_drawing(device, commands, SIZE_PX, SIZE_PX)
    commands.bind_depth_stencil_state(depth_state("ALWAYS"))
    for corners, z in HALVES:
        draw_rectangle(device, commands, corners, WHITE, depth=z)
    device.queue().submit(commands)
    color.read_texels("color")
    depth.read_texels("depth")


@scene_case(
    "depth_mode/minus_w",
    t_test="t_primitives",
    says="Where the near plane is -w, clip z -0.5 and 0.5 are stored as 0.25 and 0.75, and all pixels are drawn.",
    ledger=("s4-5-depth-mode",),
)
def minus_w(device: Device) -> None:
    """Taken for a scene whose near plane is 0, the left half is clipped away."""
    _drawn(device, "NEAR_IS_MINUS_W")


@scene_case(
    "depth_mode/zero",
    t_test="t_primitives",
    says="Where the near plane is 0, clip z 0.5 is stored as 0.5 and what lies at -0.5 is clipped away.",
    ledger=("s4-5-depth-mode",),
)
def zero(device: Device) -> None:
    """Taken for a scene whose near plane is -w, the left half is drawn and the right one is at 0.75."""
    _drawn(device, "NEAR_IS_ZERO")


SLIVER = ((-0.95, -0.75), (0.95, 0.85), (0.95, 0.9))
"""A thin triangle from the lower left to the upper right."""


@scene_case(
    "conservative_raster/sliver",
    t_test="t_primitives",
    says="A sliver covers the pixels whose centres it holds; with conservative rasterisation every one it touches.",
    ledger=("conservative-raster",),
)
def sliver(device: Device) -> None:
    """Off, then on, then off again; off, the thin end has holes."""
    for name, on in (("off", (False,)), ("on", (True,)), ("off_again", (True, False))):
        target, commands = started(device, np.asarray(positions(SLIVER)))
        for enable in on:
            commands.set_conservative_raster_enable(enable)
        commands.draw_arrays("TRIANGLES", 0, len(SLIVER))
        commands.set_conservative_raster_enable(False)
        finished(device, target, commands, name)


@scene_case(
    "conservative_raster/dilated",
    t_test="t_primitives",
    says="Dilated by a quarter, half or three quarters of a pixel, a conservative triangle reaches ever further.",
    ledger=("conservative-raster",),
)
def dilated(device: Device) -> None:
    """A small triangle around the corner of four pixels."""
    corners = positions(((-0.15, -0.15), (0.2, -0.05), (0.05, 0.1)))
    for quarters in range(4):
        target, commands = started(device, corners)
        commands.set_conservative_raster_enable(True)
        commands.set_conservative_raster_dilate(quarters / 4)
        commands.draw_arrays("TRIANGLES", 0, len(corners))
        commands.set_conservative_raster_enable(False)
        finished(device, target, commands, f"quarters_{quarters}")
