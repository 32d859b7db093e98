"""Goldens of ``t_readback`` and the bytes of ``t_image_alias``: codes move unchanged, and storage is shared."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import MappingRequest
from refnvn.nvn.texture import TextureView

PACKED = ("RGB565", "RGB5A1", "RGB5", "RGBA4", "BGR565", "BGR5A1", "A1BGR5")
WORDS = np.array(
    [0x001F, 0x801F, 0x8421, 0x0F00, 0xF800, 0x07E0, 0xFFFF, 0x0000, 0x1234, 0x7C00, 0x03E0, 0xA5A5, 1, 2, 4, 8],
    np.uint16,
)


@scene_case(
    "readback/packed_16_bit",
    t_test="t_readback",
    says="5-6-5, 5-5-5-1 and 4-4-4-4 texels keep their bits through uploads, buffer copies and readbacks.",
    ledger=("rgb565-order", "rgba4-order"),
)
def packed_16_bit(device: Device) -> None:
    """Red is lowest in RGB565, blue in BGR565; a crossing that exchanges them shows red and blue swapped."""
    upload = device.buffer(WORDS)
    for name in PACKED:
        written = device.texture(name, 4, 4)
        copied = device.texture(name, 4, 4)
        back = device.buffer(WORDS.nbytes)
        written.write_texels(WORDS)
        commands = device.command_buffer()
        commands.copy_buffer_to_texture(upload, copied)
        commands.copy_texture_to_buffer(written, None, None, back)
        device.queue().submit(commands)
        copied.read_texels(f"{name.lower()}_copied")
        back.read(f"{name.lower()}_back")


@scene_case(
    "readback/cleared_16_bit",
    t_test="t_readback",
    says="A clear to red leaves 0x001F in RGB565 and 0x801F in RGB5A1; blue in RGBA4 is 0x0f00.",
    ledger=("rgb565-order", "rgba4-order"),
)
def cleared_16_bit(device: Device) -> None:
    """The same bits that a copy in guest order would have brought."""
    commands = device.command_buffer()
    red_565, red_5a1, blue_4 = (device.texture(name, 4, 4) for name in ("RGB565", "RGB5A1", "RGBA4"))
    commands.clear_texture(red_565, None, None, (1, 0, 0, 1))
    commands.clear_texture(red_5a1, None, None, (1, 0, 0, 1))
    commands.clear_texture(blue_4, None, None, (0, 0, 1, 0))
    device.queue().submit(commands)
    for name, texture in (("rgb565", red_565), ("rgb5a1", red_5a1), ("rgba4", blue_4)):
        texture.read_texels(name)


@scene_case(
    "readback/strides_and_regions",
    t_test="t_readback",
    says="Copies between buffers and textures honour strides, regions, levels, layers, slices and compressed blocks.",
    ledger=("rgb565-order",),
)
def strides_and_regions(device: Device) -> None:
    """Bytes between rows stay as they were."""
    pattern = np.arange(4096, dtype=np.uint32).astype(np.uint8)
    source, back = device.buffer(pattern), device.buffer(np.full(2048, 0xEE, np.uint8))
    array = device.texture("RGB565", 16, 16, 3, target="2D_ARRAY", levels=2)
    blocks = device.texture("RGBA_DXT1", 16, 16)
    commands = device.command_buffer()
    commands.set_copy_row_stride(48)
    commands.set_copy_image_stride(512)
    commands.copy_buffer_to_texture(source, array, TextureView().set_levels(1, 1), (2, 1, 1, 5, 4, 2))
    commands.copy_texture_to_buffer(array, TextureView().set_levels(1, 1), (1, 0, 0, 6, 6, 3), back)
    commands.set_copy_row_stride(0)
    commands.set_copy_image_stride(0)
    commands.copy_buffer_to_texture(source, blocks, None, (4, 4, 8, 8))
    device.queue().submit(commands)
    array.read_texels("level_1", level=1)
    blocks.read_texels("blocks")
    back.read("back")


@scene_case(
    "image_alias/srgb_twin",
    t_test="t_srgb_alias",
    says="An RGBA8 and an RGBA8_SRGB texture over one storage are one set of bytes, whichever is cleared.",
    ledger=("srgb-alias", "rt-view-srgb"),
)
def srgb_twin(device: Device) -> None:
    """Kept apart, the sRGB one never changes and a film never appears."""
    linear = device.texture("RGBA8", 4, 4)
    encoded = device.texture("RGBA8_SRGB", 4, 4, over=linear)
    commands = device.command_buffer()
    commands.set_render_targets([linear])
    commands.clear_color(0, (51 / 255, 102 / 255, 153 / 255, 1))
    commands.set_render_targets([encoded])
    commands.set_scissor(0, 0, 2, 2)
    commands.clear_color(0, (0, 1, 0, 1))
    device.queue().submit(commands)
    linear.read_texels("linear")
    encoded.read_texels("encoded")


@scene_case(
    "image_alias/resolutions",
    t_test="t_image_alias",
    says="Textures of several sizes over one storage share its bytes in guest order.",
    ledger=("res-variants", "transient-share", "image-flag-share"),
)
def resolutions(device: Device) -> None:
    """With an image for each size, what was written at one size is missing at another."""
    large = device.texture("RGBA8", 64, 64)
    small = device.texture("RGBA8", 32, 16, over=large)
    flagged = device.texture("RGBA8", 64, 64, flags="IMAGE", over=large)
    words = device.texture("R32UI", 64, 64, over=large)
    commands = device.command_buffer()
    commands.clear_texture(large, None, None, (1, 0, 0, 1))
    commands.clear_texture(small, None, (0, 0, 8, 8), (0, 1, 0, 1))
    commands.clear_textureui(words, None, (40, 40, 4, 4), (0x11223344, 0, 0, 0))
    device.queue().submit(commands)
    for name, texture in (("large", large), ("small", small), ("flagged", flagged), ("words", words)):
        texture.read_texels(name)


@scene_case(
    "image_alias/compressed_as_integers",
    t_test="t_image_alias",
    says="A BC1 texture attached through an RG32UI view takes whole blocks from clears.",
    ledger=("bc-as-rt",),
)
def compressed_as_integers(device: Device) -> None:
    """Left unattached, the encoded texture stays black."""
    blocks = device.texture("RGBA_DXT1", 32, 32)
    as_words = TextureView().set_format("RG32UI")
    commands = device.command_buffer()
    commands.set_render_targets([blocks], [as_words])
    commands.clear_colorui(0, (0x07E0F800, 0xAAAAAAAA, 0, 0))
    commands.set_scissor(0, 0, 3, 2)
    commands.clear_colorui(0, (0x001FFFFF, 0x55555555, 0, 0))
    device.queue().submit(commands)
    blocks.read_texels("blocks")


@scene_case(
    "image_alias/virtual_pages",
    t_test="t_copy_alias",
    says="Two virtual ranges and the physical page under them are one set of bytes for fills and copies.",
    ledger=("copy-alias",),
)
def virtual_pages(device: Device) -> None:
    """With caches by address, a copy through one alias leaves old bytes behind the others."""
    page_B = 65536
    physical = device.memory_pool(page_B, "CPU_UNCACHED|GPU_CACHED|PHYSICAL", label="physical")
    first, second = (device.memory_pool(page_B, "CPU_NO_ACCESS|GPU_CACHED|VIRTUAL", label="virtual") for _ in "12")
    for virtual in (first, second):
        virtual.map_virtual([MappingRequest(physical, 0, 0, page_B)])
    commands = device.command_buffer()
    commands.clear_buffer(first.get_buffer_address(0), 64, 0x11111111)
    commands.copy_buffer_to_buffer(second.get_buffer_address(0), second.get_buffer_address(64), 64)
    commands.clear_buffer(physical.get_buffer_address(128), 64, 0x22222222)
    commands.copy_buffer_to_buffer(first.get_buffer_address(128), physical.get_buffer_address(192), 64)
    device.queue().submit(commands)
    physical.read("physical", 0, 256)
