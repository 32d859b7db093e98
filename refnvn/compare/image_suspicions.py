"""What do two images alone say about why they differ, when no modelled fault does?

The expected image is changed in every way that a wrong path is known to change images, and each change is compared
with what is there: channels in another order, rows or columns turned, moved, sRGB once too often, alpha multiplied in
or out, tiled with another block height, rows at another pitch, another layer, another result.

What it does not do: it proves nothing. Read next: ``image_changes.py``, ``image_remarks.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from refnvn.compare.image_changes import changes
from refnvn.compare.image_texels import Flags, Texels, image_of, texels_of, wrong_texels
from refnvn.compare.places import View
from refnvn.formats.table import NumericClass, format_named

LEAST_EXPLAINED = 0.5
MOST_OF_ONE = 5


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
    """

    result: str
    words: str
    explained: int
    wrong: int
    missed: int
    within_one: bool = False

    @property
    def left_over(self) -> int:
        """Texels that it does not account for."""
        return self.wrong - self.explained + self.missed


def image_suspicions(views: Mapping[str, View]) -> list[ImageSuspicion]:
    """Return what may have happened to each wrong image, the likeliest first; of one image at most five."""
    found = []
    for name, view in views.items():
        texels = texels_of(view, view.expected)
        if texels is None or not view.weighing.wrong:
            continue
        judged = sorted(_judged(name, view, texels, views), key=_rank)
        found += judged[:MOST_OF_ONE]
    return sorted(found, key=_rank)


def _rank(one: ImageSuspicion) -> tuple[int, bool]:
    return one.left_over, one.within_one


def _judged(name: str, view: View, texels: Texels, views: Mapping[str, View]) -> Iterator[ImageSuspicion]:
    actual = texels_of(view, view.actual)
    image = image_of(view)
    assert actual is not None
    assert image is not None
    wrong = wrong_texels(view, texels)
    total = int(np.count_nonzero(wrong))
    fmt = format_named(image.format)
    codes_round = fmt.numeric_class is NumericClass.UNORM and {one.bits for one in fmt.components} == {8}
    for one in changes(name, image, texels, actual, views):
        found = []
        for within_one in (False, True) if codes_round else (False,):  # a port may have rounded what it changed
            same = _same(one.texels, actual, within_one)
            explained = int(np.count_nonzero(wrong & same))
            missed = int(np.count_nonzero(~wrong & ~same))
            if explained > LEAST_EXPLAINED * total and total - explained + missed < total:
                found.append(ImageSuspicion(
                    result=name, words=one.words, explained=explained, wrong=total, missed=missed,
                    within_one=within_one,
                ))  # fmt: skip
        yield from sorted(found, key=_rank)[:1]


def _same(one: Texels, other: Texels, within_one: bool) -> Flags:
    if within_one:
        steps = np.abs(one.astype(np.int16) - other)
        return np.asarray(steps.max(axis=-1) <= 1)
    return np.asarray((one == other).all(axis=-1))
