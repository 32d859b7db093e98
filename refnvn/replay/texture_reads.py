"""Which textures do the shaders of a draw reach, and when are they read?

All that slots hold, and those whose bytes lie under a target of the draw, are read before the draw begins: a handle
that turns up later finds what was there. Others cannot change while it runs, and are read when a handle names them.

Read next: ``refnvn/shader/execute_textures.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from refnvn.enumerations import ShaderStage
from refnvn.memory.pool import Segment, share_bytes
from refnvn.replay.context import Context
from refnvn.replay.descriptors import bound_handle, registered_sampler, registered_texture, registered_textures
from refnvn.replay.order import Path
from refnvn.replay.told_textures import listened_to
from refnvn.replay.unordered import SeenMemory
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader
from refnvn.shader.textures import NO_TEXTURES, Textures
from refnvn.texture.handles import SlotKind, split_handle
from refnvn.texture.sampled import SampledTexture


@rule(
    "REPLAY-SAMPLED-1",
    "A shader reads the bytes of its textures as memory holds them when the draw begins, whatever object wrote them: "
    "handles are looked up then, those in uniform buffers too.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "seed-graphics"),
    ledger=(
        "s4-4-bindless",
        "transient-share",
        "srgb-alias",
        "image-flag-share",
        "s4-sw-flushfill",
        "lazy-clear",
        "s4-sw-lazyclear",
    ),
)
def textures_of_stage(context: Context, stage: ShaderStage, shader: Shader | None) -> Textures:
    """Return the textures that a shader of a stage reaches, those under the draw's targets read already."""
    if shader is None or not shader.textures:
        return NO_TEXTURES

    def bound(kind: SlotKind, slot: int) -> int:
        return bound_handle(context, stage, kind, slot)

    return _reached(context, stage, bound, read_before(context, stage, shader))


def textures_of_handle(context: Context, handle: int) -> Textures:
    """Return the texture and sampler that one handle names, whatever slot is asked for, read already."""
    return _reached(context, ShaderStage.FRAGMENT, lambda _kind, _slot: handle, [split_handle(handle).texture_id])


def _reached(
    context: Context, stage: ShaderStage, bound: Callable[[SlotKind, int], int], before: Iterable[int]
) -> Textures:
    """Return textures by their ids, those of ``before`` read already."""
    seen: dict[int, SampledTexture | None] = {}
    memory = _seen_by(context, stage)

    def texture(number: int) -> SampledTexture | None:
        if number not in seen:
            ref = registered_texture(context, number)
            seen[number] = None if ref is None else listened_to(context, stage, ref, context.content.of(ref, memory))
        return seen[number]

    for number in before:
        texture(number)
    return Textures(bound=bound, texture=texture, sampler=lambda number: registered_sampler(context, number))


def read_before(context: Context, stage: ShaderStage, shader: Shader) -> list[int]:
    """Return the texture ids to read before a draw: those in slots, and with handles all that lie under targets."""
    numbers = []
    for slot in shader.textures:
        if slot.binding is not None:
            kind = SlotKind.SEPARATE_TEXTURE if slot.separate else SlotKind.COMBINED
            numbers.append(split_handle(bound_handle(context, stage, kind, slot.binding)).texture_id)
    if any(slot.binding is None for slot in shader.textures):
        numbers += _under_targets(context)
    return sorted(set(numbers))


def _under_targets(context: Context) -> list[int]:
    """Return the ids of registered textures that share a byte with a target."""
    state = context.state
    targets = [target for target in (*state.colors, state.depth_stencil) if target is not None]
    written = [_segments(context, target.pool, target.offset_B, target.layout.size_B) for target in targets]
    found = []
    for number, ref in registered_textures(context) if written else ():
        texture, layout = context.textures.texture(ref.texture)
        read = _segments(context, texture.pool, texture.offset_B, layout.size_B)
        if any(share_bytes(read, other) for other in written):
            found.append(number)
    return found


def _segments(context: Context, pool: int, offset_B: int, size_B: int) -> list[Segment]:
    return context.memory.pool(pool).segments(offset_B, size_B)


def _seen_by(context: Context, stage: ShaderStage) -> SeenMemory:
    """Return memory as the textures of a stage show it; a dispatch has no targets."""
    if stage is ShaderStage.COMPUTE:
        return context.reads.by(stage, Path.TEXTURE)
    return context.reads.by(stage, Path.TEXTURE, written_depth(context), color_targets(context))


def color_targets(context: Context) -> list[Segment]:
    """Return where the images of the colour targets lie."""
    targets = [target for target in context.state.colors if target is not None]
    return [segment for target in targets for part in target.parts() for segment in part.surface.segments]


def written_depth(context: Context) -> list[Segment]:
    """Return where the images lie that a draw, with the state as it is, tests and writes depth or stencil of."""
    target, tests = context.state.depth_stencil, context.state.depth_stencil_state
    if target is None or not (tests.stencil_test or (tests.depth_test and tests.depth_write)):
        return []
    return [segment for part in target.parts() for segment in part.surface.segments]
