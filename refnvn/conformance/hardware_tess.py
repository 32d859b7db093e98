"""How is the measured family ``tess`` scored: coordinates of the vertices that the tessellator makes of patches?

``meta.configs`` holds for each array domain, spacing, six levels, whether points are made, and in some files ``cw``
or ``ccw``; ``out_NNN`` the coordinates of points, lines or triangles, in order.

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
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.replay.tessellator import tessellated
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir_stages import Domain, Spacing, TessEvaluation

_MOST_LEVEL = 64.0
_LEVELS = 6


def _configurations(file: VectorFile) -> list[tuple[TessEvaluation, tuple[float, ...]]]:
    """Return how each array was made."""
    try:
        rows = json.loads(str(file.array(META)))["configs"]
        return [_configuration(row) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{file.path}: meta.configs is no list of tessellated patches: {error}") from error


def _configuration(row: Any) -> tuple[TessEvaluation, tuple[float, ...]]:
    _, domain, spacing, levels, point_mode, *winding = row
    found = tuple(float(level) for level in levels)
    if len(found) != _LEVELS or not all(0 < level <= _MOST_LEVEL for level in found):
        raise ValueError(f"levels {levels!r}, not six of more than 0 and up to {_MOST_LEVEL:g}")
    clockwise = winding == ["cw"]
    how = TessEvaluation(
        domain=Domain(domain), spacing=Spacing(spacing), point_mode=bool(point_mode), clockwise=clockwise
    )
    return how, found


def _score(file: VectorFile, name: str, how: TessEvaluation, levels: tuple[float, ...]) -> ArrayScore:
    with collect() as used:
        found = tessellated(how, levels)
    by_rule = found.coordinates.view(np.uint32)[found.primitives.reshape(-1)]
    measured = array_of(file, name, by_rule.shape, "u").astype(np.uint32)
    return compare(name, by_rule, measured, used, floats=True)


def score_tess(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``tess``."""
    del rules
    configurations = _configurations(file)
    for name in (one for one in file.headers if one.startswith("out_")):
        number = re.fullmatch(r"out_(\d{3})", name)
        if number is None or int(number[1]) >= len(configurations):
            yield not_run(name, "no rule knows this array")
            continue
        yield _score(file, name, *configurations[int(number[1])])


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="tess", recognises=has_arrays("out_000", "out_001", "out_002"), score=score_tess),
)
