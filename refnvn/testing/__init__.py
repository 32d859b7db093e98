"""What tests of scenes and traces need: results by name, a fixture, and Hypothesis strategies of recordings.

In a test module::

    from refnvn.testing import nvn_device, results_of, traces

    def test_red(nvn_device):
        target = nvn_device.texture("RGBA8", 4, 4)
        ...
        assert results_of(nvn_device)["target"][0, 0].tolist() == [255, 0, 0, 255]

    @given(traces())
    def test_any_trace(trace): ...

Hypothesis and pytest come with the extra ``dev``; this module imports Hypothesis only when a strategy is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from numpy.typing import NDArray

from refnvn.golden.scene import replayed
from refnvn.nvn.device import Device
from refnvn.nvn.scene import Scene, record
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy


@pytest.fixture
def nvn_device() -> Device:
    """Return a new device to record on."""
    return Device("test")


def results_of(recorded: Device | Scene | Trace, rules: Rules = NVN) -> dict[str, NDArray[Any]]:
    """Return what a device, scene or trace reads back, by name: stored codes of texels, bytes of memory.

    Parameters
    ----------
    recorded : Device, scene or Trace
        A scene is recorded first.
    rules : Rules
        To replay by.
    """
    if isinstance(recorded, Device):
        trace = recorded.trace()
    else:
        trace = recorded if isinstance(recorded, Trace) else record(recorded)
    return {result.name: result.array for result in replayed(trace, rules)}


def traces(*, most_commands: int = 12, draws: bool = True) -> SearchStrategy[Trace]:
    """Return a strategy of traces that can be replayed: a few textures and buffers, commands, writes and readbacks.

    Parameters
    ----------
    most_commands : int
        Of each command buffer.
    draws : bool
        Whether triangles are drawn.
    """
    from hypothesis import strategies as st

    from refnvn.testing.random_scene import RandomScene

    @st.composite
    def traces_(draw: DrawFn) -> Trace:
        device = Device("random")
        if draw(st.booleans()):
            device.set_window_origin_mode("UPPER_LEFT")
        scene = RandomScene(draw, device, draws=draws)
        for number in range(draw(st.integers(1, 2))):
            scene.submit(draw(st.integers(1, most_commands)))
            scene.read(number)
        return device.trace()

    return traces_()
