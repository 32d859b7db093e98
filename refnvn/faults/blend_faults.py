"""Faults of blending, logic operations and the alpha test. Read next: ``rewrite.py``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording
from refnvn.commands.resources import Program
from refnvn.commands.state import BlendState, ChannelMaskState, ColorState
from refnvn.enumerations import AlphaFunc, BlendAdvancedMode, BlendEquation, BlendFunc, LogicOp
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Change, Pass, rewrite_commands, with_recording
from refnvn.raster.blend_factors import reads_source1
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
_SECOND = 1
_GREY = 0x3F000000


@dataclass(slots=True)
class _Bound:
    """The state of the output merger that a command meets, beside what ``Pass`` follows."""

    color: ColorState = field(default_factory=ColorState)
    blends: dict[int, BlendState] = field(default_factory=dict)
    masks: ChannelMaskState = field(default_factory=ChannelMaskState)
    program: int | None = None

    def note(self, command: c.AnyCommand) -> None:
        """Follow the state past a command."""
        if isinstance(command, c.BindColorState):
            self.color = command.state
        elif isinstance(command, c.BindBlendState):
            self.blends[command.state.target] = command.state
        elif isinstance(command, c.BindChannelMaskState):
            self.masks = command.state
        elif isinstance(command, c.BindProgram):
            self.program = command.program

    def wants_second(self) -> bool:
        """Whether target 0 blends with a SRC1 factor."""
        how = self.blends.get(0)
        if how is None or not self.color.blend_enables & 1:
            return False
        factors = (how.source_color, how.destination_color, how.source_alpha, how.destination_alpha)
        return any(map(reads_source1, factors))

    def outputs(self, recording: Recording) -> set[int]:
        """Return the locations that the bound fragment shader writes."""
        shader = _fragment(recording.programs[self.program]) if self.program is not None else None
        return {int(one["location"]) for one in shader.get("outputs", [])} if shader else set()


def _fragment(program: Program) -> dict[str, Any] | None:
    found: Any = program.fragment
    return found if isinstance(found, dict) else None


def _following(change: Any) -> Change:
    """Return a change that is given the state of the output merger too."""
    bound = _Bound()

    def changed(command: c.AnyCommand, state: Pass) -> Commands:
        bound.note(command)
        found: Commands = change(command, state, bound)
        return found

    return changed


def _untested(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.BindColorState):
        return (c.BindColorState(state=msgspec.structs.replace(command.state, alpha_test=AlphaFunc.ALWAYS)),)
    return (command,)


def _tested_integers(command: c.AnyCommand, state: Pass, bound: _Bound) -> Commands:
    """Let the test discard where colour 0 is an integer target: here all of what NEVER covers."""
    first = state.targets.colors[0] if state.targets.colors else None
    never = bound.color.alpha_test is AlphaFunc.NEVER
    discards = isinstance(command, DRAWS) and never and first is not None and state.subject(first).fmt.is_integer
    return () if discards else (command,)


def _copied(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.BindColorState):
        return (c.BindColorState(state=msgspec.structs.replace(command.state, logic_op=LogicOp.COPY)),)
    return (command,)


def _plain_factors(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.BindBlendState):
        plain = msgspec.structs.replace(command.state, advanced_mode=BlendAdvancedMode.NONE)
        return (c.BindBlendState(state=plain),)
    return (command,)


def _without_second(trace: Trace) -> Trace:
    """Take output 1 away from every fragment shader."""
    programs = tuple(_with_one_output(one) for one in trace.recording.programs)
    return with_recording(trace, msgspec.structs.replace(trace.recording, programs=programs))


def _with_one_output(program: Program) -> Program:
    shader = _fragment(program)
    if shader is None:
        return program
    statements = [
        one for one in shader["statements"] if one["do"] != "store_output" or one.get("location", 0) != _SECOND
    ]
    outputs = [one for one in shader.get("outputs", []) if one["location"] != _SECOND]
    return msgspec.structs.replace(program, fragment={**shader, "outputs": outputs, "statements": statements})


def _second_target_written(command: c.AnyCommand, _: Pass, bound: _Bound) -> Commands:
    """Draw once more with output 1 going to target 1."""
    if not isinstance(command, DRAWS) or not bound.wants_second():
        return (command,)
    kept = BlendState(
        source_color=BlendFunc.ZERO, destination_color=BlendFunc.ONE, color_equation=BlendEquation.ADD,
        source_alpha=BlendFunc.ZERO, destination_alpha=BlendFunc.ONE, alpha_equation=BlendEquation.ADD,
    )  # fmt: skip
    return (
        command,
        c.BindBlendState(state=kept),
        command,
        c.BindBlendState(state=bound.blends[0]),
    )


def _refused(command: c.AnyCommand, state: Pass, bound: _Bound) -> Commands:
    """Leave draws out that want a second source which the shader does not write."""
    missing = isinstance(command, DRAWS) and bound.wants_second() and _SECOND not in bound.outputs(state.recording)
    return () if missing else (command,)


def _undefined_written(command: c.AnyCommand, state: Pass, bound: _Bound) -> Commands:
    """Let targets that the shader does not write receive something."""
    if not isinstance(command, DRAWS):
        return (command,)
    written = bound.outputs(state.recording)
    unwritten = [k for k, one in enumerate(state.targets.colors) if one is not None and k not in written]
    return command, *(c.ClearColor(index=slot, color_bits=(_GREY,) * 4) for slot in unwritten)


register(
    Fault(
        id="alpha-test",
        symptom="foliage, hair and fences are solid quads",
        rewrite=lambda trace: rewrite_commands(trace, _untested),
    ),
    Fault(
        id="alpha-test/integer",
        symptom="draws to an integer target vanish",
        rewrite=lambda trace: rewrite_commands(trace, _following(_tested_integers)),
    ),
    Fault(
        id="logic-op",
        symptom="probe lists lose entries, fog written into alpha blacks out the colours",
        rewrite=lambda trace: rewrite_commands(trace, _copied),
    ),
    Fault(
        id="advanced-blend",
        symptom="translucent layers are too bright or opaque",
        rewrite=lambda trace: rewrite_commands(trace, _plain_factors),
    ),
    Fault(
        id="src1-written/zero",
        symptom="post effects are too dark",
        rewrite=_without_second,
    ),
    Fault(
        id="src1-written/target",
        symptom="a second target is overwritten",
        rewrite=lambda trace: rewrite_commands(trace, _following(_second_target_written)),
    ),
    Fault(
        id="src1-unwritten",
        symptom="draws that blend with an unwritten second source vanish",
        rewrite=lambda trace: rewrite_commands(trace, _following(_refused)),
    ),
    Fault(
        id="unwritten-outputs",
        symptom="noise or fog colour in channels of a G-buffer",
        rewrite=lambda trace: rewrite_commands(trace, _following(_undefined_written)),
    ),
)
