"""What do two images alone say about why they differ, when no modelled fault does?

The expected image is changed in every way that a wrong path is known to change images, and each change is compared
with what is there: channels in another order, rows or columns turned, moved, sRGB once too often, alpha multiplied in
or out, samples of a pixel alike, tiled with another block height, rows at another pitch, another layer, another
result, an earlier image. Where none of them explains all, two at once are tried.

What it does not do: it proves nothing. Read next: ``image_changes.py``, ``image_pairs.py``, ``image_remarks.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from refnvn.compare.image_changes import changes, unlike
from refnvn.compare.image_colours import Changed, Flags, Texels
from refnvn.compare.image_pairs import pairs
from refnvn.compare.image_parts import Part
from refnvn.formats.table import NumericClass

LEAST_EXPLAINED = 0.5
"""Of the wrong texels, by one change."""
LEAST_BY_TWO = 0.9
"""By two, of which there are so many that some explain half of anything."""
MOST_OF_ONE = 5
WORDS_B = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSuspicion:
    """One way in which the actual image may come from the expected one, in texels.

    Attributes
    ----------
    result : str
        Which result.
    words : str
        What seems to have happened.
    explained, wrong, missed : int
        Wrong texels that it accounts for, of how many; right texels that it would make wrong.
    within_one : bool
        Whether codes that differ by one count as equal: what changed them rounds.
    by_two : bool
        Whether two changes made it.
    """

    result: str
    words: str
    explained: int
    wrong: int
    missed: int
    within_one: bool = False
    by_two: bool = False

    @property
    def left_over(self) -> int:
        """Texels that it does not account for."""
        return self.wrong - self.explained + self.missed


def image_suspicions(
    parts: Sequence[Part], earlier: Mapping[str, Sequence[Changed]] | None = None
) -> list[ImageSuspicion]:
    """Return what may have happened to each wrong image, the likeliest first; of one image at most five.

    What two changes make stands behind what one makes as well, and is there only where it explains more.

    Parameters
    ----------
    parts : sequence of Part
        From :func:`refnvn.compare.image_parts.parts_of`.
    earlier : mapping of str to sequence of Changed, or None
        What parts held earlier, from :func:`refnvn.compare.image_earlier.earlier_images`.
    """
    found = []
    for part in parts:
        if part.wrong.any():
            found += _of_one(part, parts, (earlier or {}).get(part.name, ()))
    return sorted(found, key=_rank)


def _of_one(part: Part, parts: Sequence[Part], earlier: Iterable[Changed]) -> list[ImageSuspicion]:
    single = _ranked(_judged(part, chain(changes(part, parts), unlike(part, earlier))))
    least = single[0].left_over if single else int(np.count_nonzero(part.wrong))
    if least == 0:
        return single[:MOST_OF_ONE]
    double = [one for one in _judged(part, pairs(part), by_two=True) if one.left_over < least]
    return _ranked([*single, *double])[:MOST_OF_ONE]


def _ranked(found: Iterable[ImageSuspicion]) -> list[ImageSuspicion]:
    """Return suspicions, the likeliest first, each of the same words once; where some explain all, those alone."""
    best: dict[str, ImageSuspicion] = {}
    for one in sorted(found, key=_rank):
        best.setdefault(one.words, one)
    all_of_it = [one for one in best.values() if one.left_over == 0]
    return all_of_it or list(best.values())


def _rank(one: ImageSuspicion) -> tuple[int, bool, bool]:
    return one.left_over, one.by_two, one.within_one


def _judged(part: Part, changed: Iterable[Changed], *, by_two: bool = False) -> Iterator[ImageSuspicion]:
    total = int(np.count_nonzero(part.wrong))
    least = (LEAST_BY_TWO if by_two else LEAST_EXPLAINED) * total
    codes_round = part.fmt.numeric_class is NumericClass.UNORM and {one.bits for one in part.fmt.components} == {8}
    # a port may have rounded what it changed; where rounding alone explains as much, nothing need have changed
    rounded = _same(part.expected, part.actual, within_one=True) & part.wrong if codes_round else None
    by_rounding = 0 if rounded is None else int(np.count_nonzero(rounded))
    for one in changed:
        found = []
        for within_one in (False, True) if codes_round else (False,):
            same = _same(one.texels, part.actual, within_one)
            explained = int(np.count_nonzero(part.wrong & same))
            missed = int(np.count_nonzero(~part.wrong & ~same))
            more = by_rounding if within_one else 0
            if explained > max(least, more) and total - explained + missed < total - more:
                found.append(ImageSuspicion(
                    result=part.name, words=one.words, explained=explained, wrong=total, missed=missed,
                    within_one=within_one, by_two=by_two,
                ))  # fmt: skip
        yield from sorted(found, key=_rank)[:1]


def _same(one: Texels, other: Texels, within_one: bool) -> Flags:
    alike = np.maximum(one, other) - np.minimum(one, other) <= 1 if within_one else one == other
    alike = np.ascontiguousarray(alike)
    if alike.shape[-1] in WORDS_B:  # many times faster than along the short axis
        words = alike.view(f"<u{alike.shape[-1]}")
        return np.asarray((words == np.array([True] * alike.shape[-1]).view(words.dtype))[..., 0])
    return np.asarray(alike.all(axis=-1))
