"""Storage buffers, images and compute shaders through whole recordings: the rows of the ledger, by their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.errors import UnknownBehaviour
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import SamplerBuilder
from refnvn.nvn.scene import record
from refnvn.nvn.states import ChannelMaskState, DepthStencilState, MultisampleState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.replay.errors import NotReplayed, ReplayError
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, MemoryOrder, Rules, StorageBound, UnboundTexture
from refnvn.shader.ir import from_object, to_object
from refnvn.shader.python import (
    Array,
    Shared,
    Storage,
    Uniform,
    array_length,
    atomic_add,
    barrier,
    compute_shader,
    ddx,
    discard,
    float_bits_to_uint,
    fragment_shader,
    gl,
    iimage2D,
    image,
    image1D,
    image1DArray,
    image2D,
    image2DArray,
    image2DMS,
    image3D,
    image_atomic_add,
    image_atomic_or,
    image_load,
    image_size,
    image_store,
    ivec2,
    ivec3,
    ivec4,
    uimage2D,
    uimage2DArray,
    uint,
    uvec4,
    vec4,
    vertex_shader,
)

Words = NDArray[np.uint32]
SIZE = 8


class Out(Storage, binding=0):
    """Words."""

    words: Array[uint]


class Tile(Shared):
    """What a workgroup shares."""

    sums: Array[uint, 8]


class Number(Uniform, binding=1):
    """One number."""

    value: uint


@vertex_shader
def covering():  # type: ignore[no-untyped-def]
    """Cover everything with one triangle; further ones too."""
    corner = gl.vertex_id % 3
    x = 3.0 if corner == 1 else -1.0
    y = 3.0 if corner == 2 else -1.0
    return vec4(x, y, 0.0, 1.0)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0)


def results(scene: Callable[[Device], None], rules: Rules = NVN) -> dict[str, NDArray[np.uint8]]:
    """Return what a scene reads."""
    trace = record(scene)
    return replay(trace.recording, trace.blobs, rules)


def words(content: NDArray[np.uint8]) -> list[int]:
    """Return bytes as words."""
    found: list[int] = content.view("<u4").tolist()
    return found


def bind_image(
    device: Device, commands: CommandBuffer, stage: str, slot: int, texture: Texture, view: TextureView | None = None
) -> None:
    """Register an image in a pool of its own and bind it."""
    if not hasattr(device, "tested_images"):
        device.tested_images = device.texture_pool(512)  # type: ignore[attr-defined]
        commands.set_texture_pool(device.tested_images)  # type: ignore[attr-defined]
    number = device.tested_images.register_image(None, texture, view)  # type: ignore[attr-defined]
    commands.bind_image(stage, slot, device.get_image_handle(number))


def dispatched(
    shader: object,
    prepare: Callable[[Device, CommandBuffer], None],
    *,
    groups: tuple[int, int, int] = (1, 1, 1),
    size_B: int = 64,
    rules: Rules = NVN,
) -> list[int]:
    """Return the words that a dispatch leaves in a buffer of storage slot 0."""

    def scene(device: Device) -> None:
        out = device.buffer(size_B)
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=shader), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out)
        prepare(device, commands)
        commands.dispatch_compute(*groups)
        device.queue().submit(commands)
        out.read("out")

    return words(results(scene, rules)["out"])


def nothing(_device: Device, _commands: CommandBuffer) -> None:
    """Prepare nothing."""


@pytest.mark.rule("REPLAY-COMPUTE-1")
def test_invocations_see_who_they_are() -> None:
    """Ids run x first; a workgroup's invocations too."""

    @compute_shader(local_size=(2, 1, 2))
    def ids(out: Out):  # type: ignore[no-untyped-def]
        at = gl.global_invocation_id
        place = at.x + 4 * (at.y + 2 * at.z)
        out.words[place] = (
            gl.local_invocation_index + 10 * gl.work_group_id.x + 100 * gl.work_group_id.y
            + 1000 * gl.num_work_groups.x + 10000 * gl.local_invocation_id.z
        )  # fmt: skip

    found = dispatched(ids, nothing, groups=(2, 2, 1))
    assert found == [
        2000, 2001, 2010, 2011, 2100, 2101, 2110, 2111,
        12002, 12003, 12012, 12013, 12102, 12103, 12112, 12113,
    ]  # fmt: skip


@compute_shader(local_size=(4, 1, 1))
def summed(out: Out, tile: Tile):  # type: ignore[no-untyped-def]
    """Sum the four words of a workgroup by halves."""
    i = gl.local_invocation_index
    tile.sums[i] = gl.global_invocation_id.x
    barrier()
    if i < 2:
        tile.sums[i] += tile.sums[i + 2]
    barrier()
    if i == 0:
        out.words[gl.work_group_id.x] = tile.sums[0] + tile.sums[1]


