"""How do the statements of a shader's source become statements on registers?

One :class:`Body` for each function that is put in. Variables own registers; a variable that is first assigned in a
branch exists after it only where every branch assigned it. Errors carry the place of the innermost node.

Read next: ``subset_expressions.py``.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import TYPE_CHECKING

from refnvn.shader import subset_memory, subset_stages
from refnvn.shader.builder import Builder
from refnvn.shader.ir import Break, Continue, Discard, If, Loop
from refnvn.shader.ir_base import Kind
from refnvn.shader.subset import Source, source_of
from refnvn.shader.subset_expressions import Expressions, swizzle_places
from refnvn.shader.subset_flow import SPOKEN, assigned_names, early_return, has_other_parameters, leaves, returns
from refnvn.shader.subset_functions import construct
from refnvn.shader.subset_operators import binary
from refnvn.shader.subset_pipeline import give
from refnvn.shader.subset_values import (
    INT,
    Anything,
    Literal,
    Matrix,
    Misuse,
    Type,
    Value,
    typed,
)

if TYPE_CHECKING:
    from refnvn.shader.subset_entry import Entry

MAX_CALLS = 16
"""How deep functions are put into one another."""


class Body(Expressions):
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
        super().__init__(builder, source)
        self.entry = entry
        self.calls = calls
        self.owned: set[int] = set()
        self.result: Value | None = None
        self.loops = 0

    def statements(self, block: list[ast.stmt], *, last: bool) -> None:
        """Compile statements; ``last`` where they end the function, so that they may return."""
        for number, statement in enumerate(block):
            rest = block[number + 1 :]
            if rest and last and isinstance(statement, ast.If) and (branches := early_return(statement, rest)):
                self.statement(ast.copy_location(ast.If(statement.test, *branches), statement), last=True)
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
                self._if(node, last=last)
            case ast.For():
                self._for(node)
            case ast.Break() | ast.Continue():
                self.builder.emit(Break() if isinstance(node, ast.Break) else Continue())
            case ast.Return():
                self._return(node, last=last)
            case ast.Expr(value=ast.Call(func=func, args=arguments, keywords=[])) if subset_stages.names_statement(
                word := self._resolved(func)
            ):
                subset_stages.statement(self, word.name, arguments)
            case ast.Expr(value=ast.Call(func=func)) if self._is_word(func, "discard"):
                self._fragment_only("discard()")
                self.builder.emit(Discard())
            case ast.Expr(value=ast.Call(func=func, args=arguments, keywords=[])) if subset_memory.is_memory_word(
                self._resolved(func)
            ):
                subset_memory.call(self, self._resolved(func).name, arguments)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise Misuse(f"{SPOKEN.get(type(node), type(node).__name__)} is not in the shader subset")

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
        """Assign to a variable, to components of one, to memory, or to what the pipeline takes."""
        placed = subset_memory.placed_at(self, target)
        if placed is not None:
            subset_memory.store(self.builder, placed, value)
            return
        match target:
            case ast.Name(id=name):
                self._assign_name(name, value)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if self._names_gl(name):
                give(self.builder, attribute, value)
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr=attribute), slice=element) if (
                self._names_gl(name)
            ):
                give(self.builder, attribute, value, self.constant_int(element))
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
        if old is None and name in self.known:
            raise Misuse(f"{name} is an input and keeps its value; assign to a variable")
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

    def _if(self, node: ast.If, *, last: bool) -> None:
        condition = self.condition(node.test)
        before = set(self.assigned)
        ends = []
        blocks = []
        for body in (node.body, node.orelse):
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
        if not isinstance(value, Value | Literal):
            raise Misuse("a function returns a scalar or a vector")
        plain = typed(self.builder, value, self.result.type.kind if self.result else INT)
        if self.result is None:
            self.result = self._copied(plain)  # type: ignore[assignment]
            return
        if plain.type != self.result.type:
            raise Misuse(f"returns {plain.type} here and {self.result.type} elsewhere")
        for to, of in zip(self.result.registers, plain.registers, strict=True):
            self.builder.move(to, of)

    def inlined(self, function: FunctionType, arguments: list[Anything]) -> Anything:
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
        if body.result is None or not returns(source.function.body):
            raise Misuse(f"{source.function.name} does not return a value whichever way it goes")
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
