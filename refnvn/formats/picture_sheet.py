"""How do several pictures become one? Side by side, rows of them below one another, on a transparent ground.

It knows nothing of textures. Read next: ``preview.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError

Picture = NDArray[np.uint8]
"""RGBA8, shape (height, width, 4)."""

GAP_PX = 4
LARGEST_SHEET_PX = 1 << 28


def sheet(rows: Sequence[Sequence[Picture]]) -> Picture:
    """Return pictures side by side, rows of them below one another; one alone is given back as it is.

    Raises
    ------
    SizeError
        For a sheet of more than 2^28 pixels.

    Examples
    --------
    >>> sheet([[np.zeros((2, 2, 4), np.uint8)] * 2]).shape
    (2, 8, 4)
    """
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    width = max(sum(p.shape[1] + GAP_PX for p in row) - GAP_PX for row in rows)
    height = sum(max(p.shape[0] for p in row) + GAP_PX for row in rows) - GAP_PX
    if width * height > LARGEST_SHEET_PX:
        raise SizeError(f"a picture of {width}x{height} pixels is too large; choose one with --level and --layer")
    canvas = np.zeros((height, width, 4), np.uint8)
    y = 0
    for row in rows:
        x = 0
        for picture in row:
            canvas[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
            x += picture.shape[1] + GAP_PX
        y += max(p.shape[0] for p in row) + GAP_PX
    return canvas


def grid(pictures: Sequence[Picture], columns: int = 0) -> Picture:
    """Return pictures of one size in rows of ``columns``; 0 makes about as many rows as columns.

    Examples
    --------
    >>> grid([np.zeros((2, 2, 4), np.uint8)] * 4).shape
    (8, 8, 4)
    """
    columns = columns or math.isqrt(len(pictures) - 1) + 1
    return sheet([pictures[start : start + columns] for start in range(0, len(pictures), columns)])
