"""How is the measured family ``clamp`` scored: clip distances on triangles that reach behind the eye?

``out_clamp_SET`` and ``out_clip_SET`` hold depth, 1 / w and an input of single triangles, depth clamp on and off,
zeros where nothing was drawn. Coverage has to be equal; values of triangles behind the eye are known to a bound.

Read next: ``hardware_stages.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from refnvn.conformance.hardware_draws import array_of, within
from refnvn.conformance.hardware_primitives import drawn_bytes, square
from refnvn.conformance.hardware_stages import places
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive
from refnvn.raster.shapes import Vertices
from refnvn.replay.assemble import primitives_of
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_SIZE_PX = 24
_BOUND = 2.0**-10
"""Of 1 for depths, of the largest for 1 / w and the input."""
_NAME = re.compile(r"out_(clamp|clip)_(\w+)")


def _score(file: VectorFile, name: str, clamp: bool, which: str, rules: Rules) -> ArrayScore:
    clip = array_of(file, f"in_clip_{which}", (None, 3, 4), "f").astype(np.float32)
    values = array_of(file, f"in_clip_{which}_a", (len(clip), 3, 4), "f").astype(np.float32)
    distances = array_of(file, f"in_clip_{which}_d", (len(clip), 3, None), "f").astype(np.float32)
    measured = array_of(file, name, (len(clip), _SIZE_PX, _SIZE_PX, 3), "u").astype(np.uint32)
    state, drawn, images = square(_SIZE_PX, depth_clamp=clamp), primitives_of(DrawPrimitive.TRIANGLES, 3), []
    with collect() as used:
        for one, value, distance in zip(clip, values, distances, strict=True):
            shaded = Vertices(one, np.ascontiguousarray(value.T).view(np.uint32), None, distance[:, :2].copy())
            image, _ = drawn_bytes(_SIZE_PX, state, shaded, drawn, places, "RGBA32F", rules)
            images.append(image.view(np.uint32).reshape(_SIZE_PX, _SIZE_PX, 4)[..., :3])
    found = np.stack(images)
    pair = [np.ascontiguousarray(one).view(np.float32).astype(np.float64) for one in (found, measured)]
    scale = np.abs(pair[1]).max(axis=(1, 2), keepdims=True)
    scale[..., 0] = 1.0
    errors = np.abs(pair[0] - pair[1]) / np.maximum(scale, 1e-30) / _BOUND
    covered = [(one != 0).any(axis=-1, keepdims=True) for one in (found, measured)]
    errors = np.where(covered[0] == covered[1], errors, np.inf)
    return within(compare(name, found, measured, used), errors, 1.0, "2^-10")


def score_clamp(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``clamp``; a case is a value of a pixel."""
    for name in file.headers:
        if served := _NAME.fullmatch(name):
            yield _score(file, name, served[1] == "clamp", served[2], rules)
        elif name.startswith("out_"):
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="clamp", recognises=has_arrays("out_clamp_behind1", "out_clip_behind1"), score=score_clamp),
)
