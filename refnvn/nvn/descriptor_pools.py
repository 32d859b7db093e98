"""Pools of descriptors: ``NVNtexturePool`` and ``NVNsamplerPool``, where ids become textures and samplers.

What is registered is copied, now in the order of the recording: commands that are submitted later see it. The first
256 ids of each pool belong to the driver; a game that registers one of those replaces what the driver put there.

Read next: ``texture_commands.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

from refnvn.commands import recording as r
from refnvn.commands.resources import TextureRef
from refnvn.nvn.arguments import instance, whole
from refnvn.nvn.memory_pool import MemoryPool
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.texture import Texture, TextureView, ref_of
from refnvn.texture.handles import RESERVED_IDS
from refnvn.trace.check_textures import DESCRIPTOR_B, MOST_SAMPLERS, MOST_TEXTURES

if TYPE_CHECKING:
    from refnvn.nvn.device import Device


class _DescriptorPool:
    """A range of a memory pool that holds descriptors of 32 bytes.

    Parameters
    ----------
    pool : MemoryPool
    offset : int
        In bytes.
    num_descriptors : int
    """

    _most = MOST_TEXTURES

    def __init__(self, pool: MemoryPool, offset: int, num_descriptors: int) -> None:
        call = type(self).__name__
        self.pool = instance(call, "pool", pool, MemoryPool)
        fitting = min(self._most, self.pool.size_B // DESCRIPTOR_B)
        self.num_descriptors = whole(call, "numDescriptors", num_descriptors, 1, fitting)
        most_B = self.pool.size_B - self.num_descriptors * DESCRIPTOR_B
        self.offset = whole(call, "offset", offset, 0, most_B)
        self._next = RESERVED_IDS

    @property
    def device(self) -> Device:
        """The device of its memory."""
        return self.pool.device

    @property
    def address(self) -> int:
        """The GPU address of its first descriptor."""
        return self.pool.get_buffer_address(self.offset)

    def get_memory_pool(self) -> MemoryPool:
        """Return the memory pool."""
        return self.pool

    def get_memory_offset(self) -> int:
        """Return where it starts in there."""
        return self.offset

    def get_size(self) -> int:
        """Return how many descriptors it holds."""
        return self.num_descriptors

    def _id(self, call: str, number: SupportsIndex | None) -> int:
        """Return an id of this pool: the next that was never given, if None is asked for."""
        found = whole(call, "id", self._next if number is None else number, 0, self.num_descriptors - 1)
        self._next = max(self._next, found + 1)
        return found


class TexturePool(_DescriptorPool):
    """``NVNtexturePool``; parameters as NVN's ``Initialize`` takes them."""

    def register_texture(
        self, number: SupportsIndex | None, texture: Texture, view: TextureView | None = None
    ) -> int:
        """Put a copy of a texture, seen through a view, under an id, and return that; None takes the next one."""
        ref, found = self._ref("register_texture", number, texture, view)
        event = r.RegisterTexture(address=self.address, id=found, texture=ref)
        self.device.recorder.add_event("register_texture", event)
        return found

    def register_image(self, number: SupportsIndex | None, texture: Texture, view: TextureView | None = None) -> int:
        """Put a copy of an image under an id, and return that; None takes the next one."""
        ref, found = self._ref("register_image", number, texture, view)
        event = r.RegisterImage(address=self.address, id=found, texture=ref)
        self.device.recorder.add_event("register_image", event)
        return found

    def _ref(
        self, call: str, number: SupportsIndex | None, texture: Texture, view: TextureView | None
    ) -> tuple[TextureRef, int]:
        return ref_of(call, "texture", texture, view, self.device), self._id(call, number)


class SamplerPool(_DescriptorPool):
    """``NVNsamplerPool``; parameters as NVN's ``Initialize`` takes them."""

    _most = MOST_SAMPLERS

    def register_sampler(self, number: SupportsIndex | None, sampler: Sampler) -> int:
        """Put a copy of a sampler under an id, and return that; None takes the next one."""
        return self._register("register_sampler", number, instance("register_sampler", "sampler", sampler, Sampler))

    def register_sampler_builder(self, number: SupportsIndex | None, builder: SamplerBuilder) -> int:
        """Put what a builder says under an id, and return that; None takes the next one."""
        call = "register_sampler_builder"
        return self._register(call, number, instance(call, "builder", builder, SamplerBuilder))

    def _register(self, call: str, number: SupportsIndex | None, sampler: Sampler | SamplerBuilder) -> int:
        found = self._id(call, number)
        event = r.RegisterSampler(address=self.address, id=found, sampler=sampler.record)
        self.device.recorder.add_event(call, event)
        return found
