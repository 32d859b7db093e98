"""How are the measured families scored that have several samples in a pixel?

``msaa`` holds positions, and for triangles which samples the shader saw covered and which were stored; ``a2cdither``
the samples that each alpha left; ``cov2color`` coverage as a colour, masks that a shader writes, and alpha to one. Of
``nvraster`` the arrays of programmable positions are scored here, of ``interp`` those of centroid and sample inputs,
of ``occlusion`` the counts of samples.

Read next: ``hardware_draws.py`` (small shaders).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import ONE_BITS, WHOLE, array_of, blank, constant_color, draw, white, within
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import format_named
from refnvn.raster.draw import draw_triangles
from refnvn.raster.samples import (
    LOCATIONS,
    SAMPLE_UNITS,
    Location,
    Multisample,
    programmed_locations,
    usual_positions,
)
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

Pixels = NDArray[np.uint32]
_SIZE_PX = 48
_VIEWPORT_PX = 64.0
_INTERP_PX = 24
_INTERP_BOUND_ULP = 1.0
_SMALL_PX = 8

DRIVERS_16 = (15, 10, 4, 1, 9, 7, 3, 13, 12, 2, 11, 8, 0, 6, 5, 14)
"""The measured driver's 16 samples: four in each quarter of the pixel, by the chip's numbers."""

_MSAA = re.compile(r"out_(positions|samplemaskin|stored)_(2|4|8|16)x")
_ALPHA = re.compile(r"out_(2|4|8)x_(default|enable|disable)")
_COVERAGE_COLOR = re.compile(r"out_c2c_(\w+)_(4|8)x")
COUNTS = re.compile(r"out_count_4x(_mask5)?")
LOCATION = re.compile(r"out_sampleloc_(2|4|8)x_(same|grid)")
INTERP = re.compile(r"out_(sample|centroid)_4x")


# -------------------------------------------------------------------------------- shaders and targets


def _shader(statements: list[dict[str, Any]], **fields: Any) -> Shader:
    return from_object(
        {"refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 2, "statements": statements, **fields}
    )


def covered_as_color() -> Shader:
    """Return a shader whose output 0 is the mask of covered samples."""
    statements = [
        {"do": "load_builtin", "to": 0, "builtin": "sample_mask_in"},
        {"do": "store_output", "location": 0, "of": 0},
    ]
    return _shader(statements, outputs=[{"location": 0, "components": 1, "type": "uint"}])


def _masking(mask: int, *, of_covered: bool) -> Shader:
    """Return a shader that writes 1, and ``mask`` or what of it is covered as its sample mask."""
    narrowed = [
        {"do": "load_builtin", "to": 1, "builtin": "sample_mask_in"},
        {"do": "operate", "name": "word.and", "to": 0, "of": [0, 1]},
    ]
    statements = [
        {"do": "constant", "to": 0, "bits": mask},
        *(narrowed if of_covered else []),
        {"do": "store_output", "location": -1, "of": 0},
        {"do": "constant", "to": 0, "bits": ONE_BITS},
        {"do": "store_output", "location": 0, "of": 0},
    ]
    outputs = [{"location": 0, "components": 1}, {"location": -1, "components": 1, "type": "uint"}]
    return _shader(statements, outputs=outputs)


def _target(name: str, samples: int, size_px: int) -> ColorTarget:
    """Return a square target that holds zeros, its samples apart."""
    fmt = format_named(name)
    first, *others = (blank(fmt, size_px, size_px) for _ in range(samples))
    return ColorTarget(fmt, first, tuple(others))


def _samples(target: ColorTarget) -> NDArray[np.uint8]:
    """Return the codes of all samples, shape (samples, rows, columns, bytes)."""
    return np.stack([target.codes, *target.others])


def _stored_mask(target: ColorTarget) -> Pixels:
    """Return for each pixel which samples are not zero, sample 0 in bit 0."""
    written: NDArray[np.bool_] = np.any(_samples(target), axis=3)
    bits = np.uint32(1) << np.arange(len(written), dtype=np.uint32)
    mask: Pixels = (written * bits[:, np.newaxis, np.newaxis]).sum(axis=0, dtype=np.uint32)
    return mask


def _state(multisample: Multisample, size_px: float = _VIEWPORT_PX) -> RasterState:
    return RasterState(viewport=(0.0, 0.0, size_px, size_px), multisample=multisample)


Drawn = Callable[[NDArray[np.float32]], Pixels]


def _images(triangles: NDArray[np.float32], drawn: Drawn) -> Pixels:
    return np.stack([drawn(triangle) for triangle in triangles])


def _masks_of(
    samples: int, multisample: Multisample, shader: Shader, rules: Rules, size_px: float = _VIEWPORT_PX
) -> Drawn:
    """Return a function from a triangle to the samples that it stores, by pixel."""

    def drawn(triangle: NDArray[np.float32]) -> Pixels:
        target = _target("R8", samples, _SIZE_PX)
        draw(_state(multisample, size_px), target, None, triangle, shader, rules)
        return _stored_mask(target)

    return drawn


# ----------------------------------------------------------------------------------------------- msaa


def _score_msaa(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _MSAA.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    kind, samples = served[1], int(served[2])
    with collect() as used:
        if kind == "positions":
            measured = np.rint(array_of(file, name, (samples, 2), "f").astype(np.float64) * SAMPLE_UNITS)
            by_rule = np.array(_drivers_positions() if samples == LOCATIONS else usual_positions(samples))
            return compare(name, by_rule, measured.astype(np.int64), used)
        masks = array_of(file, name, (None, _SIZE_PX, _SIZE_PX), "u")
        triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(masks)]
        if samples == LOCATIONS:
            by_rule = _images(triangles, _masks_of_16(rules))
        elif kind == "stored":
            by_rule = _images(triangles, _masks_of(samples, Multisample(), white(), rules))
        else:
            by_rule = _images(triangles, _seen_masks(samples, rules))
    return compare(name, by_rule, masks.astype(np.uint32), used)


def _drivers_positions() -> list[Location]:
    """Return the positions of 16 samples as the measured driver numbers them."""
    positions = usual_positions(LOCATIONS)
    return [positions[one] for one in DRIVERS_16]


def _masks_of_16(rules: Rules) -> Drawn:
    """Return a function from a triangle to the samples that it stores where a pixel has sixteen.

    The measured driver draws a target twice as wide and high, of four samples at programmed positions.
    """
    quads = ((0, 0), (8, 0), (0, 8), (8, 8))
    positions = _drivers_positions()
    locations = tuple(
        ((x - left) * 2, (y - top) * 2)
        for quad, (left, top) in enumerate(quads)
        for x, y in positions[4 * quad : 4 * quad + 4]
    )
    state, shader = _state(Multisample(locations=locations, location_grid=True), 2 * _VIEWPORT_PX), white()

    def drawn(triangle: NDArray[np.float32]) -> Pixels:
        target = _target("R8", 4, 2 * _SIZE_PX)
        draw(state, target, None, triangle, shader, rules)
        fine = _stored_mask(target)
        quarters = (fine[0::2, 0::2], fine[0::2, 1::2], fine[1::2, 0::2], fine[1::2, 1::2])
        mask: Pixels = np.zeros_like(quarters[0])
        for quad, quarter in enumerate(quarters):
            mask |= quarter << np.uint32(4 * quad)
        return mask

    return drawn


def _seen_masks(samples: int, rules: Rules) -> Drawn:
    """Return a function from a triangle to the samples that the shader sees covered."""
    shader = covered_as_color()

    def drawn(triangle: NDArray[np.float32]) -> Pixels:
        target = _target("R32UI", samples, _SIZE_PX)
        draw(_state(Multisample()), target, None, triangle, shader, rules)
        seen: Pixels = _samples(target).view(np.uint32)[..., 0].max(axis=0)
        return seen

    return drawn


# ------------------------------------------------------------------------------------------ a2cdither


def _score_alpha(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _ALPHA.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    samples, how = int(served[1]), served[2]
    alphas = array_of(file, "in_alpha", (None,), "f")
    measured = array_of(file, name, (len(alphas), _SMALL_PX, _SMALL_PX), "u")
    state = _state(Multisample(alpha_to_coverage=True, dither=how != "disable"), float(_SMALL_PX))
    images = []
    with collect() as used:
        for bits in np.ascontiguousarray(alphas, dtype=np.float32).view(np.uint32).tolist():
            target = _target("R8", samples, _SMALL_PX)
            draw(state, target, None, WHOLE, constant_color(ONE_BITS, ONE_BITS, ONE_BITS, bits), rules)
            images.append(_stored_mask(target))
    return compare(name, np.stack(images), measured.astype(np.uint32), used)


# ------------------------------------------------------------------------------------------ cov2color


def _coverage_as_color(name: str, samples: int, rules: Rules) -> Drawn:
    state, shader = _state(Multisample(coverage_to_color=0)), constant_color(3, 3, 3, 3)

    def drawn(triangle: NDArray[np.float32]) -> Pixels:
        target = _target(name, samples, _SIZE_PX)
        draw(state, target, None, triangle, shader, rules)
        return unpack_codes(target.fmt, target.codes)[..., 0]

    return drawn


def _score_coverage_color(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    with collect() as used:
        if name == "out_alpha_to_one":
            target = _target("RGBA8", 4, _SMALL_PX)
            bits = np.array([0.25, 0.5, 0.75, 0.6], np.float32).view(np.uint32).tolist()
            state = _state(Multisample(alpha_to_one=True), float(_SMALL_PX))
            draw(state, target, None, WHOLE, constant_color(*bits), rules)
            return compare(name, target.codes, array_of(file, name, target.codes.shape, "u"), used)
        if served := _COVERAGE_COLOR.fullmatch(name):
            drawn = _coverage_as_color(served[1], int(served[2]), rules)
        elif name in ("out_samplemask_out", "out_samplemask_and"):
            of_covered = name.endswith("and")
            shader = _masking(3 if of_covered else 5, of_covered=of_covered)
            drawn = _masks_of(4, Multisample(), shader, rules)
        else:
            return not_run(name, "no rule knows this array")
        measured = array_of(file, name, (None, _SIZE_PX, _SIZE_PX), "u")
        triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(measured)]
        by_rule = _images(triangles, drawn)
    return compare(name, by_rule, measured.astype(np.uint32), used)


# ------------------------------------------------------------------------ counts, programmable positions


def score_sample_counts(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an array of ``occlusion`` whose name :data:`COUNTS` matches; a case is a triangle.

    Both arrays were counted with the mask 5: the probe overwrote those without a mask.
    """
    state = _state(Multisample(mask=5))
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")
    target, shader = _target("R8", 4, int(_VIEWPORT_PX)), white()
    with collect() as used:
        counts = [draw(state, target, None, triangle, shader, rules) for triangle in triangles]
    measured = array_of(file, name, (len(triangles),), "u").astype(np.int64)
    return compare(name, np.array(counts, dtype=np.int64), measured, used)


