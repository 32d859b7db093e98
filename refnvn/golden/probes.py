"""In which elements do several places of memory meet, each of which may choose for itself?

Probes are runs in which places choose differently. Two signs say that an element depends on more than one place:

- a probe gives it something that is not among what single choices give;
- single choices give it several other values, and more than half of the probes change it. Half of the probes change
  what one place decides, never more (``replay/seen_values.py``).

Of such an element nothing is claimed. Read next: ``build.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.golden.model import touched
from refnvn.golden.result import Result

Results = tuple[Result, ...]
Where = NDArray[np.bool_]


class Probed:
    """What probes have shown so far.

    Parameters
    ----------
    base : tuple of Result
        By NVN's rules.
    listed : sequence of such tuples
        Under each single choice.
    """

    def __init__(self, base: Results, listed: Sequence[Results]) -> None:
        self._base = base
        self._listed = listed
        self._probes = 0
        self._outside = [np.zeros(result.array.shape, np.bool_) for result in base]
        self._changed = [np.zeros(result.array.shape, np.uint8) for result in base]

    def add(self, run: Results) -> None:
        """Take in the results of a probe, of the same shapes."""
        self._probes += 1
        for position, (base, result) in enumerate(zip(self._base, run, strict=True)):
            differs = differing(base, result)
            self._changed[position] += differs
            for listed in self._listed:
                differs &= differing(listed[position], result)
            self._outside[position] |= differs

    def marked(self) -> Results:
        """Return the base, with the elements marked as padding of which nothing is claimed."""
        marked = []
        for position, base in enumerate(self._base):
            several = self._outside[position]
            several |= (self._changed[position] > self._probes // 2) & self._has_several_values(position)
            marked.append(replace(base, any_mask=padding_of(base) | several))
        return tuple(marked)

    def _has_several_values(self, position: int) -> Where:
        """Say which elements single choices give two values that differ from each other and from the base."""
        base = self._base[position]
        found = np.zeros(base.array.shape, np.bool_)
        for number, one in enumerate(self._listed):
            differs = differing(base, one[position])
            for other in self._listed[:number]:
                found |= differs & differing(base, other[position]) & differing(one[position], other[position])
        return found


def differing(one: Result, other: Result) -> Where:
    """Return where two results of one shape differ; padding differs from what is none."""
    return touched(one.array, padding_of(one), other.array, padding_of(other))


def padding_of(result: Result) -> Where:
    """Return the elements that no texel reaches."""
    return np.zeros(result.array.shape, dtype=np.bool_) if result.any_mask is None else result.any_mask
