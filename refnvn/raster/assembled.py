"""What does the rasteriser draw: triangles, lines or points, of which vertices, under which number?

Plain arrays. Which primitives a run of vertices makes is decided elsewhere (``refnvn/replay/assemble.py``); here is
only the form in which they arrive.

Read next: ``shapes.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64

ALL_EDGES = (True, True, True)


class Shape(IntEnum):
    """What is drawn, by its number of vertices."""

    POINTS = 1
    LINES = 2
    TRIANGLES = 3


@dataclass(frozen=True, slots=True)
class Assembled:
    """Primitives in the order of the draw.

    Attributes
    ----------
    shape : Shape
    vertices : int64, shape (m, shape)
        The vertices of each.
    ids : int64, shape (m,)
        The number that the shader sees; the triangles of one quad or polygon have the same.
    provoking : int64, shape (m,)
        The vertex that gives flat inputs.
    outlined : bool, shape (m, 3)
        For triangles: which of the edges 0-1, 1-2, 2-0 are edges of what was asked for, not diagonals inside it.
    """

    shape: Shape
    vertices: Int64
    ids: Int64
    provoking: Int64
    outlined: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.vertices)

    def part(self, begin: int, end: int) -> Assembled:
        """Return the primitives ``begin`` to ``end``."""
        return Assembled(
            self.shape,
            self.vertices[begin:end],
            self.ids[begin:end],
            self.provoking[begin:end],
            self.outlined[begin:end],
        )

    def chosen(self, places: NDArray[np.intp]) -> Assembled:
        """Return the primitives at some places, in their order."""
        return Assembled(
            self.shape, self.vertices[places], self.ids[places], self.provoking[places], self.outlined[places]
        )

    def renamed(self, names: Int64) -> Assembled:
        """Return the same primitives of other vertices: vertex ``v`` becomes ``names[v]``."""
        return Assembled(self.shape, names[self.vertices], self.ids, names[self.provoking], self.outlined)

    def moved(self, offset: int) -> Assembled:
        """Return the same primitives of vertices that stand ``offset`` further on."""
        return Assembled(self.shape, self.vertices + offset, self.ids, self.provoking + offset, self.outlined)


def assembled(
    vertices: Int64,
    provoking: Int64,
    ids: Int64 | None = None,
    outlined: NDArray[np.bool_] | None = None,
) -> Assembled:
    """Return primitives that are numbered in order, all of their edges drawn, unless something else is said.

    Parameters
    ----------
    vertices : int64, shape (m, 1 to 3)
    provoking : int64, shape (m,)
    ids, outlined
        See :class:`Assembled`.

    Examples
    --------
    >>> one = assembled(np.array([[4, 5]]), np.array([5]))
    >>> one.shape.name, one.ids.tolist()
    ('LINES', [0])
    """
    count = len(vertices)
    return Assembled(
        Shape(vertices.shape[1]),
        vertices,
        np.arange(count, dtype=np.int64) if ids is None else ids,
        provoking,
        np.ones((count, 3), dtype=np.bool_) if outlined is None else outlined,
    )
