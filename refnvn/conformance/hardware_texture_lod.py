"""How are the measured families of levels of detail scored: ``texlod``, ``tx2_lod``, ``tx2_lod3``, and anisotropy?

Textures whose texels hold the number of their level show the level as a value; some families keep it as an integer in
1/256. Anisotropic footprints were measured texel by texel: textures with one column (row) of ones per layer give the
weight of every column (row).

Read next: ``hardware_texture_kinds.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import within
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.texture_vectors import (
    EDGE,
    QUAD_BOUND_256,
    TARGET_2D,
    TRILINEAR,
    Scorer,
    constant_levels,
    coordinates_of,
    gradients_of,
    halved,
    levels_named,
    near,
    schema,
    score_floats,
    score_levels,
    texture_2d,
)
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import MagFilter, MinFilter, WrapMode
from refnvn.errors import InputFileError
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.texture.gradients import Gradients, quad_gradients
from refnvn.texture.lod_cube import BOUND_256 as CUBE_BOUND_256
from refnvn.texture.lod_volume import BOUND_256 as VOLUME_BOUND_256
from refnvn.texture.query import query_lod
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

_MIDDLE = (0.3, 0.6, 0.7)


def level_texture(*size: int, target: TextureTarget = TARGET_2D) -> SampledTexture:
    """Return a texture whose texels hold their level; the size is (images, rows, columns)."""
    sizes = halved(*size)
    if target is not TextureTarget.TARGET_3D:
        sizes = [(size[0], rows, columns) for _, rows, columns in halved(1, *size[1:])]
    return constant_levels(sizes, target)


def _centre(count: int, coordinates: int = 2) -> NDArray[np.float32]:
    return np.repeat(np.array(_MIDDLE[:coordinates], np.float32)[:, np.newaxis], count, axis=1)


def _explicit(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    lod = coordinates_of(file, "in_lod", 1)[0]
    sampler = replace(TRILINEAR, min_filter=MinFilter[found["filter"]])
    with collect() as used:
        values = sample(level_texture(1, 64, 64), sampler, _centre(len(lod)), lod=lod, rules=rules)
    return score_floats(file, name, values, used)


def _clamped(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    lod = coordinates_of(file, "in_lod2", 1)[0]
    texture, place = level_texture(1, 64, 64), _centre(len(lod))
    with collect() as used:
        values = [
            sample(
                texture,
                replace(TRILINEAR, lod_bias=float(bias), lod_clamp=(float(least), float(most))),
                place,
                lod=lod,
                rules=rules,
            )[0]
            for bias, least, most in file.array("in_bias_min_max")
        ]
    measured = file.array(name)
    if measured.shape != (len(values), len(lod)):
        raise InputFileError(f"{file.path}: array {name!r} has shape {measured.shape}, not {len(values), len(lod)}")
    return compare(name, np.stack(values).view(np.uint32), measured, used, floats=True)


def _some_levels(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score a view of levels 1 to 4."""
    whole = level_texture(1, 64, 64)
    lod = coordinates_of(file, "in_lod2", 1)[0]
    with collect() as used:
        view = SampledTexture(whole.fmt, TARGET_2D, whole.levels[1:5])
        values = sample(view, TRILINEAR, _centre(len(lod)), lod=lod, rules=rules)
    return score_floats(file, name, values, used)


