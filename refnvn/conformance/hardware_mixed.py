"""How are mixed samples scored: part of ``nvraster``, and ``covmod``, which was measured for them?

``nvraster`` holds triangles of one colour on a target of one sample, by raster samples and modulation mode. In
``covmod`` a shader writes colours (``in_src_F``) and sample masks (``in_mask_n``), stored over 0.4 or blended
with ``in_dst_F``; ``_table`` and ``_odd`` name the modulation table. ``out_MODE_m_of_n`` are the first channels of m
colour samples, ``out_seen_nx`` the masks that a shader saw, ``out_depth_nx_MODE`` what depth samples left.

Read next: ``hardware_multisample.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_blend_texels import remarks, texels
from refnvn.conformance.hardware_draws import (
    ONE_BITS,
    WHOLE,
    array_of,
    blank,
    constant_color,
    draw,
    to_words_of_pixel,
    within,
)
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.hardware_multisample import covered_as_color
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import AlphaFunc, BlendEquation, BlendFunc, CoverageModulationMode, DepthFunc, LogicOp
from refnvn.errors import InputFileError
from refnvn.formats.codec import encode
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format, format_named
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.coverage_modulation import LINEAR, table_steps
from refnvn.raster.samples import Multisample
from refnvn.raster.state import TARGETS_MAX, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

MODULATED = re.compile(r"out_covmod_(2|4|8|16)x_(NONE|RGB|RGBA|ALPHA)(_table)?")
_STORED = re.compile(r"out_(\w+?)_(2|4|8|16)x_(NONE|RGB|RGBA|ALPHA)(_table|_odd)?")
_BLENDED = re.compile(r"out_blend_(\w+?)_(4|16)x_(RGB|RGBA|ALPHA)_(\w+)")
_SPECIAL = re.compile(r"out_special_(4|8|16)x_(\w+)")
_FEW = re.compile(r"out_(NONE|RGBA)_(2|4|8)_of_(4|8|16)")
_SEEN = re.compile(r"out_seen_(2|4|8|16)x")
_DEPTH = re.compile(r"out_(depth|depth_after|count)_(2|4|8)x_(NONE|RGBA)")
_VIEWPORT_PX = 64.0
_CLEARED = 0.4
_ALPHA_REFERENCE = 0.45
_WORDS = 9
"""Of a pixel: two colours and a mask."""
_UNIFORM_B = 1 << 16
_DEPTH_BOUND = 1.0
"""Of depths at samples, in 2^-24."""


def _shader(columns: int, outputs: tuple[str, ...]) -> Shader:
    """Return a shader that writes the words of its pixel to its outputs (float or uint) and its sample mask."""
    steps = to_words_of_pixel(columns, _WORDS)
    for word in range(4 * len(outputs) + 1):
        place = 4 * (_WORDS - 1) if word == 4 * len(outputs) else 4 * word
        mask = {"location": -1} if word == 4 * len(outputs) else {"location": word // 4, "component": word % 4}
        steps.append({"do": "constant", "to": 0, "bits": place})
        steps.append({"do": "operate", "name": "word.add", "to": 0, "of": [0, 2]})
        steps.append({"do": "load_uniform", "to": 0, "binding": 0, "plus_B": 0})
        steps.append({"do": "store_output", **mask, "of": 0})
    declared = [{"location": k, "components": 4, "type": one} for k, one in enumerate(outputs)]
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 3,
            "outputs": [*declared, {"location": -1, "components": 1, "type": "uint"}],
            "uniforms": [{"binding": 0, "size_B": _UNIFORM_B}], "statements": steps,
        }
    )  # fmt: skip


def _drawn(
    target: ColorTarget,
    state: RasterState,
    colors: tuple[NDArray[np.uint32], ...],
    masks: NDArray[np.uint32],
    rules: Rules,
) -> None:
    """Draw the words of pixels, shape (rows, columns, 4), with their sample masks."""
    rows, columns = masks.shape
    words = np.zeros((rows, columns, _WORDS), dtype=np.uint32)
    for place, one in enumerate(colors):
        words[..., 4 * place : 4 * place + 4] = one
    words[..., -1] = masks
    kind = {"UINT": "uint", "SINT": "int"}.get(target.fmt.numeric_class.name, "float")
    draw(state, target, None, WHOLE, _shader(columns, (kind,) * len(colors)), rules, words)


def _mixed(samples: int, mode: str, table: tuple[int, ...] = LINEAR, **fields: Any) -> Multisample:
    return Multisample(
        raster_samples=samples, coverage_modulation=CoverageModulationMode[mode], modulation_table=table, **fields
    )


def _state(columns: int, multisample: Multisample, **fields: Any) -> RasterState:
    return RasterState(viewport=(0.0, 0.0, float(columns), float(columns)), multisample=multisample, **fields)


# ------------------------------------------------------------------------------------------ nvraster


def score_modulated(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an array of ``nvraster`` whose name :data:`MODULATED` matches."""
    served = MODULATED.fullmatch(name)
    assert served is not None
    measured = array_of(file, name, (None, None, None, 4), "u")
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(measured)].astype(np.float32)
    table = table_steps(array_of(file, "in_covmod_table", (16,), "f")) if served[3] else LINEAR
    state = RasterState(
        viewport=(0.0, 0.0, _VIEWPORT_PX, _VIEWPORT_PX), multisample=_mixed(int(served[1]), served[2], table)
    )
    fmt, images = format_named("RGBA8"), []
    color = np.array([1.0, 0.75, 0.5, 1.0], np.float32).view(np.uint32).tolist()
    shader = constant_color(*color)
    with collect() as used:
        for triangle in triangles:
            target = ColorTarget(fmt, blank(fmt, *measured.shape[1:3]))
            draw(state, target, None, triangle, shader, rules)
            images.append(target.codes)
    return compare(name, np.stack(images), measured, used)


