"""How do the statements and expressions of a shader's source become statements on registers?

One :class:`Body` for each function that is put in. Variables own registers; a variable that is first assigned in a
branch exists after it only where every branch assigned it. Errors carry the place of the innermost node.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from refnvn.shader.builder import Builder
from refnvn.shader.ir import Break, Builtin, Continue, Discard, If, Kind, Loop, StoreDepth
from refnvn.shader.language import Word, gl
from refnvn.shader.subset import Source, source_of
from refnvn.shader.subset_functions import FUNCTIONS, construct, construct_matrix, converted
from refnvn.shader.subset_operators import binary, compare, join, unary
from refnvn.shader.subset_values import (
    BOOL,
    FLOAT,
    INT,
    Anything,
    Block,
    Elements,
    Literal,
    Matrix,
    MatrixType,
    Misuse,
    Type,
    Value,
    constant,
    element_stride_B,
    type_of,
    typed,
)

if TYPE_CHECKING:
    from refnvn.shader.subset_entry import Entry

MAX_CALLS = 16
"""How deep functions are put into one another."""
_SWIZZLES = ("xyzw", "rgba")
_PIPELINE = {
    "vertex_id": (INT, (Builtin.VERTEX_ID,)),
    "instance_id": (INT, (Builtin.INSTANCE_ID,)),
    "primitive_id": (INT, (Builtin.PRIMITIVE_ID,)),
    "front_facing": (BOOL, (Builtin.FRONT_FACING,)),
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


class Body:
    """The statements of one function.

    Parameters
    ----------
    builder : Builder
        What is built.
    source : Source
        The function.
    entry : Entry or None
        What takes the results, for the function that is the shader; None for a function put in.
    calls : int
        How deep it is put in.
    """

    def __init__(self, builder: Builder, source: Source, entry: Entry | None, calls: int = 0) -> None:
        self.builder = builder
        self.source = source
        self.entry = entry
        self.calls = calls
        self.variables: dict[str, Value] = {}
        self.known: dict[str, Anything] = {}
        self.assigned: set[str] = set()
        self.owned: set[int] = set()
        self.result: Value | None = None
        self.loops = 0

    # ------------------------------------------------------------------------------------------ statements

    def statements(self, block: list[ast.stmt], *, last: bool) -> None:
        """Compile statements; ``last`` where they end the function, so that they may return."""
        for number, statement in enumerate(block):
            rest = block[number + 1 :]
            if rest and isinstance(statement, ast.If) and not statement.orelse and returns(statement.body):
                if not last:
                    raise self.source.error(statement, "return from inside a loop is not in the shader subset")
                self._if(statement, rest, last=True)
                return
            self.statement(statement, last=last and not rest)

    def statement(self, node: ast.stmt, *, last: bool) -> None:
        """Compile one statement; a misuse inside becomes an error that names its place."""
        try:
            self._statement(node, last=last)
        except Misuse as error:
            raise self.source.error(node, str(error)) from None

    def _statement(self, node: ast.stmt, *, last: bool) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self._assign_node(target, value)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value, annotation=annotation):
                wanted = self._annotated_type(annotation)
                self.assign(target, construct(self.builder, wanted, [self.expression(value)]))
            case ast.AugAssign(target=target, op=operator, value=value):
                load = ast.parse(ast.unparse(target), mode="eval").body
                ast.copy_location(load, target)
                operated = binary(self.builder, operator, self._at(load, target), self.expression(value))
                self.assign(target, operated)
            case ast.If():
                self._if(node, node.orelse, last=last)
            case ast.For():
                self._for(node)
            case ast.Break() | ast.Continue():
                self.builder.emit(Break() if isinstance(node, ast.Break) else Continue())
            case ast.Return():
                self._return(node, last=last)
            case ast.Expr(value=ast.Call(func=func)) if self._is_word(func, "discard"):
                self.builder.emit(Discard())
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise Misuse(f"{_SPOKEN.get(type(node), type(node).__name__)} is not in the shader subset")

    def _at(self, node: ast.expr, place: ast.AST) -> Anything:
        """Compile an expression that was made up, blaming the place it was made from."""
        for inner in ast.walk(node):
            ast.copy_location(inner, place)
        return self.expression(node)

    def _annotated_type(self, annotation: ast.expr) -> Type:
        found = self.named_type(annotation)
        if not isinstance(found, Type):
            raise Misuse(f"{ast.unparse(annotation)} is no type of a variable; use float, vec4, int, uvec2 ...")
        return found

    def _assign_node(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Tuple):
            self.assign(target, self.expression(value))
            return
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            raise Misuse("several variables take as many values; write a, b = x, y")
        values = [self._copied(self.expression(one)) for one in value.elts]
        for one, copied in zip(target.elts, values, strict=True):
            self.assign(one, copied)

    def _copied(self, value: Anything) -> Anything:
        """Return a value in registers of its own."""
        if not isinstance(value, Value):
            return value
        registers = []
        for register in value.registers:
            copy = self.builder.register(self.builder.registers[register])
            self.builder.move(copy, register)
            registers.append(copy)
        return Value(value.type, tuple(registers))

    def assign(self, target: ast.expr, value: Anything) -> None:
        """Assign to a variable, to components of one, or to the depth."""
        match target:
            case ast.Name(id=name):
                self._assign_name(name, value)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if self._names_gl(name):
                self._assign_depth(attribute, value)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                self._assign_components(name, attribute, value)
            case _:
                raise Misuse("assign to a variable, or to components of one: color.xyz = ...")

    def _assign_name(self, name: str, value: Anything) -> None:
        if name in self.known and name not in self.variables:
            raise Misuse(f"{name} is an input and keeps its value; use another name")
        old = self.variables.get(name)
        if isinstance(value, Matrix):
            if name in self.assigned:
                raise Misuse(f"{name} is a matrix, which is assigned once")
            self.known[name] = value
            return
        new = typed(self.builder, value, old.type.kind if old else INT)
        if old is None:
            self._declare(name, new)
            return
        if new.type != old.type:
            raise Misuse(f"{name} is {old.type} from its first assignment on, not {new.type}")
        if set(new.registers) & set(old.registers):
            new = self._copied(new)  # type: ignore[assignment]
        for to, of in zip(old.registers, new.registers, strict=True):
            self.builder.move(to, of)
        self.assigned.add(name)

    def _declare(self, name: str, value: Value) -> None:
        """Make a variable: of the registers of a value that nobody else owns, or of copies."""
        registers = value.registers
        if len(set(registers)) < len(registers) or any(self.is_owned(one) for one in registers):
            value = self._copied(value)  # type: ignore[assignment]
        self.owned.update(value.registers)
        self.variables[name] = value
        self.assigned.add(name)

    def is_owned(self, register: int) -> bool:
        """Whether a variable, a caller or something loaded holds its value in a register."""
        return register in self.owned or self.builder.is_loaded(register)

    def _assign_components(self, name: str, attribute: str, value: Anything) -> None:
        old = self.variables.get(name)
        if old is None or name not in self.assigned:
            raise Misuse(f"{name} has no value yet; assign all of it first")
        places = swizzle_places(attribute, old.type.size)
        new = typed(self.builder, value, old.type.kind)
        if len(set(places)) < len(places):
            raise Misuse(f".{attribute} names a component twice")
        if new.type != Type(old.type.kind, len(places)):
            raise Misuse(f"{name}.{attribute} takes {Type(old.type.kind, len(places))}, not {new.type}")
        copied = self._copied(new)
        assert isinstance(copied, Value)
        for place, register in zip(places, copied.registers, strict=True):
            self.builder.move(old.registers[place], register)

    def _assign_depth(self, attribute: str, value: Anything) -> None:
        if attribute != "frag_depth":
            raise Misuse(f"gl.{attribute} cannot be assigned; gl.frag_depth can")
        depth = typed(self.builder, value, FLOAT)
        if depth.type != Type(FLOAT):
            raise Misuse(f"gl.frag_depth takes a float, not {depth.type}")
        self.builder.emit(StoreDepth(of=depth.registers[0]))

    def _condition(self, node: ast.expr) -> int:
        value = typed(self.builder, self.expression(node))
        if value.type != Type(BOOL):
            raise Misuse(f"a condition is one boolean, not {value.type}; compare, or use any_of and all_of")
        return value.registers[0]

    def _if(self, node: ast.If, otherwise: list[ast.stmt], *, last: bool) -> None:
        condition = self._condition(node.test)
        before = set(self.assigned)
        ends = []
        blocks = []
        for body in (node.body, otherwise):
            self.assigned = set(before)
            with self.builder.block() as emitted:
                self.statements(body, last=last)
            ends.append(None if leaves(body) else self.assigned)
            blocks.append(tuple(emitted))
        reached = [end for end in ends if end is not None]
        self.assigned = set.intersection(*reached) if reached else before
        self.builder.emit(If(condition=condition, then=blocks[0], otherwise=blocks[1]))

    def _for(self, node: ast.For) -> None:
        if not isinstance(node.target, ast.Name) or node.orelse:
            raise Misuse("a loop is written: for i in range(constant)")
        if not (isinstance(node.iter, ast.Call) and self._resolved(node.iter.func) is range):
            raise Misuse("a loop runs over range(constant)")
        turns = range(*(self.constant_int(one) for one in node.iter.args))
        if len(turns) > 65536:
            raise Misuse(f"{len(turns)} turns, more than the 65536 of a loop")
        if not turns:
            return
        counter = self.builder.register(Kind.WORD)
        before = set(self.assigned)
        with self.builder.block() as emitted:
            self._assign_name(node.target.id, self._turn(counter, turns))
            self.loops += 1
            self.statements(node.body, last=False)
            self.loops -= 1
        self.assigned = before
        self.builder.emit(Loop(times=len(turns), body=tuple(emitted), counter=counter))

    def _turn(self, counter: int, turns: range) -> Value:
        """Return start + counter * step."""
        value: Anything = Value(Type(INT), (counter,))
        if turns.step != 1:
            value = binary(self.builder, ast.Mult(), value, Literal(turns.step))
        if turns.start != 0:
            value = binary(self.builder, ast.Add(), value, Literal(turns.start))
        copied = self._copied(value) if turns.start == 0 and turns.step == 1 else value
        assert isinstance(copied, Value)
        return copied

    def _return(self, node: ast.Return, *, last: bool) -> None:
        if not last:
            raise Misuse("return ends the function, or every branch at its end; it cannot stand here")
        if self.entry is not None:
            self.entry.finish(self, node.value)
            return
        if node.value is None:
            return
        value = self.expression(node.value)
        if isinstance(value, Matrix | Block | Elements):
            raise Misuse("a function returns a scalar or a vector")
        plain = typed(self.builder, value, self.result.type.kind if self.result else INT)
        if self.result is None:
            self.result = self._copied(plain)  # type: ignore[assignment]
            return
        if plain.type != self.result.type:
            raise Misuse(f"returns {plain.type} here and {self.result.type} elsewhere")
        for to, of in zip(self.result.registers, plain.registers, strict=True):
            self.builder.move(to, of)

    # ----------------------------------------------------------------------------------------- expressions

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
                return FUNCTIONS["select"][1](builder, [self.expression(one) for one in (test, yes, no)])
            case ast.Call():
                return self._call(node)
            case _:
                raise Misuse(f"{_SPOKEN.get(type(node), type(node).__name__)} is not in the shader subset")

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

    def _pipeline(self, attribute: str) -> Value:
        if attribute not in _PIPELINE:
            raise Misuse(f"there is no gl.{attribute}; there are {', '.join(_PIPELINE)}, and gl.frag_depth to write")
        kind, found = _PIPELINE[attribute]
        if found[0].stage is not self.builder.stage:
            raise Misuse(f"a {self.builder.stage} shader has no gl.{attribute}")
        return Value(Type(kind, len(found)), tuple(self.builder.load_builtin(one) for one in found))

    def _attribute(self, value: Anything, attribute: str) -> Anything:
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
        return converted(self.builder, Value(Type("uint", wanted.size), words), BOOL)

    def _element(self, value: Anything, index: ast.expr) -> Anything:
        if isinstance(value, Elements):
            return self._array_element(value, index)
        number = self.constant_int(index)
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
        if place.type.size != 1 or place.type.kind not in (INT, "uint"):
            raise Misuse(f"an index is one int or uint, not {place.type}")
        plus_B = self.builder.operate("word.mul", place.registers[0], self.builder.constant(array.stride_B))
        return self._uniform(array.binding, array.element, array.offset_B, plus_B)

    def _call(self, node: ast.Call) -> Anything:
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            raise Misuse("arguments are given by place; names and * are not in the shader subset")
        function = self._resolved(node.func)
        arguments = [self.expression(one) for one in node.args]
        wanted = type_of(function) if function in _SCALARS or isinstance(function, Word) else None
        if isinstance(wanted, Type):
            return construct(self.builder, wanted, arguments)
        if isinstance(wanted, MatrixType):
            return construct_matrix(wanted.size, arguments)
        if isinstance(function, FunctionType):
            return self._inlined(function, arguments)
        name = function.name if isinstance(function, Word) else _BUILTIN_FUNCTIONS.get(function)
        if name not in FUNCTIONS:
            raise Misuse(f"{ast.unparse(node.func)} is no function of the shader language")
        count, lower = FUNCTIONS[name]
        if len(arguments) != count:
            raise Misuse(f"{name} takes {count} arguments, not {len(arguments)}")
        try:
            return lower(self.builder, arguments)
        except Misuse as error:
            raise Misuse(f"{name}: {error}") from None

    def _inlined(self, function: Callable[..., Any], arguments: list[Anything]) -> Anything:
        """Put another function in."""
        if self.calls >= MAX_CALLS:
            raise Misuse(f"functions are put into one another at most {MAX_CALLS} deep; recursion is not possible")
        source = source_of(function)
        names = [one.arg for one in source.function.args.args]
        if len(names) != len(arguments) or has_other_parameters(source.function):
            raise Misuse(f"{source.function.name} takes {len(names)} arguments by place, not {len(arguments)}")
        body = Body(self.builder, source, None, self.calls + 1)
        body.owned = set(self.owned)
        for name, argument in zip(names, arguments, strict=True):
            body.bind(name, argument)
        body.statements(source.function.body, last=True)
        if body.result is None:
            raise Misuse(f"{source.function.name} returns nothing; a function that is called returns a value")
        return body.result

    def bind(self, name: str, value: Anything) -> None:
        """Give a parameter its argument; one that is assigned to gets registers of its own."""
        if isinstance(value, Value) and name in assigned_names(self.source.function):
            copied = self._copied(value)
            assert isinstance(copied, Value)
            self.owned.update(copied.registers)
            self.variables[name] = copied
            self.assigned.add(name)
            return
        self.known[name] = value
        if isinstance(value, Value):
            self.owned.update(value.registers)

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


_SCALARS = (float, int, bool)
_BUILTIN_FUNCTIONS: dict[Any, str] = {min: "min", max: "max", abs: "abs", pow: "pow"}
_SPOKEN: dict[type[ast.AST], str] = {
    ast.While: "a while loop (write for i in range(constant) and break)",
    ast.With: "with",
    ast.Try: "try",
    ast.Raise: "raise",
    ast.FunctionDef: "a function inside a shader (write it outside and call it)",
    ast.ClassDef: "a class inside a shader",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Delete: "del",
    ast.Assert: "assert",
    ast.Expr: "a statement without effect",
    ast.Lambda: "lambda",
    ast.ListComp: "a list comprehension",
    ast.List: "a list",
    ast.Tuple: "a tuple here",
    ast.Dict: "a dict here",
    ast.JoinedStr: "text",
    ast.Constant: "text",
    ast.NamedExpr: ":=",
    ast.Assign: "several targets (write one assignment each)",
    ast.AnnAssign: "an annotation without a value",
    ast.Await: "await",
    ast.Yield: "yield",
}


def has_other_parameters(function: ast.FunctionDef) -> bool:
    """Whether a function has parameters that are not simply given by place."""
    arguments = function.args
    return bool(arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)


def assigned_names(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function assigns to, in part or as a whole."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
    return found


def returns(block: list[ast.stmt]) -> bool:
    """Whether statements end the function, whichever way they go."""
    if not block:
        return False
    end = block[-1]
    if isinstance(end, ast.If):
        return returns(end.body) and returns(end.orelse)
    return isinstance(end, ast.Return)


def leaves(block: list[ast.stmt]) -> bool:
    """Whether nothing after statements is reached: they return, discard, or leave the turn of a loop."""
    if not block:
        return False
    end = block[-1]
    if isinstance(end, ast.If):
        return leaves(end.body) and leaves(end.orelse)
    is_discard = isinstance(end, ast.Expr) and isinstance(end.value, ast.Call) and _last_name(end.value) == "discard"
    return is_discard or isinstance(end, ast.Return | ast.Break | ast.Continue)


def _last_name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]
