"""Which fragment shaders do the random pipelines run? Nine of them, over palettes in a uniform block.

Each output is the base colour, its components turned left by the number of its target: float targets take it from the
palette of floats, integer targets from that of words. Which colour and what else is in ``_BODIES``, by name.

Read next: ``pipeline_state.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.fields import Fields
from refnvn.errors import InputFileError
from refnvn.raster.merge import SECOND_SOURCE
from refnvn.shader.builder import Builder
from refnvn.shader.ir import SAMPLE_MASK, Discard, If, Input, Output, Shader, StoreDepth, StoreOutput, UniformBlock
from refnvn.shader.ir_base import Builtin, ComponentType, Interpolation, Kind, Stage
from refnvn.shader.ir_textures import SampleTexture, TextureSlot
from refnvn.shader.validate import validate

COLOR_INDEX, SHIFT, SMOOTH = 0, 1, 2
"""Locations of the inputs: the vertex's colour, the instance's shift, the interpolated colour."""
PALETTE = 8
_COLOR_B, _WORD_B = 16, 4
_WORD_MOST = 0xFFFFFFFF
_FLOATS_B, _WORDS_B, _DISCARD_B, _MASKS_B, _DEPTHS_B, _PLACE_B, _BLOCK_B = 0, 128, 256, 264, 272, 304, 320
_HALF_BITS, _255_BITS = 0x3F000000, 0x437F0000

Colour = tuple[int, ...]
"""Registers of R, G, B, A."""


@dataclass(frozen=True, slots=True)
class Colours:
    """What float targets, integer targets and the second source get."""

    floats: Colour
    words: Colour
    second: Colour = ()


class _Reader:
    """What the bodies of the shaders are made of."""

    def __init__(self, build: Builder) -> None:
        self.build = build

    def number(self, value: int) -> int:
        return self.build.constant(value)

    def input(self, location: int, component: int = 0) -> int:
        return self.build.load_input(location, component)

    def pixel(self) -> tuple[int, int]:
        """Return the pixel's column and row as integers."""
        places = (self.build.load_builtin(one) for one in (Builtin.FRAG_COORD_X, Builtin.FRAG_COORD_Y))
        x, y = (self.build.operate("int.from_float", one) for one in places)
        return x, y

    def checker(self, shift: int) -> int:
        """Return whether a pixel is on an odd field of a board whose fields are ``1 << shift`` wide."""
        columns, rows = (self.build.operate("int.shift_right", one, shift) for one in self.pixel())
        return self.build.operate("word.and", self.build.operate("word.add", columns, rows), self.number(1))

    def turned(self, one: int, other: int) -> int:
        """Return the sum of two colour numbers, modulo 8."""
        return self.build.operate("word.and", self.build.operate("word.add", one, other), self.number(PALETTE - 1))

    def word(self, offset_B: int, index: int | None = None, size_B: int = _WORD_B) -> int:
        """Return a word of the uniform block, of an element of a table where there is an index."""
        if index is None:
            return self.build.load_uniform(0, offset_B)
        return self.build.load_uniform(0, offset_B, self.build.operate("word.mul", index, self.number(size_B)))

    def color(self, table_B: int, index: int) -> Colour:
        return tuple(self.word(table_B + _WORD_B * k, index, _COLOR_B) for k in range(4))

    def palettes(self, index: int) -> Colours:
        return Colours(self.color(_FLOATS_B, index), self.color(_WORDS_B, index))


def _flat(read: _Reader) -> Colours:
    return read.palettes(read.input(COLOR_INDEX))


def _primitive(read: _Reader) -> Colours:
    return read.palettes(read.turned(read.build.load_builtin(Builtin.PRIMITIVE_ID), read.input(SHIFT)))


def _facing(read: _Reader) -> Colours:
    """Reverse the components on back faces."""
    plain, front = _flat(read), read.build.load_builtin(Builtin.FRONT_FACING)

    def seen(colour: Colour) -> Colour:
        pairs = zip(colour, reversed(colour), strict=True)
        return tuple(read.build.operate("word.select", front, one, other) for one, other in pairs)

    return Colours(seen(plain.floats), seen(plain.words))


def _discard(read: _Reader) -> Colours:
    """Discard every other field of a board."""
    odd = read.checker(read.word(_DISCARD_B))
    condition = read.build.operate("word.equal", odd, read.word(_DISCARD_B + _WORD_B))
    with read.build.block() as inside:
        read.build.emit(Discard())
    read.build.emit(If(condition=condition, then=tuple(inside)))
    return _flat(read)


def _depth(read: _Reader) -> Colours:
    """Write one of eight depths by pixel."""
    x, y = read.pixel()
    place = read.turned(x, read.build.operate("word.mul", y, read.number(3)))
    read.build.emit(StoreDepth(of=read.word(_DEPTHS_B, place)))
    return _flat(read)


def _dual(read: _Reader) -> Colours:
    """Give the colour three further on as the second source."""
    plain = _flat(read)
    second = read.color(_FLOATS_B, read.turned(read.input(COLOR_INDEX), read.number(3)))
    return Colours(plain.floats, plain.words, second)