def _explicit_gradients(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    groups = found.groupdict()
    width, height = int(groups.get("width") or 64), int(groups.get("height") or (4 if groups.get("width") else 64))
    array = file.array("in_" + name.removeprefix("out_"))
    texture = level_texture(1, height, width)
    with collect() as used:
        values = sample(texture, TRILINEAR, _centre(len(array)), gradients=gradients_of(array), rules=rules)
    if file.array(name).dtype == np.uint32:
        return score_floats(file, name, values, used)
    return score_levels(file, name, values, used)


def _volume_gradients(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    array = file.array("in_vol")
    texture = level_texture(32, 32, 32, target=TextureTarget.TARGET_3D)
    with collect() as used:
        values = sample(texture, TRILINEAR, _centre(len(array), 3), gradients=gradients_of(array), rules=rules)
    return score_levels(file, name, values, used, VOLUME_BOUND_256)


def cube_levels(
    file: VectorFile, name: str, size_px: int, place: NDArray[np.float32], gradients: Gradients, rules: Rules
) -> ArrayScore:
    """Score the levels of a cube's gradients, kept as floats or as integers."""
    texture = level_texture(6, size_px, size_px, target=TextureTarget.TARGET_CUBEMAP)
    with collect() as used:
        values = sample(texture, TRILINEAR, place, gradients=gradients, rules=rules)
    measured = file.array(name)
    if measured.dtype != np.uint32:
        return score_levels(file, name, values, used, CUBE_BOUND_256)
    score = score_floats(file, name, values, used)
    errors = np.abs(values[0].astype(np.float64) - measured.view(np.float32)) * 256
    return within(score, errors, CUBE_BOUND_256, "codes")


def _cube_gradients(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    array = file.array("in_cube")
    place = np.ascontiguousarray(array[:, :3].T)
    return cube_levels(file, name, 64, place, gradients_of(array[:, 3:]), rules)


def in_quads(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return pixels of an image, shape (rows, columns, n), quad after quad as (n, lanes)."""
    rows, columns, count = array.shape
    quads = array.reshape(rows // 2, 2, columns // 2, 2, count).transpose(4, 0, 2, 1, 3)
    return np.ascontiguousarray(quads.reshape(count, -1))


def _implicit(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    groups = found.groupdict()
    uv = in_quads(file.array("in_quad_uv" if "quad" in name else "in_implicit_uv"))
    sampler_bias, bias = _BIASES[groups.get("bias") or ""]
    sampler = replace(TRILINEAR, lod_bias=sampler_bias)
    with collect() as used:
        values = sample(level_texture(1, 64, 64), sampler, uv, bias=bias, gradients=quad_gradients(uv), rules=rules)
    measured = in_quads(file.array(name)[..., np.newaxis])[0]
    score = score_floats(file, name, values, used, measured)
    return near(score, values[0], measured, 1 / 256, QUAD_BOUND_256, "1/256")


_BIASES = {
    "": (0.0, 0.0),
    "_bias": (0.0, 1.3),
    "_bias_m07": (0.0, -0.7),
    "_bias_p23": (0.0, 2.3),
    "_bias_m160": (0.0, -16.3),
    "_sampler_bias": (-1.45, -0.703),
}
"""The sampler's bias and the shader's."""


def _query(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    uv = in_quads(file.array("in_quad_uv" if "quad" in name else "in_implicit_uv"))
    sampler = replace(TRILINEAR, lod_bias=-1.45 if "sampler_bias" in name else 0.0)
    with collect() as used:
        values = query_lod(level_texture(1, 64, 64), sampler, uv, quad_gradients(uv), rules)
    measured = np.ascontiguousarray(in_quads(file.array(name)).T)
    score = score_floats(file, name, values, used, measured)
    return near(score, values.T, measured, 1 / 256, QUAD_BOUND_256, "1/256")


def _derivatives(file: VectorFile, name: str, _found: re.Match[str], _rules: Rules) -> ArrayScore:
    uv = in_quads(file.array("in_implicit_uv"))
    with collect() as used:
        found_gradients = quad_gradients(uv)
    values = np.stack([found_gradients.dx[0], found_gradients.dy[0], found_gradients.dx[1], found_gradients.dy[1]])
    return score_floats(file, name, values, used, np.ascontiguousarray(in_quads(file.array(name)).T))


_SWITCHES = {
    "nearest_linear": (MinFilter.NEAREST, MagFilter.LINEAR),
    "linear_nearest": (MinFilter.LINEAR, MagFilter.NEAREST),
    "nmn_linear": (MinFilter.NEAREST_MIPMAP_NEAREST, MagFilter.LINEAR),
    "nml_linear": (MinFilter.NEAREST_MIPMAP_LINEAR, MagFilter.LINEAR),
}


def _switch(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score where magnification ends; the further levels of two of the textures are black."""
    minify, magnify = _SWITCHES[found["filters"]]
    texture = texture_2d(file, "in_switch_tex", "RGBA8")
    if found["filters"].startswith("nm"):
        black = tuple(np.zeros((1, side, side, 4), np.uint8) for side in (4, 2, 1))
        texture = SampledTexture(texture.fmt, TARGET_2D, (*texture.levels, *black))
    lod = coordinates_of(file, "in_switch_lod", 1)[0]
    place = np.stack([np.full_like(lod, 0.41), np.full_like(lod, 0.63)])
    with collect() as used:
        values = sample(
            texture, Sampler(min_filter=minify, mag_filter=magnify, wrap=EDGE), place, lod=lod, rules=rules
        )
    return score_floats(file, name, values, used)


def _trilinear(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    place = coordinates_of(file, "in_tri_uvl", 3)
    sampler = replace(TRILINEAR, wrap=(WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT, WrapMode.REPEAT))
    texture = texture_2d(file, levels_named(file, "in_tri_tex"), "RGBA8")
    with collect() as used:
        values = sample(texture, sampler, place[:2], lod=place[2], rules=rules)
    return score_floats(file, name, values, used)


_LOD: dict[str, Scorer] = {
    r"out_lod_(?P<filter>\w+)": _explicit,
    "out_biasclamp": _clamped,
    "out_base1_max4": _some_levels,
    "out_grad": _explicit_gradients,
    r"out_implicit(?P<bias>_bias|)": _implicit,
    "out_querylod": _query,
    "out_derivs": _derivatives,
    r"out_switch_(?P<filters>\w+)": _switch,
    "out_trilinear": _trilinear,
}
_LOD_2: dict[str, Scorer] = {
    r"out_size(?P<width>\d+)x(?P<height>\d+)": _explicit_gradients,
    "out_(axis|pair|para|rand|range)": _explicit_gradients,
    "out_vol": _volume_gradients,
    "out_cube": _cube_gradients,
    "out_quad_query(_sampler_bias)?": _query,
    r"out_quad(?P<bias>\w+)": _implicit,
}
_LOD_3: dict[str, Scorer] = {
    r"out_(pair|para)\d|out_major": _explicit_gradients,
    r"out_npot(?P<width>\d+)": _explicit_gradients,
}

SCHEMAS: tuple[Schema, ...] = (
    schema("texlod", _LOD, "in_switch_tex"),
    schema("tx2_lod", _LOD_2, "in_axis"),
    schema("tx2_lod3", _LOD_3, "in_major"),
)
