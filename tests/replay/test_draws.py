"""What draws leave in memory, as the ledger states it: order, targets, depth, origins, indices, uniforms."""

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import Program
from refnvn.commands.state import ChannelMaskState, DepthStencilState, MultisampleState
from refnvn.enumerations import (
    DepthFunc,
    DepthMode,
    DrawPrimitive,
    IndexType,
    ShaderStage,
    StencilOp,
    WindowOriginMode,
)
from refnvn.layout.description import TextureTarget
from refnvn.replay.errors import ReplayError
from refnvn.replay.run import Results
from tests.replay.scenes import (
    BLUE,
    BUFFER,
    BUFFER_B,
    RED,
    clear,
    clear_depth,
    ref,
    run,
    targets,
    texels,
    texture,
)
from tests.replay.shaders import (
    NO_COLOUR,
    NUMBERS,
    PROGRAMS,
    TINTED,
    WHOLE,
    at_depth,
    depth_test,
    draw,
    set_up,
    vertices,
)

BLACK = (0, 0, 0, 0)


def played(textures: list[Any], data: np.ndarray | bytes, commands: list[Any], **fields: Any) -> Results:
    """Replay commands with vertices in the buffer."""
    event, blobs = vertices(data)
    more = fields.pop("blobs", {})
    before = fields.pop("before", [])
    return run(textures, [event, *before, commands], blobs | more, **({"programs": PROGRAMS} | fields))


def white_of(results: Results, one: Any, index: int = 0) -> int:
    """Return how many RGBA8 pixels are white."""
    return int((texels(results, one, index) == 255).all(axis=3).sum())


@pytest.mark.rule("MEM-ZERO-1")
def test_a_draw_against_uncleared_depth_passes_gequal() -> None:
    """16x16 D32F that nobody cleared, z 0.25 GEQUAL: 256 white pixels, as stored depth is 0."""
    image, depth = texture("RGBA8", 16, 16), texture("DEPTH32F", 16, 16, offset_B=1 << 14)
    commands = [targets(ref(0), depth_stencil=ref(1)), *set_up(16, 16), depth_test(DepthFunc.GEQUAL), draw()]
    assert white_of(played([image, depth], at_depth(-0.5), commands), image) == 256


def test_a_16_bit_clear_equals_a_fragment_of_the_same_depth() -> None:
    """64x64 D16 cleared to 0.5, z 0.5 EQUAL: 4096 white pixels."""
    image, depth = texture("RGBA8", 64, 64), texture("DEPTH16", 64, 64, offset_B=1 << 15)
    commands = [
        targets(ref(0), depth_stencil=ref(1)),
        clear_depth(0.5),
        *set_up(64, 64),
        depth_test(DepthFunc.EQUAL),
        draw(),
    ]
    assert white_of(played([image, depth], at_depth(0.0), commands), image) == 4096


@pytest.mark.rule("CLEAR-SCISSOR-1")
def test_depth_cleared_beside_a_small_target_passes_everywhere() -> None:
    """64x64 depth cleared to 1.0 while an 8x8 target is bound: a 64x64 pass LESS at 0.5 draws 4096 pixels."""
    depth, small = texture("DEPTH32F", 64, 64), texture("RGBA8", 8, 8, offset_B=1 << 15)
    large = texture("RGBA8", 64, 64, offset_B=1 << 16)
    commands = [
        targets(ref(1), depth_stencil=ref(0)),
        clear_depth(1.0),
        targets(ref(2), depth_stencil=ref(0)),
        *set_up(64, 64),
        depth_test(DepthFunc.LESS),
        draw(),
    ]
    assert white_of(played([depth, small, large], at_depth(0.0), commands), large, 2) == 4096


@pytest.mark.rule("REPLAY-ORDER-1")
def test_clears_fall_between_draws_in_order() -> None:
    """A draw, a scissored clear and a second draw: each later one is on top, and only draws count samples."""
    image = texture("RGBA8", 8, 8)
    half = c.SetViewport(x=0.0, y=0.0, width=2.0, height=8.0)
    commands = [
        targets(ref()),
        *set_up(8, 8),
        draw(),
        c.SetScissor(x=0, y=0, width=4, height=8),
        clear(BLUE),
        half,
        draw(),
    ]
    results = played([image], WHOLE, commands)
    row = texels(results, image)[0, 3]
    assert row.tolist() == [[255] * 4] * 2 + [[0, 0, 255, 255]] * 2 + [[255] * 4] * 4
    assert results.counters["samples_passed"] == 64 + 16


