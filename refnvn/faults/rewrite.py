"""How is a recording rewritten command by command, with the state that each command meets?

A rewriting function sees one command and the pass it stands in, and gives the commands to execute in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording, Submit
from refnvn.commands.resources import TextureRef
from refnvn.commands.subject import Subject, subject_of
from refnvn.trace.files import Trace


@dataclass(slots=True)
class Pass:
    """What a command meets: the targets, the scissor, and whether something was drawn since they were set."""

    recording: Recording
    targets: c.SetRenderTargets = field(default_factory=c.SetRenderTargets)
    scissor: c.SetScissor | None = None
    drawn: bool = False

    def references(self) -> list[TextureRef]:
        """Return every target that is set."""
        everything = (*self.targets.colors, self.targets.depth_stencil)
        return [one for one in everything if one is not None]

    def subject(self, reference: TextureRef) -> Subject:
        """Return what a reference shows: format, level, layers, size."""
        return subject_of(self.recording.textures[reference.texture], reference.view)

    def note(self, command: c.AnyCommand) -> None:
        """Follow the state past a command."""
        if isinstance(command, c.SetRenderTargets):
            self.targets, self.drawn = command, False
        elif isinstance(command, c.SetScissor):
            self.scissor = command
        elif isinstance(command, DRAWS):
            self.drawn = True


DRAWS = (c.DrawArrays, c.DrawElements, c.DrawArraysInstanced, c.DrawElementsInstanced)
Change = Callable[[c.AnyCommand, Pass], Iterable[c.AnyCommand]]


def rewrite_commands(trace: Trace, change: Change) -> Trace:
    """Return a trace with every command replaced by what ``change`` gives for it.

    Command buffers are walked in the order of their first submission, since state lives on across them.
    """
    recording = trace.recording
    buffers = list(recording.command_buffers)
    state = Pass(recording)
    order = dict.fromkeys(i for e in recording.timeline if isinstance(e, Submit) for i in e.command_buffers)
    for index in order:
        changed: list[c.AnyCommand] = []
        for command in buffers[index]:
            changed.extend(change(command, state))
            state.note(command)
        buffers[index] = tuple(changed)
    return with_recording(trace, msgspec.structs.replace(recording, command_buffers=tuple(buffers)))


def with_recording(trace: Trace, recording: Recording) -> Trace:
    """Return a trace with another recording and the same blobs."""
    return replace(trace, recording=recording)
