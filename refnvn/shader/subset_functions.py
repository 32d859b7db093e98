"""What does each function of the shader language become?

Functions that the hardware has become one operation a component; the others become what NVIDIA's compiler makes of
them, as far as measurement shows it: ``dot`` a chain of fused products, ``mix(a, b, t)`` = fma(b - a, t, a),
``clamp`` = max(min(x, high), low), so that a NaN gives ``high``.

Read next: ``subset_operators.py``, ``operations.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from refnvn.shader.builder import Builder
from refnvn.shader.ir_base import Axis
from refnvn.shader.subset_operators import binary, chain, compare
from refnvn.shader.subset_values import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Anything,
    Matrix,
    Misuse,
    Type,
    Value,
    aligned,
    componentwise,
    constant,
    splat,
    typed,
)

Lowering = Callable[[Builder, list[Anything]], Anything]


def _floats(builder: Builder, values: list[Anything]) -> list[Value]:
    """Return operands as floats of one size."""
    plain = aligned(builder, [typed(builder, value, FLOAT) for value in values])
    if plain[0].type.kind != FLOAT:
        raise Misuse(f"takes floats, not {plain[0].type}")
    return plain


def _plain(operation: str, arguments: int) -> tuple[int, Lowering]:
    """Return the lowering to one operation on floats."""

    def lower(builder: Builder, values: list[Anything]) -> Value:
        return componentwise(builder, operation, _floats(builder, values), FLOAT)

    return arguments, lower


def _test(operation: str) -> tuple[int, Lowering]:
    def lower(builder: Builder, values: list[Anything]) -> Value:
        return componentwise(builder, operation, _floats(builder, values), BOOL)

    return 1, lower


def _extreme(which: str) -> Callable[[Builder, list[Anything]], Value]:
    """Return ``min`` or ``max``, for each kind of number."""

    def lower(builder: Builder, values: list[Anything]) -> Value:
        plain = aligned(builder, values)
        kind = plain[0].type.kind
        if kind == BOOL:
            raise Misuse("takes numbers, not booleans")
        return componentwise(builder, f"{kind}.{which}", plain, kind)

    return lower


_minimum, _maximum = _extreme("min"), _extreme("max")


def _abs(builder: Builder, values: list[Anything]) -> Value:
    value = typed(builder, values[0])
    if value.type.kind not in (FLOAT, INT):
        raise Misuse(f"takes float or int, not {value.type}")
    return componentwise(builder, f"{value.type.kind}.abs", [value], value.type.kind)


def _clamp(builder: Builder, values: list[Anything]) -> Value:
    value, low, high = aligned(builder, values)
    return _maximum(builder, [_minimum(builder, [value, high]), low])


def _mix(builder: Builder, values: list[Anything]) -> Value:
    a, b, t = _floats(builder, values)
    difference = componentwise(builder, "float.sub", [b, a], FLOAT)
    return componentwise(builder, "float.fma", [difference, t, a], FLOAT)


def _step(builder: Builder, values: list[Anything]) -> Value:
    edge, value = _floats(builder, values)
    reached = compare(builder, ast.LtE(), edge, value)
    one, zero = (splat(constant(builder, n, FLOAT), edge.type.size) for n in (1.0, 0.0))
    return componentwise(builder, "word.select", [reached, one, zero], FLOAT)


def _smoothstep(builder: Builder, values: list[Anything]) -> Value:
    low, high, value = _floats(builder, values)
    span = componentwise(builder, "float.sub", [high, low], FLOAT)
    along = componentwise(builder, "float.sub", [value, low], FLOAT)
    t = componentwise(builder, "float.saturate", [componentwise(builder, "float.div", [along, span], FLOAT)], FLOAT)
    minus_two, three = (splat(constant(builder, n, FLOAT), t.type.size) for n in (-2.0, 3.0))
    squared = componentwise(builder, "float.mul", [t, t], FLOAT)
    return componentwise(
        builder, "float.mul", [squared, componentwise(builder, "float.fma", [t, minus_two, three], FLOAT)], FLOAT
    )


def _tan(builder: Builder, values: list[Anything]) -> Value:
    (value,) = _floats(builder, values)
    sine, cosine = (componentwise(builder, f"float.{name}", [value], FLOAT) for name in ("sin", "cos"))
    return componentwise(builder, "float.div", [sine, cosine], FLOAT)


def _mod(builder: Builder, values: list[Anything]) -> Value:
    value, divisor = _floats(builder, values)
    quotient = componentwise(builder, "float.div", [value, divisor], FLOAT)
    whole = componentwise(builder, "float.floor", [quotient], FLOAT)
    return componentwise(
        builder, "float.fma", [componentwise(builder, "float.neg", [divisor], FLOAT), whole, value], FLOAT
    )


def _dot(builder: Builder, values: list[Anything]) -> Value:
    a, b = _floats(builder, values)
    return Value(Type(FLOAT), (chain(builder, list(zip(a.registers, b.registers, strict=True))),))


def _cross(builder: Builder, values: list[Anything]) -> Value:
    a, b = _floats(builder, values)
    if a.type.size != 3:
        raise Misuse(f"takes two vec3, not {a.type}")
    registers = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        product = builder.operate("float.mul", a.registers[j], b.registers[i])
        negative = builder.operate("float.neg", product)
        registers.append(builder.operate("float.fma", a.registers[i], b.registers[j], negative))
    return Value(Type(FLOAT, 3), tuple(registers))


def _length(builder: Builder, values: list[Anything]) -> Value:
    return componentwise(builder, "float.sqrt", [_dot(builder, [values[0], values[0]])], FLOAT)


def _distance(builder: Builder, values: list[Anything]) -> Value:
    a, b = _floats(builder, values)
    return _length(builder, [componentwise(builder, "float.sub", [a, b], FLOAT)])


def _normalize(builder: Builder, values: list[Anything]) -> Value:
    (value,) = _floats(builder, values)
    scale = componentwise(builder, "float.inverse_sqrt", [_dot(builder, [value, value])], FLOAT)
    return componentwise(builder, "float.mul", [value, splat(scale, value.type.size)], FLOAT)


def _reflect(builder: Builder, values: list[Anything]) -> Value:
    incident, normal = _floats(builder, values)
    twice = binary(builder, ast.Mult(), constant(builder, -2.0, FLOAT), _dot(builder, [normal, incident]))
    factor = splat(typed(builder, twice), incident.type.size)
    return componentwise(builder, "float.fma", [factor, normal, incident], FLOAT)


def _select(builder: Builder, values: list[Anything]) -> Value:
    condition = typed(builder, values[0])
    yes, no = aligned(builder, values[1:])
    if condition.type.kind != BOOL:
        raise Misuse(f"the first argument is a condition, not {condition.type}")
    size = max(condition.type.size, yes.type.size)
    operation = "bool.select" if yes.type.kind == BOOL else "word.select"
    return componentwise(builder, operation, [splat(v, size) for v in (condition, yes, no)], yes.type.kind)


def _over(operation: str) -> tuple[int, Lowering]:
    def lower(builder: Builder, values: list[Anything]) -> Value:
        value = typed(builder, values[0])
        if value.type.kind != BOOL:
            raise Misuse(f"takes booleans, not {value.type}; compare first")
        joined = value.registers[0]
        for register in value.registers[1:]:
            joined = builder.operate(operation, joined, register)
        return Value(Type(BOOL), (joined,))

    return 1, lower


def _derived(builder: Builder, values: list[Anything], axis: Axis, coarse: bool) -> Value:
    (value,) = _floats(builder, values)
    return Value(value.type, tuple(builder.derive(r, axis, coarse) for r in value.registers))


def _derivative(axis: Axis, coarse: bool) -> tuple[int, Lowering]:
    return 1, lambda builder, values: _derived(builder, values, axis, coarse)


def _fwidth(builder: Builder, values: list[Anything]) -> Value:
    sizes = [componentwise(builder, "float.abs", [_derived(builder, values, axis, False)], FLOAT) for axis in Axis]
    return componentwise(builder, "float.add", sizes, FLOAT)


def _bits(source: str, target: str) -> tuple[int, Lowering]:
    """Return the lowering that only looks at the same bits in another way."""

    def lower(builder: Builder, values: list[Anything]) -> Value:
        value = typed(builder, values[0], source)
        if value.type.kind != source:
            raise Misuse(f"takes {source}, not {value.type}")
        return Value(Type(target, value.type.size), value.registers)

    return 1, lower


def _integers(operation: str, arguments: int = 1) -> tuple[int, Lowering]:
    """Return the lowering to an integer operation; ``{kind}`` in its name becomes ``int`` or ``uint``."""

    def lower(builder: Builder, values: list[Anything]) -> Value:
        plain = aligned(builder, values)
        kind = plain[0].type.kind
        if kind not in (INT, UINT):
            raise Misuse(f"takes int or uint, not {plain[0].type}")
        return componentwise(builder, operation.format(kind=kind), plain, kind)

    return arguments, lower


def _packed(builder: Builder, words: list[int], bits: int) -> Value:
    """Return words of some bits side by side, the first lowest."""
    mask = builder.constant((1 << bits) - 1)
    joined = builder.operate("word.and", words[0], mask)
    for place, word in enumerate(words[1:], start=1):
        low = builder.operate("word.and", word, mask)
        joined = builder.operate(
            "word.or", joined, builder.operate("word.shift_left", low, builder.constant(bits * place))
        )
    return Value(Type(UINT), (joined,))


def _pack_norm(count: int, signed: bool) -> tuple[int, Lowering]:
    bits = 32 // count
    scale = (1 << (bits - signed)) - 1

    def lower(builder: Builder, values: list[Anything]) -> Value:
        (value,) = _floats(builder, values)
        if value.type.size != count:
            raise Misuse(f"takes a vec{count}, not {value.type}")
        low = constant(builder, -1.0 if signed else 0.0, FLOAT)
        if signed:
            inside = _clamp(builder, [value, low, constant(builder, 1.0, FLOAT)])
        else:
            inside = componentwise(builder, "float.saturate", [value], FLOAT)
        scaled = typed(builder, binary(builder, ast.Mult(), inside, constant(builder, scale, FLOAT)))
        whole = componentwise(builder, "float.round_even", [scaled], FLOAT)
        return _packed(builder, [builder.operate("int.from_float", r) for r in whole.registers], bits)

    return 1, lower


def _pack_half(builder: Builder, values: list[Anything]) -> Value:
    (value,) = _floats(builder, values)
    if value.type.size != 2:
        raise Misuse(f"takes a vec2, not {value.type}")
    return _packed(builder, [builder.operate("half.from_float", r) for r in value.registers], 16)


def _unpack_half(builder: Builder, values: list[Anything]) -> Value:
    word = typed(builder, values[0], UINT)
    if word.type != Type(UINT):
        raise Misuse(f"takes a uint, not {word.type}")
    high = builder.operate("uint.shift_right", word.registers[0], builder.constant(16))
    halves = (builder.operate("float.from_half", word.registers[0]), builder.operate("float.from_half", high))
    return Value(Type(FLOAT, 2), halves)


FUNCTIONS: dict[str, tuple[int, Lowering]] = {
    "min": (2, _minimum),
    "max": (2, _maximum),
    "abs": (1, _abs),
    "sign": _plain("float.sign", 1),
    "floor": _plain("float.floor", 1),
    "ceil": _plain("float.ceil", 1),
    "trunc": _plain("float.trunc", 1),
    "round_even": _plain("float.round_even", 1),
    "fract": _plain("float.fract", 1),
    "sqrt": _plain("float.sqrt", 1),
    "inverse_sqrt": _plain("float.inverse_sqrt", 1),
    "rcp": _plain("float.rcp", 1),
    "exp2": _plain("float.exp2", 1),
    "log2": _plain("float.log2", 1),
    "exp": _plain("float.exp", 1),
    "log": _plain("float.log", 1),
    "pow": _plain("float.pow", 2),
    "sin": _plain("float.sin", 1),
    "cos": _plain("float.cos", 1),
    "tan": (1, _tan),
    "fma": _plain("float.fma", 3),
    "saturate": _plain("float.saturate", 1),
    "mod": (2, _mod),
    "clamp": (3, _clamp),
    "mix": (3, _mix),
    "step": (2, _step),
    "smoothstep": (3, _smoothstep),
    "dot": (2, _dot),
    "cross": (2, _cross),
    "length": (1, _length),
    "distance": (2, _distance),
    "normalize": (1, _normalize),
    "reflect": (2, _reflect),
    "select": (3, _select),
    "is_nan": _test("float.is_nan"),
    "is_infinite": _test("float.is_infinite"),
    "any_of": _over("bool.or"),
    "all_of": _over("bool.and"),
    "ddx": _derivative(Axis.X, False),
    "ddy": _derivative(Axis.Y, False),
    "ddx_coarse": _derivative(Axis.X, True),
    "ddy_coarse": _derivative(Axis.Y, True),
    "fwidth": (1, _fwidth),
    "float_bits_to_int": _bits(FLOAT, INT),
    "float_bits_to_uint": _bits(FLOAT, UINT),
    "int_bits_to_float": _bits(INT, FLOAT),
    "uint_bits_to_float": _bits(UINT, FLOAT),
    "pack_half_2x16": (1, _pack_half),
    "unpack_half_2x16": (1, _unpack_half),
    "pack_unorm_4x8": _pack_norm(4, False),
    "pack_snorm_4x8": _pack_norm(4, True),
    "pack_unorm_2x16": _pack_norm(2, False),
    "pack_snorm_2x16": _pack_norm(2, True),
    "bit_count": _integers("word.bit_count"),
    "find_lsb": _integers("word.find_lsb"),
    "find_msb": _integers("{kind}.find_msb"),
    "bitfield_reverse": _integers("word.reverse"),
    "mul_high": _integers("{kind}.mul_high", 2),
}
"""How many arguments each function takes, and what it becomes."""

CONVERSIONS = {
    (FLOAT, INT): "float.from_int", (FLOAT, UINT): "float.from_uint", (INT, FLOAT): "int.from_float",
    (UINT, FLOAT): "uint.from_float", (INT, BOOL): "word.from_bool", (UINT, BOOL): "word.from_bool",
}  # fmt: skip


def converted(builder: Builder, value: Value, kind: str) -> Value:
    """Return a value with its components converted to another kind, as a constructor does."""
    source = value.type.kind
    if source == kind:
        return value
    if {source, kind} == {INT, UINT}:
        return Value(Type(kind, value.type.size), value.registers)
    if kind == BOOL:
        zero = splat(constant(builder, 0, source), value.type.size)
        return compare(builder, ast.NotEq(), value, zero)
    if (kind, source) == (FLOAT, BOOL):
        one, zero = (splat(constant(builder, n, FLOAT), value.type.size) for n in (1.0, 0.0))
        return componentwise(builder, "word.select", [value, one, zero], FLOAT)
    return componentwise(builder, CONVERSIONS[kind, source], [value], kind)


def construct(builder: Builder, wanted: Type, arguments: list[Anything]) -> Value:
    """Return a scalar or vector made of the components of its arguments, in order; one scalar is repeated."""
    registers: list[int] = []
    for argument in arguments:
        value = converted(builder, typed(builder, argument, wanted.kind), wanted.kind)
        registers.extend(value.registers)
    if len(registers) == 1:
        registers *= wanted.size
    cut = len(arguments) == 1 and len(registers) > wanted.size
    if not cut and len(registers) != wanted.size:
        raise Misuse(f"{wanted} is made of {wanted.size} components or one, not {len(registers)}")
    return Value(wanted, tuple(registers[: wanted.size]))


def construct_matrix(size: int, columns: list[Anything]) -> Matrix:
    """Return a matrix of its columns."""
    found = [column for column in columns if isinstance(column, Value) and column.type == Type(FLOAT, size)]
    if len(found) != size or len(columns) != size:
        raise Misuse(f"mat{size} is made of {size} columns, each a vec{size}")
    return Matrix(tuple(found))
