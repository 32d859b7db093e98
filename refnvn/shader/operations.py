"""Which operations are there, on what, and what stands for each in every back end?

One table. An operation takes registers and gives one: words seen as ``float``, ``int``, ``uint`` or plain ``word``,
or booleans (``bool``). Its meaning is a function of the arithmetic modules, which NumPy runs on arrays and
``numba_source.py`` copies into kernels; its GLSL is a template. What it does with NaN, denormals, overflow and zero
divisors is what its rules say.

Read next: ``ir.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from refnvn.shader import conversions as convert
from refnvn.shader import division, float_arithmetic, interpolation_unit
from refnvn.shader import float_arithmetic as floats
from refnvn.shader import integer_arithmetic as integers
from refnvn.shader import special_functions as special

BOOLEAN_VIEW = "bool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One row of the table.

    Attributes
    ----------
    name : str
        As the intermediate representation writes it.
    operands : tuple of str
        How each operand is seen: ``float``, ``int``, ``uint``, ``word`` or ``bool``.
    result : str
        How the result is seen.
    function : callable
        ``function(*operands)`` on words and booleans; floating-point ones take ``mode`` last.
    glsl : str
        Template with ``{0}``, ``{1}``, ``{2}`` for the operands.
    rules : tuple of str
        Ids of the rules that say what it gives.
    """

    name: str
    operands: tuple[str, ...]
    result: str
    function: Callable[..., Any]
    glsl: str
    rules: tuple[str, ...]

    @property
    def is_float(self) -> bool:
        """Whether it does floating-point arithmetic, so that denormals, and ``mode``, matter."""
        return "SHADER-DENORM-1" in self.rules

    def apply(self, operands: Sequence[Any], mode: int) -> Any:
        """Return the result on arrays (or scalars) of words and booleans."""
        return self.function(*operands, mode) if self.is_float else self.function(*operands)

    def behaviour(self) -> str:
        """Return what its rules say, one sentence a rule."""
        from refnvn.rules.registry import rules_named

        return " ".join(one.says for one in rules_named(self.rules))


_ARITHMETIC = "SHADER-DENORM-1 SHADER-NAN-1 "
_SEEN = "SHADER-DENORM-1 "
_UNIT = _ARITHMETIC + "SHADER-UNIT-1 "
_POWER = _UNIT + "SHADER-POW-1 SHADER-EXP2-1 SHADER-LOG2-1 SHADER-MUL-1"

