"""What is the source text of a kernel that runs a shader lane by lane?

Arithmetic is copied, as text, from the modules where its rules stand, so that there is one meaning. Statements become
assignments to variables whose names are made here out of register numbers; nothing of a shader's own text (its names)
gets in, and only numbers that validation has bounded.

A shader without derivatives becomes a function of one lane. With derivatives four lanes go in step, each statement
done in the lanes of a mask as in ``execute_numpy.py``: a neighbour then holds what NumPy's would.

Read next: ``execute_numba.py``.
"""

from __future__ import annotations

from refnvn.shader.arithmetic_text import arithmetic_text
from refnvn.shader.derivative import neighbours
from refnvn.shader.ir import (
    AnyStatement,
    Break,
    Constant,
    Continue,
    Derive,
    Discard,
    If,
    LoadBuiltin,
    LoadInput,
    LoadUniform,
    Loop,
    Operate,
    Shader,
    StoreDepth,
    StoreOutput,
    first_rows,
)
from refnvn.shader.ir_base import Builtin, Kind
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.uniforms import WORD_B, first_words

_INDENT = "    "
_HEADER = '"""A shader as a kernel. Generated; not to be edited."""\n\nimport numpy as np\n'
_SELECT = "@compiled\ndef select(condition, yes, no):\n    return yes if condition else no\n"
_UNIFORM = (
    "@compiled\ndef uniform_word(words, start, count, offset_B):\n"
    "    place = np.uint32(offset_B >> np.uint32(2))\n"
    "    return words[np.uint32(start + place)] if place < count else np.uint32(0)\n"
)
ARGUMENTS = "mode, inputs, builtins, uniforms, outputs, discarded, depth"


