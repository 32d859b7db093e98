"""What shaders, or numbers in memory, ask for is refused before it takes all time or memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldens.mesh_indirect import one_pixel, tasks
from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.resources import Program
from refnvn.enumerations import DrawPrimitive
from refnvn.errors import SizeError
from refnvn.nvn.program import mesh_stages
from refnvn.raster.textured_rectangle import clip_corners, coordinates
from refnvn.replay import feedback, group_batches, indirect_work, mesh, tessellation
from refnvn.replay.draw_texture import ends_of
from refnvn.replay.errors import ReplayError
from refnvn.replay.run import replay
from refnvn.replay.tessellator import tessellated
from refnvn.rules.fields import NVN
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import Shader, from_object, to_object
from refnvn.shader.ir_stages import Domain, TessEvaluation
from refnvn.testing import results_of
from tests.replay.scenes import BUFFER, BUFFER_B, recording, ref, targets, texture
from tests.replay.shaders import PROGRAMS, set_up
from tests.replay.test_group_batches import GROUPS, SIZE, apart, left
from tests.replay.test_mesh import direct
from tests.replay.test_stages import captured

IMAGE = texture("RGBA8", 8, 8)


def test_patches_are_counted_while_they_are_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a million patches at different levels no more are divided than may be drawn: 65 x 65 vertices each."""
    divided: list[Any] = []

    def seen(how: TessEvaluation, levels: tuple[float, ...]) -> Any:
        divided.append(levels)
        return tessellated(how, levels)

    monkeypatch.setattr(tessellation, "tessellated", seen)
    monkeypatch.setattr(tessellation, "MOST_MADE", 3 * 65 * 65)
    levels = np.full((1 << 20, 6), 64.0, np.float32)
    with pytest.raises(SizeError, match="more than 12675 vertices of patches in one draw"):
        tessellation._divided(TessEvaluation(domain=Domain.QUADS), levels)
    assert len(divided) == 4


def test_vertices_that_a_control_buffer_counts_are_bounded_in_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command of a few bytes may draw what memory says: together no more than by other records."""
    monkeypatch.setattr(indirect_work, "MOST_VERTICES", 20)
    control = np.array([0, 0, 0, 0, 9, 0, 0, 0], "<u4").tobytes()
    draw = c.DrawTransformFeedback(primitive=DrawPrimitive.POINTS, address=BUFFER + 64)
    events = [
        r.WriteMemory(pool=0, offset_B=BUFFER_B + 64, blob="control"),
        [targets(ref()), *set_up(8, 8), draw, draw, draw],
    ]
    blobs = {"control": control}
    with pytest.raises(
        ReplayError, match=r"DrawTransformFeedback.address: 27 vertices are asked for by records in memory so far"
    ):
        replay(recording([IMAGE], events, blobs, programs=PROGRAMS), blobs)


def test_workgroups_that_reach_too_much_run_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of their accesses is bounded; the result is the same."""
    together = left(apart, NVN)
    monkeypatch.setattr(group_batches, "MOST_REACHED", GROUPS * SIZE)
    assert np.array_equal(left(apart, NVN), together)


def looped(times: int, **more: Any) -> Shader:
    """Return a compute shader of an empty loop; an atomic one needs its workgroups one after another."""
    empty = {"do": "loop", "times": times, "body": []}
    counts = {"do": "atomic_memory", "to": 0, "operation": "add", "binding": 0, "of": 0}
    form = {"refnvn_shader": 1, "stage": "compute", "registers": ["word"], "statements": [empty]}
    if more.pop("atomic", False):
        form |= {"storage": [{"binding": 0}], "statements": [empty, counts, counts]}
    return from_object(form | more)


def dispatched(shader: Shader, groups: int) -> None:
    """Dispatch workgroups of a shader."""
    commands = [
        c.BindProgram(program=0, stages=32),
        c.DispatchCompute(groups_x=groups, groups_y=1, groups_z=1),
    ]
    replay(recording([], [commands], programs=[Program(compute=to_object(shader))]), {})


def test_a_dispatch_ends_in_time() -> None:
    """Loops times invocations are counted before any runs; more where each workgroup runs by itself."""
    with pytest.raises(ReplayError, match="DispatchCompute: 65539 statements 4194240 times; 274877906944 in one"):
        dispatched(looped(65536, atomic=True, local_size=[64, 1, 1]), 65535)
    with pytest.raises(ReplayError, match="DispatchCompute: 65539 statements 32768 times; 268435456 in one"):
        dispatched(looped(65536, atomic=True), 1 << 15)
    dispatched(looped(64), 2)


def test_a_run_of_a_shader_is_bounded() -> None:
    """Registers times lanes, and statements times lanes."""
    lanes = LaneInputs(count=1 << 22, values=np.zeros((0, 1 << 22), np.uint32))
    with pytest.raises(SizeError, match="a shader of 1024 registers for 4194304 lanes at once; 536870912 in all"):
        run(looped(1, registers=["word"] * 1024), lanes)
    with pytest.raises(SizeError, match="a shader of 65537 statements for 4194304 lanes at once; 274877906944 in"):
        run(looped(65536), lanes)


def test_a_mesh_draw_holds_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workgroups have numbers of 32 bits, and their memory is counted before it is there."""
    program = mesh_stages(one_pixel, vertices=3, primitives=1)
    with pytest.raises(ReplayError, match="2 workgroups from number 4294967295 on; numbers below 4294967296"):
        results_of(direct(2, (1 << 32) - 1, program))
    monkeypatch.setattr(mesh, "MOST_WORDS", 31)
    with pytest.raises(ReplayError, match="more than 31 words that workgroups of one draw may write"):
        results_of(tasks)


def test_a_region_of_draw_texture_may_end_beyond_float32() -> None:
    """The largest float32 twice is infinite, without a warning."""
    most = float(np.finfo(np.float32).max)
    ends = ends_of((most, 0.0, most, 4.0))
    assert coordinates(ends, (4, 4)).view(np.float32)[0].max() == np.inf
    assert np.isfinite(clip_corners(ends, 0.0, (8, 8))[:, 1:]).all()


def test_what_is_captured_is_stored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vertices that lie far apart, as a layout may say, are not held all at once; the result is the same."""
    whole = captured([96], lambda commands: commands.draw_arrays("TRIANGLES", 0, 6))
    monkeypatch.setattr(feedback, "STORED_AT_ONCE_B", 1)
    parts = captured([96], lambda commands: commands.draw_arrays("TRIANGLES", 0, 6))
    assert np.array_equal(parts[0], whole[0])
    assert parts[1] == whole[1]
    assert whole[0].any()
