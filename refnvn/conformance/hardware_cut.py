"""How is the measured family ``cut`` scored: the depth and 1 / w of triangles that reach beyond near or far plane?

Nine sets of triangles, drawn one by one into 24 x 24 pixels: one vertex beyond a plane, vertices beyond both, one
behind the eye; w 1 or not. ``out_SET`` holds gl_FragCoord.z and .w bits, zeros where nothing was drawn.

Read next: ``hardware_interp.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from refnvn.conformance.hardware_draws import array_of, within
from refnvn.conformance.hardware_primitives import drawn_bytes, square, triangles_of, vertices_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive
from refnvn.replay.assemble import primitives_of
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

_SIZE_PX = 24
_DEPTH_BOUND, _W_BOUND_ULP = 2.0**-21, 32.0
"""Slivers have slopes of several units a pixel, whose bits below 24 are lost."""


def _shader() -> Shader:
    """Return a shader that writes depth and 1 / w."""
    steps: list[dict[str, Any]] = []
    for component, letter in enumerate("zw"):
        steps.append({"do": "load_builtin", "to": 0, "builtin": f"frag_coord_{letter}"})
        steps.append({"do": "store_output", "location": 0, "component": component, "of": 0})
    outputs = [{"location": 0, "components": 2}]
    return from_object(
        {"refnvn_shader": 1, "stage": "fragment", "registers": ["word"], "outputs": outputs, "statements": steps}
    )


def _score(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    triangles = triangles_of(file, name.replace("out_", "in_", 1))
    measured = array_of(file, name, (len(triangles), _SIZE_PX, _SIZE_PX, 2), "u")
    state, shader, drawn = square(_SIZE_PX), _shader(), primitives_of(DrawPrimitive.TRIANGLES, 3)
    with collect() as used:
        images = [
            drawn_bytes(_SIZE_PX, state, vertices_of(one), drawn, shader, "RG32F", rules)[0].view(np.uint32)
            for one in triangles
        ]
    found = np.stack(images).reshape(measured.shape)
    pair = [np.ascontiguousarray(v).view(np.float32).astype(np.float64) for v in (found, measured)]
    largest = np.abs(pair[1][..., 1]).max(axis=(1, 2), initial=1e-30).astype(np.float32)
    scale = np.stack([np.full(len(triangles), _DEPTH_BOUND), np.spacing(largest) * _W_BOUND_ULP], axis=1)
    errors = np.abs(pair[0] - pair[1]) / scale[:, np.newaxis, np.newaxis]
    return within(compare(name, found, measured, used), errors, 1.0, "bounds")


def score_cut(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``cut``."""
    for name in file.headers:
        if name.startswith("out_"):
            has_input = name.replace("out_", "in_", 1) in file.headers
            yield _score(file, name, rules) if has_input else not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="cut", recognises=has_arrays("in_near_w1", "out_near_w1", "out_behind"), score=score_cut),
)
