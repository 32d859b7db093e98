"""Which texel does a coordinate mean, and how far between two texels does it lie?

A coordinate is first cut to a fixed point of the *texture*, not of the texel: steps of 2^-21 of its width, finer only
for textures beyond 8192 texels. All else is exact integer arithmetic on those steps.

```
 linear:  u = 0.4 of 4 texels = 1.6 texels; minus one half = 1.1 -> texel 1, fraction 26/256
 nearest: u = 0.4 of 4 texels = 1.6 texels                       -> texel 1
```

Texels come out unbounded: what lies outside of the texture is the affair of ``wrap.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

FRACTION_BITS = 8
_LEAST_STEP_BITS = 21
_FAR_AWAY = 2.0**26
"""Beyond 2^25 every float32 is an even whole number, so that nothing changes but the magnitude."""
_LEAST_NORMAL = 2.0**-126


class Position(NamedTuple):
    """A texel and how far the coordinate lies on towards the next one, in 1/256."""

    texel: Int64
    fraction_256: Int64


def step_bits(size_px: ArrayLike) -> Int64:
    """Return n where coordinates of a texture of that size count in steps of 2^-n of its width.

    >>> step_bits([3, 8192, 8193, 32768]).tolist()
    [21, 21, 22, 23]
    """
    _, size_bits = np.frexp(np.asarray(size_px, np.float64) - 1)
    return np.maximum(size_bits.astype(np.int64) + FRACTION_BITS, _LEAST_STEP_BITS)


def numbers(coordinate: ArrayLike) -> Float64:
    """Return coordinates as numbers: NaN and denormals are 0, and what is far away saturates."""
    found: Float64 = number(np.asarray(coordinate, np.float64))
    return found


def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return one of two; compiled loops choose between scalars instead."""
    return np.where(condition, yes, no)


def number(wide: Any) -> Any:
    """Return what a float64 counts as, array or scalar."""
    nothing = np.isnan(wide) | (np.abs(wide) < _LEAST_NORMAL)
    return np.minimum(np.maximum(select(nothing, 0.0, wide), -_FAR_AWAY), _FAR_AWAY)


def repeats_and_steps(steps: Any, bits: Any) -> tuple[Any, Any]:
    """Return whole widths, and the steps of 2^-bits beyond them, of int64 arrays or scalars."""
    repeats = steps >> bits
    return repeats, steps - (repeats << bits)


@rule(
    "TEX-COORD-1",
    "A normalised coordinate is cut, downward, to a multiple of 2^-n of the texture's width, n being 21 or "
    "8 + the bits of the size, whichever is more; NaN and denormals count as 0, infinities saturate.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def coordinate_steps(coordinate: ArrayLike, size_px: ArrayLike) -> tuple[Int64, Int64, Int64]:
    """Return ``(repeats, steps, step bits)``: whole widths, and steps of 2^-bits beyond them.

    Parameters
    ----------
    coordinate : float32 or float64, any shape
        Any float.
    size_px : integers, any shape that fits
        1 to 32768.

    Returns
    -------
    3 x int64

    Examples
    --------
    >>> [int(part) for part in coordinate_steps(-0.25, 4)]
    [-1, 1572864, 21]
    """
    bits = step_bits(size_px)
    steps = np.floor(np.ldexp(numbers(coordinate), bits.astype(np.int32))).astype(np.int64)
    repeats, rest = repeats_and_steps(steps, bits)
    return repeats, rest, bits


@rule(
    "TEX-COORD-2",
    "The nearest filter takes the texel that the coordinate, in steps, times the size lies in.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def nearest_position(coordinate: ArrayLike, size_px: ArrayLike) -> Position:
    """Return the texel of a normalised coordinate, and how far into it the coordinate lies, floored to 1/256.

    Only the taps of anisotropic footprints look at the fraction.

    Examples
    --------
    >>> nearest_position([0.4, -0.1, 1.0], 4).texel.tolist()
    [1, -1, 4]
    """
    repeats, steps, bits = coordinate_steps(coordinate, size_px)
    return _split(nearest_256(repeats, steps, bits, np.asarray(size_px, np.int64)))


def nearest_256(repeats: Any, steps: Any, bits: Any, size: Any) -> Any:
    """Return the position of the nearest filter in 1/256 texel, of int64 arrays or scalars."""
    return (repeats * size << FRACTION_BITS) + (steps * size << FRACTION_BITS >> bits)


@rule(
    "TEX-COORD-3",
    "The linear filter and gather take the coordinate, in steps, times the size, minus one half, rounded to nearest "
    "in 1/256 with halves going up.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def linear_position(coordinate: ArrayLike, size_px: ArrayLike) -> Position:
    """Return the lower of the two texels that a coordinate lies between, and the fraction.

    Examples
    --------
    >>> [int(part) for part in linear_position(0.4, 4)]
    [1, 26]
    """
    repeats, steps, bits = coordinate_steps(coordinate, size_px)
    return _split(linear_256(repeats, steps, bits, np.asarray(size_px, np.int64)))


def linear_256(repeats: Any, steps: Any, bits: Any, size: Any) -> Any:
    """Return the position of the linear filter in 1/256 texel, of int64 arrays or scalars."""
    # in 1/512 texel: position - 256 (one half) + 1 (half of 1/256)
    position_512 = (steps * size << (FRACTION_BITS + 1)) - (np.int64(255) << bits)
    return (repeats * size << FRACTION_BITS) + (position_512 >> (bits + 1))


def _split(position_256: Int64) -> Position:
    return Position(position_256 >> FRACTION_BITS, position_256 & 255)


def exact_linear_position(coordinate: ArrayLike, size_px: ArrayLike) -> tuple[Int64, Float64]:
    """Return the lower texel and the fraction with all steps, 0 to 1: what a port that rounds nowhere has."""
    repeats, steps, bits = coordinate_steps(coordinate, size_px)
    size = np.asarray(size_px, np.int64)
    position = steps * size - (np.int64(1) << (bits - 1))
    texel = position >> bits
    return repeats * size + texel, np.ldexp((position - (texel << bits)).astype(np.float64), -bits.astype(np.int32))


@rule(
    "TEX-COORD-4",
    "Coordinates of a rectangle texture count texels; their fraction is rounded in 1/256 as others are.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def texel_position(coordinate: ArrayLike) -> Position:
    """Return the linear position of a coordinate that counts texels; its nearest texel is its floor.

    Examples
    --------
    >>> [int(part) for part in texel_position(1.6)]
    [1, 26]
    """
    halves = np.floor(numbers(coordinate) * 512).astype(np.int64)
    return _split((halves - 255) >> 1)


@rule(
    "TEX-COORD-5",
    "The layer of an array is the coordinate rounded to nearest, ties to even, and clamped to the layers; NaN is 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
)
def array_layer(coordinate: ArrayLike, layers: int) -> Int64:
    """Return the layer of an array coordinate.

    Examples
    --------
    >>> array_layer([0.5, 1.5, 9.0, float("nan")], 5).tolist()
    [0, 2, 4, 0]
    """
    return np.clip(np.rint(numbers(coordinate)), 0, layers - 1).astype(np.int64)


def moved(position: Position, offset_px: int | NDArray[np.integer]) -> Position:
    """Return a position that many texels further on: offsets move texels, before they wrap."""
    return Position(position.texel + offset_px, position.fraction_256)
