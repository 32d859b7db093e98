"""What does the filter make of weighted texels that have an exponent?

It is a block float: the four texels of a quad share the exponent of the largest one that has any weight, and what
does not fit in the bits below it is cut off. The weighted sum of a quad is exact. Quads (slices, levels) are added
one after the other in an adder whose unit moves in steps of four binary places.

```
 quad of halves:  1.5  1.0009765625  2^-12  0     last place 2^-14 (that of 1.5)
 cut:             1.5  1.0009765625  2^-12  0     2^-15 would be lost
```

Infinities and NaN: ``special_values.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.texels import NO_PLACE, Kind

_SOURCES = ("texture-vectors", "texture-rules")
_PLACES_PER_STEP = 4
_GUARD_PLACES = 8


def _scaled(values: Any, places: NDArray[np.integer]) -> Float64:
    scaled: Float64 = np.ldexp(values, places.astype(np.int32))
    return scaled


@rule(
    "TEX-FLOAT-1",
    "In a quad every texel is cut, toward zero, at the last place of the largest texel that has a weight; the "
    "weighted sum is then exact.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def quad_sum(values: Float64, places: Int64, weights: Int64, whole: int = 256) -> tuple[Float64, Int64]:
    """Return the sums of quads and their last places.

    Parameters
    ----------
    values : float64, shape (4, ..., channels)
        Finite.
    places : int64, same shape
        The last place of each.
    weights : int64, shape (4, ...)
    whole : int
        What the weights of all quads add up to.

    Returns
    -------
    float64 and int64, shape (..., channels)

    Examples
    --------
    >>> total, place = quad_sum(np.array([[1.0], [2.0**-15]]), np.array([[-14], [-29]]), np.array([128, 128]))
    >>> float(total[0]), int(place[0])
    (0.5, -14)
    """
    weight = weights[..., np.newaxis]
    place = np.where(weight > 0, places, NO_PLACE).max(axis=0)
    has_weight = np.where(weight > 0, values, 0.0)
    cut = _scaled(np.trunc(_scaled(has_weight, -np.broadcast_to(place, values.shape))), place)
    total: Float64 = (cut * weight).sum(axis=0) / whole
    return total, place


def _unit_place(place: Int64, kind: Kind, *, srgb: bool) -> Int64:
    """Return the place of the adder's unit for a quad: at least eight below, in steps of four."""
    phase = 3 if kind is Kind.HALF and not srgb else 2
    unit = (place - _GUARD_PLACES - phase) // _PLACES_PER_STEP * _PLACES_PER_STEP + phase
    return np.where(place == NO_PLACE, np.int64(NO_PLACE), unit)


@rule(
    "TEX-FLOAT-2",
    "The sums of quads are added in order of level, both slices of a level at once; before each addition all sides "
    "are floored to the coarsest of their units, which stand at least eight places below the last of their quad, at "
    "exponents 3 (sRGB and 32-bit floats: 2) modulo 4.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    exactness="bit-exact, with four quads in 30,720 results of ten seeds",
)
def sum_of_quads(
    totals: list[Float64], places: list[Int64], kind: Kind, *, at_once: int = 1, srgb: bool = False
) -> Float64:
    """Return the sum of quads, not yet rounded; ``at_once`` is how many are added at once.

    Examples
    --------
    >>> sum_of_quads([np.array(1.0), np.array(2.0**-30)], [np.array(-14), np.array(-44)], Kind.HALF).item()
    1.0
    """
    result, unit = np.zeros_like(totals[0]), np.full(places[0].shape, NO_PLACE, np.int64)
    for first in range(0, len(totals), at_once):
        some = slice(first, first + at_once)
        unit = np.max([unit, *(_unit_place(place, kind, srgb=srgb) for place in places[some])], axis=0)
        result = _floored(result, unit) + sum(_floored(total, unit) for total in totals[some])
    return result


def _floored(values: Float64, unit: Int64) -> Float64:
    return np.where(unit == NO_PLACE, 0.0, _scaled(np.floor(_scaled(values, -unit)), unit))


@rule(
    "TEX-FLOAT-3",
    "The result is rounded to nearest, ties away from zero: to a half, denormals included, for all formats with an "
    "exponent but 32-bit floats, which keep 24 bits and have no denormals; what becomes zero keeps its sign.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def rounded_result(total: Float64, kind: Kind) -> Float32:
    """Return filtered values.

    Examples
    --------
    >>> rounded_result(np.array([1 + 2.0**-11, 1 + 2.0**-12]), Kind.HALF).tolist()
    [1.0009765625, 1.0]
    """
    bits, least_exponent = (11, -13) if kind is Kind.HALF else (24, -125)
    _, exponents = np.frexp(np.abs(total))
    place = np.maximum(exponents.astype(np.int64), least_exponent) - bits
    magnitude = _scaled(np.floor(_scaled(np.abs(total), -place) + 0.5), place)
    if kind is Kind.FLOAT32:
        magnitude = np.where(magnitude < 2.0**-126, 0.0, magnitude)
    return np.where(total == 0, 0.0, np.copysign(magnitude, total)).astype(np.float32)


def float_result(
    kind: Kind,
    values: Float64,
    places: Int64,
    weights: Int64,
    *,
    whole: int = 256,
    at_once: int = 1,
    srgb: bool = False,
) -> Float32:
    """Return the filtered value of finite numbers with an exponent.

    Parameters
    ----------
    kind : Kind
        HALF or FLOAT32.
    values, places : float64 and int64, shape (quads, 4, ..., channels)
        In order of level, then slice.
    weights : int64, shape (quads, 4, ...)
        They add up to ``whole``.
    whole : int
        256 or a multiple of it.
    at_once : int
        How many quads are added at once: the two slices of a level.
    srgb : bool
        Whether they are sRGB colours.

    Returns
    -------
    float32, shape (..., channels)
    """
    sums = [quad_sum(*quad, whole) for quad in zip(values, places, weights, strict=True)]
    totals, last_places = [total for total, _ in sums], [place for _, place in sums]
    return rounded_result(sum_of_quads(totals, last_places, kind, at_once=at_once, srgb=srgb), kind)
