"""Where do clip-space vertices stand in the window? The viewport transform, the sub-pixel grid, and the facing.

The transform is done in float32, step by step, and the result is snapped to 1/256 pixel; everything after that is
exact integers. Memory rows are counted in both window origins alike: under LOWER_LEFT clip y = -1 is the first row of
the viewport in memory, under UPPER_LEFT the last.

Read next: ``setup.py``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthMode, FrontFace, WindowOriginMode
from refnvn.errors import FieldRangeError
from refnvn.formats.floatbits import Float32, Float64, Int64
from refnvn.raster.either import chosen
from refnvn.raster.setup_reciprocal import reciprocal
from refnvn.raster.state import RasterState
from refnvn.raster.target import Rectangle
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

SUBPIXELS = 256
FARTHEST_SUB = 1 << 29
"""Positions beyond two million pixels are clipped first, so that edge functions stay inside 64 bits."""
LARGEST_TARGET_PX = 16384


def require_viewport(state: RasterState) -> None:
    """Raise unless viewport and depth range are finite numbers.

    Raises
    ------
    FieldRangeError
    """
    for name, values in (("viewport", state.viewport), ("depth range", state.depth_range)):
        if not all(math.isfinite(v) and abs(v) < 1e9 for v in values):
            raise FieldRangeError(f"the {name} must be finite and below 1e9, not {values}")


@rule(
    "RASTER-VIEWPORT-1",
    "Window x is x * (width / 2), times the shader's reciprocal of w, plus (x0 + width / 2), each step rounded to "
    "float32; y likewise, and with its sign turned where the window origin is UPPER_LEFT: memory rows stay what they "
    "are.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "window-vectors", "hardware-pixel-rules", "seed-titles"),
    ledger=("origin-lower-left", "queue-origin"),
    exactness="all 131,072 measured vertices in eight viewports, placed beside the middle between two sub-pixels",
)
def window_position(positions: Float32, state: RasterState) -> tuple[Float32, Float32]:
    """Return window x and y in pixels of vertices with w > 0; others give numbers without meaning.

    Parameters
    ----------
    positions : float32, shape (..., 4)
        Clip space.
    state : RasterState
        Reads ``viewport`` and ``window_origin``.

    Examples
    --------
    >>> at = np.array([[-1, -1, 0, 1]], np.float32)
    >>> x, y = window_position(at, RasterState(viewport=(0, 0, 64, 32)))
    >>> float(x[0]), float(y[0])
    (0.0, 0.0)
    """
    across, along = window_axes(state)
    over_w = reciprocal(positions[..., 3]).astype(np.float32)
    with np.errstate(all="ignore"):
        return on_axis(positions[..., 0], over_w, *across), on_axis(positions[..., 1], over_w, *along)


def window_axes(state: RasterState) -> tuple[tuple[np.float32, np.float32], tuple[np.float32, np.float32]]:
    """Return scale and middle of the viewport's columns and of its rows, as :func:`on_axis` takes them."""
    x0, y0, width, height = state.viewport
    up = -1.0 if state.window_origin is WindowOriginMode.UPPER_LEFT else 1.0
    return (
        (np.float32(width / 2), np.float32(x0 + width / 2)),
        (np.float32(height / 2 * up), np.float32(y0 + height / 2)),
    )


def on_axis(clip: Any, over_w: Any, scale: Any, middle: Any) -> Any:
    """Return where a clip coordinate is in the window, or its depth; works on arrays and in compiled code."""
    return clip * scale * over_w + middle


@rule(
    "RASTER-SNAP-1",
    "Window positions are snapped to 1/256 pixel, ties to even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules", "open-gpu-doc"),
)
def snapped(pixels: Float32) -> Int64:
    """Return positions in 1/256 pixel; what is not finite or too far away becomes ``FARTHEST_SUB``.

    Examples
    --------
    >>> snapped(np.array([1.0, 0.5 / 256, 1.5 / 256], np.float32)).tolist()
    [256, 0, 2]
    """
    with np.errstate(all="ignore"):
        found: Int64 = in_units(pixels)
    return found


def in_units(pixels: Any) -> Any:
    """Return :func:`snapped` positions; works on arrays and in compiled code."""
    units = np.rint(np.float64(pixels) * SUBPIXELS)
    return np.int64(chosen(np.abs(units) < FARTHEST_SUB, units, float(FARTHEST_SUB)))


