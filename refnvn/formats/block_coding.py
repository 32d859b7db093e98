"""What do the codes of a compressed format mean?

A block decodes to codes, whole numbers that filtering works on. What one means is the format's *coding*:

| coding | formats | a code c reads as |
|---|---|---|
| UNORM8 | BC1, BC2, BC3, BC7 | c / 255 |
| SRGB8 | their sRGB formats, and ASTC's | red, green and blue by the sRGB table, alpha c / 255 |
| UNORM16 | BC4, BC5 | c / 65535 |
| SNORM16 | BC4, BC5, signed | c / 32767 |
| HALF | BC6H, linear ASTC | the half float of these bits |

How blocks decode to codes: ``blocks.py``.
"""

from __future__ import annotations

import dataclasses
import functools
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import UnsupportedFormat
from refnvn.formats.block_values import by_tables, tables_pay
from refnvn.formats.codec import missing_components
from refnvn.formats.floatbits import Float32
from refnvn.formats.norm import decode_snorm, decode_unorm
from refnvn.formats.small_float import decode_half
from refnvn.formats.srgb import decode_srgb
from refnvn.formats.table import Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, AstcDecode, AstcProfile, DecodeSrgb, Rules
from refnvn.rules.registry import collect, note, rule


class Coding(StrEnum):
    """What the codes of a block format mean."""

    UNORM8 = "unorm8"
    SRGB8 = "srgb8"
    UNORM16 = "unorm16"
    SNORM16 = "snorm16"
    HALF = "half"


@rule(
    "FMT-ASTC-17",
    "A linear ASTC format decodes to half floats, which is what the specification has where no decode mode is asked "
    "for.",
    evidence=Evidence.INFERRED,
    sources=("khronos-data-format",),
    fields=("astc_decode",),
    refuted_by="a console's texel fetch of a void extent of 0x8080: half floats give 0.50195313, 8 bits 0.5019608",
)
def astc_linear_coding(rules: Rules = NVN) -> Coding:
    """Return what the codes of a linear ASTC format mean.

    Examples
    --------
    >>> astc_linear_coding().value
    'half'
    """
    return Coding.HALF if rules.astc_decode is AstcDecode.HALF else Coding.UNORM8


@rule(
    "FMT-ASTC-18",
    "Of ASTC, NVN knows the low dynamic range only.",
    evidence=Evidence.INFERRED,
    sources=("nvn-formats", "khronos-data-format"),
    fields=("astc_profile",),
    refuted_by="a block of a high dynamic range mode that shows on a console as anything but opaque magenta",
)
def astc_knows_hdr(coding: Coding, rules: Rules = NVN) -> bool:
    """Return whether ASTC's modes of high dynamic range are known; 8-bit results never know them.

    Examples
    --------
    >>> astc_knows_hdr(Coding.HALF)
    False
    """
    return rules.astc_profile is AstcProfile.HDR and coding is Coding.HALF


def block_coding(fmt: Format, rules: Rules = NVN) -> Coding:
    """Return what the codes of a compressed format mean; linear ASTC reads ``astc_decode``.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> block_coding(format_named("RGTC1_SNORM")).value
    'snorm16'

    Raises
    ------
    UnsupportedFormat
        For a format that is not compressed.
    """
    if not fmt.is_compressed:
        raise UnsupportedFormat(f"{fmt.nvn_name} is not compressed; refnvn.formats.codec decodes its texels")
    if fmt.srgb:
        return Coding.SRGB8
    if fmt.name.startswith("RGTC"):
        return Coding.SNORM16 if fmt.numeric_class is NumericClass.COMPRESSED_SNORM else Coding.UNORM16
    if fmt.numeric_class in (NumericClass.COMPRESSED_SFLOAT, NumericClass.COMPRESSED_UFLOAT):
        return Coding.HALF
    return astc_linear_coding(rules) if is_astc(fmt) else Coding.UNORM8


def is_astc(fmt: Format) -> bool:
    """Return whether a format is one of the 28 of ASTC."""
    return fmt.name.startswith("RGBA_ASTC")


def block_channels(fmt: Format) -> int:
    """Return how many channels the codes of a compressed format have: 1, 2, 3 (BC6H) or 4."""
    if fmt.name.startswith("RGTC"):
        return int(fmt.name[4])
    return 3 if fmt.name in ("BPTC_SFLOAT", "BPTC_UFLOAT") else 4


@rule(
    "FMT-BLOCK-1",
    "A compressed sRGB format decodes to the 8-bit codes of its linear twin; red, green and blue then read by the "
    "sRGB table, alpha as its code over 255.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks",),
    fields=("decode_srgb",),
)
def srgb_values(codes: NDArray[np.uint8], rules: Rules = NVN) -> Float32:
    """Return what R, G, B, A codes of a compressed sRGB format read as.

    Examples
    --------
    >>> srgb_values(np.array([255, 0, 0, 51], np.uint8)).tolist()
    [1.0, 0.0, 0.0, 0.20000000298023224]
    """
    values = decode_srgb(codes, rules)
    values[..., 3] = decode_unorm(codes[..., 3], 8)
    return values


def code_values(fmt: Format, codes: NDArray[Any], rules: Rules = NVN) -> Float32:
    """Return what the codes of a compressed format read as.

    Parameters
    ----------
    fmt : Format
        A compressed format.
    codes : integers, shape (..., channels)
        As :func:`refnvn.formats.blocks.decode_block_codes` and ``decode_image_codes`` give them.
    rules : Rules
        Reads ``decode_srgb`` and ``astc_decode``, each where it matters.

    Returns
    -------
    float32, shape (..., 4)
        R, G, B, A, correctly rounded; what the format lacks is 0, 0, 0, 1.
    """
    coding = block_coding(fmt, rules)
    channels = codes.shape[-1]
    if coding is not Coding.UNORM8 and tables_pay(codes.size // channels):  # NumPy divides bytes faster
        used, colours, alphas = _tables(coding, rules.decode_srgb if coding is Coding.SRGB8 else NVN.decode_srgb)
        note(used)  # the tables may be older than whoever collects rules
        fill = missing_components(fmt, ()) if channels < 4 else np.zeros(4, np.float32)
        return by_tables(codes, colours, alphas, fill)
    read = _values_of(coding, codes, rules)
    if read.shape[-1] == 4:
        return read
    values = missing_components(fmt, codes.shape[:-1])
    values[..., : read.shape[-1]] = read
    return values


def _values_of(coding: Coding, codes: NDArray[Any], rules: Rules) -> Float32:
    if coding is Coding.SRGB8:
        return srgb_values(codes, rules)
    if coding is Coding.HALF:
        return decode_half(codes.astype(np.uint32))
    if coding is Coding.SNORM16:
        return decode_snorm(codes.view(np.uint16), 16)
    return decode_unorm(codes, 8 if coding is Coding.UNORM8 else 16)


@functools.cache
def _tables(coding: Coding, decode_srgb_by: DecodeSrgb) -> tuple[frozenset[str], Float32, Float32]:
    """Return the rules of a coding, and what every code reads as in a colour channel and in alpha."""
    count, dtype = (1 << 8, np.uint8) if coding in (Coding.UNORM8, Coding.SRGB8) else (1 << 16, np.uint16)
    codes = np.arange(count, dtype=dtype)[:, np.newaxis].repeat(4, axis=1)
    with collect() as used:
        values = _values_of(coding, codes, dataclasses.replace(NVN, decode_srgb=decode_srgb_by))
    return frozenset(used), np.ascontiguousarray(values[:, 0]), np.ascontiguousarray(values[:, 3])
