"""Every command is a method with NVN's arguments in NVN's order; states are copied when they are bound."""

from __future__ import annotations

from typing import Any

import pytest

from refnvn.commands import commands as c
from refnvn.commands.commands import Command
from refnvn.commands.resources import Region, TextureRef
from refnvn.enumerations import DepthFunc, Face, StencilFunc, StencilOp, WindowOriginMode
from refnvn.errors import ArgumentError, RefnvnError, SizeError
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.program import Program
from refnvn.nvn.states import (
    BlendState,
    ChannelMaskState,
    ColorState,
    DepthStencilState,
    MultisampleState,
    PolygonState,
    VertexAttribState,
    VertexStreamState,
)
from refnvn.nvn.texture import TextureView
from refnvn.shader.ir_base import Stage
from refnvn.testing.random_scene import pass_through

BASE = 1 << 34
ONE = 0x3F800000


class Stage4:
    """A device with a texture of each kind, a buffer and a command buffer."""

    def __init__(self) -> None:
        self.device = Device()
        self.buffer = self.device.buffer(256)
        self.color = self.device.texture("RGBA8", 4, 4)
        self.depth = self.device.texture("DEPTH24_STENCIL8", 4, 4)
        self.commands = self.device.command_buffer()

    def recorded(self) -> tuple[Command, ...]:
        """End recording and return the commands."""
        handle = self.commands.end_recording()
        return self.device.trace().recording.command_buffers[handle.index]


@pytest.fixture
def s() -> Stage4:
    """Return a fresh stage."""
    return Stage4()


def one(stage: Stage4) -> Any:
    """Return the only command."""
    (command,) = stage.recorded()
    return command


def test_every_command_has_a_method() -> None:
    """The name is NVN's in snake case."""
    import re

    for command in Command.__subclasses__():
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", command.__name__).lower()
        assert callable(getattr(CommandBuffer, name)), name


def test_render_targets(s: Stage4) -> None:
    """Slots may be empty; views go with their textures."""
    s.commands.set_render_targets([None, s.color], None, s.depth)
    assert one(s) == c.SetRenderTargets(colors=(None, TextureRef(texture=0)), depth_stencil=TextureRef(texture=1))


def test_clears_of_targets(s: Stage4) -> None:
    """Numbers are kept as float32 bits, integers as they are; stencil numbers count by their lowest eight bits."""
    s.commands.clear_color(1, (1, 0, 0.5, 1), "R | G")
    s.commands.clear_colori(2, (-1, 2, 3, -(1 << 31)))
    s.commands.clear_colorui(3, (0x01000001, 0xFFFFFFFF, 7, 0), 8)
    s.commands.clear_depth_stencil(1.0, True, 0x103, -1)
    assert s.recorded() == (
        c.ClearColor(index=1, color_bits=(ONE, 0, 0x3F000000, ONE), mask=3),
        c.ClearColori(index=2, color=(-1, 2, 3, -(1 << 31))),
        c.ClearColorui(index=3, color=(0x01000001, 0xFFFFFFFF, 7, 0), mask=8),
        c.ClearDepthStencil(depth_bits=ONE, depth_mask=True, stencil=3, stencil_mask=255),
    )


def test_clears_of_textures_and_buffers(s: Stage4) -> None:
    """A region of None is the whole level."""
    ref, whole = TextureRef(texture=0), Region(width=4, height=4)
    s.commands.clear_texture(s.color, None, None, (1, 1, 1, 1), "A")
    s.commands.clear_texturei(s.color, None, (1, 2, 3, 2), (1, -2, 3, -4))
    s.commands.clear_textureui(s.color, None, Region(width=1), (1, 2, 3, 4))
    s.commands.clear_buffer(s.buffer, 16, 0xDEADBEEF)
    s.commands.clear_buffer(s.buffer.get_address(4), 4, 1)
    s.commands.clear_buffer(s.buffer, None, 2)
    assert s.recorded() == (
        c.ClearTexture(texture=ref, region=whole, color_bits=(ONE,) * 4, mask=8),
        c.ClearTexturei(texture=ref, region=Region(x=1, y=2, width=3, height=2), color=(1, -2, 3, -4)),
        c.ClearTextureui(texture=ref, region=Region(width=1), color=(1, 2, 3, 4)),
        c.ClearBuffer(address=BASE, size_B=16, value=0xDEADBEEF),
        c.ClearBuffer(address=BASE + 4, size_B=4, value=1),
        c.ClearBuffer(address=BASE, size_B=256, value=2),
    )


