"""What a call cannot take is refused when it is called, with call, argument, value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from refnvn.commands.resources import Region
from refnvn.enumerations import StencilFunc
from refnvn.errors import ArgumentError
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import MappingRequest, MemoryPool, MemoryPoolBuilder
from refnvn.nvn.queue import Queue
from refnvn.nvn.scene import record
from refnvn.nvn.states import ColorState, DepthStencilState, MultisampleState, VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.shader.ir_base import Stage
from refnvn.testing import results_of
from refnvn.testing.random_scene import pass_through

Call = Callable[[Any, Any], object]


def refused(call: Call, message: str) -> None:
    """Hold that a call of a device and a command buffer is refused so, and records nothing."""
    device = Device()
    commands = device.command_buffer()
    with pytest.raises(ArgumentError) as caught:
        call(device, commands)
    assert str(caught.value).startswith(message)
    assert commands.unsubmitted == 0
    assert device.trace().recording.timeline == ()


@pytest.mark.parametrize(
    ("name", "argument", "allowed"),
    [
        ("depth_stencil", "depth_stencil", "DepthStencilState"),
        ("channel_mask", "channel_mask", "ChannelMaskState"),
        ("polygon", "polygon", "PolygonState"),
        ("color", "color", "ColorState"),
        ("blend", "blend", "BlendState"),
        ("multisample", "multisample", "MultisampleState"),
    ],
    ids=["depth-stencil", "channel-mask", "polygon", "color", "blend", "multisample"],
)
def test_a_state_is_of_the_class_that_its_command_binds(name: str, argument: str, allowed: str) -> None:
    """A state of another class, a list and None are no such state."""
    call = f"bind_{name}_state"
    for value, found in ((VertexStreamState(), "VertexStreamState"), ([], "list"), (None, "None")):
        refused(lambda _, c, v=value: getattr(c, call)(v), f"{call}: {argument} is {found}, allowed is {allowed}")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _, c: c.bind_depth_stencil_state(ColorState()),
         "bind_depth_stencil_state: depth_stencil is ColorState, allowed is DepthStencilState"),
        (lambda _, c: c.bind_vertex_stream_state(VertexStreamState()),
         "bind_vertex_stream_state: streams is VertexStreamState, allowed is a list of VertexStreamState"),
        (lambda _, c: c.bind_vertex_stream_state([VertexStreamState(), None]),
         "bind_vertex_stream_state: streams[1] is None, allowed is VertexStreamState"),
        (lambda _, c: c.bind_vertex_attrib_state([DepthStencilState()]),
         "bind_vertex_attrib_state: attribs[0] is DepthStencilState, allowed is VertexAttribState"),
        (lambda _, c: c.bind_vertex_attrib_state(None),
         "bind_vertex_attrib_state: attribs is None, allowed is a list of VertexAttribState"),
        (lambda _, c: c.bind_program(pass_through(Stage.VERTEX)),
         "bind_program: program is Shader, allowed is Program"),
        (lambda _, c: c.set_alpha_ref("0.5"), "set_alpha_ref: ref is '0.5', allowed are numbers"),
    ],
    ids=["other-state", "one-for-a-list", "none-in-a-list", "other-in-a-list", "no-list", "shader", "text"],
)  # fmt: skip
def test_what_is_bound_is_of_its_class(call: Call, message: str) -> None:
    """The error names the class that was given and the one that is allowed."""
    refused(call, message)


class Foreign:
    """What another device has."""

    def __init__(self) -> None:
        device = Device()
        self.texture = device.texture("RGBA8", 4, 4)
        self.depth = device.texture("DEPTH24_STENCIL8", 4, 4)
        self.buffer = device.buffer(256)
        self.pool = device.memory_pool(65536)
        self.commands = device.command_buffer()


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda f, _, c: c.set_render_targets([None, f.texture]), "set_render_targets: colors[1]"),
        (lambda f, _, c: c.set_render_targets([], None, f.depth), "set_render_targets: depth_stencil"),
        (lambda f, _, c: c.clear_texture(f.texture, None, None, (0,) * 4), "clear_texture: dst_texture"),
        (lambda f, d, c: c.copy_texture_to_buffer(f.texture, None, None, d.buffer(64)),
         "copy_texture_to_buffer: src_texture"),
        (lambda f, d, c: c.copy_texture_to_texture(d.texture("R8", 4), None, None, f.texture),
         "copy_texture_to_texture: dst_texture"),
        (lambda f, d, c: c.downsample(f.texture, d.texture("RGBA8", 4, 4)), "downsample: src"),
        (lambda f, _, c: c.clear_buffer(f.buffer, 16, 0), "clear_buffer: buffer"),
        (lambda f, d, c: c.copy_buffer_to_buffer(d.buffer(16), f.buffer), "copy_buffer_to_buffer: dst"),
        (lambda f, _, c: c.bind_vertex_buffer(0, f.buffer), "bind_vertex_buffer: buffer"),
        (lambda f, _, c: c.draw_elements("TRIANGLES", "INT", 3, f.buffer), "draw_elements: index_buffer"),
        (lambda f, _, c: c.draw_arrays_indirect("TRIANGLES", f.buffer), "draw_arrays_indirect: buffer"),
        (lambda f, d, _: d.memory_pool(65536, "CPU_NO_ACCESS | GPU_CACHED | VIRTUAL").map_virtual(
            [MappingRequest(f.pool, 0, 0, 65536)]), "map_virtual: requests[0]: physical_pool"),
        (lambda f, d, _: d.texture("R8", 4, over=f.texture), "texture: over"),
        (lambda f, d, c: d.queue().submit(c, f.commands), "submit: command_buffers[1]"),
    ],
    ids=["color", "depth", "clear", "copied", "copied-to", "resolved", "filled", "copied-buffer", "streams",
         "indices", "records", "mapped", "shared", "submitted"],
)  # fmt: skip
def test_objects_of_another_device_are_refused(call: Callable[..., object], place: str) -> None:
    """An index or an address there means something else here."""
    refused(lambda d, c: call(Foreign(), d, c), f"{place} is of another device, allowed are this device's")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d, c: c.copy_texture_to_buffer(d.texture("RGBA8", 256, 256), None, None, d.buffer(4)),
         "copy_texture_to_buffer: buffer has 4 bytes, 262144 are written"),
        (lambda d, c: c.copy_buffer_to_texture(d.buffer(16), d.texture("RGBA8", 4, 4)),
         "copy_buffer_to_texture: buffer has 16 bytes, 64 are read"),
        (lambda d, c: (c.set_copy_row_stride(32),
                       c.copy_buffer_to_texture(d.buffer(64), d.texture("RGBA8", 4, 4), None, (0, 0, 2, 3))),
         "copy_buffer_to_texture: buffer has 64 bytes, 72 are read"),
        (lambda d, c: c.clear_buffer(d.buffer(16), 32, 0), "clear_buffer: buffer has 16 bytes, 32 are written"),
        (lambda d, c: c.copy_buffer_to_buffer(d.buffer(16), d.buffer(8)),
         "copy_buffer_to_buffer: dst has 8 bytes, 16 are written"),
        (lambda d, c: c.copy_buffer_to_buffer(d.buffer(16), d.buffer(64), 32),
         "copy_buffer_to_buffer: src has 16 bytes, 32 are read"),
        (lambda d, c: c.update_uniform_buffer(d.buffer(16), 32, 0, bytes(4)),
         "update_uniform_buffer: buffer has 16 bytes, 32 are named"),
        (lambda d, c: c.draw_elements("TRIANGLES", "INT", 3, d.buffer(8)),
         "draw_elements: index_buffer has 8 bytes, 12 are read"),
        (lambda d, c: c.draw_elements_instanced("TRIANGLES", "SHORT", 3, d.buffer(4), 0, 0, 1),
         "draw_elements_instanced: index_buffer has 4 bytes, 6 are read"),
        (lambda d, c: c.draw_elements_indirect("TRIANGLES", "INT", d.buffer(12), d.buffer(16)),
         "draw_elements_indirect: buffer has 16 bytes, 20 are read"),
        (lambda d, c: c.set_render_enable_conditional("RENDER_IF_EQUAL", d.buffer(16)),
         "set_render_enable_conditional: addr has 16 bytes, 24 are read"),
        (lambda d, c: c.report_counter("TIMESTAMP", d.buffer(8)),
         "report_counter: buffer has 8 bytes, 16 are written"),
        (lambda d, c: c.bind_vertex_buffer(0, d.buffer(16), 17), "bind_vertex_buffer: buffer has 16 bytes, 17 are"),
        (lambda d, c: c.bind_uniform_buffer("VERTEX", 0, d.buffer(16), 256),
         "bind_uniform_buffer: buffer has 16 bytes, 256 are bound"),
        (lambda d, _: d.buffer(64).write(bytes(65)), "write: data has 65 bytes, the buffer has 64"),
    ],
    ids=["texture-to-buffer", "buffer-to-texture", "strides", "fill", "copied-to", "copied-from", "update", "indices",
         "short-indices", "record", "condition", "report", "stream", "uniform", "processor"],
)  # fmt: skip
def test_a_buffer_holds_what_a_call_reads_and_writes(call: Call, message: str) -> None:
    """What lies behind it in the pool is another's."""
    device = Device()
    commands = device.command_buffer()
    with pytest.raises(ArgumentError, match="^" + message):
        call(device, commands)
    assert commands.unsubmitted == 0


