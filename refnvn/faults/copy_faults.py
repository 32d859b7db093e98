"""Faults of copies and inline updates: copies that a blit cannot do are left out, updates come at the wrong time."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording
from refnvn.commands.resources import Region, Texture
from refnvn.commands.subject import Subject, subject_of
from refnvn.enumerations import CopyFlags
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands, with_recording
from refnvn.layout.description import TextureTarget
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
Buffer = tuple[c.AnyCommand, ...]
TextureClears = c.ClearTexture | c.ClearTexturei | c.ClearTextureui
METAL_LAYERS = 2048
MIRRORS = CopyFlags.MIRROR_X | CopyFlags.MIRROR_Y | CopyFlags.MIRROR_Z


def _is_blit(copy: c.CopyTextureToTexture, state: Pass) -> bool:
    """Whether a copy keeps format and size and turns nothing."""
    source, destination = state.subject(copy.source), state.subject(copy.destination)
    one, other = copy.source_region, copy.destination_region
    same_size = (one.width, one.height, one.depth) == (other.width, other.height, other.depth)
    moved = source.fmt is destination.fmt or source.fmt.is_compressed or destination.fmt.is_compressed
    return not copy.flags & MIRRORS and moved and (same_size or source.fmt is not destination.fmt)


def _only_blits(command: c.AnyCommand, state: Pass) -> Commands:
    if isinstance(command, c.CopyTextureToTexture) and not _is_blit(command, state):
        return ()
    return (command,)


def _other_depth_formats(command: c.AnyCommand, state: Pass) -> Commands:
    """Leave out copies between different depth formats."""
    if isinstance(command, c.CopyTextureToTexture):
        source, destination = state.subject(command.source).fmt, state.subject(command.destination).fmt
        if source is not destination and source.is_depth_stencil and destination.is_depth_stencil:
            return ()
    return (command,)


def _never_a_target(trace: Trace) -> Trace:
    """Leave out clears and converting copies of textures that are never set as a target."""
    buffers = trace.recording.command_buffers
    targets = [one for commands in buffers for one in commands if isinstance(one, c.SetRenderTargets)]
    drawn = {ref.texture for one in targets for ref in (*one.colors, one.depth_stencil) if ref is not None}

    def kept(command: c.AnyCommand, state: Pass) -> Commands:
        if isinstance(command, TextureClears):
            return (command,) if command.texture.texture in drawn else ()
        if isinstance(command, c.CopyTextureToTexture) and not _is_blit(command, state):
            return (command,) if command.destination.texture in drawn else ()
        return (command,)

    return rewrite_commands(trace, kept)


def _beyond(texture: Texture, subject: Subject, region: Region) -> bool:
    """Whether a region lies in a level that the size does not hold, or in a layer past 2048."""
    levels = max(texture.width, texture.height, 1).bit_length()
    layer = region.y if texture.target is TextureTarget.TARGET_1D_ARRAY else region.z
    return subject.level >= levels or layer >= METAL_LAYERS


def _what_metal_refuses(command: c.AnyCommand, state: Pass) -> Commands:
    """Leave out copies that reach levels or layers that a Metal texture cannot have."""
    sides = {
        c.CopyBufferToTexture: (("texture", "region"),),
        c.CopyTextureToBuffer: (("texture", "region"),),
        c.CopyTextureToTexture: (("source", "source_region"), ("destination", "destination_region")),
    }
    for side, region in sides.get(type(command), ()):
        ref = getattr(command, side)
        texture = state.recording.textures[ref.texture]
        if _beyond(texture, state.subject(ref), getattr(command, region)):
            return ()
    return (command,)


def _one_sample_left_out(command: c.AnyCommand, state: Pass) -> Commands:
    """Downsample multisample textures only."""
    if isinstance(command, c.Downsample) and state.subject(command.source).samples == 1:
        return ()
    return (command,)


def _layers_forgotten(command: c.AnyCommand, state: Pass) -> Commands:
    """Copy the first layer only."""
    del state
    if not isinstance(command, c.CopyTextureToTexture):
        return (command,)
    one, other = (msgspec.structs.replace(r, depth=1) for r in (command.source_region, command.destination_region))
    return (msgspec.structs.replace(command, source_region=one, destination_region=other),)


def _stencil_left(trace: Trace) -> Trace:
    """Copy only the depth of combined formats: through a copy that a second one puts the old stencil back over.

    The destination's stencil was written by nothing but copies in what this fault is shown by, so it stays zero.
    """
    recording = trace.recording

    def depth_only(command: c.AnyCommand, state: Pass) -> Commands:
        if not isinstance(command, c.CopyTextureToTexture) or not _has_stencil(recording, command):
            return (command,)
        target = c.SetRenderTargets(depth_stencil=command.destination)
        clear = c.ClearDepthStencil(depth_bits=0, depth_mask=False, stencil=0, stencil_mask=255)
        return command, target, clear, state.targets

    return rewrite_commands(trace, depth_only)


def _has_stencil(recording: Recording, copy: c.CopyTextureToTexture) -> bool:
    texture = recording.textures[copy.destination.texture]
    return subject_of(texture, copy.destination.view).fmt.component("S") is not None


def _buffers(trace: Trace, change: object) -> Trace:
    assert callable(change)
    buffers = tuple(tuple(change(commands)) for commands in trace.recording.command_buffers)
    return with_recording(trace, msgspec.structs.replace(trace.recording, command_buffers=buffers))


def _updates_first(commands: Buffer) -> Commands:
    """Apply all updates of a command buffer before its draws."""
    updates = [one for one in commands if isinstance(one, c.UpdateUniformBuffer)]
    return (*updates, *(one for one in commands if not isinstance(one, c.UpdateUniformBuffer)))


def _updates_at_pass_end(commands: Buffer) -> Commands:
    """Apply updates when the targets change, or at the end."""
    waiting: list[c.AnyCommand] = []
    found: list[c.AnyCommand] = []
    for one in commands:
        if isinstance(one, c.UpdateUniformBuffer):
            waiting.append(one)
            continue
        if isinstance(one, c.SetRenderTargets):
            found += waiting
            waiting = []
        found.append(one)
    return (*found, *waiting)


def _rest_zero(command: c.AnyCommand, _: Pass) -> Commands:
    """Fill what an update does not cover with zeros."""
    if not isinstance(command, c.UpdateUniformBuffer):
        return (command,)
    return c.ClearBuffer(address=command.address, size_B=command.size_B // 4 * 4, value=0), command


register(
    Fault(
        id="rt-usage-upgrade",
        symptom="clears and converting copies of textures that were never a target leave the old content",
        rewrite=_never_a_target,
    ),
    Fault(
        id="tex-illegal-fields/copies",
        symptom="copies at levels that the size does not hold, or past layer 2048, do nothing",
        rewrite=lambda trace: rewrite_commands(trace, _what_metal_refuses),
    ),
    Fault(
        id="downsample-ss",
        symptom="bloom is missing: downsamples of a single sample leave the destination as it was",
        rewrite=lambda trace: rewrite_commands(trace, _one_sample_left_out),
    ),
    Fault(
        id="copy-scaled",
        symptom="the destination keeps its old content, transition pictures are missing",
        rewrite=lambda trace: rewrite_commands(trace, _only_blits),
    ),
    Fault(
        id="depth-plane-copy",
        symptom="the destination keeps its old depth, effects that read it are stale",
        rewrite=lambda trace: rewrite_commands(trace, _other_depth_formats),
    ),
    Fault(
        id="ds-copy-stencil",
        symptom="a stencil-masked occlusion pass never writes and stays 1.0",
        rewrite=_stencil_left,
    ),
    Fault(
        id="copy-scaled/first-layer",
        symptom="of a copied array or volume only the first layer changes",
        rewrite=lambda trace: rewrite_commands(trace, _layers_forgotten),
    ),
    Fault(
        id="inline-update",
        symptom="all objects take the last object's colour or transform",
        rewrite=lambda trace: _buffers(trace, _updates_first),
    ),
    Fault(
        id="inline-update-pass",
        symptom="draws between updates see the old values, repeated objects share one state",
        rewrite=lambda trace: _buffers(trace, _updates_at_pass_end),
    ),
    Fault(
        id="ub-partial",
        symptom="terrain or effects use wrong constants for some draws",
        rewrite=lambda trace: rewrite_commands(trace, _rest_zero),
    ),
)
