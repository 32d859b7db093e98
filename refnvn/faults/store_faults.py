"""Faults of images, storage buffers and dispatches: stores that are lost, land elsewhere or come at another time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording, pool_base_B
from refnvn.commands.resources import MemoryPool, TextureRef
from refnvn.commands.subject import packed_rows, whole_region
from refnvn.enumerations import ShaderStage, ShaderStageBits
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands, with_recording
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
Statement = dict[str, Any]
SCRATCH_B = 1 << 20
GRAPHICS = ShaderStageBits.VERTEX | ShaderStageBits.FRAGMENT
STAGES = ("vertex", "fragment", "compute")


# --------------------------------------------------------------------------------------------- shaders


def _changed_shaders(trace: Trace, change: Callable[[Statement], list[Statement]]) -> Trace:
    """Return a trace whose shaders have every statement replaced by what ``change`` gives for it."""
    return _shaders_by(trace, lambda shader: _changed_shader(shader, change))


def _shaders_by(trace: Trace, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Trace:
    """Return a trace whose shaders are what ``change`` gives for each."""
    recording = trace.recording
    programs = tuple(
        msgspec.structs.replace(
            one, **{stage: change(getattr(one, stage)) for stage in STAGES if getattr(one, stage) is not None}
        )
        for one in recording.programs
    )
    return with_recording(trace, msgspec.structs.replace(recording, programs=programs))


def _changed_shader(shader: dict[str, Any], change: Callable[[Statement], list[Statement]]) -> dict[str, Any]:
    return {**shader, "statements": _changed_block(shader.get("statements", []), change)}


def _changed_block(block: list[Statement], change: Callable[[Statement], list[Statement]]) -> list[Statement]:
    found: list[Statement] = []
    for statement in block:
        inner = {
            name: _changed_block(statement[name], change)
            for name in ("then", "otherwise", "body")
            if name in statement
        }
        found += change(statement | inner)
    return found


def _atomics_to_a_sink(trace: Trace) -> Trace:
    """Let atomic accesses of images find 0 and change nothing."""

    def sunk(statement: Statement) -> list[Statement]:
        if statement["do"] != "atomic_image":
            return [statement]
        return [{"do": "constant", "to": statement["to"], "bits": 0}]

    return _changed_shaders(trace, sunk)


def _integer_loads_of_nothing(trace: Trace) -> Trace:
    """Let loads from image slots of integers find 0."""
    return _shaders_by(trace, _without_integer_loads)


def _without_integer_loads(shader: dict[str, Any]) -> dict[str, Any]:
    integers = {slot["binding"] for slot in shader.get("images", []) if slot.get("type", "float") != "float"}

    def emptied(statement: Statement) -> list[Statement]:
        if statement["do"] != "load_image" or statement["binding"] not in integers:
            return [statement]
        return [{"do": "constant", "to": to, "bits": 0} for to in statement["to"]]

    return _changed_shader(shader, emptied)


def _swizzled_images(trace: Trace) -> Trace:
    """Let loads from images find 1, 1, 1 and red: the channel mapping that their view has for samples."""

    def mapped(statement: Statement) -> list[Statement]:
        if statement["do"] != "load_image":
            return [statement]
        red, *_, alpha = statement["to"]
        ones = [{"do": "constant", "to": to, "bits": 0x3F800000} for to in statement["to"][:3]]
        return [statement, {"do": "operate", "name": "word.move", "to": alpha, "of": [red]}, *ones]

    return _changed_shaders(trace, mapped)


# --------------------------------------------------------------------------------------------- commands


def _needs_targets(command: c.AnyCommand, state: Pass) -> Commands:
    """Skip draws without targets."""
    return () if isinstance(command, DRAWS) and not state.references() else (command,)


class _OneSlot:
    """One slot for graphics and compute programs: what was bound last is all there is."""

    def __init__(self) -> None:
        self.is_compute = False

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Drop draws after a compute bind, and dispatches after a graphics bind."""
        if isinstance(command, c.BindProgram):
            self.is_compute = bool(command.stages & ShaderStageBits.COMPUTE)
        dropped = DRAWS if self.is_compute else (c.DispatchCompute, c.DispatchComputeIndirect)
        return () if isinstance(command, dropped) else (command,)


class _ClearsLate:
    """Clears that wait for the pass that follows, and so land after a dispatch."""

    def __init__(self) -> None:
        self.waiting: list[c.AnyCommand] = []

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Keep clears back until a dispatch, or a draw, has been."""
        if isinstance(command, c.ClearColor):
            self.waiting.append(command)
            return ()
        if isinstance(command, c.DispatchCompute):
            late, self.waiting = self.waiting, []
            return (command, *late)
        if isinstance(command, DRAWS):
            late, self.waiting = self.waiting, []
            return (*late, command)
        return (command,)


class _ClearsOverStores(_ClearsLate):
    """Clears that stand alone land at the end of the pass, over what shaders stored."""

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Keep clears back until a draw has been."""
        if isinstance(command, c.ClearColor):
            self.waiting.append(command)
            return ()
        if isinstance(command, DRAWS):
            late, self.waiting = self.waiting, []
            return (command, *late)
        return (command,)


