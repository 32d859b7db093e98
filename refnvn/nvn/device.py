"""``NVNdevice``: what everything is made from, and the conveniences that make a scene a dozen readable lines.

A device records; it renders nothing. NVN's objects are made from it in NVN's way, through builders, or in one call::

    target = device.texture("RGBA8", 4, 4)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (1, 0, 0, 1))
    device.queue().submit(commands)
    target.read_texels("target")

The conveniences take storage from one pool of the device that grows, at multiples of 64 KiB, as much as any setting
of the layout rules may need: what a scene records does not depend on the rules that it is replayed by.

Read next: ``scene.py``.
"""

from __future__ import annotations

import functools
from contextvars import Context

import numpy as np

from refnvn.commands.resources import MeshStages
from refnvn.enumerations import DepthMode, MemoryPoolFlags, WindowOriginMode
from refnvn.errors import ArgumentError, RefnvnError
from refnvn.layout.description import TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.texture import texture_layout
from refnvn.nvn.arguments import content, instance, member, naming, owned, text, whole
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.descriptor_pools import SamplerPool, TexturePool
from refnvn.nvn.memory_pool import DEFAULT_FLAGS, MOST_POOL_B, Buffer, Data, MemoryPool, MemoryPoolBuilder
from refnvn.nvn.program import Program
from refnvn.nvn.queue import Queue
from refnvn.nvn.recorder import Recorder
from refnvn.nvn.texture import Texture
from refnvn.nvn.texture_builder import TextureBuilder, texture_target
from refnvn.rules.fields import settings_of, watch
from refnvn.texture.handles import combined_handle
from refnvn.trace.check_textures import DESCRIPTOR_B, MOST_SAMPLERS, MOST_TEXTURES
from refnvn.trace.files import Trace

PAGE_B = 4096
SLOT_B = 65536
_CONTENT = bytes | bytearray | memoryview | np.ndarray


