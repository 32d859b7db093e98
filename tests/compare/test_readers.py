"""Who read a byte or a texel: every kind of reader is told, at its own command, with what it read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from goldens.drawing import depth_state, draw_rectangle, set_up_drawing
from goldens.sampling import Sampling
from goldens.storing import Out, Storing
from refnvn.commands.recording import pool_base_B
from refnvn.compare.history import History, history_of
from refnvn.compare.history_words import history_lines, history_object, read_words
from refnvn.compare.moments import BytesPlace, Read, SamplePlace
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import SamplerBuilder
from refnvn.nvn.scene import record
from refnvn.nvn.states import BlendState, ColorState, VertexAttribState, VertexStreamState
from refnvn.nvn.sync import Event, EventBuilder
from refnvn.nvn.texture import TextureView
from refnvn.shader.python import (
    Array,
    Storage,
    Uniform,
    atomic_add,
    attribute,
    binding,
    compute_shader,
    fragment_shader,
    gl,
    image,
    image_load,
    ivec2,
    sampler2D,
    texel_fetch,
    texture,
    uimage2D,
    uint,
    varying,
    vec2,
    vec4,
    vertex_shader,
)
from refnvn.trace.files import Trace

Places = dict[str, int]
"""GPU addresses by name, filled in by a scene."""
WHOLE = (-1.0, -1.0, 1.0, 1.0)


def made(scene: Callable[[Device, Places], None]) -> tuple[Trace, Places]:
    """Return the trace of a scene, and the addresses that it names."""
    addresses: Places = {}
    trace = record(lambda device: scene(device, addresses), "scene")
    return trace, addresses


def bytes_at(trace: Trace, address: int, size_B: int) -> BytesPlace:
    """Return the place of bytes at a GPU address."""
    for number, pool in enumerate(trace.recording.pools):
        offset_B = address - pool_base_B(number)
        if 0 <= offset_B < pool.size_B:
            return BytesPlace(pool=number, offset_B=offset_B, size_B=size_B)
    raise AssertionError(address)


def life(scene: Callable[[Device, Places], None], name: str, offset_B: int, size_B: int = 4) -> History:
    """Return the life of bytes of a buffer of a scene."""
    trace, addresses = made(scene)
    return history_of(trace, bytes_at(trace, addresses[name] + offset_B, size_B))


def told(history: History) -> list[tuple[str, str]]:
    """Return each reading with its command or event."""
    return [
        (moment.step.words.rpartition(") ")[2] if moment.step.number else moment.step.event_name, read_words(one))
        for moment in history.moments
        for one in moment.reads
    ]  # fmt: skip


class Colour(Uniform, binding=2):
    """Two words, of which a shader reads the second."""

    unread: vec4
    tint: vec4


@vertex_shader
def two_attributes(position: vec2 = attribute(0), offset: vec2 = attribute(1)):  # type: ignore[no-untyped-def]
    """Move a corner."""
    return vec4(position + offset, 0.0, 1.0)


@fragment_shader
def tinted(colour: Colour):  # type: ignore[no-untyped-def]
    """Write the second word's colour."""
    return colour.tint


def indexed_draw(device: Device, addresses: Places) -> None:
    """Draw one triangle of three vertices by the indices 2, 0, 1, at an offset that instances share."""
    target = device.texture("RGBA8", 4, 4)
    vertices = device.buffer(np.array([[-1, -1], [3, -1], [-1, 3], [9, 9]], np.float32))
    offsets, colour = device.buffer(np.zeros((2, 2), np.float32)), device.buffer(np.ones(8, np.float32))
    indices = device.buffer(np.array([3, 2, 0, 1], np.uint16))
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.set_viewport(0, 0, 4, 4)
    commands.set_scissor(0, 0, 4, 4)
    commands.bind_program(device.program(two_attributes, tinted))
    attribs = [VertexAttribState().set_format("RG32F", 0), VertexAttribState().set_format("RG32F", 0)]
    commands.bind_vertex_attrib_state([attribs[0], attribs[1].set_stream_index(1)])
    streams = [VertexStreamState().set_stride(8), VertexStreamState().set_stride(8).set_divisor(1)]
    commands.bind_vertex_stream_state(streams)
    commands.bind_vertex_buffer(0, vertices)
    commands.bind_vertex_buffer(1, offsets)
    commands.bind_uniform_buffer("FRAGMENT", 2, colour)
    commands.draw_elements("TRIANGLES", "SHORT", 3, indices.get_address(2))
    device.queue().submit(commands)
    target.read_texels("target")
    for name, buffer in (("vertices", vertices), ("offsets", offsets), ("colour", colour), ("indices", indices)):
        addresses[name] = buffer.get_address()


