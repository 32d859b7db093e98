"""Samplers: ``NVNsamplerBuilder`` and ``NVNsampler``.

Setters return the builder, so that a sampler is one line::

    Sampler(SamplerBuilder().set_min_mag_filter("LINEAR", "LINEAR").set_lod_bias(1.0))

A sampler is copied when it is registered. Read next: ``descriptor_pools.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat, SupportsIndex

import msgspec
import numpy as np

from refnvn.commands.sampler import Sampler as SamplerRecord
from refnvn.enumerations import CompareFunc, CompareMode, MagFilter, MinFilter, SamplerReduction, WrapMode
from refnvn.errors import FieldRangeError
from refnvn.nvn.arguments import Bits4, color_bits, color_integers, float32, instance, member, shown, text

_CALL = "SamplerBuilder"
Wraps = tuple[WrapMode, WrapMode, WrapMode]


class _Described:
    """The getters that a builder and a sampler share."""

    record: SamplerRecord

    def get_min_mag_filter(self) -> tuple[MinFilter, MagFilter]:
        """Return the filters."""
        return self.record.min_filter, self.record.mag_filter

    def get_wrap_mode(self) -> Wraps:
        """Return the wrap modes along columns, rows and slices."""
        return self.record.wrap

    def get_lod_clamp(self) -> tuple[float, float]:
        """Return the least and the largest level of detail."""
        return self.record.lod_clamp

    def get_lod_bias(self) -> float:
        """Return what is added to the level of detail."""
        return self.record.lod_bias

    def get_compare(self) -> tuple[CompareMode, CompareFunc]:
        """Return mode and function of the comparison."""
        return self.record.compare_mode, self.record.compare_func

    def get_border_color(self) -> tuple[float, float, float, float]:
        """Return the border as floats."""
        r, g, b, a = np.array(self.record.border, np.uint32).view(np.float32).tolist()
        return r, g, b, a

    def get_border_colori(self) -> Bits4:
        """Return the border as signed integers."""
        r, g, b, a = np.array(self.record.border, np.uint32).view(np.int32).tolist()
        return r, g, b, a

    def get_border_colorui(self) -> Bits4:
        """Return the border as unsigned integers."""
        return self.record.border

    def get_max_anisotropy(self) -> float:
        """Return the largest anisotropy."""
        return self.record.max_anisotropy

    def get_reduction_filter(self) -> SamplerReduction:
        """Return what becomes of the texels of a footprint."""
        return self.record.reduction


class SamplerBuilder(_Described):
    """``NVNsamplerBuilder``.

    Examples
    --------
    >>> builder = SamplerBuilder().set_lod_clamp(0.0, 3.0).set_lod_bias(-0.5)
    >>> builder.get_lod_clamp(), builder.get_lod_bias()
    ((0.0, 3.0), -0.5)
    """

    def __init__(self) -> None:
        self.set_defaults()

    def set_defaults(self) -> SamplerBuilder:
        """Nearest texels of level 0, repeated; no comparison, no anisotropy."""
        self.record = SamplerRecord()
        return self

    def _set(self, **fields: object) -> SamplerBuilder:
        self.record = msgspec.structs.replace(self.record, **fields)
        return self

    def set_min_mag_filter(
        self, min_filter: MinFilter | str | int, mag_filter: MagFilter | str | int
    ) -> SamplerBuilder:
        """Set the filters."""
        call = f"{_CALL}.set_min_mag_filter"
        return self._set(
            min_filter=member(call, "min", min_filter, MinFilter),
            mag_filter=member(call, "mag", mag_filter, MagFilter),
        )

    def set_wrap_mode(
        self, s: WrapMode | str | int, t: WrapMode | str | int, r: WrapMode | str | int
    ) -> SamplerBuilder:
        """Set what lies beyond the edges along columns, rows and slices."""
        call = f"{_CALL}.set_wrap_mode"
        return self._set(
            wrap=tuple(member(call, name, mode, WrapMode) for name, mode in zip("str", (s, t, r), strict=True))
        )

    def set_lod_clamp(self, least: SupportsFloat, largest: SupportsFloat) -> SamplerBuilder:
        """Set the least and the largest level of detail."""
        call = f"{_CALL}.set_lod_clamp"
        return self._set(lod_clamp=(float32(call, "min", least), float32(call, "max", largest)))

    def set_lod_bias(self, bias: SupportsFloat) -> SamplerBuilder:
        """Set what is added to the level of detail before the clamp."""
        return self._set(lod_bias=float32(f"{_CALL}.set_lod_bias", "bias", bias))

    def set_compare(self, mode: CompareMode | str | int, func: CompareFunc | str | int) -> SamplerBuilder:
        """Set mode and function of the comparison of depth."""
        call = f"{_CALL}.set_compare"
        return self._set(
            compare_mode=member(call, "mode", mode, CompareMode), compare_func=member(call, "func", func, CompareFunc)
        )

    def set_border_color(self, border_color: Sequence[SupportsFloat]) -> SamplerBuilder:
        """Set the border to four floats."""
        return self._set(border=color_bits(f"{_CALL}.set_border_color", border_color))

    def set_border_colori(self, border_color: Sequence[SupportsIndex]) -> SamplerBuilder:
        """Set the border to four signed integers."""
        found = color_integers(f"{_CALL}.set_border_colori", border_color, -(1 << 31), (1 << 31) - 1)
        return self._set(border=tuple(number & 0xFFFFFFFF for number in found))

    def set_border_colorui(self, border_color: Sequence[SupportsIndex]) -> SamplerBuilder:
        """Set the border to four unsigned integers."""
        return self._set(border=color_integers(f"{_CALL}.set_border_colorui", border_color, 0, (1 << 32) - 1))

    def set_max_anisotropy(self, max_aniso: SupportsFloat) -> SamplerBuilder:
        """Set the largest anisotropy, 1 to 16.

        Raises
        ------
        FieldRangeError
            For another.
        """
        found = float32(f"{_CALL}.set_max_anisotropy", "maxAniso", max_aniso)
        if not 1.0 <= found <= 16.0:
            raise FieldRangeError(f"{_CALL}.set_max_anisotropy: maxAniso is {shown(max_aniso)}, allowed are 1 to 16")
        return self._set(max_anisotropy=found)

    def set_reduction_filter(self, reduction: SamplerReduction | str | int) -> SamplerBuilder:
        """Set what becomes of the texels of a footprint: their mean, the least or the largest."""
        return self._set(reduction=member(f"{_CALL}.set_reduction_filter", "filter", reduction, SamplerReduction))

    def set_label(self, label: str) -> SamplerBuilder:
        """Set a name for people."""
        return self._set(label=text(f"{_CALL}.set_label", "label", label))


class Sampler(_Described):
    """``NVNsampler``: a copy of what a builder says.

    Parameters
    ----------
    builder : SamplerBuilder
    """

    def __init__(self, builder: SamplerBuilder) -> None:
        self.initialize(builder)

    def initialize(self, builder: SamplerBuilder) -> None:
        """Make this the sampler that a builder describes; what was registered before keeps the old one."""
        self.record = instance("Sampler.initialize", "builder", builder, SamplerBuilder).record

    def compare(self, other: Sampler) -> bool:
        """``nvnSamplerCompare``: whether two samplers are equal; labels do not count."""
        theirs = instance("Sampler.compare", "other", other, Sampler).record
        return bool(msgspec.structs.replace(self.record, label="") == msgspec.structs.replace(theirs, label=""))
