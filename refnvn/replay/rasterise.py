"""How do primitives reach the targets, through the viewport and into the layer that their shader chooses?

Runs of primitives with one layer and one viewport are drawn together. Read next: ``draw_targets.py``,
``raster/draw.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import CounterType
from refnvn.errors import ArgumentError, SizeError
from refnvn.memory.write_log import Writer
from refnvn.raster.assembled import Assembled
from refnvn.raster.draw import draw_primitives
from refnvn.raster.one_pixel import Drawing
from refnvn.raster.shapes import Vertices
from refnvn.raster.small import draw_small
from refnvn.raster.state import RasterState
from refnvn.raster.target import Rectangle
from refnvn.replay.context import Context
from refnvn.replay.draw_state import unscissored
from refnvn.replay.draw_targets import DrawTargets, LayerTargets
from refnvn.replay.fragment_statistics import count_fragments
from refnvn.replay.viewports import VIEWPORTS
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir import POINT_SIZE, POSITION, Input, Shader, first_rows
from refnvn.shader.ir_base import Builtin
from refnvn.shader.ir_stages import VertexInput
from refnvn.shader.lane_memory import LaneMemory
from refnvn.shader.moves import rows_together
from refnvn.shader.special_outputs import CLIP_DISTANCES, LAYER, MORE_CLIP_DISTANCES, VIEWPORT_INDEX
from refnvn.shader.textures import Textures

MOST_RUNS = 1 << 14
"""Runs of one layer and viewport in one draw of one instance."""
Words = NDArray[np.uint32]


class Shaded(NamedTuple):
    """What the last stage before the rasteriser gives.

    Attributes
    ----------
    shader : Shader
        Of that stage; names the rows of ``values``.
    values : uint32, shape (output components, vertices)
    primitives : Assembled
        Of those vertices.
    """

    shader: Shader
    values: Words
    primitives: Assembled


class Fragments(NamedTuple):
    """The fragment stage of a draw: its shader, and what it reads and writes besides targets."""

    shader: Shader | None
    uniforms: Callable[[int], NDArray[np.uint8]]
    textures: Textures
    memory: LaneMemory


class Run(NamedTuple):
    """Primitives that go to one layer through one viewport: the numbers as they were written."""

    layer: int
    viewport: int
    primitives: Assembled


def rasterised(context: Context, shaded: Shaded, fragments: Fragments, targets: DrawTargets) -> int:
    """Draw primitives and return how many samples passed."""
    if not len(shaded.primitives):
        return 0
    context.memory.log.writer = Writer.FRAGMENT
    vertices = vertices_of(context, shaded, fragments.shader)
    passed = 0
    for run in runs_of(shaded, fragments.shader, targets.most_layers):
        state, scissor = unscissored(context, fragments.shader, viewport_of(run.viewport))
        layer = targets.layer(run.layer)
        found = _drawn_if_small(context, run, state, scissor, layer, vertices, fragments)
        if found is None:
            state = seen_by(state if scissor is None else state.through(scissor=scissor), run)
            found = _drawn(context, run, state, layer, vertices, fragments)
        passed += found
    return passed


def _drawn_if_small(
    context: Context, run: Run, state: RasterState, scissor: Rectangle | None, layer: LayerTargets,
    vertices: Vertices, fragments: Fragments,
) -> int | None:  # fmt: skip
    """Draw a run in one call and return how many samples passed; None where it is not small, or somebody looks on."""
    if context.observer is not None or context.counted or run.layer or run.viewport:
        return None
    return draw_small(
        context.kept, state, scissor, layer.colors, layer.depth_stencil, vertices, run.primitives, fragments.shader,
        fragments.uniforms, context.rules,
    )  # fmt: skip


def _drawn(
    context: Context, run: Run, state: RasterState, layer: LayerTargets, vertices: Vertices, fragments: Fragments
) -> int:
    """Draw a run and return how many samples passed."""
    onlooker = None
    if context.observer is not None:
        drawing = _drawing(context, state, layer, vertices, run.primitives, fragments)
        onlooker = context.observer.draws(context, drawing)
    passed = draw_primitives(
        state,
        layer.colors,
        layer.depth_stencil,
        vertices,
        run.primitives,
        fragments.shader,
        fragments.uniforms,
        context.rules,
        textures=fragments.textures,
        memory=fragments.memory,
        threads=context.threads,
        onlooker=onlooker,
    )
    if CounterType.FRAGMENT_SHADER_INVOCATIONS in context.counted:
        count_fragments(context, state, layer, vertices, run.primitives, fragments.shader, passed)
    return passed


def _drawing(
    context: Context,
    state: RasterState,
    layer: LayerTargets,
    vertices: Vertices,
    primitives: Assembled,
    fragments: Fragments,
) -> Drawing:
    return Drawing(
        state=state, colors=layer.colors, depth=layer.depth_stencil, vertices=vertices, primitives=primitives,
        fragment=fragments.shader, uniforms=fragments.uniforms, rules=context.rules, textures=fragments.textures,
        memory=fragments.memory,
    )  # fmt: skip


def seen_by(state: RasterState, run: Run) -> RasterState:
    """Return a state with the layer and the viewport that the fragments of a run read."""
    if (run.layer, run.viewport) == (state.layer, state.viewport_index):
        return state
    return replace(state, layer=run.layer, viewport_index=run.viewport)


@rule(
    "REPLAY-VIEWPORT-4",
    "A primitive goes through the viewport, with its scissor, depth range and swizzle, whose number its provoking "
    "vertex writes; a number that is none of 0 to 15 is viewport 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def viewport_of(number: int) -> int:
    """Return which viewport a number means.

    >>> [viewport_of(one) for one in (15, 16, -1)]
    [15, 0, 0]
    """
    return number if 0 <= number < VIEWPORTS else 0


@rule(
    "REPLAY-LAYER-2",
    "The provoking vertex of a primitive gives its layer and its viewport; fragments read both as they were written, "
    "0 where they were not.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
    ledger=("layered-vs",),
)
def runs_of(shaded: Shaded, fragment: Shader | None, most_layers: int) -> Iterator[Run]:
    """Yield the primitives of a draw by layer and viewport; of one layer in their order.

    Parameters
    ----------
    shaded : Shaded
    fragment : Shader or None
        One that stores to memory sees all primitives in their order.
    most_layers : int
        Layers from this number on, and negative ones, are the same, unless fragments read them.

    Raises
    ------
    SizeError
        For more runs than ``MOST_RUNS``.
    """
    rows = first_rows(shaded.shader.outputs)
    primitives = shaded.primitives
    if not len(primitives):
        return
    if rows.keys().isdisjoint((LAYER, VIEWPORT_INDEX)):
        yield Run(0, 0, primitives)
        return
    nothing = np.zeros(len(primitives), dtype=np.int64)
    layers, viewports = (
        shaded.values[rows[one]].view(np.int32)[primitives.provoking].astype(np.int64) if one in rows else nothing
        for one in (LAYER, VIEWPORT_INDEX)
    )
    if fragment is None or Builtin.LAYER not in fragment.builtins:
        layers = np.where((layers < 0) | (layers >= most_layers), 0, layers)
    keeps_order = fragment is not None and fragment.changes_memory
    order = np.arange(len(primitives)) if keeps_order else np.argsort(layers, kind="stable")
    changes = (np.diff(layers[order]) != 0) | (np.diff(viewports[order]) != 0)
    starts = [0, *(np.nonzero(changes)[0] + 1).tolist(), len(primitives)]
    if len(starts) > MOST_RUNS + 1:
        raise SizeError(f"{len(starts) - 1} changes of layer or viewport; {MOST_RUNS} in one draw are allowed")
    for begin, end in itertools.pairwise(starts):
        some = order[begin:end]
        yield Run(int(layers[some[0]]), int(viewports[some[0]]), primitives.chosen(some))


class _Rows(NamedTuple):
    """Where among the outputs of a stage the rasteriser finds what it takes: rows; None where nothing is written."""

    position: slice
    varyings: slice | list[int]
    size: int | None
    distances: list[int]


def vertices_of(context: Context, shaded: Shaded, fragment: Shader | None) -> Vertices:
    """Return what vertices hold for the rasteriser: positions, varyings, sizes of points, clip distances.

    Raises
    ------
    ArgumentError
        Where no position is written, or an input of the fragment shader is not.
    """
    rows, outputs = context.kept.of(_rows_of, (shaded.shader, fragment), shaded.shader, fragment), shaded.values
    return Vertices(
        _by_vertex(outputs, rows.position),
        outputs[rows.varyings],
        None if rows.size is None else outputs[rows.size].view(np.float32),
        _by_vertex(outputs, rows.distances) if rows.distances else None,
    )


def _by_vertex(outputs: Words, rows: slice | list[int]) -> NDArray[np.float32]:
    """Return rows of outputs as float32, shape (n, rows)."""
    return np.ascontiguousarray(outputs[rows].T).view(np.float32)


def clip_positions(shader: Shader, outputs: Words) -> NDArray[np.float32]:
    """Return the positions among the outputs of a stage, shape (n, 4); errors as :func:`position_rows`."""
    return _by_vertex(outputs, position_rows(shader))


def clip_distances(shader: Shader, outputs: Words) -> NDArray[np.float32] | None:
    """Return the clip distances among the outputs of a stage, shape (n, planes); None where it writes none."""
    rows = distance_rows(shader)
    return _by_vertex(outputs, rows) if rows else None


def _rows_of(shader: Shader, fragment: Shader | None) -> _Rows:
    position = position_rows(shader)
    varyings = [] if fragment is None else linked_rows(shader, fragment.inputs, fragment.stage)
    return _Rows(
        position=position,
        varyings=rows_together(varyings),
        size=first_rows(shader.outputs).get(POINT_SIZE),
        distances=distance_rows(shader),
    )


def position_rows(shader: Shader) -> slice:
    """Return the rows of the position among the outputs of a stage.

    Raises
    ------
    ArgumentError
        Where it writes none.
    """
    row = first_rows(shader.outputs).get(POSITION)
    if row is None:
        raise ArgumentError(f"the {shader.stage} shader writes no position")
    return slice(row, row + 4)


@rule(
    "REPLAY-CLIP-1",
    "Each clip distance that a shader writes cuts; no state turns it on.",
    evidence=Evidence.INFERRED,
    sources=("open-gpu-doc", "deko3d"),
    refuted_by="a console that draws the part of a triangle whose clip distance is negative",
)
def distance_rows(shader: Shader) -> list[int]:
    """Return the rows of clip distances among the outputs of a stage."""
    rows = first_rows(shader.outputs)
    counts = {one.location: one.components for one in shader.outputs}
    written = [one for one in (CLIP_DISTANCES, MORE_CLIP_DISTANCES) if one in rows]
    return [row for one in written for row in range(rows[one], rows[one] + counts[one])]


@rule(
    "REPLAY-CLIP-2",
    "A fragment shader reads clip distances as it reads varyings: interpolated with perspective, at the pixel's "
    "centre, whether or not they cut.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors",),
)
def read_distances(row: int, components: int) -> range:
    """Return the rows of four clip distances, or of the first of them."""
    return range(row, row + components)


def linked_rows(before: Shader, inputs: Sequence[Input] | Sequence[VertexInput], stage: str) -> list[int]:
    """Return the rows of the outputs of a stage that are the inputs of a later one, in its order.

    Raises
    ------
    ArgumentError
        For an input that is not written.
    """
    rows = first_rows(before.outputs)
    written = {one.location: one.components for one in before.outputs}
    found: list[int] = []
    for one in inputs:
        if written.get(one.location, 0) < one.components:
            raise ArgumentError(
                f"the {stage} shader reads {one.components} components at location {one.location}; "
                f"the {before.stage} shader writes {written.get(one.location, 0)}"
            )
        is_distance = one.location in (CLIP_DISTANCES, MORE_CLIP_DISTANCES)
        row, count = rows[one.location], one.components
        found += read_distances(row, count) if is_distance else range(row, row + count)
    return found


def vertex_linked(before: Shader, outputs: Words, wanting: Shader) -> Words:
    """Return the inputs that a stage reads by vertex, in its order, from the outputs of the one before.

    Raises
    ------
    ArgumentError
        For an input that is not written.
    """
    return outputs[linked_rows(before, wanting.vertex_inputs, wanting.stage)]
