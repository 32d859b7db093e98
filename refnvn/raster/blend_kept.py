"""Which pixels does a blend leave as they are? Those whose sources show at once that nothing would change.

The chip looks at the source only: whether its colours are all zero or all one, and its alpha zero or one. A pixel
that cannot change is not written, so what a blend would have disturbed survives: the payload of a NaN, the sign of a
zero, a denormal, the lowest snorm code.

Read next: ``blend.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc
from refnvn.formats.floatbits import Float32
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.blend_components import channel_of
from refnvn.raster.blend_factors import Arithmetic, Operands, Values
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Bools = NDArray[np.bool_]
_ALPHA = 3


class Equation(NamedTuple):
    """An equation and its factors."""

    equation: BlendEquation
    source: BlendFunc
    destination: BlendFunc


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of each pixel's source for one equation, each of shape (lanes,)."""

    zero: Bools
    one: Bools
    alpha_zero: Bools
    alpha_one: Bools
    constant_one: Bools
    constant_alpha_one: Bools

    def is_zero(self, func: BlendFunc) -> Bools:
        """Return where a factor is seen to be zero."""
        return {
            BlendFunc.ZERO: np.ones_like(self.zero),
            BlendFunc.SRC_COLOR: self.zero,
            BlendFunc.ONE_MINUS_SRC_COLOR: self.one,
            BlendFunc.SRC_ALPHA: self.alpha_zero,
            BlendFunc.ONE_MINUS_SRC_ALPHA: self.alpha_one,
            BlendFunc.SRC_ALPHA_SATURATE: self.alpha_zero,
        }.get(func, np.zeros_like(self.zero))

    def is_one(self, func: BlendFunc) -> Bools:
        """Return where a factor is seen to be one."""
        return {
            BlendFunc.ONE: np.ones_like(self.zero),
            BlendFunc.SRC_COLOR: self.one,
            BlendFunc.ONE_MINUS_SRC_COLOR: self.zero,
            BlendFunc.SRC_ALPHA: self.alpha_one,
            BlendFunc.ONE_MINUS_SRC_ALPHA: self.alpha_zero,
            BlendFunc.CONSTANT_COLOR: self.constant_one,
            BlendFunc.CONSTANT_ALPHA: self.constant_alpha_one,
        }.get(func, np.zeros_like(self.zero))


def _seen(channels: list[int], operands: Operands, one: Any) -> _Seen:
    part, constant = operands.source[:, channels], operands.constant[:, channels]
    alpha = operands.source[:, _ALPHA]
    return _Seen(
        (part == 0).all(axis=1),
        (part == one).all(axis=1),
        alpha == 0,
        alpha == one,
        (constant == one).all(axis=1),
        operands.constant[:, _ALPHA] == one,
    )


def _unchanged(equation: Equation, seen: _Seen, normalised: bool) -> Bools:
    """Return where an equation is seen to give back the destination."""
    if equation.equation is BlendEquation.MIN and normalised:
        return seen.one
    found = np.zeros_like(seen.zero)
    if equation.equation in (BlendEquation.ADD, BlendEquation.REVERSE_SUB):
        found = _both(seen.zero | seen.is_zero(equation.source), seen.is_one(equation.destination))
    if equation.equation in (BlendEquation.ADD, BlendEquation.SUB) and equation.source is BlendFunc.DST_COLOR:
        found = found | _both(seen.one, seen.is_zero(equation.destination))
    return found


def _both(one: Any, other: Any) -> Bools:
    found: Bools = one & other
    return found


@rule(
    "RASTER-BLEND-14",
    "A pixel is left as it is where the source (colours all 0 or all 1, alpha 0 or 1) and the names of the factors "
    "tell that the destination would come back in every written channel, unless the source's alpha, or a channel of "
    "it that the target has, is infinite or NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe"),
)
def left_alone(
    color: Equation, alpha: Equation, fmt: Format, mask: int, operands: Operands, arithmetic: Arithmetic
) -> Bools:
    """Return which pixels a blend does not write, shape (lanes,).

    Parameters
    ----------
    color, alpha : Equation
    fmt : Format
    mask : int
        Channels that are written.
    operands : Operands
        Of the target's arithmetic.
    arithmetic : Arithmetic
    """
    source: Values = operands.source
    present = {channel for channel in (channel_of(fmt, one) for one in fmt.components) if channel is not None}
    finite: Bools = np.logical_and.reduce(np.isfinite(source[:, sorted(present | {_ALPHA})]), axis=1)
    normalised = fmt.numeric_class in (NumericClass.UNORM, NumericClass.SNORM)
    colors = sorted(present - {_ALPHA})
    groups = [(color, colors)] if any(mask >> channel & 1 for channel in colors) else []
    if _ALPHA in present and mask >> _ALPHA & 1:
        groups.append((alpha, [_ALPHA]))
    for equation, channels in groups:
        finite = _both(finite, _unchanged(equation, _seen(channels, operands, arithmetic.one), normalised))
    return finite


class LeftAlone(NamedTuple):
    """Which pixels a blend leaves alone, as compiled loops take it.

    Attributes
    ----------
    table : bool, shape (3, 3)
        By colours and alpha, each all zero, all one, or something else; no entry counts for infinities and NaN.
    colors, channels : int64
        The colours that a target has, and all channels that must be finite.
    one : int or float
        What one is.
    """

    table: Bools
    colors: NDArray[np.int64]
    channels: NDArray[np.int64]
    one: Any


def left_alone_by_kind(
    color: Equation, alpha: Equation, fmt: Format, mask: int, constant: Float32, arithmetic: Arithmetic
) -> LeftAlone:
    """Ask the rule once for each kind of source; parameters as of :func:`left_alone`, the constant of shape (4,)."""
    one: Any = arithmetic.one
    kinds = [type(one)(0), one, type(one)(one / 2)]
    source = np.array([[first] * 3 + [last] for first in kinds for last in kinds])
    constants = np.broadcast_to(arithmetic.constant(constant.reshape(1, 4)), source.shape)
    operands = Operands(source=source, source1=source, destination=source, constant=constants)
    present = {channel for channel in (channel_of(fmt, part) for part in fmt.components) if channel is not None}
    return LeftAlone(
        left_alone(color, alpha, fmt, mask, operands, arithmetic).reshape(3, 3),
        np.array(sorted(present - {_ALPHA}), dtype=np.int64),
        np.array(sorted(present | {_ALPHA}), dtype=np.int64),
        one,
    )