def _hoisted(trace: Trace) -> Trace:
    """Run each dispatch ahead of the draws of the pass that it stands in."""
    recording = trace.recording
    buffers = tuple(_ahead(commands) for commands in recording.command_buffers)
    return with_recording(trace, msgspec.structs.replace(recording, command_buffers=buffers))


def _ahead(commands: tuple[c.AnyCommand, ...]) -> tuple[c.AnyCommand, ...]:
    found: list[c.AnyCommand] = []
    first_draw: int | None = None
    for command in commands:
        if isinstance(command, c.SetRenderTargets):
            first_draw = None
        elif isinstance(command, DRAWS) and first_draw is None:
            first_draw = len(found)
        place = len(found) if first_draw is None or not isinstance(command, c.DispatchCompute) else first_draw
        found.insert(place, command)
    return tuple(found)


class _Unordered:
    """Dispatches that follow one another run at once: every other one is lost where they count."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Drop every second dispatch in a row, barriers or not."""
        if isinstance(command, c.DispatchCompute):
            self.number += 1
            return (command,) if self.number % 2 else ()
        if not isinstance(command, c.Barrier):
            self.number = 0
        return (command,)


def _no_record(command: c.AnyCommand, _: Pass) -> Commands:
    """Read the record of an indirect dispatch when it is recorded: it holds nothing yet."""
    return () if isinstance(command, c.DispatchComputeIndirect) else (command,)


def _scratch(recording: Recording) -> tuple[Recording, int]:
    """Return a recording with one more pool, and the address of that."""
    pools = (*recording.pools, MemoryPool(size_B=SCRATCH_B))
    return msgspec.structs.replace(recording, pools=pools), pool_base_B(len(pools) - 1)


def _nothing_of_size_0(trace: Trace) -> Trace:
    """Take a storage buffer of size 0 for nothing bound: what is stored goes elsewhere."""
    recording, elsewhere = _scratch(trace.recording)

    def unbound(command: c.AnyCommand, _: Pass) -> Commands:
        if isinstance(command, c.BindStorageBuffer) and not command.size_B:
            return (msgspec.structs.replace(command, address=elsewhere),)
        return (command,)

    return rewrite_commands(with_recording(trace, recording), unbound)


def _tile_over_stores(trace: Trace) -> Trace:
    """Store the tile that was loaded over what shaders stored to a target that no draw writes."""
    recording, scratch = _scratch(trace.recording)
    written: list[bool] = [True]

    def stored(command: c.AnyCommand, state: Pass) -> Commands:
        if isinstance(command, c.BindChannelMaskState):
            written[0] = bool(command.state.masks[0])
        color = state.targets.colors[0] if state.targets.colors else None
        if not isinstance(command, DRAWS) or color is None or written[0]:
            return (command,)
        return _kept(command, color, state, scratch)

    return rewrite_commands(with_recording(trace, recording), stored)


def _kept(command: c.AnyCommand, target: TextureRef, state: Pass, scratch: int) -> Commands:
    """Return a command between a copy of a target and its way back."""
    subject = state.subject(target)
    region = whole_region(subject)
    assert packed_rows(subject, region).size_B <= SCRATCH_B
    return (
        c.CopyTextureToBuffer(texture=target, region=region, destination=scratch),
        command,
        c.CopyBufferToTexture(source=scratch, texture=target, region=region),
    )


class _StencilForgotten:
    """A pass that only writes stencil is taken for one that writes nothing: its draws leave no trace."""

    def __init__(self) -> None:
        self.only_stencil = False

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Drop draws that write no depth, but stencil."""
        if isinstance(command, c.BindDepthStencilState):
            self.only_stencil = command.state.stencil_test and not command.state.depth_write
            self.only_stencil &= command.state.front_depth_pass.name != "KEEP"
        return () if isinstance(command, DRAWS) and self.only_stencil else (command,)


def _forgotten_stores(command: c.AnyCommand, state: Pass) -> Commands:
    """Skip draws that write neither colour nor depth, though their shaders store."""
    colors = any(one is not None for one in state.targets.colors)
    return () if isinstance(command, DRAWS) and not colors else (command,)


def _next_slot(command: c.AnyCommand, _: Pass) -> Commands:
    """Take image slots for those of another place in the bank."""
    if isinstance(command, c.BindImage):
        return (msgspec.structs.replace(command, index=(command.index + 1) % 8),)
    return (command,)


def _next_bank(command: c.AnyCommand, _: Pass) -> Commands:
    """Bind uniform slot n where slot n + 1 is read."""
    if isinstance(command, c.BindUniformBuffer):
        return (msgspec.structs.replace(command, index=min(command.index + 1, 13)),)
    return (command,)


def _vertex_storage(command: c.AnyCommand, _: Pass) -> Commands:
    """Let the fragment stage find the vertex stage's storage buffers."""
    if not isinstance(command, c.BindStorageBuffer) or command.stage is ShaderStage.COMPUTE:
        return (command,)
    if command.stage is ShaderStage.FRAGMENT:
        return ()
    return (command, msgspec.structs.replace(command, stage=ShaderStage.FRAGMENT))