@pytest.mark.rule("SHADER-SHARED-1", "SHADER-BARRIER-1")
def test_each_workgroup_has_shared_memory_of_its_own() -> None:
    """0 + 1 + 2 + 3, then 4 + 5 + 6 + 7."""
    assert dispatched(summed, nothing, groups=(2, 1, 1))[:2] == [6, 22]


@compute_shader(local_size=(1, 1, 1))
def counting(out: Out):  # type: ignore[no-untyped-def]
    """Add one, by load and store."""
    out.words[0] += 1


@pytest.mark.rule("REPLAY-COMPUTE-1")
def test_a_hundred_dispatches_with_barriers_count_to_a_hundred() -> None:
    """Row dispatch-shared."""

    def more(_device: Device, commands: CommandBuffer) -> None:
        for _ in range(99):
            commands.dispatch_compute(1, 1, 1)
            commands.barrier("ORDER_PRIMITIVES")

    assert dispatched(counting, more)[0] == 100


@pytest.mark.rule("REPLAY-DISPATCH-1")
def test_an_indirect_dispatch_reads_its_record_when_it_runs() -> None:
    """A copy writes the record after it was recorded; the shader sees the numbers. Row indirect."""

    @compute_shader(local_size=(1, 1, 1))
    def groups(out: Out):  # type: ignore[no-untyped-def]
        out.words[gl.work_group_id.x] = gl.num_work_groups.x + 10 * gl.num_work_groups.y

    def scene(device: Device) -> None:
        out, record_B, wanted = device.buffer(16), device.buffer(12), device.buffer(
            np.array([3, 1, 1], "<u4").tobytes()
        )  # fmt: skip
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=groups), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out)
        commands.copy_buffer_to_buffer(wanted, record_B, 12)
        commands.dispatch_compute_indirect(record_B)
        device.queue().submit(commands)
        out.read("out")

    assert words(results(scene)["out"]) == [13, 13, 13, 0]


@pytest.mark.rule("REPLAY-COMPUTE-1")
def test_dispatches_and_draws_keep_their_programs() -> None:
    """Row compute-binding: both happen, whichever is bound last."""

    @compute_shader()
    def seven(out: Out):  # type: ignore[no-untyped-def]
        out.words[0] = uint(7)

    def scene(device: Device) -> None:
        out, target = device.buffer(4), device.texture("RGBA8", SIZE, SIZE)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.bind_program(device.program(covering, white))
        commands.bind_program(device.program(compute=seven), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out)
        commands.dispatch_compute(1)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        out.read("out")
        target.read_texels("target")

    found = results(scene)
    assert words(found["out"]) == [7]
    assert (found["target"] == 255).all()


@pytest.mark.rule("REPLAY-PROGRAM-1")
def test_a_null_bind_takes_one_stage_away() -> None:
    """Row bind-per-stage: a depth prepass without a fragment stage, then 64 white texels where depth is EQUAL."""

    def scene(device: Device) -> None:
        target, zeta = device.texture("RGBA8", SIZE, SIZE), device.texture("DEPTH32F", SIZE, SIZE)
        commands = device.command_buffer()
        program = device.program(covering, white)
        commands.set_render_targets([target], depth_stencil=zeta)
        commands.clear_depth_stencil(1.0, True)
        commands.set_viewport(0, 0, SIZE, SIZE)
        tests = DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True)
        for bound, func in ((None, "LESS"), (program, "EQUAL")):
            commands.bind_program(program, "VERTEX")
            commands.bind_program(bound, "FRAGMENT")
            commands.bind_depth_stencil_state(tests.set_depth_func(func))
            commands.draw_arrays("TRIANGLES", 0, 3)
            commands.barrier("ORDER_FRAGMENTS")
        device.queue().submit(commands)
        target.read_texels("target")

    assert (results(scene)["target"] == 255).all()


@compute_shader(local_size=(16, 1, 1))
def sixteen(out: Out):  # type: ignore[no-untyped-def]
    """Write sixteen words."""
    out.words[gl.local_invocation_index] = 100 + gl.local_invocation_index


@pytest.mark.rule("REPLAY-STORAGE-1")
def test_a_storage_buffer_of_size_0_is_used_from_its_address() -> None:
    """Row ssbo-size0: 16 words are there."""

    def scene(device: Device) -> None:
        out = device.buffer(64)
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=sixteen), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out, 0)
        commands.dispatch_compute(1)
        device.queue().submit(commands)
        out.read("out")

    assert words(results(scene)["out"]) == list(range(100, 116))


