"""How are vertices in the window scored: sub-pixel positions and depths after division by w?

A position was measured by an attribute that grows from 0 at the window's first row or column to 1 at the vertex: its
difference between two pixels is their distance over the vertex's. Viewports that begin behind the first of both
pixels leave the second alone, and its distance from the edge.

Read next: ``schemas.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DepthMode
from refnvn.errors import InputFileError
from refnvn.formats.floatbits import Float32, Int64
from refnvn.raster.setup_reciprocal import reciprocal
from refnvn.raster.state import RasterState
from refnvn.raster.window import SUBPIXELS, snapped, window_depth, window_position
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_POSITION = re.compile(r"out_(?P<viewport>\d)_(?P<axis>[xy])")
_DEPTH = re.compile(r"out_(?P<mode>negative_one_to_one|zero_to_one)_(?P<range>\d)")
_CENTRE_PX = 0.5


def _listed(file: VectorFile, name: str, number: str, length: int) -> tuple[float, ...]:
    """Return a row of numbers of ``meta``."""
    try:
        row = tuple(float(np.float32(one)) for one in json.loads(str(file.array(META)))[name][int(number)])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputFileError(f"{file.path}: meta.{name} has no row {number} of numbers: {error}") from error
    if len(row) != length:
        raise InputFileError(f"{file.path}: meta.{name}[{number}] has {len(row)} numbers, not {length}")
    return row


def _clip(shape: tuple[int, ...], **columns: Any) -> Float32:
    """Return clip positions, 0 but for w and the columns that are given."""
    clip = np.zeros((*shape, 4), np.float32)
    for name, values in columns.items():
        clip[..., "xyzw".index(name)] = values
    return clip


def _measured_sub(file: VectorFile, name: str, shape: tuple[int, ...], start: float) -> Int64:
    """Return the sub-pixels at which vertices stood."""
    first, second = (float(row) for row in json.loads(str(file.array(META)))["pixels"])
    values = array_of(file, name, (*shape, 2), "u").astype(np.uint32).view(np.float32).astype(np.float64)
    is_inside = start <= first + _CENTRE_PX
    distance = second - first if is_inside else second + _CENTRE_PX
    with np.errstate(divide="ignore"):
        units = distance * SUBPIXELS / (values[..., 1] - (values[..., 0] if is_inside else 0.0))
    return np.rint(np.where(np.isfinite(units), units, -1)).astype(np.int64)


def _score_position(file: VectorFile, name: str, found: re.Match[str]) -> ArrayScore:
    key = name.removeprefix("out_")
    along = array_of(file, f"in_clip_{key}", (None, None), "f").astype(np.float32)
    w = array_of(file, f"in_w_{key}", along.shape, "f").astype(np.float32)
    x, y, width, height = _listed(file, "viewports", found["viewport"], 4)
    state = RasterState(viewport=(x, y, width, height))
    clip = _clip(along.shape, w=w, **{found["axis"]: along})
    with collect() as used:
        by_rule = snapped(window_position(clip, state)["xy".index(found["axis"])])
    start = x if found["axis"] == "x" else y
    return compare(name, by_rule, _measured_sub(file, name, along.shape, start), used)


def _score_depth(file: VectorFile, name: str, found: re.Match[str]) -> ArrayScore:
    given = array_of(file, f"in_{name.removeprefix('out_')}", (None, None, 2), "f").astype(np.float32)
    near, far = _listed(file, "ranges", found["range"], 2)
    mode = DepthMode.NEAR_IS_ZERO if found["mode"] == "zero_to_one" else DepthMode.NEAR_IS_MINUS_W
    state = RasterState(viewport=(0, 0, 2, 2), depth_range=(near, far), depth_mode=mode)
    clip = _clip(given.shape[:2], z=given[..., 0], w=given[..., 1])
    with collect() as used:
        depth = window_depth(clip, state)
        over_w = reciprocal(np.ascontiguousarray(given[..., 1])).astype(np.float32)
    by_rule = np.stack([depth, over_w], axis=-1).view(np.uint32)
    return compare(name, by_rule, array_of(file, name, by_rule.shape, "u").astype(np.uint32), used, floats=True)


def score_window(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score positions and depths."""
    del rules
    for name in (one for one in file.headers if one.startswith("out_")):
        if position := _POSITION.fullmatch(name):
            yield _score_position(file, name, position)
        elif depth := _DEPTH.fullmatch(name):
            yield _score_depth(file, name, depth)


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="window_positions", recognises=has_arrays("in_clip_0_x", "in_w_0_x", "out_0_x"), score=score_window),
    Schema(
        name="window_depths",
        recognises=has_arrays("in_zero_to_one_0", "in_negative_one_to_one_0", "out_zero_to_one_0"),
        score=score_window,
    ),
)
