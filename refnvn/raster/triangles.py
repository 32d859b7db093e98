"""How are triangles set up together in a compiled loop? Where nothing but edges and planes is asked of them.

The loop gives the bits of ``setup.py`` and ``inputs.fit``, and stops at a triangle that needs clipping. Of
triangles with an area it also drops those that cover no pixel.

Read next: ``setup_kernel.py``.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthMode, Face, PolygonMode
from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32
from refnvn.raster.assembled import Assembled, Shape
from refnvn.raster.clip_sides import ends_inside_pixels
from refnvn.raster.inputs import Inputs, component_rows, interpolation_numbers, is_smooth, samplings
from refnvn.raster.planes import FIT_RULES, Planes
from refnvn.raster.setup import HALF, Primitives
from refnvn.raster.setup_reciprocal import reciprocal
from refnvn.raster.state import RasterState
from refnvn.raster.target import Rectangle
from refnvn.raster.window import depth_scale, front_sign, window_axes
from refnvn.rules.fields import PlanePlace, Rules
from refnvn.rules.registry import collect, note
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Interpolation


class Needs(NamedTuple):
    """What the fragments of a draw read: their shader, whether depth, w, and samples beside the pixel's centre."""

    shader: Shader | None
    depth: bool
    w: bool
    sampled: bool


class SetUp(NamedTuple):
    """What became of a room: triangles in it, those with an area, whether one has w other than 1, where it ended."""

    kept: int
    seen: int
    not_one: bool
    stopped: int


class Room(NamedTuple):
    """Arrays for what the loops find of some triangles, triangle by triangle along the last axis but in ``edges``.

    Attributes
    ----------
    place : int64, shape (n,)
        Which triangles of the draw they are.
    front, perspective : bool, shape (n,)
    x, y : int64, shape (3, n)
        Snapped positions.
    edges : int64, shape (n, 3, 3)
    rows : int64, shape (2, n)
        First row, and the row after the last.
    flat : float32, shape (components, n)
    planes, w_planes, depth : float64, shapes (3, components, n), (3, 1, n), (3, 0 or 1, n)
        a, b and c of each value.
    reference, depth_reference : float64, shape (2, n)
        Reference points of the planes, and of that of depth.
    """

    place: Int64
    front: NDArray[np.bool_]
    perspective: NDArray[np.bool_]
    x: Int64
    y: Int64
    edges: Int64
    rows: Int64
    flat: Float32
    planes: Float64
    reference: Float64
    depth_reference: Float64
    w_planes: Float64
    depth: Float64


class Space(NamedTuple):
    """What the loops need for themselves: positions, steps, values and 1 / w of vertices, and chosen vertices."""

    at: Float64
    steps: Float64
    values: Float64
    inverse: Float64
    corners: Int64


def room_for(count: int, components: int, depths: int) -> tuple[Room, Space]:
    """Return room for so many triangles."""
    reference = np.empty((2, count))
    room = Room(
        place=np.empty(count, np.int64),
        front=np.empty(count, np.bool_),
        perspective=np.empty(count, np.bool_),
        x=np.empty((3, count), np.int64),
        y=np.empty((3, count), np.int64),
        edges=np.empty((count, 3, 3), np.int64),
        rows=np.empty((2, count), np.int64),
        flat=np.zeros((components, count), np.float32),
        planes=np.zeros((3, components, count)),
        reference=reference,
        depth_reference=reference,
        w_planes=np.zeros((3, 1, count)),
        depth=np.zeros((3, depths, count)),
    )
    at, steps, values, inverse = (np.empty((rows, count)) for rows in (6, 4, 3, 3))
    space = Space(at, steps, values, inverse, np.empty((2, count), np.int64))
    return room, space


def serves(drawn: Assembled, needs: Needs, state: RasterState, rules: Rules) -> bool:
    """Say whether the loop can set up primitives without clip distances."""
    if drawn.shape is not Shape.TRIANGLES or state.polygon_mode is not PolygonMode.FILL:
        return False
    fits = needs.depth or needs.w or any(one is not Interpolation.FLAT for one in component_rows(needs.shader))
    return not ends_inside_pixels(state) and (not fits or rules.plane_place is PlanePlace.CHIP)


def _plain(values: Any) -> Any:
    """Return an array of the one kind that loops are compiled for."""
    return np.require(values, requirements=("C", "W"))


@functools.cache
def _reciprocal_rules() -> frozenset[str]:
    """Return the rules that 1 / w of vertices goes by."""
    with collect() as used:
        reciprocal(np.ones(1, np.float32))
    return frozenset(used)


