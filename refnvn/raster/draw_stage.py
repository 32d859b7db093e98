"""What does a draw have before its first primitive: which pixels, tests, targets and samples?

Read next: ``stage.py``, ``fragment_shader.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from refnvn.raster import depth_stencil
from refnvn.raster.depth_bounds import bounds_codes
from refnvn.raster.fragment_shader import fragment_shader
from refnvn.raster.mixed_samples import mixed_stage, raster_samples_of
from refnvn.raster.multisample import sampled_stage
from refnvn.raster.stage import Stage, Uniforms
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget, Rectangle, samples_of
from refnvn.raster.window import LARGEST_TARGET_PX, intersection, viewport_rectangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader
from refnvn.shader.lane_memory import LaneMemory
from refnvn.shader.textures import Textures


@rule(
    "RASTER-WINDOW-1",
    "A draw reaches the pixels inside the viewport rectangle, the scissor, and the smallest width and height of the "
    "bound targets; without targets the viewport alone bounds it.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "seed-titles"),
    ledger=("no-rt-pass", "rp-area"),
    refuted_by="a draw on a console to targets of two sizes that reaches beyond the smaller",
)
def reachable(
    state: RasterState, colors: Sequence[ColorTarget | None], depth: DepthStencilTarget | None
) -> Rectangle:
    """Return the pixels that a draw can write: x, y, width, height."""
    window = intersection(viewport_rectangle(state.viewport), (0, 0, LARGEST_TARGET_PX, LARGEST_TARGET_PX))
    if state.scissor is not None:
        window = intersection(window, state.scissor)
    for target in (*colors, depth):
        if target is not None:
            window = intersection(window, (0, 0, target.codes.shape[1], target.codes.shape[0]))
    return window


def stage_of(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    target: DepthStencilTarget | None,
    fragment: Shader | None,
    uniforms: Uniforms,
    rules: Rules,
    window: Rectangle,
    textures: Textures,
    memory: LaneMemory,
) -> Stage:
    """Return what all fragments of a draw share, targets of one sample taken as they are."""
    has = {name: target is not None and target.fmt.component(name) is not None for name in "DS"}
    tests = depth_stencil.tests_of(state, has_depth=has["D"], has_stencil=has["S"])
    bounded = state.depth_bounds is not None and has["D"]
    if state.depth_bounds is not None and target is not None and bounded:
        tests = replace(tests, bounds=bounds_codes(state.depth_bounds, target.fmt, rules))
    on = target is not None and ((state.depth_test and has["D"]) or tests.stencil or bounded)
    return Stage(
        state=state,
        fragment=None if fragment is None else fragment_shader(fragment),
        uniforms=uniforms,
        colors=tuple(colors),
        planes=depth_stencil.StoredPlanes(target, window) if on and target is not None else None,
        tests=tests,
        rules=rules,
        textures=textures,
        memory=memory,
    )


def with_samples(
    stage: Stage, colors: Sequence[ColorTarget | None], depth: DepthStencilTarget | None, window: Rectangle
) -> Stage:
    """Return a stage with those of its samples, where the rasteriser has several.

    Raises
    ------
    ArgumentError
        For targets that do not fit each other.
    """
    samples = raster_samples_of(stage.state.multisample, colors, depth)
    if samples > samples_of(colors) and any(one is not None for one in colors):
        return mixed_stage(stage, colors, depth, samples, window)
    return sampled_stage(stage, colors, depth, samples, window) if samples > 1 else stage
