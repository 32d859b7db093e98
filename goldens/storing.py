"""What the goldens of stores share: images in a pool of descriptors, programs that cover targets, words of memory.

It holds no case. Read next: ``image_usage.py``, ``compute.py``.
"""

from __future__ import annotations

from typing import Any

from refnvn.nvn.device import Device
from refnvn.nvn.texture import Texture, TextureView
from refnvn.shader.python import Array, Storage, gl, uint, vec4, vertex_shader

SIZE = 8


class Out(Storage, binding=0):
    """Words of storage slot 0."""

    words: Array[uint]  # type: ignore[type-arg]


@vertex_shader
def covering():  # type: ignore[no-untyped-def]
    """Cover everything with each triangle, at half depth."""
    corner = gl.vertex_id % 3
    return vec4(3.0 if corner == 1 else -1.0, 3.0 if corner == 2 else -1.0, 0.0, 1.0)


class Storing:
    """Commands whose shaders store, with a pool of images that is set.

    Parameters
    ----------
    device : Device
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.commands = device.command_buffer()
        self._pool = device.texture_pool(512)
        self.commands.set_texture_pool(self._pool)

    def bind_image(self, stage: str, slot: int, texture: Texture, view: TextureView | None = None) -> None:
        """Register an image and bind it to a slot of a stage."""
        number = self._pool.register_image(None, texture, view)
        self.commands.bind_image(stage, slot, self.device.get_image_handle(number))

    def compute(self, shader: object) -> None:
        """Bind a compute shader."""
        self.commands.bind_program(self.device.program(compute=shader), "COMPUTE")

    def draw_with(self, fragment: object, *targets: Texture | None, width: int = SIZE, height: int = SIZE) -> None:
        """Set targets, a viewport and a scissor of a size, and a program that covers them."""
        if targets:
            self.commands.set_render_targets(list(targets))
        self.commands.set_viewport(0, 0, width, height)
        self.commands.set_scissor(0, 0, width, height)
        self.commands.bind_program(self.device.program(covering, fragment))

    def cover(self, times: int = 1) -> None:
        """Draw as many triangles, each over everything."""
        self.commands.draw_arrays("TRIANGLES", 0, 3 * times)

    def submit(self) -> None:
        """Let a queue execute the commands."""
        self.device.queue().submit(self.commands)


def ordered(commands: Any) -> None:
    """Order everything that follows after everything before, caches included."""
    commands.barrier("ORDER_PRIMITIVES | ORDER_FRAGMENTS | INVALIDATE_TEXTURE | INVALIDATE_SHADER")
