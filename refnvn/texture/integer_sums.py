"""What does the filter make of weighted texels that are whole numbers?

All products of all quads go into one sum; nothing is rounded between slices or levels. Weights are in 1/256 and add
up to 256, so the sum is in 1/256 of a code.

Values with an exponent: ``block_float.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.texels import Kind

_SOURCES = ("texture-vectors", "texture-rules")


@rule(
    "TEX-SUM-1",
    "Weighted unorm and 16-bit snorm codes are added up exactly and rounded to nearest, halves up; the result reads "
    "over 65535 or 32767, snorm not below -1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def norm_result(sum_256: Int64, kind: Kind) -> Float32:
    """Return the value of a sum of UNORM16 or SNORM16 codes in 1/256.

    Examples
    --------
    >>> float(norm_result(np.array(256 * 65535), Kind.UNORM16))
    1.0
    """
    code = (sum_256 + 128) >> 8
    largest = 65535 if kind is Kind.UNORM16 else 32767
    value: Float32 = np.maximum(code, -largest).astype(np.float32) / np.float32(largest)
    return value


@rule(
    "TEX-SUM-2",
    "Weighted 8-bit snorm codes are added up exactly, -128 as it is; the sum S in 1/256 becomes the 16-bit code "
    "S + (S/16 + S/4096 + 4)/8, quotients floored, not below -32767.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def snorm8_result(sum_256: Int64) -> Float32:
    """Return the value of a sum of 8-bit snorm codes in 1/256.

    Filtered at its centre, a texel of -64 gives -16512/32767, not the -64/127 that a fetch reads.

    Examples
    --------
    >>> float(snorm8_result(np.array(-64 * 256))) == float(np.float32(-16512) / np.float32(32767))
    True
    """
    code = sum_256 + (((sum_256 >> 4) + (sum_256 >> 12) + 4) >> 3)
    value: Float32 = np.maximum(code, -32767).astype(np.float32) / np.float32(32767)
    return value


@rule(
    "TEX-SUM-3",
    "Weighted 24-bit depth codes are added up exactly, cut to 24 significant bits, and read over 2^24 - 1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def depth24_result(sum_256: Int64) -> Float32:
    """Return the value of a sum of 24-bit depth codes in 1/256.

    Examples
    --------
    >>> float(depth24_result(np.array(256 * 0xFFFFFF)))
    1.0
    """
    _, bits = np.frexp(sum_256.astype(np.float64))
    spare = np.maximum(bits.astype(np.int64) - 24, 0)
    cut = ((sum_256 >> spare) << spare).astype(np.float64)
    return (cut / (256.0 * 0xFFFFFF)).astype(np.float32)


def integer_values(kind: Kind, sum_256: Int64) -> Float32:
    """Return the values of sums of whole numbers, in 1/256, by their kind."""
    if kind is Kind.SNORM8:
        return snorm8_result(sum_256)
    if kind is Kind.DEPTH24:
        return depth24_result(sum_256)
    return norm_result(sum_256, kind)


def integer_result(kind: Kind, numbers: NDArray[Any], weights: Int64, whole: int = 256) -> Float32:
    """Return the filtered value of whole numbers.

    Parameters
    ----------
    kind : Kind
        UNORM16, SNORM16, SNORM8 or DEPTH24.
    numbers : int64, shape (texels, ..., channels)
    weights : int64, shape (texels, ...)
        They add up to ``whole``.
    whole : int
        256 or a multiple of it.

    Returns
    -------
    float32, shape (..., channels)

    Examples
    --------
    >>> float(integer_result(Kind.UNORM16, np.array([[0], [65535]]), np.array([128, 128]))[0])
    0.5000076293945312
    """
    sum_256: Int64 = (numbers * weights[..., np.newaxis]).sum(axis=0) // (whole // 256)
    return integer_values(kind, sum_256)
