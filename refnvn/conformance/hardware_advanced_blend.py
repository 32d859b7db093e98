"""How are the measured families of advanced blending scored: ``advblend`` and ``nvblend``?

They hold sources, stored bits and what each mode left (``out_F_pmP_OVERLAP_MODE``), premultiplied or not. All is
compared bit for bit; what the rules' own bounds allow counts as within: SOFTLIGHT's cubic, steps between denormals in
CONTRAST, and the sign of zeros.

Read next: ``hardware_blend.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_blend_texels import (
    source_of,
    texels,
)
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import BlendAdvancedMode, BlendAdvancedOverlap
from refnvn.formats.codec import decode
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.formats.packing import pack_codes
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.blend import BlendTargetState, blend
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_HALF_INFINITY = 0x7C00
_ADVANCED = re.compile(r"out_(\w+?)_pm([01])_(UNCORRELATED|DISJOINT|CONJOINT)_(\w+)")
_SOFT_LIGHT_BOUND = 9 / 2**11
"""RASTER-ADVANCED-2 knows its cubic to 5 / 2^13: with a store, about one code of 8 bits, times the scale below."""
_CONTRAST_BOUND = 1.0
"""In codes, of halves: steps between denormals."""


def _distances(fmt: Format, by_rule: UInt32, measured: UInt32) -> NDArray[np.float64]:
    """Return by how many codes results differ; halves count from -0 to +0 as none, NaN as all alike."""
    if fmt.numeric_class is not NumericClass.FLOAT:
        return np.abs(by_rule.astype(np.float64) - measured.astype(np.float64))

    def ordered(codes: UInt32) -> NDArray[np.float64]:
        magnitude = (codes & np.uint32(0x7FFF)).astype(np.float64)
        return np.where(codes & np.uint32(0x8000), -magnitude, magnitude)

    nan = [(codes & np.uint32(0x7FFF)) > _HALF_INFINITY for codes in (by_rule, measured)]
    distance: NDArray[np.float64] = np.where(
        nan[0] & nan[1], 0.0, np.where(nan[0] | nan[1], np.inf, np.abs(ordered(by_rule) - ordered(measured)))
    )
    return distance


def _soft_light_scale(state: BlendTargetState, source: Float32, destination: Float32) -> NDArray[np.float64]:
    """Return by how much colours beyond their alpha widen the bound, shape (lanes, 1): Cs and Cd^3, at least 1."""

    def divided(values: Float32, alpha: Float32) -> NDArray[np.float64]:
        colors = np.abs(values[:, :3].astype(np.float64)).max(axis=1, keepdims=True)
        size = np.abs(alpha.astype(np.float64))
        quotient: NDArray[np.float64] = np.divide(colors, size, out=np.ones_like(colors), where=size > 0)
        return np.maximum(quotient, 1.0)

    given = source[:, 3:] if state.advanced_premultiplied else np.ones_like(source[:, 3:])
    scale: NDArray[np.float64] = divided(source, given) * divided(destination, destination[:, 3:]) ** 3
    return scale


def _bounded(
    score: ArrayScore, state: BlendTargetState, fmt: Format, source: Float32, codes: tuple[UInt32, UInt32, UInt32]
) -> ArrayScore:
    """Return a score with what the rules' own bounds allow counted as within: zeros of the other sign, and more.

    ``codes`` are those that were stored, those by rule and the measured ones.
    """
    _, by_rule, measured = codes
    distance, bound = _distances(fmt, by_rule, measured), np.zeros(by_rule.shape)
    if state.advanced_mode is BlendAdvancedMode.SOFTLIGHT:
        values = [decode(fmt, pack_codes(fmt, one)) for one in codes]
        with np.errstate(invalid="ignore"):
            apart = np.abs(values[1].astype(np.float64) - values[2].astype(np.float64))
        distance = np.where(distance == 0, 0.0, apart)
        bound = bound + _SOFT_LIGHT_BOUND * _soft_light_scale(state, source, values[0])
    elif state.advanced_mode is BlendAdvancedMode.CONTRAST and fmt.numeric_class is NumericClass.FLOAT:
        bound = bound + _CONTRAST_BOUND
    near = int(np.count_nonzero((by_rule != measured) & (distance <= bound)))
    unit = "of 1" if state.advanced_mode is BlendAdvancedMode.SOFTLIGHT else "codes"
    return replace(
        score, within=near, wrong=score.wrong - near, largest_error=float(distance.max(initial=0.0)), unit=unit
    )


def _score_advanced(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _ADVANCED.fullmatch(name)
    if served is None or served[4].removesuffix("_NV") not in BlendAdvancedMode.__members__:
        return not_run(name, "no rule knows this array")
    key = served[1]
    fmt, source = nvn_format(file, key), source_of(file, "in_src_", key)
    state = BlendTargetState(
        advanced_mode=BlendAdvancedMode[served[4].removesuffix("_NV")],
        advanced_overlap=BlendAdvancedOverlap[served[3]],
        advanced_premultiplied=served[2] == "1",
    )
    stored = texels(file, "in_dst_" + key, fmt, len(source))
    measured = texels(file, name, fmt, len(source))
    with collect() as used:
        by_rule = blend(state, fmt, source, None, np.zeros(4, np.float32), stored, rules)
    return _bounded(compare(name, by_rule, measured, used), state, fmt, source, (stored, by_rule, measured))


def score_advanced(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``advblend`` or ``nvblend``."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score_advanced(file, name, rules)