def test_one_draw_equals_its_triangles_one_by_one() -> None:
    """Random triangles in one draw, in one draw each, on one thread and on two: equal bytes."""
    image, depth = texture("RG32UI", 40, 24), texture("DEPTH24_STENCIL8", 40, 24, offset_B=1 << 15)
    data = np.random.default_rng(3).uniform(-1.2, 1.2, (60, 4)).astype("<f4")
    data[:, 3] = 1
    start = [
        targets(ref(0), depth_stencil=ref(1)),
        clear_depth(1.0),
        *set_up(40, 24, program=NUMBERS, size_B=data.nbytes),
        depth_test(DepthFunc.LESS, write=True),
    ]
    whole = played([image, depth], data, [*start, draw(60)])
    threads = played([image, depth], data, [*start, draw(60)], threads=2)
    single = played([image, depth], data, [*start, *(draw(3, first) for first in range(0, 60, 3))])
    assert whole["texture0"].any()
    assert np.array_equal(texels(whole, image).view("<u4")[..., 0], texels(single, image).view("<u4")[..., 0])
    assert np.array_equal(whole["texture1"], single["texture1"])
    assert np.array_equal(whole["texture0"], threads["texture0"])
    assert np.array_equal(whole["texture1"], threads["texture1"])


@pytest.mark.parametrize(
    ("origin", "rows"), [(WindowOriginMode.LOWER_LEFT, range(4)), (WindowOriginMode.UPPER_LEFT, range(4, 8))]
)
def test_the_window_origin_turns_the_viewport_only(origin: WindowOriginMode, rows: range) -> None:
    """A triangle over clip y < 0 lands in rows 0 to 3 of memory, in rows 4 to 7 with the upper-left origin."""
    image = texture("RGBA8", 8, 8)
    below = np.array(
        [[-1, 0, 0, 1], [-1, -2, 0, 1], [3, 0, 0, 1], [-1, -2, 0, 1], [3, -2, 0, 1], [3, 0, 0, 1]], "<f4"
    )
    commands = [targets(ref()), *set_up(8, 8, size_B=96), draw(6)]
    results = played([image], below, commands, window_origin=origin, queues=(r.Queue(window_origin=origin),))
    assert np.flatnonzero(texels(results, image)[0].any(axis=(1, 2))).tolist() == list(rows)


@pytest.mark.parametrize(
    ("mode", "z", "stored"),
    [
        (DepthMode.NEAR_IS_MINUS_W, -0.5, 0.25),
        (DepthMode.NEAR_IS_ZERO, -0.5, 0.0),
        (DepthMode.NEAR_IS_MINUS_W, 0.5, 0.75),
        (DepthMode.NEAR_IS_ZERO, 0.5, 0.5),
    ],
)
def test_the_depth_mode_of_the_device_scales_depth(mode: DepthMode, z: float, stored: float) -> None:
    """Clip z of -0.5 stores 0.25, or is clipped where the near plane is 0; 0.5 stores 0.75, or 0.5."""
    depth = texture("DEPTH32F", 8, 8)
    commands = [
        targets(depth_stencil=ref()),
        *set_up(8, 8, program=NO_COLOUR),
        depth_test(DepthFunc.ALWAYS, write=True),
        draw(),
    ]
    results = played([depth], at_depth(z), commands, depth_mode=mode)
    assert (texels(results, depth).view("<f4") == stored).all()


@pytest.mark.rule("REPLAY-TEXTURE-1")
def test_a_depth_texture_is_drawn_to_through_a_colour_view() -> None:
    """8x8 D16 through an R16 view: 16384/65535 stores 0x4000, and depth EQUAL at that value passes on 64 pixels."""
    depth, image = texture("DEPTH16", 8, 8), texture("RGBA8", 8, 8, offset_B=1 << 12)
    value = np.float32(16384 / 65535)
    tint = np.array([value, 0, 0, 0], "<f4").tobytes()
    uniform = r.WriteMemory(pool=0, offset_B=BUFFER_B + 256, blob="tint")
    bind = c.BindUniformBuffer(stage=ShaderStage.FRAGMENT, index=2, address=BUFFER + 256, size_B=16)
    first = [bind, targets(ref(0, format="R16")), *set_up(8, 8, program=TINTED), draw()]
    second = [targets(ref(1), depth_stencil=ref(0)), *set_up(8, 8), depth_test(DepthFunc.EQUAL), draw()]
    z = 2 * float(value) - 1
    results = played([depth, image], at_depth(z), [*first, *second], before=[uniform], blobs={"tint": tint})
    assert (texels(results, depth).view("<u2") == 0x4000).all()
    assert white_of(results, image, 1) == 64