def depth_scale(state: RasterState) -> tuple[np.float32, np.float32]:
    """Return scale and offset from z / w to window depth, float32."""
    near, far = state.depth_range
    if state.depth_mode is DepthMode.NEAR_IS_ZERO:
        return np.float32(far - near), np.float32(near)
    return np.float32((far - near) / 2), np.float32((far + near) / 2)


def depth_ends(state: RasterState) -> tuple[np.float32, np.float32]:
    """Return the window depths of the near and the far plane, which a rounded scale may put beside the range's ends.

    >>> [float(end) for end in depth_ends(RasterState(viewport=(0, 0, 1, 1), depth_range=(1.0, 0.25)))]
    [1.0, 0.25]
    """
    scale, offset = depth_scale(state)
    near = offset if state.depth_mode is DepthMode.NEAR_IS_ZERO else offset - scale
    return near, offset + scale


@rule(
    "RASTER-VIEWPORT-2",
    "Window depth is z times a scale, times the shader's reciprocal of w, plus an offset, each step rounded to "
    "float32: (far - near) / 2 and (far + near) / 2 where the near plane is -w, far - near and near where it is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("window-vectors", "hardware-vectors", "deko3d"),
    ledger=("s4-5-depth-mode",),
    exactness="all 98,304 measured vertices, in six depth ranges of both modes",
)
def window_depth(positions: Float32, state: RasterState) -> Float32:
    """Return window depths of vertices.

    Parameters
    ----------
    positions : float32, shape (..., 4)
        Clip space.
    state : RasterState
        Reads ``depth_range`` and ``depth_mode``.

    Examples
    --------
    >>> float(window_depth(np.array([0, 0, 0.5, 1], np.float32), RasterState(viewport=(0, 0, 1, 1))))
    0.75
    """
    scale, offset = depth_scale(state)
    over_w = reciprocal(positions[..., 3]).astype(np.float32)
    with np.errstate(all="ignore"):
        depth: Float32 = on_axis(positions[..., 2], over_w, scale, offset)
    return depth


@rule(
    "RASTER-FACING-1",
    "A triangle's winding is judged in clip space, y upwards, so the window origin does not turn it; a queue that "
    "was initialised under the other origin than the viewport's sees it turned.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "seed-titles", "deko3d"),
    ledger=("queue-origin",),
)
def is_front(area: Int64 | Float64, state: RasterState) -> NDArray[np.bool_]:
    """Return which triangles show their front.

    Parameters
    ----------
    area : numbers, shape (triangles,)
        Signed doubled area in memory columns and rows, positive from x to y; zero counts as back.
    state : RasterState
        Reads ``front_face`` and the origin of the queue.
    """
    front: NDArray[np.bool_] = area * front_sign(state) > 0
    return front


def front_sign(state: RasterState) -> int:
    """Return the sign of the area of triangles that show their front."""
    turned = -1 if state.facing_origin is WindowOriginMode.UPPER_LEFT else 1
    return turned if state.front_face is FrontFace.CCW else -turned


@rule(
    "RASTER-VIEWPORT-3",
    "A viewport admits whole pixels: columns floor(x) to ceil(x + width) - 1, and rows likewise.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules", "deko3d"),
)
def viewport_rectangle(viewport: tuple[float, float, float, float]) -> Rectangle:
    """Return the pixels that a viewport admits.

    The right end is taken from the float32 values that the viewport registers hold.

    Examples
    --------
    >>> viewport_rectangle((0.1, -2.5, 63.7, 4.0))
    (0, -3, 64, 5)
    """
    x, y, width, height = (float(np.float32(v)) for v in viewport)
    left, top = math.floor(x), math.floor(y)
    return left, top, max(math.ceil(x + width) - left, 0), max(math.ceil(y + height) - top, 0)


def intersection(one: Rectangle, other: Rectangle) -> Rectangle:
    """Return the pixels of two rectangles; width or height 0 where there are none.

    >>> intersection((0, 0, 4, 4), (2, -1, 9, 3))
    (2, 0, 2, 2)
    """
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right = min(one[0] + max(one[2], 0), other[0] + max(other[2], 0))
    bottom = min(one[1] + max(one[3], 0), other[1] + max(other[3], 0))
    return left, top, max(right - left, 0), max(bottom - top, 0)
