"""How are the measured families of other reads scored: ``texshadow``, ``tx2_shadow``, ``texcube``, ``texgather``?

Comparisons, cubes, gathers and reductions. Read next: ``hardware_texture_aniso.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from refnvn.conformance.hardware_draws import within
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.hardware_texture_lod import cube_levels
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.texture_vectors import (
    BILINEAR,
    TARGET_2D,
    Scorer,
    as_opengl_reads,
    coordinates_of,
    schema,
    score_floats,
    stored_texels,
    texture_2d,
)
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import CompareFunc, CompareMode, SamplerReduction, WrapMode
from refnvn.errors import InputFileError
from refnvn.formats.packing import pack_codes
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.texture.gather import gather
from refnvn.texture.gradients import Gradients
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

_NEAREST = Sampler(wrap=BILINEAR.wrap)
_COMPARING = CompareMode.COMPARE_R_TO_TEXTURE
_OFFSETS = ((0, 0), (1, 2), (-3, 1), (5, -4))
_FORMAT = r"(?P<format>\w+)"


def _shadow(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score one result for each of the eight functions, in their order."""
    of = found["format"]
    texture, place = texture_2d(file, f"in_tex_{of}", of), coordinates_of(file, f"in_uvr_{of}", 3)
    sampler = replace(BILINEAR if found["filter"] == "LINEAR" else _NEAREST, compare_mode=_COMPARING)
    with collect() as used:
        values = [
            sample(texture, replace(sampler, compare_func=one), place[:2], lod=0.0, reference=place[2], rules=rules)[
                0
            ]
            for one in CompareFunc
        ]
    measured = file.array(name)
    if measured.dtype != np.uint32 or measured.shape != (len(values), place.shape[1]):
        raise InputFileError(f"{file.path}: array {name!r} is {measured.dtype} of shape {measured.shape}")
    return compare(name, np.stack(values).view(np.uint32), measured, used, floats=True)


