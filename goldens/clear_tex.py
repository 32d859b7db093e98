"""Goldens of ``t_clear_tex``: texture clears with masks, regions, levels, layers and integers."""

from __future__ import annotations

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import TextureView

BLUE_GREY = (64 / 255, 128 / 255, 191 / 255, 1.0)
"""Exact codes, so that no rounding decides."""


@scene_case(
    "clear_tex/mask",
    t_test="t_clear_tex",
    says="A texture clear writes the channels of its mask: only alpha, then only red and blue, then none.",
    ledger=("clear-tex-partial", "mask-covers-all"),
)
def mask(device: Device) -> None:
    """Ignoring the mask loses RGB when only alpha is cleared."""
    target = device.texture("RGBA8", 8, 4)
    commands = device.command_buffer()
    commands.clear_texture(target, None, None, BLUE_GREY)
    commands.clear_texture(target, None, (0, 0, 4, 2), (0, 0, 0, 0), "A")
    commands.clear_texture(target, None, (4, 0, 4, 2), (1, 1, 1, 1), "R|B")
    commands.clear_texture(target, None, (0, 2, 4, 2), (1, 1, 1, 1), 0)
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "clear_tex/mask_of_one_channel",
    t_test="t_clear_tex",
    says="A mask that covers every channel the format has is a whole clear: R8 with mask R.",
    ledger=("mask-covers-all",),
)
def mask_of_one_channel(device: Device) -> None:
    """Judged by RGBA the mask looks partial; a host that drops such a clear keeps old content."""
    target = device.texture("R8", 4, 4)
    target.write_texels(bytes(range(16)))
    commands = device.command_buffer()
    commands.clear_texture(target, None, None, (1, 0, 0, 0), "R")
    device.queue().submit(commands)
    target.read_texels("target")


@scene_case(
    "clear_tex/region_level_layer",
    t_test="t_clear_tex",
    says="A texture clear touches one region of one level of some layers, whatever the scissor.",
    ledger=("clear-tex-partial",),
)
def region_level_layer(device: Device) -> None:
    """Applying the current scissor stops the clear at a stray rectangle."""
    array = device.texture("RGBA8", 16, 16, 4, target="2D_ARRAY", levels=3)
    level_1 = TextureView().set_levels(1, 1)
    commands = device.command_buffer()
    commands.set_scissor(0, 0, 2, 2)
    commands.clear_texture(array, level_1, (1, 2, 1, 5, 4, 2), (1, 0, 0, 1))
    commands.clear_texture(array, None, (0, 0, 3, 16, 16, 1), (0, 1, 0, 1))
    device.queue().submit(commands)
    for level in range(3):
        array.read_texels(f"level_{level}", level=level)


@scene_case(
    "clear_tex/integers",
    t_test="t_clear_tex",
    says="Integer clears keep all 32 bits, saturate narrower formats, and reach volumes.",
    ledger=("clear-int", "clear-tex-partial"),
)
def integers(device: Device) -> None:
    """Carried as float32, 0x01000001 loses its lowest bit."""
    wide = device.texture("RGBA32UI", 4, 4)
    signed = device.texture("RGBA32I", 4, 4)
    narrow = device.texture("RGBA8I", 4, 4)
    volume = device.texture("R16UI", 4, 4, 4, target="3D")
    commands = device.command_buffer()
    commands.clear_textureui(wide, None, None, (0x01000001, 0xFFFFFFFF, 7, 0))
    commands.clear_texturei(signed, None, None, (-16777217, 2147483647, -2147483648, -1))
    commands.clear_texturei(narrow, None, None, (-1000, 127, 128, -128))
    commands.clear_textureui(volume, None, (1, 1, 1, 2, 2, 2), (0x12345, 0, 0, 0))
    device.queue().submit(commands)
    for name, texture in (("wide", wide), ("signed", signed), ("narrow", narrow), ("volume", volume)):
        texture.read_texels(name)


@scene_case(
    "clear_tex/rounding",
    t_test="t_clear_tex",
    says="Clear values become codes as fragment outputs do: unorm, snorm, half, 11-11-10, 565, 10-10-10-2, sRGB.",
    ledger=("clear-tex-partial",),
)
def rounding(device: Device) -> None:
    """0.5 is 127 in eight bits here, 128 where a port rounds to nearest: slack, one way for the whole result."""
    formats = ("RGBA8", "RGBA8SN", "RGBA16F", "R11G11B10F", "BGR565", "RGB10A2", "RGBA8_SRGB", "RGBA16")
    commands = device.command_buffer()
    targets = [device.texture(name, 4, 1) for name in formats]
    values = ((0.5, 0.25, 0.75, 0.5), (0.1, 0.2, 0.3, 0.4), (0.999, 0.001, 0.498, 0.6), (1.0, 0.0, 2.0, -1.0))
    for target in targets:
        for x, value in enumerate(values):
            commands.clear_texture(target, None, (x, 0, 1, 1), value)
    device.queue().submit(commands)
    for name, target in zip(formats, targets, strict=True):
        target.read_texels(name.lower())
