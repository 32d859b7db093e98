"""What do the four HSL modes make of two colours? Luminosity, saturation, and the clip back into range.

Read next: ``advanced_blend.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.formats.floatbits import Float64
from refnvn.raster.advanced_blend_reciprocal import reciprocal
from refnvn.raster.blend_float import add, multiply, multiply_add
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_WEIGHTS = (0.300048828125, 0.58984375, 0.1099853515625)
"""The halves nearest to 0.30, 0.59 and 0.11."""

HSL_MODES = (Mode.HSL_HUE, Mode.HSL_SATURATION, Mode.HSL_COLOR, Mode.HSL_LUMINOSITY)


@rule(
    "RASTER-ADVANCED-4",
    "The luminosity of a colour is 0.30 R + 0.59 G + 0.11 B, added up from red on, one product after the other.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "gl-blend-advanced"),
)
def luminosity(color: Float64) -> Float64:
    """Return the luminosity, shape (lanes, 1).

    >>> luminosity(np.ones((1, 3))).tolist()
    [[0.99951171875]]
    """
    total = multiply(_WEIGHTS[0], color[:, :1])
    total = multiply_add(total, 1.0, _WEIGHTS[1], color[:, 1:2])
    return multiply_add(total, 1.0, _WEIGHTS[2], color[:, 2:])


def _least(color: Float64) -> Float64:
    least: Float64 = color.min(axis=1, keepdims=True)
    return least


def _greatest(color: Float64) -> Float64:
    greatest: Float64 = color.max(axis=1, keepdims=True)
    return greatest


@rule(
    "RASTER-ADVANCED-5",
    "A colour takes the luminosity of another by a shift; where that leaves a channel below 0, or else above 1, all "
    "channels are drawn toward the luminosity.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "gl-blend-advanced"),
)
def with_luminosity(color: Float64, of: Float64) -> Float64:
    """Return a colour with the luminosity of another, both of shape (lanes, 3)."""
    target = luminosity(of)
    moved = add(color, add(target, -luminosity(color)))
    least = _least(moved)
    fall = multiply_add(moved, target, -target, target)
    raised = multiply_add(target, 1.0, fall, reciprocal(add(target, -least)))
    greatest = _greatest(moved)
    step = reciprocal(add(greatest, -target))
    room = multiply_add(1.0, step, -target, step)
    lowered = multiply_add(target, 1.0, add(moved, -target), room)
    return np.where(least < 0, raised, np.where(greatest > 1, lowered, moved))


@rule(
    "RASTER-ADVANCED-6",
    "A colour takes the saturation of another, the distance from its least to its greatest channel, by stretching "
    "its own; a grey one becomes black.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "gl-blend-advanced"),
)
def with_saturation(color: Float64, of: Float64) -> Float64:
    """Return a colour with the saturation of another, both of shape (lanes, 3)."""
    least = _least(color)
    own = add(_greatest(color), -least)
    step = reciprocal(own)
    share = multiply_add(color, step, -least, step)
    stretched = multiply_add(_greatest(of), share, -_least(of), share)
    return np.where(own > 0, stretched, 0.0)


def mixed_hsl(mode: Mode, source: Float64, destination: Float64) -> Float64:
    """Return f(Cs, Cd) of an HSL mode, shape (lanes, 3)."""
    if mode is Mode.HSL_HUE:
        return with_luminosity(with_saturation(source, destination), destination)
    if mode is Mode.HSL_SATURATION:
        return with_luminosity(with_saturation(destination, source), destination)
    if mode is Mode.HSL_COLOR:
        return with_luminosity(source, destination)
    return with_luminosity(destination, source)