@pytest.mark.rule("REPLAY-STORAGE-2")
def test_past_the_bytes_that_are_bound_nothing_is_reached_or_what_follows() -> None:
    """Four words are bound of sixteen: stores beyond are dropped, or land."""

    def bound(device: Device) -> None:
        out = device.buffer(64)
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=sixteen), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out, 16)
        commands.dispatch_compute(1)
        device.queue().submit(commands)
        out.read("out")

    assert words(results(bound)["out"]) == [100, 101, 102, 103, *[0] * 12]
    pool = NVN.with_(storage_bound=StorageBound.POOL)
    assert words(results(bound, pool)["out"]) == list(range(100, 116))


def test_loads_past_the_end_find_0_and_the_length_is_what_is_bound() -> None:
    """Three words of an open array after nothing."""

    @compute_shader()
    def measured(out: Out):  # type: ignore[no-untyped-def]
        out.words[0] = uint(array_length(out.words))
        out.words[1] = out.words[1000] + 5
        out.words[2] = atomic_add(out.words[1000], 3) + 6

    assert dispatched(measured, nothing, size_B=12) == [3, 5, 6]


@pytest.mark.rule("REPLAY-STORAGE-3")
def test_each_stage_has_storage_slots_of_its_own() -> None:
    """Row s4-3f-ssbo: slot 0 of both stages, each its own word; stores of vertices land too."""

    @vertex_shader
    def storing(out: Out):  # type: ignore[no-untyped-def]
        atomic_add(out.words[0], 11)
        corner = gl.vertex_id
        return vec4(3.0 if corner == 1 else -1.0, 3.0 if corner == 2 else -1.0, 0.0, 1.0)

    @fragment_shader
    def also(out: Out):  # type: ignore[no-untyped-def]
        atomic_add(out.words[0], 2)

    def scene(device: Device) -> None:
        of_vertices, of_fragments = device.buffer(4), device.buffer(4)
        commands = device.command_buffer()
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.bind_program(device.program(storing, also))
        commands.bind_storage_buffer("VERTEX", 0, of_vertices)
        commands.bind_storage_buffer("FRAGMENT", 0, of_fragments)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        of_vertices.read("vertices")
        of_fragments.read("fragments")

    found = results(scene)
    assert (words(found["vertices"]), words(found["fragments"])) == ([33], [128])


@pytest.mark.rule("RASTER-EARLY-1")
def test_a_draw_without_targets_still_stores() -> None:
    """Row no-rt-pass: one triangle in a viewport of one pixel writes 42."""

    @fragment_shader
    def answer(out: Out):  # type: ignore[no-untyped-def]
        out.words[0] = uint(42)

    def scene(device: Device) -> None:
        out = device.buffer(4)
        commands = device.command_buffer()
        commands.set_viewport(0, 0, 1, 1)
        commands.bind_program(device.program(covering, answer))
        commands.bind_storage_buffer("FRAGMENT", 0, out)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        out.read("out")

    assert words(results(scene)["out"]) == [42]


def drawn_count(fragment: object, *, samples: int = 1, mask: int = 0xFFFFFFFF, depth: float = 0.0) -> list[int]:
    """Return what a draw behind a depth of 0.25, or before it, adds to a word, and the depth's and colour's bytes."""

    def scene(device: Device) -> None:
        out = device.buffer(8)
        flags = {"samples": samples, "target": "2D_MULTISAMPLE"} if samples > 1 else {}
        target = device.texture("RGBA8", SIZE, SIZE, **flags)  # type: ignore[arg-type]
        zeta = device.texture("DEPTH32F", SIZE, SIZE, **flags)  # type: ignore[arg-type]
        commands = device.command_buffer()
        commands.set_render_targets([target], depth_stencil=zeta)
        commands.clear_depth_stencil(depth, True)
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.bind_depth_stencil_state(
            DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True).set_depth_func("LESS")
        )
        commands.bind_multisample_state(MultisampleState().set_samples(samples).set_multisample_enable(True))
        commands.set_sample_mask(mask)
        commands.bind_program(device.program(covering, fragment))
        commands.bind_storage_buffer("FRAGMENT", 0, out)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        out.read("out")

    return words(results(scene)["out"])


def _counter(early: bool) -> Any:
    @fragment_shader(early_fragment_tests=early)
    def counted(out: Out):  # type: ignore[no-untyped-def]
        atomic_add(out.words[0], 1)
        if gl.frag_coord.x < 2.0:
            discard()
        atomic_add(out.words[1], 1)
        return vec4(1.0)

    return counted


