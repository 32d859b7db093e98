"""How do textures of a shader's source become slots of its interface, and calls statements that read them?

Types are GLSL's: ``sampler2D`` in a slot or made of a handle, ``sampler2D(texture, sampler)`` made of two. Functions
take a reference after the coordinates where the type compares.

Read next: ``ir_textures.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from refnvn.shader.builder import Builder
from refnvn.shader.ir_base import Kind
from refnvn.shader.ir_textures import (
    COORDINATES,
    GATHERED,
    TEXELS,
    AnyTextureStatement,
    FetchTexel,
    GatherTexels,
    QueryLod,
    QueryTexture,
    SamplerSlot,
    SampleTexture,
    TextureDimension,
    TextureSlot,
    gradient_size,
    size_components,
)
from refnvn.shader.language_words import Word
from refnvn.shader.subset_values import (
    FLOAT,
    INT,
    UINT,
    Anything,
    Literal,
    Misuse,
    Sampled,
    SamplerAlone,
    Type,
    Value,
    typed,
)
from refnvn.shader.type_names import DIMENSIONS, PREFIX_TYPES
from refnvn.shader.validate_textures import MULTISAMPLE, ONE_LEVEL

_TYPE = re.compile(rf"([iu]?)(sampler|texture)({'|'.join(sorted(DIMENSIONS, key=len, reverse=True))})(Shadow)?")


def texture_type(word: object) -> TextureSlot | None:
    """Return the declaration that the name of a type stands for, without a slot; None for other words.

    >>> from refnvn.shader.language_textures import usampler2DArray
    >>> slot = texture_type(usampler2DArray)
    >>> slot.dimension.value, slot.type.value, slot.separate
    ('2d_array', 'uint', False)
    """
    found = _TYPE.fullmatch(word.name) if isinstance(word, Word) else None
    if found is None:
        return None
    prefix, kind, dimension, shadow = found.groups()
    return TextureSlot(
        separate=kind == "texture",
        dimension=DIMENSIONS[dimension],
        type=PREFIX_TYPES[prefix],
        shadow=shadow is not None,
    )


def is_sampler_type(word: object) -> bool:
    """Whether a word is the type of a separate sampler."""
    return isinstance(word, Word) and word.name == "sampler"


def in_slot(builder: Builder, declared: TextureSlot, binding: int, name: str) -> Sampled:
    """Return a parameter that is a texture in a slot."""
    slot = TextureSlot(
        binding=binding,
        separate=declared.separate,
        dimension=declared.dimension,
        type=declared.type,
        shadow=declared.shadow,
        name=name,
    )
    builder.texture(slot)
    return Sampled(slot)


def sampler_in_slot(builder: Builder, binding: int, name: str) -> SamplerAlone:
    """Return a parameter that is a separate sampler."""
    return SamplerAlone(builder.sampler(SamplerSlot(binding=binding, name=name)))


def made(builder: Builder, declared: TextureSlot, arguments: list[Anything]) -> Sampled:
    """Return the texture that ``sampler2D(handle)`` or ``sampler2D(texture, sampler)`` makes.

    Raises
    ------
    Misuse
        For other arguments.
    """
    if declared.separate or len(arguments) not in (1, 2):
        raise Misuse("a sampler type is made of a handle, or of a texture and a sampler")
    if len(arguments) == 1:
        return Sampled(_without_binding(declared, separate=False), handle=_handle(builder, arguments[0]))
    texture, sampler = arguments
    alone = sampler.place if isinstance(sampler, SamplerAlone) else None
    handle = None if alone is not None else _handle(builder, sampler)
    if not isinstance(texture, Sampled):
        slot = _without_binding(declared, separate=True)
        return Sampled(slot, _handle(builder, texture), alone, handle)
    slot = texture.slot
    if not slot.separate or (slot.dimension, slot.type) != (declared.dimension, declared.type):
        raise Misuse("the texture has another type than what is made of it, or a sampler already")
    seen = TextureSlot(
        binding=slot.binding,
        separate=True,
        dimension=slot.dimension,
        type=slot.type,
        shadow=declared.shadow,
        name=slot.name,
    )
    return Sampled(seen, texture.handle, alone, handle)


def _without_binding(declared: TextureSlot, *, separate: bool) -> TextureSlot:
    return TextureSlot(separate=separate, dimension=declared.dimension, type=declared.type, shadow=declared.shadow)


def _handle(builder: Builder, value: Anything) -> int:
    """Return the register of the low word of a handle."""
    word = typed(builder, value, UINT)
    if word.type not in (Type(UINT), Type(UINT, 2)):
        raise Misuse(f"a handle is a uint, or a uvec2 of which the second is not used, not {word.type}")
    return word.registers[0]


class _Call:
    """The arguments of one call, taken one by one.

    Parameters
    ----------
    builder : Builder
    arguments : list
        The texture first.
    """

    def __init__(self, builder: Builder, arguments: list[Anything]) -> None:
        self.builder = builder
        if not arguments or not isinstance(arguments[0], Sampled):
            raise Misuse("takes a texture first")
        self.texture = arguments[0]
        self.slot = arguments[0].slot
        self.rest = list(arguments[1:])

    def next(self, what: str) -> Anything:
        """Return the next argument."""
        if not self.rest:
            raise Misuse(f"needs {what}")
        return self.rest.pop(0)

    def end(self) -> None:
        """Raise where arguments are left."""
        if self.rest:
            raise Misuse(f"takes {len(self.rest)} arguments fewer")

    def numbers(self, what: str, kind: str, size: int) -> tuple[int, ...]:
        """Return the registers of an argument of a kind and size; integers of either sign."""
        value = typed(self.builder, self.next(what), kind)
        kinds = (INT, UINT) if kind == INT else (kind,)
        if value.type.kind not in kinds or value.type.size != size:
            raise Misuse(f"{what} is {Type(kind, size)}, not {value.type}")
        return value.registers

    def coordinates(self, dimensions: dict[TextureDimension, int], kind: str = FLOAT) -> tuple[int, ...]:
        """Return the registers of the coordinates."""
        size = dimensions.get(self.slot.dimension)
        if size is None:
            raise Misuse(f"a {self.slot.dimension} texture is not read in this way")
        return self.numbers("coordinates", kind, size)

    def reference(self) -> int | None:
        """Return the register of the reference, where the type compares."""
        return self.numbers("a reference", FLOAT, 1)[0] if self.slot.shadow else None

    def constants(self, what: str, size: int) -> tuple[int, ...]:
        """Return an argument of constant integers."""
        value = typed(self.builder, self.next(what), INT)
        found = [self.builder.constant_of(register) for register in value.registers]
        bits = [one for one in found if one is not None]
        if value.type != Type(INT, size) or len(bits) < size:
            raise Misuse(f"{what} is a constant {Type(INT, size)}")
        return tuple(one - (1 << 32) if one >> 31 else one for one in bits)

    def offset(self, size: int) -> tuple[int, int, int]:
        """Return constant offsets, filled up with zeros."""
        found = self.constants("an offset", size)
        if any(not -8 <= one <= 7 for one in found):
            raise Misuse(f"an offset of {found}; -8 to 7 are allowed")
        x, y, z = (*found, 0, 0)[:3]
        return x, y, z

    def naming(self, *, with_sampler: bool = True) -> dict[str, object]:
        """Return the fields of a statement that say what is read."""
        texture, builder = self.texture, self.builder
        if with_sampler and self.slot.separate and texture.sampler is None and texture.sampler_handle is None:
            raise Misuse("a texture without a sampler is read by sampler2D(texture, sampler)")
        named: dict[str, object] = {"texture": builder.texture(self.slot), "handle": texture.handle}
        if with_sampler:
            named |= {"sampler": texture.sampler, "sampler_handle": texture.sampler_handle}
        return named

    def emit(self, statement: Callable[..., AnyTextureStatement], **fields: object) -> tuple[int, ...]:
        """Emit a statement, and return the registers of its results."""
        self.end()
        to = tuple(self.builder.register(Kind.WORD) for _ in range(4))
        self.builder.emit(statement(to=to, **fields))
        return to

    def value(self, registers: tuple[int, ...], size: int = 4) -> Value:
        """Return what was read, of the type that is declared."""
        return Value(Type(self.slot.type.value, size), registers[:size])


def _sampled(call: _Call, lod: str | None, *, has_offset: bool) -> Value:
    """Emit a sample: ``lod`` says what follows the coordinates, ``lod`` or ``gradients``."""
    dimension = call.slot.dimension
    fields: dict[str, object] = {"coordinates": call.coordinates(COORDINATES), "reference": call.reference()}
    if lod == "lod":
        fields["lod"] = call.numbers("a level of detail", FLOAT, 1)[0]
    elif lod == "gradients":
        fields["dx"] = call.numbers("dx", FLOAT, gradient_size(dimension))
        fields["dy"] = call.numbers("dy", FLOAT, gradient_size(dimension))
    if has_offset:
        fields["offset"] = call.offset(gradient_size(dimension))
    if lod is None and call.rest:
        fields["bias"] = call.numbers("a bias", FLOAT, 1)[0]
    read = call.emit(SampleTexture, **call.naming(), **fields)
    return call.value(read, 1 if call.slot.shadow else 4)


def _fetched(call: _Call, *, has_offset: bool) -> Value:
    fields: dict[str, object] = {"texels": call.coordinates(TEXELS, INT)}
    if call.slot.dimension in MULTISAMPLE:
        fields["sample"] = call.numbers("a sample", INT, 1)[0]
    elif call.slot.dimension not in ONE_LEVEL:
        fields["level"] = call.numbers("a level", INT, 1)[0]
    if has_offset:
        fields["offset"] = call.offset(gradient_size(call.slot.dimension))
    return call.value(call.emit(FetchTexel, **call.naming(with_sampler=False), **fields))


def _gathered(call: _Call, offsets: int) -> Value:
    coordinates = call.coordinates({one: COORDINATES[one] for one in GATHERED})
    fields: dict[str, object] = {"coordinates": coordinates, "reference": call.reference()}
    if offsets:
        fields["offsets"] = tuple(call.constants("an offset", 2) for _ in range(offsets))
    if call.rest and not call.slot.shadow:
        component = call.next("a component")
        if not isinstance(component, Literal) or not 0 <= component.number <= 3:
            raise Misuse("a component is a constant 0 to 3")
        fields["component"] = component.number
    return call.value(call.emit(GatherTexels, **call.naming(), **fields))


def _size(call: _Call) -> Value:
    level = call.numbers("a level", INT, 1)[0] if call.rest else None
    size = size_components(call.slot.dimension)
    read = call.emit(QueryTexture, **call.naming(with_sampler=False), level=level)
    return Value(Type(INT, size), read[:size])


def _levels(call: _Call) -> Value:
    return Value(Type(INT), call.emit(QueryTexture, **call.naming(with_sampler=False))[3:])


def _lod(call: _Call) -> Value:
    sizes = {one: gradient_size(one) for one in COORDINATES}
    read = call.emit(QueryLod, coordinates=call.coordinates(sizes), **call.naming())
    return Value(Type(FLOAT, 2), read[:2])


_FUNCTIONS: dict[str, Callable[[_Call], Value]] = {
    "texture": lambda call: _sampled(call, None, has_offset=False),
    "texture_offset": lambda call: _sampled(call, None, has_offset=True),
    "texture_lod": lambda call: _sampled(call, "lod", has_offset=False),
    "texture_lod_offset": lambda call: _sampled(call, "lod", has_offset=True),
    "texture_grad": lambda call: _sampled(call, "gradients", has_offset=False),
    "texture_grad_offset": lambda call: _sampled(call, "gradients", has_offset=True),
    "texel_fetch": lambda call: _fetched(call, has_offset=False),
    "texel_fetch_offset": lambda call: _fetched(call, has_offset=True),
    "texture_gather": lambda call: _gathered(call, 0),
    "texture_gather_offset": lambda call: _gathered(call, 1),
    "texture_gather_offsets": lambda call: _gathered(call, 4),
    "texture_size": _size,
    "texture_levels": _levels,
    "texture_query_lod": _lod,
}


def texture_function(name: str) -> Callable[[Builder, list[Anything]], Value] | None:
    """Return what a function of that name becomes; None where it reads no texture."""
    lower = _FUNCTIONS.get(name)
    return None if lower is None else lambda builder, arguments: lower(_Call(builder, arguments))
