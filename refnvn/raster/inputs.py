"""Which planes do the fragments of triangles need, and how are they fitted? One for each input, 1 / w and depth.

Flat inputs are the provoking vertex's bits. Where all three vertices of a triangle have w = 1, smooth is the same as
noperspective.

Read next: ``planes.py``, the rules; ``interpolate.py``, which evaluates them at pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32, from_bits
from refnvn.raster.arithmetic import rounded_to_24_bits
from refnvn.raster.either import three_of
from refnvn.raster.plane_slack import DEPTH_BOUND, VALUE_BOUND, moved
from refnvn.raster.planes import (
    Planes,
    attribute_planes,
    depth_planes,
    frame_of,
    homogeneous_planes,
    reference_block,
)
from refnvn.raster.setup import Primitives
from refnvn.raster.setup_reciprocal import reciprocal
from refnvn.raster.state import RasterState
from refnvn.raster.window import depth_scale, window_depth
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import PlanePlace, Rules
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import ComponentType, Interpolation, Sampling

HOW = {Interpolation.FLAT: 0, Interpolation.NOPERSPECTIVE: 1, Interpolation.SMOOTH: 2}
"""Interpolation as a number, for compiled loops."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The planes of everything that the fragments of some triangles need.

    Attributes
    ----------
    rows : tuple of Interpolation
        How each input component comes from its vertices.
    flat : uint32, shape (m, components)
        The provoking vertex's bits, for flat components.
    planes : Planes or None
        Of all components; flat ones are not used. Divided by w where ``perspective``.
    inverse_w : Planes or None
        Of 1 / w, where a triangle needs it.
    perspective : bool, shape (m,)
        Which triangles have a vertex with w other than 1.
    depth : Planes or None
        Of window depth.
    sprite : Planes or None
        Of the coordinates of point sprites.
    sampling : tuple of Sampling
        Where in a pixel each input component is evaluated.
    """

    rows: tuple[Interpolation, ...]
    flat: UInt32
    planes: Planes | None
    inverse_w: Planes | None
    perspective: NDArray[np.bool_]
    depth: Planes | None
    sprite: Planes | None = None
    sampling: tuple[Sampling, ...] = ()


def component_rows(shader: Shader | None) -> tuple[Interpolation, ...]:
    """Return how each component of a shader's inputs is interpolated; integers are always flat."""
    if shader is None:
        return ()
    return tuple(
        one.interpolation if one.type is ComponentType.FLOAT else Interpolation.FLAT
        for one in shader.inputs
        for _ in range(one.components)
    )


def interpolation_numbers(rows: tuple[Interpolation, ...]) -> Int64:
    """Return the interpolation of input components as numbers, int64 of shape (components,)."""
    return np.array([HOW[one] for one in rows], dtype=np.int64)


def _placed(planes: Planes, place: int, column: slice, found: tuple[Float64, Float64, Float64]) -> None:
    """Overwrite the planes of one triangle."""
    for array, values in zip((planes.a, planes.b, planes.c), found, strict=True):
        array[place, column] = np.where(np.isfinite(values), values, np.nan)


@dataclass(frozen=True, slots=True)
class _Vertices:
    """Vertex values of set-up triangles: clip positions (m, 3, 4) and varyings (m, 3, components) as bits."""

    clip: Float32
    varyings: UInt32

    @property
    def floats(self) -> Float64:
        with np.errstate(invalid="ignore"):
            return from_bits(self.varyings).astype(np.float64)


@rule(
    "RASTER-PERSPECTIVE-1",
    "A smooth input is the plane of value / w, vertex values rounded to 24 bits, times the reciprocal of the plane "
    "of 1 / w, the product cut to 24 bits; with w = 1 everywhere it has the bits of noperspective.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="bit-exact, given the planes",
)
def divided_values(values: Float64, inverse_w: Float64, smooth: NDArray[np.bool_]) -> Float64:
    """Return vertex values (m, 3, components) times 1 / w (m, 3) in smooth components, others as they are."""
    with np.errstate(invalid="ignore", over="ignore"):
        divided = rounded_to_24_bits(values * inverse_w[:, :, np.newaxis])
    return np.where(smooth, divided, values)


def is_smooth(rows: tuple[Interpolation, ...]) -> NDArray[np.bool_]:
    """Say which components are divided by w."""
    return np.array([one is Interpolation.SMOOTH for one in rows], dtype=np.bool_)


def inverse_of_w(clip: Float32) -> Float64:
    """Return 1 / w of vertices as the chip has it; 1 where w says nothing."""
    w = np.ascontiguousarray(clip[:, :, 3])
    if (w == 1).all():
        return w.astype(np.float64)
    with np.errstate(all="ignore"):
        return np.where(w > 0, reciprocal(w), 1.0)