@pytest.mark.parametrize(
    ("name", "offset_B", "expected"),
    [
        ("vertices", 8, ["vertex fetch: attribute 0 of stream 0 (vertex 1)"]),
        ("vertices", 12, ["vertex fetch: attribute 0 of stream 0 (vertex 1)"]),
        ("vertices", 24, []),
        ("offsets", 4, ["vertex fetch: attribute 1 of stream 1 (instance 0)"]),
        ("offsets", 8, []),
        ("indices", 0, ["index fetch: indices (index 0)"]),
        ("indices", 4, ["index fetch: indices (index 1, 2)"]),
        ("colour", 0, []),
        ("colour", 20, ["uniform block: block 2 of the fragment shader"]),
    ],
)
def test_a_draw_reads_vertices_indices_and_uniforms(name: str, offset_B: int, expected: list[str]) -> None:
    """Four bytes: of vertex 1, not of 3, which no index names; of indices 2, 0, 1 from byte 2 on; of what is used."""
    assert told(life(indexed_draw, name, offset_B)) == [("DrawElements", words) for words in expected]


class Source(Storage, binding=1):
    """Words of storage slot 1."""

    words: Array[uint]  # type: ignore[type-arg]


@compute_shader()
def loads_and_counts(out: Out, source: Source):  # type: ignore[no-untyped-def]
    """Load word 2 and add to word 0."""
    atomic_add(out.words[0], source.words[2])


def dispatch(device: Device, addresses: Places) -> None:
    """Let three workgroups load word 2 of one buffer and add it to word 0 of another."""
    source, sums = device.buffer(np.arange(4, dtype=np.uint32)), device.buffer(np.zeros(4, np.uint32))
    storing = Storing(device)
    storing.compute(loads_and_counts)
    storing.commands.bind_storage_buffer("COMPUTE", 0, sums)
    storing.commands.bind_storage_buffer("COMPUTE", 1, source)
    storing.commands.dispatch_compute(3)
    storing.submit()
    sums.read("sums")
    addresses |= {"source": source.get_address(), "sums": sums.get_address()}


def test_a_dispatch_loads_and_changes_words() -> None:
    """Each of three workgroups loads word 2, and none another one; the sum is 3 times 2, and read back."""
    loaded = life(dispatch, "source", 8)
    assert told(loaded) == [("DispatchCompute", "storage load: storage buffer 1 of the compute shader (3 times)")]
    assert not told(life(dispatch, "source", 4))
    sums = life(dispatch, "sums", 0)
    assert told(sums) == [
        ("DispatchCompute", "atomic access: storage buffer 0 of the compute shader (3 times)"),
        ("ReadMemory 'sums'", "processor"),
    ]
    assert sums.last == bytes([6, 0, 0, 0])


