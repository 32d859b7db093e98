"""What does a fragment shader see, and what does it give for a batch?

The language itself is in ``refnvn/shader``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, UInt32
from refnvn.raster.batch import Batch, Sampled, depths_of, values_of
from refnvn.raster.fragment_shader import FragmentShader
from refnvn.raster.inputs import Inputs
from refnvn.raster.interpolate import fragment_w, sprite_coordinate
from refnvn.raster.quads import Quads, quads_of
from refnvn.raster.setup import Primitives
from refnvn.raster.stage import Stage
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, LaneOutputs, run
from refnvn.shader.ir_base import Builtin

_WORD = 0xFFFFFFFF


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
    "depth, which depth clamp does not touch, and 1 / w; with sample shading forced it is the sample's.",
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
        Builtin.FRAG_COORD_Z: lambda: _float_bits(depths_of(inputs, batch, x, y)),
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
