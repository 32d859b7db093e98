"""What does the filter make of NaN, infinities and negative zeros?

Finite texels are added by ``block_float.py``; what is special among the texels that take part then overrides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.texels import Kind

NAN_BITS = {Kind.HALF: 0x7FFFE000, Kind.FLOAT32: 0x7FFFFFFF}


@rule(
    "TEX-SPECIAL-1",
    "A NaN, or infinities of both signs, among the texels that take part give the NaN 0x7fffffff (formats with "
    "5-bit exponents: 0x7fffe000); infinities of one sign give that infinity; nothing but -0 gives -0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def with_specials(result: Float32, values: Float64, takes_part: NDArray[np.bool_], kind: Kind) -> Float32:
    """Return filtered values, overridden where special texels take part.

    Parameters
    ----------
    result : float32, shape (..., channels)
        What the finite texels give.
    values : float64, shape (texels, ..., channels)
        All texels.
    takes_part : bool, shape (texels, ...)
        Whether the product of a texel's fractions is not zero.
    kind : Kind
        HALF or FLOAT32.

    Returns
    -------
    float32, shape (..., channels)

    Examples
    --------
    >>> both = np.array([[np.inf], [-np.inf]])
    >>> with_specials(np.zeros(1, np.float32), both, np.array([True, True]), Kind.HALF).view(np.uint32).tolist()
    [2147475456]
    """
    part = takes_part[..., np.newaxis]

    def among(which: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray((which & part).any(axis=0))

    positive, negative = among(values == np.inf), among(values == -np.inf)
    nothing = np.asarray(among(np.isnan(values)) | (positive & negative))
    only_minus_zero = np.asarray(~among((values != 0) | ~np.signbit(values)))
    bits = np.ascontiguousarray(result).view(np.uint32).reshape(result.shape)
    for where, code in (
        (only_minus_zero, 0x80000000), (positive, 0x7F800000), (negative, 0xFF800000), (nothing, NAN_BITS[kind]),
    ):  # fmt: skip
        bits = np.where(where, np.uint32(code), bits)
    return bits.view(np.float32)
