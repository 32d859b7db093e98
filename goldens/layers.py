"""Goldens of what vertex shaders choose: the layer of the targets, one of sixteen viewports, clip distances.

Numbers are flat and whole, so that coverage alone decides.
"""

from __future__ import annotations

from goldens.drawing import depth_state
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import PolygonState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.shader.python import (
    Array,
    emit_vertex,
    end_primitive,
    flat,
    fragment_shader,
    geometry_shader,
    gl,
    patch,
    store_patch,
    tessellation_control_shader,
    tessellation_evaluation_shader,
    uint,
    uvec4,
    varying,
    vec2,
    vec4,
    vertex_shader,
)

SIZE_PX = 4
LAYERS = 4


@vertex_shader
def to_layer_of_instance():  # type: ignore[no-untyped-def]
    """Cover everything of the layer that the instance's number names."""
    right = 3.0 if gl.vertex_id == 1 else -1.0
    top = 3.0 if gl.vertex_id == 2 else -1.0
    gl.layer = gl.instance_id
    return vec4(right, top, 0.0, 1.0), gl.instance_id


@vertex_shader
def to_viewport_of_instance():  # type: ignore[no-untyped-def]
    """Cover everything of one viewport, in layer 1 every other time; numbers past 15 are viewport 0."""
    right = 3.0 if gl.vertex_id == 1 else -1.0
    top = 3.0 if gl.vertex_id == 2 else -1.0
    gl.layer = gl.instance_id % 2
    gl.viewport_index = gl.instance_id
    return vec4(right, top, 0.5, 1.0), gl.instance_id


@vertex_shader
def clipped_by_instance():  # type: ignore[no-untyped-def]
    """Keep what lies above a diagonal, in layer 0; in layer 1 only the part of it that is left of column 5."""
    right = 3.0 if gl.vertex_id == 1 else -1.0
    top = 3.0 if gl.vertex_id == 2 else -1.0
    gl.layer = gl.instance_id
    gl.clip_distance[0] = top - right + 0.125
    gl.clip_distance[5] = 0.25 - right if gl.instance_id == 1 else 1.0
    return vec4(right, top, 0.0, 1.0), gl.instance_id


