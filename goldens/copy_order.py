"""Goldens of the order of copies: overlapping writes of one batch, chains, and staging that is written again."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device


@scene_case(
    "copy_order/overlapping_writes",
    t_test="t_copy_alias",
    says="Updates, fills and copies of overlapping ranges take effect in the order of the commands.",
    ledger=("copy-order", "s4-sw-blitorder"),
)
def overlapping_writes(device: Device) -> None:
    """Four bytes of -1, then 16 bytes of coefficients over them: word 0 is 0.5, not -1."""
    coefficients = np.array([0.5, 0.25, 0.125, 0.0625], np.float32)
    updated, filled, copied = (device.buffer(np.zeros(4, np.uint32)) for _ in range(3))
    ones = device.buffer(np.full(4, 0x11111111, np.uint32))
    commands = device.command_buffer()
    commands.update_uniform_buffer(updated, None, 0, np.array([-1], np.int32))
    commands.update_uniform_buffer(updated, None, 0, coefficients)
    commands.clear_buffer(filled, 16, 0xFFFFFFFF)
    commands.clear_buffer(filled, 8, 0x22222222)
    commands.copy_buffer_to_buffer(updated, copied)
    commands.copy_buffer_to_buffer(ones.get_address(), copied.get_address(4), 8)
    commands.update_uniform_buffer(copied, None, 8, np.array([7], np.uint32))
    device.queue().submit(commands)
    for name, buffer in (("updated", updated), ("filled", filled), ("copied", copied)):
        buffer.read(name)


@scene_case(
    "copy_order/texture_chain",
    t_test="t_copy_alias",
    says="A copy to a texture and one from it, twice over: each sees what the one before it left.",
    ledger=("copy-order", "s4-sw-blitorder"),
)
def texture_chain(device: Device) -> None:
    """First to second to third, then the first anew and only the second again: the third keeps the old picture."""
    first, second, third = (device.texture("RGBA8", 8, 8) for _ in range(3))
    old, new = (device.buffer(np.arange(64, dtype=np.uint32) * 0x01010101 + shift) for shift in (0x10, 0x80000000))
    commands = device.command_buffer()
    commands.copy_buffer_to_texture(old, first)
    commands.copy_texture_to_texture(first, None, None, second)
    commands.copy_texture_to_texture(second, None, None, third)
    commands.copy_buffer_to_texture(new, first)
    commands.copy_texture_to_texture(first, None, (0, 0, 8, 4), second, None, (0, 4, 8, 4))
    device.queue().submit(commands)
    for name, texture in (("first", first), ("second", second), ("third", third)):
        texture.read_texels(name)


@scene_case(
    "copy_order/staging_written_again",
    t_test="t_copy_alias",
    says="A copy reads its staging memory when its submission runs: what the processor writes after that comes late.",
    ledger=("buf-tex-copy-early",),
)
def staging_written_again(device: Device) -> None:
    """Blocks of BC3, then other blocks into the same staging memory, for another texture; both keep their own."""
    staging = device.buffer(64)
    queue = device.queue()
    textures = [device.texture("RGBA_DXT5", 8, 8) for _ in range(2)]
    for number, texture in enumerate(textures):
        staging.write(np.arange(64, dtype=np.uint8) * (number + 1) + 5)
        commands = device.command_buffer()
        commands.copy_buffer_to_texture(staging, texture)
        queue.submit(commands)
    staging.write(np.full(64, 0xEE, np.uint8))
    for number, texture in enumerate(textures):
        texture.read_texels(f"blocks_{number}")
