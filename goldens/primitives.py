"""Goldens of ``t_queue_origin`` and of primitives: fans, quads, indices, instances, points, numbers, the viewport.

Everything is flat and of one colour, so that coverage alone decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldens.drawing import depth_state
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import PolygonState, VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture
from refnvn.shader.python import attribute, fragment_shader, gl, uint, vec2, vec4, vertex_shader

SIZE_PX = 8
ORIGINS = ("LOWER_LEFT", "UPPER_LEFT")
POSITION_B, OFFSET_B = 16, 8
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


@vertex_shader
def passed(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position on."""
    return position


@vertex_shader
def moved(position: vec4 = attribute(0), offset: vec2 = attribute(1)):  # type: ignore[no-untyped-def]
    """Move the position by what an instance says."""
    return vec4(position.xy + offset, position.zw)


@vertex_shader
def sized(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Draw points of eight pixels."""
    gl.point_size = 8.0
    return position


@fragment_shader
def one():  # type: ignore[no-untyped-def]
    """Write 1."""
    return uint(1)


@fragment_shader
def side():  # type: ignore[no-untyped-def]
    """Write 2 for the front, 1 for the back."""
    return uint(2) if gl.front_facing else uint(1)


@fragment_shader
def number():  # type: ignore[no-untyped-def]
    """Write the primitive's number plus 1."""
    return uint(gl.primitive_id + 1)


def positions(corners: Sequence[tuple[float, float]], z: float = 0.0) -> NDArray[np.float32]:
    """Return vertices in clip space, shape (n, 4)."""
    return np.array([(x, y, z, 1.0) for x, y in corners], np.float32)


def started(
    device: Device,
    vertices: NDArray[np.float32],
    fragment: object = one,
    vertex: object = passed,
    size: int = SIZE_PX,
) -> tuple[Texture, CommandBuffer]:
    """Return a target of numbers, cleared to 0, and commands that draw vertices to it."""
    target, commands = device.texture("R8UI", size, size), device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_colorui(0, (0, 0, 0, 0))
    commands.bind_program(device.program(vertex, fragment))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(POSITION_B)])
    commands.bind_vertex_buffer(0, device.buffer(vertices))
    commands.set_viewport(0, 0, size, size)
    commands.set_scissor(0, 0, size, size)
    return target, commands


def finished(device: Device, target: Texture, commands: CommandBuffer, name: str = "numbers") -> None:
    """Submit the commands and read the target."""
    device.queue().submit(commands)
    target.read_texels(name)


@scene_case(
    "queue_origin/truth_table",
    t_test="t_queue_origin",
    says="Direction follows the origin of the viewport, winding that of the queue: 24 triangles, 4 rows of cells.",
    ledger=("queue-origin",),
)
def truth_table(device: Device) -> None:
    """Winding from the device's current origin turns half of the table inside out.

    Rows: queue LL and viewport LL, LL and UL, UL and LL, UL and UL. Columns: counter-clockwise and clockwise, each
    with culling of none, front, back. A cell is 0 where nothing was drawn, 2 for the front, 1 for the back.
    """
    triangle = [(-1, -1), (1, -1), (-1, 1)]
    vertices = np.concatenate([positions(triangle), positions(triangle[::-1])])
    queues = []
    for origin in ORIGINS:
        device.set_window_origin_mode(origin)
        queues.append(device.queue())
    target, setup = started(device, vertices, side, size=16)
    queues[0].submit(setup)
    for row, (queue, origin) in enumerate((queue, origin) for queue in queues for origin in ORIGINS):
        device.set_window_origin_mode(origin)
        _, commands = started(device, vertices, side, size=16)
        commands.set_render_targets([target])
        for column, (winding, culled) in enumerate(
            (winding, culled) for winding in (0, 1) for culled in ("NONE", "FRONT", "BACK")
        ):
            commands.bind_polygon_state(PolygonState().set_cull_face(culled))
            commands.set_viewport(2 * column, 4 * row, 2, 4)
            commands.set_scissor(2 * column, 4 * row, 2, 4)
            commands.draw_arrays("TRIANGLES", 3 * winding, 3)
        queue.submit(commands)
    target.read_texels("numbers")


@scene_case(
    "origin_lower_left/direction",
    t_test="t_queue_origin",
    says="The lower half of the clip volume is rows 0 to 3 under a lower-left origin, rows 4 to 7 under the other.",
    ledger=("origin-lower-left",),
)
def direction(device: Device) -> None:
    """Where every viewport is taken for upper-left, text drawn to textures is upside down."""
    half = positions([(-1, -1), (1, -1), (1, 0), (-1, 0)])
    for origin in ORIGINS:
        device.set_window_origin_mode(origin)
        target, commands = started(device, half)
        commands.draw_arrays("QUADS", 0, 4)
        finished(device, target, commands, origin.lower())


