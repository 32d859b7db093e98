"""How are the measured families scored that need a rasteriser: ``coverage``, ``stencil``, and drawn ``depth``?

``coverage`` holds which pixels triangles covered, the samples counted, fractional viewports, and meshes whose
triangles were added up. ``stencil`` holds what 80 settings of the stencil test left of 256 values. Of ``depth`` the
draws are scored here: depths written by a shader, slanted triangles, comparisons; ``hardware_offset.py`` scores the
rest.

Read next: ``hardware_draws.py`` (the draws themselves).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import (
    ONE_BITS,
    WHOLE,
    array_of,
    blank,
    compare_depth,
    depth_by_pixel,
    draw,
    plane,
    white,
)
from refnvn.conformance.hardware_formats import nvn_format, texel_bytes
from refnvn.conformance.hardware_offset import score_bounds, score_bounds_depths, score_offset
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DepthFunc, DepthMode, StencilFunc, StencilOp, WindowOriginMode
from refnvn.errors import InputFileError
from refnvn.formats.table import format_named
from refnvn.raster.clear import clear_depth_stencil
from refnvn.raster.state import RasterState, StencilFace
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_COVERAGE_PX = 64
_MESH_PX = 128
_STENCIL_PX = 16
_DEPTH_PX = 32
_PLANE_BOUND = 1.0
"""In 2^-24: 30 depths in the range from 0.1 to 0.7 are one off, all others equal (rules RASTER-DEPTH-1 and -2)."""

_COVERAGE = re.compile(r"out_(lower_left|upper_left|viewport(\d)|samples_passed|mesh_(\w+?)_(lower_left|upper_left))")
_FRAGMENT_DEPTH = re.compile(r"out_fragdepth(_range25_75)?(_clamp)?_(DEPTH\w+)")
_SLANTED = re.compile(r"out_interp(_clamp|_range_\S+?|_zero_to_one)?_(DEPTH\w+)")
_MORE = re.compile(r"out_(offset|bounds_stored|bounds_mask)_(DEPTH\w+)")
_MORE_SCORES = {"offset": score_offset, "bounds_stored": score_bounds_depths, "bounds_mask": score_bounds}
_COMPARED = re.compile(r"out_func_(DEPTH\w+)")
_RANGES = {
    "_range_.1_.7": (float(np.float32(0.1)), float(np.float32(0.7))),
    "_range_1_0": (1.0, 0.0),
    "_range_-2_3_nv": (-2.0, 3.0),
}


# ------------------------------------------------------------------------------------------- coverage


def _covered(
    triangles: NDArray[np.float32],
    viewport: tuple[float, ...],
    origin: WindowOriginMode,
    rules: Rules,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw each triangle into a cleared image of 64 x 64; return covered pixels and counts."""
    fmt = format_named("R8")
    size = _COVERAGE_PX
    images = np.zeros((len(triangles), size, size), dtype=np.uint8)
    counts = np.zeros(len(triangles), dtype=np.int64)
    x, y, width, height = viewport
    state = RasterState(viewport=(x, y, width, height), window_origin=origin)
    shader = white()
    for index, triangle in enumerate(triangles):
        target = ColorTarget(fmt, blank(fmt, size, size))
        counts[index] = draw(state, target, None, triangle, shader, rules)
        images[index] = target.codes[..., 0] != 0
    return images, counts


def _mesh_counts(positions: NDArray[np.float32], origin: WindowOriginMode, rules: Rules) -> NDArray[np.uint8]:
    """Return how often the triangles of a mesh cover each pixel of 128 x 128."""
    fmt = format_named("R8")
    size = float(_MESH_PX)
    state = RasterState(viewport=(0.0, 0.0, size, size), window_origin=origin)
    counts = np.zeros((_MESH_PX, _MESH_PX), dtype=np.uint8)
    shader = white()
    for triangle in positions.reshape(-1, 3, 4):
        target = ColorTarget(fmt, blank(fmt, _MESH_PX, _MESH_PX))
        draw(state, target, None, triangle, shader, rules)
        counts += (target.codes[..., 0] != 0).astype(np.uint8)
    return counts


