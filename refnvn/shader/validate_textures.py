"""Which texture statements and slots are a shader's?

A slot has a binding of its kind, or every statement brings a handle; coordinates are as many as the dimension takes;
what a dimension does not have (levels, samples, comparison) is not asked of it. Every message names what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import ComponentType, Stage
from refnvn.shader.ir_textures import (
    COORDINATES,
    GATHERED,
    TEXELS,
    AnyTextureStatement,
    FetchTexel,
    GatherTexels,
    QueryLod,
    QueryTexture,
    SampleTexture,
    TextureDimension,
    TextureSlot,
    gradient_size,
)
from refnvn.texture.handles import COMBINED_SLOTS

MULTISAMPLE = (TextureDimension.MULTISAMPLE, TextureDimension.MULTISAMPLE_ARRAY)
ONE_LEVEL = (*MULTISAMPLE, TextureDimension.BUFFER, TextureDimension.RECTANGLE)
NEVER_SHADOW = (*MULTISAMPLE, TextureDimension.BUFFER, TextureDimension.D3)
Faults = Iterator[tuple[str, str]]


def slot_faults(shader: Shader) -> Faults:
    """Yield place and fault of each texture slot that cannot be."""
    for number, slot in enumerate(shader.textures):
        fault = _slot_fault(slot)
        if fault:
            yield f"textures[{number}]", fault
    named = [(slot.separate, slot.shadow, slot.binding) for slot in shader.textures if slot.binding is not None]
    samplers = [(True, False, slot.binding) for slot in shader.samplers]
    for name, bindings in (("textures", named), ("samplers", samplers)):
        for one in bindings:
            if bindings.count(one) > 1:
                yield f"{name}: binding", f"{one[-1]} stands twice"


def _slot_fault(slot: TextureSlot) -> str:
    if slot.shadow and slot.dimension in NEVER_SHADOW:
        return f"a {slot.dimension} texture is not compared"
    if slot.shadow and slot.type is not ComponentType.FLOAT:
        return f"a texture of type {slot.type} is not compared"
    if not slot.separate and slot.binding is not None and slot.binding >= COMBINED_SLOTS:
        return f"binding {slot.binding}; combined slots are 0 to {COMBINED_SLOTS - 1}"
    return ""


def statement_faults(shader: Shader, statement: AnyTextureStatement) -> Iterator[str]:
    """Yield what is wrong with a statement that reads a texture; its registers are looked at elsewhere."""
    if statement.texture >= len(shader.textures):
        yield f"texture {statement.texture}; there are {len(shader.textures)}"
        return
    slot = shader.textures[statement.texture]
    yield from _naming_faults(shader, statement, slot)
    match statement:
        case SampleTexture():
            yield from _sample_faults(shader, statement, slot)
        case FetchTexel():
            yield from _fetch_faults(statement, slot)
        case GatherTexels():
            yield from _gather_faults(statement, slot)
        case QueryLod():
            if shader.stage is not Stage.FRAGMENT:
                yield f"a {shader.stage} shader has no derivatives to ask the level of detail of"
            wanted = COORDINATES.get(slot.dimension)
            if wanted is None or not 0 <= len(statement.coordinates) - gradient_size(slot.dimension) <= 1:
                yield _takes(slot, wanted, len(statement.coordinates))
        case QueryTexture():
            if statement.level is not None and slot.dimension in ONE_LEVEL:
                yield f"a {slot.dimension} texture has no levels"


def _naming_faults(shader: Shader, statement: AnyTextureStatement, slot: TextureSlot) -> Iterator[str]:
    if (slot.binding is None) != (statement.handle is not None):
        yield "a texture is named by its slot's binding or by a handle, exactly one of them"
    if statement.sampler is not None and statement.sampler >= len(shader.samplers):
        yield f"sampler {statement.sampler}; there are {len(shader.samplers)}"
    if statement.sampler is not None and statement.sampler_handle is not None:
        yield "a sampler is named by its slot or by a handle, not by both"
    has_sampler = statement.sampler is not None or statement.sampler_handle is not None
    if has_sampler and not slot.separate:
        yield "a combined texture brings its sampler along"
    if isinstance(statement, FetchTexel | QueryTexture):
        if has_sampler:
            yield "takes no sampler"
    elif slot.separate and not has_sampler:
        yield "a separate texture needs a sampler"


def _takes(slot: TextureSlot, wanted: int | None, found: int) -> str:
    if wanted is None:
        return f"a {slot.dimension} texture is not sampled; its texels are fetched"
    return f"a {slot.dimension} texture takes {wanted} coordinates, not {found}"


def _sample_faults(shader: Shader, statement: SampleTexture, slot: TextureSlot) -> Iterator[str]:
    wanted = COORDINATES.get(slot.dimension)
    if wanted is None or len(statement.coordinates) != wanted:
        yield _takes(slot, wanted, len(statement.coordinates))
        return
    if statement.lod is not None and statement.dx:
        yield "a level of detail is given or derived, not both"
    if slot.dimension is TextureDimension.RECTANGLE and (statement.lod is not None or statement.bias is not None):
        yield "a rectangle texture has no levels"
    for name in ("dx", "dy"):
        given = len(getattr(statement, name))
        if (given or statement.dx) and given != gradient_size(slot.dimension):
            yield f"{name} of {given} numbers; a {slot.dimension} texture takes {gradient_size(slot.dimension)}"
    if statement.bias is not None and not statement.takes_quad:
        yield "a bias is added to a level of detail that the quad gives"
    if statement.bias is not None and shader.stage is not Stage.FRAGMENT:
        yield f"a {shader.stage} shader has no level of detail to bias"
    if (statement.reference is not None) != slot.shadow:
        yield "a shadow texture is sampled with a reference, others without"


def _fetch_faults(statement: FetchTexel, slot: TextureSlot) -> Iterator[str]:
    wanted = TEXELS.get(slot.dimension)
    if wanted is None:
        yield f"no texels are fetched from a {slot.dimension} texture"
    elif len(statement.texels) != wanted:
        yield f"a {slot.dimension} texture takes {wanted} coordinates, not {len(statement.texels)}"
    if statement.level is not None and slot.dimension in ONE_LEVEL:
        yield f"a {slot.dimension} texture has no levels"
    if (statement.sample is not None) != (slot.dimension in MULTISAMPLE):
        yield "a sample is fetched from multisample textures, and only from those"
    if slot.shadow:
        yield "no texels are fetched from a shadow texture"


def _gather_faults(statement: GatherTexels, slot: TextureSlot) -> Iterator[str]:
    if slot.dimension not in GATHERED:
        yield f"no texels are gathered from a {slot.dimension} texture"
    elif len(statement.coordinates) != COORDINATES[slot.dimension]:
        yield _takes(slot, COORDINATES[slot.dimension], len(statement.coordinates))
    if len(statement.offsets) not in (1, 4):
        yield f"{len(statement.offsets)} offsets; 1 or 4 are allowed"
    if (statement.reference is not None) != slot.shadow:
        yield "a shadow texture is gathered with a reference, others without"
