"""How does a shader of the subset reach storage buffers, shared memory and images?

``class Counts(Storage, binding=0)`` has annotated fields, laid out as std430 does; the last may be an array without a
length. A field or an element stands where a value does, is assigned to, and is what ``atomic_add(...)`` and its kin
change. Images are parameters, ``picture: uimage2D = image(0, "R32UI")``.

Read next: ``ir_memory.py``.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refnvn.shader.builder import Builder
from refnvn.shader.image_formats import component_type, image_format
from refnvn.shader.ir_base import ComponentType, Kind, Stage
from refnvn.shader.ir_memory import (
    IMAGE_COORDINATES,
    MULTISAMPLED,
    AtomicImage,
    AtomicMemory,
    AtomicOperation,
    Barrier,
    ImageSize,
    ImageSlot,
    LoadImage,
    LoadMemory,
    MemoryBarrier,
    MemorySize,
    StorageBlock,
    StoreImage,
    StoreMemory,
)
from refnvn.shader.ir_textures import TextureDimension
from refnvn.shader.language_memory import Shared, Storage
from refnvn.shader.language_words import Word
from refnvn.shader.subset_functions import converted
from refnvn.shader.subset_memory_layout import memory_layout_of
from refnvn.shader.subset_values import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Anything,
    Literal,
    Matrix,
    MatrixType,
    MemoryBlock,
    MemoryElements,
    MemoryImage,
    Misuse,
    Type,
    Value,
    constant,
    typed,
)
from refnvn.shader.type_names import DIMENSIONS

if TYPE_CHECKING:
    from refnvn.shader.subset_expressions import Expressions

WORD_B = 4
_ATOMICS = {
    "add": "add", "min": "min_{kind}", "max": "max_{kind}", "and": "and", "or": "or", "xor": "xor",
    "exchange": "exchange", "compare_exchange": "compare_exchange",
}  # fmt: skip
_KINDS = {"": FLOAT, "i": INT, "u": UINT}


@dataclass(frozen=True)
class Placed:
    """A field, an element or a component in memory.

    Attributes
    ----------
    binding : int or None
        None is shared memory.
    type : Type or MatrixType
    offset_B : int
        Plus what the register ``plus_B`` holds, if there is one.
    column_B : int
        The distance of the columns of a matrix.
    """

    binding: int | None
    type: Type | MatrixType
    offset_B: int
    plus_B: int | None
    column_B: int = 0

    def word_B(self, component: int) -> int:
        """Return the offset of a component."""
        return self.offset_B + WORD_B * component


# --------------------------------------------------------------------------------------------- interface


def block_of(builder: Builder, found: Any, names: dict[str, Any]) -> MemoryBlock | None:
    """Return the storage buffer or shared memory that a class stands for, and declare it; None for another class."""
    if not (inspect.isclass(found) and issubclass(found, Storage | Shared)):
        return None
    module = inspect.getmodule(found)
    names = {**names, **(vars(module) if module else {})}
    if issubclass(found, Storage):
        layout = memory_layout_of(found, names)
        builder.storage[found.binding] = StorageBlock(binding=found.binding, name=found.__name__)
        return MemoryBlock(found.__name__, found.binding, 0, layout.fields)
    if builder.stage is not Stage.COMPUTE:
        raise Misuse(f"a {builder.stage} shader has no shared memory")
    layout = memory_layout_of(found, names)
    start_B = builder.shared_B
    builder.shared_B += -(-layout.size_B // 16) * 16
    return MemoryBlock(found.__name__, None, start_B, layout.fields)


def image_of(
    builder: Builder, annotation: Any, default: ast.expr | None, names: dict[str, Any]
) -> MemoryImage | None:
    """Return the image that a parameter stands for, and declare it; None for a parameter of another type."""
    word = annotation.name if isinstance(annotation, Word) else ""
    prefix, is_image, rest = word.partition("image")
    if not is_image or prefix not in _KINDS or rest not in DIMENSIONS:
        return None
    binding, name = _image_place(word, default, names)
    fmt = image_format(name) if name else None
    if name and fmt is None:
        raise Misuse(f"{name!r} is no format of images; use R32UI, RGBA8, RGBA16F ...")
    kind = _KINDS[prefix]
    if fmt is not None and component_type(fmt).value != kind:
        raise Misuse(f"the components of {name} are {component_type(fmt)}, those of {word} {kind}")
    slot = ImageSlot(binding=binding, dimension=DIMENSIONS[rest], format=name, type=ComponentType(kind))
    builder.images[binding] = slot
    return MemoryImage(slot)


def _image_place(word: str, default: ast.expr | None, names: dict[str, Any]) -> tuple[int, str]:
    """Read ``image(binding, "FORMAT")``."""
    match default:
        case ast.Call(func=func, args=[ast.Constant(value=int() as binding), *rest], keywords=[]) if len(rest) <= 1:
            place = names.get(ast.unparse(func))
            named = [one.value for one in rest if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if isinstance(place, Word) and place.name == "image" and len(named) == len(rest) and 0 <= binding <= 7:
                return binding, (named or [""])[0]
    raise Misuse(f'an image has a slot from 0 to 7 and a format: name: {word} = image(0, "R32UI")')


# --------------------------------------------------------------------------------------------- memory


def field_of(builder: Builder, block: MemoryBlock, name: str) -> Anything:
    """Return a field of a block: its value, or the array that it is."""
    found = _field(block, name)
    return found if isinstance(found, MemoryElements) else load(builder, found)


def _field(block: MemoryBlock, name: str) -> Placed | MemoryElements:
    if name not in block.fields:
        raise Misuse(f"{block.name} has no field {name}; it has {', '.join(block.fields)}")
    one = block.fields[name]
    offset_B = block.offset_B + one.offset_B
    if one.length is not None:
        return MemoryElements(block.binding, offset_B, one.type, one.length, one.stride_B, one.column_B)
    return Placed(block.binding, one.type, offset_B, None, one.column_B)


def element_of(expressions: Expressions, array: MemoryElements, index: ast.expr) -> Placed:
    """Return an element of an array in memory."""
    value = expressions.expression(index)
    if isinstance(value, Literal):
        if value.number < 0 or (array.length and value.number >= array.length):
            raise Misuse(f"element {value.number} of an array of {array.length or 'unknown length'}")
        offset_B = array.offset_B + value.number * array.stride_B
        return Placed(array.binding, array.element, offset_B, None, array.column_B)
    builder = expressions.builder
    place = typed(builder, value)
    if place.type.size != 1 or place.type.kind not in (INT, UINT):
        raise Misuse(f"an index is one int or uint, not {place.type}")
    plus_B = builder.operate("word.mul", place.registers[0], builder.constant(array.stride_B))
    return Placed(array.binding, array.element, array.offset_B, plus_B, array.column_B)


def load(builder: Builder, placed: Placed) -> Value | Matrix:
    """Emit loads of what is placed."""
    if isinstance(placed.type, MatrixType):
        columns = [
            load(builder, Placed(placed.binding, Type(FLOAT, placed.type.size), placed.offset_B + placed.column_B * i,
                                 placed.plus_B))
            for i in range(placed.type.size)
        ]  # fmt: skip
        return Matrix(tuple(column for column in columns if isinstance(column, Value)))
    registers = []
    for component in range(placed.type.size):
        to = builder.register(Kind.WORD)
        builder.emit(
            LoadMemory(to=to, binding=placed.binding, offset_B=placed.word_B(component), plus_B=placed.plus_B)
        )
        registers.append(to)
    if placed.type.kind == BOOL:
        return converted(builder, Value(Type(UINT, placed.type.size), tuple(registers)), BOOL)
    return Value(placed.type, tuple(registers))


def placed_at(expressions: Expressions, node: ast.expr) -> Placed | None:
    """Return the place in memory that an expression names; None where it names none."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if isinstance(
            block := expressions.known.get(name), MemoryBlock
        ):
            found = _field(block, attribute)
            if isinstance(found, MemoryElements):
                raise Misuse(f"{attribute} is an array; take an element of it")
            return found
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr=attribute), slice=index) if isinstance(
            block := expressions.known.get(name), MemoryBlock
        ):
            found = _field(block, attribute)
            if isinstance(found, MemoryElements):
                return element_of(expressions, found, index)
            return _component(found, expressions.constant_int(index))
        case ast.Attribute(value=inner, attr=("x" | "y" | "z" | "w" | "r" | "g" | "b" | "a") as letter):
            whole = placed_at(expressions, inner)
            letters = "xyzw" if letter in "xyzw" else "rgba"
            return None if whole is None else _component(whole, letters.index(letter))
    return None


