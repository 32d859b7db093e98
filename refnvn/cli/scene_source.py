"""A scene of the catalogue, or a trace from a file: its name, its trace, its results, its golden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from refnvn.errors import InputFileError, RefnvnError
from refnvn.rules.fields import Rules

if TYPE_CHECKING:
    from refnvn.golden.case import GoldenCase
    from refnvn.golden.model import Golden
    from refnvn.golden.result import Result
    from refnvn.trace.files import Trace


@dataclass(frozen=True, slots=True)
class SceneSource:
    """A case of the catalogue, or a case that replays a trace.

    Attributes
    ----------
    name : str
        What somebody calls it: the golden's name, or that of the recording or its file.
    case : GoldenCase
        A function of the rules.
    path : Path or None
        Of a trace.
    trace_read : Trace or None
        Of a trace.
    """

    name: str
    case: GoldenCase
    path: Path | None = None
    trace_read: Trace | None = None

    def trace(self) -> Trace:
        """Return what was recorded.

        Raises
        ------
        ArgumentError
            For a case of the catalogue that is no scene.
        """
        from refnvn.golden.scene import trace_of

        return trace_of(self.case) if self.trace_read is None else self.trace_read

    def results(self, rules: Rules) -> list[Result]:
        """Return what it reads back by ``rules``."""
        with _naming(self.path):
            return list(self.case.run(rules))

    def faulty_results(self, fault: str) -> list[Result]:
        """Return what a path with a fault would read back.

        Raises
        ------
        FieldRangeError, ArgumentError
            For no fault of that name, or a case that is no scene.
        """
        from refnvn.commands.recording import Readback
        from refnvn.compare.candidates import candidate_named
        from refnvn.golden.readback import readback_result

        trace = self.trace()
        with _naming(self.path):
            left = candidate_named(fault).run(trace)
        events = [one for one in trace.recording.timeline if isinstance(one, Readback)]
        return [readback_result(trace.recording, one, left[one.name]) for one in events]

    def golden(self) -> Golden:
        """Return it with everything that it may be."""
        from refnvn.golden.build import build

        with _naming(self.path):
            return build(self.case)


@contextmanager
def _naming(path: Path | None) -> Iterator[None]:
    """Let errors of a trace begin with its path."""
    try:
        yield
    except RefnvnError as error:
        text = str(error)
        if path is None or text.startswith(f"{path}"):
            raise
        raise InputFileError(f"{path}: {text}") from error


def scene_from(source: str) -> SceneSource:
    """Return a trace by its path, or else a case of the catalogue by its name.

    Raises
    ------
    InputFileError
        For a trace that is missing or cannot be read.
    ArgumentError
        For no case of that name.
    """
    path = Path(source)
    if path.exists():
        return _from_trace(path)
    from refnvn.golden.case import case_named

    if source.endswith(".zip") or source.startswith((".", "/")):
        raise InputFileError(f"{source}: is missing; allowed are a trace's folder or zip, or a golden's name")
    case = case_named(source)
    return SceneSource(case.name, case)


def _from_trace(path: Path) -> SceneSource:
    from refnvn.golden.case import GoldenCase
    from refnvn.golden.scene import replayed
    from refnvn.trace.files import read_trace

    trace = read_trace(path)
    name = trace.recording.name or path.stem
    topic = re.sub("[^a-z0-9_]+", "_", name.lower())[:64] or "unnamed"
    case = GoldenCase(
        name=f"trace/{topic}", t_test="t_trace", says="A trace.", function=lambda rules: replayed(trace, rules)
    )
    return SceneSource(name, case, path, trace)
