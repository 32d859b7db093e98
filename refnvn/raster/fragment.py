"""What happens to a fragment, in order? The whole of it on this page.

Every step is a call into the file that owns its rules. With early tests stencil and depth come before the shader,
which changes nothing that is stored where the shader neither discards, nor writes depth, nor stores to memory, and no
alpha is tested: then it is done so. A shader may also ask for it, and then what it stores depends on the tests.

Several samples: ``multisample.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32, from_bits
from refnvn.raster import depth_stencil, output
from refnvn.raster.alpha_test import alpha_test, decides
from refnvn.raster.batch import Batch, Sampled, depths_of, fill, run_tests, store, stores_unorm8, values_of
from refnvn.raster.interpolate import Inputs, fragment_w, sprite_coordinate
from refnvn.raster.merge import SECOND_SOURCE, Merge, has_second_source, merge_of, second_source
from refnvn.raster.merge_batch import fill_blended, fills_blended, merge_batch
from refnvn.raster.quads import Quads, quads_of
from refnvn.raster.sampled_rows import SampledRows, sampled_rows
from refnvn.raster.setup import Primitives
from refnvn.raster.spans import Spans
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect, note, rule
from refnvn.shader.execute import LaneInputs, LaneOutputs, plan_of, run
from refnvn.shader.independent import is_independent
from refnvn.shader.ir import LoadInput, Shader, StoreOutput, first_rows
from refnvn.shader.ir_base import Builtin, Sampling
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.textures import NO_TEXTURES, Textures

CENTRE = (0.5, 0.5)
_WORD = 0xFFFFFFFF
Uniforms = Callable[[int], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class FragmentShader:
    """A fragment shader and what is asked of it for every batch.

    Attributes
    ----------
    shader : Shader
    builtins : tuple of Builtin
    late : bool
        Whether the tests must wait for it: it discards, writes depth, or stores to memory.
    early : bool
        Whether it asks for tests before it runs.
    changes_memory : bool
        Whether it stores to memory.
    alone : bool
        Whether primitives must run one after another, because one may see what another stores.
    quads : bool
        Whether it takes derivatives.
    outputs : dict of int to tuple of int
        The rows of its outputs by location; a sample mask is at -1.
    copies : tuple of int or None
        Where all it does is to copy inputs: the input row of each output row.
    sampled : SampledRows or None
        Where all it does is to sample one texture at an input.
    by_sample : bool
        Whether it must run once for each sample, if there are several.
    """

    shader: Shader
    builtins: tuple[Builtin, ...]
    late: bool
    early: bool
    changes_memory: bool
    alone: bool
    quads: bool
    outputs: dict[int, tuple[int, ...]]
    copies: tuple[int, ...] | None
    sampled: SampledRows | None
    by_sample: bool


def fragment_shader(shader: Shader) -> FragmentShader:
    """Return a shader with what is asked of it, found out once; its rules count each time."""
    plan = plan_of(shader)
    if plan.fragment is None:
        with collect() as used:
            plan.fragment = _fragment_shader(shader), frozenset(used)
    found: FragmentShader = plan.fragment[0]
    note(plan.fragment[1])
    return found


def _fragment_shader(shader: Shader) -> FragmentShader:
    changes_memory = shader.changes_memory
    return FragmentShader(
        shader=shader,
        builtins=shader.builtins,
        late=shader.can_discard or shader.writes_depth or changes_memory,
        early=shader.early_fragment_tests,
        changes_memory=changes_memory,
        alone=not is_independent(shader),
        quads=shader.uses_derivatives,
        outputs=output.written_rows(shader),
        copies=copied_rows(plan_of(shader).shader),
        sampled=sampled_rows(plan_of(shader).shader),
        by_sample=needs_samples(shader),
    )


@rule(
    "RASTER-SAMPLING-1",
    "A shader runs once for each pixel, never for several; one that reads a sample input, the sample's number or its "
    "position runs once for each covered sample and sees only that one covered; only its sample inputs are evaluated "
    "at the sample. Where sample shading is forced all inputs and the fragment coordinate are.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
    ledger=("vrs-ignored",),
)
def needs_samples(shader: Shader) -> bool:
    """Say whether a shader must run once for each sample."""
    of_samples = {Builtin.SAMPLE_ID, Builtin.SAMPLE_POSITION_X, Builtin.SAMPLE_POSITION_Y}
    reads_one = not of_samples.isdisjoint(shader.builtins)
    return reads_one or any(one.sampling is Sampling.SAMPLE for one in shader.inputs)


def copied_rows(shader: Shader) -> tuple[int, ...] | None:
    """Return which input row each output row is, where the shader does nothing but copy; else None."""
    input_rows, output_rows = first_rows(shader.inputs), first_rows(shader.outputs)
    held: dict[int, int] = {}
    copied: dict[int, int] = {}
    for one in shader.statements:
        if isinstance(one, LoadInput):
            held[one.to] = input_rows[one.location] + one.component
        elif isinstance(one, StoreOutput) and one.of in held:
            copied[output_rows[one.location] + one.component] = held[one.of]
        else:
            return None
    return tuple(copied[k] for k in range(len(copied))) if len(copied) == shader.output_components else None


@dataclass(frozen=True, slots=True)
class Stage:
    """What all fragments of a draw share.

    Attributes
    ----------
    state : RasterState
    fragment : FragmentShader or None
        Without one only depth and stencil are written.
    uniforms : callable
        The bytes bound to each uniform slot.
    colors : tuple of ColorTarget or None
    planes : depth_stencil.StoredPlanes or None
        None where no test is on.
    tests : depth_stencil.Tests
    rules : Rules
    samples : tuple of Stage
        Where targets have several samples: the same for each of them alone.
    positions : int64, shape (rows, columns, samples, 2), or None
        Where they are, see :func:`refnvn.raster.samples.positions_by_pixel`.
    textures : Textures
        What the handles of textures and samplers name.
    memory : LaneMemory
        The storage buffers and images of the shader.
    """

    state: RasterState
    fragment: FragmentShader | None
    uniforms: Uniforms
    colors: tuple[ColorTarget | None, ...]
    planes: depth_stencil.StoredPlanes | None
    tests: depth_stencil.Tests
    rules: Rules
    samples: tuple[Stage, ...] = ()
    positions: Int64 | None = None
    textures: Textures = NO_TEXTURES
    memory: LaneMemory = NO_MEMORY

    @property
    def tests_early(self) -> bool:
        """Whether the tests may, or must, run before the shader."""
        return self.fragment is None or self.fragment.early or not (self.fragment.late or self.tests_alpha)

    @property
    def tests_alpha(self) -> bool:
        """Whether the alpha test decides anything."""
        first = self.colors[0] if self.colors else None
        return self.fragment is not None and decides(self.state.alpha_test, None if first is None else first.fmt)


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
    alive = passing_early(stage, primitives, inputs, batch)
    outputs = run_shader(stage, primitives, inputs, batch, alive)
    return take_outputs(stage, primitives, inputs, batch, outputs, alive)


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
        alive = left_by_shader(stage, outputs, alive)
        if not stage.tests_early:
            alive = passed = run_tests_of(stage, primitives, inputs, batch, outputs.depth, alive)
        store_outputs(stage, batch, outputs.values, alive)
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


def shade_at_once(stage: Stage, inputs: Inputs, spans: Spans) -> bool:
    """Take all spans to the one target in a single loop, if nothing stands between their inputs and its texels.

    That is so where the shader only copies, no test is on and the target holds plain bytes; the same steps as
    :func:`shade` takes, without a stop. Returns whether it was done.
    """
    found = filled_at_once(stage)
    if found is None:
        return False
    note(("RASTER-ORDER-1", "RASTER-EARLY-1"))
    mask = stage.state.channel_masks[found.location]
    if mask and found.merge is not None:
        fill_blended(found.merge, [found.target], mask, inputs, found.rows, spans, stage.rules)
    elif mask:
        fill(found.target, mask, inputs, found.rows, spans)
    return True


class Filled(NamedTuple):
    """The one target that can be filled at once: its location, itself, the rows that it gets, how it merges."""

    location: int
    target: ColorTarget
    rows: tuple[int, ...]
    merge: Merge | None


def filled_at_once(stage: Stage) -> Filled | None:
    """Return the target that can be filled in a single loop by input rows, or None where something stands between."""
    fragment = stage.fragment
    if fragment is None or fragment.copies is None:
        return None
    found = plain_target(stage)
    if found is None or (found.merge is not None and not fills_blended(found.merge, found.target, stage.rules)):
        return None
    return found._replace(rows=tuple(fragment.copies[row] for row in found.rows))


def plain_target(stage: Stage) -> Filled | None:
    """Return the one target of four plain bytes that a draw without tests writes, and which output rows it gets."""
    fragment = stage.fragment
    if fragment is None or stage.planes is not None or len(fragment.outputs) != 1:
        return None
    ((location, rows),) = fragment.outputs.items()
    target = stage.colors[location] if 0 <= location < len(stage.colors) else None
    if target is None or stage.tests_alpha or not stores_unorm8(target.fmt, rows, stage.rules):
        return None
    if location == SECOND_SOURCE and has_second_source(stage.state):
        return None
    return Filled(location, target, rows, merge_of(stage.state, location, target))


def passing_alpha(stage: Stage, values: UInt32, alive: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Return which fragments that are alive pass the alpha test as well."""
    target = stage.colors[0] if stage.tests_alpha else None
    if target is None or stage.fragment is None:
        return alive
    bits = output.with_missing(values[list(stage.fragment.outputs.get(0, ()))], target.fmt, stage.rules)
    state = stage.state
    passed = alpha_test(state.alpha_test, target.fmt, from_bits(bits[3]), state.alpha_reference, stage.rules)
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
    return run_tests(stage.planes, stage.tests, batch, codes, primitives.front, alive)