def _component(placed: Placed, component: int) -> Placed:
    if isinstance(placed.type, MatrixType) or not 0 <= component < placed.type.size:
        raise Misuse(f"{placed.type} has no component {component}")
    return Placed(placed.binding, Type(placed.type.kind), placed.word_B(component), placed.plus_B)


def store(builder: Builder, placed: Placed, value: Anything) -> None:
    """Emit the assignment of a value to a place in memory."""
    if isinstance(placed.type, MatrixType):
        raise Misuse("a matrix in memory is read only; store vectors")
    new = typed(builder, value, placed.type.kind)
    if new.type != placed.type:
        raise Misuse(f"takes {placed.type}, not {new.type}")
    words = converted(builder, new, UINT) if new.type.kind == BOOL else new
    for component, register in enumerate(words.registers):
        builder.emit(
            StoreMemory(
                binding=placed.binding, offset_B=placed.word_B(component), plus_B=placed.plus_B, of=register
            )
        )  # fmt: skip


# --------------------------------------------------------------------------------------------- functions


def is_memory_word(function: Any) -> bool:
    """Whether a word of the language is one of the functions below."""
    return isinstance(function, Word) and (function.name in _CALLS or function.name.startswith(_PREFIXES))


_PREFIXES = ("atomic_", "image_atomic_")


