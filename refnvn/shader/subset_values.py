"""What does an expression of the shader language stand for while it is taken apart?

A vector of registers with one type; a Python integer that has no type yet; a matrix of columns; a uniform block or
an array in one.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from refnvn.shader.builder import Builder
from refnvn.shader.ir_base import Kind
from refnvn.shader.ir_memory import ImageSlot
from refnvn.shader.ir_textures import TextureSlot
from refnvn.shader.language import Array, Uniform
from refnvn.shader.language_words import Word

FLOAT, INT, UINT, BOOL = "float", "int", "uint", "bool"
_PREFIX = {"": FLOAT, "i": INT, "u": UINT, "b": BOOL}
_WORD_B = 4
_ROW_B = 16


class Misuse(Exception):
    """Something the language does not have; the compiler adds the place. The message says what to write instead."""


@dataclass(frozen=True)
class Type:
    """A scalar or vector type.

    Attributes
    ----------
    kind : str
        ``float``, ``int``, ``uint`` or ``bool``.
    size : int
        Components, 1 to 4.
    """

    kind: str
    size: int = 1

    def __str__(self) -> str:
        if self.size == 1:
            return self.kind
        return {FLOAT: "", INT: "i", UINT: "u", BOOL: "b"}[self.kind] + f"vec{self.size}"

    @property
    def register_kind(self) -> Kind:
        """What its registers hold."""
        return Kind.BOOL if self.kind == BOOL else Kind.WORD


@dataclass(frozen=True)
class MatrixType:
    """A square matrix of floats, columns first."""

    size: int

    def __str__(self) -> str:
        return f"mat{self.size}"


@dataclass(frozen=True)
class Value:
    """Registers of one type, the first component first."""

    type: Type
    registers: tuple[int, ...]


@dataclass(frozen=True)
class Literal:
    """A Python integer that becomes float, int or uint by what it meets."""

    number: int


@dataclass(frozen=True)
class Matrix:
    """Columns of a square matrix."""

    columns: tuple[Value, ...]


@dataclass(frozen=True)
class Block:
    """A uniform block."""

    layout: BlockLayout


@dataclass(frozen=True)
class VertexElements:
    """An input of which each vertex of the primitive or patch has one."""

    location: int
    type: Type


@dataclass(frozen=True)
class ClipDistances:
    """The clip distances that a fragment shader reads, one by one."""


@dataclass(frozen=True)
class Elements:
    """An array in a uniform block."""

    binding: int
    offset_B: int
    element: Type | MatrixType
    length: int
    stride_B: int


@dataclass(frozen=True)
class BlockLayout:
    """Where the fields of a uniform block lie.

    Attributes
    ----------
    name : str
        Of its class.
    binding : int
        The uniform buffer slot.
    size_B : int
        A multiple of 16.
    fields : dict of str to (offset_B, type, array length or None)
        In the order of the class.
    """

    name: str
    binding: int
    size_B: int
    fields: dict[str, tuple[int, Type | MatrixType, int | None]]


@dataclass(frozen=True)
class Sampled:
    """A texture: its declaration, and the registers of handles or the sampler's place where it has them."""

    slot: TextureSlot
    handle: int | None = None
    sampler: int | None = None
    sampler_handle: int | None = None


@dataclass(frozen=True)
class SamplerAlone:
    """A separate sampler, by its place in the interface."""

    place: int


@dataclass(frozen=True)
class MemoryField:
    """A field of a storage buffer or of shared memory.

    Attributes
    ----------
    offset_B : int
    type : Type or MatrixType
        Of it, or of each element.
    length : int or None
        Elements of an array; 0 is an open one, None is no array.
    stride_B, column_B : int
        Distances of elements and of a matrix's columns.
    """

    offset_B: int
    type: Type | MatrixType
    length: int | None
    stride_B: int
    column_B: int


@dataclass(frozen=True)
class MemoryLayout:
    """Where the fields of a storage buffer or of shared memory lie."""

    size_B: int
    fields: dict[str, MemoryField]


