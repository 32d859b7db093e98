"""What do texel bytes read as, and what bytes do values become?

Values travel as R, G, B, A whatever the order of the bytes: float32 for most formats, uint32 or int32 for integer
formats. What a format lacks reads as 0, 0, 0, 1. This file only sends each component to the room of its rule.

Blocks of compressed formats are read by ``blocks.py``, to which ``decode`` hands over; nothing encodes to blocks.
It does not swizzle, filter or blend. For a picture of any format: ``preview.py``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.errors import ShapeError, UnsupportedFormat
from refnvn.formats.depth_stencil import depth_value
from refnvn.formats.floatbits import Float32, UInt8, UInt32, as_float32, from_bits
from refnvn.formats.integer import as_integers, decode_integer, decode_integer_as_float, encode_integer
from refnvn.formats.norm import decode_snorm, decode_unorm, encode_snorm, encode_unorm
from refnvn.formats.packed import (
    decode_packed,
    encode_alpha1,
    encode_alpha2,
    encode_packed,
    encode_packed4,
)
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.padding import padding_codes
from refnvn.formats.shared_exponent import decode_shared_exponent, encode_shared_exponent
from refnvn.formats.small_float import (
    decode_half,
    decode_small_float,
    encode_half,
    encode_unsigned_float,
    float32_code,
)
from refnvn.formats.srgb import decode_srgb, encode_srgb, encode_srgb_alpha
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule

CHANNELS = "RGBA"
_AS_FLOAT = (NumericClass.UINT_TO_FLOAT, NumericClass.SINT_TO_FLOAT)


def _require_components(fmt: Format) -> None:
    if not fmt.components:
        raise UnsupportedFormat(f"{fmt.nvn_name} holds nothing; any other format can be decoded")


def value_dtype(fmt: Format) -> np.dtype[Any]:
    """Return the dtype of a format's values: float32, or uint32 or int32 for integer formats.

    >>> from refnvn.formats.table import format_named
    >>> value_dtype(format_named("R8I")).name
    'int32'
    """
    if fmt.numeric_class is NumericClass.SINT:
        return np.dtype(np.int32)
    return np.dtype(np.uint32) if fmt.is_integer else np.dtype(np.float32)


@rule(
    "FMT-FILL-1",
    "Components that a format lacks read as 0, 0, 0 and 1: the float 1.0, or the integer 1 in integer formats.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "nvn-formats", "seed-titles"),
    ledger=("depth-as-red", "float-pad"),
)
def missing_components(fmt: Format, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return values of ``shape`` + (4,) that hold 0, 0, 0, 1 in the format's dtype.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> missing_components(format_named("R8"), ()).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    values = np.zeros((*shape, 4), dtype=value_dtype(fmt))
    values[..., 3] = 1
    return values


def component_value(fmt: Format, component: Component, codes: UInt32, rules: Rules = NVN) -> NDArray[Any]:
    """Return what the codes of one component read as; not for the shared exponent format.

    Parameters
    ----------
    fmt : Format
        The component's format.
    component : Component
        One of R, G, B, A, D or S.
    codes : uint32, any shape
    rules : Rules
        Reads ``decode_srgb`` or ``decode_packed``.

    Returns
    -------
    float32, uint32 or int32, same shape
    """
    kind, bits = fmt.numeric_class, component.bits
    if component.name == "S" or kind is NumericClass.UINT:
        return decode_integer(codes, bits, signed=False)
    if component.name == "D":
        return depth_value(codes, bits)
    if kind is NumericClass.SINT:
        return decode_integer(codes, bits, signed=True)
    if kind in _AS_FLOAT:
        return decode_integer_as_float(codes, bits, signed=kind is NumericClass.SINT_TO_FLOAT)
    if kind is NumericClass.SNORM:
        return decode_snorm(codes, bits)
    if kind is NumericClass.UNORM:
        return _unorm_value(fmt, component, codes, rules)
    return _float_value(codes, bits)


def _unorm_value(fmt: Format, component: Component, codes: UInt32, rules: Rules) -> Float32:
    if fmt.srgb and component.name != "A":
        return decode_srgb(codes, rules)
    if component.bits in (5, 6):
        return decode_packed(codes, component.bits, rules)
    return decode_unorm(codes, component.bits)


def _float_value(codes: UInt32, bits: int) -> Float32:
    if bits == 32:
        return from_bits(codes)
    if bits == 16:
        return decode_half(codes)
    return decode_small_float(codes, bits - 5)


def decode(fmt: Format, data: UInt8, rules: Rules = NVN) -> NDArray[Any]:
    """Read texels as R, G, B, A values.

    Depth formats, combined ones included, give (depth, 0, 0, 1); ``STENCIL8`` gives (stencil, 0, 0, 1) as integers.
    :func:`refnvn.formats.depth_stencil.decode_stencil` reads the other plane of a combined format.

    Parameters
    ----------
    fmt : Format
        Any format but NONE. Vertex formats too.
    data : uint8, shape (..., bytes_per_block)
        Texels, or blocks of a compressed format.
    rules : Rules
        Reads ``decode_srgb``, ``decode_packed`` and, for ASTC, ``astc_decode`` and ``astc_profile``.

    Returns
    -------
    float32, shape (..., 4)
        uint32 for unsigned integer and stencil formats, int32 for signed integer formats. Of a compressed format
        float32, shape (..., block_height_px, block_width_px, 4): blocks are not laid out as an image; for that
        there is :func:`refnvn.formats.blocks.decode_image`.

    Raises
    ------
    UnsupportedFormat
        For NONE.
    ShapeError
        For data of another dtype or last dimension.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> decode(format_named("BGRA8"), np.array([255, 0, 0, 255], np.uint8)).tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    if fmt.is_compressed:
        from refnvn.formats.blocks import decode_blocks_values

        return decode_blocks_values(fmt, data, rules)
    _require_components(fmt)
    codes = unpack_codes(fmt, data)
    values = missing_components(fmt, codes.shape[:-1])
    if fmt.numeric_class is NumericClass.SHARED_EXPONENT:
        values[..., :3] = decode_shared_exponent(codes)
        return values
    for place, component in enumerate(fmt.components):
        channel = _channel(fmt, component)
        if channel is not None:
            values[..., channel] = component_value(fmt, component, codes[..., place], rules)
    return values


