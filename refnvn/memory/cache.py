"""Which working copies of surfaces are current, and when do they go back to memory?

Three sentences keep every view of memory coherent, byte by byte:

1. The surfaces kept share no byte: taking one first stores and drops all others that overlap it.
2. Reading memory first stores the dirty surfaces that overlap what is read.
3. Writing memory first stores, then drops, every surface that overlaps what is written.

Bytes are those of physical pools, so it does not matter through which pool or address something is reached. A
surface whose bytes have holes, or show the same memory twice, is stored as soon as it is written and read again.

It does not know pools by number, nor access rights: ``memory.py`` does.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable

import numpy as np

from refnvn.layout.texture import TextureLayout
from refnvn.memory.pool import Pool, Segment, gather
from refnvn.memory.surface import Placement, Surface
from refnvn.memory.write_log import WriteLog

Span = tuple[int, int]


class SurfaceCache:
    """The surfaces that are current; ``log`` hears of every write to one."""

    def __init__(self, log: WriteLog) -> None:
        self._log = log
        self._by_place: dict[Placement, Surface] = {}
        self._spans: dict[Pool, list[Span]] = {}
        self._at: dict[Pool, dict[int, Surface]] = {}

    def get(self, place: Placement) -> Surface | None:
        """Return the current surface of a place, if there is one."""
        return self._by_place.get(place)

    def take(
        self, place: Placement, segments: list[Segment], layout: TextureLayout, level: int, layer: int
    ) -> Surface:
        """Read a surface from memory and keep it; what overlapped it is stored and dropped."""
        self.before_write(segments)
        surface = Surface(self, place, segments, layout, level, layer)
        self._by_place[place] = surface
        for pool, span in _merged(segments):
            insort(self._spans.setdefault(pool, []), span)
            self._at.setdefault(pool, {})[span[0]] = surface
        return surface

    def written(self, surface: Surface) -> None:
        """Take note that a current surface has changed."""
        if self._log.listens:
            self._logged(surface)
        if surface.is_split:
            surface.store()
            surface.load()
        else:
            surface.is_dirty = True

    def before_read(self, segments: Iterable[Segment]) -> None:
        """Bring memory up to date where it will be read."""
        if self._by_place:
            for surface in self._overlapping(segments):
                self._store(surface)

    def before_write(self, segments: Iterable[Segment]) -> None:
        """Bring memory up to date where it will be written, and drop what will be stale."""
        if self._by_place:
            for surface in self._overlapping(segments):
                self._drop(surface)

    def drop_pool(self, pool: int) -> None:
        """Store and drop every surface that was reached through a pool whose pages will be mapped anew."""
        for surface in [one for one in self._by_place.values() if one.place.pool == pool]:
            self._drop(surface)

    def flush(self) -> None:
        """Bring all memory up to date; surfaces stay."""
        for surface in self._by_place.values():
            self._store(surface)

    def _logged(self, surface: Surface) -> None:
        """Tell the log of a write, with what memory still holds; bytes that are kept must be current."""
        if not self._log.keeps_bytes:
            self._log.note(surface.place, surface.segments)
            return
        before = np.empty(surface.place.size_B, np.uint8)
        gather(surface.segments, before)
        self._log.note(surface.place, surface.segments, before)
        surface.store()

    def _store(self, surface: Surface) -> None:
        if surface.is_dirty:
            surface.store()
            surface.is_dirty = False

    def _drop(self, surface: Surface) -> None:
        self._store(surface)
        surface.is_current = False
        del self._by_place[surface.place]
        for pool, span in _merged(surface.segments):
            spans = self._spans[pool]
            del spans[bisect_right(spans, span) - 1]
            del self._at[pool][span[0]]

    def _overlapping(self, segments: Iterable[Segment]) -> list[Surface]:
        """Return the surfaces that share a byte with segments, each once, in a fixed order."""
        found: dict[Placement, Surface] = {}
        for pool, start_B, size_B in segments:
            spans = self._spans.get(pool) if pool is not None else None
            if not spans:
                continue
            assert pool is not None
            at = max(0, bisect_right(spans, (start_B, 1 << 63)) - 1)
            while at < len(spans) and spans[at][0] < start_B + size_B:
                if spans[at][1] > start_B:
                    surface = self._at[pool][spans[at][0]]
                    found[surface.place] = surface
                at += 1
        return list(found.values())


def _merged(segments: list[Segment]) -> list[tuple[Pool, Span]]:
    """Return the spans of physical memory under segments, each byte once."""
    if len(segments) == 1 and segments[0].physical is not None:
        only = segments[0]
        return [(segments[0].physical, (only.offset_B, only.offset_B + only.size_B))]
    spans: dict[Pool, list[Span]] = {}
    for pool, start_B, size_B in segments:
        if pool is not None:
            spans.setdefault(pool, []).append((start_B, start_B + size_B))
    return [(pool, span) for pool, of_pool in spans.items() for span in _unite(sorted(of_pool))]


def _unite(spans: list[Span]) -> list[Span]:
    united: list[Span] = []
    for start_B, end_B in spans:
        if united and start_B <= united[-1][1]:
            united[-1] = (united[-1][0], max(end_B, united[-1][1]))
        else:
            united.append((start_B, end_B))
    return united
