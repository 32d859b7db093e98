"""Goldens of storage that lives on, with ``t_alias_retire``: what is live keeps its pixels, new ones take over."""

from __future__ import annotations

import numpy as np

from goldens.depth_views import sampled
from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import Texture

RED, GREEN = (1, 0, 0, 1), (0, 1, 0, 1)


def filled(device: Device, texture: Texture, color: tuple[int, ...]) -> None:
    """Clear a texture as a target, in a submission of its own, and wait until that is done."""
    commands, queue = device.command_buffer(), device.queue()
    commands.set_render_targets([texture])
    commands.clear_color(0, color)
    queue.submit(commands)
    queue.finish()


@scene_case(
    "alias_retire/live_target",
    t_test="t_alias_retire",
    says="A target that is live keeps its pixels over frames in which nothing uses it.",
    ledger=("alias-retire",),
)
def live_target(device: Device) -> None:
    """Red in the first frame, many frames elsewhere, then copied: red, not zero."""
    kept, copy = device.texture("RGBA8", 8, 8), device.texture("RGBA8", 8, 8)
    filled(device, kept, RED)
    for _ in range(65):
        filled(device, device.texture("RGBA8", 8, 8), GREEN)
    commands = device.command_buffer()
    commands.copy_texture_to_texture(kept, None, None, copy)
    device.queue().submit(commands)
    copy.read_texels("copy")
    kept.read_texels("kept")


@scene_case(
    "alias_retire/takeover",
    t_test="t_alias_retire",
    says="A new texture of another size over old storage shows its own pixels, the old object the shared bytes.",
    ledger=("alias-takeover",),
)
def takeover(device: Device) -> None:
    """8x8 red, then 9x8 green over it; the old object shows green, and red where the new one has no bytes."""
    old = device.texture("RGBA8", 8, 8)
    filled(device, old, RED)
    new = device.texture("RGBA8", 9, 8, over=old)
    filled(device, new, GREEN)
    copy = device.texture("RGBA8", 9, 8)
    commands = device.command_buffer()
    commands.copy_texture_to_texture(new, None, None, copy)
    device.queue().submit(commands)
    copy.read_texels("copy")
    new.read_texels("new")
    old.read_texels("old")
    old.read_storage("storage")


@scene_case(
    "alias_retire/smaller_takeover",
    t_test="t_alias_retire",
    says="A smaller texture of another format takes over a part of the storage: bytes are shared, not pictures.",
    ledger=("alias-takeover",),
)
def smaller_takeover(device: Device) -> None:
    """16x16 red, then 8x4 of R32UI numbers over it: the old object shows those bytes where they lie."""
    old = device.texture("RGBA8", 16, 16)
    filled(device, old, RED)
    new = device.texture("R32UI", 8, 4, over=old)
    new.write_texels(np.arange(32, dtype=np.uint32) * 0x01020304 + 0x7F000000)
    old.read_texels("old")
    new.read_texels("new")


@scene_case(
    "alias_retire/rebuilt",
    t_test="t_alias_retire",
    says="Two texture objects of one description over one place are one image, also when one is made every frame.",
    ledger=("transient-share",),
)
def rebuilt(device: Device) -> None:
    """Red through the first object, sampled through a new one; green through a third, sampled through the first."""
    first = device.texture("RGBA8", 8, 8, label="frame 0")
    second, third = (device.texture("RGBA8", 8, 8, over=first, label=f"frame {n}") for n in (1, 2))
    for name, written, color, read in (("red", first, RED, second), ("green", third, GREEN, first)):
        filled(device, written, color)
        draws = Sampling(device)
        draws.bind(0, read)
        target = draws.target("RGBA8", 2, 2)
        draws.draw(sampled)
        draws.submit()
        target.read_texels(name)
