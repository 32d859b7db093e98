"""What does the rasteriser get from the state of a queue?

State that a draw depends on and that is not executed yet is refused, not left out. Read next: ``draw_targets.py``.
"""

from __future__ import annotations

from operator import attrgetter

import numpy as np

from refnvn.commands.state import BlendState, DepthStencilState, MultisampleState, PolygonState
from refnvn.enumerations import CoverageModulationMode, WindowOriginMode
from refnvn.errors import FieldRangeError
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.coverage_modulation import LINEAR
from refnvn.raster.samples import Multisample, programmed_locations
from refnvn.raster.state import TARGETS_MAX, RasterState, StencilFace
from refnvn.raster.target import Rectangle
from refnvn.replay.context import Context
from refnvn.replay.state import State, StencilSide, Viewport
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, SpriteRows
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown
from refnvn.shader.execute import plan_of
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Builtin

UNSET_VIEWPORT = unknown(
    "REPLAY-VIEWPORT-1",
    "Where does a draw go before its viewport is set?",
    settled_by="a draw on a console before any SetViewport or SetViewports of viewport {number}",
    instead="call set_viewport before this draw",
    module=__name__,
)


def unscissored(
    context: Context, fragment: Shader | None = None, number: int = 0
) -> tuple[RasterState, Rectangle | None]:
    """Return the rasteriser's settings for one viewport without its scissor, and the scissor.

    Two draws between which nothing but the scissor was set get the very same settings.

    Parameters
    ----------
    context : Context
        The state of the replay.
    fragment : Shader or None
        The fragment shader; which way sprites run is asked only for one that reads their coordinates.
    number : int
        Of the viewport.

    Raises
    ------
    UnknownBehaviour
        Where the viewport was not set.
    """
    state = context.state
    view = viewport_state(state, number)
    if view.viewport is None:
        raise UNSET_VIEWPORT.error(number=number)
    common = context.kept.of(_common_state, _COMMON(state), context)
    seen = (view.viewport, view.origin, view.swizzle, view.depth_range)
    return context.kept.of(_seen_through, (common, fragment, *seen), context, common, fragment, view), view.scissor


def _seen_through(context: Context, common: RasterState, fragment: Shader | None, view: Viewport) -> RasterState:
    """Return settings with those of a viewport but its scissor."""
    origin = context.recording.window_origin if view.origin is None else view.origin
    return common.through(
        viewport=view.viewport,
        depth_range=view.depth_range,
        window_origin=origin,
        viewport_swizzle=view.swizzle,
        sprite_origin=sprite_origin(origin, context.rules) if _reads_sprites(fragment) else origin,
    )


_COMMON = attrgetter(
    "window_origin", "depth_clamp", "polygon", "depth_stencil_state", "front", "back", "channel_masks",
    "polygon_offset", "line_width", "point_size", "depth_bounds", "conservative", "precision", "multisample",
    "sample_mask", "modulation_table", "color", "blends", "blend_color", "alpha_reference",
)  # fmt: skip
"""What of a queue's state all its viewports share."""


def _common_state(context: Context) -> RasterState:
    """Return the settings that all viewports share, seen through none in particular."""
    state, recording = context.state, context.recording
    tests = state.depth_stencil_state
    return RasterState(
        viewport=(0.0, 0.0, 0.0, 0.0),
        queue_origin=state.window_origin,
        depth_mode=recording.depth_mode,
        depth_clamp=state.depth_clamp,
        cull_face=state.polygon.cull_face,
        front_face=state.polygon.front_face,
        depth_test=tests.depth_test,
        depth_write=tests.depth_write,
        depth_func=tests.depth_func,
        stencil_test=tests.stencil_test,
        front=_front(tests, state.front),
        back=_back(tests, state.back),
        channel_masks=state.channel_masks.masks,
        polygon_mode=state.polygon.polygon_mode,
        polygon_offset=state.polygon_offset if offset_is_on(state.polygon) else None,
        line_width=state.line_width,
        point_size=state.point_size,
        depth_bounds=state.depth_bounds,
        conservative=state.precision if state.conservative else None,
        multisample=multisample_of(state.multisample, state.sample_mask, state.modulation_table),
        blends=blends_of(state),
        blend_color=state.blend_color,
        logic_op=state.color.logic_op,
        alpha_test=state.color.alpha_test,
        alpha_reference=state.alpha_reference,
    )


def viewport_state(state: State, number: int) -> Viewport:
    """Return what is set of one viewport."""
    if number:
        return state.further.get(number, Viewport())
    return Viewport(state.viewport, state.viewport_origin, state.swizzle, state.depth_range, state.scissor)


