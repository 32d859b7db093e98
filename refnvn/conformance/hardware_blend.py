"""How are the measured families of blending, advanced blending, logic operations and the alpha test scored?

``blend`` and ``blendfp`` hold sources (``in_src_F``, ``in_src1_F``), stored bits (``in_dst_F``) and what each
equation of ``meta.eq`` left (``out_F_EQ``); ``sep`` arrays have separate states and masks (``in_sep_cfg``).
``advblend`` and ``nvblend`` hold the advanced modes (``out_F_pmP_OVERLAP_MODE``), ``logicop`` sixteen operations
(``out_F_plain``, ``mask``, ``blend``), ``alphatest`` which alphas passed (``out_F``, packed bits).

Read next: ``schemas.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_formats import nvn_format, words
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import AlphaFunc, BlendAdvancedMode, BlendAdvancedOverlap, BlendEquation, BlendFunc, LogicOp
from refnvn.errors import InputFileError
from refnvn.formats.codec import decode, encode
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format, NumericClass, format_named
from refnvn.raster.alpha_test import alpha_test
from refnvn.raster.alpha_to_coverage import covered_by_alpha
from refnvn.raster.blend import BlendTargetState, blend
from refnvn.raster.interpolate import Lanes
from refnvn.raster.logic_op import logic_op
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
_PAIRS = "RGBA8x"
"""All pairs of bytes, given as bytes."""
_HALF_INFINITY = 0x7C00


def _remarks(file: VectorFile, key: str) -> Any:
    """Return one entry of a file's remarks."""
    try:
        return json.loads(str(file.array(META).reshape(-1)[0]))[key]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputFileError(f"{file.path}: array {META!r} does not hold {key!r}") from error


def _texels(file: VectorFile, name: str, fmt: Format, texels: int) -> UInt32:
    """Read stored texels of any shape as codes, shape (texels, components)."""
    array = file.array(name)
    if array.dtype.kind != "u" or array.nbytes != texels * fmt.bytes_per_block:
        raise InputFileError(
            f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, not {texels} texels of "
            f"{fmt.bytes_per_block} unsigned bytes"
        )
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    return unpack_codes(fmt, little.view(np.uint8).reshape(texels, fmt.bytes_per_block))


def _quads(file: VectorFile, name: str) -> NDArray[np.uint32]:
    """Read words as (texels, 4)."""
    array = words(file, name)
    if array.ndim < 2 or array.shape[-1] != 4:
        raise InputFileError(f"{file.path}: array {name!r} has shape {array.shape}, not (..., 4)")
    return array.reshape(-1, 4)


def _source(file: VectorFile, name: str, key: str) -> Float32:
    if key != _PAIRS:
        return _quads(file, name + key).view(np.float32)
    array = file.array(name + key)
    if array.dtype != np.uint8 or array.ndim < 2 or array.shape[-1] != 4:
        raise InputFileError(f"{file.path}: array {name + key!r} is not uint8 of shape (..., 4)")
    scaled: Float32 = array.reshape(-1, 4).astype(np.float32) / np.float32(255)
    return scaled


def _blend_format(file: VectorFile, key: str) -> Format:
    return format_named("RGBA8") if key == _PAIRS else nvn_format(file, key)


def _func(file: VectorFile, name: Any) -> BlendFunc:
    if name not in BlendFunc.__members__:
        raise InputFileError(f"{file.path}: {name!r} is no blend factor")
    return BlendFunc[name]


def _equation(file: VectorFile, name: Any) -> BlendEquation:
    if name not in _EQUATIONS:
        raise InputFileError(f"{file.path}: {name!r} is no blend equation; {', '.join(_EQUATIONS)} are")
    return _EQUATIONS[name]


# --------------------------------------------------------------------------------------- blend, blendfp


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
    fmt, state = _blend_format(file, key), _state(file, told)
    source = _source(file, "in_src_", key)
    second = _source(file, "in_src1_", key) if "in_src1_" + key in file.headers else None
    constant = file.array("in_const") if "in_const" in file.headers else _BLENDFP_CONSTANT
    if constant.dtype != np.float32 or constant.shape != (4,):
        raise InputFileError(f"{file.path}: array 'in_const' is not float32 of shape (4,)")
    stored = _texels(file, "in_dst_" + key, fmt, len(source))
    with collect() as used:
        by_rule = blend(state, fmt, source, second, constant, stored, rules)
    return compare(name, by_rule, _texels(file, name, fmt, len(source)), used)


def _separate_states(file: VectorFile) -> list[tuple[BlendTargetState, int]]:
    """Return states and colour masks of ``in_sep_cfg``, whose rows hold indices into the names of the remarks."""
    rows = file.array("in_sep_cfg")
    equations, factors = _remarks(file, "equations"), _remarks(file, "factors")
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


