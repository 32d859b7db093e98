"""How are triangles drawn? Set up in chunks, cut into spans, shaded and stored in batches.

Triangles are drawn in order. The order inside a batch is kept, so the result does not depend on how large batches
are or how many threads work: a thread takes a band of rows, and in a band everything is in order.

Read next: ``draw_stage.py``, ``setup.py``, then ``spans.py``, ``inputs.py``, ``interpolate.py``, ``fragment.py``.
"""

from __future__ import annotations

import contextvars
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError, ShapeError, SizeError
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.kernel import jit_is_on
from refnvn.raster.assembled import Assembled, assembled
from refnvn.raster.at_once import shade_at_once
from refnvn.raster.batch import PIXELS_OF_A_PRIMITIVE, Batch, wants_kernels
from refnvn.raster.chunks import Chunks, set_up
from refnvn.raster.draw_stage import reachable, stage_of, with_samples
from refnvn.raster.fragment import shade
from refnvn.raster.inputs import Inputs
from refnvn.raster.mixed_samples import shade_mixed
from refnvn.raster.multisample import shade_samples, shade_samples_at_once
from refnvn.raster.onlooker import Onlooker
from refnvn.raster.primitive_order import shade_backwards, shades_backwards
from refnvn.raster.sample_spans import all_sampled_spans, touched_samples
from refnvn.raster.setup import Primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.spans import Spans, all_spans, batches, by_primitive, in_rows
from refnvn.raster.stage import Stage, Uniforms
from refnvn.raster.state import TARGETS_MAX, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget, Rectangle
from refnvn.raster.textured import shade_textured
from refnvn.raster.walk import Walker, are_small, pixels_about, walk_all, walker_of, walks
from refnvn.raster.window import intersection, require_viewport
from refnvn.rules.fields import NVN, Rules
from refnvn.shader.execute import no_uniforms
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Stage as ShaderStage
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.textures import NO_TEXTURES, Textures

CORNERS = 3
"""Vertices of a triangle."""
Band = tuple[int, int]
"""The first of some rows, and the row after the last."""
MOST_ALONE = 1 << 16
"""Primitives of a draw that must run one after another."""


def draw_triangles(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    depth_target: DepthStencilTarget | None,
    positions: Float32,
    varyings: UInt32,
    triangles: NDArray[np.integer[Any]],
    fragment: Shader | None,
    uniforms: Uniforms = no_uniforms,
    rules: Rules = NVN,
    *,
    threads: int = 1,
) -> int:
    """Draw triangles into targets, in place.

    Parameters
    ----------
    state : RasterState
    colors : sequence of ColorTarget or None
        By location, at most eight.
    depth_target : DepthStencilTarget or None
    positions : float32, shape (n, 4)
        Vertices in clip space. Triangles with coordinates that are not finite draw nothing.
    varyings : uint32, shape (components, n)
        Vertex outputs, in the order of the fragment shader's inputs, component by component.
    triangles : integers, shape (m, 3)
        Indices of vertices, in drawing order.
    fragment : Shader or None
        None writes depth and stencil only.
    uniforms : callable
        Returns the bytes bound to a uniform slot of the fragment shader.
    rules : Rules
        Reads the fields that conversions and the shader need.
    threads : int
        Bands of rows that are drawn at the same time; the result is the same.

    Returns
    -------
    int
        The number of samples that passed.

    Raises
    ------
    ShapeError
        For arrays of another shape or dtype.
    ArgumentError
        For indices out of range, more than eight targets, or a shader of another stage.
    FieldRangeError
        For a viewport or depth range that is not finite.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> from refnvn.enumerations import DepthFunc
    >>> zeta = DepthStencilTarget(format_named("DEPTH16"), np.zeros((4, 4, 2), np.uint8))
    >>> corners = np.array([[-1, -1, 1, 1], [1, -1, 1, 1], [-1, 1, 1, 1]], np.float32)
    >>> draw = RasterState(viewport=(0, 0, 4, 4), depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS)
    >>> draw_triangles(draw, [], zeta, corners, np.zeros((0, 3), np.uint32), np.array([[0, 1, 2]]), None)
    6
    """
    if triangles.dtype.kind not in "iu" or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ShapeError(f"triangles must be integers of shape (m, 3), not {triangles.dtype} {triangles.shape}")
    vertices = triangles.astype(np.int64)
    return draw_primitives(
        state, colors, depth_target, Vertices(positions, varyings),
        assembled(vertices, vertices[:, state.provoking_vertex]), fragment, uniforms, rules, threads=threads,
    )  # fmt: skip


