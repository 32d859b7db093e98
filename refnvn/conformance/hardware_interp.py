"""How is the measured family ``interp`` scored: what a fragment shader saw of its inputs?

48 triangles of 24 x 24 pixels, four input components each, as float bits per pixel; pixels that are not covered hold
zeros. The planes of ``refnvn/raster/planes.py`` are known to a few units in the last place of the largest vertex
value (their rules say which), and so far count as within the bound. Derivatives are not run.

Read next: ``hardware_raster.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of, blank, within
from refnvn.conformance.hardware_multisample import INTERP, score_placed_inputs
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import WindowOriginMode
from refnvn.formats.table import format_named
from refnvn.raster.draw import draw_triangles
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

_SIZE_PX = 24
_SERVED = re.compile(r"out_(smooth|noperspective|fragcoord|deriv_flat)_(lower_left|upper_left)")
_BOUND_ULP = {"smooth": 18.0, "noperspective": 7.0, "fragcoord": 15.0, "deriv_flat": 0.0}


def _shader(what: str) -> Shader:
    """Return a shader that writes its four inputs, or the fragment coordinate."""
    steps: list[dict[str, Any]] = []
    for k, letter in enumerate("xyzw"):
        if what == "fragcoord":
            steps.append({"do": "load_builtin", "to": 0, "builtin": f"frag_coord_{letter}"})
        else:
            steps.append({"do": "load_input", "to": 0, "location": 0, "component": k})
        steps.append({"do": "store_output", "location": 0, "component": k, "of": 0})
    how = {"deriv_flat": "flat"}.get(what, what)
    inputs = [] if what == "fragcoord" else [{"location": 0, "interpolation": how}]
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"],
            "inputs": inputs, "outputs": [{"location": 0}], "statements": steps,
        }
    )  # fmt: skip


def _drawn(
    triangle: NDArray[np.float32], words: NDArray[np.uint32], shader: Shader, state: RasterState, rules: Rules
) -> NDArray[np.uint32]:
    """Return the float bits that one triangle leaves, shape (rows, columns, 4)."""
    fmt = format_named("RGBA32F")
    target = ColorTarget(fmt, blank(fmt, _SIZE_PX, _SIZE_PX))
    varyings = np.ascontiguousarray(words.T) if shader.inputs else np.zeros((0, 3), np.uint32)
    draw_triangles(state, [target], None, triangle, varyings, np.array([[0, 1, 2]]), shader, rules=rules)
    return target.codes.view(np.uint32).reshape(_SIZE_PX, _SIZE_PX, 4)


def _scales(what: str, triangle: NDArray[np.float32], attributes: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return for each component one unit in the last place of the largest vertex value; of depth, two of 2^-24."""
    if what != "fragcoord":
        scales: NDArray[np.float64] = np.spacing(np.abs(attributes).max(axis=0)).astype(np.float64)
        return scales
    inverse = np.float32(1) / np.abs(triangle[:, 3])
    depth = 2.0 * 2.0**-24 / _BOUND_ULP[what]
    return np.array([2.0**-19, 2.0**-19, depth, float(np.spacing(np.max(inverse)))])


def _score(file: VectorFile, name: str, what: str, origin: str, rules: Rules) -> ArrayScore:
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")
    attributes = array_of(file, "in_attr", (len(triangles), 3, 4), "f")
    measured = array_of(file, name, (None, _SIZE_PX, _SIZE_PX, 4), "u")
    size = float(_SIZE_PX)
    upper = origin == "upper_left"
    state = RasterState(
        viewport=(0.0, 0.0, size, size),
        window_origin=WindowOriginMode.UPPER_LEFT if upper else WindowOriginMode.LOWER_LEFT,
    )
    shader, by_rule, errors = _shader(what), [], []
    with collect() as used:
        for triangle, values, image in zip(triangles, attributes, measured, strict=False):
            found = _drawn(triangle, values.view(np.uint32), shader, state, rules)
            by_rule.append(found)
            pair = [np.ascontiguousarray(v).view(np.float32).astype(np.float64) for v in (found, image)]
            errors.append(np.abs(pair[0] - pair[1]) / _scales(what, triangle, values))
    images, distances = np.stack(by_rule), np.stack(errors)
    if what == "deriv_flat":  # the first two components are derivatives; the others are flat inputs x and y
        return compare(name, images[..., :2], measured[..., 2:], used)
    return within(compare(name, images, measured, used), distances, _BOUND_ULP[what], "ULP of the largest")


def score_interp(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``interp``."""
    for name in file.headers:
        if served := _SERVED.fullmatch(name):
            yield _score(file, name, served[1], served[2], rules)
        elif INTERP.fullmatch(name):
            yield score_placed_inputs(file, name, rules)
        elif name.startswith("out_"):
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="interp", recognises=has_arrays("in_tri", "in_attr", "out_smooth_*"), score=score_interp),
)
