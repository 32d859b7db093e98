"""The commands that set pools of descriptors and bind handles to slots. Read next: ``draw_commands.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat, SupportsIndex

from refnvn.commands import commands as c
from refnvn.enumerations import ShaderStage
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import float32, member, owned, series, whole
from refnvn.nvn.descriptor_pools import SamplerPool, TexturePool
from refnvn.nvn.recording_base import Recorded
from refnvn.texture.handles import COMBINED_SLOTS, SEPARATE_SLOTS

MOST_HANDLE = (1 << 32) - 1
DrawRegion = Sequence[SupportsFloat]
_SIDES = ("x", "y", "width", "height")
Stage = ShaderStage | str | int
Bind = type[c.BindTexture] | type[c.BindSeparateTexture] | type[c.BindSeparateSampler]


def _region(call: str, argument: str, given: DrawRegion) -> tuple[float, float, float, float]:
    numbers = series(call, argument, given, "numbers")
    if len(numbers) != len(_SIDES):
        raise ArgumentError(f"{call}: {argument} has {len(numbers)} numbers, allowed are x, y, width and height")
    x, y, width, height = (
        float32(call, f"{argument} {side}", number) for side, number in zip(_SIDES, numbers, strict=True)
    )
    return x, y, width, height


class TextureCommands(Recorded):
    """``nvnCommandBufferSetTexturePool``, ``SetSamplerPool``, and the binding of handles."""

    def set_texture_pool(self, pool: TexturePool) -> None:
        """Look texture ids up in a pool from now on."""
        found = owned("set_texture_pool", "pool", pool, TexturePool, self.device)
        command = c.SetTexturePool(address=found.address, descriptors=found.num_descriptors)
        self._record("set_texture_pool", command, address="pool", descriptors="pool")

    def set_sampler_pool(self, pool: SamplerPool) -> None:
        """Look sampler ids up in a pool from now on."""
        found = owned("set_sampler_pool", "pool", pool, SamplerPool, self.device)
        command = c.SetSamplerPool(address=found.address, descriptors=found.num_descriptors)
        self._record("set_sampler_pool", command, address="pool", descriptors="pool")

    def bind_texture(self, stage: Stage, index: int, texture: SupportsIndex) -> None:
        """Bind a combined handle to a slot of a stage."""
        self._bind("bind_texture", c.BindTexture, stage, index, (texture,), COMBINED_SLOTS)

    def bind_textures(self, stage: Stage, first: int, textures: Sequence[SupportsIndex]) -> None:
        """Bind combined handles to slots from ``first`` on."""
        handles = series("bind_textures", "textures", textures, "handles")
        self._bind("bind_textures", c.BindTexture, stage, first, handles, COMBINED_SLOTS)

    def bind_separate_texture(self, stage: Stage, index: int, handle: SupportsIndex) -> None:
        """Bind a texture's handle to a slot of separate textures."""
        self._bind("bind_separate_texture", c.BindSeparateTexture, stage, index, (handle,), SEPARATE_SLOTS)

    def bind_separate_textures(self, stage: Stage, first: int, handles: Sequence[SupportsIndex]) -> None:
        """Bind handles to slots of separate textures from ``first`` on."""
        given = series("bind_separate_textures", "handles", handles, "handles")
        self._bind("bind_separate_textures", c.BindSeparateTexture, stage, first, given, SEPARATE_SLOTS)

    def bind_separate_sampler(self, stage: Stage, index: int, handle: SupportsIndex) -> None:
        """Bind a sampler's handle to a slot of separate samplers."""
        self._bind("bind_separate_sampler", c.BindSeparateSampler, stage, index, (handle,), SEPARATE_SLOTS)

    def bind_separate_samplers(self, stage: Stage, first: int, handles: Sequence[SupportsIndex]) -> None:
        """Bind handles to slots of separate samplers from ``first`` on."""
        given = series("bind_separate_samplers", "handles", handles, "handles")
        self._bind("bind_separate_samplers", c.BindSeparateSampler, stage, first, given, SEPARATE_SLOTS)

    def draw_texture(self, handle: SupportsIndex, dst_region: DrawRegion, src_region: DrawRegion) -> None:
        """Draw a region of a texture, in texels, to a region of all colour targets, in pixels.

        Parameters
        ----------
        handle : int
            Of a texture and a sampler, in the pools that are set.
        dst_region, src_region : tuple of float
            x, y, width, height; a negative size turns the picture round.
        """
        call = "draw_texture"
        command = c.DrawTexture(
            handle=whole(call, "handle", handle, 0, MOST_HANDLE),
            destination=_region(call, "dst_region", dst_region),
            source=_region(call, "src_region", src_region),
        )
        self._record(call, command, destination="dst_region", source="src_region")

    def _bind(
        self, call: str, command: Bind, stage: Stage, first: int, handles: Sequence[SupportsIndex], slots: int
    ) -> None:
        of_stage = member(call, "stage", stage, ShaderStage)
        start = whole(call, "index", first, 0, slots - len(handles))
        for slot, handle in enumerate(handles, start):
            found = whole(call, "handle", handle, 0, MOST_HANDLE)
            self._record(call, command(stage=of_stage, index=slot, handle=found))