def draw_primitives(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    depth_target: DepthStencilTarget | None,
    vertices: Vertices,
    primitives: Assembled,
    fragment: Shader | None,
    uniforms: Uniforms = no_uniforms,
    rules: Rules = NVN,
    *,
    textures: Textures = NO_TEXTURES,
    memory: LaneMemory = NO_MEMORY,
    threads: int = 1,
    onlooker: Onlooker | None = None,
) -> int:
    """Draw triangles, lines or points into targets, in place, and return how many samples passed.

    Parameters
    ----------
    vertices : Vertices
        Their positions, varyings, and sizes of points.
    primitives : Assembled
        What to draw of them, in order.
    textures : Textures
        What the handles of textures and samplers name.
    memory : LaneMemory
        The storage buffers and images of the fragment shader. One that stores there runs on one thread.
    onlooker : Onlooker or None
        Is told what happens to fragments, one primitive after another, on one thread.

    Everything else is as for :func:`draw_triangles`.
    """
    _check(colors, vertices, primitives, fragment)
    require_viewport(state)
    window = reachable(state, colors, depth_target)
    if window[2] == 0 or window[3] == 0:
        return 0
    stage = stage_of(state, colors, depth_target, fragment, uniforms, rules, window, textures, memory)
    if stage.fragment is not None and stage.fragment.changes_memory:
        threads = 1
        _check_alone(stage, primitives)
    if onlooker is not None:
        stage, threads = replace(stage, onlooker=onlooker), 1
    stage = with_samples(stage, colors, depth_target, window)
    may_walk, walker = jit_is_on() and walks(stage), None
    with np.errstate(all="ignore"):  # vertices may hold any bits; what they become is a rule, never a warning
        if may_walk and wants_kernels(PIXELS_OF_A_PRIMITIVE * len(primitives)):
            walker = walker_of(stage)
        if walker is not None and (walker.tests or are_small(vertices, primitives, state)):
            passed = _in_bands(partial(_walk_band, walker, vertices, primitives, window), window, threads)
        else:
            passed = _draw_together(stage, vertices, primitives, window, threads, may_walk=may_walk)
    for one in stage.samples or (stage,):
        if one.planes is not None:
            one.planes.put_back(stage.tests)
    return passed


def _check_alone(stage: Stage, primitives: Assembled) -> None:
    """Raise for more primitives than may run one after another."""
    if stage.fragment is not None and stage.fragment.alone and len(primitives) > MOST_ALONE:
        what = primitives.shape.name.lower()
        raise SizeError(
            f"{len(primitives)} {what} that may see what others store; {MOST_ALONE} in a draw are allowed"
        )


def _check(
    colors: Sequence[ColorTarget | None],
    vertices: Vertices,
    primitives: Assembled,
    fragment: Shader | None,
) -> None:
    positions, varyings, named = vertices.positions, vertices.varyings, primitives.vertices
    if len(colors) > TARGETS_MAX:
        raise SizeError(f"a draw has at most {TARGETS_MAX} colour targets, not {len(colors)}")
    if positions.dtype != np.float32 or positions.ndim != 2 or positions.shape[1] != 4:
        raise ShapeError(f"positions must be float32 of shape (n, 4), not {positions.dtype} {positions.shape}")
    if named.size and not 0 <= int(named.min()) <= int(named.max()) < len(positions):
        raise ArgumentError(f"{primitives.shape.name.lower()} name a vertex outside 0 to {len(positions) - 1}")
    if fragment is not None and fragment.stage is not ShaderStage.FRAGMENT:
        raise ArgumentError(f"a fragment shader is needed to draw, not a {fragment.stage} shader")
    components = fragment.input_components if fragment is not None else len(varyings)
    if varyings.dtype != np.uint32 or varyings.shape != (components, len(positions)):
        raise ShapeError(
            f"varyings must be uint32 of shape ({components}, {len(positions)}), "
            f"not {varyings.dtype} {varyings.shape}"
        )


