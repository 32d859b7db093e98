"""Which three vertices make each triangle of a draw, and in which order?

The last vertex of a triangle is the provoking one. Read next: ``draw.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DrawPrimitive, IndexType
from refnvn.replay.errors import NotReplayed
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_INDEX_B = {IndexType.BYTE: 1, IndexType.SHORT: 2, IndexType.INT: 4}


@rule(
    "PRIMITIVE-TRIANGLES-1",
    "Triangles take their vertices three by three; a strip adds one vertex to the last two, every other triangle "
    "with its first two exchanged; a fan adds one to the first and the last. What is left over makes nothing.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors",),
    ledger=("fans-quads",),
)
def triangles_of(primitive: DrawPrimitive, count: int) -> NDArray[np.int64]:
    """Return the triangles of a run of vertices.

    Parameters
    ----------
    primitive : DrawPrimitive
        TRIANGLES, TRIANGLE_STRIP or TRIANGLE_FAN.
    count : int
        Vertices.

    Returns
    -------
    int64, shape (triangles, 3)
        Positions in the run; the third is the provoking vertex.

    Raises
    ------
    NotReplayed
        For other primitives.

    Examples
    --------
    >>> triangles_of(DrawPrimitive.TRIANGLE_STRIP, 4).tolist()
    [[0, 1, 2], [2, 1, 3]]
    """
    if primitive is DrawPrimitive.TRIANGLES:
        return np.arange(count // 3 * 3, dtype=np.int64).reshape(-1, 3)
    each = np.arange(max(0, count - 2), dtype=np.int64)
    if primitive is DrawPrimitive.TRIANGLE_STRIP:
        odd = each & 1
        return np.stack([each + odd, each + 1 - odd, each + 2], axis=1)
    if primitive is DrawPrimitive.TRIANGLE_FAN:
        return np.stack([np.zeros_like(each), each + 1, each + 2], axis=1)
    raise NotReplayed(f"primitive {primitive.name} is not replayed; TRIANGLES, TRIANGLE_STRIP and TRIANGLE_FAN are")


@rule(
    "PRIMITIVE-INDEX-1",
    "Indices are unsigned numbers of 8, 16 or 32 bits, least byte first, read when the draw executes; the vertex "
    "number is the index plus the base vertex.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("vertex-vectors", "open-gpu-doc", "seed-titles"),
    ledger=("index8", "index8-gpu-write", "vb-unaligned"),
)
def vertex_numbers(data: NDArray[np.uint8], index_type: IndexType, base_vertex: int) -> NDArray[np.int64]:
    """Return the vertex numbers of a run of indices.

    Parameters
    ----------
    data : uint8
        The bytes of the indices.
    index_type : IndexType
        Their size.
    base_vertex : int
        Added to each.

    Examples
    --------
    >>> vertex_numbers(np.array([1, 0, 255, 255], np.uint8), IndexType.SHORT, 10).tolist()
    [11, 65545]
    """
    numbers: NDArray[np.int64] = data.view(f"<u{index_size_B(index_type)}").astype(np.int64)
    return numbers + base_vertex


def index_size_B(index_type: IndexType) -> int:
    """Return the bytes of an index.

    >>> index_size_B(IndexType.SHORT)
    2
    """
    return _INDEX_B[index_type]
