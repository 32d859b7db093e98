"""How do float targets blend? In the format's own precision, with two guard bits and one sticky bit.

Half, 11 and 10-bit targets blend in halves, 32-bit targets in float32. One operation is ``a * b + c * d`` with both
products exact; what lies below the guard bits of the larger one is cut off each product, leaving half a guard unit,
so bits that cancellation would bring back are lost. float64 holds every number here exactly.

NaN results are always the same NaN. Read next: ``blend.py``, ``advanced_blend.py`` (chains of such operations).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation
from refnvn.formats.floatbits import Float32, Float64, UInt32
from refnvn.formats.small_float import decode_half, decode_small_float, encode_half, encode_unsigned_float
from refnvn.formats.table import Component, Format
from refnvn.raster.blend_components import stored_components, with_missing
from refnvn.raster.blend_factors import Factors, Operands, Values
from refnvn.raster.either import binary_exponent, chosen, two_to_the
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

GUARD_BITS = 2
_NO_EXPONENT = -5000
"""Below every exponent of a product of two float32."""
_HALF_NAN = 0x7FFF
_FLOAT_NAN = 0x7FFFFFFF


class Precision(NamedTuple):
    """A float format that a blender computes in.

    Attributes
    ----------
    mantissa_bits : int
        Without the leading one.
    least_exponent, largest_exponent : int
        Of normal numbers.
    flushes : bool
        Whether denormals count as zero of their sign, going in and coming out.
    """

    mantissa_bits: int
    least_exponent: int
    largest_exponent: int
    flushes: bool


HALF = Precision(10, -14, 15, False)
SINGLE = Precision(23, -126, 127, True)


def exponent_of(values: Float64) -> NDArray[np.int64]:
    """Return floor(log2(abs(value))); far below all others for zero.

    >>> exponent_of(np.array([1.0, 0.75, -8.0])).tolist()
    [0, -1, 3]
    """
    exponent: NDArray[np.int64] = chosen(values == 0, _NO_EXPONENT, binary_exponent(values))
    return exponent


@rule(
    "RASTER-BLEND-8",
    "A result of the float blender is rounded to nearest even; beyond the range it becomes infinite.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors",),
    exactness="correctly rounded",
)
def rounded(values: Float64, precision: Precision) -> Float64:
    """Round to a precision, denormals included.

    >>> rounded(np.array([1 + 2.0**-11, 65520.0]), HALF).tolist()
    [1.0, inf]
    """
    last_bit = np.maximum(exponent_of(values), precision.least_exponent) - precision.mantissa_bits
    nearest = np.rint(values * two_to_the(-last_bit)) * two_to_the(last_bit)
    found: Float64 = _bounded(chosen(np.isfinite(values), nearest, values), precision)
    return found


def _bounded(values: Float64, precision: Precision) -> Any:
    """Return values with those beyond the range infinite."""
    beyond = np.abs(values) >= two_to_the(precision.largest_exponent + 1)
    return chosen(beyond, np.copysign(np.inf, values), values)


def flushed(values: Float64, precision: Precision) -> Any:
    """Return values with denormals flushed to zero of their sign, where a precision does so."""
    if not precision.flushes:
        return values
    return chosen(np.abs(values) < two_to_the(precision.least_exponent), np.copysign(0.0, values), values)


def _product(a: Float64, b: Float64) -> Any:
    """Multiply exactly; zero times anything, infinities and NaN included, is a zero of the product's sign."""
    zero = np.copysign(0.0, a) * np.copysign(1.0, b)
    return chosen((a == 0) | (b == 0), zero, a * b)


def _sum_of_zeros(p: Float64, q: Float64, d: Float64) -> Any:
    """Return the zero that two zero products add up to: the second one's sign, unless its factor ``d`` is zero."""
    return chosen(d == 0, p, q)


