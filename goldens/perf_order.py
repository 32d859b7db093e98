"""Goldens of the order of processor and GPU, with ``t_perf_order``: races, fences, events, flushes."""

from __future__ import annotations

import numpy as np

from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import DepthStencilState, VertexAttribState, VertexStreamState
from refnvn.nvn.sync import Event, EventBuilder, Sync
from refnvn.nvn.texture import Texture
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.shader.python import attribute, fragment_shader, vec4, vertex_shader

SIZE_PX = 16


@vertex_shader
def placed(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position on."""
    return position


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0, 1.0, 1.0, 1.0)


def quad(column: int) -> np.ndarray:
    """Return a triangle strip over twelve columns of the target, from one on."""
    left, right = (2 * edge / SIZE_PX - 1 for edge in (column, column + 12))
    return np.array([(x, y, 0, 1) for y in (-1, 1) for x in (left, right)], np.float32)


class Passes:
    """A depth prepass and a base pass that tests EQUAL, each a submission of its own."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.target = device.texture("RGBA8", SIZE_PX, SIZE_PX)
        self.depth = device.texture("DEPTH32F", SIZE_PX, SIZE_PX)
        self.vertices = device.buffer(quad(0))
        self.queue = device.queue()

    def prepass(self) -> None:
        """Clear, and draw depth alone."""
        self._submit([], "ALWAYS", color=False)

    def base(self) -> None:
        """Draw white where the depth is equal."""
        self._submit([self.target], "EQUAL", color=True)

    def _submit(self, targets: list[Texture], func: str, *, color: bool) -> None:
        commands = self.device.command_buffer()
        commands.set_render_targets(targets, depth_stencil=self.depth)
        if not color:
            commands.clear_depth_stencil(1.0, True)
        commands.bind_program(self.device.program(placed, white if color else None))
        state = DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(not color)
        commands.bind_depth_stencil_state(state.set_depth_func(func))
        commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", 0)])
        commands.bind_vertex_stream_state([VertexStreamState().set_stride(16)])
        commands.bind_vertex_buffer(0, self.vertices)
        commands.set_viewport(0, 0, SIZE_PX, SIZE_PX)
        commands.draw_arrays("TRIANGLE_STRIP", 0, 4)
        self.queue.submit(commands)


@scene_case(
    "perf_order/vertices_written_again",
    t_test="t_perf_order",
    says="Vertices that are written again before the GPU is waited for: both passes see the old, or one, or none.",
    ledger=("ue-ring",),
)
def vertices_written_again(device: Device) -> None:
    """Columns 0 to 11 by the old, 4 to 15 by the new, and the black strips 4 to 11 leave; fenced, the old alone."""
    for name in ("racing", "fenced"):
        passes = Passes(device)
        passes.prepass()
        passes.base()
        if name == "fenced":
            passes.queue.finish()
        passes.vertices.write(quad(4), racing=True)
        passes.target.read_texels(name)


@scene_case(
    "perf_order/fences",
    t_test="t_perf_order",
    says="Syncs of queue and command buffer, and between queues: what stands behind a wait is not overtaken.",
    ledger=("buf-tex-copy-early", "ue-ring"),
)
def fences(device: Device) -> None:
    """Staging memory that is written again after a wait: the copies hold what was there when they were submitted.

    Two queues that fill one word without a sync leave either value.
    """
    staging, copies = device.buffer(np.full(4, 1, np.uint32)), device.buffer(64)
    first, second = device.queue(), device.queue()
    syncs = [Sync(device) for _ in range(3)]
    commands = device.command_buffer()
    commands.copy_buffer_to_buffer(staging, copies, 16)
    first.submit(commands)
    first.fence_sync(syncs[0])
    syncs[0].wait()
    staging.write(np.full(4, 2, np.uint32), racing=True)
    commands.copy_buffer_to_buffer(staging.get_address(), copies.get_address(16), 16)
    commands.fence_sync(syncs[1], "ALL_GPU_COMMANDS_COMPLETE", "FLUSH_FOR_CPU")
    first.submit(commands)
    syncs[1].wait()
    staging.write(np.full(4, 3, np.uint32), racing=True)
    commands.copy_buffer_to_buffer(staging.get_address(), copies.get_address(32), 16)
    first.submit(commands)
    first.fence_sync(syncs[2])
    second.wait_sync(syncs[2])
    other = device.command_buffer()
    other.copy_buffer_to_buffer(copies.get_address(32), copies.get_address(48), 16)
    second.submit(other)
    second.finish()
    staging.write(np.full(4, 4, np.uint32))
    copies.read("copies")
    word = device.buffer(np.zeros(1, np.uint32))
    for queue, value in ((first, 5), (second, 6)):
        fill = device.command_buffer()
        fill.clear_buffer(word, 4, value)
        queue.submit(fill)
    word.read("unordered")


@scene_case(
    "perf_order/events",
    t_test="t_perf_order",
    says="An event's word is written and added to by both sides, and copied in the order of the commands.",
    ledger=("copy-order",),
)
def events(device: Device) -> None:
    """7 from the processor, 3 more, a wait for 10, then 12; copies between hold 10 and 12, a value is reported.

    Whether a time stands behind the value is open, and not read.
    """
    words = device.buffer(np.zeros(8, np.uint32))
    pool, start = words.get_memory_pool(), words.get_memory_offset()
    event = Event(EventBuilder().set_storage(pool, start))
    event.signal("WRITE", 7)
    commands = device.command_buffer()
    commands.signal_event(event, "ADD", "BOTTOM", 0, 3)
    commands.wait_event(event, "EQUAL", 10)
    commands.wait_event(event, "GEQUAL_WRAP", 9)
    commands.copy_buffer_to_buffer(words.get_address(), words.get_address(4), 4)
    commands.copy_buffer_to_buffer(words.get_address(4), words.get_address(8), 4)
    commands.signal_event(event, "WRITE", "TOP", "NO_WAIT_MEMORY", 12)
    commands.copy_buffer_to_buffer(words.get_address(), words.get_address(12), 4)
    commands.report_value(0x12345678, words.get_address(16))
    device.queue().submit(commands)
    event.get_value("event")
    pool.read("words", start, 24)


@scene_case(
    "perf_order/flushed_storage",
    t_test="t_perf_order",
    says="A texture over storage that the processor wrote and flushed starts with those bytes.",
    ledger=("s4-sw-flushfill",),
)
def flushed_storage(device: Device) -> None:
    """A gradient in a cached pool, sampled; what was not flushed may be there or not."""
    builder = TextureBuilder().set_format("RGBA8").set_size_2d(4, 4).set_flags("LINEAR").set_stride(32)
    pool = device.memory_pool(8192, "CPU_CACHED|GPU_CACHED")
    gradient = np.zeros((4, 8, 4), np.uint8)
    gradient[:, :4, 0] = np.arange(4) * 60 + 20
    gradient[:, :4, 1] = np.arange(4)[:, None] * 60 + 20
    gradient[..., 3] = 255
    scene = Sampling(device)
    for name, offset in (("flushed", 0), ("unflushed", 4096)):
        pool.map()[offset : offset + 128] = gradient
        if name == "flushed":
            pool.flush_mapped_range(offset, 128)
        texture = Texture(device, builder.copy().set_storage(pool, offset))
        target = scene.target("RGBA8", 4, 4)
        scene.commands.draw_texture(scene.handle(texture), (0, 0, 4, 4), (0, 0, 4, 4))
        scene.submit()
        target.read_texels(name)
