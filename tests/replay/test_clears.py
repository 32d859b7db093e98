"""What clears leave in memory, byte for byte, as the ledger and the measured vectors state it."""

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import Region
from refnvn.commands.state import ChannelMaskState, DepthStencilState
from refnvn.enumerations import DepthFunc, Face, StencilFunc
from refnvn.layout.description import TextureTarget
from refnvn.replay.run import replay
from tests.replay.scenes import (
    BLUE,
    BUFFER,
    BUFFER_B,
    RED,
    bits,
    clear,
    clear_depth,
    clear_texture,
    color,
    recording,
    ref,
    run,
    targets,
    texels,
    texture,
    write,
)

WHITE = color(1, 1, 1, 1)
BLACK = color(0, 0, 0, 0)
CUBE = TextureTarget.TARGET_CUBEMAP
ARRAY = TextureTarget.TARGET_2D_ARRAY
VOLUME = TextureTarget.TARGET_3D


@pytest.mark.rule("MEM-ZERO-1")
@pytest.mark.parametrize("fmt", ["RGBA8", "DEPTH32F", "DEPTH24_STENCIL8", "RGBA_DXT5", "R16F"])
def test_a_new_texture_is_zero(fmt: str) -> None:
    """Storage that nobody wrote reads zero: depth 0.0, stencil 0."""
    new = texture(fmt, 16, 16)
    assert not texels(run([new], []), new).any()


@pytest.mark.rule("CLEAR-SCISSOR-1")
def test_a_clear_stops_at_the_scissor() -> None:
    """16x16 RGBA8 white, scissor (4, 4, 8, 8), clear to 0: 64 black pixels, the scissor's rows counted in memory."""
    one = texture("RGBA8", 16, 16)
    scissor = c.SetScissor(x=4, y=2, width=8, height=8)
    found = texels(run([one], [[targets(ref()), clear(WHITE), scissor, clear(BLACK)]]), one)
    black = (found == 0).all(axis=3)[0]
    assert black.sum() == 64
    assert black[2:10, 4:12].all()
    assert (found[0][~black] == 255).all()


@pytest.mark.rule("CLEAR-SCISSOR-1")
@pytest.mark.parametrize(
    ("scissor", "cleared"),
    [
        pytest.param((0, 0, 0x7FFFFFFF, 0x7FFFFFFF), 256, id="as-nn-gfx-sets-it"),
        pytest.param((-4, -4, 8, 8), 16, id="starts-outside"),
        pytest.param((12, 12, 8, 8), 16, id="ends-outside"),
        pytest.param((40, 0, 4, 4), 0, id="beside"),
        pytest.param((3, 3, 0, 5), 0, id="empty"),
    ],
)
def test_a_scissor_is_cut_to_the_target(scissor: tuple[int, int, int, int], cleared: int) -> None:
    """Only pixels in both the scissor and the target are cleared."""
    one = texture("DEPTH32F", 16, 16)
    x, y, width, height = scissor
    commands = [
        targets(depth_stencil=ref()),
        c.SetScissor(x=x, y=y, width=width, height=height),
        clear_depth(1.0),
    ]
    assert np.count_nonzero(texels(run([one], [commands]), one).view("<f4") == 1.0) == cleared


@pytest.mark.rule("CLEAR-SCISSOR-1")
def test_a_clear_of_the_larger_attachment_is_whole() -> None:
    """64x64 D32F with an 8x8 colour target: depth 1.0 in all 4096 texels, and a tiny viewport changes nothing."""
    depth, small = texture("DEPTH32F", 64, 64), texture("RGBA8", 8, 8, offset_B=1 << 16)
    viewport = c.SetViewport(x=0.0, y=0.0, width=1.0, height=1.0)
    commands = [targets(ref(1), depth_stencil=ref(0)), viewport, clear_depth(1.0), clear(RED)]
    results = run([depth, small], [commands])
    assert (texels(results, depth).view("<f4") == 1.0).all()
    assert (texels(results, small, 1) == [255, 0, 0, 255]).all()


