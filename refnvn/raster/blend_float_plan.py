"""How is a blend in floats told to the compiled loops? As numbers and tables that the rules fill.

Serves targets of halves and small floats, of sRGB codes and of float32. Read next: ``blend_float_kernel.py``.
"""

from __future__ import annotations

import contextvars
import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc
from refnvn.formats.floatbits import Float32, Float64, UInt32
from refnvn.formats.small_float import decode_half, rounds_to_nearest
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.blend import BlendTargetState, arithmetic_of, as_plain
from refnvn.raster.blend_components import channel_of
from refnvn.raster.blend_factors import plain_factor
from refnvn.raster.blend_float import HALF, SINGLE, Precision
from refnvn.raster.blend_kept import Equation, LeftAlone, left_alone_by_kind
from refnvn.raster.blend_plan import count_rules
from refnvn.rules.fields import FIELDS, BlendPrecision, Rules, StoreNorm, StoreSrgb

_WORD_BITS = 32
_HALVES = 1 << 16
CONSTANT, VALUE, ONE_MINUS, SATURATED = range(4)
"""How a factor comes about: a constant, an operand, one minus it, or min(As, 1 - Ad)."""
GIVEN, FLUSHED, CUT, ROUNDED = range(4)
"""How a source becomes a number: not in the loops, a float32 without denormals, a half as floats or sRGB make it."""
_EQUATIONS = {
    BlendEquation.ADD: (1.0, 1.0),
    BlendEquation.SUB: (1.0, -1.0),
    BlendEquation.REVERSE_SUB: (-1.0, 1.0),
    BlendEquation.MIN: (0.0, -1.0),
    BlendEquation.MAX: (0.0, 1.0),
}
"""Signs of the source and of the destination; 0 and a sign for the greater of both with that sign."""
_OPERANDS = {"source": 0, "destination": 4, "source1": 8}


@dataclass(frozen=True, slots=True)
class FloatPlan:
    """A blend in floats as numbers.

    Attributes
    ----------
    precision : Precision
    equations : float64, shape (4, 2)
        Of each channel, see ``_EQUATIONS``.
    kinds, operands, constants : arrays, shape (4, 2)
        Of each channel the two factors: how they come about, of which operand, or which constant.
    reads_source1 : bool
    places : int64, shape (components, 6)
        Of each component its channel, 32-bit word, first bit in it, largest code, and where its tables begin; -1 for
        float32, which needs none.
    read : float64, stored : uint32
        Tables from codes to values, and from the codes of halves to codes.
    source : int
        How sources become numbers: ``GIVEN``, ``FLUSHED``, ``CUT`` or ``ROUNDED``.
    to_nearest : int
        1 where a half is the nearest, 0 where it is cut.
    sources : float64, shape (2, 65536)
        What sources that are halves count as, by their codes: colours and alpha.
    left : LeftAlone
        Which pixels are left alone.
    """

    precision: Precision
    equations: Float64
    kinds: NDArray[np.int64]
    operands: NDArray[np.int64]
    constants: Float64
    reads_source1: bool
    places: NDArray[np.int64]
    read: Float64
    stored: UInt32
    source: int
    to_nearest: int
    sources: Float64
    left: LeftAlone


def counts_in_floats(state: BlendTargetState, fmt: Format, rules: Rules) -> bool:
    """Say whether the loops serve: factors, no program, and a float or sRGB target whose bits are all channels."""
    if not fmt.srgb and fmt.numeric_class not in (NumericClass.FLOAT, NumericClass.UFLOAT):
        return False
    if as_plain(state) is None or rules.blend_precision is not BlendPrecision.NVIDIA:
        return False
    return all(channel_of(fmt, one) is not None for one in fmt.components)


