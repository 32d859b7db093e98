"""Which texels of memory does a shader read through a texture? Told to who watches the replay.

The sampler names texels by level, image, row and column of what a view shows; here they become texels of surfaces.
What lanes read that only help to take derivatives is not told.

Read next: ``readings.py``, ``refnvn/texture/sampled.py``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from refnvn.commands.resources import TextureRef
from refnvn.enumerations import ShaderStage
from refnvn.formats.floatbits import Int64
from refnvn.layout.multisample import sample_cell, sample_grid
from refnvn.memory.surface import Surface
from refnvn.replay.context import Context
from refnvn.replay.readings import Reader, TexelsRead
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.view import shown


def listened_to(context: Context, stage: ShaderStage, ref: TextureRef, content: SampledTexture) -> SampledTexture:
    """Return the content of a texture that tells which of its texels a stage reads, where somebody listens."""
    listener = context.reads.listener
    if listener is None:
        return content
    stored, view = context.content.stored(ref)
    seen, description = shown(stored, view), stored.layout.description
    surfaces = context.content.surfaces(ref)
    what = f"texture {ref.texture} by the {stage.name.lower()} shader"

    def told(level: Int64, image: Int64, row: Int64, column: Int64, sample: Int64) -> None:
        if seen.fmt.is_compressed:
            row, column = row // seen.fmt.block_height_px, column // seen.fmt.block_width_px
        if description.samples > 1:
            row, column = _cells(description.samples, content.samples, row, column, sample)
        for place in np.unique(np.stack([level, image]), axis=1).T.tolist():
            mine = (level == place[0]) & (image == place[1])
            layer = seen.base_layer + place[1]
            surface: Surface = surfaces[seen.base_level + place[0], 0 if description.is_3d else layer]
            slices = np.full(np.count_nonzero(mine), layer if description.is_3d else 0)
            listener(
                TexelsRead(
                    reader=Reader.TEXTURE, what=what, surface=surface, texels=(slices, row[mine], column[mine])
                )
            )

    return replace(content, listener=told)


def _cells(samples: int, known: int, row: Int64, column: Int64, sample: Int64) -> tuple[Int64, Int64]:
    """Return rows and columns of storage; where samples are not ``known`` they are columns of the content."""
    if known == 1:
        column, sample = column // samples, column % samples
    across, down = sample_grid(samples)
    x, y = np.array([sample_cell(samples, one) for one in range(samples)]).T
    return row * down + y[sample], column * across + x[sample]
