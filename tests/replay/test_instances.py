"""Instances and records are drawn together where nobody can tell: the results are those of one after another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from refnvn.enumerations import DrawPrimitive
from refnvn.nvn import (
    BlendState,
    ColorState,
    CommandBuffer,
    Device,
    Texture,
    VertexAttribState,
    VertexStreamState,
    record,
)
from refnvn.replay import draw as drawing
from refnvn.replay import indirect
from refnvn.replay.assemble import primitives_of
from refnvn.replay.draw import instances_together
from refnvn.replay.run import Results, replay
from refnvn.shader.python import attribute, flat, fragment_shader, gl, varying, vec2, vec4, vertex_shader
from refnvn.trace.files import Trace

SIZE_PX = 16
INSTANCES = 37
FORMATS = ("RG32F", "RG32F", "RGBA32F")
Scene = Callable[[Device], None]


@vertex_shader
def placed(corner: vec2 = attribute(0), offset: vec2 = attribute(1), color: vec4 = attribute(2)):  # type: ignore[no-untyped-def]
    return vec4(corner + offset, 0.0, 1.0), color + vec4(0.0, 0.0, float(gl.instance_id) / 64.0, 0.0)


@fragment_shader
def colored(color: vec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    return color + vec4(0.0, 0.0, 0.0, 0.001 * float(gl.primitive_id))


def blended(device: Device, divisor: int) -> tuple[Texture, CommandBuffer]:
    """Return a target and the commands that blend to it; ``divisor`` is of the stream of colours."""
    target = device.texture("RGBA8", SIZE_PX, SIZE_PX)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.set_viewport(0, 0, SIZE_PX, SIZE_PX)
    commands.bind_program(device.program(placed, colored))
    commands.bind_color_state(ColorState().set_blend_enable(0, True))
    commands.bind_blend_state(BlendState().set_blend_func("SRC_ALPHA", "ONE_MINUS_SRC_ALPHA", "ONE", "ONE"))
    commands.bind_vertex_attrib_state(
        [VertexAttribState().set_format(name, 0).set_stream_index(k) for k, name in enumerate(FORMATS)]
    )
    commands.bind_vertex_stream_state(
        [VertexStreamState().set_stride(size).set_divisor(by) for size, by in ((8, 0), (8, 1), (16, divisor))]
    )
    return target, commands


def instanced(device: Device) -> None:
    """Draw overlapping triangles, blended, from streams that step by vertex, instance and three instances."""
    rng = np.random.default_rng(5)
    target, commands = blended(device, 3)
    for slot, (count, size) in enumerate(((6, 2), (INSTANCES + 9, 2), (INSTANCES, 4))):
        data = rng.uniform(-0.6, 0.6, (count, size)).astype(np.float32)
        commands.bind_vertex_buffer(slot, device.buffer(np.abs(data) if size == 4 else data))
    commands.draw_arrays_instanced("TRIANGLES", 0, 6, 9, INSTANCES)
    indices = device.buffer(np.array([0, 2, 4, 5], np.uint32))
    commands.draw_elements_instanced("TRIANGLE_STRIP", "INT", 4, indices, 0, 3, INSTANCES)
    device.queue().submit(commands)
    target.read_texels("drawn")


def fed_back(device: Device) -> None:
    """Let the offsets of instances be bytes of the target that they are drawn to."""
    target = device.texture("RG32F", 4, 4)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0.25, 0.25, 0, 0))
    commands.set_viewport(0, 0, 4, 4)
    commands.bind_program(device.program(placed, colored))
    commands.bind_vertex_attrib_state(
        [VertexAttribState().set_format(name, 0).set_stream_index(k) for k, name in enumerate(FORMATS)]
    )
    commands.bind_vertex_stream_state(
        [VertexStreamState().set_stride(size).set_divisor(by) for size, by in ((8, 0), (8, 1), (16, 1))]
    )
    commands.bind_vertex_buffer(0, device.buffer(np.float32([-1, -1, 1, -1, -1, 1])))
    commands.bind_vertex_buffer(1, target.get_texture_address(), 128)
    commands.bind_vertex_buffer(2, device.buffer(np.linspace(-0.4, 0.4, 64, dtype=np.float32)))
    commands.draw_arrays_instanced("TRIANGLES", 0, 3, 0, 12)
    device.queue().submit(commands)
    target.read_texels("drawn")


def by_records(device: Device) -> None:
    """Draw blended by forty records, some of two instances, of no vertices or of another base instance."""
    rng = np.random.default_rng(7)
    target, commands = blended(device, 0)
    for slot, size in enumerate((2, 2, 4)):
        data = rng.uniform(-0.8, 0.8, (64, size)).astype(np.float32)
        commands.bind_vertex_buffer(slot, device.buffer(np.abs(data) if size == 4 else data))
    records = np.array([(3 * (k % 3), 1 + (k == 9), k, k // 30) for k in range(40)], np.uint32)
    commands.multi_draw_arrays_indirect_count(
        "TRIANGLES", device.buffer(records), device.buffer(np.array([38], np.uint32)), 64, 16
    )
    commands.report_counter("SAMPLES_PASSED", device.buffer(16))
    device.queue().submit(commands)
    target.read_texels("drawn")


def one_by_one(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> Results:
    """Return what is left where no two instances or records are drawn together."""
    with monkeypatch.context() as patched:
        for module in (drawing, indirect):
            patched.setattr(module, "reads_nothing_written", lambda _context: False)
        return replay(trace.recording, trace.blobs)


@pytest.mark.rule("REPLAY-INSTANCE-1", "VERTEX-DIVISOR-1")
@pytest.mark.parametrize("scene", [instanced, fed_back, by_records])
@pytest.mark.parametrize("most", [1, 20, 1 << 15])
def test_instances_together_are_instances_one_by_one(
    scene: Scene, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blending keeps their order, primitives are numbered anew; streams step by divisors, or are target bytes."""
    trace = record(scene)
    expected = one_by_one(trace, monkeypatch)
    monkeypatch.setattr(drawing, "VERTICES_TOGETHER", most)
    found = replay(trace.recording, trace.blobs)
    assert len(np.unique(expected["drawn"])) > 5
    assert (found["drawn"] == expected["drawn"]).all()
    assert found.counters["samples_passed"] == expected.counters["samples_passed"]


def test_vertices_and_primitives_of_instances_stand_one_after_another() -> None:
    """Primitives keep their numbers."""
    many = instances_together(np.arange(3), primitives_of(DrawPrimitive.TRIANGLES, 3), 3)
    assert many.numbers.tolist() == [0, 1, 2] * 3
    assert many.primitives.vertices.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert many.primitives.ids.tolist() == [0, 0, 0]
    assert many.primitives.provoking.tolist() == [2, 5, 8]
