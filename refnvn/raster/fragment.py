"""What happens to a fragment, in order? The whole of it on this page.

Every step is a call into the file that owns its rules. With early tests stencil and depth come before the shader,
which changes nothing that is stored where the shader neither discards, nor writes depth, nor stores to memory, and no
alpha is tested: then it is done so. A shader may also ask for it, and then what it stores depends on the tests.

Several samples: ``multisample.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64, UInt32, from_bits
from refnvn.raster import depth_stencil, output
from refnvn.raster.alpha_test import alpha_test
from refnvn.raster.batch import Batch, depths_of, run_tests, store
from refnvn.raster.inputs import Inputs
from refnvn.raster.merge import SECOND_SOURCE, has_second_source, second_source
from refnvn.raster.merge_batch import merge_batch
from refnvn.raster.run_shader import run_shader
from refnvn.raster.setup import Primitives
from refnvn.raster.stage import Stage
from refnvn.raster.target import ColorTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneOutputs

CENTRE = (0.5, 0.5)


@rule(
    "RASTER-ORDER-1",
    "A fragment passes the scissor, the viewport rectangle and coverage, then the shader with its discard, the alpha "
    "test, the stencil test, the depth test and the counter, then blending or the logic operation and channel masks "
    "into the targets.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
    ledger=("attachment-capacity", "alpha-test"),
)
def shade(stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch) -> int:
    """Take a batch of fragments to the targets and return how many samples passed.

    Scissor, viewport and coverage have happened: the spans hold what they left.
    """
    if stage.onlooker is not None:
        stage.onlooker.begins(stage, primitives, inputs, batch)
    alive = passing_early(stage, primitives, inputs, batch)
    outputs = run_shader(stage, primitives, inputs, batch, alive)
    passed = take_outputs(stage, primitives, inputs, batch, outputs, alive)
    if stage.onlooker is not None:
        stage.onlooker.done(stage)
    return passed


def passing_early(stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch) -> NDArray[np.bool_] | None:
    """Return which fragments pass the tests that come before the shader; None where none do."""
    return run_tests_of(stage, primitives, inputs, batch, None, None) if stage.tests_early else None


def take_outputs(
    stage: Stage,
    primitives: Primitives,
    inputs: Inputs,
    batch: Batch,
    outputs: LaneOutputs | None,
    alive: NDArray[np.bool_] | None,
) -> int:
    """Take what the shader gave through what is left of the order, and return how many samples passed."""
    passed = alive
    if outputs is not None:
        if stage.onlooker is not None:
            stage.onlooker.ran(stage, outputs, alive)
        alive = left_by_shader(stage, outputs, alive)
        if not stage.tests_early:
            alive = passed = run_tests_of(stage, primitives, inputs, batch, outputs.depth, alive)
        store_outputs(stage, batch, outputs.values, alive)
    if stage.onlooker is not None:
        stage.onlooker.ends(stage, passed)
    return batch.spans.lanes if passed is None else int(np.count_nonzero(passed))


@rule(
    "RASTER-EARLY-1",
    "Where the shader asks for early tests, bounds, stencil, depth and the counter come before it; its discard, its "
    "depth and the alpha test change nothing of that, and a fragment that fails stores nothing to memory. Else a "
    "shader that stores to memory runs before the tests, and what it has stored stays when they fail.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "gl-memory-model"),
    ledger=("no-rt-pass", "unwritten-store", "alpha-test"),
    exactness="179 random pipelines are equal; that a failed fragment stores nothing is the specification's",
)
def left_by_shader(stage: Stage, outputs: LaneOutputs, alive: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Return which fragments that were alive are left by the shader's discard and by the alpha test."""
    if outputs.discarded is not None:
        alive = ~outputs.discarded if alive is None else alive & ~outputs.discarded
    return passing_alpha(stage, outputs.values, alive)


def passing_alpha(stage: Stage, values: UInt32, alive: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Return which fragments that are alive pass the alpha test as well."""
    target = stage.colors[0] if stage.tests_alpha else None
    if target is None or stage.fragment is None:
        return alive
    bits = output.with_missing(values[list(stage.fragment.outputs.get(0, ()))], target.fmt, stage.rules)
    state = stage.state
    passed = alpha_test(state.alpha_test, target.fmt, from_bits(bits[3]), state.alpha_reference, stage.rules)
    if stage.onlooker is not None:
        stage.onlooker.alpha(stage, passed)
    return passed if alive is None else alive & passed


def run_tests_of(
    stage: Stage,
    primitives: Primitives,
    inputs: Inputs,
    batch: Batch,
    written: UInt32 | None,
    alive: NDArray[np.bool_] | None,
    place: tuple[Float64 | float, Float64 | float] = CENTRE,
) -> NDArray[np.bool_] | None:
    """Return which fragments pass stencil and depth; all that are alive where neither test is on.

    Depth that the shader has not ``written`` is taken at a ``place`` in each pixel.
    """
    if stage.planes is None:
        return alive
    depth: Float32 = depths_of(inputs, batch, *place) if written is None else from_bits(written)
    codes = depth_stencil.fragment_codes(stage.planes, depth, stage.state, stage.rules)
    if stage.onlooker is not None:
        stage.onlooker.tests(stage, primitives.front, depth, codes, alive)
    return run_tests(stage.planes, stage.tests, batch, codes, primitives.front, alive)


def _just_stores(stage: Stage, location: int, target: ColorTarget) -> bool:
    """Say whether an output goes to its target without being merged with what is stored."""
    second = location == SECOND_SOURCE and has_second_source(stage.state)
    return not second and stage.merge(location, target) is None


def store_outputs(stage: Stage, batch: Batch, values: UInt32, alive: NDArray[np.bool_] | None) -> None:
    """Store what is left of the fragments to every target that is written."""
    for location, rows in stage.fragment.outputs.items() if stage.fragment is not None else ():
        target = stage.colors[location] if 0 <= location < len(stage.colors) else None
        mask = stage.state.channel_masks[location] if target is not None else 0
        if target is None or not mask:
            continue
        if _just_stores(stage, location, target):
            store(target, mask, values, rows, batch, alive, stage.rules)
        else:
            _merge(stage, location, target, values, batch, alive)


def _merge(
    stage: Stage,
    location: int,
    target: ColorTarget,
    values: UInt32,
    batch: Batch,
    alive: NDArray[np.bool_] | None,
) -> None:
    """Blend an output, or combine it, with what is stored; not if it is the second source of target 0."""
    merge = stage.merge(location, target)
    assert stage.fragment is not None
    if merge is None or (location == SECOND_SOURCE and has_second_source(stage.state)):
        return
    second = second_source(stage.state, stage.fragment.shader, values) if location == 0 else None
    bits = output.with_missing(values[list(stage.fragment.outputs[location])], target.fmt, stage.rules)
    mask = stage.state.channel_masks[location]
    merge_batch(merge, target, mask, bits, second, batch, alive, stage.rules)
