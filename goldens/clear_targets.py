"""Goldens of ``t_clear_ds``, ``t_clear_layers`` and ``t_attachment_capacity``: clears of render targets."""

from __future__ import annotations

from goldens.drawing import draw_rectangle, set_up_drawing
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import TextureView

RED = (1.0, 0.0, 0.0, 1.0)
GREEN = (0.0, 1.0, 0.0, 1.0)
BLUE = (0.0, 0.0, 1.0, 1.0)


@scene_case(
    "clear_ds/first_use",
    t_test="t_clear_ds",
    says="Depth and stencil that nothing wrote are zero, in every level, layer and sample, whatever lay in the pool.",
    ledger=("zero-init",),
)
def first_use(device: Device) -> None:
    """Starting depth at 1.0 rejects a GEQUAL pass."""
    depth = device.texture("DEPTH32F", 16, 16, levels=2)
    combined = device.texture("DEPTH24_STENCIL8", 16, 16)
    array = device.texture("DEPTH16", 8, 8, 3, target="2D_ARRAY")
    color = device.texture("RGBA8", 16, 16)
    depth.read_texels("depth_level_0")
    depth.read_texels("depth_level_1", level=1)
    combined.read_texels("combined")
    array.read_texels("array")
    color.read_texels("color")


@scene_case(
    "clear_ds/partial_stencil",
    t_test="t_clear_ds",
    says="A stencil clear writes the bits of its mask, (old & ~mask) | (value & mask), with and without depth.",
    ledger=("clear-ds-partial-stencil", "clear-in-pass"),
)
def partial_stencil(device: Device) -> None:
    """Cleared whole, other passes' bits disappear; dropped, the asked bit stays."""
    target = device.texture("DEPTH24_STENCIL8", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets([], depth_stencil=target)
    commands.clear_depth_stencil(1.0, True, 0xA5, 0xFF)
    commands.set_scissor(0, 0, 4, 8)
    commands.clear_depth_stencil(0.0, True, 0x5A, 0x0F)
    commands.set_scissor(2, 2, 4, 2)
    commands.clear_depth_stencil(0.25, False, 0x00, 0x01)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "clear_ds/planes",
    t_test="t_clear_ds",
    says="Clearing one plane of a combined format leaves the other, in both combined formats.",
    ledger=("clear-ds-partial-stencil",),
)
def planes(device: Device) -> None:
    """The X bits of the 64-bit format are padding."""
    for name in ("DEPTH24_STENCIL8", "DEPTH32F_STENCIL8"):
        target = device.texture(name, 4, 4)
        commands = device.command_buffer()
        commands.set_render_targets([], depth_stencil=target)
        commands.clear_depth_stencil(1.0, True, 0x3C, 0xFF)
        commands.set_scissor(0, 0, 2, 4)
        commands.clear_depth_stencil(0.0, True, 0xFF, 0x00)
        commands.set_scissor(0, 0, 4, 2)
        commands.clear_depth_stencil(0.5, False, 0xC3, 0xFF)
        device.queue().submit(commands)
        target.read_texels(name.lower())


@scene_case(
    "clear_ds/scissor_and_channels",
    t_test="t_clear_ds",
    says="Target clears honour the scissor and the channel mask, in and before a pass.",
    ledger=("clear-scissor", "clear-in-pass", "mask-covers-all"),
)
def scissor_and_channels(device: Device) -> None:
    """Neighbouring pyramid levels packed in one target vanish when the scissor is ignored."""
    target = device.texture("RGBA8", 16, 8)
    narrow = device.texture("R8", 16, 8)
    commands = device.command_buffer()
    commands.set_render_targets([target, narrow])
    commands.clear_color(0, RED)
    commands.clear_color(1, RED, "R")
    commands.set_scissor(4, 2, 8, 4)
    commands.clear_color(0, GREEN)
    commands.clear_color(1, (51 / 255, 0, 0, 0), "R")
    commands.set_scissor(0, 0, 2, 2)
    commands.clear_color(0, (0, 0, 1, 0), "B|A")
    device.queue().submit(commands)
    target.read_texels("target")
    narrow.read_texels("narrow")


@scene_case(
    "clear_ds/larger_attachment",
    t_test="t_clear_ds",
    says="A clear covers the whole of each target, also of one larger than the others.",
    ledger=("clear-larger-att",),
)
def larger_attachment(device: Device) -> None:
    """Limited to the intersection, the rest keeps last frame's depth."""
    small = device.texture("RGBA8", 8, 4)
    large = device.texture("RGBA8", 16, 16)
    depth = device.texture("DEPTH32F", 12, 10)
    commands = device.command_buffer()
    commands.set_render_targets([small, large], depth_stencil=depth)
    commands.clear_color(0, RED)
    commands.clear_color(1, GREEN)
    commands.clear_depth_stencil(0.75, True, 0, 0)
    device.queue().submit(commands)
    small.read_texels("small")
    large.read_texels("large")
    depth.read_texels("depth")


