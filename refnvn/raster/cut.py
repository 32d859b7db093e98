"""What is left of triangles that reach beyond the near or far plane? Smaller triangles with vertices of their own.

They are made in clip space, before anything is snapped: everything that follows, coverage and planes alike, knows
only the smaller triangles. What then still reaches out of range stays whole, for ``clip.py``.

Read next: ``shapes.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthMode
from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32, from_bits
from refnvn.raster.assembled import Assembled, Shape
from refnvn.raster.clip_distances import outside_of
from refnvn.raster.setup import is_plain
from refnvn.raster.state import RasterState
from refnvn.raster.window import FARTHEST_SUB, snapped, window_position
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.division import float_rcp


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A corner of what is left, float32 values as float64, and whether it was made by a cut.

    Attributes
    ----------
    clip : float64, shape (4,)
    parts : float64, shape (3,)
        Its part of each vertex.
    values : float64, shape (components,)
        Varyings.
    distances : float64, shape (planes,)
        Clip distances.
    is_new : bool
    """

    clip: Float64
    parts: Float64
    values: Float64
    distances: Float64
    is_new: bool


Plane = Callable[[CutPoint], float]
"""What triangles are cut at: how far inside a corner is."""


def _distance(far: bool, near_is_zero: bool) -> Callable[[Float64], float]:
    """Return how far inside the near or far plane a clip position is."""
    if far:
        return lambda clip: float(clip[3] - clip[2])
    return (lambda clip: float(clip[2])) if near_is_zero else (lambda clip: float(clip[2] + clip[3]))


def _depth_plane(far: bool, near_is_zero: bool) -> Plane:
    distance = _distance(far, near_is_zero)
    return lambda one: distance(one.clip)


def _user_plane(number: int) -> Plane:
    """Return the plane of one clip distance."""
    return lambda one: float(one.distances[number])


@rule(
    "RASTER-CLIP-6",
    "A corner that a cut makes between a and b, at distances da and db, is a * (-db * r) + b * (da * r) with r the "
    "chip's reciprocal of da - db, as shaders have it; every step is rounded to float32, also of varyings.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
    exactness="1 / w of 2 x 60 triangles with w 1: none of 12454 pixels differs, an exact reciprocal misses 7 %",
)
def shares_of(inside: float, outside: float) -> tuple[np.float32, np.float32]:
    """Return how much of the corner inside and of the one outside a new corner is.

    Parameters
    ----------
    inside, outside : float
        Their distances, at least 0 and negative.

    Examples
    --------
    >>> [float(one) for one in shares_of(1.0, -3.0)]
    [0.75, 0.25]
    """
    length = np.array([np.float32(np.float32(inside) - np.float32(outside))], np.float32)
    reciprocal = float_rcp(length.view(np.uint32), 0).view(np.float32)[0]
    return np.float32(np.float32(-outside) * reciprocal), np.float32(np.float32(inside) * reciprocal)


def _mixed(one: Float64, other: Float64, shares: tuple[np.float32, np.float32]) -> Float64:
    """Return values between those of two corners, each product and the sum rounded to float32."""
    with np.errstate(all="ignore"):
        mixed = shares[0] * one.astype(np.float32) + shares[1] * other.astype(np.float32)
        return mixed.astype(np.float64)


def _between(one: CutPoint, other: CutPoint, shares: tuple[np.float32, np.float32]) -> CutPoint:
    """Return the point of a plane between the inside and the outside."""
    clip = _mixed(one.clip, other.clip, shares)
    parts, values = _mixed(one.parts, other.parts, shares), _mixed(one.values, other.values, shares)
    return CutPoint(clip, parts, values, _mixed(one.distances, other.distances, shares), True)


@rule(
    "RASTER-CLIP-3",
    "Without depth clamp triangles are cut in clip space at the near plane, then at the far plane; new corners keep "
    "the z of RASTER-CLIP-6, which may lie a little beside the plane, and go through the viewport and the 1/256 grid "
    "like vertices.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-clip-rules", "cut-vectors", "deko3d"),
    ledger=("depth-clamp",),
    exactness="depth and 1 / w bit-exact in all 200 measured triangles that one plane cuts; of 200 that both cut "
    "6064 numbers are a few units beside: what a second cut takes shares of is not known",
)
def depth_planes(near_is_zero: bool) -> list[Plane]:
    """Return the near and the far plane, in the order in which they cut.

    Parameters
    ----------
    near_is_zero : bool
        Whether the near plane is z = 0 rather than z = -w.

    Notes
    -----
    Of 100 triangles with vertices beyond both planes 44 have some number beside the measured one where a second cut
    takes the distance and the values of the corner that the first one made, as here; 50 with distances that are mixed
    like values, 45 with values from parts of the three vertices, 41 with both corners of an edge from its vertices,
    83 with the far plane first. Each of the 35 that tell the first from the fourth is equal under one of the two.
    """
    return [_depth_plane(far, near_is_zero) for far in (False, True)]