def test_copies_carry_the_strides_in_force(s: Stage4) -> None:
    """Strides are state of the command buffer until recording begins anew."""
    ref, region = TextureRef(texture=0), Region(width=2, height=2)
    s.commands.copy_buffer_to_buffer(s.buffer, s.buffer.get_address(128), 64)
    s.commands.set_copy_row_stride(32)
    s.commands.set_copy_image_stride(128)
    s.commands.copy_buffer_to_texture(s.buffer, s.color, None, (0, 0, 2, 2))
    s.commands.copy_texture_to_buffer(s.color, None, (0, 0, 2, 2), s.buffer, "ENGINE_2D")
    assert (s.commands.get_copy_row_stride(), s.commands.get_copy_image_stride()) == (32, 128)
    assert s.recorded() == (
        c.CopyBufferToBuffer(source=BASE, destination=BASE + 128, size_B=64),
        c.CopyBufferToTexture(source=BASE, texture=ref, region=region, row_stride_B=32, image_stride_B=128),
        c.CopyTextureToBuffer(
            texture=ref, region=region, destination=BASE, row_stride_B=32, image_stride_B=128, flags=2
        ),
    )
    s.commands.begin_recording()
    assert (s.commands.get_copy_row_stride(), s.commands.get_copy_image_stride()) == (0, 0)


def test_dynamic_state(s: Stage4) -> None:
    """Numbers are rounded to float32; the viewport has the device's origin."""
    s.commands.set_viewport(0, 0.1, 4, 4)
    s.commands.set_scissor(-1, 2, 0x7FFFFFFF, 0)
    s.commands.set_depth_range(0.25, 1)
    s.commands.set_depth_clamp(True)
    s.commands.set_stencil_ref("FRONT", 0x1FF)
    s.commands.set_stencil_value_mask("BACK", 0x0F)
    s.commands.set_stencil_mask(3, -1)
    assert s.recorded() == (
        c.SetViewport(x=0.0, y=0.10000000149011612, width=4.0, height=4.0, window_origin=WindowOriginMode.LOWER_LEFT),
        c.SetScissor(x=-1, y=2, width=0x7FFFFFFF, height=0),
        c.SetDepthRange(near=0.25, far=1.0),
        c.SetDepthClamp(enable=True),
        c.SetStencilRef(faces=Face.FRONT, reference=255),
        c.SetStencilValueMask(faces=Face.BACK, mask=15),
        c.SetStencilMask(faces=Face.FRONT_AND_BACK, mask=255),
    )


def test_states_are_copied_when_they_are_bound(s: Stage4) -> None:
    """Setters called after the binding change nothing that was recorded."""
    state = DepthStencilState().set_depth_test_enable(True).set_depth_func("LEQUAL")
    s.commands.bind_depth_stencil_state(state)
    state.set_depth_func("NEVER").set_depth_write_enable(True)
    command = one(s)
    assert command.state.depth_func is DepthFunc.LEQUAL
    assert not command.state.depth_write


def test_stencil_setters_reach_the_faces_they_name() -> None:
    """FRONT_AND_BACK sets both, FRONT and BACK one."""
    state = DepthStencilState().set_stencil_test_enable(True).set_stencil_func("FRONT_AND_BACK", "EQUAL")
    record = state.set_stencil_op("BACK", "KEEP", "INVERT", "INCR_WRAP").set_stencil_func("FRONT", "LESS").record
    assert (record.front_func, record.back_func) == (StencilFunc.LESS, StencilFunc.EQUAL)
    assert (record.back_fail, record.back_depth_fail, record.back_depth_pass) == (
        StencilOp.KEEP, StencilOp.INVERT, StencilOp.INCR_WRAP,
    )  # fmt: skip
    assert record.front_depth_pass is StencilOp.REPLACE


