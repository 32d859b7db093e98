"""How often do fragment shaders run for the counter of their invocations?

Pixels beside a primitive, which stand by for derivatives, do not count. Read next: ``statistics.py``.
"""

from __future__ import annotations

from refnvn.enumerations import CounterType
from refnvn.raster.assembled import Assembled
from refnvn.raster.covered_pixels import covered_pixels
from refnvn.raster.draw_stage import reachable, stage_of
from refnvn.raster.mixed_samples import raster_samples_of
from refnvn.raster.shapes import Vertices
from refnvn.raster.stage import Stage
from refnvn.raster.state import RasterState
from refnvn.replay.context import Context
from refnvn.replay.draw_targets import LayerTargets
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.execute import no_uniforms
from refnvn.shader.ir import Shader
from refnvn.shader.lane_memory import NO_MEMORY
from refnvn.shader.textures import NO_TEXTURES


@rule(
    "QUERY-INVOCATIONS-4",
    "The counter of invocations of fragment shaders grows by the pixels that a primitive covers, or by their samples "
    "where the shader runs for each, less those that fail tests which come before it; what it discards counts.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics"),
    exactness="bit-exact on one sample, or without tests; open where tests come behind the shader, where none is "
    "bound, and where nothing that it gives is kept",
)
def count_fragments(
    context: Context,
    state: RasterState,
    layer: LayerTargets,
    vertices: Vertices,
    primitives: Assembled,
    shader: Shader | None,
    passed: int,
) -> None:
    """Count the invocations of a draw that was done; ``passed`` samples passed its tests."""
    counter = CounterType.FRAGMENT_SHADER_INVOCATIONS
    if shader is None:
        context.state.count(counter, 0, is_open=True)
        return
    window = reachable(state, layer.colors, layer.depth_stencil)
    stage = stage_of(
        state, layer.colors, layer.depth_stencil, shader, no_uniforms, context.rules, window, NO_TEXTURES, NO_MEMORY
    )
    several = raster_samples_of(state.multisample, layer.colors, layer.depth_stencil) > 1
    if stage.planes is not None and stage.tests_early and not several:
        context.state.count(counter, passed, is_open=not _is_kept(stage))
        return
    assert stage.fragment is not None
    count = covered_pixels(
        state, layer.colors, layer.depth_stencil, vertices, primitives, context.rules,
        by_sample=stage.fragment.by_sample or state.multisample.sample_shading,
    )  # fmt: skip
    context.state.count(counter, count, is_open=stage.planes is not None or not _is_kept(stage))


def _is_kept(stage: Stage) -> bool:
    """Say whether something is kept that the shader gives: else hardware need not run it."""
    assert stage.fragment is not None
    if stage.fragment.late or stage.fragment.changes_memory:
        return True
    written = stage.fragment.outputs
    return any(
        target is not None and mask and location in written
        for location, (target, mask) in enumerate(zip(stage.colors, stage.state.channel_masks, strict=False))
    )
