"""Where the bytes of a pool lie: zero at first, pages shown elsewhere, access as the flags say."""

import numpy as np
import pytest

from refnvn.enumerations import MemoryPoolFlags as Flags
from refnvn.errors import ArgumentError, RefnvnError, SizeError
from refnvn.memory.memory import Memory
from refnvn.memory.pool import PAGE_B, Pool, Segment

GPU_ONLY = Flags.CPU_NO_ACCESS | Flags.GPU_CACHED
VIRTUAL = GPU_ONLY | Flags.VIRTUAL
PHYSICAL = Flags.CPU_UNCACHED | Flags.GPU_CACHED | Flags.PHYSICAL
BASE_B = 1 << 34


def data(*values: int) -> np.ndarray:
    """Return bytes as an array."""
    return np.array(values, np.uint8)


def virtual_and_physical(pages: int = 4) -> tuple[Memory, Pool, Pool]:
    """Return memory with a virtual pool 0 at ``BASE_B`` and a physical pool 1."""
    memory = Memory()
    virtual, physical = Pool(pages * PAGE_B, VIRTUAL), Pool(pages * PAGE_B, PHYSICAL)
    memory.add_pool(BASE_B, virtual)
    memory.add_pool(2 * BASE_B, physical)
    return memory, virtual, physical


@pytest.mark.rule("MEM-ZERO-1")
def test_a_new_pool_is_zero_after_its_first_bytes() -> None:
    """What a pool is given comes first, the rest is zero."""
    memory = Memory()
    memory.add_pool(BASE_B, Pool(PAGE_B, initial=b"\x01\x02"))
    assert memory.read_pool(0, 0, 4).tolist() == [1, 2, 0, 0]
    assert not memory.pool_bytes(0)[2:].any()


@pytest.mark.rule("MEM-UNMAPPED-1", "MEM-UNMAPPED-2")
def test_unmapped_pages_read_zero_and_drop_writes() -> None:
    """A write to an unmapped page leaves nothing, also after the page is mapped."""
    memory, _, _ = virtual_and_physical()
    memory.write(BASE_B + PAGE_B - 2, data(1, 2, 3, 4))
    assert memory.read(BASE_B + PAGE_B - 2, 4).tolist() == [0, 0, 0, 0]
    memory.map_virtual(0, 0, 2 * PAGE_B, 1)
    assert memory.read(BASE_B + PAGE_B - 2, 4).tolist() == [0, 0, 0, 0]


def test_a_write_that_is_partly_mapped_lands_where_it_is() -> None:
    """The mapped half of a write stays, the other half is dropped."""
    memory, _, _ = virtual_and_physical()
    memory.map_virtual(0, PAGE_B, PAGE_B, 1, 0)
    memory.write(BASE_B + PAGE_B - 2, data(1, 2, 3, 4))
    assert memory.read(BASE_B + PAGE_B - 2, 4).tolist() == [0, 0, 3, 4]
    assert memory.read_pool(1, 0, 2).tolist() == [3, 4]


@pytest.mark.rule("MEM-ALIAS-1")
def test_two_virtual_pages_on_one_physical_page_are_one() -> None:
    """Page P at V0 and V1: a write of 0xAB to V0 is read at V1, and in the physical pool."""
    memory, _, _ = virtual_and_physical()
    memory.map_virtual(0, 0, PAGE_B, 1, PAGE_B)
    memory.map_virtual(0, PAGE_B, PAGE_B, 1, PAGE_B)
    memory.write(BASE_B, np.full(PAGE_B, 0xAB, np.uint8))
    assert (memory.read(BASE_B + PAGE_B, PAGE_B) == 0xAB).all()
    assert (memory.read_pool(1, PAGE_B, PAGE_B) == 0xAB).all()
    memory.write(2 * BASE_B + PAGE_B, data(7))
    assert memory.read(BASE_B, 1).tolist() == memory.read(BASE_B + PAGE_B, 1).tolist() == [7]


def test_neighbouring_pages_are_one_segment() -> None:
    """Pages that follow one another in the physical pool make one run, others their own."""
    _, virtual, physical = virtual_and_physical(8)
    virtual.map(0, 2 * PAGE_B, physical, PAGE_B)
    virtual.map(3 * PAGE_B, PAGE_B, physical, 0)
    assert virtual.segments(100, 4 * PAGE_B) == [
        Segment(physical, PAGE_B + 100, 2 * PAGE_B - 100),
        Segment(None, 0, PAGE_B),
        Segment(physical, 0, PAGE_B),
        Segment(None, 0, 100),
    ]
    assert virtual.segments(0, 0) == []


def test_unmapped_again_reads_zero_and_the_bytes_stay() -> None:
    """Taking a page out of the virtual pool leaves the physical bytes."""
    memory, _, _ = virtual_and_physical()
    memory.map_virtual(0, 0, PAGE_B, 1, 0)
    memory.write(BASE_B, data(9))
    memory.map_virtual(0, 0, PAGE_B, None)
    assert memory.read(BASE_B, 1).tolist() == [0]
    assert memory.read_pool(1, 0, 1).tolist() == [9]