@rule(
    "REPLAY-SAMPLES-1",
    "A draw has as many samples as its targets, whatever the multisample state says, but where that asks for more "
    "raster samples than colour targets have; positions of the state's own count memory rows, like everything else.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "hardware-vectors"),
    ledger=("ms-slot", "tex-illegal-fields"),
    refuted_by="a console that draws to a multisample texture while its multisample state sets another number of "
    "samples, or with programmed positions under the upper-left window origin",
)
def multisample_of(record: MultisampleState, mask: int, table: tuple[int, ...] | None = None) -> Multisample:
    """Return the rasteriser's multisample state.

    Raises
    ------
    FieldRangeError
        For programmable locations without numbers.
    """
    modulates = record.coverage_modulation is not CoverageModulationMode.NONE
    return Multisample(
        enabled=record.multisample,
        mask=mask,
        alpha_to_coverage=record.alpha_to_coverage,
        dither=record.alpha_to_coverage_dither,
        coverage_to_color=record.coverage_to_color,
        locations=_locations(record) if record.sample_locations_enable else (),
        location_grid=record.sample_locations_grid_enable,
        raster_samples=record.raster_samples,
        coverage_modulation=record.coverage_modulation,
        modulation_table=table_of(table) if modulates else LINEAR,
    )


@rule(
    "REPLAY-MODULATION-1",
    "Before a modulation table is bound a share of the samples is multiplied as it is.",
    evidence=Evidence.INFERRED,
    sources=("sample-vectors",),
    refuted_by="a console that modulates by coverage before nvnCommandBufferBindCoverageModulationTable, otherwise",
)
def table_of(bound: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the modulation table in sixteenths; None where none was bound.

    >>> table_of(None)[:3]
    (1, 2, 3)
    """
    return LINEAR if bound is None else bound


def _locations(record: MultisampleState) -> tuple[tuple[int, int], ...]:
    if not record.sample_locations:
        raise FieldRangeError("sample locations are enabled; none are set")
    return programmed_locations(np.array(record.sample_locations, dtype=np.float32))


@rule(
    "REPLAY-OFFSET-1",
    "Polygon offset is on where the polygon state enables it for the mode that polygons are drawn in.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-polygon-offset", "deko3d"),
)
def offset_is_on(polygon: PolygonState) -> bool:
    """Say whether polygon offset acts.

    >>> offset_is_on(PolygonState(polygon_offset_enables=2))  # for lines, where polygons are filled
    False
    """
    return bool(polygon.polygon_offset_enables & 1 << polygon.polygon_mode)


@rule(
    "REPLAY-SPRITE-1",
    "Points are sprites, and t of a sprite's coordinate grows downwards as a window shows it: with the rows of "
    "memory under an upper-left window origin, against them under a lower-left one.",
    evidence=Evidence.OPEN,
    sources=("deko3d", "gl-polygon-offset"),
    refuted_by="gl_PointCoord of a point on a console, under either window origin",
    fields=("sprite_rows",),
)
def sprite_origin(window_origin: WindowOriginMode, rules: Rules) -> WindowOriginMode:
    """Return UPPER_LEFT where t is 1 at a sprite's first memory row, LOWER_LEFT where it is 0."""
    falls = window_origin is WindowOriginMode.LOWER_LEFT
    if rules.sprite_rows is not SpriteRows.SEEN:
        falls = rules.sprite_rows is SpriteRows.FALLING
    return WindowOriginMode.UPPER_LEFT if falls else WindowOriginMode.LOWER_LEFT


def _reads_sprites(fragment: Shader | None) -> bool:
    if fragment is None:
        return False
    return not {Builtin.POINT_COORD_X, Builtin.POINT_COORD_Y}.isdisjoint(plan_of(fragment).builtins)


def _front(tests: DepthStencilState, side: StencilSide) -> StencilFace:
    return StencilFace(
        func=tests.front_func,
        reference=side.reference,
        value_mask=side.value_mask,
        write_mask=side.write_mask,
        fail=tests.front_fail,
        depth_fail=tests.front_depth_fail,
        depth_pass=tests.front_depth_pass,
    )


def _back(tests: DepthStencilState, side: StencilSide) -> StencilFace:
    return StencilFace(
        func=tests.back_func,
        reference=side.reference,
        value_mask=side.value_mask,
        write_mask=side.write_mask,
        fail=tests.back_fail,
        depth_fail=tests.back_depth_fail,
        depth_pass=tests.back_depth_pass,
    )


@rule(
    "REPLAY-BLEND-1",
    "A target blends where the colour state enables it, as the blend state that was last bound for it says; before "
    "any was bound, ONE and ZERO.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "open-gpu-doc"),
    refuted_by="a console that blends a target although its bit of the colour state is off, or otherwise than the "
    "state that was bound last",
)
def blends_of(state: State) -> tuple[BlendTargetState | None, ...]:
    """Return how each of eight targets blends; None where it does not."""
    return tuple(
        _blend(state.blends.get(slot, BlendState())) if state.color.blend_enables >> slot & 1 else None
        for slot in range(TARGETS_MAX)
    )


def _blend(record: BlendState) -> BlendTargetState:
    return BlendTargetState(
        source_color=record.source_color,
        destination_color=record.destination_color,
        source_alpha=record.source_alpha,
        destination_alpha=record.destination_alpha,
        color_equation=record.color_equation,
        alpha_equation=record.alpha_equation,
        advanced_mode=record.advanced_mode,
        advanced_overlap=record.advanced_overlap,
        advanced_premultiplied=record.advanced_premultiplied,
    )
