"""What does a sampler say? The fields of NVN's ``SamplerBuilder``, and what follows from them alone.

Read next: ``sample.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from refnvn.enumerations import CompareFunc, CompareMode, MagFilter, MinFilter, SamplerReduction, WrapMode
from refnvn.errors import ArgumentError, FieldRangeError
from refnvn.formats.floatbits import UInt32, float_bits
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.texture.level import in_256ths

LARGEST_ANISOTROPY = 16.0
_LARGEST_LEVEL_256 = (1 << 12) - 1
_BIAS_256 = (-(1 << 12), (1 << 12) - 1)
_LINEAR_IN_A_LEVEL = (MinFilter.LINEAR, MinFilter.LINEAR_MIPMAP_NEAREST, MinFilter.LINEAR_MIPMAP_LINEAR)
_LINEAR_BETWEEN_LEVELS = (MinFilter.NEAREST_MIPMAP_LINEAR, MinFilter.LINEAR_MIPMAP_LINEAR)
_NO_MIP = (MinFilter.NEAREST, MinFilter.LINEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampler:
    """A sampler; the defaults are those of ``SetDefaults``.

    Attributes
    ----------
    min_filter, mag_filter : MinFilter, MagFilter
    wrap : 3 x WrapMode
        Along columns, rows and slices.
    lod_clamp : (float, float)
        Least and largest level of detail.
    lod_bias : float
    compare_mode, compare_func : CompareMode, CompareFunc
    border : 4 x int
        R, G, B, A as 32-bit words: float bits, or integers for integer textures.
    max_anisotropy : float
        1 to 16.
    reduction : SamplerReduction

    Raises
    ------
    ArgumentError, FieldRangeError
        On construction, for values that are of another type or outside their range.
    """

    min_filter: MinFilter = MinFilter.NEAREST
    mag_filter: MagFilter = MagFilter.NEAREST
    wrap: tuple[WrapMode, WrapMode, WrapMode] = (WrapMode.REPEAT, WrapMode.REPEAT, WrapMode.REPEAT)
    lod_clamp: tuple[float, float] = (0.0, 1000.0)
    lod_bias: float = 0.0
    compare_mode: CompareMode = CompareMode.NONE
    compare_func: CompareFunc = CompareFunc.LESS
    border: tuple[int, int, int, int] = (0, 0, 0, 0)
    max_anisotropy: float = 1.0
    reduction: SamplerReduction = SamplerReduction.AVERAGE

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            if not isinstance(getattr(self, name), kind):
                raise ArgumentError(f"sampler {name} is {getattr(self, name)!r}, allowed is a {kind.__name__}")
        if len(self.wrap) != 3 or not all(isinstance(mode, WrapMode) for mode in self.wrap):
            raise ArgumentError(f"sampler wrap is {self.wrap!r}, allowed are three WrapModes")
        if not 1.0 <= self.max_anisotropy <= LARGEST_ANISOTROPY:
            raise FieldRangeError(f"sampler max_anisotropy is {self.max_anisotropy}, allowed are 1 to 16")
        if len(self.border) != 4 or not all(0 <= word < 1 << 32 for word in self.border):
            raise FieldRangeError(f"sampler border is {self.border!r}, allowed are four words of 32 bits")

    @property
    def is_linear_minified(self) -> bool:
        """Whether minification filters between the texels of a level."""
        return self.min_filter in _LINEAR_IN_A_LEVEL

    @property
    def is_linear_magnified(self) -> bool:
        """Whether magnification filters between texels."""
        return self.mag_filter is MagFilter.LINEAR

    @property
    def is_mipmapped(self) -> bool:
        """Whether levels beyond the first are taken at all."""
        return self.min_filter not in _NO_MIP

    @property
    def is_linear_between_levels(self) -> bool:
        """Whether two levels are mixed."""
        return self.min_filter in _LINEAR_BETWEEN_LEVELS

    @property
    def border_words(self) -> UInt32:
        """The border's words as an array."""
        return np.array(self.border, np.uint32)


_KINDS: dict[str, type] = {
    "min_filter": MinFilter,
    "mag_filter": MagFilter,
    "compare_mode": CompareMode,
    "compare_func": CompareFunc,
    "reduction": SamplerReduction,
}
assert set(_KINDS) < {field.name for field in fields(Sampler)}


def float_border(colour: ArrayLike) -> tuple[int, int, int, int]:
    """Return the border words of a float colour.

    >>> [hex(word) for word in float_border([1.0, 0.5, 0.0, 1.0])]
    ['0x3f800000', '0x3f000000', '0x0', '0x3f800000']
    """
    r, g, b, a = (int(word) for word in float_bits(colour))
    return r, g, b, a


@rule(
    "TEX-SAMPLER-1",
    "A sampler holds its level clamp in 12 bits and its bias in 13, signed, both with 8 fraction bits: levels 0 to "
    "15.996 and biases -16 to 15.996, cut toward zero.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("open-gpu-doc", "deko3d", "texture-vectors"),
    ledger=("sampler-lod-bias",),
)
def sampler_lod_256(sampler: Sampler) -> tuple[int, int, int]:
    """Return bias, least and largest level of detail as the sampler's header holds them, in 1/256.

    Examples
    --------
    >>> sampler_lod_256(Sampler(lod_bias=-0.7))
    (-179, 0, 4095)
    """
    bias = int(np.clip(in_256ths(sampler.lod_bias), *_BIAS_256))
    least, largest = (int(np.clip(in_256ths(end), 0, _LARGEST_LEVEL_256)) for end in sampler.lod_clamp)
    return bias, least, largest
