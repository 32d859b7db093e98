"""Surfaces agree with memory and with one another, byte by byte, as if there were no working copies."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from refnvn.enumerations import MemoryPoolFlags as Flags
from refnvn.errors import ArgumentError, SizeError
from refnvn.layout.description import Element, PackagedLayout, TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import tile, untile
from refnvn.memory.memory import Memory
from refnvn.memory.pool import PAGE_B, Pool

BASE_B = 1 << 34
POOL_B = 16 * PAGE_B
BOTH = Flags.CPU_UNCACHED | Flags.GPU_CACHED


def layout(bytes_per_block: int, width: int, height: int, **fields: object) -> TextureLayout:
    """Return the layout of a small texture."""
    block_px = fields.pop("block_px", 1)
    element = Element(bytes_per_block, block_px, block_px)  # type: ignore[arg-type]
    return texture_layout(TextureDescription(element=element, width=width, height=height, **fields))  # type: ignore[arg-type]


RGBA8 = layout(4, 8, 8)
ARRAY = TextureTarget.TARGET_2D_ARRAY
VIEWS = {
    "small": layout(4, 16, 16),
    "large": layout(4, 48, 20),
    "bytes": layout(1, 100, 33),
    "levels": layout(8, 40, 40, levels=4),
    "layers": layout(2, 30, 9, target=ARRAY, depth=3),
    "volume": layout(4, 20, 9, depth=5, target=TextureTarget.TARGET_3D, levels=2),
    "blocks": layout(8, 60, 50, block_px=4),
    "linear": layout(4, 20, 30, flags=TextureFlags.LINEAR),
    "high": layout(16, 12, 40, packaged=PackagedLayout(8)),
}


def one_pool(flags: Flags = BOTH) -> Memory:
    """Return memory of one pool at ``BASE_B``."""
    memory = Memory()
    memory.add_pool(BASE_B, Pool(POOL_B, flags))
    return memory


@pytest.mark.rule("MEM-SHARED-1")
def test_objects_that_differ_by_flags_and_age_are_one_surface() -> None:
    """Equal texels at equal bytes are one working copy: sRGB twins, IMAGE twins, objects made anew."""
    memory = one_pool()
    twin = texture_layout(
        dataclasses.replace(RGBA8.description, flags=TextureFlags.IMAGE | TextureFlags.COMPRESSIBLE)
    )
    surface = memory.surface(0, 512, RGBA8, 0, 0)
    assert memory.surface(0, 512, twin, 0, 0) is surface
    assert memory.surface(0, 512, layout(4, 8, 8), 0, 0) is surface


@pytest.mark.rule("MEM-SHARED-1")
def test_resolution_variants_share_their_bytes() -> None:
    """128x128 and 64x64 R32UI over offset 0: 64x64 written as 7 reads 7 after 128x128 was looked at."""
    memory = Memory()
    memory.add_pool(BASE_B, Pool(1 << 17))
    small, large = layout(4, 64, 64), layout(4, 128, 128)
    surface = memory.surface(0, 0, small, 0, 0)
    surface.codes[...] = [7, 0, 0, 0]
    surface.written()
    assert memory.surface(0, 0, large, 0, 0).codes.any()
    assert (memory.surface(0, 0, small, 0, 0).codes == [7, 0, 0, 0]).all()


@pytest.mark.rule("MEM-SHARED-1")
def test_blocks_and_integers_of_one_size_are_one_surface() -> None:
    """A 32x32 texture of 8-byte blocks and an 8x8 texture of 8-byte texels have the same bytes."""
    memory = one_pool()
    assert memory.surface(0, 0, layout(8, 32, 32, block_px=4), 0, 0) is memory.surface(0, 0, layout(8, 8, 8), 0, 0)


def test_write_back_leaves_padding_alone() -> None:
    """Bytes of a GOB that no texel of the image lies in keep what a buffer wrote there."""
    memory = one_pool()
    memory.write(BASE_B, np.full(512, 0xEE, np.uint8))
    surface = memory.surface(0, 0, layout(4, 3, 3), 0, 0)
    surface.codes[...] = 1
    surface.written()
    assert sorted(np.unique(memory.read(BASE_B, 512), return_counts=True)[1].tolist()) == [36, 512 - 36]


def test_a_stale_surface_tells_its_writer() -> None:
    """Codes of a surface whose bytes were written since cannot be written any more."""
    memory = one_pool()
    surface = memory.surface(0, 0, RGBA8, 0, 0)
    memory.write(BASE_B, np.zeros(1, np.uint8))
    assert not surface.is_current
    with pytest.raises(ArgumentError, match="over the same bytes"):
        surface.written()


def test_bytes_beside_a_surface_do_not_disturb_it() -> None:
    """Reads, and writes elsewhere, leave a working copy current."""
    memory = one_pool()
    surface = memory.surface(0, 512, RGBA8, 0, 0)
    surface.codes[0, 0, 0] = [1, 2, 3, 4]
    surface.written()
    memory.write(BASE_B, np.full(512, 9, np.uint8))
    memory.write(BASE_B + 1024, np.full(512, 9, np.uint8))
    assert memory.read(BASE_B + 512, 4).tolist() == [1, 2, 3, 4]
    assert memory.surface(0, 512, RGBA8, 0, 0) is surface


def test_storage_past_the_end_of_its_pool_is_refused() -> None:
    """A texture must lie in its pool as a whole, also for its first level."""
    memory = one_pool()
    with pytest.raises(SizeError, match="leave a memory pool of 65536 bytes"):
        memory.surface(0, POOL_B - 512, VIEWS["levels"], 0, 0)
    with pytest.raises(SizeError):
        memory.surface(0, 0, RGBA8, 0, 1)
    with pytest.raises(SizeError):
        memory.surface(0, 0, RGBA8, 1, 0)


def test_access_of_surfaces_follows_the_flags() -> None:
    """A surface is taken for a command unless the processor asks."""
    memory = one_pool(Flags.CPU_CACHED | Flags.GPU_NO_ACCESS)
    with pytest.raises(ArgumentError, match="GPU_NO_ACCESS"):
        memory.surface(0, 0, RGBA8, 0, 0)


def test_flush_brings_memory_up_to_date() -> None:
    """After a flush the pool's own bytes hold what was drawn."""
    memory = one_pool()
    surface = memory.surface(0, 0, RGBA8, 0, 0)
    surface.codes[0, 0, 0] = 5
    surface.written()
    storage = memory.pool(0).storage
    assert storage is not None
    assert storage[0] == 0
    memory.flush()
    assert storage[:4].tolist() == [5, 5, 5, 5]
    assert surface.is_current