def _unpacked(file: VectorFile, name: str, count: int, size: int) -> NDArray[np.uint8]:
    packed = array_of(file, name, (count, size, size // 8), "u")
    return np.unpackbits(packed, axis=-1)


def _origin(name: str) -> WindowOriginMode:
    return WindowOriginMode.UPPER_LEFT if name == "upper_left" else WindowOriginMode.LOWER_LEFT


def _score_coverage(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score one array of ``coverage``; a case is a pixel, or a count."""
    served = _COVERAGE.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    kind, viewport, mesh, mesh_origin = served.groups()
    with collect() as used:
        if mesh is not None:
            positions = array_of(file, f"in_mesh_{mesh}", (None, 4), "f")
            added = _mesh_counts(positions, _origin(mesh_origin), rules)
            return compare(name, added, array_of(file, name, (_MESH_PX, _MESH_PX), "u"), used)
        triangles = array_of(file, "in_tri", (None, 3, 4), "f")
        whole = (0.0, 0.0, float(_COVERAGE_PX), float(_COVERAGE_PX))
        if viewport is not None:
            rectangles = array_of(file, "in_viewports", (None, 4), "f")
            measured = file.array(name)
            part = tuple(float(v) for v in rectangles[int(viewport) % len(rectangles)])
            images, _ = _covered(triangles[: len(measured)], part, WindowOriginMode.LOWER_LEFT, rules)
        else:
            images, counts = _covered(triangles, whole, _origin(kind), rules)
            if kind == "samples_passed":
                return compare(name, counts, array_of(file, name, (len(triangles),), "u"), used)
    return compare(name, images, _unpacked(file, name, len(images), _COVERAGE_PX), used)


def score_coverage(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``coverage``."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score_coverage(file, name, rules)


# -------------------------------------------------------------------------------------------- stencil


def _stencil_state(setting: NDArray[np.int32]) -> RasterState:
    """Return the state of one row of ``in_cfg``, OpenGL's numbers; references are clamped as OpenGL does."""
    func, reference, value_mask, write_mask, fail, depth_fail, depth_pass, depth_func = (int(v) for v in setting)
    face = StencilFace(
        func=StencilFunc(func + 1),
        reference=min(max(reference, 0), 255),
        value_mask=value_mask,
        write_mask=write_mask,
        fail=StencilOp(fail + 1),
        depth_fail=StencilOp(depth_fail + 1),
        depth_pass=StencilOp(depth_pass + 1),
    )
    size = float(_STENCIL_PX)
    return RasterState(
        viewport=(0.0, 0.0, size, size),
        depth_test=True,
        depth_func=DepthFunc((depth_func & 7) + 1),
        stencil_test=True,
        front=face,
        back=face,
    )


def _run_stencil(file: VectorFile, rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return stored stencil and drawn pixels for every row of ``in_cfg``."""
    size = _STENCIL_PX
    settings = array_of(file, "in_cfg", (None, 8), "i")
    first = array_of(file, "in_init", (size, size), "u")
    depths = array_of(file, "in_depth", (size, size), "f").view(np.uint32)
    fmt, gray = format_named("DEPTH24_STENCIL8"), format_named("R8")
    stencil = np.zeros((len(settings), size, size), dtype=np.uint8)
    drawn = np.zeros_like(stencil)
    shader = depth_by_pixel(size)
    for index, setting in enumerate(settings):
        target = DepthStencilTarget(fmt, blank(fmt, size, size))
        target.codes[...] = (0, 0, 0, 0x80)
        target.codes[..., 0] = first
        color = ColorTarget(gray, blank(gray, size, size))
        draw(_stencil_state(setting), color, target, WHOLE, shader, rules, depths)
        stencil[index] = target.codes[..., 0]
        drawn[index] = color.codes[..., 0] != 0
    return stencil, drawn


def score_stencil(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``stencil``."""
    with collect() as used:
        stencil, drawn = _run_stencil(file, rules)
    yield compare("out_stencil", stencil, array_of(file, "out_stencil", stencil.shape, "u"), used)
    yield compare("out_mask", drawn, _unpacked(file, "out_mask", len(drawn), _STENCIL_PX), used)


# ---------------------------------------------------------------------------------------- drawn depth


def _score_fragment_depth(
    file: VectorFile, name: str, ranged: bool, clamp: bool, format_name: str, rules: Rules
) -> ArrayScore:
    """Score depths that a shader wrote, one per pixel."""
    fmt = nvn_format(file, format_name)
    bits = array_of(file, f"in_fragdepth_{format_name}", (None, None), "u")
    measured = plane(fmt, texel_bytes(file, name, fmt), "D")
    if bits.dtype != np.uint32 or bits.size > 1 << 14 or bits.shape != measured.shape:
        raise InputFileError(f"{file.path}: {name} and its input are not of one shape of at most 2^14 texels")
    rows, columns = bits.shape
    state = RasterState(
        viewport=(0.0, 0.0, float(columns), float(rows)),
        depth_range=(0.25, 0.75) if ranged else (0.0, 1.0),
        depth_clamp=clamp,
        depth_test=True,
        depth_write=True,
        depth_func=DepthFunc.ALWAYS,
    )
    target = DepthStencilTarget(fmt, blank(fmt, rows, columns))
    with collect() as used:
        draw(state, None, target, WHOLE, depth_by_pixel(columns), rules, bits)
    return compare(name, plane(fmt, target.codes, "D"), measured, used)


def _slanted_state(what: str) -> RasterState:
    size = float(_DEPTH_PX)
    return RasterState(
        viewport=(0.0, 0.0, size, size),
        depth_range=_RANGES.get(what, (0.0, 1.0)),
        depth_mode=DepthMode.NEAR_IS_ZERO if what == "_zero_to_one" else DepthMode.NEAR_IS_MINUS_W,
        depth_clamp=what == "_clamp",
        depth_test=True,
        depth_write=True,
        depth_func=DepthFunc.ALWAYS,
    )


def _score_slanted(file: VectorFile, name: str, what: str, format_name: str, rules: Rules) -> ArrayScore:
    """Score triangles drawn one by one over depth 1; the array holds all of them or every second one."""
    fmt = nvn_format(file, format_name)
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")
    size = _DEPTH_PX
    stored = array_of(file, name, (None, size, size), "u")
    drawn = triangles if len(stored) == len(triangles) else triangles[::2]
    if len(drawn) != len(stored):
        raise InputFileError(f"{file.path}: {name} holds {len(stored)} images, not {len(triangles)} or half of that")
    state, by_rule, measured = _slanted_state(what), [], []
    with collect() as used:
        for triangle, image in zip(drawn, stored, strict=True):
            target = DepthStencilTarget(fmt, blank(fmt, size, size))
            clear_depth_stencil(target, ONE_BITS, True, 0, 0, None, rules)
            draw(state, None, target, triangle, None, rules)
            by_rule.append(plane(fmt, target.codes, "D"))
            texels = np.ascontiguousarray(image).view(np.uint8).reshape(size, size, fmt.bytes_per_block)
            measured.append(plane(fmt, texels, "D"))
    return compare_depth(name, fmt, np.stack(by_rule), np.stack(measured), used, _PLANE_BOUND)


def _score_compared(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    """Score which pixels passed each of the eight comparisons."""
    fmt, gray = nvn_format(file, format_name), format_named("R8")
    size = _DEPTH_PX
    first, second = (array_of(file, f"in_func_{what}_{format_name}", (size, size), "u") for what in ("dst", "src"))
    viewport = (0.0, 0.0, float(size), float(size))
    shader = depth_by_pixel(size)
    target = DepthStencilTarget(fmt, blank(fmt, size, size))
    passed = []
    with collect() as used:
        state = RasterState(viewport=viewport, depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS)
        draw(state, None, target, WHOLE, shader, rules, first)
        for func in DepthFunc:
            color = ColorTarget(gray, blank(gray, size, size))
            tested = RasterState(viewport=viewport, depth_test=True, depth_func=func)
            draw(tested, color, target, WHOLE, shader, rules, second)
            passed.append((color.codes[..., 0] != 0).astype(np.uint8))
    return compare(name, np.stack(passed), _unpacked(file, name, len(DepthFunc), size), used)


def score_drawn_depth(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score one array of ``depth`` that draws made."""
    if served := _FRAGMENT_DEPTH.fullmatch(name):
        return _score_fragment_depth(file, name, bool(served[1]), bool(served[2]), served[3], rules)
    if served := _SLANTED.fullmatch(name):
        return _score_slanted(file, name, served[1] or "", served[2], rules)
    if served := _COMPARED.fullmatch(name):
        return _score_compared(file, name, served[1], rules)
    if served := _MORE.fullmatch(name):
        return _MORE_SCORES[served[1]](file, name, served[2], rules)
    return not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(
        name="coverage", recognises=has_arrays("in_tri", "out_lower_left", "out_samples_passed"), score=score_coverage
    ),
    Schema(name="stencil", recognises=has_arrays("in_cfg", "out_stencil", "out_mask"), score=score_stencil),
)
