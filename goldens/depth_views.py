"""Goldens of ``t_stencil_view``, ``t_upgrade_alias``, and depth read as red: one plane through views of the other.

Read next: ``bindless.py``.
"""

from __future__ import annotations

import numpy as np

from goldens.drawing import draw_rectangle, set_up_drawing
from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import DepthStencilState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.shader.python import (
    binding,
    fragment_shader,
    gl,
    ivec2,
    sampler2D,
    texel_fetch,
    texture,
    usampler2D,
    uvec4,
    varying,
    vec4,
)


@fragment_shader
def sampled(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample at the coordinates."""
    return texture(one, at.xy)


@fragment_shader
def words(one: usampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch the texel of the pixel, as words, and whether bit 6 of the first is set."""
    read = texel_fetch(one, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0)
    return uvec4(read.x, read.y, read.w, 1) if (read.x >> 6) % 2 == 1 else uvec4(read.x, read.y, read.w, 0)


def _drawn(device: Device, zeta: Texture, reference: int) -> None:
    """Draw a depth ramp with a stencil reference into the right half."""
    commands = device.command_buffer()
    size = (zeta.get_width(), zeta.get_height())
    commands.set_render_targets([], None, zeta)
    set_up_drawing(device, commands, *size)
    state = DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True).set_depth_func("ALWAYS")
    commands.bind_depth_stencil_state(state.set_stencil_test_enable(True))
    commands.set_stencil_ref("FRONT_AND_BACK", reference)
    draw_rectangle(device, commands, (0.0, -1.0, 1.0, 1.0), (0, 0, 0, 0), depth=0.3)
    device.queue().submit(commands)


@scene_case(
    "stencil_view/view_and_builder",
    t_test="t_stencil_view",
    says="A stencil-mode view, or a stencil-mode texture over the storage, reads stencil as an integer in red.",
    ledger=("stencil-view", "stencil-builder-mode"),
)
def view_and_builder(device: Device) -> None:
    """0x40 in the right half of D24S8 and D32F_S8; depth's bits would light stripes."""
    draws = Sampling(device)
    for fmt in ("DEPTH24_STENCIL8", "DEPTH32F_STENCIL8"):
        zeta = device.texture(fmt, 8, 8)
        _drawn(device, zeta, 0x40)
        draws.settle()
        builder = TextureBuilder().set_format(fmt).set_size_2d(8, 8).set_depth_stencil_mode("STENCIL")
        twin = device.place(builder, over=zeta)
        view = TextureView().set_depth_stencil_mode("STENCIL")
        for name, one, through in (("view", zeta, view), ("builder", twin, None)):
            draws.bind(0, one, view=through)
            target = draws.target("RGBA32UI", 8, 8)
            draws.draw(words)
            draws.submit()
            target.read_texels(f"{name}_{fmt.lower()}")


@scene_case(
    "stencil_view/depth_as_red",
    t_test="t_stencil_view",
    says="A red view of depth samples (depth, 0, 0, 1), then the channel mapping acts; later writes are seen.",
    ledger=("depth-as-red",),
)
def depth_as_red(device: Device) -> None:
    """R32F over D32F and R16 over D16, at 0.25 and again at 0.75; and mapped (0, 0, R, R)."""
    draws = Sampling(device)
    for fmt, red in (("DEPTH32F", "R32F"), ("DEPTH16", "R16")):
        depth = device.texture(fmt, 8, 8)
        mapped = TextureView().set_format(red).set_swizzle("ZERO", "ZERO", "R", "R")
        handles = [draws.handle(depth, view=view) for view in (TextureView().set_format(red), mapped)]
        for name, value in (("first", 0.25), ("second", 0.75)):
            draws.commands.set_render_targets([], None, depth)
            draws.commands.set_scissor(0, 0, 8, 8)
            draws.commands.clear_depth_stencil(value, True, 0, 0)
            draws.settle()
            for way, handle in zip(("red", "mapped"), handles, strict=True):
                draws.commands.bind_texture("FRAGMENT", 0, handle)
                target = draws.target("RGBA8", 2, 2)
                draws.draw(sampled)
                draws.submit()
                target.read_texels(f"{way}_{name}_{fmt.lower()}")


@scene_case(
    "upgrade_alias/image_flag",
    t_test="t_upgrade_alias",
    says="Stencil drawn through a texture without the IMAGE flag is sampled through one with it: the same bytes.",
    ledger=("image-flag-share",),
)
def image_flag(device: Device) -> None:
    """Stencil 3 in the right half; kept apart, the lookup stays 0."""
    zeta = device.texture("DEPTH24_STENCIL8", 8, 8)
    with_flag = device.texture("DEPTH24_STENCIL8", 8, 8, flags="IMAGE", over=zeta)
    _drawn(device, zeta, 3)
    draws = Sampling(device)
    draws.settle()
    for mode in ("STENCIL", "DEPTH"):
        draws.bind(0, with_flag, view=TextureView().set_depth_stencil_mode(mode))
        target = draws.target("RGBA32UI" if mode == "STENCIL" else "R32F", 8, 8)
        draws.draw(words if mode == "STENCIL" else sampled)
        draws.submit()
        target.read_texels(mode.lower())


@scene_case(
    "upgrade_alias/flushed_by_the_processor",
    t_test="t_upgrade_alias",
    says="A texture over storage that the processor wrote and flushed starts with those bytes.",
    ledger=("s4-sw-flushfill",),
)
def flushed_by_the_processor(device: Device) -> None:
    """A gradient of 4 x 4 texels, written as memory through a linear texture's pool."""
    pool = device.memory_pool(4096, "CPU_CACHED | GPU_CACHED")
    texels = np.zeros((4, 32), np.uint8)
    texels[:, :16] = np.arange(64, dtype=np.uint8).reshape(4, 16) * 4
    pool.write(0, texels)
    pool.flush_mapped_range(0, 128)
    builder = TextureBuilder().set_format("RGBA8").set_size_2d(4, 4).set_flags("LINEAR").set_stride(32)
    draws = Sampling(device)
    draws.bind(0, Texture(device, builder.set_storage(pool, 0)))
    target = draws.target("RGBA8", 4, 4)
    draws.draw(sampled)
    draws.submit()
    target.read_texels("target")