def test_every_state_is_bound(s: Stage4) -> None:
    """Each state goes into the command of its name."""
    mask = ChannelMaskState().set_channel_mask(7, True, False, False, True)
    polygon = PolygonState().set_cull_face("BACK").set_front_face("CW").set_polygon_mode("LINE")
    color = ColorState().set_blend_enable(0, True).set_blend_enable(3, True).set_blend_enable(0, False)
    blend = BlendState().set_blend_target(2).set_blend_func("SRC_ALPHA", "ONE", "ONE", "ZERO")
    multisample = MultisampleState().set_samples(4).set_alpha_to_coverage_enable(True).set_raster_samples(2)
    s.commands.bind_channel_mask_state(mask)
    s.commands.bind_polygon_state(polygon.set_polygon_offset_enables("FILL | LINE"))
    s.commands.bind_color_state(color.set_logic_op("XOR").set_alpha_test("GREATER"))
    s.commands.bind_blend_state(blend.set_blend_equation("MIN", "MAX").set_advanced_mode("SRC_OVER"))
    s.commands.bind_multisample_state(multisample.set_coverage_modulation_mode("RGBA"))
    s.commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGB32F", 12).set_stream_index(1)])
    s.commands.bind_vertex_stream_state([VertexStreamState().set_stride(24).set_divisor(2)])
    masks, polygons, colors, blends, samples, attribs, streams = (
        getattr(command, "state", command) for command in s.recorded()
    )
    assert masks.masks == (15,) * 7 + (9,)
    assert (polygons.cull_face, polygons.front_face.name, polygons.polygon_offset_enables) == (Face.BACK, "CW", 6)
    assert (colors.blend_enables, colors.logic_op.name, colors.alpha_test.name) == (8, "XOR", "GREATER")
    assert (blends.target, blends.source_color.name, blends.alpha_equation.name) == (2, "SRC_ALPHA", "MAX")
    assert (samples.samples, samples.raster_samples, samples.alpha_to_coverage) == (4, 2, True)
    assert [(a.format, a.offset_B, a.stream) for a in attribs.attribs] == [("RGB32F", 12, 1)]
    assert [(t.stride_B, t.divisor) for t in streams.streams] == [(24, 2)]


def test_a_modulation_table_is_copied(s: Stage4) -> None:
    """Sixteen numbers as bits, NaN among them; fewer are refused."""
    s.commands.bind_coverage_modulation_table([1.0] * 15 + [float("nan")])
    (table,) = s.recorded()
    assert table.values_bits[0] == 0x3F800000
    assert len(table.values_bits) == 16
    with pytest.raises(SizeError, match="f has 2 numbers, allowed are 16"):
        s.commands.bind_coverage_modulation_table([0.5, 1.0])


def test_rare_setters_of_states() -> None:
    """Flags of blending and multisampling, and defaults again."""
    blend = BlendState().set_advanced_overlap("DISJOINT").set_advanced_premultiplied_src(False)
    assert not blend.set_advanced_normalized_dst(False).record.advanced_normalized_destination
    assert blend.set_defaults().record == BlendState().record
    samples = MultisampleState().set_multisample_enable(False).set_alpha_to_coverage_dither(False)
    assert samples.set_coverage_to_color_enable(True).record.coverage_to_color == 0
    assert samples.set_coverage_to_color_output(3).set_coverage_to_color_enable(False).record.coverage_to_color == -1
    with pytest.raises(SizeError, match="samples is 3, allowed are 0, 1, 2, 4, 8, 16"):
        samples.set_samples(3)
    with pytest.raises(RefnvnError, match="RGBA_DXT1 cannot be used as vertex"):
        VertexAttribState().set_format("RGBA_DXT1", 0)


