"""Faults of primitives and the viewport: assembly, instances, numbers, origins, swizzles, clipping."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.resources import Program
from refnvn.enumerations import DepthMode, DrawPrimitive, ViewportSwizzle, WindowOriginMode
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands, with_recording
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
LISTS = {
    DrawPrimitive.TRIANGLE_FAN: DrawPrimitive.TRIANGLES,
    DrawPrimitive.QUADS: DrawPrimitive.TRIANGLES,
    DrawPrimitive.QUAD_STRIP: DrawPrimitive.TRIANGLES,
    DrawPrimitive.POLYGON: DrawPrimitive.TRIANGLES,
}
DRAWS = (c.DrawArrays, c.DrawElements, c.DrawArraysInstanced, c.DrawElementsInstanced)
INSTANCED = (c.DrawArraysInstanced, c.DrawElementsInstanced)
VIEWPORTS = (c.SetViewport, c.SetViewports)
POINT_SIZE = -2
FLIP = (
    ViewportSwizzle.POSITIVE_X,
    ViewportSwizzle.NEGATIVE_Y,
    ViewportSwizzle.POSITIVE_Z,
    ViewportSwizzle.POSITIVE_W,
)


def _as_lists(command: c.AnyCommand, _: Pass) -> Commands:
    """Draw fans, quads and polygons as lists of triangles."""
    if isinstance(command, DRAWS):
        return (msgspec.structs.replace(command, primitive=LISTS.get(command.primitive, command.primitive)),)
    return (command,)


def _no_base_instance(command: c.AnyCommand, _: Pass) -> Commands:
    return (msgspec.structs.replace(command, base_instance=0),) if isinstance(command, INSTANCED) else (command,)


def _no_swizzle(command: c.AnyCommand, _: Pass) -> Commands:
    return () if isinstance(command, c.SetViewportSwizzles) else (command,)


def _no_clamp(command: c.AnyCommand, _: Pass) -> Commands:
    return () if isinstance(command, c.SetDepthClamp) else (command,)


def _centres(command: c.AnyCommand, _: Pass) -> Commands:
    return () if isinstance(command, c.SetConservativeRasterEnable) else (command,)


def _near_is(mode: DepthMode) -> Callable[[Trace], Trace]:
    """Take every clip volume for one whose near plane is where ``mode`` says."""
    return lambda trace: with_recording(trace, msgspec.structs.replace(trace.recording, depth_mode=mode))


def _flip_alone(command: c.AnyCommand, _: Pass) -> Commands:
    """Serve the swizzle (x, -y, z, w) and pass over the others."""
    if not isinstance(command, c.SetViewportSwizzles):
        return (command,)
    return (command,) if set(command.swizzles) <= {FLIP} else ()


def _upper_left(trace: Trace) -> Trace:
    """Take every viewport for an upper-left one."""

    def turned(command: c.AnyCommand, _: Pass) -> Commands:
        if isinstance(command, VIEWPORTS):
            return (msgspec.structs.replace(command, window_origin=WindowOriginMode.UPPER_LEFT),)
        return (command,)

    changed = rewrite_commands(trace, turned)
    return with_recording(
        changed, msgspec.structs.replace(changed.recording, window_origin=WindowOriginMode.UPPER_LEFT)
    )


def _device_winding(trace: Trace) -> Trace:
    """Let every queue take winding from the origin that the device has at the end."""
    recording = trace.recording
    queues = tuple(
        msgspec.structs.replace(queue, window_origin=recording.window_origin) for queue in recording.queues
    )
    return with_recording(trace, msgspec.structs.replace(recording, queues=queues))


def _statements(block: list[Any], change: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> list[Any]:
    """Return a shader's statements with each one changed, those inside others too."""
    found: list[Any] = []
    for one in block:
        inside = {key: _statements(one[key], change) for key in ("then", "otherwise", "body") if key in one}
        found += change({**one, **inside})
    return found


def _shaders(trace: Trace, stage: str, change: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> Trace:
    """Return a trace with every statement of one stage's shaders changed."""
    programs: list[Program] = []
    for program in trace.recording.programs:
        shader = getattr(program, stage)
        if isinstance(shader, dict):
            shader = {**shader, "statements": _statements(list(shader["statements"]), change)}
        programs.append(msgspec.structs.replace(program, **{stage: shader}))
    return with_recording(trace, msgspec.structs.replace(trace.recording, programs=tuple(programs)))


def _no_number(statement: dict[str, Any]) -> list[dict[str, Any]]:
    """Give 0 for the primitive's number."""
    if statement.get("builtin") == "primitive_id":
        return [{"do": "constant", "to": statement["to"], "bits": 0}]
    return [statement]


def _sizes_unwritten(trace: Trace) -> Trace:
    """Lose the size that vertex shaders give points."""

    def kept(statement: dict[str, Any]) -> list[dict[str, Any]]:
        return [] if statement["do"] == "store_output" and statement["location"] == POINT_SIZE else [statement]

    changed = _shaders(trace, "vertex", kept)
    programs = []
    for program in changed.recording.programs:
        shader = program.vertex
        if isinstance(shader, dict):
            outputs = [one for one in shader.get("outputs", ()) if one["location"] != POINT_SIZE]
            shader = {**shader, "outputs": outputs}
        programs.append(msgspec.structs.replace(program, vertex=shader))
    return with_recording(changed, msgspec.structs.replace(changed.recording, programs=tuple(programs)))


register(
    Fault(
        id="fans-quads",
        symptom="half the area of fans and quads is missing, with stray triangles",
        rewrite=lambda trace: rewrite_commands(trace, _as_lists),
    ),
    Fault(
        id="instanced-arrays",
        symptom="instances overlap at the first ones' places",
        rewrite=lambda trace: rewrite_commands(trace, _no_base_instance),
    ),
    Fault(
        id="primitive-id",
        symptom="layers 1 to 3 of an array stay empty, a regular lattice of dots on the ground",
        rewrite=lambda trace: _shaders(trace, "fragment", _no_number),
    ),
    Fault(
        id="viewport-swizzle/ignored",
        symptom="the whole picture is upside down",
        rewrite=lambda trace: rewrite_commands(trace, _no_swizzle),
    ),
    Fault(
        id="viewport-swizzle/flip-only",
        symptom="swizzles that exchange axes do nothing",
        rewrite=lambda trace: rewrite_commands(trace, _flip_alone),
    ),
    Fault(
        id="depth-clamp",
        symptom="geometry beyond the far or near plane is cut off",
        rewrite=lambda trace: rewrite_commands(trace, _no_clamp),
    ),
    Fault(
        id="origin-lower-left",
        symptom="text drawn to textures is upside down while the scene itself is right",
        rewrite=_upper_left,
    ),
    Fault(
        id="queue-origin",
        symptom="geometry is inside out, full-screen triangles are culled",
        rewrite=_device_winding,
    ),
    Fault(
        id="s4-3g-pointsize",
        symptom="sprites shrink to a pixel",
        rewrite=_sizes_unwritten,
    ),
    Fault(
        id="conservative-raster",
        symptom="thin triangles lose pixels: only centres are covered",
        rewrite=lambda trace: rewrite_commands(trace, _centres),
    ),
    Fault(
        id="s4-5-depth-mode/minus-w",
        symptom="all depth lies in the farther half, depth of field blurs everything",
        rewrite=_near_is(DepthMode.NEAR_IS_MINUS_W),
    ),
    Fault(
        id="s4-5-depth-mode/zero",
        symptom="the near half of every scene is clipped away, the window is black",
        rewrite=_near_is(DepthMode.NEAR_IS_ZERO),
    ),
)