def call(expressions: Expressions, name: str, arguments: list[ast.expr]) -> Value | None:
    """Compile a call of a function that reaches memory; None for one without a value."""
    if name.startswith("atomic_"):
        return _atomic(expressions, name, arguments)
    if name.startswith("image_atomic_"):
        return _image_atomic(expressions, name, arguments)
    found: Value | None = _CALLS[name](expressions, arguments)
    return found


def _counted(name: str, arguments: list[ast.expr], *counts: int) -> None:
    if len(arguments) not in counts:
        raise Misuse(f"{name} takes {' or '.join(map(str, counts))} arguments, not {len(arguments)}")


def _operation(name: str, kind: str) -> AtomicOperation:
    wanted = name.rpartition("atomic_")[2]
    operation = AtomicOperation(_ATOMICS[wanted].format(kind=kind))
    if kind == BOOL or (kind == FLOAT and operation is not AtomicOperation.EXCHANGE):
        raise Misuse(f"{name} takes int or uint, not {kind}")
    return operation


def _operands(
    expressions: Expressions, name: str, arguments: list[ast.expr], wanted: Type, operation: AtomicOperation
) -> tuple[int, int | None]:
    """Return the registers of the operand, and of the word to compare with, which stands before it."""
    compares = operation is AtomicOperation.COMPARE_EXCHANGE
    registers = []
    for argument in arguments:
        value = typed(expressions.builder, expressions.expression(argument), wanted.kind)
        if value.type != wanted:
            raise Misuse(f"{name} takes {wanted} here, not {value.type}")
        registers.append(value.registers[0])
    return registers[-1], registers[0] if compares else None


def _atomic(expressions: Expressions, name: str, arguments: list[ast.expr]) -> Value:
    _counted(name, arguments, 3 if name.endswith("compare_exchange") else 2)
    placed = placed_at(expressions, arguments[0])
    if placed is None or placed.type.size != 1 or isinstance(placed.type, MatrixType):
        raise Misuse(f"{name} changes one component of a storage buffer or of shared memory")
    operation = _operation(name, placed.type.kind)
    of, compare = _operands(expressions, name, arguments[1:], placed.type, operation)
    to = expressions.builder.register(Kind.WORD)
    expressions.builder.emit(
        AtomicMemory(
            to=to, operation=operation, binding=placed.binding, offset_B=placed.offset_B, plus_B=placed.plus_B,
            of=of, compare=compare,
        )
    )  # fmt: skip
    return Value(placed.type, (to,))


def _image(expressions: Expressions, name: str, node: ast.expr) -> ImageSlot:
    value = expressions.expression(node)
    if not isinstance(value, MemoryImage):
        raise Misuse(f"{name} takes an image first")
    return value.slot


def _coordinates(expressions: Expressions, slot: ImageSlot, node: ast.expr) -> tuple[int, ...]:
    value = typed(expressions.builder, expressions.expression(node), INT)
    if value.type.kind not in (INT, UINT) or value.type.size != IMAGE_COORDINATES[slot.dimension]:
        raise Misuse(
            f"the coordinates of a {slot.dimension} image are {IMAGE_COORDINATES[slot.dimension]} integers, "
            f"not {value.type}"
        )
    return value.registers


