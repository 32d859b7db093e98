"""Which draws walk from planes to targets in one compiled loop, without lists of spans or pixels between?

They are those that test depth alone, or nothing, and store what they interpolate as plain bytes, or store nothing.
The loop gives the bits that :func:`refnvn.raster.fragment.shade` gives.

Read next: ``walk_kernel.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from refnvn.formats.depth_stencil import depth_code
from refnvn.formats.floatbits import Float64, Int64
from refnvn.raster import depth_stencil, output
from refnvn.raster.assembled import Assembled
from refnvn.raster.at_once import Filled, stored_rows
from refnvn.raster.batch import in_byte_order
from refnvn.raster.chunks import PRIMITIVES_AT_ONCE, Chunks
from refnvn.raster.inputs import Inputs, interpolation_numbers
from refnvn.raster.planes import Planes
from refnvn.raster.setup import Primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.stage import Stage
from refnvn.raster.state import RasterState
from refnvn.raster.target import DepthStencilTarget, Rectangle
from refnvn.raster.triangles import Room, SetUp, Space, TriangleLoop
from refnvn.raster.window import window_position
from refnvn.rules.fields import Rules, StoreDepth24, StoreNorm
from refnvn.rules.registry import note, uncounted

_NO_WORDS = np.zeros((1, 1), np.uint32)
SMALL_PX = 128
"""Without a test larger triangles are filled in longer runs."""
SOME = 64
TRIANGLES_AT_ONCE, SPANS_AT_ONCE, PIXELS_AT_ONCE = 256, 64, 256
"""What is set up, listed and tested together: little enough to stay close, spans far enough ahead to be fetched."""


def depth_words(target: DepthStencilTarget) -> tuple[Any, int, int]:
    """Return the words of a target that hold depth, shape (rows, columns), the bits of it, and how far up it is."""
    component = target.fmt.component("D")
    assert component is not None
    word = np.uint16 if component.bits == 16 else np.uint32
    shift = 8 if component.bits == 24 else 0
    return target.codes.view(word)[..., 0], component.bits, shift


def stores_depth(target: DepthStencilTarget, rules: Rules) -> bool:
    """Say whether the loop has the conversion of depth that a target needs."""
    component = target.fmt.component("D")
    if component is None:
        return False
    if component.bits == 24:
        return rules.store_depth24 is StoreDepth24.NVIDIA
    return component.bits == 32 or rules.store_norm is StoreNorm.NVIDIA


class Walker:
    """A draw's way from planes to targets; see :func:`walker_of`.

    Attributes
    ----------
    stage : Stage
    tests : bool
        Whether depth is tested.
    """

    def __init__(self, stage: Stage, found: Filled | None) -> None:
        from refnvn.raster.unorm8_kernel import UNORM8, words_of

        self.stage = stage
        self.tests = stage.planes is not None
        mask = 0 if found is None else stage.state.channel_masks[found.location]
        self._colors: tuple[Any, ...] = (_NO_WORDS, np.uint32(0), (0, 0, 0, 0), UNORM8)
        if found is not None and mask:
            self._colors = (*words_of(found.target, mask), in_byte_order(found.target.fmt, found.rows), UNORM8)
        low, high = depth_stencil.depth_limits(stage.state)
        zeta, bits, shift = _NO_WORDS, 32, 0
        if stage.planes is not None:
            zeta, bits, shift = depth_words(stage.planes.target)
        tests = stage.tests
        test = (bits, np.uint32(shift), stage.state.depth_clamp, low, high, tests.depth, tests.depth_write)
        self._tests = (zeta, self.tests, test)

    def walk(self, primitives: Primitives, inputs: Inputs, area: Rectangle) -> int:
        """Draw primitives into the pixels of an area, and return how many samples passed."""
        from refnvn.raster.walk_kernel import walk_kernel

        room = room_of(primitives, inputs)
        pixels, passed = walk_kernel(
            len(primitives.ids), tuple(int(one) for one in area), room, _lists(), interpolation_numbers(inputs.rows),
            self._colors, self._tests,
        )  # fmt: skip
        self._note(pixels, inputs.planes is not None or inputs.inverse_w is not None)
        return int(passed)

    def draw(self, loop: TriangleLoop, begin: int, end: int, rooms: Rooms) -> tuple[int, int]:
        """Set up and draw triangles until one needs clipping; return how many samples passed, and where that was."""
        from refnvn.raster.walk_kernel import draw_kernel

        *found, pixels, passed = draw_kernel(
            begin, end, loop.where, loop.window, loop.values, *rooms, self._colors, self._tests
        )
        filled = SetUp(*found)
        loop.note(filled)
        if filled.seen:
            self._note(pixels, loop.fits_values or loop.fits_w(filled))
        return int(passed), filled.stopped

    def _note(self, pixels: int, has_planes: bool) -> None:
        """Count the rules that pixels went by, if there were any."""
        stage = self.stage
        note(("RASTER-COVERAGE-1",))
        if not pixels:
            return
        note(("RASTER-ORDER-1",))
        if stage.fragment is not None:
            assert not stage.tests_alpha
            note(("RASTER-EARLY-1", *(("RASTER-PLANE-7",) if has_planes else ())))
        if self._colors[1]:
            stored_rows(stage)
            output.note_unorm8()
        if stage.planes is not None:
            note(("RASTER-DEPTH-2", "RASTER-PLANE-7", "RASTER-DEPTH-3", "RASTER-TEST-2"))
            depth_code(stage.planes.target.fmt, np.zeros(1, np.float32), stage.rules)


Rooms = tuple[Room, Space, tuple[Int64, Int64]]
"""What the loop works in: a room, its space, and lists of spans and of columns."""


def _lists() -> tuple[Int64, Int64]:
    return np.empty((SPANS_AT_ONCE, 4), np.int64), np.empty(PIXELS_AT_ONCE + 1, np.int64)


def walk_all(walker: Walker, chunks: Chunks, area: Rectangle) -> int:
    """Set up and draw the triangles of a draw into an area, and return how many samples passed."""
    passed, begin, count = 0, 0, len(chunks.drawn)
    loop = None if chunks.moves_depth else chunks.loop
    rooms = None if loop is None else (*loop.room(min(count, TRIANGLES_AT_ONCE)), _lists())
    while begin < count:
        end = min(begin + PRIMITIVES_AT_ONCE, count)
        if loop is not None and rooms is not None:
            drawn, stopped = walker.draw(loop, begin, count, rooms)
            passed += drawn
            if stopped == count:
                break
            begin, end = stopped, chunks.end_of_few(begin, stopped)
        primitives, inputs = chunks.of(begin, end)
        if len(primitives.ids):
            passed += walker.walk(primitives, inputs, area)
        begin = end
    return passed


def room_of(primitives: Primitives, inputs: Inputs) -> Room:
    """Return primitives that were set up by the way for all as the loops take them."""
    count, nothing = len(primitives.ids), np.zeros((3, 1, len(primitives.ids)))

    def planes(one: Planes | None) -> Float64:
        return nothing if one is None else np.stack([one.a.T, one.b.T, one.c.T])

    def reference(one: Planes | None) -> Float64:
        return nothing[:2, 0] if one is None else np.stack([one.x0, one.y0])

    return Room(
        place=np.zeros(count, np.int64),
        front=primitives.front,
        perspective=inputs.perspective if inputs.inverse_w is not None else np.zeros_like(inputs.perspective),
        x=np.ascontiguousarray(primitives.x.T),
        y=np.ascontiguousarray(primitives.y.T),
        edges=primitives.edges,
        rows=np.stack([primitives.top, primitives.bottom]),
        flat=np.ascontiguousarray(inputs.flat.T).view(np.float32),
        planes=planes(inputs.planes),
        reference=reference(inputs.planes),
        depth_reference=reference(inputs.depth),
        w_planes=planes(inputs.inverse_w),
        depth=planes(inputs.depth),
    )


def walks(stage: Stage) -> bool:
    """Say whether a draw may walk, before it is known whether there is anything to draw."""
    tests, fragment = stage.tests, stage.fragment
    plain = stage.positions is None and stage.onlooker is None and not tests.stencil and tests.bounds is None
    return plain and (stage.planes is not None if fragment is None else fragment.copies is not None)


def walker_of(stage: Stage) -> Walker | None:
    """Return the way of a draw that may walk; None where conversions or blending stand in it."""
    rules = stage.rules.unwatched()
    if stage.planes is not None and not stores_depth(stage.planes.target, rules):
        return None
    if stage.fragment is None:
        return Walker(stage, None)
    with uncounted():
        found = stored_rows(replace(stage, rules=rules, merges={}))
    return None if found is None or found.merge is not None else Walker(stage, found)


def are_small(vertices: Vertices, drawn: Assembled, state: RasterState) -> bool:
    """Say whether triangles are small in the middle, by some of them."""
    some = vertices.positions[drawn.vertices[:: max(1, len(drawn) // SOME)]]
    with uncounted(), np.errstate(all="ignore"):
        wide, high = (one.max(axis=1) - one.min(axis=1) + 1 for one in window_position(some, state))
        return bool(np.median(wide * high) < 2 * SMALL_PX)


def pixels_about(primitives: Primitives, window: Rectangle) -> int:
    """Return about how many pixels triangles cover: half of the rectangles around them."""
    left, right = (
        np.clip(edge >> 8, window[0], window[0] + window[2])
        for edge in (primitives.x.min(axis=1), primitives.x.max(axis=1))
    )
    return int(((right - left + 1) * (primitives.bottom - primitives.top)).sum()) // 2
