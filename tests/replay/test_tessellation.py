"""What tessellation and geometry stages make of a draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import DrawPrimitive
from refnvn.nvn import Device, record
from refnvn.replay.assemble import neighbours_of
from refnvn.replay.errors import ReplayError
from refnvn.replay.run import replay
from refnvn.replay.tessellation_factors import clamped, division, place_of
from refnvn.replay.tessellator import tessellated
from refnvn.rules.registry import collect
from refnvn.shader.feedback import with_feedback
from refnvn.shader.ir_stages import Domain, Spacing, TessEvaluation
from refnvn.shader.python import (
    Array,
    emit_vertex,
    geometry_shader,
    gl,
    patch,
    store_patch,
    tessellation_control_shader,
    tessellation_evaluation_shader,
    varying,
    vec2,
    vec4,
    vertex_shader,
)

TRIANGLES, QUADS, ISOLINES = Domain


@vertex_shader
def numbered():  # type: ignore[no-untyped-def]
    return vec4(float(gl.vertex_id), 0.0, 0.0, 1.0), float(gl.vertex_id)


@tessellation_control_shader(vertices=2)
def doubled(value: Array[float] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    gl.tess_level_outer = vec4(1.0)
    gl.tess_level_inner = vec2(1.0)
    store_patch(4, float(gl.invocation_id) + 10.0 * value[0])
    return gl.position[gl.invocation_id], value[2 - gl.invocation_id]


@tessellation_evaluation_shader(domain="triangles")
def placed(of_patch: float = patch(4), value: Array[float] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    mixed = value[0] * gl.tess_coord.x + value[1] * gl.tess_coord.y
    return gl.position[1], vec4(mixed, of_patch, float(gl.primitive_id), float(gl.patch_vertices))


@tessellation_evaluation_shader(domain="isolines")
def lined(value: Array[float] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    return gl.position[0], vec4(gl.tess_coord.x, gl.tess_coord.y, value[1], float(gl.primitive_id))


@geometry_shader(takes="lines", makes="points", max_vertices=2)
def forgets(value: Array[float] = varying(3)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    gl.layer = int(value[0])


def captured(program: dict[str, Any], mode: str, count: int, size: int, **levels: Any) -> np.ndarray[Any, Any]:
    """Return the rows of four floats that a draw of patches leaves, and what was not written as NaN."""

    def scene(device: Device) -> None:
        commands, control = device.command_buffer(), device.buffer(32)
        memory = device.buffer(np.full(64, np.nan, np.float32))
        commands.bind_program(device.program(**program))
        commands.bind_transform_feedback_buffer(0, memory)
        commands.set_rasterizer_discard(True)
        commands.set_patch_size(size)
        if levels:
            commands.set_outer_tessellation_levels(levels["outer"])
            commands.set_inner_tessellation_levels(levels["inner"])
        commands.begin_transform_feedback(control)
        commands.draw_arrays(mode, 0, count)
        commands.end_transform_feedback(control)
        device.queue().submit(commands)
        memory.read("memory")

    trace = record(scene)
    return replay(trace.recording, trace.blobs)["memory"].view(np.float32).reshape(-1, 4)


def doubled_areas(triangles: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the signed doubled areas of triangles in u and v."""
    corner = triangles[:, :, :2].astype(np.float64)
    one, other = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    areas: np.ndarray[Any, Any] = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return areas


@pytest.mark.rule("TESSELLATION-CONTROL-1")
def test_a_control_shader_gives_vertices_and_the_patch_its_outputs() -> None:
    """Patches of three vertices become two: 2 and 1 of 0 to 2; the last invocation's output of the patch stays."""
    program = {"vertex": numbered, "tess_control": doubled, "tess_evaluation": with_feedback(placed, [0])}
    rows = captured(program, "PATCHES", 7, 3)
    # corners in the order of the one triangle: w, u, v
    assert rows[:3].tolist() == [[0, 1, 0, 2], [2, 1, 0, 2], [1, 1, 0, 2]]
    assert rows[3:6].tolist() == [[0, 31, 1, 2], [5, 31, 1, 2], [4, 31, 1, 2]]
    assert np.isnan(rows[6:]).all()


@pytest.mark.rule("TESSELLATION-LEVELS-1")
def test_without_a_control_shader_the_queue_has_the_levels() -> None:
    """Two lines in two segments each: four lines; a level of 0 drops the patch."""
    program = {"vertex": numbered, "tess_evaluation": with_feedback(lined, [0])}
    rows = captured(program, "PATCHES", 2, 2, outer=(2, 2, 1, 1), inner=(1, 1))
    assert rows[:8, :2].tolist() == [[0, 0], [0.5, 0], [0, 0.5], [0.5, 0.5], [0.5, 0], [1, 0], [0.5, 0.5], [1, 0.5]]
    assert rows[:8, 2].tolist() == [1] * 8
    dropped = captured(program, "PATCHES", 2, 2, outer=(2, 0, 1, 1), inner=(1, 1))
    assert np.isnan(dropped).all()
    plain = captured(program, "PATCHES", 4, 2)
    assert plain[:4, 3].tolist() == [0, 0, 1, 1]


