"""Memory pools and buffers: bytes with a GPU address, and what the processor writes into them and reads.

What the processor does is an event in the order of the recording: a write lands after what was submitted before it
and ahead of what is submitted next. A recording runs nothing, so nothing can be read while it is made: a read is
given a name, and the replay gives the bytes.

Read next: ``texture_builder.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from refnvn.commands import recording as r
from refnvn.commands.sync import InvalidateMappedRange
from refnvn.enumerations import MemoryPoolFlags
from refnvn.errors import ArgumentError, SizeError
from refnvn.nvn.arguments import boolean, content, flag_bits, instance, instances, owned, shown, text, whole
from refnvn.nvn.recorder import device_for
from refnvn.trace.check import MOST_POOLS, PAGE_B

if TYPE_CHECKING:
    from refnvn.nvn.device import Device

Data = bytes | bytearray | memoryview | NDArray[Any]

MOST_POOL_B = 1 << 32
DEFAULT_FLAGS = MemoryPoolFlags.CPU_UNCACHED | MemoryPoolFlags.GPU_CACHED
CPU_ACCESS = MemoryPoolFlags.CPU_NO_ACCESS | MemoryPoolFlags.CPU_UNCACHED | MemoryPoolFlags.CPU_CACHED
GPU_ACCESS = MemoryPoolFlags.GPU_NO_ACCESS | MemoryPoolFlags.GPU_UNCACHED | MemoryPoolFlags.GPU_CACHED


class MemoryPoolBuilder:
    """``NVNmemoryPoolBuilder``.

    Examples
    --------
    >>> builder = MemoryPoolBuilder().set_flags("CPU_CACHED | GPU_CACHED").set_storage(65536)
    >>> builder.get_size()
    65536
    """

    def __init__(self) -> None:
        self.set_defaults()

    def set_defaults(self) -> MemoryPoolBuilder:
        """No storage; processor uncached, GPU cached."""
        self._size_B = 0
        self._initial = b""
        self._flags = DEFAULT_FLAGS
        return self

    def set_storage(self, memory: Data | int | None, size: int | None = None) -> MemoryPoolBuilder:
        """Give the pool its memory: bytes, or None for zeros, and a size; or the size alone.

        Raises
        ------
        SizeError
            Unless the size is a multiple of 4096, up to 4 GiB, and holds the bytes.
        """
        call = "MemoryPoolBuilder.set_storage"
        if size is None and isinstance(memory, int):
            memory, size = None, memory
        initial = b"" if memory is None else content(call, "memory", memory)
        size_B = whole(call, "size", len(initial) if size is None else size, PAGE_B, MOST_POOL_B)
        if size_B % PAGE_B or len(initial) > size_B:
            raise SizeError(f"{call}: size is {size_B}, allowed are multiples of {PAGE_B} that hold the memory")
        self._initial, self._size_B = initial, size_B
        return self

    def set_flags(self, flags: MemoryPoolFlags | str | int) -> MemoryPoolBuilder:
        """Set the flags: one access for the processor, one for the GPU, and others.

        Raises
        ------
        ArgumentError
            For no access or several.
        """
        call = "MemoryPoolBuilder.set_flags"
        given = flag_bits(call, "flags", flags, MemoryPoolFlags)
        for what, group in (("CPU", CPU_ACCESS), ("GPU", GPU_ACCESS)):
            if (given & group).bit_count() != 1:
                names = ", ".join(str(one.name) for one in MemoryPoolFlags if one & group)
                raise ArgumentError(f"{call}: flags are {given!r}, allowed is one {what} access of {names}")
        if given & MemoryPoolFlags.PHYSICAL and given & MemoryPoolFlags.VIRTUAL:
            raise ArgumentError(f"{call}: flags are {given!r}, allowed is one of PHYSICAL and VIRTUAL")
        self._flags = given
        return self

    def get_size(self) -> int:
        """Return the size in bytes."""
        return self._size_B

    def get_flags(self) -> MemoryPoolFlags:
        """Return the flags."""
        return self._flags

    def get_memory(self) -> bytes:
        """Return the first bytes; the rest is zero."""
        return self._initial


@dataclass(frozen=True, slots=True)
class MappingRequest:
    """``NVNmappingRequest``: a range of a virtual pool and where its bytes are; None unmaps it."""

    physical_pool: MemoryPool | None
    physical_offset: int
    virtual_offset: int
    size: int


class MemoryPool:
    """``NVNmemoryPool``.

    Parameters
    ----------
    device : Device
        Records what happens to it.
    builder : MemoryPoolBuilder
        Copied.
    label : str
        For people.
    growing : bool
        Whether :meth:`grow` may make it larger: the pool from which a device gives textures and buffers.
    """

    def __init__(self, device: Device, builder: MemoryPoolBuilder, *, label: str = "", growing: bool = False) -> None:
        device_for("MemoryPool", device)
        instance("MemoryPool", "builder", builder, MemoryPoolBuilder)
        if len(device.recorder.pools) >= MOST_POOLS:
            raise SizeError(f"MemoryPool: there are {MOST_POOLS} pools, no more are allowed")
        if builder.get_flags() & MemoryPoolFlags.VIRTUAL and builder.get_memory():
            raise ArgumentError("MemoryPool: a VIRTUAL pool has no bytes of its own, allowed is a size alone")
        if not builder.get_size():
            raise SizeError("MemoryPool: size is 0, MemoryPoolBuilder.set_storage gives it one")
        self.device = device
        self.index = len(device.recorder.pools)
        self.size_B = builder.get_size()
        self.flags = builder.get_flags()
        self.initial = builder.get_memory()
        self.label = text("MemoryPool", "label", label)
        self._growing = growing
        device.recorder.pools.append(self)

    def get_size(self) -> int:
        """Return the size in bytes."""
        return self.size_B

    def get_flags(self) -> MemoryPoolFlags:
        """Return the flags."""
        return self.flags

    def get_buffer_address(self, offset: int = 0) -> int:
        """Return the GPU address of the pool, plus an offset."""
        return r.pool_base_B(self.index) + whole("get_buffer_address", "offset", offset, 0, self.size_B)

    def grow(self, size_B: int) -> None:
        """Make a growing pool at least so large.

        Raises
        ------
        SizeError
            For another pool, or above 4 GiB.
        """
        size_B = -(-size_B // PAGE_B) * PAGE_B
        if size_B > self.size_B:
            if not self._growing or size_B > MOST_POOL_B:
                raise SizeError(f"{size_B} bytes are asked of pool {self.index}, which has {self.size_B}")
            self.size_B = size_B

    def map(self) -> Mapping:
        """Return the processor's view of the pool, to assign to: ``pool.map()[16:20] = b"abcd"``.

        Raises
        ------
        ArgumentError
            For a pool that the processor has no access to.
        """
        self._check_cpu("map")
        return Mapping(self)

    def write(self, offset: int, data: Data, *, racing: bool = False) -> None:
        """Write bytes by the processor, now in the order of the recording.

        Parameters
        ----------
        offset : int
            In bytes.
        data : bytes or ndarray
            An array's elements are written little-endian, in C order.
        racing : bool
            Whether nothing made the processor wait for the GPU: submissions since the last wait may see it or not.

        Raises
        ------
        ArgumentError
            For a pool without access for the processor, or a range outside of it.
        """
        self._check_cpu("write")
        blob = self.device.recorder.blob(content("write", "data", data))
        offset_B = whole("write", "offset", offset, 0, self.size_B)
        races = boolean("write", "racing", racing)
        event = r.WriteMemory(pool=self.index, offset_B=offset_B, blob=blob, racing=races)
        self.device.recorder.add_event("write", event)

    def read(self, name: str, offset: int = 0, size: int | None = None) -> None:
        """Read bytes by the processor, now in the order of the recording, as a result of that name.

        Raises
        ------
        ArgumentError
            For a name that is taken, a pool without access for the processor, or a range outside of it.
        """
        self._check_cpu("read")
        recorder = self.device.recorder
        offset_B = whole("read", "offset", offset, 0, self.size_B)
        size_B = whole("read", "size", self.size_B - offset_B if size is None else size, 1, self.size_B)
        name = recorder.result_name("read", name)
        recorder.add_event("read", r.ReadMemory(name=name, pool=self.index, offset_B=offset_B, size_B=size_B))

    def flush_mapped_range(self, offset: int, size: int) -> None:
        """Make what the processor wrote to a cached pool visible to the GPU."""
        self._mapped_range("flush_mapped_range", r.FlushMappedRange, offset, size)

    def invalidate_mapped_range(self, offset: int, size: int) -> None:
        """Make what the GPU wrote visible to a processor that caches the pool."""
        self._mapped_range("invalidate_mapped_range", InvalidateMappedRange, offset, size)

    def _mapped_range(
        self, call: str, kind: type[r.FlushMappedRange | InvalidateMappedRange], offset: int, size: int
    ) -> None:
        self._check_cpu(call)
        event = kind(
            pool=self.index,
            offset_B=whole(call, "offset", offset, 0, self.size_B),
            size_B=whole(call, "size", size, 0, self.size_B),
        )
        self.device.recorder.add_event(call, event)

    def map_virtual(self, requests: Sequence[MappingRequest]) -> None:
        """Map ranges of this virtual pool to physical pools, or unmap them.

        Raises
        ------
        ArgumentError
            For a pool that is not virtual, ranges outside, or offsets and sizes that are no multiples of 4096.
        """
        given = instances("map_virtual", "requests", requests, MappingRequest)
        for number, request in enumerate(given):
            call, physical = f"map_virtual: requests[{number}]", request.physical_pool
            if physical is not None:
                owned(call, "physical_pool", physical, MemoryPool, self.device)
        for number, request in enumerate(given):
            call, physical = f"map_virtual: requests[{number}]", request.physical_pool
            self.device.recorder.add_event(
                call,
                r.MapVirtual(
                    pool=self.index,
                    offset_B=whole(call, "virtual_offset", request.virtual_offset, 0, self.size_B),
                    size_B=whole(call, "size", request.size, 0, self.size_B),
                    physical_pool=None if physical is None else physical.index,
                    physical_offset_B=whole(call, "physical_offset", request.physical_offset, 0, MOST_POOL_B),
                ),
            )

    def _check_cpu(self, call: str) -> None:
        if self.flags & (MemoryPoolFlags.CPU_NO_ACCESS | MemoryPoolFlags.VIRTUAL):
            raise ArgumentError(
                f"{call}: pool {self.index} is {self.flags!r}, allowed are CPU_CACHED and CPU_UNCACHED pools; "
                "a copy to a buffer there can be read"
            )


class Mapping:
    """What :meth:`MemoryPool.map` returns: slices can be assigned to, nothing can be read back."""

    def __init__(self, pool: MemoryPool) -> None:
        self._pool = pool

    def __len__(self) -> int:
        return self._pool.size_B

    def __setitem__(self, where: slice, data: Data) -> None:
        if not isinstance(where, slice):
            raise ArgumentError(
                f"map: place is {shown(where)}, allowed are slices: first byte, colon, one past the last"
            )
        try:
            start, stop, step = where.indices(self._pool.size_B)
        except (TypeError, ValueError):
            raise ArgumentError(f"map: place is {shown(where)}, allowed are slices of whole numbers") from None
        raw = content("map", "data", data)
        if step != 1 or stop - start != len(raw):
            raise SizeError(f"map: {len(raw)} bytes are assigned to {start}:{stop}, allowed are as many as it holds")
        self._pool.write(start, raw)


class Buffer:
    """``NVNbuffer``: a range of a pool with an address.

    Parameters
    ----------
    pool : MemoryPool
        Its memory.
    offset, size : int
        In bytes.
    """

    def __init__(self, pool: MemoryPool, offset: int, size: int) -> None:
        self.pool = instance("Buffer", "pool", pool, MemoryPool)
        self.offset = whole("Buffer", "offset", offset, 0, pool.size_B)
        self.size = whole("Buffer", "size", size, 0, pool.size_B - self.offset)

    @property
    def device(self) -> Device:
        """The device of its pool."""
        return self.pool.device

    def get_address(self, offset: int = 0) -> int:
        """Return the GPU address, plus an offset."""
        return self.pool.get_buffer_address(self.offset + whole("get_address", "offset", offset, 0, self.size))

    def get_size(self) -> int:
        """Return the size in bytes."""
        return self.size

    def get_memory_pool(self) -> MemoryPool:
        """Return the pool."""
        return self.pool

    def get_memory_offset(self) -> int:
        """Return the offset in the pool."""
        return self.offset

    def write(self, data: Data, offset: int = 0, *, racing: bool = False) -> None:
        """Write bytes by the processor; ``racing`` as of :meth:`MemoryPool.write`.

        Raises
        ------
        SizeError
            Outside of the buffer.
        """
        raw = content("write", "data", data)
        if len(raw) > self.size:
            raise SizeError(f"write: data has {len(raw)} bytes, the buffer has {self.size}")
        at = self.offset + whole("write", "offset", offset, 0, self.size - len(raw))
        self.pool.write(at, raw, racing=racing)

    def read(self, name: str) -> None:
        """Read the whole buffer by the processor, as a result of that name."""
        self.pool.read(name, self.offset, self.size)

    def flush_mapped_range(self, offset: int, size: int) -> None:
        """Make what the processor wrote visible to the GPU."""
        self.pool.flush_mapped_range(self._inside("flush_mapped_range", offset, size), size)

    def invalidate_mapped_range(self, offset: int, size: int) -> None:
        """Make what the GPU wrote visible to a processor that caches the pool."""
        self.pool.invalidate_mapped_range(self._inside("invalidate_mapped_range", offset, size), size)

    def _inside(self, call: str, offset: int, size: int) -> int:
        """Return where in the pool a range of the buffer begins."""
        inside = whole(call, "offset", offset, 0, self.size)
        whole(call, "size", size, 0, self.size - inside)
        return self.offset + inside
