"""What do quotients, reciprocals and roots give in a shader?

The hardware has no divider: a quotient is the dividend times the reciprocal of the divisor, so x / x may fall short
of 1 and a divisor above 2^126, whose reciprocal would be a denormal, gives 0. Reciprocal and roots come from a unit
whose last bit is not always the nearest one; here they are rounded to nearest, and each rule states how far
measurement departs from that.

The text is written for arrays and scalars alike: see ``bits.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import EXACT_DIVISION, Word, select
from refnvn.shader.float_arithmetic import float_mul, number, result


@rule(
    "SHADER-RCP-1",
    "The reciprocal is rounded to nearest here, within 1 ULP of the measured one, which is the nearest for 86.8 % of "
    "all mantissas; a denormal's is an infinity, and one that would be denormal is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors", "reciprocal-table"),
    exactness="within 1 ULP",
)
def float_rcp(a: Word, mode: int) -> Word:
    """Return 1 / a.

    >>> hex(int(float_rcp(np.uint32(0x40000000), 0)))
    '0x3f000000'
    """
    return result(np.float32(np.float32(1) / number(a, mode)), mode)


def exact_quotient(a: Word, b: Word, mode: int) -> Word:
    """Return a / b rounded once."""
    return result(np.float32(number(a, mode) / number(b, mode)), mode)


@rule(
    "SHADER-DIV-1",
    "A quotient is the dividend times the reciprocal of the divisor, each rounded and flushed.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
    exactness="exact given the reciprocal",
    fields=("shader_division",),
)
def float_div(a: Word, b: Word, mode: int) -> Word:
    """Return a / b.

    >>> hex(int(float_div(np.uint32(0x7F7FFFFF), np.uint32(0x7F7FFFFF), 0)))
    '0x0'
    """
    by_reciprocal = float_mul(a, float_rcp(b, mode), mode)
    return select((mode & EXACT_DIVISION) != 0, exact_quotient(a, b, mode), by_reciprocal)


@rule(
    "SHADER-SQRT-1",
    "The square root is rounded to nearest here, within 1 ULP of the measured one; that of a negative number is NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
    exactness="within 1 ULP",
)
def float_sqrt(a: Word, mode: int) -> Word:
    """Return the square root."""
    return result(np.sqrt(number(a, mode)), mode)


@rule(
    "SHADER-RSQ-1",
    "The inverse square root is rounded to nearest here, within 2 ULP of the measured one; those of +0 and -0 are "
    "the infinities, that of a negative number is NaN.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-vectors",),
    exactness="within 2 ULP",
)
def float_inverse_sqrt(a: Word, mode: int) -> Word:
    """Return 1 / sqrt(a)."""
    return result(np.float32(np.float64(1) / np.sqrt(np.float64(number(a, mode)))), mode)
