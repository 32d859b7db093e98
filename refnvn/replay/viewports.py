"""What do the commands change that say where and how wide things are drawn? One field of the queue's state each.

There are sixteen viewports, each with its scissor, depth range and swizzle. Draws use the first, unless their shader
chooses another (``rasterise.py``). Read next: ``state.py``.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

from refnvn.commands import commands as c
from refnvn.enumerations import WindowOriginMode
from refnvn.errors import SizeError
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.state import Viewport
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

VIEWPORTS = 16
Four = tuple[float, float, float, float]


def _numbers(first: int, count: int, name: str) -> range:
    """Return the numbers of the viewports that a command names."""
    if first + count > VIEWPORTS:
        with field(name):
            raise SizeError(f"{count} from number {first} on; there are {VIEWPORTS}")
    return range(first, first + count)


def _set_further(context: Context, number: int, **fields: Any) -> None:
    """Set fields of a viewport that is not the first."""
    further = context.state.further
    context.state.further = {**further, number: replace(further.get(number, Viewport()), **fields)}


@rule(
    "REPLAY-VIEWPORT-2",
    "A viewport's direction follows the window origin that its command carries, that of the device when it was "
    "recorded; facing follows the queue's.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles", "deko3d"),
    ledger=("queue-origin", "origin-lower-left"),
    refuted_by="a viewport recorded before nvnDeviceSetWindowOriginMode that is drawn the other way up after it",
)
def _set_viewport(context: Context, number: int, viewport: Four, origin: WindowOriginMode | None) -> None:
    viewport = context.kept.same(viewport, struct.pack("<4d", *viewport))  # by bits: the two zeros are equal
    if number:
        _set_further(context, number, viewport=viewport, origin=origin)
    else:
        context.state.viewport, context.state.viewport_origin = viewport, origin


def set_viewport(context: Context, command: c.SetViewport) -> None:
    """Set the first viewport."""
    _set_viewport(context, 0, (command.x, command.y, command.width, command.height), command.window_origin)


def set_viewports(context: Context, command: c.SetViewports) -> None:
    """Set several viewports."""
    for number, one in zip(
        _numbers(command.first, len(command.viewports), "viewports"), command.viewports, strict=True
    ):
        _set_viewport(context, number, one, command.window_origin)


def set_viewport_swizzles(context: Context, command: c.SetViewportSwizzles) -> None:
    """Set what viewports take their coordinates from."""
    for number, one in zip(_numbers(command.first, len(command.swizzles), "swizzles"), command.swizzles, strict=True):
        if number:
            _set_further(context, number, swizzle=one)
        else:
            context.state.swizzle = one


def set_scissor(context: Context, command: c.SetScissor) -> None:
    """Set the first scissor."""
    context.state.scissor = (command.x, command.y, command.width, command.height)


def set_scissors(context: Context, command: c.SetScissors) -> None:
    """Set several scissors."""
    for number, one in zip(_numbers(command.first, len(command.scissors), "scissors"), command.scissors, strict=True):
        if number:
            _set_further(context, number, scissor=one)
        else:
            context.state.scissor = one


def set_depth_range(context: Context, command: c.SetDepthRange) -> None:
    """Set the depths of the near and the far plane."""
    context.state.depth_range = (command.near, command.far)


def set_depth_ranges(context: Context, command: c.SetDepthRanges) -> None:
    """Set several depth ranges."""
    for number, one in zip(_numbers(command.first, len(command.ranges), "ranges"), command.ranges, strict=True):
        if number:
            _set_further(context, number, depth_range=one)
        else:
            context.state.depth_range = one


def set_depth_bounds(context: Context, command: c.SetDepthBounds) -> None:
    """Set the depth bounds test."""
    context.state.depth_bounds = (command.near, command.far) if command.enable else None


def set_conservative_raster_enable(context: Context, command: c.SetConservativeRasterEnable) -> None:
    """Switch conservative rasterisation."""
    context.state.conservative = command.enable


def set_conservative_raster_dilate(context: Context, command: c.SetConservativeRasterDilate) -> None:
    """Set its dilation, which acts only while it is on."""
    context.state.precision = replace(context.state.precision, dilate=command.dilate)


def set_subpixel_precision_bias(context: Context, command: c.SetSubpixelPrecisionBias) -> None:
    """Set how fine it snaps vertices."""
    context.state.precision = replace(context.state.precision, bias=(command.x_bits, command.y_bits))


def set_polygon_offset_clamp(context: Context, command: c.SetPolygonOffsetClamp) -> None:
    """Set how polygon offset moves depth, where a polygon state turns it on."""
    context.state.polygon_offset = (command.factor, command.units, command.clamp)


def set_point_size(context: Context, command: c.SetPointSize) -> None:
    """Set the size of points."""
    context.state.point_size = command.size


def set_line_width(context: Context, command: c.SetLineWidth) -> None:
    """Set the width of lines."""
    context.state.line_width = command.width


def set_primitive_restart(context: Context, command: c.SetPrimitiveRestart) -> None:
    """Set which index ends a primitive."""
    context.state.restart_index = command.index if command.enable else None
