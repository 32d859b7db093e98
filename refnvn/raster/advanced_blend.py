"""What do the advanced modes leave in a target? NVN's 46, with three overlaps and premultiplied sources or not.

They run in the blender as small programs of its one operation, in halves whatever the target: codes become halves,
the result a code again. Porter-Duff modes that fit factors are ordinary blends (:func:`as_factors`).

Mixes: ``advanced_blend_mixes.py``, ``advanced_blend_hsl.py``; overlaps: ``advanced_blend_uncorrelated.py``,
``advanced_blend_overlap.py``. Read next: ``blend.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.enumerations import BlendAdvancedOverlap as Overlap
from refnvn.enumerations import BlendFunc
from refnvn.formats.codec import component_code, component_value
from refnvn.formats.floatbits import Float32, Float64, UInt32
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.raster.advanced_blend_float32 import blended_exactly
from refnvn.raster.advanced_blend_hsl import HSL_MODES, mixed_hsl
from refnvn.raster.advanced_blend_mixes import MIXES, mixed
from refnvn.raster.advanced_blend_overlap import Cover, conjoint, covered_alpha, disjoint, parts_of
from refnvn.raster.advanced_blend_plain import PLAIN, plain
from refnvn.raster.advanced_blend_reciprocal import reciprocal
from refnvn.raster.advanced_blend_uncorrelated import SHARED, Sides, divided, uncorrelated, uncorrelated_of_mix
from refnvn.raster.blend_components import channel_of, stored_components, with_missing
from refnvn.raster.blend_float import FloatArithmetic, multiply, to_half
from refnvn.raster.blend_float32 import Float32Arithmetic
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import BlendPrecision, Rules
from refnvn.rules.registry import rule

_F = BlendFunc
_LEAST_BITS = 8
Pair = tuple[BlendFunc, BlendFunc]

_FACTORS: dict[Mode, tuple[Pair, Pair]] = {
    Mode.ZERO: ((_F.ZERO, _F.ZERO), (_F.ZERO, _F.ZERO)),
    Mode.SRC: ((_F.ONE, _F.ZERO), (_F.ONE, _F.ZERO)),
    Mode.DST: ((_F.ZERO, _F.ONE), (_F.ZERO, _F.ONE)),
    Mode.SRC_OVER: ((_F.ONE, _F.ONE_MINUS_SRC_ALPHA), (_F.ONE, _F.ONE_MINUS_SRC_ALPHA)),
    Mode.DST_OVER: ((_F.ONE_MINUS_DST_ALPHA, _F.ONE), (_F.ONE, _F.ONE_MINUS_SRC_ALPHA)),
    Mode.SRC_IN: ((_F.DST_ALPHA, _F.ZERO), (_F.DST_ALPHA, _F.ZERO)),
    Mode.DST_IN: ((_F.ZERO, _F.SRC_ALPHA), (_F.ZERO, _F.SRC_ALPHA)),
    Mode.SRC_OUT: ((_F.ONE_MINUS_DST_ALPHA, _F.ZERO), (_F.ONE_MINUS_DST_ALPHA, _F.ZERO)),
    Mode.DST_OUT: ((_F.ZERO, _F.ONE_MINUS_SRC_ALPHA), (_F.ZERO, _F.ONE_MINUS_SRC_ALPHA)),
    Mode.SRC_ATOP: ((_F.DST_ALPHA, _F.ONE_MINUS_SRC_ALPHA), (_F.ZERO, _F.ONE)),
    Mode.DST_ATOP: ((_F.ONE_MINUS_DST_ALPHA, _F.SRC_ALPHA), (_F.ONE, _F.ZERO)),
    Mode.XOR: ((_F.ONE_MINUS_DST_ALPHA, _F.ONE_MINUS_SRC_ALPHA), (_F.ONE_MINUS_DST_ALPHA, _F.ONE_MINUS_SRC_ALPHA)),
    Mode.PLUS: ((_F.ONE, _F.ONE), (_F.ONE, _F.ONE)),
}
"""Factors of colours and of alpha for a premultiplied source."""

_ONE_BECOMES_ALPHA = {_F.ONE: _F.SRC_ALPHA, _F.ZERO: _F.ZERO}


@rule(
    "RASTER-ADVANCED-13",
    "Uncorrelated Porter-Duff modes and PLUS are ordinary blends; where the source is not premultiplied a source "
    "factor of 1 becomes As, and a mode with another source factor is a program.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-pixel-rules", "seed-titles"),
    ledger=("advanced-blend",),
)
def as_factors(mode: Mode, overlap: Overlap, premultiplied: bool) -> tuple[Pair, Pair] | None:
    """Return the factors of colours and of alpha that a mode comes to; None where it is a program.

    >>> as_factors(Mode.SRC_OVER, Overlap.UNCORRELATED, False)[0][0].name
    'SRC_ALPHA'
    """
    if mode not in _FACTORS or overlap is not Overlap.UNCORRELATED:
        return None
    colors, alphas = _FACTORS[mode]
    if premultiplied:
        return colors, alphas
    if colors[0] not in _ONE_BECOMES_ALPHA:
        return None
    return (_ONE_BECOMES_ALPHA[colors[0]], colors[1]), alphas


def stored_halves(fmt: Format, component: Component, codes: UInt32, rules: Rules) -> Float64:
    """Return what codes mean to an advanced program: halves, cut."""
    return to_half(component_value(fmt, component, codes, rules), rules)


@rule(
    "RASTER-ADVANCED-14",
    "An advanced program works on halves: the source becomes a code of a normalised target first, codes are cut to "
    "halves, colours that the target lacks are 0 on both sides, and the result is stored as a drawn value is.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "blend-probe", "hardware-pixel-rules"),
    exactness="bit-exact on 17 formats for colours within their alphas, but 15 of 5.2 million components; of sources "
    "with negative alphas or colours beyond them 1 % differ, most in signs of zeros and NaN",
)
def source_halves(fmt: Format, values: Float32, rules: Rules) -> Float64:
    """Return a source as an advanced program takes it, shape (lanes, 4)."""
    found = np.empty(values.shape, dtype=np.float64)
    of_codes = fmt.numeric_class in (NumericClass.UNORM, NumericClass.SNORM)
    bits = max(_LEAST_BITS, *(c.bits for c in fmt.components))
    has = {channel_of(fmt, one) for one in fmt.components}
    for channel, name in enumerate("RGBA"):
        component = Component(name, 0, bits)
        if channel not in has and name != "A":
            found[:, channel] = 0.0
        elif of_codes:
            codes = component_code(fmt, component, values[:, channel], rules)
            found[:, channel] = stored_halves(fmt, component, codes, rules)
        else:
            found[:, channel] = to_half(values[:, channel], rules)
    return found


@dataclass(frozen=True, slots=True)
class _Halves:
    """A target whose codes are read as halves and whose results are stored as drawn values are."""

    fmt: Format
    rules: Rules

    def source(self, values: Float32) -> Float64:
        return source_halves(self.fmt, values, self.rules)

    def destination(self, codes: UInt32) -> Float64:
        return with_missing(self.fmt, codes, self._read, 1.0)

    def _read(self, codes: UInt32, component: Component) -> Float64:
        return stored_halves(self.fmt, component, codes, self.rules)

    def codes(self, values: Float64) -> UInt32:
        if self.fmt.numeric_class not in (NumericClass.UNORM, NumericClass.SNORM):
            return FloatArithmetic(self.fmt, self.rules).codes(values)
        return stored_components(self.fmt, values.astype(np.float32), self._store, self.rules)

    def _store(self, values: Float32, component: Component) -> UInt32:
        return component_code(self.fmt, component, values, self.rules)


def advanced(
    mode: Mode,
    overlap: Overlap,
    premultiplied: bool,
    fmt: Format,
    source: Float32,
    destination_codes: UInt32,
    rules: Rules,
) -> UInt32:
    """Run the program of an advanced mode.

    Parameters
    ----------
    mode : BlendAdvancedMode
        Not NONE, and none that :func:`as_factors` turns into an ordinary blend.
    overlap : BlendAdvancedOverlap
    premultiplied : bool
    fmt : Format
        Not an integer format.
    source : float32, shape (lanes, 4)
    destination_codes : uint32, shape (lanes, components)
    rules : Rules
        Reads ``blend_precision`` and what the conversions need.

    Returns
    -------
    uint32, shape (lanes, components)
    """
    if rules.blend_precision is BlendPrecision.FLOAT32:
        port = Float32Arithmetic(fmt, rules)
        sides = (port.source(source), port.destination(destination_codes))
        return port.codes(blended_exactly(mode, overlap, premultiplied, *sides))
    target = _Halves(fmt, rules)
    halves = (target.source(source), target.destination(destination_codes))
    codes = target.codes(blended(mode, overlap, premultiplied, *halves))
    kept = keeps_destination(mode, overlap, fmt) & (halves[0][:, 3] == 0)
    return np.where(kept[:, np.newaxis], destination_codes, codes)


@rule(
    "RASTER-ADVANCED-15",
    "Where the source has no alpha an advanced program leaves the pixel alone, with bits that halves cannot hold: in "
    "modes that show the destination outside of the source, uncorrelated or on a unorm target.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-probe",),
)
def keeps_destination(mode: Mode, overlap: Overlap, fmt: Format) -> bool:
    """Say whether a source without alpha changes nothing.

    >>> from refnvn.formats.table import format_named
    >>> keeps_destination(Mode.MULTIPLY, Overlap.DISJOINT, format_named("RGBA16SN"))
    False
    """
    shows = mode not in PLAIN and parts_of(mode).destination
    return shows and (overlap is Overlap.UNCORRELATED or fmt.numeric_class is NumericClass.UNORM)


def blended(mode: Mode, overlap: Overlap, premultiplied: bool, source: Float64, destination: Float64) -> Float64:
    """Return R, G, B, A that a mode makes of halves, all of shape (lanes, 4)."""
    alpha = source[:, 3:]
    color = source[:, :3] if premultiplied else multiply(source[:, :3], alpha)
    sides = Sides(alpha, destination[:, 3:], color, destination[:, :3])
    if mode in PLAIN:
        return plain(mode, sides)
    sides = sides._replace(source=np.where(alpha == 0, 0.0, color))  # a source without alpha has no colour
    parts = parts_of(mode)
    return np.concatenate(
        [
            _colors(mode, overlap, sides, source[:, :3], premultiplied),
            covered_alpha(parts, overlap, alpha, sides.destination_alpha),
        ],
        axis=1,
    )


def _colors(mode: Mode, overlap: Overlap, sides: Sides, given: Float64, premultiplied: bool) -> Float64:
    parts = parts_of(mode)
    if overlap is Overlap.UNCORRELATED and (mode in SHARED or not parts.both):
        return uncorrelated(parts, SHARED[mode](sides) if parts.both else None, sides)
    cover = divided(sides, multiply(sides.source, reciprocal(sides.source_alpha)) if premultiplied else given)
    mix = _mix(mode, cover)
    if overlap is Overlap.UNCORRELATED:
        return uncorrelated_of_mix(mix, sides)
    return conjoint(parts, mix, cover) if overlap is Overlap.CONJOINT else disjoint(parts, mix, cover)


_OF_DESTINATION = (Mode.DST, Mode.DST_OVER, Mode.DST_IN, Mode.DST_ATOP, Mode.DST_OUT)


def _mix(mode: Mode, cover: Cover) -> Float64:
    if mode in HSL_MODES:
        return mixed_hsl(mode, cover.source, cover.destination)
    if mode in MIXES:
        return mixed(mode, cover.source, cover.destination)
    return cover.destination if mode in _OF_DESTINATION else cover.source
