"""Everything that a scene records and a replay executes: resources, command buffers, and the order of events.

The timeline is one order of what the processor and the GPU do: submissions execute their commands when their turn
comes, processor writes land when theirs does, readbacks read then. Bytes live in blobs, by name.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from refnvn.commands.commands import AnyCommand
from refnvn.commands.event import Event
from refnvn.commands.presents import PresentTexture
from refnvn.commands.resources import (
    Bytes64,
    Index,
    MemoryPool,
    Name,
    Program,
    Record,
    Region,
    Texture,
    TextureRef,
)
from refnvn.commands.sampler import Sampler
from refnvn.commands.sync import AnySyncEvent
from refnvn.enumerations import DepthMode, WindowOriginMode

VERSION = 1
POOL_SPACING_B = 1 << 33
FIRST_POOL_BASE_B = 1 << 34

PoolId = Annotated[int, Meta(ge=0, lt=1 << 20)]


def pool_base_B(pool: int) -> int:
    """Return the GPU address at which a pool of the recording starts.

    >>> hex(pool_base_B(1))
    '0x600000000'
    """
    return FIRST_POOL_BASE_B + pool * POOL_SPACING_B


class Submit(Event, frozen=True, kw_only=True):
    """A queue executes command buffers, in order. The queue keeps the origin that its device had when it was made."""

    command_buffers: tuple[Index, ...]
    queue: Index = 0


class WriteMemory(Event, frozen=True, kw_only=True):
    """The processor writes a blob into a mapped pool.

    ``racing`` says that nothing made it wait for the GPU: what was submitted before may see the write or not.
    """

    pool: Index
    offset_B: Bytes64
    blob: Name
    racing: bool = False


class FlushMappedRange(Event, frozen=True, kw_only=True):
    """``nvnMemoryPoolFlushMappedRange``: what the processor wrote to a cached pool becomes visible to the GPU.

    A replay that shows every write at once, as for an uncached pool, has nothing to do here.
    """

    pool: Index
    offset_B: Bytes64
    size_B: Bytes64


class MapVirtual(Event, frozen=True, kw_only=True):
    """Map pages of a virtual pool to a physical one, or unmap them (``physical_pool`` None)."""

    pool: Index
    offset_B: Bytes64
    size_B: Bytes64
    physical_pool: Index | None = None
    physical_offset_B: Bytes64 = 0


class WriteTexels(Event, frozen=True, kw_only=True):
    """``nvnTextureWriteTexels``: the processor writes a region, packed rows; ``racing`` as of WriteMemory."""

    texture: TextureRef
    region: Region
    blob: Name
    racing: bool = False


class ReadTexels(Event, frozen=True, kw_only=True):
    """``nvnTextureReadTexels``: a named result, packed rows of a region."""

    name: Name
    texture: TextureRef
    region: Region


class ReadMemory(Event, frozen=True, kw_only=True):
    """The processor reads bytes of a pool: a named result."""

    name: Name
    pool: Index
    offset_B: Bytes64
    size_B: Bytes64


class RegisterTexture(Event, frozen=True, kw_only=True):
    """``nvnTexturePoolRegisterTexture``: a descriptor of the texture pool at an address, from now on."""

    address: Bytes64
    id: PoolId
    texture: TextureRef


class RegisterImage(Event, frozen=True, kw_only=True):
    """``nvnTexturePoolRegisterImage``: the same for an image."""

    address: Bytes64
    id: PoolId
    texture: TextureRef


class RegisterSampler(Event, frozen=True, kw_only=True):
    """``nvnSamplerPoolRegisterSampler``: a descriptor of the sampler pool at an address, from now on."""

    address: Bytes64
    id: PoolId
    sampler: Sampler


Readback = ReadTexels | ReadMemory | PresentTexture
"""The events that leave a result."""
AnyEvent = (
    Submit
    | WriteMemory
    | FlushMappedRange
    | MapVirtual
    | WriteTexels
    | Readback
    | AnySyncEvent
    | RegisterTexture
    | RegisterImage
    | RegisterSampler
)


class Queue(Record, frozen=True, kw_only=True):
    """A queue and the window origin it captured from its device."""

    window_origin: WindowOriginMode = WindowOriginMode.LOWER_LEFT


class Recording(Record, frozen=True, kw_only=True):
    """A whole recording, without its blobs' bytes.

    Attributes
    ----------
    refnvn_trace : int
        Version of the form, 1.
    name : str
        For people.
    window_origin, depth_mode
        Of the device at the end of the recording; a viewport that was set under another origin says so itself.
    queues, pools, textures, programs
        Resources by index.
    command_buffers : tuple of tuple of commands
        By index.
    timeline : tuple of events
        In order.
    blobs : dict of str to int
        Size in bytes of each blob.
    """

    refnvn_trace: Annotated[int, Meta(ge=1, le=1)]
    name: str = ""
    window_origin: WindowOriginMode = WindowOriginMode.LOWER_LEFT
    depth_mode: DepthMode = DepthMode.NEAR_IS_MINUS_W
    queues: tuple[Queue, ...] = (Queue(),)
    pools: tuple[MemoryPool, ...] = ()
    textures: tuple[Texture, ...] = ()
    programs: tuple[Program, ...] = ()
    command_buffers: tuple[tuple[AnyCommand, ...], ...] = ()
    timeline: tuple[AnyEvent, ...] = ()
    blobs: dict[Name, Bytes64] = msgspec.field(default_factory=dict)
