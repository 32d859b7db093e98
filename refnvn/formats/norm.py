"""How does a value become an n-bit normalised code, and what does such a code read as?

``code`` is the stored integer, ``value`` the number it means: code / (2^n - 1) for unorm, code / (2^(n-1) - 1)
for snorm. What people usually get wrong is the way in: NVIDIA does not round ``value * (2^n - 1)`` to nearest. It
drops the value's fraction bits beyond n + 4 first and rounds halves down, so 0.5 is 127 in 8 bits.

Fields of fewer than 8 bits and the 2-bit alpha take another road: ``packed.py``. sRGB: ``srgb.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float32, Int64, UInt32, clamped
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules, StoreNorm
from refnvn.rules.registry import rule


def cut_then_half_down(magnitude: Any, scale: Any, largest: Any, below_half: Any, fraction: Any) -> Any:
    """Cut to a fraction of ``scale`` (a power of two), multiply by the largest code, round with halves going down.

    Floating point alone, exact while the product fits: all widths in float64, up to 10 bits in float32 too. So the
    same lines serve arrays and compiled code, one number at a time; ``below_half`` is ``scale / 2 - 1`` and
    ``fraction`` is ``1 / scale``.

    >>> float(cut_then_half_down(0.5, 4096.0, 255.0, 2047.0, 1 / 4096))
    127.0
    """
    return np.floor((np.floor(magnitude * scale) * largest + below_half) * fraction)


def truncated_then_half_down(magnitude: NDArray[np.float64], fraction_bits: int, largest: int) -> Int64:
    """Cut to ``fraction_bits``, multiply by the largest code, round to nearest with halves going down.

    >>> int(truncated_then_half_down(np.array(0.5), 12, 255))
    127
    """
    scale = float(1 << fraction_bits)
    code: NDArray[np.float64] = cut_then_half_down(magnitude, scale, float(largest), scale / 2 - 1, 1 / scale)
    return code.astype(np.int64)


def _nearest_even(magnitude: NDArray[np.float64], largest: int) -> Int64:
    """Round the product (24 bits of a float32 by at most 24 of a code: exact in float64) to nearest, ties to even."""
    return np.rint(magnitude * float(largest)).astype(np.int64)


@rule(
    "FMT-NORM-1",
    "A value becomes an n-bit unorm code by clamping to 0..1 (NaN is 0), cutting to n + 4 fraction bits, "
    "multiplying by 2^n - 1 and rounding to nearest with halves going down.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    ledger=("d16-clear",),
    fields=("store_norm",),
)
def encode_unorm(value: ArrayLike, bits: int, rules: Rules = NVN) -> UInt32:
    """Store values as n-bit unorm codes (8, 10 and 16 bits are measured; D16 is the same).

    Parameters
    ----------
    value : float32, any shape
        Any float, NaN and infinities included.
    bits : int
        Width of the field, 1 to 24.
    rules : Rules
        Reads ``store_norm``.

    Returns
    -------
    uint32, same shape
        0 to 2^n - 1.

    Examples
    --------
    >>> [int(encode_unorm(v, 8)) for v in (0.5, 1.0, -3.0, float("nan"))]
    [127, 255, 0, 0]
    """
    largest = (1 << bits) - 1
    magnitude = clamped(value, 0.0, 1.0)
    if rules.store_norm is StoreNorm.NVIDIA:
        return truncated_then_half_down(magnitude, bits + 4, largest).astype(np.uint32)
    return _nearest_even(magnitude, largest).astype(np.uint32)


@rule(
    "FMT-NORM-2",
    "A value becomes an n-bit snorm code like an unorm one, on its magnitude, with n + 3 fraction bits and the "
    "largest code 2^(n-1) - 1; the sign is put back, and -2^(n-1) is never stored.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    fields=("store_norm",),
)
def encode_snorm(value: ArrayLike, bits: int, rules: Rules = NVN) -> UInt32:
    """Store values as n-bit snorm codes, given as two's complement in the low n bits.

    Parameters
    ----------
    value : float32, any shape
        Any float, NaN (0) and infinities included.
    bits : int
        Width of the field, 2 to 24.
    rules : Rules
        Reads ``store_norm``.

    Returns
    -------
    uint32, same shape
        Two's complement in ``bits`` bits.

    Examples
    --------
    >>> [hex(int(encode_snorm(v, 8))) for v in (0.5, -0.5, -1.0)]
    ['0x3f', '0xc1', '0x81']
    """
    largest = (1 << (bits - 1)) - 1
    signed = clamped(value, -1.0, 1.0)
    if rules.store_norm is StoreNorm.NVIDIA:
        magnitude = truncated_then_half_down(np.abs(signed), bits + 3, largest)
    else:
        magnitude = _nearest_even(np.abs(signed), largest)
    code = np.where(signed < 0, -magnitude, magnitude) & np.int64((1 << bits) - 1)
    return code.astype(np.uint32)


@rule(
    "FMT-NORM-3",
    "An n-bit unorm code reads as code / (2^n - 1), rounded correctly to float32.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    exactness="correctly rounded",
)
def decode_unorm(code: NDArray[np.integer], bits: int) -> Float32:
    """Read n-bit unorm codes.

    Parameters
    ----------
    code : integers, any shape
        0 to 2^n - 1.
    bits : int
        Width of the field, 1 to 24, so that both sides of the division are exact in float32.

    Returns
    -------
    float32, same shape
        0 to 1, correctly rounded.

    Examples
    --------
    >>> float(decode_unorm(np.array(51), 8)) == float(np.float32(0.2))
    True
    """
    return np.asarray(code).astype(np.float32) / np.float32((1 << bits) - 1)


def sign_extended(code: NDArray[np.integer], bits: int) -> Int64:
    """Return two's complement codes of ``bits`` bits as signed integers.

    >>> int(sign_extended(np.array(0x81), 8))
    -127
    """
    wide = np.asarray(code).astype(np.int64)
    return wide - ((wide >> np.int64(bits - 1)) & np.int64(1)) * np.int64(1 << bits)


@rule(
    "FMT-NORM-4",
    "An n-bit snorm code reads as code / (2^(n-1) - 1), but never below -1: the two lowest codes both read as -1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    ledger=("vertex-formats",),
    exactness="correctly rounded",
)
def decode_snorm(code: NDArray[np.integer], bits: int) -> Float32:
    """Read n-bit snorm codes, two's complement in the low n bits.

    The 2-bit alpha of vertex format RGB10A2SN is clamped too. (NIL says that the texture unit leaves such an alpha
    at -2; no NVN texture format has one.)

    Parameters
    ----------
    code : integers, any shape
        Two's complement in ``bits`` bits.
    bits : int
        Width of the field, 2 to 24.

    Returns
    -------
    float32, same shape
        -1 to 1, correctly rounded.

    Examples
    --------
    >>> decode_snorm(np.array([0x80, 0x81, 0x7F]), 8).tolist()
    [-1.0, -1.0, 1.0]
    """
    signed = sign_extended(code, bits).astype(np.float32)
    value: Float32 = np.maximum(signed / np.float32((1 << (bits - 1)) - 1), np.float32(-1.0))
    return value
