"""Faults of barriers: some bits order nothing, a later writer overtakes, uniforms are read before their update.

What a barrier no longer orders reads the oldest value that it may. Read next: ``feedback_faults.py``.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording
from refnvn.enumerations import BarrierBits
from refnvn.faults.fault import Fault, register
from refnvn.faults.feedback_faults import (
    Buffer,
    draws_from,
    oldest,
    overtaking,
    without_barriers,
    without_barriers_where,
)
from refnvn.faults.rewrite import DRAWS, with_recording
from refnvn.trace.files import Trace

SPOILT = 0x7FC00000
"""Not a number, as a float; a large one as an integer."""
FRAGMENT_BITS = BarrierBits.ORDER_FRAGMENTS | BarrierBits.ORDER_FRAGMENTS_TILED


def _before_a_store(trace: Trace) -> Trace:
    """Let a vertex-only draw run before the draw that reads what it stores."""

    def is_overtaken(commands: Buffer, first: int, second: int) -> bool:
        return _rasterises(commands[:first]) and not _rasterises(commands[:second])

    return overtaking(trace, is_overtaken)


def _rasterises(commands: Buffer) -> bool:
    """Whether a draw after these commands reaches the rasteriser."""
    discards = [one.discard for one in commands if isinstance(one, c.SetRasterizerDiscard)]
    return not discards or not discards[-1]


def _before_a_vertex_reader(recording: Recording, commands: Buffer, place: int) -> bool:
    """Whether the vertex shader of the next draw has textures."""
    following = draws_from(commands, place)[:1]
    bound = [one.program for draw in following for one in commands[:draw] if isinstance(one, c.BindProgram)]
    shader = None if not bound or bound[-1] is None else recording.programs[bound[-1]].vertex
    return shader is not None and bool(shader.get("textures"))


def _updates_late(trace: Trace) -> Trace:
    """Let each update of a uniform buffer land after the next draw."""
    buffers = tuple(tuple(_late(commands)) for commands in trace.recording.command_buffers)
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=buffers))


def _late(commands: Buffer) -> Iterable[c.AnyCommand]:
    waiting: list[c.AnyCommand] = []
    for one in commands:
        if isinstance(one, c.UpdateUniformBuffer):
            waiting.append(one)
            continue
        yield one
        if isinstance(one, DRAWS):
            yield from waiting
            waiting = []
    yield from waiting


def _rest_spoilt(trace: Trace) -> Trace:
    """Let an update of a part of a uniform buffer spoil the words around it, up to the block that it lies in."""
    buffers = tuple(
        tuple(part for one in commands for part in _with_spoilt_rest(one))
        for commands in trace.recording.command_buffers
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=buffers))


def _with_spoilt_rest(command: c.AnyCommand) -> Iterable[c.AnyCommand]:
    if isinstance(command, c.UpdateUniformBuffer) and command.size_B:
        yield c.ClearBuffer(address=command.address, size_B=command.size_B & ~3, value=SPOILT)
    yield command


register(
    Fault(
        id="barrier-prims",
        symptom="meshes explode: later vertices read half-updated matrices",
        rewrite=lambda trace: without_barriers(trace, BarrierBits.ORDER_PRIMITIVES),
        rules=oldest,
    ),
    Fault(
        id="barrier-war",
        symptom="one frame in many a character stretches to another's pose",
        rewrite=_before_a_store,
    ),
    Fault(
        id="barrier-fragment-image",
        symptom="dialog boxes with holes the size of text",
        rewrite=lambda trace: without_barriers(trace, FRAGMENT_BITS),
        rules=oldest,
    ),
    Fault(
        id="s4-sw-barrier",
        symptom="displaced geometry is one pass behind",
        rewrite=lambda trace: without_barriers_where(trace, _before_a_vertex_reader),
        rules=oldest,
    ),
    Fault(
        id="s4-sw-ubdefer",
        symptom="the previous object's transform or colour",
        rewrite=_updates_late,
    ),
    Fault(
        id="s4-sw-ubpartial",
        symptom="constants are wrong in one group of draws",
        rewrite=_rest_spoilt,
    ),
)
