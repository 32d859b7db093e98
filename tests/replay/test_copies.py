"""Copies, readbacks and writes move stored codes as they are, and everything over the same bytes agrees."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import MemoryPool, Region
from refnvn.commands.subject import packed_rows, subject_of
from refnvn.enumerations import MemoryPoolFlags as Flags
from refnvn.layout.description import TextureFlags, TextureTarget
from refnvn.replay.run import replay
from tests.replay.scenes import (
    BUFFER,
    BUFFER_B,
    RED,
    clear,
    clear_texture,
    recording,
    ref,
    run,
    targets,
    texels,
    texture,
    whole,
    write,
)

FOUR_BY_FOUR = Region(width=4, height=4)


def to_texture(region: Region, source: int = BUFFER, **fields: Any) -> c.CopyBufferToTexture:
    """Return a copy of a buffer to texture 0."""
    return c.CopyBufferToTexture(**{"source": source, "texture": ref(), "region": region} | fields)


def to_buffer(region: Region, destination: int = BUFFER, **fields: Any) -> c.CopyTextureToBuffer:
    """Return a copy of texture 0 to a buffer."""
    return c.CopyTextureToBuffer(**{"texture": ref(), "region": region, "destination": destination} | fields)


def buffer_write(data: bytes) -> tuple[r.WriteMemory, dict[str, bytes]]:
    """Return the event that fills the buffer, and its blob."""
    return r.WriteMemory(pool=0, offset_B=BUFFER_B, blob="buffer"), {"buffer": data}


def buffer_read(size_B: int, name: str = "buffer") -> r.ReadMemory:
    """Return the event that reads the buffer."""
    return r.ReadMemory(name=name, pool=0, offset_B=BUFFER_B, size_B=size_B)


@pytest.mark.rule("COPY-CODES-1")
@pytest.mark.parametrize(
    ("fmt", "word"),
    [("RGB565", 0x001F), ("RGB5A1", 0x801F), ("RGB5", 0x001F), ("RGBA4", 0x8421), ("RGBA4", 0x0F00)],
)
def test_packed_codes_pass_as_they_are(fmt: str, word: int) -> None:
    """A halfword copied in, read by the processor and copied out is the same halfword."""
    one = texture(fmt, 4, 4)
    event, blobs = buffer_write(word.to_bytes(2, "little") * 16)
    results = run(
        [one], [event, [to_texture(FOUR_BY_FOUR), to_buffer(FOUR_BY_FOUR, BUFFER + 64)], buffer_read(96)], blobs
    )
    assert (texels(results, one).view("<u2") == word).all()
    assert (results["buffer"][64:].view("<u2") == word).all()


@pytest.mark.rule("COPY-CODES-1")
def test_a_clear_to_red_copies_out_as_0x001f() -> None:
    """RGB565 has red in the lowest bits, for clears as for copies."""
    one = texture("RGB565", 4, 4)
    commands = [clear_texture(RED, FOUR_BY_FOUR), to_buffer(FOUR_BY_FOUR)]
    assert (run([one], [commands, buffer_read(32)])["buffer"].view("<u2") == 0x001F).all()


@pytest.mark.rule("COPY-STRIDE-1")
def test_strides_leave_room_that_stays() -> None:
    """Rows at 10 bytes and images at 40: what lies between keeps what it held."""
    one = texture("R8", 3, 2, target=TextureTarget.TARGET_2D_ARRAY, depth=2)
    event, blobs = write(one, b"\x07")
    fill = c.ClearBuffer(address=BUFFER, size_B=64, value=0xEEEEEEEE)
    copy = to_buffer(Region(width=3, height=2, depth=2), row_stride_B=10, image_stride_B=40)
    stored = run([one], [event, [fill, copy], buffer_read(64)], blobs)["buffer"]
    rows = [0, 10, 40, 50]
    assert all((stored[at : at + 3] == 7).all() for at in rows)
    assert np.count_nonzero(stored == 0xEE) == 64 - 12


@pytest.mark.rule("COPY-STRIDE-1")
def test_rows_are_taken_at_strides() -> None:
    """A copy in takes each row from its stride; stride 0 is tight."""
    one = texture("R8", 2, 2)
    event, blobs = buffer_write(bytes(range(16)))
    region = Region(width=2, height=2)
    for stride, expected in ((0, [0, 1, 2, 3]), (8, [0, 1, 8, 9])):
        found = texels(run([one], [event, [to_texture(region, row_stride_B=stride)]], blobs), one)
        assert found.ravel().tolist() == expected


@pytest.mark.parametrize(
    ("fields", "region"),
    [
        pytest.param({"width": 40, "height": 24}, Region(x=3, y=5, width=20, height=11), id="2d"),
        pytest.param(
            {"width": 20, "height": 9, "depth": 7, "target": TextureTarget.TARGET_3D},
            Region(x=1, y=2, z=3, width=15, height=6, depth=4),
            id="volume",
        ),
        pytest.param(
            {"width": 12, "height": 12, "depth": 12, "target": TextureTarget.TARGET_CUBEMAP_ARRAY},
            Region(x=0, y=3, z=5, width=12, height=6, depth=4),
            id="cubes",
        ),
        pytest.param(
            {"width": 33, "height": 5, "target": TextureTarget.TARGET_1D_ARRAY},
            Region(x=4, y=1, width=20, height=3),
            id="1d-array",
        ),
        pytest.param(
            {"width": 20, "height": 20, "flags": int(TextureFlags.LINEAR)},
            Region(x=2, y=3, width=9, height=9),
            id="linear",
        ),
        pytest.param(
            {"width": 30, "height": 18, "format": "RGBA_DXT5"},
            Region(x=4, y=8, width=26, height=10),
            id="blocks-to-the-edge",
        ),
        pytest.param(
            {"width": 9, "height": 7, "target": TextureTarget.TARGET_2D_MULTISAMPLE, "samples": 8},
            Region(x=1, y=2, width=5, height=4),
            id="samples",
        ),
    ],
)
def test_a_region_comes_back_as_it_went(fields: dict[str, Any], region: Region) -> None:
    """What is copied in is read back, by copies and by the processor; texels outside the region stay zero."""
    one = texture(fields.pop("format", "RGBA8"), **fields)
    size_B = packed_rows(subject_of(one), region).size_B
    data = np.random.default_rng(1).integers(1, 256, size_B, np.uint8)
    event, blobs = buffer_write(data.tobytes())
    read = r.ReadTexels(name="region", texture=ref(), region=region)
    results = run(
        [one], [event, [to_texture(region), to_buffer(region, BUFFER + 32768)], buffer_read(65536), read], blobs
    )
    assert np.array_equal(results["region"], data)
    assert np.array_equal(results["buffer"][32768 : 32768 + size_B], data)
    assert np.count_nonzero(results["texture0"]) == size_B


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 40))
@settings(max_examples=20, deadline=None)
def test_overlapping_buffers_read_their_source_first(source: int, destination: int, size_B: int) -> None:
    """A copy between overlapping ranges gives the destination what the source held before."""
    data = bytes(range(100))
    event, blobs = buffer_write(data)
    copy = c.CopyBufferToBuffer(source=BUFFER + source, destination=BUFFER + destination, size_B=size_B)
    expected = bytearray(data)
    expected[destination : destination + size_B] = data[source : source + size_B]
    assert run([], [event, [copy], buffer_read(100)], blobs)["buffer"].tobytes() == bytes(expected)


@pytest.mark.rule("REPLAY-ORDER-1")
def test_overlapping_writes_of_one_buffer_keep_their_order() -> None:
    """-1 at 0, then 16 bytes of 0.5: word 0 is 0.5; the other way round it is -1."""
    one = c.ClearBuffer(address=BUFFER, size_B=4, value=0xBF800000)
    many = c.ClearBuffer(address=BUFFER, size_B=16, value=0x3F000000)
    assert run([], [[one, many], buffer_read(16)])["buffer"].view("<f4")[0] == 0.5
    assert run([], [[many, one], buffer_read(16)])["buffer"].view("<f4").tolist() == [-1, 0.5, 0.5, 0.5]


@pytest.mark.rule("REPLAY-ORDER-1")
def test_a_copy_reads_its_source_when_its_submission_runs() -> None:
    """Staging holds A at the submission and B after it: the texture is A."""
    one = texture("RGBA_DXT5", 8, 8)
    blobs = {"a": b"\xaa" * 64, "b": b"\xbb" * 64}
    first = r.WriteMemory(pool=0, offset_B=BUFFER_B, blob="a")
    second = r.WriteMemory(pool=0, offset_B=BUFFER_B, blob="b")
    results = run([one], [first, [to_texture(Region(width=8, height=8))], second], blobs)
    assert (texels(results, one) == 0xAA).all()


@pytest.mark.rule("REPLAY-ORDER-1")
def test_a_clear_lands_before_its_reader() -> None:
    """A copy after a clear reads the new colour, one before it the old."""
    one = texture("RGBA8", 4, 4)
    commands = [targets(ref()), to_buffer(FOUR_BY_FOUR), clear(RED), to_buffer(FOUR_BY_FOUR, BUFFER + 64)]
    stored = run([one], [commands, buffer_read(128)])["buffer"]
    assert not stored[:64].any()
    assert (stored[64:].reshape(-1, 4) == [255, 0, 0, 255]).all()


@pytest.mark.rule("MEM-SHARED-1")
def test_srgb_twins_share_bytes() -> None:
    """A linear and an sRGB texture over one place: what one stores the other holds, and R32F has the same bits."""
    twins = [texture(fmt, 4, 4) for fmt in ("RGBA8", "RGBA8_SRGB", "R32F")]
    results = run(twins, [[targets(ref(0)), clear((0x3F3CBCBD, 0, 0, 0x3F800000))]])
    assert np.array_equal(results["texture0"], results["texture1"])
    assert np.array_equal(results["texture0"], results["texture2"])
    assert results["texture0"].any()


@pytest.mark.rule("MEM-SHARED-1")
def test_an_image_twin_sees_both_planes() -> None:
    """Stencil 3 through a D24S8 object without IMAGE is 3 through the one with IMAGE."""
    plain = texture("DEPTH24_STENCIL8", 8, 8)
    image = texture("DEPTH24_STENCIL8", 8, 8, flags=int(TextureFlags.IMAGE))
    clear_ds = c.ClearDepthStencil(depth_bits=0x3F800000, depth_mask=True, stencil=3, stencil_mask=255)
    results = run([plain, image], [[targets(depth_stencil=ref(0)), clear_ds]])
    assert (texels(results, image, 1) == [3, 255, 255, 255]).all()


@pytest.mark.rule("MEM-SHARED-1")
def test_storage_taken_over_by_a_new_size_shows_the_newest_bytes() -> None:
    """8x8 drawn red, then 9x8 over the same place drawn green: the new one is green, the old one its bytes anew."""
    old, new = texture("RGBA8", 8, 8), texture("RGBA8", 9, 8)
    green = (0, 0x3F800000, 0, 0x3F800000)
    results = run([old, new], [[targets(ref(0)), clear(RED)], [targets(ref(1)), clear(green)]])
    assert (texels(results, new, 1) == [0, 255, 0, 255]).all()
    assert (texels(results, old, 0) == [0, 255, 0, 255]).all()


@pytest.mark.rule("MEM-ALIAS-1")
def test_a_copy_through_one_alias_is_seen_through_another() -> None:
    """Page P at V0 and V1: 0xAB copied to V0, V1 copied to X: 0xAB."""
    gpu_only = int(Flags.CPU_NO_ACCESS | Flags.GPU_CACHED | Flags.VIRTUAL)
    physical = int(Flags.CPU_UNCACHED | Flags.GPU_CACHED | Flags.PHYSICAL)
    pools = (MemoryPool(size_B=8192, flags=physical), MemoryPool(size_B=8192, flags=gpu_only))
    virtual = pool_base_B(1)
    maps = [r.MapVirtual(pool=1, offset_B=at, size_B=4096, physical_pool=0) for at in (0, 4096)]
    commands = [
        c.ClearBuffer(address=virtual, size_B=16, value=0xABABABAB),
        c.CopyBufferToBuffer(source=virtual + 4096, destination=pool_base_B(0) + 4096, size_B=16),
    ]
    read = r.ReadMemory(name="x", pool=0, offset_B=4096, size_B=16)
    assert (run([], [*maps, commands, read], pools=pools)["x"] == 0xAB).all()


@pytest.mark.rule("MEM-ZERO-1")
def test_storage_that_the_processor_filled_starts_with_those_bytes() -> None:
    """A texture over bytes that were written and flushed holds them, not zeros."""
    one = texture("RGBA8", 4, 4, flags=int(TextureFlags.LINEAR), stride_B=32)
    blobs = {"gradient": bytes(range(128))}
    events = [r.WriteMemory(pool=0, offset_B=0, blob="gradient"), r.FlushMappedRange(pool=0, offset_B=0, size_B=128)]
    rows = texels(run([one], events, blobs), one).reshape(4, 16)
    assert rows.tolist() == [list(range(row * 32, row * 32 + 16)) for row in range(4)]


def test_a_pool_starts_with_its_blob() -> None:
    """The first bytes of a pool come from a blob."""
    blobs = {"start": b"\x01\x02\x03"}
    pools = (MemoryPool(size_B=4096, initial="start"),)
    results = replay(recording([], [], blobs, pools=pools), blobs)
    assert results.pool_bytes(0)[:4].tolist() == [1, 2, 3, 0]


def test_results_keep_the_order_of_the_timeline_and_count_commands() -> None:
    """Readbacks stand in their order; counters say what ran."""
    reads = [buffer_read(4, "second"), buffer_read(4, "first")]
    fill = c.ClearBuffer(address=BUFFER, size_B=4, value=1)
    results = run([], [[fill, fill], reads[0], [fill], reads[1]])
    assert list(results) == ["second", "first"]
    assert results.counters["ClearBuffer"] == 3


def test_progress_is_told_of_all_commands() -> None:
    """The last report says that all commands of all submissions ran."""
    seen: list[tuple[int, int]] = []
    fill = c.ClearBuffer(address=BUFFER, size_B=4, value=1)
    replay(recording([], [[fill] * 1500, [fill]]), {}, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1024, 1501), (1500, 1501), (1501, 1501)]


def test_a_whole_region_is_what_a_readback_covers() -> None:
    """All faces of a cube are one region of depth six."""
    assert whole(texture("R8", 4, 4, target=TextureTarget.TARGET_CUBEMAP)).depth == 6
