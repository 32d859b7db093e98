"""What value do weighted texels give? The one door to the sums.

Read next: ``integer_sums.py``, ``block_float.py``, ``special_values.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.block_float import float_result
from refnvn.texture.integer_sums import integer_result, integer_values
from refnvn.texture.special_values import NAN_BITS, with_specials
from refnvn.texture.texels import FLOAT_KINDS, NO_PLACE, Kind, Texels


@rule(
    "TEX-FILTER-3",
    "Gathers and reductions read a texel as the filter does with all the weight on it: from its own numbers, "
    "denormals of 32-bit floats as zeros, any NaN as the filter's.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-probe",),
)
def whole_values(texels: Texels) -> Float32:
    """Return what one group of channels of texels reads as with all the weight.

    Parameters
    ----------
    texels : Texels
        Numbers of any shape.

    Returns
    -------
    float32, same shape

    Examples
    --------
    >>> whole_values(Texels(Kind.UNORM16, (0,), np.array([65535, 0]))).tolist()
    [1.0, 0.0]
    """
    if texels.kind not in FLOAT_KINDS:
        return integer_values(texels.kind, texels.numbers * 256)
    with np.errstate(invalid="ignore"):
        values = texels.numbers.astype(np.float32)
    nan = np.uint32(NAN_BITS[texels.kind])
    return np.where(np.isnan(values), nan, values.view(np.uint32)).view(np.float32)


def filtered(
    texels: Texels,
    weights: Int64,
    takes_part: NDArray[np.bool_],
    *,
    whole: int = 256,
    at_once: int = 1,
    srgb: bool = False,
) -> Float32:
    """Return the filtered value of one group of channels.

    Parameters
    ----------
    texels : Texels
        Numbers of shape (quads, 4, lanes, channels), quads in order of level, then slice.
    weights : int64, shape (quads, 4, lanes)
        They add up to ``whole``.
    takes_part : bool, same shape
        Whether the product of a texel's fractions is not zero.
    whole : int
        256, or 1024 for the finer weights of anisotropic footprints.
    at_once : int
        How many quads of numbers with an exponent are added at once: the two slices of a level.
    srgb : bool
        Whether the format is an sRGB one.

    Returns
    -------
    float32, shape (lanes, channels)
    """
    numbers = texels.numbers
    flat = (-1, *numbers.shape[2:])
    if texels.kind not in FLOAT_KINDS:
        return integer_result(texels.kind, numbers.reshape(flat), weights.reshape(-1, weights.shape[-1]), whole)
    assert texels.places is not None
    finite = np.isfinite(numbers)
    result = float_result(
        texels.kind,
        np.where(finite, numbers, 0.0),
        np.where(finite, texels.places, NO_PLACE),
        weights,
        whole=whole,
        at_once=at_once,
        srgb=srgb and texels.kind is Kind.HALF,
    )
    return with_specials(result, numbers.reshape(flat), takes_part.reshape(-1, weights.shape[-1]), texels.kind)
