"""How is the measured family ``counters`` scored: what draws of all kinds count, and what stages read of each other?

Each draw is recorded between a reset and a report of every counter, and replayed. OpenGL's queries are NVN's counters
by their names. What a counter leaves open is no case: the replay turns all of it over, which makes it negative.

Read next: ``hardware_counter_shaders.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance import hardware_counter_shaders as shaders
from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, information
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive
from refnvn.errors import InputFileError
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.states import (
    ChannelMaskState,
    DepthStencilState,
    MultisampleState,
    PolygonState,
    VertexAttribState,
    VertexStreamState,
)
from refnvn.replay.rasterise import read_distances
from refnvn.replay.run import replay
from refnvn.rules.fields import OpenCounters, Rules
from refnvn.rules.registry import collect

COUNTERS = {
    "vertices": "INPUT_VERTICES",
    "primitives": "INPUT_PRIMITIVES",
    "vs": "VERTEX_SHADER_INVOCATIONS",
    "tcs": "TESS_CONTROL_SHADER_INVOCATIONS",
    "tes": "TESS_EVALUATION_SHADER_INVOCATIONS",
    "gs": "GEOMETRY_SHADER_INVOCATIONS",
    "gs_prims": "GEOMETRY_SHADER_PRIMITIVES",
    "fs": "FRAGMENT_SHADER_INVOCATIONS",
    "clip_in": "CLIPPER_INPUT_PRIMITIVES",
    "clip_out": "CLIPPER_OUTPUT_PRIMITIVES",
    "generated": "PRIMITIVES_GENERATED",
    "written": "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN",
    "samples": "SAMPLES_PASSED",
}
_SIZE_PX = 64
_REPORT_B = 16
_EVERY = 3
"""Of the cases with positions every third is kept."""
Draw = Callable[[CommandBuffer], None]
Rows = NDArray[np.int64]


class _Scene:
    """Draws, each between a reset and a report of all counters."""

    def __init__(self, cases: int, **target: Any) -> None:
        self.device = Device("counters")
        self.commands = self.device.command_buffer()
        self.reports = self.device.buffer(max(cases, 1) * len(COUNTERS) * _REPORT_B)
        self.target = self.device.texture("RGBA8", _SIZE_PX, _SIZE_PX, **target)
        self.commands.set_render_targets([self.target])
        self.commands.set_viewport(0, 0, _SIZE_PX, _SIZE_PX)
        self._reported = 0

    def positions(self, places: NDArray[np.float32]) -> None:
        """Bind positions as the one attribute."""
        self.commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", 0)])
        self.commands.bind_vertex_stream_state([VertexStreamState().set_stride(16)])
        self.commands.bind_vertex_buffer(0, self.device.buffer(np.ascontiguousarray(places)))

    def program(self, **stages: Any) -> None:
        """Bind a program."""
        self.commands.bind_program(self.device.program(**stages))

    def counted(self, draw: Draw) -> None:
        """Count what one draw does."""
        for name in COUNTERS.values():
            self.commands.reset_counter(name)
        draw(self.commands)
        for name in COUNTERS.values():
            self.commands.report_counter(name, self.reports.get_address() + self._reported * _REPORT_B)
            self._reported += 1

    def found(self, rules: Rules) -> tuple[Rows, NDArray[np.bool_]]:
        """Return what was counted, shape (cases, counters), and which of it is decided."""
        self.device.queue().submit(self.commands)
        self.reports.read("reports")
        trace = self.device.trace()
        found = replay(trace.recording, trace.blobs, rules.with_(open_counters=OpenCounters.TURNED))["reports"]
        counts = found.view("<i8").reshape(-1, 2)[: self._reported, 0].reshape(-1, len(COUNTERS))
        return counts, counts >= 0


def _meta(file: VectorFile, *keys: str) -> list[Any]:
    """Return a list of ``meta``."""
    try:
        found: Any = json.loads(str(file.array("meta").reshape(-1)[0]))
        for key in keys:
            found = found[key]
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise InputFileError(f"{file.path}: meta.{'.'.join(keys)} is no list: {error}") from error
    if not isinstance(found, list):
        raise InputFileError(f"{file.path}: meta.{'.'.join(keys)} is no list")
    return found


def _cases(file: VectorFile, key: str) -> list[Any]:
    return _meta(file, "cases", key)


def _scored(
    file: VectorFile,
    name: str,
    scene: _Scene,
    rules: Rules,
    used: set[str],
    *,
    without: Sequence[str] = (),
    drawn: Sequence[int] | None = None,
) -> ArrayScore:
    """Compare what is decided with what was measured, but for some counters, of all cases or of those drawn."""
    found, decided = scene.found(rules)
    measured = array_of(file, name, (None, len(COUNTERS)), "u").astype(np.int64)
    measured = measured if drawn is None else measured[list(drawn)]
    if measured.shape != found.shape:
        raise InputFileError(f"{file.path}: array {name!r} has {len(measured)} rows, not {len(found)} as cases")
    decided = decided & np.array([key not in without for key in COUNTERS])
    return compare(name, found[decided], measured[decided], used)


def _drawn(how: str, mode: str, count: Any) -> tuple[DrawPrimitive, NDArray[np.uint32] | None, int, int]:
    """Return primitive, indices, vertices and instances of a case of ``types``."""
    primitive = DrawPrimitive[mode.upper()]
    if how == "restart":
        return primitive, np.array(count, np.int64).astype(np.uint32), len(count), 1
    if how in ("arrays", "instanced3"):
        return primitive, None, count, 3 if how == "instanced3" else 1
    numbers = np.arange(count)
    indices = {"elements": numbers, "same": numbers * 0, "mod3": numbers % 3, "half": numbers // 2}[how]
    return primitive, indices.astype(np.uint32), count, 1


def _score_types(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    cases = _cases(file, "types")
    scene = _Scene(len(cases))
    scene.program(vertex=shaders.around, fragment=shaders.white)
    for case in cases:
        primitive, indices, count, instances = _drawn(*case)
        scene.commands.set_primitive_restart(case[0] == "restart", 0xFFFFFFFF)
        if indices is None:
            draw: Draw = lambda to, p=primitive, n=count, i=instances: to.draw_arrays_instanced(p, 0, n, 0, i)  # type: ignore[misc]  # noqa: E731
        else:
            held = scene.device.buffer(indices)
            draw = lambda to, p=primitive, n=count, b=held: to.draw_elements(p, "INT", n, b)  # type: ignore[misc]  # noqa: E731
        scene.counted(draw)
    with collect() as used:
        return _scored(file, name, scene, rules, used, without=("fs", "samples"))


_CLIPPED = {
    "triangles": ("TRIANGLES", 3, 3),
    "lines": ("LINES", 2, 3),
    "points": ("POINTS", 1, 3),
    "quads": ("QUADS", 4, 4),
    "polygon": ("POLYGON", 6, 6),
    "distance": ("TRIANGLES", 3, 3),
}


def _before_the_eye(positions: NDArray[np.float32]) -> bool:
    """Say whether clip distances cut such a primitive by a rule: what reaches behind the eye is not known."""
    return bool(np.isfinite(positions).all() and (positions[:, 3] > 0).all())


def _score_clip(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    kind, _, variant = name.removeprefix("out_clip_").partition("_")
    primitive, count, apart = _CLIPPED[kind]
    positions = array_of(file, "in_clip_positions", (None, 3, 4), "u").view(np.float32).reshape(-1, 4)
    cases = len(positions) // apart
    scene = _Scene(cases)
    scene.positions(positions)
    scene.program(vertex=shaders.clipping if kind == "distance" else shaders.passed, fragment=shaders.white)
    scene.commands.set_depth_clamp(variant == "clamp")
    scene.commands.set_rasterizer_discard(variant == "discard")
    polygons = PolygonState().set_cull_face("BACK" if variant == "cull" else "NONE").set_front_face("CCW")
    scene.commands.bind_polygon_state(
        polygons.set_polygon_mode({"line": "LINE", "point": "POINT"}.get(variant, "FILL"))
    )
    if variant == "scissor":
        scene.commands.set_scissor(0, 0, 0, 0)
    places = range(0, cases, _EVERY)
    drawn = [k for k in places if kind != "distance" or _before_the_eye(positions[k * apart :][:apart])]
    for place in drawn:
        scene.counted(lambda to, first=place * apart: to.draw_arrays(primitive, first, count))  # type: ignore[misc]
    with collect() as used:
        return _scored(file, name, scene, rules, used, without=("fs", "samples"), drawn=[k // _EVERY for k in drawn])


def _score_fragments(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    target, shader = name.removeprefix("out_fragments_").split("_", 1)
    positions = array_of(file, "in_clip_positions", (None, 3, 4), "u").view(np.float32).reshape(-1, 4)
    drawn = range(0, len(positions), 9)
    scene = _Scene(len(drawn), **({"samples": 4, "target": "2D_MULTISAMPLE"} if target == "msaa" else {}))
    scene.positions(positions)
    scene.program(vertex=shaders.passed, fragment=shaders.OF_FRAGMENTS[shader])
    if target == "msaa":
        scene.commands.bind_multisample_state(MultisampleState().set_samples(4).set_multisample_enable(True))
    if target == "masked":
        scene.commands.bind_channel_mask_state(ChannelMaskState().set_channel_mask(0, False, False, False, False))
    if target == "depth":
        depth = scene.device.texture("DEPTH32F", _SIZE_PX, _SIZE_PX)
        scene.commands.set_render_targets([scene.target], None, depth)
        tests = DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True).set_depth_func("LESS")
        scene.commands.bind_depth_stencil_state(tests)
        scene.commands.clear_depth_stencil(0.55, True, 0, 0)
    for number, first in enumerate(drawn):
        if number % _EVERY == 0:
            scene.counted(lambda to, first=first: to.draw_arrays("TRIANGLES", first, 3))  # type: ignore[misc]
        else:  # what depth it leaves counts for the next
            scene.commands.draw_arrays("TRIANGLES", first, 3)
    with collect() as used:
        return _scored(file, name, scene, rules, used)


def _score_geometry(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    cases = _cases(file, "geometry")
    modes = {0: "POINTS", 1: "LINES", 4: "TRIANGLES", 5: "TRIANGLE_STRIP", 7: "QUADS", 9: "POLYGON",
             10: "LINES_ADJACENCY", 12: "TRIANGLES_ADJACENCY"}  # fmt: skip
    scene = _Scene(len(cases))
    for taken, mode, made, invocations, emitted, ends, count in cases:
        geometry = shaders.emitting(taken, made, invocations, emitted, bool(ends))
        scene.program(vertex=shaders.around, geometry=geometry, fragment=shaders.white)
        scene.counted(lambda to, mode=modes[mode], count=count: to.draw_arrays(mode, 0, count))  # type: ignore[misc]
    with collect() as used:
        return _scored(file, name, scene, rules, used, without=("fs", "samples"))


def _score_tessellation(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    cases = _cases(file, "tessellation")
    scene = _Scene(len(cases))
    for case in cases:
        *how, size, count = case
        scene.program(**shaders.tessellating(how))
        scene.commands.set_patch_size(size)
        scene.counted(lambda to, count=count: to.draw_arrays("PATCHES", 0, count))  # type: ignore[misc]
    with collect() as used:
        return _scored(file, name, scene, rules, used, without=("fs", "samples"))


def _score_feedback(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    cases = _cases(file, "feedback")
    scene = _Scene(len(cases))
    scene.program(vertex=shaders.captured, fragment=shaders.white)
    control = scene.device.buffer(32)
    for room, mode, count, discards in cases:
        held = scene.device.buffer(max(room, 4))
        scene.commands.bind_transform_feedback_buffer(0, held)
        scene.commands.set_rasterizer_discard(bool(discards))

        def draw(to: CommandBuffer, mode: str = mode, count: int = count) -> None:
            to.begin_transform_feedback(control)
            to.draw_arrays(mode.upper(), 0, count)
            to.end_transform_feedback(control)

        scene.counted(draw)
    with collect() as used:
        return _scored(file, name, scene, rules, used, without=("fs", "samples"))


def _score_reads(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Compare what fragments read of clip distances with what they read of varyings of the same values."""
    del rules
    read = file.array(name)
    varying = file.array(name.replace("reads", "varying"))
    if varying.shape != read.shape:
        raise InputFileError(f"{file.path}: array {name!r} has the shape {read.shape}, its varyings {varying.shape}")
    with collect() as used:
        by_rule = varying[..., list(read_distances(0, 2))]
    return compare(name, by_rule, read, used)


def score_counters(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``counters``."""
    if _meta(file, "counters") != list(COUNTERS):
        raise InputFileError(f"{file.path}: meta.counters must be {list(COUNTERS)}")
    scorers = {
        "out_types": _score_types,
        "out_clip": _score_clip,
        "out_fragments": _score_fragments,
        "out_geometry": _score_geometry,
        "out_tessellation": _score_tessellation,
        "out_feedback": _score_feedback,
        "out_reads": _score_reads,
    }
    for name in (one for one in file.headers if one.startswith("out_")):
        start = "_".join(name.split("_")[:2])
        if start in scorers:
            yield scorers[start](file, name, rules)
        else:
            yield information(name, "what other arrays are compared with, or a clear and a DrawTexture")


SCHEMAS: tuple[Schema, ...] = (
    Schema(
        name="counters", recognises=has_arrays("in_clip_positions", "out_types", "out_feedback"), score=score_counters
    ),
)
