"""How are the probed families scored: ``tx3_one``, ``tx3_aniso``, ``tx4_edge``, ``tx4_aniso``, ``tx4_query``?

They separate what the other families leave open: what one texel reads as (nearest, gathers, reductions), what
clamping does to weights in mixed levels, anisotropic footprints under biases and clamps, queries of other filters.

Read next: ``hardware_texture_aniso.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.hardware_texture_aniso import blank_chain, footprint_quads, weights_by_column
from refnvn.conformance.hardware_texture_lod import in_quads, level_texture
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.texture_vectors import (
    BILINEAR,
    EDGE,
    QUAD_BOUND_256,
    TRILINEAR,
    WRAPS,
    Scorer,
    as_opengl_reads,
    beside,
    coordinates_of,
    levels_named,
    near,
    schema,
    score_floats,
    stored_texels,
    texture_2d,
)
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import CompareFunc, CompareMode, MagFilter, MinFilter, SamplerReduction, WrapMode
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.texture.gather import gather
from refnvn.texture.gradients import quad_gradients
from refnvn.texture.query import query_lod
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler, float_border

_SIDE_PX = 64
_NEAREST = Sampler(wrap=EDGE)
_FORMAT = r"(?P<format>\w+)"

_PROBED: dict[str, Sampler] = {
    "plain": replace(TRILINEAR, max_anisotropy=16.0),
    "bias_p": replace(TRILINEAR, max_anisotropy=16.0, lod_bias=0.37),
    "bias_m": replace(TRILINEAR, max_anisotropy=16.0, lod_bias=-0.6),
    "min": replace(TRILINEAR, max_anisotropy=16.0, lod_clamp=(1.3, 1000.0)),
    "max": replace(TRILINEAR, max_anisotropy=16.0, lod_clamp=(0.0, 1.3)),
    "mag_nearest": replace(TRILINEAR, max_anisotropy=16.0, mag_filter=MagFilter.NEAREST),
    "min_nearest": replace(TRILINEAR, max_anisotropy=16.0, min_filter=MinFilter.NEAREST_MIPMAP_LINEAR),
    "nn": Sampler(max_anisotropy=16.0, min_filter=MinFilter.NEAREST_MIPMAP_NEAREST),
    "max4": replace(TRILINEAR, max_anisotropy=4.0),
    "ln_bias": replace(TRILINEAR, max_anisotropy=16.0, min_filter=MinFilter.LINEAR_MIPMAP_NEAREST, lod_bias=0.37),
    "ln_min": replace(
        TRILINEAR, max_anisotropy=16.0, min_filter=MinFilter.LINEAR_MIPMAP_NEAREST, lod_clamp=(1.3, 1000.0)
    ),
    "l": replace(BILINEAR, max_anisotropy=16.0),
    "l_bias": replace(BILINEAR, max_anisotropy=16.0, lod_bias=0.37),
}
_QUERIED: dict[str, Sampler] = {
    "nn": replace(TRILINEAR, min_filter=MinFilter.NEAREST_MIPMAP_NEAREST),
    "ln": replace(TRILINEAR, min_filter=MinFilter.LINEAR_MIPMAP_NEAREST),
    "l": replace(TRILINEAR, min_filter=MinFilter.LINEAR),
    "n": replace(TRILINEAR, min_filter=MinFilter.NEAREST),
    "clamp": replace(TRILINEAR, lod_bias=0.3, lod_clamp=(1.3, 2.6)),
    "aniso": replace(TRILINEAR, max_anisotropy=16.0),
}


def _centres() -> NDArray[np.float32]:
    rows, columns = np.divmod(np.arange(64), 8)
    return ((np.stack([columns, rows]) + 0.5) / 8).astype(np.float32)


def _one(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score what texels read as at their centres."""
    texture, what = texture_2d(file, f"in_{found['format']}", found["format"]), found["what"]
    with collect() as used:
        if what == "gather":
            values = gather(texture, _NEAREST, _centres(), rules=rules)
        elif what == "nearest":
            values = sample(texture, _NEAREST, _centres(), lod=0.0, rules=rules)
        else:
            sampler = replace(BILINEAR, reduction=SamplerReduction[what.upper()])
            values = sample(texture, sampler, _centres(), lod=0.0, rules=rules)
    return score_floats(file, name, values if what == "gather" else as_opengl_reads(texture.fmt, values), used)


