"""How do three values become RGB9E5, and what does it read as?

Three 9-bit mantissas without a hidden bit and one 5-bit exponent with bias 15: a component is
``mantissa * 2^(exponent - 24)``. The exponent is the largest component's, so small components next to a large one
lose their bits.

Not a render target: encoding serves uploads and comparisons. Read next: ``codec.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float32, UInt32, clamped
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

MANTISSA_BITS = 9
BIAS = 15
LARGEST = 511.0 / 512.0 * 65536.0


@rule(
    "FMT-SHAREDEXP-1",
    "RGB9E5 takes the exponent of the largest component, clamped to 0..65408 with NaN as 0, and rounds each "
    "mantissa to nearest with halves going up; if the largest one overflows, the exponent is one more.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-shared-exponent",),
)
def encode_shared_exponent(rgb: ArrayLike) -> UInt32:
    """Store three values with a shared exponent.

    Parameters
    ----------
    rgb : float32, shape (..., 3)
        Any floats.

    Returns
    -------
    uint32, shape (..., 4)
        Mantissas of R, G and B, then the exponent.

    Examples
    --------
    >>> encode_shared_exponent([1.0, 0.5, 0.0]).tolist()
    [256, 128, 0, 16]
    """
    value = clamped(rgb, 0.0, LARGEST)
    largest = value.max(axis=-1)
    _, power = np.frexp(largest)  # largest = m * 2^power with m in [0.5, 1)
    exponent = np.where(largest > 0, np.maximum(power.astype(np.int64), -BIAS) + BIAS, 0)

    def mantissa(number: NDArray[np.float64], with_exponent: NDArray[np.int64]) -> NDArray[np.int64]:
        scaled = np.ldexp(number, (BIAS + MANTISSA_BITS - with_exponent).astype(np.int32))
        return np.floor(scaled + 0.5).astype(np.int64)

    exponent = exponent + (mantissa(largest, exponent) == 1 << MANTISSA_BITS)
    fields = mantissa(value, exponent[..., np.newaxis])
    return np.concatenate([fields, exponent[..., np.newaxis]], axis=-1).astype(np.uint32)


@rule(
    "FMT-SHAREDEXP-2",
    "A component of RGB9E5 reads as its mantissa times 2^(exponent - 24).",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "gl-shared-exponent"),
)
def decode_shared_exponent(codes: NDArray[np.integer]) -> Float32:
    """Read three mantissas and their exponent.

    Parameters
    ----------
    codes : integers, shape (..., 4)
        Mantissas of R, G and B (9 bits), then the exponent (5 bits).

    Returns
    -------
    float32, shape (..., 3)
        Exact.

    Examples
    --------
    >>> decode_shared_exponent(np.array([256, 128, 0, 16])).tolist()
    [1.0, 0.5, 0.0]
    """
    wide = np.asarray(codes)
    power = wide[..., 3:].astype(np.int32) - (BIAS + MANTISSA_BITS)
    return np.ldexp(wide[..., :3].astype(np.float32), power).astype(np.float32)
