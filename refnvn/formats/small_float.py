"""How does a float32 become a half, an 11-bit or a 10-bit float, and what do those read as?

All three have a 5-bit exponent with bias 15; they differ in the mantissa (10, 6 and 5 bits) and in that only the
half has a sign. NVIDIA's colour targets cut mantissa bits off instead of rounding, so a finite value never
becomes infinite. (``packHalf2x16`` in a shader rounds to nearest even: that is another rule, not here.)

RGB9E5 shares one exponent between three mantissas: ``shared_exponent.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.either import chosen
from refnvn.formats.floatbits import (
    INFINITY_BITS,
    MAGNITUDE_MASK,
    MANTISSA_BITS,
    MANTISSA_MASK,
    Float32,
    Int64,
    UInt32,
    float_bits,
    from_bits,
)
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules, StoreFloat
from refnvn.rules.registry import rule

HALF_MANTISSA_BITS = 10
BIAS_DIFFERENCE = 127 - 15
LARGEST_EXPONENT = 31
SIGN_HALF = 0x8000
_SIGN_SHIFT = 16
_LEAST_NORMAL = BIAS_DIFFERENCE + 1
_FAR_TOO_SMALL = 40
"""A shift that leaves nothing of a 24-bit significand, whatever the rounding."""


def dropped_bits(significand: Any, shift: Any, to_nearest: Any) -> Any:
    """Drop ``shift`` low bits: cut, or round to nearest with ties to even."""
    below_half = (np.int64(1) << (shift - 1)) - 1
    odd = (significand >> shift) & 1
    return (significand + to_nearest * (below_half + odd)) >> shift


def encoded_magnitude(magnitude: Any, mantissa_bits: Any, to_nearest: Any) -> Any:
    """Encode the bits of float32 magnitudes that are not NaN; int64, works on arrays and in compiled code.

    ``to_nearest`` is 1 where mantissas are rounded to nearest and 0 where they are cut.
    """
    exponent = magnitude >> MANTISSA_BITS
    shift = np.int64(MANTISSA_BITS - mantissa_bits)
    normal = dropped_bits(magnitude - (BIAS_DIFFERENCE << MANTISSA_BITS), shift, to_nearest)
    significand = (magnitude & MANTISSA_MASK) | (np.minimum(exponent, 1) << MANTISSA_BITS)
    extra = np.minimum(np.maximum(_LEAST_NORMAL - np.maximum(exponent, 1), 0), _FAR_TOO_SMALL)
    subnormal = dropped_bits(significand, shift + extra, to_nearest)
    code = chosen(exponent >= _LEAST_NORMAL, normal, subnormal)
    infinity = np.int64(LARGEST_EXPONENT << mantissa_bits)
    return chosen(magnitude >= INFINITY_BITS, infinity, np.minimum(code, infinity - 1 + to_nearest))


def with_sign(code: Any, bits: Any) -> Any:
    """Return magnitude codes of halves with the signs of float32 bits, int64; works in compiled code too."""
    return code | (bits >> _SIGN_SHIFT & SIGN_HALF)


def rounds_to_nearest(rules: Rules) -> int:
    """Return 1 where a store rounds mantissas to nearest, 0 where it cuts them."""
    return int(rules.store_float is not StoreFloat.TOWARD_ZERO)


@rule(
    "FMT-FLOAT-3",
    "A NaN stored to a half, 11-bit or 10-bit float stays a NaN: the top bits of its payload are kept, and a "
    "payload that would be lost becomes 1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    ledger=("vin-pull",),
)
def encode_nan(bits: UInt32, mantissa_bits: int) -> Int64:
    """Return the magnitude codes of float32 NaN bits; signalling NaNs stay signalling.

    Examples
    --------
    >>> [hex(int(encode_nan(np.uint32(b), 10))) for b in (0x7FC00000, 0x7F800001)]
    ['0x7e00', '0x7c01']
    """
    payload = (np.asarray(bits).astype(np.int64) & MANTISSA_MASK) >> (MANTISSA_BITS - mantissa_bits)
    code: Int64 = (LARGEST_EXPONENT << mantissa_bits) | np.maximum(payload, 1)
    return code


def _encode(bits: UInt32, mantissa_bits: int, rules: Rules) -> Int64:
    """Encode the magnitudes of float32 bits, NaN included."""
    magnitude = bits.astype(np.int64) & MAGNITUDE_MASK
    nan = magnitude > INFINITY_BITS
    code: Int64 = encoded_magnitude(np.where(nan, 0, magnitude), mantissa_bits, rounds_to_nearest(rules))
    if not nan.any():
        return code
    return np.where(nan, encode_nan(bits, mantissa_bits), code)


@rule(
    "FMT-FLOAT-1",
    "A float32 becomes a half by cutting mantissa bits off: finite values beyond the range become the largest "
    "finite half, infinities stay, denormals are kept.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    fields=("store_float",),
)
def encode_half(value: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store values as half floats.

    Parameters
    ----------
    value : float32, any shape
        Any float, NaN with payloads included.
    rules : Rules
        Reads ``store_float``.

    Returns
    -------
    uint32, same shape
        16-bit codes.

    Examples
    --------
    >>> [hex(int(encode_half(v))) for v in (1.0, 70000.0, float("-inf"))]
    ['0x3c00', '0x7bff', '0xfc00']
    """
    bits = float_bits(value)
    code = _encode(bits, HALF_MANTISSA_BITS, rules)
    signed: Int64 = with_sign(code, bits.astype(np.int64))
    return signed.astype(np.uint32)


