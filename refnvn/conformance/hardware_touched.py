"""How is the measured family ``touched`` scored: conservative triangles on targets of none, four and eight samples?

``out_nx`` holds by sample what a shader saw, the covered samples as a number, gl_FragCoord.x, .y and .z, and the
stored depth; zeros and 1 where nothing was drawn. ``nvraster`` holds 1 + gl_FragCoord.w of conservative triangles, in
a corner of the viewport.

Read next: ``hardware_primitives.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from refnvn.conformance.hardware_draws import array_of, blank, draw, within
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DepthFunc
from refnvn.formats.table import format_named
from refnvn.raster.state import Conservative, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

_NAME = re.compile(r"out_(0|4|8)x")
_SIZE_PX = 32
_DEPTH_BOUND = 1 / 2**24
"""Of depths at samples; in the middle of pixels they are exact."""


def _seen() -> Shader:
    """Return a shader that writes the covered samples and the first three of the fragment coordinate."""
    steps: list[dict[str, Any]] = []
    for place, name in enumerate(("sample_mask_in", "frag_coord_x", "frag_coord_y", "frag_coord_z")):
        steps.append({"do": "load_builtin", "to": 0, "builtin": name})
        if not place:
            steps.append({"do": "operate", "name": "float.from_uint", "to": 0, "of": [0]})
        steps.append({"do": "store_output", "location": 0, "component": place, "of": 0})
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"],
            "outputs": [{"location": 0, "components": 4}], "statements": steps,
        }
    )  # fmt: skip


_CORNER_PX, _VIEWPORT_PX = 24, 64.0
BEYOND = "out_conservative_fragcoord_z"


def score_beyond(file: VectorFile, rules: Rules) -> ArrayScore:
    """Score :data:`BEYOND` of ``nvraster``: planes beyond the edges of triangles."""
    measured = array_of(file, BEYOND, (None, _CORNER_PX, _CORNER_PX), "u").astype(np.uint32)
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(measured)].astype(np.float32)
    shader = from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 2,
            "outputs": [{"location": 0, "components": 1}],
            "statements": [
                {"do": "load_builtin", "to": 0, "builtin": "frag_coord_w"},
                {"do": "constant", "to": 1, "bits": 0x3F800000},
                {"do": "operate", "name": "float.add", "to": 0, "of": [0, 1]},
                {"do": "store_output", "location": 0, "of": 0},
            ],
        }
    )  # fmt: skip
    fmt, images = format_named("R32F"), []
    state = RasterState(viewport=(0.0, 0.0, _VIEWPORT_PX, _VIEWPORT_PX), conservative=Conservative())
    with collect() as used:
        for triangle in triangles:
            target = ColorTarget(fmt, blank(fmt, _CORNER_PX, _CORNER_PX))
            draw(state, target, None, triangle, shader, rules)
            images.append(target.codes.view(np.uint32)[..., 0])
    found = np.stack(images)
    return compare(BEYOND, found, measured, used)


def _score(file: VectorFile, name: str, samples: int, rules: Rules) -> ArrayScore:
    triangles = array_of(file, "in_tri", (None, 3, 4), "f").astype(np.float32)
    measured = array_of(file, name, (len(triangles), samples, _SIZE_PX, _SIZE_PX, 5), "u").astype(np.uint32)
    fmt, zeta, images = format_named("RGBA32F"), format_named("DEPTH32F"), []
    state = RasterState(
        viewport=(0.0, 0.0, float(_SIZE_PX), float(_SIZE_PX)), conservative=Conservative(),
        depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS,
    )  # fmt: skip
    with collect() as used:
        for triangle in triangles:
            colors = [blank(fmt, _SIZE_PX, _SIZE_PX) for _ in range(samples)]
            depths = [blank(zeta, _SIZE_PX, _SIZE_PX) for _ in range(samples)]
            for one in depths:
                one.view(np.float32)[...] = 1
            target = ColorTarget(fmt, colors[0], tuple(colors[1:]))
            draw(state, target, DepthStencilTarget(zeta, depths[0], tuple(depths[1:])), triangle, _seen(), rules)
            images.append(np.concatenate([np.stack(colors), np.stack(depths)], axis=-1).view(np.uint32))
    found = np.stack(images)
    pair = [np.ascontiguousarray(one).view(np.float32).astype(np.float64) for one in (found, measured)]
    errors = np.abs(pair[0] - pair[1]) / _DEPTH_BOUND
    errors[..., :3] = np.where(found[..., :3] == measured[..., :3], 0.0, np.inf)
    return within(compare(name, found, measured, used), errors, 1.0, "bounds")


def score_touched(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``touched``; a case is a value of a sample."""
    for name in file.headers:
        if served := _NAME.fullmatch(name):
            yield _score(file, name, max(1, int(served[1])), rules)
        elif name.startswith("out_"):
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="touched", recognises=has_arrays("in_tri", "out_0x", "out_4x", "out_8x"), score=score_touched),
)
