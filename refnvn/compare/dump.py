"""What is a dump of a texture, and what is one way to read it?

A dump is raw bytes and what somebody says of them: format, size, levels. Which ways there are: ``dump_readings.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from refnvn.formats.table import Format
from refnvn.layout.description import TextureDescription
from refnvn.layout.tiling import Bytes

MOST_SIDE_EL = 1024
"""Of a larger reading the corner of so many elements each way is kept."""


class ReadingKind(StrEnum):
    """What a reading takes to be otherwise than it was said."""

    AS_SAID = "as said"
    BLOCK_HEIGHT = "block height"
    ROWS = "not tiled"
    PITCH = "pitch"
    SPARSE = "sparse padding"
    LEVELS = "levels or layers"
    START = "level or layer offset"
    ASTC_SIZE = "ASTC block size"
    BYTE_ORDER = "byte order"
    CHANNELS = "channel order"
    TURNED = "rows or columns turned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """Raw bytes, and what is said of them.

    Attributes
    ----------
    fmt : Format
    description : TextureDescription
    data : uint8, shape (n,)
        From the byte where the texture is said to start.
    layer : int
        The layer to look at.
    """

    fmt: Format
    description: TextureDescription
    data: Bytes
    layer: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read a dump, and what it shows: level 0, or the first level that is there.

    Attributes
    ----------
    kind : ReadingKind
    words : str
        What it takes the dump to be.
    options : str
        What ``refnvn detile`` or ``decode`` would have to be told; empty where they cannot be.
    fmt : Format
    rows : uint8, shape (rows of elements, columns, bytes of an element)
        One slice, the first; of a large one the upper left corner.
    width_px, height_px : int
        Of the whole slice.
    lost : float
        The share, 0 to 1, of the bytes that hold something and that this reading throws away.
    missing : float
        The share of the texture that the file does not have.
    """

    kind: ReadingKind
    words: str
    options: str
    fmt: Format
    rows: Bytes
    width_px: int
    height_px: int
    lost: float = 0.0
    missing: float = 0.0

    @property
    def shown_px(self) -> tuple[int, int]:
        """Width and height of what ``rows`` shows."""
        columns, rows = self.rows.shape[1], self.rows.shape[0]
        return (
            min(self.width_px, columns * self.fmt.block_width_px),
            min(self.height_px, rows * self.fmt.block_height_px),
        )

    @property
    def is_whole(self) -> bool:
        """Whether ``rows`` is all of the slice."""
        return self.shown_px == (self.width_px, self.height_px)


def corner(rows: Bytes, element_B: int) -> Bytes:
    """Return the upper left corner of rows of bytes, as elements: so much as is kept of a reading."""
    elements = rows.reshape(rows.shape[0], -1, element_B)
    return np.ascontiguousarray(elements[:MOST_SIDE_EL, :MOST_SIDE_EL])


class Content:
    """Counts bytes that hold something: neither zero nor the byte that the dump seems to be filled with."""

    FILL_SHARE = 0.25
    """From this share on the commonest byte is taken for what the memory was filled with."""

    def __init__(self, data: Bytes) -> None:
        counts = np.bincount(data, minlength=256)
        self._holds = np.ones(256, np.bool_)
        self._holds[0] = False
        most = int(np.argmax(counts))
        self._holds[most] = self._holds[most] and counts[most] < self.FILL_SHARE * data.size
        self.total = self.count(data)

    def count(self, data: Bytes) -> int:
        """Return how many bytes hold something."""
        return int(np.count_nonzero(self._holds[data]))

    def lost(self, kept: Iterable[Bytes]) -> float:
        """Return the share of what the dump holds that is not among ``kept``."""
        return max(0.0, 1.0 - sum(map(self.count, kept)) / self.total) if self.total else 0.0
