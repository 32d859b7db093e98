"""What does an image load (``imageLoad``) read, where it differs from a texel fetch?

Texture units convert codes exactly; an image load brings the bits into the shader, where instructions that the
compiler adds convert them. The last bit of a unorm can differ, and the small unsigned floats lose their special
values. Image *stores* need no such file: they convert as draws do (``codec.encode``).

It does not address texels. Read next: ``codec.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.codec import CHANNELS, decode, missing_components
from refnvn.formats.floatbits import MANTISSA_BITS, Float32, UInt8, UInt32, from_bits
from refnvn.formats.norm import sign_extended
from refnvn.formats.packing import unpack_codes
from refnvn.formats.small_float import BIAS_DIFFERENCE, decode_half
from refnvn.formats.table import Format, NumericClass, Use
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, ImageLoad, Rules
from refnvn.rules.registry import rule

CANONICAL_NAN_BITS = 0x7FFFFFFF


@rule(
    "FMT-IMAGELOAD-1",
    "An image load multiplies a unorm or snorm code by the float32 nearest to 1 / largest code, rounding once more; "
    "snorm stays at least -1.",
    evidence=Evidence.DRIVER_MADE,
    sources=("hardware-vectors",),
    fields=("image_load",),
)
def load_norm(codes: UInt32, bits: int, *, signed: bool) -> Float32:
    """Read normalised codes as an image load does.

    Examples
    --------
    >>> float(load_norm(np.array(127), 8, signed=False)) - 127 / 255 > 1e-8
    True
    """
    number = sign_extended(codes, bits) if signed else np.asarray(codes)
    largest = (1 << (bits - signed)) - 1
    product = number.astype(np.float32) * np.float32(1.0 / largest)
    value: Float32 = np.maximum(product, np.float32(-1.0))
    return value


@rule(
    "FMT-IMAGELOAD-2",
    "An image load of a half reads every NaN as the bits 0x7fffffff, sign and payload lost.",
    evidence=Evidence.DRIVER_MADE,
    sources=("hardware-vectors",),
    fields=("image_load",),
)
def load_half(codes: UInt32) -> Float32:
    """Read half codes as an image load does.

    Examples
    --------
    >>> hex(int(load_half(np.array(0xFE00)).view(np.uint32)))
    '0x7fffffff'
    """
    values = decode_half(codes)
    return from_bits(np.where(np.isnan(values), np.uint32(CANONICAL_NAN_BITS), values.view(np.uint32)))


@rule(
    "FMT-IMAGELOAD-3",
    "An image load of an 11-bit or 10-bit float reads denormals as 0 and the largest exponent as an ordinary one: "
    "infinity is 65536, and a NaN a number above it.",
    evidence=Evidence.DRIVER_MADE,
    sources=("hardware-vectors",),
    fields=("image_load",),
)
def load_unsigned_float(codes: UInt32, mantissa_bits: int) -> Float32:
    """Read small unsigned floats as an image load does.

    Examples
    --------
    >>> load_unsigned_float(np.array([0x7C0, 0x3C0, 0x03F]), 6).tolist()
    [65536.0, 1.0, 0.0]
    """
    wide = np.asarray(codes).astype(np.uint32)
    shifted = (wide << np.uint32(MANTISSA_BITS - mantissa_bits)) + np.uint32(BIAS_DIFFERENCE << MANTISSA_BITS)
    return from_bits(np.where(wide >> np.uint32(mantissa_bits) == 0, np.uint32(0), shifted))


def _loaded(fmt: Format, codes: UInt32, bits: int) -> Float32 | None:
    """Return what a load makes of float-like codes, or None where it is what a fetch gives."""
    kind = fmt.numeric_class
    if kind in (NumericClass.UNORM, NumericClass.SNORM):
        return load_norm(codes, bits, signed=kind is NumericClass.SNORM)
    if kind is NumericClass.UFLOAT:
        return load_unsigned_float(codes, bits - 5)
    if kind is NumericClass.FLOAT and bits == 16:
        return load_half(codes)
    return None


def decode_image_load(fmt: Format, data: UInt8, rules: Rules = NVN) -> NDArray[Any]:
    """Read texels as an image load gives them to a shader.

    Parameters
    ----------
    fmt : Format
        A format with image use.
    data : uint8, shape (..., bytes_per_block)
    rules : Rules
        Reads ``image_load``.

    Returns
    -------
    float32, uint32 or int32, shape (..., 4)

    Raises
    ------
    UnsupportedFormat
        For a format without image use.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> decode_image_load(format_named("R8"), np.array([255], np.uint8)).tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    fmt.require(Use.IMAGE)
    if rules.image_load is ImageLoad.AS_FETCH:
        return decode(fmt, data, rules)
    codes = unpack_codes(fmt, data)
    values = missing_components(fmt, codes.shape[:-1])
    for place, component in enumerate(fmt.components):
        loaded = _loaded(fmt, codes[..., place], component.bits)
        if loaded is None:
            return decode(fmt, data, rules)
        values[..., CHANNELS.index(component.name)] = loaded
    return values
