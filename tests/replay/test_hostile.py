"""What a recording cannot do is one clear error that names the place."""

from typing import Any

import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import MemoryPool, Region, TextureRef
from refnvn.enumerations import MemoryPoolFlags as Flags
from refnvn.errors import RefnvnError
from refnvn.replay.errors import ReplayError
from refnvn.replay.run import replay
from tests.replay.scenes import BUFFER, POOL_B, POOLS, RED, clear_texture, recording, ref, targets, texture

IMAGE = texture("RGBA8", 8, 8, levels=2)
PAST_THE_END = texture("RGBA8", 64, 64, offset_B=POOL_B - 512)
ODD_OFFSET = texture("RGBA8", 8, 8, offset_B=100)
NO_POOL = texture("RGBA8", 8, 8, pool=7)
BLOCKS = texture("RGBA_DXT5", 16, 16)
DEPTH = texture("DEPTH32F", 8, 8)
SHARED = texture("RGB9E5F", 8, 8)
TEXTURES = [IMAGE, PAST_THE_END, ODD_OFFSET, NO_POOL, BLOCKS, DEPTH, SHARED]
SMALL = Region(width=4, height=4)
END = pool_base_B(0) + POOL_B


def copy(**fields: Any) -> c.CopyBufferToTexture:
    """Return a copy in that is right but for ``fields``."""
    return c.CopyBufferToTexture(**{"source": BUFFER, "texture": ref(), "region": SMALL} | fields)


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        pytest.param(targets(ref(9)), r"colors\[0\].texture: no texture 9; there are 7", id="no-texture"),
        pytest.param(targets(None, ref(1)), r"colors\[1\].texture: bytes .* leave a memory pool", id="past-the-pool"),
        pytest.param(targets(ref(2)), "offset 100; multiples of 512", id="odd-offset"),
        pytest.param(targets(ref(3)), "pool 7 is not one of the 1 memory pools", id="no-pool"),
        pytest.param(
            targets(ref(4)), r"colors\[0\]: NVN_FORMAT_RGBA_DXT5 cannot be used as render_target", id="no-use"
        ),
        pytest.param(targets(ref(5)), "DEPTH32F is no colour format", id="depth-as-colour"),
        pytest.param(
            targets(depth_stencil=ref(0)), "depth_stencil: NVN_FORMAT_RGBA8 holds neither", id="colour-as-depth"
        ),
        pytest.param(targets(*[ref()] * 9), "9 colour targets; 8 are allowed", id="nine-targets"),
        pytest.param(targets(ref(base_level=2)), r"colors\[0\].view: view levels 2", id="no-level"),
        pytest.param(targets(ref(base_layer=1)), "view layers 1", id="no-layer"),
        pytest.param(targets(ref(format="R8")), "1 bytes per texel or block", id="other-size-of-block"),
        pytest.param(clear_texture(RED, Region(x=6, width=4, height=4)), "region: region x 6 [+] 4", id="outside"),
        pytest.param(clear_texture(RED, Region(width=0, height=4)), "region x 0 [+] 0", id="empty-region"),
        pytest.param(clear_texture(RED, SMALL, ref(4)), "texture: .*cannot be a colour target", id="clear-of-blocks"),
        pytest.param(clear_texture(RED, SMALL, ref(6)), "texture: .*RGB9E5F cannot be", id="clear-shared-exponent"),
        pytest.param(copy(source=END - 8), "source: addresses .* leave pool 0", id="copy-past-the-buffer"),
        pytest.param(copy(source=5), "source: address 0x5 is in no memory pool", id="copy-from-nowhere"),
        pytest.param(
            copy(row_stride_B=4), "row_stride_B: row stride 4, allowed are 0 or at least", id="narrow-stride"
        ),
        pytest.param(
            copy(texture=ref(4), region=Region(x=2, width=4, height=4)), "whole blocks of 4", id="half-a-block"
        ),
        pytest.param(copy(row_stride_B=1 << 30, image_stride_B=1 << 30), "source: .* leave pool", id="huge-stride"),
        pytest.param(c.ClearBuffer(address=BUFFER, size_B=6, value=0), "whole 32-bit words", id="odd-fill"),
        pytest.param(c.ClearBuffer(address=BUFFER, size_B=1 << 40, value=0), "leave pool 0", id="huge-fill"),
        pytest.param(
            c.CopyBufferToBuffer(source=BUFFER, destination=END - 4, size_B=8),
            "destination: .* leave pool",
            id="copy-out",
        ),
        pytest.param(c.BindVertexBuffer(index=0, address=END - 4, size_B=8), "address: .* leave", id="vertex-buffer"),
        pytest.param(c.BindProgram(program=3, stages=3), "program: no program 3; there are 0", id="no-program"),
    ],
)
def test_a_bad_command_is_named(command: Any, complaint: str) -> None:
    """The error names buffer, number and field, and says what is allowed."""
    good = c.Barrier(bits=1)
    with pytest.raises(ReplayError, match=rf"^command_buffers\[0\]\[2\](?s:.*){complaint}"):
        replay(recording(TEXTURES, [[good, good, command]]), {})


