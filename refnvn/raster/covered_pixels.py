"""How many fragments do primitives have, before anything is shaded or tested?

It counts by the rules that draw: the same set-up and the same spans. Read next: ``draw.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from refnvn.raster.assembled import Assembled
from refnvn.raster.chunks import set_up
from refnvn.raster.draw import covered
from refnvn.raster.draw_stage import reachable, stage_of, with_samples
from refnvn.raster.interpolate import lanes_of
from refnvn.raster.sample_spans import coverage_of
from refnvn.raster.samples import mask_of
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.shader.execute import no_uniforms
from refnvn.shader.lane_memory import NO_MEMORY
from refnvn.shader.textures import NO_TEXTURES


def covered_pixels(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    depth: DepthStencilTarget | None,
    vertices: Vertices,
    primitives: Assembled,
    rules: Rules,
    *,
    by_sample: bool = False,
) -> int:
    """Return how many pixels the primitives cover together, or how many of their samples.

    Parameters
    ----------
    state, colors, depth, vertices, primitives, rules
        As for :func:`refnvn.raster.draw.draw_primitives`; nothing is drawn or tested.
    by_sample : bool
        Whether each covered sample counts, where several are rasterised.
    """
    state = replace(state, depth_test=False, stencil_test=False, depth_bounds=None)
    window = reachable(state, colors, depth)
    if window[2] == 0 or window[3] == 0:
        return 0
    stage = stage_of(state, colors, depth, None, no_uniforms, rules, window, NO_TEXTURES, NO_MEMORY)
    stage = with_samples(stage, colors, depth, window)
    samples = len(stage.samples) or 1
    count = 0
    with np.errstate(all="ignore"):  # vertices may hold any bits
        for chunk, _ in set_up(stage, vertices, primitives, window):
            for spans in covered(stage, chunk, window):
                if samples == 1:
                    count += spans.lanes
                    continue
                kept = coverage_of(spans, lanes_of(spans)) & mask_of(state.multisample, samples)[:, np.newaxis]
                count += int(np.count_nonzero(kept if by_sample else kept.any(axis=0)))
    return count
