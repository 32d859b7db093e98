"""Which fragments does the alpha test let pass? Those whose alpha compares with the reference as asked.

Alpha is that of output 0, and what is compared is what target 0 would hold: alpha and reference both become numbers
of its format first, so a difference that the target cannot store cannot be told. Alpha to one has acted before; the
test comes before depth bounds, stencil and depth, except with early tests.

Read next: ``fragment.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import AlphaFunc
from refnvn.formats.floatbits import Float32
from refnvn.formats.norm import decode_snorm, decode_unorm, encode_snorm, encode_unorm
from refnvn.formats.small_float import decode_half, encode_half
from refnvn.formats.table import Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, AlphaPrecision, Rules
from refnvn.rules.registry import rule

_LEAST_BITS = 8
_HALF_BITS = 16


@rule(
    "RASTER-ALPHATEST-1",
    "The alpha test is off where there is no target 0 or its format is integer.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pipeline-rules"),
    ledger=("alpha-test",),
)
def decides(func: AlphaFunc, fmt: Format | None) -> bool:
    """Say whether the test decides anything.

    >>> from refnvn.formats.table import format_named
    >>> decides(AlphaFunc.LESS, format_named("RGBA8")), decides(AlphaFunc.LESS, format_named("RGBA8UI"))
    (True, False)
    """
    return func is not AlphaFunc.ALWAYS and fmt is not None and not fmt.is_integer


@rule(
    "RASTER-ALPHATEST-2",
    "Alpha and reference are compared as numbers of target 0: codes of 8, 10 or 16 bits for unorm (sRGB and packed "
    "formats 8), of 8 or 16 for snorm, halves for floats of up to 16 bits, float32 for 32; clamping and NaN go as in "
    "a store.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pipeline-rules"),
    ledger=("alpha-test",),
    fields=("alpha_precision", "store_norm", "store_float"),
)
def compared(fmt: Format, alpha: Float32, rules: Rules = NVN) -> Float32:
    """Return alphas, or references, as they are compared.

    Parameters
    ----------
    fmt : Format
        That of target 0, not integer.
    alpha : float32, any shape
    rules : Rules
        Reads ``alpha_precision`` and what the conversion needs.

    Returns
    -------
    float32, same shape

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> float(compared(format_named("RGBA8"), np.float32(0.5))) == float(np.float32(127) / np.float32(255))
    True
    """
    bits = max(_LEAST_BITS, *(c.bits for c in fmt.components))
    if rules.alpha_precision is AlphaPrecision.FLOAT32:
        return alpha
    if fmt.numeric_class is NumericClass.UNORM:
        return decode_unorm(encode_unorm(alpha, bits, rules), bits)
    if fmt.numeric_class is NumericClass.SNORM:
        return decode_snorm(encode_snorm(alpha, bits, rules), bits)
    return decode_half(encode_half(alpha, rules)) if bits <= _HALF_BITS else alpha


@rule(
    "RASTER-ALPHATEST-3",
    "A comparison with NaN passes only NOTEQUAL.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "gl-blending"),
    ledger=("alpha-test",),
)
def passes(func: AlphaFunc, alpha: Float32, reference: Float32) -> NDArray[np.bool_]:
    """Compare; both sides as :func:`compared` gives them."""
    always = np.ones(np.broadcast(alpha, reference).shape, dtype=np.bool_)
    found: dict[AlphaFunc, Any] = {
        AlphaFunc.NEVER: ~always,
        AlphaFunc.LESS: alpha < reference,
        AlphaFunc.EQUAL: alpha == reference,
        AlphaFunc.LEQUAL: alpha <= reference,
        AlphaFunc.GREATER: alpha > reference,
        AlphaFunc.NOTEQUAL: alpha != reference,
        AlphaFunc.GEQUAL: alpha >= reference,
        AlphaFunc.ALWAYS: always,
    }
    passed: NDArray[np.bool_] = found[func]
    return passed


def alpha_test(
    func: AlphaFunc, fmt: Format | None, alpha: Float32, reference: float, rules: Rules = NVN
) -> NDArray[np.bool_]:
    """Return which fragments pass the alpha test.

    Parameters
    ----------
    func : AlphaFunc
    fmt : Format or None
        That of target 0; without one, or with an integer format, all pass.
    alpha : float32, shape (lanes,)
        Alpha of output 0.
    reference : float
        A float32; may be NaN.
    rules : Rules
        Reads ``alpha_precision`` and what the conversion needs.

    Returns
    -------
    bool, shape (lanes,)

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> alpha_test(AlphaFunc.GREATER, format_named("RGBA8"), np.float32([0.5, 0.51]), 0.5).tolist()
    [False, True]
    """
    if fmt is None or not decides(func, fmt):
        return np.ones(alpha.shape, dtype=np.bool_)
    limit = np.array(reference, dtype=np.float32)
    return passes(func, compared(fmt, alpha, rules), compared(fmt, limit, rules))
