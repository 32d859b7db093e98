"""Which shaders drew the measured family ``counters``?

Read next: ``hardware_counters.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from refnvn.shader.feedback import with_feedback
from refnvn.shader.ir import Shader
from refnvn.shader.python import (
    attribute,
    cos,
    ddx,
    discard,
    emit_vertex,
    end_primitive,
    fragment_shader,
    geometry_shader,
    gl,
    sin,
    tessellation_control_shader,
    tessellation_evaluation_shader,
    varying,
    vec2,
    vec4,
    vertex_shader,
)


@vertex_shader
def around():  # type: ignore[no-untyped-def]
    """Put vertices on a circle inside of the view volume."""
    turn = float(gl.vertex_id) * 2.4
    return vec4(0.8 * cos(turn), 0.8 * sin(turn), 0.0, 1.0)


@vertex_shader
def passed(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass a position on, as position and as what fragments read."""
    return position, position


@vertex_shader
def clipping(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Cut at x = 0."""
    gl.clip_distance[0] = position.x
    return position


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """Write ones."""
    return vec4(1.0)


@fragment_shader
def discarding(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Discard one half."""
    if color.x > 0.0:
        discard()
    return vec4(1.0)


@fragment_shader
def deriving(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Take derivatives."""
    return ddx(color) + 1.0


@fragment_shader(early_fragment_tests=True)
def early():  # type: ignore[no-untyped-def]
    """Ask for tests before it runs."""
    return vec4(1.0)


@fragment_shader
def deep():  # type: ignore[no-untyped-def]
    """Write depth."""
    gl.frag_depth = 0.5
    return vec4(1.0)


@fragment_shader
def by_sample():  # type: ignore[no-untyped-def]
    """Run for each sample."""
    return vec4(float(gl.sample_id))


OF_FRAGMENTS: dict[str, Shader] = {
    "plain": white,
    "discard": discarding,
    "derivative": deriving,
    "early": early,
    "depth": deep,
    "by_sample": by_sample,
}
captured = with_feedback(around, [-1])


@functools.cache
def emitting(takes: str, makes: str, invocations: int, emitted: int, ends: bool) -> Shader:
    """Return a geometry shader that emits so many vertices, and may end its strip behind the fourth."""
    cut = 3 if ends else 99

    @geometry_shader(takes=takes, makes=makes, max_vertices=8, invocations=invocations)
    def emits():  # type: ignore[no-untyped-def]
        for i in range(emitted):
            emit_vertex(vec4(0.5 * float(i & 1), 0.1 * float(i), 0.0, 1.0))
            if i == cut:
                end_primitive()

    return emits


@functools.cache
def _controlling(vertices: int, levels: tuple[float, ...]) -> Shader:
    one, two, three, four, five, six = levels

    @tessellation_control_shader(vertices=vertices)
    def controls():  # type: ignore[no-untyped-def]
        gl.tess_level_outer = vec4(one, two, three, four)
        gl.tess_level_inner = vec2(five, six)
        return vec4(0.0)

    return controls


@functools.cache
def _evaluating(domain: str, points: bool) -> Shader:
    @tessellation_evaluation_shader(domain=domain, point_mode=points)
    def evaluates():  # type: ignore[no-untyped-def]
        at = gl.tess_coord
        return vec4(at.x, at.y, 0.0, 1.0)

    return evaluates


@functools.cache
def _two_points(takes: str) -> Shader:
    @geometry_shader(takes=takes, makes="points", max_vertices=2)
    def emits():  # type: ignore[no-untyped-def]
        for _ in range(2):
            emit_vertex(gl.position[0])

    return emits


def tessellating(how: Sequence[Any]) -> dict[str, Shader]:
    """Return the stages of a case of ``tessellation``."""
    if how[0] == "no control":
        return {"vertex": around, "tess_evaluation": _evaluating("triangles", False), "fragment": white}
    domain, points, levels, vertices, geometry = how
    stages = {
        "vertex": around,
        "tess_control": _controlling(vertices, tuple(map(float, levels))),
        "tess_evaluation": _evaluating(domain, bool(points)),
        "fragment": white,
    }
    if geometry:
        takes = "points" if points else "lines" if domain == "isolines" else "triangles"
        stages["geometry"] = _two_points(takes)
    return stages
