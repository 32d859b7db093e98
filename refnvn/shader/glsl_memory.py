"""How are storage buffers, shared memory, images, atomics and barriers written down as GLSL?

Storage buffers are arrays of words, ``storage_n.words``; shared memory is one array of words, ``memory``; images are
``image_n``. Reads and writes beyond their ends are left to GLSL: the values here are this package's.

Read next: ``glsl.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from refnvn.shader.image_formats import GLSL_QUALIFIERS
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Builtin, Stage
from refnvn.shader.ir_memory import (
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
    MemoryStatement,
    StoreImage,
    StoreMemory,
)
from refnvn.shader.ir_textures import size_components
from refnvn.shader.type_names import AS_WORD, DIMENSION_NAMES, TYPE_PREFIXES

Register = Callable[[int, str], str]
_FUNCTIONS = {
    AtomicOperation.ADD: "Add",
    AtomicOperation.MIN_INT: "Min",
    AtomicOperation.MIN_UINT: "Min",
    AtomicOperation.MAX_INT: "Max",
    AtomicOperation.MAX_UINT: "Max",
    AtomicOperation.AND: "And",
    AtomicOperation.OR: "Or",
    AtomicOperation.XOR: "Xor",
    AtomicOperation.EXCHANGE: "Exchange",
    AtomicOperation.COMPARE_EXCHANGE: "CompSwap",
}
_SIGNED = {AtomicOperation.MIN_INT: "min", AtomicOperation.MAX_INT: "max"}
BUILTINS = {
    Builtin.WORK_GROUP_ID_X: "gl_WorkGroupID.x",
    Builtin.WORK_GROUP_ID_Y: "gl_WorkGroupID.y",
    Builtin.WORK_GROUP_ID_Z: "gl_WorkGroupID.z",
    Builtin.LOCAL_ID_X: "gl_LocalInvocationID.x",
    Builtin.LOCAL_ID_Y: "gl_LocalInvocationID.y",
    Builtin.LOCAL_ID_Z: "gl_LocalInvocationID.z",
    Builtin.LOCAL_INDEX: "gl_LocalInvocationIndex",
    Builtin.GLOBAL_ID_X: "gl_GlobalInvocationID.x",
    Builtin.GLOBAL_ID_Y: "gl_GlobalInvocationID.y",
    Builtin.GLOBAL_ID_Z: "gl_GlobalInvocationID.z",
    Builtin.WORK_GROUPS_X: "gl_NumWorkGroups.x",
    Builtin.WORK_GROUPS_Y: "gl_NumWorkGroups.y",
    Builtin.WORK_GROUPS_Z: "gl_NumWorkGroups.z",
}
"""How the values of compute shaders are written."""


def declarations(shader: Shader) -> Iterator[str]:
    """Yield the declarations of the workgroup, storage buffers, images and shared memory."""
    if shader.stage is Stage.COMPUTE:
        x, y, z = shader.local_size
        yield f"layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;"
    if shader.early_fragment_tests:
        yield "layout(early_fragment_tests) in;"
    for block in shader.storage:
        name = f" // {block.name}" if block.name else ""
        declared = f"coherent buffer Storage{block.binding} {{ uint words[]; }} storage_{block.binding};"
        yield f"layout(std430, binding = {block.binding}) {declared}{name}"
    for slot in shader.images:
        qualifier = f", {GLSL_QUALIFIERS[slot.format]}" if slot.format else ""
        access = "coherent" if slot.format else "coherent writeonly"
        name = f" // {slot.name}" if slot.name else ""
        kind = f"{TYPE_PREFIXES[slot.type]}image{DIMENSION_NAMES[slot.dimension]}"
        yield f"layout(binding = {slot.binding}{qualifier}) {access} uniform {kind} image_{slot.binding};{name}"
    if shader.shared_B:
        yield f"shared uint memory[{shader.shared_B // 4}];"


def lines(shader: Shader, statement: MemoryStatement, register: Register) -> Iterator[str]:
    """Yield the lines of a statement.

    Parameters
    ----------
    shader : Shader
        Validated.
    statement : statement
    register : callable
        How a register is written, seen as float, int, uint or word.
    """
    images = {slot.binding: slot for slot in shader.images}
    match statement:
        case LoadMemory(to=to):
            yield f"{register(to, 'word')} = {_word(statement, register)};"
        case StoreMemory(of=of):
            yield f"{_word(statement, register)} = {register(of, 'word')};"
        case AtomicMemory():
            yield from _atomic_memory(statement, register)
        case MemorySize(to=to, binding=binding):
            yield f"{register(to, 'word')} = uint(storage_{binding}.words.length()) * 4u;"
        case LoadImage(to=to, binding=binding):
            slot = images[binding]
            kind = f"{TYPE_PREFIXES[slot.type]}vec4"
            yield "{"
            yield f"    {kind} texel = imageLoad({_texel(statement, slot, register)});"
            for one, letter in zip(to, "xyzw", strict=True):
                yield f"    {register(one, 'word')} = {AS_WORD[slot.type].format(f'texel.{letter}')};"
            yield "}"
        case StoreImage(of=of, binding=binding):
            slot = images[binding]
            components = ", ".join(register(one, slot.type.value) for one in of)
            yield f"imageStore({_texel(statement, slot, register)}, {TYPE_PREFIXES[slot.type]}vec4({components}));"
        case AtomicImage():
            yield from _atomic_image(statement, images[statement.binding], register)
        case ImageSize(to=to, binding=binding):
            yield from _image_size(to, images[binding], register)
        case Barrier():
            yield "barrier();"
        case MemoryBarrier():
            yield "memoryBarrier();"


def _word(statement: LoadMemory | StoreMemory | AtomicMemory, register: Register) -> str:
    """Return how a word in memory is written."""
    place = f"{statement.offset_B // 4}u"
    if statement.plus_B is not None:
        place = f"({register(statement.plus_B, 'word')} + {statement.offset_B}u) >> 2u"
    return f"memory[{place}]" if statement.binding is None else f"storage_{statement.binding}.words[{place}]"


def _atomic_memory(statement: AtomicMemory, register: Register) -> Iterator[str]:
    word, of = _word(statement, register), register(statement.of, "word")
    to = register(statement.to, "word")
    if statement.operation in _SIGNED:  # the words are unsigned: try until nobody was quicker
        function = _SIGNED[statement.operation]
        yield "{"
        yield f"    uint old = {word}, now;"
        changed = f"uint({function}(int(now), int({of})))"
        yield f"    do {{ now = old; old = atomicCompSwap({word}, now, {changed}); }} while (old != now);"
        yield f"    {to} = old;"
        yield "}"
        return
    operands = of if statement.compare is None else f"{register(statement.compare, 'word')}, {of}"
    yield f"{to} = atomic{_FUNCTIONS[statement.operation]}({word}, {operands});"


def _texel(statement: LoadImage | StoreImage | AtomicImage, slot: ImageSlot, register: Register) -> str:
    """Return image, coordinates and sample."""
    coordinates = ", ".join(register(one, "int") for one in statement.at)
    at = coordinates if len(statement.at) == 1 else f"ivec{len(statement.at)}({coordinates})"
    sample = "" if statement.sample is None else f", {register(statement.sample, 'int')}"
    return f"image_{slot.binding}, {at}{sample}"


def _atomic_image(statement: AtomicImage, slot: ImageSlot, register: Register) -> Iterator[str]:
    kind = slot.type.value
    operands = register(statement.of, kind)
    if statement.compare is not None:
        operands = f"{register(statement.compare, kind)}, {operands}"
    changed = f"imageAtomic{_FUNCTIONS[statement.operation]}({_texel(statement, slot, register)}, {operands})"
    yield f"{register(statement.to, 'word')} = {AS_WORD[slot.type].format(changed)};"


def _image_size(to: tuple[int, ...], slot: ImageSlot, register: Register) -> Iterator[str]:
    size = size_components(slot.dimension)
    for place, register_to in enumerate(to):
        part = "" if size == 1 else f".{'xyz'[place]}"
        written = f"uint(imageSize(image_{slot.binding}){part})" if place < size else "1u"
        yield f"{register(register_to, 'word')} = {written};"