def _placed_texel(
    expressions: Expressions, name: str, arguments: list[ast.expr], values: int
) -> tuple[ImageSlot, tuple[int, ...], int | None, list[ast.expr]]:
    """Return image, coordinates, sample and what follows them."""
    slot = _image(expressions, name, arguments[0]) if arguments else None
    samples = int(slot is not None and slot.dimension in MULTISAMPLED)
    _counted(name, arguments, 2 + samples + values)
    assert slot is not None
    at = _coordinates(expressions, slot, arguments[1])
    sample = None
    if samples:
        sample = typed(expressions.builder, expressions.expression(arguments[2]), INT).registers[0]
    return slot, at, sample, arguments[2 + samples :]


def _image_load(expressions: Expressions, arguments: list[ast.expr]) -> Value:
    slot, at, sample, _ = _placed_texel(expressions, "image_load", arguments, 0)
    if not slot.format:
        raise Misuse('image_load needs the format of the image: image(0, "R32UI")')
    builder = expressions.builder
    to = (builder.register(Kind.WORD), builder.register(Kind.WORD), builder.register(Kind.WORD),
          builder.register(Kind.WORD))  # fmt: skip
    builder.emit(LoadImage(to=to, binding=slot.binding, at=at, sample=sample))
    return Value(Type(slot.type.value, 4), to)


def _image_store(expressions: Expressions, arguments: list[ast.expr]) -> None:
    slot, at, sample, (node,) = _placed_texel(expressions, "image_store", arguments, 1)
    builder = expressions.builder
    value = typed(builder, expressions.expression(node), slot.type.value)
    if value.type != Type(slot.type.value, 4):
        raise Misuse(f"image_store takes {Type(slot.type.value, 4)}, not {value.type}")
    r, g, b, a = value.registers
    builder.emit(StoreImage(binding=slot.binding, at=at, sample=sample, of=(r, g, b, a)))


def _image_atomic(expressions: Expressions, name: str, arguments: list[ast.expr]) -> Value:
    values = 2 if name.endswith("compare_exchange") else 1
    slot, at, sample, rest = _placed_texel(expressions, name, arguments, values)
    wanted = Type(slot.type.value)
    operation = _operation(name, wanted.kind)
    of, compare = _operands(expressions, name, rest, wanted, operation)
    to = expressions.builder.register(Kind.WORD)
    expressions.builder.emit(
        AtomicImage(
            to=to, operation=operation, binding=slot.binding, at=at, sample=sample, of=of, compare=compare
        )
    )  # fmt: skip
    return Value(wanted, (to,))


def _image_size(expressions: Expressions, arguments: list[ast.expr]) -> Value:
    _counted("image_size", arguments, 1)
    slot = _image(expressions, "image_size", arguments[0])
    builder = expressions.builder
    to = (builder.register(Kind.WORD), builder.register(Kind.WORD), builder.register(Kind.WORD))
    builder.emit(ImageSize(to=to, binding=slot.binding))
    size = 2 if slot.dimension is TextureDimension.CUBE else IMAGE_COORDINATES[slot.dimension]
    return Value(Type(INT, size), to[:size])


def _array_length(expressions: Expressions, arguments: list[ast.expr]) -> Value:
    _counted("array_length", arguments, 1)
    array = expressions.expression(arguments[0])
    if not isinstance(array, MemoryElements):
        raise Misuse("array_length takes an array of a storage buffer")
    builder = expressions.builder
    if array.length:
        return constant(builder, array.length, INT)
    assert array.binding is not None
    size_B = builder.register(Kind.WORD)
    builder.emit(MemorySize(to=size_B, binding=array.binding))
    room_B = builder.operate("word.sub", size_B, builder.constant(array.offset_B))
    count = builder.operate("uint.div", room_B, builder.constant(array.stride_B))
    return Value(Type(INT), (count,))


def _barrier(expressions: Expressions, arguments: list[ast.expr]) -> None:
    _counted("barrier", arguments, 0)
    if expressions.builder.stage not in (Stage.COMPUTE, Stage.TESS_CONTROL):
        raise Misuse(f"a {expressions.builder.stage} shader has no barrier()")
    expressions.builder.emit(Barrier())


def _memory_barrier(expressions: Expressions, arguments: list[ast.expr]) -> None:
    _counted("memory_barrier", arguments, 0)
    expressions.builder.emit(MemoryBarrier())


_CALLS: dict[str, Any] = {
    "image_load": _image_load,
    "image_store": _image_store,
    "image_size": _image_size,
    "array_length": _array_length,
    "barrier": _barrier,
    "memory_barrier": _memory_barrier,
}
