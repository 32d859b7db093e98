"""What the sampling goldens share: pools of descriptors, and rectangles whose fragments sample.

Texture coordinates are 0 to 1 over a rectangle, so that a target of n pixels samples at n centres. It holds no case.
Read next: ``border.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refnvn.nvn.device import Device
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.shader.ir import Shader
from refnvn.shader.python import attribute, vec4, vertex_shader

STRIDE_B = 32
WHOLE = (0.0, 0.0, 1.0, 1.0)


@vertex_shader
def placed(position: vec4 = attribute(0), at: vec4 = attribute(1)):  # type: ignore[no-untyped-def]
    """Pass position and texture coordinates on."""
    return position, at


class Sampling:
    """Commands that sample: two pools, set; a texture is registered when it is bound.

    Parameters
    ----------
    device : Device
    descriptors : int
        Of each pool.
    """

    def __init__(self, device: Device, descriptors: int = 512) -> None:
        self.device = device
        self.textures = device.texture_pool(descriptors)
        self.samplers = device.sampler_pool(descriptors)
        self.commands = device.command_buffer()
        self.queue = device.queue()
        self._begin()

    def _begin(self) -> None:
        """Set pools, and the layout of vertices."""
        commands = self.commands
        commands.set_texture_pool(self.textures)
        commands.set_sampler_pool(self.samplers)
        commands.bind_vertex_attrib_state(
            [VertexAttribState().set_format("RGBA32F", 0), VertexAttribState().set_format("RGBA32F", 16)]
        )
        commands.bind_vertex_stream_state([VertexStreamState().set_stride(STRIDE_B)])

    def handle(self, texture: Texture, sampler: SamplerBuilder | None = None, view: TextureView | None = None) -> int:
        """Register a texture and a sampler, and return their handle."""
        number = self.textures.register_texture(None, texture, view)
        made = Sampler(sampler if sampler is not None else SamplerBuilder())
        return self.device.get_texture_handle(number, self.samplers.register_sampler(None, made))

    def bind(
        self,
        index: int,
        texture: Texture,
        sampler: SamplerBuilder | None = None,
        view: TextureView | None = None,
        stage: str = "FRAGMENT",
    ) -> None:
        """Bind a texture with a sampler to a slot."""
        self.commands.bind_texture(stage, index, self.handle(texture, sampler, view))

    def target(self, fmt: str, width_px: int, height_px: int = 1, view: TextureView | None = None) -> Texture:
        """Make a target, set it, and set viewport and scissor to its size."""
        target = self.device.texture(fmt, width_px, height_px)
        self.draw_to(target, view)
        return target

    def draw_to(self, target: Texture, view: TextureView | None = None) -> None:
        """Set a target, and viewport and scissor to its size."""
        size = (target.subject(view).width_px, target.subject(view).height_px)
        self.commands.set_render_targets([target], [view])
        self.commands.set_viewport(0, 0, *size)
        self.commands.set_scissor(0, 0, *size)

    def draw(
        self, fragment: Shader, at: tuple[float, float, float, float] = WHOLE, rest: Sequence[float] = (0.0, 1.0)
    ) -> None:
        """Draw over the whole target: coordinates from ``(left, bottom)`` to ``(right, top)``, and two more."""
        left, bottom, right, top = at
        corners = [(-1, -1, left, bottom), (1, -1, right, bottom), (-1, 1, left, top), (1, 1, right, top)]
        order = (0, 1, 2, 2, 1, 3)
        vertices = np.array([(*corners[k][:2], 0, 1, *corners[k][2:], *rest) for k in order], np.float32)
        self.commands.bind_program(self.device.program(placed, fragment))
        self.commands.bind_vertex_buffer(0, self.device.buffer(vertices))
        self.commands.draw_arrays("TRIANGLES", 0, len(order))

    def settle(self) -> None:
        """Let what comes later sample what was drawn so far."""
        self.commands.barrier("ORDER_PRIMITIVES | ORDER_FRAGMENTS")
        self.commands.barrier("INVALIDATE_TEXTURE")

    def submit(self) -> None:
        """Submit what was recorded; recording goes on, and what was set stays."""
        self.queue.submit(self.commands)
