"""What becomes of an image whose texels are in another format: their bits taken for it, or their values rounded?

Values are rounded as NVN does and as Metal does.

Read next: ``image_changes.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.image_colours import Changed, Texels
from refnvn.errors import UnsupportedFormat
from refnvn.formats.codec import decode, encode
from refnvn.formats.table import Format, NumericClass, formats
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.slack import METAL

Values = NDArray[Any]
MOST_TEXELS = 1 << 20
COLOURS = (
    NumericClass.UNORM,
    NumericClass.SNORM,
    NumericClass.FLOAT,
    NumericClass.UFLOAT,
    NumericClass.SHARED_EXPONENT,
)
ON_THE_WAY = ("RGBA8", "RGB10A2", "R11G11B10F", "RGBA16F", "RGBA16", "RGB565", "RGBA4")
"""Formats that hosts draw to instead."""


def other_formats(fmt: Format, texels: Texels) -> Iterator[Changed]:
    """Yield texels that hold another format's bits, and texels whose values were in another format on the way.

    Parameters
    ----------
    fmt : Format
    texels : uint8, shape (..., bytes of a texel)
    """
    if fmt.numeric_class not in COLOURS or texels.size // fmt.bytes_per_block > MOST_TEXELS:
        return
    with np.errstate(all="ignore"):
        values = decode(fmt, texels)
        for rules in (NVN, METAL):
            yield from _bits_of_others(fmt, values, rules)
            yield from _on_the_way(fmt, values, rules)


def _bits_of_others(fmt: Format, values: Values, rules: Rules) -> Iterator[Changed]:
    for other in formats().values():
        if (
            other.numeric_class in COLOURS
            and other.bytes_per_block == fmt.bytes_per_block
            and not _is_kin(fmt, other)
        ):
            stored = _encoded(other, values, rules)
            if stored is not None:
                yield Changed(f"holds the bits of {other.name}", stored)


def _on_the_way(fmt: Format, values: Values, rules: Rules) -> Iterator[Changed]:
    for name in ON_THE_WAY:
        other = formats()[name]
        stored = None if name == fmt.name else _encoded(other, values, rules)
        back = None if stored is None else _encoded(fmt, _kept(values, other, stored), rules)
        if back is not None:
            yield Changed(f"was {name} on the way, and is rounded as that", back)


def _is_kin(fmt: Format, other: Format) -> bool:
    """Whether two formats differ at most in the order of their components and in sRGB, which others look for."""
    bits = [sorted((one.name, one.bits) for one in each.components if one.name != "X") for each in (fmt, other)]
    return fmt.numeric_class is other.numeric_class and sorted(b for _, b in bits[0]) == sorted(b for _, b in bits[1])


def _encoded(fmt: Format, values: Values, rules: Rules) -> Texels | None:
    try:
        return encode(fmt, values, rules)
    except UnsupportedFormat:
        return None


def _kept(values: Values, other: Format, stored: Texels) -> Values:
    """Return what another format gives back; components that it does not have stay as they are."""
    there = {one.name for one in other.components}
    found = decode(other, stored)
    return np.stack([found[..., k] if name in there else values[..., k] for k, name in enumerate("RGBA")], axis=-1)
