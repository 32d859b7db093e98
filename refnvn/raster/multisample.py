"""What is different in the fragment stage where targets have several samples? The whole of it on this page.

A pixel is shaded once, or once for each sample; then each sample goes through the tests and into the targets alone,
by the same steps as a pixel of a plain target. Before that the coverage loses samples: to the sample mask, to the
shader's own mask, to alpha.

Where samples are: ``samples.py``; which are covered: ``sample_spans.py``; more of them than colour targets have:
``mixed_samples.py``. Read next: ``alpha_to_coverage.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, Int64, UInt32
from refnvn.raster import output
from refnvn.raster.alpha_to_coverage import covered_by_alpha
from refnvn.raster.at_once import filled_at_once
from refnvn.raster.batch import Batch, Sampled, fill_samples, store
from refnvn.raster.depth_stencil import StoredPlanes
from refnvn.raster.fragment import passing_alpha, run_tests_of, store_outputs
from refnvn.raster.inputs import Inputs
from refnvn.raster.interpolate import Lanes
from refnvn.raster.merge import SECOND_SOURCE, has_second_source
from refnvn.raster.merge_batch import fill_blended
from refnvn.raster.run_shader import run_shader
from refnvn.raster.sample_spans import centroid_offsets, coverage_of, offsets_of, reach_of
from refnvn.raster.samples import SAMPLE_UNITS, mask_of, positions_by_pixel
from refnvn.raster.setup import Primitives
from refnvn.raster.spans import Spans
from refnvn.raster.stage import Stage
from refnvn.raster.target import ColorTarget, DepthStencilTarget, Rectangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import note, rule
from refnvn.shader.execute import LaneOutputs
from refnvn.shader.ir import SAMPLE_MASK
from refnvn.shader.ir_base import Builtin, Sampling

Covered = NDArray[np.bool_]
Place = tuple[Float64 | float, Float64 | float]
_ONE_BITS = 0x3F800000


def sampled_stage(
    stage: Stage,
    colors: Sequence[ColorTarget | None],
    depth: DepthStencilTarget | None,
    samples: int,
    window: Rectangle,
) -> Stage:
    """Return a stage that holds the stage of each sample of its targets."""

    def alone(sample: int) -> Stage:
        tested = stage.planes is not None and depth is not None
        return replace(
            stage,
            colors=tuple(None if one is None else one.of_sample(sample) for one in colors),
            planes=StoredPlanes(depth.of_sample(sample), window) if tested and depth is not None else None,
            sample=sample,
        )

    return replace(
        stage,
        samples=tuple(alone(sample) for sample in range(samples)),
        positions=positions_by_pixel(stage.state.multisample, samples),
    )


@rule(
    "RASTER-ORDER-2",
    "With several samples coverage is cut by the sample mask before the shader sees it, then by the shader's own "
    "mask and by alpha to coverage, which sees the shader's alpha; then alpha becomes one, which the alpha test "
    "sees; each sample that is left is tested, counted and stored alone. With early tests they and the counter come "
    "right after the sample mask, and what is lost later still counts.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "sample-vectors"),
    ledger=("ms-slot", "tex-illegal-fields"),
)
def shade_samples(stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch) -> int:
    """Take a batch of fragments to all samples of the targets and return how many samples passed."""
    kept, places = covered_samples(stage, primitives, inputs, batch)
    sampled = batch.sampled
    assert sampled is not None
    early = stage.fragment is not None and stage.fragment.early
    if early:
        kept = passing_samples(stage, primitives, inputs, batch, None, kept, places)
    by_sample = stage.state.multisample.sample_shading or (stage.fragment is not None and stage.fragment.by_sample)
    covered_at_all: NDArray[np.bool_] = np.any(kept, axis=0)
    outputs = None if by_sample else run_shader(stage, primitives, inputs, batch, covered_at_all)
    left = None if by_sample else left_of_samples(stage, batch.lanes, kept, outputs, covered_at_all)
    passed = int(np.count_nonzero(kept)) if early else 0
    for sample, alone in enumerate(stage.samples):
        if by_sample:
            forced = stage.state.multisample.sample_shading
            batch.sampled = sampled.of(sample, places[sample], everything=forced)
            outputs = run_shader(alone, primitives, inputs, batch, kept[sample])
            left = left_of_samples(alone, batch.lanes, kept, outputs, kept[sample])
        assert left is not None
        alive: NDArray[np.bool_] | None = left[sample]
        if not early:
            written = None if outputs is None else outputs.depth
            alive = run_tests_of(alone, primitives, inputs, batch, written, alive, places[sample])
        assert alive is not None
        passed += 0 if early else int(np.count_nonzero(alive))
        if outputs is not None:
            store_outputs(alone, batch, with_alpha_one(stage, outputs.values), alive)
            _store_coverage(alone, batch, left, alive)
        if alone.onlooker is not None:
            alone.onlooker.ends(alone, kept[sample] if early else alive)
    if stage.onlooker is not None:
        stage.onlooker.done(stage)
    return passed


def covered_samples(
    stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch
) -> tuple[Covered, list[Place]]:
    """Return which samples are covered and in the state's mask, and where all are; the batch learns of them."""
    assert stage.positions is not None
    covered = coverage_of(batch.spans, batch.lanes)
    kept = covered & mask_of(stage.state.multisample, len(covered))[:, np.newaxis]
    batch.sampled = _sampled(stage, inputs, batch.lanes, kept)
    if stage.onlooker is not None:
        stage.onlooker.begins(stage, primitives, inputs, batch)
        stage.onlooker.covers("coverage", covered)
        stage.onlooker.covers("sample mask", kept)
    return kept, _places(stage.positions, batch.lanes)


