"""Which advanced modes know no overlap? Sums, differences, single channels and contrast.

Read next: ``advanced_blend.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.formats.floatbits import Float64
from refnvn.raster.advanced_blend_uncorrelated import Sides
from refnvn.raster.blend_float import add, multiply, multiply_add, one_minus
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Colors = Callable[[Sides], Float64]


def _alpha_sum(sides: Sides) -> Float64:
    return add(sides.source_alpha, sides.destination_alpha)


def _over_alpha(sides: Sides) -> Float64:
    return multiply_add(sides.source_alpha, 1.0, sides.destination_alpha, one_minus(sides.source_alpha))


def _zero(sides: Sides) -> Float64:
    return np.zeros_like(sides.destination)


def _plus(sides: Sides) -> Float64:
    return add(sides.source, sides.destination)


def _plus_clamped(sides: Sides) -> Float64:
    return np.minimum(_plus(sides), 1.0)


def _plus_clamped_alpha(sides: Sides) -> Float64:
    return np.minimum(_plus(sides), np.minimum(_alpha_sum(sides), 1.0))


def _plus_darker(sides: Sides) -> Float64:
    lifted = add(sides.source, np.minimum(_alpha_sum(sides), 1.0))
    for one in (sides.destination, -sides.source_alpha, -sides.destination_alpha):
        lifted = add(lifted, one)
    return np.maximum(lifted, 0.0)


def _minus(sides: Sides) -> Float64:
    return add(sides.destination, -sides.source)


def _minus_clamped(sides: Sides) -> Float64:
    return np.maximum(_minus(sides), 0.0)


def _contrast(sides: Sides) -> Float64:
    spread = multiply(2.0, multiply_add(sides.destination, 1.0, -sides.destination_alpha, 0.5))
    light = multiply(spread, multiply_add(sides.source, 1.0, -sides.source_alpha, 0.5))
    return multiply_add(light, 1.0, sides.destination_alpha, 0.5)


def _invert_ovg(sides: Sides) -> Float64:
    outside = one_minus(sides.source_alpha)
    return multiply_add(sides.source_alpha, one_minus(sides.destination), outside, sides.destination)


def _one_channel(channel: int) -> Colors:
    def colors(sides: Sides) -> Float64:
        found = sides.destination.copy()
        found[:, channel] = sides.source[:, channel]
        return found

    return colors


def _destination_alpha(sides: Sides) -> Float64:
    return sides.destination_alpha


PLAIN: dict[Mode, tuple[Colors, Colors]] = {
    Mode.ZERO: (_zero, lambda sides: np.zeros_like(sides.destination_alpha)),
    Mode.PLUS: (_plus, _alpha_sum),
    Mode.PLUS_CLAMPED: (_plus_clamped, lambda sides: np.minimum(_alpha_sum(sides), 1.0)),
    Mode.PLUS_CLAMPED_ALPHA: (_plus_clamped_alpha, lambda sides: np.minimum(_alpha_sum(sides), 1.0)),
    Mode.PLUS_DARKER: (_plus_darker, lambda sides: np.minimum(_alpha_sum(sides), 1.0)),
    Mode.MINUS: (_minus, lambda sides: add(sides.destination_alpha, -sides.source_alpha)),
    Mode.MINUS_CLAMPED: (
        _minus_clamped,
        lambda sides: np.maximum(add(sides.destination_alpha, -sides.source_alpha), 0.0),
    ),
    Mode.CONTRAST: (_contrast, _destination_alpha),
    Mode.INVERT_OVG: (_invert_ovg, _over_alpha),
    Mode.RED: (_one_channel(0), _destination_alpha),
    Mode.GREEN: (_one_channel(1), _destination_alpha),
    Mode.BLUE: (_one_channel(2), _destination_alpha),
}
"""Colours and alpha by mode."""


@rule(
    "RASTER-ADVANCED-12",
    "Sums, differences, CONTRAST, INVERT_OVG and the modes of one channel do not depend on the overlap; each step is "
    "one operation of the float blender.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-clip-rules", "gl-blend-advanced"),
)
def plain(mode: Mode, sides: Sides) -> Float64:
    """Return R, G, B, A of such a mode, shape (lanes, 4)."""
    colors, alpha = PLAIN[mode]
    return np.concatenate([colors(sides), alpha(sides)], axis=1)
