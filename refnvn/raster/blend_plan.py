"""How is a blend of normalised codes told to the compiled loops? As numbers, so that no state needs a compile.

A factor becomes a line of operands, a gain and an offset; a component becomes a shift, a mask and, where the blender
counts in more bits than are stored, two tables that the rules themselves fill. One lane goes through the rules on the
way: that counts them, and the settings that they read, as if all had.

The loops: ``blend_kernel.py``. Read next: ``blend_norm.py``, whose rules these are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc
from refnvn.formats.floatbits import Float32
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Component, Format, NumericClass
from refnvn.raster.blend import BlendTargetState, as_plain, blend
from refnvn.raster.blend_components import channel_of
from refnvn.raster.blend_factors import plain_factor
from refnvn.raster.blend_kept import Equation, LeftAlone, left_alone_by_kind
from refnvn.raster.blend_norm import NormArithmetic
from refnvn.rules.fields import BlendPrecision, Rules, StoreNorm

_MOST_BITS_IN_FLOAT32 = 10
_WORD_BITS = 32
_EQUATIONS = {
    BlendEquation.ADD: (1, 1),
    BlendEquation.SUB: (1, -1),
    BlendEquation.REVERSE_SUB: (-1, 1),
    BlendEquation.MIN: (0, 1),
    BlendEquation.MAX: (0, -1),
}
"""Signs of the source's and of the destination's product; 0 and a sign for the lesser and the greater."""
SOURCE, DESTINATION, SOURCE1, SATURATED, RESULT, LINES = 0, 4, 8, 12, 13, 17
"""Where four lines each of operands begin, the one line of min(As, 1 - Ad), and the results."""
Tables = tuple[NDArray[Any], NDArray[np.uint32]]
_LINE_OF = {"source": SOURCE, "destination": DESTINATION, "source1": SOURCE1}


@dataclass(frozen=True, slots=True)
class NormPlan:
    """A blend as numbers; floats are of the type that the loops compute in.

    Attributes
    ----------
    low, one : float
        The code of the least value, and of 1.
    convert : tuple of float
        What ``norm.cut_then_half_down`` takes: scale, largest code, half a scale less one, and 1 / scale.
    converts : bool
        Whether the loops may convert sources: they know NVIDIA's conversion only.
    equations : float, shape (4, 2)
        Of each channel, see ``_EQUATIONS``.
    lines : int64, shape (4, 2)
        Of each channel the lines that the two factors are made of.
    numbers : float, shape (4, 4)
        Of each channel offset and gain of the source's factor, then of the destination's, with the signs of the sum.
    saturates, reads_source1 : bool
        Whether a factor is SRC_ALPHA_SATURATE; whether one is made of the second source.
    places : int64, shape (components, 8)
        Of each component its channel, the 32-bit word it is in, its first bit in it, its largest code, and begin and
        length of its tables.
    read, stored : arrays
        Tables from stored to wide code and back, one component after the other; none where both are one.
    bytes : bool
        Whether the texel is four channels of eight bits.
    signed : bool
    keeps_codes : bool
        Whether reading and storing gives back every stored code, so that no pixel need be left alone.
    missing : int64
        Channels that the format lacks.
    left : LeftAlone
        Which pixels are left alone.
    """

    low: Any
    one: Any
    convert: tuple[Any, Any, Any, Any]
    converts: bool
    equations: NDArray[Any]
    lines: NDArray[np.int64]
    numbers: NDArray[Any]
    saturates: bool
    reads_source1: bool
    places: NDArray[np.int64]
    read: NDArray[Any]
    stored: NDArray[np.uint32]
    bytes: bool
    signed: bool
    keeps_codes: bool
    missing: NDArray[np.int64]
    left: LeftAlone

    @property
    def only_sums_of_sources(self) -> bool:
        """Whether each channel is a sum of products and no factor is made of what is stored."""
        stored = (self.lines >= DESTINATION) & (self.lines < SOURCE1) | (self.lines == SATURATED)
        return bool((self.equations[:, 0] != 0).all() and not stored.any())

    @property
    def dtype(self) -> np.dtype[Any]:
        """What the loops compute in."""
        return self.numbers.dtype


def counts_in_codes(state: BlendTargetState, fmt: Format, rules: Rules) -> bool:
    """Say whether the loops serve: factors, no program, and a normalised target whose bits are all channels."""
    if fmt.srgb or fmt.numeric_class not in (NumericClass.UNORM, NumericClass.SNORM):
        return False
    if as_plain(state) is None or rules.blend_precision is not BlendPrecision.NVIDIA:
        return False
    if fmt.numeric_class is NumericClass.SNORM and any(one.name == "X" for one in fmt.components):
        return False
    return all(channel_of(fmt, one) is not None for one in fmt.components)


def norm_plan(
    state: BlendTargetState, fmt: Format, constant: Float32, rules: Rules, mask: int, *, has_second: bool = False
) -> NormPlan:
    """Return a blend as numbers, for a format that :func:`counts_in_codes`.

    Parameters
    ----------
    state : BlendTargetState
    fmt : Format
    constant : float32, shape (4,)
        The blend colour.
    rules : Rules
    mask : int
        Channels that are written; the rules are told.
    has_second : bool
        Whether the shader writes a second source; the rules are told.
    """
    count_rules(state, fmt, constant, rules, mask, has_second)
    plain = as_plain(state)
    assert plain is not None
    arithmetic = NormArithmetic(fmt, rules)
    in_float32 = arithmetic.bits <= _MOST_BITS_IN_FLOAT32
    dtype = np.dtype(np.float32 if in_float32 else np.float64)
    constants = arithmetic.constant(constant.reshape(1, 4))[0].tolist()
    equations = (plain.color,) * 3 + (plain.alpha,)
    factors = [
        [_factor(func, channel, arithmetic.one, constants) for func in (one.source, one.destination)]
        for channel, one in enumerate(equations)
    ]
    funcs = {func for one in equations for func in (one.source, one.destination)}
    scale = float(1 << arithmetic.bits + (3 if arithmetic.signed else 4))
    tables = [_tables(arithmetic, one, dtype) for one in fmt.components]
    channels = [channel_of(fmt, one) for one in fmt.components]
    return NormPlan(
        low=dtype.type(-arithmetic.one if arithmetic.signed else 0),
        one=dtype.type(arithmetic.one),
        convert=(dtype.type(scale), dtype.type(arithmetic.one), dtype.type(scale / 2 - 1), dtype.type(1 / scale)),
        converts=rules.store_norm is StoreNorm.NVIDIA,
        equations=np.array([_EQUATIONS[one.equation] for one in equations], dtype=dtype),
        lines=np.array([[line for line, *_ in pair] for pair in factors], dtype=np.int64),
        numbers=np.array([_numbers(one, pair) for one, pair in zip(equations, factors, strict=True)], dtype=dtype),
        saturates=BlendFunc.SRC_ALPHA_SATURATE in funcs,
        reads_source1=plain.uses_source1,
        places=_places(fmt, tables),
        read=np.concatenate([one for one, _ in tables]),
        stored=np.concatenate([other for _, other in tables]),
        bytes=fmt.bytes_per_block == 4 and not arithmetic.signed and [one.bits for one in fmt.components] == [8] * 4,
        signed=arithmetic.signed,
        keeps_codes=not arithmetic.signed and all(_is_kept(one, other) for one, other in tables),
        missing=np.array([k for k in range(4) if k not in channels], dtype=np.int64),
        left=left_alone_by_kind(plain.color, plain.alpha, fmt, mask, constant, arithmetic),
    )


def count_rules(
    state: BlendTargetState, fmt: Format, constant: Float32, rules: Rules, mask: int, has_second: bool
) -> None:
    """Let one lane go through the rules, which counts them and the settings that they read."""
    codes = unpack_codes(fmt, np.zeros((1, fmt.bytes_per_block), dtype=np.uint8))
    lane = np.zeros((1, 4), dtype=np.float32)
    blend(state, fmt, lane, lane if has_second else None, constant, codes, rules, mask=mask)


def _factor(func: BlendFunc, channel: int, one: int, constants: list[int]) -> tuple[int, int, int]:
    """Return the line that a factor of a channel is made of, its offset and its gain."""
    if func is BlendFunc.ZERO:
        return SOURCE, 0, 0
    if func is BlendFunc.ONE or (func is BlendFunc.SRC_ALPHA_SATURATE and channel == 3):
        return SOURCE, one, 0
    if func is BlendFunc.SRC_ALPHA_SATURATE:
        return SATURATED, 0, 1
    name, of_alpha, is_one_minus = plain_factor(func)
    place = 3 if of_alpha else channel
    if name == "constant":
        return SOURCE, one - constants[place] if is_one_minus else constants[place], 0
    return _LINE_OF[name] + place, one if is_one_minus else 0, -1 if is_one_minus else 1


def _numbers(equation: Equation, factors: list[tuple[int, int, int]]) -> list[int]:
    signs = _EQUATIONS[equation.equation]
    return [sign * number for sign, (_, *numbers) in zip(signs, factors, strict=True) for number in numbers]


def _places(fmt: Format, tables: list[Tables]) -> NDArray[np.int64]:
    """Return where the components of a texel are, and where their tables are among all."""
    found = []
    read_from = stored_from = 0
    for component, (read, stored) in zip(fmt.components, tables, strict=True):
        word, bit = divmod(component.first_bit, _WORD_BITS)
        where = (channel_of(fmt, component), word, bit, (1 << component.bits) - 1)
        found.append((*where, read_from, len(read), stored_from, len(stored)))
        read_from += len(read)
        stored_from += len(stored)
    return np.array(found, dtype=np.int64)


def _tables(arithmetic: NormArithmetic, component: Component, dtype: np.dtype[Any]) -> Tables:
    """Return the tables of one component, filled by the rules."""
    if component.bits == arithmetic.bits and component.name != "X":
        return np.zeros(0, dtype=dtype), np.zeros(0, dtype=np.uint32)
    codes = np.arange(1 << component.bits, dtype=np.uint32)
    wide = np.arange(arithmetic.one + 1, dtype=np.int64)
    return arithmetic.widened(codes, component).astype(dtype), arithmetic.narrowed(wide, component)


def _is_kept(read: NDArray[Any], stored: NDArray[np.uint32]) -> bool:
    return bool(np.array_equal(stored[read.astype(np.int64)], np.arange(len(read))))
