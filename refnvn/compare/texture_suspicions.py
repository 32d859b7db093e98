"""Which reading of a texture dump is the likeliest? Every reading judged, the likeliest first.

A reading *explains* a dump by the product of what it has going for it: that it looks like a picture, or like the one
that is expected; that it throws little of the dump away; that the file has all of it; that its ASTC blocks are legal;
that its alpha, where one byte order has a constant one, is opaque. The numbers rank, they prove nothing.
What is asked: ``dump_readings.py``, ``dump_order.py``. What it looks like: ``dump_likeness.py``.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.dump import Dump, Reading, ReadingKind
from refnvn.compare.dump_images import there
from refnvn.compare.dump_likeness import empty_blocks, look_of, opaque_share
from refnvn.compare.dump_order import orders
from refnvn.compare.dump_readings import readings
from refnvn.errors import ShapeError, SizeError
from refnvn.formats.preview import preview
from refnvn.layout.texture import texture_layout

Picture = NDArray[np.uint8]
_REORDERED = 4
"""So many of the likeliest readings are tried with other orders of bytes."""
_ALPHA_WEIGHT = 0.1
_CLOSE = 0.02
"""Readings that differ by less explain a dump equally well."""
_AHEAD = 0.1
_LIKELY = 0.5
"""A reading stands out where it explains this much, and so much more than what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A reading, and how well it explains the dump.

    Attributes
    ----------
    reading : Reading
    explained : float
        0 to 1.
    looks : float or None
        How much it looks like a picture, or like the expected one; None where there is too little to tell.
    same : tuple of str
        Other readings, in words, that show the very same texels.
    """

    reading: Reading
    explained: float
    looks: float | None
    same: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The reading, and what is the same."""
        return " = ".join((self.reading.words, *self.same))


@dataclass(frozen=True, slots=True)
class EmptyBlocks:
    """How much of a level is all zero: never written, not mapped, or read too early."""

    level: int
    layer: int
    empty: int
    blocks: int


def suspicions(dump: Dump, expected: Picture | None = None) -> list[Suspicion]:
    """Judge every reading of a dump.

    Parameters
    ----------
    dump : Dump
    expected : uint8, shape (height, width, 4), or None
        What level 0 of the layer should look like; with it orders of components and turned rows are judged too.

    Returns
    -------
    list of Suspicion
        The likeliest first; where several explain the dump equally well, the one that was said.

    Raises
    ------
    SizeError
        The file does not hold level 0 by any reading.
    ShapeError
        The expected picture has another size than the texture.
    """
    width_px, height_px, _ = dump.description.extent_px(0)
    if expected is not None and expected.shape != (height_px, width_px, 4):
        raise ShapeError(f"the expected picture has shape {expected.shape}; allowed: {(height_px, width_px, 4)}")
    judge = _Judge(expected)
    found = _ranked(judge(reading) for reading in readings(dump))
    if not found:
        raise SizeError(f"{dump.data.size} bytes hold no level 0 of {width_px}x{height_px} by any reading")
    reordered = [better for one in found[:_REORDERED] for better in _reordered(one, judge)]
    return _ranked([*found, *reordered])


def stands_out(ranked: list[Suspicion]) -> bool:
    """Return whether the first of some suspicions is to be believed rather than what was said.

    It is not where what was said is nearly as good, nor where no reading looks like a picture.
    """
    best = ranked[0].explained
    said = next((one.explained for one in ranked if one.reading.kind is ReadingKind.AS_SAID), 0.0)
    return best >= _LIKELY and best - said >= _AHEAD


def empty_levels(dump: Dump) -> list[EmptyBlocks]:
    """Return how many blocks of each level and layer are all zero, of those that are there; a short end counts."""
    blocks_of = dump.description.element.bytes_per_block
    found = []
    for (layer, level), rows in there(texture_layout(dump.description), dump.data).items():
        blocks = rows.reshape(-1, blocks_of)
        found.append(EmptyBlocks(level, layer, empty_blocks(blocks), len(blocks)))
    return found


class _Judge:
    """Judges readings; what shows the same texels is looked at once."""

    def __init__(self, expected: Picture | None) -> None:
        self.expected = expected
        self._seen: dict[tuple[object, ...], tuple[float | None, float, float]] = {}

    def __call__(self, reading: Reading) -> Suspicion:
        key = _shows(reading)
        if key not in self._seen:
            self._seen[key] = self._look(reading)
        looks, legal, opaque = self._seen[key]
        kept = (1.0 - reading.lost) * (1.0 - reading.missing)
        return Suspicion(reading=reading, explained=max(0.0, looks or 0.0) * kept * legal * opaque, looks=looks)

    def _look(self, reading: Reading) -> tuple[float | None, float, float]:
        """Return how much it looks like a picture, and factors for its legal blocks and its alpha."""
        if self.expected is not None:
            return _likeness(reading, self.expected), 1.0, 1.0
        look = look_of(reading)
        return look.coherence, 1.0 - look.illegal, 1.0 - _ALPHA_WEIGHT * (1.0 - opaque_share(reading))


def _shows(reading: Reading) -> tuple[object, ...]:
    """Return the same for readings that show the same, and for no others."""
    return reading.fmt.name, reading.rows.shape, hashlib.sha256(reading.rows.tobytes()).digest()


def _reordered(one: Suspicion, judge: _Judge) -> Iterator[Suspicion]:
    """Give the orders of bytes, components and rows by which a reading explains the dump better than as it is."""
    if one.reading.fmt.is_compressed and one.explained > _LIKELY and judge.expected is None:
        return  # blocks whose bytes are exchanged never look like a picture
    for reading in orders(one.reading, beside_picture=judge.expected is not None):
        judged = judge(reading)
        if judged.explained > one.explained + _CLOSE:
            yield judged


def _likeness(reading: Reading, expected: Picture) -> float | None:
    """Return 1 for the expected picture, 0 for one as unlike as its own texels are to each other."""
    if (reading.height_px, reading.width_px) != expected.shape[:2]:
        return 0.0
    width_px, height_px = reading.shown_px
    shown = preview(reading.fmt, np.ascontiguousarray(reading.rows), width_px, height_px)
    wanted = expected[:height_px, :width_px].reshape(-1, 4).astype(np.int64)
    chance = np.abs(wanted - np.random.default_rng(1).permutation(wanted)).mean()
    off = np.abs(shown.reshape(-1, 4).astype(np.int64) - wanted).mean()
    return float(1.0 - off / chance) if chance else float(off == 0)


def _ranked(judged: Iterable[Suspicion]) -> list[Suspicion]:
    """Return suspicions, what shows and explains the same joined; what was said goes before its equals."""
    kept: dict[tuple[object, ...], Suspicion] = {}
    for one in judged:
        key = *_shows(one.reading), round(one.explained, 6)
        first = kept.get(key)
        kept[key] = one if first is None else dataclasses.replace(first, same=(*first.same, one.reading.words))
    best = max((one.explained for one in kept.values()), default=0.0)

    def place(one: Suspicion) -> tuple[float, bool, float]:
        level = best if best - one.explained < _CLOSE else one.explained
        return -level, one.reading.kind is not ReadingKind.AS_SAID, -one.explained

    return sorted(kept.values(), key=place)
