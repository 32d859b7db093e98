"""How do unorm and snorm targets blend? In codes, exactly, with one rounding at the end.

Source, second source and constant become codes of the target first, so nothing finer than a code ever takes part.
Packed targets blend in more bits than they store: 5, 6, 4 and 1-bit fields in eight, the 2-bit alpha in ten.

sRGB targets blend in halves: ``blend_srgb.py``. Read next: ``blend.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from refnvn.enumerations import BlendEquation
from refnvn.formats.codec import component_code
from refnvn.formats.floatbits import Float32, Int64, UInt32
from refnvn.formats.norm import encode_snorm, encode_unorm, sign_extended
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.raster.blend_components import stored_components, with_missing
from refnvn.raster.blend_factors import Factors, Operands, Values
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

_LEAST_BITS = 8


@rule(
    "RASTER-BLEND-4",
    "The stored code of a packed field takes part in a blend repeated to 8 bits, the 2-bit alpha repeated to 10; "
    "the result keeps its top bits, the 2-bit alpha by its own store rule.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pipeline-rules"),
)
def widened(codes: UInt32, bits: int, wide_bits: int) -> Int64:
    """Return codes of ``bits`` bits repeated until they fill ``wide_bits``.

    >>> widened(np.array([16], np.uint32), 5, 8).tolist(), widened(np.array([2], np.uint32), 2, 10).tolist()
    ([132], [682])
    """
    wide = np.zeros(codes.shape, dtype=np.int64)
    for position in range(wide_bits - bits, -bits, -bits):
        shifted = codes.astype(np.int64)
        wide |= shifted << position if position >= 0 else shifted >> -position
    return wide


def nearest_whole(total: Any, reciprocal: Any, half: Any) -> Any:
    """Multiply by the reciprocal of the code of one and round to nearest.

    The quotients of whole numbers by an odd one keep so far from ties that this is exact: in float32 for codes of up
    to 10 bits, in float64 for 16. So the same line serves arrays and compiled code.

    >>> float(nearest_whole(255.0 * 255 + 9, 1 / 255, 0.5))
    255.0
    """
    return np.floor(total * reciprocal + half)


@rule(
    "RASTER-BLEND-3",
    "On a unorm or snorm target the blend of codes is exact, clamped to the target's range, and rounded once to the "
    "nearest code.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors",),
    exactness="correctly rounded",
)
def rounded_quotient(products: Int64, one: int, least: int) -> Int64:
    """Divide sums of products of two codes by the code of one, to nearest; ``one`` is odd, so there are no ties.

    >>> rounded_quotient(np.array([255 * 255 + 9, 128 * 128, -5]), 255, 0).tolist()
    [255, 64, 0]
    """
    clamped = np.clip(products, least * one, one * one).astype(np.float64)
    whole: Int64 = nearest_whole(clamped, 1.0 / one, 0.5).astype(np.int64)
    return whole


@rule(
    "RASTER-BLEND-2",
    "On a unorm or snorm target source, second source and constant become codes of the target, of all bits that "
    "take part, before anything is multiplied.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors",),
    fields=("store_norm",),
)
def source_codes(values: Float32, bits: int, rules: Rules, *, signed: bool) -> Int64:
    """Return the codes that values take part in a blend as, of ``bits`` bits."""
    if signed:
        return sign_extended(encode_snorm(values, bits, rules), bits)
    return encode_unorm(values, bits, rules).astype(np.int64)


@dataclass(frozen=True, slots=True)
class NormArithmetic:
    """Blending in codes: implements ``blend_factors.Arithmetic`` with int64.

    Attributes
    ----------
    fmt : Format
        Unorm or snorm, not sRGB.
    rules : Rules
        Reads what the conversions need.
    """

    fmt: Format
    rules: Rules

    @property
    def signed(self) -> bool:
        """Whether codes have a sign."""
        return self.fmt.numeric_class is NumericClass.SNORM

    @property
    def bits(self) -> int:
        """How many bits take part."""
        return max(_LEAST_BITS, *(c.bits for c in self.fmt.components))

    @property
    def one(self) -> int:
        """The code of 1."""
        return (1 << self.bits - self.signed) - 1

    def source(self, values: Float32) -> Int64:
        """Return the codes of values."""
        return source_codes(values, self.bits, self.rules, signed=self.signed)

    def constant(self, values: Float32) -> Int64:
        """Return the codes of the blend colour."""
        return self.source(values)

    def destination(self, codes: UInt32) -> Int64:
        """Return stored codes widened to the bits that take part."""
        return with_missing(self.fmt, codes, self.widened, self.one)

    def widened(self, codes: UInt32, component: Component) -> Int64:
        """Return the stored codes of one component in the bits that take part."""
        if self.signed:
            return np.maximum(sign_extended(codes, component.bits), -self.one)
        if component.bits == self.bits:
            return codes.astype(np.int64)
        return widened(codes, component.bits, self.bits)

    def one_minus(self, values: Values) -> Values:
        """Return 1 - values, exactly: up to two where codes have a sign."""
        return self.one - values

    def combine(self, equation: BlendEquation, operands: Operands, factors: Factors) -> Int64:
        """Return the wide codes that the equation gives."""
        source, destination = operands.source, operands.destination
        if equation is BlendEquation.MIN:
            return np.minimum(source, destination)
        if equation is BlendEquation.MAX:
            return np.maximum(source, destination)
        a, b = source * factors.source, destination * factors.destination
        total = a - b if equation is BlendEquation.SUB else b - a if equation is BlendEquation.REVERSE_SUB else a + b
        return rounded_quotient(total, self.one, -self.one if self.signed else 0)

    def codes(self, values: Int64) -> UInt32:
        """Return what wide codes are stored as, in the order of the format's components."""
        return stored_components(self.fmt, values, self.narrowed, self.rules)

    def narrowed(self, wide: Int64, component: Component) -> UInt32:
        """Return the codes that wide ones are stored as in one component."""
        if component.bits == self.bits and component.name != "X":
            return (wide & ((1 << self.bits) - 1)).astype(np.uint32)
        return component_code(self.fmt, component, wide.astype(np.float32) / np.float32(self.one), self.rules)
