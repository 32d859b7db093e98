"""What is a shader, once it is no longer Python, GLSL or SPIR-V?

A :class:`Shader` states its interface and a list of statements on numbered registers. A register holds one 32-bit
word or one boolean, may be written many times, and is zero before. Control flow is structured: ``if``, loops of a
constant number of turns with ``break`` and ``continue``, ``discard``. Operations come from one table
(``operations.py``); vectors have been taken apart. Everything here is data that reads and writes itself as JSON;
``validate.py`` says which of it is a shader.

Read next: ``validate.py``, ``execute.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from refnvn.errors import InputFileError
from refnvn.shader.ir_base import (
    Axis,
    Builtin,
    ComponentType,
    Identifier,
    Interpolation,
    Kind,
    Place,
    Record,
    Register,
    Sampling,
    Stage,
    Statement,
    UInt32,
)
from refnvn.shader.ir_feedback import Feedback
from refnvn.shader.ir_memory import (
    MEMORY_CHANGES,
    SHARED_MOST_B,
    AnyMemoryStatement,
    ImageSlot,
    LocalSize,
    MemoryStatement,
    StorageBlock,
)
from refnvn.shader.ir_stages import (
    AnyStageStatement,
    Geometry,
    StageStatement,
    TessControl,
    TessEvaluation,
    VertexInput,
)
from refnvn.shader.ir_textures import (
    AnyTextureStatement,
    SamplerSlot,
    TextureSlot,
    takes_quad,
)

JSON_LIMIT_B = 4 << 20
POSITION = -1
"""The output location of a vertex shader's position."""
POINT_SIZE = -2
"""The output location of a vertex shader's point size."""
SAMPLE_MASK = -1
"""The output location of a fragment shader's sample mask."""


class Input(Record, frozen=True, kw_only=True):
    """An attribute of a vertex shader or a varying of a fragment shader, which reads clip distances at -5 and -6."""

    location: Annotated[int, Meta(ge=-6, le=31)]
    components: Annotated[int, Meta(ge=1, le=4)] = 4
    type: ComponentType = ComponentType.FLOAT
    interpolation: Interpolation = Interpolation.SMOOTH
    sampling: Sampling = Sampling.CENTER
    name: Identifier = ""


class Output(Record, frozen=True, kw_only=True):
    """A varying, or below 0 what ``special_outputs.py`` says; a colour of a fragment shader (-1 its sample mask)."""

    location: Annotated[int, Meta(ge=-9, le=31)]
    components: Annotated[int, Meta(ge=1, le=4)] = 4
    type: ComponentType = ComponentType.FLOAT
    name: Identifier = ""


class UniformBlock(Record, frozen=True, kw_only=True):
    """A uniform buffer of at most 64 KiB, as bytes."""

    binding: Annotated[int, Meta(ge=0, le=13)]
    size_B: Annotated[int, Meta(ge=4, le=1 << 16, multiple_of=4)]
    name: Identifier = ""


class Operate(Statement, frozen=True, kw_only=True):
    """``to = name(*of)``, an operation of the table."""

    name: str
    to: Register
    of: Annotated[tuple[Register, ...], Meta(min_length=1, max_length=3)]


class Constant(Statement, frozen=True, kw_only=True):
    """``to = bits``; for a boolean register 0 or 1."""

    to: Register
    bits: UInt32


class LoadInput(Statement, frozen=True, kw_only=True):
    """``to`` = one component of an input."""

    to: Register
    location: Annotated[int, Meta(ge=-6, le=31)]
    component: Place = 0


class LoadBuiltin(Statement, frozen=True, kw_only=True):
    """``to`` = a value of the pipeline."""

    to: Register
    builtin: Builtin


class LoadUniform(Statement, frozen=True, kw_only=True):
    """``to`` = the word at ``offset_B`` plus the register ``plus_B``, low two bits ignored; 0 out of range."""

    to: Register
    binding: Annotated[int, Meta(ge=0, le=13)]
    offset_B: Annotated[int, Meta(ge=0, lt=1 << 16, multiple_of=4)] = 0
    plus_B: Register | None = None