def test_programs_and_buffers_and_draws(s: Stage4) -> None:
    """A program is copied; a Buffer brings its address and size."""
    program = s.device.program(pass_through(Stage.VERTEX), pass_through(Stage.FRAGMENT))
    s.commands.bind_program(program)
    s.commands.bind_program(None, "COMPUTE")
    s.commands.bind_vertex_buffer(3, s.buffer)
    s.commands.bind_vertex_buffer(4, 0, 0)
    s.commands.bind_uniform_buffer("FRAGMENT", 2, s.buffer, 64)
    s.commands.draw_arrays("TRIANGLES", 1, 3)
    s.commands.draw_elements("TRIANGLE_STRIP", "SHORT", 6, s.buffer.get_address(2))
    s.commands.draw_elements_base_vertex("TRIANGLES", "INT", 3, s.buffer, -5)
    s.commands.barrier("ORDER_FRAGMENTS | INVALIDATE_TEXTURE")
    bind, unbind, stream, nothing, uniform, arrays, elements, base, barrier = s.recorded()
    assert (bind.program, bind.stages, unbind.program, unbind.stages) == (0, 31, None, 32)  # type: ignore[attr-defined]
    assert stream == c.BindVertexBuffer(index=3, address=BASE, size_B=256)
    assert nothing == c.BindVertexBuffer(index=4, address=0, size_B=0)
    assert (uniform.stage.name, uniform.index, uniform.size_B) == ("FRAGMENT", 2, 64)  # type: ignore[attr-defined]
    assert (arrays.primitive.name, arrays.first, arrays.count) == ("TRIANGLES", 1, 3)  # type: ignore[attr-defined]
    assert (elements.address, elements.base_vertex) == (BASE + 2, 0)  # type: ignore[attr-defined]
    assert (base.index_type.name, base.base_vertex) == ("INT", -5)  # type: ignore[attr-defined]
    assert barrier == c.Barrier(bits=18)