class TriangleLoop:
    """The compiled set-up of a draw's triangles, ready to run on some of them.

    Attributes
    ----------
    drawn : Assembled
    positions : float32, shape (n, 4)
    state : RasterState
    """

    def __init__(
        self,
        drawn: Assembled,
        positions: Float32,
        varyings: UInt32,
        needs: Needs,
        state: RasterState,
        window: Rectangle,
    ) -> None:
        self.drawn, self.positions, self.state = drawn, positions, state
        self.needs, self.rows = needs, component_rows(needs.shader)
        smooth = is_smooth(self.rows)
        self.any_smooth = bool(smooth.any())
        self.fits_values = any(one is not Interpolation.FLAT for one in self.rows)
        (scale_x, middle_x), (scale_y, middle_y) = window_axes(state)
        cull = state.cull_face
        self.where = _plain(positions), _plain(drawn.vertices)
        self.window: tuple[Any, ...] = (
            (scale_x, middle_x, scale_y, middle_y),
            (state.depth_mode is DepthMode.NEAR_IS_ZERO, state.depth_clamp),
            (front_sign(state), bool(cull & Face.FRONT), bool(cull & Face.BACK)),
            tuple(int(one) for one in window),
            HALF if needs.sampled else 0,
        )
        self.values: tuple[Any, ...] = (
            _plain(varyings).view(np.float32),
            _plain(drawn.provoking),
            interpolation_numbers(self.rows),
            tuple(float(one) for one in state.viewport),
            depth_scale(state),
            (self.any_smooth, needs.w, needs.depth),
        )

    def room(self, count: int) -> tuple[Room, Space]:
        """Return room for so many triangles."""
        return room_for(count, len(self.rows), int(self.needs.depth))

    def fill(self, begin: int, end: int, room: Room, space: Space) -> SetUp:
        """Set up triangles from ``begin`` until ``end``, or until one needs clipping."""
        from refnvn.raster.fit_kernel import fit_kernel
        from refnvn.raster.setup_kernel import set_up_kernel

        with np.errstate(all="ignore"):
            found = SetUp(*set_up_kernel(begin, end, *self.where, *self.window, room))
            fit_kernel(found.kept, *self.where, *self.values, found.not_one, room, space)
        self.note(found)
        return found

    def fits_w(self, found: SetUp) -> bool:
        """Say whether 1 / w has planes."""
        return self.needs.w or (found.not_one and self.any_smooth)

    def note(self, found: SetUp) -> None:
        """Count the rules of a set-up."""
        note(("RASTER-VIEWPORT-1", "RASTER-SNAP-1", "RASTER-FACING-1"))
        note(_reciprocal_rules())
        needs_w = self.fits_w(found)
        if found.not_one and self.fits_values:
            note(("RASTER-PERSPECTIVE-1",))
        if self.fits_values or needs_w or self.needs.depth:
            note(FIT_RULES)
        if self.fits_values or needs_w:
            note(("RASTER-PLANE-6",))
        if self.needs.depth:
            note(("RASTER-VIEWPORT-2", "RASTER-DEPTH-1", "RASTER-PLANE-8"))

    def run(self, begin: int, end: int) -> tuple[Primitives, Inputs, int]:
        """Return triangles from ``begin`` until ``end``, or until one needs clipping, and where that was."""
        room, space = self.room(end - begin)
        found = self.fill(begin, end, room, space)
        return self.primitives(room, found.kept), self.inputs(room, found), found.stopped

    def primitives(self, room: Room, kept: int) -> Primitives:
        """Return the triangles that a room holds."""
        place = room.place[:kept]
        return Primitives(
            ids=self.drawn.ids[place],
            vertices=self.drawn.vertices[place],
            provoking=self.drawn.provoking[place],
            x=room.x[:, :kept].T,
            y=room.y[:, :kept].T,
            edges=room.edges[:kept],
            top=room.rows[0][:kept],
            bottom=room.rows[1][:kept],
            front=room.front[:kept],
        )

    def inputs(self, room: Room, found: SetUp) -> Inputs:
        """Return the planes that a room holds."""
        kept = found.kept
        x0, y0 = room.reference[:, :kept]

        def planes(three: Float64, at: tuple[Float64, Float64]) -> Planes:
            a, b, c = (np.ascontiguousarray(one[:, :kept].T) for one in three)
            return Planes(a, b, c, *at)

        return Inputs(
            rows=self.rows,
            flat=np.ascontiguousarray(room.flat[:, :kept].T).view(np.uint32),
            planes=planes(room.planes, (x0, y0)) if self.fits_values else None,
            inverse_w=planes(room.w_planes, (x0, y0)) if self.fits_w(found) else None,
            perspective=room.perspective[:kept],
            depth=planes(room.depth, (x0, y0)) if self.needs.depth else None,
            sampling=samplings(self.needs.shader),
        )
