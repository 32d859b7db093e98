"""What is left of triangles that reach beyond the near or far plane? Smaller triangles with vertices of their own.

They are made in clip space, before anything is snapped: everything that follows, coverage and planes alike, knows
only the smaller triangles. What then still reaches out of range stays whole, for ``clip.py``.

Read next: ``shapes.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthMode
from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32, from_bits
from refnvn.raster.assembled import Assembled, Shape
from refnvn.raster.setup import is_plain
from refnvn.raster.state import RasterState
from refnvn.raster.window import FARTHEST_SUB, snapped, window_position
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


@dataclass(frozen=True, slots=True)
class _Point:
    """A corner of what is left: its part of each vertex, its clip position, and whether it was made by a cut."""

    parts: Float64
    clip: Float64
    is_new: bool


def _distance(far: bool, near_is_zero: bool) -> Callable[[Float64], float]:
    """Return how far inside a plane a clip position is."""
    if far:
        return lambda clip: float(clip[3] - clip[2])
    return (lambda clip: float(clip[2])) if near_is_zero else (lambda clip: float(clip[2] + clip[3]))


def _between(one: _Point, other: _Point, part: float, far: bool, near_is_zero: bool) -> _Point:
    """Return the point of a plane at ``part`` of the way from the inside; its depth is exactly the plane's."""
    clip = one.clip + part * (other.clip - one.clip)
    clip[2] = clip[3] if far else 0.0 if near_is_zero else -clip[3]
    return _Point(one.parts + part * (other.parts - one.parts), clip, True)


@rule(
    "RASTER-CLIP-3",
    "Without depth clamp triangles are cut in clip space at the near plane, then at the far plane; new corners lie "
    "on the plane and go through the viewport and the 1/256 grid like vertices.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-clip-rules", "deko3d"),
    ledger=("depth-clamp",),
    exactness="bit-exact in all 20 cut triangles of the family depth",
)
def ring_between_planes(clip: Float64, near_is_zero: bool) -> list[_Point]:
    """Return the corners of what is left of a triangle, in order; fewer than three where nothing is.

    Parameters
    ----------
    clip : float64, shape (3, 4)
        Clip positions.
    near_is_zero : bool
        Whether the near plane is z = 0 rather than z = -w.
    """
    ring = [_Point(np.eye(3)[k], clip[k], False) for k in range(3)]
    for far in (False, True):
        distance = _distance(far, near_is_zero)
        inside = [distance(one.clip) for one in ring]
        kept: list[_Point] = []
        for k, (one, depth) in enumerate(zip(ring, inside, strict=True)):
            other, other_depth = ring[(k + 1) % len(ring)], inside[(k + 1) % len(ring)]
            if depth >= 0:
                kept.append(one)
            if depth >= 0 > other_depth:
                kept.append(_between(one, other, depth / (depth - other_depth), far, near_is_zero))
            elif depth < 0 <= other_depth:
                kept.append(_between(other, one, other_depth / (other_depth - depth), far, near_is_zero))
        ring = kept
    return ring


@rule(
    "RASTER-CLIP-4",
    "What is left of a cut triangle is drawn as a fan, each triangle with planes of its own. Where one plane cuts, "
    "the fan is around the new corner with the smaller window x; where vertices are beyond both planes, as one "
    "behind the eye always is, around the corner with the smallest clip x, new or not.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("cut-vectors",),
    exactness="all but 5 of 2 x 1800 measured triangles that leave no corner at w 0",
)
def fan_start(ring: list[_Point], window_x: Float64, both_planes: bool) -> int:
    """Return the corner that a fan is drawn around.

    Parameters
    ----------
    ring : list of corners
    window_x : float64, shape (corners,)
    both_planes : bool
        Whether the triangle has vertices beyond the near and beyond the far plane.
    """
    if both_planes:
        return int(np.argmin([one.clip[0] for one in ring]))
    new_x = np.where([one.is_new for one in ring], window_x, np.inf)
    return int(np.argmin(new_x))


def _beyond_both(clip: Float64, near_is_zero: bool) -> bool:
    """Say whether some vertex is beyond the near plane and some, perhaps the same, beyond the far one."""
    return all(min(_distance(far, near_is_zero)(one) for one in clip) < 0 for far in (False, True))


