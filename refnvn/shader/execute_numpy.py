"""How does NumPy run a shader: every statement on all lanes, with a mask of the lanes that take part.

A statement writes its register only in the lanes of the mask; a branch that no lane takes is skipped; a loop ends
when no lane is left in it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.rules.fields import NVN, Rules
from refnvn.shader.derivative import neighbours
from refnvn.shader.execute import LaneInputs, LaneOutputs, plan_of
from refnvn.shader.execute_memory import MemoryAccess
from refnvn.shader.execute_stages import StageAccess
from refnvn.shader.execute_textures import TextureReads
from refnvn.shader.float_arithmetic import float_sub
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
from refnvn.shader.ir_base import Kind
from refnvn.shader.ir_memory import MemoryStatement
from refnvn.shader.ir_stages import StageStatement
from refnvn.shader.ir_textures import TextureStatement
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.uniforms import WORD_B, first_words, uniform_word, uniform_words

Mask = NDArray[np.bool_]


def execute(shader: Shader, lanes: LaneInputs, mode: int, rules: Rules = NVN) -> LaneOutputs:
    """Run a validated shader; see :func:`refnvn.shader.execute.run`."""
    lanes_run, plan = _Lanes(shader, lanes, mode, rules), plan_of(shader)
    with np.errstate(all="ignore"):
        lanes_run.block(shader.statements, np.ones(lanes.count, dtype=np.bool_))
    return LaneOutputs(
        values=lanes_run.outputs,
        discarded=lanes_run.discarded if plan.can_discard else None,
        depth=lanes_run.depth if plan.writes_depth else None,
        stages=lanes_run.stages if plan.is_staged else None,
    )


class _Turn:
    """The lanes that left, or ended this turn of, the innermost loop."""

    def __init__(self, count: int) -> None:
        self.broken = np.zeros(count, dtype=np.bool_)
        self.continued = np.zeros(count, dtype=np.bool_)


class _Lanes:
    def __init__(self, shader: Shader, lanes: LaneInputs, mode: int, rules: Rules) -> None:
        self.shader = shader
        self.lanes = lanes
        self.mode = mode
        kinds = {Kind.WORD: np.uint32, Kind.BOOL: np.bool_}
        self.registers: list[NDArray[Any]] = [np.zeros(lanes.count, dtype=kinds[k]) for k in shader.registers]
        self.input_rows = first_rows(shader.inputs)
        self.output_rows = first_rows(shader.outputs)
        self.uniforms = uniform_words(shader, lanes.uniforms)
        self.uniform_starts = first_words(shader)
        self.uniform_sizes = {block.binding: block.size_B // WORD_B for block in shader.uniforms}
        self.outputs = np.zeros((shader.output_components, lanes.count), dtype=np.uint32)
        self.discarded = np.zeros(lanes.count, dtype=np.bool_)
        self.depth = np.zeros(lanes.count, dtype=np.uint32)
        self.turns: list[_Turn] = []
        self.memory = MemoryAccess(shader, lanes, self.registers, rules)
        self.texture_reads = TextureReads(shader, lanes.textures, self.registers, rules, lanes.live)

    @functools.cached_property
    def stages(self) -> StageAccess:
        """What only some stages have."""
        return StageAccess(self.shader, self.lanes.vertex_values, self.lanes.count, self.registers, self.outputs)

    def block(self, statements: tuple[AnyStatement, ...], mask: Mask) -> Mask:
        """Run statements in the lanes of a mask; return the lanes that came to the end."""
        if not mask.any():
            return mask
        for statement in statements:
            before, mask = mask, self.statement(statement, mask)
            if mask is not before and not mask.any():
                break
        return mask

    def statement(self, statement: AnyStatement, mask: Mask) -> Mask:
        """Run one statement; return the lanes that go on."""
        match statement:
            case If(condition=condition, then=then, otherwise=otherwise):
                holds = self.registers[condition].copy()
                return self.block(then, mask & holds) | self.block(otherwise, mask & ~holds)
            case Loop():
                return self.loop(statement, mask)
            case Break():
                self.turns[-1].broken |= mask
                return np.zeros_like(mask)
            case Continue():
                self.turns[-1].continued |= mask
                return np.zeros_like(mask)
            case Discard():
                self.discarded |= mask
                return np.zeros_like(mask)
            case StoreOutput(location=location, component=component, of=of):
                row = self.outputs[self.output_rows[location] + component]
                np.copyto(row, self.registers[of], where=mask)
            case StoreDepth(of=of):
                np.copyto(self.depth, self.registers[of], where=mask)
            case MemoryStatement():
                self.memory.run(statement, mask)
            case TextureStatement():
                self.texture_reads.run(statement, mask)
            case StageStatement():
                self.stages.run(statement, mask)
            case _:
                np.copyto(self.registers[statement.to], self.value(statement), where=mask)
        return mask

    def loop(self, loop: Loop, mask: Mask) -> Mask:
        """Run a loop until it has taken its turns or no lane is left in it."""
        turn = _Turn(self.lanes.count)
        self.turns.append(turn)
        for number in range(loop.times):
            if not mask.any():
                break
            if loop.counter is not None:
                np.copyto(self.registers[loop.counter], np.uint32(number), where=mask)
            turn.continued[:] = False
            mask = self.block(loop.body, mask) | turn.continued
        self.turns.pop()
        return mask | turn.broken

    def value(self, statement: Operate | Constant | LoadInput | LoadBuiltin | LoadUniform | Derive) -> Any:
        """Return what a statement writes to its register, in every lane."""
        match statement:
            case Operate(name=name, of=of):
                return OPERATIONS[name].apply([self.registers[one] for one in of], self.mode)
            case Constant(to=to, bits=bits):
                return self.registers[to].dtype.type(bits)
            case LoadInput(location=location, component=component):
                return self.lanes.values[self.input_rows[location] + component]
            case LoadBuiltin(builtin=builtin):
                return self.lanes.builtins[builtin]
            case LoadUniform():
                return self.uniform(statement)
            case Derive():
                return self.derivative(statement)

    def uniform(self, load: LoadUniform) -> Any:
        """Return words of a uniform block."""
        offset_B: Any = np.uint32(load.offset_B)
        if load.plus_B is not None:
            offset_B = np.uint32(self.registers[load.plus_B] + offset_B)
        start, count = self.uniform_starts[load.binding], self.uniform_sizes[load.binding]
        return uniform_word(self.uniforms, start, count, offset_B)

    def derivative(self, derive: Derive) -> Any:
        """Return the differences in each quad."""
        quads = self.registers[derive.of].reshape(-1, 4)
        places = np.array(neighbours(derive.axis, derive.coarse))
        return float_sub(quads[:, places[:, 0]], quads[:, places[:, 1]], self.mode).reshape(-1)
