"""How does a port blend by an advanced mode? By the published formulas, in plain numbers, rounded at the end.

The other setting of ``blend_precision``; nothing is measured here. NVIDIA's own programs: ``advanced_blend.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from refnvn.enumerations import BlendAdvancedMode as Mode
from refnvn.enumerations import BlendAdvancedOverlap as Overlap
from refnvn.formats.floatbits import Float64
from refnvn.raster.advanced_blend_overlap import parts_of

Mix = Callable[[Float64, Float64], Float64]
_WEIGHTS = np.array([0.3, 0.59, 0.11])
_OF_DESTINATION = (Mode.DST, Mode.DST_OVER, Mode.DST_IN, Mode.DST_OUT, Mode.DST_ATOP)


def _quotient(above: Float64, below: Float64) -> Float64:
    """Divide; 1 where the divisor is not above 0."""
    return np.divide(above, below, out=np.ones_like(above), where=below > 0)


def _hard(chooser: Float64, source: Float64, destination: Float64) -> Float64:
    return np.where(chooser <= 0.5, 2 * source * destination, 1 - 2 * (1 - source) * (1 - destination))


def _soft(source: Float64, destination: Float64) -> Float64:
    steep = ((16 * destination - 12) * destination + 4) * destination
    rise = np.where(destination <= 0.25, steep, np.sqrt(np.maximum(destination, 0.0))) - destination
    low = destination - (1 - 2 * source) * destination * (1 - destination)
    return np.where(source <= 0.5, low, destination + (2 * source - 1) * rise)


def _dodge(source: Float64, destination: Float64) -> Float64:
    return np.where(destination <= 0, 0.0, np.minimum(_quotient(destination, 1 - source), 1.0))


def _burn(source: Float64, destination: Float64) -> Float64:
    burnt = np.where(source <= 0, 0.0, 1 - np.minimum(_quotient(1 - destination, source), 1.0))
    return np.where(destination >= 1, 1.0, burnt)


def _vivid(source: Float64, destination: Float64) -> Float64:
    burnt = np.where(source <= 0, 0.0, 1 - np.minimum(_quotient(1 - destination, 2 * source), 1.0))
    return np.where(source < 0.5, burnt, np.minimum(_quotient(destination, 2 * (1 - source)), 1.0))


def _pin(source: Float64, destination: Float64) -> Float64:
    lighter = np.where(source < 0.5, 0.0, 2 * source - 1)
    below = np.where(source < 0.5 * destination, 2 * source, destination)
    return np.where(2 * source - 1 > destination, lighter, below)


def _luminosity(color: Float64) -> Float64:
    total: Float64 = (color * _WEIGHTS).sum(axis=1, keepdims=True)
    return total


def _with_luminosity(color: Float64, of: Float64) -> Float64:
    target = _luminosity(of)
    moved = color + (target - _luminosity(color))
    least, greatest = moved.min(axis=1, keepdims=True), moved.max(axis=1, keepdims=True)
    raised = target + (moved - target) * _quotient(target, target - least)
    lowered = target + (moved - target) * _quotient(1 - target, greatest - target)
    return np.where(least < 0, raised, np.where(greatest > 1, lowered, moved))


def _with_saturation(color: Float64, of: Float64) -> Float64:
    least = color.min(axis=1, keepdims=True)
    own = color.max(axis=1, keepdims=True) - least
    wanted = of.max(axis=1, keepdims=True) - of.min(axis=1, keepdims=True)
    return np.where(own > 0, (color - least) * _quotient(wanted, own), 0.0)


_MIXES: dict[Mode, Mix] = {
    Mode.MULTIPLY: lambda s, d: s * d,
    Mode.SCREEN: lambda s, d: s + d - s * d,
    Mode.OVERLAY: lambda s, d: _hard(d, s, d),
    Mode.DARKEN: np.minimum,
    Mode.LIGHTEN: np.maximum,
    Mode.COLORDODGE: _dodge,
    Mode.COLORBURN: _burn,
    Mode.HARDLIGHT: lambda s, d: _hard(s, s, d),
    Mode.SOFTLIGHT: _soft,
    Mode.DIFFERENCE: lambda s, d: np.abs(s - d),
    Mode.EXCLUSION: lambda s, d: s + d - 2 * s * d,
    Mode.INVERT: lambda _, d: 1 - d,
    Mode.INVERT_RGB: lambda s, d: s * (1 - d),
    Mode.LINEARDODGE: lambda s, d: np.minimum(s + d, 1.0),
    Mode.LINEARBURN: lambda s, d: np.maximum(s + d - 1, 0.0),
    Mode.VIVIDLIGHT: _vivid,
    Mode.LINEARLIGHT: lambda s, d: np.clip(2 * s + d - 1, 0.0, 1.0),
    Mode.PINLIGHT: _pin,
    Mode.HARDMIX: lambda s, d: np.where(s + d < 1, 0.0, 1.0),
    Mode.HSL_HUE: lambda s, d: _with_luminosity(_with_saturation(s, d), d),
    Mode.HSL_SATURATION: lambda s, d: _with_luminosity(_with_saturation(d, s), d),
    Mode.HSL_COLOR: _with_luminosity,
    Mode.HSL_LUMINOSITY: lambda s, d: _with_luminosity(d, s),
}


def _parts(overlap: Overlap, source: Float64, destination: Float64) -> tuple[Float64, Float64, Float64]:
    """Return how much both cover, the source alone, the destination alone."""
    if overlap is Overlap.UNCORRELATED:
        return source * destination, source * (1 - destination), destination * (1 - source)
    if overlap is Overlap.CONJOINT:
        return (
            np.minimum(source, destination),
            np.maximum(source - destination, 0.0),
            np.maximum(destination - source, 0.0),
        )
    return (
        np.maximum(source + destination - 1, 0.0),
        np.minimum(source, 1 - destination),
        np.minimum(destination, 1 - source),
    )


def _plain(mode: Mode, source: Float64, destination: Float64) -> Float64 | None:
    """Return R, G, B, A of a mode that knows no overlap; None for others."""
    alpha, stored_alpha = source[:, 3:], destination[:, 3:]
    total = np.minimum(alpha + stored_alpha, 1.0)
    over = alpha + stored_alpha * (1 - alpha)
    color, stored = source[:, :3], destination[:, :3]
    spread = 2 * (stored - stored_alpha / 2) * (color - alpha / 2)
    channels = {Mode.RED: 0, Mode.GREEN: 1, Mode.BLUE: 2}
    if mode in channels:
        found = destination.copy()
        found[:, channels[mode]] = source[:, channels[mode]]
        return found
    pairs: dict[Mode, tuple[Float64, Float64]] = {
        Mode.ZERO: (stored * 0, stored_alpha * 0),
        Mode.PLUS: (color + stored, alpha + stored_alpha),
        Mode.PLUS_CLAMPED: (np.minimum(color + stored, 1.0), total),
        Mode.PLUS_CLAMPED_ALPHA: (np.minimum(color + stored, total), total),
        Mode.PLUS_DARKER: (np.maximum(color + stored + total - alpha - stored_alpha, 0.0), total),
        Mode.MINUS: (stored - color, stored_alpha - alpha),
        Mode.MINUS_CLAMPED: (np.maximum(stored - color, 0.0), np.maximum(stored_alpha - alpha, 0.0)),
        Mode.CONTRAST: (spread + stored_alpha / 2, stored_alpha),
        Mode.INVERT_OVG: (alpha * (1 - stored) + (1 - alpha) * stored, over),
    }
    return np.concatenate(pairs[mode], axis=1) if mode in pairs else None


def blended_exactly(
    mode: Mode, overlap: Overlap, premultiplied: bool, source: Float64, destination: Float64
) -> Float64:
    """Return R, G, B, A that a mode makes, all of shape (lanes, 4), of numbers in float64.

    >>> white = np.array([[1.0, 1.0, 1.0, 1.0]])
    >>> blended_exactly(Mode.EXCLUSION, Overlap.UNCORRELATED, True, white, white * 0.25)[0, :3].tolist()
    [0.75, 0.75, 0.75]
    """
    alpha, stored_alpha = source[:, 3:], destination[:, 3:]
    multiplied = source if premultiplied else np.concatenate([source[:, :3] * alpha, alpha], axis=1)
    found = _plain(mode, multiplied, destination)
    if found is not None:
        return found
    color = np.divide(multiplied[:, :3], alpha, out=np.zeros_like(source[:, :3]), where=alpha != 0)
    stored = np.divide(destination[:, :3], stored_alpha, out=np.zeros_like(color), where=stored_alpha != 0)
    shown = parts_of(mode)
    both, first, second = (
        part * float(shows) for part, shows in zip(_parts(overlap, alpha, stored_alpha), shown, strict=True)
    )
    mix = _MIXES[mode](color, stored) if mode in _MIXES else stored if mode in _OF_DESTINATION else color
    return np.concatenate([mix * both + color * first + stored * second, both + first + second], axis=1)