class _Writer:
    """Lines of a function, indented."""

    def __init__(self, shader: Shader) -> None:
        self.shader = shader
        self.lines: list[str] = []
        self.depth = 1
        self.names = 0
        self.input_rows = first_rows(shader.inputs)
        self.output_rows = first_rows(shader.outputs)
        self.builtin_rows = {builtin: row for row, builtin in enumerate(shader.builtins)}
        self.uniform_starts = first_words(shader)
        self.uniform_words = {block.binding: block.size_B // WORD_B for block in shader.uniforms}

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(_INDENT * self.depth + text)

    def fresh(self) -> int:
        """Return a number that no other name has."""
        self.names += 1
        return self.names

    def register(self, register: int) -> str:
        """Return how a register is written."""
        raise NotImplementedError

    def value(self, statement: Operate | Constant | LoadInput | LoadBuiltin | LoadUniform) -> str:
        """Return the expression of what a statement writes to its register, in lane ``i``."""
        match statement:
            case Operate(name=name, of=of):
                operation = OPERATIONS[name]
                operands = [self.register(one) for one in of] + ["mode"] * operation.is_float
                wrap = "bool" if operation.result == "bool" else "np.uint32"
                return f"{wrap}({operation.function.__name__}({', '.join(operands)}))"
            case Constant(to=to, bits=number):
                return str(bool(number)) if self._is_bool(to) else f"np.uint32({number})"
            case LoadInput(location=location, component=component):
                return f"inputs[{self.input_rows[location] + component}, i]"
            case LoadBuiltin(builtin=builtin):
                loaded = f"builtins[{self.builtin_rows[builtin]}, i]"
                return f"{loaded} != np.uint32(0)" if builtin is Builtin.FRONT_FACING else loaded
            case LoadUniform(binding=binding, offset_B=offset_B, plus_B=plus_B):
                place = f"np.uint32({offset_B})"
                if plus_B is not None:
                    place = f"np.uint32({self.register(plus_B)} + {place})"
                start, count = self.uniform_starts[binding], self.uniform_words[binding]
                return f"uniform_word(uniforms, np.uint32({start}), np.uint32({count}), {place})"

    def _is_bool(self, register: int) -> bool:
        return self.shader.registers[register] is Kind.BOOL

    def simple(self, statement: AnyStatement) -> None:
        """Write a statement that is one assignment in lane ``i``."""
        match statement:
            case StoreOutput(location=location, component=component, of=of):
                self.line(f"outputs[{self.output_rows[location] + component}, i] = {self.register(of)}")
            case StoreDepth(of=of):
                self.line(f"depth[i] = {self.register(of)}")
            case Operate(to=to) | Constant(to=to) | LoadInput(to=to) | LoadBuiltin(to=to) | LoadUniform(to=to):
                self.line(f"{self.register(to)} = {self.value(statement)}")
            case _:
                raise AssertionError(statement)


class _LaneWriter(_Writer):
    """The function of one lane: registers are variables, control flow is Python's."""

    def register(self, register: int) -> str:
        return f"{'b' if self._is_bool(register) else 'w'}{register}"

    def function(self) -> str:
        for register, kind in enumerate(self.shader.registers):
            self.line(f"{self.register(register)} = {'False' if kind is Kind.BOOL else 'np.uint32(0)'}")
        self.block(self.shader.statements)
        self.line("return")
        body = "\n".join(self.lines)
        return (
            f"@compiled\ndef lane(i, {ARGUMENTS}):\n{body}\n\n\n@compiled\ndef shade(count, {ARGUMENTS}):\n"
            f"    for i in range(count):\n        lane(i, {ARGUMENTS})\n"
        )

    def block(self, statements: tuple[AnyStatement, ...]) -> None:
        for statement in statements:
            self.statement(statement)
        if not statements:
            self.line("pass")

    def statement(self, statement: AnyStatement) -> None:
        match statement:
            case If(condition=condition, then=then, otherwise=otherwise):
                self.line(f"if {self.register(condition)}:")
                self._inner(then)
                if otherwise:
                    self.line("else:")
                    self._inner(otherwise)
            case Loop(times=times, body=body, counter=counter):
                turn = f"t{self.fresh()}"
                self.line(f"for {turn} in range({times}):")
                self.depth += 1
                if counter is not None:
                    self.line(f"{self.register(counter)} = np.uint32({turn})")
                self.block(body)
                self.depth -= 1
            case Break():
                self.line("break")
            case Continue():
                self.line("continue")
            case Discard():
                self.line("discarded[i] = True")
                self.line("return")
            case _:
                self.simple(statement)

    def _inner(self, statements: tuple[AnyStatement, ...]) -> None:
        self.depth += 1
        self.block(statements)
        self.depth -= 1


class _QuadWriter(_Writer):
    """The function of a quad: registers are rows of arrays, masks of four bits say which lanes go on."""

    def register(self, register: int) -> str:
        return f"{'flags' if self._is_bool(register) else 'words'}[{register}, k]"

    def function(self) -> str:
        self.line("words[:] = np.uint32(0)")
        self.line("flags[:] = False")
        self.line("m = 15")
        self.block(self.shader.statements, "m", "")
        self.line("return")
        body, count = "\n".join(self.lines), max(len(self.shader.registers), 1)
        return (
            f"@compiled\ndef quad(first, words, flags, {ARGUMENTS}):\n{body}\n\n\n"
            f"@compiled\ndef shade(count, {ARGUMENTS}):\n"
            f"    words = np.zeros(({count}, 4), np.uint32)\n    flags = np.zeros(({count}, 4), np.bool_)\n"
            f"    for first in range(0, count, 4):\n        quad(first, words, flags, {ARGUMENTS})\n"
        )

    def block(self, statements: tuple[AnyStatement, ...], mask: str, loop: str) -> None:
        """Write statements for the lanes of a mask; afterwards the mask holds the lanes that go on."""
        in_lanes = False
        for statement in statements:
            plain = not isinstance(statement, If | Loop | Break | Continue | Discard | Derive)
            if plain and not in_lanes:
                self._each_lane(mask)
            elif not plain and in_lanes:
                self.depth -= 2
            in_lanes = plain
            if plain:
                self.simple(statement)
            else:
                self._special(statement, mask, loop)
        if in_lanes:
            self.depth -= 2

    def _each_lane(self, mask: str) -> None:
        """Open a loop over the lanes of a mask, two levels deep."""
        self.line("for k in range(4):")
        self.depth += 1
        self.line(f"if {mask} >> k & 1:")
        self.depth += 1
        self.line("i = first + k")

    def _special(self, statement: AnyStatement, mask: str, loop: str) -> None:
        match statement:
            case If():
                self._if(statement, mask, loop)
            case Loop():
                self._loop(statement, mask)
            case Break() | Continue():
                self.line(f"{'b' if isinstance(statement, Break) else 'c'}{loop} |= {mask}")
                self.line(f"{mask} = 0")
            case Discard():
                self._each_lane(mask)
                self.line("discarded[i] = True")
                self.depth -= 2
                self.line(f"{mask} = 0")
            case Derive():
                self._derive(statement, mask)
            case _:
                raise AssertionError(statement)

    def _if(self, statement: If, mask: str, loop: str) -> None:
        number = self.fresh()
        then, otherwise = f"y{number}", f"n{number}"
        self.line(f"{then} = 0")
        self._each_lane(mask)
        self.line(f"if {self.register(statement.condition)}:")
        self.line(f"{_INDENT}{then} |= 1 << k")
        self.depth -= 2
        self.line(f"{otherwise} = {mask} ^ {then}")
        for block, branch in ((statement.then, then), (statement.otherwise, otherwise)):
            if block:
                self.line(f"if {branch}:")
                self.depth += 1
                self.block(block, branch, loop)
                self.depth -= 1
        self.line(f"{mask} = {then} | {otherwise}")

    def _loop(self, statement: Loop, mask: str) -> None:
        number = str(self.fresh())
        self.line(f"b{number} = 0")
        self.line(f"for t{number} in range({statement.times}):")
        self.depth += 1
        self.line(f"if {mask} == 0:")
        self.line(f"{_INDENT}break")
        self.line(f"c{number} = 0")
        if statement.counter is not None:
            self._each_lane(mask)
            self.line(f"{self.register(statement.counter)} = np.uint32(t{number})")
            self.depth -= 2
        self.block(statement.body, mask, number)
        self.line(f"{mask} |= c{number}")
        self.depth -= 1
        self.line(f"{mask} |= b{number}")

    def _derive(self, statement: Derive, mask: str) -> None:
        number = self.fresh()
        for k in range(4):
            self.line(f"q{number}_{k} = words[{statement.of}, {k}]")
        for k, (minuend, subtrahend) in enumerate(neighbours(statement.axis, statement.coarse)):
            difference = f"float_sub(q{number}_{minuend}, q{number}_{subtrahend}, mode)"
            self.line(f"if {mask} >> {k} & 1:")
            self.line(f"{_INDENT}words[{statement.to}, {k}] = np.uint32({difference})")


def kernel_text(shader: Shader) -> str:
    """Return the source of a module with ``shade(count, ...)`` for a validated shader.

    The module expects ``compiled`` to be defined: what compiles a function, or leaves it as it is.
    """
    functions = [OPERATIONS[name].function.__name__ for name in shader.operations]
    writer: _LaneWriter | _QuadWriter = _LaneWriter(shader)
    if shader.uses_derivatives:
        functions.append("float_sub")
        writer = _QuadWriter(shader)
    parts = [_HEADER, _SELECT, _UNIFORM, arithmetic_text(functions), writer.function()]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"
