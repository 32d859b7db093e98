"""What does one texel become of the samples of a pixel?

Colour goes through the texture filter, all samples with equal weights, and is stored like any value. Integers and
depth are not mixed: one sample is copied. On the measured machine a driver's shader does this; the console's driver
has its 2D engine do it, whose weights for eight samples are not known.

Read next: ``refnvn/texture/combine.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ShapeError, UnsupportedFormat
from refnvn.formats.codec import CHANNELS, encode
from refnvn.formats.floatbits import UInt8
from refnvn.formats.table import Format, NumericClass
from refnvn.kernel import jit_is_on
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.shader.float_arithmetic import float_fma, float_mul
from refnvn.texture.combine import filtered
from refnvn.texture.texels import Texels, filter_texels

_SOURCES = ("hardware-vectors", "hardware-pixel-rules")
_REFUTED = "a multisample texture that a console resolved, beside its samples"
_QUADS = {2: ((0, 1),), 4: ((0, 1, 2, 3),), 8: ((0, 2, 6, 7), (1, 3, 4, 5))}
_QUARTERS = ((3, 7, 9, 13), (2, 8, 11, 12), (1, 4, 10, 15), (0, 5, 6, 14))
"""The samples of 16 that lie in each quarter of the pixel, in the order in which quarters are added."""
_QUARTER = np.float32(0.25)
_WHOLE = 256
PAYS_TO_LOAD = 1 << 19
"""So many pixels are worth loading the compiled loop."""
_QUAD_TEXELS = 4


@rule(
    "RESOLVE-COPY-1",
    "A resolve copies sample 0, 3, 6 and 0 of 2, 4, 8 and 16 where the format is an integer one.",
    evidence=Evidence.DRIVER_MADE,
    sources=_SOURCES,
    refuted_by=_REFUTED,
)
def integer_sample(samples: int) -> int:
    """Return which sample of an integer format is copied."""
    return {2: 0, 4: 3, 8: 6, 16: 0}[samples]


@rule(
    "RESOLVE-COPY-2",
    "A resolve copies sample 1, 0, 3 and 1 of 2, 4, 8 and 16 where the format holds depth, stencil with it.",
    evidence=Evidence.DRIVER_MADE,
    sources=_SOURCES,
    exactness="depth was measured; that stencil comes from the same sample was not",
    refuted_by=_REFUTED,
)
def depth_sample(samples: int) -> int:
    """Return which sample of a depth or stencil format is copied."""
    return {2: 1, 4: 0, 8: 3, 16: 1}[samples]


@rule(
    "RESOLVE-MEAN-1",
    "A resolve of other colours is the texture filter over the samples with equal weights, eight as the quads "
    "0 2 6 7 and 1 3 4 5; sRGB is mixed decoded. The value is then stored like any other.",
    evidence=Evidence.DRIVER_MADE,
    sources=_SOURCES,
    refuted_by=_REFUTED,
)
def mixed_values(fmt: Format, samples: UInt8, rules: Rules = NVN) -> NDArray[np.float32]:
    """Return the value of pixels from their samples.

    Parameters
    ----------
    fmt : Format
        Of the samples; no integer, no depth format.
    samples : uint8, shape (samples, rows, columns, bytes per texel)
        Stored codes of 2, 4, 8 or 16 samples.
    rules : Rules
        ``decode_srgb``.

    Returns
    -------
    float32, shape (rows, columns, 4)
        R, G, B, A; 0, 0, 0, 1 for channels that the format lacks.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> codes = np.array([0, 0, 255, 255], np.uint8).reshape(4, 1, 1, 1)
    >>> float(mixed_values(format_named("R8"), codes)[0, 0, 0])
    0.5000076293945312
    """
    count, rows, columns, _ = samples.shape
    if count not in _QUADS:
        return mean_of_quarters([mixed_values(fmt, samples[list(one)], rules) for one in _QUARTERS])
    found = np.zeros((rows * columns, len(CHANNELS)), dtype=np.float32)
    found[:, 3] = 1
    for texels in filter_texels(fmt, samples.reshape(count, rows * columns, -1), rules):
        quads = _in_quads(texels, count)
        weights = np.zeros((len(_QUADS[count]), _QUAD_TEXELS, rows * columns), dtype=np.int64)
        weights[:, : len(_QUADS[count][0])] = _WHOLE // count
        found[:, list(texels.channels)] = filtered(quads, weights, weights > 0, srgb=fmt.srgb)
    return found.reshape(rows, columns, len(CHANNELS))


@rule(
    "RESOLVE-MEAN-2",
    "Of 16 samples each quarter of the pixel is mixed as four are; a shader adds a quarter of each, in the order "
    "upper right, lower left, upper left, lower right, by fused multiply-adds.",
    evidence=Evidence.DRIVER_MADE,
    sources=("sample-vectors",),
    exactness="bit-exact on ten formats; which of the first two comes first does not show",
    refuted_by=_REFUTED,
)
def mean_of_quarters(quarters: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the mean of four values of pixels.

    >>> mean_of_quarters([np.float32([one]) for one in (1, 2, 3, 4)]).tolist()
    [2.5]
    """
    words = [np.ascontiguousarray(one).view(np.uint32) for one in quarters]
    share = np.full(words[0].shape, _QUARTER).view(np.uint32)
    total: Any = float_mul(words[0], share, 0)
    for one in words[1:]:
        total = float_fma(one, share, total, 0)
    found: NDArray[np.float32] = np.ascontiguousarray(total).view(np.float32)
    return found


