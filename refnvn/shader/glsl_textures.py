"""How are textures, and what reads them, written down as GLSL?

Combined slots are ``sampler2D tex_n``. Separate textures and samplers need GLSL for Vulkan, handles out of registers
``GL_ARB_bindless_texture``; the extensions are asked for where they are used. A comparison gives one number in GLSL,
which stands in R; G, B and A are then 0, 0 and 1.

Read next: ``glsl.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from refnvn.errors import ArgumentError
from refnvn.shader.ir import Shader, walk
from refnvn.shader.ir_base import Stage
from refnvn.shader.ir_textures import (
    AnyTextureStatement,
    FetchTexel,
    GatherTexels,
    QueryLod,
    QueryTexture,
    SampleTexture,
    TextureDimension,
    TextureSlot,
    TextureStatement,
    gradient_size,
    size_components,
)
from refnvn.shader.type_names import AS_WORD, DIMENSION_NAMES, TYPE_PREFIXES
from refnvn.shader.validate_textures import MULTISAMPLE

Register = Callable[[int, str], str]


def extensions(shader: Shader) -> Iterator[str]:
    """Yield the lines that ask for extensions."""
    reads = [s for s in walk(shader.statements) if isinstance(s, TextureStatement)]
    if any(s.handle is not None for s in reads):
        yield "#extension GL_ARB_bindless_texture : require"
    separate = [s for s in reads if s.handle is None and shader.textures[s.texture].separate]
    if any(isinstance(s, FetchTexel | QueryTexture) for s in separate):
        yield "#extension GL_EXT_samplerless_texture_functions : require"
    if any(_asks_shadow_lod(s, shader.textures[s.texture]) for s in reads if isinstance(s, SampleTexture)):
        yield "#extension GL_EXT_texture_shadow_lod : require"


def _asks_shadow_lod(statement: SampleTexture, slot: TextureSlot) -> bool:
    plain = (TextureDimension.D1, TextureDimension.D2, TextureDimension.D1_ARRAY)
    return slot.shadow and slot.dimension not in plain and (statement.lod is not None or statement.bias is not None)


def declarations(shader: Shader) -> Iterator[str]:
    """Yield the declarations of textures and samplers in slots."""
    for slot in shader.textures:
        if slot.binding is not None and not (slot.separate and _declared_before(shader, slot)):
            kind = "texture" if slot.separate else "sampler"
            name = f" // {slot.name}" if slot.name else ""
            yield f"layout(binding = {slot.binding}) uniform {_type(slot, kind)} {_name(slot)};{name}"
    for sampler in shader.samplers:
        name = f" // {sampler.name}" if sampler.name else ""
        yield f"layout(binding = {sampler.binding}) uniform sampler sampler_{sampler.binding};{name}"


def _declared_before(shader: Shader, slot: TextureSlot) -> bool:
    """Whether the same separate texture stands there already, compared or not."""
    before = shader.textures[: shader.textures.index(slot)]
    return any(one.separate and one.binding == slot.binding for one in before)


def _type(slot: TextureSlot, kind: str = "sampler") -> str:
    shadow = "Shadow" if slot.shadow and kind == "sampler" else ""
    return f"{TYPE_PREFIXES[slot.type]}{kind}{DIMENSION_NAMES[slot.dimension]}{shadow}"


def _name(slot: TextureSlot) -> str:
    return f"{'texture' if slot.separate else 'tex'}_{slot.binding}"


def _vector(parts: list[str], kind: str = "vec") -> str:
    scalar = {"vec": "float", "ivec": "int"}[kind]
    return f"{scalar if len(parts) == 1 else f'{kind}{len(parts)}'}({', '.join(parts)})"


def lines(shader: Shader, statement: AnyTextureStatement, register: Register, number: int) -> Iterator[str]:
    """Yield the lines of a statement; ``number`` makes its names its own."""
    slot = shader.textures[statement.texture]
    if isinstance(statement, QueryTexture):
        yield from _query(shader, statement, slot, register, number)
        return
    if isinstance(statement, QueryLod):
        along = [register(one, "float") for one in statement.coordinates[: gradient_size(slot.dimension)]]
        yield f"vec2 r{number} = textureQueryLod({_source(shader, statement, slot, register)}, {_vector(along)});"
        for to, part in zip(statement.to, ("r{}.x", "r{}.y"), strict=False):
            yield f"{register(to, 'word')} = floatBitsToUint({part.format(number)});"
        for to in statement.to[2:]:
            yield f"{register(to, 'word')} = 0u;"
        return
    call = _call(shader, statement, slot, register)
    compared = slot.shadow and isinstance(statement, SampleTexture)
    value = f"vec4({call}, 0.0, 0.0, 1.0)" if compared else call
    yield f"{TYPE_PREFIXES[slot.type]}vec4 r{number} = {value};"
    for to, part in zip(statement.to, "xyzw", strict=True):
        yield f"{register(to, 'word')} = {AS_WORD[slot.type].format(f'r{number}.{part}')};"


def _source(shader: Shader, statement: AnyTextureStatement, slot: TextureSlot, register: Register) -> str:
    """Return the texture, with its sampler where it needs one."""
    if statement.handle is not None:
        words = [register(statement.handle, "word")]
        if statement.sampler is not None:
            raise ArgumentError("GLSL has no texture by handle with a sampler in a slot")
        if statement.sampler_handle is not None:
            words.append(register(statement.sampler_handle, "word"))
        return f"{_type(slot)}(uvec2({' | '.join(words)}, 0u))"
    if not slot.separate or isinstance(statement, FetchTexel | QueryTexture):
        return _name(slot)
    if statement.sampler is None:
        raise ArgumentError("GLSL has no texture in a slot with a sampler by handle")
    return f"{_type(slot)}({_name(slot)}, sampler_{shader.samplers[statement.sampler].binding})"


def _call(
    shader: Shader, statement: SampleTexture | FetchTexel | GatherTexels, slot: TextureSlot, register: Register
) -> str:
    source = _source(shader, statement, slot, register)
    match statement:
        case SampleTexture():
            return _sample(shader, statement, slot, register, source)
        case FetchTexel(texels=texels, level=level, sample=sample, offset=offset):
            at = [register(one, "int") + (f" + {move}" * (move != 0))
                  for one, move in zip(texels, (*offset, 0), strict=False)]  # fmt: skip
            chosen = level if sample is None else sample
            rest = "" if chosen is None else f", {register(chosen, 'int')}"
            levels = slot.dimension not in (*MULTISAMPLE, TextureDimension.BUFFER, TextureDimension.RECTANGLE)
            return f"texelFetch({source}, {_vector(at, 'ivec')}{rest or ', 0' * levels})"
        case GatherTexels(coordinates=coordinates, offsets=offsets):
            at = [register(one, "float") for one in coordinates]
            last = str(statement.component) if statement.reference is None else register(statement.reference, "float")
            if len(offsets) == 4:
                moves = ", ".join(f"ivec2({x}, {y})" for x, y in offsets)
                compared = f", {last}" if statement.reference is not None else ""
                component = f", {last}" if statement.reference is None else ""
                return f"textureGatherOffsets({source}, {_vector(at)}{compared}, ivec2[4]({moves}){component})"
            move = f"ivec2({offsets[0][0]}, {offsets[0][1]})"
            if offsets[0] == (0, 0):
                return f"textureGather({source}, {_vector(at)}, {last})"
            order = (last, move) if statement.reference is not None else (move, last)
            return f"textureGatherOffset({source}, {_vector(at)}, {', '.join(order)})"


def _sample(shader: Shader, statement: SampleTexture, slot: TextureSlot, register: Register, source: str) -> str:
    at = [register(one, "float") for one in statement.coordinates]
    more: list[str] = []
    if statement.reference is not None:
        reference = register(statement.reference, "float")
        if slot.dimension is TextureDimension.CUBE_ARRAY:
            more.append(reference)
        else:
            at += ["0.0"] * (slot.dimension is TextureDimension.D1)
            at.append(reference)
    function = "texture"
    if statement.lod is not None:
        function, more = "textureLod", [*more, register(statement.lod, "float")]
    elif statement.dx:
        function = "textureGrad"
        more += [_vector([register(one, "float") for one in way]) for way in (statement.dx, statement.dy)]
    elif shader.stage is not Stage.FRAGMENT and slot.dimension is not TextureDimension.RECTANGLE:
        function, more = "textureLod", [*more, "0.0"]
    if any(statement.offset):
        function += "Offset"
        more.append(_vector([str(move) for move in statement.offset[: gradient_size(slot.dimension)]], "ivec"))
    if statement.bias is not None:
        more.append(register(statement.bias, "float"))
    return f"{function}({', '.join([source, _vector(at), *more])})"


def _query(
    shader: Shader, statement: QueryTexture, slot: TextureSlot, register: Register, number: int
) -> Iterator[str]:
    source = _source(shader, statement, slot, register)
    one_level = slot.dimension in (*MULTISAMPLE, TextureDimension.BUFFER, TextureDimension.RECTANGLE)
    level = "0" if statement.level is None else register(statement.level, "int")
    size = size_components(slot.dimension)
    kind = "int" if size == 1 else f"ivec{size}"
    yield f"{kind} r{number} = textureSize({source}{'' if one_level else f', {level}'});"
    for place, to in enumerate(statement.to[:3]):
        part = f"r{number}" + ("" if size == 1 else f".{'xyz'[place % 3]}")
        yield f"{register(to, 'word')} = {f'uint({part})' if place < size else '0u'};"
    yield f"{register(statement.to[3], 'word')} = {'1u' if one_level else f'uint(textureQueryLevels({source}))'};"