@pytest.mark.rule("TESSELLATOR-ORDER-1")
def test_small_patches_come_in_the_order_that_was_measured() -> None:
    """A triangle of level 2 with an inner level of 2: the middle first, then the edges u = 0, w = 0, v = 0."""
    found = tessellated(TessEvaluation(domain=TRIANGLES), (2.0, 2.0, 2.0, 1.0, 2.0, 1.0))
    corners = found.coordinates[found.primitives][:, 1:].round(3).tolist()
    assert corners[0] == [[0, 0.5, 0.5], [0, 0, 1]]
    assert corners[1] == [[0, 1, 0], [0, 0.5, 0.5]]
    assert corners[2] == [[0.5, 0.5, 0], [0, 1, 0]]
    assert found.primitives[:, 0].tolist() == [0] * 6


@pytest.mark.rule("TESSELLATOR-EDGE-1")
def test_places_between_two_divisions_are_means() -> None:
    """Level 3 of fractional even spacing is halfway between 2 and 4: a half of the quarter and the half."""
    edge = division(3.0, Spacing.FRACTIONAL_EVEN)
    assert [place_of(edge, k) for k in range(edge.points)] == [0, 24576, 32768, 40960, 65536]


@pytest.mark.rule("TESSELLATOR-EDGE-1")
@pytest.mark.parametrize(("level", "place"), [(212924.5, 22537), (212923.5, 22537), (212925.5, 22536)])
def test_levels_between_two_65536ths_round_to_even(level: float, place: int) -> None:
    """212924 of 65536, halved, is 40926 behind 1: 32768 - 16384 * 40926 / 65536 = 22536.5; 212926 gives 22536.25."""
    assert place_of(division(level / 65536, Spacing.FRACTIONAL_EVEN), 1) == place


@pytest.mark.rule("TESSELLATOR-LEVEL-1")
def test_levels_are_clamped_and_nothing_is_made_of_patches_without_one() -> None:
    """NaN drops a patch like 0; inner NaN is the least; equal levels are rounded up to 64 at most."""
    nan = float("nan")
    assert clamped([nan, 1.0, 1.0], [1.0], Spacing.EQUAL) is None
    assert clamped([1.0, 0.0, 1.0], [1.0], Spacing.EQUAL) is None
    assert clamped([1.2, 99.0, 1.0], [nan], Spacing.EQUAL) == ([2.0, 64.0, 1.0], [2.0])
    assert clamped([1.2, 99.0, 1.0], [2.5], Spacing.FRACTIONAL_ODD) == ([1.2, 63.0, 1.0], [2.5])


def test_clockwise_turns_every_triangle() -> None:
    """The same triangles, each the other way round."""
    levels = (3.0, 4.0, 2.0, 5.0, 4.0, 3.0)
    one, other = (tessellated(TessEvaluation(domain=QUADS, clockwise=turned), levels) for turned in (False, True))
    assert [sorted(three) for three in one.primitives.tolist()] == [sorted(t) for t in other.primitives.tolist()]
    area = [doubled_areas(found.coordinates[found.primitives]) for found in (one, other)]
    assert (area[0] > 0).all()
    assert (area[1] < 0).all()


@pytest.mark.parametrize("domain", [TRIANGLES, QUADS])
@pytest.mark.parametrize("spacing", list(Spacing))
def test_triangles_cover_the_patch_once(domain: Domain, spacing: Spacing) -> None:
    """Whatever the levels, the areas of all triangles add up to that of the patch, none is turned over."""
    random = np.random.default_rng(7)
    for levels in random.uniform(0.6, 20.0, (40, 6)):
        found = tessellated(TessEvaluation(domain=domain, spacing=spacing), tuple(levels.tolist()))
        area = doubled_areas(found.coordinates[found.primitives]) / 2
        assert area.min() >= 0
        assert abs(area.sum() - (0.5 if domain is TRIANGLES else 1.0)) < 1e-9


@pytest.mark.rule("TESSELLATOR-ORDER-1")
def test_points_that_coincide_are_all_kept() -> None:
    """A level just above a whole one makes points in one place: 75 points and 121 triangles were measured here."""
    levels = (7.00002, 11.00003, 4.00001, 3.00004, 7.00003, 3.00002)
    found = tessellated(TessEvaluation(domain=TRIANGLES, spacing=Spacing.FRACTIONAL_ODD), levels)
    areas = doubled_areas(found.coordinates[found.primitives]) / 2
    assert (len(found.coordinates), len(found.primitives)) == (75, 121)
    assert len(np.unique(found.coordinates, axis=0)) < 75
    assert areas.min() == 0
    assert abs(areas.sum() - 0.5) < 1e-9