def _masked(fmt: Format, mask: int, codes: UInt32, stored: UInt32) -> UInt32:
    """Return codes where a channel mask lets them be written."""
    written = np.array([mask >> "RGBA".index(c.name) & 1 for c in fmt.components], dtype=np.bool_)
    return np.where(written, codes, stored)


def _score_separate(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    key = name.removeprefix("out_sep_")
    fmt, states = nvn_format(file, key), _separate_states(file)
    source = _source(file, "in_sep_src_", key)
    stored = _texels(file, "in_sep_dst_" + key, fmt, len(source))
    measured = _texels(file, name, fmt, len(source) * len(states))
    by_rule = []
    with collect() as used:
        for state, mask in states:
            codes = blend(state, fmt, source, None, file.array("in_const"), stored, rules, mask=mask)
            by_rule.append(_masked(fmt, mask, codes, stored))
    return compare(name, np.concatenate(by_rule), measured, used)


def score_blend(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``blend`` or ``blendfp``."""
    equations = _remarks(file, "eq")
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


# ------------------------------------------------------------------------------------- advblend, nvblend

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
    fmt, source = nvn_format(file, key), _source(file, "in_src_", key)
    state = BlendTargetState(
        advanced_mode=BlendAdvancedMode[served[4].removesuffix("_NV")],
        advanced_overlap=BlendAdvancedOverlap[served[3]],
        advanced_premultiplied=served[2] == "1",
    )
    stored = _texels(file, "in_dst_" + key, fmt, len(source))
    measured = _texels(file, name, fmt, len(source))
    with collect() as used:
        by_rule = blend(state, fmt, source, None, np.zeros(4, np.float32), stored, rules)
    return _bounded(compare(name, by_rule, measured, used), state, fmt, source, (stored, by_rule, measured))


def score_advanced(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``advblend`` or ``nvblend``."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score_advanced(file, name, rules)


# ---------------------------------------------------------------------------------------------- logicop

_LOGIC = re.compile(r"out_(\w+)_(plain|mask|blend|clear_with_xor)")
_CLEARED = {False: np.array([0.3, 0.6, 0.9, 0.5], dtype=np.float32), True: np.array([3, 6, 9, 5], dtype=np.uint32)}


def _drawn_codes(fmt: Format, quads: UInt32, rules: Rules) -> UInt32:
    """Return the codes that output bits become in a plain store."""
    if fmt.numeric_class is NumericClass.SINT:
        return unpack_codes(fmt, encode(fmt, quads.view(np.int32), rules))
    return unpack_codes(fmt, encode(fmt, quads if fmt.is_integer else quads.view(np.float32), rules))


def _score_logic(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _LOGIC.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    key, how = served[1], served[2]
    fmt, quads = nvn_format(file, key), _quads(file, "in_src_" + key)
    stored = _texels(file, "in_dst_" + key, fmt, len(quads))
    with collect() as used:
        if how == "clear_with_xor":
            value = _CLEARED[fmt.is_integer].view(np.uint32)
            linear = format_named("RGBA8") if fmt.srgb else fmt  # the probe cleared without sRGB encoding
            by_rule = np.repeat(_drawn_codes(linear, value[np.newaxis], rules), len(quads), axis=0)
            return compare(name, by_rule, _texels(file, name, fmt, len(quads)), used)
        drawn = _drawn_codes(fmt, quads, rules)
        mask = 0b0101 if how == "mask" else 0b1111
        by_op = [_masked(fmt, mask, logic_op(op, fmt, drawn, stored), stored) for op in LogicOp]
    measured = _texels(file, name, fmt, len(quads) * len(by_op))
    return compare(name, np.concatenate(by_op), measured, used)


def score_logic(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``logicop``."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score_logic(file, name, rules)


# -------------------------------------------------------------------------------------------- alphatest

_MRT = re.compile(r"out_mrt(_int)?([01])")
_COVERAGE = re.compile(r"out_a2c_(2|4|8)x_(plain|alphatest|sampleshift)")
_MRT_REFERENCE, _COVERAGE_REFERENCE, _SAMPLE_MASK = 0.3125, 0.5, 5


def _alphas(file: VectorFile) -> Float32:
    array = words(file, "in_alpha")
    if array.ndim != 2 or array.shape[1] % 8:
        raise InputFileError(f"{file.path}: array 'in_alpha' has shape {array.shape}, not (rows, columns in eights)")
    return array.view(np.float32)


def _score_functions(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score which pixels passed, by function and reference."""
    fmt, alphas = nvn_format(file, name.removeprefix("out_")), _alphas(file)
    references = file.array("in_refs")
    packed = file.array(name)
    shape = (len(AlphaFunc), len(references), alphas.shape[0], alphas.shape[1] // 8)
    if packed.dtype != np.uint8 or packed.shape != shape or references.dtype != np.float32:
        raise InputFileError(
            f"{file.path}: array {name!r} is {packed.dtype} of shape {packed.shape}, not uint8 {shape}"
        )
    with collect() as used:
        by_rule = np.stack(
            [[alpha_test(func, fmt, alphas, float(one), rules) for one in references] for func in AlphaFunc]
        )
    return compare(name, by_rule.astype(np.uint8), np.unpackbits(packed, axis=-1), used)


def _score_targets(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score two targets of one draw: target 0 decides, and an integer one lets all pass."""
    served = _MRT.fullmatch(name)
    assert served is not None
    alphas = _alphas(file).ravel()
    integer, second = served[1] is not None, served[2] == "1"
    first = format_named("R32UI" if integer else "RGBA8")
    fmt = format_named("RGBA8") if second else first
    with collect() as used:
        passed = alpha_test(AlphaFunc.GREATER, first, alphas, _MRT_REFERENCE, rules)
        with np.errstate(all="ignore"):
            alpha = np.float32(1) - alphas if second else alphas
        colors = np.full((len(alphas), 4), 0.5 if second else 0.75, dtype=np.float32)
        colors[:, 3] = alpha
        bits = np.full((len(alphas), 4), 7, dtype=np.uint32) if fmt.is_integer else colors.view(np.uint32)
        by_rule = np.where(passed[:, np.newaxis], _drawn_codes(fmt, bits, rules), np.uint32(0))
    return compare(name, by_rule, _texels(file, name, fmt, len(alphas)), used)


def _score_coverage(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score the samples that alpha to coverage leaves, with an alpha test or a sample mask."""
    served = _COVERAGE.fullmatch(name)
    assert served is not None
    samples, fmt, alphas = int(served[1]), format_named("R8"), _alphas(file)
    rows, columns = np.indices(alphas.shape)
    lanes = Lanes(np.zeros(alphas.size, np.int64), columns.ravel(), rows.ravel())
    with collect() as used:
        covered = covered_by_alpha(fmt, alphas.ravel().view(np.uint32), samples, lanes, rules, dither=True)
        if served[2] == "alphatest":
            covered = covered & alpha_test(AlphaFunc.GREATER, fmt, alphas.ravel(), _COVERAGE_REFERENCE, rules)
        bits = np.uint32(1) << np.arange(samples, dtype=np.uint32)
        by_rule = (covered * bits[:, np.newaxis]).sum(axis=0, dtype=np.uint32)
    if served[2] == "sampleshift":
        by_rule = by_rule & np.uint32(_SAMPLE_MASK)
    measured = file.array(name)
    if measured.shape != alphas.shape:
        raise InputFileError(f"{file.path}: array {name!r} has shape {measured.shape}, not {alphas.shape}")
    return compare(name, by_rule, measured.ravel().astype(np.uint32), used)


def score_alpha(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``alphatest``."""
    for name in file.headers:
        if _MRT.fullmatch(name):
            yield _score_targets(file, name, rules)
        elif _COVERAGE.fullmatch(name):
            yield _score_coverage(file, name, rules)
        elif name.startswith("out_"):
            yield _score_functions(file, name, rules)


def _ending(*endings: str) -> Callable[[VectorFile], bool]:
    """Return whether a file holds remarks, sources and arrays with all these endings."""

    def recognises(file: VectorFile) -> bool:
        names = tuple(file.headers)
        inputs = META in names and any(name.startswith("in_src_") for name in names)
        return inputs and all(any(name.endswith(one) for name in names) for one in endings)

    return recognises


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="blend", recognises=has_arrays("in_sep_cfg", "in_const", "in_src1_*"), score=score_blend),
    Schema(name="blendfp", recognises=_ending("_srcA_one", "_one_srcA"), score=score_blend),
    Schema(name="blend probe", recognises=_ending("_oneone", "_screen"), score=score_blend),
    Schema(name="advblend", recognises=_ending("_pm1_UNCORRELATED_MULTIPLY"), score=score_advanced),
    Schema(name="nvblend", recognises=_ending("_pm1_UNCORRELATED_ZERO"), score=score_advanced),
    Schema(name="advanced blend probe", recognises=_ending("_pm1_UNCORRELATED_DIFFERENCE"), score=score_advanced),
    Schema(name="HSL probe", recognises=_ending("_pm1_UNCORRELATED_HSL_HUE"), score=score_advanced),
    Schema(name="logicop", recognises=_ending("_plain", "_clear_with_xor"), score=score_logic),
    Schema(name="alphatest", recognises=has_arrays("in_refs", "in_alpha"), score=score_alpha),
)
