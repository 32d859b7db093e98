"""Faults of storage: images that should share bytes and do not, and caches that miss each other's writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording, Submit
from refnvn.commands.resources import MemoryPool, Texture, TextureRef
from refnvn.commands.subject import description_of, subject_of, whole_region
from refnvn.faults.fault import Fault, register
from refnvn.layout.block_linear import align
from refnvn.layout.texture import texture_layout
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Pool
from refnvn.nvn.texture import same_texture
from refnvn.trace.files import Trace

PAGE_B = 4096
Differs = Callable[[Texture, Texture], bool]


def _kept_apart(trace: Trace, differs: Differs) -> Trace:
    """Give a texture storage of its own where an earlier one starts at the same byte and ``differs`` says so."""
    recording = trace.recording
    pools = list(recording.pools)
    textures: list[Texture] = []
    for texture in recording.textures:
        earlier = (one for one in recording.textures[: len(textures)] if _same_start(one, texture))
        if any(differs(one, texture) for one in earlier):
            size_B = align(texture_layout(description_of(texture)).size_B, PAGE_B)
            pools.append(MemoryPool(size_B=size_B))
            texture = msgspec.structs.replace(texture, pool=len(pools) - 1, offset_B=0)
        textures.append(texture)
    return replace(trace, recording=msgspec.structs.replace(recording, pools=tuple(pools), textures=tuple(textures)))


def _same_start(one: Texture, other: Texture) -> bool:
    return (one.pool, one.offset_B) == (other.pool, other.offset_B)


def _is_srgb_twin(one: Texture, other: Texture) -> bool:
    plain = {one.format.removesuffix("_SRGB"), other.format.removesuffix("_SRGB")}
    return one.format != other.format and len(plain) == 1


def _has_other_size(one: Texture, other: Texture) -> bool:
    return (one.width, one.height) != (other.width, other.height)


def _has_other_flags(one: Texture, other: Texture) -> bool:
    return one.flags != other.flags


def _is_any_other(one: Texture, other: Texture) -> bool:
    return not same_texture(one, other)


class CachesByAddress(Memory):
    """Memory that keeps the pages of a virtual pool apart from the physical ones that they are mapped to."""

    def map_virtual(
        self, pool: int, offset_B: int, size_B: int, physical: int | None, physical_offset_B: int = 0
    ) -> None:
        """Map pages to a copy of the physical ones, made now."""
        if physical is None:
            super().map_virtual(pool, offset_B, size_B, None)
            return
        content = self.pool_bytes(physical)[physical_offset_B : physical_offset_B + size_B]
        private = Pool(align(size_B, PAGE_B), self.pool(physical).flags, np.ascontiguousarray(content).tobytes())
        self._cache.drop_pool(pool)
        self.pool(pool).map(offset_B, size_B, private, 0)


def _retired(trace: Trace) -> Trace:
    """Give back what a texture held when a submission did not use it: its storage, which nobody drew into."""
    recording = trace.recording
    drawn: set[int] = set()
    buffers = list(recording.command_buffers)
    events = [one for one in recording.timeline if isinstance(one, Submit)]
    for index in dict.fromkeys(i for event in events for i in event.command_buffers):
        commands = buffers[index]
        targets = {
            ref.texture for one in commands if isinstance(one, c.SetRenderTargets) for ref in one.colors if ref
        }
        buffers[index] = (*(_zeros(recording, texture) for texture in sorted(drawn - targets)), *commands)
        drawn = targets
    return replace(trace, recording=msgspec.structs.replace(recording, command_buffers=tuple(buffers)))


def _zeros(recording: Recording, texture: int) -> c.AnyCommand:
    region = whole_region(subject_of(recording.textures[texture]))
    return c.ClearTexture(texture=TextureRef(texture=texture), region=region, color_bits=(0, 0, 0, 0))


register(
    Fault(
        id="alias-retire",
        symptom="a live target comes back with the bytes of its storage instead of its pixels",
        rewrite=_retired,
    ),
    Fault(
        id="alias-takeover",
        symptom="the previous picture shows in place of the new one",
        rewrite=lambda trace: _kept_apart(trace, _is_any_other),
    ),
    Fault(
        id="srgb-alias",
        symptom="the sRGB texture never changes: a film never appears, the last 3D frame stays",
        rewrite=lambda trace: _kept_apart(trace, _is_srgb_twin),
    ),
    Fault(
        id="res-variants",
        symptom="content written at one resolution is missing at another",
        rewrite=lambda trace: _kept_apart(trace, _has_other_size),
    ),
    Fault(
        id="image-flag-share",
        symptom="a lookup through the texture without the IMAGE flag stays zero, a model is a black silhouette",
        rewrite=lambda trace: _kept_apart(trace, _has_other_flags),
    ),
    Fault(
        id="transient-share",
        symptom="a rebuilt texture has lost the previous frame's content, temporal effects restart",
        rewrite=lambda trace: _kept_apart(trace, same_texture),
    ),
    Fault(
        id="copy-alias",
        symptom="a copy through one alias, then a read through another, returns old bytes",
        memory=CachesByAddress,
    ),
)