def float_plan(
    state: BlendTargetState, fmt: Format, constant: Float32, rules: Rules, mask: int, *, has_second: bool = False
) -> FloatPlan:
    """Return a blend as numbers, for a format that :func:`counts_in_floats`; parameters as of ``norm_plan``."""
    count_rules(state, fmt, constant, rules, mask, has_second)
    plain = as_plain(state)
    arithmetic = arithmetic_of(fmt, rules)
    assert plain is not None
    constants = arithmetic.constant(constant.reshape(1, 4))[0]
    equations: tuple[Equation, ...] = (plain.color,) * 3 + (plain.alpha,)
    factors = [
        [_factor(func, channel, constants) for func in (one.source, one.destination)]
        for channel, one in enumerate(equations)
    ]
    tables = _tables(fmt, rules)
    return FloatPlan(
        precision=SINGLE if fmt.components[0].bits == _WORD_BITS else HALF,
        equations=np.array([_EQUATIONS[one.equation] for one in equations]),
        kinds=np.array([[kind for kind, *_ in pair] for pair in factors], dtype=np.int64),
        operands=np.array([[operand for _, operand, _ in pair] for pair in factors], dtype=np.int64),
        constants=np.array([[number for *_, number in pair] for pair in factors], dtype=np.float64),
        reads_source1=plain.uses_source1,
        places=tables.places,
        read=tables.read,
        stored=tables.stored,
        source=_source(fmt, rules),
        to_nearest=tables.to_nearest,
        sources=tables.sources,
        left=left_alone_by_kind(plain.color, plain.alpha, fmt, mask, constant, arithmetic),
    )


def _source(fmt: Format, rules: Rules) -> int:
    """Return how the loops make numbers of sources."""
    if not fmt.srgb:
        return FLUSHED if fmt.components[0].bits == _WORD_BITS else CUT
    plain = rules.peek("store_srgb") is StoreSrgb.NVIDIA and rules.peek("store_norm") is StoreNorm.NVIDIA
    return ROUNDED if plain else GIVEN


def _factor(func: BlendFunc, channel: int, constants: Float64) -> tuple[int, int, float]:
    """Return how a factor of a channel comes about, of which operand, and its constant."""
    if func is BlendFunc.ZERO:
        return CONSTANT, 0, 0.0
    if func is BlendFunc.ONE or (func is BlendFunc.SRC_ALPHA_SATURATE and channel == 3):
        return CONSTANT, 0, 1.0
    if func is BlendFunc.SRC_ALPHA_SATURATE:
        return SATURATED, 0, 0.0
    name, of_alpha, is_one_minus = plain_factor(func)
    place = 3 if of_alpha else channel
    if name == "constant":
        return (ONE_MINUS if is_one_minus else VALUE), -1, float(constants[place])
    return (ONE_MINUS if is_one_minus else VALUE), _OPERANDS[name] + place, 0.0


class _Tables(NamedTuple):
    """Where components are, and what their codes mean and halves become; see :class:`FloatPlan`."""

    places: NDArray[np.int64]
    read: Float64
    stored: UInt32
    sources: Float64
    to_nearest: int


def _tables(fmt: Format, rules: Rules) -> _Tables:
    """Return the tables of a format; kept, as they are long, so that neither rules nor settings count."""
    return _kept_tables(fmt, tuple(rules.peek(name) for name in FIELDS))


@functools.lru_cache(maxsize=32)
def _kept_tables(fmt: Format, settings: tuple[Any, ...]) -> _Tables:
    return contextvars.Context().run(_filled_tables, fmt, Rules(**dict(zip(FIELDS, settings, strict=True))))


def _filled_tables(fmt: Format, rules: Rules) -> _Tables:
    """Let the rules fill tables, one for all components that are alike."""
    arithmetic: Any = arithmetic_of(fmt, rules)
    with np.errstate(all="ignore"):
        halves = decode_half(np.arange(_HALVES, dtype=np.uint32)).astype(np.float64)
    read, stored = [np.zeros(0)], [np.zeros(0, dtype=np.uint32)]
    begins: dict[tuple[int, bool], tuple[int, int]] = {}
    places = []
    for one in fmt.components:
        kind = (one.bits, one.name == "A")
        if one.bits == _WORD_BITS:
            begins[kind] = (-1, -1)
        elif kind not in begins:
            begins[kind] = (sum(map(len, read)), sum(map(len, stored)))
            with np.errstate(all="ignore"):
                read.append(arithmetic.read(np.arange(1 << one.bits, dtype=np.uint32), one))
                stored.append(arithmetic.store(halves, one))
        word, bit = divmod(one.first_bit, _WORD_BITS)
        places.append((channel_of(fmt, one), word, bit, (1 << one.bits) - 1, *begins[kind]))
    with np.errstate(all="ignore"):
        sources = arithmetic.source(np.repeat(halves.astype(np.float32)[:, np.newaxis], 4, axis=1))
    return _Tables(
        np.array(places, dtype=np.int64), np.concatenate(read), np.concatenate(stored),
        np.ascontiguousarray(sources[:, 2:].T), rounds_to_nearest(rules),
    )  # fmt: skip
