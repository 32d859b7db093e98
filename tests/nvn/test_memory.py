"""Pools and buffers: what the processor does stands in the order of the recording."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.commands import recording as r
from refnvn.enumerations import MemoryPoolFlags
from refnvn.errors import ArgumentError, SizeError
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer, MappingRequest, MemoryPool, MemoryPoolBuilder
from refnvn.testing import results_of

NO_CPU = "CPU_NO_ACCESS | GPU_CACHED"


def test_processor_writes_are_events_in_order() -> None:
    """A write stands between the submissions it happened between; equal bytes are kept once."""
    device = Device()
    pool, queue, commands = device.memory_pool(4096), device.queue(), device.command_buffer()
    pool.write(0, b"abcd")
    commands.clear_buffer(pool.get_buffer_address(8), 4, 7)
    queue.submit(commands)
    pool.map()[4:8] = b"abcd"
    pool.flush_mapped_range(0, 8)
    pool.read("bytes", 0, 12)
    trace = device.trace()
    assert trace.recording.timeline == (
        r.WriteMemory(pool=0, offset_B=0, blob="bytes_0"),
        r.Submit(command_buffers=(0,), queue=0),
        r.WriteMemory(pool=0, offset_B=4, blob="bytes_0"),
        r.FlushMappedRange(pool=0, offset_B=0, size_B=8),
        r.ReadMemory(name="bytes", pool=0, offset_B=0, size_B=12),
    )
    assert trace.blobs == {"bytes_0": b"abcd"}
    assert bytes(results_of(device)["bytes"]) == b"abcdabcd\x07\x00\x00\x00"


def test_a_pool_starts_with_the_memory_it_is_given() -> None:
    """The rest is zero."""
    device = Device()
    device.memory_pool(b"start").read("head", 0, 8)
    assert device.trace().recording.pools[0].size_B == 4096
    assert bytes(results_of(device)["head"]) == b"start\0\0\0"


def test_a_pool_has_an_address_of_its_own() -> None:
    """Pools lie 8 GiB apart from 16 GiB on; an address plus an offset is an address."""
    device = Device()
    pools = [device.memory_pool(4096) for _ in range(2)]
    assert [pool.get_buffer_address(16) for pool in pools] == [0x4_0000_0010, 0x6_0000_0010]
    with pytest.raises(SizeError, match="get_buffer_address: offset is 4097, allowed are 0 to 4096"):
        pools[0].get_buffer_address(4097)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("CPU_CACHED", "allowed is one GPU access"),
        ("CPU_CACHED | CPU_UNCACHED | GPU_CACHED", "allowed is one CPU access"),
        ("CPU_CACHED | GPU_CACHED | PHYSICAL | VIRTUAL", "allowed is one of PHYSICAL and VIRTUAL"),
        ("FAST", "allowed are CPU_NO_ACCESS"),
    ],
    ids=["no-gpu", "two-cpu", "both-kinds", "unknown"],
)
def test_a_pool_has_one_access_for_each_side(flags: str, message: str) -> None:
    """The flags are checked when they are set."""
    with pytest.raises(ArgumentError, match=message):
        MemoryPoolBuilder().set_flags(flags)


@pytest.mark.parametrize("size", [0, 100, 4097, (1 << 32) + 4096], ids=["none", "small", "odd", "large"])
def test_a_pool_is_whole_pages(size: int) -> None:
    """A size is a multiple of 4096, up to 4 GiB."""
    with pytest.raises(SizeError, match=r"MemoryPoolBuilder.set_storage: size is"):
        MemoryPoolBuilder().set_storage(None, size)


def test_a_builder_is_copied() -> None:
    """Setting up another pool by the same builder leaves the first alone."""
    device = Device()
    builder = MemoryPoolBuilder().set_storage(4096)
    first = MemoryPool(device, builder)
    second = MemoryPool(device, builder.set_storage(8192))
    assert (first.get_size(), second.get_size(), builder.get_memory()) == (4096, 8192, b"")
    assert first.get_flags() == MemoryPoolFlags.CPU_UNCACHED | MemoryPoolFlags.GPU_CACHED
    with pytest.raises(SizeError, match=r"size is 0, MemoryPoolBuilder.set_storage"):
        MemoryPool(device, MemoryPoolBuilder())


def test_the_processor_cannot_touch_what_is_the_gpus() -> None:
    """Writes and reads of a pool without processor access are refused."""
    pool = Device().memory_pool(4096, NO_CPU)
    for call in (
        lambda: pool.write(0, b"x"),
        lambda: pool.read("x"),
        pool.map,
        lambda: pool.flush_mapped_range(0, 1),
    ):
        with pytest.raises(ArgumentError, match="allowed are CPU_CACHED and CPU_UNCACHED pools"):
            call()


def test_ranges_stay_inside_the_pool() -> None:
    """The error has the range and the pool's size."""
    pool = Device().memory_pool(4096)
    with pytest.raises(ArgumentError, match="write: 2 bytes at offset 4095, pool 0 has 4096"):
        pool.write(4095, b"ab")
    with pytest.raises(ArgumentError, match="read: 2 bytes at offset 4095, pool 0 has 4096"):
        pool.read("x", 4095, 2)
    with pytest.raises(SizeError, match="map: 1 bytes are assigned to 0:2"):
        pool.map()[0:2] = b"a"
    assert len(pool.map()) == 4096