@pytest.mark.rule("REPLAY-TEXTURE-1")
def test_blocks_are_drawn_through_an_integer_view() -> None:
    """Level 1 of a 64x64 BC4 texture through RGBA16UI is 8x8 texels of 8 bytes; level 0 stays."""
    blocks = texture("RGTC1_UNORM", 64, 64, levels=2)
    view = {"format": "RGBA16UI", "base_level": 1, "levels": 1}
    commands = [targets(ref(**view)), *set_up(8, 8, program=NUMBERS), draw()]
    read = r.ReadTexels(name="level1", texture=ref(**view), region=c.Region(width=8, height=8))
    event, blobs = vertices(WHOLE)
    results = run([blocks], [event, commands, read], blobs, programs=PROGRAMS)
    assert (results["level1"].view("<u2").reshape(-1, 4) == [2, 0, 0, 1]).all()
    assert not results["texture0"].any()


def test_a_draw_reaches_the_first_layer_of_a_view() -> None:
    """Slice 2 of a volume through a view is drawn to; the other slices stay."""
    volume = texture("RGBA8", 8, 8, depth=4, target=TextureTarget.TARGET_3D)
    results = played([volume], WHOLE, [targets(ref(base_layer=2, layers=2)), *set_up(8, 8), draw()])
    assert [bool(one.any()) for one in texels(results, volume)] == [False, False, True, False]


def test_one_texture_in_two_slots_is_written_through_the_unmasked_one() -> None:
    """64x64 RGBA8 at slots 0 and 1, mask 0 for slot 1: all white."""
    image = texture("RGBA8", 64, 64)
    masks = c.BindChannelMaskState(state=ChannelMaskState(masks=(15, 0, 15, 15, 15, 15, 15, 15)))
    results = played([image], WHOLE, [masks, targets(ref(0), ref(0)), *set_up(64, 64), draw()])
    assert white_of(results, image) == 4096


def test_depth_and_stencil_leave_each_other_alone() -> None:
    """D32F_S8 with stencil 0x5A: a depth pass leaves it; a stencil pass leaves depth."""
    both = texture("DEPTH32F_STENCIL8", 8, 8)
    stencil = c.BindDepthStencilState(state=DepthStencilState(stencil_test=True, front_depth_pass=StencilOp.REPLACE))
    commands = [
        targets(depth_stencil=ref()),
        clear_depth(0.0, 0x5A, 0xFF),
        *set_up(8, 8, program=NO_COLOUR),
        depth_test(DepthFunc.ALWAYS, write=True),
        draw(),
    ]
    found = texels(played([both], at_depth(0.0), commands), both)
    assert (np.ascontiguousarray(found[..., :4]).view("<f4") == 0.5).all()
    assert (found[..., 4] == 0x5A).all()
    reference = c.SetStencilRef(faces=3, reference=0x21)
    found = texels(played([both], at_depth(0.0), [*commands, stencil, reference, draw()]), both)
    assert (np.ascontiguousarray(found[..., :4]).view("<f4") == 0.5).all()
    assert (found[..., 4] == 0x21).all()


def test_eight_targets_and_depth_are_bound_at_once() -> None:
    """A draw writes slot 0 and depth; the seven other targets keep their clears."""
    images = [texture("RGBA8", 8, 8, offset_B=n << 12) for n in range(8)]
    depth = texture("DEPTH24_STENCIL8", 8, 8, offset_B=8 << 12)
    commands = [
        targets(*map(ref, range(8)), depth_stencil=ref(8)),
        *(clear(RED, slot) for slot in range(8)),
        *set_up(8, 8),
        depth_test(DepthFunc.ALWAYS, write=True),
        draw(),
    ]
    results = played([*images, depth], at_depth(1.0), commands)
    assert [white_of(results, one, n) for n, one in enumerate(images)] == [64, 0, 0, 0, 0, 0, 0, 0]
    assert (texels(results, images[7], 7) == [255, 0, 0, 255]).all()
    assert (texels(results, depth, 8) == [0, 255, 255, 255]).all()


