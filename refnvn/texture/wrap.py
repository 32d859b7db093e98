"""Which texel stands in for one that lies outside of the texture?

Indices run along one axis, any whole number in, ``0 .. size - 1`` or :data:`BORDER` out. A mirror is one's
complement: texel -1 is texel 0 again. The two GL clamps, ``CLAMP`` and ``MIRROR_CLAMP``, mean one thing for the
nearest filter and another for the linear one, which also clamps the *coordinate* before it looks for texels.

What the border's colour is: ``border.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.enumerations import WrapMode
from refnvn.formats.floatbits import Float64, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.coordinates import numbers

BORDER = -1
_SOURCES = ("texture-vectors", "texture-rules", "open-gpu-doc")
_TO_BORDER = (WrapMode.CLAMP_TO_BORDER, WrapMode.MIRROR_CLAMP_TO_BORDER)
_GL_CLAMPS = (WrapMode.CLAMP, WrapMode.MIRROR_CLAMP)
_MIRROR_ONCE = (WrapMode.MIRROR_CLAMP, WrapMode.MIRROR_CLAMP_TO_EDGE, WrapMode.MIRROR_CLAMP_TO_BORDER)


@rule(
    "TEX-WRAP-1",
    "REPEAT takes a texel modulo the size; MIRRORED_REPEAT runs through the texture and back, each end twice.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def repeated(texel: Int64, size_px: ArrayLike, *, mirrored: bool) -> Int64:
    """Return the texel of an endless row of copies.

    Examples
    --------
    >>> repeated(np.arange(-2, 6), 4, mirrored=True).tolist()
    [1, 0, 0, 1, 2, 3, 3, 2]
    """
    size = np.asarray(size_px, np.int64)
    if not mirrored:
        return np.mod(texel, size)
    there_and_back = np.mod(texel, 2 * size)
    return np.where(there_and_back < size, there_and_back, 2 * size - 1 - there_and_back)


@rule(
    "TEX-WRAP-2",
    "MIRROR_CLAMP_TO_EDGE, MIRROR_CLAMP_TO_BORDER and MIRROR_CLAMP mirror once: texel -1 - n is texel n.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def mirrored_once(texel: Int64) -> Int64:
    """Return texels with those below zero mirrored.

    Examples
    --------
    >>> mirrored_once(np.array([-3, -1, 0, 2])).tolist()
    [2, 0, 0, 2]
    """
    return np.where(texel < 0, -1 - texel, texel)


@rule(
    "TEX-WRAP-3",
    "CLAMP and MIRROR_CLAMP clamp to the edge for the nearest filter; the linear filter clamps their coordinate to "
    "0..1 (MIRROR_CLAMP: -1..1) and then takes the border for texels outside.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def clamped_coordinate(coordinate: ArrayLike, mode: WrapMode) -> Float64:
    """Return what the linear filter makes of a normalised coordinate; other modes leave it alone.

    Examples
    --------
    >>> float(clamped_coordinate(-0.5, WrapMode.CLAMP)), float(clamped_coordinate(-0.5, WrapMode.MIRROR_CLAMP))
    (0.0, -0.5)
    """
    values = numbers(coordinate)
    if mode not in _GL_CLAMPS:
        return values
    return np.clip(values, 0.0 if mode is WrapMode.CLAMP else -1.0, 1.0)


@rule(
    "TEX-WRAP-4",
    "Clamping to the edge takes the first or last texel, clamping to the border the border's colour.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    ledger=("sampler-border",),
)
def clamped(texel: Int64, size_px: ArrayLike, *, to_border: bool | NDArray[np.bool_]) -> Int64:
    """Return texels inside of the texture, or :data:`BORDER`.

    Examples
    --------
    >>> clamped(np.array([-1, 5]), 4, to_border=False).tolist()
    [0, 3]
    >>> clamped(np.array([-1, 5]), 4, to_border=True).tolist()
    [-1, -1]
    """
    size = np.asarray(size_px, np.int64)
    outside = (texel < 0) | (texel >= size)
    return np.where(outside & to_border, np.int64(BORDER), np.clip(texel, 0, size - 1))


@rule(
    "TEX-WRAP-5",
    "Where clamping makes the two texels of a position one, at an edge or in the border, the fraction is 0, so that "
    "no weight is split; where repeating or mirroring does, it stays.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=(*_SOURCES, "texture-probe"),
)
def is_clamped(texel: Int64, both: Int64, mode: WrapMode) -> NDArray[np.bool_]:
    """Return where clamping has made one texel of two.

    It shows in mixed levels and slices only, whose weights are less than 256 and rounded when they are split.

    Parameters
    ----------
    texel : int64, any shape
        The lower texel before wrapping.
    both : int64, shape (2, ...)
        Both after it.
    mode : WrapMode

    Examples
    --------
    >>> texel = np.array([-2, -1, 1, 3])
    >>> both = np.stack([wrapped(texel + k, 4, WrapMode.MIRROR_CLAMP_TO_EDGE, linear=True) for k in (0, 1)])
    >>> is_clamped(texel, both, WrapMode.MIRROR_CLAMP_TO_EDGE).tolist()
    [False, False, False, True]
    """
    if mode in (WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT):
        return np.zeros(texel.shape, np.bool_)
    is_mirror = (texel == -1) & (mode in _MIRROR_ONCE)
    return np.asarray((both[0] == both[1]) & ~is_mirror)


def wrapped(texel: Int64, size_px: ArrayLike, mode: WrapMode, *, linear: bool | NDArray[np.bool_]) -> Int64:
    """Return what stands in for texels by a wrap mode.

    Parameters
    ----------
    texel : int64, any shape
        Any whole numbers.
    size_px : integers
        Texels along the axis.
    mode : WrapMode
        NVN's.
    linear : bool, or bool array
        Whether the linear filter asks; gather does as the linear filter.

    Returns
    -------
    int64, same shape
        ``0 .. size - 1``, or :data:`BORDER`.

    Examples
    --------
    >>> wrapped(np.array([-1, 4]), 4, WrapMode.CLAMP, linear=False).tolist()
    [0, 3]
    >>> wrapped(np.array([-1, 4]), 4, WrapMode.CLAMP, linear=True).tolist()
    [-1, -1]
    """
    if mode in (WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT):
        return repeated(texel, size_px, mirrored=mode is WrapMode.MIRRORED_REPEAT)
    if mode in _MIRROR_ONCE:
        texel = mirrored_once(texel)
    to_border = linear if mode in _GL_CLAMPS else mode in _TO_BORDER
    return clamped(texel, size_px, to_border=to_border)
