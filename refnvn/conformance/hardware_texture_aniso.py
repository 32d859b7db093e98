"""How are the measured families of anisotropy scored: ``texaniso``, ``tx2_aniso``, ``tx2_aniso3``?

Footprints were measured texel by texel: textures that hold ones in one column (or row) of each layer give the weight
of every column (row). Here the weights of the quads are added up by column instead, which is the same.

Read next: ``hardware_texture_lod.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.texture_vectors import (
    BILINEAR,
    TARGET_2D,
    TRILINEAR,
    Scorer,
    constant_levels,
    coordinates_of,
    gradients_of,
    halved,
    levels_named,
    schema,
    score_floats,
    score_levels,
    texture_2d,
)
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import MinFilter
from refnvn.errors import InputFileError
from refnvn.formats.table import format_named
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.texture.footprint import Lanes, Quad
from refnvn.texture.plan import plan_of
from refnvn.texture.sample import quads_of, sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

_SIZE_PX = 256


def blank_chain(side_px: int, levels: int) -> SampledTexture:
    """Return a square texture of zeros; only its sizes matter."""
    sides = [side_px >> level for level in range(levels)]
    codes = tuple(np.zeros((1, side, side, 1), np.uint8) for side in sides)
    return SampledTexture(format_named("R8"), TARGET_2D, codes)


def weights_by_column(quads: list[Quad], side_px: int, level: int, axis: str) -> NDArray[np.int64]:
    """Return the weight of every column (axis ``u``) or row (``v``) of a level, shape (lanes, columns)."""
    lanes = quads[0].weights.shape[1]
    total = np.zeros((lanes, side_px), np.int64)
    for quad in quads:
        place = quad.column if axis == "u" else quad.row
        weights = np.where(quad.level == level, quad.weights, 0).astype(np.int64)
        for texel in range(4):
            here = np.where(quad.level == level, place[texel], 0)
            np.add.at(total, (np.arange(lanes), here), weights[texel])
    return total


def footprint_quads(
    texture: SampledTexture, sampler: Sampler, uv: NDArray[np.float32], array: NDArray[np.float32], rules: Rules
) -> tuple[list[Quad], int]:
    """Return the quads of samples with gradients (dudx, dvdx, dudy, dvdy), and what their weights add up to."""
    lanes = Lanes(uv, np.zeros(uv.shape[1], np.bool_))
    plan = plan_of(texture, sampler, lanes, gradients=gradients_of(array), rules=rules)
    return quads_of(texture, sampler, plan, rules)


def _shares(quads: list[Quad], whole: int, level: int, axis: str) -> NDArray[np.float32]:
    """Return weights as shares of the whole."""
    return weights_by_column(quads, _SIZE_PX >> level, level, axis).astype(np.float32) / np.float32(whole)


def _score_weights(file: VectorFile, name: str, weights: NDArray[np.float32], used: set[str]) -> ArrayScore:
    measured = file.array(name)
    if measured.dtype != np.uint32 or measured.shape != weights.shape:
        raise InputFileError(
            f"{file.path}: array {name!r} is {measured.dtype} of shape {measured.shape}, "
            f"not uint32 of shape {weights.shape}"
        )
    return compare(name, weights.view(np.uint32), measured, used, floats=True)


def _footprint(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score footprints without mipmaps; of smaller anisotropies every fourth was measured."""
    largest = int(found["largest"])
    every = 1 if largest == 16 else 4
    array, uv = file.array("in_grad")[::every], coordinates_of(file, "in_uv", 2)[:, ::every]
    with collect() as used:
        quads, whole = footprint_quads(
            blank_chain(_SIZE_PX, 1), replace(BILINEAR, max_anisotropy=float(largest)), uv, array, rules
        )
    return _score_weights(file, name, _shares(quads, whole, 0, found["axis"]), used)


