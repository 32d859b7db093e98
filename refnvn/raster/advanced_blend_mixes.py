"""What do the separable advanced modes make of a source and a destination colour, channel by channel?

Each function takes both colours divided by their alphas and gives the mix f(Cs, Cd). What matters is which steps are
one operation of the blender (``multiply_add``), each being rounded: the order below is the measured one.

The modes that look at all three channels: ``advanced_blend_hsl.py``. Read next: ``advanced_blend.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.formats.floatbits import Float64
from refnvn.raster.advanced_blend_reciprocal import reciprocal
from refnvn.raster.blend_float import add, multiply, multiply_add, one_minus
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Mix = Callable[[Float64, Float64], Float64]


def _multiply(source: Float64, destination: Float64) -> Float64:
    return multiply(source, destination)


def _screen(source: Float64, destination: Float64) -> Float64:
    return multiply_add(add(source, destination), 1.0, -source, destination)


def _exclusion(source: Float64, destination: Float64) -> Float64:
    return multiply_add(_screen(source, destination), 1.0, -source, destination)


def _difference(source: Float64, destination: Float64) -> Float64:
    return np.abs(add(source, -destination))


def _hard(chooser: Float64, source: Float64, destination: Float64) -> Float64:
    low = multiply(multiply(2.0, source), destination)
    high = one_minus(multiply(multiply(2.0, one_minus(source)), one_minus(destination)))
    return np.where(chooser <= 0.5, low, high)


def _hard_light(source: Float64, destination: Float64) -> Float64:
    return _hard(source, source, destination)


def _overlay(source: Float64, destination: Float64) -> Float64:
    return _hard(destination, source, destination)


def _color_dodge(source: Float64, destination: Float64) -> Float64:
    room = add(1.0, -source)
    lifted = np.fmin(multiply(destination, reciprocal(room)), 1.0)
    return np.where(destination <= 0, 0.0, np.where(room <= 0, 1.0, lifted))


def _color_burn(source: Float64, destination: Float64) -> Float64:
    step = reciprocal(source)
    left = np.fmin(multiply_add(1.0, step, -destination, step), 1.0)
    return np.where(destination >= 1, 1.0, np.where(source <= 0, 0.0, one_minus(left)))


_ROOT = (0.260498046875, -0.78173828125, 0.30224609375, 0.21923828125)


@rule(
    "RASTER-ADVANCED-2",
    "SOFTLIGHT has no root: above a destination of 1/4 a cubic of halves stands for sqrt(x) - x: its third and "
    "second powers are added in one operation, then the first, then the constant.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe", "hardware-clip-rules"),
    exactness="bit-exact on all 3,099 halves from 1/4 to 4 that show it",
)
def root_minus(value: Float64) -> Float64:
    """Return what stands for ``sqrt(value) - value`` from 1/4 to 1.

    >>> float(root_minus(np.array(0.25))), float(root_minus(np.array(1.0)))
    (0.25, 0.0)
    """
    third, second, first, constant = _ROOT
    square = multiply_add(multiply(third, value), value, second, value)
    return add(multiply_add(square, value, first, value), constant)


def _soft_light(source: Float64, destination: Float64) -> Float64:
    darker = add(1.0, -multiply(2.0, source))
    fall = multiply_add(destination, 1.0, -destination, destination)
    low = multiply_add(destination, 1.0, -darker, fall)
    four = multiply(4.0, destination)
    steep = multiply_add(four, multiply_add(four, destination, -3.0, destination), 3.0, destination)
    rise = np.where(destination <= 0.25, steep, root_minus(destination))
    high = multiply_add(destination, 1.0, add(multiply(2.0, source), -1.0), rise)
    return np.where(source <= 0.5, low, high)


def _linear_dodge(source: Float64, destination: Float64) -> Float64:
    return np.minimum(add(source, destination), 1.0)


def _linear_burn(source: Float64, destination: Float64) -> Float64:
    return np.maximum(add(add(source, destination), -1.0), 0.0)


def _linear_light(source: Float64, destination: Float64) -> Float64:
    return np.clip(add(multiply_add(2.0, source, destination, 1.0), -1.0), 0.0, 1.0)


def _hard_mix(source: Float64, destination: Float64) -> Float64:
    return np.where(add(source, destination) < 1, 0.0, 1.0)


def _pin_light(source: Float64, destination: Float64) -> Float64:
    lighter = add(multiply(2.0, source), -1.0)
    below = np.where(source < multiply(0.5, destination), multiply(2.0, source), destination)
    return np.where(lighter > destination, np.where(source < 0.5, 0.0, lighter), below)


def _vivid_light(source: Float64, destination: Float64) -> Float64:
    step = reciprocal(multiply(2.0, source))
    burnt = one_minus(np.fmin(multiply_add(1.0, step, -destination, step), 1.0))
    low = np.where(source <= 0, 0.0, burnt)
    room = multiply(2.0, one_minus(source))
    dodged = np.fmin(multiply(destination, reciprocal(room)), 1.0)
    return np.where(source < 0.5, low, np.where(room <= 0, 1.0, dodged))


def _invert(_source: Float64, destination: Float64) -> Float64:
    return one_minus(destination)


def _invert_rgb(source: Float64, destination: Float64) -> Float64:
    return multiply_add(source, 1.0, -source, destination)


MIXES: dict[Mode, Mix] = {
    Mode.MULTIPLY: _multiply,
    Mode.SCREEN: _screen,
    Mode.OVERLAY: _overlay,
    Mode.DARKEN: np.minimum,
    Mode.LIGHTEN: np.maximum,
    Mode.COLORDODGE: _color_dodge,
    Mode.COLORBURN: _color_burn,
    Mode.HARDLIGHT: _hard_light,
    Mode.SOFTLIGHT: _soft_light,
    Mode.DIFFERENCE: _difference,
    Mode.EXCLUSION: _exclusion,
    Mode.INVERT: _invert,
    Mode.INVERT_RGB: _invert_rgb,
    Mode.LINEARDODGE: _linear_dodge,
    Mode.LINEARBURN: _linear_burn,
    Mode.VIVIDLIGHT: _vivid_light,
    Mode.LINEARLIGHT: _linear_light,
    Mode.PINLIGHT: _pin_light,
    Mode.HARDMIX: _hard_mix,
}
"""f(Cs, Cd) by mode."""


@rule(
    "RASTER-ADVANCED-3",
    "A separable mode mixes both colours, divided by their alphas, in steps of the float blender in halves.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-clip-rules", "gl-blend-advanced"),
    ledger=("advanced-blend",),
)
def mixed(mode: Mode, source: Float64, destination: Float64) -> Float64:
    """Return f(Cs, Cd) of a separable mode, shape (lanes, 3)."""
    return MIXES[mode](source, destination)
