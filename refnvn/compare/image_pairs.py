"""What may two things that went wrong at once have made of an image?

Tried are, in this order and no more than :data:`MOST_PAIRS` of them or :data:`MOST_TEXELS` texels:

- components in another order together with changed colours;
- other values (components, colours, samples) together with other places (turned, moved, another layer or layout): of
  the values those four whose bytes occur as often as those that are there, since places leave that alone;
- turned together with moved or laid out otherwise.

Read next: ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

import numpy as np

from refnvn.compare.image_changes import layouts, moved, other_slices, places, turned, unlike, values
from refnvn.compare.image_colours import Changed, Texels, colours, orders
from refnvn.compare.image_parts import Part

MOST_PAIRS = 1024
MOST_TEXELS = 1 << 25
MOST_VALUES = 4


def pairs(part: Part) -> Iterator[Changed]:
    """Yield what an image may have become by two changes, each unlike the image itself."""
    most = min(MOST_PAIRS, MOST_TEXELS // max(1, part.wrong.size))
    return islice(unlike(part, chain(_two_values(part), _values_and_places(part), _turned_and_moved(part))), most)


def _two_values(part: Part) -> Iterator[Changed]:
    if part.fmt.is_compressed:
        return
    for first in colours(part.fmt, part.apart(part.expected)):
        for second in orders(part.fmt, first.texels):
            yield _both(first, second.words, second.texels.reshape(part.expected.shape))


def _values_and_places(part: Part) -> Iterator[Changed]:
    there = _counts(part.actual)
    found = list(values(part, part.expected))
    found.sort(key=lambda one: int(np.abs(_counts(one.texels) - there).sum()))
    for first in found[:MOST_VALUES]:
        for second in places(part, first.texels):
            yield _both(first, second.words, second.texels)


def _turned_and_moved(part: Part) -> Iterator[Changed]:
    for first in turned(part.expected):
        further = () if part.fmt.is_compressed else moved(first.texels, part.actual)
        for second in chain(further, layouts(part, first.texels), other_slices(first.texels)):
            yield _both(first, second.words, second.texels)


def _both(first: Changed, words: str, texels: Texels) -> Changed:
    return Changed(f"{first.words}, and {words}", texels)


def _counts(texels: Texels) -> np.ndarray:
    """Return how often each byte of a texel holds each value, shape (bytes, 256)."""
    flat = texels.reshape(-1, texels.shape[-1])
    return np.stack([np.bincount(flat[:, place], minlength=256) for place in range(flat.shape[1])])