@scene_case(
    "primitives/fans_and_quads",
    t_test="t_primitives",
    says="A fan of six is a hexagon, quads are squares, by index too; strips have no gaps, and an index parts them.",
    ledger=("fans-quads",),
)
def fans_and_quads(device: Device) -> None:
    """Taken for lists, half the area is missing and stray triangles appear."""
    hexagon = [(-1, 0), (-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1)]
    target, commands = started(device, positions(hexagon), size=16)
    commands.draw_arrays("TRIANGLE_FAN", 0, 6)
    finished(device, target, commands, "fan")
    squares = [(-1, -1), (-0.5, -1), (-0.5, -0.5), (-1, -0.5), (0, 0), (1, 0), (1, 1), (0, 1)]
    target, commands = started(device, positions(squares))
    commands.draw_arrays("QUADS", 0, 8)
    finished(device, target, commands, "quads")
    target, commands = started(device, positions([(9, 9), *squares]))
    indices = device.buffer(np.array([4, 5, 6, 7, 0, 1, 2, 3], np.uint16))
    commands.draw_elements_base_vertex("QUADS", "SHORT", 8, indices, 1)
    finished(device, target, commands, "quads_by_index")
    ladder = [(-1, -1), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
    target, commands = started(device, positions(ladder))
    commands.draw_arrays("QUAD_STRIP", 0, 6)
    finished(device, target, commands, "quad_strip")
    target, commands = started(device, positions(ladder), number)
    commands.set_primitive_restart(True, 255)
    commands.draw_elements("QUAD_STRIP", "BYTE", 9, device.buffer(np.array([0, 1, 2, 3, 255, 2, 3, 4, 5], np.uint8)))
    finished(device, target, commands, "parted_strip")


@scene_case(
    "primitives/instanced_arrays",
    t_test="t_primitives",
    says="Four instances from base instance 2, an offset of one column each: columns 2 to 5.",
    ledger=("instanced-arrays",),
)
def instanced_arrays(device: Device) -> None:
    """Without the base instance they stand at the first ones' places."""
    column = [(-1, -1), (-0.75, -1), (-0.75, 1), (-1, 1)]
    offsets = np.array([(0.25 * k, 0.0) for k in range(SIZE_PX)], np.float32)
    for name in ("arrays", "elements"):
        target, commands = started(device, positions(column), vertex=moved)
        commands.bind_vertex_attrib_state(
            [
                VertexAttribState().set_format("RGBA32F", 0),
                VertexAttribState().set_format("RG32F", 0).set_stream_index(1),
            ]
        )
        commands.bind_vertex_stream_state(
            [VertexStreamState().set_stride(POSITION_B), VertexStreamState().set_stride(OFFSET_B).set_divisor(1)]
        )
        commands.bind_vertex_buffer(1, device.buffer(offsets))
        if name == "arrays":
            commands.draw_arrays_instanced("QUADS", 0, 4, 2, 4)
        else:
            indices = device.buffer(np.array([0, 1, 2, 3], np.uint8))
            commands.draw_elements_instanced("QUADS", "BYTE", 4, indices, 0, 2, 4)
        finished(device, target, commands, name)


@scene_case(
    "image_primitive_id/columns",
    t_test="t_image_primitive_id",
    says="Four quads of one draw, a column pair each, write their primitive number plus 1: 1, 2, 3, 4.",
    ledger=("primitive-id",),
)
def primitive_numbers(device: Device) -> None:
    """Where the fragment stage always reads 0, all four would go to the first layer of an image."""
    pairs = [(x + dx, y) for x in (-1.0, -0.5, 0.0, 0.5) for dx, y in ((0.0, -1), (0.5, -1), (0.5, 1), (0.0, 1))]
    target, commands = started(device, positions(pairs), number)
    commands.draw_arrays("QUADS", 0, 16)
    finished(device, target, commands)


@scene_case(
    "primitives/viewport_swizzle",
    t_test="t_primitives",
    says="A swizzle of (x, -y, z, w) turns the upper half to the lower; facing is judged of what comes out.",
    ledger=("viewport-swizzle",),
)
def viewport_swizzle(device: Device) -> None:
    """Ignored, the picture is upside down; with winding turned once more, everything is culled."""
    half = positions([(-1, 0), (1, 0), (1, 1), (-1, 1)])
    flipped = ("POSITIVE_X", "NEGATIVE_Y", "POSITIVE_Z", "POSITIVE_W")
    exchanged = ("POSITIVE_Y", "POSITIVE_X", "POSITIVE_Z", "POSITIVE_W")
    for origin in ORIGINS:
        device.set_window_origin_mode(origin)
        for name, swizzle in (("flipped", flipped), ("exchanged", exchanged)):
            target, commands = started(device, half, side)
            commands.set_viewport_swizzles(0, [swizzle])
            commands.draw_arrays("QUADS", 0, 4)
            finished(device, target, commands, f"{name}_{origin.lower()}")


@scene_case(
    "primitives/depth_clamp",
    t_test="t_primitives",
    says="A quad behind the far plane: 64 pixels of depth 1 with depth clamp, none without.",
    ledger=("depth-clamp",),
)
def depth_clamp(device: Device) -> None:
    """Always clipped, geometry beyond the planes is cut off."""
    device.set_depth_mode("NEAR_IS_ZERO")
    for name, clamp in (("clamped", True), ("clipped", False)):
        target, commands = started(device, positions(SQUARE, 1.5))
        depth = device.texture("DEPTH32F", SIZE_PX, SIZE_PX)
        commands.set_render_targets([target], depth_stencil=depth)
        commands.bind_depth_stencil_state(depth_state("ALWAYS"))
        commands.set_depth_clamp(clamp)
        commands.draw_arrays("QUADS", 0, 4)
        finished(device, target, commands, name)
        depth.read_texels(f"{name}_depth")


@scene_case(
    "primitives/point_size",
    t_test="t_primitives",
    says="A point whose shader writes size 8 covers 64 pixels, whatever SetPointSize said.",
    ledger=("s4-3g-pointsize",),
)
def point_size(device: Device) -> None:
    """With the size of the state sprites shrink to a pixel."""
    target, commands = started(device, positions([(0, 0)]), vertex=sized, size=16)
    commands.set_point_size(1.0)
    commands.draw_arrays("POINTS", 0, 1)
    finished(device, target, commands)
