"""Where in one array does decoding an ASTC block keep what it is working on?

One array of whole numbers serves all blocks of an image. The names below are where each part of it starts.

Read next: ``astc.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.block_kernel import room

MOST_PARTITIONS = 4
PLANE_ROOM = 96
"""Of a grid of weights: at most 64, and what lies beyond its edge, which weighs 0."""

BACKWARDS = 0
"""The block's words in reverse: 4, and one to read ahead into, which stays 0."""
VALUES = BACKWARDS + 5
"""Numbers read from the block: at most 64, and 4 that a sequence may fill up."""
WEIGHTS = VALUES + 72
"""The grids of both planes."""
MODES = WEIGHTS + 2 * PLANE_ROOM
"""The colour endpoint mode of each partition."""
ENDS = MODES + MOST_PARTITIONS
"""For each partition two end points of four channels."""
FIELDS = ENDS + 8 * MOST_PARTITIONS
"""Fields of end points of high dynamic range."""
FACTORS = FIELDS + 4
"""What the hash of the partition's number gave: three for each of four sums."""
SIZE = FACTORS + 12


def astc_room() -> NDArray[np.int64]:
    """Return room for a driver."""
    return room(SIZE)
