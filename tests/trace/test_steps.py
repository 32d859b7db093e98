"""Commands are counted as they run, and a trace is cut behind any of them."""

from __future__ import annotations

import pytest

from refnvn.commands.recording import ReadTexels
from refnvn.commands.resources import Region, TextureRef
from refnvn.errors import FieldRangeError
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.replay.run import replay
from refnvn.trace.files import Trace
from refnvn.trace.steps import cut_after, step_named, steps


def grey_steps(device: Device) -> None:
    """Clear a texture to 1, 2 and 3 / 255; read it at the end."""
    target = device.texture("R8", 2, 1)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    for code in (1, 2, 3):
        commands.clear_color(0, (code / 255, 0, 0, 0))
    device.queue().submit(commands)
    target.read_texels("end")


@pytest.fixture
def trace() -> Trace:
    """Record three clears."""
    return record(grey_steps, "greys")


READ = ReadTexels(name="now", texture=TextureRef(texture=0), region=Region(width=2))


def test_commands_count_from_one(trace: Trace) -> None:
    """One command sets the target, three clear it; a place says where each stands."""
    found = list(steps(trace.recording))
    assert [one.number for one in found] == [1, 2, 3, 4]
    assert [type(one.command).__name__ for one in found] == ["SetRenderTargets", *["ClearColor"] * 3]
    assert found[1].words == "2 (timeline[0] command_buffers[0][1]) ClearColor"


@pytest.mark.parametrize(("number", "code"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_a_cut_trace_ends_behind_a_command(trace: Trace, number: int, code: int) -> None:
    """What is read then is the clear before the cut; the trace's own readback is gone."""
    cut = cut_after(trace, number, [READ])
    found = replay(cut.recording, cut.blobs)
    assert found["now"].ravel().tolist() == [code, code]
    assert "end" not in found


@pytest.mark.parametrize("number", [-1, 5])
def test_a_command_that_is_not_there_is_named(trace: Trace, number: int) -> None:
    """Numbers outside 0 to 4 are one error that says so."""
    with pytest.raises(FieldRangeError, match=f"command {number}: allowed are 0 .* to 4"):
        cut_after(trace, number, [READ])
    assert step_named(trace.recording, 0) is None
