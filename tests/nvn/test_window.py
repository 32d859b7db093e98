"""Windows: textures in turn, crops, and presents as results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from refnvn.commands.presents import PresentTexture
from refnvn.enumerations import WindowOriginMode
from refnvn.errors import ArgumentError, SizeError
from refnvn.nvn.device import Device
from refnvn.nvn.window import NativeWindow, Window, WindowBuilder


def a_window(device: Device, count: int = 2) -> Window:
    """Return a window of small textures."""
    return Window(WindowBuilder().set_device(device).set_textures([device.texture("RGBA8", 4, 4)] * count))


@pytest.mark.rule("NVN-WINDOW-1")
def test_textures_come_in_turn() -> None:
    """First, second, first, by the window or the queue."""
    device = Device()
    window = a_window(device)
    assert [window.acquire_texture(), device.queue().acquire_texture(window), window.acquire_texture()] == [0, 1, 0]


def test_a_present_records_crops_and_origin_as_they_are() -> None:
    """What is set later changes nothing; results are numbered where they have no name."""
    device, layer = Device(), NativeWindow()
    layer.set_layer_crop(0, 0, 2, 2)
    builder = WindowBuilder().set_device(device).set_native_window(layer).set_present_interval(2)
    window = Window(builder.set_textures([device.texture("RGBA8", 4, 4), None]))
    queue = device.queue()
    queue.present_texture(window, 0)
    device.set_window_origin_mode("UPPER_LEFT")
    window.set_crop(1, 0, 3, 2)
    layer.set_layer_crop(0, 0, 0, 0)
    queue.present_texture(window, 0)
    queue.present_texture(window, 0, "last")
    first, second, last = (one for one in device.trace().recording.timeline if isinstance(one, PresentTexture))
    assert (first.name, first.window_crop, first.layer_crop) == ("present_0", None, (0, 0, 2, 2))
    assert (second.name, second.window_crop, second.layer_crop) == ("present_1", (1, 0, 3, 2), None)
    assert (first.window_origin, second.window_origin) == (WindowOriginMode.LOWER_LEFT, WindowOriginMode.UPPER_LEFT)
    assert last.name == "last"
    assert window.get_crop() == (1, 0, 3, 2)
    assert window.get_present_interval() == 2
    assert window.get_native_window() is layer


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: Window(WindowBuilder()), "Window: the builder lacks a device or textures"),
        (lambda _: Window(5), "Window: builder is int, allowed is WindowBuilder"),
        (lambda _: WindowBuilder().set_textures([]), "WindowBuilder.set_textures: textures is empty"),
        (lambda _: WindowBuilder().set_textures([5]), r"WindowBuilder.set_textures: textures\[0\] is int"),
        (lambda d: WindowBuilder().set_textures([d.texture("DEPTH16", 4, 4)]),
         r"textures\[0\]: NVN_FORMAT_DEPTH16 cannot be shown"),
        (lambda d: WindowBuilder().set_textures([d.texture("R8", 4, 4, 2, target="2D_ARRAY")]),
         "TARGET_2D_ARRAY of 1 samples, allowed is 2D of 1 sample"),
        (lambda _: WindowBuilder().set_device(5), "WindowBuilder.set_device: device is 5, allowed is a Device"),
        (lambda _: a_window(Device()).set_crop(-1, 0, 4, 4), "Window.set_crop: x is -1, allowed are 0 to"),
        (lambda d: Window(WindowBuilder().set_device(d).set_textures([Device().texture("R8", 4)])),
         r"Window: textures\[0\] is of another device"),
        (lambda d: d.queue().present_texture(a_window(Device()), 0), "present_texture: window is of another device"),
        (lambda d: d.queue().present_texture(a_window(d), 2), "present_texture: texture_index is 2, allowed are 0"),
        (lambda d: d.queue().present_texture(Window(WindowBuilder().set_device(d).set_textures([None])), 0),
         "present_texture: texture_index is 0, the window has no texture there"),
        (lambda d: d.queue().present_texture(a_window(d), 0, "A"), "present_texture: name: result name 'A'"),
    ],
)  # fmt: skip
def test_what_a_window_cannot_be_is_refused(call: Callable[[Any], object], message: str) -> None:
    """One error: call, argument, value, what is allowed."""
    with pytest.raises((ArgumentError, SizeError), match=message):
        call(Device())