def score_sample_locations(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an array of ``nvraster`` whose name :data:`LOCATION` matches."""
    served = LOCATION.fullmatch(name)
    assert served is not None
    samples, how = int(served[1]), served[2]
    values = array_of(file, f"in_sampleloc_{samples}x_{how}", (LOCATIONS, 2), "f")
    measured = array_of(file, name, (None, _SIZE_PX, _SIZE_PX), "u")
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(measured)]
    with collect() as used:
        locations = programmed_locations(values)
        multisample = Multisample(locations=locations, location_grid=how == "grid")
        by_rule = _images(triangles, _masks_of(samples, multisample, white(), rules))
    return compare(name, by_rule, measured.astype(np.uint32), used)


# ---------------------------------------------------------------------------------------------- interp


def _reading(last: str) -> Shader:
    """Return a shader that writes centroid x, sample or flat x, x at the centre, and the column."""
    inputs = [
        {"location": 0, "interpolation": "smooth"},
        {"location": 1, "interpolation": "smooth", "sampling": "centroid"},
        {"location": 2, "interpolation": "smooth", "sampling": "sample"}
        if last == "sample"
        else {"location": 2, "interpolation": "flat"},
    ]
    statements: list[dict[str, Any]] = []
    for component, location in enumerate((1, 2, 0)):
        statements.append({"do": "load_input", "to": 0, "location": location, "component": 0})
        statements.append({"do": "store_output", "location": 0, "component": component, "of": 0})
    statements.append({"do": "load_builtin", "to": 0, "builtin": "frag_coord_x"})
    statements.append({"do": "store_output", "location": 0, "component": 3, "of": 0})
    return _shader(statements, inputs=inputs, outputs=[{"location": 0}])


def score_placed_inputs(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an array of ``interp`` whose name :data:`INTERP` matches; a case is a component of a sample."""
    served = INTERP.fullmatch(name)
    assert served is not None
    size, shader = _INTERP_PX, _reading(served[1])
    measured = array_of(file, name, (None, 4, size, size, 4), "u")
    triangles = array_of(file, "in_tri", (None, 3, 4), "f")[: len(measured)]
    attributes = array_of(file, "in_attr", (None, 3, 4), "f")[: len(measured)]
    by_rule, scales = [], []
    with collect() as used:
        for triangle, values in zip(triangles, attributes, strict=True):
            target = _target("RGBA32F", 4, size)
            words = np.tile(np.ascontiguousarray(values.T).view(np.uint32), (3, 1))
            state = _state(Multisample(), float(size))
            draw_triangles(state, [target], None, triangle, words, np.array([[0, 1, 2]]), shader, rules=rules)
            by_rule.append(_samples(target).view(np.uint32))
            scales.append(np.spacing(np.abs(values[:, 0]).max()).astype(np.float64))
    images = np.stack(by_rule)
    pair = [np.ascontiguousarray(v).view(np.float32).astype(np.float64) for v in (images, measured)]
    errors = np.abs(pair[0] - pair[1]) / np.array(scales)[:, None, None, None, None]
    return within(compare(name, images, measured, used), errors, _INTERP_BOUND_ULP, "ULP of the largest")


def _holds_locations_alone(file: VectorFile) -> bool:
    return has_arrays("in_tri", "in_sampleloc_*")(file) and "in_swizzles" not in file.headers


def _score_locations(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    for name in file.headers:
        if LOCATION.fullmatch(name):
            yield score_sample_locations(file, name, rules)


def _schema(name: str, known_by: tuple[str, ...], score: Callable[[VectorFile, str, Rules], ArrayScore]) -> Schema:
    def scores(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
        for array in file.headers:
            if array.startswith("out_"):
                yield score(file, array, rules)

    return Schema(name=name, recognises=has_arrays(*known_by), score=scores)


SCHEMAS: tuple[Schema, ...] = (
    _schema("msaa", ("in_tri", "out_samplemaskin_*"), _score_msaa),
    _schema("a2cdither", ("in_alpha", "out_4x_default"), _score_alpha),
    _schema("cov2color", ("in_tri", "out_samplemask_and"), _score_coverage_color),
    Schema(name="nvraster locations", recognises=_holds_locations_alone, score=_score_locations),
)