def _in_bands(draws: Callable[[Band], int], window: Rectangle, threads: int) -> int:
    """Draw bands of rows, each on a thread, and return how many samples passed."""
    bands = _bands(window, threads)
    if len(bands) == 1:
        return draws(bands[0])
    with ThreadPoolExecutor(len(bands)) as pool:
        jobs = [pool.submit(contextvars.copy_context().run, draws, band) for band in bands]
        return sum(job.result() for job in jobs)


def _draw_together(
    stage: Stage, vertices: Vertices, drawn: Assembled, window: Rectangle, threads: int, *, may_walk: bool
) -> int:
    """Set up primitives and draw bands of rows of them, and return how many samples passed."""
    passed, walker, asks = 0, None, may_walk and stage.planes is not None
    for primitives, inputs in set_up(stage, vertices, drawn, window):
        if asks:
            walker = walker_of(stage) if wants_kernels(pixels_about(primitives, window)) else None
            asks = False
        draws = partial(_draw_band, stage, primitives, inputs, window)
        if walker is not None:
            draws = partial(_walk_rows, walker, primitives, inputs, window)
        passed += _in_bands(draws, window, threads)
    return passed


def _walk_rows(walker: Walker, primitives: Primitives, inputs: Inputs, window: Rectangle, band: Band) -> int:
    return walker.walk(primitives, inputs, rows_of_window(window, band))


def _walk_band(walker: Walker, vertices: Vertices, drawn: Assembled, window: Rectangle, band: Band) -> int:
    """Set up and draw the triangles that reach into a band of rows; each thread does so for its own."""
    area = rows_of_window(window, band)
    with np.errstate(all="ignore"):
        return walk_all(walker, Chunks(walker.stage, vertices, drawn, area), area)


def rows_of_window(window: Rectangle, band: Band) -> Rectangle:
    """Return the part of a window in a band of rows."""
    return intersection(window, (window[0], band[0], window[2], band[1] - band[0]))


def _bands(window: Rectangle, threads: int) -> list[Band]:
    """Return bands of rows that begin on even rows, from the first row to the one after the last."""
    top, bottom = window[1] & ~1, window[1] + window[3]
    pairs = (bottom - top + 1) // 2
    count = max(1, min(threads, pairs))
    edges = [top + 2 * (pairs * k // count) for k in range(count + 1)]
    return list(itertools.pairwise(edges))


def covered(stage: Stage, primitives: Primitives, window: Rectangle) -> Iterator[Spans]:
    """Yield spans of the pixels of a window that primitives cover, in order."""
    if stage.positions is None:
        return all_spans(primitives, window)
    touches = stage.state.conservative is not None and primitives.vertices.shape[1] == CORNERS
    positions = touched_samples(stage.positions) if touches else stage.positions
    return all_sampled_spans(primitives, window, positions)


def _shade_at_once(stage: Stage, primitives: Primitives, inputs: Inputs, spans: Spans) -> int | None:
    if stage.color_samples:
        return None
    if stage.samples:
        return shade_samples_at_once(stage, inputs, spans)
    if shade_at_once(stage, inputs, spans):
        return spans.lanes
    return shade_textured(stage, primitives, inputs, spans)


def way_of(stage: Stage) -> Callable[[Stage, Primitives, Inputs, Batch], int]:
    """Return what takes a batch of fragments to the targets."""
    if stage.color_samples:
        return shade_mixed
    return shade_samples if stage.samples else shade


def _draw_band(stage: Stage, primitives: Primitives, inputs: Inputs, window: Rectangle, band: tuple[int, int]) -> int:
    passed = 0
    with np.errstate(all="ignore"):  # each thread has its own
        for spans in covered(stage, primitives, window):
            compiled = wants_kernels(spans.lanes + PIXELS_OF_A_PRIMITIVE * len(primitives.ids))
            mine = in_rows(spans, *band)
            watched = stage.onlooker is not None
            at_once = _shade_at_once(stage, primitives, inputs, mine) if compiled and not watched else None
            if at_once is not None:
                passed += at_once
                continue
            if shades_backwards(stage):
                passed += shade_backwards(stage, primitives, inputs, mine)
                continue
            alone = watched or (stage.fragment is not None and stage.fragment.alone)
            for part in by_primitive(mine) if alone else batches(mine):
                batch = Batch(part, compiled)
                passed += way_of(stage)(stage, primitives, inputs, batch)
    return passed
