"""Faults of render targets: planes that no draw uses, areas of passes, depth seen as a colour, doubled slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.resources import TextureRef
from refnvn.commands.state import DepthStencilState
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands
from refnvn.formats.table import Format, format_named
from refnvn.trace.files import Trace

TILE_PX = 32
FAR = 0x3F800000
"""The bits of depth 1."""

Commands = Iterable[c.AnyCommand]


def _format_of(reference: TextureRef, state: Pass) -> Format:
    return format_named(state.recording.textures[reference.texture].format)


def _lost_planes(trace: Trace) -> Trace:
    """Clear the plane of a combined target that a draw does not use, before it."""
    used = DepthStencilState()

    def change(command: c.AnyCommand, state: Pass) -> Commands:
        nonlocal used
        if isinstance(command, c.BindDepthStencilState):
            used = command.state
        target = state.targets.depth_stencil
        if not isinstance(command, DRAWS) or target is None or len(_format_of(target, state).components) < 2:
            return (command,)
        lost = c.ClearDepthStencil(
            depth_bits=FAR, depth_mask=not used.depth_test, stencil=0, stencil_mask=0 if used.stencil_test else 0xFF
        )
        return lost, command

    return rewrite_commands(trace, change)


def _area_kept(trace: Trace) -> Trace:
    """Keep what the first draw of a pass was limited to for all others of it."""
    area: c.SetScissor | None = None

    def change(command: c.AnyCommand, state: Pass) -> Commands:
        nonlocal area
        if isinstance(command, c.SetRenderTargets):
            area = None
        if not isinstance(command, DRAWS) or state.scissor is None:
            return (command,)
        area = area or state.scissor
        return _common(area, state.scissor), command, state.scissor

    return rewrite_commands(trace, change)


def _common(one: c.SetScissor, other: c.SetScissor) -> c.SetScissor:
    """Return what two scissors leave together."""
    x, y = max(one.x, other.x), max(one.y, other.y)
    right = min(one.x + one.width, other.x + other.width)
    bottom = min(one.y + one.height, other.y + other.height)
    return c.SetScissor(x=x, y=y, width=max(right - x, 0), height=max(bottom - y, 0))


def _depth_left_out(command: c.AnyCommand, state: Pass) -> Commands:
    """Leave colour targets out whose texture is a depth."""
    if not isinstance(command, c.SetRenderTargets):
        return (command,)
    kept = (None if one is None or _format_of(one, state).is_depth_stencil else one for one in command.colors)
    return (msgspec.structs.replace(command, colors=tuple(kept)),)


def _scattered(command: c.AnyCommand, state: Pass) -> Commands:
    """Draw to a texture in two slots in every other square of 32 x 32 only."""
    colors = [one for one in state.targets.colors if one is not None]
    doubled = any(one in colors[:place] for place, one in enumerate(colors))
    if not isinstance(command, DRAWS) or not doubled or state.scissor is None:
        return (command,)
    return _squares(command, state.scissor)


def _squares(command: c.AnyCommand, scissor: c.SetScissor) -> Iterator[c.AnyCommand]:
    for y in range(0, scissor.y + scissor.height, TILE_PX):
        for x in range((y // TILE_PX % 2) * TILE_PX, scissor.x + scissor.width, 2 * TILE_PX):
            yield _common(c.SetScissor(x=x, y=y, width=TILE_PX, height=TILE_PX), scissor)
            yield command
    yield scissor


register(
    Fault(
        id="ds-pair",
        symptom="a stencil or a depth that was there is gone after draws that use the other one",
        rewrite=_lost_planes,
    ),
    Fault(
        id="rp-area",
        symptom="what later draws of a pass put outside of the first one's scissor is lost in a strip",
        rewrite=_area_kept,
    ),
    Fault(
        id="depth-as-colour-rt",
        symptom="a depth that was drawn as a colour keeps its old value",
        rewrite=lambda trace: rewrite_commands(trace, _depth_left_out),
    ),
    Fault(
        id="dup-attachment",
        symptom="only scattered squares of 32 x 32 remain of what was drawn",
        rewrite=lambda trace: rewrite_commands(trace, _scattered),
    ),
)
