"""Faults of work that is put off: clears that wait for a pass, and copies of a texture that are made once.

Read next: ``order_faults.py``.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.resources import MemoryPool, Texture, TextureRef
from refnvn.commands.subject import description_of, subject_of, whole_region
from refnvn.faults.clear_faults import TARGET_CLEARS, everything
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands, with_recording
from refnvn.layout.block_linear import align
from refnvn.layout.texture import texture_layout
from refnvn.trace.files import Trace

PAGE_B = 4096


def _after_all(trace: Trace) -> Trace:
    """Let the clears of a submission land after everything else of it."""
    buffers = []
    for commands in trace.recording.command_buffers:
        state = Pass(trace.recording)
        kept: list[c.AnyCommand] = []
        late: list[c.AnyCommand] = []
        for command in commands:
            if isinstance(command, TARGET_CLEARS):
                late += [state.targets, state.scissor or everything(state), command]
            else:
                kept.append(command)
            state.note(command)
        buffers.append((*kept, *late))
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=tuple(buffers)))


def _only_before_draws(trace: Trace) -> Trace:
    """Forget the clears of a pass that draws nothing after them."""
    buffers = tuple(_with_draws(commands) for commands in trace.recording.command_buffers)
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=buffers))


def _with_draws(commands: tuple[c.AnyCommand, ...]) -> tuple[c.AnyCommand, ...]:
    kept: list[c.AnyCommand] = []
    drawn = False
    for command in reversed(commands):
        drawn = isinstance(command, DRAWS) or (drawn and not isinstance(command, c.SetRenderTargets))
        if drawn or not isinstance(command, TARGET_CLEARS):
            kept.append(command)
    return tuple(reversed(kept))


def _copied_once(trace: Trace) -> Trace:
    """Let color views of depth show a copy that the first draw with them makes."""
    pools, textures, timeline = list(trace.recording.pools), list(trace.recording.textures), []
    copies: dict[int, int] = {}
    for event in trace.recording.timeline:
        if isinstance(event, r.RegisterTexture) and _is_color_of_depth(trace, event):
            seen = event.texture.texture
            if seen not in copies:
                copies[seen] = len(textures)
                textures.append(_apart(textures[seen], pools))
            event = msgspec.structs.replace(event, texture=TextureRef(texture=copies[seen], view=event.texture.view))
        timeline.append(event)
    recording = msgspec.structs.replace(
        trace.recording, pools=tuple(pools), textures=tuple(textures), timeline=tuple(timeline)
    )
    made: set[int] = set()

    def change(command: c.AnyCommand, state: Pass) -> Iterable[c.AnyCommand]:
        if not isinstance(command, DRAWS):
            return (command,)
        targets = {one.texture for one in state.references()}
        due = [one for one in copies if one not in made | targets]
        made.update(due)
        return (*(_copy(textures[one], one, copies[one]) for one in due), command)

    return rewrite_commands(with_recording(trace, recording), change)


def _is_color_of_depth(trace: Trace, event: r.RegisterTexture) -> bool:
    view = event.texture.view
    is_depth = trace.recording.textures[event.texture.texture].format.startswith("DEPTH")
    return is_depth and view is not None and view.format is not None


def _apart(texture: Texture, pools: list[MemoryPool]) -> Texture:
    """Return a texture like another, in a new pool."""
    pools.append(MemoryPool(size_B=align(texture_layout(description_of(texture)).size_B, PAGE_B)))
    return msgspec.structs.replace(texture, pool=len(pools) - 1, offset_B=0, label="")


def _copy(texture: Texture, source: int, destination: int) -> c.AnyCommand:
    region = whole_region(subject_of(texture))
    return c.CopyTextureToTexture(
        source=TextureRef(texture=source),
        source_region=region,
        destination=TextureRef(texture=destination),
        destination_region=region,
    )


register(
    Fault(
        id="lazy-clear",
        symptom="a deferred clear lands after its first reader",
        rewrite=_after_all,
    ),
    Fault(
        id="s4-sw-lazyclear",
        symptom="a target that is cleared and not drawn to stays stale",
        rewrite=_only_before_draws,
    ),
    Fault(
        id="depth-as-red/stale",
        symptom="effects that read depth lag behind: a view shows a copy that was made when it was first used",
        rewrite=_copied_once,
    ),
)
