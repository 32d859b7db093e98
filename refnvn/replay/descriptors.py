"""What do ids of texture and sampler pools mean, and what is bound to a stage's slots?

A descriptor lies at an address: that of its pool and 32 bytes for each id. Registering is something the processor
does, in the order of the timeline; what is registered stays until the same address is registered again, whatever
becomes of the texture object. The bytes of descriptors in memory are not modelled.

Read next: ``sampled_content.py``.
"""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.resources import TextureRef
from refnvn.commands.sampler import Sampler as SamplerRecord
from refnvn.enumerations import ShaderStage
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.state import BoundPool, without
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.handles import COMBINED_SLOTS, IMAGE_SLOTS, SlotKind, slot_offset_B
from refnvn.texture.sampler import Sampler

DESCRIPTOR_B = 32
FIRST_SHARED = COMBINED_SLOTS - 1 - IMAGE_SLOTS


@rule(
    "TEX-POOL-1",
    "A registered descriptor carries its own copy of the texture's description and view, or of the sampler, and is "
    "read where its id lies in the pool that is set; it outlives the object that made it.",
    evidence=Evidence.SWITCH,
    sources=("seed-graphics", "seed-titles", "nvn-device-info"),
    ledger=("tbuf-ubo-handle", "s4-4-bindless", "texture-compare", "texid-stale-view"),
)
def descriptor_address(pool_address: int, number: int) -> int:
    """Return where the descriptor of an id lies.

    >>> hex(descriptor_address(0x1000, 256))
    '0x3000'
    """
    return pool_address + number * DESCRIPTOR_B


def register_texture(context: Context, event: r.RegisterTexture) -> None:
    """Keep the copy of a texture under its descriptor's address."""
    with field("texture"):
        context.textures.target(event.texture)
    context.descriptors.textures[descriptor_address(event.address, event.id)] = event.texture


def register_image(context: Context, event: r.RegisterImage) -> None:
    """Keep the copy of an image under its descriptor's address."""
    with field("texture"):
        context.textures.target(event.texture)
    context.descriptors.images[descriptor_address(event.address, event.id)] = event.texture


def register_sampler(context: Context, event: r.RegisterSampler) -> None:
    """Keep the copy of a sampler under its descriptor's address."""
    address = descriptor_address(event.address, event.id)
    context.descriptors.samplers[address] = sampler_of(event.sampler)


def sampler_of(record: SamplerRecord) -> Sampler:
    """Return a recorded sampler as sampling knows it."""
    return Sampler(
        min_filter=record.min_filter,
        mag_filter=record.mag_filter,
        wrap=record.wrap,
        lod_clamp=record.lod_clamp,
        lod_bias=record.lod_bias,
        compare_mode=record.compare_mode,
        compare_func=record.compare_func,
        border=record.border,
        max_anisotropy=record.max_anisotropy,
        reduction=record.reduction,
    )


def set_texture_pool(context: Context, command: c.SetTexturePool) -> None:
    """Set where texture ids are looked up."""
    context.state.texture_pool = BoundPool(command.address, command.descriptors)


def set_sampler_pool(context: Context, command: c.SetSamplerPool) -> None:
    """Set where sampler ids are looked up."""
    context.state.sampler_pool = BoundPool(command.address, command.descriptors)


def bind_texture(context: Context, command: c.BindTexture) -> None:
    """Put a handle into a slot of combined textures; slots 32 to 39 are those of images."""
    context.state.images = without(context.state.images, (command.stage, command.index - FIRST_SHARED))
    _bind(context, command.stage, SlotKind.COMBINED, command.index, command.handle)


def bind_separate_texture(context: Context, command: c.BindSeparateTexture) -> None:
    """Put a handle into a slot of separate textures."""
    _bind(context, command.stage, SlotKind.SEPARATE_TEXTURE, command.index, command.handle)


def bind_separate_sampler(context: Context, command: c.BindSeparateSampler) -> None:
    """Put a handle into a slot of separate samplers."""
    _bind(context, command.stage, SlotKind.SEPARATE_SAMPLER, command.index, command.handle)


def _bind(context: Context, stage: ShaderStage, kind: SlotKind, slot: int, handle: int) -> None:
    context.state.handles = {**context.state.handles, (stage, slot_offset_B(kind, slot)): handle}


def bound_handle(context: Context, stage: ShaderStage, kind: SlotKind, slot: int) -> int:
    """Return the handle in a slot: 0 where nothing was bound, or an image lies over it."""
    if kind is SlotKind.COMBINED and (stage, slot - FIRST_SHARED) in context.state.images:
        return 0
    return context.state.handles.get((stage, slot_offset_B(kind, slot)), 0)


def registered_texture(context: Context, number: int) -> TextureRef | None:
    """Return what an id of the texture pool means; None beyond the pool, or where nothing is registered."""
    pool = context.state.texture_pool
    if number >= pool.descriptors:
        return None
    return context.descriptors.textures.get(descriptor_address(pool.address, number))


def registered_textures(context: Context) -> list[tuple[int, TextureRef]]:
    """Return all ids of the texture pool that mean something, in order, with what they mean."""
    pool, found = context.state.texture_pool, []
    for address, ref in context.descriptors.textures.items():
        number, rest_B = divmod(address - pool.address, DESCRIPTOR_B)
        if not rest_B and 0 <= number < pool.descriptors:
            found.append((number, ref))
    return sorted(found, key=lambda one: one[0])


def registered_sampler(context: Context, number: int) -> Sampler | None:
    """Return what an id of the sampler pool means, in the same way."""
    pool = context.state.sampler_pool
    if number >= pool.descriptors:
        return None
    return context.descriptors.samplers.get(descriptor_address(pool.address, number))