class Derive(Statement, frozen=True, kw_only=True):
    """``to`` = the difference of ``of`` in the 2 x 2 quad along an axis: the lane's own row or column, or coarse."""

    to: Register
    of: Register
    axis: Axis
    coarse: bool = False


class StoreOutput(Statement, frozen=True, kw_only=True):
    """One component of an output = ``of``; components never stored are 0."""

    location: Annotated[int, Meta(ge=-9, le=31)]
    component: Place = 0
    of: Register


class StoreDepth(Statement, frozen=True, kw_only=True):
    """The fragment's depth = ``of``, float bits."""

    of: Register


class Discard(Statement, frozen=True, kw_only=True):
    """End the lane; nothing of it is stored."""


class Break(Statement, frozen=True, kw_only=True):
    """Leave the innermost loop."""


class Continue(Statement, frozen=True, kw_only=True):
    """Go to the next turn of the innermost loop."""


class If(Statement, frozen=True, kw_only=True):
    """Run ``then`` in lanes where the boolean register holds, ``otherwise`` in the others."""

    condition: Register
    then: tuple[AnyStatement, ...] = ()
    otherwise: tuple[AnyStatement, ...] = ()


class Loop(Statement, frozen=True, kw_only=True):
    """Run ``body`` ``times`` times; ``counter``, where given, is set to 0, 1, 2 ... at the start of each turn."""

    times: Annotated[int, Meta(ge=1, le=65536)]
    body: tuple[AnyStatement, ...] = ()
    counter: Register | None = None


AnyStatement: TypeAlias = (
    Operate
    | Constant
    | LoadInput
    | LoadBuiltin
    | LoadUniform
    | Derive
    | StoreOutput
    | StoreDepth
    | Discard
    | Break
    | Continue
    | If
    | Loop
    | AnyTextureStatement
    | AnyMemoryStatement
    | AnyStageStatement
)


class Shader(Record, frozen=True, kw_only=True):
    """A shader: interface, registers, statements.

    Attributes
    ----------
    refnvn_shader : int
        Version of the form, 1.
    stage : Stage
        Vertex, fragment or compute.
    name : str
        For people.
    inputs, outputs : tuples
        In the order in which their components are rows of ``LaneInputs.values`` and ``LaneOutputs.values``.
    uniforms : tuple of UniformBlock
        The blocks that are read.
    textures, samplers : tuples
        The textures that are read, and separate samplers; statements name them by place.
    storage, images : tuples
        The storage buffers and images that are reached; statements name them by binding.
    local_size : tuple of int
        Invocations of a workgroup of a compute shader along x, y and z.
    shared_B : int
        Bytes that the invocations of a workgroup share.
    early_fragment_tests : bool
        Whether a fragment shader asks for the tests of stencil and depth before it runs.
    registers : tuple of Kind
        What each register holds.
    statements : tuple of statements
        In order.
    feedback : Feedback or None
        What transform feedback captures of a stage before the rasteriser.
    vertex_inputs : tuple of VertexInput
        Inputs of geometry and tessellation shaders of which each vertex has one; ``inputs`` are those of a patch.
    patch_outputs : tuple of Output
        What a tessellation control shader gives a patch as a whole, its levels among them.
    geometry, tess_control, tess_evaluation
        How a shader of that stage runs; None in others.
    """

    refnvn_shader: Annotated[int, Meta(ge=1, le=1)] = msgspec.field()
    stage: Stage
    name: Identifier = ""
    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    uniforms: tuple[UniformBlock, ...] = ()
    textures: tuple[TextureSlot, ...] = ()
    samplers: tuple[SamplerSlot, ...] = ()
    storage: tuple[StorageBlock, ...] = ()
    images: tuple[ImageSlot, ...] = ()
    local_size: tuple[LocalSize, LocalSize, LocalSize] = (1, 1, 1)
    shared_B: Annotated[int, Meta(ge=0, le=SHARED_MOST_B, multiple_of=4)] = 0
    early_fragment_tests: bool = False
    registers: tuple[Kind, ...] = ()
    statements: tuple[AnyStatement, ...] = ()
    feedback: Feedback | None = None
    vertex_inputs: tuple[VertexInput, ...] = ()
    patch_outputs: tuple[Output, ...] = ()
    geometry: Geometry | None = None
    tess_control: TessControl | None = None
    tess_evaluation: TessEvaluation | None = None

    @property
    def input_components(self) -> int:
        """Rows of ``LaneInputs.values``."""
        return sum(one.components for one in self.inputs)

    @property
    def output_components(self) -> int:
        """Rows of ``LaneOutputs.values``."""
        return sum(one.components for one in self.outputs)

    @property
    def builtins(self) -> tuple[Builtin, ...]:
        """The builtins that it reads, in the order of the enumeration."""
        used = {s.builtin for s in walk(self.statements) if isinstance(s, LoadBuiltin)}
        return tuple(one for one in Builtin if one in used)

    @property
    def writes_depth(self) -> bool:
        """Whether it writes the fragment's depth."""
        return any(isinstance(s, StoreDepth) for s in walk(self.statements))

    @property
    def can_discard(self) -> bool:
        """Whether it may end a lane early."""
        return any(isinstance(s, Discard) for s in walk(self.statements))

    @property
    def uses_derivatives(self) -> bool:
        """Whether its lanes must come in quads."""
        if self.stage is not Stage.FRAGMENT:
            return False
        return any(isinstance(s, Derive) or takes_quad(s) for s in walk(self.statements))

    @property
    def uses_memory(self) -> bool:
        """Whether it has statements of ``ir_memory.py``."""
        return any(isinstance(s, MemoryStatement) for s in walk(self.statements))

    @property
    def is_staged(self) -> bool:
        """Whether it has statements of ``ir_stages.py``."""
        return any(isinstance(s, StageStatement) for s in walk(self.statements))

    @property
    def changes_memory(self) -> bool:
        """Whether it may store to memory that others see, or do so atomically."""
        changes = (s for s in walk(self.statements) if isinstance(s, MEMORY_CHANGES))
        return any(s.binding is not None for s in changes)

    @property
    def operations(self) -> tuple[str, ...]:
        """The names of the operations that it uses, sorted."""
        return tuple(sorted({s.name for s in walk(self.statements) if isinstance(s, Operate)}))