def test_equal_programs_are_one(s: Stage4) -> None:
    """A program is known by its shaders."""
    for _ in range(2):
        s.commands.bind_program(s.device.program(pass_through(Stage.VERTEX)))
    s.commands.end_recording()
    assert len(s.device.trace().recording.programs) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "no shader, allowed are vertex, fragment, compute, geometry, tess_control, tess_evaluation"),
        ({"vertex": 5}, "vertex is int, allowed are shaders"),
        ({"vertex": pass_through(Stage.FRAGMENT)}, "vertex: a fragment shader, allowed is a vertex shader"),
        ({"fragment": {"refnvn_shader": 1}}, "fragment: .*stage"),
    ],
    ids=["none", "number", "other-stage", "not-a-shader"],
)
def test_a_program_is_of_valid_shaders(arguments: dict[str, Any], message: str) -> None:
    """Shaders are checked when the program is made."""
    with pytest.raises(RefnvnError, match=message):
        Program(**arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.commands.clear_color(8, (0, 0, 0, 0)), "clear_color: index is 8, allowed are 0 to 7"),
        (lambda s: s.commands.clear_color(0, (0, 0, 0)), "clear_color: color is .*, allowed are four numbers"),
        (lambda s: s.commands.clear_color(0, (0,) * 4, 16), "clear_color: mask is 16, allowed are"),
        (lambda s: s.commands.set_render_targets([s.depth]), r"set_render_targets: colors\[0\]: .*no colour"),
        (lambda s: s.commands.set_render_targets([], None, s.color), "depth_stencil: .* is no depth or stencil"),
        (lambda s: s.commands.set_render_targets([s.color] * 9), "set_render_targets: colors: 9 targets"),
        (lambda s: s.commands.set_render_targets([s.color], []), None),
        (lambda s: s.commands.set_render_targets([s.color], [None, None]), "color_views has 2 views, allowed are"),
        (lambda s: s.commands.clear_texture(s.color, None, (3, 0, 2, 1), (0,) * 4), r"dst_region: region x 3 \+ 2"),
        (lambda s: s.commands.clear_buffer(s.buffer, 3, 0), "clear_buffer: size: 3, allowed are multiples of 4"),
        (lambda s: s.commands.clear_buffer(0, 4, 0), "clear_buffer: buffer: address 0x0 is in no pool"),
        (lambda s: s.commands.clear_buffer(BASE, None, 0), "size is None, allowed where the buffer is a Buffer"),
        (lambda s: s.commands.copy_buffer_to_buffer(s.buffer, 1 << 40, 4), "copy_buffer_to_buffer: dst: address"),
        (lambda s: s.commands.copy_texture_to_buffer(s.color, None, None, BASE + (1 << 20)), "buffer: 64 bytes at"),
        (lambda s: s.commands.set_viewport(0, 0, float("nan"), 1), "set_viewport: w is nan"),
        (lambda s: s.commands.set_scissor(0, 0, -1, 1), "set_scissor: w is -1, allowed are 0 to"),
        (lambda s: s.commands.set_stencil_ref("LEFT", 1), "set_stencil_ref: faces is 'LEFT', allowed are NONE"),
        (lambda s: s.commands.bind_uniform_buffer("VERTEX", 0, BASE + 4, 16), "buffer: 0x400000004, allowed are"),
        (lambda s: s.commands.bind_uniform_buffer("VERTEX", 14, BASE, 16), "index is 14, allowed are 0 to 13"),
        (lambda s: s.commands.draw_elements("TRIANGLES", "INT", 3, BASE + 2), "index_buffer: .* multiples of 4"),
        (lambda s: s.commands.draw_arrays("TRIANGLE", 0, 3), "draw_arrays: mode is 'TRIANGLE', allowed are POINTS"),
        (lambda s: s.commands.bind_vertex_attrib_state([VertexAttribState()]), r"attribs\[0\].format: .*NONE"),
    ],
    ids=[
        "slot", "color", "mask", "depth-as-color", "color-as-depth", "nine", "no-views", "views", "region",
        "odd-fill", "no-pool", "no-size", "far", "outside", "nan", "scissor", "face", "uniform-alignment",
        "uniform-slot", "index-alignment", "mode", "unset-attribute",
    ],
)  # fmt: skip
def test_errors_name_the_call_and_the_argument(s: Stage4, call: Any, message: str | None) -> None:
    """A wrong argument records nothing."""
    if message is None:
        call(s)
        assert s.commands.unsubmitted == 1
        return
    with pytest.raises(RefnvnError, match=message):
        call(s)
    assert s.commands.unsubmitted == 0


def test_nothing_is_recorded_outside_of_recording(s: Stage4) -> None:
    """A command buffer records from the start, until its end, and when it begins anew."""
    assert s.commands.is_recording()
    s.commands.barrier(1)
    with pytest.raises(ArgumentError, match="1 commands were not ended by end_recording"):
        s.commands.begin_recording()
    s.commands.end_recording()
    assert not s.commands.is_recording()
    with pytest.raises(ArgumentError, match="barrier: the command buffer is not recording"):
        s.commands.barrier(1)
    with pytest.raises(ArgumentError, match="end_recording: the command buffer is not recording"):
        s.commands.end_recording()
    s.commands.begin_recording()
    s.commands.barrier(2)
    assert s.recorded() == (c.Barrier(bits=2),)


def test_every_downsample_is_one_command() -> None:
    """With views or without, tile by tile or not: source and destination as they are named."""
    device = Device()
    source, half = device.texture("RGBA8", 8, 8, levels=2), device.texture("RGBA8", 4, 4)
    commands, level = device.command_buffer(), TextureView().set_levels(1, 1)
    commands.downsample(source, half)
    commands.tiled_downsample(source, half)
    commands.downsample_texture_view(source, level, half, None)
    commands.tiled_downsample_texture_view(source, level, half, None)
    device.queue().submit(commands)
    plain = c.Downsample(source=source.ref(), destination=half.ref())
    viewed = c.Downsample(source=source.ref(level), destination=half.ref())
    assert device.trace().recording.command_buffers == ((plain, plain, viewed, viewed),)
