"""How are the measured families ``pl_*`` scored, which take planes apart: reciprocals, slopes, constants, depth?

Triangles with corners on the 1/256 grid, one at a time, whose inputs were read as float bits. ``pl_rcpdense`` holds
how far three reciprocals were from the nearest float for every mantissa, ``pl_rcp`` slopes that show one of them,
``pl_constw`` inputs that are the same at all vertices. All are scored bit by bit.

Read next: ``hardware_interp.py``, ``hardware_depth.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of, blank, plane
from refnvn.conformance.hardware_primitives import schemas_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DepthFunc, DepthMode
from refnvn.formats.table import format_named
from refnvn.raster.draw import draw_triangles
from refnvn.raster.setup_reciprocal import reciprocal, setup_reciprocal
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

Floats = NDArray[np.float32]
Bits = NDArray[np.uint32]

_SIZE_PX, _LARGE_PX, _SMALL_PX = 32, 256, 4
_OFF = (160, 96)
_HALF, _WHOLE = 1 << 22, 1 << 23


# ------------------------------------------------------------------------------------------- draws


def _reading(interpolation: str, builtin: str = "") -> Shader:
    """Return a shader that writes its four inputs, or a builtin."""
    steps: list[dict[str, Any]] = []
    for k in range(4):
        load = {"do": "load_builtin", "to": 0, "builtin": builtin} if builtin else None
        steps.append(load or {"do": "load_input", "to": 0, "location": 0, "component": k})
        steps.append({"do": "store_output", "location": 0, "component": k, "of": 0})
    inputs = [] if builtin else [{"location": 0, "interpolation": interpolation}]
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"],
            "inputs": inputs, "outputs": [{"location": 0}], "statements": steps,
        }
    )  # fmt: skip


def _clip(pixels: NDArray[np.float64], size_px: int) -> Floats:
    """Return clip positions of window positions, w being 1."""
    found = np.zeros((*pixels.shape[:-1], 4), np.float32)
    found[..., :2] = pixels * 2 / size_px - 1
    found[..., 3] = 1
    return found


def _positions(file: VectorFile, name: str) -> Floats:
    """Return clip positions (n, 3, 4); the window positions that they were made of are only looked at."""
    positions: Floats = array_of(file, name, (None, 3, 4), "f").astype(np.float32)
    array_of(file, "in_px", (len(positions), 3, 2), "f")
    return positions


def _image(
    positions: Floats, values: Floats, shader: Shader, size_px: int, rules: Rules, viewport: tuple[float, ...] = ()
) -> Bits:
    """Return the float bits that one triangle leaves, shape (rows, columns, 4)."""
    fmt = format_named("RGBA32F")
    target = ColorTarget(fmt, blank(fmt, size_px, size_px))
    words = np.ascontiguousarray(values.T).view(np.uint32) if shader.inputs else np.zeros((0, 3), np.uint32)
    x, y, width, height = viewport or (0.0, 0.0, float(size_px), float(size_px))
    state = RasterState(viewport=(x, y, width, height))
    draw_triangles(state, [target], None, positions, words, np.array([[0, 1, 2]]), shader, rules=rules)
    return target.codes.view(np.uint32).reshape(size_px, size_px, 4)


# ---------------------------------------------------------------------------------------- reciprocals


def _off_nearest(found: NDArray[np.float64], exact: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return how many units float32 values are off the nearest float32 of the exact ones."""
    bits = [v.astype(np.float32).view(np.uint32).astype(np.int64) for v in (found, exact)]
    return bits[0] - bits[1]


