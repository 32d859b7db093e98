"""Which points, lines and triangles do the vertices make that geometry shaders emit?

Read next: ``geometry.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.raster.assembled import Assembled, Shape, assembled
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir_stages import OutputPrimitive

_SHAPES = {
    OutputPrimitive.POINTS: Shape.POINTS,
    OutputPrimitive.LINE_STRIP: Shape.LINES,
    OutputPrimitive.TRIANGLE_STRIP: Shape.TRIANGLES,
}


@rule(
    "PRIMITIVE-EMITTED-1",
    "Emitted vertices make strips, which end where a shader ends them and with each invocation: every other triangle "
    "has its first two vertices exchanged, the last provokes; a strip of too few vertices makes nothing.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors",),
)
def strips_of(output: OutputPrimitive, strips: Int64) -> Assembled:
    """Return the primitives of emitted vertices.

    Parameters
    ----------
    output : OutputPrimitive
    strips : int64, shape (vertices,)
        The number of the strip of each vertex, growing.

    Examples
    --------
    >>> strips_of(OutputPrimitive.TRIANGLE_STRIP, np.array([0, 0, 0, 0, 1, 1])).vertices.tolist()
    [[0, 1, 2], [2, 1, 3]]
    """
    shape = _SHAPES[output]
    behind = int(shape) - 1
    last = np.arange(behind, len(strips), dtype=np.int64)
    last = last[strips[last] == strips[last - behind]]
    columns = [last - behind + k for k in range(int(shape))]
    if shape is Shape.TRIANGLES:
        odd = (last - _starts(strips)[last]) & 1
        columns[0], columns[1] = columns[0] + odd, columns[1] - odd
    return assembled(np.stack(columns, axis=1), last)


def _starts(strips: Int64) -> Int64:
    """Return for each vertex where its strip starts."""
    is_first = np.ones(len(strips), dtype=np.bool_)
    is_first[1:] = np.diff(strips) != 0
    found: Int64 = np.maximum.accumulate(np.where(is_first, np.arange(len(strips)), 0))
    return found


def strips_between(counts: Int64, ends: NDArray[np.bool_]) -> Int64:
    """Return the number of the strip of each emitted vertex, lane after lane.

    Parameters
    ----------
    counts : int64, shape (lanes,)
        Vertices of each lane.
    ends : bool, shape (vertices,)
        Behind which of all vertices a strip ends.

    Examples
    --------
    >>> strips_between(np.array([3, 0, 2]), np.array([False, True, False, False, False])).tolist()
    [0, 0, 1, 2, 2]
    """
    breaks = np.zeros(len(ends) + 1, dtype=np.bool_)
    breaks[1:] = ends
    breaks[np.cumsum(counts)] = True
    breaks[0] = False
    return np.cumsum(breaks[: len(ends)]).astype(np.int64)
