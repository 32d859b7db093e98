"""Producers and consumers of every kind: which barrier settles what a dispatch stores, and what is open before."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from goldens.storing import SIZE, Out, Storing
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.scene import Scene, record
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.replay.run import Results, replay
from refnvn.rules.fields import NVN, UnorderedReads, watch
from refnvn.shader.python import (
    Array,
    Storage,
    Uniform,
    attribute,
    compute_shader,
    fragment_shader,
    gl,
    image,
    image2D,
    image_load,
    image_store,
    ivec2,
    uint,
    vec4,
    vertex_shader,
)

OLDEST = NVN.with_(unordered_reads=UnorderedReads.OLDEST)
LATER = NVN.with_(unordered_reads=UnorderedReads.LATER)
Consume = Callable[[Device, Storing, Buffer], None]


class Source(Storage, binding=1):
    """Words of storage slot 1."""

    words: Array[uint]  # type: ignore[type-arg]


class Block(Uniform, binding=0):
    """One word of uniform slot 0."""

    word: uint


@compute_shader()
def three(out: Out):  # type: ignore[no-untyped-def]
    """Store 3 to the first word, 1 to the second."""
    out.words[0] = uint(3)
    out.words[1] = uint(1)


@compute_shader()
def copied(out: Out, source: Source):  # type: ignore[no-untyped-def]
    """Copy a word."""
    out.words[0] = source.words[0]


@compute_shader()
def copied_uniform(out: Out, block: Block):  # type: ignore[no-untyped-def]
    """Copy a word of a uniform buffer."""
    out.words[0] = block.word


@compute_shader()
def group_count(out: Out):  # type: ignore[no-untyped-def]
    """Store how many workgroups there are."""
    out.words[0] = gl.num_work_groups.x


def by_storage(_device: Device, storing: Storing, produced: Buffer) -> None:
    """Read by a storage load of a dispatch."""
    storing.compute(copied)
    storing.commands.bind_storage_buffer("COMPUTE", 1, produced)
    storing.commands.dispatch_compute(1)


def by_uniform(_device: Device, storing: Storing, produced: Buffer) -> None:
    """Read through a uniform buffer."""
    storing.compute(copied_uniform)
    storing.commands.bind_uniform_buffer("COMPUTE", 0, produced)
    storing.commands.dispatch_compute(1)


def by_record(_device: Device, storing: Storing, produced: Buffer) -> None:
    """Read as the record of an indirect dispatch, of which the other words are 1."""
    storing.compute(group_count)
    storing.commands.dispatch_compute_indirect(produced)


def produce_and_consume(consume: Consume, *barriers: str) -> Scene:
    """Return a scene: a dispatch stores 3 where 2 was, barriers, and a consumer whose word is read back."""

    def scene(device: Device) -> None:
        produced, seen = device.buffer(np.array([2, 1, 1, 0], np.uint32)), device.buffer(np.zeros(4, np.uint32))
        storing = Storing(device)
        storing.compute(three)
        storing.commands.bind_storage_buffer("COMPUTE", 0, produced)
        storing.commands.dispatch_compute(1)
        for barrier in barriers:
            storing.commands.barrier(barrier)
        storing.commands.bind_storage_buffer("COMPUTE", 0, seen)
        consume(device, storing, produced)
        storing.submit()
        seen.read("seen")

    return scene


def run(scene: Scene, rules=NVN) -> Results:  # type: ignore[no-untyped-def]
    """Record and replay."""
    trace = record(scene)
    return replay(trace.recording, trace.blobs, rules)


def word(results: Results) -> int:
    """Return the first word that was read back."""
    words: NDArray[np.uint32] = results["seen"].view(np.uint32)
    return int(words[0])


@pytest.mark.rule("ORDER-PRIMITIVES-1", "ORDER-CACHE-1", "ORDER-READ-1")
@pytest.mark.parametrize(
    ("consume", "barriers"),
    [
        (by_storage, ("ORDER_PRIMITIVES",)),
        (by_uniform, ("ORDER_PRIMITIVES | INVALIDATE_SHADER",)),
        (by_record, ("ORDER_PRIMITIVES | ORDER_INDIRECT_DATA",)),
        (by_record, ("ORDER_PRIMITIVES", "ORDER_INDIRECT_DATA")),
    ],
)
def test_a_consumer_sees_what_its_barrier_settles(consume: Consume, barriers: tuple[str, ...]) -> None:
    """Nothing is open, in no setting."""
    rules = watch(NVN)
    assert word(run(produce_and_consume(consume, *barriers), rules)) == 3
    assert "unordered_reads" not in rules.read
    assert word(run(produce_and_consume(consume, *barriers), OLDEST)) == 3


@pytest.mark.rule("ORDER-PRIMITIVES-1", "ORDER-CACHE-1", "ORDER-READ-1")
@pytest.mark.parametrize(
    ("consume", "barriers"),
    [
        (by_storage, ()),
        (by_storage, ("ORDER_FRAGMENTS",)),
        (by_uniform, ("ORDER_PRIMITIVES",)),
        (by_uniform, ("INVALIDATE_SHADER", "ORDER_PRIMITIVES")),
        (by_record, ("ORDER_PRIMITIVES",)),
        (by_record, ("ORDER_INDIRECT_DATA",)),
    ],
)
def test_a_consumer_may_miss_what_nothing_settles(consume: Consume, barriers: tuple[str, ...]) -> None:
    """The newest by NVN's setting; what was there before by another."""
    rules = watch(NVN)
    assert word(run(produce_and_consume(consume, *barriers), rules)) == 3
    assert "unordered_reads" in rules.read
    assert word(run(produce_and_consume(consume, *barriers), OLDEST)) == 2


