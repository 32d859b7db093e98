"""What happens to the fragments of one pixel, one after another, and with which operands?

The draw is done again for this pixel, on copies of the targets, in the same steps as for many. A shader that stores
to memory cannot be run twice: it is watched while it draws.

Read next: ``pixel_watch.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from refnvn.errors import ArgumentError
from refnvn.raster.assembled import Assembled
from refnvn.raster.batch import Batch
from refnvn.raster.draw import covered, reachable, set_up, stage_of
from refnvn.raster.fragment import shade
from refnvn.raster.fragment_seen import FragmentSeen
from refnvn.raster.multisample import sampled_stage, shade_samples
from refnvn.raster.pixel_watch import PixelWatch
from refnvn.raster.shapes import Vertices
from refnvn.raster.stage import Uniforms
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget, samples_of
from refnvn.raster.window import intersection
from refnvn.rules.fields import Rules
from refnvn.shader.ir import Shader
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.textures import NO_TEXTURES, Textures


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Everything that a draw gets, as :func:`refnvn.raster.draw.draw_primitives` does."""

    state: RasterState
    colors: Sequence[ColorTarget | None]
    depth: DepthStencilTarget | None
    vertices: Vertices
    primitives: Assembled
    fragment: Shader | None
    uniforms: Uniforms
    rules: Rules
    textures: Textures = field(default=NO_TEXTURES)
    memory: LaneMemory = field(default=NO_MEMORY)


def fragments_at(drawing: Drawing, column: int, row: int, sample: int = 0) -> Iterator[FragmentSeen]:
    """Yield the fragments of a draw at one pixel, in order; the targets stay as they are.

    Parameters
    ----------
    drawing : Drawing
    column, row : int
        In memory.
    sample : int
        Which sample's codes are told, where there are several.

    Raises
    ------
    ArgumentError
        For a shader that stores to memory.
    """
    if drawing.fragment is not None and drawing.fragment.changes_memory:
        raise ArgumentError("the shader stores to memory: its fragments cannot be drawn a second time")
    drawing = replace(
        drawing,
        colors=[None if one is None else _copy(one) for one in drawing.colors],
        depth=None if drawing.depth is None else _copy(drawing.depth),
    )
    window = intersection(reachable(drawing.state, drawing.colors, drawing.depth), (column, row, 1, 1))
    if window[2] == 0 or window[3] == 0:
        return
    seen: list[FragmentSeen] = []
    stage = stage_of(
        drawing.state, drawing.colors, drawing.depth, drawing.fragment, drawing.uniforms, drawing.rules, window,
        drawing.textures, drawing.memory,
    )  # fmt: skip
    stage = replace(stage, onlooker=PixelWatch([(column, row, sample)], seen.append))
    samples = samples_of((*drawing.colors, drawing.depth))
    if samples > 1:
        stage = sampled_stage(stage, drawing.colors, drawing.depth, samples, window)
    with np.errstate(all="ignore"):
        for chunk, inputs in set_up(stage, drawing.vertices, drawing.primitives, window):
            for spans in covered(stage, chunk, window):
                for number in range(len(spans.row)):
                    batch = Batch(spans.part(number, number + 1), False)
                    (shade_samples if stage.samples else shade)(stage, chunk, inputs, batch)
                    yield from seen
                    seen.clear()


def _copy(target: Any) -> Any:
    others = tuple(one.copy() for one in getattr(target, "others", ()))
    more = {"others": others} if others else {}
    return replace(target, codes=target.codes.copy(), **more)
