"""How does a linear value become an 8-bit sRGB code, and what does such a code read as?

Storing goes through a half float first, for colour and for alpha alike; alpha therefore differs from the alpha of
a linear target by up to one code. The colour curve itself is a table in the chip: for each code the least half that
stores it was measured, all 255 (``srgb_encode.csv``). Reading gives the exact curve, cut to eight significant bits.

The curve here is computed in integers, because no two mathematical libraries agree on powers.
Alpha reads as plain unorm: ``norm.py``. Compressed sRGB formats decode to 8-bit codes and then come here.
"""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.either import binary_exponent, chosen, two_to_the
from refnvn.formats.floatbits import Float32, Float64, UInt32, clamped
from refnvn.formats.norm import encode_unorm, truncated_then_half_down
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, DecodeSrgb, Rules, StoreNorm, StoreSrgb
from refnvn.rules.registry import rule

_SCALE_BITS = 64
_STEP_DOUBLES_AT = (32, 48, 64, 96, 136, 184, 248)
_FIRST_STEP_BITS = 14
_HALF_BITS, _LEAST_EXPONENT = 10, -14
_ROUNDED_FROM = 0.5


def _fifth_root(number: int) -> int:
    """Return floor(number ** (1/5)) by Newton's method in integers."""
    root = 1 << (number.bit_length() // 5 + 1)
    while True:
        better = (4 * root + number // root**4) // 5
        if better >= root:
            return root
        root = better


def curve_scaled(double_code: int) -> int:
    """Return floor(2^64 * linear value) of the sRGB code ``double_code / 2``, by the exact curve.

    Half codes are where an encoder that rounds to nearest changes its mind.

    >>> curve_scaled(2 * 255) == 1 << 64
    True
    """
    # x = double_code / 510; below 0.04045: x / 12.92; else ((x + 0.055) / 1.055) ^ (12/5)
    if double_code * 100_000 <= 4_045 * 510:
        return (double_code * 25 << _SCALE_BITS) // (510 * 323)
    top, bottom = (20 * double_code + 561) ** 12, 10_761**12
    return _fifth_root((top << 5 * _SCALE_BITS) // bottom)


def step_bits(code: int) -> int:
    """Return n where the linear values of codes near ``code`` are multiples of 2^-n."""
    return _FIRST_STEP_BITS - sum(code >= start for start in _STEP_DOUBLES_AT)


@functools.cache
def _decode_table(setting: DecodeSrgb) -> Float32:
    values = []
    for code in range(256):
        scaled = curve_scaled(2 * code)
        if setting is DecodeSrgb.NVIDIA:
            step = 1 << (_SCALE_BITS - step_bits(code))
            scaled = (scaled + step // 2) // step * step
        values.append(scaled / (1 << _SCALE_BITS))
    return np.array(values, dtype=np.float64).astype(np.float32)


@rule(
    "FMT-SRGB-4",
    "An sRGB colour code reads as the exact curve rounded, halves up, to a multiple of 2^-14; the step doubles at "
    "codes 32, 48, 64, 96, 136, 184 and 248.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "metal-specification"),
    ledger=("rt-view-srgb", "srgb-alias"),
    fields=("decode_srgb",),
)
def decode_srgb(code: NDArray[np.integer], rules: Rules = NVN) -> Float32:
    """Read 8-bit sRGB colour codes as linear values.

    Parameters
    ----------
    code : integers 0..255, any shape
    rules : Rules
        Reads ``decode_srgb``.

    Returns
    -------
    float32, same shape
        At most 8 significant bits; with ``DecodeSrgb.EXACT`` the float32 nearest to the curve.

    Examples
    --------
    >>> float(decode_srgb(np.array(1))) == 5 / 2**14
    True
    """
    return _decode_table(rules.decode_srgb)[np.asarray(code).astype(np.intp)]


@rule(
    "FMT-SRGB-1",
    "A value stored to an sRGB target, colour or alpha, first becomes a half float: clamped to 0..1 (NaN is 0), "
    "cut below one half, rounded to nearest with halves up from one half on.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def rounded_to_half(value: ArrayLike) -> Float64:
    """Return clamped values with the 11 significant bits that an sRGB store keeps.

    Examples
    --------
    >>> float(rounded_to_half(0.5 + 2.0**-12)) == 0.5 + 2.0**-11
    True
    """
    half: Float64 = half_of_unit(clamped(value, 0.0, 1.0))
    return half


def half_of_unit(unit: Any) -> Any:
    """Return the same of float64 from 0 to 1; works on arrays and in compiled code."""
    last_bit = two_to_the(np.maximum(binary_exponent(unit), _LEAST_EXPONENT) - _HALF_BITS)
    return np.floor(unit / last_bit + chosen(unit >= _ROUNDED_FROM, 0.5, 0.0)) * last_bit


@functools.cache
def _measured_thresholds() -> Float64:
    with Path(__file__).with_name("srgb_encode.csv").open(newline="", encoding="ascii") as file:
        halves = [int(row["least_half_bits"], 16) for row in csv.DictReader(file)]
    return np.array(halves, dtype=np.uint16).view(np.float16).astype(np.float64)


@functools.cache
def _nearest_thresholds() -> Float64:
    """For each code the least float64 that is not below the curve's value half a code lower."""
    scaled = [curve_scaled(2 * code - 1) + 1 for code in range(1, 256)]
    return np.array([s / (1 << _SCALE_BITS) for s in scaled], dtype=np.float64)


@rule(
    "FMT-SRGB-2",
    "A colour value, already a half, becomes the greatest 8-bit sRGB code whose measured least half it reaches.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "srgb-thresholds", "metal-specification"),
    ledger=("rt-view-srgb", "srgb-alias"),
    fields=("store_srgb",),
)
def encode_srgb(value: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store linear colour values as 8-bit sRGB codes.

    The 255 thresholds are exhaustive measurements, not a formula: they lie up to 0.1 code beside the curve.

    Parameters
    ----------
    value : float32, any shape
        Any float.
    rules : Rules
        Reads ``store_srgb``.

    Returns
    -------
    uint32, same shape
        0 to 255.

    Examples
    --------
    >>> int(encode_srgb(0.5)), int(encode_srgb(0.2158605))
    (188, 128)
    """
    if rules.store_srgb is StoreSrgb.NVIDIA:
        code = np.searchsorted(_measured_thresholds(), rounded_to_half(value), side="right")
    else:
        code = np.searchsorted(_nearest_thresholds(), clamped(value, 0.0, 1.0), side="right")
    return code.astype(np.uint32)


@rule(
    "FMT-SRGB-3",
    "The alpha of an sRGB target, already a half, is cut to 16 fraction bits, multiplied by 255 and rounded to "
    "nearest with halves going down.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    fields=("store_srgb", "store_norm"),
)
def encode_srgb_alpha(value: ArrayLike, rules: Rules = NVN) -> UInt32:
    """Store alpha to an 8-bit sRGB target.

    Parameters
    ----------
    value : float32, any shape
        Any float.
    rules : Rules
        Reads ``store_srgb`` and ``store_norm``; where either is not NVIDIA's, alpha is plain unorm.

    Returns
    -------
    uint32, same shape
        0 to 255.

    Examples
    --------
    >>> int(encode_srgb_alpha(0.5)), int(encode_srgb_alpha(0.50025))
    (127, 128)
    """
    if rules.store_srgb is not StoreSrgb.NVIDIA or rules.store_norm is not StoreNorm.NVIDIA:
        return encode_unorm(value, 8, rules)
    return truncated_then_half_down(rounded_to_half(value), 16, 255).astype(np.uint32)
