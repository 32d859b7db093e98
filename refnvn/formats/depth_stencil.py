"""How do depth and stencil become codes, what do they read as, and how do they share a texel?

Depth is clamped to 0..1 in every format, the floating-point one too (draws that switch the clamp off are the
rasteriser's affair). Where the planes stand in a texel comes from the format table: ``DEPTH24_STENCIL8`` has stencil
in the lowest byte, ``DEPTH32F_STENCIL8`` has it in byte 4 with 24 bits behind it that nothing reads.

It does not test or compare. Read next: ``codec.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.errors import FieldRangeError, ShapeError, UnsupportedFormat
from refnvn.formats.either import chosen
from refnvn.formats.floatbits import (
    INFINITY_BITS,
    MAGNITUDE_MASK,
    Float32,
    UInt8,
    UInt32,
    clamped,
    float_bits,
    from_bits,
    is_nan_bits,
)
from refnvn.formats.integer import as_integers
from refnvn.formats.norm import decode_unorm, encode_unorm
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules, StoreDepth24
from refnvn.rules.registry import rule

_ONE = np.uint32(0x3F800000)
_INFINITY = np.uint32(INFINITY_BITS)
_LEAST_NORMAL = np.uint32(0x00800000)
_SIGN, _MAGNITUDE = np.uint32(0x80000000), np.uint32(MAGNITUDE_MASK)


@rule(
    "FMT-DEPTH-1",
    "A depth becomes a 16-bit code exactly as a 16-bit unorm colour would, in draws and clears alike.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "seed-titles"),
    ledger=("d16-clear",),
    fields=("store_norm",),
)
def encode_depth16(depth: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store depth in 16 bits.

    The notes on titles expect 32768 for 0.5, but say that the console's rounding was not measured; the chip stores
    32767. What they need, that a clear and a draw of one value store one code, holds either way.

    Examples
    --------
    >>> int(encode_depth16(0.5)), int(encode_depth16(2.0))
    (32767, 65535)
    """
    return encode_unorm(depth, 16, rules)