@pytest.mark.rule("CLEAR-LAYERS-1")
def test_a_clear_reaches_all_layers_of_the_view() -> None:
    """8x8 D32F cube cleared to 1.0: six faces; then layers 2 and 3 through a view to 0.5: only those."""
    cube = texture("DEPTH32F", 8, 8, target=CUBE)
    first = [targets(depth_stencil=ref()), clear_depth(1.0)]
    second = [targets(depth_stencil=ref(target=ARRAY, base_layer=2, layers=2)), clear_depth(0.5)]
    assert (texels(run([cube], [first]), cube).view("<f4") == 1.0).all()
    faces = texels(run([cube], [first, second]), cube).view("<f4")
    assert [np.unique(face).tolist() for face in faces] == [[1.0], [1.0], [0.5], [0.5], [1.0], [1.0]]


@pytest.mark.rule("CLEAR-LAYERS-1")
def test_slices_of_a_volume_are_layers() -> None:
    """A view of slices 1 and 2 of a 3D texture clears those two, at its own level only."""
    volume = texture("RGBA8", 8, 8, depth=4, target=VOLUME, levels=2)
    results = run([volume], [[targets(ref(base_layer=1, layers=2)), clear(RED)]])
    found = texels(results, volume)
    assert [bool(one.any()) for one in found] == [False, True, True, False]
    deep = run([volume], [[targets(ref(base_level=1, levels=1)), clear(RED)]])
    assert not texels(deep, volume).any()


@pytest.mark.rule("CLEAR-LAYERS-1")
def test_a_level_is_cleared_alone() -> None:
    """A view of level 1 clears level 1: the other levels of all layers stay."""
    levels = texture("R8", 16, 16, depth=2, target=ARRAY, levels=3)
    read = [
        r.ReadTexels(
            name=f"level{n}", texture=ref(base_level=n), region=Region(width=16 >> n, height=16 >> n, depth=2)
        )
        for n in range(3)
    ]
    results = run([levels], [[targets(ref(base_level=1, levels=1)), clear(WHITE)], *read])
    assert [np.unique(results[f"level{n}"]).tolist() for n in range(3)] == [[0], [255], [0]]


def stencil_of(fmt: str, found: np.ndarray) -> np.ndarray:
    """Return the stencil bytes of texels."""
    return found[..., 4] if fmt == "DEPTH32F_STENCIL8" else found[..., 0]


@pytest.mark.parametrize("fmt", ["DEPTH32F_STENCIL8", "DEPTH24_STENCIL8"])
@pytest.mark.parametrize(
    ("mask", "stencil"),
    [
        pytest.param(0x01, 0xF1, id="one-bit"),
        pytest.param(0x0F, 0xFF, id="low-bits"),
        pytest.param(0, 0xF0, id="none"),
    ],
)
def test_a_partial_stencil_mask_keeps_the_other_bits(fmt: str, mask: int, stencil: int) -> None:
    """Stencil 0xF0, clear depth 0.5, stencil 0xFF mask m: depth 0.5 and (old & ~m) | (0xFF & m)."""
    one = texture(fmt, 8, 8)
    commands = [targets(depth_stencil=ref()), clear_depth(0.0, 0xF0, 0xFF), clear_depth(0.5, 0xFF, mask)]
    found = texels(run([one], [commands]), one)
    assert (stencil_of(fmt, found) == stencil).all()
    if fmt == "DEPTH32F_STENCIL8":
        assert (np.ascontiguousarray(found[..., :4]).view("<f4") == 0.5).all()
    else:
        depth = found[..., 1].astype(int) | found[..., 2].astype(int) << 8 | found[..., 3].astype(int) << 16
        assert (depth == 0x800000).all()


def test_a_stencil_clear_leaves_depth() -> None:
    """Without the depth mask the depth plane keeps what it held."""
    one = texture("DEPTH32F_STENCIL8", 8, 8)
    commands = [targets(depth_stencil=ref()), clear_depth(0.25), clear_depth(1.0, 0x5A, 0xFF, depth_mask=False)]
    found = texels(run([one], [commands]), one)
    assert (np.ascontiguousarray(found[..., :4]).view("<f4") == 0.25).all()
    assert (found[..., 4] == 0x5A).all()


