"""How is a texel of a depth texture compared with a reference?

The reference first becomes a code of the depth format, exactly as a depth that is stored: comparing floats would fail
around the edges of codes. What the filter then adds up are ones and zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.enumerations import CompareFunc
from refnvn.formats.depth_stencil import encode_depth16, encode_depth24
from refnvn.formats.floatbits import Float32, Float64, as_float32
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.texels import Kind

_SOURCES = ("texture-vectors", "texture-rules")

_FUNCTIONS: dict[CompareFunc, Callable[[NDArray[Any], NDArray[Any]], NDArray[np.bool_]]] = {
    CompareFunc.NEVER: lambda a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape), np.bool_),
    CompareFunc.LESS: np.less,
    CompareFunc.EQUAL: np.equal,
    CompareFunc.LEQUAL: np.less_equal,
    CompareFunc.GREATER: np.greater,
    CompareFunc.NOTEQUAL: np.not_equal,
    CompareFunc.GEQUAL: np.greater_equal,
    CompareFunc.ALWAYS: lambda a, b: np.ones(np.broadcast_shapes(a.shape, b.shape), np.bool_),
}


@rule(
    "TEX-SHADOW-1",
    "The reference is converted like a depth that is stored: to 16 or 24 bits, clamped, NaN as 0; for a float depth "
    "it stays as it is, not clamped, and a NaN passes only NOTEQUAL and ALWAYS.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
    fields=("store_norm", "store_depth24"),
)
def reference_number(reference: ArrayLike, kind: Kind, rules: Rules = NVN) -> Float64:
    """Return references in the numbers of the texels.

    Parameters
    ----------
    reference : float32, any shape
    kind : Kind
        UNORM16 for 16-bit depth, DEPTH24, or FLOAT32.
    rules : Rules
        Reads ``store_norm`` or ``store_depth24``.

    Returns
    -------
    float64, same shape
        Exact: codes of at most 24 bits, or the float itself.

    Examples
    --------
    >>> float(reference_number(0.5, Kind.UNORM16)), float(reference_number(2.0, Kind.FLOAT32))
    (32767.0, 2.0)
    """
    if kind is Kind.UNORM16:
        return encode_depth16(reference, rules).astype(np.float64)
    if kind is Kind.DEPTH24:
        return encode_depth24(reference, rules).astype(np.float64)
    return as_float32(reference).astype(np.float64)


def passes(reference: Float64, texel: NDArray[Any], function: CompareFunc) -> NDArray[np.bool_]:
    """Return whether the reference, to the left of the function, passes against texels.

    >>> passes(np.array(1.0), np.array([0, 1, 2]), CompareFunc.LEQUAL).tolist()
    [False, True, True]
    """
    return _FUNCTIONS[function](reference, texel)


@rule(
    "TEX-SHADOW-2",
    "A filtered comparison is the sum of the weights of the texels that pass, over that of all weights.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=_SOURCES,
)
def passing_share(passing: NDArray[np.bool_], weights: NDArray[Any], whole: int = 256) -> Float32:
    """Return the share of the texels that pass.

    Parameters
    ----------
    passing : bool, shape (texels, ...)
    weights : int64 or float64, same shape
    whole : int
        What the weights add up to.

    Examples
    --------
    >>> float(passing_share(np.array([True, False]), np.array([64, 192])))
    0.25
    """
    share: Float32 = np.where(passing, weights, 0).sum(axis=0).astype(np.float32) / np.float32(whole)
    return share