def _level(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score the level of detail."""
    array = file.array("in_lgrad" if found["what"] == "lgrad" else "in_grad")
    texture = constant_levels(halved(1, _SIZE_PX, _SIZE_PX))
    sampler = replace(TRILINEAR, max_anisotropy=float(found["largest"]))
    place = np.repeat(np.array([[0.3], [0.6]], np.float32), len(array), axis=1)
    with collect() as used:
        values = sample(texture, sampler, place, gradients=gradients_of(array), rules=rules)
    return score_levels(file, name, values, used)


def _ratio(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score the weights of the 16 columns to the right of the middle."""
    array = file.array("in_ratio")
    uv = np.full((2, len(array)), 0.5, np.float32)
    with collect() as used:
        quads, whole = footprint_quads(
            blank_chain(_SIZE_PX, 1), replace(BILINEAR, max_anisotropy=16.0), uv, array, rules
        )
    weights = _shares(quads, whole, 0, "u")[:, _SIZE_PX // 2 : _SIZE_PX // 2 + 16]
    return _score_weights(file, name, np.ascontiguousarray(weights), used)


def _two_levels(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score the weights of all columns or rows of the first four levels."""
    array, uv = file.array("in_grad"), coordinates_of(file, "in_uv", 2)
    sampler = replace(TRILINEAR, wrap=BILINEAR.wrap, max_anisotropy=16.0)
    with collect() as used:
        quads, whole = footprint_quads(blank_chain(_SIZE_PX, 4), sampler, uv, array, rules)
    weights = [_shares(quads, whole, level, found["axis"]) for level in range(4)]
    return _score_weights(file, name, np.concatenate(weights, axis=1), used)


def _texels(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score samples of random chains of four formats."""
    of = found["format"]
    texture = texture_2d(file, levels_named(file, f"in_tex_{of}_"), of)
    gradients = gradients_of(file.array(f"in_grad_{of}"))
    sampler = replace(TRILINEAR, max_anisotropy=16.0)
    with collect() as used:
        values = sample(texture, sampler, coordinates_of(file, f"in_uv_{of}", 2), gradients=gradients, rules=rules)
    return score_floats(file, name, values, used)


def _chain(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score a chain of random floats, or of levels."""
    names = levels_named(file, "in_tex")
    texture = texture_2d(file, names, "R32F") if found["what"] == "data" else constant_levels(halved(1, 32, 32))
    sampler = replace(TRILINEAR, min_filter=MinFilter[found["filter"]], max_anisotropy=float(found["largest"]))
    gradients = gradients_of(file.array("in_grad"))
    with collect() as used:
        values = sample(texture, sampler, coordinates_of(file, "in_uv", 2), gradients=gradients, rules=rules)
    return score_floats(file, name, values, used)


def _squares(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score a texture whose columns hold the square of their number."""
    row = (np.arange(32, dtype="<f4") ** 2).astype("<f4")
    texels = np.tile(row, (32, 1)).view(np.uint8).reshape(1, 32, 32, 4)
    dx = coordinates_of(file, "in_foot_dx", 1)[0]
    array = np.stack([dx, np.zeros_like(dx), np.zeros_like(dx), np.full_like(dx, 1 / 32)], axis=1)
    place = np.full((2, len(dx)), 0.5, np.float32)
    texture = SampledTexture(format_named("R32F"), TARGET_2D, (texels,))
    with collect() as used:
        values = sample(
            texture, replace(BILINEAR, max_anisotropy=16.0), place, gradients=gradients_of(array), rules=rules
        )
    return score_floats(file, name, values, used)


_LARGEST = r"(?P<largest>\d+)x"
_PLAIN: dict[str, Scorer] = {
    rf"out_(?P<what>data|level)_{_LARGEST}_(?P<filter>\w+)": _chain,
    "out_foot": _squares,
}
_ONE_LEVEL: dict[str, Scorer] = {
    rf"out_(?P<axis>[uv])_{_LARGEST}": _footprint,
    rf"out_(?P<what>level|lgrad)_{_LARGEST}": _level,
}
_LEVELS: dict[str, Scorer] = {
    "out_ratio": _ratio,
    "out_(?P<axis>[uv])": _two_levels,
    r"out_(?P<format>\w+)": _texels,
}

SCHEMAS: tuple[Schema, ...] = (
    schema("texaniso", _PLAIN, "in_foot_dx"),
    schema("tx2_aniso", _ONE_LEVEL, "in_lgrad"),
    schema("tx2_aniso3", _LEVELS, "in_ratio"),
)
