"""How does an expression of a shader's source become operations on registers?

Read next: ``subset_body.py`` (statements), ``subset_operators.py``, ``subset_functions.py``.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from refnvn.shader import subset_memory, subset_pipeline, subset_stages
from refnvn.shader.builder import Builder
from refnvn.shader.ir_base import Builtin, Stage
from refnvn.shader.language import gl
from refnvn.shader.language_words import Word
from refnvn.shader.subset import Source
from refnvn.shader.subset_flow import SPOKEN
from refnvn.shader.subset_functions import FUNCTIONS, construct, construct_matrix, converted
from refnvn.shader.subset_operators import binary, compare, join, unary
from refnvn.shader.subset_textures import made, texture_function, texture_type
from refnvn.shader.subset_values import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Anything,
    Block,
    ClipDistances,
    Elements,
    Literal,
    Matrix,
    MatrixType,
    MemoryBlock,
    MemoryElements,
    Misuse,
    Type,
    Value,
    VertexElements,
    constant,
    element_stride_B,
    type_of,
    typed,
)

_SWIZZLES = ("xyzw", "rgba")
_PIPELINE = {
    "vertex_id": (INT, (Builtin.VERTEX_ID,)),
    "instance_id": (INT, (Builtin.INSTANCE_ID,)),
    "primitive_id": (INT, (Builtin.PRIMITIVE_ID,)),
    "point_coord": (FLOAT, (Builtin.POINT_COORD_X, Builtin.POINT_COORD_Y)),
    "front_facing": (BOOL, (Builtin.FRONT_FACING,)),
    "work_group_id": (UINT, (Builtin.WORK_GROUP_ID_X, Builtin.WORK_GROUP_ID_Y, Builtin.WORK_GROUP_ID_Z)),
    "local_invocation_id": (UINT, (Builtin.LOCAL_ID_X, Builtin.LOCAL_ID_Y, Builtin.LOCAL_ID_Z)),
    "local_invocation_index": (UINT, (Builtin.LOCAL_INDEX,)),
    "global_invocation_id": (UINT, (Builtin.GLOBAL_ID_X, Builtin.GLOBAL_ID_Y, Builtin.GLOBAL_ID_Z)),
    "num_work_groups": (UINT, (Builtin.WORK_GROUPS_X, Builtin.WORK_GROUPS_Y, Builtin.WORK_GROUPS_Z)),
    "sample_id": (INT, (Builtin.SAMPLE_ID,)),
    "sample_position": (FLOAT, (Builtin.SAMPLE_POSITION_X, Builtin.SAMPLE_POSITION_Y)),
    "sample_mask_in": (UINT, (Builtin.SAMPLE_MASK_IN,)),
    "layer": (INT, (Builtin.LAYER,)),
    "invocation_id": (INT, (Builtin.INVOCATION_ID,)),
    "patch_vertices": (INT, (Builtin.PATCH_VERTICES,)),
    "tess_coord": (FLOAT, (Builtin.TESS_COORD_X, Builtin.TESS_COORD_Y, Builtin.TESS_COORD_Z)),
    "viewport_index": (INT, (Builtin.VIEWPORT_INDEX,)),
    "frag_coord": (
        FLOAT,
        (Builtin.FRAG_COORD_X, Builtin.FRAG_COORD_Y, Builtin.FRAG_COORD_Z, Builtin.FRAG_COORD_W),
    ),
}


def swizzle_places(name: str, size: int) -> tuple[int, ...]:
    """Return the components that a swizzle names.

    Raises
    ------
    Misuse
        Where it is none for a vector of that size.
    """
    for letters in _SWIZZLES:
        if 1 <= len(name) <= 4 and all(letter in letters[:size] for letter in name):
            return tuple(letters.index(letter) for letter in name)
    raise Misuse(f"a value of {size} components has no .{name}")


_SCALARS = (float, int, bool)
_DERIVATIVES = ("ddx", "ddy", "ddx_coarse", "ddy_coarse", "fwidth")
_BUILTIN_FUNCTIONS: dict[Any, str] = {min: "min", max: "max", abs: "abs", pow: "pow"}


class Expressions:
    """The names and expressions of one function.

    Parameters
    ----------
    builder : Builder
        What is built.
    source : Source
        The function.
    """

    def __init__(self, builder: Builder, source: Source) -> None:
        self.builder = builder
        self.source = source
        self.variables: dict[str, Value] = {}
        self.known: dict[str, Anything] = {}
        self.assigned: set[str] = set()

    def inlined(self, function: FunctionType, arguments: list[Anything]) -> Anything:
        """Put another function in."""
        raise NotImplementedError

    def condition(self, node: ast.expr) -> int:
        """Compile a condition: one boolean."""
        value = typed(self.builder, self.expression(node))
        if value.type != Type(BOOL):
            raise Misuse(f"a condition is one boolean, not {value.type}; compare, or use any_of and all_of")
        return value.registers[0]

    def _fragment_only(self, what: str) -> None:
        if self.builder.stage is not Stage.FRAGMENT:
            raise Misuse(f"a {self.builder.stage} shader has no {what}")

    def expression(self, node: ast.expr) -> Anything:
        """Compile an expression; a misuse inside becomes an error that names its place."""
        try:
            return self._expression(node)
        except Misuse as error:
            raise self.source.error(node, str(error)) from None

    def _expression(self, node: ast.expr) -> Anything:
        builder = self.builder
        match node:
            case ast.Constant(value=bool() as value):
                return constant(builder, value, BOOL)
            case ast.Constant(value=int() as value):
                return Literal(value)
            case ast.Constant(value=float() as value):
                return constant(builder, value, FLOAT)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if self._names_gl(name):
                return self._pipeline(attribute)
            case ast.Attribute(value=inner, attr=attribute):
                return self._attribute(self.expression(inner), attribute)
            case ast.Subscript(value=inner, slice=index):
                return self._element(self.expression(inner), index)
            case ast.BinOp(left=left, op=operator, right=right):
                return binary(builder, operator, self.expression(left), self.expression(right))
            case ast.UnaryOp(op=operator, operand=operand):
                return unary(builder, operator, self.expression(operand))
            case ast.BoolOp(op=operator, values=values):
                return join(builder, operator, [self.expression(one) for one in values])
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self._compare(left, operators, others)
            case ast.IfExp(test=test, body=yes, orelse=no):
                condition = Value(Type(BOOL), (self.condition(test),))
                return FUNCTIONS["select"][1](builder, [condition, self.expression(yes), self.expression(no)])
            case ast.Call():
                return self._call(node)
            case _:
                raise Misuse(f"{SPOKEN.get(type(node), type(node).__name__)} is not in the shader subset")

    def _compare(self, left: ast.expr, operators: list[ast.cmpop], others: list[ast.expr]) -> Value:
        values = [self.expression(left), *(self.expression(one) for one in others)]
        pairs = zip(operators, values, values[1:], strict=False)
        found: list[Anything] = [compare(self.builder, operator, a, b) for operator, a, b in pairs]
        return join(self.builder, ast.And(), found) if len(found) > 1 else typed(self.builder, found[0])

    def _name(self, name: str) -> Anything:
        if name in self.variables:
            if name not in self.assigned:
                raise Misuse(f"{name} may have no value here; assign it before the branch or loop")
            return self.variables[name]
        if name in self.known:
            return self.known[name]
        value = self.source.names.get(name)
        if isinstance(value, bool) or type(value) is float:
            return constant(self.builder, value, BOOL if isinstance(value, bool) else FLOAT)
        if type(value) is int:
            return Literal(value)
        if name in self.source.names:
            raise Misuse(f"{name} is a {type(value).__name__}; a shader takes numbers from outside, nothing else")
        raise Misuse(f"{name} is not defined")

    def _names_gl(self, name: str) -> bool:
        return name not in self.variables and name not in self.known and self.source.names.get(name) is gl

    def _pipeline(self, attribute: str) -> Anything:
        vertices = subset_stages.pipeline_vertices(self.builder, attribute)
        if vertices is not None:
            return vertices
        if attribute == "clip_distance" and self.builder.stage is Stage.FRAGMENT:
            return ClipDistances()
        if attribute not in _PIPELINE:
            raise Misuse(f"there is no gl.{attribute}; there are {', '.join(_PIPELINE)}")
        kind, found = _PIPELINE[attribute]
        if self.builder.stage not in found[0].stages:
            raise Misuse(f"a {self.builder.stage} shader has no gl.{attribute}")
        return Value(Type(kind, len(found)), tuple(self.builder.load_builtin(one) for one in found))

    def _attribute(self, value: Anything, attribute: str) -> Anything:
        if isinstance(value, MemoryBlock):
            return subset_memory.field_of(self.builder, value, attribute)
        if isinstance(value, Block):
            if attribute not in value.layout.fields:
                raise Misuse(f"{value.layout.name} has no field {attribute}; it has {', '.join(value.layout.fields)}")
            offset_B, field_type, length = value.layout.fields[attribute]
            if length is not None:
                return Elements(value.layout.binding, offset_B, field_type, length, element_stride_B(field_type))
            return self._uniform(value.layout.binding, field_type, offset_B, None)
        plain = typed(self.builder, value)
        places = swizzle_places(attribute, plain.type.size)
        return Value(Type(plain.type.kind, len(places)), tuple(plain.registers[place] for place in places))

    def _uniform(self, binding: int, wanted: Type | MatrixType, offset_B: int, plus_B: int | None) -> Value | Matrix:
        if isinstance(wanted, MatrixType):
            columns = [
                self._uniform(binding, Type(FLOAT, wanted.size), offset_B + 16 * i, plus_B)
                for i in range(wanted.size)
            ]
            return Matrix(tuple(column for column in columns if isinstance(column, Value)))
        words = tuple(self.builder.load_uniform(binding, offset_B + 4 * i, plus_B) for i in range(wanted.size))
        if wanted.kind != BOOL:
            return Value(wanted, words)
        return converted(self.builder, Value(Type(UINT, wanted.size), words), BOOL)

    def _element(self, value: Anything, index: ast.expr) -> Anything:
        if isinstance(value, VertexElements):
            return subset_stages.element(self, value, index)
        if isinstance(value, Elements):
            return self._array_element(value, index)
        if isinstance(value, MemoryElements):
            return subset_memory.load(self.builder, subset_memory.element_of(self, value, index))
        number = self.constant_int(index)
        if isinstance(value, ClipDistances):
            return subset_pipeline.read_clip_distance(self.builder, number)
        if isinstance(value, Matrix):
            if not 0 <= number < len(value.columns):
                raise Misuse(f"a mat{len(value.columns)} has no column {number}")
            return value.columns[number]
        plain = typed(self.builder, value)
        if not 0 <= number < plain.type.size:
            raise Misuse(f"{plain.type} has no component {number}")
        return Value(Type(plain.type.kind), (plain.registers[number],))

    def _array_element(self, array: Elements, index: ast.expr) -> Anything:
        value = self.expression(index)
        if isinstance(value, Literal):
            if not 0 <= value.number < array.length:
                raise Misuse(f"element {value.number} of an array of {array.length}")
            return self._uniform(array.binding, array.element, array.offset_B + value.number * array.stride_B, None)
        place = typed(self.builder, value)
        if place.type.size != 1 or place.type.kind not in (INT, UINT):
            raise Misuse(f"an index is one int or uint, not {place.type}")
        plus_B = self.builder.operate("word.mul", place.registers[0], self.builder.constant(array.stride_B))
        return self._uniform(array.binding, array.element, array.offset_B, plus_B)

    def _call(self, node: ast.Call) -> Anything:
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            raise Misuse("arguments are given by place; names and * are not in the shader subset")
        function = self._resolved(node.func)
        if subset_memory.is_memory_word(function):
            found = subset_memory.call(self, function.name, node.args)
            if found is None:
                raise Misuse(f"{function.name} gives no value; it stands alone on its line")
            return found
        if subset_stages.names_load(function):
            return subset_stages.load(self, function.name, node.args)
        arguments = [self.expression(one) for one in node.args]
        wanted = type_of(function) if function in _SCALARS or isinstance(function, Word) else None
        if isinstance(wanted, Type):
            return construct(self.builder, wanted, arguments)
        if isinstance(wanted, MatrixType):
            return construct_matrix(wanted.size, arguments)
        if isinstance(function, FunctionType):
            return self.inlined(function, arguments)
        declared = texture_type(function)
        if declared is not None:
            return made(self.builder, declared, arguments)
        name = function.name if isinstance(function, Word) else _BUILTIN_FUNCTIONS.get(function)
        reads = texture_function(name) if name is not None else None
        if reads is not None:
            try:
                return reads(self.builder, arguments)
            except Misuse as error:
                raise Misuse(f"{name}: {error}") from None
        if name not in FUNCTIONS:
            raise Misuse(f"{ast.unparse(node.func)} is no function of the shader language")
        count, lower = FUNCTIONS[name]
        if len(arguments) != count:
            raise Misuse(f"{name} takes {count} arguments, not {len(arguments)}")
        if name in _DERIVATIVES:
            self._fragment_only(name)
        try:
            return lower(self.builder, arguments)
        except Misuse as error:
            raise Misuse(f"{name}: {error}") from None

    # ------------------------------------------------------------------------------------------- names

    def _resolved(self, node: ast.expr) -> Any:
        """Return what a name outside of the function stands for; a module's attribute counts."""
        if isinstance(node, ast.Name) and node.id not in self.variables and node.id not in self.known:
            if node.id not in self.source.names:
                raise Misuse(f"{node.id} is not defined")
            return self.source.names[node.id]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.source.names.get(node.value.id)
            if type(module).__name__ == "module":
                return vars(module).get(node.attr)
        raise Misuse(f"{ast.unparse(node)} is no function of the shader language")

    def _is_word(self, node: ast.expr, name: str) -> bool:
        found = self._resolved(node)
        return isinstance(found, Word) and found.name == name

    def named_type(self, annotation: ast.expr) -> Type | MatrixType | None:
        """Return the type that an annotation names."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.parse(annotation.value, mode="eval").body
        return type_of(self._resolved(annotation))

    def constant_int(self, node: ast.expr) -> int:
        """Return an integer that is known while compiling."""
        value = self.expression(node)
        if not isinstance(value, Literal):
            raise Misuse(f"{ast.unparse(node)} is no constant integer")
        return value.number
