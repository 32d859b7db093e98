"""Which calls does a random recording make? All of them valid, drawn by Hypothesis.

Hypothesis is imported when a strategy is asked for. Read next: ``__init__.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from refnvn.enumerations import (
    BarrierBits,
    BlendFunc,
    CounterType,
    DepthFunc,
    DrawPrimitive,
    Face,
    MagFilter,
    MinFilter,
    StencilOp,
    WrapMode,
)
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.sampler import SamplerBuilder
from refnvn.nvn.states import (
    BlendState,
    ChannelMaskState,
    DepthStencilState,
    PolygonState,
    VertexAttribState,
    VertexStreamState,
)
from refnvn.nvn.texture import Texture
from refnvn.shader.feedback import with_feedback
from refnvn.shader.ir import Input, LoadBuiltin, LoadInput, Operate, Output, Shader, StoreOutput
from refnvn.shader.ir_base import Builtin, Kind, Stage
from refnvn.shader.ir_memory import AtomicMemory, AtomicOperation, StorageBlock, StoreMemory

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

INTEGER_FORMATS = ("R32UI", "RGBA16I")
COLOR_FORMATS = (
    "RGBA8",
    "RGBA8_SRGB",
    "R8",
    "RG16F",
    "RGBA32F",
    "RGB10A2",
    "R32UI",
    "RGBA16I",
    "RG8SN",
    "R11G11B10F",
)
DEPTH_FORMATS = ("DEPTH16", "DEPTH24_STENCIL8", "DEPTH32F", "DEPTH32F_STENCIL8", "STENCIL8")
TARGETS = ("2D", "2D_ARRAY", "3D", "CUBEMAP")
MOST_SIDE_PX = 9
BUFFER_B = 4096
_COUNTERS = tuple(one for one in CounterType if one is not CounterType.ZCULL_STATS)


def pass_through(stage: Stage) -> Shader:
    """Return the shader that copies its input 0: to the position, or to colour 0."""
    output = -1 if stage is Stage.VERTEX else 0
    loads = tuple(LoadInput(to=i, location=0, component=i) for i in range(4))
    stores = tuple(StoreOutput(location=output, component=i, of=i) for i in range(4))
    varying: tuple[StoreOutput, ...] = ()
    outputs: tuple[Output, ...] = (Output(location=output),)
    if stage is Stage.VERTEX:
        varying = tuple(StoreOutput(location=0, component=i, of=i) for i in range(4))
        outputs = (*outputs, Output(location=0))
    return Shader(
        refnvn_shader=1,
        stage=stage,
        inputs=(Input(location=0),),
        outputs=outputs,
        registers=(Kind.WORD,) * 4,
        statements=(*loads, *stores, *varying),
    )


class RandomScene:
    """Makes random calls that are all valid."""

    def __init__(self, draw: DrawFn, device: Device, *, draws: bool) -> None:
        self.draw = draw
        self.device = device
        self.queue = device.queue()
        self.colors = [self._texture(COLOR_FORMATS) for _ in range(draw(_integers(1, 2)))]
        self.depths = [self._texture(DEPTH_FORMATS)]
        self.buffer = device.buffer(BUFFER_B)
        self.commands = device.command_buffer()
        self.textures, self.samplers = device.texture_pool(), device.sampler_pool()
        self.commands.set_texture_pool(self.textures)
        self.commands.set_sampler_pool(self.samplers)
        self.calls = [self._clear, self._clear_texture, self._copy, self._state, self._masks, self._barrier]
        self.calls += [self._dispatch, self._count]
        if draws:
            self.calls += [self._draw, self._draw_texture, self._capture]

    def submit(self, count: int) -> None:
        """Record some commands and submit them."""
        self.buffer.write(self.draw(_bytes()))
        self.commands.set_render_targets(self.colors, None, self.depths[0])
        self.commands.set_viewport(0, 0, MOST_SIDE_PX, MOST_SIDE_PX)
        self.commands.set_scissor(0, 0, MOST_SIDE_PX, MOST_SIDE_PX)
        for _ in range(count):
            self.draw(_one_of(self.calls))(self.commands)
        self.queue.submit(self.commands)

    def read(self, number: int) -> None:
        """Read everything."""
        for index, texture in enumerate([*self.colors, *self.depths]):
            texture.read_texels(f"texture_{number}_{index}")
        self.buffer.read(f"buffer_{number}")

    def _texture(self, formats: tuple[str, ...]) -> Texture:
        target = self.draw(_one_of(TARGETS))
        width, height = self.draw(_integers(1, MOST_SIDE_PX)), self.draw(_integers(1, MOST_SIDE_PX))
        depth = 1 if target in ("2D", "CUBEMAP") else self.draw(_integers(1, 3))
        height = width if target == "CUBEMAP" else height
        return self.device.texture(self.draw(_one_of(formats)), width, height, depth, target=target)

    def _color(self) -> Texture:
        color: Texture = self.draw(_one_of(self.colors))
        return color

    def _clear(self, commands: CommandBuffer) -> None:
        slot = self.draw(_integers(0, len(self.colors) - 1))
        mask = self.draw(_integers(0, 15))
        if self.colors[slot].get_format() in INTEGER_FORMATS:
            commands.clear_colorui(slot, [self.draw(_integers(0, (1 << 32) - 1)) for _ in range(4)], mask)
        else:
            commands.clear_color(slot, [self.draw(_floats()) for _ in range(4)], mask)
        stencil, stencil_mask = self.draw(_integers(0, 255)), self.draw(_integers(0, 255))
        commands.clear_depth_stencil(self.draw(_unit_floats()), self.draw(_booleans()), stencil, stencil_mask)

    def _clear_texture(self, commands: CommandBuffer) -> None:
        texture = self._color()
        width = self.draw(_integers(1, texture.get_width()))
        height = self.draw(_integers(1, texture.get_height()))
        if texture.get_format() in INTEGER_FORMATS:
            commands.clear_textureui(texture, None, (0, 0, width, height), (1, 2, 3, 4))
        else:
            commands.clear_texture(texture, None, (0, 0, width, height), (0.25, 0.5, 0.75, 1))

    def _copy(self, commands: CommandBuffer) -> None:
        texture = self._color()
        region = (0, 0, self.draw(_integers(1, texture.get_width())), 1)
        if self.draw(_booleans()):
            commands.copy_texture_to_buffer(texture, None, region, self.buffer)
        else:
            commands.copy_buffer_to_texture(self.buffer, texture, None, region)
        commands.clear_buffer(self.buffer, 4 * self.draw(_integers(0, 4)), self.draw(_integers(0, (1 << 32) - 1)))

    def _state(self, commands: CommandBuffer) -> None:
        side = _integers(0, MOST_SIDE_PX)
        commands.set_scissor(self.draw(side), self.draw(side), self.draw(side), self.draw(side))
        commands.set_viewport(self.draw(side), self.draw(side), self.draw(side), self.draw(side))
        commands.set_stencil_ref("FRONT_AND_BACK", self.draw(_integers(0, 255)))
        test = DepthStencilState().set_depth_test_enable(self.draw(_booleans()))
        test.set_depth_write_enable(self.draw(_booleans())).set_depth_func(self.draw(_one_of(tuple(DepthFunc))))
        keep, other = StencilOp.KEEP, self.draw(_one_of(tuple(StencilOp)))
        test.set_stencil_test_enable(self.draw(_booleans())).set_stencil_op("FRONT", keep, other, other)
        commands.bind_depth_stencil_state(test)

    def _masks(self, commands: CommandBuffer) -> None:
        masks = [self.draw(_booleans()) for _ in range(4)]
        commands.bind_channel_mask_state(ChannelMaskState().set_channel_mask(0, *masks))
        commands.bind_polygon_state(PolygonState().set_cull_face(self.draw(_one_of((Face.NONE, Face.BACK)))))
        commands.bind_blend_state(BlendState().set_blend_func(*(BlendFunc.ONE,) * 4))

    def _barrier(self, commands: CommandBuffer) -> None:
        commands.barrier(BarrierBits(self.draw(_integers(0, max(BarrierBits) * 2 - 1))))

    def _dispatch(self, commands: CommandBuffer) -> None:
        """Add to a word of the buffer, and store past the end of what is bound."""
        commands.bind_program(self.device.program(compute=adding(self.draw(_integers(1, 8)))), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, self.buffer, 4 * self.draw(_integers(1, 16)))
        commands.dispatch_compute(self.draw(_integers(0, 3)), self.draw(_integers(0, 3)))

    def _count(self, commands: CommandBuffer) -> None:
        """Report a counter behind what copies reach."""
        counter = self.draw(_one_of(_COUNTERS))
        commands.report_counter(counter, self.buffer.get_address() + BUFFER_B // 2)
        commands.reset_counter(counter)

    def _draw_texture(self, commands: CommandBuffer) -> None:
        """Draw a texture to the targets, itself among them."""
        formats = {one.get_format() for one in self.colors}
        if not formats.isdisjoint(INTEGER_FORMATS):
            return
        sampler = SamplerBuilder().set_min_mag_filter(
            self.draw(_one_of(tuple(MinFilter))), self.draw(_one_of(tuple(MagFilter)))
        )
        wraps = [self.draw(_one_of(tuple(WrapMode))) for _ in range(3)]
        sampler.set_wrap_mode(*wraps).set_lod_bias(self.draw(_floats())).set_max_anisotropy(
            self.draw(_one_of((1.0, 3.0, 16.0)))
        )
        texture = self.device.texture("RGBA8", self.draw(_integers(1, MOST_SIDE_PX)), MOST_SIDE_PX)
        handle = self.device.get_texture_handle(
            self.textures.register_texture(None, texture), self.samplers.register_sampler_builder(None, sampler)
        )
        region = [MOST_SIDE_PX * self.draw(_floats()) for _ in range(8)]
        commands.draw_texture(handle, region[:4], region[4:])

    def _capture(self, commands: CommandBuffer) -> None:
        """Capture the next draw, as far as there is room, and draw what was captured."""
        control = self.device.buffer(32)
        commands.bind_transform_feedback_buffer(0, self.device.buffer(256), 16 * self.draw(_integers(1, 4)))
        commands.begin_transform_feedback(control)
        self._draw(commands)
        commands.end_transform_feedback(control)

    def _draw(self, commands: CommandBuffer) -> None:
        if self.colors[0].get_format() in INTEGER_FORMATS:
            return
        vertices = [[self.draw(_floats()) for _ in range(3)] + [1.0] for _ in range(3)]
        buffer = self.device.buffer(np.array(vertices, np.float32))
        _bind_triangle(self.device, commands, buffer)
        commands.draw_arrays(DrawPrimitive.TRIANGLES, 0, 3)


def adding(size: int) -> Shader:
    """Return the compute shader of so many invocations that adds to a word, and stores its number to its own."""
    index, old, place = 0, 1, 2
    return Shader(
        refnvn_shader=1,
        stage=Stage.COMPUTE,
        local_size=(size, 1, 1),
        storage=(StorageBlock(binding=0),),
        registers=(Kind.WORD,) * 3,
        statements=(
            LoadBuiltin(to=index, builtin=Builtin.GLOBAL_ID_X),
            AtomicMemory(to=old, operation=AtomicOperation.ADD, binding=0, of=index),
            Operate(name="word.mul", to=place, of=(index, index)),
            StoreMemory(binding=0, plus_B=place, of=index),
        ),
    )


def _bind_triangle(device: Device, commands: CommandBuffer, buffer: Buffer) -> None:
    vertex = with_feedback(pass_through(Stage.VERTEX), [-1])
    commands.bind_program(device.program(vertex, pass_through(Stage.FRAGMENT)))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(16)])
    commands.bind_vertex_buffer(0, buffer)


def _integers(least: int, most: int) -> SearchStrategy[int]:
    from hypothesis import strategies as st

    return st.integers(least, most)


def _booleans() -> SearchStrategy[bool]:
    from hypothesis import strategies as st

    return st.booleans()


def _bytes() -> SearchStrategy[bytes]:
    from hypothesis import strategies as st

    return st.binary(min_size=1, max_size=64)


def _floats() -> SearchStrategy[float]:
    from hypothesis import strategies as st

    return st.floats(-2, 2, width=32)


def _unit_floats() -> SearchStrategy[float]:
    from hypothesis import strategies as st

    return st.floats(0, 1, width=32)


def _one_of(options: Any) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    return st.sampled_from(options)
