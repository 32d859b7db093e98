"""What is a border texel? The sampler's border colour in the numbers of the texture's format.

Any colour is allowed, not only the three that Metal has. The conversion is that of a store into the filter's own
numbers, so it is finer than the format where the filter is: 10:10:10:2 keeps 16 bits, 565 keeps eight.

Read next: ``texels.py``, whose kinds are converted to here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.block_coding import Coding, block_channels, block_coding
from refnvn.formats.codec import CHANNELS
from refnvn.formats.depth_stencil import encode_depth24
from refnvn.formats.floatbits import Float32, Int64, UInt32, as_float32
from refnvn.formats.norm import encode_snorm, encode_unorm, sign_extended
from refnvn.formats.small_float import decode_half, encode_half
from refnvn.formats.srgb import encode_srgb
from refnvn.formats.table import Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.texels import Kind, Texels, floats, srgb_texels, unorm16

_SOURCES = ("texture-vectors", "texture-rules")


@rule(
    "TEX-BORDER-1",
    "A border colour becomes a texel: an 8-bit unorm code where no component of the format has more than 8 bits, "
    "else a 16-bit one; an snorm, half or 24-bit depth code by the format (RGB9E5 a half not below 0, small floats a "
    "signed half); an sRGB code, decoded again; in 32-bit floats it stays as it is, not clamped.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("sampler-border",),
    fields=("store_norm", "store_float", "store_srgb", "store_depth24", "decode_srgb"),
)
def border_texels(fmt: Format, colour: ArrayLike, rules: Rules = NVN) -> tuple[Texels, ...]:
    """Return the border's texel, in the groups of channels that :func:`refnvn.texture.texels.filter_texels` has.

    Parameters
    ----------
    fmt : Format
        A format that can be filtered.
    colour : 4 x float32
        R, G, B, A; what the format lacks is ignored.
    rules : Rules
        Reads the ``store_*`` fields that the conversion needs, and ``decode_srgb``.

    Returns
    -------
    tuple of Texels
        Numbers of shape (channels,).

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> border_texels(format_named("RG8"), [0.5, 2.0, 0.0, 0.0])[0].numbers.tolist()
    [32639, 65535]
    """
    values = as_float32(colour)
    channels = present_channels(fmt)
    if fmt.srgb:
        return _srgb_border(values, channels, rules)
    kept = values[list(channels)]
    kind = border_kind(fmt, rules)
    if fmt.numeric_class is NumericClass.SHARED_EXPONENT:
        kept = np.maximum(kept, np.float32(0))
    if kind is Kind.HALF:
        return (floats(decode_half(encode_half(kept, rules)), channels, kind),)
    if kind is Kind.FLOAT32:
        return (floats(kept, channels, kind),)
    return (Texels(kind, channels, _codes(fmt, kind, kept, rules)),)


def _srgb_border(values: Float32, channels: tuple[int, ...], rules: Rules) -> tuple[Texels, ...]:
    colour = srgb_texels(encode_srgb(values[:3], rules), (0, 1, 2), rules)
    if 3 not in channels:
        return (colour,)
    return colour, Texels(Kind.UNORM16, (3,), unorm16(encode_unorm(values[3:], 8, rules), 8))


def _codes(fmt: Format, kind: Kind, values: Float32, rules: Rules) -> Int64:
    if kind is Kind.DEPTH24:
        return encode_depth24(values, rules).astype(np.int64)
    if kind is Kind.UNORM16:
        bits = 16 if _widest(fmt, rules) > 8 else 8
        return unorm16(encode_unorm(values, bits, rules), bits)
    bits = 8 if kind is Kind.SNORM8 else 16
    return sign_extended(encode_snorm(values, bits, rules), bits)


def _widest(fmt: Format, rules: Rules) -> int:
    if fmt.is_compressed:
        return 8 if block_coding(fmt, rules) is Coding.UNORM8 else 16
    return max(c.bits for c in fmt.components if c.name in "RGBAD")


def present_channels(fmt: Format) -> tuple[int, ...]:
    """Return which of R, G, B, A a format holds, depth as red.

    >>> from refnvn.formats.table import format_named
    >>> present_channels(format_named("BGRX8")), present_channels(format_named("DEPTH16"))
    ((0, 1, 2), (0,))
    """
    if fmt.is_compressed:
        return tuple(range(block_channels(fmt)))
    names = ["R" if c.name == "D" else c.name for c in fmt.components]
    return tuple(place for place, name in enumerate(CHANNELS) if name in names)


def border_kind(fmt: Format, rules: Rules = NVN) -> Kind:
    """Return the kind of number that a border of a format becomes, of its first group of channels."""
    from refnvn.texture.texels import filter_texels

    if fmt.is_compressed:
        nothing: NDArray[Any] = np.zeros(block_channels(fmt), np.uint16)
    else:
        nothing = np.zeros(fmt.bytes_per_block, np.uint8)
    return filter_texels(fmt, nothing, rules)[0].kind


@rule(
    "TEX-BORDER-2",
    "The border of an integer format is the sampler's integer, of which each component keeps its low bits: it wraps.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("sampler-border",),
)
def integer_border(fmt: Format, words: NDArray[np.integer]) -> UInt32:
    """Return the 32-bit words that a border of an integer format reads as.

    Parameters
    ----------
    fmt : Format
        An integer colour format.
    words : 4 x integer
        R, G, B, A as 32-bit words.

    Returns
    -------
    uint32, shape (4,)
        Sign-extended for signed formats; what the format lacks is 0, 0, 0, 1.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> integer_border(format_named("R8UI"), np.array([300, 1, 2, 3])).tolist()
    [44, 0, 0, 1]
    """
    result = np.array([0, 0, 0, 1], np.int64)
    for component in fmt.components:
        if component.name in CHANNELS:
            place = CHANNELS.index(component.name)
            code = np.asarray(words[place], np.int64) & ((1 << component.bits) - 1)
            signed = fmt.numeric_class is NumericClass.SINT
            result[place] = sign_extended(code, component.bits) if signed else code
    return (result & 0xFFFFFFFF).astype(np.uint32)
