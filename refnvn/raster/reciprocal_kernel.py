"""The reciprocal of w in compiled loops: the very functions of the shader's arithmetic, compiled one on another.

Importing this module imports numba. Read next: ``setup_reciprocal.py`` (the rule), ``lane_kernel.py`` (its use).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.kernel import compiled, rule_compiled
from refnvn.raster import setup_reciprocal
from refnvn.raster.arithmetic_kernel import choice_kernel
from refnvn.shader import bits, division, float_arithmetic, interpolation_unit

_as_float, _as_word = rule_compiled(bits.as_float), rule_compiled(bits.as_word)
_is_nan = rule_compiled(float_arithmetic.is_nan)
_flush = rule_compiled(float_arithmetic.flush, select=choice_kernel)
_one_nan = rule_compiled(float_arithmetic.one_nan, select=choice_kernel, is_nan=_is_nan)
_SQUARES = interpolation_unit.short_square(np.arange(1 << 16, dtype=np.int64), 16).astype(np.uint32)
"""The short square of every distance of 16 bits."""


def _square(x: Any, _dropped: Any) -> Any:
    return np.int64(_SQUARES[x])


_short_square = compiled(_square)
_exponent_of, _mantissa_of = rule_compiled(division.exponent_of), rule_compiled(division.mantissa_of)
_float_rcp = rule_compiled(
    division.float_rcp,
    select=choice_kernel,
    exponent_of=_exponent_of,
    mantissa_of=_mantissa_of,
    is_plain=rule_compiled(division.is_plain, exponent_of=_exponent_of),
    packed=rule_compiled(division.packed),
    interpolate_16=rule_compiled(interpolation_unit.interpolate_16, short_square=_short_square),
    number=rule_compiled(float_arithmetic.number, as_float=_as_float, flush=_flush),
    result=rule_compiled(float_arithmetic.result, as_word=_as_word, flush=_flush, one_nan=_one_nan),
)
reciprocal_kernel: Any = rule_compiled(
    setup_reciprocal.reciprocal, float_rcp=_float_rcp, as_float=_as_float, as_word=_as_word
)
"""``setup_reciprocal.reciprocal`` of one float32, in compiled code."""