def run_shader(
    stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch, live: NDArray[np.bool_] | None = None
) -> LaneOutputs | None:
    """Run the shader on all pixels of the spans, in quads where it takes derivatives; ``live`` ones may store."""
    fragment = stage.fragment
    if fragment is None:
        return None
    if fragment.copies is not None:
        values = values_of(inputs, batch)
        same = fragment.copies == tuple(range(len(values)))
        return LaneOutputs(values=values if same else values[list(fragment.copies)], discarded=None, depth=None)
    if not fragment.quads:
        lanes = replace(_lane_inputs(stage, fragment, primitives, inputs, batch), live=live)
        return run(fragment.shader, lanes, rules=stage.rules)
    quads = quads_of(batch.spans)
    sampled = None if batch.sampled is None else batch.sampled.spread(quads.order[quads.back], quads.spans.lanes)
    wide = _lane_inputs(stage, fragment, primitives, inputs, Batch(quads.spans, batch.compiled, sampled))
    turned = LaneInputs(
        count=wide.count,
        values=wide.values[:, quads.order],
        builtins={name: values[quads.order] for name, values in wide.builtins.items()},
        uniforms=wide.uniforms,
        textures=wide.textures,
        memory=wide.memory,
        live=_live_of_quads(quads, live),
        helper_quads=True,
    )
    found = run(fragment.shader, turned, rules=stage.rules)
    return LaneOutputs(
        values=found.values[:, quads.back],
        discarded=None if found.discarded is None else found.discarded[quads.back],
        depth=None if found.depth is None else found.depth[quads.back],
    )