def _score_dense(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score the reciprocals of all mantissas."""
    del rules
    with collect() as used:
        if name == "out_setup":
            values = np.arange(_HALF, 2 * _HALF, dtype=np.float64)
            found = setup_reciprocal(values)
        else:
            values = np.arange(_WHOLE, 2 * _WHOLE, dtype=np.float64) / _WHOLE
            found = reciprocal(values.astype(np.float32))
        by_rule = _off_nearest(found, 1.0 / values)
    return compare(name, by_rule, array_of(file, name, (len(values),), "i").astype(np.int64), used)


def _score_slopes(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score slopes of triangles (0, 4), (k / 256, 5), (0, -28) whose inputs rise from 0 at the second corner."""
    widths = array_of(file, "in_k", (None,), "f")
    measured = array_of(file, name, (len(widths), _SMALL_PX, _SMALL_PX, 4), "u")
    values = np.zeros((3, 4), np.float32)
    values[1] = (1, 1.5, -1, 1.9999999)
    shader, images = _reading("noperspective"), []
    with collect() as used:
        for width in widths.tolist():
            corners = np.array([(0.0, 4.0), (width / 256, 5.0), (0.0, -28.0)])
            images.append(_image(_clip(corners, _SIZE_PX), values, shader, _SIZE_PX, rules)[:_SMALL_PX, :_SMALL_PX])
    return compare(name, np.stack(images), measured, used)


def _score_constant(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score inputs, and 1 / w, of triangles over everything with one w and one value at all vertices."""
    w = array_of(file, "in_w", (None,), "f").astype(np.float32)
    values = array_of(file, "in_T", (len(w), 4), "f").astype(np.float32)
    shader = {
        "out_smooth": _reading("smooth"),
        "out_np": _reading("noperspective"),
        "out_w": _reading("", "frag_coord_w"),
    }.get(name)
    if shader is None:
        return not_run(name, "no rule knows this array")
    plain = _clip(np.array([(-32.0, -32.0), (96.0, -32.0), (-32.0, 96.0)]), _SMALL_PX)
    with collect() as used:
        pixels = [
            _image(plain * one, np.tile(value, (3, 1)), shader, _SMALL_PX, rules)[1, 2]
            for one, value in zip(w, values, strict=True)
        ]
    found = np.stack(pixels)
    shape = (len(w),) if name == "out_w" else (len(w), 4)
    return compare(name, found[:, 0] if name == "out_w" else found, array_of(file, name, shape, "u"), used)


# --------------------------------------------------------------------------------------------- planes


class _Shown(NamedTuple):
    """What an array of images shows: inputs, all four components or one, or a builtin."""

    interpolation: str = ""
    values: str = "in_T"
    component: int | None = None
    builtin: str = ""


_SHOWN = {
    "out_a": _Shown("noperspective"),
    "out_b": _Shown("noperspective", values="in_U"),
    "out_smooth": _Shown("smooth"),
    "out_noperspective": _Shown("noperspective", component=3),
    "out_w": _Shown(builtin="frag_coord_w", component=0),
    "out_z": _Shown(builtin="frag_coord_z", component=0),
}


def _score_images(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score whole images of inputs, of 1 / w or of depth."""
    shown = _SHOWN.get(name)
    if shown is None:
        return not_run(name, "no rule knows this array")
    positions = _positions(file, "in_P")
    count, one = len(positions), shown.component
    values = array_of(file, shown.values, (count, 3, 4), "f").astype(np.float32)
    shape = (count, _SIZE_PX, _SIZE_PX) if one is not None else (count, _SIZE_PX, _SIZE_PX, 4)
    measured = array_of(file, name, shape, "u").astype(np.uint32).reshape(count, _SIZE_PX**2, -1)
    shader = _reading(shown.interpolation, shown.builtin)
    with collect() as used:
        pairs = zip(positions, values, strict=True)
        images = np.stack([_image(place, value, shader, _SIZE_PX, rules) for place, value in pairs])
    some = slice(None) if one is None else slice(one, one + 1)
    by_rule = np.ascontiguousarray(images.reshape(count, _SIZE_PX**2, 4)[..., some])
    return compare(name, by_rule, measured, used)


def _score_pixels(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score inputs at some pixels of each triangle; those of ``off`` arrays in a viewport beside the origin."""
    off = "_off" in name
    measured = array_of(file, name, (None, None, 4), "u")
    count, large = len(measured), name == "out"
    at = array_of(file, "in_off_pos" if off else "in_pos", (None, measured.shape[1], 2), "u")[:count].astype(np.int64)
    corners = array_of(file, "in_px", (None, 3, 2), "f")[:count]
    values = array_of(file, "in_U" if name.endswith("b") else "in_T", (None, 3, 4), "f")[:count].astype(np.float32)
    size_px = _LARGE_PX if large or off else _SIZE_PX
    viewport = (float(_OFF[0]), float(_OFF[1]), float(_SIZE_PX), float(_SIZE_PX)) if off else ()
    shader, found = _reading("noperspective"), []
    at = np.clip(at, 0, size_px - 1)
    with collect() as used:
        for place, triangle in enumerate(_clip(corners, _LARGE_PX if large else _SIZE_PX)):
            image = _image(triangle, values[place], shader, size_px, rules, viewport)
            found.append(image[at[place, :, 1], at[place, :, 0]])
    return compare(name, np.stack(found), measured, used)


def _score_depth(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score the fragment's z and what became of it in a depth target, with both kinds of clip depth."""
    zero = name.startswith("out_zo_")
    positions = _positions(file, "in_P_zo" if zero else "in_P")
    shape = (len(positions), _SIZE_PX, _SIZE_PX)
    measured = array_of(file, name, shape, "u").astype(np.uint32)
    stored = name.removeprefix("out_").removeprefix("zo_")
    fmt = format_named("DEPTH32F" if stored.startswith("z") else stored)
    shader = _reading("", "frag_coord_z")
    state = RasterState(
        viewport=(0.0, 0.0, float(_SIZE_PX), float(_SIZE_PX)),
        depth_mode=DepthMode.NEAR_IS_ZERO if zero else DepthMode.NEAR_IS_MINUS_W,
        depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS,
    )  # fmt: skip
    seen, kept = [], []
    with collect() as used:
        for one in positions:
            color = ColorTarget(format_named("RGBA32F"), blank(format_named("RGBA32F"), _SIZE_PX, _SIZE_PX))
            depth = DepthStencilTarget(fmt, blank(fmt, _SIZE_PX, _SIZE_PX))
            empty = np.zeros((0, 3), np.uint32)
            draw_triangles(state, [color], depth, one, empty, np.array([[0, 1, 2]]), shader, rules=rules)
            seen.append(color.codes.view(np.uint32).reshape(_SIZE_PX, _SIZE_PX, 4)[..., 0])
            kept.append(plane(fmt, depth.codes, "D"))
    covered = np.stack(seen) != 0
    if stored.startswith("z"):
        return compare(name, np.stack(seen)[covered], measured[covered], used)
    codes = measured >> 8 if "24" in stored else measured
    return compare(name, np.stack(kept)[covered], codes[covered], used)


ScoreOne = Callable[[VectorFile, str, Rules], ArrayScore]
_FAMILIES: dict[str, tuple[tuple[str, ...], ScoreOne]] = {
    "pl_rcpdense": (("out_setup", "out_alu"), _score_dense),
    "pl_rcp": (("in_k", "out_a"), _score_slopes),
    "pl_constw": (("in_w", "out_np"), _score_constant),
    "pl_base": (("in_px", "in_P", "in_T", "out_a"), _score_images),
    "pl_persp": (("in_px", "in_P", "in_T", "out_smooth"), _score_images),
    "pl_anchor": (("in_px", "in_U", "out_off_a"), _score_pixels),
    "pl_origin": (("in_px", "in_pos", "out"), _score_pixels),
    "pl_depth": (("in_px", "in_P_zo", "out_zo_z"), _score_depth),
}

SCHEMAS: tuple[Schema, ...] = schemas_of(_FAMILIES)