@rule(
    "FMT-FLOAT-2",
    "A float32 becomes an 11-bit or 10-bit float by cutting mantissa bits off; every negative value, minus "
    "infinity included, becomes 0, and finite values beyond the range become the largest finite one.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "gl-small-floats", "metal-specification"),
    fields=("store_float",),
)
def encode_unsigned_float(value: ArrayLike, mantissa_bits: int, rules: Rules = NVN) -> UInt32:
    """Store values as unsigned small floats.

    Parameters
    ----------
    value : float32, any shape
        Any float; a NaN of either sign stays a NaN.
    mantissa_bits : int
        6 for an 11-bit float, 5 for a 10-bit float.
    rules : Rules
        Reads ``store_float``.

    Returns
    -------
    uint32, same shape

    Examples
    --------
    >>> [hex(int(encode_unsigned_float(v, 6))) for v in (1.0, -1.0, 1e9)]
    ['0x3c0', '0x0', '0x7bf']
    """
    bits = float_bits(value)
    negative = (bits > np.uint32(0x7FFFFFFF)) & (bits <= np.uint32(0x80000000 | INFINITY_BITS))
    return np.where(negative, 0, _encode(bits, mantissa_bits, rules)).astype(np.uint32)


def _decode_bits(code: NDArray[np.integer], mantissa_bits: int) -> UInt32:
    """Widen unsigned small floats to float32 bits, exactly."""
    wide = np.asarray(code).astype(np.uint32)
    exponent = wide >> np.uint32(mantissa_bits)
    mantissa = wide & np.uint32((1 << mantissa_bits) - 1)
    shifted = mantissa << np.uint32(MANTISSA_BITS - mantissa_bits)
    subnormal = (mantissa.astype(np.float32) * np.float32(2.0 ** (-14 - mantissa_bits))).view(np.uint32)
    normal = ((exponent + np.uint32(BIAS_DIFFERENCE)) << np.uint32(MANTISSA_BITS)) | shifted
    special = np.uint32(INFINITY_BITS) | shifted
    return np.where(exponent == 0, subnormal, np.where(exponent == LARGEST_EXPONENT, special, normal))


@rule(
    "FMT-FLOAT-4",
    "A half, 11-bit or 10-bit float reads as the float32 of the same value; a NaN keeps its payload, shifted up.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "gl-small-floats"),
)
def decode_small_float(code: NDArray[np.integer], mantissa_bits: int, *, signed: bool = False) -> Float32:
    """Read small floats.

    Parameters
    ----------
    code : integers, any shape
        Codes of 16 (signed), 11 or 10 bits.
    mantissa_bits : int
        10, 6 or 5.
    signed : bool
        Whether a sign bit stands above the exponent.

    Returns
    -------
    float32, same shape
        Exact. Denormals are kept.

    Examples
    --------
    >>> decode_small_float(np.array([0x3C0, 0x001]), 6).tolist() == [1.0, 2.0**-20]
    True
    """
    wide = np.asarray(code).astype(np.uint32)
    if not signed:
        return from_bits(_decode_bits(wide, mantissa_bits))
    sign_bit = np.uint32(mantissa_bits + 5)
    magnitude = _decode_bits(wide & np.uint32((1 << (mantissa_bits + 5)) - 1), mantissa_bits)
    return from_bits(magnitude | ((wide >> sign_bit) << np.uint32(31)))


def decode_half(code: NDArray[np.integer]) -> Float32:
    """Read half floats: ``decode_small_float`` with a sign and 10 mantissa bits.

    >>> decode_half(np.array([0x3C00, 0xFC00])).tolist()
    [1.0, -inf]
    """
    return decode_small_float(code, HALF_MANTISSA_BITS, signed=True)


@rule(
    "FMT-FLOAT-5",
    "A float32 is stored to and fetched from a 32-bit float format bit for bit: denormals, NaN payloads and "
    "signalling NaNs included.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def float32_code(value: ArrayLike) -> UInt32:
    """Return the code of a 32-bit float field: its bits. Decoding is the same the other way round.

    Examples
    --------
    >>> hex(int(float32_code(-2.0)))
    '0xc0000000'
    """
    return float_bits(value)
