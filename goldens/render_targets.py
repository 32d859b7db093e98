"""Goldens of ``t_pso_depth_stencil``, ``t_rt_range``, ``t_attachment_capacity``: planes, passes, slots of targets.

Read next: ``clear_targets.py``.
"""

from __future__ import annotations

from goldens.drawing import depth_state, draw_rectangle, set_up_drawing
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import ChannelMaskState, DepthStencilState
from refnvn.nvn.texture import TextureView

RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
WHOLE = (-1.0, -1.0, 1.0, 1.0)
LEFT, LOWER = (-1.0, -1.0, 0.0, 1.0), (-1.0, -1.0, 1.0, 0.0)
POISON_DEPTH, POISON_STENCIL = 0.75, 0xA5


def _stencil_only(reference_op: str = "REPLACE") -> DepthStencilState:
    """Return a state that writes stencil and neither tests nor writes depth."""
    return (
        DepthStencilState()
        .set_stencil_test_enable(True)
        .set_stencil_func("FRONT_AND_BACK", "ALWAYS")
        .set_stencil_op("FRONT_AND_BACK", "KEEP", "KEEP", reference_op)
    )


@scene_case(
    "pso_depth_stencil/one_plane",
    t_test="t_pso_depth_stencil",
    says="A draw that tests and writes depth alone leaves stencil, and one of stencil alone leaves depth.",
    ledger=("ds-pair",),
)
def one_plane(device: Device) -> None:
    """Both planes are filled first, so that a lost one shows."""
    for name in ("DEPTH24_STENCIL8", "DEPTH32F_STENCIL8"):
        color, depth = device.texture("RGBA8", 8, 8), device.texture(name, 8, 8)
        commands = device.command_buffer()
        commands.set_render_targets([color], depth_stencil=depth)
        set_up_drawing(device, commands, 8, 8)
        commands.clear_color(0, BLUE)
        commands.clear_depth_stencil(POISON_DEPTH, True, POISON_STENCIL, 0xFF)
        commands.bind_depth_stencil_state(depth_state("LESS"))
        draw_rectangle(device, commands, LEFT, RED)
        commands.bind_depth_stencil_state(_stencil_only())
        commands.set_stencil_ref("FRONT_AND_BACK", 0x3C)
        draw_rectangle(device, commands, LOWER, GREEN)
        device.queue().submit(commands)
        color.read_texels(f"color_{name.lower()}")
        depth.read_texels(name.lower())


@scene_case(
    "rt_range/scissors_of_a_pass",
    t_test="t_rt_range",
    says="Each draw reaches what its own scissor leaves, whatever an earlier draw of the pass was limited to.",
    ledger=("rp-area",),
)
def scissors_of_a_pass(device: Device) -> None:
    """A pass area kept from the first draw loses what the others draw outside of it."""
    target = device.texture("RGBA8", 16, 16)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    set_up_drawing(device, commands, 16, 16)
    commands.clear_color(0, BLUE)
    commands.set_scissor(2, 2, 6, 4)
    draw_rectangle(device, commands, WHOLE, RED)
    commands.set_scissor(4, 4, 10, 10)
    draw_rectangle(device, commands, WHOLE, GREEN)
    commands.set_scissor(0, 15, 16, 1)
    draw_rectangle(device, commands, WHOLE, RED)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "rt_range/depth_as_colour",
    t_test="t_rt_range",
    says="A depth texture is drawn to through a colour view of one channel: the output's code becomes the depth's.",
    ledger=("depth-as-colour-rt",),
)
def depth_as_colour(device: Device) -> None:
    """Then the depth that was drawn decides a depth test."""
    for name, seen, value in (("DEPTH16", "R16", 0.25), ("DEPTH32F", "R32F", 0.25)):
        color, depth = device.texture("RGBA8", 8, 8), device.texture(name, 8, 8)
        commands = device.command_buffer()
        commands.set_render_targets([], depth_stencil=depth)
        commands.clear_depth_stencil(1.0, True, 0, 0)
        commands.set_render_targets([depth], [TextureView().set_format(seen)])
        set_up_drawing(device, commands, 8, 8)
        draw_rectangle(device, commands, LEFT, (value, 0.0, 0.0, 0.0))
        commands.set_render_targets([color], depth_stencil=depth)
        commands.clear_color(0, BLUE)
        commands.bind_depth_stencil_state(depth_state("LESS", write=False))
        draw_rectangle(device, commands, WHOLE, GREEN)
        device.queue().submit(commands)
        depth.read_texels(name.lower())
        color.read_texels(f"color_{name.lower()}")


@scene_case(
    "attachment_capacity/duplicate",
    t_test="t_attachment_capacity",
    says="A level that is in two slots is written by each under its own mask; one of mask 0 interferes with nothing.",
    ledger=("dup-attachment",),
)
def duplicate(device: Device) -> None:
    """Copies of tiles of their own would leave scattered squares of 32 x 32."""
    target, other = device.texture("RGBA8", 64, 64), device.texture("RGBA8", 64, 64)
    commands = device.command_buffer()
    commands.set_render_targets([target, other, target])
    set_up_drawing(device, commands, 64, 64)
    commands.clear_color(0, BLUE)
    commands.clear_color(1, BLUE)
    commands.bind_channel_mask_state(ChannelMaskState().set_channel_mask(2, False, False, False, False))
    draw_rectangle(device, commands, WHOLE, RED)
    draw_rectangle(device, commands, LEFT, GREEN)
    device.queue().submit(commands)
    target.read_texels("target")
    other.read_texels("other")