def _samplemask(read: _Reader) -> Colours:
    """Write one of two sample masks, by fields of two pixels."""
    mask = read.word(_MASKS_B, read.checker(read.number(1)))
    read.build.outputs[SAMPLE_MASK] = Output(location=SAMPLE_MASK, components=1, type=ComponentType.UINT)
    read.build.emit(StoreOutput(location=SAMPLE_MASK, of=mask))
    return _flat(read)


def _smooth(read: _Reader) -> Colours:
    """Interpolate the vertices' colours."""
    read.build.inputs.append(Input(location=SMOOTH, interpolation=Interpolation.SMOOTH))
    return Colours(tuple(read.input(SMOOTH, k) for k in range(4)), _flat(read).words)


def _texture(read: _Reader) -> Colours:
    """Sample a texture at a scaled and moved place of the fragment; integer targets get it in 255ths."""
    build = read.build
    at = (build.load_builtin(one) for one in (Builtin.FRAG_COORD_X, Builtin.FRAG_COORD_Y))
    places = (_PLACE_B + _WORD_B * k for k in range(4))
    scale_x, scale_y, offset_x, offset_y = (read.word(place) for place in places)
    moved = zip(at, (scale_x, scale_y), (offset_x, offset_y), strict=True)
    coordinates = tuple(build.operate("float.fma", one, scale, offset) for one, scale, offset in moved)
    red, green, blue, alpha = (build.register(Kind.WORD) for _ in range(4))
    colour = (red, green, blue, alpha)
    place = build.texture(TextureSlot(binding=0))
    build.emit(SampleTexture(to=colour, texture=place, coordinates=coordinates, lod=read.number(0)))
    most, half = read.number(_255_BITS), read.number(_HALF_BITS)
    scaled = (build.operate("float.fma", one, most, half) for one in colour)
    return Colours(colour, tuple(build.operate("uint.from_float", one) for one in scaled))


_BODIES: dict[str, Callable[[_Reader], Colours]] = {
    "flat": _flat,
    "primitive": _primitive,
    "facing": _facing,
    "discard": _discard,
    "depth": _depth,
    "dual": _dual,
    "samplemask": _samplemask,
    "smooth": _smooth,
    "texture": _texture,
}
NAMES = tuple(_BODIES)


def _store(build: Builder, location: int, kind: ComponentType, colour: Colour, turn: int) -> None:
    build.outputs[location] = Output(location=location, type=kind)
    for component in range(4):
        build.emit(StoreOutput(location=location, component=component, of=colour[(component + turn) % 4]))


@functools.lru_cache(maxsize=256)
def fragment_shader(name: str, targets: tuple[ComponentType, ...], early: bool = False) -> Shader:
    """Return a shader of this name for targets of these types, with early tests or not."""
    build = Builder(Stage.FRAGMENT, name)
    build.uniforms[0] = UniformBlock(binding=0, size_B=_BLOCK_B)
    for location in (COLOR_INDEX, SHIFT):
        build.inputs.append(
            Input(location=location, components=1, type=ComponentType.UINT, interpolation=Interpolation.FLAT)
        )
    found = _BODIES[name](_Reader(build))
    for location, kind in enumerate(targets):
        _store(build, location, kind, found.floats if kind is ComponentType.FLOAT else found.words, location)
    if found.second:
        _store(build, SECOND_SOURCE, ComponentType.FLOAT, found.second, 0)
    return validate(msgspec.structs.replace(build.shader(), early_fragment_tests=early), name)


def palette(case: Fields) -> NDArray[np.float32]:
    """Return the eight float colours of a case."""
    return _of_eight(case, np.array(case.real_rows("palette", 4), np.float32))


def _of_eight(case: Fields, table: NDArray[Any]) -> NDArray[Any]:
    if len(table) != PALETTE:
        raise InputFileError(f"{case.name}: a palette has {len(table)} colours; allowed are {PALETTE}")
    return table


def uniform_block(case: Fields, draw: Fields) -> NDArray[np.uint8]:
    """Return the bytes of the uniform block that the shader of a draw reads."""
    block = np.zeros(_BLOCK_B // _WORD_B, dtype=np.uint32)

    def put(offset_B: int, words: NDArray[Any], most: int) -> None:
        found = words.ravel()[:most]
        block[offset_B // _WORD_B :][: found.size] = found.view(np.uint32)

    put(_FLOATS_B, palette(case), 4 * PALETTE)
    words = np.array(case.number_rows("upalette", 4, high=_WORD_MOST), dtype=np.uint32)
    put(_WORDS_B, _of_eight(case, words), 4 * PALETTE)
    if "discard" in draw:
        told = draw.inner("discard")
        put(_DISCARD_B, np.array([told.integer("shift", high=31), told.integer("parity", high=1)], np.uint32), 2)
    if "sample_mask_out" in draw:
        put(_MASKS_B, np.array(draw.numbers("sample_mask_out"), np.uint32), 2)
    if "frag_depth" in draw:
        put(_DEPTHS_B, np.array(draw.reals("frag_depth"), np.float32), PALETTE)
    if "sampler" in draw:
        told = draw.inner("sampler")
        put(_PLACE_B, np.array([*told.reals("scale", 2), *told.reals("offset", 2)], np.float32), 4)
    return block.view(np.uint8)
