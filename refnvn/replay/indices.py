"""Which vertices does a draw by index take, and where is it cut?

Read next: ``assemble.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import IndexType
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_INDEX_B = {IndexType.BYTE: 1, IndexType.SHORT: 2, IndexType.INT: 4}
Numbers = NDArray[np.int64]


def index_size_B(index_type: IndexType) -> int:
    """Return the bytes of an index.

    >>> index_size_B(IndexType.SHORT)
    2
    """
    return _INDEX_B[index_type]


@rule(
    "PRIMITIVE-INDEX-1",
    "Indices are unsigned numbers of 8, 16 or 32 bits, least byte first, read when the draw executes; the vertex "
    "number is the index plus the base vertex.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("vertex-vectors", "open-gpu-doc", "seed-titles"),
    ledger=("index8", "index8-gpu-write", "vb-unaligned"),
)
def vertex_numbers(data: NDArray[np.uint8], index_type: IndexType, base_vertex: int) -> Numbers:
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
    numbers: Numbers = data.view(f"<u{index_size_B(index_type)}").astype(np.int64)
    return numbers + base_vertex


@rule(
    "PRIMITIVE-RESTART-1",
    "An index that is equal to the restart index, all 32 bits of it and before the base vertex is added, is no "
    "vertex: it ends the run. What a run leaves over makes nothing.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("primitive-vectors", "hardware-pipeline-rules"),
)
def runs_between(numbers: Numbers, base_vertex: int, restart_index: int | None) -> list[Numbers]:
    """Return the runs of vertex numbers that a restart index parts; empty ones too.

    Parameters
    ----------
    numbers : int64
        From :func:`vertex_numbers`.
    base_vertex : int
        What was added.
    restart_index : int or None
        0 to 2^32 - 1; None where restart is off.

    Examples
    --------
    >>> [run.tolist() for run in runs_between(np.array([0, 1, 255, 2]), 0, 255)]
    [[0, 1], [2]]
    """
    if restart_index is None:
        return [numbers]
    cuts = np.nonzero(numbers - base_vertex == restart_index)[0]
    starts, ends = np.concatenate([[0], cuts + 1]), np.append(cuts, len(numbers))
    return [numbers[begin:end] for begin, end in zip(starts.tolist(), ends.tolist(), strict=True)]