def test_copies_and_updates_need_no_barrier() -> None:
    """A fill, a copy or an update is seen by what follows, and sees what is before."""

    def scene(device: Device) -> None:
        produced, seen = device.buffer(np.array([2, 1, 1, 0], np.uint32)), device.buffer(np.zeros(4, np.uint32))
        storing = Storing(device)
        commands = storing.commands
        commands.bind_storage_buffer("COMPUTE", 0, seen)
        commands.clear_buffer(produced, 4, 7)
        by_storage(device, storing, produced)
        commands.copy_buffer_to_buffer(seen, produced)
        commands.update_uniform_buffer(produced, None, 0, np.array([9], np.uint32))
        by_uniform(device, storing, produced)
        storing.submit()
        seen.read("seen")
        produced.read("produced")

    rules = watch(NVN)
    assert word(run(scene, rules)) == 9
    assert "unordered_reads" not in rules.read


@pytest.mark.rule("ORDER-LATER-1")
@pytest.mark.parametrize(
    ("barrier", "is_open"), [("ORDER_PRIMITIVES", False), ("ORDER_FRAGMENTS", True), (None, True)]
)
def test_a_later_store_may_reach_a_read_that_nothing_protects(barrier: str | None, is_open: bool) -> None:
    """A dispatch reads 2, the next stores 3: 2 by NVN's setting, 3 by another unless a barrier protects it."""

    def scene(device: Device) -> None:
        produced, seen = device.buffer(np.array([2, 1, 1, 0], np.uint32)), device.buffer(np.zeros(4, np.uint32))
        storing = Storing(device)
        storing.commands.bind_storage_buffer("COMPUTE", 0, seen)
        by_storage(device, storing, produced)
        if barrier is not None:
            storing.commands.barrier(barrier)
        storing.compute(three)
        storing.commands.bind_storage_buffer("COMPUTE", 0, produced)
        storing.commands.dispatch_compute(1)
        storing.submit()
        seen.read("seen")

    rules = watch(NVN)
    assert word(run(scene, rules)) == 2
    assert ("unordered_reads" in rules.read) == is_open
    assert word(run(scene, LATER)) == (3 if is_open else 2)


