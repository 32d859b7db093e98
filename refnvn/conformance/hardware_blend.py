"""How are the measured families of blending scored: ``blend`` and ``blendfp``? And all schemas of the output merger.

Both hold sources (``in_src_F``, ``in_src1_F``), stored bits (``in_dst_F``) and what each equation of ``meta.eq`` left
(``out_F_EQ``); ``sep`` arrays have separate states and masks (``in_sep_cfg``).

Read next: ``hardware_advanced_blend.py``, ``hardware_logic.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from refnvn.conformance.hardware_advanced_blend import score_advanced
from refnvn.conformance.hardware_blend_constant import SCHEMA as CONSTANTS
from refnvn.conformance.hardware_blend_constant import TIES
from refnvn.conformance.hardware_blend_texels import (
    blend_format,
    masked,
    remarks,
    source_of,
    texels,
)
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.hardware_logic import score_alpha, score_logic
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import BlendEquation, BlendFunc
from refnvn.errors import InputFileError
from refnvn.raster.blend import BlendTargetState, blend
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_EQUATIONS = {
    "FUNC_ADD": BlendEquation.ADD,
    "FUNC_SUBTRACT": BlendEquation.SUB,
    "FUNC_REVERSE_SUBTRACT": BlendEquation.REVERSE_SUB,
    "MIN": BlendEquation.MIN,
    "MAX": BlendEquation.MAX,
}
_BLENDFP_CONSTANT = np.array([0.2, 0.4, 0.7, 0.3], dtype=np.float32)


def _func(file: VectorFile, name: Any) -> BlendFunc:
    if name not in BlendFunc.__members__:
        raise InputFileError(f"{file.path}: {name!r} is no blend factor")
    return BlendFunc[name]


def _equation(file: VectorFile, name: Any) -> BlendEquation:
    if name not in _EQUATIONS:
        raise InputFileError(f"{file.path}: {name!r} is no blend equation; {', '.join(_EQUATIONS)} are")
    return _EQUATIONS[name]


def _state(file: VectorFile, told: Any) -> BlendTargetState:
    """Return the state of one entry of ``meta.eq``: equation, source factor, destination factor."""
    if not isinstance(told, list) or len(told) != 3:
        raise InputFileError(f"{file.path}: an equation of {META!r} is {told!r}, not a list of three names")
    equation, source, destination = _equation(file, told[0]), _func(file, told[1]), _func(file, told[2])
    return BlendTargetState(
        source_color=source, destination_color=destination, color_equation=equation,
        source_alpha=source, destination_alpha=destination, alpha_equation=equation,
    )  # fmt: skip


def _score_equation(file: VectorFile, name: str, key: str, told: Any, rules: Rules) -> ArrayScore:
    fmt, state = blend_format(file, key), _state(file, told)
    source = source_of(file, "in_src_", key)
    second = source_of(file, "in_src1_", key) if "in_src1_" + key in file.headers else None
    constant = file.array("in_const") if "in_const" in file.headers else _BLENDFP_CONSTANT
    if constant.dtype != np.float32 or constant.shape != (4,):
        raise InputFileError(f"{file.path}: array 'in_const' is not float32 of shape (4,)")
    stored = texels(file, "in_dst_" + key, fmt, len(source))
    with collect() as used:
        by_rule = blend(state, fmt, source, second, constant, stored, rules)
    return compare(name, by_rule, texels(file, name, fmt, len(source)), used)


def _separate_states(file: VectorFile) -> list[tuple[BlendTargetState, int]]:
    """Return states and colour masks of ``in_sep_cfg``, whose rows hold indices into the names of the remarks."""
    rows = file.array("in_sep_cfg")
    equations, factors = remarks(file, "equations"), remarks(file, "factors")
    if rows.ndim != 2 or rows.shape[1] != 7 or rows.dtype.kind not in "iu":
        raise InputFileError(f"{file.path}: array 'in_sep_cfg' has shape {rows.shape}, not (states, 7)")
    found = []
    for row in rows.tolist():
        if not (min(row[:6]) >= 0 and max(row[:2]) < len(equations) and max(row[2:6]) < len(factors)):
            raise InputFileError(f"{file.path}: array 'in_sep_cfg' holds a row outside the names of {META!r}: {row}")
        names = [_func(file, factors[k]) for k in row[2:6]]
        state = BlendTargetState(
            color_equation=_equation(file, equations[row[0]]), alpha_equation=_equation(file, equations[row[1]]),
            source_color=names[0], destination_color=names[1], source_alpha=names[2], destination_alpha=names[3],
        )  # fmt: skip
        found.append((state, row[6]))
    return found


def _score_separate(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    key = name.removeprefix("out_sep_")
    fmt, states = nvn_format(file, key), _separate_states(file)
    source = source_of(file, "in_sep_src_", key)
    stored = texels(file, "in_sep_dst_" + key, fmt, len(source))
    measured = texels(file, name, fmt, len(source) * len(states))
    by_rule = []
    with collect() as used:
        for state, mask in states:
            codes = blend(state, fmt, source, None, file.array("in_const"), stored, rules, mask=mask)
            by_rule.append(masked(fmt, mask, codes, stored))
    return compare(name, np.concatenate(by_rule), measured, used)


def score_blend(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``blend`` or ``blendfp``."""
    equations = remarks(file, "eq")
    endings = sorted(equations, key=len, reverse=True)
    for name in file.headers:
        if name.startswith("out_sep_"):
            yield _score_separate(file, name, rules)
        elif name.startswith("out_"):
            ending = next((one for one in endings if name.endswith("_" + one)), None)
            if ending is None:
                raise InputFileError(f"{file.path}: array {name!r} names no equation of {META!r}")
            key = name.removeprefix("out_").removesuffix("_" + ending)
            yield _score_equation(file, name, key, equations[ending], rules)