def ring_of(clip: Float32, values: Float64 | None = None, distances: Float32 | None = None) -> list[CutPoint]:
    """Return the corners of a whole triangle, or the ends of a whole line.

    Parameters
    ----------
    clip : float32, shape (2 or 3, 4)
        Clip positions.
    values : float64, shape (2 or 3, components), or None
        Varyings.
    distances : float32, shape (2 or 3, planes), or None
    """
    count = len(clip)
    nothing = np.zeros((count, 0))
    values = nothing if values is None else values
    away = nothing if distances is None else distances.astype(np.float64)
    wide = clip.astype(np.float64)
    return [CutPoint(wide[k], np.eye(count)[k], values[k], away[k], False) for k in range(count)]


def ring_between_planes(ring: list[CutPoint], planes: Sequence[Plane]) -> list[CutPoint]:
    """Return the corners of what planes, one after another, leave of a ring; fewer than three where nothing is."""
    for plane in planes:
        inside = [plane(one) for one in ring]
        kept: list[CutPoint] = []
        for k, (one, depth) in enumerate(zip(ring, inside, strict=True)):
            other, other_depth = ring[(k + 1) % len(ring)], inside[(k + 1) % len(ring)]
            if depth >= 0:
                kept.append(one)
            if depth >= 0 > other_depth:
                kept.append(_between(one, other, shares_of(depth, other_depth)))
            elif depth < 0 <= other_depth:
                kept.append(_between(other, one, shares_of(other_depth, depth)))
        ring = kept
    return ring


@rule(
    "RASTER-CLIP-4",
    "What is left of a cut triangle is drawn as a fan, each triangle with planes of its own. Where one plane cuts, "
    "the fan is around the new corner with the smaller window x; where vertices are beyond both planes, as one "
    "behind the eye always is, or a clip distance cuts, around the corner with the smallest clip x, new or not.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("cut-vectors", "stage-vectors"),
    exactness="all but 5 of 2 x 1800 measured triangles that leave no corner at w 0; of 720 with clip distances, "
    "most of them behind the eye, every pixel is covered right and values are within 2^-10",
)
def fan_start(ring: list[CutPoint], window_x: Float64, both_planes: bool) -> int:
    """Return the corner that a fan is drawn around.

    Parameters
    ----------
    ring : list of corners
    window_x : float64, shape (corners,)
    both_planes : bool
        Whether the triangle has vertices beyond the near and beyond the far plane, or outside of a clip distance.
    """
    if both_planes:
        return int(np.argmin([one.clip[0] for one in ring]))
    new_x = np.where([one.is_new for one in ring], window_x, np.inf)
    return int(np.argmin(new_x))


def _beyond_both(clip: Float64, near_is_zero: bool) -> bool:
    """Say whether some vertex is beyond the near plane and some, perhaps the same, beyond the far one."""
    return all(min(_distance(far, near_is_zero)(one) for one in clip) < 0 for far in (False, True))


def _can_be_drawn(ring: list[CutPoint], state: RasterState) -> bool:
    """Say whether all corners are before the eye and in range.

    Where both planes leave a corner at w 0 the chip draws something else: pixels as ``clip.py`` has them, but depth
    and 1 / w up to 8 / 10^4 beside the exact plane's. Further cuts, at x and y = w times a power of two from 2^6 to
    2^16, bring with each of them some two in five of the wrong numbers right, and with none all.
    """
    clip = np.stack([one.clip for one in ring]).astype(np.float32)
    x, y = (snapped(one) for one in window_position(clip, state))
    return bool(((clip[:, 3] > 0) & (np.abs(x) < FARTHEST_SUB) & (np.abs(y) < FARTHEST_SUB)).all())


def _fan(ring: list[CutPoint], state: RasterState, both_planes: bool) -> list[tuple[int, int, int]]:
    """Return the triangles of a ring."""
    across, _ = window_position(np.stack([one.clip for one in ring]).astype(np.float32), state)
    count = len(ring)
    start = fan_start(ring, across.astype(np.float64), both_planes)
    return [(start, (start + k) % count, (start + k + 1) % count) for k in range(1, count - 1)]