def test_a_clear_in_a_pass_obeys_scissor_and_masks_only() -> None:
    """64x64: red, then blue with mask R and G inside 8x8 is (0, 0, 0, 1); depth 1.0, stencil 0xAF inside alone."""
    image, depth = texture("RGBA8", 64, 64), texture("DEPTH24_STENCIL8", 64, 64, offset_B=1 << 16)
    commands = [
        targets(ref(0), depth_stencil=ref(1)),
        clear(RED),
        clear_depth(0.0, 0xA0, 0xFF),
        c.SetScissor(x=0, y=0, width=8, height=8),
        clear(BLUE, mask=0b0011),
        clear_depth(1.0, 0xFF, 0x0F),
    ]
    results = run([image, depth], [commands])
    pixels, stored = texels(results, image)[0], texels(results, depth, 1)[0]
    assert (pixels[:8, :8] == [0, 0, 0, 255]).all()
    assert (stored[:8, :8] == [0xAF, 255, 255, 255]).all()
    inside = np.zeros((64, 64), bool)
    inside[:8, :8] = True
    assert (pixels[~inside] == [255, 0, 0, 255]).all()
    assert (stored[~inside] == [0xA0, 0, 0, 0]).all()


@pytest.mark.rule("CLEAR-MASK-1")
def test_state_of_draws_does_not_bear_on_clears() -> None:
    """Channel masks of 0, stencil write masks of 0, tests that never pass: clears are whole all the same."""
    image, depth = texture("RGBA8", 8, 8), texture("DEPTH32F_STENCIL8", 8, 8, offset_B=1 << 12)
    never = DepthStencilState(
        depth_test=True, depth_func=DepthFunc.NEVER, stencil_test=True, front_func=StencilFunc.NEVER
    )
    commands = [
        c.BindChannelMaskState(state=ChannelMaskState(masks=(0,) * 8)),
        c.BindDepthStencilState(state=never),
        c.SetStencilMask(faces=Face.FRONT_AND_BACK, mask=0),
        targets(ref(0), depth_stencil=ref(1)),
        clear(RED),
        clear_depth(1.0, 0xFF, 0xFF),
    ]
    results = run([image, depth], [commands])
    assert (texels(results, image) == [255, 0, 0, 255]).all()
    assert (texels(results, depth, 1)[..., :5] == [0, 0, 0x80, 0x3F, 0xFF]).all()


def test_other_targets_and_empty_slots_stay() -> None:
    """A clear of slot 1 leaves slot 0; one of an empty slot, or without a depth target, does nothing."""
    first, second = texture("RGBA8", 8, 8), texture("RGBA8", 8, 8, offset_B=4096)
    commands = [targets(ref(0), ref(1)), clear(RED, 1), clear(BLUE, 5), clear_depth(1.0, 1, 255)]
    results = run([first, second], [commands])
    assert not texels(results, first).any()
    assert (texels(results, second, 1) == [255, 0, 0, 255]).all()


def test_eight_targets_are_cleared_each_with_its_own_colour() -> None:
    """Eight RGBA8 targets and depth and stencil at once: each holds its own value."""
    images = [texture("RGBA8", 8, 8, offset_B=n << 12) for n in range(8)]
    depth = texture("DEPTH24_STENCIL8", 8, 8, offset_B=8 << 12)
    commands: list[Any] = [targets(*map(ref, range(8)), depth_stencil=ref(8))]
    commands += [c.ClearColor(index=n, color_bits=color(n / 51, 0, 0, 1)) for n in range(8)]
    results = run([*images, depth], [[*commands, clear_depth(1.0, 0x21, 0xFF)]])
    assert [texels(results, one, n)[0, 0, 0, 0] for n, one in enumerate(images)] == [0, 5, 10, 15, 20, 25, 30, 35]
    assert (texels(results, depth, 8) == [0x21, 255, 255, 255]).all()


def test_an_integer_clear_keeps_all_32_bits() -> None:
    """4x4 RGBA32UI cleared to 0x01000001, 0xFFFFFFFF, 7, 0: exact, where a float would lose the last bit."""
    one = texture("RGBA32UI", 4, 4)
    value = c.ClearColorui(index=0, color=(0x01000001, 0xFFFFFFFF, 7, 0))
    found = texels(run([one], [[targets(ref()), value]]), one).view("<u4")
    assert (found == [0x01000001, 0xFFFFFFFF, 7, 0]).all()


def test_a_signed_integer_clear_saturates() -> None:
    """R8I stores -5 as 0xFB and -1000 as -128, as integer clears saturate on the hardware."""
    one = texture("R8I", 4, 4)
    for value, code in ((-5, 0xFB), (-1000, 0x80)):
        command = c.ClearColori(index=0, color=(value, 0, 0, 0))
        assert (texels(run([one], [[targets(ref()), command]]), one) == code).all()


