"""Goldens of what may be copied and cleared: any texture, whatever it was made for; samples, slices, planes."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import TextureView
from refnvn.nvn.texture_builder import TextureBuilder


@scene_case(
    "texture_copy/any_use",
    t_test="t_clear_tex",
    says="Any texture whose format allows it can be cleared or copied to, whatever it was made for.",
    ledger=("rt-usage-upgrade",),
)
def any_use(device: Device) -> None:
    """A packaged 32x80 texture cleared to red; 128x128 RGBA8 to RG8 with MIRROR_Y: red and green, turned."""
    builder = TextureBuilder().set_format("RGBA8").set_size_2d(32, 80)
    builder.set_packaged_texture_layout(2)
    packaged = device.place(builder)
    packaged.write_texels(np.full(32 * 80, 0x80808080, np.uint32))
    source, turned = device.texture("RGBA8", 128, 128), device.texture("RG8", 128, 128)
    source.write_texels(np.arange(128 * 128, dtype=np.uint32) * 0x00010203 + 0x00300501)
    commands = device.command_buffer()
    commands.clear_texture(packaged, None, None, (1, 0, 0, 1))
    commands.copy_texture_to_texture(source, None, None, turned, flags="MIRROR_Y")
    device.queue().submit(commands)
    packaged.read_texels("packaged")
    turned.read_texels("turned")


@scene_case(
    "texture_copy/tolerated_textures",
    t_test="t_view_levels",
    says="Levels beyond the last size are 1x1 images, and layers beyond 2048 are layers: copies reach them.",
    ledger=("tex-illegal-fields",),
)
def tolerated_textures(device: Device) -> None:
    """A 1x1 texture of nine levels, level 5 copied to level 8; a 1D array of 4096 layers, the last one copied."""
    tiny = device.texture("RGBA8", 1, 1, levels=9)
    rows = device.texture("RGBA8", 4, 4096, target="1D_ARRAY")
    red = device.buffer(np.array([0xFF0000FF, 0xFF00FF00, 0x11223344, 0x55667788], np.uint32))
    fifth, eighth = (TextureView().set_levels(level, 1) for level in (5, 8))
    commands = device.command_buffer()
    commands.copy_buffer_to_texture(red, tiny, fifth)
    commands.copy_texture_to_texture(tiny, fifth, None, tiny, eighth)
    commands.copy_buffer_to_texture(red, rows, None, (0, 4095, 4, 1))
    commands.copy_texture_to_texture(rows, None, (0, 4095, 4, 1), rows, None, (0, 3000, 4, 1))
    device.queue().submit(commands)
    for level in (0, 5, 8):
        tiny.read_texels(f"level_{level}", level=level)
    for layer in (3000, 4095):
        rows.read_texels(f"layer_{layer}", region=(0, layer, 4, 1))


@scene_case(
    "texture_copy/downsample",
    t_test="t_copy_alias",
    says="Downsample of one sample scales with a linear filter and converts; of four samples it takes their mean.",
    ledger=("downsample-ss",),
)
def downsample(device: Device) -> None:
    """Rows of 0 and 255 become halves; a ramp of 320x176 keeps its slope at 80x48, an odd step."""
    source, half = device.texture("RGBA8", 8, 8), device.texture("RGBA8", 4, 4)
    rows = np.zeros((8, 8), np.uint32)
    rows[1::2] = 0xFFFFFFFF
    source.write_texels(rows)
    floats = device.texture("RGBA16F", 8, 8)
    ramp, small = device.texture("R32F", 320, 176), device.texture("R32F", 80, 48)
    x, y = np.arange(320, dtype=np.float32), np.arange(176, dtype=np.float32)
    ramp.write_texels((y[:, None] * 4 + x).astype(np.float32))
    samples = device.texture("RGBA8", 8, 8, target="2D_MULTISAMPLE", samples=4)
    resolved = device.texture("RGBA8", 8, 8)
    samples.write_texels(np.tile(np.array([0, 0, 0xFFFFFFFF, 0xFFFFFFFF], np.uint32), 64))
    commands = device.command_buffer()
    for one, other in ((source, half), (source, floats), (ramp, small), (samples, resolved)):
        commands.downsample(one, other)
    device.queue().submit(commands)
    for name, texture in (("half", half), ("floats", floats), ("ramp", small), ("resolved", resolved)):
        texture.read_texels(name)


@scene_case(
    "texture_copy/slices_and_samples",
    t_test="t_copy_alias",
    says="Slices of other depths, multisample pixels turned, blocks scaled, depth into a colour of its size.",
    ledger=("copy-scaled",),
)
def slices_and_samples(device: Device) -> None:
    """What is open is permitted either way: which slice is taken, and whether samples turn as texels."""
    volume, flat = device.texture("R8", 4, 4, 8, target="3D"), device.texture("R8", 4, 4, 2, target="3D")
    volume.write_texels(np.arange(128, dtype=np.uint8) + 1)
    samples, turned = (device.texture("R32UI", 4, 2, target="2D_MULTISAMPLE", samples=4) for _ in range(2))
    samples.write_texels(np.arange(1, 33, dtype=np.uint32))
    blocks, more = device.texture("RGBA_DXT1", 8, 8), device.texture("RGBA_DXT1", 16, 8)
    blocks.write_texels(np.arange(1, 33, dtype=np.uint8))
    depth, colour = device.texture("DEPTH16", 8, 4), device.texture("R16", 8, 4)
    depth.write_texels(np.arange(32, dtype=np.uint16) * 2047 + 1)
    commands = device.command_buffer()
    for one, other, flags in (
        (volume, flat, 0),
        (samples, turned, "MIRROR_X"),
        (blocks, more, 0),
        (depth, colour, "MIRROR_Y"),
    ):
        commands.copy_texture_to_texture(one, None, None, other, flags=flags)
    device.queue().submit(commands)
    for name, texture in (("slices", flat), ("samples", turned), ("blocks", more), ("depth", colour)):
        texture.read_texels(name)