def test_a_surface_over_holes_keeps_only_what_is_mapped() -> None:
    """Texels on unmapped pages read zero after they were written; those on mapped pages stay."""
    memory, sparse = Memory(), layout(4, 128, 64)
    memory.add_pool(BASE_B, Pool(POOL_B, Flags.CPU_NO_ACCESS | Flags.GPU_CACHED | Flags.VIRTUAL))
    memory.add_pool(2 * BASE_B, Pool(POOL_B, BOTH | Flags.PHYSICAL))
    memory.map_virtual(0, PAGE_B, PAGE_B, 1, 0)
    surface = memory.surface(0, 0, sparse, 0, 0)
    surface.codes[...] = 3
    surface.written()
    assert np.count_nonzero(surface.codes) == PAGE_B
    assert (memory.read_pool(1, 0, PAGE_B) == 3).all()
    memory.map_virtual(0, 0, PAGE_B, 1, 0)
    assert np.count_nonzero(memory.surface(0, 0, sparse, 0, 0).codes) == 2 * PAGE_B


POOLS = st.integers(0, 1)
SIZES = st.sampled_from([0, 1, 2, 511, 512, 513, 5000])
STARTS = st.builds(lambda slot, beside_B: max(0, slot * 512 + beside_B), st.integers(0, 127), st.integers(-2, 2))


