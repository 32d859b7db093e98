"""What does the filter take of a texel? Not the value that a fetch reads, but a coarser or finer number.

Each group of channels has a kind, which says what its numbers mean and how ``integer_sums.py`` or ``block_float.py``
add them up:

| kind | numbers | formats |
|---|---|---|
| UNORM16 | codes over 65535 | unorm of 16 bits and less, D16, BC1 to BC5, BC7; alpha of sRGB |
| SNORM16 | codes over 32767 | snorm of 16 bits, signed BC4 and BC5 |
| SNORM8 | codes of 8 bits, -128 too | snorm of 8 bits |
| DEPTH24 | codes over 2^24 - 1 | 24-bit depth |
| HALF | values, with a last place | half, 11 and 10-bit floats, RGB9E5, BC6H, linear ASTC; colour of sRGB |
| FLOAT32 | values, with a last place | 32-bit floats |

Integer formats are not here: nothing filters them. Read next: ``integer_sums.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import UnsupportedFormat
from refnvn.formats.block_coding import Coding, block_coding
from refnvn.formats.codec import CHANNELS
from refnvn.formats.floatbits import Float64, Int64, UInt32, from_bits
from refnvn.formats.norm import sign_extended
from refnvn.formats.packing import unpack_codes
from refnvn.formats.shared_exponent import decode_shared_exponent
from refnvn.formats.small_float import decode_half, decode_small_float
from refnvn.formats.srgb import decode_srgb, step_bits
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule

_SOURCES = ("texture-vectors", "texture-rules", "hardware-vectors")


class Kind(StrEnum):
    """What the numbers of a group of channels mean."""

    UNORM16 = "unorm16"
    SNORM16 = "snorm16"
    SNORM8 = "snorm8"
    DEPTH24 = "depth24"
    HALF = "half"
    FLOAT32 = "float32"


FLOAT_KINDS = (Kind.HALF, Kind.FLOAT32)
NO_PLACE = -1000
"""The last place of zero, infinities and NaN: below that of any number."""


@dataclass(frozen=True, slots=True)
class Texels:
    """One group of channels of texels as the filter takes them.

    Attributes
    ----------
    kind : Kind
        What ``numbers`` mean.
    channels : tuple of int
        Which of R, G, B, A they are.
    numbers : int64 or float64, shape (..., channels)
        Codes, or values for HALF and FLOAT32.
    places : int64, same shape, or None
        For values: n where 2^n is the last place that the filter keeps beside this texel.
    """

    kind: Kind
    channels: tuple[int, ...]
    numbers: NDArray[Any]
    places: Int64 | None = None

    def __getitem__(self, index: Any) -> Texels:
        places = None if self.places is None else self.places[index]
        return Texels(self.kind, self.channels, self.numbers[index], places)


@rule(
    "TEX-TEXEL-1",
    "Unorm codes enter the filter repeated to 16 bits, those of fewer than 8 bits being repeated to 8 first.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def unorm16(codes: UInt32, bits: int) -> Int64:
    """Return codes over 65535.

    Examples
    --------
    >>> hex(int(unorm16(np.array(16), 5))), hex(int(unorm16(np.array(513), 10)))
    ('0x8484', '0x8060')
    """
    wide = np.asarray(codes).astype(np.int64)
    if bits < 8:
        return _repeated(wide, bits, 8) * 257
    return _repeated(wide, bits, 16)


def _repeated(codes: Int64, bits: int, wide_bits: int) -> Int64:
    """Write codes again and again until ``wide_bits`` are full."""
    wide, filled = codes << (wide_bits - bits), bits
    while filled < wide_bits:
        wide, filled = wide | (wide >> filled), 2 * filled
    return wide


@rule(
    "TEX-TEXEL-2",
    "A half, an 11-bit and a 10-bit float enter the filter as they are, with four bits below the last of a half; "
    "a 32-bit float with four bits below its own last, denormals as the zero of their sign.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def float_places(values: Float64, kind: Kind) -> Int64:
    """Return n where 2^n is the last place of each value.

    Examples
    --------
    >>> float_places(np.array([1.0, 0.0, 2.0**-24]), Kind.HALF).tolist()
    [-14, -1000, -28]
    """
    kept_bits, least_exponent = (15, -13) if kind is Kind.HALF else (28, -125)
    is_number = np.isfinite(values) & (values != 0)
    _, exponents = np.frexp(np.where(is_number, values, 1.0))
    places = np.maximum(exponents.astype(np.int64), least_exponent) - kept_bits
    return np.where(is_number, places, np.int64(NO_PLACE))


def floats(values: NDArray[np.floating[Any]], channels: tuple[int, ...], kind: Kind) -> Texels:
    """Return values as texels; denormals of 32-bit floats as zeros."""
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        wide = values.astype(np.float64)
    if kind is Kind.FLOAT32:
        wide = np.where(np.abs(wide) < 2.0**-126, np.copysign(0.0, wide), wide)
    return Texels(kind, channels, wide, float_places(wide, kind))


@rule(
    "TEX-TEXEL-3",
    "RGB9E5 enters the filter with five bits below the last of its shared exponent.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def shared_exponent_texels(codes: UInt32) -> Texels:
    """Return texels of RGB9E5, codes of shape (..., 4) in the table's order.

    Examples
    --------
    >>> texels = shared_exponent_texels(np.array([256, 0, 0, 16]))
    >>> texels.numbers.tolist(), texels.places.tolist()
    ([1.0, 0.0, 0.0], [-13, -13, -13])
    """
    values = decode_shared_exponent(np.asarray(codes, np.uint32)).astype(np.float64)
    places = np.asarray(codes)[..., 3:].astype(np.int64) - 29
    return Texels(Kind.HALF, (0, 1, 2), values, np.broadcast_to(places, values.shape))


@rule(
    "TEX-TEXEL-4",
    "sRGB colour enters the filter decoded, with nothing below the step of its table; alpha enters as unorm.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    fields=("decode_srgb",),
)
def srgb_texels(codes: NDArray[np.integer], channels: tuple[int, ...], rules: Rules = NVN) -> Texels:
    """Return texels of 8-bit sRGB colour codes, shape (..., channels).

    Examples
    --------
    >>> srgb_texels(np.array([0, 255]), (0, 1)).places.tolist()
    [-14, -7]
    """
    wide = np.asarray(codes).astype(np.int64)
    places = np.array([-step_bits(code) for code in range(256)], np.int64)[wide]
    return Texels(Kind.HALF, channels, decode_srgb(wide, rules).astype(np.float64), places)


def filter_texels(fmt: Format, data: NDArray[Any], rules: Rules = NVN) -> tuple[Texels, ...]:
    """Return texels as the filter takes them, in one group of channels or, for sRGB, two.

    Parameters
    ----------
    fmt : Format
        Any texture format whose values are not integers.
    data : uint8, shape (..., bytes per texel)
        Stored texels; of a compressed format the codes that ``formats.blocks`` decodes, shape (..., channels).
    rules : Rules
        Reads ``decode_srgb``, and ``astc_decode`` for linear ASTC.

    Returns
    -------
    tuple of Texels

    Raises
    ------
    UnsupportedFormat
        For integer formats, plain stencil and NONE: nothing filters them.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> texels, = filter_texels(format_named("BGRA8"), np.array([255, 0, 1, 128], np.uint8))
    >>> texels.kind.value, texels.numbers.tolist()
    ('unorm16', [257, 0, 65535, 32896])
    """
    if fmt.is_compressed:
        return _block_texels(block_coding(fmt, rules), data, rules)
    codes = unpack_codes(fmt, data)
    if fmt.numeric_class is NumericClass.SHARED_EXPONENT:
        return (shared_exponent_texels(codes),)
    placed = [
        (_channel(c), c, codes[..., place]) for place, c in enumerate(fmt.components) if _channel(c) is not None
    ]
    placed.sort(key=lambda one: str(one[0]))
    channels = tuple(int(channel or 0) for channel, _, _ in placed)
    if fmt.srgb:
        return _srgb_groups([c for _, _, c in placed], channels, rules)
    components = [component for _, component, _ in placed]
    return (_plain_texels(fmt, components, channels, [c for _, _, c in placed]),)


def _channel(component: Component) -> int | None:
    if component.name == "D":
        return 0
    return CHANNELS.index(component.name) if component.name in CHANNELS else None


def _srgb_groups(codes: list[UInt32], channels: tuple[int, ...], rules: Rules) -> tuple[Texels, ...]:
    colour = srgb_texels(np.stack(codes[:3], axis=-1), channels[:3], rules)
    if len(codes) == 3:
        return (colour,)
    return colour, Texels(Kind.UNORM16, (3,), unorm16(codes[3], 8)[..., np.newaxis])


def _plain_texels(fmt: Format, components: list[Component], channels: tuple[int, ...], codes: list[UInt32]) -> Texels:
    """Return texels whose channels are all of one kind."""
    kind = _kind(fmt, components)
    if kind is Kind.UNORM16:
        numbers = [unorm16(c, component.bits) for c, component in zip(codes, components, strict=True)]
    elif kind in (Kind.SNORM8, Kind.SNORM16):
        numbers = [sign_extended(c, component.bits) for c, component in zip(codes, components, strict=True)]
    elif kind is Kind.DEPTH24:
        numbers = [c.astype(np.int64) for c in codes]
    else:
        values = [_float_value(c, component.bits) for c, component in zip(codes, components, strict=True)]
        return floats(np.stack(values, axis=-1), channels, kind)
    return Texels(kind, channels, np.stack(numbers, axis=-1))


def _kind(fmt: Format, components: list[Component]) -> Kind:
    numeric, bits = fmt.numeric_class, max((c.bits for c in components), default=0)
    if numeric is NumericClass.UNORM:
        return Kind.UNORM16
    if numeric is NumericClass.SNORM:
        return Kind.SNORM8 if bits == 8 else Kind.SNORM16
    if numeric in (NumericClass.DEPTH_UNORM, NumericClass.DEPTH_UNORM_STENCIL):
        return Kind.UNORM16 if bits == 16 else Kind.DEPTH24
    if numeric in (NumericClass.DEPTH_FLOAT, NumericClass.DEPTH_FLOAT_STENCIL):
        return Kind.FLOAT32
    if numeric in (NumericClass.FLOAT, NumericClass.UFLOAT):
        return Kind.FLOAT32 if bits == 32 else Kind.HALF
    raise UnsupportedFormat(f"{fmt.nvn_name} cannot be filtered: its values are {numeric.value}")


def _float_value(codes: UInt32, bits: int) -> NDArray[np.float32]:
    if bits == 32:
        return from_bits(codes)
    return decode_half(codes) if bits == 16 else decode_small_float(codes, bits - 5)


def _block_texels(coding: Coding, codes: NDArray[Any], rules: Rules) -> tuple[Texels, ...]:
    channels = tuple(range(codes.shape[-1]))
    if coding is Coding.SRGB8:
        alpha = Texels(Kind.UNORM16, (3,), unorm16(codes[..., 3:], 8))
        return srgb_texels(codes[..., :3], (0, 1, 2), rules), alpha
    if coding is Coding.HALF:
        return (floats(decode_half(codes.astype(np.uint32)), channels, Kind.HALF),)
    if coding is Coding.SNORM16:
        return (Texels(Kind.SNORM16, channels, codes.astype(np.int64)),)
    return (Texels(Kind.UNORM16, channels, unorm16(codes, 8 if coding is Coding.UNORM8 else 16)),)
