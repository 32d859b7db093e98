"""Which statements of a shader read textures, and how does its interface declare them?

A :class:`TextureSlot` states what the shader's instructions assume (dimension, components, comparison) and where the
handle comes from: a slot of combined or separate textures, or nowhere, and then each statement names registers that
hold one (bindless). A statement names its texture by the place in ``Shader.textures``, and a separate sampler by the
place in ``Shader.samplers`` or by a register. Results are four registers: float bits or integers, as the texture's
format has them.

Read next: ``validate_textures.py``, ``execute_textures.py``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta

from refnvn.shader.ir_base import ComponentType, Identifier, Place, Record, Register, Statement

Four = tuple[Register, Register, Register, Register]
TexturePlace = Annotated[int, Meta(ge=0, le=255)]
Offset = Annotated[int, Meta(ge=-8, le=7)]
GatherOffset = Annotated[int, Meta(ge=-32, le=31)]
Coordinates = Annotated[tuple[Register, ...], Meta(min_length=1, max_length=4)]


class TextureDimension(StrEnum):
    """What an instruction takes its texture for."""

    D1 = "1d"
    D2 = "2d"
    D3 = "3d"
    CUBE = "cube"
    D1_ARRAY = "1d_array"
    D2_ARRAY = "2d_array"
    CUBE_ARRAY = "cube_array"
    RECTANGLE = "rectangle"
    MULTISAMPLE = "multisample"
    MULTISAMPLE_ARRAY = "multisample_array"
    BUFFER = "buffer"


class TextureSlot(Record, frozen=True, kw_only=True):
    """A texture that a shader declares.

    Attributes
    ----------
    binding : int or None
        The slot; None where statements bring handles along.
    separate : bool
        Whether that is one of 128 slots of textures without samplers, or one of 41 with.
    dimension : TextureDimension
    type : ComponentType
        How components are declared; the texture's format decides what is read.
    shadow : bool
        Whether samples compare.
    name : str
        For people.
    """

    binding: Annotated[int, Meta(ge=0, le=127)] | None = None
    separate: bool = False
    dimension: TextureDimension = TextureDimension.D2
    type: ComponentType = ComponentType.FLOAT
    shadow: bool = False
    name: Identifier = ""


class SamplerSlot(Record, frozen=True, kw_only=True):
    """One of 128 slots of separate samplers."""

    binding: Annotated[int, Meta(ge=0, le=127)]
    name: Identifier = ""


class TextureStatement(Statement, frozen=True, kw_only=True):
    """Base of what reads a texture.

    ``to`` takes R, G, B, A. ``handle`` holds the low word of a handle where the slot has no binding;
    ``sampler`` or ``sampler_handle`` name a separate sampler, else the combined handle does.
    """

    to: Four
    texture: TexturePlace
    handle: Register | None = None
    sampler: TexturePlace | None = None
    sampler_handle: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = ("handle", "sampler_handle")


class SampleTexture(TextureStatement, frozen=True, kw_only=True):
    """Sample at floats: as many coordinates as the dimension has, the layer or cube last.

    Without ``lod``, ``dx`` and ``dy`` a fragment shader takes the level of detail of its quad, other stages 0.
    """

    coordinates: Coordinates
    lod: Register | None = None
    bias: Register | None = None
    dx: tuple[Register, ...] = ()
    dy: tuple[Register, ...] = ()
    offset: tuple[Offset, Offset, Offset] = (0, 0, 0)
    reference: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = (
        *TextureStatement.read_fields, "coordinates", "lod", "bias", "dx", "dy", "reference",
    )  # fmt: skip

    @property
    def takes_quad(self) -> bool:
        """Whether the level of detail comes from the quad."""
        return self.lod is None and not self.dx


class FetchTexel(TextureStatement, frozen=True, kw_only=True):
    """Fetch one texel at integers; ``level`` and ``sample`` are 0 where they are not given."""

    texels: Coordinates
    level: Register | None = None
    sample: Register | None = None
    offset: tuple[Offset, Offset, Offset] = (0, 0, 0)

    read_fields: ClassVar[tuple[str, ...]] = (*TextureStatement.read_fields, "texels", "level", "sample")


class GatherTexels(TextureStatement, frozen=True, kw_only=True):
    """Gather one channel of four texels; one offset for all, or four."""

    coordinates: Coordinates
    component: Place = 0
    offsets: Annotated[tuple[tuple[GatherOffset, GatherOffset], ...], Meta(min_length=1, max_length=4)] = ((0, 0),)
    reference: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = (*TextureStatement.read_fields, "coordinates", "reference")


class QueryTexture(TextureStatement, frozen=True, kw_only=True):
    """``to`` = columns, rows, slices or layers of a level as the dimension has them, else 0; and the levels."""

    level: Register | None = None

    read_fields: ClassVar[tuple[str, ...]] = (*TextureStatement.read_fields, "level")


class QueryLod(TextureStatement, frozen=True, kw_only=True):
    """``to`` = the level that a sample would take, the level of detail not clamped, 0, 0."""

    coordinates: Coordinates

    read_fields: ClassVar[tuple[str, ...]] = (*TextureStatement.read_fields, "coordinates")

    @property
    def takes_quad(self) -> bool:
        """Always: there is no other way to give derivatives."""
        return True


AnyTextureStatement = SampleTexture | FetchTexel | GatherTexels | QueryTexture | QueryLod

COORDINATES = {
    TextureDimension.D1: 1,
    TextureDimension.D2: 2,
    TextureDimension.D3: 3,
    TextureDimension.CUBE: 3,
    TextureDimension.D1_ARRAY: 2,
    TextureDimension.D2_ARRAY: 3,
    TextureDimension.CUBE_ARRAY: 4,
    TextureDimension.RECTANGLE: 2,
}
"""How many coordinates a sample takes."""

TEXELS = {
    TextureDimension.D1: 1,
    TextureDimension.D2: 2,
    TextureDimension.D3: 3,
    TextureDimension.D1_ARRAY: 2,
    TextureDimension.D2_ARRAY: 3,
    TextureDimension.RECTANGLE: 2,
    TextureDimension.MULTISAMPLE: 2,
    TextureDimension.MULTISAMPLE_ARRAY: 3,
    TextureDimension.BUFFER: 1,
}
"""How many coordinates a fetch takes; cubes are not fetched from."""

GATHERED = (
    TextureDimension.D2,
    TextureDimension.CUBE,
    TextureDimension.D2_ARRAY,
    TextureDimension.CUBE_ARRAY,
    TextureDimension.RECTANGLE,
)
"""What texels are gathered from."""

ARRAYS = (TextureDimension.D1_ARRAY, TextureDimension.D2_ARRAY, TextureDimension.CUBE_ARRAY)


_SIZES = {
    TextureDimension.D1: 1,
    TextureDimension.BUFFER: 1,
    TextureDimension.D3: 3,
    TextureDimension.D1_ARRAY: 2,
    TextureDimension.D2_ARRAY: 3,
    TextureDimension.CUBE_ARRAY: 3,
    TextureDimension.MULTISAMPLE_ARRAY: 3,
}


def gradient_size(dimension: TextureDimension) -> int:
    """Return how many derivatives a sample takes in each direction: the layer has none."""
    return COORDINATES[dimension] - (dimension in ARRAYS)


def size_components(dimension: TextureDimension) -> int:
    """Return how many numbers the size of a texture is; the last counts layers or cubes where there are any.

    >>> [size_components(one) for one in (TextureDimension.CUBE, TextureDimension.D1_ARRAY)]
    [2, 2]
    """
    return _SIZES.get(dimension, 2)


def takes_quad(statement: object) -> bool:
    """Whether a statement of a fragment shader reads its coordinates in the other lanes of the quad."""
    return isinstance(statement, SampleTexture | QueryLod) and statement.takes_quad