@dataclass(frozen=True)
class MemoryBlock:
    """A storage buffer, or part of shared memory (no binding) that starts at an offset."""

    name: str
    binding: int | None
    offset_B: int
    fields: dict[str, MemoryField]


@dataclass(frozen=True)
class MemoryElements:
    """An array in memory; of length 0 an open one."""

    binding: int | None
    offset_B: int
    element: Type | MatrixType
    length: int
    stride_B: int
    column_B: int


@dataclass(frozen=True)
class MemoryImage:
    """An image."""

    slot: ImageSlot


Anything = (
    Value
    | Literal
    | Matrix
    | Block
    | Elements
    | VertexElements
    | ClipDistances
    | Sampled
    | SamplerAlone
    | MemoryBlock
    | MemoryElements
    | MemoryImage
)


def type_of(annotation: Any) -> Type | MatrixType | None:
    """Return the type that an object or a name stands for; None where it is none.

    >>> str(type_of("uvec3")), str(type_of(float))
    ('uvec3', 'float')
    """
    name = annotation.name if isinstance(annotation, Word) else getattr(annotation, "__name__", annotation)
    if not isinstance(name, str):
        return None
    if name in (FLOAT, INT, UINT, BOOL):
        return Type(name)
    prefix, vec, size = name.rpartition("vec")
    if vec and prefix in _PREFIX and size in ("2", "3", "4"):
        return Type(_PREFIX[prefix], int(size))
    if name in ("mat2", "mat3", "mat4"):
        return MatrixType(int(name[3]))
    return None


def _std140(field_type: Type | MatrixType, length: int | None) -> tuple[int, int]:
    """Return alignment and size in bytes of a field by the rules of std140."""
    if isinstance(field_type, MatrixType):
        return _ROW_B, _ROW_B * field_type.size * (length or 1)
    if length is not None:
        return _ROW_B, _ROW_B * length
    alignment_B = {1: 4, 2: 8, 3: 16, 4: 16}[field_type.size]
    return alignment_B, _WORD_B * field_type.size


def element_stride_B(element: Type | MatrixType) -> int:
    """Return the distance of elements of an array in a uniform block."""
    return _ROW_B * (element.size if isinstance(element, MatrixType) else 1)


def field_type_of(annotation: Any, names: dict[str, Any]) -> tuple[Type | MatrixType, int | None]:
    """Return type and array length of an annotated field; a text is taken apart, never evaluated.

    A length of 0 is that of an open array, written ``Array[uint]``.
    """
    length: int | None = None
    if isinstance(annotation, Array):
        annotation, length = annotation.element, annotation.length
    elif isinstance(annotation, str) and annotation.endswith("]"):
        head, _, inside = annotation[:-1].partition("[")
        element, _, count = (part.strip() for part in inside.partition(","))
        if names.get(head.strip()) is not Array:
            raise Misuse(f"{annotation!r} is no type of a field; write Array[vec4, 16]")
        number = names.get(count, count)
        annotation, length = element, int(number) if str(number).isdigit() else 0 if not count else -1
    if isinstance(annotation, str):
        annotation = names.get(annotation, annotation)
    found = type_of(annotation)
    if found is None or (length is not None and length < 0):
        raise Misuse(f"{annotation!r} is no type of a field; use float, vec4, mat4, Array[vec4, 16] ...")
    return found, length