@pytest.mark.parametrize(
    ("event", "complaint"),
    [
        pytest.param(r.Submit(command_buffers=(4,)), "no command buffer 4; there are 0", id="no-command-buffer"),
        pytest.param(r.Submit(command_buffers=(), queue=2), "queue: no queue 2; there are 1", id="no-queue"),
        pytest.param(r.ReadMemory(name="x", pool=0, offset_B=POOL_B, size_B=1), "offset_B: bytes", id="read-outside"),
        pytest.param(
            r.ReadMemory(name="x", pool=1, offset_B=0, size_B=1), "no memory pool|pool 1 is not", id="no-pool"
        ),
        pytest.param(r.WriteMemory(pool=0, offset_B=0, blob="none"), "blob: no blob 'none'", id="no-blob"),
        pytest.param(r.WriteMemory(pool=0, offset_B=POOL_B - 2, blob="data"), "offset_B: bytes", id="write-outside"),
        pytest.param(
            r.WriteMemory(pool=0, offset_B=0, blob="short"), "has 2 bytes, the recording says 9", id="short-blob"
        ),
        pytest.param(
            r.WriteTexels(texture=ref(), region=SMALL, blob="data"),
            "blob: .*4 bytes; the region takes 64",
            id="few-texels",
        ),
        pytest.param(
            r.ReadTexels(name="x", texture=TextureRef(texture=0), region=Region(width=9)),
            "region x 0",
            id="wide-region",
        ),
        pytest.param(
            r.MapVirtual(pool=0, offset_B=0, size_B=4096, physical_pool=0),
            "VIRTUAL memory pool only",
            id="not-virtual",
        ),
    ],
)
def test_a_bad_event_is_named(event: Any, complaint: str) -> None:
    """The error names the place in the timeline."""
    blobs = {"data": b"abcd", "short": b"ab"}
    one = recording(TEXTURES, [event], blobs={"data": b"abcd", "short": b"123456789"})
    with pytest.raises(ReplayError, match=rf"^timeline\[0\].*({complaint})"):
        replay(one, blobs)


def test_a_result_is_read_once() -> None:
    """Two readbacks of one name are refused, as are all pools together that are too large."""
    read = r.ReadMemory(name="x", pool=0, offset_B=0, size_B=1)
    with pytest.raises(ReplayError, match=r"timeline\[1\].name: result 'x' was read before"):
        replay(recording([], [read, read]), {})
    many = tuple(MemoryPool(size_B=1 << 32) for _ in range(5))
    with pytest.raises(ReplayError, match=r"pools\[4\]: memory pools of more than"):
        replay(recording([], [], pools=many), {})


def test_access_is_checked_where_it_is_used() -> None:
    """A pool without GPU access cannot be cleared, one without CPU access not read."""
    gpu = (MemoryPool(size_B=4096, flags=int(Flags.CPU_NO_ACCESS | Flags.GPU_CACHED)),)
    cpu = (MemoryPool(size_B=4096, flags=int(Flags.CPU_CACHED | Flags.GPU_NO_ACCESS)),)
    one = texture("RGBA8", 8, 8)
    with pytest.raises(ReplayError, match="pool 0 is GPU_NO_ACCESS"):
        replay(recording([one], [[clear_texture(RED, SMALL)]], pools=cpu), {})
    with pytest.raises(ReplayError, match="pool 0 is CPU_NO_ACCESS"):
        replay(recording([one], [r.ReadTexels(name="x", texture=ref(), region=SMALL)], pools=gpu), {})


def test_every_error_is_one_sentence() -> None:
    """An error has no line break, so that the command line can print it as one line."""
    with pytest.raises(RefnvnError) as caught:
        replay(recording([NO_POOL], [[targets(ref())]], pools=POOLS), {})
    assert "\n" not in str(caught.value)