def test_a_result_has_a_name_of_its_own() -> None:
    """Names become parts of file names and of C identifiers: what no replay would take, no recording takes."""
    pool = Device().memory_pool(4096)
    pool.read("bytes")
    with pytest.raises(ArgumentError, match="read: name is 'bytes', which another result has"):
        pool.read("bytes")
    with pytest.raises(ArgumentError, match="read: name is 5, allowed is text"):
        pool.read(5)  # type: ignore[arg-type]
    for name in ("../x", "", "a" * 65, "Target", "a.b", "0", "con"):
        with pytest.raises(ArgumentError, match="allowed are up to 64 of a-z, 0-9 and _"):
            pool.read(name)


def test_virtual_pools_are_mapped_in_pages() -> None:
    """A write through a virtual address lands in the physical pool; unmapped pages read zero."""
    device = Device()
    physical = device.memory_pool(65536)
    virtual = device.memory_pool(131072, "CPU_NO_ACCESS | GPU_CACHED | VIRTUAL")
    out = device.buffer(8)
    virtual.map_virtual([MappingRequest(physical, 0, 65536, 65536)])
    commands = device.command_buffer()
    commands.clear_buffer(virtual.get_buffer_address(65536 + 16), 4, 0x01020304)
    commands.clear_buffer(virtual.get_buffer_address(0), 4, 0xFFFFFFFF)
    commands.copy_buffer_to_buffer(virtual.get_buffer_address(65536 + 16), out, 4)
    commands.copy_buffer_to_buffer(virtual.get_buffer_address(0), out.get_address(4), 4)
    device.queue().submit(commands)
    out.read("out")
    physical.read("physical", 16, 4)
    assert bytes(results_of(device)["out"]) == b"\x04\x03\x02\x01\0\0\0\0"
    assert bytes(results_of(device)["physical"]) == b"\x04\x03\x02\x01"
    with pytest.raises(ArgumentError, match=r"requests\[0\]: physical_pool: pool 1 is VIRTUAL"):
        virtual.map_virtual([MappingRequest(virtual, 0, 0, 65536)])
    with pytest.raises(ArgumentError, match="pool 0 is not VIRTUAL"):
        physical.map_virtual([MappingRequest(None, 0, 0, 4096)])


def test_a_buffer_is_a_range_of_a_pool() -> None:
    """Its address, size and bytes are its own."""
    device = Device()
    pool = device.memory_pool(4096)
    buffer = Buffer(pool, 256, 16)
    buffer.write(np.array([1, 2], np.uint32), 8)
    buffer.flush_mapped_range(8, 8)
    buffer.read("buffer")
    assert buffer.get_address(4) == pool.get_buffer_address(260)
    assert (buffer.get_size(), buffer.get_memory_pool(), buffer.get_memory_offset()) == (16, pool, 256)
    assert results_of(device)["buffer"].view("<u4").tolist() == [0, 0, 1, 2]
    with pytest.raises(SizeError, match="write: offset is 9, allowed are 0 to 8"):
        buffer.write(bytes(8), 9)
    with pytest.raises(SizeError, match="Buffer: size is 4096, allowed are 0 to 3840"):
        Buffer(pool, 256, 4096)


def test_buffers_of_a_device_do_not_overlap() -> None:
    """Each takes a slot of its own."""
    device = Device()
    buffers = [device.buffer(bytes([i]) * 100_000) for i in range(1, 4)]
    for i, buffer in enumerate(buffers):
        buffer.read(f"b{i}")
    read = results_of(device)
    assert all((read[f"b{i}"] == i + 1).all() for i in range(3))
