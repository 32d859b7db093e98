"""What does a shader of one stage reach in memory, while a draw or dispatch runs? Its storage buffers and images."""

from __future__ import annotations

from refnvn.commands.resources import TextureRef
from refnvn.enumerations import ShaderStage
from refnvn.replay.context import Context
from refnvn.replay.descriptors import descriptor_address
from refnvn.replay.images import ImageAccess
from refnvn.replay.order import Path
from refnvn.replay.storage import StorageAccess
from refnvn.replay.views import Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.handles import split_handle


class BoundMemory(StorageAccess, ImageAccess):
    """Storage buffers and images: a :class:`refnvn.shader.lane_memory.LaneMemory`."""

    def __init__(self, context: Context, stage: ShaderStage) -> None:
        slots, seen = context.state.storage_buffers, context.reads.by(stage, Path.DIRECT)
        StorageAccess.__init__(self, context.memory, slots, stage, context.rules, seen)
        ImageAccess.__init__(self, lambda slot: bound_image(context, stage, slot), stage, context.rules, seen)


@rule(
    "REPLAY-IMAGE-8",
    "An image slot holds a handle, whose low 20 bits are an id of the texture pool that is set; the image is what was "
    "registered there. A stage has 8 slots of its own.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "seed-graphics"),
    ledger=("s4-3b-image",),
)
def bound_image(context: Context, stage: ShaderStage, slot: int) -> Target | None:
    """Return what is bound to an image slot of a stage; None where nothing is."""
    handle = context.state.images.get((stage, slot), 0)
    ref = registered_image(context, split_handle(handle).texture_id) if handle else None
    return None if ref is None else context.textures.target(ref)


def registered_image(context: Context, number: int) -> TextureRef | None:
    """Return what an id of the texture pool means as an image; None beyond the pool, or where nothing is registered."""
    pool = context.state.texture_pool
    if number >= pool.descriptors:
        return None
    return context.descriptors.images.get(descriptor_address(pool.address, number))
