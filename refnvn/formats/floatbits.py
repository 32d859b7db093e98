"""How do the rules take float32 apart without ever disturbing a bit?

NaN payloads and denormals count, so values travel as float32 and are judged by their bits. NumPy's own casts
would quiet a signalling NaN or warn about it.

It holds no rule of NVN. Read next: ``norm.py``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float32: TypeAlias = NDArray[np.float32]
Float64: TypeAlias = NDArray[np.float64]
UInt8: TypeAlias = NDArray[np.uint8]
UInt32: TypeAlias = NDArray[np.uint32]
Int64: TypeAlias = NDArray[np.int64]

INFINITY_BITS = 0x7F800000
MANTISSA_BITS = 23
MANTISSA_MASK = 0x007FFFFF
MAGNITUDE_MASK = 0x7FFFFFFF


def as_float32(values: ArrayLike) -> Float32:
    """Return ``values`` as float32; an array that is float32 already keeps every bit.

    Anything else is rounded to the nearest float32, beyond its range to infinity.
    """
    array = np.asarray(values)
    if array.dtype == np.float32:
        return np.ascontiguousarray(array).reshape(array.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(array, dtype=np.float32)


def float_bits(values: ArrayLike) -> UInt32:
    """Return the bits of float32 values.

    >>> hex(int(float_bits(1.0)))
    '0x3f800000'
    """
    return as_float32(values).view(np.uint32)


def from_bits(bits: NDArray[np.integer]) -> Float32:
    """Return the float32 values that have these bits."""
    return np.ascontiguousarray(bits, dtype=np.uint32).reshape(np.shape(bits)).view(np.float32)


def is_nan_bits(bits: UInt32) -> NDArray[np.bool_]:
    """Return which float32 bits are a NaN of any kind."""
    return (bits & np.uint32(MAGNITUDE_MASK)) > np.uint32(INFINITY_BITS)


def clamped(values: ArrayLike, low: float, high: float) -> Float64:
    """Return values clamped to ``low`` .. ``high`` as float64, which holds every float32; NaN is 0."""
    bits = float_bits(values)
    finite = from_bits(np.where(is_nan_bits(bits), np.uint32(0), bits)).astype(np.float64)
    return np.clip(finite, low, high)