def _fan(ring: list[_Point], state: RasterState, both_planes: bool) -> list[tuple[int, int, int]] | None:
    """Return the triangles of a ring; None where a corner is behind the eye or out of range."""
    clip = np.stack([one.clip for one in ring]).astype(np.float32)
    across, along = window_position(clip, state)
    x, y = snapped(across), snapped(along)
    if not ((clip[:, 3] > 0) & (np.abs(x) < FARTHEST_SUB) & (np.abs(y) < FARTHEST_SUB)).all():
        return None
    count = len(ring)
    start = fan_start(ring, across.astype(np.float64), both_planes)
    return [(start, (start + k) % count, (start + k + 1) % count) for k in range(1, count - 1)]


@dataclass(frozen=True, slots=True)
class Cut:
    """Triangles after the cut, and the vertices that were made.

    Attributes
    ----------
    triangles : Assembled
        Vertices from the number of old ones on are new.
    positions, varyings : float32 (n, 4), uint32 (components, n)
        Old vertices and new ones.
    """

    triangles: Assembled
    positions: Float32
    varyings: UInt32


def _reach_beyond(clip: Float32, state: RasterState) -> NDArray[np.intp]:
    """Return which triangles, shape (m, 3, 4), need a cut."""
    x, y = (snapped(v) for v in window_position(clip, state))
    found: NDArray[np.intp] = np.nonzero(
        np.isfinite(clip).all(axis=(1, 2)) & ~is_plain(clip, x, y, state).all(axis=1)
    )[0]
    return found


def cut_triangles(
    triangles: Assembled, positions: Float32, varyings: UInt32, state: RasterState, in_window: NDArray[np.bool_]
) -> Cut:
    """Return triangles in whose place smaller ones stand where they reach beyond the near or far plane.

    Parameters
    ----------
    triangles : Assembled
    positions : float32, shape (n, 4)
        Clip space.
    varyings : uint32, shape (components, n)
        Bits of float32; integers of new vertices mean nothing, as integers are flat.
    state : RasterState
        Nothing is cut where depth is clamped.
    in_window : bool, shape (components,)
        Which varyings are linear in the window, not in clip space.
    """
    whole = Cut(triangles, positions, varyings)
    beyond = [] if state.depth_clamp else _reach_beyond(positions[triangles.vertices], state).tolist()
    if not beyond:
        return whole
    near_is_zero = state.depth_mode is DepthMode.NEAR_IS_ZERO
    made: list[_Point] = []
    sources: list[Int64] = []
    pieces: dict[int, list[list[int]]] = {}
    for place in beyond:
        vertices = triangles.vertices[place]
        clip = positions[vertices].astype(np.float64)
        ring = ring_between_planes(clip, near_is_zero)
        fan = _fan(ring, state, _beyond_both(clip, near_is_zero)) if len(ring) > 2 else []
        if fan is None:
            continue
        names = []
        for one in ring:
            if one.is_new:
                names.append(len(positions) + len(made))
                made.append(one)
                sources.append(vertices)
            else:
                names.append(int(vertices[int(np.argmax(one.parts))]))
        pieces[place] = [[names[k] for k in three] for three in fan]
    return _replaced(whole, pieces, made, sources, in_window)


def _replaced(
    whole: Cut, pieces: dict[int, list[list[int]]], made: list[_Point], sources: list[Int64],
    in_window: NDArray[np.bool_],
) -> Cut:  # fmt: skip
    """Put pieces in the places of their triangles and add the vertices that were made."""
    triangles = whole.triangles
    counts = np.ones(len(triangles), dtype=np.int64)
    for place, found in pieces.items():
        counts[place] = len(found)
    origin = np.repeat(np.arange(len(triangles)), counts)
    vertices = triangles.vertices[origin]
    starts = np.cumsum(counts) - counts
    for place, found in pieces.items():
        vertices[starts[place] : starts[place] + len(found)] = np.array(found, dtype=np.int64).reshape(-1, 3)
    positions, varyings = whole.positions, whole.varyings
    if made:
        clip = np.stack([one.clip for one in made]).astype(np.float32)
        old = np.stack(sources)
        floats = from_bits(varyings[:, old]).astype(np.float64)
        parts = np.stack([one.parts for one in made])
        seen = parts * positions[old, 3].astype(np.float64) / np.array([[one.clip[3]] for one in made])
        shares = np.where(in_window[:, np.newaxis, np.newaxis], seen, parts)
        mixed = np.where(shares == 0, 0.0, floats * shares).sum(axis=2).astype(np.float32)
        positions = np.concatenate([positions, clip])
        varyings = np.concatenate([varyings, mixed.view(np.uint32)], axis=1)
    outlined = triangles.outlined[origin]
    cut = Assembled(Shape.TRIANGLES, vertices, triangles.ids[origin], triangles.provoking[origin], outlined)
    return Cut(cut, positions, varyings)