def walk(statements: tuple[AnyStatement, ...]) -> Iterator[AnyStatement]:
    """Yield every statement, those inside others after them."""
    for statement in statements:
        yield statement
        if isinstance(statement, If):
            yield from walk(statement.then)
            yield from walk(statement.otherwise)
        elif isinstance(statement, Loop):
            yield from walk(statement.body)


def first_rows(interface: tuple[Input, ...] | tuple[Output, ...] | tuple[VertexInput, ...]) -> dict[int, int]:
    """Return by location the row at which an input's or output's components start."""
    rows: dict[int, int] = {}
    row = 0
    for one in interface:
        rows[one.location] = row
        row += one.components
    return rows


def to_object(shader: Shader) -> dict[str, Any]:
    """Return a shader as plain JSON objects."""
    plain: dict[str, Any] = msgspec.to_builtins(shader)
    return plain


def to_json(shader: Shader) -> bytes:
    """Return a shader as JSON text."""
    return msgspec.json.encode(shader)


def from_object(value: Any, where: str = "shader") -> Shader:
    """Return the shader that plain JSON objects say, validated.

    Raises
    ------
    InputFileError
        Where it is none, naming the place.
    """
    from refnvn.shader.validate import validate

    try:
        shader = msgspec.convert(value, Shader)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputFileError(f"{where}: is not a shader: {error}") from error
    return validate(shader, where)


def from_json(text: bytes, where: str = "shader") -> Shader:
    """Return the shader that JSON text says, validated.

    Raises
    ------
    InputFileError
        Where it is none, naming the place.
    """
    from refnvn.shader.validate import validate

    if len(text) > JSON_LIMIT_B:
        raise InputFileError(f"{where}: {len(text)} bytes, more than the {JSON_LIMIT_B} bytes of a shader")
    try:
        shader = msgspec.json.decode(text, type=Shader)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InputFileError(f"{where}: is not a shader: {error}") from error
    return validate(shader, where)