def _channel(fmt: Format, component: Component) -> int | None:
    """Return which of R, G, B, A a component reads as: depth as red, stencil only where there is no depth."""
    if component.name in CHANNELS:
        return CHANNELS.index(component.name)
    if component.name == "D" or (component.name == "S" and fmt.component("D") is None):
        return 0
    return None


def component_code(fmt: Format, component: Component, values: NDArray[Any], rules: Rules = NVN) -> UInt32:
    """Return the codes that values become in one colour component; not for the shared exponent format.

    Parameters
    ----------
    fmt : Format
        The component's format.
    component : Component
        One of R, G, B, A.
    values : float32, or integers for integer formats, any shape
    rules : Rules
        Reads what the conversion needs.

    Returns
    -------
    uint32, same shape
    """
    kind, bits = fmt.numeric_class, component.bits
    if kind in (NumericClass.UINT, NumericClass.SINT):
        return encode_integer(values, bits, signed=kind is NumericClass.SINT)
    if kind is NumericClass.SNORM:
        return encode_snorm(values, bits, rules)
    if kind is NumericClass.UNORM:
        return _unorm_code(fmt, component, values, rules)
    if bits == 32:
        return float32_code(values)
    return encode_half(values, rules) if bits == 16 else encode_unsigned_float(values, bits - 5, rules)


def _unorm_code(fmt: Format, component: Component, values: NDArray[Any], rules: Rules) -> UInt32:
    if fmt.srgb:
        return encode_srgb_alpha(values, rules) if component.name in "AX" else encode_srgb(values, rules)
    if component.bits == 1:
        return encode_alpha1(values, rules)
    if component.bits == 2:
        return encode_alpha2(values, rules)
    if component.bits == 4:
        return encode_packed4(values, rules)
    if component.bits in (5, 6):
        return encode_packed(values, component.bits, rules)
    return encode_unorm(values, component.bits, rules)


def encode(fmt: Format, values: ArrayLike, rules: Rules = NVN) -> UInt8:
    """Store R, G, B, A values as texels, as a draw, a clear or an image store does.

    Formats that are no target (RGB9E5F, RGBA4, three-component formats) are encoded too: uploads need them.

    Parameters
    ----------
    fmt : Format
        Any colour format that is not compressed and not ``_UI2F`` or ``_I2F``.
    values : float32, shape (..., 4)
        R, G, B, A; of integer formats integers of any width. What the format lacks is ignored.
    rules : Rules
        Reads the ``store_*`` fields.

    Returns
    -------
    uint8, shape (..., bytes_per_block)

    Raises
    ------
    UnsupportedFormat
        For compressed, depth-stencil and convert-on-fetch formats.
    ShapeError
        Where the last dimension is not 4, or an integer format is given floats.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> encode(format_named("BGRA8"), [1.0, 0.5, 0.0, 1.0]).tolist()
    [0, 127, 255, 255]
    """
    _require_encodable(fmt)
    array: NDArray[Any] = as_integers(values) if fmt.is_integer else as_float32(values)
    if array.ndim == 0 or array.shape[-1] != 4:
        raise ShapeError(f"values of {fmt.nvn_name} must have shape (..., 4), not {array.shape}")
    if fmt.numeric_class is NumericClass.SHARED_EXPONENT:
        return pack_codes(fmt, encode_shared_exponent(array[..., :3]))
    alike = _all_alike(fmt)
    if alike is not None:
        return pack_codes(fmt, component_code(fmt, fmt.components[0], array[..., alike], rules))
    codes = np.empty((*array.shape[:-1], len(fmt.components)), dtype=np.uint32)
    for place, component in enumerate(fmt.components):
        if component.name == "X":
            codes[..., place] = padding_codes(fmt, component, array[..., 3], rules, component_code)
        else:
            channel = CHANNELS.index(component.name)
            codes[..., place] = component_code(fmt, component, array[..., channel], rules)
    return pack_codes(fmt, codes)


@functools.cache
def _all_alike(fmt: Format) -> list[int] | None:
    """Return the channels of components that all become codes in the same way; None where they do not."""
    names = [component.name for component in fmt.components]
    same = len({component.bits for component in fmt.components}) == 1 and not fmt.srgb
    return [CHANNELS.index(name) for name in names] if same and set(names) <= set(CHANNELS) else None


def _require_encodable(fmt: Format) -> None:
    if fmt.is_compressed:
        raise UnsupportedFormat(f"{fmt.nvn_name} is compressed: nothing here encodes values to blocks")
    _require_components(fmt)
    if fmt.is_depth_stencil:
        raise UnsupportedFormat(
            f"{fmt.nvn_name} has no colour; refnvn.formats.depth_stencil.encode_depth_stencil stores its planes"
        )
    if fmt.numeric_class in _AS_FLOAT:
        raise UnsupportedFormat(f"{fmt.nvn_name} can only be read, as a vertex attribute; nothing stores to it")
