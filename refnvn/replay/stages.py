"""What do the commands do that set the stages between vertex shader and rasteriser? Read next: ``stage_state.py``."""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.formats.floatbits import from_bits
from refnvn.replay.context import Context


def set_rasterizer_discard(context: Context, command: c.SetRasterizerDiscard) -> None:
    """Rasterise nothing, or rasterise again."""
    context.state.stages.rasterizer_discard = command.discard


def set_patch_size(context: Context, command: c.SetPatchSize) -> None:
    """Set how many vertices a patch has."""
    context.state.stages.patch_size = command.size


def set_outer_tessellation_levels(context: Context, command: c.SetOuterTessellationLevels) -> None:
    """Set the outer levels of programs without a tessellation control shader."""
    first, second, third, fourth = from_bits(np.array(command.level_bits, np.uint32)).tolist()
    context.state.stages.outer_levels = (first, second, third, fourth)


def set_inner_tessellation_levels(context: Context, command: c.SetInnerTessellationLevels) -> None:
    """Set the inner levels of programs without a tessellation control shader."""
    first, second = from_bits(np.array(command.level_bits, np.uint32)).tolist()
    context.state.stages.inner_levels = (first, second)
