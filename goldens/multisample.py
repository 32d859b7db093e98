"""Goldens of ``t_ms_slot``: what multisample textures hold, sample by sample. Fetching them is not here yet."""

from __future__ import annotations

from goldens.drawing import depth_state, draw_rectangle, set_up_drawing
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import MultisampleState

WHITE = (1.0, 1.0, 1.0, 1.0)
BLUE = (0.0, 0.0, 1.0, 1.0)
EDGE = 3 + 8 / 16
"""An edge in pixels with two of 4 samples, and four of 8, on either side and none within 1/16."""


def across(pixels: float, size_px: int = 8) -> float:
    """Return normalized device coordinates of pixels."""
    return pixels * 2 / size_px - 1


@scene_case(
    "ms_slot/depth_samples",
    t_test="t_ms_slot",
    says="Every sample of a depth texture is cleared, and drawn where the sample itself is inside, not the pixel.",
    ledger=("ms-slot",),
)
def depth_samples(device: Device) -> None:
    """Treated as one sample a pixel, the others keep what the clear or the pool left."""
    depth = device.texture("DEPTH32F", 8, 8, samples=4, target="2D_MULTISAMPLE")
    color = device.texture("RGBA8", 8, 8, samples=4, target="2D_MULTISAMPLE")
    commands = device.command_buffer()
    commands.set_render_targets([color], depth_stencil=depth)
    commands.clear_depth_stencil(0.25, True, 0, 0)
    commands.clear_color(0, BLUE)
    set_up_drawing(device, commands, 8, 8)
    commands.bind_depth_stencil_state(depth_state("GREATER"))
    draw_rectangle(device, commands, (-1, -1, across(EDGE), 1), WHITE, depth=0.5)
    device.queue().submit(commands)
    depth.read_texels("depth")
    color.read_texels("color")


@scene_case(
    "ms_slot/eight_samples",
    t_test="t_ms_slot",
    says="Textures of 8 samples are cleared and drawn like others; a sample mask picks samples.",
    ledger=("tex-illegal-fields", "ms-slot"),
)
def eight_samples(device: Device) -> None:
    """Refused, they read 0 and draws into them vanish."""
    target = device.texture("RGBA8", 8, 8, samples=8, target="2D_MULTISAMPLE")
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, BLUE)
    set_up_drawing(device, commands, 8, 8)
    draw_rectangle(device, commands, (-1, -1, across(EDGE), 0), WHITE)
    commands.set_sample_mask(0b1010_0101)
    draw_rectangle(device, commands, (-1, 0, 1, 1), (1.0, 0.0, 0.0, 1.0))
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "ms_slot/sixteen_samples",
    t_test="t_ms_slot",
    says="Textures of 16 samples are cleared, drawn and resolved like others; a sample mask picks samples.",
    ledger=("tex-illegal-fields", "ms-slot"),
)
def sixteen_samples(device: Device) -> None:
    """Refused, they read 0 and draws into them vanish."""
    target = device.texture("RGBA8", 8, 8, samples=16, target="2D_MULTISAMPLE")
    resolved = device.texture("RGBA8", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, BLUE)
    set_up_drawing(device, commands, 8, 8)
    draw_rectangle(device, commands, (-1, -1, across(EDGE - 1 / 32), 0), WHITE)
    commands.set_sample_mask(0b1001_1101_0001_0110)
    draw_rectangle(device, commands, (-1, 0, 1, 1), (1.0, 0.0, 0.0, 1.0))
    commands.downsample(target, resolved)
    device.queue().submit(commands)
    target.read_texels("target")
    resolved.read_texels("resolved")


@scene_case(
    "ms_slot/more_raster_samples",
    t_test="t_ms_slot",
    says="Sixteen raster samples draw to four: masks and the counter count them, coverage modulates colours.",
    ledger=("ms-slot", "query-slots"),
)
def more_raster_samples(device: Device) -> None:
    """Rasterised four times, fewer are left and counted; without modulation all that is touched is stored in full."""
    target = device.texture("RGBA8", 8, 8, samples=4, target="2D_MULTISAMPLE")
    passed = device.buffer(16)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, BLUE)
    set_up_drawing(device, commands, 8, 8)
    state = MultisampleState().set_samples(4).set_raster_samples(16).set_coverage_modulation_mode("RGBA")
    commands.bind_multisample_state(state)
    commands.bind_coverage_modulation_table([(steps / 16) ** 2 for steps in range(1, 17)])
    commands.reset_counter("SAMPLES_PASSED")
    draw_rectangle(device, commands, (-1, -1, across(EDGE - 5 / 32), across(3.5 - 3 / 32)), WHITE)
    commands.set_sample_mask(0b1001_1000_1110)  # 1, 2, 3 and 0 of what belongs to each colour sample
    draw_rectangle(device, commands, (-1, 0, 1, 1), (1.0, 0.0, 0.0, 1.0))
    commands.report_counter("SAMPLES_PASSED", passed)
    device.queue().submit(commands)
    target.read_texels("target")
    passed.get_memory_pool().read("samples_passed", passed.get_memory_offset(), 8)
