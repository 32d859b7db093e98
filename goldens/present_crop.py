"""Goldens of what is on the screen after a present, with ``t_present_crop``: crops, origins, stored bytes."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.window import NativeWindow, Window, WindowBuilder
from refnvn.shader.python import attribute, fragment_shader, vec2, vec4, vertex_shader

RED, BLACK, WHITE = (1, 0, 0, 1), (0, 0, 0, 1), (1, 1, 1, 1)


@vertex_shader
def placed(position: vec2 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position on."""
    return vec4(position.x, position.y, 0.0, 1.0)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0, 1.0, 1.0, 1.0)


def window_of(device: Device, *textures: Texture) -> Window:
    """Return a window with a layer of its own."""
    builder = WindowBuilder().set_device(device).set_native_window(NativeWindow()).set_textures(textures)
    return Window(builder)


def small_picture(device: Device, texture: Texture) -> None:
    """Draw red into the first 8x6 pixels of black, columns that darken and rows of another blue."""
    commands = device.command_buffer()
    commands.set_render_targets([texture])
    commands.clear_color(0, BLACK)
    for x in range(8):
        for y in range(6):
            commands.set_scissor(x, y, 1, 1)
            commands.clear_color(0, (1 - x / 16, 0, y / 16, 1))
    device.queue().submit(commands)


@scene_case(
    "present_crop/layer_crop",
    t_test="t_present_crop",
    says="The window's crop wins, then the layer's; one that does not fit is ignored and the whole texture shows.",
    ledger=("present-crop",),
)
def layer_crop(device: Device) -> None:
    """A 12x9 texture with 8x6 drawn: whole, cropped by the layer, by the window too, and by 20x20."""
    texture = device.texture("RGBA8", 12, 9, flags="DISPLAY")
    window = window_of(device, texture)
    small_picture(device, texture)
    queue = device.queue()
    queue.present_texture(window, 0, "whole")
    window.native_window.set_layer_crop(0, 0, 8, 6)
    queue.present_texture(window, 0, "by_layer")
    window.set_crop(1, 2, 4, 3)
    queue.present_texture(window, 0, "by_window")
    window.set_crop(0, 0, 20, 20)
    queue.present_texture(window, 0, "too_large")
    window.set_crop(0, 0, 0, 0)
    window.set_present_interval(2)
    queue.present_texture(window, 0, "by_layer_again")


@scene_case(
    "present_crop/upper_left",
    t_test="t_present_crop",
    says="Under the upper-left origin the same rows of memory are shown from the top.",
    ledger=("present-crop", "origin-lower-left"),
)
def upper_left(device: Device) -> None:
    """The layer's crop of 8x6 starts at memory's first row, which is the top of the screen."""
    device.set_window_origin_mode("UPPER_LEFT")
    texture = device.texture("RGBA8", 12, 9, flags="DISPLAY")
    window = window_of(device, texture)
    small_picture(device, texture)
    window.native_window.set_layer_crop(0, 0, 8, 6)
    device.queue().present_texture(window, 0, "by_layer")


@scene_case(
    "present_crop/lower_half",
    t_test="t_present_crop",
    says="A triangle over the lower half of clip space lies in rows 0 to 3 and is shown at the bottom.",
    ledger=("origin-lower-left",),
)
def lower_half(device: Device) -> None:
    """8x8 under the lower-left origin; under the upper-left one it lies in rows 4 to 7, at the bottom too."""
    textures = [device.texture("RGBA8", 8, 8, flags="DISPLAY") for _ in range(2)]
    window = window_of(device, *textures)
    program = device.program(placed, white)
    vertices = device.buffer(np.array([(-1, 0), (-1, -2.0), (9, 0)], np.float32))
    for origin in ("LOWER_LEFT", "UPPER_LEFT"):
        device.set_window_origin_mode(origin)
        queue = device.queue()
        number = queue.acquire_texture(window)
        commands = device.command_buffer()
        commands.set_render_targets([textures[number]])
        commands.clear_color(0, BLACK)
        commands.bind_program(program)
        commands.bind_vertex_attrib_state([VertexAttribState().set_format("RG32F", 0)])
        commands.bind_vertex_stream_state([VertexStreamState().set_stride(8)])
        commands.bind_vertex_buffer(0, vertices)
        commands.set_viewport(0, 0, 8, 8)
        commands.set_scissor(0, 0, 8, 8)
        commands.draw_arrays("TRIANGLES", 0, 3)
        queue.submit(commands)
        textures[number].read_texels(f"{origin.lower()}_rows")
        queue.present_texture(window, number, f"{origin.lower()}_screen")


@scene_case(
    "present_crop/srgb_bytes",
    t_test="t_present_crop",
    says="An sRGB view encodes what is written to it; the screen shows the stored bytes, of an sRGB texture too.",
    ledger=("rt-view-srgb",),
)
def srgb_bytes(device: Device) -> None:
    """Linear 0, 0.2633, 0.5225 and 1 are bytes 0, 140, 191 and 255; decoded once more the middle would be 66, 133."""
    plain = device.texture("RGBA8", 4, 1, flags="DISPLAY")
    srgb = device.texture("RGBA8_SRGB", 4, 1, flags="DISPLAY")
    window = window_of(device, plain, srgb)
    commands = device.command_buffer()
    for texture, view in ((plain, TextureView().set_format("RGBA8_SRGB")), (srgb, None)):
        commands.set_render_targets([texture], [view])
        for x, value in enumerate((0, 0.2633, 0.5225, 1)):
            commands.set_scissor(x, 0, 1, 1)
            commands.clear_color(0, (value, value, value, 1))
    queue = device.queue()
    queue.submit(commands)
    queue.present_texture(window, 0, "through_view")
    queue.present_texture(window, 1, "srgb_texture")


@scene_case(
    "present_crop/cpu_written",
    t_test="t_present_crop",
    says="A window texture that the processor filled shows those texels when it is presented before any draw.",
    ledger=("cpu-window-tex",),
)
def cpu_written(device: Device) -> None:
    """A gradient of 16x16, then the other texture of the window, which the processor fills after that."""
    first, second = (device.texture("RGBA8", 16, 16, flags="DISPLAY") for _ in range(2))
    window = window_of(device, first, second)
    queue = device.queue()
    gradient = np.zeros((16, 16, 4), np.uint8)
    gradient[..., 0] = np.arange(16) * 17
    gradient[..., 1] = np.arange(16)[:, None] * 17
    gradient[..., 3] = 255
    first.write_texels(gradient)
    queue.present_texture(window, queue.acquire_texture(window))
    second.write_texels(gradient[..., [2, 0, 1, 3]])
    queue.present_texture(window, queue.acquire_texture(window))
