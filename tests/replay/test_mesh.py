"""Task and mesh shaders: which workgroups run, what they see, and what is drawn of their memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from goldens.mesh_indirect import first_task, one_pixel, task_of_two, tasks, white
from refnvn.commands.mesh import CORNERS
from refnvn.commands.resources import MeshStages
from refnvn.enumerations import DrawPrimitive
from refnvn.errors import ArgumentError, RefnvnError, SizeError
from refnvn.nvn import record
from refnvn.nvn.device import Device
from refnvn.nvn.program import mesh_stages
from refnvn.raster.assembled import Shape
from refnvn.replay.indirect_work import MOST_MESH_GROUPS, IndirectWork
from refnvn.replay.mesh import MOST_GROUPS, gathered, mesh_groups
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, OpenCounters, Rules
from refnvn.testing import results_of


def columns(found: Any) -> list[int]:
    """Return which pixels of one row are red."""
    return np.nonzero(np.asarray(found).reshape(-1, 4)[:, 0])[0].tolist()  # type: ignore[no-any-return]


@pytest.mark.rule("DRAW-MESH-1")
def test_numbers_begin_at_the_first_task() -> None:
    """The ledger's records {3, 5} and {0, 9}: pixels 5, 6 and 7."""
    assert columns(results_of(first_task)["pixels"]) == [5, 6, 7]


@pytest.mark.rule("DRAW-MESH-2")
def test_a_task_asks_for_workgroups_from_0_on() -> None:
    """Tasks 2, 3 and 6 with two workgroups each; more than a draw may have are refused."""
    assert columns(results_of(tasks)["pixels"]) == [4, 5, 6, 7, 12, 13]
    assert mesh_groups(MOST_GROUPS) == MOST_GROUPS
    with pytest.raises(SizeError, match="a task asks for 65537 workgroups; 65536 are allowed"):
        mesh_groups(MOST_GROUPS + 1)


def stages(primitive: DrawPrimitive, vertices: int = 2, primitives: int = 2) -> MeshStages:
    """Return a mesh program of outputs of one component."""
    outputs = ({"location": -1, "components": 4},)
    return MeshStages(mesh={}, primitive=primitive, vertices=vertices, primitives=primitives, outputs=outputs)


def test_primitives_are_gathered_in_the_order_of_workgroups() -> None:
    """Two workgroups of two vertices: lines 1-0 of the first, 0-1 twice of the second."""
    groups = [[1, 1, 0, 9, 9, *range(8)], [2, 0, 1, 0, 1, *range(10, 18)]]
    values, primitives = gathered(stages(DrawPrimitive.LINES), [np.array(one, np.uint32) for one in groups])
    assert primitives.shape is Shape.LINES
    assert primitives.vertices.tolist() == [[1, 0], [2, 3], [2, 3]]
    assert primitives.ids.tolist() == [0, 1, 2]
    assert primitives.provoking.tolist() == [1, 2, 2]
    assert values.tolist() == [[k, k + 4, k + 10, k + 14] for k in range(4)]
    assert CORNERS[DrawPrimitive.POINTS] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([3, 0, 0], "a mesh workgroup gives 3 primitives; 2 are declared"),
        ([1, 2, 0], "names vertex 2; 2 are declared"),
    ],
)
def test_what_was_not_declared_is_refused(words: list[int], message: str) -> None:
    """More primitives, or vertices that are not there."""
    with pytest.raises(ArgumentError, match=message):
        gathered(stages(DrawPrimitive.POINTS), [np.array([*words, *[0] * 8], np.uint32)])


def direct(count: int, first: int, mesh: MeshStages | None) -> Callable[[Device], None]:
    """Return a scene that draws workgroups without a record."""

    def scene(device: Device) -> None:
        target = device.texture("RGBA8", 16, 1)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.set_viewport(0, 0, 16, 1)
        if mesh is not None:
            commands.bind_program(device.program(fragment=white, mesh=mesh))
        commands.draw_mesh_tasks(count, first)
        device.queue().submit(commands)
        target.read_texels("pixels")

    return scene


def test_a_direct_draw_takes_its_numbers_from_the_command() -> None:
    """Workgroups 3 and 4; none draws nothing."""
    mesh = mesh_stages(one_pixel, vertices=3, primitives=1)
    assert columns(results_of(direct(2, 3, mesh))["pixels"]) == [3, 4]
    assert columns(results_of(direct(0, 3, mesh))["pixels"]) == []


@pytest.mark.rule("QUERY-MESH-1")
def test_a_mesh_draw_leaves_counters_open() -> None:
    """No report around one says anything of input vertices: the bytes turn over with the rules."""
    mesh = mesh_stages(one_pixel, vertices=3, primitives=1)

    def scene(device: Device) -> None:
        commands, counter = device.command_buffer(), device.buffer(16)
        commands.set_render_targets([device.texture("RGBA8", 16, 1)])
        commands.set_viewport(0, 0, 16, 1)
        commands.bind_program(device.program(fragment=white, mesh=mesh))
        commands.draw_mesh_tasks(2, 3)
        commands.report_counter("INPUT_VERTICES", counter)
        device.queue().submit(commands)
        counter.read("counter")

    trace = record(scene)
    turned = Rules(open_counters=OpenCounters.TURNED)
    found = [replay(trace.recording, trace.blobs, one)["counter"].view("<u8")[0] for one in (NVN, turned)]
    assert found == [0, (1 << 64) - 1]


def test_a_draw_without_a_mesh_shader_or_with_too_much_work_is_an_error() -> None:
    """One error each, with the command's place."""
    with pytest.raises(RefnvnError, match=r"\[2\] DrawMeshTasks: a mesh draw needs a program with a mesh shader"):
        results_of(direct(1, 0, None))
    mesh = mesh_stages(one_pixel, vertices=3, primitives=1)
    with pytest.raises(RefnvnError, match=r"65537 workgroups; 65536 in one draw are allowed"):
        results_of(direct(MOST_GROUPS + 1, 0, mesh))


def test_all_workgroups_of_a_replay_are_bounded() -> None:
    """However many draws they are spread over."""
    work = IndirectWork(mesh_groups=MOST_MESH_GROUPS - 1)
    work.add_mesh_group()
    with pytest.raises(SizeError, match="4194305 workgroups of task and mesh shaders so far, allowed are 4194304"):
        work.add_mesh_group()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mesh_stages(None, vertices=3, primitives=1), "mesh_stages: mesh is None, allowed is a shader"),
        (lambda: mesh_stages(one_pixel, vertices=0, primitives=1), "mesh_stages: vertices is 0, allowed are 1 to"),
        (lambda: Device().program(mesh=5), "Program: mesh is int, allowed is MeshStages"),
        (lambda: Device().program(mesh=mesh_stages(white, vertices=3, primitives=1)),
         "Program: mesh.mesh: a fragment shader, allowed is the form of a compute shade"),
        (lambda: Device().program(mesh=mesh_stages(one_pixel, task_of_two, vertices=3, primitives=1,
                                                   primitive="QUADS")),
         "Program: mesh.primitive: QUADS, allowed are POINTS, LINES, TRIANGLES"),
        (lambda: Device().program(mesh=mesh_stages(one_pixel, vertices=3, primitives=1, outputs=[(99, 4)])),
         "Program: mesh.outputs: "),
    ],
)  # fmt: skip
def test_a_mesh_program_that_cannot_be_is_refused(make: Callable[[], object], message: str) -> None:
    """One error: call, field, what is allowed."""
    with pytest.raises(RefnvnError, match=message):
        make()
