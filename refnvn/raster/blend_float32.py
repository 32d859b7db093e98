"""How does a port blend that reads, blends and stores in plain float32? The other setting of ``blend_precision``.

Nothing becomes a code before the result does; products and sums are rounded to float32 one by one. Metal's
specification promises no more than this, and no less for formats of up to 16 bits.

NVIDIA's own arithmetic: ``blend_norm.py``, ``blend_float.py``, ``blend_srgb.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from refnvn.enumerations import BlendEquation
from refnvn.formats.codec import component_code, component_value
from refnvn.formats.floatbits import Float32, Float64, UInt32
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.raster.blend_components import stored_components, with_missing
from refnvn.raster.blend_factors import Factors, Operands, Values
from refnvn.rules.fields import Rules

_LEAST = {NumericClass.UNORM: 0.0, NumericClass.SNORM: -1.0}


def _float32(values: Float64) -> Float64:
    return values.astype(np.float32).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Float32Arithmetic:
    """Blending in float32: implements ``blend_factors.Arithmetic`` with float64 that hold float32.

    Attributes
    ----------
    fmt : Format
        Any format that blends.
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
        """Return values, clamped to the range of a normalised target; NaN is 0 there."""
        wide = values.astype(np.float64)
        least = _LEAST.get(self.fmt.numeric_class)
        return wide if least is None else np.clip(np.where(np.isnan(wide), 0.0, wide), least, 1.0)

    def constant(self, values: Float32) -> Float64:
        """Return the blend colour."""
        return self.source(values)

    def destination(self, codes: UInt32) -> Float64:
        """Return what is stored."""
        return with_missing(self.fmt, codes, self._read, 1.0)

    def _read(self, codes: UInt32, component: Component) -> Float64:
        return component_value(self.fmt, component, codes, self.rules).astype(np.float64)

    def one_minus(self, values: Values) -> Float64:
        """Return 1 - values."""
        return _float32(1.0 - values)

    def combine(self, equation: BlendEquation, operands: Operands, factors: Factors) -> Float64:
        """Return what the equation gives."""
        source, destination = operands.source, operands.destination
        if equation is BlendEquation.MIN:
            return np.fmin(source, destination)
        if equation is BlendEquation.MAX:
            return np.fmax(source, destination)
        a, b = _float32(source * factors.source), _float32(destination * factors.destination)
        return _float32(
            a - b if equation is BlendEquation.SUB else b - a if equation is BlendEquation.REVERSE_SUB else a + b
        )

    def codes(self, values: Float64) -> UInt32:
        """Return what results are stored as."""
        return stored_components(self.fmt, values.astype(np.float32), self._store, self.rules)

    def _store(self, values: Float32, component: Component) -> UInt32:
        return component_code(self.fmt, component, values, self.rules)
