"""What happens to a fragment, in order? The whole of it on this page.

Every step is a call into the file that owns its rules. With early tests stencil and depth come before the shader,
which changes nothing that is stored: it is done where the shader neither discards nor writes depth.

Not here yet: sample masks, alpha test, alpha to coverage, blending, logic operations, stores of the shader itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, UInt32, from_bits
from refnvn.raster import depth_stencil, output
from refnvn.raster.interpolate import Inputs, Lanes, depths_of, fragment_w, lanes_of, values_of
from refnvn.raster.quads import quads_of
from refnvn.raster.setup import Primitives
from refnvn.raster.spans import Spans
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, LaneOutputs, run
from refnvn.shader.ir import Builtin, Shader

Uniforms = Callable[[int], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class Stage:
    """What all fragments of a draw share.

    Attributes
    ----------
    state : RasterState
    shader : Shader or None
        The fragment shader; without one only depth and stencil are written.
    uniforms : callable
        The bytes bound to each uniform slot.
    colors : tuple of ColorTarget or None
    planes : depth_stencil.StoredPlanes or None
        None where no test is on.
    tests : depth_stencil.Tests
    rules : Rules
    """

    state: RasterState
    shader: Shader | None
    uniforms: Uniforms
    colors: tuple[ColorTarget | None, ...]
    planes: depth_stencil.StoredPlanes | None
    tests: depth_stencil.Tests
    rules: Rules

    @property
    def tests_early(self) -> bool:
        """Whether the tests may run before the shader."""
        return self.shader is None or not (self.shader.can_discard or self.shader.writes_depth)


@rule(
    "RASTER-ORDER-1",
    "A fragment passes the scissor, the viewport rectangle and coverage, then the shader with its discard, then the "
    "stencil test, the depth test and the counter, then channel masks into the targets.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
    ledger=("attachment-capacity",),
)
def shade(stage: Stage, primitives: Primitives, inputs: Inputs, spans: Spans) -> int:
    """Take a batch of fragments to the targets and return how many samples passed.

    Scissor, viewport and coverage have happened: the spans hold what they left.
    """
    lanes = lanes_of(spans)
    alive = None
    if stage.tests_early:
        alive = _test(stage, primitives, lanes, None, inputs, alive)
    outputs = _run_shader(stage, primitives, inputs, spans, lanes)
    if not stage.tests_early and outputs is not None:
        alive = None if outputs.discarded is None else ~outputs.discarded
        alive = _test(stage, primitives, lanes, outputs.depth, inputs, alive)
    if outputs is not None:
        _store(stage, lanes, outputs.values, alive)
    return len(lanes.row) if alive is None else int(np.count_nonzero(alive))


def _test(
    stage: Stage,
    primitives: Primitives,
    lanes: Lanes,
    written: UInt32 | None,
    inputs: Inputs,
    alive: NDArray[np.bool_] | None,
) -> NDArray[np.bool_] | None:
    """Return which fragments pass stencil and depth; all that are alive where neither test is on."""
    if stage.planes is None:
        return alive
    depth: Float32 = depths_of(inputs, lanes) if written is None else from_bits(written)
    codes = depth_stencil.fragment_codes(stage.planes, depth, stage.state, stage.rules)
    return depth_stencil.run_tests(stage.planes, stage.tests, lanes, codes, primitives.front, alive)


def _run_shader(
    stage: Stage, primitives: Primitives, inputs: Inputs, spans: Spans, lanes: Lanes
) -> LaneOutputs | None:
    """Run the shader on all pixels of the spans, in quads where it takes derivatives."""
    if stage.shader is None:
        return None
    if not stage.shader.uses_derivatives:
        return run(stage.shader, _lane_inputs(stage, primitives, inputs, lanes), rules=stage.rules)
    quads = quads_of(spans)
    wide = lanes_of(quads.spans)
    turned = Lanes(wide.primitive[quads.order], wide.column[quads.order], wide.row[quads.order])
    found = run(stage.shader, _lane_inputs(stage, primitives, inputs, turned, quads=True), rules=stage.rules)
    return LaneOutputs(
        values=found.values[:, quads.back],
        discarded=None if found.discarded is None else found.discarded[quads.back],
        depth=None if found.depth is None else found.depth[quads.back],
    )


def _lane_inputs(
    stage: Stage, primitives: Primitives, inputs: Inputs, lanes: Lanes, *, quads: bool = False
) -> LaneInputs:
    assert stage.shader is not None
    return LaneInputs(
        count=len(lanes.row),
        values=values_of(inputs, lanes),
        builtins=_builtins(stage, primitives, inputs, lanes),
        uniforms=stage.uniforms,
        helper_quads=quads,
    )


def _float_bits(values: Any) -> UInt32:
    bits: UInt32 = np.asarray(values, dtype=np.float32).view(np.uint32)
    return bits


@rule(
    "RASTER-BUILTIN-1",
    "The fragment coordinate is the pixel's centre in memory columns and rows under either window origin, the "
    "clamped depth, and 1 / w.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "seed-titles"),
    ledger=("origin-lower-left",),
)
def _builtins(stage: Stage, primitives: Primitives, inputs: Inputs, lanes: Lanes) -> dict[str, NDArray[Any]]:
    """Return the builtins that the shader reads."""
    assert stage.shader is not None
    makers: dict[Builtin, Callable[[], NDArray[Any]]] = {
        Builtin.FRAG_COORD_X: lambda: _float_bits(lanes.column + 0.5),
        Builtin.FRAG_COORD_Y: lambda: _float_bits(lanes.row + 0.5),
        Builtin.FRAG_COORD_Z: lambda: _float_bits(depth_stencil.clamped_depth(depths_of(inputs, lanes), stage.state)),
        Builtin.FRAG_COORD_W: lambda: fragment_w(inputs, lanes),
        Builtin.FRONT_FACING: lambda: primitives.front[lanes.primitive],
        Builtin.PRIMITIVE_ID: lambda: primitives.ids[lanes.primitive].astype(np.uint32),
    }
    return {one: makers[one]() for one in stage.shader.builtins}


def _store(stage: Stage, lanes: Lanes, values: UInt32, alive: NDArray[np.bool_] | None) -> None:
    """Store what is left of the fragments to every target that is written."""
    if alive is not None:
        lanes = Lanes(lanes.primitive[alive], lanes.column[alive], lanes.row[alive])
        values = values[:, alive]
    for location, rows in output.written_rows(stage.shader).items():
        target = stage.colors[location] if 0 <= location < len(stage.colors) else None
        mask = stage.state.channel_masks[location] if target is not None else 0
        if target is not None and mask:
            bits = output.four_components(values, rows, target.fmt)
            output.store(target, mask, output.stored_codes(target.fmt, bits, stage.rules), lanes)
