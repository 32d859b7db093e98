"""Which samples does an alpha leave?

Alpha becomes a number of target 0, as for the alpha test. The samples of a pixel, or with dither all samples of 2 x 2
pixels, are switched on one after another, as many as that part of them, rounded.

Read next: ``multisample.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, Int64, UInt32, from_bits
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.alpha_test import compared
from refnvn.raster.interpolate import Lanes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

Covered = NDArray[np.bool_]
_STEPS = np.array([[0, 2], [3, 1]])
"""Which of four pixels switches a sample on first: by row and column, modulo 2."""

_SIXTEEN = (15, 0, 12, 9, 1, 14, 8, 13, 4, 5, 11, 3, 10, 6, 2, 7)
_PLAIN = {2: (0, 1), 4: (3, 0, 1, 2), 8: (3, 7, 4, 6, 0, 5, 1, 2), 16: _SIXTEEN}
"""The order in which the samples of a pixel are switched on."""
_DITHERED = {
    2: (((0, 1), (1, 0)), ((1, 0), (0, 1))),
    4: (((3, 0, 1, 2), (3, 0, 1, 2)), ((3, 0, 1, 2), (3, 0, 1, 2))),
    8: (
        ((6, 4, 7, 3, 1, 2, 0, 5), (7, 3, 6, 4, 0, 5, 2, 1)),
        ((4, 6, 3, 7, 1, 2, 5, 0), (3, 7, 4, 6, 0, 5, 1, 2)),
    ),
    16: ((_SIXTEEN, _SIXTEEN), (_SIXTEEN, _SIXTEEN)),
}
"""The same with dither, by row and column modulo 2."""


@rule(
    "RASTER-ALPHACOVERAGE-1",
    "Alpha to coverage without dither leaves alpha times n of n samples, rounded, in a fixed order.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules", "sample-vectors"),
    exactness="bit-exact; of 16 samples as raster samples, see RASTER-SAMPLES-2",
)
def plain_count(alpha: Float64, samples: int) -> Int64:
    """Return how many samples each alpha, 0 to 1, leaves.

    >>> plain_count(np.array([31, 32, 255]) / 255, 4).tolist()
    [0, 1, 4]
    """
    return np.floor(alpha * samples + 0.5).astype(np.int64)


@rule(
    "RASTER-ALPHACOVERAGE-2",
    "With dither 2 x 2 pixels share their 4 n samples: alpha times 4 n of them, rounded, are switched on, a sample "
    "each in the pixels (0, 0), (1, 1), (1, 0), (0, 1) and again.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules", "sample-vectors"),
)
def dithered_count(alpha: Float64, samples: int, step: Int64) -> Int64:
    """Return how many samples each alpha, 0 to 1, leaves in the pixel that comes as number ``step``.

    >>> dithered_count(np.array([8, 8]) / 255, 8, np.array([0, 1])).tolist()
    [1, 0]
    """
    return (plain_count(alpha, 4 * samples) - step + 3) // 4


def ranks(order: tuple[int, ...]) -> Int64:
    """Return the place of each sample in an order.

    >>> ranks((3, 0, 1, 2)).tolist()
    [1, 2, 3, 0]
    """
    return np.argsort(np.array(order, dtype=np.int64))


def covered_by_number(alpha: Float64, samples: int, lanes: Lanes, *, dither: bool) -> Covered:
    """Return which samples alphas leave.

    Parameters
    ----------
    alpha : float64, shape (lanes,)
        0 to 1, as target 0 holds it.
    samples : int
        2, 4, 8 or 16.
    lanes : Lanes
        Where the pixels are.
    dither : bool

    Returns
    -------
    bool, shape (samples, lanes)
    """
    if not dither:
        return ranks(_PLAIN[samples])[:, np.newaxis] < plain_count(alpha, samples)
    row, column = lanes.row & 1, lanes.column & 1
    table = np.array([[ranks(order) for order in pair] for pair in _DITHERED[samples]])
    count = dithered_count(alpha, samples, _STEPS[row, column])
    rank = table[row, column].T
    covered: Covered = rank < count
    return covered


@rule(
    "RASTER-ALPHACOVERAGE-3",
    "Alpha to coverage looks at output 0 before alpha to one, clamped and as a number of target 0, like the alpha "
    "test, NaN being 0; of an integer target the integer is the alpha: 0 and below leave no sample, 1 and above all.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "sample-vectors"),
)
def covered_by_alpha(
    fmt: Format, alpha: UInt32, samples: int, lanes: Lanes, rules: Rules, *, dither: bool
) -> Covered:
    """Return which samples the alpha of output 0 leaves, shape (samples, lanes).

    Parameters
    ----------
    fmt : Format
        Of target 0.
    alpha : uint32, shape (lanes,)
        The bits of the output's alpha.
    samples : int
    lanes : Lanes
    rules : Rules
        What the conversion of alpha reads.
    dither : bool
    """
    if fmt.numeric_class is NumericClass.SINT:
        numbers = (alpha.view(np.int32) > 0).astype(np.float64)
    elif fmt.is_integer:
        numbers = (alpha > 0).astype(np.float64)
    else:
        values = compared(fmt, from_bits(alpha), rules).astype(np.float64)
        numbers = np.where(values > 0, np.minimum(values, 1.0), 0.0)
    return covered_by_number(numbers, samples, lanes, dither=dither)