@pytest.mark.rule("TESSELLATOR-ORDER-4")
def test_up_to_42_triangles_and_32_points_are_one_piece() -> None:
    """In one piece each triangle begins with its lowest number; measured: 42 and 32 are one, 43 or 33 are not."""
    for outer, levels, expected in ((6.0, (5.0, 1.0), True), (7.0, (5.0, 1.0), False), (1.0, (6.0, 1.0), True)):
        found = tessellated(TessEvaluation(domain=TRIANGLES), (outer, outer, outer, 1.0, *levels))
        is_lowest = bool((found.primitives[:, 0] == found.primitives.min(axis=1)).all())
        assert is_lowest is expected, (outer, len(found.coordinates), len(found.primitives))


@pytest.mark.rule("TESSELLATOR-ORDER-2")
def test_the_inside_of_a_quad_comes_in_bands() -> None:
    """Of 11 x 11 inner points the first eight of each column come before the others of the first."""
    found = tessellated(TessEvaluation(domain=QUADS), (1.0, 1.0, 1.0, 1.0, 12.0, 12.0))
    places = (found.coordinates[:, :2] * 12).round().astype(int).tolist()
    assert places[:9] == [[1, v] for v in range(1, 9)] + [[2, 1]]
    assert places[88:92] == [[1, 9], [1, 10], [1, 11], [2, 9]]


@pytest.mark.rule("TESSELLATOR-ORDER-3")
def test_the_inside_of_a_triangle_comes_in_rows_along_an_edge() -> None:
    """Of level 5 the inside has two rings: the first row is the outer one's side u = 0 with its corners."""
    found = tessellated(TessEvaluation(domain=TRIANGLES), (1.0, 1.0, 1.0, 1.0, 5.0, 1.0))
    rows = found.coordinates[:, 0].round(3).tolist()
    assert rows[:4] == [rows[0]] * 4


@pytest.mark.rule("PRIMITIVE-ADJACENCY-2")
def test_neighbours_of_lists_and_strips() -> None:
    """Lists take their vertices in groups; the first and the last triangle of a strip have ends of their own."""
    assert neighbours_of(DrawPrimitive.LINES_ADJACENCY, 9).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert neighbours_of(DrawPrimitive.LINE_STRIP_ADJACENCY, 5).tolist() == [[0, 1, 2, 3], [1, 2, 3, 4]]
    assert neighbours_of(DrawPrimitive.TRIANGLE_STRIP_ADJACENCY, 6).tolist() == [[0, 1, 2, 5, 4, 3]]
    assert neighbours_of(DrawPrimitive.TRIANGLE_STRIP_ADJACENCY, 5).tolist() == []


def test_stages_that_do_not_fit_are_refused() -> None:
    """Patches without an evaluation shader, and one without patches; inputs that nothing writes; other primitives."""
    evaluation = {"vertex": numbered, "tess_evaluation": lined}
    for program, mode, match in (
        ({"vertex": numbered}, "PATCHES", "PATCHES are drawn with a tessellation evaluation shader"),
        (evaluation, "TRIANGLES", "PATCHES are drawn with a tessellation evaluation shader"),
        ({"vertex": numbered, "tess_evaluation": placed}, "PATCHES", "1 components of patch output 4; 0 are written"),
        ({"vertex": numbered, "geometry": forgets}, "LINES", "reads 1 components at location 3"),
        ({"vertex": numbered, "geometry": forgets}, "TRIANGLES", "the geometry shader takes lines"),
    ):
        with pytest.raises(ReplayError, match=match):
            captured(program, mode, 6, 3)


def test_a_patch_that_was_divided_before_names_its_rules_again() -> None:
    """What is kept of a patch keeps the rules that made it: a golden's list does not depend on who asked first."""
    how, levels = TessEvaluation(domain=Domain.QUADS), (3.0, 2.0, 3.0, 2.0, 2.0, 3.0)
    with collect() as first:
        tessellated(how, levels)
    with collect() as again:
        tessellated(how, levels)
    assert "TESSELLATOR-QUAD-1" in first
    assert again == first


def test_a_geometry_shader_behind_patches_without_primitives_emits_nothing() -> None:
    """Levels of 0 drop every patch, of lines as of triangles."""
    program = {"vertex": numbered, "tess_evaluation": lined, "geometry": with_feedback(of_lines, [0])}
    assert np.isnan(captured(program, "PATCHES", 4, 2, outer=(0, 0, 1, 1), inner=(1, 1))).all()


@geometry_shader(takes="lines", makes="points", max_vertices=1)
def of_lines(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    emit_vertex(gl.position[0], value[0])
