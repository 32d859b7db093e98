"""Where do the bytes of a memory pool lie, and who may touch them?

A pool owns its bytes, which start as zero; a VIRTUAL pool owns none: each of its 4 KiB pages shows a page of a
physical pool, the same one as often as wanted, or nothing. What is addressed in a pool is a list of
:class:`Segment`; whatever has the same segments is the same memory.

It knows no textures and caches nothing: ``cache.py`` does. Read next: ``memory.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import MemoryPoolFlags
from refnvn.errors import ArgumentError, FieldRangeError, SizeError
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Bytes = NDArray[np.uint8]

PAGE_B = 4096
MAX_POOL_B = 1 << 32
DEFAULT_FLAGS = MemoryPoolFlags.CPU_UNCACHED | MemoryPoolFlags.GPU_CACHED
_CPU = MemoryPoolFlags.CPU_NO_ACCESS | MemoryPoolFlags.CPU_UNCACHED | MemoryPoolFlags.CPU_CACHED
_GPU = MemoryPoolFlags.GPU_NO_ACCESS | MemoryPoolFlags.GPU_UNCACHED | MemoryPoolFlags.GPU_CACHED


class Accessor(Enum):
    """Who reads or writes."""

    CPU = "CPU"
    """The processor, through a mapped pool."""
    GPU = "GPU"
    """A command."""


_NO_ACCESS = {Accessor.CPU: MemoryPoolFlags.CPU_NO_ACCESS, Accessor.GPU: MemoryPoolFlags.GPU_NO_ACCESS}


class Segment(NamedTuple):
    """A run of bytes: in a physical pool, or in none where no page is mapped."""

    physical: Pool | None
    offset_B: int
    size_B: int


@rule(
    "MEM-ZERO-1",
    "The bytes of a new memory pool are zero, except for those that it is given.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("zero-init", "s4-sw-flushfill"),
    refuted_by="a title that relies on another start of storage it never wrote, or a console's fresh pool read back",
)
def new_storage(size_B: int, initial: bytes) -> Bytes:
    """Return the bytes of a new pool.

    >>> new_storage(4, b"ab").tolist()
    [97, 98, 0, 0]
    """
    storage = np.zeros(size_B, np.uint8)
    storage[: len(initial)] = np.frombuffer(initial, np.uint8)
    return storage


class Pool:
    """A memory pool.

    Parameters
    ----------
    size_B : int
        A multiple of 4096, at most 4 GiB.
    flags : MemoryPoolFlags
        One kind of access for the processor and one for the GPU, and the rest. COMPRESSIBLE is kept and changes
        nothing: compression has no bytes of its own here.
    initial : bytes
        The first bytes; the rest is zero. A VIRTUAL pool takes none.

    Raises
    ------
    SizeError, FieldRangeError, ArgumentError
        For a size, flags or first bytes that are not allowed.
    """

    __slots__ = ("_denied", "_mapped", "_page_offset_B", "_page_pool", "flags", "size_B", "storage")

    def __init__(self, size_B: int, flags: MemoryPoolFlags = DEFAULT_FLAGS, initial: bytes = b"") -> None:
        if not 0 < size_B <= MAX_POOL_B or size_B % PAGE_B:
            raise SizeError(f"a memory pool of {size_B} bytes; a multiple of {PAGE_B} up to {MAX_POOL_B} is allowed")
        _check_flags(flags)
        if len(initial) > size_B:
            raise SizeError(f"a memory pool of {size_B} bytes is given {len(initial)} first bytes")
        self.size_B = size_B
        self.flags = flags
        self._denied = [who for who, flag in _NO_ACCESS.items() if flag in flags]
        self.storage: Bytes | None = None
        if not self.is_virtual:
            self.storage = new_storage(size_B, initial)
            return
        if initial:
            raise ArgumentError("a VIRTUAL memory pool has no bytes of its own, so it takes no first bytes")
        self._mapped: list[Pool] = []
        self._page_pool = np.full(size_B // PAGE_B, -1, np.int32)
        self._page_offset_B = np.zeros(size_B // PAGE_B, np.int64)

    @property
    def is_virtual(self) -> bool:
        """Whether the pool is only pages of other pools."""
        return MemoryPoolFlags.VIRTUAL in self.flags

    def allows(self, accessor: Accessor) -> bool:
        """Say whether the flags let the processor, or the GPU, read and write."""
        return accessor not in self._denied

    def map(self, offset_B: int, size_B: int, physical: Pool | None, physical_offset_B: int = 0) -> None:
        """Map pages of a VIRTUAL pool to those of a physical pool, or unmap them (``physical`` None).

        Raises
        ------
        ArgumentError, SizeError
            For a pool that is not VIRTUAL, a physical one that is, or ranges that are no whole pages inside both.
        """
        if not self.is_virtual:
            raise ArgumentError("pages are mapped in a VIRTUAL memory pool only")
        _check_pages("virtual", offset_B, size_B, self.size_B)
        pages = slice(offset_B // PAGE_B, (offset_B + size_B) // PAGE_B)
        if physical is None:
            self._page_pool[pages] = -1
            return
        if physical.is_virtual:
            raise ArgumentError("pages are mapped to a memory pool with storage of its own, not to a VIRTUAL one")
        _check_pages("physical", physical_offset_B, size_B, physical.size_B)
        if not any(one is physical for one in self._mapped):
            self._mapped.append(physical)
        self._page_pool[pages] = next(i for i, one in enumerate(self._mapped) if one is physical)
        self._page_offset_B[pages] = np.arange(physical_offset_B, physical_offset_B + size_B, PAGE_B)

    def segments(self, offset_B: int, size_B: int) -> list[Segment]:
        """Return where a range's bytes really are, in order; neighbours in memory are one segment.

        Raises
        ------
        SizeError
            For a range that leaves the pool.

        Examples
        --------
        >>> [(s.offset_B, s.size_B) for s in Pool(8192).segments(16, 8000)]
        [(16, 8000)]
        """
        self.check_range(offset_B, size_B)
        if self.storage is not None:
            return [Segment(self, offset_B, size_B)]
        return self._virtual_segments(offset_B, size_B)

    def check_range(self, offset_B: int, size_B: int) -> None:
        """Raise unless a range lies inside the pool.

        Raises
        ------
        SizeError
            Naming the range and the pool's size.
        """
        if offset_B < 0 or size_B < 0 or offset_B + size_B > self.size_B:
            raise SizeError(f"bytes {offset_B} to {offset_B + size_B} leave a memory pool of {self.size_B} bytes")

    def _virtual_segments(self, offset_B: int, size_B: int) -> list[Segment]:
        if size_B == 0:
            return []
        first, last = offset_B // PAGE_B, (offset_B + size_B - 1) // PAGE_B
        pools, offsets_B = self._page_pool[first : last + 1], self._page_offset_B[first : last + 1]
        apart = (pools[1:] != pools[:-1]) | ((pools[1:] >= 0) & (offsets_B[1:] != offsets_B[:-1] + PAGE_B))
        runs = [0, *(np.flatnonzero(apart) + 1).tolist(), last - first + 1]
        found = []
        for run, after in pairwise(runs):
            start_B = max(offset_B, (first + run) * PAGE_B)
            end_B = min(offset_B + size_B, (first + after) * PAGE_B)
            found.append(self._virtual_segment(first + run, start_B, end_B - start_B))
        return found

    def _virtual_segment(self, page: int, start_B: int, size_B: int) -> Segment:
        pool = int(self._page_pool[page])
        if pool < 0:
            return Segment(None, 0, size_B)
        return Segment(self._mapped[pool], int(self._page_offset_B[page]) + start_B - page * PAGE_B, size_B)


def _check_flags(flags: MemoryPoolFlags) -> None:
    for name, kinds in (("CPU", _CPU), ("GPU", _GPU)):
        if (flags & kinds).bit_count() != 1:
            given = (flags & kinds).name or "none"
            raise FieldRangeError(f"memory pool flags hold {name} access {given}; exactly one of three is allowed")
    if MemoryPoolFlags.VIRTUAL in flags and MemoryPoolFlags.PHYSICAL in flags:
        raise FieldRangeError("memory pool flags hold both PHYSICAL and VIRTUAL; one of them is allowed")


def _check_pages(what: str, offset_B: int, size_B: int, limit_B: int) -> None:
    if offset_B < 0 or size_B <= 0 or offset_B % PAGE_B or size_B % PAGE_B or offset_B + size_B > limit_B:
        raise SizeError(
            f"{what} pages at {offset_B}, {size_B} bytes; whole pages of {PAGE_B} bytes inside {limit_B} are allowed"
        )


def _storage_of(segment: Segment) -> Bytes:
    physical = segment.physical
    assert physical is not None
    assert physical.storage is not None
    return physical.storage[segment.offset_B : segment.offset_B + segment.size_B]


@rule(
    "MEM-UNMAPPED-1",
    "Pages of a virtual pool that map to nothing read as zero.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("nvn-device-info",),
    ledger=("copy-alias",),
)
def read_unmapped(size_B: int) -> Bytes:
    """Return what unmapped bytes read as.

    >>> read_unmapped(2).tolist()
    [0, 0]
    """
    return np.zeros(size_B, np.uint8)


@rule(
    "MEM-UNMAPPED-2",
    "Writes to pages of a virtual pool that map to nothing are dropped.",
    evidence=Evidence.INFERRED,
    sources=("nvn-device-info", "vulkan-sparse-shapes"),
    refuted_by="a write to an unmapped page that faults on a console, or that is seen after the page is mapped",
)
def write_unmapped(data: Bytes) -> None:
    """Take bytes that go nowhere."""


def share_bytes(some: Sequence[Segment], others: Sequence[Segment]) -> bool:
    """Say whether two lists of segments have a byte of memory in common.

    >>> pool = Pool(4096)
    >>> share_bytes([Segment(pool, 0, 8)], [Segment(pool, 7, 1)]), share_bytes([Segment(None, 0, 8)] * 2, [])
    (True, False)
    """
    for pool, start_B, size_B in some:
        for other, other_B, others_B in others:
            if pool is other and pool is not None and start_B < other_B + others_B and other_B < start_B + size_B:
                return True
    return False


def shared_parts(one: Sequence[Segment], other: Sequence[Segment]) -> list[tuple[slice, slice]]:
    """Return where the shared bytes of two lists of segments lie in the one and in the other."""
    found = []
    for a, here_B in _with_starts(one):
        for b, there_B in _with_starts(other):
            if a.physical is None or a.physical is not b.physical:
                continue
            start_B = max(a.offset_B, b.offset_B)
            size_B = min(a.offset_B + a.size_B, b.offset_B + b.size_B) - start_B
            if size_B > 0:
                first_B, second_B = here_B + start_B - a.offset_B, there_B + start_B - b.offset_B
                found.append((slice(first_B, first_B + size_B), slice(second_B, second_B + size_B)))
    return found


def _with_starts(segments: Sequence[Segment]) -> list[tuple[Segment, int]]:
    starts: NDArray[np.int64] = np.cumsum([0, *(segment.size_B for segment in segments)])
    return list(zip(segments, starts[:-1].tolist(), strict=True))


def gather(segments: list[Segment], out: Bytes) -> None:
    """Read segments, in order, into an array of their whole size."""
    if len(segments) == 1 and segments[0].physical is not None:
        out[:] = _storage_of(segments[0])
        return
    for segment, place in _with_places(segments, out):
        place[:] = read_unmapped(segment.size_B) if segment.physical is None else _storage_of(segment)


def scatter(segments: list[Segment], data: Bytes) -> None:
    """Write an array to segments, in order; where two are the same bytes the later one stays."""
    for segment, place in _with_places(segments, data):
        if segment.physical is None:
            write_unmapped(place)
        else:
            _storage_of(segment)[:] = place


def scatter_changes(segments: list[Segment], before: Bytes, after: Bytes) -> None:
    """Write only the bytes that differ, so that stale copies of the same bytes undo nothing."""
    start_B = 0
    for segment, place in _with_places(segments, after):
        changed = place != before[start_B : start_B + segment.size_B]
        start_B += segment.size_B
        if segment.physical is None:
            write_unmapped(place)
        else:
            _storage_of(segment)[changed] = place[changed]


def _with_places(segments: list[Segment], whole: Bytes) -> Iterator[tuple[Segment, Bytes]]:
    start_B = 0
    for segment in segments:
        yield segment, whole[start_B : start_B + segment.size_B]
        start_B += segment.size_B
