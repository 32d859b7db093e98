"""How is the probe of blend constants on sRGB targets scored?

``in_const`` holds a blend colour for each tile of 8 x 8 pixels, eight tiles in a row; ``meta.states`` the factors of
colours and of alpha, source and destination, of each array.

``out_ties`` holds white times the alpha of ``in_const[k]`` in column k, by CONSTANT_COLOR, CONSTANT_ALPHA and
one minus each as factors of alpha, in rows.

Read next: ``hardware_blend.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from refnvn.conformance.hardware_blend_texels import remarks, source_of, texels
from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import BlendFunc
from refnvn.errors import InputFileError
from refnvn.formats.floatbits import UInt32
from refnvn.formats.table import format_named
from refnvn.raster.blend import BlendTargetState, blend
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_KEY = "SRGB8_ALPHA8"
_TILE_PX = 8
_TILES_IN_A_ROW = 8


def _state(file: VectorFile, number: str) -> BlendTargetState:
    """Return the state of one array."""
    states: Any = remarks(file, "states")
    names = states.get(number) if isinstance(states, dict) else None
    if not isinstance(names, list) or len(names) != 4 or any(one not in BlendFunc.__members__ for one in names):
        raise InputFileError(f"{file.path}: state {number!r} of {META!r} is {names!r}, not a list of four factors")
    found = [BlendFunc[one] for one in names]
    return BlendTargetState(
        source_color=found[0], destination_color=found[1], source_alpha=found[2], destination_alpha=found[3]
    )


def _of_tile(texels: UInt32, tile: int) -> UInt32:
    """Return the texels of one tile, shape (tiles' rows, 8, ...), of an image's texels one after another."""
    row, column = divmod(tile, _TILES_IN_A_ROW)
    image = texels.reshape(-1, _TILES_IN_A_ROW * _TILE_PX, 4)
    rows = slice(row * _TILE_PX, (row + 1) * _TILE_PX)
    return image[rows, column * _TILE_PX : (column + 1) * _TILE_PX].reshape(-1, 4)


def _score(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    constants = array_of(file, "in_const", (None, 4), "f").astype(np.float32)
    count = len(constants) * _TILE_PX * _TILE_PX
    if not len(constants) or len(constants) % _TILES_IN_A_ROW:
        raise InputFileError(f"{file.path}: array 'in_const' holds {len(constants)} colours, not whole rows of eight")
    fmt, state = format_named("RGBA8_SRGB"), _state(file, name.removeprefix(f"out_{_KEY}_"))
    source = source_of(file, "in_src", "").view(np.uint32)
    if len(source) != count:
        raise InputFileError(f"{file.path}: array 'in_src' holds {len(source)} texels, not {count}")
    stored, measured = (texels(file, one, fmt, count) for one in ("in_dst", name))
    by_rule, results = [], []
    with collect() as used:
        for tile, constant in enumerate(constants):
            values = np.ascontiguousarray(_of_tile(source, tile)).view(np.float32)
            by_rule.append(blend(state, fmt, values, None, constant, _of_tile(stored, tile), rules))
            results.append(_of_tile(measured, tile))
    return compare(name, np.concatenate(by_rule), np.concatenate(results), used)


def score_constants(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score all arrays."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score(file, name, rules)


_TIE_FACTORS = (
    BlendFunc.CONSTANT_COLOR,
    BlendFunc.CONSTANT_ALPHA,
    BlendFunc.ONE_MINUS_CONSTANT_COLOR,
    BlendFunc.ONE_MINUS_CONSTANT_ALPHA,
)


def score_ties(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score constants in the middle of two halves."""
    constants = array_of(file, "in_const", (None, 4), "f").astype(np.float32)
    fmt, shape = format_named("RGBA8_SRGB"), (len(_TIE_FACTORS), len(constants), 4)
    white, nothing = np.ones((1, 4), np.float32), np.zeros((1, 4), np.uint32)
    with collect() as used:
        found = [
            blend(BlendTargetState(source_alpha=factor), fmt, white, None, constant, nothing, rules)[0]
            for factor in _TIE_FACTORS
            for constant in constants
        ]
    yield compare("out_ties", np.stack(found).reshape(shape), array_of(file, "out_ties", shape, "u"), used)


TIES = Schema(name="blend constant ties", recognises=has_arrays("in_const", "out_ties"), score=score_ties)
SCHEMA = Schema(
    name="blend constants",
    recognises=has_arrays("in_const", "in_src", "in_dst", f"out_{_KEY}_*"),
    score=score_constants,
)
