"""Which data of the form of ``ir.py`` is a shader?

Every register is there and holds what is asked of it, every place of the interface is declared, control flow is
nested where it may be, and nothing is larger or runs longer than the limits below. An executor may then run it
without looking.
"""

from __future__ import annotations

from collections.abc import Sequence

from refnvn.errors import InputFileError
from refnvn.shader.ir import (
    SAMPLE_MASK,
    AnyStatement,
    Break,
    Constant,
    Continue,
    Derive,
    Discard,
    If,
    Input,
    LoadBuiltin,
    LoadInput,
    LoadUniform,
    Loop,
    Operate,
    Output,
    Shader,
    StoreDepth,
    StoreOutput,
)
from refnvn.shader.ir_base import ComponentType, Interpolation, Kind, Sampling, Stage
from refnvn.shader.ir_memory import MemoryStatement
from refnvn.shader.ir_stages import StageStatement
from refnvn.shader.ir_textures import TextureStatement
from refnvn.shader.operations import BOOLEAN_VIEW, OPERATIONS
from refnvn.shader.registers import reads, written
from refnvn.shader.special_outputs import input_misfit, misfit
from refnvn.shader.validate_memory import interface_faults, memory_faults
from refnvn.shader.validate_stages import feedback_faults, layout_faults, stage_faults
from refnvn.shader.validate_textures import slot_faults, statement_faults

MAX_REGISTERS = 1024
MAX_STATEMENTS = 4096
MAX_NESTING = 24
MAX_LOOP_NESTING = 4
MAX_EXECUTED = 1 << 22
"""The most statements that one lane may run, every loop taking all its turns."""
MAX_FRAGMENT_OUTPUTS = 8
MAX_LOCATION = 31
"""Of attributes and varyings."""


def validate(shader: Shader, where: str = "shader") -> Shader:
    """Return the shader if it is one.

    Parameters
    ----------
    shader : Shader
        Of any content.
    where : str
        How an error calls it.

    Raises
    ------
    InputFileError
        Naming the statement, what is wrong and what is allowed.
    """
    _Checker(shader, where).check()
    return shader


def most_executed(shader: Shader) -> int:
    """Return the most statements that a lane may run, every loop taking all its turns.

    Raises
    ------
    InputFileError
        For what is no shader.
    """
    return _Checker(shader, "shader").check()