@rule(
    "FMT-DEPTH-2",
    "A depth becomes a 24-bit code as (depth * 2^24 cut to 4 fraction bits) - (depth cut to 4 fraction bits), "
    "rounded to nearest; halves go up to depth 0.5 and down above it.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    fields=("store_depth24",),
)
def encode_depth24(depth: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store depth in 24 bits: multiplication by 2^24 - 1 in a subtractor that is only four bits deep.

    Parameters
    ----------
    depth : float32, any shape
        Any float; clamped, NaN is 0.
    rules : Rules
        Reads ``store_depth24``.

    Returns
    -------
    uint32, same shape

    Examples
    --------
    >>> int(encode_depth24(0.5)), int(encode_depth24(0.75)), int(encode_depth24(1.0))
    (8388608, 12582911, 16777215)
    """
    unit = clamped(depth, 0.0, 1.0)
    if rules.store_depth24 is not StoreDepth24.NVIDIA:
        # float32 times 2^24 - 1 has at most 48 bits, so the product is exact
        return np.rint(unit * float((1 << 24) - 1)).astype(np.uint32)
    code: UInt32 = depth24_of(unit).astype(np.uint32)
    return code


def depth24_of(unit: Any) -> Any:
    """Return the code of a depth from 0 to 1, float64; works on arrays and in compiled code."""
    difference_16ths = np.int64(np.floor(unit * 2.0**28)) - np.int64(np.floor(unit * 16.0))
    return (difference_16ths + 8 - (unit > 0.5)) >> 4


@rule(
    "FMT-DEPTH-3",
    "A depth that a draw stores to a 32-bit float is clamped to 0..1 with NaN as 0; a denormal becomes the zero of "
    "its sign, and minus zero stays.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def encode_depth32f(depth: ArrayLike) -> UInt32:
    """Store the depth of a fragment in a float32.

    Examples
    --------
    >>> [hex(int(encode_depth32f(v))) for v in (2.0, -1.0, -1e-40)]
    ['0x3f800000', '0x0', '0x80000000']
    """
    found: UInt32 = depth32f_of(float_bits(depth))
    return found


def depth32f_of(bits: Any) -> Any:
    """Return the code of a depth from its float32 bits; works on arrays and in compiled code."""
    denormal = np.uint32(bits & _MAGNITUDE) < _LEAST_NORMAL
    return chosen(denormal, np.uint32(bits & _SIGN), clamped_bits(bits))


@rule(
    "FMT-DEPTH-4",
    "A depth that a clear stores to a 32-bit float is clamped to 0..1 with NaN as 0; denormals are kept, and minus "
    "zero stays.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def encode_depth32f_clear(depth: ArrayLike) -> UInt32:
    """Store the value of a depth clear in a float32.

    Examples
    --------
    >>> hex(int(encode_depth32f_clear(np.float32(1e-45))))
    '0x1'
    """
    found: UInt32 = clamped_bits(float_bits(depth))
    return found


def clamped_bits(bits: Any) -> Any:
    """Clamp float32 bits to 0..1; NaN and everything below zero become +0, minus zero stays."""
    nothing = is_nan_bits(bits) | (bits > _SIGN)
    large = (bits >= _ONE) & (bits <= _INFINITY)
    return chosen(nothing, np.uint32(0), chosen(large, _ONE, bits))


@rule(
    "FMT-DEPTH-5",
    "A 16 or 24-bit depth reads as code / (2^n - 1), rounded correctly to float32; a float depth reads as it is.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    ledger=("depth-as-red",),
    exactness="correctly rounded",
)
def depth_value(code: NDArray[np.integer], bits: int) -> Float32:
    """Read depth codes of 16, 24 or 32 (float) bits.

    Examples
    --------
    >>> float(depth_value(np.array(0xFFFFFF), 24))
    1.0
    """
    if bits == 32:
        return from_bits(np.asarray(code))
    return decode_unorm(code, bits)


@rule(
    "FMT-STENCIL-1",
    "A stencil value is stored and read as its 8 bits; it never passes through a float.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "open-gpu-doc"),
    ledger=("stencil-view",),
)
def stencil_code(stencil: NDArray[np.integer] | int) -> UInt32:
    """Return the codes of stencil values.

    Raises
    ------
    FieldRangeError
        For a value outside 0 to 255: what masks and operations leave always fits.

    Examples
    --------
    >>> int(stencil_code(255))
    255
    """
    values = as_integers(stencil)
    if values.size and not 0 <= int(np.min(values)) <= int(np.max(values)) <= 255:
        raise FieldRangeError(f"stencil values must be 0 to 255, not {np.min(values)} to {np.max(values)}")
    return values.astype(np.uint32)


def _bits_of(fmt: Format, plane: str) -> int:
    component = fmt.component(plane)
    if component is None:
        what = {"D": "depth", "S": "stencil"}[plane]
        raise UnsupportedFormat(f"{fmt.nvn_name} has no {what}; its components: {_names(fmt)}")
    return component.bits


def _names(fmt: Format) -> str:
    return " ".join(c.name for c in fmt.components) or "none"


def depth_code(fmt: Format, depth: ArrayLike, rules: Rules = NVN, *, clear: bool = False) -> UInt32:
    """Return the codes that depths become in the depth plane of a format.

    Parameters
    ----------
    fmt : Format
        Any format with depth.
    depth : float32, any shape
        Any float.
    rules : Rules
        Reads ``store_norm`` or ``store_depth24``.
    clear : bool
        Whether a clear stores it rather than a draw; differs for denormals in float formats only.

    Returns
    -------
    uint32, same shape

    Raises
    ------
    UnsupportedFormat
        For a format without depth.
    """
    bits = _bits_of(fmt, "D")
    if bits == 16:
        return encode_depth16(depth, rules)
    if bits == 24:
        return encode_depth24(depth, rules)
    return encode_depth32f_clear(depth) if clear else encode_depth32f(depth)


def encode_depth_stencil(
    fmt: Format,
    depth: ArrayLike | None = None,
    stencil: NDArray[np.integer] | int | None = None,
    rules: Rules = NVN,
    *,
    clear: bool = False,
) -> UInt8:
    """Return the bytes of depth-stencil texels; a plane that is not given is 0, and so are unread bits.

    Parameters
    ----------
    fmt : Format
        A depth, stencil or combined format.
    depth : float32, any shape, or None
        Only for formats with depth.
    stencil : integers, same shape, or None
        Only for formats with stencil.
    rules : Rules
        Reads what the depth plane needs.
    clear : bool
        As for :func:`depth_code`.

    Returns
    -------
    uint8, shape (..., bytes per texel)

    Raises
    ------
    UnsupportedFormat
        For a plane that the format does not have.
    ShapeError
        Where neither plane is given or the two have other shapes.
    """
    planes: dict[str, UInt32] = {}
    if depth is not None:
        planes["D"] = depth_code(fmt, depth, rules, clear=clear)
    if stencil is not None:
        _bits_of(fmt, "S")
        planes["S"] = stencil_code(stencil)
    if not planes:
        raise ShapeError("depth, stencil or both must be given")
    try:
        shape = np.broadcast_shapes(*(p.shape for p in planes.values()))
    except ValueError:
        raise ShapeError(
            f"depth and stencil have shapes {[p.shape for p in planes.values()]}; they must fit"
        ) from None
    zero = np.zeros(shape, dtype=np.uint32)
    codes = [np.broadcast_to(planes.get(c.name, zero), shape) for c in fmt.components]
    return pack_codes(fmt, np.stack(codes, axis=-1))


def decode_depth(fmt: Format, data: UInt8) -> Float32:
    """Read the depth plane of texel bytes, shape (..., bytes per texel), as float32 of shape (...).

    Raises
    ------
    UnsupportedFormat
        For a format without depth.
    """
    bits = _bits_of(fmt, "D")
    place = [c.name for c in fmt.components].index("D")
    return depth_value(unpack_codes(fmt, data)[..., place], bits)


def decode_stencil(fmt: Format, data: UInt8) -> UInt8:
    """Read the stencil plane of texel bytes, shape (..., bytes per texel), as uint8 of shape (...).

    Raises
    ------
    UnsupportedFormat
        For a format without stencil.
    """
    _bits_of(fmt, "S")
    place = [c.name for c in fmt.components].index("S")
    return stencil_code(unpack_codes(fmt, data)[..., place]).astype(np.uint8)
