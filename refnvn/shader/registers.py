"""How do the statements of a shader get by with few registers?

A register that is written once, and read afterwards in the same block or blocks inside it, is free again after its
last reader. Others keep a number of their own, and so does what a derivative reads: a neighbour that never computed
it must give 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from refnvn.shader.ir import (
    AnyStatement,
    Constant,
    Derive,
    If,
    LoadBuiltin,
    LoadInput,
    LoadUniform,
    Loop,
    Operate,
    StoreDepth,
    StoreOutput,
    walk,
)
from refnvn.shader.ir_base import Kind
from refnvn.shader.ir_memory import ATOMICS, MEMORY_LOADS, MemoryStatement
from refnvn.shader.ir_stages import STAGE_LOADS, StageStatement
from refnvn.shader.ir_textures import QueryLod, SampleTexture, TextureStatement

WRITES = (
    Operate,
    Constant,
    LoadInput,
    LoadBuiltin,
    LoadUniform,
    Derive,
    TextureStatement,
    *STAGE_LOADS,
    *MEMORY_LOADS,
)
"""Statements that do nothing but write their registers."""


def reads(statement: AnyStatement) -> Iterator[int]:
    """Yield the registers that a statement itself reads, not those inside it."""
    match statement:
        case Operate(of=of):
            yield from of
        case StoreOutput(of=of) | StoreDepth(of=of) | Derive(of=of):
            yield of
        case LoadUniform(plus_B=plus_B) if plus_B is not None:
            yield plus_B
        case If(condition=condition):
            yield condition
        case TextureStatement() | MemoryStatement() | StageStatement():
            for name in statement.read_fields:
                yield from as_registers(getattr(statement, name))
        case _:
            pass


def as_registers(value: int | tuple[int, ...] | None) -> tuple[int, ...]:
    """Return what a field that holds registers holds: none, one or several."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def seen_by_neighbours(statement: AnyStatement) -> tuple[int, ...]:
    """Return the registers that a statement reads in the other lanes of the quad too."""
    if isinstance(statement, Derive):
        return (statement.of,)
    if isinstance(statement, SampleTexture | QueryLod) and statement.takes_quad:
        return statement.coordinates
    return ()


def written(statement: AnyStatement) -> Iterator[int]:
    """Yield the registers that a statement itself writes."""
    if isinstance(statement, (*WRITES, *ATOMICS)):
        yield from as_registers(statement.to)
    elif isinstance(statement, Loop) and statement.counter is not None:
        yield statement.counter


def inner_blocks(statement: AnyStatement) -> tuple[tuple[AnyStatement, ...], ...]:
    """Return the blocks inside a statement."""
    if isinstance(statement, If):
        return (statement.then, statement.otherwise)
    return (statement.body,) if isinstance(statement, Loop) else ()


def used_registers(statements: tuple[AnyStatement, ...]) -> set[int]:
    """Return the registers that some statement reads."""
    return {register for statement in walk(statements) for register in reads(statement)}


def without_unread(statements: tuple[AnyStatement, ...]) -> tuple[AnyStatement, ...]:
    """Return statements without those that only write registers that nothing reads, over and over."""
    used = used_registers(statements)
    while True:
        statements = _without(statements, used)
        still_used = used_registers(statements)
        if still_used == used:
            return statements
        used = still_used


def _without(statements: tuple[AnyStatement, ...], used: set[int]) -> tuple[AnyStatement, ...]:
    kept: list[AnyStatement] = []
    for statement in statements:
        if isinstance(statement, WRITES) and used.isdisjoint(as_registers(statement.to)):
            continue
        if isinstance(statement, If):
            then, otherwise = _without(statement.then, used), _without(statement.otherwise, used)
            if then or otherwise:
                kept.append(If(condition=statement.condition, then=then, otherwise=otherwise))
        elif isinstance(statement, Loop):
            body = _without(statement.body, used)
            if body:
                kept.append(msgspec.structs.replace(statement, body=body))
        else:
            kept.append(statement)
    return tuple(kept)


