"""What does a shader of one stage reach in memory, while a draw or dispatch runs? Its storage buffers and images."""

from __future__ import annotations

from refnvn.commands.resources import TextureRef
from refnvn.enumerations import ShaderStage
from refnvn.memory.pool import share_bytes
from refnvn.memory.surface import Surface
from refnvn.replay.context import Context
from refnvn.replay.descriptors import FIRST_SHARED, descriptor_address, registered_texture
from refnvn.replay.images import ImageAccess
from refnvn.replay.order import Path
from refnvn.replay.storage import StorageAccess
from refnvn.replay.texture_reads import color_targets
from refnvn.replay.views import Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown
from refnvn.shader.execute import plan_of
from refnvn.shader.ir import Shader, walk
from refnvn.shader.ir_memory import AtomicImage, LoadImage, StoreImage
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.texture.handles import SlotKind, slot_offset_B, split_handle

TEXTURE_AS_IMAGE = unknown(
    "REPLAY-IMAGE-12",
    "What does an image instruction reach where the word of its slot, or its id, is a texture's and no image's?",
    settled_by="a console whose {stage} shader reaches image slot {slot} while combined slot {combined} holds a "
    "texture",
    instead="register an image and call bind_image before this draw or dispatch",
    module=__name__,
)


class BoundMemory(StorageAccess, ImageAccess):
    """Storage buffers and images: a :class:`refnvn.shader.lane_memory.LaneMemory`."""

    def __init__(self, context: Context, stage: ShaderStage, shader: Shader | None = None) -> None:
        slots, seen = context.state.storage_buffers, context.reads.by(stage, Path.DIRECT)
        for surface in _own_targets(context, stage, shader):
            seen.keep(surface)
        StorageAccess.__init__(self, context.memory, slots, stage, context.rules, seen)
        ImageAccess.__init__(self, lambda slot: bound_image(context, stage, slot), stage, context.rules, seen)


def memory_of_stage(context: Context, stage: ShaderStage, shader: Shader | None) -> LaneMemory:
    """Return what a shader of a draw reaches in memory; nothing where it has no statement that would."""
    if shader is None or not plan_of(shader).uses_memory:
        nothing: LaneMemory = NO_MEMORY
        return nothing
    return BoundMemory(context, stage, shader if stage is ShaderStage.FRAGMENT else None)


def _own_targets(context: Context, stage: ShaderStage, shader: Shader | None) -> list[Surface]:
    """Return the colour targets of a draw that its shader loads from as images and does not store to."""
    targets = color_targets(context) if shader is not None and shader.images else []
    if shader is None or not targets:
        return []
    bound = [bound_image(context, stage, slot) for slot in only_loaded(shader)]
    surfaces = [part.surface for target in bound if target is not None for part in target.parts()]
    return [surface for surface in surfaces if share_bytes(surface.segments, targets)]


def only_loaded(shader: Shader) -> list[int]:
    """Return the image slots that a shader loads from and changes nothing of."""
    reached = [one for one in walk(shader.statements) if isinstance(one, LoadImage | StoreImage | AtomicImage)]
    changed = {one.binding for one in reached if not isinstance(one, LoadImage)}
    return sorted({one.binding for one in reached} - changed)


@rule(
    "REPLAY-IMAGE-8",
    "An image slot holds a handle, whose low 20 bits are an id of the texture pool that is set; the image is what "
    "was registered there. A stage has 8 slots of its own.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "seed-graphics"),
    ledger=("s4-3b-image",),
)
def bound_image(context: Context, stage: ShaderStage, slot: int) -> Target | None:
    """Return what is bound to an image slot of a stage; None where nothing is."""
    handle = context.state.images.get((stage, slot), 0)
    handle = handle or context.state.handles.get((stage, slot_offset_B(SlotKind.IMAGE, slot)), 0)
    number = split_handle(handle).texture_id
    ref = registered_image(context, number) if handle else None
    if handle and ref is None and registered_texture(context, number) is not None:
        raise TEXTURE_AS_IMAGE.error(stage=stage.name.lower(), slot=slot, combined=slot + FIRST_SHARED)
    return None if ref is None else context.textures.target(ref)


def registered_image(context: Context, number: int) -> TextureRef | None:
    """Return what an id of the texture pool means as an image; None beyond the pool, or where nothing is there."""
    pool = context.state.texture_pool
    if number >= pool.descriptors:
        return None
    return context.descriptors.images.get(descriptor_address(pool.address, number))