@scene_case(
    "clear_layers/whole_view",
    t_test="t_clear_layers",
    says="A clear reaches all layers of the view that is attached: a whole cube, and a range of an array.",
    ledger=("clear-layers",),
)
def whole_view(device: Device) -> None:
    """One layer only leaves five of six shadow-cube faces at depth 0."""
    cube = device.texture("DEPTH32F", 8, 8, target="CUBEMAP")
    array = device.texture("RGBA8", 8, 8, 5, target="2D_ARRAY")
    commands = device.command_buffer()
    commands.set_render_targets([array], depth_stencil=cube)
    commands.clear_color(0, RED)
    commands.clear_depth_stencil(1.0, True, 0, 0)
    commands.set_render_targets([array], [TextureView().set_layers(1, 2)])
    commands.clear_color(0, GREEN)
    device.queue().submit(commands)
    array.read_texels("array")
    cube.read_texels("cube")


@scene_case(
    "clear_layers/integers",
    t_test="t_clear_layers",
    says="Integer clears of targets keep all 32 bits, layer by layer.",
    ledger=("clear-int", "clear-layers"),
)
def integers(device: Device) -> None:
    """Exact beyond 2^24, where float32 is not."""
    target = device.texture("RGBA32UI", 4, 4, 2, target="2D_ARRAY")
    signed = device.texture("R32I", 4, 4)
    commands = device.command_buffer()
    commands.set_render_targets([target, signed])
    commands.clear_colorui(0, (0x01000001, 0xFFFFFFFF, 7, 0))
    commands.clear_colori(1, (-16777217, 0, 0, 0))
    device.queue().submit(commands)
    target.read_texels("target")
    signed.read_texels("signed")


@scene_case(
    "attachment_capacity/eight_targets",
    t_test="t_attachment_capacity",
    says="Eight colour targets, depth and stencil at once, each with its own clear.",
    ledger=("attachment-capacity",),
)
def eight_targets(device: Device) -> None:
    """Ten planes; a host that models nine loses one."""
    colors = [device.texture("RGBA8", 8, 8) for _ in range(8)]
    depth = device.texture("DEPTH24_STENCIL8", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets(colors, depth_stencil=depth)
    for slot in range(8):
        commands.clear_color(slot, (slot / 255, (255 - slot) / 255, slot % 2, 1))
    commands.clear_depth_stencil(1.0, True, 0x81, 0xFF)
    device.queue().submit(commands)
    for slot, color in enumerate(colors):
        color.read_texels(f"color_{slot}")
    depth.read_texels("depth_stencil")


@scene_case(
    "clear_layers/record_snapshot",
    t_test="t_clear_layers",
    says="A command keeps the texture it was recorded with, whatever the object becomes before it runs.",
    ledger=("record-snapshot",),
)
def record_snapshot(device: Device) -> None:
    """Reading the live object at replay clears a different target."""
    first = device.texture("RGBA8", 4, 4, label="live")
    second = device.texture("RGBA8", 4, 4, label="live")
    commands = device.command_buffer()
    commands.set_render_targets([first])
    commands.clear_color(0, RED)
    commands.set_render_targets([second])
    commands.clear_color(0, GREEN)
    device.queue().submit(commands)
    first.read_storage("first")
    second.read_storage("second")


@scene_case(
    "clear_ds/read_between",
    t_test="t_clear_ds",
    says="A clear is done before the copy after it reads the target.",
    ledger=("lazy-clear", "clear-before-dispatch"),
)
def read_between(device: Device) -> None:
    """Deferred past its first reader, the reader sees last frame's picture."""
    target = device.texture("RGBA8", 4, 4)
    seen = device.buffer(64)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, RED)
    commands.copy_texture_to_buffer(target, None, None, seen)
    commands.clear_color(0, GREEN)
    device.queue().submit(commands)
    seen.read("seen")
    target.read_texels("target")


@scene_case(
    "clear_ds/in_pass",
    t_test="t_clear_ds",
    says="A clear between draws does what it would do before them: a scissored colour clear, then a smaller draw.",
    ledger=("clear-in-pass",),
)
def in_pass(device: Device) -> None:
    """Dropped between draws, tiles of old content stay."""
    target = device.texture("RGBA8", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    set_up_drawing(device, commands, 8, 8)
    draw_rectangle(device, commands, (-1, -1, 1, 1), RED)
    commands.set_scissor(2, 2, 4, 4)
    commands.clear_color(0, GREEN)
    commands.set_scissor(0, 0, 8, 8)
    draw_rectangle(device, commands, (-0.25, -0.25, 0.25, 0.25), BLUE)
    device.queue().submit(commands)
    target.read_texels("target")
