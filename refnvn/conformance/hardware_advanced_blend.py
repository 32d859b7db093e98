"""How are the measured families of advanced blending scored: ``advblend`` and ``nvblend``?

They hold sources, stored bits and what each mode left (``out_F_pmP_OVERLAP_MODE``), premultiplied or not. All is
compared bit for bit; what the rules' own bounds allow counts as within: steps between denormals in CONTRAST, and the
sign of zeros.

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
from refnvn.formats.floatbits import UInt32
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.blend import BlendTargetState, blend
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_HALF_INFINITY = 0x7C00
_ADVANCED = re.compile(r"out_(\w+?)_pm([01])_(UNCORRELATED|DISJOINT|CONJOINT)_(\w+)")
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


def _bounded(
    score: ArrayScore, state: BlendTargetState, fmt: Format, by_rule: UInt32, measured: UInt32
) -> ArrayScore:
    """Return a score with what the rules' own bounds allow counted as within: zeros of the other sign, and more."""
    distance = _distances(fmt, by_rule, measured)
    of_halves = fmt.numeric_class is NumericClass.FLOAT
    bound = _CONTRAST_BOUND if state.advanced_mode is BlendAdvancedMode.CONTRAST and of_halves else 0.0
    near = int(np.count_nonzero((by_rule != measured) & (distance <= bound)))
    return replace(
        score, within=near, wrong=score.wrong - near, largest_error=float(distance.max(initial=0.0)), unit="codes"
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
    return _bounded(compare(name, by_rule, measured, used), state, fmt, by_rule, measured)


def score_advanced(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``advblend`` or ``nvblend``."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score_advanced(file, name, rules)
