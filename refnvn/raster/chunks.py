"""How are the primitives of a draw set up, some at a time? Quickly where that serves, else by the way for all.

Read next: ``shapes.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refnvn.kernel import jit_is_on
from refnvn.raster.assembled import Assembled
from refnvn.raster.batch import PIXELS_OF_A_PRIMITIVE, wants_kernels
from refnvn.raster.inputs import Inputs
from refnvn.raster.setup import Primitives
from refnvn.raster.shapes import Vertices, Wanted, prepare, swizzled, with_offset_of
from refnvn.raster.stage import Stage
from refnvn.raster.target import Rectangle
from refnvn.raster.triangles import Needs, TriangleLoop, serves
from refnvn.shader.ir_base import Builtin

PRIMITIVES_AT_ONCE = 1 << 14
FEW_AT_ONCE = 64
"""Triangles that are set up by the way for all where the quick one has met one that needs it."""


class Chunks:
    """The primitives of a draw on their way to be set up.

    Attributes
    ----------
    drawn : Assembled
    loop : TriangleLoop or None
        The quick way, which stops at a triangle that needs clipping.
    moves_depth : bool
        Whether polygon offset is part of the set-up.
    """

    def __init__(self, stage: Stage, vertices: Vertices, drawn: Assembled, window: Rectangle) -> None:
        shader = None if stage.fragment is None else stage.fragment.shader
        builtins = () if stage.fragment is None else stage.fragment.builtins
        self._stage, self.drawn, self._window = stage, drawn, window
        self._wanted = Wanted(
            shader=shader,
            depth=stage.planes is not None or Builtin.FRAG_COORD_Z in builtins,
            w=Builtin.FRAG_COORD_W in builtins,
            sampled=stage.positions is not None,
            depth_format=None if stage.planes is None else stage.planes.target.fmt,
        )
        self._vertices = Vertices(
            swizzled(vertices.positions, stage.state.viewport_swizzle),
            vertices.varyings if shader is not None else vertices.varyings[:0],
            vertices.sizes,
            vertices.distances,
        )
        self.moves_depth = self._wanted.depth and stage.state.polygon_offset is not None
        self.loop = self._loop() if jit_is_on() else None
        self._few = FEW_AT_ONCE

    def _loop(self) -> TriangleLoop | None:
        wanted, seen, state = self._wanted, self._vertices, self._stage.state
        needs = Needs(wanted.shader, wanted.depth, wanted.w, wanted.sampled)
        if seen.distances is not None or not serves(self.drawn, needs, state, self._stage.rules):
            return None
        return TriangleLoop(self.drawn, seen.positions, seen.varyings, needs, state, self._window)

    def end_of_few(self, begin: int, stopped: int) -> int:
        """Return to where triangles go by the way for all, the quick one having gone from ``begin`` until it stopped.

        That is more and more of them where there are many that need it.
        """
        self._few = FEW_AT_ONCE if stopped - begin > self._few else self._few * 4
        return min(stopped + self._few, len(self.drawn))

    def of(self, begin: int, end: int) -> tuple[Primitives, Inputs]:
        """Set up some primitives by the way for all."""
        wanted = replace(self._wanted, compiled=wants_kernels(PIXELS_OF_A_PRIMITIVE * (end - begin)))
        part = self.drawn.part(begin, end)
        return prepare(part, self._vertices, wanted, self._stage.state, self._window, self._stage.rules)

    def quickly(self, loop: TriangleLoop, begin: int, end: int) -> tuple[Primitives, Inputs, int]:
        """Set up some triangles, and say where a triangle needs clipping; those that cover nothing are left out."""
        primitives, inputs, stopped = loop.run(begin, end)
        if self.moves_depth:
            inputs = with_offset_of(primitives, inputs, self._vertices, self._wanted, self._stage.state)
        return primitives, inputs, stopped


def set_up(
    stage: Stage, vertices: Vertices, drawn: Assembled, window: Rectangle
) -> Iterator[tuple[Primitives, Inputs]]:
    """Set up so many primitives at a time that little memory is needed."""
    chunks = Chunks(stage, vertices, drawn, window)
    begin = 0
    while begin < len(drawn):
        end = min(begin + PRIMITIVES_AT_ONCE, len(drawn))
        if chunks.loop is not None and wants_kernels(PIXELS_OF_A_PRIMITIVE * (end - begin)):
            primitives, inputs, stopped = chunks.quickly(chunks.loop, begin, end)
            if len(primitives.ids):
                yield primitives, inputs
            if stopped == end:
                begin = end
                continue
            begin, end = stopped, chunks.end_of_few(begin, stopped)
        primitives, inputs = chunks.of(begin, end)
        if len(primitives.ids):
            yield primitives, inputs
        begin = end