def test_vertices_that_a_dispatch_stores_need_an_order() -> None:
    """Attributes are read through no cache: ORDER_PRIMITIVES settles them."""

    def scene_with(*barriers: str) -> Scene:
        def scene(device: Device) -> None:
            target = device.texture("RGBA8", SIZE, SIZE)
            places = np.zeros((2, 3, 4), np.float32)
            places[0] = [(-1, -1, 0, 1), (3, -1, 0, 1), (-1, 3, 0, 1)]
            source, vertices = device.buffer(places[0]), device.buffer(places[1])
            storing = Storing(device)
            commands = storing.commands
            storing.compute(all_words)
            commands.bind_storage_buffer("COMPUTE", 1, source)
            commands.bind_storage_buffer("COMPUTE", 0, vertices)
            commands.dispatch_compute(12)
            for barrier in barriers:
                commands.barrier(barrier)
            storing.draw_with(white, target)
            commands.bind_program(device.program(placed, white))
            commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", 0)])
            commands.bind_vertex_stream_state([VertexStreamState().set_stride(16)])
            commands.bind_vertex_buffer(0, vertices)
            commands.draw_arrays("TRIANGLES", 0, 3)
            storing.submit()
            target.read_texels("target")

        return scene

    for barriers, oldest in (((), 0), (("ORDER_PRIMITIVES",), 255)):
        assert run(scene_with(*barriers))["target"].min() == 255
        assert run(scene_with(*barriers), OLDEST)["target"].max() == oldest


@compute_shader()
def all_words(out: Out, source: Source):  # type: ignore[no-untyped-def]
    """Copy one word for each workgroup."""
    out.words[gl.work_group_id.x] = source.words[gl.work_group_id.x]


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0)


