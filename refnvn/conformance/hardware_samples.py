"""How is the measured family ``samples`` scored: alpha to coverage by format, and what a shader sees of samples?

``out_a2c_F_nx_H`` holds for each pixel of a target of format F which samples its alpha left, with dither and without;
each alpha of ``in_alpha`` stands in 2 x 2 pixels. The other arrays hold what a shader wrote to four samples (-1 where
nothing was written) with sample shading forced or not, and with all samples in the mask or with the two of mask 6:
the coordinate, inputs at the centre and the centroid, the covered samples, the number of the sample.

Read next: ``hardware_multisample.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of, blank, within
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.formats.table import format_named
from refnvn.raster.alpha_to_coverage import covered_by_alpha
from refnvn.raster.draw import draw_triangles
from refnvn.raster.interpolate import Lanes
from refnvn.raster.samples import ALL_SAMPLES, Multisample
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

_ALPHA = re.compile(r"out_a2c_(\w+)_(2|4|8)x_(dither|plain)")
_SEEN = re.compile(r"out_(coord|inputs|mask|id)(_forced)?(_mask6)?")
_SIZE_PX = 24
_SAMPLES = 4
_COORD_BOUND = 0.5
"""Of fragment coordinates, in 2^-23: depth at samples is known to the last place."""
_NOTHING = np.float32(-1)

_CENTER, _CENTROID = 0, 1
_WRITTEN: dict[str, tuple[tuple[str, int] | str, ...]] = {
    "coord": ("frag_coord_x", "frag_coord_y", "frag_coord_z", "frag_coord_w"),
    "inputs": (("x", _CENTER), ("x", _CENTROID), ("y", _CENTER), ("y", _CENTROID)),
    "mask": ("sample_mask_in", ("x", _CENTER), ("x", _CENTROID), ("y", _CENTROID)),
    "id": ("sample_id", ("x", _CENTER), "frag_coord_x", "sample_mask_in"),
}
"""What each shader wrote to R, G, B, A: a builtin, or x or y of an input."""


def _shader(what: str) -> Shader:
    statements: list[dict[str, Any]] = []
    for component, one in enumerate(_WRITTEN[what]):
        if isinstance(one, str):
            statements.append({"do": "load_builtin", "to": 0, "builtin": one})
            if one.startswith("sample"):
                statements.append({"do": "operate", "name": "float.from_uint", "to": 0, "of": [0]})
        else:
            place = "xy".index(one[0])
            statements.append({"do": "load_input", "to": 0, "location": one[1], "component": place})
        statements.append({"do": "store_output", "location": 0, "component": component, "of": 0})
    inputs = [{"location": _CENTER}, {"location": _CENTROID, "sampling": "centroid"}]
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"],
            "inputs": inputs, "outputs": [{"location": 0}], "statements": statements,
        }
    )  # fmt: skip


def _score_alpha(file: VectorFile, name: str, format_name: str, samples: int, how: str, rules: Rules) -> ArrayScore:
    fmt = nvn_format(file, format_name)
    alphas = array_of(file, "in_alpha", (None, None), "f").astype(np.float32)
    bits = np.repeat(np.repeat(alphas, 2, axis=0), 2, axis=1).view(np.uint32)
    measured = array_of(file, name, bits.shape, "u")
    row, column = (one.ravel() for one in np.indices(bits.shape))
    with collect() as used, np.errstate(all="ignore"):
        lanes = Lanes(row * 0, column, row)
        covered = covered_by_alpha(fmt, bits.ravel(), samples, lanes, rules, dither=how == "dither")
    masks = (covered << np.arange(samples)[:, np.newaxis]).sum(axis=0).reshape(bits.shape)
    return compare(name, masks, measured.astype(np.int64), used)


def _seen(file: VectorFile, what: str, multisample: Multisample, rules: Rules) -> NDArray[np.float32]:
    """Return what a shader writes to all samples, shape (samples, rows, columns, 4)."""
    fmt = format_named("RGBA32F")
    first, *others = (blank(fmt, _SIZE_PX, _SIZE_PX) for _ in range(_SAMPLES))
    target = ColorTarget(fmt, first, tuple(others))
    for one in (first, *others):
        one.view(np.float32)[...] = _NOTHING
    size = float(_SIZE_PX)
    state = RasterState(viewport=(0.0, 0.0, size, size), multisample=multisample)
    attributes = array_of(file, "in_attr", (3, 4), "f").astype(np.float32)
    words = np.tile(np.ascontiguousarray(attributes.T).view(np.uint32), (2, 1))
    triangle = array_of(file, "in_tri", (3, 4), "f").astype(np.float32)
    draw_triangles(state, [target], None, triangle, words, np.array([[0, 1, 2]]), _shader(what), rules=rules)
    return np.stack([first, *others]).view(np.float32)


def _score_seen(file: VectorFile, name: str, what: str, forced: bool, masked: bool, rules: Rules) -> ArrayScore:
    measured = array_of(file, name, (_SAMPLES, _SIZE_PX, _SIZE_PX, 4), "u")
    multisample = Multisample(sample_shading=forced, mask=6 if masked else ALL_SAMPLES)
    with collect() as used:
        by_rule = _seen(file, what, multisample, rules)
    wide = np.ascontiguousarray(measured).view(np.float32).astype(np.float64)
    errors = np.abs(by_rule.astype(np.float64) - wide) * 2.0**23
    bound = _COORD_BOUND if what == "coord" else 0.0
    return within(compare(name, by_rule.view(np.uint32), measured, used), errors, bound, "2^-23")


def score_samples(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``samples``; a case is a pixel, or a component of a sample."""
    for name in file.headers:
        if served := _ALPHA.fullmatch(name):
            yield _score_alpha(file, name, served[1], int(served[2]), served[3], rules)
        elif served := _SEEN.fullmatch(name):
            yield _score_seen(file, name, served[1], served[2] is not None, served[3] is not None, rules)
        elif name.startswith("out_"):
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="samples", recognises=has_arrays("in_alpha", "out_a2c_RGBA16F_4x_plain"), score=score_samples),
)