class Device:
    """``NVNdevice``.

    Parameters
    ----------
    name : str
        Of the recording, for people.
    """

    def __init__(self, name: str = "") -> None:
        self.name = text("Device", "name", name)
        self.recorder = Recorder()
        self.command_buffers: list[CommandBuffer] = []
        self._window_origin = WindowOriginMode.LOWER_LEFT
        self._depth_mode = DepthMode.NEAR_IS_MINUS_W
        self._slots: MemoryPool | None = None
        self._next_slot_B = 0

    def set_window_origin_mode(self, window_origin_mode: WindowOriginMode | str | int) -> None:
        """Set the window origin: queues made and viewports recorded from now on follow it."""
        call = "set_window_origin_mode"
        self._window_origin = member(call, "window_origin_mode", window_origin_mode, WindowOriginMode)

    def get_window_origin_mode(self) -> WindowOriginMode:
        """Return the window origin."""
        return self._window_origin

    def set_depth_mode(self, depth_mode: DepthMode | str | int) -> None:
        """Set the depth mode of the whole recording.

        Raises
        ------
        ArgumentError
            For another mode after commands were recorded: what those would do then is not modelled.
        """
        found = member("set_depth_mode", "depth_mode", depth_mode, DepthMode)
        recorded = self.recorder.command_buffers or any(buffer.unsubmitted for buffer in self.command_buffers)
        if found is not self._depth_mode and recorded:
            raise ArgumentError(f"set_depth_mode: depth_mode is {found.name} after commands were recorded")
        self._depth_mode = found

    def get_depth_mode(self) -> DepthMode:
        """Return the depth mode."""
        return self._depth_mode

    def queue(self) -> Queue:
        """Make a queue; each call makes another one, and two queues are ordered by syncs alone."""
        return Queue(self)

    def command_buffer(self) -> CommandBuffer:
        """Make a command buffer, recording."""
        return CommandBuffer(self)

    def program(
        self,
        vertex: object = None,
        fragment: object = None,
        compute: object = None,
        *,
        geometry: object = None,
        tess_control: object = None,
        tess_evaluation: object = None,
        mesh: MeshStages | None = None,
        label: str = "",
    ) -> Program:
        """Make a program of shaders of :mod:`refnvn.shader`."""
        return Program(
            vertex, fragment, compute, geometry=geometry, tess_control=tess_control, tess_evaluation=tess_evaluation,
            mesh=mesh, label=label,
        )  # fmt: skip

    def memory_pool(
        self, memory: Data | int, flags: MemoryPoolFlags | str | int = DEFAULT_FLAGS, *, label: str = ""
    ) -> MemoryPool:
        """Make a pool of a size, or of bytes, filled up with zeros to a multiple of 4096."""
        builder = MemoryPoolBuilder().set_flags(flags)
        if isinstance(memory, _CONTENT):
            raw = content("memory_pool", "memory", memory)
            builder.set_storage(raw, -(-len(raw) // PAGE_B) * PAGE_B)
        else:
            builder.set_storage(whole("memory_pool", "memory", memory, 0, MOST_POOL_B))
        return MemoryPool(self, builder, label=label)

    def texture_pool(self, num_descriptors: int = 1024) -> TexturePool:
        """Make a pool of textures in memory of its own."""
        return TexturePool(*self._descriptors("texture_pool", num_descriptors, MOST_TEXTURES))

    def sampler_pool(self, num_descriptors: int = 1024) -> SamplerPool:
        """Make a pool of samplers in memory of its own."""
        return SamplerPool(*self._descriptors("sampler_pool", num_descriptors, MOST_SAMPLERS))

    def _descriptors(self, call: str, num_descriptors: int, most: int) -> tuple[MemoryPool, int, int]:
        number = whole(call, "numDescriptors", num_descriptors, 1, most)
        size_B = number * DESCRIPTOR_B
        return self._pool_of_slots(size_B), self._take(size_B), number

    def get_texture_handle(self, texture_id: int, sampler_id: int) -> int:
        """Return the combined handle of two ids."""
        call = "get_texture_handle"
        return combined_handle(
            whole(call, "textureID", texture_id, 0, MOST_TEXTURES - 1),
            whole(call, "samplerID", sampler_id, 0, MOST_SAMPLERS - 1),
        )

    def get_image_handle(self, texture_id: int) -> int:
        """Return the handle of an image."""
        return whole("get_image_handle", "textureID", texture_id, 0, MOST_TEXTURES - 1)

    def get_texel_fetch_handle(self, texture_id: int) -> int:
        """Return the handle of a texture that is only fetched from."""
        return whole("get_texel_fetch_handle", "textureID", texture_id, 0, MOST_TEXTURES - 1)

    def get_separate_texture_handle(self, texture_id: int) -> int:
        """Return the handle of a texture without a sampler."""
        return whole("get_separate_texture_handle", "textureID", texture_id, 0, MOST_TEXTURES - 1)

    def get_separate_sampler_handle(self, sampler_id: int) -> int:
        """Return the handle of a sampler without a texture."""
        return combined_handle(0, whole("get_separate_sampler_handle", "samplerID", sampler_id, 0, MOST_SAMPLERS - 1))

    def buffer(self, memory: Data | int) -> Buffer:
        """Make a buffer of a size, of zeros, or of bytes that the processor writes now."""
        raw = content("buffer", "memory", memory) if isinstance(memory, _CONTENT) else b""
        size_B = len(raw) if isinstance(memory, _CONTENT) else whole("buffer", "memory", memory, 0, MOST_POOL_B)
        buffer = Buffer(self._pool_of_slots(size_B), self._take(size_B), size_B)
        if raw:
            buffer.write(raw)
        return buffer

    def texture(
        self,
        format_name: str,
        width: int,
        height: int = 1,
        depth: int = 1,
        *,
        target: TextureTarget | str = "2D",
        levels: int = 1,
        samples: int = 1,
        flags: TextureFlags | str | int = 0,
        over: Texture | None = None,
        label: str = "",
    ) -> Texture:
        """Make a texture in storage of its own, or over that of another.

        Parameters
        ----------
        format_name : str
            NVN's name.
        width, height, depth : int
            As the target counts them.
        target : TextureTarget or name
            ``"2D_ARRAY"``, ``"CUBEMAP"``, ...
        levels, samples, flags
            As the builder takes them.
        over : Texture or None
            Its storage, from the first byte, is shared.
        label : str
            For people.
        """
        builder = TextureBuilder().set_format(format_name).set_size_3d(width, height, depth).set_levels(levels)
        builder.set_target(texture_target("texture", target)).set_samples(samples).set_flags(flags).set_label(label)
        return self._placed("texture", builder, over)

    def place(self, builder: TextureBuilder, *, over: Texture | None = None) -> Texture:
        """Make a texture of a builder in storage of its own, or over that of another; the builder stays as it is."""
        return self._placed("place", instance("place", "builder", builder, TextureBuilder), over)

    def _placed(self, call: str, builder: TextureBuilder, over: Texture | None) -> Texture:
        builder = builder.copy()
        if over is not None:
            owned(call, "over", over, Texture, self)
        with naming(call):
            size_B = reserved_size_B(builder.description())
        if over is None:
            pool, offset_B = self._pool_of_slots(size_B), self._take(size_B)
        else:
            pool, offset_B = over.get_memory_pool(), over.get_memory_offset()
            if pool is self._slots:
                self._reserve(offset_B + size_B)
        return Texture(self, builder.set_storage(pool, offset_B))

    def _pool_of_slots(self, size_B: int) -> MemoryPool:
        if self._slots is None:
            builder = MemoryPoolBuilder().set_storage(max(SLOT_B, -(-size_B // SLOT_B) * SLOT_B))
            self._slots = MemoryPool(self, builder, label="slots", growing=True)
        return self._slots

    def _take(self, size_B: int) -> int:
        """Return the offset of new storage."""
        offset_B = self._next_slot_B
        self._reserve(offset_B + max(size_B, 1))
        return offset_B

    def _reserve(self, end_B: int) -> None:
        end_B = -(-end_B // SLOT_B) * SLOT_B
        self._pool_of_slots(end_B).grow(end_B)
        self._next_slot_B = max(self._next_slot_B, end_B)

    def trace(self) -> Trace:
        """Return everything recorded so far.

        Raises
        ------
        ArgumentError
            Where commands were recorded but not ended.
        """
        for buffer in self.command_buffers:
            if buffer.unsubmitted:
                raise ArgumentError(f"trace: {buffer.unsubmitted} commands were recorded and never submitted")
        return self.recorder.trace(self.name, self._window_origin, self._depth_mode)


@functools.lru_cache(maxsize=1024)
def reserved_size_B(description: TextureDescription) -> int:
    """Return the most bytes that a texture takes under any one setting of the rules; no rule counts as used.

    >>> from refnvn.layout.description import Element
    >>> reserved_size_B(TextureDescription(element=Element(4), width=8, height=8, levels=4))
    2048
    """
    return Context().run(_most_size_B, description)


def _most_size_B(description: TextureDescription) -> int:
    rules = watch()
    most_B = texture_layout(description, rules).size_B
    for field in sorted(rules.read):
        for setting in settings_of(field):
            try:
                most_B = max(most_B, texture_layout(description, watch().with_(**{field: setting})).size_B)
            except RefnvnError:
                continue
    return most_B