@vertex_shader
def placed(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position on."""
    return position


@compute_shader(local_size=(8, 8, 1))
def load_to_copy(seen: image2D = image(0, "R32F"), copy: image2D = image(1, "R32F")):  # type: ignore[no-untyped-def]
    """Copy texels."""
    at = ivec2(gl.local_invocation_id.xy)
    image_store(copy, at, image_load(seen, at))


@compute_shader(local_size=(8, 8, 1))
def store_five(seen: image2D = image(0, "R32F")):  # type: ignore[no-untyped-def]
    """Store 5."""
    image_store(seen, ivec2(gl.local_invocation_id.xy), vec4(5.0))


@pytest.mark.rule("ORDER-LATER-1")
@pytest.mark.parametrize(("barrier", "is_open"), [("ORDER_PRIMITIVES", False), (None, True)])
def test_a_later_image_store_may_reach_an_earlier_load(barrier: str | None, is_open: bool) -> None:
    """A dispatch copies zeros, the next stores 5: the copy is zero, or 5 by another setting."""

    def scene(device: Device) -> None:
        picture, copy = device.texture("R32F", SIZE, SIZE), device.texture("R32F", SIZE, SIZE)
        storing = Storing(device)
        storing.bind_image("COMPUTE", 0, picture)
        storing.bind_image("COMPUTE", 1, copy)
        for shader in (load_to_copy, store_five):
            storing.compute(shader)
            storing.commands.dispatch_compute(1)
            if barrier is not None:
                storing.commands.barrier(barrier)
        storing.submit()
        copy.read_texels("copy")

    rules = watch(NVN)
    assert np.unique(run(scene, rules)["copy"].view(np.float32)).tolist() == [0.0]
    assert ("unordered_reads" in rules.read) == is_open
    assert np.unique(run(scene, LATER)["copy"].view(np.float32)).tolist() == ([5.0] if is_open else [0.0])


@fragment_shader
def one_more(out: Out):  # type: ignore[no-untyped-def]
    """Add one to a word of each pixel, by load and store."""
    at = 8 * int(gl.frag_coord.y) + int(gl.frag_coord.x)
    out.words[at] += 1


def test_fragments_that_load_and_store_compose_behind_fragment_barriers() -> None:
    """Three draws that add one with 0x2 between: 3 in every setting, nothing is open."""

    def scene(device: Device) -> None:
        out = device.buffer(np.zeros(SIZE * SIZE, np.uint32))
        storing = Storing(device)
        storing.commands.bind_storage_buffer("FRAGMENT", 0, out)
        storing.draw_with(one_more)
        for _ in range(3):
            storing.cover()
            storing.commands.barrier("ORDER_FRAGMENTS")
        storing.submit()
        out.read("seen")

    rules = watch(NVN)
    assert np.unique(run(scene, rules)["seen"].view(np.uint32)).tolist() == [3]
    assert "unordered_reads" not in rules.read


def stored_condition(*barriers: str) -> Scene:
    """Return a scene: a dispatch makes two counters equal, barriers, and a clear to 255 where they are."""

    def scene(device: Device) -> None:
        counters = device.buffer(np.array([2, 0, 3 | 1 << 32, 0], np.uint64))
        target = device.texture("R8", 1, 1)
        storing = Storing(device)
        storing.compute(three)
        storing.commands.bind_storage_buffer("COMPUTE", 0, counters)
        storing.commands.set_render_targets([target])
        storing.commands.dispatch_compute(1)
        for barrier in barriers:
            storing.commands.barrier(barrier)
        storing.commands.set_render_enable_conditional("RENDER_IF_EQUAL", counters)
        storing.commands.clear_color(0, (1, 0, 0, 0))
        storing.submit()
        target.read_texels("seen")

    return scene


def counted_condition(counter: str, *barriers: str) -> Scene:
    """Return a scene: a report makes counters of 7 and 0 equal, barriers, and a clear to 255 where they are."""

    def scene(device: Device) -> None:
        counters = device.buffer(np.array([7, 0, 0, 0], np.uint64))
        target = device.texture("R8", 1, 1)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.reset_counter("SAMPLES_PASSED")
        commands.report_counter(counter, counters)
        for barrier in barriers:
            commands.barrier(barrier)
        commands.set_render_enable_conditional("RENDER_IF_EQUAL", counters)
        commands.clear_color(0, (1, 0, 0, 0))
        device.queue().submit(commands)
        target.read_texels("seen")

    return scene


CONDITIONS = [
    (stored_condition("ORDER_PRIMITIVES"), True),
    (stored_condition(), False),
    (stored_condition("ORDER_FRAGMENTS | ORDER_INDIRECT_DATA"), False),
    (counted_condition("TIMESTAMP"), True),
    (counted_condition("TIMESTAMP_TOP"), True),
    (counted_condition("SAMPLES_PASSED", "ORDER_PRIMITIVES"), True),
    (counted_condition("SAMPLES_PASSED"), False),
    (counted_condition("SAMPLES_PASSED", "ORDER_FRAGMENTS"), False),
]


@pytest.mark.rule("ORDER-CONDITION-1", "ORDER-REPORT-1")
@pytest.mark.parametrize(("scene", "settled"), CONDITIONS)
def test_a_condition_sees_what_an_order_of_primitives_settles(scene: Scene, settled: bool) -> None:
    """Titles set no barrier behind timestamps; stores and samples passed may be missed: then the words differ."""
    rules = watch(NVN)
    assert run(scene, rules)["seen"].tolist() == [255]
    assert ("unordered_reads" in rules.read) is not settled
    assert run(scene, OLDEST)["seen"].tolist() == [255 if settled else 0]


@pytest.mark.rule("ORDER-CONDITION-1")
def test_a_condition_sees_nothing_that_is_stored_later() -> None:
    """The command processor has compared before it starts what comes behind the condition."""

    def scene(device: Device) -> None:
        counters = device.buffer(np.array([2, 0, 2, 0], np.uint64))
        target = device.texture("R8", 1, 1)
        storing = Storing(device)
        storing.compute(three)
        storing.commands.bind_storage_buffer("COMPUTE", 0, counters)
        storing.commands.set_render_targets([target])
        storing.commands.set_render_enable_conditional("RENDER_IF_EQUAL", counters)
        storing.commands.clear_color(0, (1, 0, 0, 0))
        storing.commands.dispatch_compute(1)
        storing.submit()
        target.read_texels("seen")

    assert run(scene, LATER)["seen"].tolist() == [255]


@pytest.mark.parametrize(("barriers", "settled"), [(("ORDER_PRIMITIVES | ORDER_INDIRECT_DATA",), True), ((), False)])
def test_a_captured_count_is_read_as_indirect_data(barriers: tuple[str, ...], settled: bool) -> None:
    """A dispatch stores where a draw finds how many vertices were captured: 3, or the 0 from before."""

    def scene(device: Device) -> None:
        control, target = device.buffer(32), device.texture("R8", 1, 1)
        storing = Storing(device)
        storing.compute(three)
        storing.commands.bind_storage_buffer("COMPUTE", 0, control.get_address(16), 16)
        storing.commands.dispatch_compute(1)
        for barrier in barriers:
            storing.commands.barrier(barrier)
        storing.draw_with(white, target, width=1, height=1)
        storing.commands.draw_transform_feedback("TRIANGLES", control)
        storing.submit()
        target.read_texels("seen")

    assert run(scene)["seen"].tolist() == [255]
    assert run(scene, OLDEST)["seen"].tolist() == [255 if settled else 0]
