"""Devices, queues and scenes: what is captured when, and what a recording holds."""

from __future__ import annotations

import pytest

from refnvn.commands import recording as r
from refnvn.commands.commands import SetViewport
from refnvn.enumerations import DepthMode, WindowOriginMode
from refnvn.errors import ArgumentError, FieldRangeError
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.testing import nvn_device, results_of

LOWER, UPPER = WindowOriginMode.LOWER_LEFT, WindowOriginMode.UPPER_LEFT

__all__ = ["nvn_device"]


@pytest.mark.rule("NVN-QUEUE-1")
def test_a_queue_keeps_the_origin_it_was_made_under() -> None:
    """Changing the device's origin later does not reach it (queue-origin)."""
    device = Device()
    lower = device.queue()
    device.set_window_origin_mode("UPPER_LEFT")
    upper = device.queue()
    device.set_window_origin_mode("LOWER_LEFT")
    assert (lower.window_origin, upper.window_origin) == (LOWER, UPPER)
    assert [queue.window_origin for queue in device.trace().recording.queues] == [LOWER, UPPER]


@pytest.mark.rule("NVN-QUEUE-2")
def test_a_viewport_keeps_the_origin_it_was_recorded_under() -> None:
    """The device's origin then counts, not that of the queue or of the submission (queue-origin)."""
    device = Device()
    queue, commands = device.queue(), device.command_buffer()
    commands.set_viewport(0, 0, 8, 8)
    device.set_window_origin_mode("UPPER_LEFT")
    commands.set_viewport(0, 0, 8, 8)
    queue.submit(commands)
    recording = device.trace().recording
    origins = [c.window_origin for c in recording.command_buffers[0] if isinstance(c, SetViewport)]
    assert origins == [LOWER, UPPER]
    assert recording.window_origin is UPPER
    assert device.get_window_origin_mode() is UPPER


def test_the_depth_mode_is_one_for_the_recording() -> None:
    """It may be set before commands are recorded, and set again to the same."""
    device = Device()
    assert device.get_depth_mode() is DepthMode.NEAR_IS_MINUS_W
    device.set_depth_mode("NEAR_IS_ZERO")
    device.command_buffer().barrier(1)
    device.set_depth_mode("NEAR_IS_ZERO")
    with pytest.raises(ArgumentError, match="set_depth_mode: depth_mode is NEAR_IS_MINUS_W after commands"):
        device.set_depth_mode("NEAR_IS_MINUS_W")
    with pytest.raises(FieldRangeError, match="allowed are NEAR_IS_MINUS_W, NEAR_IS_ZERO"):
        device.set_depth_mode("NEAR")
    device.command_buffers[0].end_recording()
    assert device.trace().recording.depth_mode is DepthMode.NEAR_IS_ZERO


def test_handles_are_executed_as_often_as_they_are_submitted() -> None:
    """One command buffer may be submitted twice, to any queue of its device."""
    device = Device()
    queues = device.queue(), device.queue()
    commands = device.command_buffer()
    commands.barrier(1)
    handle = commands.end_recording()
    queues[1].submit_commands([handle, handle])
    queues[0].submit_commands([handle])
    assert device.trace().recording.timeline == (
        r.Submit(command_buffers=(0, 0), queue=1),
        r.Submit(command_buffers=(0,), queue=0),
    )
    with pytest.raises(ArgumentError, match=r"handles\[0\] is .*, allowed are this device's"):
        Device().queue().submit_commands([handle])


def test_commands_that_were_never_ended_are_not_lost_in_silence() -> None:
    """A scene that forgets to submit is told."""
    device = Device()
    device.command_buffer().barrier(1)
    with pytest.raises(ArgumentError, match="1 commands were recorded and never submitted"):
        device.trace()


def test_a_scene_is_recorded_the_same_every_time() -> None:
    """Equal scenes give equal traces, of the function's name."""

    def scene(device: Device) -> None:
        buffer = device.buffer(b"abc")
        texture = device.texture("R8", 3, 1)
        commands = device.command_buffer()
        commands.copy_buffer_to_texture(buffer, texture)
        device.queue().submit(commands)
        texture.read_texels("texture")

    assert record(scene) == record(scene)
    assert record(scene).recording.name == "scene"
    assert record(scene, "other").recording.name == "other"
    assert bytes(results_of(scene)["texture"]) == b"abc"


def test_the_fixture_is_a_device(nvn_device: Device) -> None:
    """A test may record on it and look at the results by name."""
    target = nvn_device.texture("RGBA8", 4, 4)
    commands = nvn_device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (1, 0, 0, 1))
    nvn_device.queue().submit(commands)
    target.read_texels("target")
    target.read_storage("storage")
    read = results_of(nvn_device)
    assert (read["target"] == (255, 0, 0, 255)).all()
    assert read["storage"].size == 512
