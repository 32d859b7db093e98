"""Goldens of ``t_feedback`` about depth that is read in its own pass, and about mip chains that feed themselves.

Read next: ``feedback.py``.
"""

from __future__ import annotations

import numpy as np

from goldens.drawing import depth_state
from goldens.feedback import SEEN
from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import SamplerBuilder
from refnvn.nvn.states import ChannelMaskState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.shader.ir import Shader
from refnvn.shader.python import (
    Uniform,
    binding,
    fragment_shader,
    gl,
    ivec2,
    sampler2D,
    texel_fetch,
    texture,
    texture_lod,
    uint,
    varying,
    vec4,
)

SIZE_PX = 32


class Handle(Uniform, binding=1):
    """The handle of a texture."""

    value: uint


@fragment_shader
def half_deep():  # type: ignore[no-untyped-def]
    """Be at depth 0.5."""
    gl.frag_depth = 0.5
    return vec4(0.0, 0.0, 0.0, 0.0)


@fragment_shader
def quarter_deep():  # type: ignore[no-untyped-def]
    """Be at depth 0.25 and write no colour that differs."""
    gl.frag_depth = 0.25
    return vec4(0.0, 0.0, 0.0, 0.0)


@fragment_shader
def depth_seen(deep: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Write the depth of the own pixel."""
    return vec4(texel_fetch(deep, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0).x, 0.0, 0.0, 1.0)


@fragment_shader
def depth_seen_by_handle(handle: Handle):  # type: ignore[no-untyped-def]
    """Write the depth of the own pixel of a texture that only a handle names."""
    own = ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y))
    return vec4(texel_fetch(sampler2D(handle.value), own, 0).x, 0.0, 0.0, 1.0)


@fragment_shader
def depth_seen_and_written(deep: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Write the depth of the own pixel as colour and a quarter as depth."""
    gl.frag_depth = 0.25
    return vec4(texel_fetch(deep, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0).x, 0.0, 0.0, 1.0)


@fragment_shader
def level_0(at: vec4 = varying(0), chain: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample level 0 of a chain."""
    return texture_lod(chain, at.xy, 0.0)


@fragment_shader
def level_of_choice(at: vec4 = varying(0), chain: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample the level that the sampler pins, whatever the derivatives say."""
    return texture(chain, at.xy)


class DepthPass:
    """A pass over one colour target and depth that holds 1 and is seen so by everything."""

    def __init__(self, device: Device) -> None:
        self.draws = Sampling(device)
        self.commands = self.draws.commands
        self.color = device.texture("R32F", SIZE_PX, SIZE_PX)
        self.depth = device.texture("DEPTH32F", SIZE_PX, SIZE_PX)
        self.start()
        self.commands.set_viewport(0, 0, SIZE_PX, SIZE_PX)
        self.commands.set_scissor(0, 0, SIZE_PX, SIZE_PX)
        self.commands.clear_color(0, (9.0, 0.0, 0.0, 0.0))
        self.commands.clear_depth_stencil(1.0, True, 0, 0)
        self.commands.barrier(SEEN)

    def start(self) -> None:
        """Set the targets."""
        self.commands.set_render_targets([self.color], depth_stencil=self.depth)

    def write_depth(self, shader: Shader) -> None:
        """Draw depth and no colour."""
        self.commands.bind_depth_stencil_state(depth_state("ALWAYS"))
        self.mask(False)
        self.draws.draw(shader)

    def read_depth(self, shader: Shader) -> None:
        """Draw colour and no depth."""
        self.commands.bind_depth_stencil_state(depth_state("ALWAYS", write=False))
        self.mask(True)
        self.draws.draw(shader)

    def mask(self, on: bool) -> None:
        """Let colour be written, or not."""
        self.commands.bind_channel_mask_state(ChannelMaskState().set_channel_mask(0, on, on, on, on))

    def finish(self, name: str) -> None:
        """Submit and read both targets."""
        self.draws.submit()
        self.color.read_texels(f"{name}_color")
        self.depth.read_texels(f"{name}_depth")


@scene_case(
    "feedback/depth_continued",
    t_test="t_feedback",
    says="Setting the same targets again goes on: a draw that samples the depth target sees no later depth.",
    ledger=("rt-continue", "pool-depth-reader"),
)
def depth_continued(device: Device) -> None:
    """Depth is 0.5 where it is read and 0.25 after; the reader writes no depth."""
    one = DepthPass(device)
    one.draws.bind(0, one.depth)
    one.write_depth(half_deep)
    one.start()
    one.commands.barrier(SEEN)
    one.read_depth(depth_seen)
    one.write_depth(quarter_deep)
    one.finish("continued")


@scene_case(
    "feedback/depth_by_handle",
    t_test="t_feedback",
    says="A draw that finds the depth target through a handle and a twin texture sees no depth drawn after it.",
    ledger=("bindless-depth-reader", "pool-depth-reader"),
)
def depth_by_handle(device: Device) -> None:
    """The handle is a word of a uniform buffer; the twin is another object over the same bytes."""
    one = DepthPass(device)
    twin = device.texture("DEPTH32F", SIZE_PX, SIZE_PX, over=one.depth)
    handle = one.draws.handle(twin)
    one.commands.bind_uniform_buffer("FRAGMENT", 1, device.buffer(np.array([handle, 0, 0, 0], np.uint32)))
    one.write_depth(half_deep)
    one.commands.barrier(SEEN)
    one.read_depth(depth_seen_by_handle)
    one.write_depth(quarter_deep)
    one.finish("by_handle")


@scene_case(
    "feedback/depth_written",
    t_test="t_feedback",
    says="What a draw samples of the depth that it writes is not specified; the depth that it leaves is.",
    ledger=("pool-depth-reader",),
)
def depth_written(device: Device) -> None:
    """The barrier before it does not help; a draw after it that writes no depth reads the quarter."""
    one = DepthPass(device)
    one.draws.bind(0, one.depth)
    one.write_depth(half_deep)
    one.commands.barrier(SEEN)
    one.commands.bind_depth_stencil_state(depth_state("ALWAYS"))
    one.mask(True)
    one.draws.draw(depth_seen_and_written)
    after = device.texture("R32F", SIZE_PX, SIZE_PX)
    one.commands.set_render_targets([after], depth_stencil=one.depth)
    one.commands.barrier(SEEN)
    one.read_depth(depth_seen)
    one.write_depth(half_deep)
    one.finish("written")
    after.read_texels("written_seen_after")


def chain(device: Device, levels: int, contents: dict[int, float]) -> Texture:
    """Return a mip chain of 16x16 pixels whose levels hold a value each."""
    found = device.texture("R32F", 16, 16, levels=levels)
    for level, value in contents.items():
        texels = np.full((16 >> level) ** 2, value, np.float32)
        found.write_texels(texels, view=TextureView().set_levels(level, 1))
    return found


TRILINEAR = SamplerBuilder().set_min_mag_filter("LINEAR_MIPMAP_LINEAR", "LINEAR")


@scene_case(
    "feedback/level_below",
    t_test="t_feedback",
    says="A draw to level n that samples level n - 1 by its number through the whole chain touches no other level.",
    ledger=("mipchain-sample",),
)
def level_below(device: Device) -> None:
    """The level that is rendered holds NaN before; the filter between levels is on."""
    draws = Sampling(device)
    one = chain(device, 3, {0: 2.0, 1: float("nan"), 2: float("nan")})
    for level in (1, 2):
        draws.draw_to(one, TextureView().set_levels(level, 1))
        draws.bind(0, one, TRILINEAR)
        draws.draw(level_0)
    draws.submit()
    for level in (1, 2):
        one.read_texels(f"level_{level}", view=TextureView().set_levels(level, 1))


@scene_case(
    "feedback/level_above",
    t_test="t_feedback",
    says="A sampler whose level of detail is pinned to k reads level k, also where a lower level is rendered.",
    ledger=("upsample-pinned-lod",),
)
def level_above(device: Device) -> None:
    """Level 2 is rendered from level 3, level 1 from level 2 as it then is, and level 0 from level 1."""
    draws = Sampling(device)
    one = chain(device, 5, {0: 7.0, 1: 9.0, 2: 5.0, 3: 1.0, 4: 3.0})
    for level in (2, 1, 0):
        pinned = (
            SamplerBuilder().set_min_mag_filter("LINEAR_MIPMAP_LINEAR", "LINEAR").set_lod_clamp(level + 1, level + 1)
        )
        draws.commands.barrier(SEEN)
        draws.draw_to(one, TextureView().set_levels(level, 1))
        draws.bind(0, one, pinned)
        draws.draw(level_of_choice if level % 2 else level_0)
    draws.submit()
    for level in range(5):
        one.read_texels(f"level_{level}", view=TextureView().set_levels(level, 1))
