"""The commands that bind state objects and set dynamic state. Read next: ``draw_commands.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

from refnvn.commands import commands as c
from refnvn.enumerations import Face, ViewportSwizzle, WindowOriginMode
from refnvn.errors import SizeError
from refnvn.nvn.arguments import boolean, color_bits, float32, instance, instances, member, number_bits, series, whole
from refnvn.nvn.recording_base import Recorded
from refnvn.nvn.states import (
    BlendState,
    ChannelMaskState,
    ColorState,
    DepthStencilState,
    MultisampleState,
    PolygonState,
    VertexAttribState,
    VertexStreamState,
)
from refnvn.nvn.target_commands import INT32, UINT32
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Faces = Face | str | int
_MODULATION_STEPS = 16


@rule(
    "NVN-QUEUE-2",
    "The direction of a viewport follows the window origin that the device has when the viewport is recorded.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("queue-origin",),
    refuted_by="a viewport recorded before nvnDeviceSetWindowOriginMode that is drawn the other way up after it",
)
def viewport_origin(device_origin: WindowOriginMode) -> WindowOriginMode:
    """Return the origin that a recorded viewport carries.

    >>> viewport_origin(WindowOriginMode.UPPER_LEFT).name
    'UPPER_LEFT'
    """
    return device_origin


def _of_size(call: str, argument: str, values: Sequence[Any], size: int) -> Sequence[Any]:
    """Return values if there are so many of them.

    Raises
    ------
    SizeError
    """
    values = series(call, argument, values, "numbers")
    if len(values) != size:
        raise SizeError(f"{call}: {len(values)} numbers, allowed are {size} for each viewport")
    return values


def _four(call: str, argument: str, values: Sequence[SupportsFloat]) -> tuple[float, float, float, float]:
    x, y, width, height = (float32(call, argument, value) for value in _of_size(call, argument, values, 4))
    return x, y, width, height


class StateCommands(Recorded):
    """The ``Bind...State`` and ``Set...`` commands."""

    def set_viewport(self, x: SupportsFloat, y: SupportsFloat, w: SupportsFloat, h: SupportsFloat) -> None:
        """Set the viewport in pixels; fractions are what ``nvnCommandBufferSetViewports`` would be given."""
        call = "set_viewport"
        self._record(
            call,
            c.SetViewport(
                x=float32(call, "x", x),
                y=float32(call, "y", y),
                width=float32(call, "w", w),
                height=float32(call, "h", h),
                window_origin=viewport_origin(self.device.get_window_origin_mode()),
            ),
            width="w",
            height="h",
        )

    def set_scissor(self, x: int, y: int, w: int, h: int) -> None:
        """Set the scissor rectangle in pixels."""
        call = "set_scissor"
        command = c.SetScissor(
            x=whole(call, "x", x, *INT32),
            y=whole(call, "y", y, *INT32),
            width=whole(call, "w", w, 0, INT32[1]),
            height=whole(call, "h", h, 0, INT32[1]),
        )
        self._record(call, command)

    def set_depth_range(self, n: SupportsFloat, f: SupportsFloat) -> None:
        """Set the depth of the near and of the far plane."""
        call = "set_depth_range"
        self._record(call, c.SetDepthRange(near=float32(call, "n", n), far=float32(call, "f", f)))

    def set_viewports(self, first: int, ranges: Sequence[Sequence[SupportsFloat]]) -> None:
        """Set viewports from a number on: x, y, width and height of each."""
        call = "set_viewports"
        command = c.SetViewports(
            first=whole(call, "first", first, 0, 15),
            viewports=tuple(_four(call, "ranges", one) for one in series(call, "ranges", ranges, "viewports")),
            window_origin=viewport_origin(self.device.get_window_origin_mode()),
        )
        self._record(call, command, viewports="ranges")

    def set_viewport_swizzles(self, first: int, swizzles: Sequence[Sequence[ViewportSwizzle | str | int]]) -> None:
        """Set for viewports from a number on what x, y, z and w are taken from."""
        call = "set_viewport_swizzles"
        found = []
        for one in series(call, "swizzles", swizzles, "swizzles"):
            x, y, z, w = (
                member(call, "swizzles", value, ViewportSwizzle) for value in _of_size(call, "swizzles", one, 4)
            )
            found.append((x, y, z, w))
        command = c.SetViewportSwizzles(first=whole(call, "first", first, 0, 15), swizzles=tuple(found))
        self._record(call, command)

    def set_scissors(self, first: int, rects: Sequence[Sequence[int]]) -> None:
        """Set scissors from a number on: x, y, width and height of each."""
        call = "set_scissors"
        found = []
        for one in series(call, "rects", rects, "rectangles"):
            x, y, w, h = _of_size(call, "rects", one, 4)
            x, y = (whole(call, "rects", value, *INT32) for value in (x, y))
            w, h = (whole(call, "rects", value, 0, INT32[1]) for value in (w, h))
            found.append((x, y, w, h))
        command = c.SetScissors(first=whole(call, "first", first, 0, 15), scissors=tuple(found))
        self._record(call, command, scissors="rects")

    def set_depth_ranges(self, first: int, ranges: Sequence[Sequence[SupportsFloat]]) -> None:
        """Set depth ranges from a number on: near and far of each."""
        call = "set_depth_ranges"
        found = []
        for one in series(call, "ranges", ranges, "ranges"):
            near, far = (float32(call, "ranges", value) for value in _of_size(call, "ranges", one, 2))
            found.append((near, far))
        self._record(call, c.SetDepthRanges(first=whole(call, "first", first, 0, 15), ranges=tuple(found)))

    def set_depth_bounds(self, enable: bool, n: SupportsFloat, f: SupportsFloat) -> None:
        """Let fragments pass only where the stored depth is between two values, or everywhere."""
        call = "set_depth_bounds"
        command = c.SetDepthBounds(
            enable=boolean(call, "enable", enable), near=float32(call, "n", n), far=float32(call, "f", f)
        )
        self._record(call, command)

    def set_conservative_raster_enable(self, enable: bool) -> None:
        """Let triangles cover every pixel that they touch, or those whose centres they hold."""
        call = "set_conservative_raster_enable"
        self._record(call, c.SetConservativeRasterEnable(enable=boolean(call, "enable", enable)))

    def set_conservative_raster_dilate(self, f: SupportsFloat) -> None:
        """Set by how much of a pixel conservative triangles reach further: up to 0.75, in quarters rounded up."""
        call = "set_conservative_raster_dilate"
        self._record(call, c.SetConservativeRasterDilate(dilate=float32(call, "f", f)))

    def set_subpixel_precision_bias(self, i1: int, i2: int) -> None:
        """Set how many bits finer than 1/256 pixel conservative triangles are snapped in x and y, 0 to 8."""
        call = "set_subpixel_precision_bias"
        x_bits, y_bits = whole(call, "i1", i1, 0, 8), whole(call, "i2", i2, 0, 8)
        self._record(call, c.SetSubpixelPrecisionBias(x_bits=x_bits, y_bits=y_bits))

    def set_polygon_offset_clamp(self, factor: SupportsFloat, units: SupportsFloat, clamp: SupportsFloat) -> None:
        """Set polygon offset; the polygon state says for which modes it is on."""
        call = "set_polygon_offset_clamp"
        command = c.SetPolygonOffsetClamp(
            factor=float32(call, "factor", factor),
            units=float32(call, "units", units),
            clamp=float32(call, "clamp", clamp),
        )
        self._record(call, command)

    def set_point_size(self, point_size: SupportsFloat) -> None:
        """Set the size of points in pixels, where the vertex shader writes none."""
        call = "set_point_size"
        self._record(call, c.SetPointSize(size=float32(call, "point_size", point_size)))

    def set_line_width(self, line_width: SupportsFloat) -> None:
        """Set the width of lines in pixels."""
        call = "set_line_width"
        self._record(call, c.SetLineWidth(width=float32(call, "line_width", line_width)))

    def set_blend_color(self, blend_color: Sequence[SupportsFloat]) -> None:
        """Set the constant of blends: red, green, blue and alpha."""
        call = "set_blend_color"
        self._record(call, c.SetBlendColor(color_bits=color_bits(call, blend_color)), color_bits="blend_color")

    def set_alpha_ref(self, ref: SupportsFloat) -> None:
        """Set the reference of the alpha test; NaN is allowed."""
        call = "set_alpha_ref"
        self._record(call, c.SetAlphaRef(reference_bits=number_bits(call, "ref", ref)))

    def set_primitive_restart(self, enable: bool, index: int) -> None:
        """Let an index end a primitive, or not; the index is 32 bits, -1 is the largest."""
        call = "set_primitive_restart"
        bits = whole(call, "index", index, INT32[0], (1 << 32) - 1) & 0xFFFFFFFF
        self._record(call, c.SetPrimitiveRestart(enable=boolean(call, "enable", enable), index=bits))

    def set_depth_clamp(self, clamp: bool) -> None:
        """Clamp depth instead of clipping, or not."""
        call = "set_depth_clamp"
        self._record(call, c.SetDepthClamp(enable=boolean(call, "clamp", clamp)))

    def set_stencil_ref(self, faces: Faces, ref: int) -> None:
        """Set the reference of the stencil test; its lowest eight bits count."""
        call = "set_stencil_ref"
        found = member(call, "faces", faces, Face)
        self._record(call, c.SetStencilRef(faces=found, reference=whole(call, "ref", ref, *INT32) & 255))

    def set_stencil_value_mask(self, faces: Faces, mask: int) -> None:
        """Set which bits the stencil test compares; the lowest eight bits count."""
        call = "set_stencil_value_mask"
        found = member(call, "faces", faces, Face)
        self._record(call, c.SetStencilValueMask(faces=found, mask=whole(call, "mask", mask, *INT32) & 255))

    def set_stencil_mask(self, faces: Faces, mask: int) -> None:
        """Set which bits of the stencil value are written; the lowest eight bits count."""
        call = "set_stencil_mask"
        found = member(call, "faces", faces, Face)
        self._record(call, c.SetStencilMask(faces=found, mask=whole(call, "mask", mask, *INT32) & 255))

    def bind_coverage_modulation_table(self, f: Sequence[SupportsFloat]) -> None:
        """Set what 1 to 16 sixteenths of covered samples are multiplied as: 16 numbers, of which a copy is kept."""
        call = "bind_coverage_modulation_table"
        values = series(call, "f", f, "numbers")
        if len(values) != _MODULATION_STEPS:
            raise SizeError(f"{call}: f has {len(values)} numbers, allowed are {_MODULATION_STEPS}")
        bits = tuple(number_bits(call, "f", one) for one in values)
        self._record(call, c.BindCoverageModulationTable(values_bits=bits), values_bits="f")

    def set_sample_mask(self, mask: int) -> None:
        """Set which samples may be written, sample 0 in bit 0."""
        call = "set_sample_mask"
        self._record(call, c.SetSampleMask(mask=whole(call, "mask", mask, INT32[0], UINT32[1]) & UINT32[1]))

    def bind_depth_stencil_state(self, depth_stencil: DepthStencilState) -> None:
        """Bind a copy of a depth-stencil state."""
        call = "bind_depth_stencil_state"
        self._record(
            call,
            c.BindDepthStencilState(state=instance(call, "depth_stencil", depth_stencil, DepthStencilState).record),
        )

    def bind_channel_mask_state(self, channel_mask: ChannelMaskState) -> None:
        """Bind a copy of the channel masks."""
        call = "bind_channel_mask_state"
        self._record(
            call, c.BindChannelMaskState(state=instance(call, "channel_mask", channel_mask, ChannelMaskState).record)
        )

    def bind_polygon_state(self, polygon: PolygonState) -> None:
        """Bind a copy of a polygon state."""
        call = "bind_polygon_state"
        self._record(call, c.BindPolygonState(state=instance(call, "polygon", polygon, PolygonState).record))

    def bind_color_state(self, color: ColorState) -> None:
        """Bind a copy of a colour state."""
        call = "bind_color_state"
        self._record(call, c.BindColorState(state=instance(call, "color", color, ColorState).record))

    def bind_blend_state(self, blend: BlendState) -> None:
        """Bind a copy of the blend state of one target."""
        call = "bind_blend_state"
        self._record(call, c.BindBlendState(state=instance(call, "blend", blend, BlendState).record))

    def bind_multisample_state(self, multisample: MultisampleState) -> None:
        """Bind a copy of a multisample state."""
        call = "bind_multisample_state"
        self._record(
            call, c.BindMultisampleState(state=instance(call, "multisample", multisample, MultisampleState).record)
        )

    def bind_vertex_attrib_state(self, attribs: Sequence[VertexAttribState]) -> None:
        """Bind copies of all attributes, by location."""
        call = "bind_vertex_attrib_state"
        found = instances(call, "attribs", attribs, VertexAttribState)
        self._record(call, c.BindVertexAttribState(attribs=tuple(attrib.record for attrib in found)))

    def bind_vertex_stream_state(self, streams: Sequence[VertexStreamState]) -> None:
        """Bind copies of all streams, by index."""
        call = "bind_vertex_stream_state"
        found = instances(call, "streams", streams, VertexStreamState)
        self._record(call, c.BindVertexStreamState(streams=tuple(stream.record for stream in found)))
