"""What does a sampler give that takes the least or the largest texel instead of the mean?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import SamplerReduction
from refnvn.formats.floatbits import Float32
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_NAN_RANK, _NO_RANK = 1 << 33, 1 << 34


@rule(
    "TEX-REDUCE-1",
    "Reduction MIN or MAX takes, component by component, the least or largest of the texels of all quads whose "
    "rounded weight is not zero, as the filter reads them; -0 is less than 0, and NaN counts only where there is "
    "nothing else.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules", "texture-probe", "seed-titles"),
    ledger=("sampler-reduction",),
)
def reduced(values: Float32, weights: NDArray[Any], reduction: SamplerReduction) -> Float32:
    """Return the least or largest values.

    Parameters
    ----------
    values : float32, shape (texels, ..., channels)
        As the filter reads them with all the weight.
    weights : int64, shape (texels, ...)
        In 1/256; where all are zero there is nothing to take.
    reduction : SamplerReduction
        MIN or MAX.

    Returns
    -------
    float32, shape (..., channels)

    Examples
    --------
    >>> four = np.array([[0.1], [0.9], [0.5], [0.3]], np.float32)
    >>> float(reduced(four, np.array([64, 64, 64, 64]), SamplerReduction.MAX)[0]) == float(np.float32(0.9))
    True
    """
    bits = np.ascontiguousarray(values).view(np.uint32)
    order = np.where(bits >> 31 == 1, ~bits, bits | np.uint32(1 << 31)).astype(np.int64)
    candidate = (weights > 0)[..., np.newaxis]
    sign = 1 if reduction is SamplerReduction.MIN else -1
    # texels without weight come last, NaN before them
    rank = np.where(candidate, np.where(np.isnan(values), _NAN_RANK, sign * order), _NO_RANK)
    chosen = rank.argmin(axis=0)[np.newaxis]
    result: Float32 = np.take_along_axis(values, chosen, axis=0)[0]
    return result
