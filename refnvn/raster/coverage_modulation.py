"""What does coverage modulation make of an output? The code of the target, times the covered share in sixteenths.

It comes after alpha to coverage, alpha to one, the alpha test and the tests, and before blending or a logic
operation, for which the modulated code is the source.

Read next: ``mixed_samples.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.enumerations import CoverageModulationMode
from refnvn.formats.codec import component_code, component_value
from refnvn.formats.floatbits import Float32, Int64, UInt32
from refnvn.formats.norm import sign_extended
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.raster.blend_components import channel_of
from refnvn.raster.blend_float import HALF, SINGLE, flushed, multiply
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

STEPS = 16
"""A share of the samples is so many steps."""
LINEAR: tuple[int, ...] = tuple(range(1, STEPS + 1))
_ALPHA, _ALPHA2_BITS = 3, 2
_CHANNELS = {
    CoverageModulationMode.NONE: (),
    CoverageModulationMode.RGB: (0, 1, 2),
    CoverageModulationMode.ALPHA: (_ALPHA,),
    CoverageModulationMode.RGBA: (0, 1, 2, _ALPHA),
}
_LEAST_BITS, _HALF_BITS, _SINGLE_BITS = 8, 16, 32
_NAN_BITS = 0x7FFFFFFF
_QUIET_BIT = 0x400000


@rule(
    "RASTER-MODULATION-1",
    "A modulation table holds sixteenths: each of 16 values is clamped to 0..1, NaN being 0, and rounded, halves up.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("sample-vectors", "deko3d"),
)
def table_steps(values: Float32) -> tuple[int, ...]:
    """Return the steps of a table's values.

    >>> table_steps(np.array([0.03, 0.03125, 2.0, np.nan], np.float32))
    (0, 1, 16, 0)
    """
    inside = np.where(values > 0, np.minimum(values, np.float32(1)), np.float32(0)).astype(np.float64)
    return tuple(int(one) for one in np.floor(inside * STEPS + 0.5))


@rule(
    "RASTER-MODULATION-2",
    "Of n raster samples c that are left are 16 c / n steps; a table holds what 1 to 16 steps become.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
)
def covered_steps(count: Int64, samples: int, table: tuple[int, ...]) -> Int64:
    """Return the factor of pixels in sixteenths from how many of their samples are left, at least one.

    >>> covered_steps(np.array([1, 3, 4]), 4, LINEAR).tolist()
    [4, 12, 16]
    """
    share = np.maximum(count * STEPS // samples - 1, 0)
    return np.array(table, dtype=np.int64)[share]


@rule(
    "RASTER-MODULATION-3",
    "A unorm or snorm code is multiplied and rounded to nearest, halves toward zero. Alpha of an sRGB target counts "
    "as unorm.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
)
def modulated_code(code: Int64, steps: Int64) -> Int64:
    """Return codes times sixteenths.

    >>> modulated_code(np.array([127, 191, -3]), np.array([8, 8, 8])).tolist()
    [63, 95, -1]
    """
    found: Int64 = np.sign(code) * ((np.abs(code) * steps + STEPS // 2 - 1) // STEPS)
    return found


def _as_norm(fmt: Format, component: Component, values: Float32, steps: Int64, rules: Rules) -> Float32:
    """Return what the modulated codes of a normalised component mean."""
    codes = component_code(fmt, component, values, rules).astype(np.int64)
    if fmt.numeric_class is NumericClass.SNORM:
        codes = sign_extended(codes, component.bits)
    found = modulated_code(codes, steps) & ((1 << component.bits) - 1)
    return component_value(fmt, component, found.astype(np.uint32), rules).astype(np.float32)


@rule(
    "RASTER-MODULATION-4",
    "A float, or a colour of an sRGB target, becomes what its code means, is multiplied as the blender does, and "
    "becomes a code again; 0 steps make NaN of an infinity; NaN keeps its payload at 16 steps, made quiet, and is "
    "the blender's at fewer.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("sample-vectors",),
)
def modulated_float(fmt: Format, component: Component, values: Float32, steps: Int64, rules: Rules) -> Float32:
    """Return what the modulated codes of a component mean."""
    meant = component_value(fmt, component, component_code(fmt, component, values, rules), rules).astype(np.float32)
    precision = SINGLE if component.bits == _SINGLE_BITS else HALF
    wide = flushed(meant.astype(np.float64), precision)
    product = np.asarray(multiply(wide, steps / STEPS, precision)).astype(np.float32)
    product = np.where(np.isfinite(meant) | (steps > 0), product, np.float32(np.nan))
    codes = component_code(fmt, component, product, rules)
    found = component_value(fmt, component, codes, rules).astype(np.float32).view(np.uint32).copy()
    found[np.isnan(product)] = _NAN_BITS
    quiet = np.isnan(meant) & (steps == STEPS)
    found[quiet] = meant.view(np.uint32)[quiet] | np.uint32(_QUIET_BIT)
    return found.view(np.float32)


@rule(
    "RASTER-MODULATION-5",
    "What is multiplied are codes as they are stored, packed fields of less than 8 bits being 8 wide but a 2-bit "
    "alpha 2; or, where the target blends, the numbers of its blender, with an alpha that the target lacks.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
)
def multiplied_as(fmt: Format, channel: int, *, blends: bool) -> Component | None:
    """Return as what a channel is multiplied; None where it is not.

    >>> from refnvn.formats.table import format_named
    >>> [multiplied_as(format_named("RGB10A2"), 3, blends=one).bits for one in (False, True)]
    [2, 10]
    """
    stored = next((one.bits for one in fmt.components if channel_of(fmt, one) == channel), 0)
    if not stored and not blends:
        return None
    widest = max(one.bits for one in fmt.components)
    if fmt.numeric_class in (NumericClass.UNORM, NumericClass.SNORM):
        narrow = stored == _ALPHA2_BITS and channel == _ALPHA and not blends
        return Component("RGBA"[channel], 0, stored if narrow else max(_LEAST_BITS, widest))
    if not blends:
        return Component("RGBA"[channel], 0, stored)
    return Component("RGBA"[channel], 0, _SINGLE_BITS if widest == _SINGLE_BITS else _HALF_BITS)


@rule(
    "RASTER-MODULATION-6",
    "Modulation changes the channels that its mode names, of output and second source alike; integer targets and "
    "other channels keep the shader's bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
)
def modulated(
    fmt: Format, mode: CoverageModulationMode, bits: UInt32, steps: Int64, rules: Rules, *, blends: bool = False
) -> UInt32:
    """Return the bits of an output whose numbers in a target are the modulated ones.

    Parameters
    ----------
    fmt : Format
        Of the target.
    mode : CoverageModulationMode
    bits : uint32, shape (components, lanes)
        Of R, G, B, A, as many as the output has.
    steps : int64, shape (lanes,)
        The factor in sixteenths.
    rules : Rules
        What conversions read.
    blends : bool
        Whether the target blends.

    Returns
    -------
    uint32, shape (components, lanes)
    """
    if fmt.is_integer:
        return bits
    found = bits.copy()
    of_codes = fmt.numeric_class in (NumericClass.UNORM, NumericClass.SNORM)
    for channel in _CHANNELS[mode]:
        component = multiplied_as(fmt, channel, blends=blends) if channel < len(bits) else None
        if component is None:
            continue
        values = np.ascontiguousarray(bits[channel]).view(np.float32)
        multiplies = _as_norm if of_codes and not (fmt.srgb and channel != _ALPHA) else modulated_float
        found[channel] = multiplies(fmt, component, values, steps, rules).view(np.uint32)
    return found