def _live_of_quads(quads: Quads, live: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return which lanes of quads may store: those that are covered, and live."""
    found = np.zeros(quads.spans.lanes, np.bool_)
    found[quads.back] = True if live is None else live
    return found


def _lane_inputs(
    stage: Stage, fragment: FragmentShader, primitives: Primitives, inputs: Inputs, batch: Batch
) -> LaneInputs:
    return LaneInputs(
        count=batch.spans.lanes,
        values=values_of(inputs, batch),
        builtins=_builtins(stage, fragment.builtins, primitives, inputs, batch),
        uniforms=stage.uniforms,
        textures=stage.textures,
        memory=stage.memory,
    )


def _everywhere(value: Float64 | float, lanes: int) -> UInt32:
    """Return the bits of a number in so many lanes."""
    return np.ascontiguousarray(np.broadcast_to(_float_bits(value), (lanes,)))


def _float_bits(values: Any) -> UInt32:
    bits: UInt32 = np.asarray(values, dtype=np.float32).view(np.uint32)
    return bits


@rule(
    "RASTER-BUILTIN-1",
    "The fragment coordinate is the pixel's centre in memory columns and rows under either window origin, the "
    "clamped depth, and 1 / w; with sample shading forced it is the sample's.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "seed-titles"),
    ledger=("origin-lower-left",),
)
def _builtins(
    stage: Stage, wanted: tuple[Builtin, ...], primitives: Primitives, inputs: Inputs, batch: Batch
) -> dict[str, NDArray[Any]]:
    """Return the builtins that the shader reads."""
    sampled = batch.sampled or Sampled(np.ones(batch.spans.lanes, np.uint32))
    x, y = sampled.center
    makers: dict[Builtin, Callable[[], NDArray[Any]]] = {
        Builtin.FRAG_COORD_X: lambda: _float_bits(batch.lanes.column + x),
        Builtin.FRAG_COORD_Y: lambda: _float_bits(batch.lanes.row + y),
        Builtin.FRAG_COORD_Z: lambda: _float_bits(
            depth_stencil.clamped_depth(depths_of(inputs, batch, x, y), stage.state)
        ),
        Builtin.FRAG_COORD_W: lambda: fragment_w(inputs, replace(batch.lanes, x=x, y=y)),
        Builtin.FRONT_FACING: lambda: primitives.front[batch.lanes.primitive],
        Builtin.POINT_COORD_X: lambda: sprite_coordinate(inputs, batch.lanes, 0),
        Builtin.POINT_COORD_Y: lambda: sprite_coordinate(inputs, batch.lanes, 1),
        Builtin.PRIMITIVE_ID: lambda: primitives.ids[batch.lanes.primitive].astype(np.uint32),
        Builtin.SAMPLE_ID: lambda: np.full(batch.spans.lanes, sampled.number, np.uint32),
        Builtin.SAMPLE_MASK_IN: lambda: sampled.mask,
        Builtin.SAMPLE_POSITION_X: lambda: _everywhere(sampled.sample[0], batch.spans.lanes),
        Builtin.SAMPLE_POSITION_Y: lambda: _everywhere(sampled.sample[1], batch.spans.lanes),
        Builtin.LAYER: lambda: np.full(batch.spans.lanes, stage.state.layer & _WORD, np.uint32),
        Builtin.VIEWPORT_INDEX: lambda: np.full(batch.spans.lanes, stage.state.viewport_index & _WORD, np.uint32),
    }
    return {one: makers[one]() for one in wanted}


def _just_stores(stage: Stage, location: int, target: ColorTarget) -> bool:
    """Say whether an output goes to its target without being merged with what is stored."""
    second = location == SECOND_SOURCE and has_second_source(stage.state)
    return not second and merge_of(stage.state, location, target) is None


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
    merge = merge_of(stage.state, location, target)
    assert stage.fragment is not None
    if merge is None or (location == SECOND_SOURCE and has_second_source(stage.state)):
        return
    second = second_source(stage.state, stage.fragment.shader, values) if location == 0 else None
    bits = output.with_missing(values[list(stage.fragment.outputs[location])], target.fmt, stage.rules)
    mask = stage.state.channel_masks[location]
    merge_batch(merge, target, mask, bits, second, batch, alive, stage.rules)
