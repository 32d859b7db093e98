"""What is the part of an uncorrelated overlap that both sides share? f As Ad, without dividing where that can be.

Colours multiplied with their alphas come in, so most modes need no reciprocal: Cs Cd As Ad is just s d. Modes that
look at the colours themselves divide, mix (``advanced_blend_mixes.py``) and multiply again.

Read next: ``advanced_blend_overlap.py`` (the other overlaps), ``advanced_blend.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.formats.floatbits import Float64
from refnvn.raster.advanced_blend_overlap import Cover, Parts
from refnvn.raster.advanced_blend_reciprocal import reciprocal
from refnvn.raster.blend_float import add, multiply, multiply_add, one_minus
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


class Sides(NamedTuple):
    """Both sides of a blend; alphas of shape (lanes, 1), colours, multiplied with them, (lanes, 3)."""

    source_alpha: Float64
    destination_alpha: Float64
    source: Float64
    destination: Float64


def _source_in(sides: Sides) -> Float64:
    return multiply(sides.source, sides.destination_alpha)


def _destination_in(sides: Sides) -> Float64:
    return multiply(sides.destination, sides.source_alpha)


def _multiply(sides: Sides) -> Float64:
    return multiply(sides.source, sides.destination)


def _both(sides: Sides) -> Float64:
    return multiply_add(sides.source, sides.destination_alpha, sides.destination, sides.source_alpha)


def _screen(sides: Sides) -> Float64:
    return multiply_add(_both(sides), 1.0, -sides.source, sides.destination)


def _exclusion(sides: Sides) -> Float64:
    return multiply_add(_screen(sides), 1.0, -sides.source, sides.destination)


def _darken(sides: Sides) -> Float64:
    return np.minimum(_source_in(sides), _destination_in(sides))


def _lighten(sides: Sides) -> Float64:
    return np.maximum(_source_in(sides), _destination_in(sides))


def _alphas(sides: Sides) -> Float64:
    return multiply(sides.source_alpha, sides.destination_alpha)


def _color_dodge(sides: Sides) -> Float64:
    room = add(sides.source_alpha, -sides.source)
    lifted = multiply(sides.destination, multiply(sides.source_alpha, reciprocal(room)))
    capped = multiply(np.fmin(lifted, sides.destination_alpha), sides.source_alpha)
    return np.where(sides.destination <= 0, 0.0, np.where(room <= 0, _alphas(sides), capped))


def _color_burn(sides: Sides) -> Float64:
    left = multiply_add(sides.destination_alpha, sides.source_alpha, -sides.destination, sides.source_alpha)
    burnt = np.fmin(multiply(left, reciprocal(sides.source)), sides.destination_alpha)
    found = multiply_add(sides.destination_alpha, sides.source_alpha, -burnt, sides.source_alpha)
    found = np.where(sides.source <= 0, 0.0, found)
    return np.where(sides.destination >= sides.destination_alpha, _alphas(sides), found)


def _linear_dodge(sides: Sides) -> Float64:
    return np.minimum(_both(sides), _alphas(sides))


def _linear_burn(sides: Sides) -> Float64:
    left = multiply_add(_both(sides), 1.0, -sides.source_alpha, sides.destination_alpha)
    above: Float64 = np.maximum(left, 0.0)
    return above


def _invert(sides: Sides) -> Float64:
    return multiply_add(sides.source_alpha, sides.destination_alpha, -sides.source_alpha, sides.destination)


def _invert_rgb(sides: Sides) -> Float64:
    return multiply_add(sides.source, sides.destination_alpha, -sides.source, sides.destination)


SHARED: dict[Mode, Callable[[Sides], Float64]] = {
    Mode.SRC: _source_in,
    Mode.SRC_OVER: _source_in,
    Mode.SRC_IN: _source_in,
    Mode.SRC_ATOP: _source_in,
    Mode.DST: _destination_in,
    Mode.DST_OVER: _destination_in,
    Mode.DST_IN: _destination_in,
    Mode.DST_ATOP: _destination_in,
    Mode.MULTIPLY: _multiply,
    Mode.SCREEN: _screen,
    Mode.EXCLUSION: _exclusion,
    Mode.DARKEN: _darken,
    Mode.LIGHTEN: _lighten,
    Mode.COLORDODGE: _color_dodge,
    Mode.COLORBURN: _color_burn,
    Mode.LINEARDODGE: _linear_dodge,
    Mode.LINEARBURN: _linear_burn,
    Mode.INVERT: _invert,
    Mode.INVERT_RGB: _invert_rgb,
}
"""f As Ad of the modes that need no divided colours."""


@rule(
    "RASTER-ADVANCED-10",
    "Uncorrelated overlap: the shared part, rounded, is added to s (1 - Ad) + d (1 - As), which is one operation "
    "where a mode shows both sides alone.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-pixel-rules", "hardware-clip-rules", "gl-blend-advanced"),
)
def uncorrelated(parts: Parts, shared: Float64 | None, sides: Sides) -> Float64:
    """Return colours, shape (lanes, 3); ``shared`` is None where a mode does not show that part."""
    outside_source, outside_destination = one_minus(sides.source_alpha), one_minus(sides.destination_alpha)
    source = (sides.source, outside_destination)
    destination = (sides.destination, outside_source)
    if shared is None:
        if parts.source and parts.destination:
            return multiply_add(multiply(*source), 1.0, *destination)
        return multiply(*source) if parts.source else multiply(*destination)
    if parts.source and parts.destination:
        return add(shared, multiply_add(*source, *destination))
    if parts.source:
        return multiply_add(shared, 1.0, *source)
    return multiply_add(shared, 1.0, *destination) if parts.destination else shared


@rule(
    "RASTER-ADVANCED-11",
    "Where a mode divides, f is multiplied with the rounded As Ad in the same operation that adds s (1 - Ad) + "
    "d (1 - As).",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-pixel-rules", "hardware-clip-rules"),
)
def uncorrelated_of_mix(mix: Float64, sides: Sides) -> Float64:
    """Return colours of a mode that shows all parts, shape (lanes, 3)."""
    alone = multiply_add(
        sides.source, one_minus(sides.destination_alpha), sides.destination, one_minus(sides.source_alpha)
    )
    return multiply_add(mix, _alphas(sides), alone, 1.0)


def divided(sides: Sides, source: Float64) -> Cover:
    """Return both sides with their colours divided by their alphas; without alpha there is no colour."""
    destination = multiply(sides.destination, reciprocal(sides.destination_alpha))
    return Cover(
        sides.source_alpha,
        sides.destination_alpha,
        np.where(sides.source_alpha == 0, 0.0, source),
        np.where(sides.destination_alpha == 0, 0.0, destination),
    )