def _cut_with_sticky(values: Float64, last_bit: NDArray[np.int64]) -> Any:
    """Cut below a bit toward zero; where something was lost, half of the bit stands for it."""
    units = values * two_to_the(-last_bit)
    whole = np.trunc(units)
    return chosen(whole == units, values, (whole + np.copysign(0.5, units)) * two_to_the(last_bit))


def _operation(a: Float64, b: Float64, c: Float64, d: Float64, precision: Precision) -> Any:
    p, q = _product(a, b), _product(c, d)
    larger = np.maximum(
        chosen(p == 0, _NO_EXPONENT, exponent_of(a) + exponent_of(b)),
        chosen(q == 0, _NO_EXPONENT, exponent_of(c) + exponent_of(d)),
    )
    guard = np.maximum(larger, -900) - precision.mantissa_bits - GUARD_BITS
    total = _cut_with_sticky(p, guard) + _cut_with_sticky(q, guard)
    units = np.trunc(total * two_to_the(-guard))
    cut = chosen(total == 0, total, units * two_to_the(guard) + 0.0)  # what is cut to nothing is +0
    last_bit = np.maximum(exponent_of(cut), precision.least_exponent) - precision.mantissa_bits
    sum_ = chosen(last_bit <= guard, cut, rounded(total, precision))
    sum_ = flushed(_bounded(sum_, precision), precision)
    plain = p + q
    found = chosen(np.isfinite(plain), sum_, plain)
    return chosen((p == 0) & (q == 0), _sum_of_zeros(p, q, d), found)


@rule(
    "RASTER-BLEND-6",
    "The float blender computes a * b + c * d with exact products (zero times anything is zero); both are cut at two "
    "guard bits below the larger sum of factors' exponents, leaving half a guard unit for what was lost; the sum is "
    "rounded to nearest even, or cut at the guard unit where its last bit has sunk that low.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pixel-rules"),
)
def multiply_add(a: Any, b: Any, c: Any, d: Any, precision: Precision = HALF) -> Float64:
    """Return ``a * b + c * d`` as one operation of the blender; negate ``c`` to subtract.

    Parameters
    ----------
    a, b, c, d : float64, shapes that fit each other
        Numbers of the precision.
    precision : Precision

    Returns
    -------
    float64
        Numbers of the precision.

    Examples
    --------
    >>> float(multiply_add(2048.0, 1.0, 1.0, 1.0)), float(multiply_add(1.0, 1.0, -(2.0**-13), 1.0))
    (2048.0, 1.0)
    """
    with np.errstate(all="ignore"):  # infinities and NaN are results like others
        first, second, third, fourth = (np.asarray(one, dtype=np.float64) for one in (a, b, c, d))
        found: Float64 = _operation(first, second, third, fourth, precision)
        return found


def multiply(a: Any, b: Any, precision: Precision = HALF) -> Float64:
    """Return a product as one operation of the blender."""
    return multiply_add(a, b, 0.0, 0.0, precision)


def add(a: Any, b: Any, precision: Precision = HALF) -> Float64:
    """Return a sum as one operation of the blender."""
    return multiply_add(a, 1.0, b, 1.0, precision)


def one_minus(values: Values, precision: Precision = HALF) -> Float64:
    """Return 1 - values, rounded to nearest even; a NaN has no sign."""
    found: Float64 = chosen(np.isnan(values), np.nan, flushed(rounded(1.0 - values, precision), precision))
    return found


def to_half(values: Any, rules: Rules) -> Float64:
    """Return float32 values as the halves that a store makes of them."""
    return decode_half(encode_half(values, rules)).astype(np.float64)


@rule(
    "RASTER-BLEND-7",
    "On a float target source, second source and constant become halves as a store makes them, or float32 whose "
    "denormals count as zero, as do those of a float32 target; one minus a value is rounded to nearest even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pixel-rules"),
    fields=("store_float",),
)
def source_values(values: Float32, precision: Precision, rules: Rules) -> Float64:
    """Return values as the blender of a float target takes them."""
    if precision is SINGLE:
        wide: Float64 = flushed(values.astype(np.float64), SINGLE)
        return wide
    return to_half(values, rules)