class Allocation:
    """New numbers for registers.

    Parameters
    ----------
    statements : tuple of statements
        The whole shader's.
    kinds : list of Kind
        Of each old register.

    Attributes
    ----------
    statements : tuple of statements
        On new registers.
    registers : list of Kind
        Of each new register.
    """

    def __init__(self, statements: tuple[AnyStatement, ...], kinds: list[Kind]) -> None:
        self.kinds = kinds
        self.registers: list[Kind] = []
        self.numbers: dict[int, int] = {}
        self.free: dict[Kind, list[int]] = {Kind.WORD: [], Kind.BOOL: []}
        self.kept = self._kept(statements)
        self.statements = self._block(statements)

    @staticmethod
    def _kept(statements: tuple[AnyStatement, ...]) -> set[int]:
        """Return the registers that must keep a number of their own."""
        times = Counter(register for statement in walk(statements) for register in written(statement))
        kept = {register for register, count in times.items() if count > 1}
        kept |= {register for s in walk(statements) for register in seen_by_neighbours(s)}
        kept |= {s.counter for s in walk(statements) if isinstance(s, Loop) and s.counter is not None}
        kept |= used_registers(statements) - times.keys()
        return kept | _read_elsewhere(statements)

    def _number(self, register: int) -> int:
        """Return the new number of a register, giving it one where it has none."""
        if register not in self.numbers:
            free = self.free[self.kinds[register]]
            if register not in self.kept and free:
                self.numbers[register] = free.pop()
            else:
                self.registers.append(self.kinds[register])
                self.numbers[register] = len(self.registers) - 1
        return self.numbers[register]

    def _numbers(self, value: int | tuple[int, ...] | None) -> int | tuple[int, ...] | None:
        """Return the new numbers of what a field holds."""
        if isinstance(value, tuple):
            return tuple(map(self._number, value))
        return None if value is None else self._number(value)

    def _block(self, statements: tuple[AnyStatement, ...]) -> tuple[AnyStatement, ...]:
        last_reader: dict[int, int] = {}
        for place, statement in enumerate(statements):
            for inner in walk((statement,)):
                last_reader.update(dict.fromkeys(reads(inner), place))
        ours = {register for statement in statements for register in written(statement)} - self.kept
        changed: list[AnyStatement] = []
        for place, statement in enumerate(statements):
            ending = [r for r in ours if last_reader.get(r) == place]
            changed.append(self._statement(statement, ending))
        return tuple(changed)

    def _statement(self, statement: AnyStatement, ending: list[int]) -> AnyStatement:
        changes: dict[str, object] = {}
        of = getattr(statement, "of", None)
        if of is not None:
            changes["of"] = tuple(map(self._number, of)) if isinstance(of, tuple) else self._number(of)
        for field in ("condition", "plus_B", "counter"):
            register = getattr(statement, field, None)
            if register is not None:
                changes[field] = self._number(register)
        for field in ("then", "otherwise", "body"):
            if hasattr(statement, field):
                changes[field] = self._block(getattr(statement, field))
        for field in getattr(statement, "read_fields", ()):
            changes[field] = self._numbers(getattr(statement, field))
        for register in sorted(ending):
            self.free[self.kinds[register]].append(self.numbers[register])
        if isinstance(statement, (*WRITES, *ATOMICS)):
            changes["to"] = self._numbers(statement.to)
        return msgspec.structs.replace(statement, **changes)


def _read_elsewhere(statements: tuple[AnyStatement, ...], seen: frozenset[int] = frozenset()) -> set[int]:
    """Return the registers that are read where no earlier statement of the same or an outer block wrote them."""
    found: set[int] = set()
    for statement in statements:
        found.update(register for register in reads(statement) if register not in seen)
        for block in inner_blocks(statement):
            found |= _read_elsewhere(block, seen)
        seen = seen.union(written(statement))
    return found
