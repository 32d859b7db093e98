"""What does a statement that reads a texture give in many lanes?

The handle of each lane decides which texture and which sampler it reads; lanes that agree are read together. What is
read is the arithmetic of :mod:`refnvn.texture`; here it gets coordinates out of registers.

Read next: ``refnvn/texture/sample.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import CompareMode
from refnvn.layout.description import TextureTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Stage
from refnvn.shader.ir_textures import (
    COORDINATES,
    AnyTextureStatement,
    FetchTexel,
    GatherTexels,
    QueryLod,
    QueryTexture,
    SampleTexture,
    TextureDimension,
    TextureSlot,
    takes_quad,
)
from refnvn.shader.textures import Textures
from refnvn.texture.declared import as_declared, unbound_content
from refnvn.texture.fetch import fetch
from refnvn.texture.gather import Offsets, gather
from refnvn.texture.gradients import Gradients, quad_gradients
from refnvn.texture.handles import SlotKind, split_handle
from refnvn.texture.query import query_lod, size_of
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

Words = NDArray[np.uint32]
Lanes = NDArray[np.intp]

TARGETS = {
    TextureDimension.D1: TextureTarget.TARGET_1D,
    TextureDimension.D2: TextureTarget.TARGET_2D,
    TextureDimension.D3: TextureTarget.TARGET_3D,
    TextureDimension.CUBE: TextureTarget.TARGET_CUBEMAP,
    TextureDimension.D1_ARRAY: TextureTarget.TARGET_1D_ARRAY,
    TextureDimension.D2_ARRAY: TextureTarget.TARGET_2D_ARRAY,
    TextureDimension.CUBE_ARRAY: TextureTarget.TARGET_CUBEMAP_ARRAY,
    TextureDimension.RECTANGLE: TextureTarget.TARGET_RECTANGLE,
    TextureDimension.MULTISAMPLE: TextureTarget.TARGET_2D_MULTISAMPLE,
    TextureDimension.MULTISAMPLE_ARRAY: TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY,
    TextureDimension.BUFFER: TextureTarget.TARGET_BUFFER,
}
"""The target that an instruction of each dimension expects."""


class TextureReads:
    """The texture statements of one run of a shader.

    Parameters
    ----------
    shader : Shader
        Validated.
    textures : Textures
        What handles name.
    registers : list of arrays
        Of the run; results are written there.
    rules : Rules
        Reads what filters and conversions read.
    live : bool, shape (lanes,), or None
        Which lanes are no helpers: what those read is told to nobody.
    """

    def __init__(
        self,
        shader: Shader,
        textures: Textures,
        registers: list[NDArray[Any]],
        rules: Rules,
        live: NDArray[np.bool_] | None = None,
    ) -> None:
        self.shader = shader
        self.live = live
        self.textures = textures
        self.registers = registers
        self.rules = rules
        self._seen: dict[tuple[int, TextureDimension], SampledTexture] = {}

    def run(self, statement: AnyTextureStatement, mask: NDArray[np.bool_]) -> None:
        """Run a statement in the lanes of a mask."""
        gradients = self._gradients(statement)
        for word, lanes in self._groups(statement, mask):
            words = self._read(statement, word, lanes, gradients)
            for register, row in zip(statement.to, words, strict=True):
                if isinstance(lanes, slice):
                    self.registers[register] = row
                else:
                    self.registers[register][lanes] = row

    def _groups(self, statement: AnyTextureStatement, mask: NDArray[np.bool_]) -> Iterator[tuple[int, Lanes | slice]]:
        """Yield each handle that lanes of a mask have, and those lanes; all of them as a slice."""
        words = self._words(statement)
        if isinstance(words, int):
            yield words, slice(None) if mask.all() else np.flatnonzero(mask)
            return
        for word in np.unique(words[mask]):
            yield int(word), np.flatnonzero(mask & (words == word))

    def _words(self, statement: AnyTextureStatement) -> int | Words:
        """Return the handle that texture and sampler make: a number, or one for each lane."""
        slot = self.shader.textures[statement.texture]
        words: list[int | Words] = []
        if statement.handle is not None:
            words.append(self.registers[statement.handle])
        elif slot.binding is not None:
            kind = SlotKind.SEPARATE_TEXTURE if slot.separate else SlotKind.COMBINED
            words.append(self.textures.bound(kind, slot.binding) & 0xFFFFFFFF)
        if statement.sampler_handle is not None:
            words.append(self.registers[statement.sampler_handle])
        elif statement.sampler is not None:
            binding = self.shader.samplers[statement.sampler].binding
            words.append(self.textures.bound(SlotKind.SEPARATE_SAMPLER, binding) & 0xFFFFFFFF)
        return joined_handle(words)

    def named_by_slots(self, statement: AnyTextureStatement) -> tuple[SampledTexture, Sampler]:
        """Return the texture and sampler of a statement that takes no handle out of a register."""
        words = self._words(statement)
        assert isinstance(words, int)
        return self._named(statement, words)

    def _named(self, statement: AnyTextureStatement, word: int) -> tuple[SampledTexture, Sampler]:
        slot, handle = self.shader.textures[statement.texture], split_handle(word)
        return self._content(slot, handle.texture_id), self._sampler(slot, handle.sampler_id)

    def _content(self, slot: TextureSlot, texture_id: int) -> SampledTexture:
        """Return what a texture id shows to instructions of a slot's dimension."""
        key = (texture_id, slot.dimension)
        if key not in self._seen:
            texture, target = self.textures.texture(texture_id), TARGETS[slot.dimension]
            if texture is None:
                self._seen[key] = unbound_content(target, self.rules)
            else:
                self._seen[key] = self._as_declared(key, texture, target)
        return self._seen[key]

    def _as_declared(
        self, key: tuple[int, TextureDimension], texture: SampledTexture, target: TextureTarget
    ) -> SampledTexture:
        """Return a texture as an instruction of another dimension sees it, once for all runs of a draw."""
        seen = as_declared(texture, target, self.rules)
        rules, kept = self.textures.kept.setdefault(key, (self.rules, seen))
        return kept if rules is self.rules else seen

    def _sampler(self, slot: TextureSlot, sampler_id: int) -> Sampler:
        sampler = self.textures.sampler(sampler_id) or Sampler()
        return sampler if slot.shadow else not_comparing(sampler)

    def _rows(self, registers: tuple[int, ...], lanes: Lanes | slice) -> Words:
        return np.stack([self.registers[one][lanes] for one in registers])

    def _floats(self, registers: tuple[int, ...], lanes: Lanes | slice) -> NDArray[np.float32]:
        floats: NDArray[np.float32] = self._rows(registers, lanes).view(np.float32)
        return floats

    def _float(self, register: int, lanes: Lanes | slice) -> NDArray[np.float32]:
        row: NDArray[np.float32] = self._floats((register,), lanes)[0]
        return row

    def _integers(self, registers: tuple[int, ...], lanes: Lanes | slice) -> NDArray[np.int64]:
        return self._rows(registers, lanes).view(np.int32).astype(np.int64)

    def _gradients(self, statement: AnyTextureStatement) -> Gradients | None:
        """Return the derivatives of all lanes, where the statement takes any."""
        everything = slice(None)
        if isinstance(statement, SampleTexture) and statement.dx:
            return Gradients(self._floats(statement.dx, everything), self._floats(statement.dy, everything))
        if self.shader.stage is not Stage.FRAGMENT or not takes_quad(statement):
            return None
        assert isinstance(statement, SampleTexture | QueryLod)
        return quad_gradients(self._floats(statement.coordinates, everything))

    def _read(
        self, statement: AnyTextureStatement, word: int, lanes: Lanes | slice, gradients: Gradients | None
    ) -> Words:
        """Return what lanes with one handle read, shape (4, lanes)."""
        texture, sampler = self._named(statement, word)
        if texture.listener is not None:
            if self.live is None or self.live[lanes].any():
                self._read_from(statement, texture, sampler, self._live_of(lanes), gradients)
            texture = texture.silent
        return self._read_from(statement, texture, sampler, lanes, gradients)

    def _live_of(self, lanes: Lanes | slice) -> Lanes | slice:
        if self.live is None:
            return lanes
        return np.flatnonzero(self.live) if isinstance(lanes, slice) else lanes[self.live[lanes]]

    def _read_from(
        self,
        statement: AnyTextureStatement,
        texture: SampledTexture,
        sampler: Sampler,
        lanes: Lanes | slice,
        gradients: Gradients | None,
    ) -> Words:
        if gradients is not None:
            gradients = Gradients(gradients.dx[:, lanes], gradients.dy[:, lanes])
        match statement:
            case SampleTexture():
                return self._sample(statement, texture, sampler, lanes, gradients)
            case FetchTexel():
                return self._fetch(statement, texture, lanes)
            case GatherTexels():
                return self._gather(statement, texture, sampler, lanes)
            case QueryTexture():
                return self._size(statement, texture, lanes)
            case QueryLod():
                assert gradients is not None
                slot = self.shader.textures[statement.texture]
                return self._lod(statement, slot, texture, sampler, lanes, gradients)

    def _sample(
        self,
        statement: SampleTexture,
        texture: SampledTexture,
        sampler: Sampler,
        lanes: Lanes | slice,
        gradients: Gradients | None,
    ) -> Words:
        found = sample(
            texture,
            sampler,
            self._floats(statement.coordinates, lanes),
            lod=None if statement.lod is None else self._float(statement.lod, lanes),
            bias=0.0 if statement.bias is None else self._float(statement.bias, lanes),
            gradients=gradients,
            offset=statement.offset,
            reference=None if statement.reference is None else self._float(statement.reference, lanes),
            rules=self.rules,
        )
        return found.view(np.uint32)

    def _fetch(self, statement: FetchTexel, texture: SampledTexture, lanes: Lanes | slice) -> Words:
        found = fetch(
            texture,
            self._integers(statement.texels, lanes),
            level=0 if statement.level is None else self._integers((statement.level,), lanes)[0],
            sample=0 if statement.sample is None else self._integers((statement.sample,), lanes)[0],
            offset=statement.offset,
            rules=self.rules,
        )
        return found.view(np.uint32)

    def _gather(
        self, statement: GatherTexels, texture: SampledTexture, sampler: Sampler, lanes: Lanes | slice
    ) -> Words:
        given = statement.offsets
        offsets: tuple[int, int] | Offsets
        offsets = given[0] if len(given) == 1 else (given[0], given[1], given[2], given[3])
        found = gather(
            texture,
            sampler,
            self._floats(statement.coordinates, lanes),
            component=statement.component,
            offsets=offsets,
            reference=None if statement.reference is None else self._float(statement.reference, lanes),
            rules=self.rules,
        )
        return found.view(np.uint32)

    def _size(self, statement: QueryTexture, texture: SampledTexture, lanes: Lanes | slice) -> Words:
        count = self.registers[statement.to[0]][lanes].size
        asked = np.zeros(count, np.int64)
        if statement.level is not None:
            asked = self._integers((statement.level,), lanes)[0]
        words = np.zeros((4, count), np.uint32)
        for level in np.unique(asked):
            size = size_of(texture, int(level))
            words[: len(size), asked == level] = np.array(size, np.uint32)[:, np.newaxis]
        words[3] = len(texture.levels)
        return words

    def _lod(
        self,
        statement: QueryLod,
        slot: TextureSlot,
        texture: SampledTexture,
        sampler: Sampler,
        lanes: Lanes | slice,
        gradients: Gradients,
    ) -> Words:
        coordinates = self._floats(statement.coordinates, lanes)
        missing = COORDINATES[slot.dimension] - len(coordinates)
        layer = np.zeros((missing, coordinates.shape[1]), np.float32)
        found = query_lod(texture, sampler, np.concatenate([coordinates, layer]), gradients, self.rules)
        return np.concatenate([found, np.zeros_like(found)]).view(np.uint32)


