"""Faults of the stages between vertex shader and rasteriser: layers, rasterizer discard, transform feedback."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.resources import Program
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands, with_recording
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
LAYER = -3
STAGES = ("vertex", "tess_evaluation", "geometry")


def _without_store(statements: Iterable[dict[str, Any]], location: int) -> list[dict[str, Any]]:
    """Return statements without those that store an output, in blocks too."""
    kept = []
    for one in statements:
        if one["do"] == "store_output" and one["location"] == location:
            continue
        inside = [name for name in ("then", "otherwise", "body") if name in one]
        blocks: dict[str, Any] = {name: _without_store(one[name], location) for name in inside}
        kept.append({**one, **blocks})
    return kept


def _without_layer(program: Program) -> Program:
    changes: dict[str, Any] = {}
    for stage in STAGES:
        shader = getattr(program, stage)
        if shader is not None:
            changes[stage] = {
                **shader,
                "outputs": [one for one in shader.get("outputs", ()) if one["location"] != LAYER],
                "statements": _without_store(shader.get("statements", ()), LAYER),
            }
    return msgspec.structs.replace(program, **changes)


def _in_first_layer(trace: Trace) -> Trace:
    """Lose the layer that shaders write."""
    programs = tuple(_without_layer(one) for one in trace.recording.programs)
    return with_recording(trace, msgspec.structs.replace(trace.recording, programs=programs))


def _no_discarded_draws(trace: Trace) -> Trace:
    """Skip every draw while the rasteriser is off."""
    is_off = False

    def drawn(command: c.AnyCommand, _: Pass) -> Commands:
        nonlocal is_off
        if isinstance(command, c.SetRasterizerDiscard):
            is_off = command.discard
        return () if is_off and isinstance(command, DRAWS) else (command,)

    return rewrite_commands(trace, drawn)


def _no_capture(command: c.AnyCommand, _: Pass) -> Commands:
    """Bind nothing to capture to."""
    if isinstance(command, c.BindTransformFeedbackBuffer):
        return (msgspec.structs.replace(command, size_B=0),)
    return (command,)


register(
    Fault(
        id="layered-vs",
        symptom="all instances land in the first layer, a grading table keeps empty planes and the scene turns black",
        rewrite=_in_first_layer,
    ),
    Fault(
        id="rast-discard",
        symptom="volumes and palettes that discarded draws fill stay 0, models are absent",
        rewrite=_no_discarded_draws,
    ),
    Fault(
        id="transform-feedback",
        symptom="captured streams stay as they were, characters collapse to a spike",
        rewrite=lambda trace: rewrite_commands(trace, _no_capture),
    ),
)
