"""Random shaders: every statement, nested, on few registers, so that values meet."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from refnvn.shader.execute import LaneInputs
from refnvn.shader.ir import (
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
    UniformBlock,
)
from refnvn.shader.ir_base import Axis, Builtin, Interpolation, Kind, Stage
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.validate import validate
from tests.shader.words import EDGES

WORDS, BOOLEANS, COMPONENTS = 6, 3, 4


class _Writer:
    def __init__(self, source: random.Random, *, derivatives: bool, statements: int) -> None:
        self.source = source
        self.derivatives = derivatives
        self.left = statements

    def word(self) -> int:
        return self.source.randrange(WORDS)

    def boolean(self) -> int:
        return WORDS + self.source.randrange(BOOLEANS)

    def operate(self) -> Operate:
        operation = self.source.choice(list(OPERATIONS.values()))
        to = self.boolean() if operation.result == "bool" else self.word()
        of = tuple(self.boolean() if view == "bool" else self.word() for view in operation.operands)
        return Operate(name=operation.name, to=to, of=of)

    def load(self) -> AnyStatement:
        pick = self.source.randrange(4)
        if pick == 0:
            return LoadInput(to=self.word(), location=0, component=self.source.randrange(COMPONENTS))
        if pick == 1:
            return LoadBuiltin(to=self.boolean(), builtin=Builtin.FRONT_FACING)
        if pick == 2:
            plus_B = self.word() if self.source.random() < 0.5 else None
            return LoadUniform(to=self.word(), binding=1, offset_B=4 * self.source.randrange(9), plus_B=plus_B)
        return Constant(to=self.word(), bits=int(self.source.choice(EDGES)))

    def statement(self, depth: int, loops: int) -> AnyStatement:
        self.left -= 1
        pick = self.source.random()
        if pick < 0.12 and depth < 4:
            return If(
                condition=self.boolean(), then=self.block(depth + 1, loops), otherwise=self.block(depth + 1, loops)
            )
        if pick < 0.2 and loops < 2:
            counter = self.word() if self.source.random() < 0.5 else None
            return Loop(times=self.source.randint(1, 4), body=self.block(depth + 1, loops + 1), counter=counter)
        if pick < 0.28 and loops:
            return Break() if self.source.random() < 0.5 else Continue()
        if pick < 0.31 and depth:
            return Discard()
        if pick < 0.4:
            return StoreOutput(location=0, component=self.source.randrange(COMPONENTS), of=self.word())
        if pick < 0.43:
            return StoreDepth(of=self.word())
        if pick < 0.5 and self.derivatives:
            axis = self.source.choice(list(Axis))
            return Derive(to=self.word(), of=self.word(), axis=axis, coarse=self.source.random() < 0.5)
        return self.load() if pick < 0.65 else self.operate()

    def block(self, depth: int, loops: int) -> tuple[AnyStatement, ...]:
        count = self.source.randrange(1, 7) if depth else 24
        return tuple(self.statement(depth, loops) for _ in range(count) if self.left > 0)


def program(seed: int, *, derivatives: bool, statements: int = 60) -> Shader:
    """Return a valid fragment shader that a seed decides."""
    writer = _Writer(random.Random(seed), derivatives=derivatives, statements=statements)
    head: list[AnyStatement] = [LoadInput(to=i, location=0, component=i % COMPONENTS) for i in range(WORDS)]
    head += [Operate(name="float.less", to=WORDS + i, of=(i, i + 1)) for i in range(BOOLEANS)]
    tail = [StoreOutput(location=1, component=i, of=i) for i in range(COMPONENTS)]
    forced = [Derive(to=0, of=1, axis=Axis.X)] if derivatives else []
    return validate(
        Shader(
            refnvn_shader=1,
            stage=Stage.FRAGMENT,
            inputs=(Input(location=0, interpolation=Interpolation.FLAT),),
            outputs=(Output(location=0), Output(location=1)),
            uniforms=(UniformBlock(binding=1, size_B=32),),
            registers=(Kind.WORD,) * WORDS + (Kind.BOOL,) * BOOLEANS,
            statements=(*head, *forced, *writer.block(0, 0), *tail),
        )
    )


def lanes(seed: int, count: int) -> LaneInputs:
    """Return inputs with many edge values."""
    source = np.random.default_rng(seed)
    values = source.integers(0, 1 << 32, (COMPONENTS, count), dtype=np.uint32)
    edges = source.choice(EDGES, values.shape)
    values = np.where(source.random(values.shape) < 0.6, edges, values).astype(np.uint32)
    bound: NDArray[np.uint8] = source.integers(0, 256, 24, dtype=np.uint8)
    return LaneInputs(
        count=count,
        values=values,
        builtins={"front_facing": source.random(count) < 0.5},
        uniforms=lambda _binding: bound,
        helper_quads=True,
    )
