"""How far may planes lie beside the reference's?

The planes of the GPU that was measured are known to the bit; another one may have its own. A setting of
``plane_place`` moves every slanted plane by a bound, up or down; what then changes is imprecise. Planes that are the
same at all vertices are exact everywhere and stay.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from refnvn.formats.floatbits import Float64
from refnvn.raster.planes import Planes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import PlanePlace, Rules
from refnvn.rules.registry import rule

VALUE_BOUND = 18 * 2.0**-23
"""18 ULP of the largest vertex value: how far a smooth input lay beside planes of simpler steps."""
DEPTH_BOUND = 2 * 2.0**-24
"""Likewise of a slanted depth in 0..1."""


@rule(
    "RASTER-PLANE-8",
    "A slanted plane may lie up to 18 ULP of its largest vertex value, of depth 2 / 2^24, beside the reference's.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pixel-rules",),
    exactness="the bounds are how far planes of simpler steps lay beside measured ones; no Tegra X1 was measured",
    fields=("plane_place",),
)
def moved(planes: Planes, bound: Float64 | float, rules: Rules) -> Planes:
    """Return planes as a setting places them.

    Parameters
    ----------
    planes : Planes
    bound : float64, shape (triangles, values), or float
        How far a slanted plane may lie beside.
    rules : Rules
        ``plane_place``.
    """
    if rules.plane_place is PlanePlace.CHIP:
        return planes
    slanted = (planes.a != 0) | (planes.b != 0)
    sign = 1.0 if rules.plane_place is PlanePlace.ABOVE else -1.0
    return replace(planes, c=planes.c + np.where(slanted, bound, 0.0) * sign)