@dataclass(frozen=True, slots=True)
class Cut:
    """Triangles or lines after the cut, and the vertices that were made.

    Attributes
    ----------
    primitives : Assembled
        Vertices from the number of old ones on are new.
    positions, varyings : float32 (n, 4), uint32 (components, n)
        Old vertices and new ones.
    """

    primitives: Assembled
    positions: Float32
    varyings: UInt32


def _reach_beyond(clip: Float32, state: RasterState) -> NDArray[np.bool_]:
    """Return which triangles, shape (m, 3, 4), need a cut at the near or far plane."""
    if state.depth_clamp:
        return np.zeros(len(clip), dtype=np.bool_)
    x, y = (snapped(v) for v in window_position(clip, state))
    found: NDArray[np.bool_] = np.all(np.isfinite(clip), axis=(1, 2)) & ~np.all(is_plain(clip, x, y, state), axis=1)
    return found


def _planes_of(clip: Float64, state: RasterState, distances: Float32 | None) -> tuple[list[Plane], bool]:
    """Return what a triangle is cut at, and whether that is more than one of the near and the far plane."""
    near_is_zero = state.depth_mode is DepthMode.NEAR_IS_ZERO
    planes = user_planes(distances)
    both = bool(planes)
    if not state.depth_clamp:
        both = both or _beyond_both(clip, near_is_zero)
        planes += depth_planes(near_is_zero)
    return planes, both


@rule(
    "RASTER-CLIP-7",
    "Clip distances cut before the near and the far plane do, in the order of their numbers.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def user_planes(distances: Float32 | None) -> list[Plane]:
    """Return the planes of clip distances, shape (vertices, planes), that some vertex is outside of."""
    if distances is None:
        return []
    return [_user_plane(int(k)) for k in np.nonzero(outside_of(distances).any(axis=0))[0]]


def cut_triangles(
    triangles: Assembled,
    positions: Float32,
    varyings: UInt32,
    state: RasterState,
    in_window: NDArray[np.bool_],
    distances: Float32 | None = None,
) -> Cut:
    """Return triangles in whose place smaller ones stand where they reach beyond a plane.

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
    distances : float32, shape (n, planes), or None
        Clip distances; no triangle is one that ``clip_distances.dropped`` names.
    """
    whole = Cut(triangles, positions, varyings)
    beyond = _reach_beyond(positions[triangles.vertices], state)
    if distances is not None:
        beyond |= outside_of(distances[triangles.vertices]).any(axis=(1, 2))
    if not beyond.any():
        return whole
    made: list[CutPoint] = []
    sources: list[Int64] = []
    pieces: dict[int, list[list[int]]] = {}
    for place in np.nonzero(beyond)[0].tolist():
        vertices = triangles.vertices[place]
        away = None if distances is None else distances[vertices]
        planes, both = _planes_of(positions[vertices].astype(np.float64), state, away)
        values = from_bits(varyings[:, vertices]).astype(np.float64).T
        whole_ring = ring_of(positions[vertices], values, away)
        ring = ring_between_planes(whole_ring, planes)
        if len(ring) > 2 and not _can_be_drawn(ring, state):
            ring = ring_between_planes(whole_ring, user_planes(away))  # near and far plane cut what it leaves later
            if not any(one.is_new for one in ring):
                continue
        fan = _fan(ring, state, both) if len(ring) > 2 else []
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
    whole: Cut, pieces: dict[int, list[list[int]]], made: list[CutPoint], sources: list[Int64],
    in_window: NDArray[np.bool_],
) -> Cut:  # fmt: skip
    """Put pieces in the places of their triangles and add the vertices that were made."""
    triangles = whole.primitives
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
        parts = np.stack([one.parts for one in made])
        seen = parts * positions[old, 3].astype(np.float64) / np.array([[one.clip[3]] for one in made])
        floats = from_bits(varyings[:, old]).astype(np.float64)
        in_the_window = np.where(seen == 0, 0.0, floats * seen).sum(axis=2)
        in_clip_space = np.stack([one.values for one in made], axis=1)
        mixed = np.where(in_window[:, np.newaxis], in_the_window, in_clip_space).astype(np.float32)
        positions = np.concatenate([positions, clip])
        varyings = np.concatenate([varyings, mixed.view(np.uint32)], axis=1)
    outlined = triangles.outlined[origin]
    cut = Assembled(Shape.TRIANGLES, vertices, triangles.ids[origin], triangles.provoking[origin], outlined)
    return Cut(cut, positions, varyings)
