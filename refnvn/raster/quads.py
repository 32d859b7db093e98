"""How do the pixels of spans become whole 2 x 2 quads, so that a shader can take differences?

A quad stands on even columns and rows. Pixels of a quad that the triangle does not cover are helpers: they run the
shader like the others and store nothing. Lanes of a quad come as (0, 0), (1, 0), (0, 1), (1, 1).

Read next: ``fragment.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.raster.spans import Spans, spans_of


@dataclass(frozen=True, slots=True)
class Quads:
    """Spans widened to quads.

    Attributes
    ----------
    spans : Spans
        For each pair of rows the even row, then the odd one, from an even column over an even number of pixels.
    order : intp, shape (quad lanes,)
        The lane of ``spans`` that each lane of the quads is.
    back : intp, shape (lanes of the original spans,)
        The lane of the quads that each original pixel is.
    """

    spans: Spans
    order: NDArray[np.intp]
    back: NDArray[np.intp]


def quads_of(spans: Spans) -> Quads:
    """Return the quads of spans; both rows of a pair must be in the same batch."""
    pair_row = spans.row & ~1
    new = np.ones(len(spans.row), dtype=np.bool_)
    new[1:] = (spans.primitive[1:] != spans.primitive[:-1]) | (pair_row[1:] != pair_row[:-1])
    first = np.nonzero(new)[0]
    left = np.minimum.reduceat(spans.left, first) & ~1
    right = (np.maximum.reduceat(spans.right, first) + 1) & ~1
    width = right - left
    rows = np.stack([pair_row[first], pair_row[first] + 1], axis=1).ravel()
    wide = spans_of(np.repeat(spans.primitive[first], 2), rows, np.repeat(left, 2), np.repeat(right, 2))
    start = wide.start[0:-1:2]
    quads = np.repeat(np.arange(len(first)), width // 2)
    across = np.arange(len(quads)) - np.repeat((start // 4), width // 2)
    upper = start[quads] + 2 * across
    order = np.stack([upper, upper + 1, upper + width[quads], upper + width[quads] + 1], axis=1).ravel()
    pair = np.cumsum(new) - 1
    lengths = spans.right - spans.left
    column = (
        np.arange(spans.lanes) - np.repeat(spans.start[:-1], lengths) + np.repeat(spans.left - left[pair], lengths)
    )
    odd = np.repeat(spans.row & 1, lengths)
    back = np.repeat(start[pair], lengths) + (column >> 1) * 4 + odd * 2 + (column & 1)
    return Quads(wide, order, back)
