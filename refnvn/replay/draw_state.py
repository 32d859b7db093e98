"""What does the rasteriser get from the state of a queue: its settings, and its targets in memory?

State that a draw depends on and that is not executed yet is refused, not left out. Read next: ``draw.py``.
"""

from __future__ import annotations

from types import TracebackType

from refnvn.commands.state import DepthStencilState
from refnvn.enumerations import AlphaFunc, LogicOp, PolygonMode, PolygonOffsetEnable
from refnvn.errors import ArgumentError, UnknownBehaviour
from refnvn.memory.surface import Surface
from refnvn.raster.state import RasterState, StencilFace
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.replay.context import Context
from refnvn.replay.errors import NotReplayed, field
from refnvn.replay.state import State, StencilSide
from refnvn.replay.views import Part, Target


def raster_state(context: Context) -> RasterState:
    """Return the rasteriser's settings.

    Raises
    ------
    NotReplayed
        For state that is not executed yet.
    UnknownBehaviour
        Where no viewport was set.
    """
    state, recording = context.state, context.recording
    _require_replayed(state)
    if state.viewport is None:
        raise UnknownBehaviour("REPLAY-VIEWPORT-1", "a draw on a console before any SetViewport")
    tests = state.depth_stencil_state
    return RasterState(
        viewport=state.viewport,
        depth_range=state.depth_range,
        scissor=state.scissor,
        window_origin=recording.window_origin,
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
    )


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


def _require_replayed(state: State) -> None:
    """Raise for state that a draw would need and that is not executed yet."""
    blended = [n for n, t in enumerate(state.colors) if t is not None and state.color.blend_enables >> n & 1]
    if blended:
        raise NotReplayed(f"blending of colour target {blended[0]} is not replayed yet")
    if state.color.logic_op is not LogicOp.COPY:
        raise NotReplayed(f"logic operation {state.color.logic_op.name} is not replayed yet")
    if state.color.alpha_test is not AlphaFunc.ALWAYS:
        raise NotReplayed(f"alpha test {state.color.alpha_test.name} is not replayed yet")
    if state.polygon.polygon_mode is not PolygonMode.FILL:
        raise NotReplayed(f"polygon mode {state.polygon.polygon_mode.name} is not replayed yet")
    if state.polygon.polygon_offset_enables & PolygonOffsetEnable.FILL:
        raise NotReplayed("polygon offset is not replayed yet")
    for target in (*state.colors, state.depth_stencil):
        if target is not None and target.subject.samples > 1:
            raise NotReplayed(f"draws to {target.subject.samples} samples are not replayed yet")


class DrawTargets:
    """The first layers of the bound targets, as the rasteriser writes them; a context in which a draw runs.

    Attributes
    ----------
    colors : list of ColorTarget or None
        By slot.
    depth_stencil : DepthStencilTarget or None
    """

    def __init__(self, context: Context) -> None:
        state = context.state
        self._parts: list[Part] = []
        self.colors = [self._color(slot, target) for slot, target in enumerate(state.colors)]
        self.depth_stencil: DepthStencilTarget | None = None
        if state.depth_stencil is not None:
            with field("depth_stencil"):
                part = self._first(state.depth_stencil)
                codes = part.surface.codes[part.first_slice]
                self.depth_stencil = DepthStencilTarget(state.depth_stencil.fmt, codes)
                if any(part.surface is other.surface for other in self._parts[:-1]):
                    raise NotReplayed("the depth-stencil target is a colour target too")
        if not all(part.surface.is_current for part in self._parts):
            raise NotReplayed("targets of one draw overlap in memory with different layouts")

    def __enter__(self) -> DrawTargets:
        """Give the targets."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say that they were written."""
        if error is None:
            for surface in self._surfaces():
                surface.written()

    def _surfaces(self) -> list[Surface]:
        return list({id(part.surface): part.surface for part in self._parts}.values())

    def _color(self, slot: int, target: Target | None) -> ColorTarget | None:
        if target is None:
            return None
        with field(f"colors[{slot}]"):
            part = self._first(target)
            return ColorTarget(target.fmt, part.surface.codes[part.first_slice])

    def _first(self, target: Target) -> Part:
        part = next(target.parts(0, 1), None)
        if part is None:
            raise ArgumentError("the view has no layer")
        self._parts.append(part)
        return part
