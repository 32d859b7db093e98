"""How is the measured family ``mslines`` scored: single lines on targets of several samples?

``out_depth_nx`` holds the depth of each sample, 1 where nothing was drawn; ``out_color_nx`` by pixel an input, the
fragment's depth and 1 / w as a shader that runs once sees them, zeros where nothing was drawn.

Read next: ``hardware_lines.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of, blank, within
from refnvn.conformance.hardware_primitives import vertices_of
from refnvn.conformance.hardware_stages import places
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DepthFunc, DrawPrimitive
from refnvn.formats.table import format_named
from refnvn.raster.draw import draw_primitives
from refnvn.raster.samples import Multisample
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.replay.assemble import primitives_of
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_NAME = re.compile(r"out_(depth|color)_(2|4|8)x")
_SIZE_PX = 32
_DEPTH_BOUND = 2.0**-23
"""2 / 2^24, that of planes."""
_BOUND_ULP = 8.0
"""Of the largest at the ends, for the input and 1 / w."""
Words = NDArray[np.uint32]


def _drawn(
    line: NDArray[np.float32], value: NDArray[np.float32], width: float, samples: int, rules: Rules
) -> tuple[Words, Words]:
    """Return what a shader wrote, shape (rows, columns, 3), and the depths of samples (samples, rows, columns)."""
    fmt, zeta = format_named("RGBA32F"), format_named("DEPTH32F")
    colors = [blank(fmt, _SIZE_PX, _SIZE_PX) for _ in range(samples)]
    depths = [blank(zeta, _SIZE_PX, _SIZE_PX) for _ in range(samples)]
    for one in depths:
        one.view(np.float32)[...] = 1
    state = RasterState(
        viewport=(0.0, 0.0, float(_SIZE_PX), float(_SIZE_PX)), multisample=Multisample(), line_width=width,
        depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS,
    )  # fmt: skip
    draw_primitives(
        state,
        [ColorTarget(fmt, colors[0], tuple(colors[1:]))],
        DepthStencilTarget(zeta, depths[0], tuple(depths[1:])),
        vertices_of(line, np.ascontiguousarray(value).view(np.uint32)),
        primitives_of(DrawPrimitive.LINES, 2),
        places,
        rules=rules,
    )
    seen = np.stack(colors).view(np.uint32)
    written = seen[..., 3] != 0
    first = np.take_along_axis(seen, written.argmax(axis=0)[np.newaxis, ..., np.newaxis], axis=0)[0]
    return first[..., [2, 0, 1]], np.stack(depths).view(np.uint32)[..., 0]


def _score(file: VectorFile, name: str, kind: str, samples: int, rules: Rules) -> ArrayScore:
    lines = array_of(file, "in_line", (None, 2, 4), "f").astype(np.float32)
    values = array_of(file, "in_lineattr", (len(lines), 2, 4), "f").astype(np.float32)
    widths = array_of(file, "in_width", (len(lines),), "f")
    with collect() as used:
        drawn = [
            _drawn(one, value, float(width), samples, rules)
            for one, value, width in zip(lines, values, widths, strict=True)
        ]
    found = np.stack([one[0 if kind == "color" else 1] for one in drawn])
    measured = array_of(file, name, found.shape, "u").astype(np.uint32)
    pair = [np.ascontiguousarray(one).view(np.float32).astype(np.float64) for one in (found, measured)]
    errors = np.abs(pair[0] - pair[1])
    bound = np.full((len(lines), 1, 1, 1), _DEPTH_BOUND)
    if kind == "color":
        ulp = [np.spacing(one.astype(np.float32)) for one in _largest(lines, values)]
        bound = np.stack([ulp[0] * _BOUND_ULP, np.full(len(lines), _DEPTH_BOUND), ulp[1] * _BOUND_ULP], axis=1)
        bound = bound[:, np.newaxis, np.newaxis]
    return within(compare(name, found, measured, used), errors / bound, 1.0, "bounds")


def _largest(
    lines: NDArray[np.float32], values: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the largest input and 1 / w at the ends of each line."""
    return np.abs(values[:, :, 0]).max(axis=1), (1 / np.abs(lines[:, :, 3])).max(axis=1)


def score_sampled_lines(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``mslines``; a case is a depth of a sample, or a value of a pixel."""
    for name in file.headers:
        if served := _NAME.fullmatch(name):
            yield _score(file, name, served[1], int(served[2]), rules)
        elif name.startswith("out_"):
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="mslines", recognises=has_arrays("in_line", "in_width", "out_depth_4x"), score=score_sampled_lines),
)
