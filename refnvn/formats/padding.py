"""What do the unread bits (``X``) of a colour target hold after a store?

They read as nothing, but the same bytes under another format, a copy or a dump shows them. Two kinds of format:
those that share the colour target code of the format with alpha store alpha there; those with a code of their own
store something that no public source names.

Bits of depth formats: ``depth_stencil.py``. Read next: ``codec.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import UInt32
from refnvn.formats.table import Component, Format, formats
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, StorePadding
from refnvn.rules.registry import rule

Converter = Callable[[Format, Component, NDArray[Any], Rules], UInt32]
"""What turns values into the codes of a component."""


@functools.cache
def shares_alpha_target(fmt: Format) -> bool:
    """Whether a format has the colour target code of a format with alpha.

    >>> from refnvn.formats.table import format_named
    >>> shares_alpha_target(format_named("RGBX16")), shares_alpha_target(format_named("RGBX8"))
    (True, False)
    """
    with_alpha = {f.hw_target_code for f in formats().values() if f.component("A")}
    return bool(fmt.hw_target_code) and fmt.hw_target_code in with_alpha


@rule(
    "FMT-PADDING-1",
    "RGBX8SN, RGBX8UI, RGBX8I, RGBX16, RGBX16SN, RGBX16UI and RGBX16I are drawn to as the RGBA format: their unread "
    "bits receive alpha.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "open-gpu-doc", "nvn-formats"),
    refuted_by="an NVN target of such a format whose fourth component is not the alpha that was drawn",
)
def padding_as_alpha(
    fmt: Format, component: Component, alpha: NDArray[Any], rules: Rules, convert: Converter
) -> UInt32:
    """Return the codes that alpha becomes in the unread bits."""
    return convert(fmt, component, alpha, rules)


@rule(
    "FMT-PADDING-2",
    "The unread bits of RGBX8, RGBX8_SRGB, RGBX16F, RGBX32F, RGBX32UI, RGBX32I, BGRX8, BGRX8_SRGB, BGR5 and RGB5 "
    "become 0.",
    evidence=Evidence.OPEN,
    sources=("open-gpu-doc",),
    refuted_by="the bytes of an RGBX8 target after a clear on a console",
    fields=("store_padding",),
)
def padding_of_own_code(
    fmt: Format, component: Component, alpha: NDArray[Any], rules: Rules, convert: Converter
) -> UInt32:
    """Return the codes of unread bits that have a target code of their own: a recorded choice, nothing decides."""
    if rules.store_padding is StorePadding.ALPHA:
        return convert(fmt, component, alpha, rules)
    if rules.store_padding is StorePadding.ONES:
        return convert(fmt, component, np.ones_like(alpha), rules)
    return np.zeros(alpha.shape, dtype=np.uint32)


def padding_codes(fmt: Format, component: Component, alpha: NDArray[Any], rules: Rules, convert: Converter) -> UInt32:
    """Return the codes of the unread component of a colour format when ``alpha`` is stored with it.

    Parameters
    ----------
    fmt, component : Format, Component
        A colour format and its ``X``.
    alpha : float32 or integers, any shape
    rules : Rules
        Reads ``store_padding``.
    convert : callable
        ``codec.component_code``.

    Returns
    -------
    uint32, same shape
    """
    by_rule = padding_as_alpha if shares_alpha_target(fmt) else padding_of_own_code
    return by_rule(fmt, component, alpha, rules, convert)
