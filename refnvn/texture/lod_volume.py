"""How far apart are two pixels in the texels of a 3D texture?

As in ``lod.py`` with three components: the largest, 11/32 of the middle one and a quarter of the smallest. In which
order the chip adds the three is not known, so this is a bound: no level is off by more than 2/256.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, LodLength, Rules
from refnvn.rules.registry import rule
from refnvn.texture.lod import (
    BITS,
    combined,
    cut,
    eleven_sixteenths,
    in_texels,
    log2_256,
    rounded,
    unit_of,
)

BOUND_256 = 2


def _sorted(vector: Float64) -> tuple[Float64, Float64, Float64]:
    """Return the smallest, middle and largest magnitude."""
    small, middle, large = np.sort(np.abs(vector), axis=0)
    return small, middle, large


def _length(vector: Float64) -> Float64:
    small, middle, large = _sorted(vector)
    return cut(large) + rounded(cut(middle) * 11 / 32, unit_of(middle, BITS + 2)) + cut(small, 9) / 4


def _diagonal_length(vector: Float64) -> Float64:
    small, middle, large = _sorted(vector)
    return (
        cut(eleven_sixteenths(large))
        + rounded(cut(middle) * 121 / 512, unit_of(middle, BITS + 3))
        + rounded(cut(small) * 11 / 64, unit_of(small, BITS + 3))
    )


@rule(
    "TEX-LOD-8",
    "The length of a derivative in a 3D texture is its largest component, 11/32 of the middle and 1/4 of the "
    "smallest; the footprint's is the largest of the same four lengths as in 2D.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
    exactness="level within 2/256; 16 of 3,072 differ at all",
    fields=("lod_length",),
)
def lod_of_volume_gradients(
    dx: NDArray[np.floating], dy: NDArray[np.floating], size_px: tuple[int, int, int], rules: Rules = NVN
) -> Int64:
    """Return the level of detail of a 3D texture, in 1/256, not yet biased or clamped.

    Parameters
    ----------
    dx, dy : float32, shape (3, ...)
        What u, v and w change by in each direction of the screen.
    size_px : 3 x int
        Of level 0 of the view.
    rules : Rules
        Reads ``lod_length``.

    Returns
    -------
    int64, shape (...)
        Within 2/256.

    Examples
    --------
    >>> lod_of_volume_gradients(np.array([[0.25], [0.0], [0.0]]), np.zeros((3, 1)), (32, 32, 32)).tolist()
    [768]
    """
    a, b = (np.stack([in_texels(v, size) for v, size in zip(d, size_px, strict=True)]) for d in (dx, dy))
    if rules.lod_length is LodLength.EUCLIDEAN:
        return log2_256(np.maximum(np.sqrt((a * a).sum(axis=0)), np.sqrt((b * b).sum(axis=0))))
    candidates = [_length(a), _length(b), _diagonal_length(combined(a, b)), _diagonal_length(combined(a, -b))]
    return log2_256(np.stack(candidates).max(axis=0))