@fragment_shader
def sampled(at: vec4 = varying(0), tex: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample at the coordinates."""
    return texture(tex, at.xy)


@fragment_shader
def fetched(at: vec4 = varying(0), tex: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch the own column of row 0 of level 1."""
    return texel_fetch(tex, ivec2(int(gl.frag_coord.x), 0), 1)


def sampling(shader: object, filtered: str = "NEAREST") -> Callable[[Device], None]:
    """Return a scene that draws 2 pixels whose coordinates are x = 1/4 and 3/4 in the first row of 4x4 texels."""

    def scene(device: Device) -> None:
        content = device.texture("RGBA8", 4, 4, levels=2)
        sampling = Sampling(device)
        sampling.target("RGBA8", 2, 1)
        sampling.bind(0, content, SamplerBuilder().set_min_mag_filter(filtered, filtered))
        sampling.draw(shader, (0.0, 0.0, 1.0, 0.25))  # type: ignore[arg-type]
        sampling.submit()

    return scene


@pytest.mark.parametrize(
    ("shader", "filtered", "level", "read"),
    [
        (sampled, "NEAREST", 0, {(1, 0), (3, 0)}),
        (sampled, "LINEAR", 0, {(0, 0), (1, 0), (2, 0), (3, 0)}),
        (fetched, "NEAREST", 1, {(0, 0), (1, 0)}),
    ],
    ids=["nearest", "linear", "fetched"],
)
def test_a_sample_reads_the_texels_of_its_footprint(
    shader: object, filtered: str, level: int, read: set[tuple[int, int]]
) -> None:
    """Coordinates 1 and 3 texels from the left, half a texel from the top: texel 1 and 3; filtered 0, 1 and 2, 3."""
    trace = record(sampling(shader, filtered), "sampling")
    size = 4 >> level
    found = {
        (x, y)
        for y in range(size)
        for x in range(size)
        if told(history_of(trace, SamplePlace(texture=0, x=x, y=y, level=level)))
    }
    assert found == read


@compute_shader(local_size=(2, 1, 1))
def image_copied(out: Out, picture: uimage2D = image(3, "R32UI")):  # type: ignore[no-untyped-def]
    """Load texels 1 and 2 of row 1."""
    out.words[gl.local_invocation_id.x] = image_load(picture, ivec2(int(gl.local_invocation_id.x) + 1, 1)).x


def image_dispatch(device: Device) -> None:
    """Load two texels of layer 1 of an array of 4x4 images."""
    content = device.texture("R32UI", 4, 4, target="2D_ARRAY", depth=2)
    storing = Storing(device)
    storing.compute(image_copied)
    storing.bind_image("COMPUTE", 3, content, TextureView().set_target("2D").set_layers(1, 1))
    storing.commands.bind_storage_buffer("COMPUTE", 0, device.buffer(16))
    storing.commands.dispatch_compute(1)
    storing.submit()


def test_an_image_load_reads_its_texels() -> None:
    """Texels (1, 1) and (2, 1) of layer 1 alone."""
    trace = record(image_dispatch, "images")
    found = {
        (x, y, layer)
        for layer in range(2)
        for y in range(4)
        for x in range(4)
        if told(history_of(trace, SamplePlace(texture=0, x=x, y=y, layer=layer)))
    }
    assert found == {(1, 1, 1), (2, 1, 1)}
    (moment,) = history_of(trace, SamplePlace(texture=0, x=1, y=1, layer=1)).moments
    assert read_words(moment.reads[0]) == "image load: image 3 of the compute shader"


def copies(device: Device, addresses: Places) -> None:
    """Copy bytes to bytes, rows of 4 texels at a stride of 8 bytes to a texture, and a part of that to bytes."""
    source, other = device.buffer(np.arange(32, dtype=np.uint8)), device.buffer(32)
    picture = device.texture("R8", 4, 4)
    commands = device.command_buffer()
    commands.copy_buffer_to_buffer(source.get_address(4), other, 8)
    commands.set_copy_row_stride(8)
    commands.copy_buffer_to_texture(source, picture)
    commands.set_copy_row_stride(0)
    commands.copy_texture_to_buffer(picture, None, (1, 0, 2, 1), other)
    device.queue().submit(commands)
    addresses |= {"source": source.get_address(), "other": other.get_address()}


@pytest.mark.parametrize(
    ("offset_B", "expected"),
    [(0, ["Texture"]), (4, ["Buffer"]), (7, ["Buffer"]), (8, ["Buffer", "Texture"]), (12, []), (19, ["Texture"])],
)
def test_a_copy_reads_the_bytes_of_its_rows(offset_B: int, expected: list[str]) -> None:
    """Bytes 4 to 11 by the first; 0 to 3, 8 to 11, 16 to 19 and 24 to 27 by the second."""
    found = told(life(copies, "source", offset_B, 1))
    assert found == [(f"CopyBufferTo{kind}", "copy: source buffer") for kind in expected]


def test_a_copy_reads_the_texels_of_its_region() -> None:
    """Columns 1 and 2 of row 0."""
    trace, _ = made(copies)
    found = {x for x in range(4) if told(history_of(trace, SamplePlace(texture=0, x=x, y=0)))}
    assert found == {1, 2}
    below = history_of(trace, SamplePlace(texture=0, x=1, y=1))
    assert not told(below)


def conditions(device: Device, addresses: Places) -> None:
    """Compare two counters, wait for an event, and draw by a record in memory; nothing is drawn."""
    words, record = device.buffer(np.zeros(4, np.uint64)), device.buffer(np.zeros(4, np.uint32))
    target = device.texture("RGBA8", 4, 4)
    event = Event(EventBuilder().set_storage(words.pool, words.offset + 24))
    commands = device.command_buffer()
    commands.set_render_targets([target])
    set_up_drawing(device, commands, 4, 4)
    commands.bind_vertex_buffer(0, device.buffer(96))
    commands.set_render_enable_conditional("RENDER_IF_EQUAL", words)
    commands.wait_event(event, "EQUAL", 0)
    commands.draw_arrays_indirect("TRIANGLES", record)
    device.queue().submit(commands)
    addresses |= {"words": words.get_address(), "record": record.get_address()}


@pytest.mark.parametrize(
    ("name", "offset_B", "expected"),
    [
        ("words", 0, [("SetRenderEnableConditional", "condition: RENDER_IF_EQUAL")]),
        ("words", 8, []),
        ("words", 20, [("SetRenderEnableConditional", "condition: RENDER_IF_EQUAL")]),
        ("words", 24, [("WaitEvent", "event: wait")]),
        ("record", 12, [("DrawArraysIndirect", "indirect parameters: record")]),
    ],
)
def test_the_command_processor_reads_words(name: str, offset_B: int, expected: list[tuple[str, str]]) -> None:
    """A condition its two counters, not the time between; a wait its word; an indirect draw its record."""
    assert told(life(conditions, name, offset_B)) == expected


def blended(device: Device, addresses: Places) -> None:
    """Draw over 2x1 pixels, blended by ONE and ONE, then by ONE and ZERO, which keeps nothing; then test depth."""
    target, depth = device.texture("RGBA8", 2, 1), device.texture("DEPTH32F", 2, 1)
    commands = device.command_buffer()
    commands.set_render_targets([target], depth_stencil=depth)
    set_up_drawing(device, commands, 2, 1)
    commands.bind_depth_stencil_state(depth_state("ALWAYS"))
    commands.bind_color_state(ColorState().set_blend_enable(0, True))
    for destination in ("ONE", "ZERO"):
        commands.bind_blend_state(BlendState().set_blend_func("ONE", destination, "ONE", destination))
        draw_rectangle(device, commands, WHOLE, (1.0, 0.0, 0.0, 1.0))
    commands.bind_depth_stencil_state(depth_state("LESS"))
    draw_rectangle(device, commands, WHOLE, (1.0, 0.0, 0.0, 1.0))
    device.queue().submit(commands)
    addresses["pool"] = pool_base_B(0)


def test_a_draw_reads_what_it_blends_with_and_tests() -> None:
    """By ONE and ONE the stored colour counts, by ZERO it does not; LESS compares the stored depth, and fails."""
    trace, _ = made(blended)
    colour, depth = (history_of(trace, SamplePlace(texture=number, x=1, y=0)) for number in (0, 1))
    first, second, third = colour.moments
    assert [read_words(one) for one in first.reads] == ["blending: color 0 (primitive 1)"]
    assert (second.reads, third.reads) == ([], [])
    assert [[read_words(one) for one in moment.reads] for moment in depth.moments] == [
        [], [], ["depth test: depth (primitive 1)"],
    ]  # fmt: skip


def test_bytes_of_a_target_have_its_fragments() -> None:
    """Two pixels of 4 bytes each, followed as bytes: each draw has a fragment at both, and what it stored."""
    trace, addresses = made(blended)
    texture = trace.recording.textures[0]
    history = history_of(trace, BytesPlace(pool=texture.pool, offset_B=texture.offset_B, size_B=8))
    assert [(one.column, one.row) for one in history.moments[0].fragments] == [(0, 0), (1, 0)]
    assert history.last == bytes([255, 0, 0, 255]) * 2
    assert addresses


def test_what_reads_after_the_last_command_is_not_told() -> None:
    """Until the first copy the second has not read byte 8."""
    trace, addresses = made(copies)
    place = bytes_at(trace, addresses["source"] + 8, 1)
    assert [command for command, _ in told(history_of(trace, place, until=1))] == ["CopyBufferToBuffer"]


def test_readers_are_json_with_the_names_of_events() -> None:
    """Reader, what, count and numbers; the event is the submission or the read-back."""
    answer = history_object(life(dispatch, "sums", 0))
    first, last = answer["commands"]
    assert first["event"]["name"] == "Submit"
    assert first["reads"] == [
        {
            "reader": "atomic access",
            "what": "storage buffer 0 of the compute shader",
            "element": None,
            "times": 3,
            "numbers": [],
        }
    ]
    assert (last["number"], last["event"]["name"]) == (None, "ReadMemory 'sums'")
    assert last["reads"][0]["reader"] == "processor"


def test_a_command_that_only_reads_is_one_line() -> None:
    """Nothing is stored: who reads stands beside the command."""
    lines = history_lines(life(copies, "source", 5, 1))
    assert lines[1].endswith("CopyBufferToBuffer: read by copy: source buffer")


def test_many_numbers_are_shortened() -> None:
    """Eight are named, others counted."""
    words = read_words(Read(reader="index fetch", what="indices", element="index", numbers=set(range(20))))
    assert words == "index fetch: indices (index 0, 1, 2, 3, 4, 5, 6, 7 and 12 more)"
