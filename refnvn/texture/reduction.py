"""What does a sampler give that takes the least or the largest texel instead of the mean?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import SamplerReduction
from refnvn.formats.floatbits import Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


@rule(
    "TEX-REDUCE-1",
    "Reduction MIN or MAX takes, component by component, the least or largest fetched value of the texels whose "
    "rounded weight is not zero.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules", "seed-titles"),
    ledger=("sampler-reduction",),
)
def reduced(values: NDArray[Any], weights: Int64, reduction: SamplerReduction) -> NDArray[Any]:
    """Return the least or largest values.

    Parameters
    ----------
    values : float32, shape (texels, ..., channels)
        As a fetch reads them.
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
    smallest = reduction is SamplerReduction.MIN
    left_out = np.inf if smallest else -np.inf
    candidates = np.where((weights > 0)[..., np.newaxis], values, np.asarray(left_out, values.dtype))
    result: NDArray[Any] = candidates.min(axis=0) if smallest else candidates.max(axis=0)
    return result
