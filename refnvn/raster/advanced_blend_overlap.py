"""How do source and destination cover each other in an advanced blend? Weights, colours and alpha by overlap.

A mode is a mix f and three switches: whether the part covered by both (X), by the source alone (Y) and by the
destination alone (Z) shows. The sum f p0 + Cs p1 + Cd p2 is one in mathematics; on the chip it is a chain of
operations, another one for each overlap, and the one below is the measured one.

Read next: ``advanced_blend.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.enumerations import BlendAdvancedOverlap as Overlap
from refnvn.formats.floatbits import Float64
from refnvn.raster.blend_float import add, multiply, multiply_add, one_minus
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


class Parts(NamedTuple):
    """Which parts of the overlap a mode shows."""

    both: bool
    source: bool
    destination: bool


ALL = Parts(both=True, source=True, destination=True)

PARTS: dict[Mode, Parts] = {
    Mode.SRC: Parts(True, True, False),
    Mode.DST: Parts(True, False, True),
    Mode.SRC_OVER: ALL,
    Mode.DST_OVER: ALL,
    Mode.SRC_IN: Parts(True, False, False),
    Mode.DST_IN: Parts(True, False, False),
    Mode.SRC_OUT: Parts(False, True, False),
    Mode.DST_OUT: Parts(False, False, True),
    Mode.SRC_ATOP: Parts(True, False, True),
    Mode.DST_ATOP: Parts(True, True, False),
    Mode.XOR: Parts(False, True, True),
    Mode.INVERT: Parts(True, False, True),
    Mode.INVERT_RGB: Parts(True, False, True),
}
"""By mode; modes that are not named show all."""


def parts_of(mode: Mode) -> Parts:
    """Return which parts a mode shows."""
    return PARTS.get(mode, ALL)


class Cover(NamedTuple):
    """The alphas of both sides and their colours divided by them; alphas of shape (lanes, 1), colours (lanes, 3)."""

    source_alpha: Float64
    destination_alpha: Float64
    source: Float64
    destination: Float64


@rule(
    "RASTER-ADVANCED-7",
    "Conjoint overlap: the part of both is min(As, Ad), the side with the larger alpha shows alone by the "
    "difference; a mode that shows all parts takes one operation, others one for the mix and one for the side.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "hardware-clip-rules", "gl-blend-advanced"),
)
def conjoint(parts: Parts, mix: Float64, cover: Cover) -> Float64:
    """Return colours, shape (lanes, 3)."""
    larger = cover.source_alpha >= cover.destination_alpha
    both = np.minimum(cover.source_alpha, cover.destination_alpha)
    apart = np.abs(add(cover.source_alpha, -cover.destination_alpha))
    side = np.where(larger, cover.source, cover.destination)
    if parts == ALL:
        return multiply_add(mix, both, side, apart)
    shows = np.where(larger, parts.source, parts.destination)
    weight = np.where(shows, apart, 0.0)
    if not parts.both:
        return multiply(side, weight)
    return multiply_add(multiply(mix, both), 1.0, side, weight)


@rule(
    "RASTER-ADVANCED-8",
    "Disjoint overlap: the source shows alone by min(As, 1 - Ad), the destination by min(Ad, 1 - As); where a mode "
    "shows all parts the mix enters as f Ad + (Cd - f) min(Ad, 1 - As), the difference of products being one "
    "operation, else as f Ad - f (1 - As), or 0 where Ad - (1 - As) is not above 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "gl-blend-advanced"),
)
def disjoint(parts: Parts, mix: Float64, cover: Cover) -> Float64:
    """Return colours, shape (lanes, 3)."""
    outside_source = one_minus(cover.source_alpha)
    source_alone = np.minimum(cover.source_alpha, one_minus(cover.destination_alpha))
    destination_alone = np.minimum(cover.destination_alpha, outside_source)
    if parts == ALL:
        swapped = multiply_add(cover.destination, destination_alone, -mix, destination_alone)
        found = multiply_add(mix, cover.destination_alpha, swapped, 1.0)
        return multiply_add(found, 1.0, cover.source, source_alone)
    if parts.both:
        shared = add(cover.destination_alpha, -outside_source)
        found = multiply_add(mix, cover.destination_alpha, -mix, outside_source)
        found = np.where(shared > 0, found, 0.0)
        if parts.source:
            return multiply_add(found, 1.0, cover.source, source_alone)
        return multiply_add(found, 1.0, cover.destination, destination_alone) if parts.destination else found
    if not parts.source:
        return multiply(cover.destination, destination_alone)
    found = multiply(cover.source, source_alone)
    return multiply_add(found, 1.0, cover.destination, destination_alone) if parts.destination else found


@rule(
    "RASTER-ADVANCED-9",
    "The alpha of an advanced blend is the sum of the parts that the mode shows: As + Ad (1 - As) uncorrelated, the "
    "larger alpha conjoint, min(As + Ad, 1) disjoint, where all are shown.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-pixel-rules", "gl-blend-advanced"),
)
def covered_alpha(parts: Parts, overlap: Overlap, source: Float64, destination: Float64) -> Float64:
    """Return alpha, of the shape of both alphas."""
    if parts.both and parts.source != parts.destination:
        return source if parts.source else destination
    if overlap is Overlap.UNCORRELATED:
        return _uncorrelated_alpha(parts, source, destination)
    if overlap is Overlap.CONJOINT:
        difference = add(source, -destination)
        ways = (np.maximum(source, destination), np.minimum(source, destination))
        alone = (np.maximum(difference, 0.0), np.maximum(-difference, 0.0))
    else:
        outside = one_minus(source)
        ways = (np.minimum(add(source, destination), 1.0), np.maximum(add(destination, -outside), 0.0))
        alone = (np.minimum(source, one_minus(destination)), np.minimum(destination, outside))
    if parts.both:
        return ways[0] if parts.source else ways[1]
    if parts.source and parts.destination:
        return add(*alone)
    return alone[0] if parts.source else alone[1]


def _uncorrelated_alpha(parts: Parts, source: Float64, destination: Float64) -> Float64:
    if parts.both:
        if parts.source:
            return multiply_add(source, 1.0, destination, one_minus(source))
        return multiply(source, destination)
    outside_source, outside_destination = one_minus(source), one_minus(destination)
    if parts.source and parts.destination:
        return multiply_add(source, outside_destination, destination, outside_source)
    return multiply(source, outside_destination) if parts.source else multiply(destination, outside_source)