def test_an_address_is_a_place_in_the_pool() -> None:
    """A number says nothing of where a buffer ends: what is inside the pool is taken."""
    device = Device()
    commands, buffer = device.command_buffer(), device.buffer(4)
    commands.clear_buffer(buffer.get_address(), 64, 0)
    commands.draw_elements("TRIANGLES", "INT", 3, buffer.get_address())
    assert commands.unsubmitted == 2


def test_a_command_buffer_is_submitted_once_at_a_time() -> None:
    """A second one in the same call is refused ahead of anything: what was recorded is still there."""
    device = Device()
    queue, commands, ended = device.queue(), device.command_buffer(), device.command_buffer()
    commands.barrier(1)
    with pytest.raises(ArgumentError, match=r"submit: command_buffers\[1\] is command_buffers\[0\], allowed is each"):
        queue.submit(commands, commands)
    ended.end_recording()
    with pytest.raises(ArgumentError, match=r"submit: command_buffers\[1\] is not recording"):
        queue.submit(commands, ended)
    assert (commands.unsubmitted, len(device.recorder.timeline)) == (1, 0)
    queue.submit(commands)
    assert [len(one) for one in device.trace().recording.command_buffers] == [0, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d, c: c.set_render_targets(d.texture("R8", 4)),
         "set_render_targets: colors is Texture, allowed is a list of Texture"),
        (lambda _, c: c.set_render_targets([c]), "set_render_targets: colors[0] is CommandBuffer, allowed is"),
        (lambda _, c: c.set_render_targets(["t"]), "set_render_targets: colors[0] is str, allowed is Texture"),
        (lambda _, c: c.set_render_targets(None), "set_render_targets: colors is None, allowed is a list of Texture"),
        (lambda d, c: c.set_render_targets([d.texture("R8", 4)], d.texture("R8", 4)),
         "set_render_targets: color_views is Texture, allowed is a list of TextureView"),
        (lambda _, c: c.clear_colori(0, 5), "clear_colori: color is 5, allowed are four whole numbers"),
        (lambda _, c: c.clear_color(0, (10**400, 0, 0, 1)), "clear_color: color[0] is 1000"),
        (lambda _, c: c.clear_color(0, (10**5000, 0, 0, 1)), "clear_color: color[0] is int, allowed are numbers"),
        (lambda _, c: c.clear_color(0, "1000"), "clear_color: color is '1000', allowed are four numbers"),
        (lambda _, c: c.clear_color(0, (0, "1", 0, 1)), "clear_color: color[1] is '1', allowed are numbers"),
        (lambda _, c: c.clear_color(0, np.array(3.0)), "clear_color: color is array(3.), allowed are four numbers"),
        (lambda _, c: c.clear_depth_stencil("a", True), "clear_depth_stencil: depth_value is 'a', allowed are"),
        (lambda _, c: c.clear_depth_stencil(None, True), "clear_depth_stencil: depth_value is None, allowed are"),
        (lambda _, c: c.clear_depth_stencil("0.5", True), "clear_depth_stencil: depth_value is '0.5', allowed are"),
        (lambda _, c: c.clear_texture(None, None, None, (0,) * 4),
         "clear_texture: dst_texture is None, allowed is Texture"),
        (lambda d, c: c.clear_texture(d.texture("R8", 4), "view", None, (0,) * 4),
         "clear_texture: dst_view is str, allowed is TextureView"),
        (lambda d, c: c.clear_texture(d.texture("R8", 4), None, 5, (0,) * 4),
         "clear_texture: dst_region is int, allowed is a list of numbers"),
        (lambda d, _: d.texture(37, 4, 4), "TextureBuilder.set_format: format_name is 37, allowed is text"),
        (lambda d, _: d.texture("R8", 4, over=d), "texture: over is Device, allowed is Texture"),
        (lambda d, _: d.texture("R8", 4, label=5), "TextureBuilder.set_label: label is 5, allowed is text"),
        (lambda *_: TextureBuilder().set_storage(5, 0),
         "TextureBuilder.set_storage: pool is int, allowed is MemoryPool"),
        (lambda d, c: d.queue().submit([c]), "submit: command_buffers[0] is list, allowed is CommandBuffer"),
        (lambda d, _: d.queue().submit(d.texture("R8", 4)),
         "submit: command_buffers[0] is Texture, allowed is CommandBuffer"),
        (lambda d, _: d.queue().submit_commands(5),
         "submit_commands: handles is int, allowed is a list of CommandHandle"),
        (lambda d, _: d.memory_pool(65536, "CPU_NO_ACCESS | GPU_CACHED | VIRTUAL").map_virtual([(None, 0, 0, 4096)]),
         "map_virtual: requests[0] is tuple, allowed is MappingRequest"),
        (lambda _, c: c.set_viewport("0", 0, 4, 4), "set_viewport: x is '0', allowed are numbers"),
        (lambda _, c: c.set_viewports(0, [5]), "set_viewports: ranges is int, allowed is a list of numbers"),
        (lambda _, c: c.set_scissors(0, 5), "set_scissors: rects is int, allowed is a list of rectangles"),
        (lambda d, _: d.buffer(True), "buffer: memory is True, allowed are whole numbers"),
        (lambda *_: DepthStencilState().set_depth_func(3.0), "DepthStencilState.set_depth_func: func is 3.0, all"),
        (lambda *_: DepthStencilState().set_depth_func(True), "DepthStencilState.set_depth_func: func is True, all"),
        (lambda *_: DepthStencilState().set_depth_func(StencilFunc.LESS),
         "DepthStencilState.set_depth_func: func is <StencilFunc.LESS: 2>, allowed"),
        (lambda *_: MultisampleState().set_samples(4.0), "MultisampleState.set_samples: samples is 4.0, allowed are"),
        (lambda *_: MultisampleState().set_samples(True), "MultisampleState.set_samples: samples is True, allowed"),
        (lambda d, _: d.texture("R8", 4).compare(5), "Texture.compare: other is int, allowed is Texture"),
        (lambda *_: TextureView().compare(5), "TextureView.compare: other is int, allowed is TextureView"),
        (lambda d, _: MemoryPool(d, 5), "MemoryPool: builder is int, allowed is MemoryPoolBuilder"),
        (lambda d, _: d.memory_pool(4096).map().__setitem__(5, b"a"), "map: place is 5, allowed are slices"),
        (lambda d, _: d.memory_pool(4096).map().__setitem__(slice("a", None), b"a"),
         "map: place is slice('a', None, None), allowed are slices of whole numbers"),
        (lambda *_: record(5), "record: scene is 5, allowed is a function that takes a device"),
        (lambda *_: results_of(5), "record: scene is 5, allowed is a function that takes a device"),
        (lambda *_: record(lambda: None), "record: scene is '<lambda>' (too many positional arguments), allowed"),
        (lambda *_: Texture(5, TextureBuilder()), "Texture: device is 5, allowed is a Device"),
        (lambda *_: Queue(5), "Queue: device is 5, allowed is a Device"),
        (lambda *_: CommandBuffer(None), "CommandBuffer: device is None, allowed is a Device"),
        (lambda *_: MemoryPool(5, MemoryPoolBuilder()), "MemoryPool: device is 5, allowed is a Device"),
    ],
)  # fmt: skip
def test_arguments_of_another_type_are_refused(call: Call, message: str) -> None:
    """No error of Python's own, and nothing is taken in silence."""
    refused(call, message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d, _: d.texture("R8", 4).read_texels("r", level=1), "read_texels: level is 1, allowed are 0 to 0"),
        (lambda d, _: d.texture("R8", 4).read_texels("r", TextureView().set_levels(3, 1)), "read_texels: view: "),
        (lambda d, _: d.texture("R8", 4).write_texels(b"a", TextureView().set_layers(3, 1)), "write_texels: view: "),
        (lambda d, c: c.clear_texture(d.texture("R8", 4), TextureView().set_levels(3, 1), None, (0,) * 4),
         "clear_texture: dst_view: "),
        (lambda d, c: c.clear_texture(d.texture("R8", 4), None, (0, 0, 0, 1), (0,) * 4),
         "clear_texture: dst_region width is 0, allowed are 1 to 4"),
        (lambda d, c: c.clear_texture(d.texture("R8", 4), None, Region(width=0), (0,) * 4),
         "clear_texture: dst_region width is 0, allowed are 1 to 4"),
        (lambda *_: VertexAttribState().set_format("RGBA8_SRGB", 0),
         "VertexAttribState.set_format: format_name: NVN_FORMAT_RGBA8_SRGB cannot be used as vertex"),
        (lambda *_: TextureView().set_format("RGBA9"), "TextureView.set_format: format_name: format 'RGBA9' is not"),
        (lambda d, _: d.texture("RGBA8", 1 << 20, 1 << 20), "texture: "),
        (lambda d, _: d.program(pass_through(Stage.FRAGMENT)), "Program: vertex: a fragment shader, allowed is"),
        (lambda _, c: c.draw_elements("TRIANGLES", "LONG", 3, 0), "draw_elements: index_type is 'LONG', allowed are"),
    ],
    ids=["level", "levels", "layers", "view", "no-width", "region", "vertex-format", "format", "size", "stage",
         "type"],
)  # fmt: skip
def test_errors_from_below_name_the_call(call: Call, message: str) -> None:
    """What a layout, a format or a shader says is said of the call and its argument."""
    refused(call, message)