def passing_samples(
    stage: Stage,
    primitives: Primitives,
    inputs: Inputs,
    batch: Batch,
    written: UInt32 | None,
    kept: Covered,
    places: list[Place],
) -> Covered:
    """Return which samples pass the tests; ``written`` is the shader's depth, if it has run and writes one."""
    passing = [
        run_tests_of(alone, primitives, inputs, batch, written, kept[sample], places[sample])
        for sample, alone in enumerate(stage.samples)
    ]
    return np.stack([one for one in passing if one is not None])


def shade_samples_at_once(stage: Stage, inputs: Inputs, spans: Spans) -> int | None:
    """Take all spans to all samples of the one target in a single loop, if nothing stands between.

    That is so where a pixel of one sample could be filled at once (:func:`refnvn.raster.at_once.shade_at_once`) and
    nothing but the state's mask takes samples away. Returns how many samples passed, or None where nothing was done.
    """
    state, fragment = stage.state.multisample, stage.fragment
    plain = not (state.alpha_to_coverage or state.alpha_to_one or state.sample_shading)
    if fragment is None or fragment.by_sample or not plain or state.coverage_to_color >= 0:
        return None
    if SAMPLE_MASK in fragment.outputs or any(one is not Sampling.CENTER for one in inputs.sampling):
        return None
    found = [filled_at_once(alone) for alone in stage.samples]
    reach = reach_of(spans, mask_of(state, len(found)))
    if found[0] is None or reach is None:
        return None
    note(("RASTER-ORDER-2",))
    mask = stage.state.channel_masks[found[0].location]
    if mask:
        targets = [one.target for one in found if one is not None]
        if found[0].merge is not None:
            fill_blended(found[0].merge, targets, mask, inputs, found[0].rows, spans, stage.rules, reach)
        else:
            fill_samples(targets, mask, inputs, found[0].rows, spans, reach)
    return int((reach[1] - reach[0]).sum())


def _places(positions: Int64, lanes: Lanes) -> list[Place]:
    """Return where each sample is in the pixels, in pixels: two numbers, or arrays where it varies."""
    if positions.shape[:2] == (1, 1):
        return [(float(x) / SAMPLE_UNITS, float(y) / SAMPLE_UNITS) for x, y in positions[0, 0]]
    across, down = offsets_of(positions, lanes) / SAMPLE_UNITS
    return list(zip(across, down, strict=True))


def _sampled(stage: Stage, inputs: Inputs, lanes: Lanes, covered: Covered) -> Sampled:
    """Return what shaders may see of the samples of a batch."""
    centroid: Place = (0.5, 0.5)
    if Sampling.CENTROID in inputs.sampling:
        assert stage.positions is not None
        x, y = centroid_offsets(covered, offsets_of(stage.positions, lanes)) / SAMPLE_UNITS
        centroid = (x, y)
    reads_mask = stage.fragment is not None and Builtin.SAMPLE_MASK_IN in stage.fragment.builtins
    return Sampled(mask=_bits(covered) if reads_mask else np.zeros(0, np.uint32), centroid=centroid)


def _bits(covered: Covered) -> UInt32:
    """Return samples as a number for each pixel, sample 0 in bit 0."""
    bits = np.uint32(1) << np.arange(len(covered), dtype=np.uint32)
    mask: UInt32 = (covered * bits[:, np.newaxis]).sum(axis=0, dtype=np.uint32)
    return mask