_TABLE: tuple[tuple[str, str, str, Callable[..., Any], str, str], ...] = (
    ("word.move", "word", "word", convert.word_move, "{0}", "SHADER-MOVE-1"),
    ("word.select", "bool word word", "word", convert.word_select, "{0} ? {1} : {2}", "SHADER-MOVE-1"),
    ("bool.move", "bool", "bool", convert.boolean_move, "{0}", "SHADER-MOVE-1"),
    ("bool.select", "bool bool bool", "bool", convert.boolean_select, "{0} ? {1} : {2}", "SHADER-MOVE-1"),
    ("float.add", "float float", "float", floats.float_add, "{0} + {1}", _ARITHMETIC + "SHADER-ADD-1"),
    ("float.sub", "float float", "float", floats.float_sub, "{0} - {1}", _ARITHMETIC + "SHADER-ADD-1"),
    ("float.mul", "float float", "float", floats.float_mul, "{0} * {1}", _ARITHMETIC + "SHADER-MUL-1"),
    ("float.fma", "float float float", "float", floats.float_fma, "fma({0}, {1}, {2})", _ARITHMETIC + "SHADER-FMA-1"),
    ("float.div", "float float", "float", division.float_div, "{0} / {1}",
     _UNIT + "SHADER-DIV-1 SHADER-RCP-1 SHADER-MUL-1"),
    ("float.rcp", "float", "float", division.float_rcp, "1.0 / {0}", _UNIT + "SHADER-RCP-1"),
    ("float.sqrt", "float", "float", division.float_sqrt, "sqrt({0})", _UNIT + "SHADER-SQRT-1"),
    ("float.inverse_sqrt", "float", "float", division.float_inverse_sqrt, "inversesqrt({0})",
     _UNIT + "SHADER-RSQ-1"),
    ("float.exp2", "float", "float", special.float_exp2, "exp2({0})", _UNIT + "SHADER-EXP2-1"),
    ("float.log2", "float", "float", special.float_log2, "log2({0})", _UNIT + "SHADER-LOG2-1"),
    ("float.exp", "float", "float", special.float_exp, "exp({0})", _POWER),
    ("float.log", "float", "float", special.float_log, "log({0})", _POWER),
    ("float.pow", "float float", "float", special.float_pow, "pow({0}, {1})", _POWER),
    ("float.sin", "float", "float", special.float_sin, "sin({0})", _UNIT + "SHADER-SIN-1"),
    ("float.cos", "float", "float", special.float_cos, "cos({0})", _UNIT + "SHADER-SIN-1"),
    ("float.neg", "float", "float", floats.float_neg, "-({0})", _ARITHMETIC + "SHADER-SIGN-1"),
    ("float.abs", "float", "float", floats.float_abs, "abs({0})", _ARITHMETIC + "SHADER-SIGN-1"),
    ("float.sign", "float", "float", floats.float_sign, "sign({0})", _SEEN + "SHADER-SIGN-2"),
    ("float.min", "float float", "float", floats.float_min, "min({0}, {1})", _ARITHMETIC + "SHADER-MIN-1"),
    ("float.max", "float float", "float", floats.float_max, "max({0}, {1})", _ARITHMETIC + "SHADER-MIN-1"),
    ("float.saturate", "float", "float", floats.float_saturate, "clamp({0}, 0.0, 1.0)", _SEEN + "SHADER-SATURATE-1"),
    ("float.floor", "float", "float", floats.float_floor, "floor({0})", _ARITHMETIC + "SHADER-ROUND-1"),
    ("float.ceil", "float", "float", floats.float_ceil, "ceil({0})", _ARITHMETIC + "SHADER-ROUND-1"),
    ("float.trunc", "float", "float", floats.float_trunc, "trunc({0})", _ARITHMETIC + "SHADER-ROUND-1"),
    ("float.round_even", "float", "float", floats.float_round_even, "roundEven({0})", _ARITHMETIC + "SHADER-ROUND-1"),
    ("float.fract", "float", "float", floats.float_fract, "fract({0})",
     _ARITHMETIC + "SHADER-FRACT-1 SHADER-ROUND-1 SHADER-ADD-1"),
    ("float.less", "float float", "bool", floats.float_less, "{0} < {1}", _SEEN + "SHADER-COMPARE-1"),
    ("float.less_equal", "float float", "bool", floats.float_less_equal, "{0} <= {1}", _SEEN + "SHADER-COMPARE-1"),
    ("float.equal", "float float", "bool", floats.float_equal, "{0} == {1}", _SEEN + "SHADER-COMPARE-1"),
    ("float.not_equal", "float float", "bool", floats.float_not_equal, "{0} != {1}", _SEEN + "SHADER-COMPARE-1"),
    ("float.is_nan", "float", "bool", floats.float_is_nan, "isnan({0})", "SHADER-CLASS-1"),
    ("float.is_infinite", "float", "bool", floats.float_is_infinite, "isinf({0})", "SHADER-CLASS-1"),
    ("float.from_int", "int", "float", convert.float_from_int, "float({0})", "SHADER-FROMINT-1"),
    ("float.from_uint", "uint", "float", convert.float_from_uint, "float({0})", "SHADER-FROMINT-1"),
    ("float.from_half", "word", "float", convert.float_from_half, "unpackHalf2x16({0}).x",
     _ARITHMETIC + "SHADER-HALF-1"),
    ("half.from_float", "float", "word", convert.half_from_float, "packHalf2x16(vec2({0}, 0.0))",
     _SEEN + "SHADER-HALF-1"),
    ("int.from_float", "float", "int", convert.int_from_float, "int({0})", _SEEN + "SHADER-TOINT-1"),
    ("uint.from_float", "float", "uint", convert.uint_from_float, "uint(max({0}, 0.0))", _SEEN + "SHADER-TOINT-1"),
    ("word.from_bool", "bool", "word", convert.word_from_boolean, "uint({0})", "SHADER-MOVE-1"),
    ("word.add", "word word", "word", integers.word_add, "{0} + {1}", "SHADER-INT-1"),
    ("word.sub", "word word", "word", integers.word_sub, "{0} - {1}", "SHADER-INT-1"),
    ("word.mul", "word word", "word", integers.word_mul, "{0} * {1}", "SHADER-INT-1"),
    ("word.neg", "word", "word", integers.word_neg, "0u - {0}", "SHADER-INT-1"),
    ("uint.mul_high", "uint uint", "uint", integers.uint_mul_high, "refnvn_umulh({0}, {1})", "SHADER-INT-1"),
    ("int.mul_high", "int int", "int", integers.int_mul_high, "refnvn_imulh({0}, {1})", "SHADER-INT-1"),
    ("uint.div", "uint uint", "uint", integers.uint_div, "{1} == 0u ? 0xffffffffu : {0} / {1}", "SHADER-INTDIV-1"),
    ("int.div", "int int", "int", integers.int_div, "{1} == 0 ? -1 : {0} / {1}", "SHADER-INTDIV-1"),
    ("uint.rem", "uint uint", "uint", integers.uint_rem, "{1} == 0u ? 0xffffffffu : {0} % {1}",
     "SHADER-INTREM-1 SHADER-INTDIV-1"),
    ("uint.min", "uint uint", "uint", integers.uint_min, "min({0}, {1})", "SHADER-BITS-1"),
    ("uint.max", "uint uint", "uint", integers.uint_max, "max({0}, {1})", "SHADER-BITS-1"),
    ("int.min", "int int", "int", integers.int_min, "min({0}, {1})", "SHADER-BITS-1"),
    ("int.max", "int int", "int", integers.int_max, "max({0}, {1})", "SHADER-BITS-1"),
    ("int.abs", "int", "int", integers.int_abs, "abs({0})", "SHADER-BITS-1"),
    ("uint.less", "uint uint", "bool", integers.uint_less, "{0} < {1}", "SHADER-BITS-1"),
    ("uint.less_equal", "uint uint", "bool", integers.uint_less_equal, "{0} <= {1}", "SHADER-BITS-1"),
    ("int.less", "int int", "bool", integers.int_less, "{0} < {1}", "SHADER-BITS-1"),
    ("int.less_equal", "int int", "bool", integers.int_less_equal, "{0} <= {1}", "SHADER-BITS-1"),
    ("word.equal", "word word", "bool", integers.word_equal, "{0} == {1}", "SHADER-BITS-1"),
    ("word.not_equal", "word word", "bool", integers.word_not_equal, "{0} != {1}", "SHADER-BITS-1"),
    ("word.and", "word word", "word", integers.word_and, "{0} & {1}", "SHADER-BITS-1"),
    ("word.or", "word word", "word", integers.word_or, "{0} | {1}", "SHADER-BITS-1"),
    ("word.xor", "word word", "word", integers.word_xor, "{0} ^ {1}", "SHADER-BITS-1"),
    ("word.not", "word", "word", integers.word_not, "~{0}", "SHADER-BITS-1"),
    ("word.shift_left", "word word", "word", integers.word_shift_left, "{0} << ({1} & 31u)", "SHADER-SHIFT-1"),
    ("uint.shift_right", "uint uint", "uint", integers.uint_shift_right, "{0} >> ({1} & 31u)", "SHADER-SHIFT-1"),
    ("int.shift_right", "int uint", "int", integers.int_shift_right, "{0} >> int({1} & 31u)", "SHADER-SHIFT-1"),
    ("word.bit_count", "word", "word", integers.word_bit_count, "uint(bitCount({0}))", "SHADER-BITS-2"),
    ("word.find_lsb", "word", "word", integers.word_find_lsb, "uint(findLSB({0}))", "SHADER-BITS-2"),
    ("uint.find_msb", "uint", "word", integers.uint_find_msb, "uint(findMSB({0}))", "SHADER-BITS-2"),
    ("int.find_msb", "int", "word", integers.int_find_msb, "uint(findMSB({0}))", "SHADER-BITS-2"),
    ("word.reverse", "word", "word", integers.word_reverse, "bitfieldReverse({0})", "SHADER-BITS-2"),
    ("bool.and", "bool bool", "bool", integers.boolean_and, "{0} && {1}", "SHADER-BITS-1"),
    ("bool.or", "bool bool", "bool", integers.boolean_or, "{0} || {1}", "SHADER-BITS-1"),
    ("bool.xor", "bool bool", "bool", integers.boolean_xor, "{0} != {1}", "SHADER-BITS-1"),
    ("bool.not", "bool", "bool", integers.boolean_not, "!{0}", "SHADER-BITS-1"),
)  # fmt: skip

OPERATIONS: dict[str, Operation] = {
    name: Operation(
        name=name, operands=tuple(operands.split()), result=result, function=function, glsl=glsl,
        rules=tuple(rules.split()),
    )
    for name, operands, result, function, glsl, rules in _TABLE
}  # fmt: skip
"""Every operation by name."""

ARITHMETIC_MODULES = (float_arithmetic, interpolation_unit, division, special, integers, convert)
"""The modules whose text kernels copy, in an order in which each uses only what stands before."""
