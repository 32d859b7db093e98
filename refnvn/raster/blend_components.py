"""Which of R, G, B, A is each component of a blended target, and what stands in for those that it lacks?

A blender always has four channels. It reads what a format lacks as 0, 0, 0 and one. The unread bits of an ``X``
format are its alpha where the hardware draws to it as to the format with alpha (``formats/padding.py``).

Read next: ``blend.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.codec import CHANNELS
from refnvn.formats.floatbits import UInt32
from refnvn.formats.padding import padding_codes, shares_alpha_target
from refnvn.formats.table import Component, Format
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

_ALPHA = 3


def channel_of(fmt: Format, component: Component) -> int | None:
    """Return which of R, G, B, A a component is for a blender; None for bits that take no part.

    >>> from refnvn.formats.table import format_named
    >>> [channel_of(f, f.components[3]) for f in map(format_named, ("RGBA8", "RGBX16", "RGBX8"))]
    [3, 3, None]
    """
    if component.name in CHANNELS:
        return CHANNELS.index(component.name)
    return _ALPHA if shares_alpha_target(fmt) else None


@rule(
    "RASTER-BLEND-5",
    "A blender reads the channels that a target lacks as 0, 0, 0 and 1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors",),
)
def with_missing(
    fmt: Format, codes: UInt32, read: Callable[[UInt32, Component], NDArray[Any]], one: Any
) -> NDArray[Any]:
    """Return what a target holds as R, G, B, A, shape (lanes, 4).

    Parameters
    ----------
    fmt : Format
    codes : uint32, shape (lanes, components)
    read : callable
        Returns what the codes of one component mean.
    one : number
        Stands in for alpha; its type is that of the result.
    """
    found = np.zeros((len(codes), 4), dtype=np.float64 if isinstance(one, float) else np.int64)
    found[:, _ALPHA] = one
    for place, component in enumerate(fmt.components):
        channel = channel_of(fmt, component)
        if channel is not None:
            found[:, channel] = read(codes[:, place], component)
    return found


def stored_components(
    fmt: Format, values: NDArray[Any], store: Callable[[NDArray[Any], Component], UInt32], rules: Rules
) -> UInt32:
    """Return the codes that R, G, B, A become, in the order of the format's components.

    Parameters
    ----------
    fmt : Format
    values : array, shape (lanes, 4)
    store : callable
        Returns the codes of one component from one channel.
    rules : Rules
        Reads ``store_padding`` where unread bits have no channel.
    """
    found = np.empty((len(values), len(fmt.components)), dtype=np.uint32)
    for place, component in enumerate(fmt.components):
        channel = channel_of(fmt, component)
        if channel is not None:
            found[:, place] = store(values[:, channel], component)
        else:
            found[:, place] = padding_codes(
                fmt, component, values[:, _ALPHA], rules, lambda _fmt, one, alpha, _rules: store(alpha, one)
            )
    return found
