"""Which texels does a sample read in one level, and how much does each weigh?

A footprint is a list of quads. Each axis is placed on its own (``coordinates.py``, ``wrap.py``); a quad is the four
texels of two columns and two rows of one image. For the nearest filter both fractions are 0, so that one texel has
all the weight.

Read next: ``sample.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import WrapMode
from refnvn.formats.floatbits import Float64, Int64
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import FilterWeights, Rules
from refnvn.texture.coordinates import (
    Position,
    array_layer,
    exact_linear_position,
    linear_position,
    nearest_position,
    numbers,
    texel_position,
)
from refnvn.texture.cube import FACES, across_seam, on_face, without_corners
from refnvn.texture.sampled import LINES, SampledTexture
from refnvn.texture.sampler import Sampler
from refnvn.texture.weights import QUAD, exact_quad_weights, quad_takes_part, quad_weights, slice_weights
from refnvn.texture.wrap import BORDER, clamped_coordinate, is_clamped, wrapped

Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Quad:
    """Four texels of each lane.

    Attributes
    ----------
    level : int64, shape (lanes,)
    image, column, row : int64, shape (4, lanes)
        ``column`` is :data:`BORDER` where the texel is the border.
    weights : int64 (1/256) or float64, shape (4, lanes)
    takes_part, is_missing : bool, shape (4, lanes)
        Whether the texel has a part at all, and whether it would lie at a cube's corner, where there is none.
    """

    level: Int64
    image: Int64
    column: Int64
    row: Int64
    weights: NDArray[np.int64] | Float64
    takes_part: Bool
    is_missing: Bool


@dataclass(frozen=True, slots=True)
class Lanes:
    """What is asked of a texture.

    Attributes
    ----------
    coordinates : float32, shape (coordinates, lanes)
        As the target has them.
    linear : bool, shape (lanes,)
        Whether texels are filtered between.
    offset : 3 x int
        Texels to add, before they wrap.
    seamless : bool
        Whether a cube's filter crosses its edges.
    """

    coordinates: NDArray[np.float32]
    linear: Bool
    offset: tuple[int, int, int] = (0, 0, 0)
    seamless: bool = True


def _position(coordinate: Float64, size_px: Int64, linear: Bool, *, normalised: bool, exact: bool) -> Position:
    """Return where a coordinate lies by its filter; for the nearest one, how far inside of the texel.

    Exact fractions are float64, 0 to 256.
    """
    if not normalised:
        lines, places = texel_position(coordinate), np.floor(numbers(coordinate) * 256).astype(np.int64)
        nearest = Position(places >> 8, places & 255)
    else:
        lines, nearest = linear_position(coordinate, size_px), nearest_position(coordinate, size_px)
        if exact:
            texel, fraction = exact_linear_position(coordinate, size_px)
            whole = np.where(linear, fraction * 256, nearest.fraction_256)
            return Position(np.where(linear, texel, nearest.texel), whole)
    return Position(*(np.where(linear, line, near) for line, near in zip(lines, nearest, strict=True)))


def _axis(
    texture: SampledTexture,
    sampler: Sampler,
    lanes: Lanes,
    level: Int64,
    axis: int,
    rules: Rules,
    move_256: Int64 | None = None,
) -> Position:
    """Return the position along an axis, moved by a tap and by the offset but not wrapped."""
    rectangle = texture.target is TextureTarget.TARGET_RECTANGLE
    coordinate = numbers(lanes.coordinates[axis])
    if not rectangle:
        clamped = clamped_coordinate(coordinate, sampler.wrap[axis])
        coordinate = np.where(lanes.linear, clamped, coordinate)
    exact = rules.filter_weights is FilterWeights.EXACT
    size_px = texture.sizes_px[axis, level]
    place = _position(coordinate, size_px, lanes.linear, normalised=not rectangle, exact=exact)
    if move_256 is not None:
        place = _moved_on(place, move_256)
    return Position(place.texel + lanes.offset[axis], np.where(lanes.linear, place.fraction_256, 0))


def _moved_on(place: Position, distance_256: Int64) -> Position:
    """Return a position moved by a distance in 1/256 texel."""
    distance = place.fraction_256 + distance_256
    texel = np.floor(distance / 256).astype(np.int64)
    return Position(place.texel + texel, distance - 256 * texel)


def _two(place: Position, size_px: Int64, mode: WrapMode, linear: Bool) -> tuple[Int64, Position]:
    """Return the two texels of a position after wrapping, shape (2, lanes), and it with clamped fractions at 0."""
    both = np.stack([place.texel, place.texel + 1])
    inside = wrapped(both, size_px, mode, linear=linear)
    fraction = np.where(is_clamped(place.texel, inside, mode), 0, place.fraction_256)
    return inside, Position(place.texel, fraction)


def _weights(weight: NDArray[np.number], across: Position, down: Position) -> NDArray[np.int64] | Float64:
    if across.fraction_256.dtype.kind == "f":
        fractions = [np.asarray(p.fraction_256, np.float64) / 256 for p in (across, down)]
        return exact_quad_weights(weight, *fractions)
    return quad_weights(weight, across.fraction_256, down.fraction_256)


def flat_quads(
    texture: SampledTexture, sampler: Sampler, lanes: Lanes, level: Int64, weight: Int64, rules: Rules,
    move: tuple[Int64, Int64] | None = None,
) -> list[Quad]:  # fmt: skip
    """Return the quads of a level of a texture that is no cube.

    Parameters
    ----------
    texture, sampler, lanes
    level : int64, shape (lanes,)
    weight : int64, shape (lanes,)
        Of the whole footprint.
    rules : Rules
        Reads ``filter_weights``.
    move : 2 x int64, shape (lanes,), or None
        What to add along columns and rows, in 1/256 texel: a tap of an anisotropic footprint.
    """
    move_across, move_down = move or (None, None)
    across = _axis(texture, sampler, lanes, level, 0, rules, move_across)
    if texture.target in LINES:
        down = Position(np.zeros_like(level), np.zeros_like(across.fraction_256))
    else:
        down = _axis(texture, sampler, lanes, level, 1, rules, move_down)
    columns, across = _two(across, texture.sizes_px[0, level], sampler.wrap[0], lanes.linear)
    rows, down = _two(down, texture.sizes_px[1, level], sampler.wrap[1], lanes.linear)
    if texture.target in LINES:
        rows = np.zeros_like(rows)
    quads = []
    for image, share, has_part in _images(texture, sampler, lanes, level, weight, rules):
        column = np.stack([columns[c] for c, _ in QUAD])
        row = np.stack([rows[r] for _, r in QUAD])
        is_border = (column == BORDER) | (row == BORDER) | (image == BORDER)
        quads.append(
            Quad(
                level=level,
                image=np.broadcast_to(image, column.shape),
                column=np.where(is_border, BORDER, column),
                row=row,
                weights=_weights(share, across, down),
                takes_part=quad_takes_part(across.fraction_256, down.fraction_256) & has_part,
                is_missing=np.zeros(column.shape, np.bool_),
            )
        )
    return quads


def _images(
    texture: SampledTexture, sampler: Sampler, lanes: Lanes, level: Int64, weight: Int64, rules: Rules
) -> list[tuple[Int64, NDArray[np.int64] | Float64, Bool]]:
    """Return the images of a footprint, the weight of each, and whether it takes part: two slices of a 3D texture."""
    if not texture.is_3d:
        layer = array_layer(lanes.coordinates[-1], texture.layers) if texture.is_array else np.zeros_like(level)
        return [(layer, weight, weight > 0)]
    place = _axis(texture, sampler, lanes, level, 2, rules)
    slices, place = _two(place, texture.sizes_px[2, level], sampler.wrap[2], lanes.linear)
    if place.fraction_256.dtype.kind == "f":
        further = weight * np.asarray(place.fraction_256, np.float64) / 256
        shares: NDArray[np.int64] | Float64 = np.stack([weight - further, further])
    else:
        shares = slice_weights(weight, place.fraction_256)
    return [(slices[0], shares[0], weight > 0), (slices[1], shares[1], (weight > 0) & (place.fraction_256 > 0))]


def cube_quads(texture: SampledTexture, lanes: Lanes, level: Int64, weight: Int64, rules: Rules) -> list[Quad]:
    """Return the quad of a level of a cube, or of a cube of an array; parameters as in :func:`flat_quads`."""
    face, s, t = on_face(lanes.coordinates[:3])
    size = texture.sizes_px[0, level]
    exact = rules.filter_weights is FilterWeights.EXACT
    places = (_position(v, size, lanes.linear, normalised=True, exact=exact) for v in (s, t))
    across, down = (Position(p.texel, np.where(lanes.linear, p.fraction_256, 0)) for p in places)
    column = np.stack([across.texel + c for c, _ in QUAD])
    row = np.stack([down.texel + r for _, r in QUAD])
    weights = _weights(weight, across, down)
    faces = np.broadcast_to(face, column.shape)
    inside = np.clip(column, 0, size - 1), np.clip(row, 0, size - 1)
    if lanes.seamless:
        crosses = np.broadcast_to(lanes.linear, column.shape)
        column, row = np.where(crosses, column, inside[0]), np.where(crosses, row, inside[1])
        seam = across_seam(faces, column, row, size)
        faces, column, row = seam.face, seam.column, seam.row
        missing = seam.is_corner
        weights = without_corners(weights, missing)
    else:
        column, row = inside
        missing = np.zeros(column.shape, np.bool_)
    cube = array_layer(lanes.coordinates[-1], texture.layers) if texture.is_array else np.zeros_like(level)
    part = quad_takes_part(across.fraction_256, down.fraction_256) & (weight > 0)
    return [Quad(level, cube * FACES + faces, column, row, weights, part, missing)]