class _Checker:
    def __init__(self, shader: Shader, where: str) -> None:
        self.shader = shader
        self.where = where
        self.inputs = {one.location: one for one in shader.inputs}
        self.outputs = {one.location: one for one in shader.outputs}
        self.uniforms = {one.binding for one in shader.uniforms}
        self.statements = 0

    def fail(self, place: str, what: str) -> InputFileError:
        """Return the error of a place."""
        return InputFileError(f"{self.where}: {place}: {what}")

    def check(self) -> int:
        """Check everything, and return the most statements that a lane may run."""
        if len(self.shader.registers) > MAX_REGISTERS:
            raise self.fail("registers", f"{len(self.shader.registers)}, more than the {MAX_REGISTERS} allowed")
        self._interface()
        executed = self._block(self.shader.statements, "statements", nesting=0, loops=0)
        if executed > MAX_EXECUTED:
            raise self.fail("statements", f"a lane may run {executed}, more than the {MAX_EXECUTED} allowed")
        return executed

    def _unique(self, what: str, numbers: Sequence[int]) -> None:
        for number in numbers:
            if numbers.count(number) > 1:
                raise self.fail(what, f"{number} stands twice")

    def _interface(self) -> None:
        shader = self.shader
        self._unique("inputs: location", [one.location for one in shader.inputs])
        self._unique("outputs: location", [one.location for one in shader.outputs])
        self._unique("uniforms: binding", [one.binding for one in shader.uniforms])
        faults = (*slot_faults(shader), *interface_faults(shader), *feedback_faults(shader), *layout_faults(shader))
        for place, fault in faults:
            raise self.fail(place, fault)
        for one in shader.inputs:
            self._input(one)
        for output in shader.outputs:
            self._output(output)

    def _input(self, one: Input) -> None:
        place = f"inputs: location {one.location}"
        if one.location < 0 and (wrong := input_misfit(self.shader.stage, one)) is not None:
            raise self.fail(place, wrong)
        plain = one.interpolation is Interpolation.SMOOTH and one.sampling is Sampling.CENTER
        if self.shader.stage is Stage.VERTEX and not plain:
            raise self.fail(place, "an attribute of a vertex shader is not interpolated")
        whole = one.type is not ComponentType.FLOAT
        if self.shader.stage is Stage.FRAGMENT and whole and one.interpolation is not Interpolation.FLAT:
            raise self.fail(place, f"a varying of type {one.type} must be flat, not {one.interpolation}")

    def _output(self, one: Output) -> None:
        place = f"outputs: location {one.location}"
        if self.shader.stage is Stage.FRAGMENT:
            is_mask = one.location == SAMPLE_MASK and (one.components, one.type) == (1, ComponentType.UINT)
            if not is_mask and not 0 <= one.location < MAX_FRAGMENT_OUTPUTS:
                allowed = f"0 to {MAX_FRAGMENT_OUTPUTS - 1}; one uint component at -1 is the sample mask"
                raise self.fail(place, f"a colour's location is {allowed}")
        elif not 0 <= one.location <= MAX_LOCATION and (wrong := misfit(self.shader.stage, one)) is not None:
            raise self.fail(place, wrong)

    def _block(self, block: tuple[AnyStatement, ...], path: str, *, nesting: int, loops: int) -> int:
        """Check statements and return how many of them a lane may run."""
        if nesting > MAX_NESTING:
            raise self.fail(path, f"nested more than {MAX_NESTING} deep")
        executed = 0
        for number, statement in enumerate(block):
            place = f"{path}[{number}]"
            self.statements += 1
            if self.statements > MAX_STATEMENTS:
                raise self.fail(place, f"more than {MAX_STATEMENTS} statements")
            executed += 1 + self._statement(statement, place, nesting=nesting, loops=loops)
        return executed

    def _statement(self, statement: AnyStatement, place: str, *, nesting: int, loops: int) -> int:
        if isinstance(statement, If):
            self._register(statement.condition, Kind.BOOL, place)
            then = self._block(statement.then, f"{place}.then", nesting=nesting + 1, loops=loops)
            return then + self._block(statement.otherwise, f"{place}.otherwise", nesting=nesting + 1, loops=loops)
        if isinstance(statement, Loop):
            if loops == MAX_LOOP_NESTING:
                raise self.fail(place, f"loops are nested more than {MAX_LOOP_NESTING} deep")
            if statement.counter is not None:
                self._register(statement.counter, Kind.WORD, place)
            inside = self._block(statement.body, f"{place}.body", nesting=nesting + 1, loops=loops + 1)
            return (inside + 1) * statement.times
        if isinstance(statement, Break | Continue) and not loops:
            raise self.fail(place, f"{type(statement).__name__.lower()} stands outside of a loop")
        self._simple(statement, place)
        return 0

    def _simple(self, statement: AnyStatement, place: str) -> None:
        match statement:
            case Operate():
                self._operate(statement, place)
            case Constant(to=to, bits=bits):
                if self._kind(to, place) is Kind.BOOL and bits > 1:
                    raise self.fail(place, f"{bits} for a boolean register, which holds 0 or 1")
            case LoadInput(to=to):
                self._register(to, Kind.WORD, place)
                self._component("input", self.inputs.get(statement.location), statement.component, place)
            case LoadBuiltin(to=to, builtin=builtin):
                self._register(to, builtin.kind, place)
                if self.shader.stage not in builtin.stages:
                    raise self.fail(place, f"a {self.shader.stage} shader has no {builtin}")
            case LoadUniform():
                self._uniform(statement, place)
            case Derive(to=to, of=of):
                self._fragment_only("a derivative", place)
                self._register(to, Kind.WORD, place)
                self._register(of, Kind.WORD, place)
            case StoreOutput(of=of):
                self._register(of, Kind.WORD, place)
                self._component("output", self.outputs.get(statement.location), statement.component, place)
            case StoreDepth(of=of):
                self._fragment_only("a depth", place)
                self._register(of, Kind.WORD, place)
            case Discard():
                self._fragment_only("discard", place)
            case TextureStatement():
                for fault in statement_faults(self.shader, statement):
                    raise self.fail(place, fault)
                for register in (*reads(statement), *written(statement)):
                    self._register(register, Kind.WORD, place)
            case MemoryStatement():
                for fault in memory_faults(self.shader, statement):
                    raise self.fail(place, fault)
                for register in (*reads(statement), *written(statement)):
                    self._register(register, Kind.WORD, place)
            case StageStatement():
                for fault in stage_faults(self.shader, statement):
                    raise self.fail(place, fault)
                for register in (*reads(statement), *written(statement)):
                    self._register(register, Kind.WORD, place)
            case _:
                pass

    def _operate(self, statement: Operate, place: str) -> None:
        operation = OPERATIONS.get(statement.name)
        if operation is None:
            raise self.fail(place, f"there is no operation {statement.name!r}")
        if len(statement.of) != len(operation.operands):
            raise self.fail(
                place, f"{statement.name} takes {len(operation.operands)} operands, not {len(statement.of)}"
            )
        for register, view in zip(statement.of, operation.operands, strict=True):
            self._register(register, _kind_of(view), place)
        self._register(statement.to, _kind_of(operation.result), place)

    def _uniform(self, statement: LoadUniform, place: str) -> None:
        self._register(statement.to, Kind.WORD, place)
        if statement.plus_B is not None:
            self._register(statement.plus_B, Kind.WORD, place)
        if statement.binding not in self.uniforms:
            raise self.fail(place, f"no uniform block has binding {statement.binding}")

    def _fragment_only(self, what: str, place: str) -> None:
        if self.shader.stage is not Stage.FRAGMENT:
            raise self.fail(place, f"a {self.shader.stage} shader has no {what.removeprefix('a ')}")

    def _component(self, what: str, one: Input | Output | None, component: int, place: str) -> None:
        if one is None:
            raise self.fail(place, f"no {what} has that location")
        if component >= one.components:
            raise self.fail(
                place, f"component {component} of {what} {one.location}, which has {one.components} components"
            )

    def _kind(self, register: int, place: str) -> Kind:
        if register >= len(self.shader.registers):
            raise self.fail(place, f"register {register}; there are {len(self.shader.registers)}")
        return self.shader.registers[register]

    def _register(self, register: int, kind: Kind, place: str) -> None:
        found = self._kind(register, place)
        if found is not kind:
            raise self.fail(place, f"register {register} holds a {found}, not a {kind}")


def _kind_of(view: str) -> Kind:
    return Kind.BOOL if view == BOOLEAN_VIEW else Kind.WORD
