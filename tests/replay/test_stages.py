"""What happens between vertex shader and rasteriser: layers, discard, captured vertices, per stage binds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.errors import ArgumentError
from refnvn.nvn import DepthStencilState, Device, VertexAttribState, VertexStreamState, record
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.replay.errors import ReplayError
from refnvn.replay.feedback import control_words
from refnvn.replay.run import Results, replay
from refnvn.replay.stage_state import Capturing
from refnvn.shader.feedback import with_feedback
from refnvn.shader.ir import Shader, from_object, to_object
from refnvn.shader.python import attribute, fragment_shader, gl, varying, vec2, vec4, vertex_shader
from refnvn.trace.place import Misplaced

GUARD = 0xEEEEEEEE


@vertex_shader
def passed(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    return position, float(gl.vertex_id)


@vertex_shader
def halved():  # type: ignore[no-untyped-def]
    right = 3.0 if gl.vertex_id == 1 else -1.0
    top = 3.0 if gl.vertex_id == 2 else -1.0
    gl.clip_distance[2] = right
    return vec4(right, top, 0.0, 1.0)


@vertex_shader
def given_twice():  # type: ignore[no-untyped-def]
    right = 3.0 if gl.vertex_id == 1 else -1.0
    top = 3.0 if gl.vertex_id == 2 else -1.0
    weight = 2.0 if gl.vertex_id == 1 else 1.0
    gl.clip_distance[2] = right * weight
    return vec4(right, top, 0.0, 1.0) * weight, right * weight


@fragment_shader
def read_twice(value: float = varying(0)):  # type: ignore[no-untyped-def]
    return vec2(gl.clip_distance[2], value)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    return vec4(1.0)


def results(scene: Callable[[Device], None]) -> Results:
    """Return what a scene reads."""
    trace = record(scene)
    return replay(trace.recording, trace.blobs)


def drawing(device: Device, *, vertex: object = passed, fragment: object = None) -> CommandBuffer:
    """Return commands that draw points of four floats each, eight of them."""
    commands = device.command_buffer()
    commands.bind_program(device.program(vertex, fragment))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(16)])
    commands.bind_vertex_buffer(0, device.buffer(np.arange(32, dtype=np.float32)))
    return commands


def captured(sizes_B: list[int], draw: Callable[[CommandBuffer], None]) -> tuple[NDArray[np.uint32], list[int]]:
    """Return the words of 512 bytes, half of them for each of two buffers, and those of the control buffer."""

    def scene(device: Device) -> None:
        layout = with_feedback(passed, *([-1], [0])[: len(sizes_B)])
        commands = drawing(device, vertex=layout)
        memory, control = device.buffer(np.full(128, GUARD, np.uint32)), device.buffer(32)
        for number, size_B in enumerate(sizes_B):
            commands.bind_transform_feedback_buffer(number, memory.get_address(256 * number), size_B)
        commands.set_rasterizer_discard(True)
        commands.begin_transform_feedback(control)
        draw(commands)
        commands.end_transform_feedback(control)
        device.queue().submit(commands)
        memory.read("memory")
        control.read("control")

    found = results(scene)
    return found["memory"].view(np.uint32), found["control"].view(np.uint32).tolist()


@pytest.mark.rule("FEEDBACK-ROOM-1", "FEEDBACK-CONTROL-1", "FEEDBACK-CONTROL-2")
def test_only_whole_primitives_that_fit_every_buffer_are_captured() -> None:
    """Six points; the second buffer has room for four words: four vertices in each, and what follows stays."""
    words, control = captured([96, 16], lambda commands: commands.draw_arrays("POINTS", 0, 6))
    assert words[:16].view(np.float32).tolist() == list(range(16))
    assert words[64:68].view(np.float32).tolist() == [0, 1, 2, 3]
    assert set(words[16:64].tolist()) | set(words[68:].tolist()) == {GUARD}
    assert control == [64, 16, 0, 0, 4, 0, 0, 0]


@pytest.mark.rule("FEEDBACK-ROOM-1")
def test_a_triangle_that_does_not_fit_is_left_out_and_so_is_all_that_follows() -> None:
    """Room for five vertices: one triangle of the first draw, none of the second."""

    def draw(commands: CommandBuffer) -> None:
        commands.draw_arrays("TRIANGLES", 0, 6)
        commands.draw_arrays("TRIANGLES", 0, 3)

    words, control = captured([80], draw)
    assert words[:12].view(np.float32).tolist() == list(range(12))
    assert set(words[12:].tolist()) == {GUARD}
    assert control[:5] == [48, 0, 0, 0, 3]


@pytest.mark.rule("FEEDBACK-CONTROL-2")
def test_a_control_buffer_is_eight_words() -> None:
    """Four counts of bytes, the vertices, three zeros."""
    assert control_words(Capturing([16, 4, 0, 8], 1)).view("<u4").tolist() == [16, 4, 0, 8, 1, 0, 0, 0]


def test_a_program_without_a_layout_captures_nothing() -> None:
    """Its draws happen, the buffers stay."""

    def draw(commands: CommandBuffer) -> None:
        commands.bind_program(commands.device.program(passed))
        commands.draw_arrays("POINTS", 0, 6)

    words, control = captured([96], draw)
    assert set(words.tolist()) == {GUARD}
    assert control == [0] * 8


def test_a_layout_names_outputs_and_fits_its_stride() -> None:
    """Unwritten locations, and components beyond a stride, are refused by name."""
    with pytest.raises(ArgumentError, match=r"no output has location 3; \[-1, 0\] are written"):
        with_feedback(passed, [3])
    with pytest.raises(Exception, match=r"captures\[0\]: beyond the 12 bytes of a vertex in buffer 0"):
        with_feedback(passed, [-1], strides=[12])


def test_transform_feedback_begins_once() -> None:
    """Beginning twice, and ending what has not begun, are refused."""

    def twice(device: Device) -> None:
        commands, control = device.command_buffer(), device.buffer(32)
        commands.begin_transform_feedback(control)
        commands.begin_transform_feedback(control)
        device.queue().submit(commands)

    with pytest.raises(ReplayError, match="transform feedback has begun already"):
        results(twice)


@pytest.mark.rule("REPLAY-DISCARD-1")
def test_discard_ends_a_draw_before_the_rasteriser_until_it_is_off() -> None:
    """The first of two points is not drawn and needs no viewport; the second is."""

    def scene(device: Device) -> None:
        target, commands = device.texture("R8", 2, 2), device.command_buffer()
        commands.set_render_targets([target])
        commands.clear_color(0, (0, 0, 0, 0))
        commands.bind_program(device.program(halved, white))
        commands.set_rasterizer_discard(True)
        commands.draw_arrays("TRIANGLES", 0, 3)
        queue = device.queue()
        queue.submit(commands)
        target.read_texels("off")
        commands = device.command_buffer()
        commands.set_viewport(0, 0, 2, 2)
        commands.set_rasterizer_discard(False)
        commands.draw_arrays("TRIANGLES", 0, 3)
        queue.submit(commands)
        target.read_texels("on")

    found = results(scene)
    assert found["off"].tolist() == [0, 0, 0, 0]
    assert found["on"].tolist() == [0, 255, 0, 255]


@pytest.mark.rule("REPLAY-CLIP-1")
def test_a_clip_distance_cuts_without_being_turned_on() -> None:
    """Distance 2 of a shader is clip x: only the right half is drawn, also where distances 0 and 1 are unwritten."""

    def scene(device: Device) -> None:
        target, commands = device.texture("R8", 4, 1), device.command_buffer()
        commands.set_render_targets([target])
        commands.bind_program(device.program(halved, white))
        commands.set_viewport(0, 0, 4, 1)
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        target.read_texels("drawn")

    assert results(scene)["drawn"].tolist() == [0, 0, 255, 255]


@pytest.mark.rule("REPLAY-CLIP-1", "REPLAY-CLIP-2")
def test_fragments_read_the_clip_distances_that_were_left() -> None:
    """The bits of a varying of the same values, nothing where they cut; one that is not written is refused."""

    def scene(fragment: Shader) -> Callable[[Device], None]:
        def draw(device: Device) -> None:
            target, commands = device.texture("RG32F", 4, 1), device.command_buffer()
            commands.set_render_targets([target])
            commands.clear_color(0, (-7, 0, 0, 0))
            commands.bind_program(device.program(given_twice, fragment))
            commands.set_viewport(0, 0, 4, 1)
            commands.draw_arrays("TRIANGLES", 0, 3)
            device.queue().submit(commands)
            target.read_texels("drawn")

        return draw

    drawn = results(scene(read_twice))["drawn"].view(np.float32).reshape(4, 2)
    assert drawn[:2, 0].tolist() == [-7, -7]
    assert (drawn[2:, 0] == drawn[2:, 1]).all()
    assert 0 < drawn[2, 0] < drawn[3, 0] < 2

    @fragment_shader
    def another():  # type: ignore[no-untyped-def]
        return gl.clip_distance[3]

    with pytest.raises(ReplayError, match="reads 4 components at location -5; the vertex shader writes 3"):
        results(scene(another))


def test_a_stage_keeps_its_program_until_another_is_bound_to_it() -> None:
    """Null bound to the fragment stage alone takes its shader away: depth is written, colour is not."""

    def scene(device: Device) -> None:
        target, depth = device.texture("R8", 2, 1), device.texture("DEPTH32F", 2, 1)
        commands = device.command_buffer()
        commands.set_render_targets([target], None, depth)
        commands.clear_color(0, (0, 0, 0, 0))
        commands.clear_depth_stencil(1.0, True, 0, 0)
        commands.bind_program(device.program(halved, white))
        commands.bind_program(None, "FRAGMENT")
        commands.set_viewport(0, 0, 2, 1)
        commands.bind_depth_stencil_state(
            DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True)
        )  # fmt: skip
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)
        target.read_texels("color")
        depth.read_texels("depth")

    found = results(scene)
    assert found["color"].tolist() == [0, 0]
    assert found["depth"].view(np.float32).tolist() == [1.0, 0.5]


def test_a_control_buffer_lies_in_memory_at_a_word() -> None:
    """Addresses that are no multiples of 4, or in no pool, are refused when they are recorded."""

    def scene(device: Device) -> None:
        control = device.buffer(64)
        device.command_buffer().begin_transform_feedback(control.get_address() + 2)

    with pytest.raises((ArgumentError, Misplaced), match="multiples of 4"):
        record(scene)


def test_a_shader_with_a_layout_survives_its_json() -> None:
    """The layout is part of the form."""
    assert (
        from_object(to_object(with_feedback(passed, [-1], [0]))).feedback == with_feedback(passed, [-1], [0]).feedback
    )
