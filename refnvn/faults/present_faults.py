"""Faults of what is shown: crops forgotten, presents ahead of uploads, origins, conversions."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.presents import PresentTexture, presented_region
from refnvn.commands.recording import Recording
from refnvn.commands.resources import TextureRef
from refnvn.commands.subject import Subject, subject_of
from refnvn.enumerations import WindowOriginMode
from refnvn.faults.fault import Bytes, Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands, with_recording
from refnvn.formats.codec import decode, encode
from refnvn.formats.table import format_named
from refnvn.trace.files import Trace


def presents_changed(trace: Trace, **fields: object) -> Trace:
    """Return a trace whose presents have other fields."""
    events = tuple(
        msgspec.structs.replace(event, **fields) if isinstance(event, PresentTexture) else event
        for event in trace.recording.timeline
    )
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=events))


def _subject(recording: Recording, event: PresentTexture) -> Subject:
    return subject_of(recording.textures[event.texture.texture], event.texture.view)


def _squeezed(recording: Recording, event: r.Readback, content: Bytes) -> Bytes:
    """Show the whole texture where its crop should be: on the screen, at the crop's size."""
    if not isinstance(event, PresentTexture):
        return content
    subject = _subject(recording, event)
    crop = presented_region(subject, event)
    whole = content.reshape(subject.height_px, subject.width_px, -1)
    rows = np.arange(crop.height) * subject.height_px // crop.height
    columns = np.arange(crop.width) * subject.width_px // crop.width
    return np.ascontiguousarray(whole[rows[:, None], columns]).reshape(-1)


def _decoded_once_more(recording: Recording, event: r.Readback, content: Bytes) -> Bytes:
    """Sample a window texture of an sRGB format as one."""
    if not isinstance(event, PresentTexture) or not _subject(recording, event).fmt.srgb:
        return content
    fmt = _subject(recording, event).fmt
    values = decode(fmt, content.reshape(-1, fmt.bytes_per_block))
    return encode(format_named(fmt.name.removesuffix("_SRGB")), values).reshape(-1)


def _base_format(ref: TextureRef | None, state: Pass) -> TextureRef | None:
    """Return a target without the sRGB format of its view."""
    if ref is None or ref.view is None or not state.subject(ref).fmt.srgb:
        return ref
    return msgspec.structs.replace(ref, view=msgspec.structs.replace(ref.view, format=None))


def _base_formats(command: c.AnyCommand, state: Pass) -> Iterable[c.AnyCommand]:
    if not isinstance(command, c.SetRenderTargets):
        return (command,)
    colors = tuple(_base_format(ref, state) for ref in command.colors)
    return (msgspec.structs.replace(command, colors=colors),)


def _before_uploads(trace: Trace) -> Trace:
    """Let presents run before everything that no submission stands between."""
    events: list[r.AnyEvent] = []
    start = 0
    for event in trace.recording.timeline:
        if isinstance(event, PresentTexture):
            events.insert(start, event)
        else:
            events.append(event)
        if isinstance(event, r.Submit):
            start = len(events)
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=tuple(events)))


register(
    Fault(
        id="present-crop",
        symptom="the picture fills two thirds of the screen, the rest is black",
        rewrite=lambda trace: presents_changed(trace, window_crop=None, layer_crop=None),
        readback=_squeezed,
    ),
    Fault(
        id="cpu-window-tex",
        symptom="the first pictures are black",
        rewrite=_before_uploads,
    ),
    Fault(
        id="origin-lower-left/present",
        symptom="the whole screen is upside down",
        rewrite=lambda trace: presents_changed(trace, window_origin=WindowOriginMode.UPPER_LEFT),
    ),
    Fault(
        id="rt-view-srgb/linear",
        symptom="the whole picture is darker and more saturated: linear values are stored through an sRGB view",
        rewrite=lambda trace: rewrite_commands(trace, _base_formats),
    ),
    Fault(
        id="rt-view-srgb/decoded",
        symptom="the whole picture is darker and more saturated on the screen alone",
        readback=_decoded_once_more,
    ),
)