@dataclass(frozen=True, slots=True)
class FloatArithmetic:
    """Blending in floats: implements ``blend_factors.Arithmetic`` with float64 that hold halves or float32.

    Attributes
    ----------
    fmt : Format
        A float format, not sRGB.
    rules : Rules
        Reads ``store_float``.
    """

    fmt: Format
    rules: Rules

    @property
    def precision(self) -> Precision:
        """What the blender computes in."""
        return SINGLE if self.fmt.components[0].bits == 32 else HALF

    @property
    def one(self) -> float:
        """One."""
        return 1.0

    def source(self, values: Float32) -> Float64:
        """Return values as the blender takes them."""
        return source_values(values, self.precision, self.rules)

    def constant(self, values: Float32) -> Float64:
        """Return the blend colour as the blender takes it."""
        return self.source(values)

    def destination(self, codes: UInt32) -> Float64:
        """Return what is stored."""
        return with_missing(self.fmt, codes, self.read, 1.0)

    def read(self, codes: UInt32, component: Component) -> Float64:
        """Return what the codes of one component mean."""
        if component.bits == 32:
            wide: Float64 = flushed(codes.view(np.float32).astype(np.float64), SINGLE)
            return wide
        return decode_small_float(codes, _MANTISSA_BITS[component.bits], signed=component.bits == 16).astype(
            np.float64
        )

    def one_minus(self, values: Values) -> Float64:
        """Return 1 - values, rounded to the precision."""
        return one_minus(values, self.precision)

    def combine(self, equation: BlendEquation, operands: Operands, factors: Factors) -> Float64:
        """Return what the equation gives, in the precision."""
        return combine(equation, operands, factors, self.precision)

    def codes(self, values: Float64) -> UInt32:
        """Return what results are stored as: cut to 11 or 10 bits where the target has so few."""
        return stored_components(self.fmt, values, self.store, self.rules)

    def store(self, values: Float64, component: Component) -> UInt32:
        """Return what results are stored as in one component."""
        if component.bits == 32:
            return np.where(np.isnan(values), _FLOAT_NAN, values.astype(np.float32).view(np.uint32)).astype(np.uint32)
        if component.bits == 16:
            return half_code(values)
        halves = decode_half(half_code(values))
        return encode_unsigned_float(halves, _MANTISSA_BITS[component.bits], self.rules)


_MANTISSA_BITS = {16: 10, 11: 6, 10: 5}


def half_code(values: Float64) -> UInt32:
    """Return the codes of halves; every NaN is 0x7fff."""
    codes: NDArray[np.uint16] = values.astype(np.float16).view(np.uint16)
    return np.where(np.isnan(values), _HALF_NAN, codes).astype(np.uint32)


def _greater(a: Float64, b: Float64) -> Float64:
    """Return the greater number; +0 is greater than -0."""
    found: Float64 = chosen((a == 0) & (b == 0), a + b, np.fmax(a, b))
    return found


@rule(
    "RASTER-BLEND-9",
    "MIN and MAX of floats take the number where the other is NaN, -0 being less than +0; they know no factors.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pixel-rules"),
)
def combine(equation: BlendEquation, operands: Operands, factors: Factors, precision: Precision) -> Float64:
    """Return what an equation gives in a precision."""
    source, destination = operands.source, operands.destination
    if equation is BlendEquation.MIN:
        return -_greater(-source, -destination)
    if equation is BlendEquation.MAX:
        return _greater(source, destination)
    a = -source if equation is BlendEquation.REVERSE_SUB else source
    b = -destination if equation is BlendEquation.SUB else destination
    return multiply_add(a, factors.source, b, factors.destination, precision)
