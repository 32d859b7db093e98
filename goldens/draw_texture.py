"""Goldens of DrawTexture: regions, both origins, scissor, mask, several targets, the pools that are set."""

from __future__ import annotations

import numpy as np

from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.states import BlendState, ChannelMaskState, ColorState
from refnvn.nvn.texture import Texture

RED, GREEN = 0xFF0000FF, 0xFF00FF00
SOURCE = (0, 0, 4, 4)


def numbered(device: Device) -> Texture:
    """Return a 4x4 texture whose texels all differ."""
    source = device.texture("RGBA8", 4, 4)
    texels = np.zeros((4, 4, 4), np.uint8)
    texels[..., 0] = np.arange(4) * 80 + 15
    texels[..., 1] = np.arange(4)[:, None] * 80 + 15
    texels[..., 2:] = (60, 255)
    source.write_texels(texels)
    return source


@scene_case(
    "draw_texture/regions",
    t_test="t_draw_texture",
    says="A region of texels goes to a region of pixels: as it is, turned, scaled, cut by scissor and mask.",
    ledger=("draw-texture",),
)
def regions(device: Device) -> None:
    """8x8 targets that hold 0x40; a 4x4 source to (2, 2, 4, 4) writes 16 pixels equal to it."""
    scene = Sampling(device)
    commands, handle = scene.commands, scene.handle(numbered(device))
    masked = ChannelMaskState().set_channel_mask(0, True, False, False, True)
    for name, destination, source in (
        ("plain", (2, 2, 4, 4), SOURCE),
        ("turned", (2, 6, 4, -4), (4, 0, -4, 4)),
        ("doubled", (0, 0, 8, 8), SOURCE),
        ("part", (1, 1, 2, 2), (1, 2, 2, 2)),
        ("outside", (-2, -2, 8, 8), SOURCE),
        ("scissored", (0, 0, 8, 8), SOURCE),
        ("masked", (0, 0, 8, 8), SOURCE),
    ):
        target = scene.target("RGBA8", 8, 8)
        target.write_texels(np.full(256, 0x40, np.uint8))
        if name == "scissored":
            commands.set_scissor(1, 2, 5, 3)
        if name == "masked":
            commands.bind_channel_mask_state(masked)
        commands.draw_texture(handle, destination, source)
        scene.submit()
        target.read_texels(name)


@scene_case(
    "draw_texture/origins",
    t_test="t_draw_texture",
    says="Regions count rows of memory under either window origin, whatever viewport is set.",
    ledger=("draw-texture",),
)
def origins(device: Device) -> None:
    """The same rows under both; a viewport of another place does not matter."""
    for origin in ("LOWER_LEFT", "UPPER_LEFT"):
        device.set_window_origin_mode(origin)
        scene = Sampling(device)
        target = scene.target("RGBA8", 8, 8)
        scene.commands.set_viewport(5, 5, 1, 1)
        scene.commands.draw_texture(scene.handle(numbered(device)), (1, 0, 4, 4), SOURCE)
        scene.submit()
        target.read_texels(origin.lower())


@scene_case(
    "draw_texture/pools",
    t_test="t_draw_texture",
    says="The handle's ids are those of the pools that are set: of two textures with id 256 the second pool's.",
    ledger=("draw-texture",),
)
def pools(device: Device) -> None:
    """Red stands under id 256 of the first pool, green under that of the second; every target gets it."""
    first, second = (device.texture_pool(512) for _ in range(2))
    samplers = device.sampler_pool(512)
    sampler_id = samplers.register_sampler(256, Sampler(SamplerBuilder()))
    for pool, colour in ((first, RED), (second, GREEN)):
        texture = device.texture("RGBA8", 4, 4)
        texture.write_texels(np.full(16, colour, np.uint32))
        pool.register_texture(256, texture)
    handle = device.get_texture_handle(256, sampler_id)
    targets = [device.texture("RGBA8", 8, 8), device.texture("RGBA16F", 8, 8)]
    commands = device.command_buffer()
    commands.set_sampler_pool(samplers)
    commands.set_texture_pool(first)
    commands.set_render_targets(targets)
    commands.draw_texture(handle, (0, 0, 4, 4), SOURCE)
    commands.set_texture_pool(second)
    commands.draw_texture(handle, (4, 4, 4, 4), SOURCE)
    device.queue().submit(commands)
    for number, target in enumerate(targets):
        target.read_texels(f"target_{number}")


@scene_case(
    "draw_texture/blending",
    t_test="t_draw_texture",
    says="Whether blending takes part is open: a linear copy or the sum are permitted, nothing else.",
    ledger=("draw-texture",),
)
def blending(device: Device) -> None:
    """Added to 0x40 or not; with a linear filter at twice the size, so that weights show."""
    scene = Sampling(device)
    target = scene.target("RGBA8", 8, 8)
    target.write_texels(np.full(256, 0x40, np.uint8))
    scene.commands.bind_color_state(ColorState().set_blend_enable(0, True))
    scene.commands.bind_blend_state(BlendState().set_blend_func("ONE", "ONE", "ONE", "ONE"))
    linear = SamplerBuilder().set_min_mag_filter("LINEAR", "LINEAR")
    linear.set_wrap_mode("CLAMP_TO_EDGE", "CLAMP_TO_EDGE", "CLAMP_TO_EDGE")
    scene.commands.draw_texture(scene.handle(numbered(device), linear), (0, 0, 8, 8), SOURCE)
    scene.submit()
    target.read_texels("target")
