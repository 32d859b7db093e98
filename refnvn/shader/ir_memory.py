"""Which statements of a shader reach memory: storage buffers, shared memory of a workgroup, images; and barriers?

Memory is words of 32 bits at byte offsets; an image is texels at whole coordinates. What is outside of what is bound
reads 0 and is not written. In which order lanes come is a rule of the executors (``lane_memory.py``).

Read next: ``ir.py``, where these join the others.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from refnvn.shader.ir_base import ComponentType, Identifier, Record, Register, Statement
from refnvn.shader.ir_textures import TEXELS, Four, TextureDimension

StorageBinding = Annotated[int, Meta(ge=0, le=15)]
ImageBinding = Annotated[int, Meta(ge=0, le=7)]
LocalSize = Annotated[int, Meta(ge=1, le=1536)]
OffsetB = Annotated[int, Meta(ge=0, lt=1 << 31, multiple_of=4)]
Coordinates = Annotated[tuple[Register, ...], Meta(min_length=1, max_length=3)]
ThreeRegisters = tuple[Register, Register, Register]

SHARED_MOST_B = 48 << 10
"""Shared memory of a workgroup: what a Maxwell multiprocessor gives one."""


IMAGE_COORDINATES = {**TEXELS, TextureDimension.CUBE: 3, TextureDimension.CUBE_ARRAY: 3}
"""How many coordinates an image takes: the layer, face or slice comes last, a sample is given apart."""

MULTISAMPLED = (TextureDimension.MULTISAMPLE, TextureDimension.MULTISAMPLE_ARRAY)


class AtomicOperation(StrEnum):
    """What an atomic access makes of the word that is there and of its operand; it gives the word that was there."""

    ADD = "add"
    MIN_INT = "min_int"
    MAX_INT = "max_int"
    MIN_UINT = "min_uint"
    MAX_UINT = "max_uint"
    AND = "and"
    OR = "or"
    XOR = "xor"
    EXCHANGE = "exchange"
    COMPARE_EXCHANGE = "compare_exchange"


class StorageBlock(Record, frozen=True, kw_only=True):
    """A storage buffer, as bytes; how many there are is known when it is bound."""

    binding: StorageBinding
    name: Identifier = ""


class ImageSlot(Record, frozen=True, kw_only=True):
    """An image.

    Attributes
    ----------
    binding : int
        The image slot of the stage.
    dimension : TextureDimension
        What coordinates it takes.
    format : str
        NVN's name of the declared format without ``NVN_FORMAT_``, which decides how texels are read and written,
        whatever the bound texture's own is; empty for the bound texture's own, which only stores may leave open.
    type : ComponentType
        What the components of texels are.
    name : str
        For people.
    """

    binding: ImageBinding
    dimension: TextureDimension = TextureDimension.D2
    format: Annotated[str, Meta(max_length=32)] = ""
    type: ComponentType = ComponentType.FLOAT
    name: Identifier = ""


class MemoryStatement(Statement, frozen=True, kw_only=True):
    """Base of what reaches memory."""

    read_fields: ClassVar[tuple[str, ...]] = ()


class LoadMemory(MemoryStatement, frozen=True, kw_only=True):
    """``to`` = the word at ``offset_B`` plus the register ``plus_B``; of shared memory where there is no binding."""

    to: Register
    binding: StorageBinding | None = None
    offset_B: OffsetB = 0
    plus_B: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = ("plus_B",)


class StoreMemory(MemoryStatement, frozen=True, kw_only=True):
    """The word at ``offset_B`` plus ``plus_B`` = ``of``."""

    binding: StorageBinding | None = None
    offset_B: OffsetB = 0
    plus_B: Register | None = None
    of: Register

    read_fields: ClassVar[tuple[str, ...]] = ("plus_B", "of")


class AtomicMemory(MemoryStatement, frozen=True, kw_only=True):
    """Change a word by an operation with ``of``; ``to`` = what it was. An exchange may wait for ``compare``."""

    to: Register
    operation: AtomicOperation
    binding: StorageBinding | None = None
    offset_B: OffsetB = 0
    plus_B: Register | None = None
    of: Register
    compare: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = ("plus_B", "of", "compare")


class MemorySize(MemoryStatement, frozen=True, kw_only=True):
    """``to`` = how many bytes of a storage buffer are bound."""

    to: Register
    binding: StorageBinding


class LoadImage(MemoryStatement, frozen=True, kw_only=True):
    """``to`` = the four components of the texel ``at`` coordinates."""

    to: Four
    binding: ImageBinding
    at: Coordinates
    sample: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = ("at", "sample")


class StoreImage(MemoryStatement, frozen=True, kw_only=True):
    """The texel ``at`` coordinates = the four components ``of``."""

    binding: ImageBinding
    at: Coordinates
    sample: Register | None = None
    of: Four

    read_fields: ClassVar[tuple[str, ...]] = ("at", "sample", "of")


class AtomicImage(MemoryStatement, frozen=True, kw_only=True):
    """Change a texel of 32 bits by an operation with ``of``; ``to`` = what it was."""

    to: Register
    operation: AtomicOperation
    binding: ImageBinding
    at: Coordinates
    sample: Register | None = None
    of: Register
    compare: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = ("at", "sample", "of", "compare")


class ImageSize(MemoryStatement, frozen=True, kw_only=True):
    """``to`` = width, height and layers (or slices) of an image; 1 for what it does not have."""

    to: ThreeRegisters
    binding: ImageBinding


class Barrier(MemoryStatement, frozen=True, kw_only=True):
    """Wait until every invocation of the workgroup is here; memory is then the same for all."""


class MemoryBarrier(MemoryStatement, frozen=True, kw_only=True):
    """Let what this invocation has stored be seen before what it stores next."""


AnyMemoryStatement: TypeAlias = (
    LoadMemory
    | StoreMemory
    | AtomicMemory
    | MemorySize
    | LoadImage
    | StoreImage
    | AtomicImage
    | ImageSize
    | Barrier
    | MemoryBarrier
)
MEMORY_LOADS = (LoadMemory, LoadImage, MemorySize, ImageSize)
"""Statements that do nothing but write their registers."""
ATOMICS = (AtomicMemory, AtomicImage)
MEMORY_CHANGES = (StoreMemory, AtomicMemory, StoreImage, AtomicImage)
"""Statements that change memory."""