def test_a_float_call_carries_the_bits_of_integers() -> None:
    """Integer targets are cleared through the float call with integer bits, as nn::gfx does."""
    one = texture("RGBA8UI", 4, 4)
    command = clear_texture((1, 2, 3, 4), Region(width=4, height=4))
    assert (texels(run([one], [[command]]), one) == [1, 2, 3, 4]).all()


def test_a_mask_that_covers_the_format_is_a_whole_clear() -> None:
    """8x8 R8 of 9, cleared to 0.5 with mask 0x1: 127, the code of 0.5 on the hardware."""
    one = texture("R8", 8, 8)
    event, blobs = write(one, b"\x09")
    found = texels(
        run([one], [event, [clear_texture(color(0.5, 0, 0, 0), Region(width=8, height=8), mask=1)]], blobs), one
    )
    assert (found == 127).all()


@pytest.mark.parametrize(("depth", "code"), [(0.0, 0), (0.5, 32767), (1.0, 65535), (-1.0, 0), (2.0, 65535)])
def test_a_16_bit_depth_clear_stores_the_hardware_code(depth: float, code: int) -> None:
    """D16 stores 0.5 as 32767, as the hardware does on both paths."""
    one = texture("DEPTH16", 8, 8)
    found = texels(run([one], [[targets(depth_stencil=ref()), clear_depth(depth)]]), one).view("<u2")
    assert (found == code).all()


@pytest.mark.rule("CLEAR-TEXTURE-1")
def test_clear_texture_obeys_region_and_mask_but_no_scissor() -> None:
    """8x8 of (10, 20, 30, 40): alpha cleared in (2, 2, 4, 4) under a 1x1 scissor is (10, 20, 30, 255) 16 times."""
    one = texture("RGBA8", 8, 8)
    event, blobs = write(one, bytes([10, 20, 30, 40]))
    scissor = c.SetScissor(x=0, y=0, width=1, height=1)
    region = Region(x=2, y=2, width=4, height=4)
    found = texels(run([one], [event, [scissor, clear_texture(WHITE, region, mask=8)]], blobs), one)[0]
    assert (found[2:6, 2:6] == [10, 20, 30, 255]).all()
    assert (found == [10, 20, 30, 40]).all(axis=2).sum() == 48


@pytest.mark.rule("CLEAR-TEXTURE-1")
def test_an_empty_mask_clears_nothing() -> None:
    """A mask of 0 leaves every texel, also in a bound clear."""
    one = texture("RGBA8", 8, 8)
    event, blobs = write(one, bytes([10, 20, 30, 40]))
    commands = [targets(ref()), clear(RED, mask=0), clear_texture(RED, Region(width=8, height=8), mask=0)]
    assert (texels(run([one], [event, commands], blobs), one) == [10, 20, 30, 40]).all()


@pytest.mark.rule("CLEAR-TEXTURE-1")
@pytest.mark.parametrize(
    ("fields", "region", "cleared"),
    [
        pytest.param({"target": ARRAY, "depth": 4}, Region(z=1, width=8, height=8, depth=2), [1, 2], id="array"),
        pytest.param({"target": VOLUME, "depth": 4}, Region(z=2, width=8, height=8, depth=2), [2, 3], id="volume"),
        pytest.param({"target": CUBE}, Region(z=5, width=8, height=8), [5], id="cube"),
    ],
)
def test_a_region_names_layers_and_slices(fields: dict[str, Any], region: Region, cleared: list[int]) -> None:
    """Z and depth of a region are layers, faces or slices."""
    one = texture("RGBA8", 8, 8, **fields)
    found = texels(run([one], [[clear_texture(RED, region)]]), one)
    assert [n for n, image in enumerate(found) if image.any()] == cleared
    assert (found[cleared] == [255, 0, 0, 255]).all()