def _chain(file: VectorFile, of: str) -> SampledTexture:
    return texture_2d(file, [f"in_{of}", *levels_named(file, f"in_{of}_")], of)


def _nearest_in_levels(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    texture = _chain(file, found["format"])
    place = coordinates_of(file, f"in_uvl_{found['format']}", 3)
    sampler = replace(_NEAREST, min_filter=MinFilter[found["filter"]])
    with collect() as used:
        values = sample(texture, sampler, place[:2], lod=place[2], rules=rules)
    return score_floats(file, name, as_opengl_reads(texture.fmt, values), used)


def _reduced_levels(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    texture, what = _chain(file, found["format"]), found["what"].upper()
    place = coordinates_of(file, f"in_uvl2_{what}_{found['format']}", 3)
    sampler = replace(TRILINEAR, wrap=EDGE, reduction=SamplerReduction[what])
    with collect() as used:
        values = sample(texture, sampler, place[:2], lod=place[2], rules=rules)
    return score_floats(file, name, as_opengl_reads(texture.fmt, values), used)


def _compared_levels(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    texture = _chain(file, found["format"])
    place = coordinates_of(file, f"in_uvrl_{found['format']}", 4)
    sampler = replace(
        TRILINEAR, wrap=EDGE, compare_mode=CompareMode.COMPARE_R_TO_TEXTURE, compare_func=CompareFunc.LEQUAL
    )
    with collect() as used:
        values = sample(texture, sampler, place[:2], lod=place[3], reference=place[2], rules=rules)
    return score_floats(file, name, values, used)


def _border(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    texture = texture_2d(file, f"in_bordertex_{found['format']}", found["format"])
    place = beside(coordinates_of(file, "in_border_u", 1)[0], 0.4)
    sampler = replace(BILINEAR, wrap=(WrapMode.CLAMP_TO_BORDER,) * 3)
    with collect() as used:
        values = [
            sample(texture, replace(sampler, border=float_border(colour)), place, lod=0.0, rules=rules)
            for colour in array_of(file, "in_border_colors", (None, 4), "f")
        ]
    return score_floats(file, name, np.concatenate(values, axis=1), used, file.array(name).reshape(-1, 4))


def _edge_sampler(file: VectorFile, wrap: str) -> Sampler:
    border = float_border(array_of(file, "in_border", (4,), "f"))
    return replace(TRILINEAR, wrap=(WRAPS[wrap],) * 3, border=border)


def _edge(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score mixed levels around the edges of 2D textures of three shapes."""
    stem = f"{found['format']}_{found['shape']}"
    texture = texture_2d(file, levels_named(file, f"in_{stem}_"), found["format"])
    place = coordinates_of(file, f"in_uvl_{stem}_{found['wrap']}", 3)
    sampler = _edge_sampler(file, found["wrap"])
    with collect() as used:
        values = sample(texture, sampler, place[:2], lod=place[2], rules=rules)
    return score_floats(file, name, values, used)


def _volume_edge(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    levels = tuple(stored_texels(file, array, fmt, 3) for array in levels_named(file, "in_vol_"))
    place = coordinates_of(file, f"in_uvwl_{found['wrap']}", 4)
    sampler = _edge_sampler(file, found["wrap"])
    with collect() as used:
        values = sample(
            SampledTexture(fmt, TextureTarget.TARGET_3D, levels), sampler, place[:3], lod=place[3], rules=rules
        )
    return score_floats(file, name, values, used)


def _cube_seams(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    levels = tuple(
        np.concatenate([stored_texels(file, f"in_cube_{level}_{face}", fmt) for face in range(6)])
        for level in range(3)
    )
    place = coordinates_of(file, "in_dirl", 4)
    with collect() as used:
        values = sample(
            SampledTexture(fmt, TextureTarget.TARGET_CUBEMAP, levels), TRILINEAR, place[:3], lod=place[3], rules=rules
        )
    return score_floats(file, name, values, used)


def _weights(file: VectorFile, name: str, axis: str, sampler: Sampler, slots: list[int], rules: Rules) -> ArrayScore:
    """Score weights, in 1/1024, of every column or row of some levels; each level has a number of slots."""
    array, uv = array_of(file, "in_grad", (None, 4), "f"), coordinates_of(file, "in_uv", 2)
    with collect() as used:
        quads, whole = footprint_quads(blank_chain(_SIDE_PX, len(slots)), sampler, uv, array, rules)
    total: NDArray[Any] = np.zeros((len(array), sum(slots)), np.int64)
    start = 0
    for level, count in enumerate(slots):
        of_level = weights_by_column(quads, _SIDE_PX >> level, level, axis) * (1024 // whole)
        total[:, start : start + of_level.shape[1]] = of_level
        start += count
    return compare(name, total, array_of(file, name, total.shape, "i").astype(np.int64), used)


def _small_ratios(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    sampler = replace(TRILINEAR, wrap=EDGE, max_anisotropy=16.0)
    return _weights(file, name, found["axis"], sampler, [64, 32, 16], rules)


def _settings(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    sampler = replace(_PROBED[found["setting"]], wrap=EDGE)
    return _weights(file, name, found["axis"], sampler, [64, 32, 16, 8, 4, 4, 4], rules)


def _query(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score both numbers of the query, or the level that a sample takes."""
    uv, sampler = in_quads(array_of(file, "in_uv", (None, None, 2), "f")), _QUERIED[found["setting"]]
    texture, gradients = level_texture(1, _SIDE_PX, _SIDE_PX), quad_gradients(uv)
    array = file.array(name)
    with collect() as used:
        if found["value"]:
            measured = in_quads(array[..., np.newaxis])[0]
            values = sample(texture, sampler, uv, gradients=gradients, rules=rules)
            return score_floats(file, name, values, used, measured)
        values = query_lod(texture, sampler, uv, gradients, rules)
    both = np.ascontiguousarray(in_quads(array).T)
    return near(score_floats(file, name, values, used, both), values.T, both, 1 / 256, QUAD_BOUND_256, "1/256")


_ONE: dict[str, Scorer] = {
    f"out_(?P<what>nearest|gather|min|max)_{_FORMAT}": _one,
    f"out_(?P<filter>NEAREST_MIPMAP_NEAREST|NEAREST_MIPMAP_LINEAR)_{_FORMAT}": _nearest_in_levels,
    f"out_mip(?P<what>min|max)_{_FORMAT}": _reduced_levels,
    f"out_shadowmip_{_FORMAT}": _compared_levels,
    f"out_border_{_FORMAT}": _border,
}
_SMALL: dict[str, Scorer] = {"out_small_(?P<axis>[uv])": _small_ratios}
_EDGES: dict[str, Scorer] = {
    r"out_vol_(?P<wrap>\w+)": _volume_edge,
    "out_cube": _cube_seams,
    r"out_(?P<format>[A-Z0-9]+)_(?P<shape>\dx\d)_(?P<wrap>\w+)": _edge,
}
_BIASED: dict[str, Scorer] = {rf"out_(?P<setting>{'|'.join(_PROBED)})_(?P<axis>[uv])": _settings}
_QUERIES: dict[str, Scorer] = {rf"out_(?P<value>value_|)(?P<setting>{'|'.join(_QUERIED)})": _query}

SCHEMAS: tuple[Schema, ...] = (
    schema("tx3_one", _ONE, "out_nearest_*", "in_uvl2_*"),
    schema("tx3_aniso", _SMALL, "out_small_u", "out_small_v"),
    schema("tx4_edge", _EDGES, "in_dirl"),
    schema("tx4_aniso", _BIASED, "out_bias_p_u"),
    schema("tx4_query", _QUERIES, "out_value_aniso"),
)