def _shadow_gather(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    of = found["format"]
    place = coordinates_of(file, f"in_uvr_{of}", 3)
    sampler = replace(BILINEAR, compare_mode=_COMPARING, compare_func=CompareFunc.LEQUAL)
    texture = texture_2d(file, f"in_tex_{of}", of)
    with collect() as used:
        values = gather(texture, sampler, place[:2], reference=place[2], rules=rules)
    return score_floats(file, name, values, used)


def _one_texel(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score comparisons of a reference with one texel of an 8x8 texture."""
    of = found["format"]
    fmt = nvn_format(file, of)
    codes = file.array(f"in_tex_{of}")
    planes = [codes if c.name == "D" else np.zeros_like(codes) for c in fmt.components]
    texels = pack_codes(fmt, np.stack(planes, axis=-1))[np.newaxis]
    place = file.array(f"in_i_{of}").astype(np.int64)
    uv = ((np.stack([place % 8, place // 8]) + 0.5) / 8).astype(np.float32)
    sampler = replace(_NEAREST, compare_mode=_COMPARING, compare_func=CompareFunc[found["function"]])
    reference = coordinates_of(file, f"in_ref_{of}", 1)[0]
    with collect() as used:
        values = sample(
            SampledTexture(fmt, TARGET_2D, (texels,)), sampler, uv, lod=0.0, reference=reference, rules=rules
        )
    return compare(name, values[0].astype(np.uint8), file.array(name), used)


def _cube(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    texture = SampledTexture(fmt, TextureTarget.TARGET_CUBEMAP, (stored_texels(file, "in_faces", fmt, 3),))
    place = coordinates_of(file, "in_dir", 3)
    sampler = BILINEAR if found["filter"] == "LINEAR" else _NEAREST
    with collect() as used:
        values = sample(texture, sampler, place, lod=0.0, seamless=found["kind"] == "seamless", rules=rules)
    return score_floats(file, name, values, used)


def _cube_gather(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    texture = SampledTexture(fmt, TextureTarget.TARGET_CUBEMAP, (stored_texels(file, "in_faces", fmt, 3),))
    with collect() as used:
        values = gather(texture, BILINEAR, coordinates_of(file, "in_dir", 3), rules=rules)
    return score_floats(file, name, values, used)


def _cube_level(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    place, dx, dy = (coordinates_of(file, source, 3) for source in ("in_dir", "in_dx", "in_dy"))
    return cube_levels(file, name, 16, place, Gradients(dx, dy), rules)


def numbered_cube(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score coordinates of faces of 1024 texels that hold 4096 times the face plus the column."""
    numbers = np.arange(1024, dtype="<f4") + np.arange(6, dtype="<f4")[:, np.newaxis, np.newaxis] * 4096
    texels = np.ascontiguousarray(np.broadcast_to(numbers, (6, 1024, 1024))).view(np.uint8).reshape(6, 1024, 1024, 4)
    texture = SampledTexture(format_named("R32F"), TextureTarget.TARGET_CUBEMAP, (texels,))
    place = coordinates_of(file, "in_cube_dir", 3)
    sampler = BILINEAR if found["filter"] == "linear" else _NEAREST
    with collect() as used:
        values = sample(texture, sampler, place, lod=0.0, rules=rules)
    score = score_floats(file, name, values, used)
    errors = np.abs(values[0].astype(np.float64) - file.array(name).view(np.float32)) * 256
    return within(score, errors, 1.0, "1/256 texel") if found["filter"] == "linear" else score


def _gather(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    of = found["format"]
    texture, uv = texture_2d(file, f"in_tex_{of}", of), coordinates_of(file, f"in_uv_{of}", 2)
    sampler = Sampler(wrap=(WrapMode.REPEAT, WrapMode.CLAMP_TO_EDGE, WrapMode.REPEAT))
    what = found["what"]
    with collect() as used:
        if what == "offsets":
            values = gather(texture, sampler, uv, offsets=_OFFSETS, rules=rules)
        elif what == "offset":
            values = gather(texture, sampler, uv, offsets=(3, -2), rules=rules)
        else:
            values = gather(texture, sampler, uv, component=int(what), rules=rules)
    return score_floats(file, name, values, used)


def _reduction(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    of = found["format"]
    texture = texture_2d(file, f"in_minmax_tex_{of}", of)
    sampler = replace(BILINEAR, reduction=SamplerReduction[found["reduction"]])
    with collect() as used:
        values = sample(texture, sampler, coordinates_of(file, f"in_minmax_uv_{of}", 2), lod=0.0, rules=rules)
    return score_floats(file, name, as_opengl_reads(texture.fmt, values), used)


_SHADOW: dict[str, Scorer] = {
    rf"out_{_FORMAT}_(?P<filter>NEAREST|LINEAR)": _shadow,
    rf"out_{_FORMAT}_gather": _shadow_gather,
}
_CODES: dict[str, Scorer] = {rf"out_{_FORMAT}_(?P<function>LESS|EQUAL|LEQUAL|GREATER)": _one_texel}
_CUBE: dict[str, Scorer] = {
    "out_(?P<kind>plain|seamless)_(?P<filter>NEAREST|LINEAR)": _cube,
    "out_gather0": _cube_gather,
    "out_grad_lod": _cube_level,
}
_GATHER: dict[str, Scorer] = {
    rf"out_minmax_{_FORMAT}_(?P<reduction>MIN|MAX)": _reduction,
    rf"out_{_FORMAT}_(?P<what>[0-3]|offsets?)": _gather,
}

SCHEMAS: tuple[Schema, ...] = (
    schema("texshadow", _SHADOW, "in_uvr_*"),
    schema("tx2_shadow", _CODES, "in_ref_*"),
    schema("texcube", _CUBE, "in_faces"),
    schema("texgather", _GATHER, "in_minmax_*"),
)
