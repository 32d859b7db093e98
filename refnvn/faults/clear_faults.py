"""Faults of clears: which are dropped, done too wide, too narrow, too late, or in another arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec
import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording
from refnvn.commands.resources import Region, TextureRef, View
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands, with_recording
from refnvn.rules.fields import Rules, StoreNorm
from refnvn.trace.files import Trace

COLOR_CLEARS = (c.ClearColor, c.ClearColori, c.ClearColorui)
TARGET_CLEARS = (*COLOR_CLEARS, c.ClearDepthStencil)
TEXTURE_CLEARS = (c.ClearTexture, c.ClearTexturei, c.ClearTextureui)
WIDEST = 0x7FFFFFFF
ALL_CHANNELS = 15
ALL_STENCIL = 255
MOST_COLORS = 8
FLOAT_ONE = np.float32(1.0).tobytes()

Commands = Iterable[c.AnyCommand]


def everything(state: Pass) -> c.SetScissor:
    """Return a scissor that cuts nothing off."""
    del state
    return c.SetScissor(x=0, y=0, width=WIDEST, height=WIDEST)


def _with_scissor(command: c.AnyCommand, scissor: c.SetScissor, state: Pass) -> Commands:
    """Do a command under another scissor, and set the old one again."""
    return scissor, command, state.scissor or everything(state)


def _scissor_ignored(command: c.AnyCommand, state: Pass) -> Commands:
    return _with_scissor(command, everything(state), state) if isinstance(command, TARGET_CLEARS) else (command,)


def _scissored_skipped(command: c.AnyCommand, state: Pass) -> Commands:
    """Drop clears whose scissor cuts something off and that would not write zero."""
    if not isinstance(command, TARGET_CLEARS) or state.scissor is None or _is_zero(command):
        return (command,)
    sizes = [state.subject(one) for one in state.references()]
    cuts = any(state.scissor.width < one.width_px or state.scissor.height < one.height_px for one in sizes)
    return () if cuts else (command,)


def _is_zero(command: c.AnyCommand) -> bool:
    if isinstance(command, c.ClearColor):
        return not any(command.color_bits)
    if isinstance(command, c.ClearColori | c.ClearColorui):
        return not any(command.color)
    return isinstance(command, c.ClearDepthStencil) and not command.depth_bits and not command.stencil


def _in_pass_dropped(command: c.AnyCommand, state: Pass) -> Commands:
    return () if isinstance(command, TARGET_CLEARS) and state.drawn else (command,)


def _intersection(command: c.AnyCommand, state: Pass) -> Commands:
    """Limit a clear to what all targets have in common."""
    if not isinstance(command, TARGET_CLEARS):
        return (command,)
    sizes = [state.subject(one) for one in state.references()]
    width, height = min(one.width_px for one in sizes), min(one.height_px for one in sizes)
    return _with_scissor(command, c.SetScissor(x=0, y=0, width=width, height=height), state)


def _first_layer(command: c.AnyCommand, state: Pass) -> Commands:
    """Clear one layer of each target."""
    if not isinstance(command, TARGET_CLEARS):
        return (command,)
    one_layer = c.SetRenderTargets(
        colors=tuple(None if one is None else _one_layer(one) for one in state.targets.colors),
        depth_stencil=None if state.targets.depth_stencil is None else _one_layer(state.targets.depth_stencil),
    )
    return one_layer, command, state.targets


def _one_layer(reference: TextureRef) -> TextureRef:
    from refnvn.layout.description import TextureTarget

    view = reference.view or View()
    return TextureRef(
        texture=reference.texture,
        view=msgspec.structs.replace(view, base_layer=view.base_layer or 0, layers=1, target=TextureTarget.TARGET_2D),
    )


def _mask_judged_by_rgba(command: c.AnyCommand, _: Pass) -> Commands:
    partial = isinstance(command, (*COLOR_CLEARS, *TEXTURE_CLEARS)) and command.mask != ALL_CHANNELS
    return () if partial else (command,)


def _mask_ignored(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, TEXTURE_CLEARS) and command.mask:
        return (msgspec.structs.replace(command, mask=ALL_CHANNELS),)
    return (command,)


def _region_ignored(command: c.AnyCommand, state: Pass) -> Commands:
    if not isinstance(command, TEXTURE_CLEARS):
        return (command,)
    width, height, depth = state.subject(command.texture).extent
    return (msgspec.structs.replace(command, region=Region(width=width, height=height, depth=depth)),)


def _scissor_applied(command: c.AnyCommand, state: Pass) -> Commands:
    """Cut the region of a texture clear by the scissor."""
    if not isinstance(command, TEXTURE_CLEARS) or state.scissor is None:
        return (command,)
    region, scissor = command.region, state.scissor
    x, y = max(region.x, scissor.x), max(region.y, scissor.y)
    width = max(0, min(region.x + region.width, scissor.x + scissor.width) - x)
    height = max(0, min(region.y + region.height, scissor.y + scissor.height) - y)
    if not width or not height:
        return ()
    cut = msgspec.structs.replace(region, x=x, y=y, width=width, height=height)
    return (msgspec.structs.replace(command, region=cut),)


def _stencil_whole(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.ClearDepthStencil) and command.stencil_mask:
        return (msgspec.structs.replace(command, stencil_mask=ALL_STENCIL),)
    return (command,)


def _stencil_partial_dropped(command: c.AnyCommand, _: Pass) -> Commands:
    if isinstance(command, c.ClearDepthStencil) and command.stencil_mask not in (0, ALL_STENCIL):
        return (msgspec.structs.replace(command, stencil_mask=0),)
    return (command,)


def _through_float32(command: c.AnyCommand, _: Pass) -> Commands:
    """Carry integer clear values as float32, saturated on the way back."""
    if not isinstance(command, c.ClearColori | c.ClearColorui | c.ClearTexturei | c.ClearTextureui):
        return (command,)
    signed = isinstance(command, c.ClearColori | c.ClearTexturei)
    low, high = (-(1 << 31), (1 << 31) - 1) if signed else (0, (1 << 32) - 1)
    color = tuple(min(max(int(np.float32(one)), low), high) for one in command.color)
    return (msgspec.structs.replace(command, color=color),)


def _uncompressed_view_left_out(command: c.AnyCommand, state: Pass) -> Commands:
    """Leave targets out whose texture is compressed."""
    if not isinstance(command, c.SetRenderTargets):
        return (command,)
    kept = tuple(None if one is None or _is_compressed(one, state) else one for one in command.colors)
    return (msgspec.structs.replace(command, colors=kept),)


def _is_compressed(reference: TextureRef, state: Pass) -> bool:
    from refnvn.formats.table import format_named

    return format_named(state.recording.textures[reference.texture].format).is_compressed


def _truncated_depth(command: c.AnyCommand, _: Pass) -> Commands:
    """Make a depth clear truncate to 16 bits, by clearing to the value of the truncated code."""
    if not isinstance(command, c.ClearDepthStencil):
        return (command,)
    depth = np.array(command.depth_bits, np.uint32).view(np.float32)
    code = np.floor(np.float64(min(max(float(depth), 0.0), 1.0)) * 65535)
    value = np.float32(code / 65535)
    return (msgspec.structs.replace(command, depth_bits=int(value.view(np.uint32))),)


def _nine_planes(command: c.AnyCommand, state: Pass) -> Commands:
    """Lose the tenth plane, the stencil beside eight colours and depth, and every draw that has it."""
    targets = state.targets
    full = len(targets.colors) == MOST_COLORS and None not in targets.colors and targets.depth_stencil is not None
    if not full:
        return (command,)
    if isinstance(command, c.ClearDepthStencil):
        return (msgspec.structs.replace(command, stencil_mask=0),)
    return () if isinstance(command, DRAWS) else (command,)


def _nearest(rules: Rules) -> Rules:
    return rules.with_(store_norm=StoreNorm.NEAREST_EVEN)


def _poisoned(trace: Trace) -> Trace:
    """Start every pool that has no bytes of its own as float 1.0."""
    recording = trace.recording
    pools, blobs, sizes = [], dict(trace.blobs), dict(recording.blobs)
    for pool in recording.pools:
        if pool.initial is None:
            name = f"poison.{pool.size_B}"
            blobs[name] = FLOAT_ONE * (pool.size_B // len(FLOAT_ONE))
            sizes[name] = len(blobs[name])
            pools.append(msgspec.structs.replace(pool, initial=name))
        else:
            pools.append(pool)
    changed: Recording = msgspec.structs.replace(recording, pools=tuple(pools), blobs=sizes)
    return replace(trace, recording=changed, blobs=blobs)


def _rereads_live_object(trace: Trace) -> Trace:
    """Let every command of a labelled texture meet the last description of that label."""
    recording = trace.recording
    last = {texture.label: index for index, texture in enumerate(recording.textures) if texture.label}
    textures = tuple(
        recording.textures[last[texture.label]] if texture.label else texture for texture in recording.textures
    )
    return with_recording(trace, msgspec.structs.replace(recording, textures=textures))


register(
    Fault(
        id="clear-scissor/whole",
        symptom="neighbouring pyramid levels packed in one target vanish",
        rewrite=lambda trace: rewrite_commands(trace, _scissor_ignored),
    ),
    Fault(
        id="clear-scissor/skipped",
        symptom="scissored clears keep last frame's content",
        rewrite=lambda trace: rewrite_commands(trace, _scissored_skipped),
    ),
    Fault(
        id="clear-in-pass/dropped",
        symptom="clears between draws leave tiles of old content",
        rewrite=lambda trace: rewrite_commands(trace, _in_pass_dropped),
    ),
    Fault(
        id="clear-larger-att",
        symptom="only the corner that all targets share is cleared, later draws fail in the rest",
        rewrite=lambda trace: rewrite_commands(trace, _intersection),
    ),
    Fault(
        id="clear-layers",
        symptom="five of six shadow-cube faces keep depth 0 and read fully shadowed",
        rewrite=lambda trace: rewrite_commands(trace, _first_layer),
    ),
    Fault(
        id="mask-covers-all",
        symptom="an R8 target cleared with mask R keeps its old content",
        rewrite=lambda trace: rewrite_commands(trace, _mask_judged_by_rgba),
    ),
    Fault(
        id="clear-tex-partial/mask",
        symptom="RGB is lost when only alpha was cleared",
        rewrite=lambda trace: rewrite_commands(trace, _mask_ignored),
    ),
    Fault(
        id="clear-tex-partial/region",
        symptom="a whole level is cleared instead of a region",
        rewrite=lambda trace: rewrite_commands(trace, _region_ignored),
    ),
    Fault(
        id="clear-tex-partial/scissor",
        symptom="a texture clear stops at a stray rectangle",
        rewrite=lambda trace: rewrite_commands(trace, _scissor_applied),
    ),
    Fault(
        id="clear-ds-partial-stencil/whole",
        symptom="stencil bits that other passes set disappear",
        rewrite=lambda trace: rewrite_commands(trace, _stencil_whole),
    ),
    Fault(
        id="clear-ds-partial-stencil/dropped",
        symptom="the stencil bits that should be cleared stay",
        rewrite=lambda trace: rewrite_commands(trace, _stencil_partial_dropped),
    ),
    Fault(
        id="clear-int",
        symptom="integer clear values lose their low bits",
        rewrite=lambda trace: rewrite_commands(trace, _through_float32),
    ),
    Fault(
        id="d16-clear",
        symptom="an EQUAL pass is rejected in a tile grid: the clear truncates, fragments round",
        rewrite=lambda trace: rewrite_commands(trace, _truncated_depth),
        rules=_nearest,
    ),
    Fault(
        id="attachment-capacity",
        symptom="a pass with ten planes is rejected and its tenth plane never written",
        rewrite=lambda trace: rewrite_commands(trace, _nine_planes),
    ),
    Fault(
        id="zero-init",
        symptom="new depth starts at 1.0, a GEQUAL pass is rejected and stays black",
        rewrite=_poisoned,
    ),
    Fault(
        id="bc-as-rt",
        symptom="a texture encoded on the GPU stays black: its uncompressed view was not attached",
        rewrite=lambda trace: rewrite_commands(trace, _uncompressed_view_left_out),
    ),
    Fault(
        id="record-snapshot",
        symptom="a command hits a texture that was made after it was recorded",
        rewrite=_rereads_live_object,
    ),
)
