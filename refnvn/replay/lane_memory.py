"""What does a shader of one stage reach in memory, while a draw or dispatch runs? Its storage buffers and images."""

from __future__ import annotations

from refnvn.enumerations import ShaderStage
from refnvn.replay.context import Context
from refnvn.replay.images import ImageAccess
from refnvn.replay.order import Path
from refnvn.replay.storage import StorageAccess
from refnvn.replay.views import Target


class BoundMemory(StorageAccess, ImageAccess):
    """Storage buffers and images: a :class:`refnvn.shader.lane_memory.LaneMemory`."""

    def __init__(self, context: Context, stage: ShaderStage) -> None:
        slots, seen = context.state.storage_buffers, context.reads.by(stage, Path.DIRECT)
        StorageAccess.__init__(self, context.memory, slots, stage, context.rules, seen)
        ImageAccess.__init__(self, lambda slot: bound_image(context, stage, slot), stage, context.rules, seen)


def bound_image(_context: Context, _stage: ShaderStage, _slot: int) -> Target | None:
    """Return what is bound to an image slot of a stage: nothing yet."""
    return None