def _in_quads(texels: Texels, count: int) -> Texels:
    """Return the samples of pixels as the filter takes texels, shape (quads, 4, pixels, channels)."""
    order = [(*quad, *quad)[:_QUAD_TEXELS] for quad in _QUADS[count]]  # two samples fill the quad, without weight
    return texels[np.array(order)]


def wants_kernel(pixels: int) -> bool:
    """Say whether so many pixels should go through the compiled loop."""
    return jit_is_on() and pixels >= PAYS_TO_LOAD


def _adds_bytes(fmt: Format, target: Format) -> bool:
    """Say whether a result depends on nothing but the sum of its samples, byte by byte."""
    plain = fmt == target and fmt.numeric_class is NumericClass.UNORM and not fmt.srgb
    return plain and all(one.bits == 8 and one.name in CHANNELS for one in fmt.components)


def _of_sums(fmt: Format, samples: Sequence[UInt8], rules: Rules) -> UInt8:
    """Resolve plain bytes: the rule is asked once for each sum that there can be."""
    count, texel_B = len(samples), fmt.bytes_per_block
    sums = np.arange(255 * count + 1)
    spread = np.stack([np.clip(sums - 255 * sample, 0, 255) for sample in range(count)]).astype(np.uint8)
    each = np.repeat(spread[:, np.newaxis, :, np.newaxis], texel_B, axis=3)
    table = encode(fmt, mixed_values(fmt, each, rules), rules)[0, :, 0]
    if texel_B == 4 and wants_kernel(samples[0].size // texel_B):
        from refnvn.raster.resolve_kernel import look_up

        return look_up(samples, table)
    total = np.zeros(samples[0].shape, dtype=np.uint16)
    for one in samples:
        total += np.ascontiguousarray(one)
    return np.take(table, total)


def resolved(fmt: Format, samples: Sequence[UInt8] | UInt8, target: Format, rules: Rules = NVN) -> UInt8:
    """Return the codes that a resolve stores.

    Parameters
    ----------
    fmt : Format
        Of the samples.
    samples : sequence of uint8, each of shape (rows, columns, bytes per texel)
        Stored codes by sample.
    target : Format
        Of the result; for integers and depth the same as ``fmt``.
    rules : Rules
        What conversions need.

    Returns
    -------
    uint8, shape (rows, columns, bytes per texel)

    Raises
    ------
    ShapeError
        For one sample.
    UnsupportedFormat
        Where ``target`` cannot hold the result.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> codes = np.array([0, 0, 255, 255], np.uint8).reshape(4, 1, 1, 1)
    >>> int(resolved(format_named("R8"), codes, format_named("R8"))[0, 0, 0])
    127
    """
    count = len(samples)
    if count < 2 or any(one.ndim != 3 or one.shape != samples[0].shape for one in samples):
        raise ShapeError(f"samples must be at least 2, of one shape (rows, columns, bytes), not {count}")
    if fmt.is_integer or fmt.is_depth_stencil:
        if fmt != target:
            raise UnsupportedFormat(f"{fmt.nvn_name} cannot be resolved to {target.nvn_name}, only to itself")
        copied: Any = samples[depth_sample(count) if fmt.is_depth_stencil else integer_sample(count)]
        return np.array(copied, dtype=np.uint8)
    if target.is_integer or target.is_depth_stencil:
        raise UnsupportedFormat(f"{fmt.nvn_name} cannot be resolved to {target.nvn_name}")
    if count in _QUADS and _adds_bytes(fmt, target):
        return _of_sums(fmt, list(samples), rules)
    return encode(target, mixed_values(fmt, np.stack(list(samples)), rules), rules)
