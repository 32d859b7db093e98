"""How do the codes of many texels become values: a table of what every code reads as, and one pass over the texels.

The tables hold what the rules of the codings give for every code, so nothing here is a rule. Few texels are read by
the rules themselves and load no compiler. What the codes mean: ``block_coding.py``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32
from refnvn.kernel import compiled, jit_is_on

TABLES_FROM_TEXELS = 1 << 18
"""From so many texels on a table and a compiled loop pay."""


def spread_values(codes: Any, colours: Any, alphas: Any, fill: Any, values: Any) -> None:
    """Write the values of codes.

    Parameters
    ----------
    codes : unsigned integers, shape (texels, channels)
        One to four channels.
    colours, alphas : float32, shape (codes that there are,)
        What a code reads as in channels 0 to 2, and in channel 3.
    fill : float32, shape (4,)
        What channels that are not there read as.
    values : float32, shape (texels, 4)
        Filled.
    """
    channels = codes.shape[1]
    for texel in range(codes.shape[0]):
        for channel in range(3):
            values[texel, channel] = colours[codes[texel, channel]] if channel < channels else fill[channel]
        values[texel, 3] = alphas[codes[texel, 3]] if channels == 4 else fill[3]


@functools.cache
def _compiled_spread() -> Any:
    return compiled(spread_values)


def tables_pay(texels: int) -> bool:
    """Say whether there are enough texels for tables."""
    return texels >= TABLES_FROM_TEXELS and jit_is_on()


def by_tables(codes: NDArray[Any], colours: Float32, alphas: Float32, fill: Float32) -> Float32:
    """Return the values of codes, shape (..., channels), as float32, shape (..., 4); see :func:`spread_values`."""
    flat = np.ascontiguousarray(codes).reshape(-1, codes.shape[-1])
    values = np.empty((len(flat), 4), np.float32)
    _compiled_spread()(flat.view(f"u{flat.dtype.itemsize}"), colours, alphas, fill, values)
    return values.reshape(*codes.shape[:-1], 4)
