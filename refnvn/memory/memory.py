"""The guest's memory as a whole: pools at GPU addresses, read and written by bytes or as surfaces.

Everything that a recording stores goes through here, and everything that looks at the same bytes agrees at once.

It knows no formats and no commands. Read next: ``cache.py``.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from refnvn.errors import ArgumentError, SizeError
from refnvn.layout.texture import TextureLayout
from refnvn.memory.cache import SurfaceCache
from refnvn.memory.pool import Accessor, Bytes, Pool, Segment, gather, scatter, scatter_changes
from refnvn.memory.surface import Surface, placement
from refnvn.memory.write_log import WriteLog, Writer
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

MAX_MEMORY_B = 1 << 34
_CHUNK_B = 1 << 20


class Memory:
    """Pools, where they lie in the GPU's address space, and the surfaces taken from them.

    Attributes
    ----------
    pools : list of Pool
        By number.
    log : WriteLog
        Hears of every write.

    Examples
    --------
    >>> memory = Memory()
    >>> pool = memory.add_pool(0x10000, Pool(4096))
    >>> memory.write(0x10010, np.array([1, 2, 3], np.uint8))
    >>> memory.read_pool(pool, 16, 4).tolist()
    [1, 2, 3, 0]
    """

    def __init__(self) -> None:
        self.pools: list[Pool] = []
        self._ranges: list[tuple[int, int]] = []
        self.log = WriteLog()
        self._cache = SurfaceCache(self.log)

    def add_pool(self, base_B: int, pool: Pool) -> int:
        """Put a pool at a GPU address and return its number.

        Raises
        ------
        SizeError
            If it overlaps a pool that is there, or all pools together are more than 16 GiB.
        """
        for start_B, number in self._ranges:
            if base_B < start_B + self.pools[number].size_B and start_B < base_B + pool.size_B:
                raise SizeError(f"a pool at address {base_B:#x} overlaps pool {number} at {start_B:#x}")
        if sum(one.size_B for one in self.pools) + pool.size_B > MAX_MEMORY_B:
            raise SizeError(f"memory pools of more than {MAX_MEMORY_B} bytes together")
        self.pools.append(pool)
        self._ranges.append((base_B, len(self.pools) - 1))
        self._ranges.sort()
        return len(self.pools) - 1

    def locate(self, address: int, size_B: int) -> tuple[int, int]:
        """Return the pool that holds a range of addresses, and the offset of the range in it.

        No bytes may lie at the very end of a pool.

        Raises
        ------
        SizeError
            For a range that is in no pool, or leaves the one that it starts in.
        """
        at = bisect_right(self._ranges, (address, len(self.pools))) - 1
        if at >= 0:
            base_B, number = self._ranges[at]
            offset_B = address - base_B
            if offset_B < self.pools[number].size_B or (not size_B and offset_B == self.pools[number].size_B):
                if offset_B + size_B > self.pools[number].size_B:
                    raise SizeError(
                        f"addresses {address:#x} to {address + size_B:#x} leave pool {number}, which ends at "
                        f"{base_B + self.pools[number].size_B:#x}"
                    )
                return number, offset_B
        raise SizeError(f"address {address:#x} is in no memory pool")

    def read(self, address: int, size_B: int) -> Bytes:
        """Return a copy of bytes as the GPU sees them.

        Raises
        ------
        SizeError, ArgumentError
            For a range outside a pool, or a pool without access for the GPU.
        """
        number, offset_B = self.locate(address, size_B)
        return self.read_pool(number, offset_B, size_B, by=Accessor.GPU)

    def write(self, address: int, data: Bytes) -> None:
        """Write bytes as the GPU does; errors as in :meth:`read`."""
        number, offset_B = self.locate(address, data.size)
        self.write_pool(number, offset_B, data, by=Accessor.GPU)

    def write_changes(self, address: int, before: Bytes, after: Bytes) -> None:
        """Write, as the GPU does, only the bytes in which two arrays differ; errors as in :meth:`read`."""
        changed = np.flatnonzero(before != after)
        if not changed.size:
            return
        first_B, end_B = int(changed[0]), int(changed[-1]) + 1
        number, offset_B = self.locate(address + first_B, end_B - first_B)
        segments = self._segments(number, offset_B, end_B - first_B, Accessor.GPU)
        self._cache.before_write(segments)
        if self.log.listens:
            self._logged(number, offset_B, segments)
        scatter_changes(segments, before[first_B:end_B], after[first_B:end_B])

    def fill(self, address: int, size_B: int, value: int) -> None:
        """Fill a range with a 32-bit value, least byte first; errors as in :meth:`read`, or a size not of words."""
        if size_B % 4:
            raise SizeError(f"a fill of {size_B} bytes; whole 32-bit words are allowed")
        self.locate(address, size_B)
        words = np.full(min(size_B, _CHUNK_B) // 4, value, "<u4").view(np.uint8)
        for start_B in range(0, size_B, _CHUNK_B):
            self.write(address + start_B, words[: size_B - start_B])

    def read_pool(self, pool: int, offset_B: int, size_B: int, *, by: Accessor = Accessor.CPU) -> Bytes:
        """Return a copy of bytes of a pool.

        Parameters
        ----------
        pool, offset_B, size_B : int
            The range.
        by : Accessor
            Who asks: the flags of the pool must allow it.

        Raises
        ------
        SizeError, ArgumentError
            For a range outside the pool, or flags that do not allow it.
        """
        return self.read_segments(self._segments(pool, offset_B, size_B, by), size_B)

    def read_segments(self, segments: list[Segment], size_B: int) -> Bytes:
        """Return a copy of the bytes of segments, ``size_B`` in all."""
        self._cache.before_read(segments)
        out = np.empty(size_B, np.uint8)
        read_shared(segments, out)
        return out

    def write_pool(self, pool: int, offset_B: int, data: Bytes, *, by: Accessor = Accessor.CPU) -> None:
        """Write bytes of a pool; parameters and errors as in :meth:`read_pool`."""
        segments = self._segments(pool, offset_B, data.size, by)
        self._cache.before_write(segments)
        if self.log.listens:
            self._logged(pool, offset_B, segments)
        scatter(segments, data)

    def map_virtual(
        self, pool: int, offset_B: int, size_B: int, physical: int | None, physical_offset_B: int = 0
    ) -> None:
        """Map pages of a virtual pool, or unmap them; errors as in :meth:`refnvn.memory.pool.Pool.map`."""
        mapped = None if physical is None else self.pool(physical)
        virtual = self.pool(pool)
        self._cache.drop_pool(pool)
        virtual.map(offset_B, size_B, mapped, physical_offset_B)

    def surface(
        self, pool: int, offset_B: int, layout: TextureLayout, level: int, layer: int, *, by: Accessor = Accessor.GPU
    ) -> Surface:
        """Return the working copy of one image of a texture whose storage starts at ``offset_B`` of a pool.

        Parameters
        ----------
        pool, offset_B : int
            Where the texture's storage starts.
        layout : TextureLayout
            Of the whole texture.
        level, layer : int
            Which image.
        by : Accessor
            Who asks: the flags of the pool must allow it.

        Returns
        -------
        Surface
            Current until memory that it overlaps is written, or another surface that overlaps it is taken.

        Raises
        ------
        SizeError, ArgumentError
            For storage that leaves the pool, no such image, or flags that do not allow it.
        """
        place = placement(pool, offset_B, layout, level, layer)
        self._check_access(pool, by)
        self.pools[pool].check_range(offset_B, layout.size_B)
        surface = self._cache.get(place)
        if surface is None:
            segments = self.pools[pool].segments(place.start_B, place.size_B)
            surface = self._cache.take(place, segments, layout, level, layer)
        return surface

    def pool(self, number: int) -> Pool:
        """Return a pool.

        Raises
        ------
        ArgumentError
            If there is none of that number.
        """
        if not 0 <= number < len(self.pools):
            raise ArgumentError(f"pool {number} is not one of the {len(self.pools)} memory pools")
        return self.pools[number]

    def pool_bytes(self, number: int) -> Bytes:
        """Return a copy of a whole pool, whatever its flags."""
        segments = self.pool(number).segments(0, self.pool(number).size_B)
        self._cache.before_read(segments)
        out = np.empty(self.pool(number).size_B, np.uint8)
        gather(segments, out)
        return out

    def flush(self) -> None:
        """Bring all memory up to date with the surfaces taken from it."""
        self._cache.flush()

    def segments(self, address: int, size_B: int) -> list[Segment]:
        """Return where the bytes of a range of addresses lie; errors as in :meth:`read`."""
        number, offset_B = self.locate(address, size_B)
        return self._segments(number, offset_B, size_B, Accessor.GPU)

    def _logged(self, pool: int, offset_B: int, segments: list[Segment]) -> None:
        """Tell the log of a write to come."""
        size_B = sum(segment.size_B for segment in segments)
        before = None
        if self.log.keeps_bytes:
            before = np.empty(size_B, np.uint8)
            gather(segments, before)
        self.log.stores += self.log.writer is not Writer.ORDERED
        self.log.note((pool, offset_B, size_B), segments, before)

    def _segments(self, number: int, offset_B: int, size_B: int, by: Accessor) -> list[Segment]:
        self._check_access(number, by)
        return self.pools[number].segments(offset_B, size_B)

    def _check_access(self, number: int, by: Accessor) -> None:
        if not self.pool(number).allows(by):
            raise ArgumentError(
                f"pool {number} is {by.value}_NO_ACCESS: the {by.value} can neither read nor write it"
            )


@rule(
    "MEM-ALIAS-1",
    "Virtual pages mapped to one physical page are the same bytes: a write through one is read through the others.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("copy-alias",),
)
def read_shared(segments: list[Segment], out: Bytes) -> None:
    """Read physical bytes, whichever pool or address named them."""
    gather(segments, out)
