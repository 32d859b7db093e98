"""What happens to the fragments of some pixels, one after another, and with which operands?

The draw is done again for these pixels, on copies of the targets, in the same steps as for many. A shader that stores
to memory cannot be run twice: it is watched while it draws.

Read next: ``pixel_watch.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from refnvn.errors import ArgumentError
from refnvn.raster.assembled import Assembled
from refnvn.raster.batch import Batch
from refnvn.raster.chunks import set_up
from refnvn.raster.draw import covered, way_of
from refnvn.raster.draw_stage import reachable, stage_of, with_samples
from refnvn.raster.fragment_seen import FragmentSeen
from refnvn.raster.inputs import Inputs
from refnvn.raster.onlooker import Onlooker
from refnvn.raster.pixel_watch import PixelWatch, Place
from refnvn.raster.setup import Primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.spans import Spans, spans_of
from refnvn.raster.stage import Stage, Uniforms
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget, Rectangle
from refnvn.raster.window import intersection
from refnvn.rules.fields import Rules
from refnvn.shader.ir import Shader
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.textures import NO_TEXTURES, Textures


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Everything that a draw gets, as :func:`refnvn.raster.draw.draw_primitives` does."""

    state: RasterState
    colors: Sequence[ColorTarget | None]
    depth: DepthStencilTarget | None
    vertices: Vertices
    primitives: Assembled
    fragment: Shader | None
    uniforms: Uniforms
    rules: Rules
    textures: Textures = field(default=NO_TEXTURES)
    memory: LaneMemory = field(default=NO_MEMORY)


def fragments_at(drawing: Drawing, places: Sequence[Place]) -> list[FragmentSeen]:
    """Return the fragments of a draw at some pixels, of each in order; the targets stay as they are.

    Parameters
    ----------
    drawing : Drawing
    places : sequence of Place
        Columns and rows in memory, and which sample's codes are told, where there are several.

    Raises
    ------
    ArgumentError
        For a shader that stores to memory.
    """
    if drawing.fragment is not None and drawing.fragment.changes_memory:
        raise ArgumentError("the shader stores to memory: its fragments cannot be drawn a second time")
    pixels = list(dict.fromkeys((column, row) for column, row, _ in places))
    window = intersection(reachable(drawing.state, drawing.colors, drawing.depth), _around(pixels))
    if window[2] == 0 or window[3] == 0:
        return []
    seen: list[FragmentSeen] = []
    with np.errstate(all="ignore"):
        pieces = list(_pieces(_stage(drawing, window, None), drawing, pixels, window))
        stage = _stage(_on_copies(drawing), window, PixelWatch(places, seen.append)) if pieces else None
        for chunk, inputs, piece in pieces:
            assert stage is not None
            way_of(stage)(stage, chunk, inputs, Batch(piece, False))
    return seen


def _around(pixels: Sequence[tuple[int, int]]) -> Rectangle:
    """Return the rectangle of pixels from the first column and row to the last."""
    columns, rows = [column for column, _ in pixels], [row for _, row in pixels]
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def _stage(drawing: Drawing, window: Rectangle, onlooker: Onlooker | None) -> Stage:
    stage = stage_of(
        drawing.state, drawing.colors, drawing.depth, drawing.fragment, drawing.uniforms, drawing.rules, window,
        drawing.textures, drawing.memory,
    )  # fmt: skip
    return with_samples(replace(stage, onlooker=onlooker), drawing.colors, drawing.depth, window)


def _pieces(
    stage: Stage, drawing: Drawing, pixels: Sequence[tuple[int, int]], window: Rectangle
) -> Iterator[tuple[Primitives, Inputs, Spans]]:
    """Yield what primitives, in order, cover of each pixel: spans of one."""
    for chunk, inputs in set_up(stage, drawing.vertices, drawing.primitives, window):
        for spans in covered(stage, chunk, window):
            for column, row in pixels:
                here = (spans.row == row) & (spans.left <= column) & (column < spans.right)
                for number in np.flatnonzero(here).tolist():
                    yield chunk, inputs, _pixel_of(spans.part(number, number + 1), column)


def _pixel_of(span: Spans, column: int) -> Spans:
    """Return one pixel of a span."""
    left = np.full_like(span.left, column)
    return spans_of(span.primitive, span.row, left, left + 1, span.reach)


def _on_copies(drawing: Drawing) -> Drawing:
    """Return the same to be drawn to copies of the targets."""
    return replace(
        drawing,
        colors=[None if one is None else _copy(one) for one in drawing.colors],
        depth=None if drawing.depth is None else _copy(drawing.depth),
    )


def _copy(target: Any) -> Any:
    others = tuple(one.copy() for one in getattr(target, "others", ()))
    more = {"others": others} if others else {}
    return replace(target, codes=target.codes.copy(), **more)
