"""How are the measured families ``logicop`` and ``alphatest`` scored?

``logicop`` holds sixteen operations (``out_F_plain``, ``mask``, ``blend``) and clears while one is set; ``alphatest``
which alphas passed (``out_F``, packed bits), two targets at once, and alpha to coverage beside the test.

Read next: ``hardware_blend.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from refnvn.conformance.hardware_blend_texels import (
    drawn_codes,
    masked,
    quads,
    texels,
)
from refnvn.conformance.hardware_formats import nvn_format, words
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import AlphaFunc, LogicOp
from refnvn.errors import InputFileError
from refnvn.formats.floatbits import Float32
from refnvn.formats.table import format_named
from refnvn.raster.alpha_test import alpha_test
from refnvn.raster.alpha_to_coverage import covered_by_alpha
from refnvn.raster.interpolate import Lanes
from refnvn.raster.logic_op import logic_op
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_LOGIC = re.compile(r"out_(\w+)_(plain|mask|blend|clear_with_xor)")
_CLEARED = {False: np.array([0.3, 0.6, 0.9, 0.5], dtype=np.float32), True: np.array([3, 6, 9, 5], dtype=np.uint32)}


def _score_logic(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _LOGIC.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    key, how = served[1], served[2]
    fmt, given = nvn_format(file, key), quads(file, "in_src_" + key)
    stored = texels(file, "in_dst_" + key, fmt, len(given))
    with collect() as used:
        if how == "clear_with_xor":
            value = _CLEARED[fmt.is_integer].view(np.uint32)
            linear = format_named("RGBA8") if fmt.srgb else fmt  # the probe cleared without sRGB encoding
            by_rule = np.repeat(drawn_codes(linear, value[np.newaxis], rules), len(given), axis=0)
            return compare(name, by_rule, texels(file, name, fmt, len(given)), used)
        drawn = drawn_codes(fmt, given, rules)
        mask = 0b0101 if how == "mask" else 0b1111
        by_op = [masked(fmt, mask, logic_op(op, fmt, drawn, stored), stored) for op in LogicOp]
    measured = texels(file, name, fmt, len(given) * len(by_op))
    return compare(name, np.concatenate(by_op), measured, used)


def score_logic(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``logicop``."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score_logic(file, name, rules)


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
        by_rule = np.where(passed[:, np.newaxis], drawn_codes(fmt, bits, rules), np.uint32(0))
    return compare(name, by_rule, texels(file, name, fmt, len(alphas)), used)


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