@vertex_shader
def numbered_corner():  # type: ignore[no-untyped-def]
    """Give the corners of a strip of squares, two pixels wide, and the vertex's number."""
    right = -1.0 + 0.5 * float(gl.vertex_id // 2)
    top = -1.0 if gl.vertex_id % 2 == 0 else 1.0
    return vec4(right, top, 0.0, 1.0), gl.vertex_id


@geometry_shader(takes="triangles", makes="triangle_strip", max_vertices=6, invocations=2)
def to_two_layers(number: Array[int, 3] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    """Draw each triangle in the layer of its number, and in the one behind it mirrored; odd ones twice as numbers."""
    for k in range(2):
        gl.layer = gl.primitive_id % 3 + gl.invocation_id
        gl.primitive_id = 16 * gl.primitive_id + 4 * gl.invocation_id + k
        if k <= gl.primitive_id % 2:
            for i in range(3):
                corner = gl.position[i]
                side = 1.0 if gl.invocation_id == 0 else -1.0
                emit_vertex(vec4(corner.x * side, corner.yzw), number[i])
            end_primitive()


@vertex_shader
def control_point():  # type: ignore[no-untyped-def]
    """Give the four corners of a square of eight pixels of 32, for each patch."""
    right = 0.5 if gl.vertex_id % 2 == 1 else 0.0
    top = 0.5 if gl.vertex_id % 4 >= 2 else 0.0
    return vec4(right, top, 0.0, 1.0), gl.vertex_id // 4


@tessellation_control_shader(vertices=4)
def leveled(number: Array[int] = varying(0)):  # type: ignore[no-untyped-def,type-arg]
    """Divide patch k by k + 1 and its double, and number it by what its vertices say."""
    level = float(gl.primitive_id + 1)
    gl.tess_level_outer = vec4(level)
    gl.tess_level_inner = vec2(level * 2.0, level)
    store_patch(2, number[3] + 1)
    return gl.position[gl.invocation_id]


@tessellation_evaluation_shader(domain="quads", point_mode=True)
def spread(number: int = patch(2)):  # type: ignore[no-untyped-def]
    """Put a point at the middle of a pixel, in the layer of the patch's number."""
    low = gl.position[0].xy + (gl.position[1].xy - gl.position[0].xy) * gl.tess_coord.x
    high = gl.position[2].xy + (gl.position[3].xy - gl.position[2].xy) * gl.tess_coord.x
    at = low + (high - low) * gl.tess_coord.y
    gl.layer = number
    gl.point_size = 1.0
    return vec4(at.x * 2.0 - 0.484375, at.y * 2.0 - 0.484375, 0.0, 1.0), number


@tessellation_evaluation_shader(domain="triangles", spacing="fractional_even_spacing", clockwise=True)
def folded(number: int = patch(2)):  # type: ignore[no-untyped-def]
    """Fold a triangle along rings, so that what is seen from the back is a pattern."""
    at = gl.tess_coord
    least = min(at.y, at.x)
    least = min(at.z, least)
    fold = 1.0 if least > 0.125 else -1.0
    gl.layer = number - 1
    return vec4(at.x * 1.75 - 0.875, at.y * 1.75 - 0.875 + fold * 0.25, 0.0, 1.0), number


@fragment_shader
def sided(number: int = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the patch's number twice, the layer, and which side is seen."""
    side = 2 if gl.front_facing else 1
    return uvec4(uint(number), uint(gl.primitive_id), uint(gl.layer), uint(side))


@fragment_shader
def tagged(number: int = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the last vertex's number, the primitive's, the layer."""
    return uvec4(uint(number + 1), uint(gl.primitive_id), uint(gl.layer), uint(255))


@fragment_shader
def numbered(instance: int = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the instance's number times 64, plus 1, in the layer that it chose."""
    return uvec4(uint(instance * 64 + 1), uint(gl.layer), uint(gl.viewport_index), uint(255))


def started(device: Device, target: Texture, vertex: object, view: TextureView | None = None) -> CommandBuffer:
    """Return commands that clear a target and are ready to draw to it."""
    commands = device.command_buffer()
    commands.set_render_targets([target], None if view is None else [view])
    commands.clear_colorui(0, (0, 0, 0, 0))
    commands.bind_program(device.program(vertex, numbered))
    commands.set_viewport(0, 0, target.get_width(), target.get_height())
    commands.set_scissor(0, 0, target.get_width(), target.get_height())
    return commands


@scene_case(
    "layers/volume",
    t_test="t_perf_order",
    says="Four instances write their layer: planes of a volume, planes from a view's first, and the first for more.",
    ledger=("layered-vs",),
)
def volume(device: Device) -> None:
    """Without the layer every instance lands in plane 0, and three planes stay empty.

    The second volume is seen from plane 1 on: instances 0 to 2 go to planes 1 to 3, instance 3 to plane 1.
    """
    queue = device.queue()
    for name, view in (("planes", None), ("from_plane_1", TextureView().set_layers(1, 3))):
        target = device.texture("RGBA8UI", SIZE_PX, SIZE_PX, LAYERS, target="3D")
        commands = started(device, target, to_layer_of_instance, view)
        commands.draw_arrays_instanced("TRIANGLES", 0, 3, 0, LAYERS)
        queue.submit(commands)
        target.read_texels(name)


@scene_case(
    "layers/viewports",
    t_test="t_perf_order",
    says="Instances choose viewports with a scissor and depth range each, and layers; number 16 is viewport 0.",
    ledger=("layered-vs",),
)
def viewports(device: Device) -> None:
    """Viewport k is row k of 16; odd ones go to layer 1; a scissor cuts k columns off; depth is k / 16."""
    target = device.texture("RGBA8UI", 16, 16, 2, target="2D_ARRAY")
    depth = device.texture("DEPTH32F", 16, 16, 2, target="2D_ARRAY")
    commands = started(device, target, to_viewport_of_instance)
    commands.set_render_targets([target], None, depth)
    commands.clear_depth_stencil(1.0, True, 0, 0)
    commands.bind_depth_stencil_state(depth_state("ALWAYS"))
    commands.set_viewports(0, [(0.0, float(k), 16.0, 1.0) for k in range(16)])
    commands.set_scissors(0, [(k, 0, 16 - k, 16) for k in range(16)])
    commands.set_depth_ranges(0, [(k / 16, k / 16) for k in range(16)])
    commands.draw_arrays_instanced("TRIANGLES", 0, 3, 0, 17)
    device.queue().submit(commands)
    target.read_texels("numbers")
    depth.read_texels("depths")


@scene_case(
    "layers/clip_distances",
    t_test="t_perf_order",
    says="Two clip distances, one with a number past 3, cut a triangle that covers both layers.",
    ledger=("layered-vs",),
)
def clip_distances(device: Device) -> None:
    """A path without clip distances fills both layers."""
    target = device.texture("RGBA8UI", 8, 8, 2, target="2D_ARRAY")
    commands = started(device, target, clipped_by_instance)
    commands.draw_arrays_instanced("TRIANGLES", 0, 3, 0, 2)
    device.queue().submit(commands)
    target.read_texels("numbers")


@scene_case(
    "layers/geometry",
    t_test="t_perf_order",
    says="A geometry shader draws each triangle of a strip in two layers, mirrored in one, some of them twice.",
    ledger=("layered-vs", "primitive-id"),
)
def geometry(device: Device) -> None:
    """Without the layer that the geometry shader writes all of it lands in layer 0."""
    target = device.texture("RGBA8UI", 8, 4, LAYERS, target="2D_ARRAY")
    commands = started(device, target, numbered_corner)
    commands.bind_program(device.program(numbered_corner, tagged, geometry=to_two_layers))
    commands.draw_arrays("TRIANGLE_STRIP", 0, 10)
    device.queue().submit(commands)
    target.read_texels("numbers")


@scene_case(
    "layers/tessellation",
    t_test="t_perf_order",
    says="Patches divided by 1, 2 and 3 give points in a layer each; of folded patches the back is seen.",
    ledger=("layered-vs",),
)
def tessellation(device: Device) -> None:
    """Without the layer that the evaluation shader writes all points land in layer 0.

    Of folded triangles only back faces are drawn: in which order triangles of a patch are made decides nothing.
    """
    queue = device.queue()
    for name, evaluation, size in (("points", spread, 32), ("folded", folded, 32)):
        target = device.texture("RGBA8UI", size, size, LAYERS, target="2D_ARRAY")
        commands = started(device, target, control_point)
        program = device.program(control_point, sided, tess_control=leveled, tess_evaluation=evaluation)
        commands.bind_program(program)
        commands.bind_polygon_state(PolygonState().set_cull_face("FRONT"))
        commands.set_patch_size(4)
        commands.draw_arrays("PATCHES", 0, 12)
        queue.submit(commands)
        target.read_texels(name)
