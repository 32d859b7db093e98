"""How do integers become the codes of integer formats, and what do those read as?

Values outside the range of a field saturate; they do not wrap. (Border colours of samplers do wrap: that is
another rule, not here.) The vertex formats ``_UI2F`` and ``_I2F`` store integers that the shader sees as floats.

Read next: ``codec.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.errors import ShapeError
from refnvn.formats.floatbits import Float32, Int64, UInt32
from refnvn.formats.norm import sign_extended
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_INT64_MAX = (1 << 63) - 1


def as_integers(values: ArrayLike) -> Int64:
    """Return integers as int64, refusing floats: an integer must never pass through one.

    Raises
    ------
    ShapeError
        For values that are not integers.
    """
    array: NDArray[Any] = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise ShapeError(f"values of an integer format must be integers, not {array.dtype}")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(_INT64_MAX))
    return array.astype(np.int64)


@rule(
    "FMT-INT-1",
    "An integer saturates to the range of its field, signed or unsigned, in draws, clears and image stores.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    ledger=("clear-int",),
)
def encode_integer(values: ArrayLike, bits: int, *, signed: bool) -> UInt32:
    """Store integers.

    Parameters
    ----------
    values : integers, any shape
        Any range.
    bits : int
        Width of the field, 1 to 32.
    signed : bool
        Whether the field is two's complement.

    Returns
    -------
    uint32, same shape
        Codes in the low ``bits`` bits.

    Examples
    --------
    >>> int(encode_integer(300, 8, signed=False)), hex(int(encode_integer(-300, 8, signed=True)))
    (255, '0x80')
    """
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return (np.clip(as_integers(values), low, high) & np.int64((1 << bits) - 1)).astype(np.uint32)


@rule(
    "FMT-INT-2",
    "A field of a signed integer format is sign-extended, one of an unsigned format zero-extended, to 32 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    ledger=("int-vertex-inputs", "vconv-format-sign"),
)
def decode_integer(codes: NDArray[np.integer], bits: int, *, signed: bool) -> NDArray[Any]:
    """Read integers: int32 if ``signed``, else uint32.

    Examples
    --------
    >>> int(decode_integer(np.array(0xFD), 8, signed=True))
    -3
    """
    if signed:
        return sign_extended(codes, bits).astype(np.int32)
    return np.asarray(codes).astype(np.uint32)


@rule(
    "FMT-INT-3",
    "A field of a vertex format _UI2F or _I2F reads as the float32 nearest to its integer, ties to even.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "open-gpu-doc"),
    ledger=("vertex-formats",),
    exactness="correctly rounded",
)
def decode_integer_as_float(codes: NDArray[np.integer], bits: int, *, signed: bool) -> Float32:
    """Read integers as floats of the same value.

    Examples
    --------
    >>> float(decode_integer_as_float(np.array(0xFFFF), 16, signed=True))
    -1.0
    """
    wide = sign_extended(codes, bits) if signed else np.asarray(codes).astype(np.int64)
    return wide.astype(np.float32)
