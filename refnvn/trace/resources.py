"""What may commands and events refer to? The resources that a recording has so far, and the checks of references.

A whole recording has them all; one that is being made has those that were made. Sizes of pools count: an address
must lie in a pool, with all bytes that are used from it. Read next: ``check.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from refnvn.commands.recording import FIRST_POOL_BASE_B, POOL_SPACING_B, Recording
from refnvn.commands.resources import Program, Region, Texture, TextureRef
from refnvn.commands.subject import PackedRows, Subject, check_region, packed_rows, subject_of
from refnvn.enumerations import MemoryPoolFlags
from refnvn.errors import ArgumentError, SizeError
from refnvn.trace.place import at


class AnyPool(Protocol):
    """A memory pool, recorded or being filled."""

    @property
    def size_B(self) -> int:
        """Its size."""

    @property
    def flags(self) -> int:
        """Its ``MemoryPoolFlags``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Everything that can be referred to, by index or by name.

    Attributes
    ----------
    pools, textures, programs : sequences
        By index.
    blobs : dict of str to int
        Size in bytes of each blob.
    """

    pools: Sequence[AnyPool] = ()
    textures: Sequence[Texture] = ()
    programs: Sequence[Program] = ()
    blobs: Mapping[str, int]


def resources_of(recording: Recording) -> Resources:
    """Return what the commands of a recording may refer to."""
    return Resources(
        pools=recording.pools, textures=recording.textures, programs=recording.programs, blobs=recording.blobs
    )


def check_index(what: str, index: int, count: int) -> None:
    """Raise unless ``index`` is one of ``count``.

    Raises
    ------
    ArgumentError
        Naming what was referred to.
    """
    if not 0 <= index < count:
        allowed = f"allowed are 0 to {count - 1}" if count else "there is none"
        raise ArgumentError(f"no {what} {index}; {allowed}")


def check_pool_range(resources: Resources, pool: int, offset_B: int, size_B: int) -> None:
    """Raise unless a range lies inside a pool.

    Raises
    ------
    ArgumentError
        For no such pool.
    SizeError
        For a range that leaves it.
    """
    check_index("pool", pool, len(resources.pools))
    pool_B = resources.pools[pool].size_B
    if offset_B < 0 or size_B < 0 or offset_B + size_B > pool_B:
        raise SizeError(f"{size_B} bytes at offset {offset_B}, pool {pool} has {pool_B}")


def check_address(resources: Resources, address: int, size_B: int) -> None:
    """Raise unless ``size_B`` bytes from a GPU address lie inside one pool that the GPU may use.

    Raises
    ------
    ArgumentError
        For an address outside all pools, or in a pool without GPU access.
    SizeError
        For a range that leaves its pool.
    """
    pool, offset_B = divmod(address - FIRST_POOL_BASE_B, POOL_SPACING_B)
    if not 0 <= pool < len(resources.pools):
        raise ArgumentError(f"address {address:#x} is in no pool; there are {len(resources.pools)} pools")
    check_pool_range(resources, pool, offset_B, size_B)
    if resources.pools[pool].flags & MemoryPoolFlags.GPU_NO_ACCESS:
        raise ArgumentError(f"address {address:#x} is in pool {pool}, which is GPU_NO_ACCESS")


def check_texture_ref(resources: Resources, ref: TextureRef) -> Subject:
    """Return what a reference shows.

    Raises
    ------
    ArgumentError
        For no such texture, or a view that it cannot be seen through.
    """
    with at("texture"):
        check_index("texture", ref.texture, len(resources.textures))
    with at("view"):
        return subject_of(resources.textures[ref.texture], ref.view)


def check_texture_region(resources: Resources, ref: TextureRef, region: Region) -> PackedRows:
    """Return how a region of a texture is packed.

    Raises
    ------
    ArgumentError
        For a bad reference, or a region that leaves the level.
    """
    with at("texture"):
        subject = check_texture_ref(resources, ref)
    with at("region"):
        check_region(subject, region)
    return packed_rows(subject, region)


def check_blob(resources: Resources, name: str, size_B: int | None = None) -> int:
    """Return the size of a blob.

    Raises
    ------
    ArgumentError
        For no such blob.
    SizeError
        Where it has another size than ``size_B``.
    """
    if name not in resources.blobs:
        raise ArgumentError(f"no blob {name!r}")
    found_B = resources.blobs[name]
    if size_B is not None and found_B != size_B:
        raise SizeError(f"blob {name!r} has {found_B} bytes, allowed are the {size_B} that are written")
    return found_B