@rule(
    "TEX-HANDLE-2",
    "A separate texture's handle is its id, a separate sampler's its id 20 bits higher; an instruction takes the "
    "bits of both, so that a texture's handle may carry its sampler itself.",
    evidence=Evidence.SWITCH,
    sources=("seed-graphics",),
    ledger=("s4-3c-septex", "s4-3d-sepsamp"),
)
def joined_handle(words: list[int | Words]) -> int | Words:
    """Return the handle that an instruction gets from one word or two.

    >>> hex(joined_handle([0x123, 5 << 20]))
    '0x500123'
    """
    if all(isinstance(word, int) for word in words):
        return int(np.bitwise_or.reduce([int(word) for word in words]))
    joined: Words = np.bitwise_or.reduce([np.asarray(word, np.uint32) for word in np.broadcast_arrays(*words)])
    return joined


@rule(
    "TEX-SHADOW-5",
    "Only an instruction with a reference compares; another one reads depth with the same sampler as any texture.",
    evidence=Evidence.INFERRED,
    sources=("envytools",),
    refuted_by="a console that compares in a sample without a reference because its sampler does",
)
def not_comparing(sampler: Sampler) -> Sampler:
    """Return a sampler as an instruction without a reference uses it."""
    return sampler if sampler.compare_mode is CompareMode.NONE else replace(sampler, compare_mode=CompareMode.NONE)
