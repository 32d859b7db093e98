"""How do values become the 1, 2, 4, 5 and 6-bit fields of packed formats, and what do those read as?

565, 5551 and 4444 have no converter of their own: the value becomes an 8-bit code whose low bits are dropped, so
these formats round down, twice. On the way back the bits are repeated to fill eight. Where a field stands in the
texel (NVN's order and the BGR order) makes no difference.

The 10-bit fields of 10:10:10:2 are plain unorm: ``norm.py``. Bit positions: ``packing.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float32, UInt32
from refnvn.formats.norm import decode_unorm, encode_unorm
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, DecodePacked, Rules, StoreAlpha2, StoreNorm, StorePacked
from refnvn.rules.registry import rule

_NEAREST = NVN.with_(store_norm=StoreNorm.NEAREST_EVEN)


def _through_8_bits(value: ArrayLike, bits: int, rules: Rules) -> UInt32:
    """Drop the low bits of the 8-bit code, or convert straight to nearest."""
    if rules.store_packed is StorePacked.THROUGH_8_BITS:
        return encode_unorm(value, 8, rules) >> np.uint32(8 - bits)
    return encode_unorm(value, bits, _NEAREST)


@rule(
    "FMT-PACKED-1",
    "A value becomes a 5 or 6-bit code of a 565 or 5551 format as an 8-bit unorm code whose low bits are dropped.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    fields=("store_packed", "store_norm"),
)
def encode_packed(value: ArrayLike, bits: int, rules: Rules = NVN) -> UInt32:
    """Store values as 5 or 6-bit codes.

    Parameters
    ----------
    value : float32, any shape
        Any float.
    bits : int
        5 or 6.
    rules : Rules
        Reads ``store_packed``, and ``store_norm`` for the 8 bits on the way.

    Returns
    -------
    uint32, same shape

    Examples
    --------
    >>> int(encode_packed(0.5, 5)), int(encode_packed(0.5, 6))
    (15, 31)
    """
    return _through_8_bits(value, bits, rules)


@rule(
    "FMT-PACKED-2",
    "A value becomes a 1-bit alpha as the top bit of its 8-bit unorm code: one from just above one half.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    fields=("store_packed", "store_norm"),
)
def encode_alpha1(value: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store values as the 1-bit alpha of 5551 formats.

    Examples
    --------
    >>> int(encode_alpha1(0.5)), int(encode_alpha1(0.502))
    (0, 1)
    """
    return _through_8_bits(value, 1, rules)


@rule(
    "FMT-PACKED-3",
    "A value becomes a 4-bit code of RGBA4 as the top four bits of its 8-bit unorm code.",
    evidence=Evidence.DRIVER_MADE,
    sources=("hardware-vectors", "open-gpu-doc"),
    fields=("store_packed", "store_norm"),
)
def encode_packed4(value: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store values as 4-bit codes. No colour target has such fields: the measured driver drew to 8 bits instead.

    Examples
    --------
    >>> int(encode_packed4(0.999))
    15
    """
    return _through_8_bits(value, 4, rules)


@rule(
    "FMT-PACKED-4",
    "A value becomes the 2-bit alpha of 10:10:10:2 through its 10-bit unorm code, whose top four bits are divided "
    "by five and rounded to nearest.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    fields=("store_alpha2", "store_norm"),
)
def encode_alpha2(value: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store values as the 2-bit alpha of RGB10A2.

    Examples
    --------
    >>> [int(encode_alpha2(k / 3)) for k in range(4)]
    [0, 1, 2, 3]
    """
    if rules.store_alpha2 is StoreAlpha2.THROUGH_10_BITS:
        top = encode_unorm(value, 10, rules) >> np.uint32(6)
        return (top + np.uint32(2)) // np.uint32(5)
    return encode_unorm(value, 2, _NEAREST)


@rule(
    "FMT-PACKED-5",
    "A 5 or 6-bit code of 565 and 5551 reads as its bits repeated to eight, over 255.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    fields=("decode_packed",),
    exactness="correctly rounded",
)
def decode_packed(code: NDArray[np.integer], bits: int, rules: Rules = NVN) -> Float32:
    """Read 5 or 6-bit codes.

    Parameters
    ----------
    code : integers, any shape
        0 to 2^bits - 1.
    bits : int
        5 or 6. (1 and 4 bits repeated to eight are the plain quotient: ``decode_unorm`` does them.)
    rules : Rules
        Reads ``decode_packed``.

    Returns
    -------
    float32, same shape

    Examples
    --------
    >>> float(decode_packed(np.array(16), 5)) == float(np.float32(132) / np.float32(255))
    True
    """
    if rules.decode_packed is DecodePacked.DIVIDE:
        return decode_unorm(code, bits)
    wide = np.asarray(code).astype(np.uint32)
    repeated = (wide << np.uint32(8 - bits)) | (wide >> np.uint32(2 * bits - 8))
    return decode_unorm(repeated, 8)