def fit(
    primitives: Primitives,
    positions: Float32,
    varyings: UInt32,
    shader: Shader | None,
    state: RasterState,
    rules: Rules,
    *,
    needs_depth: bool,
    needs_w: bool,
    compiled: bool = False,
) -> Inputs:
    """Fit the planes of some triangles.

    Parameters
    ----------
    primitives : Primitives
    positions : float32, shape (n, 4)
        Clip space, of all vertices of the draw.
    varyings : uint32, shape (components, n)
        Vertex outputs in the order of the shader's inputs.
    shader : Shader or None
        The fragment shader.
    state : RasterState
    rules : Rules
        ``plane_place``.
    needs_depth, needs_w : bool
        Whether anything reads depth or the fragment's w.
    compiled : bool
        Whether a compiled loop fits; the planes are the same.
    """
    rows = component_rows(shader)
    vertices = _Vertices(positions[primitives.vertices], np.moveaxis(varyings[:, primitives.vertices], 0, -1))
    inverse_w = inverse_of_w(vertices.clip)
    perspective = (vertices.clip[:, :, 3] != 1).any(axis=1)
    smooth = is_smooth(rows)
    fits_values = any(one is not Interpolation.FLAT for one in rows)
    fits_w = needs_w or bool(perspective.any() and smooth.any())
    planes = w_planes = depth = None
    if fits_values or fits_w or needs_depth:
        values = vertices.floats if fits_values else np.zeros((len(perspective), 3, 0))
        if fits_values and perspective.any():
            values = np.where(perspective[:, None, None], divided_values(values, inverse_w, smooth), values)
        depths = _vertex_depths(vertices.clip, state) if needs_depth else None
        planes, w_planes, depth = _planes(
            primitives, values, inverse_w if fits_w else None, depths, state, compiled=compiled
        )
        if planes is not None and rules.plane_place is not PlanePlace.CHIP:
            planes = moved(planes, np.abs(values).max(axis=1) * VALUE_BOUND, rules)
        depth = None if depth is None else moved(depth, DEPTH_BOUND, rules)
    _fit_hidden(primitives, vertices, (planes, w_planes, depth), state)
    return Inputs(
        rows=rows,
        flat=np.moveaxis(varyings[:, primitives.provoking], 0, -1),
        planes=planes,
        inverse_w=w_planes,
        perspective=perspective,
        depth=depth,
        sampling=samplings(shader),
    )


def samplings(shader: Shader | None) -> tuple[Sampling, ...]:
    """Return where in a pixel each component of a shader's inputs is evaluated."""
    return tuple(one.sampling for one in (shader.inputs if shader else ()) for _ in range(one.components))


def _vertex_depths(clip: Float32, state: RasterState) -> Float64:
    with np.errstate(all="ignore"):
        return window_depth(clip, state).astype(np.float64)


def _planes(
    primitives: Primitives,
    values: Float64,
    inverse_w: Float64 | None,
    depths: Float64 | None,
    state: RasterState,
    *,
    compiled: bool,
) -> tuple[Planes | None, Planes | None, Planes | None]:
    """Return the planes of values, of 1 / w and of depth; None for those that are not asked for."""
    ways = None if inverse_w is None else inverse_w[:, :, np.newaxis]
    if compiled:
        from refnvn.raster.plane_kernel import fitted

        no_depths = np.zeros((len(values), 3, 0))
        planes, depth = fitted(
            primitives.x, primitives.y, values, no_depths if depths is None else depths[:, :, None], state.viewport
        )
        w_planes = None if ways is None else fitted(primitives.x, primitives.y, ways, no_depths, state.viewport)[0]
        return planes if values.shape[2] else None, w_planes, None if depths is None else depth
    with np.errstate(all="ignore"):
        frame = frame_of(three_of(primitives.x), three_of(primitives.y))
        reference = reference_block(frame, state.viewport)
        return (
            attribute_planes(frame, values, reference) if values.shape[2] else None,
            None if ways is None else attribute_planes(frame, ways, reference),
            None if depths is None else depth_planes(frame, depths, reference),
        )


def _fit_hidden(
    primitives: Primitives,
    vertices: _Vertices,
    planes: tuple[Planes | None, Planes | None, Planes | None],
    state: RasterState,
) -> None:
    """Replace the planes of triangles that reach behind the eye by exact ones over w."""
    scale, offset = (float(v) for v in depth_scale(state))
    attributes, w_planes, depth = planes
    with np.errstate(all="ignore"):
        for place, rows in primitives.homogeneous.items():
            for found, values in (
                (attributes, vertices.floats[place]),
                (w_planes, np.ones((3, 1))),
                (depth, vertices.clip[place, :, 2:3].astype(np.float64)),
            ):
                if found is None:
                    continue
                at = (float(found.x0[place]), float(found.y0[place]))
                a, b, c = homogeneous_planes(rows, values, at)
                if found is depth:
                    a, b, c = a * scale, b * scale, c * scale + offset
                _placed(found, place, slice(None), (a, b, c))
