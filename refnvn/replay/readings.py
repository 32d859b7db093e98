"""What is read, by whom: elements of memory, or texels of a surface? Told to who watches a replay, to nobody else.

Where nobody listens nothing of this is made. Read next: ``observer.py``, ``refnvn/compare/watchers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Segment, share_bytes, shared_parts
from refnvn.memory.surface import Placement, Surface

Hits = NDArray[np.bool_]
NOTHING = np.zeros(0, np.bool_)
Box = tuple[range, range, range]
"""Slices, rows and columns of a surface."""


class Reader(StrEnum):
    """Who reads."""

    VERTEX = "vertex fetch"
    INDEX = "index fetch"
    UNIFORM = "uniform block"
    STORAGE = "storage load"
    ATOMIC = "atomic access"
    IMAGE = "image load"
    TEXTURE = "texture read"
    COPY = "copy"
    INDIRECT = "indirect parameters"
    CONDITION = "condition"
    EVENT = "event"
    PROCESSOR = "processor"
    DISPLAY = "display"


class Followed:
    """Bytes of memory that somebody follows, and which texels of a surface they are.

    Parameters
    ----------
    segments : sequence of Segment
        Where they are.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        self._marked: dict[Placement, Hits] = {}

    def texels_of(self, surface: Surface) -> Hits | None:
        """Return which texels of a surface hold some of the bytes, shape (slices, rows, columns); None for none."""
        if surface.place not in self._marked:
            if not share_bytes(surface.segments, self.segments):
                return None
            marks = np.zeros(surface.place.size_B, np.uint8)
            for here, _ in shared_parts(surface.segments, self.segments):
                marks[here] = 1
            codes = Context().run(surface.codes_of, marks)  # apart: no command uses these rules
            self._marked[surface.place] = np.asarray(codes.any(axis=-1))
        return self._marked[surface.place]


@dataclass(frozen=True, slots=True, kw_only=True)
class BytesRead:
    """Elements of one size that are read.

    Attributes
    ----------
    reader : Reader
    what : str
        Through what: ``attribute 0 of stream 0``.
    starts : int64, shape (n,)
        Addresses.
    size_B : int
        Of an element.
    segments : list of Segment
        Where the bytes from the first address to the end of the last element lie.
    element : str
        What elements are counted as: ``vertex``; empty where nobody counts them.
    numbers : int64, shape (n,), or None
        Of each.
    """

    reader: Reader
    what: str
    starts: Int64
    size_B: int
    segments: list[Segment]
    element: str = ""
    numbers: Int64 | None = None

    def hits(self, followed: Followed) -> Hits:
        """Return which elements hold some of the bytes that somebody follows."""
        if not share_bytes(self.segments, followed.segments):
            return NOTHING
        found, first = np.zeros(self.starts.size, np.bool_), int(self.starts.min())
        for here, _ in shared_parts(self.segments, followed.segments):
            begin, end = first + here.start, first + here.stop
            found |= (self.starts < end) & (self.starts + self.size_B > begin)
        return found


def bytes_read(
    memory: Memory, reader: Reader, what: str, starts: Int64, size_B: int, element: str, numbers: Int64 | None
) -> BytesRead:
    """Return elements that are read of a memory, at least one."""
    first = int(starts.min())
    span_B = int(starts.max()) + size_B - first
    pool, offset_B = memory.locate(first, span_B)
    segments = memory.pool(pool).segments(offset_B, span_B)
    return BytesRead(
        reader=reader, what=what, starts=starts, size_B=size_B, segments=segments, element=element, numbers=numbers
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TexelsRead:
    """Texels of a surface that are read.

    Attributes
    ----------
    reader : Reader
    what : str
        Through what.
    surface : Surface
    texels : three arrays of integers, or three ranges
        Slices, rows and columns of storage.
    """

    reader: Reader
    what: str
    surface: Surface
    texels: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]] | Box
    element: str = ""
    numbers: Int64 | None = None

    def hits(self, followed: Followed) -> Hits:
        """Return which texels hold some of the bytes that somebody follows."""
        marked = followed.texels_of(self.surface)
        if marked is None:
            return NOTHING
        slices, rows, columns = self.texels
        if isinstance(slices, range):
            box = tuple(slice(one.start, one.stop) for one in self.texels if isinstance(one, range))
            return marked[box].reshape(-1)
        return np.asarray(marked[slices, rows, columns])


Reading = BytesRead | TexelsRead
Listener = Callable[[Reading], None]
