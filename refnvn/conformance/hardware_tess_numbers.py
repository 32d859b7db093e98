"""How are the points of many tessellated patches scored, and the numbers by which their triangles name them?

Each domain and spacing has ``in_*``, six levels a patch; ``counts_*``, its points and triangles; ``points_*``, the
bits of u and v of each point of the patch in point mode; and ``out_*``, its triangles as numbers of those points, of
points in one place the first.

Read next: ``hardware_tess.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.floatbits import Int64, UInt32
from refnvn.replay.tessellator import tessellated
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir_stages import Domain, Spacing, TessEvaluation

_MOST_LEVEL = 64.0
_PATCHES = {
    f"{domain.value}_{spacing.value.removesuffix('_spacing')}": (domain, spacing)
    for domain in (Domain.TRIANGLES, Domain.QUADS)
    for spacing in Spacing
}


def _levels(file: VectorFile, name: str) -> list[tuple[float, ...]]:
    levels = array_of(file, f"in_{name}", (None, 6), "f")
    if not ((levels > 0) & (levels <= _MOST_LEVEL)).all():
        raise InputFileError(f"{file.path}: array 'in_{name}' holds levels outside 0 to {_MOST_LEVEL:g}")
    return [tuple(map(float, one)) for one in levels]


def _points(how: TessEvaluation, levels: tuple[float, ...]) -> UInt32:
    """Return the bits of u and v of each point, in order."""
    found = tessellated(how, levels)
    return np.ascontiguousarray(found.coordinates[found.primitives[:, 0], :2]).view(np.uint32)


def _named(how: TessEvaluation, levels: tuple[float, ...], points: UInt32) -> Int64:
    """Return triangles as numbers of those points, -1 for one that is not among them."""
    numbers = {tuple(point): number for number, point in reversed(list(enumerate(points.tolist())))}
    found = tessellated(how, levels)
    corners = np.ascontiguousarray(found.coordinates[:, :2]).view(np.uint32).tolist()
    names = np.array([numbers.get(tuple(corner), -1) for corner in corners], dtype=np.int64)
    triangles: Int64 = names[found.primitives]
    return triangles


def _score_patches(file: VectorFile, name: str) -> Iterator[ArrayScore]:
    domain, spacing = _PATCHES[name]
    levels = _levels(file, name)
    counts = array_of(file, f"counts_{name}", (len(levels), 2), "u").astype(np.int64)
    with collect() as used:
        points = [_points(TessEvaluation(domain=domain, spacing=spacing, point_mode=True), one) for one in levels]
    by_rule = np.concatenate(points)
    measured = array_of(file, f"points_{name}", by_rule.shape, "u").astype(np.uint32)
    yield compare(f"points_{name}", by_rule, measured, used, floats=True)
    edges = np.cumsum(counts[:-1, 0])
    how = TessEvaluation(domain=domain, spacing=spacing)
    with collect() as used:
        triangles = [_named(how, *one) for one in zip(levels, np.split(measured, edges), strict=True)]
    numbers = np.concatenate(triangles)
    yield compare(f"out_{name}", numbers, array_of(file, f"out_{name}", numbers.shape, "u").astype(np.int64), used)


def score_tess_numbers(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score points and numbers of each domain and spacing that the file has."""
    del rules
    for name in _PATCHES:
        if f"in_{name}" in file.headers:
            yield from _score_patches(file, name)


SCHEMAS: tuple[Schema, ...] = (
    Schema(
        name="tess_numbers",
        recognises=has_arrays("in_triangles_equal", "counts_triangles_equal", "points_triangles_equal"),
        score=score_tess_numbers,
    ),
)