class Coherence(RuleBasedStateMachine):
    """Any mix of surface writes, byte writes, reads and mappings equals plain bytes that are written through."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory()
        self.memory.add_pool(BASE_B, Pool(POOL_B, BOTH | Flags.PHYSICAL))
        self.memory.add_pool(2 * BASE_B, Pool(POOL_B, BOTH | Flags.VIRTUAL))
        self.model = np.zeros(POOL_B, np.uint8)
        self.pages: list[int | None] = [None] * (POOL_B // PAGE_B)

    @initialize(pages=st.lists(st.none() | st.integers(0, 5), min_size=16, max_size=16))
    def map_all(self, pages: list[int | None]) -> None:
        """Start with some mapping."""
        for page, physical in enumerate(pages):
            self.map_page(page, physical)

    def addressed(self, pool: int) -> np.ndarray:
        """Return for every byte of a pool the byte of the model that it shows, or -1."""
        if pool == 0:
            return np.arange(POOL_B)
        starts = np.array([-1 if p is None else p * PAGE_B for p in self.pages])[:, None]
        return np.where(starts < 0, -1, starts + np.arange(PAGE_B)).reshape(-1)

    def seen(self, pool: int) -> np.ndarray:
        """Return the bytes of a pool as the model has them."""
        where = self.addressed(pool)
        return np.where(where < 0, 0, self.model[where]).astype(np.uint8)

    def store(self, pool: int, before: np.ndarray, after: np.ndarray) -> None:
        """Write through what changed in a pool."""
        where = self.addressed(pool)
        changed = (before != after) & (where >= 0)
        self.model[where[changed]] = after[changed]

    @rule(page=st.integers(0, 15), physical=st.none() | st.integers(0, 5))
    def map_page(self, page: int, physical: int | None) -> None:
        """Map or unmap a page of the virtual pool."""
        physical_pool = None if physical is None else 0
        self.memory.map_virtual(1, page * PAGE_B, PAGE_B, physical_pool, (physical or 0) * PAGE_B)
        self.pages[page] = physical

    @rule(pool=POOLS, start_B=STARTS, size_B=SIZES, value=st.integers(0, 255))
    def write_bytes(self, pool: int, start_B: int, size_B: int, value: int) -> None:
        """Write a buffer."""
        size_B = min(size_B, POOL_B - start_B)
        data = np.full(size_B, value, np.uint8)
        self.memory.write_pool(pool, start_B, data)
        where = self.addressed(pool)[start_B : start_B + size_B]
        self.model[where[where >= 0]] = value

    @rule(pool=POOLS, start_B=STARTS, size_B=SIZES)
    def read_bytes(self, pool: int, start_B: int, size_B: int) -> None:
        """Read a buffer."""
        size_B = min(size_B, POOL_B - start_B)
        expected = self.seen(pool)[start_B : start_B + size_B]
        assert np.array_equal(self.memory.read((1 + pool) * BASE_B + start_B, size_B), expected)

    @rule(pool=POOLS, name=st.sampled_from(sorted(VIEWS)), slot=st.integers(0, 20), pick=st.randoms())
    def write_texel(self, pool: int, name: str, slot: int, pick: object) -> None:
        """Take a surface anywhere, compare it, and write one texel of it."""
        view = VIEWS[name]
        level = pick.randrange(len(view.levels))  # type: ignore[attr-defined]
        layer = pick.randrange(view.layers)  # type: ignore[attr-defined]
        offset_B = slot * 512
        surface = self.memory.surface(pool, offset_B, view, level, layer)
        before = self.seen(pool)
        rows = untile(view, before[offset_B:], level=level, layer=layer)
        assert np.array_equal(surface.codes.reshape(rows.shape), rows)
        z, y, x = (pick.randrange(size) for size in surface.codes.shape[:3])  # type: ignore[attr-defined]
        code = [pick.randrange(256) for _ in range(surface.codes.shape[3])]  # type: ignore[attr-defined]
        surface.codes[z, y, x] = code
        surface.written()
        after = before.copy()
        rows.reshape(surface.codes.shape)[z, y, x] = code
        tile(view, rows, after[offset_B:], level=level, layer=layer)
        self.store(pool, before, after)
        expected = untile(view, self.seen(pool)[offset_B:], level=level, layer=layer)
        assert np.array_equal(surface.codes.reshape(rows.shape), expected)

    @invariant()
    def surfaces_share_no_byte(self) -> None:
        """Working copies that are current lie apart."""
        for spans in self.memory._cache._spans.values():
            assert all(a[1] <= b[0] for a, b in pairwise(spans))

    def teardown(self) -> None:
        """In the end all bytes agree."""
        for pool in (0, 1):
            assert np.array_equal(self.memory.pool_bytes(pool), self.seen(pool))


Coherence.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestCoherence = Coherence.TestCase


@given(st.sampled_from(sorted(VIEWS)), st.sampled_from(sorted(VIEWS)), st.integers(0, 12), st.integers(0, 255))
@settings(max_examples=60, deadline=None)
def test_any_two_views_see_each_others_bytes(first: str, second: str, slot: int, value: int) -> None:
    """Whatever one view writes, another over the same storage reads as the layout says."""
    memory = one_pool()
    written, read = VIEWS[first], VIEWS[second]
    surface = memory.surface(0, 0, written, 0, 0)
    surface.codes[...] = value
    surface.written()
    storage = np.zeros(POOL_B, np.uint8)
    rows = np.full((surface.codes.shape[0], surface.codes.shape[1], surface.codes[0, 0].size), value, np.uint8)
    tile(written, rows, storage)
    found = memory.surface(0, slot * 512, read, 0, 0).codes
    expected = untile(read, storage[slot * 512 :])
    assert np.array_equal(found.reshape(expected.shape), expected)