def left_of_samples(
    stage: Stage, lanes: Lanes, kept: Covered, outputs: LaneOutputs | None, live: NDArray[np.bool_]
) -> Covered:
    """Return which samples are left once the shader and the alpha test have run, shape (samples, lanes).

    The stage is that of the one sample for which the shader ran, or of all; it ran for the lanes that are ``live``.
    """
    if outputs is None or stage.fragment is None:
        return kept
    if stage.onlooker is not None:
        stage.onlooker.ran(stage, outputs, live)
    left = kept if outputs.discarded is None else kept & ~outputs.discarded
    left = _cut_by_shader(stage, lanes, left, outputs) if stage.state.multisample.enabled else left
    passed = passing_alpha(stage, with_alpha_one(stage, outputs.values), None)
    return left if passed is None else left & passed


def _cut_by_shader(stage: Stage, lanes: Lanes, left: Covered, outputs: LaneOutputs) -> Covered:
    """Take away the samples that the shader's own mask and its alpha do not leave."""
    assert stage.fragment is not None
    if SAMPLE_MASK in stage.fragment.outputs:
        left = left & shader_mask(outputs.values[stage.fragment.outputs[SAMPLE_MASK][0]], len(left))
        _tell_left(stage, "the shader's sample mask", left)
    if stage.state.multisample.alpha_to_coverage and 0 in stage.fragment.outputs:
        target = stage.colors[0] if stage.colors else None
        if target is not None:
            alpha = output.four_components(outputs.values, stage.fragment.outputs[0], target.fmt, stage.rules)[3]
            dither = stage.state.multisample.dither
            left = left & covered_by_alpha(target.fmt, alpha, len(left), lanes, stage.rules, dither=dither)
            _tell_left(stage, "alpha to coverage", left)
    return left


def _tell_left(stage: Stage, step: str, left: Covered) -> None:
    """Tell who looks on what a step has left: of the one sample whose stage it is, or of all."""
    if stage.onlooker is not None:
        stage.onlooker.covers(step, left, stage.sample)


@rule(
    "RASTER-MASK-1",
    "A sample is kept where its bit is set in the sample mask and in the mask that the shader writes; sample 0 is "
    "bit 0. What the shader writes takes samples away, it adds none.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pipeline-rules"),
)
def shader_mask(words: UInt32, samples: int) -> Covered:
    """Return which samples a mask keeps, shape (samples, lanes)."""
    kept: Covered = (words >> np.arange(samples, dtype=np.uint32)[:, np.newaxis] & 1) != 0
    return kept


@rule(
    "RASTER-ALPHAONE-1",
    "Alpha to one makes alpha 1 in the outputs of all targets and in the second source; for an integer target it is "
    "the integer 1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pipeline-rules"),
)
def one_as_alpha(stage: Stage, values: UInt32) -> UInt32:
    """Return output rows with alpha one."""
    assert stage.fragment is not None
    changed = values.copy()
    for location, rows in stage.fragment.outputs.items():
        second = location == SECOND_SOURCE and has_second_source(stage.state)
        place = 0 if second else location  # the second source belongs to target 0
        target = stage.colors[place] if 0 <= place < len(stage.colors) else None
        if target is not None and len(rows) == 4:
            changed[rows[3]] = 1 if target.fmt.is_integer else _ONE_BITS
    return changed


def with_alpha_one(stage: Stage, values: UInt32) -> UInt32:
    """Return output rows as alpha to one leaves them."""
    state = stage.state.multisample
    return one_as_alpha(stage, values) if state.enabled and state.alpha_to_one else values


@rule(
    "RASTER-COVERAGE-4",
    "Coverage to colour stores in an integer target of one channel, in all samples of a pixel that are left, which "
    "samples those are: sample 0 is bit 0. A target of more channels keeps the shader's output.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    exactness="bit-exact but where clipping cuts a triangle: the chip sees the parts apart",
)
def coverage_words(left: Covered) -> UInt32:
    """Return R, G, B, A of pixels, shape (4, lanes), from the samples that are left, shape (samples, lanes)."""
    found = np.zeros((4, left.shape[1]), dtype=np.uint32)
    found[0] = _bits(left)
    return found


def _store_coverage(stage: Stage, batch: Batch, left: Covered, alive: Covered) -> None:
    """Store coverage in the target that wants it."""
    location = stage.state.multisample.coverage_to_color
    target = stage.colors[location] if 0 <= location < len(stage.colors) else None
    if target is not None and target.fmt.is_integer and len(target.fmt.components) == 1:
        mask = stage.state.channel_masks[location]
        store(target, mask, coverage_words(left), (0, 1, 2, 3), batch, alive, stage.rules)
