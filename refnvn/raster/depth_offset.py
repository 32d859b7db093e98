"""How far does polygon offset move the depth of a primitive? Read next: ``shapes.py``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from refnvn.formats.floatbits import Float32, Float64
from refnvn.formats.table import Format
from refnvn.raster.arithmetic import exponent, power_of_two
from refnvn.raster.planes import Planes
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_FLOAT_BITS = 32
_LEAST_EXPONENT = -126


@rule(
    "RASTER-OFFSET-1",
    "One unit of polygon offset is two codes: 2^-15 of a 16-bit depth, 2^-23 of a 24-bit one, and 2^(e - 22) of a "
    "float, e being the exponent of the primitive's largest vertex depth.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "deko3d"),
    exactness="bit-exact; of float depths only those in 0.5 to 1 were measured",
)
def offset_unit(depths: Float32, fmt: Format | None) -> Float64:
    """Return the unit of each primitive, shape (m,).

    Parameters
    ----------
    depths : float32, shape (m, corners)
        Window depths of the vertices.
    fmt : Format or None
        Of the depth target; without one the unit is that of 24 bits.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> float(offset_unit(np.array([[0.5, 0.75]], np.float32), format_named("DEPTH32F"))[0]) == 2.0**-23
    True
    """
    component = fmt.component("D") if fmt is not None else None
    bits = 24 if component is None else component.bits
    if bits < _FLOAT_BITS:
        return np.full(len(depths), 2.0 ** (1 - bits))
    largest = np.abs(depths.astype(np.float64)).max(axis=1)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    unit: Float64 = power_of_two(np.maximum(exponent(largest), _LEAST_EXPONENT) - 22)
    return unit


@rule(
    "RASTER-OFFSET-2",
    "Polygon offset is factor * max(|slope x|, |slope y|) + units * unit, clamped from above by a positive clamp and "
    "from below by a negative one. It is part of the depth plane's constant: what a pixel gets is cut once. Points "
    "and lines that are not edges of polygons have none.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules", "hardware-line-rules", "deko3d"),
    exactness="all but 58 of 442368 pixels of slanted triangles, those by one unit; flat primitives bit-exact",
)
def offset_of(slope: Float64, unit: Float64, offset: tuple[float, float, float]) -> Float64:
    """Return how far each primitive is moved, shape (m,).

    Parameters
    ----------
    slope : float64, shape (m,)
        From :func:`depth_slopes`; of a line or point that is drawn of a triangle the triangle's.
    unit : float64, shape (m,)
        From :func:`offset_unit`.
    offset : tuple of float
        Factor, units, clamp.
    """
    factor, units, clamp = (float(np.float32(v)) for v in offset)
    moved = factor * slope + units * unit
    if clamp > 0:
        return np.minimum(moved, clamp)
    return np.maximum(moved, clamp) if clamp < 0 else moved


def depth_slopes(planes: Planes) -> Float64:
    """Return the larger of the slopes of depth along x and y, shape (m,)."""
    slopes: Float64 = np.maximum(np.abs(planes.a[:, 0]), np.abs(planes.b[:, 0]))
    return slopes


def with_offset(
    planes: Planes, slopes: Float64, depths: Float32, offset: tuple[float, float, float], fmt: Format | None
) -> Planes:
    """Return depth planes moved by an offset.

    Parameters
    ----------
    planes : Planes
        Of depth, shape (m, 1).
    slopes : float64, shape (m,)
        As for :func:`offset_of`.
    depths : float32, shape (m, corners)
        Window depths of the vertices.
    offset : tuple of float
        Factor, units, clamp.
    fmt : Format or None
        Of the depth target.
    """
    moved = offset_of(slopes, offset_unit(depths, fmt), offset)
    return replace(planes, c=planes.c + moved[:, np.newaxis])
