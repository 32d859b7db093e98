"""How do sRGB targets blend? Linear, in halves: codes are read, blended and stored again.

The source goes through a code too: nothing finer than one takes part, as on linear targets. Only the constant does
not.

Read next: ``blend_float.py`` (the arithmetic), ``blend.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from refnvn.enumerations import BlendEquation
from refnvn.formats.codec import component_code, component_value
from refnvn.formats.floatbits import Float32, Float64, UInt32
from refnvn.formats.table import Component, Format
from refnvn.raster.blend_components import stored_components, with_missing
from refnvn.raster.blend_factors import Factors, Operands, Values
from refnvn.raster.blend_float import HALF, combine, one_minus, to_half
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

_NEAREST_FROM = np.float32(0.5)
_STEPS_OF_ONE = 2048
"""Halves from 1/2 to 1 are so many to one."""
_COMPONENTS = tuple(Component(name, 8 * place, 8) for place, name in enumerate("RGBA"))


def stored_values(fmt: Format, component: Component, codes: UInt32, rules: Rules) -> Float64:
    """Return what codes mean in a blend: halves, cut."""
    return to_half(component_value(fmt, component, codes, rules), rules)


@rule(
    "RASTER-BLEND-10",
    "On an sRGB target source and second source become codes and are read again, like the stored codes cut to "
    "halves; they are blended in halves and the result is stored as a drawn value is.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pixel-rules"),
    ledger=("rt-view-srgb",),
)
def source_values(fmt: Format, values: Float32, rules: Rules) -> Float64:
    """Return values as the codes of an sRGB target mean them, shape (lanes, 4)."""
    codes = [component_code(fmt, one, values[:, k], rules) for k, one in enumerate(_COMPONENTS)]
    channels = zip(_COMPONENTS, codes, strict=True)
    return np.stack([stored_values(fmt, component, code, rules) for component, code in channels], axis=1)


@rule(
    "RASTER-BLEND-11",
    "The constant of a blend on an sRGB target is no code: it is clamped to 0..1, NaN being 0, and becomes a half, "
    "the nearest from 1/2 on, ties up, cut below; that is so for every factor, channel and equation.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-pipeline-rules"),
    fields=("store_float",),
    exactness="bit-exact: 104 states of all four factors in all places with 128 constants, and 126 ties; constants "
    "below 2^-14 were not measured",
)
def constant_values(values: Float32, rules: Rules) -> Float64:
    """Return the blend colour as factors of an sRGB target take it, shape (lanes, 4).

    >>> from refnvn.rules.fields import NVN
    >>> constant_values(np.array([[1.5, np.nan, 0.7, 0.3]], np.float32), NVN).tolist()
    [[1.0, 0.0, 0.7001953125, 0.2998046875]]
    """
    inside = np.where(values > 0, np.minimum(values, np.float32(1)), np.float32(0))
    nearest = np.floor(inside.astype(np.float64) * _STEPS_OF_ONE + 0.5) / _STEPS_OF_ONE
    return np.where(inside >= _NEAREST_FROM, nearest, to_half(inside, rules))


@dataclass(frozen=True, slots=True)
class SrgbArithmetic:
    """Blending in halves between sRGB codes: implements ``blend_factors.Arithmetic``.

    Attributes
    ----------
    fmt : Format
        An sRGB format.
    rules : Rules
        Reads what the conversions need.
    """

    fmt: Format
    rules: Rules

    @property
    def one(self) -> float:
        """One."""
        return 1.0

    def source(self, values: Float32) -> Float64:
        """Return values as the codes of the target mean them."""
        return source_values(self.fmt, values, self.rules)

    def constant(self, values: Float32) -> Float64:
        """Return the blend colour."""
        return constant_values(values, self.rules)

    def destination(self, codes: UInt32) -> Float64:
        """Return what is stored."""
        return with_missing(self.fmt, codes, self.read, 1.0)

    def read(self, codes: UInt32, component: Component) -> Float64:
        """Return what the codes of one component mean."""
        return stored_values(self.fmt, component, codes, self.rules)

    def one_minus(self, values: Values) -> Float64:
        """Return 1 - values, rounded to a half."""
        return one_minus(values)

    def combine(self, equation: BlendEquation, operands: Operands, factors: Factors) -> Float64:
        """Return what the equation gives, in halves."""
        return combine(equation, operands, factors, HALF)

    def codes(self, values: Float64) -> UInt32:
        """Return what results are stored as."""
        return stored_components(self.fmt, values, self.store, self.rules)

    def store(self, values: Float64, component: Component) -> UInt32:
        """Return what results are stored as in one component."""
        return component_code(self.fmt, component, values.astype(np.float32), self.rules)