@pytest.mark.rule("PRIMITIVE-INDEX-1")
@pytest.mark.parametrize("index_type", list(IndexType))
@pytest.mark.parametrize("base", [0, 3])
def test_indices_of_each_size_pick_vertices(index_type: IndexType, base: int) -> None:
    """8, 16 and 32-bit indices 2, 0, 1 at 2 mod 4 draw the triangle; the vertex number is index plus base."""
    image = texture("RG32UI", 8, 8)
    data = np.concatenate([WHOLE] * 2)
    indices = np.array([2, 0, 1], f"<u{1 << index_type}").tobytes()
    event = r.WriteMemory(pool=0, offset_B=BUFFER_B + 4098, blob="indices")
    draw_indexed = c.DrawElements(
        primitive=DrawPrimitive.TRIANGLES, index_type=index_type, count=3, address=BUFFER + 4098, base_vertex=base
    )
    commands = [targets(ref()), *set_up(8, 8, program=NUMBERS, size_B=96), draw_indexed]
    results = played([image], data, commands, before=[event], blobs={"indices": indices})
    assert (texels(results, image).view("<u4") == [1 + base, 0]).all()


@pytest.mark.rule("PRIMITIVE-INDEX-1")
def test_indices_are_read_when_the_draw_executes() -> None:
    """8-bit indices 0, 0, 0 are overwritten with 0, 1, 2 by a copy in the submission: 64 pixels."""
    image = texture("RGBA8", 8, 8)
    source = r.WriteMemory(pool=0, offset_B=BUFFER_B + 4096, blob="indices")
    copy = c.CopyBufferToBuffer(source=BUFFER + 4096, destination=BUFFER + 4352, size_B=3)
    draw_indexed = c.DrawElements(
        primitive=DrawPrimitive.TRIANGLES, index_type=IndexType.BYTE, count=3, address=BUFFER + 4352
    )
    commands = [targets(ref()), *set_up(8, 8), draw_indexed, copy, draw_indexed]
    results = played([image], WHOLE, commands, before=[source], blobs={"indices": b"\x00\x01\x02"})
    assert results.counters["samples_passed"] == 64


@pytest.mark.rule("PRIMITIVE-TRIANGLES-1")
@pytest.mark.parametrize(
    ("primitive", "count", "corners"),
    [
        pytest.param(DrawPrimitive.TRIANGLES, 8, [[0, 1, 2], [3, 4, 5]], id="list"),
        pytest.param(DrawPrimitive.TRIANGLE_STRIP, 6, [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]], id="strip"),
        pytest.param(DrawPrimitive.TRIANGLE_FAN, 5, [[0, 1, 2], [0, 2, 3], [0, 3, 4]], id="fan"),
        pytest.param(DrawPrimitive.TRIANGLE_STRIP, 2, [], id="too-few"),
    ],
)
def test_primitives_make_the_hardware_s_triangles(
    primitive: DrawPrimitive, count: int, corners: list[list[int]]
) -> None:
    """Lists, strips and fans as the hardware draws them, the last vertex provoking."""
    from refnvn.replay.assemble import triangles_of

    assert triangles_of(primitive, count).vertices.tolist() == corners


@pytest.mark.rule("PRIMITIVE-TRIANGLES-1")
def test_a_flat_value_comes_from_the_last_vertex() -> None:
    """A strip of two triangles over the target: vertex 2 and primitive 0, then vertex 3 and primitive 1."""
    image = texture("RG32UI", 8, 8)
    strip = np.array([[-1, -1, 0, 1], [1, -1, 0, 1], [-1, 1, 0, 1], [1, 1, 0, 1]], "<f4")
    commands = [
        targets(ref()),
        *set_up(8, 8, program=NUMBERS, size_B=64),
        draw(4, primitive=DrawPrimitive.TRIANGLE_STRIP),
    ]
    found = texels(played([image], strip, commands), image).view("<u4")[0]
    assert found[1, 1].tolist() == [2, 0]
    assert found[6, 6].tolist() == [3, 1]


