"""What is multiplied with the source and the destination? The blend factors, for any number of channels.

A factor is chosen by name, once for the colours and once for alpha. How one minus a value comes about, and which
number means one, depends on the arithmetic: ``blend_norm.py`` counts in codes, ``blend_float.py`` in floats.

Read next: ``blend.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Values = NDArray[Any]
"""Shape (lanes, 4): R, G, B, A, as int64 codes or as float64 values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operands:
    """What one blend reads, already in the numbers of its arithmetic; each of shape (lanes, 4).

    Attributes
    ----------
    source, source1 : array
        The two outputs of the shader.
    destination : array
        What is stored; alpha is one where the format has none.
    constant : array
        The blend colour, the same in every lane.
    """

    source: Values
    source1: Values
    destination: Values
    constant: Values


class Arithmetic(Protocol):
    """How a class of formats counts while it blends."""

    @property
    def one(self) -> Any:
        """The number that means 1."""

    def source(self, values: NDArray[np.float32]) -> Values:
        """Return a shader's outputs, or the constant, in this arithmetic."""

    def constant(self, values: NDArray[np.float32]) -> Values:
        """Return the blend colour in this arithmetic."""

    def destination(self, codes: NDArray[np.uint32]) -> Values:
        """Return stored codes in this arithmetic."""

    def one_minus(self, values: Values) -> Values:
        """Return 1 - values."""

    def combine(self, equation: BlendEquation, operands: Operands, factors: Factors) -> Values:
        """Return what the equation gives, not yet as codes."""

    def codes(self, values: Values) -> NDArray[np.uint32]:
        """Return the codes of results, component by component of the format."""


@dataclass(frozen=True, slots=True)
class Factors:
    """The factors of one equation, shape (lanes, 4)."""

    source: Values
    destination: Values


_PLAIN = {
    BlendFunc.SRC_COLOR: ("source", False),
    BlendFunc.SRC_ALPHA: ("source", True),
    BlendFunc.DST_COLOR: ("destination", False),
    BlendFunc.DST_ALPHA: ("destination", True),
    BlendFunc.SRC1_COLOR: ("source1", False),
    BlendFunc.SRC1_ALPHA: ("source1", True),
    BlendFunc.CONSTANT_COLOR: ("constant", False),
    BlendFunc.CONSTANT_ALPHA: ("constant", True),
}
"""Which operand, and whether its alpha serves all channels."""

_ONE_MINUS = {
    BlendFunc.ONE_MINUS_SRC_COLOR: BlendFunc.SRC_COLOR,
    BlendFunc.ONE_MINUS_SRC_ALPHA: BlendFunc.SRC_ALPHA,
    BlendFunc.ONE_MINUS_DST_COLOR: BlendFunc.DST_COLOR,
    BlendFunc.ONE_MINUS_DST_ALPHA: BlendFunc.DST_ALPHA,
    BlendFunc.ONE_MINUS_SRC1_COLOR: BlendFunc.SRC1_COLOR,
    BlendFunc.ONE_MINUS_SRC1_ALPHA: BlendFunc.SRC1_ALPHA,
    BlendFunc.ONE_MINUS_CONSTANT_COLOR: BlendFunc.CONSTANT_COLOR,
    BlendFunc.ONE_MINUS_CONSTANT_ALPHA: BlendFunc.CONSTANT_ALPHA,
}

_SOURCE1 = {BlendFunc.SRC1_COLOR, BlendFunc.SRC1_ALPHA}


def plain_factor(func: BlendFunc) -> tuple[str, bool, bool]:
    """Return what a factor is made of: which operand, whether its alpha serves all channels, whether one minus it.

    Not for ZERO, ONE and SRC_ALPHA_SATURATE.

    >>> plain_factor(BlendFunc.ONE_MINUS_SRC_ALPHA)
    ('source', True, True)
    """
    return (*_PLAIN[_ONE_MINUS.get(func, func)], func in _ONE_MINUS)


def reads_source1(func: BlendFunc) -> bool:
    """Say whether a factor is made of the second source.

    >>> reads_source1(BlendFunc.ONE_MINUS_SRC1_ALPHA), reads_source1(BlendFunc.SRC_ALPHA)
    (True, False)
    """
    return _ONE_MINUS.get(func, func) in _SOURCE1


@rule(
    "RASTER-BLEND-1",
    "A factor is 0, 1, or a colour or alpha of source, destination, second source or constant, or one minus that; "
    "SRC_ALPHA_SATURATE is min(As, 1 - Ad) for colours and 1 for alpha.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "gl-blending"),
    ledger=("src1-written",),
)
def factor(func: BlendFunc, operands: Operands, arithmetic: Arithmetic) -> Values:
    """Return a factor for all four channels, shape (lanes, 4).

    Parameters
    ----------
    func : BlendFunc
    operands : Operands
    arithmetic : Arithmetic
        Gives one and one minus.
    """
    if func is BlendFunc.ZERO:
        return np.zeros_like(operands.source)
    if func is BlendFunc.ONE:
        return np.full_like(operands.source, arithmetic.one)
    if func is BlendFunc.SRC_ALPHA_SATURATE:
        left = arithmetic.one_minus(operands.destination[:, 3:])
        found = np.full_like(operands.source, arithmetic.one)
        found[:, :3] = np.fmin(operands.source[:, 3:], left)
        return found
    name, of_alpha, is_one_minus = plain_factor(func)
    whole: Values = getattr(operands, name)
    values = np.broadcast_to(whole[:, 3:], whole.shape) if of_alpha else whole
    return arithmetic.one_minus(values) if is_one_minus else values
