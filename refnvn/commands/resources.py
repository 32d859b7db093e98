"""What do commands refer to? Memory pools, textures, views, programs, each frozen as it was when it was recorded.

Everything here is data with typed fields that reads and writes itself as JSON; unknown fields are refused. A
texture is copied into the recording when a command names it: what happens to the object afterwards changes nothing.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from refnvn.enumerations import DrawPrimitive, MemoryPoolFlags, TextureDepthStencilMode, TextureSwizzle
from refnvn.layout.description import TextureFlags, TextureTarget

Index = Annotated[int, Meta(ge=0, lt=1 << 24)]
Bytes64 = Annotated[int, Meta(ge=0, lt=1 << 48)]
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\Z")]
Swizzle = tuple[TextureSwizzle, TextureSwizzle, TextureSwizzle, TextureSwizzle]

IDENTITY: Swizzle = (TextureSwizzle.R, TextureSwizzle.G, TextureSwizzle.B, TextureSwizzle.A)


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of everything that a trace stores."""


class MemoryPool(Record, frozen=True, kw_only=True):
    """A memory pool; its first bytes come from a blob, the rest is zero.

    Attributes
    ----------
    size_B : int
        A multiple of 4096.
    flags : int
        ``MemoryPoolFlags``; VIRTUAL pools have no storage of their own.
    initial : str or None
        Name of a blob of at most ``size_B`` bytes.
    label : str
        For people.
    """

    size_B: Annotated[int, Meta(ge=1, le=1 << 32)]
    flags: Annotated[int, Meta(ge=0, lt=1 << 10)] = int(MemoryPoolFlags.CPU_UNCACHED | MemoryPoolFlags.GPU_CACHED)
    initial: Name | None = None
    label: str = ""


class Packaged(Record, frozen=True, kw_only=True):
    """A packaged layout: block height and depth in GOBs."""

    block_height: Annotated[int, Meta(ge=1, le=32)]
    block_depth: Annotated[int, Meta(ge=1, le=32)] = 1


class Texture(Record, frozen=True, kw_only=True):
    """A texture as its builder described it, in a pool.

    Attributes
    ----------
    pool : int
        Index into the recording's pools.
    offset_B : int
        Where its storage starts in the pool.
    format : str
        NVN's name without ``NVN_FORMAT_``.
    target, width, height, depth, levels, samples, flags, stride_B, packaged
        As in :class:`refnvn.layout.description.TextureDescription`.
    swizzle : 4 x TextureSwizzle
        The channel mapping.
    depth_stencil_mode : TextureDepthStencilMode
        What a combined format reads as.
    label : str
        For people.
    """

    pool: Index
    offset_B: Bytes64 = 0
    format: str
    target: TextureTarget = TextureTarget.TARGET_2D
    width: int
    height: int = 1
    depth: int = 1
    levels: int = 1
    samples: int = 1
    flags: Annotated[int, Meta(ge=0, lt=1 << 11)] = 0
    stride_B: int = 0
    packaged: Packaged | None = None
    swizzle: Swizzle = IDENTITY
    depth_stencil_mode: TextureDepthStencilMode = TextureDepthStencilMode.DEPTH
    label: str = ""

    @property
    def texture_flags(self) -> TextureFlags:
        """The flags as an enumeration."""
        return TextureFlags(self.flags)


class View(Record, frozen=True, kw_only=True):
    """An ``NVNtextureView``: what it sets replaces what the texture says; None leaves it.

    ``base_layer`` counts layers; for a cube target ``layers`` counts cubes.
    """

    base_level: int | None = None
    levels: int | None = None
    base_layer: int | None = None
    layers: int | None = None
    format: str | None = None
    target: TextureTarget | None = None
    swizzle: Swizzle | None = None
    depth_stencil_mode: TextureDepthStencilMode | None = None


class TextureRef(Record, frozen=True, kw_only=True):
    """A texture of the recording, and how it is looked at."""

    texture: Index
    view: View | None = None


class Region(Record, frozen=True, kw_only=True):
    """An ``NVNcopyRegion``: pixels of one level; z and depth are slices of a 3D texture, else layers."""

    x: int = 0
    y: int = 0
    z: int = 0
    width: Annotated[int, Meta(ge=0)]
    height: Annotated[int, Meta(ge=0)] = 1
    depth: Annotated[int, Meta(ge=0)] = 1


class MeshStages(Record, frozen=True, kw_only=True):
    """The task and mesh shader of a program; ``mesh.py`` says what they write.

    Attributes
    ----------
    task, mesh : dict or None
        Shaders in the form of compute shaders; without a task shader the mesh shader's workgroups are drawn.
    primitive : DrawPrimitive
        POINTS, LINES or TRIANGLES.
    vertices, primitives : int
        The most that a workgroup gives.
    outputs : tuple of dict
        As the outputs of a vertex shader; one at location -1 is the position.
    payload_words : int
        What a task shader hands on.
    """

    mesh: dict[str, Any]
    task: dict[str, Any] | None = None
    primitive: DrawPrimitive = DrawPrimitive.TRIANGLES
    vertices: Annotated[int, Meta(ge=1, le=256)]
    primitives: Annotated[int, Meta(ge=1, le=512)]
    outputs: tuple[dict[str, Any], ...]
    payload_words: Annotated[int, Meta(ge=0, le=4096)] = 0


class Program(Record, frozen=True, kw_only=True):
    """A program: the shader of each stage as intermediate representation (see ``refnvn.shader.ir``)."""

    vertex: dict[str, Any] | None = None
    fragment: dict[str, Any] | None = None
    compute: dict[str, Any] | None = None
    geometry: dict[str, Any] | None = None
    tess_control: dict[str, Any] | None = None
    tess_evaluation: dict[str, Any] | None = None
    mesh: MeshStages | None = None
    label: str = ""
