"""What happens where the rasteriser has more samples than the colour targets ("mixed samples")?

Coverage, masks, alpha to coverage and the tests go by raster sample, as in ``multisample.py``. Then the samples that
are left are counted for each colour sample: one or more store it, and their share modulates the output
(``coverage_modulation.py``).

Read next: ``multisample.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import CoverageModulationMode
from refnvn.errors import ArgumentError
from refnvn.formats.floatbits import Int64, UInt32
from refnvn.layout.multisample import sample_cell, sample_grid
from refnvn.raster.batch import Batch
from refnvn.raster.coverage_modulation import STEPS, covered_steps, modulated
from refnvn.raster.fragment import store_outputs
from refnvn.raster.inputs import Inputs
from refnvn.raster.merge import SECOND_SOURCE, has_second_source, merge_of
from refnvn.raster.multisample import (
    covered_samples,
    left_of_samples,
    passing_samples,
    sampled_stage,
    with_alpha_one,
)
from refnvn.raster.run_shader import run_shader
from refnvn.raster.samples import Multisample
from refnvn.raster.setup import Primitives
from refnvn.raster.stage import Stage
from refnvn.raster.target import ColorTarget, DepthStencilTarget, Rectangle, samples_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown

BY_SAMPLE = unknown(
    "RASTER-MIXED-2",
    "For which samples does a shader run that runs for each, where colour targets have fewer?",
    settled_by="a draw with sample shading, more raster samples than colour samples, and coverage that tells them",
    module=__name__,
)
Targets = Sequence[ColorTarget | None]


def raster_samples_of(state: Multisample, colors: Targets, depth: DepthStencilTarget | None) -> int:
    """Return how many samples the rasteriser has: as many as the targets, or more where the state asks for more.

    Raises
    ------
    ArgumentError
        Where targets do not fit each other.
    """
    if any(one is not None for one in colors) and state.raster_samples > samples_of(colors):
        of_depth = state.raster_samples if depth is None else samples_of([depth])
        if of_depth != state.raster_samples:
            raise ArgumentError(
                f"a depth-stencil target of {of_depth} samples beside {state.raster_samples} raster samples; it must "
                "have as many"
            )
        return state.raster_samples
    return samples_of((*colors, depth))


def mixed_stage(
    stage: Stage, colors: Targets, depth: DepthStencilTarget | None, samples: int, window: Rectangle
) -> Stage:
    """Return a stage that holds the stage of each raster sample, without colours, and of each colour sample."""
    count = samples_of(colors)
    of_samples = sampled_stage(stage, [], depth, samples, window)
    of_colors = tuple(
        replace(stage, colors=tuple(None if one is None else one.of_sample(k) for one in colors), planes=None)
        for k in range(count)
    )
    return replace(of_samples, color_samples=of_colors)


@rule(
    "RASTER-MIXED-1",
    "A raster sample belongs to the colour sample in whose part of the pixel's grid of texels it would be stored.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("sample-vectors",),
    exactness="all of 4, 8 and 16 raster samples with 1, 2, 4 and 8 colour samples",
)
def color_sample_of(samples: int, colors: int) -> Int64:
    """Return to which colour sample each raster sample belongs, shape (samples,).

    >>> color_sample_of(4, 1).tolist(), color_sample_of(8, 2).tolist()
    ([0, 0, 0, 0], [0, 1, 0, 1, 1, 1, 0, 0])
    """
    grid, fine = sample_grid(colors), sample_grid(samples)
    part = [fine[k] // grid[k] for k in (0, 1)]
    cells = {sample_cell(colors, one): one for one in range(colors)}
    places = [sample_cell(samples, one) for one in range(samples)]
    return np.array([cells[x // part[0], y // part[1]] for x, y in places], dtype=np.int64)


@rule(
    "RASTER-MIXED-2",
    "With more raster samples than colour samples masks, alpha to coverage, tests and the counter go by raster "
    "sample; a colour sample is stored where one of its own is left, its output modulated by how many are.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
    exactness="measured with the shader run once for each pixel",
)
def shade_mixed(stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch) -> int:
    """Take a batch of fragments to all colour samples and return how many raster samples passed.

    Raises
    ------
    UnknownBehaviour
        Where the shader runs for each sample.
    """
    state = stage.state.multisample
    if state.sample_shading or (stage.fragment is not None and stage.fragment.by_sample):
        raise BY_SAMPLE.error()
    kept, places = covered_samples(stage, primitives, inputs, batch)
    early = stage.fragment is not None and stage.fragment.early
    if early:
        kept = passing_samples(stage, primitives, inputs, batch, None, kept, places)
    live: NDArray[np.bool_] = np.any(kept, axis=0)
    outputs = run_shader(stage, primitives, inputs, batch, live)
    left = left_of_samples(stage.color_samples[0], batch.lanes, kept, outputs, live)
    if not early:
        written = None if outputs is None else outputs.depth
        left = passing_samples(stage, primitives, inputs, batch, written, left, places)
    if outputs is not None:
        _store(stage, batch, outputs.values, left)
    if stage.onlooker is not None:
        for alone, passed in zip(stage.samples, kept if early else left, strict=True):
            stage.onlooker.ends(alone, passed)
        stage.onlooker.done(stage)
    return int(np.count_nonzero(kept if early else left))


def _store(stage: Stage, batch: Batch, values: UInt32, left: NDArray[np.bool_]) -> None:
    """Store what is left of the raster samples to the colour samples that they belong to."""
    belongs = color_sample_of(len(left), len(stage.color_samples))
    for sample, alone in enumerate(stage.color_samples):
        mine = left[belongs == sample]
        count = np.count_nonzero(mine, axis=0).astype(np.int64)
        shown = with_alpha_one(alone, values)
        if stage.state.multisample.coverage_modulation is not CoverageModulationMode.NONE:
            steps = covered_steps(count, len(mine), stage.state.multisample.modulation_table)
            shown = modulated_outputs(alone, shown, np.where(count > 0, steps, STEPS))
        store_outputs(alone, batch, shown, count > 0)


def modulated_outputs(stage: Stage, values: UInt32, steps: Int64) -> UInt32:
    """Return output rows, modulated for the targets that they go to; a second source goes to target 0."""
    assert stage.fragment is not None
    changed = values.copy()
    mode = stage.state.multisample.coverage_modulation
    for location, rows in stage.fragment.outputs.items():
        second = location == SECOND_SOURCE and has_second_source(stage.state)
        place = 0 if second else location
        target = stage.colors[place] if 0 <= place < len(stage.colors) else None
        if target is not None:
            merge = merge_of(stage.state, place, target)
            blends = merge is not None and merge.blend is not None
            rows_of = list(rows)
            changed[rows_of] = modulated(target.fmt, mode, values[rows_of], steps, stage.rules, blends=blends)
    return changed