def test_a_range_of_addresses_stays_in_its_pool() -> None:
    """An address is looked up by the pool it lies in; ranges do not go on into the next pool."""
    memory, _, _ = virtual_and_physical(1)
    assert memory.locate(BASE_B + 5, 7) == (0, 5)
    assert memory.locate(2 * BASE_B, PAGE_B) == (1, 0)
    with pytest.raises(SizeError, match=r"leave pool 0, which ends at 0x400001000"):
        memory.locate(BASE_B + PAGE_B - 1, 2)
    for address in (0, BASE_B - 1, BASE_B + PAGE_B, 4 * BASE_B):
        with pytest.raises(SizeError, match="is in no memory pool"):
            memory.locate(address, 1)


def test_access_follows_the_flags() -> None:
    """Commands need GPU access, the processor CPU access."""
    memory = Memory()
    memory.add_pool(BASE_B, Pool(PAGE_B, Flags.CPU_CACHED | Flags.GPU_NO_ACCESS))
    memory.add_pool(2 * BASE_B, Pool(PAGE_B, GPU_ONLY | Flags.COMPRESSIBLE))
    memory.write_pool(0, 0, data(1))
    memory.write(2 * BASE_B, data(2))
    with pytest.raises(ArgumentError, match="pool 0 is GPU_NO_ACCESS"):
        memory.read(BASE_B, 1)
    with pytest.raises(ArgumentError, match="pool 1 is CPU_NO_ACCESS"):
        memory.write_pool(1, 0, data(1))
    assert memory.pool_bytes(1)[0] == 2


def test_a_fill_repeats_its_word() -> None:
    """A 32-bit value goes least byte first; sizes that are no words, or leave the pool, are refused."""
    memory = Memory()
    memory.add_pool(BASE_B, Pool(3 << 20))
    memory.fill(BASE_B + 4, (3 << 20) - 8, 0x04030201)
    whole = memory.pool_bytes(0)
    assert not whole[:4].any()
    assert not whole[-4:].any()
    assert (whole[4:-4].reshape(-1, 4) == [1, 2, 3, 4]).all()
    for size_B in (6, 3 << 20):
        with pytest.raises(SizeError):
            memory.fill(BASE_B + 4, size_B, 0)


@pytest.mark.parametrize(
    ("size_B", "flags", "initial", "complaint"),
    [
        pytest.param(0, GPU_ONLY, b"", "multiple of 4096", id="empty"),
        pytest.param(4097, GPU_ONLY, b"", "multiple of 4096", id="no-whole-pages"),
        pytest.param(1 << 33, GPU_ONLY, b"", "up to 4294967296", id="too-large"),
        pytest.param(4096, GPU_ONLY, b"x" * 4097, "4097 first bytes", id="first-bytes-too-many"),
        pytest.param(4096, Flags.GPU_CACHED, b"", "CPU access none", id="no-cpu-access-flag"),
        pytest.param(4096, GPU_ONLY | Flags.GPU_NO_ACCESS, b"", "GPU access", id="two-gpu-flags"),
        pytest.param(4096, VIRTUAL | Flags.PHYSICAL, b"", "both PHYSICAL and VIRTUAL", id="both"),
        pytest.param(4096, VIRTUAL, b"x", "no bytes of its own", id="virtual-with-bytes"),
    ],
)
def test_a_bad_pool_is_refused(size_B: int, flags: Flags, initial: bytes, complaint: str) -> None:
    """Each error says what was given and what is allowed."""
    with pytest.raises(RefnvnError, match=complaint):
        Pool(size_B, flags, initial)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        pytest.param((1, 0, PAGE_B, 1, 0), "VIRTUAL memory pool only", id="not-virtual"),
        pytest.param((0, 1, PAGE_B, 1, 0), "virtual pages at 1", id="odd-offset"),
        pytest.param((0, 0, 100, 1, 0), "virtual pages at 0, 100 bytes", id="odd-size"),
        pytest.param((0, 3 * PAGE_B, 2 * PAGE_B, 1, 0), "virtual pages", id="past-the-virtual-end"),
        pytest.param((0, 0, 2 * PAGE_B, 1, 3 * PAGE_B), "physical pages", id="past-the-physical-end"),
        pytest.param((0, 0, PAGE_B, 0, 0), "not to a VIRTUAL one", id="mapped-to-itself"),
        pytest.param((0, 0, PAGE_B, 7, 0), "pool 7 is not one of the 2", id="no-such-pool"),
    ],
)
def test_a_bad_mapping_is_refused(call: tuple[int, int, int, int, int], complaint: str) -> None:
    """Each error says what was given and what is allowed."""
    memory, _, _ = virtual_and_physical()
    with pytest.raises(RefnvnError, match=complaint):
        memory.map_virtual(*call)


def test_pools_lie_apart() -> None:
    """Two pools never share addresses, and all of them together have a limit."""
    memory = Memory()
    memory.add_pool(BASE_B, Pool(2 * PAGE_B))
    with pytest.raises(SizeError, match="overlaps pool 0"):
        memory.add_pool(BASE_B + PAGE_B, Pool(PAGE_B))
    for number in range(1, 4):
        memory.add_pool(BASE_B + (number << 33), Pool(1 << 32))
    with pytest.raises(SizeError, match="together"):
        memory.add_pool(1 << 40, Pool(1 << 32))
