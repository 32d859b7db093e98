"""Goldens of mesh draws by records in memory, with ``t_mesh_indirect``: counts, and the first task."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.program import mesh_stages
from refnvn.shader.python import (
    Array,
    Storage,
    compute_shader,
    float_bits_to_uint,
    fragment_shader,
    gl,
    uint,
    vec4,
)

WIDTH_PX = 16
CORNERS = 3


class Group(Storage, binding=15):
    """A mesh workgroup's memory: one triangle, and three vertices of four words."""

    words: Array[uint]  # type: ignore[type-arg]


class Payload(Storage, binding=14):
    """What a task hands on."""

    words: Array[uint]  # type: ignore[type-arg]


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0, 1.0, 1.0, 1.0)


@compute_shader()
def task_of_two(group: Group):  # type: ignore[no-untyped-def]
    """Ask for two mesh workgroups, and hand on the number of the task."""
    group.words[0] = uint(2)
    group.words[1] = gl.work_group_id.x


@compute_shader()
def one_pixel(group: Group, payload: Payload):  # type: ignore[no-untyped-def]
    """Cover a pixel: twice the task's number, 0 without one, and the workgroup's."""
    left = (float(payload.words[0]) * 4.0 + float(gl.work_group_id.x) * 2.0 - 16.0) / 16.0
    group.words[0] = uint(1)
    group.words[1] = uint(0)
    group.words[2] = uint(1)
    group.words[3] = uint(2)
    for k in range(3):
        x = left + 0.2 if k == 1 else left
        y = 3.0 if k == 2 else -1.0
        group.words[4 + k * 4] = float_bits_to_uint(x)
        group.words[5 + k * 4] = float_bits_to_uint(y)
        group.words[6 + k * 4] = float_bits_to_uint(0.0)
        group.words[7 + k * 4] = float_bits_to_uint(1.0)


def drawn(device: Device, name: str, task: object, mesh: object, records: list[list[int]]) -> None:
    """Draw by records that copies of the GPU put in place, and read the target."""
    target = device.texture("RGBA8", WIDTH_PX, 1)
    stages = mesh_stages(mesh, task, vertices=CORNERS, primitives=1, payload_words=1)
    staging = device.buffer(np.array(records, np.uint32))
    places = device.buffer(np.zeros_like(np.array(records, np.uint32)))
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0, 0, 0, 1))
    commands.set_viewport(0, 0, WIDTH_PX, 1)
    commands.bind_program(device.program(fragment=white, mesh=stages))
    commands.copy_buffer_to_buffer(staging, places)
    for number in range(len(records)):
        commands.draw_mesh_tasks_indirect(places.get_address(8 * number))
    device.queue().submit(commands)
    target.read_texels(name)


@scene_case(
    "mesh_indirect/first_task",
    t_test="t_mesh_indirect",
    says="Records {3, 5} and {0, 9} that the GPU wrote: workgroups 5, 6 and 7 cover their pixels, nothing else.",
    ledger=("mesh-indirect",),
)
def first_task(device: Device) -> None:
    """From 0 on it would be pixels 0 to 2; read when it was recorded, none."""
    drawn(device, "pixels", None, one_pixel, [[3, 5], [0, 9]])


@scene_case(
    "mesh_indirect/tasks",
    t_test="t_mesh_indirect",
    says="Tasks 2 and 3 ask for two workgroups each, which are numbered from 0 and see what their task hands on.",
    ledger=("mesh-indirect",),
)
def tasks(device: Device) -> None:
    """Pixels 4 to 7, by twice the task's number and the workgroup's; then task 6: pixels 12 and 13."""
    drawn(device, "pixels", task_of_two, one_pixel, [[2, 2], [0, 5], [1, 6]])
