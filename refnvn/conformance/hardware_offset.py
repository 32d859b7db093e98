"""How is the rest of the measured family ``depth`` scored: polygon offset, and the depth bounds test?

``out_offset_F`` holds twelve triangles under twelve settings; ``out_bounds_mask_F`` which pixels passed eight pairs
of bounds, over the depths of ``out_bounds_stored_F``.

Read next: ``hardware_raster.py``.
"""

from __future__ import annotations

from typing import Any

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
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DepthFunc
from refnvn.errors import InputFileError
from refnvn.formats.table import Format, format_named
from refnvn.raster.clear import clear_depth_stencil
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_SIZE_PX = 32
_PLANE_BOUND = 1.0
"""Of a slanted plane's depth with an offset, in 2^-24."""


def _state(**fields: Any) -> RasterState:
    size = float(_SIZE_PX)
    written = {"depth_test": True, "depth_write": True, "depth_func": DepthFunc.ALWAYS}
    return RasterState(viewport=(0.0, 0.0, size, size), **(written | fields))


def _target(fmt: Format) -> DepthStencilTarget:
    return DepthStencilTarget(fmt, blank(fmt, _SIZE_PX, _SIZE_PX))


def score_offset(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    """Score depths of triangles moved by polygon offset, drawn one by one over depth 1."""
    fmt = nvn_format(file, format_name)
    triangles = array_of(file, "in_tri", (None, 3, 4), "f").astype(np.float32)
    settings = array_of(file, "in_offset_configs", (None, 3), "f")
    chosen = array_of(file, "in_offset_tri_index", (None,), "i")
    stored = array_of(file, name, (len(settings), len(chosen), _SIZE_PX, _SIZE_PX), "u")
    if chosen.size and not 0 <= int(chosen.min()) <= int(chosen.max()) < len(triangles):
        raise InputFileError(f"{file.path}: array 'in_offset_tri_index' names triangles outside 'in_tri'")
    by_rule, measured = [], []
    with collect() as used:
        for setting, images in zip(settings, stored, strict=True):
            factor, units, clamp = (float(v) for v in setting)
            state = _state(polygon_offset=(factor, units, clamp))
            for index, image in zip(chosen, images, strict=True):
                target = _target(fmt)
                clear_depth_stencil(target, ONE_BITS, True, 0, 0, None, rules)
                draw(state, None, target, triangles[index], None, rules)
                by_rule.append(plane(fmt, target.codes, "D"))
                texels = np.ascontiguousarray(image).view(np.uint8).reshape(_SIZE_PX, _SIZE_PX, -1)
                measured.append(plane(fmt, texels, "D"))
    return compare_depth(name, fmt, np.stack(by_rule), np.stack(measured), used, _PLANE_BOUND)


def _stored_depths(file: VectorFile, format_name: str, fmt: Format, rules: Rules) -> DepthStencilTarget:
    words = array_of(file, f"in_bounds_depth_written_{format_name}", (_SIZE_PX, _SIZE_PX), "u")
    target = _target(fmt)
    draw(_state(), None, target, WHOLE, depth_by_pixel(_SIZE_PX), rules, words.astype(np.uint32))
    return target


def score_bounds_depths(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    """Score the depths that the bounds are held against."""
    fmt = nvn_format(file, format_name)
    with collect() as used:
        found = plane(fmt, _stored_depths(file, format_name, fmt, rules).codes, "D")
    return compare(name, found, plane(fmt, texel_bytes(file, name, fmt), "D"), used)


def score_bounds(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    """Score which pixels pass; bounds the wrong way round were refused, so that 0.4 to 0.5 stood instead."""
    fmt, gray = nvn_format(file, format_name), format_named("R8")
    bounds = array_of(file, f"in_bounds_{format_name}", (None, 2), "f").astype(np.float64)
    packed = array_of(file, name, (len(bounds), _SIZE_PX, _SIZE_PX // 8), "u")
    passed: list[NDArray[np.uint8]] = []
    with collect() as used:
        target = _stored_depths(file, format_name, fmt, rules)
        for low, high in bounds.tolist():
            color = ColorTarget(gray, blank(gray, _SIZE_PX, _SIZE_PX))
            state = _state(depth_test=False, depth_bounds=(low, high) if low <= high else (0.4, 0.5))
            draw(state, color, target, WHOLE, white(), rules)
            passed.append((color.codes[..., 0] != 0).astype(np.uint8))
    return compare(name, np.stack(passed), np.unpackbits(packed, axis=-1), used)