@pytest.mark.rule("CLEAR-TEXTURE-1")
def test_a_one_dimensional_array_counts_layers_in_y() -> None:
    """Y and height of a region of a 1D array are layers."""
    one = texture("RGBA8", 8, 4, target=TextureTarget.TARGET_1D_ARRAY)
    found = texels(run([one], [[clear_texture(RED, Region(x=1, y=1, width=2, height=2))]]), one)[0]
    expected = np.zeros((4, 8, 4), np.uint8)
    expected[1:3, 1:3] = [255, 0, 0, 255]
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(("fmt", "code"), [("RGB565", 0x001F), ("RGB5A1", 0x801F), ("BGR565", 0xF800)])
def test_packed_formats_are_cleared_in_their_bit_order(fmt: str, code: int) -> None:
    """Red leaves 0x001F in RGB565 and 0x801F in RGB5A1; BGR565 has blue there."""
    one = texture(fmt, 4, 4)
    found = texels(run([one], [[clear_texture(RED, Region(width=4, height=4))]]), one).view("<u2")
    assert (found == code).all()


def test_samples_are_cleared_with_their_pixel() -> None:
    """All four samples of the pixels inside the scissor are cleared, and no other sample."""
    one = texture("RGBA8", 8, 8, target=TextureTarget.TARGET_2D_MULTISAMPLE, samples=4)
    commands = [targets(ref()), c.SetScissor(x=2, y=3, width=2, height=1), clear(RED)]
    results = run([one], [commands])
    pixels = results["texture0"].reshape(8, 8, 4, 4)
    assert (pixels[3, 2:4] == [255, 0, 0, 255]).all()
    assert np.count_nonzero(pixels.any(axis=(2, 3))) == 2


@pytest.mark.rule("REPLAY-TEXTURE-1")
def test_a_block_compressed_target_is_written_through_an_integer_view() -> None:
    """32x32 BC4 through RGBA16UI is 8x8 texels of 8 bytes: block bytes ff 00 00 00 00 00 00 00."""
    one = texture("RGTC1_UNORM", 32, 32)
    value = c.ClearColorui(index=0, color=(0x00FF, 0, 0, 0))
    found = texels(run([one], [[targets(ref(format="RGBA16UI")), value]]), one)
    assert found.shape == (1, 8, 8, 8)
    assert (found == [255, 0, 0, 0, 0, 0, 0, 0]).all()


def test_a_srgb_view_encodes_and_its_twin_does_not() -> None:
    """Linear 0.2633 through an sRGB view of RGBA8 stores 140, alpha stays linear."""
    one = texture("RGBA8", 4, 1)
    commands = [targets(ref(format="RGBA8_SRGB")), clear(color(0.2633, 0.2633, 0.2633, 1))]
    assert (texels(run([one], [commands]), one) == [140, 140, 140, 255]).all()


def test_clear_buffer_fills_words() -> None:
    """A range is filled with a 32-bit value; what lies beside it stays."""
    read = r.ReadMemory(name="buffer", pool=0, offset_B=BUFFER_B, size_B=16)
    results = run([], [[c.ClearBuffer(address=BUFFER + 4, size_B=8, value=0x0A0B0C0D)], read])
    assert results["buffer"].tolist() == [0] * 4 + [0x0D, 0x0C, 0x0B, 0x0A] * 2 + [0] * 4


@pytest.mark.rule("REPLAY-STATE-1")
def test_state_stays_over_command_buffers_and_submissions() -> None:
    """Targets and scissor set in one submission hold in the next; another queue has its own."""
    one = texture("RGBA8", 8, 8)
    scissor = c.SetScissor(x=0, y=0, width=4, height=8)
    found = texels(run([one], [[targets(ref()), scissor], [clear(RED)]]), one)
    assert np.count_nonzero(found.any(axis=3)) == 32
    read = r.ReadMemory(name="all", pool=0, offset_B=0, size_B=512)
    buffers = ((targets(ref()),), (clear(RED),))
    timeline = (r.Submit(command_buffers=(0,)), r.Submit(command_buffers=(1,), queue=1), read)
    both = recording([one], [], queues=(r.Queue(), r.Queue()), command_buffers=buffers, timeline=timeline)
    assert not replay(both, {})["all"].any()


def test_all_bytes_beside_a_texture_stay() -> None:
    """A clear touches the texture's texels: a 3x3 texture leaves the other bytes of its GOB."""
    one = texture("RGBA8", 3, 3)
    fill = c.ClearBuffer(address=pool_base_B(0), size_B=1024, value=0xEEEEEEEE)
    results = run([one], [[fill, targets(ref()), clear(RED)]])
    stored = results.pool_bytes(0)[:1024]
    assert np.count_nonzero(stored != 0xEE) == 36
    assert bits(1.0) == 0x3F800000