@pytest.mark.rule("REPLAY-UNIFORM-1", "REPLAY-UNIFORM-2")
def test_each_draw_sees_the_uniforms_that_memory_holds_then() -> None:
    """Red, draw left, blue by a copy, draw right: red and blue; nothing bound reads zero."""
    image = texture("RGBA8", 8, 8)
    colours = np.array([[1, 0, 0, 1], [0, 0, 1, 1]], "<f4").tobytes()
    event = r.WriteMemory(pool=0, offset_B=BUFFER_B + 4096, blob="colours")
    slot = BUFFER + 8192
    right = c.SetViewport(x=4.0, y=0.0, width=4.0, height=8.0)
    commands = [
        targets(ref()),
        *set_up(4, 8, program=TINTED),
        c.BindUniformBuffer(stage=ShaderStage.FRAGMENT, index=2, address=slot, size_B=256),
        c.CopyBufferToBuffer(source=BUFFER + 4096, destination=slot, size_B=16),
        draw(),
        c.CopyBufferToBuffer(source=BUFFER + 4112, destination=slot, size_B=16),
        right,
        draw(),
    ]
    row = texels(played([image], WHOLE, commands, before=[event], blobs={"colours": colours}), image)[0, 0]
    assert row.tolist() == [[255, 0, 0, 255]] * 4 + [[0, 0, 255, 255]] * 4
    unbound = [targets(ref()), clear(RED), *set_up(8, 8, program=TINTED), draw()]
    assert not texels(played([image], WHOLE, unbound), image).any()


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        pytest.param([c.BindProgram(program=None, stages=3)], "needs a vertex shader", id="no-program"),
        pytest.param([c.BindProgram(program=1, stages=2)], "reads 4 components at location 0", id="unlinked"),
        pytest.param(
            [c.BindProgram(program=5, stages=1)], r"programs\[5\].vertex: vertex: is not a shader", id="junk"
        ),
        pytest.param([c.BindProgram(program=6, stages=1)], "a fragment shader; a vertex shader is", id="other-stage"),
        pytest.param(
            [c.BindVertexAttribState(attribs=())],
            r"attribs\[0\]: VERTEX-UNBOUND-1.*location 0 .*; call bind_vertex_attrib_state",
            id="no-attribute",
        ),
        pytest.param([targets(ref(0), ref(1))], "must have one number of samples", id="samples"),
        pytest.param(
            [c.BindMultisampleState(state=MultisampleState(sample_locations_enable=True))],
            "none are set",
            id="locations",
        ),
        pytest.param([targets(ref(0), ref(2))], "overlap in memory", id="overlapping-targets"),
        pytest.param([targets(ref(0), depth_stencil=ref(3))], "is a colour target too", id="depth-is-colour"),
    ],
)
def test_what_a_draw_cannot_do_is_said(changed: list[Any], complaint: str) -> None:
    """State that is not executed yet, and what does not fit together, is one error that names the draw."""
    textures = [
        texture("RGBA8", 8, 8),
        texture("RGBA8", 8, 8, samples=4, target=TextureTarget.TARGET_2D_MULTISAMPLE, offset_B=1 << 13),
        texture("RGBA8", 40, 8),
        texture("DEPTH32F", 8, 8),
    ]
    programs = (*PROGRAMS, Program(vertex={"no": 1}), Program(vertex=PROGRAMS[0].fragment))
    with pytest.raises(ReplayError, match=rf"command_buffers\[0\]\[{6 + len(changed)}\].*{complaint}"):
        played(textures, WHOLE, [targets(ref()), *set_up(8, 8), *changed, draw()], programs=programs)


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        pytest.param(draw(1 << 30), "count: 1073741824 vertices; 4194304", id="too-many"),
        pytest.param(draw(4, primitive=DrawPrimitive.PATCHES), "PATCHES are drawn with", id="patches"),
        pytest.param(
            c.DrawElements(
                primitive=DrawPrimitive.TRIANGLES,
                index_type=IndexType.INT,
                count=3,
                address=pool_base_B(0) + (1 << 20) - 4,
            ),
            "address: addresses .* leave pool 0",
            id="indices-past-the-pool",
        ),
    ],
)
def test_a_bad_draw_is_named(command: Any, complaint: str) -> None:
    """Counts, primitives and index ranges that cannot be are one error."""
    with pytest.raises(ReplayError, match=rf"command_buffers\[0\]\[6\].*{complaint}"):
        played([texture("RGBA8", 8, 8)], WHOLE, [targets(ref()), *set_up(8, 8), command])


def test_a_draw_without_a_viewport_is_refused() -> None:
    """Nobody knows a queue's first viewport."""
    commands = [targets(ref()), *set_up(8, 8)[1:], draw()]
    with pytest.raises(ReplayError, match=r"REPLAY-VIEWPORT-1.*; call set_viewport before this draw"):
        played([texture("RGBA8", 8, 8)], WHOLE, commands)


def test_nothing_is_drawn_of_nothing() -> None:
    """No vertices, or too few for a triangle, draw nothing and touch nothing."""
    image = texture("RGBA8", 8, 8)
    empty = c.DrawElements(primitive=DrawPrimitive.TRIANGLES, index_type=IndexType.INT, count=0, address=0)
    results = played([image], WHOLE, [targets(ref()), clear(BLACK), *set_up(8, 8), draw(0), draw(2), empty])
    assert not texels(results, image).any()
    assert "samples_passed" not in results.counters