@pytest.mark.rule("RASTER-EARLY-1", "SHADER-HELPER-1")
@pytest.mark.parametrize("samples", [1, 4])
def test_late_tests_leave_what_was_stored_and_early_ones_prevent_it(samples: int) -> None:
    """All 64 fragments fail or pass; two of eight columns discard."""
    assert drawn_count(_counter(False), samples=samples, depth=0.25) == [64, 48]
    assert drawn_count(_counter(True), samples=samples, depth=0.25) == [0, 0]
    assert drawn_count(_counter(True), samples=samples, depth=1.0) == [64, 48]


def test_fragments_without_a_sample_store_nothing() -> None:
    """The sample mask takes them away before the shader runs."""
    assert drawn_count(_counter(False), samples=4, mask=0, depth=1.0) == [0, 0]


def test_a_shader_of_each_sample_stores_for_each() -> None:
    """Four samples, two of them masked off."""

    @fragment_shader
    def by_sample(out: Out):  # type: ignore[no-untyped-def]
        atomic_add(out.words[gl.sample_id % 2], 1)
        return vec4(1.0)

    assert drawn_count(by_sample, samples=4, mask=0b0111, depth=1.0) == [128, 64]


@pytest.mark.rule("SHADER-HELPER-1")
def test_helpers_of_a_quad_store_nothing() -> None:
    """A shader that takes derivatives runs in quads; only covered fragments count."""

    @fragment_shader
    def sloped(out: Out):  # type: ignore[no-untyped-def]
        atomic_add(out.words[0], uint(ddx(gl.frag_coord.x)))

    def scene(device: Device) -> None:
        out = device.buffer(4)
        commands = device.command_buffer()
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.set_scissor(1, 1, 3, 3)
        commands.bind_program(device.program(covering, sloped))
        commands.bind_storage_buffer("FRAGMENT", 0, out)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        out.read("out")

    assert words(results(scene)["out"]) == [9]


@vertex_shader
def along():  # type: ignore[no-untyped-def]
    """Two vertices at the middles of the outermost pixels of the lowest row; points of three pixels."""
    gl.point_size = 3.0
    return vec4(-0.875 if gl.vertex_id == 0 else 0.875, -0.875, 0.0, 1.0)


@pytest.mark.parametrize(
    ("primitive", "vertices", "instances", "fragments"),
    [("POINTS", 1, 1, 4), ("POINTS", 1, 3, 12), ("LINES", 2, 1, 7), ("LINES", 2, 2, 14)],
)
def test_fragments_of_points_and_lines_store(primitive: str, vertices: int, instances: int, fragments: int) -> None:
    """A point of 3 x 3 pixels, cut to 2 x 2 at the corner; a line of 7 pixels, whose last one belongs to the next."""

    @fragment_shader
    def counted(out: Out):  # type: ignore[no-untyped-def]
        atomic_add(out.words[0], 1)

    def scene(device: Device) -> None:
        out = device.buffer(4)
        commands = device.command_buffer()
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.set_scissor(0, 0, SIZE, SIZE)
        commands.bind_program(device.program(along, counted))
        commands.bind_storage_buffer("FRAGMENT", 0, out)
        commands.draw_arrays_instanced(primitive, 0, vertices, 0, instances)
        device.queue().submit(commands)
        out.read("out")

    assert words(results(scene)["out"]) == [fragments]


@pytest.mark.rule("SHADER-ORDER-1")
def test_primitives_come_one_after_another() -> None:
    """Each of four triangles finds what the one before left, or the one after; targets keep the last colour."""

    @fragment_shader
    def chained(picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
        at = ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y))
        image_store(picture, at, image_load(picture, at) * 10 + uint(gl.primitive_id))
        return uvec4(uint(gl.primitive_id), 0, 0, 0)

    def scene(device: Device) -> None:
        picture, target = device.texture("R32UI", SIZE, SIZE), device.texture("R8UI", SIZE, SIZE)
        commands = device.command_buffer()
        bind_image(device, commands, "FRAGMENT", 0, picture)
        commands.set_render_targets([target])
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.bind_program(device.program(covering, chained))
        commands.draw_arrays("TRIANGLES", 0, 12)
        device.queue().submit(commands)
        picture.read_texels("picture")
        target.read_texels("target")

    for rules, chain in ((NVN, 123), (NVN.with_(memory_order=MemoryOrder.REVERSED), 3210)):
        found = results(scene, rules)
        assert set(words(found["picture"])) == {chain}
        assert set(found["target"].tolist()) == {3}


# ------------------------------------------------------------------------------------------------ images