# -------------------------------------------------------------------------------------------- covmod


def _masks(file: VectorFile, samples: int | str) -> NDArray[np.uint32]:
    found: NDArray[np.uint32] = array_of(file, f"in_mask_{samples}", (None, None), "u").astype(np.uint32)
    if found.size * _WORDS * 4 > _UNIFORM_B:
        raise InputFileError(
            f"{file.path}: array 'in_mask_{samples}' is larger than {_UNIFORM_B // (4 * _WORDS)} pixels"
        )
    return found


def _colors(file: VectorFile, name: str, masks: NDArray[np.uint32]) -> NDArray[np.uint32]:
    found: NDArray[np.uint32] = array_of(file, name, (*masks.shape, 4), "u").astype(np.uint32)
    return found


def _cleared(fmt: Format, shape: tuple[int, int], rules: Rules) -> ColorTarget:
    if fmt.is_integer:
        values: NDArray[Any] = np.full((1, 1, 4), 9, np.int32 if fmt.numeric_class.name == "SINT" else np.uint32)
    else:
        values = np.full((1, 1, 4), _CLEARED, np.float32)
    plain = format_named("RGBA8") if fmt.srgb else fmt  # sRGB encoding came on after the clear
    return ColorTarget(fmt, np.tile(encode(plain, values, rules), (*shape, 1)))


def _score_stored(file: VectorFile, name: str, served: re.Match[str], rules: Rules) -> ArrayScore:
    fmt, samples = nvn_format(file, served[1]), int(served[2])
    masks = _masks(file, samples)
    tables = {"_table": "in_table", "_odd": "in_odd_table"}
    table = table_steps(array_of(file, tables[served[4]], (16,), "f")) if served[4] else LINEAR
    with collect() as used:
        target = _cleared(fmt, masks.shape, rules)
        state = _state(masks.shape[1], _mixed(samples, served[3], table))
        _drawn(target, state, (_colors(file, f"in_src_{served[1]}", masks),), masks, rules)
    return compare(
        name, unpack_codes(fmt, target.codes).reshape(masks.size, -1), texels(file, name, fmt, masks.size), used
    )


def _blend_state(file: VectorFile, name: str) -> BlendTargetState:
    told: Any = remarks(file, "blends")
    factors = told.get(name) if isinstance(told, dict) else None
    if not isinstance(factors, list) or len(factors) != 2 or any(one not in BlendFunc.__members__ for one in factors):
        raise InputFileError(f"{file.path}: blend {name!r} of the remarks is {factors!r}, not two factors")
    source, destination = (BlendFunc[one] for one in factors)
    equation = BlendEquation.MIN if name == "min" else BlendEquation.ADD
    return BlendTargetState(
        source_color=source, destination_color=destination, source_alpha=source, destination_alpha=destination,
        color_equation=equation, alpha_equation=equation,
    )  # fmt: skip


def _score_blended(file: VectorFile, name: str, served: re.Match[str], rules: Rules) -> ArrayScore:
    fmt, samples = nvn_format(file, served[1]), int(served[2])
    masks, how = _masks(file, samples), _blend_state(file, served[4])
    texels(file, f"in_dst_{served[1]}", fmt, masks.size)
    stored = np.ascontiguousarray(file.array(f"in_dst_{served[1]}")).view(np.uint8).reshape(*masks.shape, -1)
    names = ("src", "src1") if how.uses_source1 else ("src",)
    colors = tuple(_colors(file, f"in_{one}_{served[1]}", masks) for one in names)
    blends = (how, *(None,) * (TARGETS_MAX - 1))
    with collect() as used:
        target = ColorTarget(fmt, stored.copy())
        _drawn(target, _state(masks.shape[1], _mixed(samples, served[3]), blends=blends), colors, masks, rules)
    return compare(
        name, unpack_codes(fmt, target.codes).reshape(masks.size, -1), texels(file, name, fmt, masks.size), used
    )


