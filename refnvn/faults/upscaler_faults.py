"""Faults of an upscaler's colour: encoded input taken for linear, or decoded before the shader decodes it.

A shader that decodes is known by the constants of its curve.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from refnvn.commands.recording import RegisterTexture
from refnvn.commands.resources import Program, View
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import with_recording
from refnvn.trace.files import Trace


def _bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


THRESHOLD, EXPONENT = _bits(0.04045), _bits(2.4)
PLAIN = {_bits(12.92): _bits(1.0), _bits(0.055): _bits(0.0), _bits(1.055): _bits(1.0), EXPONENT: _bits(1.0)}
"""The constants of the curve, and those that leave a number as it is."""


def constants(value: Any) -> set[int]:
    """Return the constants of a shader, or a part of one."""
    if isinstance(value, dict):
        own = {value["bits"]} if value.get("do") == "constant" else set()
        return own.union(*(constants(one) for one in value.values()))
    return set().union(*(constants(one) for one in value)) if isinstance(value, list) else set()


def decodes(shader: dict[str, Any] | None) -> bool:
    """Say whether a shader decodes sRGB, by its constants."""
    return shader is not None and {THRESHOLD, EXPONENT} <= constants(shader)


def _passed_through(value: Any) -> Any:
    if isinstance(value, dict):
        if value.get("do") == "constant":
            return {**value, "bits": PLAIN.get(value["bits"], value["bits"])}
        return {key: _passed_through(one) for key, one in value.items()}
    return [_passed_through(one) for one in value] if isinstance(value, list) else value


def _never(trace: Trace) -> Trace:
    """Let shaders that decode pass their input on."""

    def changed(program: Program) -> Program:
        fields = {
            stage: _passed_through(shader)
            for stage in ("fragment", "compute")
            if decodes(shader := getattr(program, stage))
        }
        return msgspec.structs.replace(program, **fields)

    programs = tuple(changed(one) for one in trace.recording.programs)
    return with_recording(trace, msgspec.structs.replace(trace.recording, programs=programs))


def _twice(trace: Trace) -> Trace:
    """Read RGBA8 textures as sRGB ones, where a shader decodes."""
    recording = trace.recording
    if not any(decodes(one.fragment) or decodes(one.compute) for one in recording.programs):
        return trace
    timeline = []
    for event in recording.timeline:
        if isinstance(event, RegisterTexture) and recording.textures[event.texture.texture].format == "RGBA8":
            view = msgspec.structs.replace(event.texture.view or View(), format="RGBA8_SRGB")
            event = msgspec.structs.replace(event, texture=msgspec.structs.replace(event.texture, view=view))
        timeline.append(event)
    return replace(trace, recording=msgspec.structs.replace(recording, timeline=tuple(timeline)))


register(
    Fault(
        id="upscaler-colour/encoded",
        symptom="the scene is washed out where the game upscales: lifted shadows, low contrast; the UI is right",
        rewrite=_never,
    ),
    Fault(
        id="upscaler-colour/twice",
        symptom="the scene is too dark where the game upscales",
        rewrite=_twice,
    ),
)
