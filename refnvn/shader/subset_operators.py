"""What do the operators of Python mean in the shader language?

Component by component on vectors; a scalar meets a vector repeated. ``a * b + c`` is two roundings: a fused one is
written ``fma(a, b, c)``. Matrix times vector is a chain of fused products, the first column first.
"""

from __future__ import annotations

import ast

from refnvn.shader.builder import Builder
from refnvn.shader.subset_values import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Anything,
    Literal,
    Matrix,
    Misuse,
    Type,
    Value,
    aligned,
    componentwise,
    typed,
)

_FLOAT_OPERATORS = {ast.Add: "float.add", ast.Sub: "float.sub", ast.Mult: "float.mul", ast.Div: "float.div"}
_INTEGER_OPERATORS = {
    ast.Add: "word.add",
    ast.Sub: "word.sub",
    ast.Mult: "word.mul",
    ast.BitAnd: "word.and",
    ast.BitOr: "word.or",
    ast.BitXor: "word.xor",
    ast.LShift: "word.shift_left",
    ast.Mod: "uint.rem",
}
_BOOL_OPERATORS = {ast.BitAnd: "bool.and", ast.BitOr: "bool.or", ast.BitXor: "bool.xor"}
_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Lt: ("less", False),
    ast.LtE: ("less_equal", False),
    ast.Gt: ("less", True),
    ast.GtE: ("less_equal", True),
    ast.Eq: ("equal", False),
    ast.NotEq: ("not_equal", False),
}


def _operation(operator: ast.operator, kind: str) -> str:
    sign = _SIGNS[type(operator)]
    if kind == FLOAT and type(operator) in _FLOAT_OPERATORS:
        return _FLOAT_OPERATORS[type(operator)]
    if kind in (INT, UINT):
        if isinstance(operator, ast.FloorDiv):
            return f"{kind}.div"
        if isinstance(operator, ast.RShift):
            return f"{kind}.shift_right"
        if type(operator) in _INTEGER_OPERATORS:
            return _INTEGER_OPERATORS[type(operator)]
    if kind == BOOL and type(operator) in _BOOL_OPERATORS:
        return _BOOL_OPERATORS[type(operator)]
    hint = {"/": "; integers divide with //", "//": "; floats divide with /", "%": "; use mod(x, y)",
            "**": "; multiply instead"}.get(sign, "")  # fmt: skip
    raise Misuse(f"{sign} on {kind} is not in the shader subset{hint}")


def _folded(operator: ast.operator, left: int, right: int) -> Literal:
    if isinstance(operator, ast.Add):
        return Literal(left + right)
    if isinstance(operator, ast.Sub):
        return Literal(left - right)
    if isinstance(operator, ast.Mult):
        return Literal(left * right)
    if isinstance(operator, ast.LShift) and 0 <= right < 32:
        return Literal(left << right)
    raise Misuse(f"{_SIGNS[type(operator)]} between bare integers is not in the shader subset; write the result")


def binary(builder: Builder, operator: ast.operator, left: Anything, right: Anything) -> Anything:
    """Emit an operator between two operands."""
    if isinstance(operator, ast.Mult) and (isinstance(left, Matrix) or isinstance(right, Matrix)):
        return _matrix_product(builder, left, right)
    if isinstance(left, Literal) and isinstance(right, Literal):
        return _folded(operator, left.number, right.number)
    if isinstance(operator, ast.LShift | ast.RShift):
        return _shift(builder, operator, left, right)
    values = aligned(builder, [left, right])
    kind = values[0].type.kind
    return componentwise(builder, _operation(operator, kind), values, kind)


def _shift(builder: Builder, operator: ast.operator, left: Anything, right: Anything) -> Value:
    """Shift: the count may be of the other integer type."""
    value, count = typed(builder, left), typed(builder, right, UINT)
    if count.type.kind not in (INT, UINT):
        raise Misuse(f"a shift by {count.type}; count in int or uint")
    same = Value(Type(value.type.kind, count.type.size), count.registers)
    values = aligned(builder, [value, same])
    return componentwise(builder, _operation(operator, value.type.kind), values, value.type.kind)


