"""Goldens of copies from texture to texture: codes as they are, planes, conversions, scales and mirrors.

The seeds' test that covers these is none of its own; they stand with the copies of ``t_copy_alias``.
"""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import Texture, TextureView

RAMP = np.linspace(0, 1, 64, dtype=np.float32)
PADDED = np.dtype([("depth", "<f4"), ("stencil", "<u4")])


def depth_and_stencil(width: int, height: int) -> np.ndarray:
    """Return texels of DEPTH32F_STENCIL8: a ramp, and stencil 2 in the left half."""
    texels = np.zeros((height, width), PADDED)
    texels["depth"] = RAMP[: width * height].reshape(height, width)
    texels["stencil"][:, : width // 2] = 2
    return texels


def copied(device: Device, source: Texture, destination: Texture, flags: str | int = 0) -> None:
    """Copy a whole level, and wait until that is done."""
    commands, queue = device.command_buffer(), device.queue()
    commands.copy_texture_to_texture(source, None, None, destination, flags=flags)
    queue.submit(commands)
    queue.finish()


@scene_case(
    "texture_copy/depth_planes",
    t_test="t_copy_alias",
    says="DEPTH32F_STENCIL8 to DEPTH32F and back: every depth keeps its bits.",
    ledger=("depth-plane-copy",),
)
def depth_planes(device: Device) -> None:
    """Left out, the destination keeps its old depth; its stencil is open on the way back."""
    combined = device.texture("DEPTH32F_STENCIL8", 8, 8)
    plain = device.texture("DEPTH32F", 8, 8)
    back = device.texture("DEPTH32F_STENCIL8", 8, 8)
    combined.write_texels(depth_and_stencil(8, 8))
    old = depth_and_stencil(8, 8)
    old["stencil"][...] = 9
    back.write_texels(old[::-1])
    copied(device, combined, plain)
    copied(device, plain, back)
    plain.read_texels("plain")
    back.read_texels("back")


@scene_case(
    "texture_copy/stencil",
    t_test="t_copy_alias",
    says="A depth-stencil copy carries the stencil, at half the size too.",
    ledger=("ds-copy-stencil", "copy-scaled"),
)
def stencil(device: Device) -> None:
    """The left half keeps 2; where the stencil is left alone a masked pass never writes."""
    source = device.texture("DEPTH32F_STENCIL8", 8, 8)
    same = device.texture("DEPTH32F_STENCIL8", 8, 8)
    small = device.texture("DEPTH32F_STENCIL8", 4, 4)
    packed = device.texture("DEPTH24_STENCIL8", 8, 8)
    packed_small = device.texture("DEPTH24_STENCIL8", 4, 4)
    source.write_texels(depth_and_stencil(8, 8))
    packed.write_texels(np.arange(64, dtype=np.uint32) * 0x01010101)
    copied(device, source, same)
    copied(device, source, small)
    copied(device, packed, packed_small)
    for name, texture in (("same", same), ("small", small), ("packed_small", packed_small)):
        texture.read_texels(name)


@scene_case(
    "texture_copy/codes",
    t_test="t_copy_alias",
    says="Regions, layers, levels, slices and blocks of one format move with every bit.",
    ledger=("copy-scaled",),
)
def codes(device: Device) -> None:
    """NaN and negative zero too; BC1 blocks move into RG32UI texels."""
    words = np.arange(8 * 8 * 3, dtype=np.uint32) * 0x01234567 | 0x7F800001
    array = device.texture("R32F", 8, 8, 3, target="2D_ARRAY")
    other = device.texture("R32F", 16, 16, 2, target="2D_ARRAY", levels=2)
    volume = device.texture("R32F", 8, 8, 4, target="3D")
    array.write_texels(words)
    blocks = device.texture("RGBA_DXT1", 16, 8)
    blocks.write_texels(np.arange(64, dtype=np.uint8))
    integers = device.texture("RG32UI", 4, 2)
    commands = device.command_buffer()
    level = TextureView().set_levels(1, 1)
    commands.copy_texture_to_texture(array, None, (0, 0, 1, 8, 8, 2), other, level, None)
    commands.copy_texture_to_texture(array, None, (1, 2, 0, 4, 3, 3), volume, None, (3, 4, 1, 4, 3, 3))
    commands.copy_texture_to_texture(blocks, None, None, integers)
    device.queue().submit(commands)
    other.read_texels("level_1", level=1)
    volume.read_texels("volume")
    integers.read_texels("blocks")


@scene_case(
    "texture_copy/conversions",
    t_test="t_copy_alias",
    says="Copies to another format read as textures do and store as draws do: R11G11B10F to RGBA16F and others.",
    ledger=("copy-scaled", "rt-usage-upgrade"),
)
def conversions(device: Device) -> None:
    """Skipped, the destination keeps its old content."""
    words = np.arange(64, dtype=np.uint32) * 0x03F1A2B7 + 0x00112233
    pairs = (("R11G11B10F", "RGBA16F"), ("RGBA8", "RGB565"), ("RGB10A2", "RGBA8"), ("RGBA8", "RG8"))
    for source_name, destination_name in pairs:
        source = device.texture(source_name, 8, 8)
        destination = device.texture(destination_name, 8, 8)
        source.write_texels(words)
        copied(device, source, destination)
        destination.read_texels(f"{source_name}_{destination_name}".lower())


@scene_case(
    "texture_copy/formats_of_one_size",
    t_test="t_copy_alias",
    says="Between formats of one size a copy converts or moves bits: which is open, and both are permitted.",
    ledger=("copy-scaled",),
)
def formats_of_one_size(device: Device) -> None:
    """RGBA8 to RGBA8_SRGB and to BGRA8; left out, the destination stays zero."""
    source = device.texture("RGBA8", 8, 8)
    source.write_texels(np.arange(1, 257, dtype=np.uint8).clip(1, 255))
    for name in ("RGBA8_SRGB", "BGRA8"):
        destination = device.texture(name, 8, 8)
        copied(device, source, destination)
        destination.read_texels(name.lower())


@scene_case(
    "texture_copy/mirrors",
    t_test="t_copy_alias",
    says="MIRROR_Y exchanges rows, MIRROR_X columns, MIRROR_Z slices, at equal sizes and others.",
    ledger=("copy-scaled",),
)
def mirrors(device: Device) -> None:
    """The frame of a lower-left game is copied with MIRROR_Y."""
    source = device.texture("RGBA8", 8, 8)
    source.write_texels(np.arange(256, dtype=np.uint8))
    for flags, size_px in (("MIRROR_Y", 8), ("MIRROR_X", 8), ("MIRROR_X|MIRROR_Y", 16), ("MIRROR_Y", 4)):
        destination = device.texture("RGBA8", size_px, size_px)
        copied(device, source, destination, flags)
        destination.read_texels(f"{flags.replace('|', '_').lower()}_{size_px}")
    volume, turned = (device.texture("R8", 4, 4, 4, target="3D") for _ in range(2))
    volume.write_texels(np.arange(64, dtype=np.uint8))
    copied(device, volume, turned, "MIRROR_Z")
    turned.read_texels("slices")


@scene_case(
    "texture_copy/scales",
    t_test="t_copy_alias",
    says="A scaled copy without a filter takes the texel under the middle; 2x2 blocks of one colour stay so.",
    ledger=("copy-scaled",),
)
def scales(device: Device) -> None:
    """Up, down, by odd factors, from a region; where a middle falls between texels at an odd step, it is open."""
    source = device.texture("RGBA8", 8, 8)
    blocks = np.repeat(np.repeat(np.arange(1, 17, dtype=np.uint32).reshape(4, 4), 2, axis=0), 2, axis=1)
    source.write_texels(blocks * 0x0F0E0D)
    numbered = device.texture("R32UI", 8, 8)
    numbered.write_texels(np.arange(1, 65, dtype=np.uint32))
    half, odd = device.texture("RGBA8", 4, 4), device.texture("R32UI", 20, 12)
    whole, part = device.texture("R32UI", 16, 32), device.texture("R32UI", 9, 4)
    commands = device.command_buffer()
    commands.copy_texture_to_texture(source, None, None, half, flags="ENGINE_2D")
    for destination, region in ((odd, None), (whole, None), (part, (2, 1, 0, 3, 4, 1))):
        commands.copy_texture_to_texture(numbered, None, region, destination)
    device.queue().submit(commands)
    for name, texture in (("half", half), ("odd", odd), ("whole", whole), ("part", part)):
        texture.read_texels(name)


@scene_case(
    "texture_copy/filtered",
    t_test="t_copy_alias",
    says="With LINEAR_FILTER the means of halves and quarters; integers, depth and stencil stay what a texel holds.",
    ledger=("copy-scaled",),
)
def filtered(device: Device) -> None:
    """Steps of binary fractions, so that every way of holding places agrees; skipped, the destination stays zero."""
    source = device.texture("RGBA8", 8, 8)
    source.write_texels(np.arange(256, dtype=np.uint8) // 8 * 8 | 1)
    floats = device.texture("RGBA16F", 8, 8)
    floats.write_texels(np.arange(256, dtype=np.float16))
    depth = device.texture("DEPTH24_STENCIL8", 8, 8)
    depth.write_texels(np.arange(64, dtype=np.uint32) * 0x01010101)
    numbered = device.texture("R32UI", 8, 8)
    numbered.write_texels(np.arange(1, 65, dtype=np.uint32))
    for name, one in (("rgba8", source), ("rgba16f", floats), ("depth", depth), ("integers", numbered)):
        half = device.texture(one.get_format(), 4, 4)
        twice = device.texture(one.get_format(), 16, 16)
        copied(device, one, half, "LINEAR_FILTER")
        copied(device, one, twice, "LINEAR_FILTER|MIRROR_Y")
        half.read_texels(f"{name}_half")
        twice.read_texels(f"{name}_twice")
