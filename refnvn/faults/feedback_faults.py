"""Faults of draws that read what is rendered in their own pass: blocks, old content, and draws that come too early.

Old content is what memory held when the submission began: barriers are left out, and reads take the oldest value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording, RegisterImage, RegisterSampler, RegisterTexture
from refnvn.commands.sampler import Sampler
from refnvn.enumerations import BarrierBits, TextureSwizzle
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands, with_recording
from refnvn.rules.fields import OwnTargetReads, Rules, UnorderedReads
from refnvn.shader.ir import AnyStatement, LoadBuiltin, Operate, Shader, from_object, to_object
from refnvn.shader.ir_base import Builtin, Kind
from refnvn.shader.ir_textures import FetchTexel, SampleTexture
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
Buffer = tuple[c.AnyCommand, ...]
Where = Callable[[Recording, Buffer, int], bool]
"""Whether something is so at a command (its number) of a command buffer."""
OvertakenBy = Callable[[Buffer, int, int], bool]
"""Whether a draw (the first number) is overtaken by a later one (the second) of a command buffer."""

REGISTERED = (RegisterTexture, RegisterImage)
JUNK = (TextureSwizzle.R, TextureSwizzle.G, TextureSwizzle.R, TextureSwizzle.G)
SMALLEST_LOD = 1 / 256
"""The smallest share of the next level that a filter can take."""


def without_barriers(trace: Trace, bits: BarrierBits) -> Trace:
    """Return a trace whose barriers lack some bits."""

    def left(command: c.AnyCommand, _: Pass) -> Commands:
        if not isinstance(command, c.Barrier):
            return (command,)
        return (c.Barrier(bits=command.bits & ~bits),) if command.bits & ~bits else ()

    return rewrite_commands(trace, left)


def without_barriers_where(trace: Trace, is_left_out: Where) -> Trace:
    """Return a trace that lacks some barriers."""
    recording = trace.recording
    buffers = tuple(
        tuple(
            one
            for place, one in enumerate(commands)
            if not isinstance(one, c.Barrier) or not is_left_out(recording, commands, place)
        )
        for commands in recording.command_buffers
    )
    return with_recording(trace, msgspec.structs.replace(recording, command_buffers=buffers))


def oldest(rules: Rules) -> Rules:
    """Return rules by which what no barrier orders reads the oldest value."""
    return rules.with_(unordered_reads=UnorderedReads.OLDEST)


def overtaking(trace: Trace, is_overtaken: OvertakenBy) -> Trace:
    """Return a trace in which a draw runs after the next one of its pass, each with its own state."""
    buffers = tuple(_overtaken(commands, is_overtaken) for commands in trace.recording.command_buffers)
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=buffers))


def _overtaken(commands: Buffer, is_overtaken: OvertakenBy) -> Buffer:
    for first in draws_from(commands, 0):
        second = next(iter(draws_from(commands, first + 1)), None)
        if second is not None and _is_one_pass(commands[first:second]) and is_overtaken(commands, first, second):
            before, between = commands[:first], commands[first + 1 : second]
            again = tuple(one for one in before if _is_state(one))
            return (*before, *between, commands[second], *again, commands[first], *between, *commands[second + 1 :])
    return commands


def draws_from(commands: Buffer, start: int) -> list[int]:
    """Return the places of the draws of a command buffer from a place on."""
    return [place for place, one in enumerate(commands) if place >= start and isinstance(one, DRAWS)]


def _is_one_pass(commands: Buffer) -> bool:
    return not any(isinstance(one, c.SetRenderTargets) for one in commands)


def _is_state(command: c.AnyCommand) -> bool:
    return type(command).__name__.startswith(("Bind", "Set"))


def _color_is_read(recording: Recording, commands: Buffer, place: int) -> bool:
    """Whether a color target that is set there is anywhere read, as a texture or an image."""
    targets = [one for one in commands[:place] if isinstance(one, c.SetRenderTargets)]
    colors = {one.texture for one in targets[-1].colors if one is not None} if targets else set()
    return any(isinstance(one, REGISTERED) and one.texture.texture in colors for one in recording.timeline)


def _goes_on(_: Recording, commands: Buffer, place: int) -> bool:
    """Whether the targets that are set there were set before, and no others in between."""
    targets = [one for one in commands[:place] if isinstance(one, c.SetRenderTargets)]
    return len(targets) > 1 and targets[-1] == targets[-2]


def _overtaken_where(trace: Trace, where: Where) -> Trace:
    """Let a draw that writes depth overtake the reader before it, where the reader is such a one."""

    def is_overtaken(commands: Buffer, first: int, second: int) -> bool:
        return by_depth_writer(commands, first, second) and where(trace.recording, commands, first)

    return overtaking(trace, is_overtaken)


def _by_handle(recording: Recording, commands: Buffer, place: int) -> bool:
    """Whether the fragment shader of a draw finds a texture through a handle."""
    bound = [one.program for one in commands[:place] if isinstance(one, c.BindProgram)]
    shader = None if not bound or bound[-1] is None else recording.programs[bound[-1]].fragment
    return shader is not None and any(one.get("handle") is not None for one in shader["statements"])


def by_depth_writer(commands: Buffer, first: int, second: int) -> bool:
    """Say whether the second draw writes depth and the first does not."""
    return not _writes_depth(commands[:first]) and _writes_depth(commands[:second])


def _writes_depth(commands: Buffer) -> bool:
    states = [one.state for one in commands if isinstance(one, c.BindDepthStencilState)]
    return bool(states) and states[-1].depth_test and states[-1].depth_write


def _blocks(rules: Rules) -> Rules:
    return rules.with_(own_target_reads=OwnTargetReads.BLOCKS)


def _samplers(trace: Trace, change: Callable[[Sampler], Sampler]) -> Trace:
    """Return a trace whose samplers are registered otherwise."""
    timeline = tuple(
        msgspec.structs.replace(event, sampler=change(event.sampler)) if isinstance(event, RegisterSampler) else event
        for event in trace.recording.timeline
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=timeline))


def _next_level_too(sampler: Sampler) -> Sampler:
    """Let a sample between levels always take a share of the next one."""
    return msgspec.structs.replace(sampler, lod_clamp=(max(sampler.lod_clamp[0], SMALLEST_LOD), sampler.lod_clamp[1]))


def _two_levels_lower(sampler: Sampler) -> Sampler:
    """Clamp a pinned level to a view that ends below the level that is rendered."""
    least, largest = sampler.lod_clamp
    return msgspec.structs.replace(sampler, lod_clamp=(max(least - 2, 0.0),) * 2) if least == largest else sampler


def _junk_beside(trace: Trace) -> Trace:
    """Let textures of two channels read them again where 0 and 1 are due."""
    textures = tuple(
        msgspec.structs.replace(one, swizzle=JUNK) if one.format == "RG8" else one for one in trace.recording.textures
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, textures=textures))


def _own_pixel_only(trace: Trace) -> Trace:
    """Let fragment shaders fetch the texel at their own pixel, wherever they sample two-dimensional textures."""
    programs = tuple(
        msgspec.structs.replace(one, fragment=to_object(_at_own_pixel(from_object(one.fragment, "fragment"))))
        if one.fragment is not None
        else one
        for one in trace.recording.programs
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, programs=programs))


def _at_own_pixel(shader: Shader) -> Shader:
    """Return a shader whose samples of two-dimensional textures, outside of branches, are fetches at the pixel."""
    x, y = len(shader.registers), len(shader.registers) + 1
    statements: list[AnyStatement] = []
    for place, builtin in ((x, Builtin.FRAG_COORD_X), (y, Builtin.FRAG_COORD_Y)):
        statements.append(LoadBuiltin(to=place, builtin=builtin))
        statements.append(Operate(name="int.from_float", to=place, of=(place,)))
    for one in shader.statements:
        if isinstance(one, SampleTexture) and len(one.coordinates) == 2:
            fetch = FetchTexel(
                to=one.to,
                texture=one.texture,
                texels=(x, y),
                handle=one.handle,
                sampler=one.sampler,
                sampler_handle=one.sampler_handle,
            )
            statements.append(fetch)
        else:
            statements.append(one)
    registers = (*shader.registers, Kind.WORD, Kind.WORD)
    return msgspec.structs.replace(shader, registers=registers, statements=tuple(statements))


def _first_layer_only(command: c.AnyCommand, _: Pass) -> Commands:
    """Let passes to layers after the first of one level go on in the first."""
    if not isinstance(command, c.SetRenderTargets):
        return (command,)
    colors = tuple(
        one
        if one is None or one.view is None
        else msgspec.structs.replace(one, view=msgspec.structs.replace(one.view, base_layer=0))
        for one in command.colors
    )
    return (msgspec.structs.replace(command, colors=colors),)


register(
    Fault(id="feedback-snapshot", symptom="hard-edged magenta blocks on a grid of 16 pixels", rules=_blocks),
    Fault(
        id="feedback-snapshot/old",
        symptom="decals and effects work on the picture as the submission found it",
        rewrite=lambda trace: without_barriers_where(trace, _color_is_read),
        rules=oldest,
    ),
    Fault(id="s4-sw-fbsnap", symptom="whole 16x16 blocks of undefined content", rules=_blocks),
    Fault(id="feedback-tile", symptom="absent channels carry junk instead of 0 and 1", rewrite=_junk_beside),
    Fault(
        id="feedback-tile/own-pixel",
        symptom="decals or ink copy the wrong texel where the sample is not at the own pixel",
        rewrite=_own_pixel_only,
    ),
    Fault(
        id="rt-continue",
        symptom="grey blocks in water: depth is read from memory without this pass's writes",
        rewrite=lambda trace: without_barriers_where(trace, _goes_on),
        rules=oldest,
    ),
    Fault(
        id="rt-continue/later",
        symptom="soft edges are missing: later depth reaches earlier readers of a pass that goes on",
        rewrite=lambda trace: _overtaken_where(trace, _goes_on),
    ),
    Fault(
        id="bindless-depth-reader",
        symptom="tiles of a reader that has a handle show depth that the next draw wrote",
        rewrite=lambda trace: _overtaken_where(trace, _by_handle),
    ),
    Fault(
        id="pool-depth-reader",
        symptom="blocks of later depth in the reader's result",
        rewrite=lambda trace: overtaking(trace, by_depth_writer),
    ),
    Fault(
        id="mipchain-sample",
        symptom="black speckles that bloom grows into white blotches: a level of no weight is fetched",
        rewrite=lambda trace: _samplers(trace, _next_level_too),
    ),
    Fault(
        id="upsample-pinned-lod",
        symptom="bloom becomes wide, hard and filled: the pinned level is clamped",
        rewrite=lambda trace: _samplers(trace, _two_levels_lower),
    ),
    Fault(
        id="slice-merge",
        symptom="the content of all faces lies in the first layer, the others are old",
        rewrite=lambda trace: rewrite_commands(trace, _first_layer_only),
    ),
)