def chain(builder: Builder, products: list[tuple[int, int]]) -> int:
    """Emit a sum of products as the hardware's compilers do: the first rounded, each next one fused.

    Parameters
    ----------
    products : list of (register, register)
        The factors, in ascending order.
    """
    total = builder.operate("float.mul", *products[0])
    for one, other in products[1:]:
        total = builder.operate("float.fma", one, other, total)
    return total


def _matrix_times_vector(builder: Builder, matrix: Matrix, vector: Value) -> Value:
    size = len(matrix.columns)
    if vector.type != Type(FLOAT, size):
        raise Misuse(f"mat{size} times {vector.type}; a mat{size} takes a vec{size}")
    rows = [
        chain(builder, [(matrix.columns[c].registers[row], vector.registers[c]) for c in range(size)])
        for row in range(size)
    ]
    return Value(vector.type, tuple(rows))


def _matrix_product(builder: Builder, left: Anything, right: Anything) -> Anything:
    if isinstance(left, Matrix) and isinstance(right, Matrix):
        return Matrix(tuple(_matrix_times_vector(builder, left, column) for column in right.columns))
    if isinstance(left, Matrix):
        vector = typed(builder, right, FLOAT)
        if vector.type.size > 1:
            return _matrix_times_vector(builder, left, vector)
        scaled = [componentwise(builder, "float.mul", aligned(builder, [c, vector]), FLOAT) for c in left.columns]
        return Matrix(tuple(scaled))
    raise Misuse("only a matrix stands to the left of a matrix; write matrix * vector")


def unary(builder: Builder, operator: ast.unaryop, operand: Anything) -> Anything:
    """Emit an operator on one operand."""
    if isinstance(operand, Literal):
        if isinstance(operator, ast.USub):
            return Literal(-operand.number)
        if isinstance(operator, ast.UAdd):
            return operand
    value = typed(builder, operand)
    kind = value.type.kind
    if isinstance(operator, ast.UAdd) and kind != BOOL:
        return value
    name = {
        (ast.USub, FLOAT): "float.neg", (ast.USub, INT): "word.neg", (ast.Invert, INT): "word.not",
        (ast.Invert, UINT): "word.not", (ast.Not, BOOL): "bool.not",
    }.get((type(operator), kind))  # fmt: skip
    if name is None:
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}[type(operator)]
        raise Misuse(f"{sign} on {kind} is not in the shader subset")
    return componentwise(builder, name, [value], kind)


def compare(builder: Builder, operator: ast.cmpop, left: Anything, right: Anything) -> Value:
    """Emit a comparison, component by component."""
    if type(operator) not in _COMPARISONS:
        raise Misuse("`in` and `is` are not in the shader subset; compare with ==, !=, <, <=, >, >=")
    name, turned = _COMPARISONS[type(operator)]
    values = aligned(builder, [left, right])
    kind = values[0].type.kind
    if turned:
        values.reverse()
    if kind == BOOL:
        if name not in ("equal", "not_equal"):
            raise Misuse("booleans have no order; compare them with == and !=")
        differs = componentwise(builder, "bool.xor", values, BOOL)
        return differs if name == "not_equal" else componentwise(builder, "bool.not", [differs], BOOL)
    family = kind if kind == FLOAT or name.startswith("less") else "word"
    return componentwise(builder, f"{family}.{name}", values, BOOL)


def join(builder: Builder, operator: ast.boolop, values: list[Anything]) -> Value:
    """Emit ``and`` or ``or`` between booleans; all of them are computed."""
    plain = [typed(builder, value) for value in values]
    if any(value.type != Type(BOOL) for value in plain):
        found = ", ".join(str(value.type) for value in plain)
        raise Misuse(f"`and` and `or` take booleans, not {found}; compare first")
    joined = plain[0]
    for value in plain[1:]:
        name = "bool.and" if isinstance(operator, ast.And) else "bool.or"
        joined = componentwise(builder, name, [joined, value], BOOL)
    return joined
