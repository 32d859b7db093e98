"""What do the counters of vertices, primitives and invocations count?

Nothing is counted unless a report of the recording asks for it. Where hardware may count in more than one way the
counter is open until it is reset. DrawTexture and clears count nothing here, as measured.

Fragments: ``fragment_statistics.py``. Read next: ``queries.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import CounterType, DepthMode
from refnvn.formats.floatbits import Float32, Int64
from refnvn.raster.assembled import Assembled
from refnvn.raster.state import PLAIN_SWIZZLE
from refnvn.replay.context import Context
from refnvn.replay.rasterise import Shaded, clip_distances, clip_positions
from refnvn.replay.state import DRAW_COUNTERS, State
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader


@rule(
    "QUERY-INPUT-1",
    "The counter of input vertices grows by the vertices that a draw names, for each instance anew, those of "
    "primitives that stay incomplete too; an index that restarts names none.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics", "open-gpu-doc"),
)
def count_vertices(context: Context, runs: Sequence[Int64], instances: int) -> None:
    """Count the vertices of a draw, in runs that a restart parts."""
    context.state.count(CounterType.INPUT_VERTICES, sum(map(len, runs)) * instances)


@rule(
    "QUERY-INPUT-2",
    "The counter of input primitives grows by the points, lines and triangles that are assembled for each instance, "
    "a quad as two triangles and a polygon as a fan, and by the patches that are whole.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics", "open-gpu-doc"),
)
def count_input_primitives(context: Context, primitives: int, instances: int) -> None:
    """Count the primitives of a draw."""
    context.state.count(CounterType.INPUT_PRIMITIVES, primitives * instances)


def are_shared(vertices: Int64, ids: Int64) -> bool:
    """Say whether two primitives have a vertex in common.

    Parameters
    ----------
    vertices : int64, shape (m, k)
        Of each primitive.
    ids : int64, shape (m,)
        Its number; the triangles of one quad have the same and count as one primitive.

    Examples
    --------
    >>> are_shared(np.array([[0, 1, 2], [0, 2, 3]]), np.array([0, 0]))
    False
    >>> are_shared(np.array([[0, 1, 2], [2, 1, 3]]), np.array([0, 1]))
    True
    """
    pairs = np.unique(np.stack([np.repeat(ids, vertices.shape[1]), vertices.reshape(-1)]), axis=1)
    return bool(len(np.unique(pairs[1])) < pairs.shape[1])


@rule(
    "QUERY-INVOCATIONS-1",
    "The counters of invocations of vertex and tessellation evaluation shaders grow by one for each vertex that "
    "whole primitives take; one that several primitives or instances share may be counted for each of them, or not.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics"),
    exactness="bit-exact for vertices that nothing shares; else open",
)
def count_invocations(
    context: Context, counter: CounterType, vertices: Int64, ids: Int64, *, instances: int = 1
) -> None:
    """Count invocations for one instance of ``instances``; parameters as of :func:`are_shared`."""
    is_open = bool(len(vertices)) and (instances > 1 or are_shared(vertices, ids))
    context.state.count(counter, len(np.unique(vertices)), is_open=is_open)


@rule(
    "QUERY-INVOCATIONS-2",
    "The counter of invocations of tessellation control shaders grows by one for each patch, however many vertices "
    "the shader gives it; the one of tessellation evaluation primitives by the points, lines and triangles that the "
    "tessellator makes.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics", "open-gpu-doc"),
    exactness="bit-exact; no query of OpenGL has the tessellator's primitives, which its successor's counter gives",
)
def count_tessellation(context: Context, control: Shader | None, patches: int, made: Assembled) -> None:
    """Count what the tessellation stages do with patches."""
    if control is not None:
        context.state.count(CounterType.TESS_CONTROL_SHADER_INVOCATIONS, patches)
    context.state.count(CounterType.TESS_EVALUATION_SHADER_PRIMITIVES, len(made))
    count_invocations(context, CounterType.TESS_EVALUATION_SHADER_INVOCATIONS, made.vertices, np.arange(len(made)))


@rule(
    "QUERY-INVOCATIONS-3",
    "The counter of invocations of geometry shaders grows by the primitives they take times their invocations, the "
    "one of their primitives by the points, lines and triangles in the strips they emit.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics"),
    exactness="all but shaders that emit nothing, or one point, which OpenGL's compiler replaces (28 of 1152 draws)",
)
def count_geometry(context: Context, shader: Shader, taken: int, emitted: int) -> None:
    """Count what a geometry shader does with primitives."""
    assert shader.geometry is not None
    context.state.count(CounterType.GEOMETRY_SHADER_INVOCATIONS, taken * shader.geometry.invocations)
    context.state.count(CounterType.GEOMETRY_SHADER_PRIMITIVES, emitted)


@rule(
    "QUERY-PRIMITIVES-1",
    "The counter of generated primitives grows by what comes out of the last stage before the rasteriser, whether "
    "anything is captured or rasterised; the one of written primitives by those that transform feedback captures.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics"),
)
def count_generated(context: Context, primitives: int, written: int) -> None:
    """Count what reaches the rasteriser, and what of it is captured."""
    context.state.count(CounterType.PRIMITIVES_GENERATED, primitives)
    context.state.count(CounterType.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written)


@rule(
    "QUERY-CLIPPER-1",
    "The clipper's counter of input primitives grows by what is generated, and by nothing under rasterizer discard; "
    "the one of its output primitives by one for each that lies inside of the view volume, culled or not, and for "
    "others by as many parts as the clipper makes of them.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("counter-vectors", "gl-pipeline-statistics"),
    exactness="bit-exact for primitives inside; what is cut or lies outside is open",
)
def count_clipped(context: Context, shaded: Shaded, *, is_rasterised: bool) -> None:
    """Count primitives that come to the clipper where they are rasterised."""
    primitives = shaded.primitives
    if not is_rasterised or not len(primitives):
        return
    context.state.count(CounterType.CLIPPER_INPUT_PRIMITIVES, len(primitives))
    near = context.recording.depth_mode
    inside = inside_volume(clip_positions(shaded.shader, shaded.values), context.state, near)
    distances = clip_distances(shaded.shader, shaded.values)
    if distances is not None:
        inside &= (distances >= 0).all(axis=1)
    whole = int(np.count_nonzero(inside[primitives.vertices].all(axis=1)))
    is_open = whole < len(primitives) or _is_swizzled(context.state)
    context.state.count(CounterType.CLIPPER_OUTPUT_PRIMITIVES, whole, is_open=is_open)


def inside_volume(positions: Float32, state: State, near: DepthMode) -> NDArray[np.bool_]:
    """Return which clip positions, shape (n, 4), lie inside of all planes; with depth clamp of four."""
    x, y, z, w = positions.T
    with np.errstate(invalid="ignore"):
        inside: NDArray[np.bool_] = np.isfinite(positions).all(axis=1) & (w > 0) & (np.abs(x) <= w) & (np.abs(y) <= w)
        if not state.depth_clamp:
            inside &= (z <= w) & (z >= (0 if near is DepthMode.NEAR_IS_ZERO else -w))
    return inside


def _is_swizzled(state: State) -> bool:
    views = (state.swizzle, *(one.swizzle for one in state.further.values()))
    return any(one != PLAIN_SWIZZLE for one in views)


@rule(
    "QUERY-MESH-1",
    "What the counters of vertices, primitives and invocations make of a mesh draw is open; here it counts nothing.",
    evidence=Evidence.OPEN,
    sources=("gl-pipeline-statistics",),
    refuted_by="the reports of a console around a mesh draw",
)
def count_mesh(context: Context) -> None:
    """Leave every counter of draws open."""
    context.state.open_counters |= DRAW_COUNTERS
