"""What is a sampler in a recording? The fields of ``NVNsamplerBuilder``, as they are when it is registered.

Defaults are those of ``SetDefaults`` as deko3d, an open driver for the same hardware, has them. Read next:
``recording.py``.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from refnvn.commands.resources import Record
from refnvn.enumerations import CompareFunc, CompareMode, MagFilter, MinFilter, SamplerReduction, WrapMode

Word = Annotated[int, Meta(ge=0, lt=1 << 32)]


class Sampler(Record, frozen=True, kw_only=True):
    """``NVNsampler``.

    Attributes
    ----------
    min_filter, mag_filter, wrap, compare_mode, compare_func, reduction
        NVN's enumerations; ``wrap`` along columns, rows and slices.
    lod_clamp, lod_bias : float32
        Least and largest level of detail, and what is added before.
    border : 4 x int
        R, G, B, A: the bits of floats, or integers for integer textures.
    max_anisotropy : float32
        1 to 16.
    label : str
        For people.
    """

    min_filter: MinFilter = MinFilter.NEAREST
    mag_filter: MagFilter = MagFilter.NEAREST
    wrap: tuple[WrapMode, WrapMode, WrapMode] = (WrapMode.REPEAT, WrapMode.REPEAT, WrapMode.REPEAT)
    lod_clamp: tuple[float, float] = (0.0, 1000.0)
    lod_bias: float = 0.0
    compare_mode: CompareMode = CompareMode.NONE
    compare_func: CompareFunc = CompareFunc.LESS
    border: tuple[Word, Word, Word, Word] = (0, 0, 0, 0)
    max_anisotropy: Annotated[float, Meta(ge=1.0, le=16.0)] = 1.0
    reduction: SamplerReduction = SamplerReduction.AVERAGE
    label: str = ""
