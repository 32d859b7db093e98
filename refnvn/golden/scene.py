"""How does a scene become a golden case? It is recorded once and replayed by the rules that are asked for.

A scene reads what it wants to show; each readback is one result of the case::

    @scene_case("clear_tex/red", t_test="t_clear_tex", says="A clear writes every texel.", ledger=("clear-in-pass",))
    def red(device: Device) -> None:
        target = device.texture("RGBA8", 4, 4)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.clear_color(0, (1, 0, 0, 1))
        device.queue().submit(commands)
        target.read_texels("target")

What a scene records does not depend on the rules; the rules of recording that it used count as used by every replay.

What it does not do: it says nothing of padding. Memory is read whole. Read next: ``build.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass

from refnvn.commands.recording import Readback
from refnvn.errors import ArgumentError, printable
from refnvn.golden.author_errors import told_by_line
from refnvn.golden.case import GoldenCase, golden_case
from refnvn.golden.readback import readback_result
from refnvn.golden.result import Result
from refnvn.nvn.scene import Scene, record
from refnvn.rules import registry
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace


@dataclass(frozen=True, slots=True)
class _Recorded:
    trace: Trace
    rules: frozenset[str]


class SceneFunction:
    """A scene as a function of the rules.

    Attributes
    ----------
    scene : callable
        Takes a device and records.
    name : str
        Of the recording.
    """

    def __init__(self, scene: Scene, name: str) -> None:
        functools.update_wrapper(self, scene)
        self.scene = scene
        self.name = name
        self._recorded: _Recorded | None = None

    def __call__(self, rules: Rules) -> list[Result]:
        """Return the readbacks of a replay by ``rules``."""
        recorded = self.recorded()
        registry.note(recorded.rules)
        return replayed(recorded.trace, rules)

    def recorded(self) -> _Recorded:
        """Record the scene, the first time; which rules that used must not depend on who asks first."""
        if self._recorded is None:
            self._recorded = Context().run(self._record)
        return self._recorded

    def _record(self) -> _Recorded:
        with registry.collect() as used:
            trace = record(self.scene, self.name)
        return _Recorded(trace, frozenset(used))


def scene_case(
    name: str,
    *,
    t_test: str,
    says: str,
    ledger: Sequence[str] = (),
    fixed: Sequence[str] = (),
    also: Sequence[Alternative] = (),
) -> Callable[[Scene], Scene]:
    """Register the scene below as a case of the catalogue.

    Parameters
    ----------
    name, t_test, says, ledger, fixed, also
        As of :func:`refnvn.golden.case.golden_case`.

    Raises
    ------
    ArgumentError
        For a malformed name, or one that another function has.
    """

    def register(scene: Scene) -> Scene:
        register_case = golden_case(name, t_test=t_test, says=says, ledger=ledger, fixed=fixed, also=also)
        register_case(SceneFunction(scene, name))
        return scene

    return register


def trace_of(case: GoldenCase) -> Trace:
    """Return the trace of a case that is a scene.

    Raises
    ------
    ArgumentError
        For a case that is none.
    """
    if not isinstance(case.function, SceneFunction):
        raise ArgumentError(f"golden {case.name}: is no scene, it has no trace")
    with told_by_line(f"golden {case.name}"):
        return case.function.recorded().trace


def replayed(trace: Trace, rules: Rules = NVN) -> list[Result]:
    """Return the readbacks of a trace by ``rules``, in the order of its timeline.

    Raises
    ------
    ArgumentError
        For a trace that cannot be executed, or reads nothing.
    """
    from refnvn.replay.run import replay

    recording = trace.recording
    read = replay(recording, trace.blobs, rules)
    events = [event for event in recording.timeline if isinstance(event, Readback)]
    if not events:
        raise ArgumentError(
            f"recording '{printable(recording.name)}': reads nothing; read_texels, read, present_texture give results"
        )
    return [readback_result(recording, event, read[event.name]) for event in events]