_SETTINGS: dict[str, dict[str, Any]] = {
    "a2c_plain": {"alpha_to_coverage": True, "dither": False},
    "a2c_dither": {"alpha_to_coverage": True},
    "one": {"alpha_to_one": True},
    "mask5": {"mask": 5},
    "off": {"enabled": False},
    "test": {},
    "xor": {},
}


def _score_special(file: VectorFile, name: str, served: re.Match[str], rules: Rules) -> ArrayScore:
    if served[2] not in _SETTINGS:
        return not_run(name, "no rule knows this array")
    samples, fmt = int(served[1]), format_named("RGBA8")
    masks = _masks(file, samples)
    state = _state(masks.shape[1], _mixed(samples, "RGBA", **_SETTINGS[served[2]]))
    if served[2] == "test":
        state = replace(state, alpha_test=AlphaFunc.GREATER, alpha_reference=_ALPHA_REFERENCE)
    elif served[2] == "xor":
        state = replace(state, logic_op=LogicOp.XOR)
    with collect() as used:
        target = _cleared(fmt, masks.shape, rules)
        _drawn(target, state, (_colors(file, "in_src_RGBA8", masks),), masks, rules)
    return compare(name, target.codes, array_of(file, name, target.codes.shape, "u"), used)


def _score_few(file: VectorFile, name: str, served: re.Match[str], rules: Rules) -> ArrayScore:
    few, many, fmt = int(served[2]), int(served[3]), format_named("RGBA8")
    masks = _masks(file, f"{few}_of_{many}")
    ones = np.full((*masks.shape, 4), ONE_BITS, np.uint32)
    with collect() as used:
        first, *others = (blank(fmt, *masks.shape) for _ in range(few))
        target = ColorTarget(fmt, first, tuple(others))
        _drawn(target, _state(masks.shape[1], _mixed(many, served[1])), (ones,), masks, rules)
    found = np.stack([first, *others])[..., 0]
    return compare(name, found, array_of(file, name, found.shape, "u"), used)


def _score_seen(file: VectorFile, name: str, served: re.Match[str], rules: Rules) -> ArrayScore:
    measured = array_of(file, name, (None, None, None), "u").astype(np.uint32)
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(measured)].astype(np.float32)
    fmt, images = format_named("R32UI"), []
    with collect() as used:
        for triangle in triangles:
            target = ColorTarget(fmt, blank(fmt, *measured.shape[1:]))
            state = _state(measured.shape[2], _mixed(int(served[1]), "NONE"))
            draw(state, target, None, triangle, covered_as_color(), rules)
            images.append(target.codes.view(np.uint32)[..., 0])
    return compare(name, np.stack(images), measured, used)


def _score_depth(file: VectorFile, name: str, served: re.Match[str], rules: Rules) -> ArrayScore:
    """Score what depth samples leave of a slope: its colour, their depths, or the counter."""
    samples, zeta, fmt = int(served[2]), format_named("DEPTH32F"), format_named("RGBA8")
    depths = array_of(file, f"in_depth_{samples}", (samples, None, None), "u").astype(np.uint32)
    planes = [np.ascontiguousarray(one).view(np.uint8).reshape(*depths.shape[1:], 4).copy() for one in depths]
    target = ColorTarget(fmt, blank(fmt, *depths.shape[1:]))
    state = _state(
        depths.shape[2], _mixed(samples, served[3]), depth_test=True, depth_write=True, depth_func=DepthFunc.LESS
    )
    slope = array_of(file, "in_slope", (3, 4), "f").astype(np.float32)
    shader = constant_color(*[ONE_BITS] * 4)
    with collect() as used:
        passed = draw(state, target, DepthStencilTarget(zeta, planes[0], tuple(planes[1:])), slope, shader, rules)
    if served[1] == "count":
        found: NDArray[Any] = np.array([passed], np.uint32)
    else:
        found = target.codes if served[1] == "depth" else np.stack(planes).view(np.uint32)[..., 0]
    measured = array_of(file, name, found.shape, "u")
    score = compare(name, found, measured, used)
    if served[1] != "depth_after":
        return score
    pair = [np.ascontiguousarray(one).view(np.float32).astype(np.float64) for one in (found, measured)]
    return within(score, np.abs(pair[0] - pair[1]) * 2.0**24, _DEPTH_BOUND, "2^-24")


_KINDS = (
    (_BLENDED, _score_blended), (_SPECIAL, _score_special), (_FEW, _score_few), (_SEEN, _score_seen),
    (_DEPTH, _score_depth), (_STORED, _score_stored),
)  # fmt: skip


def score_mixed(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``covmod``; a case is a component of a texel, a mask, a depth or a count."""
    for name in file.headers:
        if not name.startswith("out_"):
            continue
        for pattern, score in _KINDS:
            if served := pattern.fullmatch(name):
                yield score(file, name, served, rules)
                break
        else:
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="covmod", recognises=has_arrays("in_odd_table", "in_mask_4_of_8"), score=score_mixed),
)
