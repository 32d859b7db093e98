"""How is a shader put together, statement by statement, by something that reads a language?

Constants, inputs, builtins and uniforms at fixed offsets are loaded once, before everything else; what nothing reads
is left out at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from refnvn.errors import ArgumentError
from refnvn.shader.ir import (
    AnyStatement,
    Constant,
    Derive,
    Input,
    LoadBuiltin,
    LoadInput,
    LoadUniform,
    Operate,
    Output,
    Shader,
    UniformBlock,
)
from refnvn.shader.ir_base import Axis, Builtin, Kind, Stage
from refnvn.shader.ir_memory import ImageSlot, StorageBlock
from refnvn.shader.ir_stages import Geometry, TessControl, TessEvaluation, VertexInput
from refnvn.shader.ir_textures import SamplerSlot, TextureSlot
from refnvn.shader.operations import BOOLEAN_VIEW, OPERATIONS
from refnvn.shader.registers import Allocation, without_unread

EMITTED_LIMIT = 1 << 16
"""The most statements before those that nothing reads are left out."""


class Builder:
    """A shader under construction.

    Parameters
    ----------
    stage : Stage
    name : str
        For people.
    """

    def __init__(self, stage: Stage, name: str) -> None:
        self.stage = stage
        self.name = name
        self.inputs: list[Input] = []
        self.outputs: dict[int, Output] = {}
        self.uniforms: dict[int, UniformBlock] = {}
        self.storage: dict[int, StorageBlock] = {}
        self.images: dict[int, ImageSlot] = {}
        self.shared_B = 0
        self.local_size = (1, 1, 1)
        self.early_fragment_tests = False
        self.textures: list[TextureSlot] = []
        self.samplers: list[SamplerSlot] = []
        self.registers: list[Kind] = []
        self.vertex_inputs: dict[int, VertexInput] = {}
        self.patch_outputs: dict[int, Output] = {}
        self.layout: Geometry | TessControl | TessEvaluation | None = None
        self._loaded: dict[tuple[object, ...], int] = {}
        self._prelude: list[AnyStatement] = []
        self._blocks: list[list[AnyStatement]] = [[]]
        self._emitted = 0

    def register(self, kind: Kind) -> int:
        """Return a new register."""
        self.registers.append(kind)
        return len(self.registers) - 1

    def emit(self, statement: AnyStatement) -> None:
        """Append a statement to the innermost block.

        Raises
        ------
        ArgumentError
            Where there are many more than a shader may have, read or unread.
        """
        self._emitted += 1
        if self._emitted > EMITTED_LIMIT:
            raise ArgumentError(f"the shader becomes more than {EMITTED_LIMIT} statements")
        self._blocks[-1].append(statement)

    @contextmanager
    def block(self) -> Iterator[list[AnyStatement]]:
        """Collect what is emitted inside."""
        statements: list[AnyStatement] = []
        self._blocks.append(statements)
        try:
            yield statements
        finally:
            self._blocks.pop()

    def operate(self, name: str, *of: int) -> int:
        """Emit an operation into a new register, and return that."""
        kind = Kind.BOOL if OPERATIONS[name].result == BOOLEAN_VIEW else Kind.WORD
        to = self.register(kind)
        self.emit(Operate(name=name, to=to, of=of))
        return to

    def move(self, to: int, of: int) -> None:
        """Emit a copy of a register."""
        self.emit(Operate(name=f"{self.registers[to]}.move", to=to, of=(of,)))

    def derive(self, of: int, axis: Axis, coarse: bool) -> int:
        """Emit a derivative."""
        to = self.register(Kind.WORD)
        self.emit(Derive(to=to, of=of, axis=axis, coarse=coarse))
        return to

    def _load(self, key: tuple[object, ...], kind: Kind, load: Callable[[int], AnyStatement]) -> int:
        """Return the register of something that is loaded once."""
        if key not in self._loaded:
            self._loaded[key] = self.register(kind)
            self._prelude.append(load(self._loaded[key]))
        return self._loaded[key]

    def constant(self, bits: int, kind: Kind = Kind.WORD) -> int:
        """Return the register of a constant."""
        return self._load(("constant", bits, kind), kind, lambda to: Constant(to=to, bits=bits))

    def constant_of(self, register: int) -> int | None:
        """Return the bits of the constant that a register holds; None where it holds something else."""
        for key, loaded in self._loaded.items():
            if loaded == register and key[0] == "constant":
                bits = key[1]
                return bits if isinstance(bits, int) else None
        return None

    def texture(self, slot: TextureSlot) -> int:
        """Return the place of a texture slot, which is declared where it is new."""
        if slot not in self.textures:
            self.textures.append(slot)
        return self.textures.index(slot)

    def sampler(self, slot: SamplerSlot) -> int:
        """Return the place of a slot of separate samplers, which is declared where it is new."""
        if slot not in self.samplers:
            self.samplers.append(slot)
        return self.samplers.index(slot)

    def load_input(self, location: int, component: int) -> int:
        """Return the register of a component of an input."""
        return self._load(
            ("input", location, component),
            Kind.WORD,
            lambda to: LoadInput(to=to, location=location, component=component),
        )

    def load_builtin(self, builtin: Builtin) -> int:
        """Return the register of a value of the pipeline."""
        return self._load(("builtin", builtin), builtin.kind, lambda to: LoadBuiltin(to=to, builtin=builtin))

    def load_uniform(self, binding: int, offset_B: int, plus_B: int | None = None) -> int:
        """Return the register of a word of a uniform block; loaded once where the offset is fixed."""
        if plus_B is None:
            return self._load(
                ("uniform", binding, offset_B),
                Kind.WORD,
                lambda to: LoadUniform(to=to, binding=binding, offset_B=offset_B),
            )
        to = self.register(Kind.WORD)
        self.emit(LoadUniform(to=to, binding=binding, offset_B=offset_B, plus_B=plus_B))
        return to

    def is_loaded(self, register: int) -> bool:
        """Whether a register holds something loaded, which must not be written."""
        return register in self._loaded.values()

    def shader(self) -> Shader:
        """Return the shader, without what nothing reads, on few registers."""
        statements = without_unread((*self._prelude, *self._blocks[0]))
        allocation = Allocation(statements, self.registers)
        return Shader(
            refnvn_shader=1,
            stage=self.stage,
            name=self.name,
            inputs=tuple(sorted(self.inputs, key=lambda one: one.location)),
            outputs=tuple(self.outputs[location] for location in sorted(self.outputs)),
            uniforms=tuple(self.uniforms[binding] for binding in sorted(self.uniforms)),
            textures=tuple(self.textures),
            samplers=tuple(self.samplers),
            storage=tuple(self.storage[binding] for binding in sorted(self.storage)),
            images=tuple(self.images[binding] for binding in sorted(self.images)),
            local_size=self.local_size,
            shared_B=self.shared_B,
            early_fragment_tests=self.early_fragment_tests,
            registers=tuple(allocation.registers),
            statements=allocation.statements,
            vertex_inputs=tuple(self.vertex_inputs[location] for location in sorted(self.vertex_inputs)),
            patch_outputs=tuple(self.patch_outputs[location] for location in sorted(self.patch_outputs)),
            geometry=self.layout if isinstance(self.layout, Geometry) else None,
            tess_control=self.layout if isinstance(self.layout, TessControl) else None,
            tess_evaluation=self.layout if isinstance(self.layout, TessEvaluation) else None,
        )