def layout_of(block: type[Uniform], names: dict[str, Any]) -> BlockLayout:
    """Return where the fields of a block lie, as std140 places them.

    Parameters
    ----------
    block : class
        Of a uniform block.
    names : dict
        The names that its annotations may use.

    Raises
    ------
    Misuse
        For a field of no type, a binding outside 0 to 13, or a block of more than 64 KiB.
    """
    fields: dict[str, tuple[int, Type | MatrixType, int | None]] = {}
    end_B = 0
    for name, annotation in block.__annotations__.items():
        field_type, length = field_type_of(annotation, names)
        if length is not None and not 1 <= length <= 4096:
            raise Misuse(f"{name}: an array in a uniform block has 1 to 4096 elements")
        alignment_B, size_B = _std140(field_type, length)
        start_B = -(-end_B // alignment_B) * alignment_B
        fields[name] = (start_B, field_type, length)
        end_B = start_B + size_B
    size_B = -(-end_B // _ROW_B) * _ROW_B
    if not fields or not 0 <= block.binding <= 13 or size_B > 1 << 16:
        raise Misuse(f"uniform block {block.__name__} has {size_B} bytes at binding {block.binding}; "
                     "a block has 16 to 65536 bytes and a binding of 0 to 13")  # fmt: skip
    return BlockLayout(block.__name__, block.binding, size_B, fields)


def float_bits_of(number: float) -> int:
    """Return the bits of the nearest float32; a number beyond its range raises ``Misuse``."""
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", number))[0]
    except OverflowError as error:
        raise Misuse(f"{number} is beyond the range of a float") from error
    return bits


def constant(builder: Builder, number: float | bool, kind: str) -> Value:
    """Return a Python number as a scalar of a kind."""
    if kind == BOOL:
        return Value(Type(BOOL), (builder.constant(int(bool(number)), Kind.BOOL),))
    if kind == FLOAT:
        return Value(Type(FLOAT), (builder.constant(float_bits_of(float(number))),))
    low, high = (-(1 << 31), (1 << 31) - 1) if kind == INT else (0, (1 << 32) - 1)
    if not low <= number <= high:
        raise Misuse(f"{number} does not fit {kind}, which holds {low} to {high}")
    return Value(Type(kind), (builder.constant(int(number) & 0xFFFFFFFF),))


def typed(builder: Builder, value: Anything, kind: str | None = None) -> Value:
    """Return a value as registers; a bare integer takes ``kind``, or ``int``.

    Raises
    ------
    Misuse
        For a matrix, a block or an array, which are no operands.
    """
    if isinstance(value, Literal):
        return constant(builder, value.number, kind if kind in (FLOAT, INT, UINT) else INT)
    if isinstance(value, Value):
        return value
    if isinstance(value, Sampled | SamplerAlone):
        raise Misuse("a texture or sampler cannot stand here; sample it, or give it to a function")
    what = {
        Matrix: "a matrix", Block: "a uniform block", Elements: "an array", VertexElements: "an array of vertices",
        ClipDistances: "an array", MemoryBlock: "a block of memory",
        MemoryElements: "an array", MemoryImage: "an image",
    }[type(value)]  # fmt: skip
    raise Misuse(f"{what} cannot stand here; take a column, a field or an element of it")


def splat(value: Value, size: int) -> Value:
    """Return a scalar repeated to a vector; a vector of that size as it is."""
    if value.type.size == size:
        return value
    if value.type.size != 1:
        raise Misuse(f"{value.type} meets a vector of {size} components")
    return Value(Type(value.type.kind, size), value.registers * size)


def aligned(builder: Builder, values: list[Anything]) -> list[Value]:
    """Return operands of one kind and size: bare integers take the kind of the others, scalars are repeated.

    Raises
    ------
    Misuse
        Where kinds or sizes differ.
    """
    kinds = {value.type.kind for value in values if isinstance(value, Value)}
    if len(kinds) > 1:
        found = " and ".join(sorted(kinds))
        raise Misuse(f"{found} meet; convert one, for example float(x), int(x), uvec2(x)")
    kind = next(iter(kinds), INT)
    plain = [typed(builder, value, kind) for value in values]
    size = max(value.type.size for value in plain)
    return [splat(value, size) for value in plain]


def componentwise(builder: Builder, operation: str, values: list[Value], kind: str) -> Value:
    """Emit an operation for each component."""
    size = values[0].type.size
    registers = tuple(builder.operate(operation, *(v.registers[i] for v in values)) for i in range(size))
    return Value(Type(kind, size), registers)
