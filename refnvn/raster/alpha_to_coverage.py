"""Which samples does an alpha leave?

Alpha becomes a code of target 0, 0 to 255 where its channels have 8 bits. The samples of a pixel, or with dither all
samples of 2 x 2 pixels, are switched on one after another, as many as that part of them, rounded.

Read next: ``multisample.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import UnknownBehaviour
from refnvn.formats.floatbits import Int64, UInt32, from_bits
from refnvn.formats.norm import encode_unorm
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.interpolate import Lanes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

Covered = NDArray[np.bool_]
_FULL = 255
_STEPS = np.array([[0, 2], [3, 1]])
"""Which of four pixels switches a sample on first: by row and column, modulo 2."""

_PLAIN = {2: (0, 1), 4: (3, 0, 1, 2), 8: (3, 7, 4, 6, 0, 5, 1, 2)}
"""The order in which the samples of a pixel are switched on."""
_DITHERED = {
    2: (((0, 1), (1, 0)), ((1, 0), (0, 1))),
    4: (((3, 0, 1, 2), (3, 0, 1, 2)), ((3, 0, 1, 2), (3, 0, 1, 2))),
    8: (
        ((6, 4, 7, 3, 1, 2, 0, 5), (7, 3, 6, 4, 0, 5, 2, 1)),
        ((4, 6, 3, 7, 1, 2, 5, 0), (3, 7, 4, 6, 0, 5, 1, 2)),
    ),
}
"""The same with dither, by row and column modulo 2."""


@rule(
    "RASTER-ALPHACOVERAGE-1",
    "Alpha to coverage without dither leaves round(n * a / 255) of n samples, halves up, in a fixed order; a is "
    "alpha as a code of 8 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules"),
    exactness="bit-exact for 8-bit targets",
)
def plain_count(codes: Int64, samples: int) -> Int64:
    """Return how many samples each alpha code leaves.

    >>> plain_count(np.array([31, 32, 255]), 4).tolist()
    [0, 1, 4]
    """
    return (2 * samples * codes + _FULL) // (2 * _FULL)


@rule(
    "RASTER-ALPHACOVERAGE-2",
    "With dither 2 x 2 pixels share their 4 n samples: the first round(4 n * a / 255) of them are switched on, "
    "halves up, a sample each in the pixels (0, 0), (1, 1), (1, 0), (0, 1) and again.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pixel-rules"),
    exactness="bit-exact for 8-bit targets",
)
def dithered_count(codes: Int64, samples: int, step: Int64) -> Int64:
    """Return how many samples each alpha code leaves in the pixel that comes as number ``step``.

    >>> dithered_count(np.array([8, 8]), 8, np.array([0, 1])).tolist()
    [1, 0]
    """
    of_four_pixels = (2 * 4 * samples * codes + _FULL) // (2 * _FULL)
    return (of_four_pixels - step + 3) // 4


def ranks(order: tuple[int, ...]) -> Int64:
    """Return the place of each sample in an order.

    >>> ranks((3, 0, 1, 2)).tolist()
    [1, 2, 3, 0]
    """
    return np.argsort(np.array(order, dtype=np.int64))


def covered_by_code(codes: Int64, samples: int, lanes: Lanes, *, dither: bool) -> Covered:
    """Return which samples alpha codes leave.

    Parameters
    ----------
    codes : int64, shape (lanes,)
        0 to 255.
    samples : int
        2, 4 or 8.
    lanes : Lanes
        Where the pixels are.
    dither : bool

    Returns
    -------
    bool, shape (samples, lanes)

    Raises
    ------
    UnknownBehaviour
        For 16 samples.
    """
    if samples not in _PLAIN:
        raise UnknownBehaviour("RASTER-ALPHACOVERAGE-1", f"alpha to coverage measured with {samples} samples")
    if not dither:
        return ranks(_PLAIN[samples])[:, np.newaxis] < plain_count(codes, samples)
    row, column = lanes.row & 1, lanes.column & 1
    table = np.array([[ranks(order) for order in pair] for pair in _DITHERED[samples]])
    count = dithered_count(codes, samples, _STEPS[row, column])
    rank = table[row, column].T
    covered: Covered = rank < count
    return covered


@rule(
    "RASTER-ALPHACOVERAGE-3",
    "Alpha to coverage looks at output 0 before alpha to one; of an integer target the integer is the alpha: 0 and "
    "below leave no sample, 1 and above all.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
    exactness="for targets of other than 8 bits only whole alphas were measured",
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
        ``store_norm``.
    dither : bool
    """
    if fmt.numeric_class is NumericClass.SINT:
        codes = np.where(alpha.view(np.int32) > 0, _FULL, 0).astype(np.int64)
    elif fmt.is_integer:
        codes = np.where(alpha > 0, _FULL, 0).astype(np.int64)
    else:
        codes = encode_unorm(from_bits(alpha), 8, rules).astype(np.int64)
    return covered_by_code(codes, samples, lanes, dither=dither)
