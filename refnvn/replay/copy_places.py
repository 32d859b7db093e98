"""Which texel of a source does each texel of a scaled or mirrored copy take?

One axis at a time: a destination texel's middle, in parts of the destination's size, is a place in the source. Read
next: ``texture_copies.py``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import CopySlices, CopyTie, Rules
from refnvn.rules.registry import rule

Places = NDArray[np.int64]


@rule(
    "COPY-NEAREST-1",
    "Without a filter a scaled copy takes the texel in which the middle of the destination's texel falls, counted "
    "from the source's other end where it is mirrored.",
    evidence=Evidence.DRIVER_MADE,
    sources=("copy-vectors", "deko3d"),
    ledger=("copy-scaled", "ds-copy-stencil"),
)
def nearest_texels(source: int, destination: int, mirrored: bool, rules: Rules) -> Places:
    """Return the source texel of each destination texel along one axis.

    Parameters
    ----------
    source, destination : int
        Texels of the two regions, at least 1.
    mirrored : bool
        Whether the direction turns.
    rules : Rules
        Reads ``copy_tie`` where a middle falls between two texels and the step is no binary fraction.

    Returns
    -------
    int64, shape (destination,)

    Examples
    --------
    >>> from refnvn.rules.fields import NVN
    >>> nearest_texels(2, 4, True, NVN).tolist()
    [1, 1, 0, 0]
    """
    twice = (2 * np.arange(destination, dtype=np.int64) + 1) * source
    if mirrored:
        twice = 2 * source * destination - twice
    places: Places = twice // (2 * destination)
    between = twice % (2 * destination) == 0
    if between.any() and not is_binary_fraction(source, destination):
        places[between] = texel_at_edge(places[between], rules)
    return places


@rule(
    "COPY-NEAREST-2",
    "A middle that falls between two texels takes the second where the step from texel to texel is a binary "
    "fraction, and the first where it is none and so is held a little too small.",
    evidence=Evidence.DRIVER_MADE,
    sources=("copy-vectors", "deko3d"),
    ledger=("copy-scaled",),
    fields=("copy_tie",),
)
def texel_at_edge(second: Places, rules: Rules) -> Places:
    """Return the texel of a middle that falls between a texel and ``second``, at a step that cannot be held."""
    return second if rules.copy_tie is CopyTie.SECOND else second - 1


@rule(
    "COPY-SLICES-1",
    "Where a copy has another number of slices or layers on either side, each takes the one under its middle, never "
    "a mixture.",
    evidence=Evidence.OPEN,
    sources=("deko3d", "nvn-header"),
    ledger=("copy-scaled",),
    refuted_by="the slices of a 3D texture after a copy to one of another depth on a console",
    fields=("copy_slices",),
)
def slice_texels(source: int, destination: int, rules: Rules) -> Places:
    """Return the source slice of each destination slice.

    >>> from refnvn.rules.fields import NVN
    >>> slice_texels(4, 2, NVN).tolist()
    [1, 3]
    """
    if rules.copy_slices is CopySlices.START:
        places: Places = np.arange(destination, dtype=np.int64) * source // destination
        return places
    return nearest_texels(source, destination, False, rules)


def is_binary_fraction(source: int, destination: int) -> bool:
    """Whether a step can be held exactly.

    >>> is_binary_fraction(6, 4), is_binary_fraction(16, 22)
    (True, False)
    """
    denominator = destination // math.gcd(source, destination)
    return denominator & (denominator - 1) == 0
