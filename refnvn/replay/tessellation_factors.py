"""Where do the points of a divided edge lie? From a tessellation level to places in 1/65536 of the edge.

Levels become whole numbers of 1/65536; a place is a mean of those in the next lower and the next higher division.
Read next: ``tessellator.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir_stages import Spacing

ONE = 1 << 16
HALF = ONE >> 1
_LEAST_MORE = 1.0 / ONE
_RANGES = {Spacing.EQUAL: (1.0, 64.0), Spacing.FRACTIONAL_EVEN: (2.0, 64.0), Spacing.FRACTIONAL_ODD: (1.0, 63.0)}


def _share_of(segments: int) -> int:
    """Return one segment of so many, rounded, in 1/65536."""
    return (ONE + segments // 2) // segments


def _below_highest_bit(value: int) -> int:
    return value & ~(1 << (value.bit_length() - 1)) if value else 0


@dataclass(frozen=True, slots=True)
class Division:
    """How an edge is divided.

    Attributes
    ----------
    is_odd : bool
        Whether it has an odd number of segments.
    half_points : int
        Points of one half, without the middle.
    split : int
        The point of the half that the lower division does not have.
    fraction : int
        How far the level is between both divisions, in 1/65536.
    low, high : int
        One segment of the lower and of the higher division, in 1/65536.
    """

    is_odd: bool
    half_points: int
    split: int
    fraction: int
    low: int
    high: int

    @property
    def points(self) -> int:
        """Points of the edge, both ends among them."""
        return 2 * self.half_points + (0 if self.is_odd else 1)

    @property
    def pairs(self) -> int:
        """Points of one half that have a place of their own in the order of ``tessellator_rings.APPEARS``."""
        return self.half_points - self.is_odd


@rule(
    "TESSELLATOR-EDGE-1",
    "A level is rounded to 1/65536, ties to even, and halved upwards; half of the edge is divided by its floor and "
    "its ceiling, the new point being at the place that a bit-reversed order says; places are means of both, "
    "rounded; the other half mirrors it.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def division(level: float, spacing: Spacing) -> Division:
    """Return how a level that was clamped divides an edge.

    Examples
    --------
    >>> three = division(3.0, Spacing.EQUAL)
    >>> [place_of(three, k) for k in range(three.points)]
    [0, 21845, 43691, 65536]
    """
    is_odd = int(level) % 2 == 1 if spacing is Spacing.EQUAL else spacing is Spacing.FRACTIONAL_ODD
    half = (round(level * ONE) + 1) // 2
    if is_odd or half == HALF:
        half += HALF
    floor, ceiling = half >> 16, -(-half >> 16)
    if floor == ceiling:
        split = floor + 1
    elif is_odd:
        split = 0 if floor == 1 else 2 * _below_highest_bit(floor - 1) + 1
    else:
        split = 2 * _below_highest_bit(floor) + 1
    low, high = 2 * floor - is_odd, 2 * ceiling - is_odd
    return Division(is_odd, ceiling, split, half - (floor << 16), _share_of(max(low, 1)), _share_of(high))


def place_of(edge: Division, point: int) -> int:
    """Return where a point of an edge is, 0 to 65536."""
    is_mirrored = point >= edge.half_points
    if is_mirrored:
        point = 2 * edge.half_points - point - edge.is_odd
    if point == edge.half_points:
        return HALF
    lower = point - (point > edge.split)
    place = (lower * edge.low * (ONE - edge.fraction) + point * edge.high * edge.fraction + HALF) >> 16
    return ONE - place if is_mirrored else place


@rule(
    "TESSELLATOR-LEVEL-1",
    "Levels are clamped to 1 to 64 (equal), 2 to 64 (fractional even) or 1 to 63 (fractional odd), equal ones "
    "rounded up; where any outer or inner level is more than 1, inner levels count as more than 1. A patch with an "
    "outer level that is not more than 0 is dropped.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors", "gl-tessellation"),
)
def clamped(outer: list[float], inner: list[float], spacing: Spacing) -> tuple[list[float], list[float]] | None:
    """Return levels as the tessellator takes them; None for a patch that is dropped.

    Examples
    --------
    >>> clamped([0.5, 2.0, 2.0], [1.0], Spacing.EQUAL)
    ([1.0, 2.0, 2.0], [2.0])
    """
    if not all(level > 0 for level in outer):  # NaN too
        return None
    least, most = _RANGES[spacing]

    def inside(level: float) -> float:
        return min(max(level, least), most) if level == level else least

    found = [inside(level) for level in outer]
    within = [inside(level) for level in inner]
    if spacing is Spacing.EQUAL:
        found = [float(math.ceil(level)) for level in found]
    if any(level > 1 + _LEAST_MORE / 2 for level in (*found, *within)):
        within = [max(level, 1 + _LEAST_MORE) for level in within]
    if spacing is Spacing.EQUAL:
        within = [float(math.ceil(level)) for level in within]
    return found, within