def image_scene(
    shader: object,
    texture: Callable[[Device], Texture],
    before: bytes | None = None,
    view: TextureView | None = None,
    groups: tuple[int, int, int] = (1, 1, 1),
) -> Callable[[Device], None]:
    """Return a scene that dispatches with one image and one storage buffer of 64 bytes, and reads both."""

    def scene(device: Device) -> None:
        out, picture = device.buffer(64), texture(device)
        if before is not None:
            picture.write_texels(before)
        commands = device.command_buffer()
        bind_image(device, commands, "COMPUTE", 0, picture, view)
        commands.bind_program(device.program(compute=shader), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out)
        commands.dispatch_compute(*groups)
        device.queue().submit(commands)
        out.read("out")
        picture.read_texels("picture")

    return scene


@pytest.mark.rule("REPLAY-IMAGE-1")
def test_an_integer_view_reads_and_writes_the_bytes_of_a_colour() -> None:
    """Row image-int-view: bytes 11 22 33 44 are 0x44332211; exclusive or with 0xff gives ee 22 33 44."""

    @compute_shader(local_size=(4, 4, 1))
    def flipped(out: Out, picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
        at = ivec2(gl.local_invocation_id.xy)
        found = image_load(picture, at)
        out.words[gl.local_invocation_index] = found.x
        image_store(picture, at, uvec4(found.x ^ 0xFF, 0, 0, 1))

    found = results(image_scene(flipped, lambda d: d.texture("RGBA8", 4, 4), bytes([0x11, 0x22, 0x33, 0x44] * 16)))
    assert words(found["out"]) == [0x44332211] * 16
    assert found["picture"].reshape(-1, 4).tolist() == [[0xEE, 0x22, 0x33, 0x44]] * 16


@pytest.mark.rule("REPLAY-IMAGE-1", "SHADER-ATOMIC-1")
def test_atomics_work_on_the_bytes_of_a_colour() -> None:
    """Row atomic-rgba8: or with 0x8800 makes 11 22 33 44 into 11 aa 33 44."""

    @compute_shader(local_size=(4, 4, 1))
    def marked(out: Out, picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
        found = image_atomic_or(picture, ivec2(gl.local_invocation_id.xy), 0x8800)
        out.words[gl.local_invocation_index] = found

    found = results(image_scene(marked, lambda d: d.texture("RGBA8", 4, 4), bytes([0x11, 0x22, 0x33, 0x44] * 16)))
    assert words(found["out"]) == [0x44332211] * 16
    assert found["picture"].reshape(-1, 4).tolist() == [[0x11, 0xAA, 0x33, 0x44]] * 16


@pytest.mark.rule("REPLAY-IMAGE-1")
def test_the_channel_mapping_does_not_reach_images() -> None:
    """Row tex-swizzle: an R8 texture mapped (1, 1, 1, R) loads its raw red."""

    @compute_shader(local_size=(4, 1, 1))
    def raw(out: Out, picture: image2D = image(0, "R8")):  # type: ignore[no-untyped-def]
        texel = image_load(picture, ivec2(int(gl.local_invocation_index), 0))
        out.words[gl.local_invocation_index] = uint(texel.r * 255.0 + 0.5) + 1000 * uint(texel.g + 2.0 * texel.a)

    view = TextureView().set_swizzle("ONE", "ONE", "ONE", "R")
    scene = image_scene(raw, lambda d: d.texture("R8", 4, 1), bytes([0, 85, 170, 255]), view)
    assert words(results(scene)["out"])[:4] == [2000, 2085, 2170, 2255]


@pytest.mark.rule("REPLAY-IMAGE-4")
def test_outside_of_an_image_nothing_is_found_or_left() -> None:
    """A texel of zero bits, whose alpha the format lacks and is 1; -1 is outside too."""

    @compute_shader()
    def outside(out: Out, picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
        image_store(picture, ivec2(4, 0), uvec4(9))
        image_store(picture, ivec2(-1, 3), uvec4(9))
        there = image_load(picture, ivec2(0, 4))
        out.words[0] = there.x + there.y + there.z + there.w
        out.words[1] = image_atomic_or(picture, ivec2(0, -1), 9)
        out.words[2] = image_load(picture, ivec2(3, 3)).x

    found = results(image_scene(outside, lambda d: d.texture("R32UI", 4, 4), np.full(16, 5, "<u4").tobytes()))
    assert words(found["out"])[:3] == [1, 0, 5]
    assert words(found["picture"]) == [5] * 16


@pytest.mark.rule("REPLAY-IMAGE-5")
def test_layers_slices_and_levels_are_those_of_the_view() -> None:
    """A view of level 1 and layers 1 and 2 is 4 x 2 texels of two layers."""

    @compute_shader()
    def measured(out: Out, picture: uimage2DArray = image(0, "R32UI")):  # type: ignore[no-untyped-def]
        size = image_size(picture)
        out.words[0] = uint(size.x + 10 * size.y + 100 * size.z)
        image_store(picture, ivec3(3, 1, 1), uvec4(7))

    def scene(device: Device) -> None:
        view = TextureView().set_levels(1, 1).set_layers(1, 2)
        texture = device.texture("R32UI", 8, 4, 3, target="2D_ARRAY", levels=2)
        image_scene(measured, lambda _: texture, view=view)(device)
        texture.read_texels("level", level=1)

    found = results(scene)
    assert words(found["out"])[0] == 224
    level = np.array(words(found["level"])).reshape(3, 2, 4)
    assert (level[2, 1, 3], level.sum()) == (7, 7)


@pytest.mark.rule("REPLAY-IMAGE-5")
@pytest.mark.parametrize("kind", ["1d", "1d_array", "3d", "ms"])
def test_other_kinds_of_images_take_their_coordinates(kind: str) -> None:
    """The last texel of each holds what was stored, and nothing else does."""

    @compute_shader()
    def line(picture: image1D = image(0, "R32F")):  # type: ignore[no-untyped-def]
        image_store(picture, image_size(picture) - 1, vec4(1.0))

    @compute_shader()
    def lines(picture: image1DArray = image(0, "R32F")):  # type: ignore[no-untyped-def]
        image_store(picture, image_size(picture) - 1, vec4(1.0))

    @compute_shader()
    def volume(picture: image3D = image(0, "R32F")):  # type: ignore[no-untyped-def]
        image_store(picture, image_size(picture) - 1, vec4(1.0))

    @compute_shader()
    def sampled(picture: image2DMS = image(0, "R32F")):  # type: ignore[no-untyped-def]
        image_store(picture, image_size(picture) - 1, 1, vec4(1.0))

    shaders = {"1d": line, "1d_array": lines, "3d": volume, "ms": sampled}
    makers: dict[str, Callable[[Device], Texture]] = {
        "1d": lambda d: d.texture("R32F", 4, target="1D"),
        "1d_array": lambda d: d.texture("R32F", 4, 3, target="1D_ARRAY"),
        "3d": lambda d: d.texture("R32F", 4, 3, 2, target="3D"),
        "ms": lambda d: d.texture("R32F", 4, 3, samples=2, target="2D_MULTISAMPLE"),
    }

    def scene(device: Device) -> None:
        picture = makers[kind](device)
        commands = device.command_buffer()
        bind_image(device, commands, "COMPUTE", 0, picture)
        commands.bind_program(device.program(compute=shaders[kind]), "COMPUTE")
        commands.dispatch_compute(1)
        device.queue().submit(commands)
        picture.read_texels("picture")

    found = results(scene)["picture"].view("<f4")
    expected = np.zeros(found.size, np.float32)
    expected[-1] = 1.0
    assert found.tolist() == expected.tolist()


def test_integers_saturate_as_in_a_draw() -> None:
    """Signed bytes of an image hold -128 to 127."""

    @compute_shader()
    def large(picture: iimage2D = image(0, "RGBA8I")):  # type: ignore[no-untyped-def]
        image_store(picture, ivec2(0, 0), ivec4(-200, 200, -1, 127))

    scene = image_scene(large, lambda d: d.texture("RGBA8I", 1, 1))
    assert results(scene)["picture"].view(np.int8).tolist() == [-128, 127, -1, 127]


@pytest.mark.rule("REPLAY-COMPUTE-1")
def test_a_clear_comes_before_the_dispatch_that_follows() -> None:
    """Row clear-before-dispatch: 1.0 becomes 2.0."""

    @compute_shader(local_size=(4, 4, 1))
    def doubled(picture: image2D = image(0, "R32F")):  # type: ignore[no-untyped-def]
        at = ivec2(gl.local_invocation_id.xy)
        image_store(picture, at, image_load(picture, at) * 2.0)

    def scene(device: Device) -> None:
        picture = device.texture("R32F", 4, 4)
        commands = device.command_buffer()
        bind_image(device, commands, "COMPUTE", 0, picture)
        commands.bind_program(device.program(compute=doubled), "COMPUTE")
        commands.set_render_targets([picture])
        commands.clear_color(0, (1.0, 0.0, 0.0, 0.0))
        commands.barrier("ORDER_FRAGMENTS")
        commands.dispatch_compute(1)
        device.queue().submit(commands)
        picture.read_texels("picture")

    assert results(scene)["picture"].view("<f4").tolist() == [2.0] * 16


@pytest.mark.rule("REPLAY-IMAGE-9")
def test_stores_into_an_attachment_of_the_pass_stay() -> None:
    """Row image-store-own-att: 200 in all four layers, layer 1 being the target with nothing written."""

    @fragment_shader
    def everywhere(picture: image2DArray = image(0, "RGBA8")):  # type: ignore[no-untyped-def]
        for layer in range(4):
            at = ivec3(int(gl.frag_coord.x), int(gl.frag_coord.y), layer)
            image_store(picture, at, vec4(200.0 / 255.0))
        return vec4(0.0)

    def scene(device: Device) -> None:
        picture = device.texture("RGBA8", SIZE, SIZE, 4, target="2D_ARRAY")
        picture.write_texels(bytes([10]) * (SIZE * SIZE * 4 * 4))
        commands = device.command_buffer()
        bind_image(device, commands, "FRAGMENT", 0, picture)
        commands.set_render_targets([picture], color_views=[TextureView().set_layers(1, 1)])
        commands.set_viewport(0, 0, SIZE, SIZE)
        commands.bind_channel_mask_state(ChannelMaskState().set_channel_mask(0, False, False, False, False))
        commands.bind_program(device.program(covering, everywhere))
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        picture.read_texels("picture")

    assert set(results(scene)["picture"].tolist()) == {200}


def test_a_storage_buffer_over_the_own_target_is_refused() -> None:
    """Texels that a draw holds, and words that its shader changes, are not brought together."""

    @fragment_shader
    def both(out: Out):  # type: ignore[no-untyped-def]
        out.words[3] = 5
        return vec4(1.0)

    def scene(device: Device) -> None:
        target = device.texture("RGBA8", 64, SIZE)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.set_viewport(0, 0, 64, SIZE)
        commands.bind_program(device.program(covering, both))
        start = target.get_memory_pool().get_buffer_address() + target.get_memory_offset()
        commands.bind_storage_buffer("FRAGMENT", 0, start, 2048)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)

    with pytest.raises(ReplayError, match="stored to bytes of a target of its own draw") as caught:
        results(scene)
    assert isinstance(caught.value.__cause__, NotReplayed)


@pytest.mark.rule("REPLAY-IMAGE-8")
def test_eight_image_slots_each_hold_their_own() -> None:
    """Row s4-3b-image."""

    def slot_shader(slot: int) -> object:
        @compute_shader()
        def stored(number: Number, picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
            image_store(picture, ivec2(0, 0), uvec4(number.value))

        made = to_object(stored)
        made["images"][0]["binding"] = slot
        for statement in made["statements"]:
            if statement["do"] == "store_image":
                statement["binding"] = slot
        return from_object(made)

    def scene(device: Device) -> None:
        pictures = [device.texture("R32UI", 1, 1) for _ in range(8)]
        numbers = device.buffer(np.repeat(np.arange(8, dtype="<u4") + 70, 64).tobytes())
        commands = device.command_buffer()
        for slot, picture in enumerate(pictures):
            bind_image(device, commands, "COMPUTE", slot, picture)
        for slot in range(8):
            commands.bind_program(device.program(compute=slot_shader(slot)), "COMPUTE")
            commands.bind_uniform_buffer("COMPUTE", 1, numbers.get_address() + 256 * slot, 256)
            commands.dispatch_compute(1)
        device.queue().submit(commands)
        for slot, picture in enumerate(pictures):
            picture.read_texels(f"picture{slot}")

    found = results(scene)
    assert [words(found[f"picture{slot}"]) for slot in range(8)] == [[70 + slot] for slot in range(8)]


@compute_shader()
def counted_groups(out: Out):  # type: ignore[no-untyped-def]
    """Say which workgroup came how manieth."""
    out.words[gl.work_group_id.x] = atomic_add(out.words[7], 1)


@pytest.mark.rule("SHADER-ORDER-1")
def test_the_order_of_one_place_is_a_world() -> None:
    """Which lane stores last is not said."""

    @compute_shader(local_size=(4, 1, 1))
    def last(out: Out):  # type: ignore[no-untyped-def]
        out.words[0] = gl.local_invocation_index

    turned = NVN.with_(memory_order=MemoryOrder.REVERSED)
    assert dispatched(last, nothing)[0] == 3
    assert dispatched(last, nothing, rules=turned)[0] == 0
    assert dispatched(counted_groups, nothing, groups=(3, 1, 1))[:3] == [0, 1, 2]
    assert dispatched(counted_groups, nothing, groups=(3, 1, 1), rules=turned)[:3] == [2, 1, 0]


@pytest.mark.rule("REPLAY-IMAGE-11")
def test_an_image_slot_with_nothing_bound_loads_as_a_texture_slot_does_and_keeps_nothing() -> None:
    """Zero in four channels, or one; a texel that was changed there was the same."""

    @compute_shader()
    def loaded(out: Out, picture: image2D = image(3, "R32F"), numbers: uimage2D = image(4, "R32UI")):  # type: ignore[no-untyped-def]
        image_store(picture, ivec2(0, 0), vec4(0.5))
        out.words[0] = float_bits_to_uint(image_load(picture, ivec2(0, 0)).w)
        out.words[1] = image_load(numbers, ivec2(0, 0)).x
        out.words[2] = image_atomic_add(numbers, ivec2(0, 0), uint(7))

    assert dispatched(loaded, nothing)[:3] == [0, 0, 0]
    ones = NVN.with_(unbound_texture=UnboundTexture.ONES)
    assert dispatched(loaded, nothing, rules=ones)[:3] == [0x3F800000, 1, 1]


@pytest.mark.rule("REPLAY-IMAGE-12")
def test_a_textures_word_is_no_images() -> None:
    """Combined slot 35 is the word of image slot 3: what an image instruction finds there is not guessed."""

    @compute_shader()
    def loaded(out: Out, picture: image2D = image(3, "R32F")):  # type: ignore[no-untyped-def]
        out.words[0] = float_bits_to_uint(image_load(picture, ivec2(0, 0)).x)

    def scene(device: Device) -> None:
        commands, pool, samplers = device.command_buffer(), device.texture_pool(512), device.sampler_pool()
        commands.set_texture_pool(pool)
        commands.set_sampler_pool(samplers)
        number = pool.register_texture(None, device.texture("R32F", 2, 2))
        handle = device.get_texture_handle(number, samplers.register_sampler_builder(None, SamplerBuilder()))
        commands.bind_texture("COMPUTE", 35, handle)
        commands.bind_program(device.program(compute=loaded), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, device.buffer(16))
        commands.dispatch_compute(1)
        device.queue().submit(commands)

    with pytest.raises(ReplayError, match="image slot 3 while combined slot 35 holds a texture"):
        results(scene)


@pytest.mark.parametrize("bound", ["storage", "image"])
def test_what_is_reached_and_not_bound_is_named(bound: str) -> None:
    """The slot, the stage, and what to call: storage goes by address, and nothing says how large no image is."""

    @compute_shader()
    def stored(picture: image2D = image(3, "R32F")):  # type: ignore[no-untyped-def]
        image_store(picture, image_size(picture), vec4(1.0))

    def scene(device: Device) -> None:
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=sixteen if bound == "storage" else stored), "COMPUTE")
        commands.dispatch_compute(1)
        device.queue().submit(commands)

    slot = {"storage": "storage slot 0 .* call bind_storage_buffer", "image": "image slot 3 .* call bind_image"}
    with pytest.raises(ReplayError, match=slot[bound]) as caught:
        results(scene)
    assert isinstance(caught.value.__cause__, UnknownBehaviour)


@pytest.mark.parametrize(
    ("shader", "groups", "complaint"),
    [
        (sixteen, (65535, 65535), "4194304 in one are allowed"),
        (counting, (256, 256), "65536 workgroups that may see what others store; 32768 in one are allowed"),
    ],
)
def test_work_is_bounded(shader: object, groups: tuple[int, int], complaint: str) -> None:
    """More invocations, or workgroups one after another, than a replay runs are refused before any runs."""

    def scene(device: Device) -> None:
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=shader), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, device.buffer(64))
        commands.dispatch_compute(*groups)
        device.queue().submit(commands)

    with pytest.raises(ReplayError, match=complaint):
        results(scene)


def test_primitives_one_after_another_are_bounded() -> None:
    """A draw of more of them is refused."""

    @fragment_shader
    def counted(out: Out):  # type: ignore[no-untyped-def]
        out.words[0] += 1

    def scene(device: Device) -> None:
        commands = device.command_buffer()
        commands.set_viewport(0, 0, 1, 1)
        commands.bind_program(device.program(covering, counted))
        commands.bind_storage_buffer("FRAGMENT", 0, device.buffer(4))
        commands.draw_arrays("POINTS", 0, 65537)
        device.queue().submit(commands)

    with pytest.raises(ReplayError, match="65537 points that may see what others store; 65536 in a draw are allowed"):
        results(scene)