def _ending(*endings: str) -> Callable[[VectorFile], bool]:
    """Return whether a file holds remarks, sources and arrays with all these endings, and no masks of samples."""

    def recognises(file: VectorFile) -> bool:
        names = tuple(file.headers)
        inputs = META in names and any(name.startswith("in_src_") for name in names)
        inputs = inputs and not any(name.startswith("in_mask_") for name in names)
        return inputs and all(any(name.endswith(one) for name in names) for one in endings)

    return recognises


def _is_blend_probe(file: VectorFile) -> bool:
    """Say whether a file is a probe of blends, not one of mixed samples that blend too."""
    return _ending("_oneone", "_screen")(file) and "in_odd_table" not in file.headers


def _only(ending: str) -> Callable[[VectorFile], bool]:
    """Return whether a file holds remarks, sources and results that all have this ending."""

    def recognises(file: VectorFile) -> bool:
        results = [name for name in file.headers if name.startswith("out_")]
        return _ending(ending)(file) and all(name.endswith(ending) for name in results)

    return recognises


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="blend", recognises=has_arrays("in_sep_cfg", "in_const", "in_src1_*"), score=score_blend),
    Schema(name="blendfp", recognises=_ending("_srcA_one", "_one_srcA"), score=score_blend),
    Schema(name="blend probe", recognises=_is_blend_probe, score=score_blend),
    Schema(name="advblend", recognises=_ending("_pm1_UNCORRELATED_MULTIPLY"), score=score_advanced),
    Schema(name="nvblend", recognises=_ending("_pm1_UNCORRELATED_ZERO"), score=score_advanced),
    Schema(name="advanced blend probe", recognises=_ending("_pm1_UNCORRELATED_DIFFERENCE"), score=score_advanced),
    Schema(name="soft light probe", recognises=_only("_pm1_UNCORRELATED_SOFTLIGHT"), score=score_advanced),
    Schema(name="HSL probe", recognises=_ending("_pm1_UNCORRELATED_HSL_HUE"), score=score_advanced),
    Schema(name="logicop", recognises=_ending("_plain", "_clear_with_xor"), score=score_logic),
    CONSTANTS,
    TIES,
    Schema(name="alphatest", recognises=has_arrays("in_refs", "in_alpha"), score=score_alpha),
)