class _OneProgram:
    """One program for all graphics stages: without a fragment stage there is no draw."""

    def __init__(self) -> None:
        self.bound = True

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Drop draws after a null bind of any graphics stage."""
        if isinstance(command, c.BindProgram) and command.stages & GRAPHICS:
            self.bound = command.program is not None
        return (command,) if self.bound or not isinstance(command, DRAWS) else ()


class _Ring:
    """Pairs of programs are kept in a ring of 64 places; one that comes again finds whoever has its place now."""

    places = 64

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.held: dict[int, int] = {}

    def __call__(self, command: c.AnyCommand, _: Pass) -> Commands:
        """Give a fragment program that comes again what stands in its place."""
        fragment = isinstance(command, c.BindProgram) and command.stages == ShaderStageBits.FRAGMENT
        if not isinstance(command, c.BindProgram) or not fragment or command.program is None:
            return (command,)
        if command.program in self.numbers:
            held = self.held[self.numbers[command.program] % self.places]
            return (msgspec.structs.replace(command, program=held),)
        self.numbers[command.program] = len(self.numbers)
        self.held[self.numbers[command.program] % self.places] = command.program
        return (command,)


def _commands(change: Callable[[c.AnyCommand, Pass], Commands]) -> Callable[[Trace], Trace]:
    return lambda trace: rewrite_commands(trace, change)


def _following(kind: Callable[[], Callable[[c.AnyCommand, Pass], Commands]]) -> Callable[[Trace], Trace]:
    """Return a rewriting by something that follows the commands of one trace."""
    return lambda trace: rewrite_commands(trace, kind())


register(
    Fault(
        id="atomic-rgba8",
        symptom="atomic accesses of colours go to a sink: bits are never set",
        rewrite=_atomics_to_a_sink,
    ),
    Fault(
        id="image-int-view",
        symptom="an integer image over a colour texture reads 0: translucent panels turn yellow and white",
        rewrite=_integer_loads_of_nothing,
    ),
    Fault(
        id="tex-swizzle/images",
        symptom="the channel mapping of samples reaches images too: a mask loads white",
        rewrite=_swizzled_images,
    ),
    Fault(
        id="no-rt-pass",
        symptom="passes without targets are skipped: what they store is missing, ambient light with it",
        rewrite=_commands(_needs_targets),
    ),
    Fault(
        id="compute-binding",
        symptom="a draw after a dispatch, or a dispatch after a draw, is dropped: a film stays black",
        rewrite=_following(_OneSlot),
    ),
    Fault(
        id="clear-before-dispatch",
        symptom="a clear lands after the dispatch that should have read it: scenes open near white",
        rewrite=_following(_ClearsLate),
    ),
    Fault(
        id="cs-hoist",
        symptom="dispatches run ahead of the draws that they depend on: buffers lag one step",
        rewrite=_hoisted,
    ),
    Fault(
        id="dispatch-shared",
        symptom="consecutive dispatches run without order: sums come out low",
        rewrite=_following(_Unordered),
    ),
    Fault(
        id="indirect/dispatch",
        symptom="the record of a dispatch is read when it is recorded: nothing runs on the first frame",
        rewrite=_commands(_no_record),
    ),
    Fault(
        id="ssbo-size0",
        symptom="a storage buffer of size 0 counts as nothing bound: particles are absent",
        rewrite=_nothing_of_size_0,
    ),
    Fault(
        id="image-store-own-att",
        symptom="a layer that is a target too loses what shaders stored there, the others keep it",
        rewrite=_tile_over_stores,
    ),
    Fault(
        id="image-store-own-att/clear",
        symptom="a stand-alone clear lands over what shaders stored to its target",
        rewrite=_following(_ClearsOverStores),
    ),
    Fault(
        id="unwritten-store/stencil",
        symptom="a pass that writes stencil alone is not stored: the stencil goes back to the pass before",
        rewrite=_following(_StencilForgotten),
    ),
    Fault(
        id="unwritten-store/shader",
        symptom="a pass whose shaders store, and that writes no colour, is not stored",
        rewrite=_commands(_forgotten_stores),
    ),
    Fault(
        id="s4-3b-image",
        symptom="images stand one slot further than shaders look",
        rewrite=_commands(_next_slot),
    ),
    Fault(
        id="s4-3e-ubo",
        symptom="uniform buffers stand one bank further than shaders look",
        rewrite=_commands(_next_bank),
    ),
    Fault(
        id="s4-3f-ssbo",
        symptom="fragment shaders find the storage buffers of vertex shaders",
        rewrite=_commands(_vertex_storage),
    ),
    Fault(
        id="bind-per-stage",
        symptom="a null fragment bind drops the depth prepass: EQUAL passes draw nothing",
        rewrite=_following(_OneProgram),
    ),
    Fault(
        id="composite-program",
        symptom="a pair of programs that comes again draws with another object's shaders",
        rewrite=_following(_Ring),
    ),
)
