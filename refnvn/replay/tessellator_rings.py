"""How are two rings of a tessellated patch joined by triangles? Read next: ``tessellator.py``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from refnvn.replay.tessellation_factors import Division
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


class Point(NamedTuple):
    """A point of a patch: where it is, and which one it is, as several may be in one place.

    Attributes
    ----------
    u, v : int
        In 1/65536.
    ring, column, row : int
        Its ring, 0 being the outer one, and its number along u and v in the division of its ring. In a triangle
        columns follow the edges v = 0 and w = 0 up to the corner u = 1, so that a column is bent.
    """

    u: int
    v: int
    ring: int
    column: int
    row: int


Ring = list[list[Point]]
"""The points of each side, without its end."""
Triangle = tuple[Point, Point, Point]

APPEARS = (
    0, 32, 16, 8, 17, 4, 18, 9, 19, 2, 20, 10, 21, 5, 22, 11, 23, 1, 24, 12, 25, 6, 26, 13, 27, 3, 28, 14, 29, 7, 30,
    15, 31,
)  # fmt: skip
"""When each place of half an edge of 64 segments gets a point as the level grows: a bit-reversed order."""


class _Joined:
    """Triangles along one side, while both rings are walked."""

    def __init__(self, inside: list[Point], outside: list[Point]) -> None:
        self.inside, self.outside = inside, outside
        self.at_inside = self.at_outside = 0
        self.triangles: list[Triangle] = []

    def go_outside(self) -> None:
        """Go on by a segment of the outer ring."""
        one, other = self.outside[self.at_outside : self.at_outside + 2]
        self.triangles.append((one, other, self.inside[self.at_inside]))
        self.at_outside += 1

    def go_inside(self) -> None:
        """Go on by a segment of the inner ring."""
        one, other = self.inside[self.at_inside : self.at_inside + 2]
        self.triangles.append((one, self.outside[self.at_outside], other))
        self.at_inside += 1

    def middle(self, inner_is_odd: bool, outer_is_odd: bool) -> None:
        """Go through the middle, where one of both has a segment."""
        if inner_is_odd:
            self.go_inside()
        if outer_is_odd:
            self.go_outside()

    def go(self, inner_steps: Iterable[bool], outer_steps: Iterable[bool], *, inner_first: bool) -> None:
        """Go on place by place: whether each ring has a point there."""
        for goes_inside, goes_outside in zip(inner_steps, outer_steps, strict=True):
            if goes_inside and inner_first:
                self.go_inside()
            if goes_outside:
                self.go_outside()
            if goes_inside and not inner_first:
                self.go_inside()

    def in_walking_order(self) -> list[Triangle]:
        """Return the triangles against the direction in which the rings were made, counter-clockwise."""
        return self.triangles[::-1]


@rule(
    "TESSELLATOR-STITCH-1",
    "Two rings are walked place by place, as the points of 64 segments appear: at the first place the outer ring "
    "goes on, at the others up to the middle first the inner then the outer one, behind the middle the other way "
    "round; in the middle the inner one goes first.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
)
def outermost(inside: list[Point], outside: list[Point], inner: Division, outer: Division) -> list[Triangle]:
    """Return the triangles along one side between the outer ring and the first inside of it."""
    steps = [[when < edge.pairs for when in APPEARS[1:]] for edge in (inner, outer)]
    joined = _Joined(inside, outside)
    if outer.pairs:
        joined.go_outside()
    joined.go(*steps, inner_first=True)
    joined.middle(inner.is_odd, outer.is_odd)
    joined.go(steps[0][::-1], steps[1][::-1], inner_first=False)
    if outer.pairs:
        joined.go_outside()
    return joined.in_walking_order()


def between_rings(inside: list[Point], outside: list[Point]) -> list[Triangle]:
    """Return the triangles along one side between two rings of one division, the inner two segments shorter."""
    segments = len(outside) - 1
    is_odd = segments % 2 == 1
    steps = [True] * ((segments - 2 - is_odd) // 2 if segments > 2 else 0)
    joined = _Joined(inside, outside)
    joined.go_outside()
    joined.go(steps, steps, inner_first=True)
    joined.middle(is_odd, is_odd)
    joined.go(steps, steps, inner_first=False)
    joined.go_outside()
    return joined.in_walking_order()


@rule(
    "TESSELLATOR-STITCH-2",
    "The strip in the middle of a quad is cut from lower left to upper right where it stands upright, but for the "
    "middle one of an odd number; where it lies, and alone, from lower right to upper left.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("tess-vectors",),
    exactness="lying strips of an even number were not measured",
)
def middle_strip(ring: Ring) -> list[Triangle]:
    """Return the triangles inside of a ring that is one segment wide."""
    left, low, right, high = (
        [*side, ring[(k + 1) % 4][0]] for k, side in enumerate(ring)
    )  # fmt: skip
    lies = len(ring[0]) == 1
    one, other = (low, high[::-1]) if lies else (left[::-1], right)
    count = len(one) - 1
    triangles: list[Triangle] = []
    for k in range(count):
        if lies:
            triangles += [(one[k], one[k + 1], other[k]), (other[k], one[k + 1], other[k + 1])]
        elif 2 * k + 1 == count:
            triangles += [(one[k], other[k], one[k + 1]), (one[k + 1], other[k], other[k + 1])]
        else:
            triangles += [(one[k], other[k], other[k + 1]), (one[k], other[k + 1], one[k + 1])]
    return triangles
