"""What is the state of things after the n-th command: how are commands counted, and how is a trace cut there?

Commands are counted as they are submitted, from 1: a command buffer that is submitted twice counts twice. 0 is before
the first. A trace that is cut keeps everything up to its step, reads nothing of its own, and reads what is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import AnyEvent, ReadMemory, ReadTexels, Recording, Submit
from refnvn.commands.recording import Readback as AnyReadback
from refnvn.errors import FieldRangeError
from refnvn.trace.files import Trace


@dataclass(frozen=True, slots=True)
class Step:
    """One command as it is executed.

    Attributes
    ----------
    number : int
        From 1.
    event, place, index : int
        The submission in the timeline, which of its command buffers, and where in that buffer.
    buffer : int
        The command buffer of the recording.
    command : a command
        What is executed.
    """

    number: int
    event: int
    place: int
    buffer: int
    index: int
    command: AnyCommand

    @property
    def words(self) -> str:
        """Where it stands and what it is.

        ``7 (timeline[2] command_buffers[0][6]) DrawArrays``.
        """
        name = type(self.command).__name__
        return f"{self.number} (timeline[{self.event}] command_buffers[{self.buffer}][{self.index}]) {name}"

    @property
    def position(self) -> int:
        """Where its submission stands in the timeline."""
        return self.event

    @property
    def event_name(self) -> str:
        """What its event is."""
        return Submit.__name__


@dataclass(frozen=True, slots=True)
class Happening:
    """An event that is no submission: what the processor does, or a present.

    Attributes
    ----------
    position : int
        Where it stands in the timeline.
    event : an event
    """

    position: int
    event: AnyEvent

    @property
    def number(self) -> None:
        """No command: it has no number."""

    @property
    def words(self) -> str:
        """Where it stands, what it is and of what: ``timeline[3] WriteTexels texture 0``."""
        return f"timeline[{self.position}] {self.event_name}"

    @property
    def event_name(self) -> str:
        """What it is, and its own name, or what it is about."""
        kind, name, texture = type(self.event).__name__, getattr(self.event, "name", None), _texture_of(self.event)
        if name is not None:
            return f"{kind} {name!r}"
        if texture is not None:
            return f"{kind} texture {texture}"
        about = next((field for field in ("pool", "queue", "sync") if hasattr(self.event, field)), None)
        return kind if about is None else f"{kind} {about} {getattr(self.event, about)}"


def _texture_of(event: AnyEvent) -> int | None:
    """Return the texture of the recording that an event is about."""
    texture = getattr(event, "texture", None)
    number: int | None = getattr(texture, "texture", texture)
    return number


def steps(recording: Recording) -> Iterator[Step]:
    """Yield every command of every submission, in order."""
    number = 0
    for event, one in enumerate(recording.timeline):
        if not isinstance(one, Submit):
            continue
        for place, buffer in enumerate(one.command_buffers):
            for index, command in enumerate(recording.command_buffers[buffer]):
                number += 1
                yield Step(number, event, place, buffer, index, command)


def step_named(recording: Recording, number: int) -> Step | None:
    """Return a step by its number; None for 0, which is before the first.

    Raises
    ------
    FieldRangeError
        For a number that no command has.
    """
    last = 0
    for step in steps(recording):
        if step.number == number:
            return step
        last = step.number
    if number:
        raise FieldRangeError(f"command {number}: allowed are 0 (before the first) to {last}")
    return None


def cut_after(trace: Trace, number: int, readbacks: Sequence[ReadTexels | ReadMemory]) -> Trace:
    """Return a trace that ends after a command and then reads back.

    Parameters
    ----------
    trace : Trace
    number : int
        Of the last command; 0 keeps what stands before the first submission.
    readbacks : sequence of ReadTexels or ReadMemory
        What to read then, under names of their own.

    Raises
    ------
    FieldRangeError
        For a number that no command has.
    """
    recording = trace.recording
    step = step_named(recording, number)
    buffers = list(recording.command_buffers)
    if step is None:
        first = next((k for k, one in enumerate(recording.timeline) if isinstance(one, Submit)), None)
        kept: list[AnyEvent] = list(recording.timeline[:first])
    else:
        kept = list(recording.timeline[: step.event])
        submission = recording.timeline[step.event]
        assert isinstance(submission, Submit)
        buffers.append(buffers[step.buffer][: step.index + 1])
        whole = submission.command_buffers[: step.place]
        kept.append(msgspec.structs.replace(submission, command_buffers=(*whole, len(buffers) - 1)))
    timeline = (*(one for one in kept if not isinstance(one, AnyReadback)), *readbacks)
    changed = msgspec.structs.replace(recording, command_buffers=tuple(buffers), timeline=timeline)
    return Trace(changed, trace.blobs)
