"""Lines from clip space to edges and planes: what is left between near and far plane, and what varies along them.

Ends behind the eye, or too far away, are replaced by ends that can be drawn.

Coverage: ``lines.py``; values: ``segment_planes.py``. Read next: ``shapes.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthMode
from refnvn.formats.floatbits import Float32, Float64, UInt32, from_bits
from refnvn.raster.assembled import Assembled
from refnvn.raster.clip import Corner, cut_at_depth, guard_end
from refnvn.raster.inputs import Inputs, component_rows, divided_values, inverse_of_w, is_smooth
from refnvn.raster.lines import line_edges, line_rows, line_width_px, rectangle_edges
from refnvn.raster.plane_slack import DEPTH_BOUND, moved
from refnvn.raster.segment_planes import axis_of, depth_planes_along, planes_along
from refnvn.raster.setup import Primitives, corners_of, is_plain
from refnvn.raster.state import RasterState
from refnvn.raster.target import Rectangle
from refnvn.raster.window import SUBPIXELS, snapped, window_depth, window_position
from refnvn.rules.fields import Rules
from refnvn.shader.ir import Shader

_VALUE_BOUND = 28 * 2.0**-23
"""28 ULP of the larger value at the ends: the largest error measured along lines."""
_NEAR_THE_EYE = 2.0**-10
"""An end behind the eye is replaced by the point of the line with this part of the other end's w."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Lines that may cover something.

    Attributes
    ----------
    primitives : Primitives
        Vertices and positions have shape (m, 2).
    x, y : float64, shape (m, 2)
        Where values are known, in pixels: the ends, if they can be drawn.
    part : float64, shape (m, 2)
        How far along the line in clip space that is: 0 and 1 for its ends.
    rectangles : bool
        Whether they are rectangles, as with multisampling.
    """

    primitives: Primitives
    x: Float64
    y: Float64
    part: Float64
    rectangles: bool = False


def _seen_end(one: Corner, other: Corner) -> tuple[float, float, float]:
    """Return x, y in pixels of an end or of what stands for it, and how far from the other end to it that is."""
    if one.at is not None:
        return one.at[0] / SUBPIXELS, one.at[1] / SUBPIXELS, 1.0
    if one.w > 0 or other.w <= 0:
        w = one.w if one.w > 0 else 1.0
        return one.x / w, one.y / w, 1.0
    w = other.w * _NEAR_THE_EYE
    part = (other.w - w) / (other.w - one.w)
    return (other.x + part * (one.x - other.x)) / w, (other.y + part * (one.y - other.y)) / w, part


def _drawn_ends(corners: list[Corner], state: RasterState) -> list[tuple[int, int]] | None:
    """Return the two ends that a line is drawn between in 1/256 pixel; None where nothing is left."""
    x0, y0, width, height = state.viewport
    near_is_zero = state.depth_mode is DepthMode.NEAR_IS_ZERO
    ring = corners if state.depth_clamp else cut_at_depth(corners, near_is_zero)
    if len(ring) < 2:
        return None
    found = []
    for one, other in (ring, ring[::-1]):
        at = one.at
        if at is None and other.at is not None:
            at = guard_end(other, one, (x0 + width / 2, y0 + height / 2))
        if at is None:
            return None
        found.append(at)
    return found


def set_up_lines(
    positions: Float32,
    lines: Assembled,
    front: NDArray[np.bool_],
    state: RasterState,
    window: Rectangle,
    *,
    sampled: bool,
) -> Segments:
    """Set up lines.

    Parameters
    ----------
    positions : float32, shape (n, 4)
        Clip space. A line with a coordinate that is not finite, or both ends of which lie more than two million
        pixels away, draws nothing.
    lines : Assembled
    front : bool, shape (m,)
        What each shows.
    state : RasterState
        ``line_width`` and what the positions need.
    window : tuple of int
        The pixels that can be written.
    sampled : bool
        Whether targets have several samples; unless multisampling is off, lines are rectangles then.
    """
    clip = positions[lines.vertices]
    x, y = (snapped(v) for v in window_position(clip, state))
    kept: NDArray[np.bool_] = np.array(np.isfinite(clip).all(axis=(1, 2)))
    at_x, at_y = x / np.float64(SUBPIXELS), y / np.float64(SUBPIXELS)
    part = np.tile(np.array([0.0, 1.0]), (len(clip), 1))
    for place in np.nonzero(kept & ~is_plain(clip, x, y, state).all(axis=1))[0].tolist():
        corners = corners_of(clip[place], x[place], y[place], state)
        ends = _drawn_ends(corners, state)
        if ends is None:
            kept[place] = False
            continue
        for k in (0, 1):
            x[place, k], y[place, k] = ends[k]
            at_x[place, k], at_y[place, k], along = _seen_end(corners[k], corners[1 - k])
            part[place, k] = along if k else 1.0 - along
    width = state.line_width
    rectangles = sampled and state.multisample.enabled
    edges = rectangle_edges(x, y, width) if rectangles else line_edges(x, y, line_width_px(width))
    top, bottom = line_rows(y, width)
    top, bottom = np.maximum(top, window[1]), np.minimum(bottom, window[1] + window[3])
    some = np.nonzero(kept & (bottom > top))[0]
    primitives = Primitives(
        ids=lines.ids[some],
        vertices=lines.vertices[some],
        provoking=lines.provoking[some],
        x=x[some],
        y=y[some],
        edges=np.ascontiguousarray(edges[some]),
        top=top[some],
        bottom=bottom[some],
        front=front[some],
    )
    return Segments(primitives, at_x[some], at_y[some], part[some], rectangles)


def _between(values: Float64, part: Float64) -> Float64:
    """Return values at the ends that are drawn from those at the vertices, shape (m, 2, k)."""
    moved_on = values[:, :1] + part[:, :, np.newaxis] * (values[:, 1:] - values[:, :1])
    return np.where((part == np.array([0.0, 1.0]))[:, :, np.newaxis], values, moved_on)


def fit_lines(
    segments: Segments,
    positions: Float32,
    varyings: UInt32,
    shader: Shader | None,
    state: RasterState,
    rules: Rules,
    *,
    needs_depth: bool,
    needs_w: bool,
) -> Inputs:
    """Return the planes of everything that the fragments of lines need; see ``inputs.fit``."""
    primitives = segments.primitives
    rows = component_rows(shader)
    smooth = is_smooth(rows)
    axis = axis_of(segments.x, segments.y, state.viewport, rectangles=segments.rectangles)
    with np.errstate(all="ignore"):
        floats = from_bits(np.moveaxis(varyings[:, primitives.vertices], 0, -1)).astype(np.float64)
        clip = _between(positions[primitives.vertices].astype(np.float64), segments.part).astype(np.float32)
        values = _between(floats, segments.part)
        inverse_w = inverse_of_w(clip)
        perspective = (clip[:, :, 3] != 1).any(axis=1)
        values = np.where(perspective[:, None, None], divided_values(values, inverse_w, smooth), values)
        bound = np.abs(values).max(axis=1) * _VALUE_BOUND
        planes = moved(planes_along(axis, values), bound, rules) if len(rows) else None
        needs_w = needs_w or bool(perspective.any() and smooth.any())
        depth = depth_planes_along(axis, window_depth(clip, state).astype(np.float64)) if needs_depth else None
    return Inputs(
        rows=rows,
        flat=np.moveaxis(varyings[:, primitives.provoking], 0, -1),
        planes=planes,
        inverse_w=planes_along(axis, inverse_w[:, :, np.newaxis]) if needs_w else None,
        perspective=perspective,
        depth=None if depth is None else moved(depth, DEPTH_BOUND, rules),
    )
