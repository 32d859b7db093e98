"""How are the measured families ``lines`` and ``points`` scored?

``lines`` holds covered pixels by width, strips and loops added up, the polygon modes, and what varies along lines;
``points`` covered pixels by size, and sprite coordinates.

Read next: ``hardware_primitives.py``.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of, white, within
from refnvn.conformance.hardware_primitives import (
    covered,
    drawn_bytes,
    origin_named,
    schemas_of,
    square,
    triangles_of,
    unpacked,
    vertices_of,
)
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive, PolygonMode, WindowOriginMode
from refnvn.errors import InputFileError
from refnvn.replay.assemble import primitives_of
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

_COORDINATE_PX = 24
_SPRITE_BOUND = 2.0**-22
_LINE_BOUND_ULP = 28.0

_WIDTH = re.compile(r"out_(lower|upper)_left_w([\d.]+)")
_MODE = re.compile(r"out_polymode_(line|point)_(\d)")
_SIZE = re.compile(r"out_(plain|sprite|clip_upper_left)_s([\d.]+)")
_COORDINATE = re.compile(r"out_coord_(clip_upper_left|lower_left|upper_left)_s([\d.]+)")


def _listed(file: VectorFile, name: str, word: str) -> float:
    """Return a size that an array's name holds and that is among those of another array."""
    sizes = array_of(file, name, (None,), "f")
    if float(word) not in sizes.tolist():
        raise InputFileError(f"{file.path}: {word} is not among the sizes of array {name!r}")
    return float(word)


# ---------------------------------------------------------------------------------------------- lines

_LINES_PX, _MODES_PX = 48, 64


def _added_up(positions: NDArray[np.float32], primitive: DrawPrimitive, rules: Rules) -> NDArray[np.uint8]:
    """Return how often the segments of a strip or loop cover each pixel."""
    drawn, counts = primitives_of(primitive, len(positions)), np.zeros((_LINES_PX, _LINES_PX), dtype=np.uint8)
    vertices, shader, state = vertices_of(positions), white(), square(_LINES_PX)
    for place in range(len(drawn)):
        image, _ = drawn_bytes(_LINES_PX, state, vertices, drawn.part(place, place + 1), shader, "R8", rules)
        counts += (image[..., 0] != 0).astype(np.uint8)
    return counts


def _along_lines(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an input and 1 / w along lines; both are zero where nothing was drawn."""
    lines = array_of(file, "in_lineattr_pos", (None, 2, 4), "f").astype(np.float32)
    values = array_of(file, "in_lineattr", (len(lines), 2, 4), "f").astype(np.float32)
    measured = array_of(file, name, (len(lines), _LINES_PX, _LINES_PX, 2), "u")
    shader = from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"],
            "inputs": [{"location": 0}], "outputs": [{"location": 0, "components": 2}],
            "statements": [
                {"do": "load_input", "to": 0, "location": 0},
                {"do": "store_output", "location": 0, "of": 0},
                {"do": "load_builtin", "to": 0, "builtin": "frag_coord_w"},
                {"do": "store_output", "location": 0, "component": 1, "of": 0},
            ],
        }
    )  # fmt: skip
    drawn, images = primitives_of(DrawPrimitive.LINES, 2), []
    with collect() as used:
        for line, value in zip(lines, values, strict=True):
            vertices = vertices_of(line, value.view(np.uint32))
            image, _ = drawn_bytes(_LINES_PX, square(_LINES_PX), vertices, drawn, shader, "RG32F", rules)
            images.append(image.view(np.uint32).reshape(_LINES_PX, _LINES_PX, 2))
    found = np.stack(images)
    largest = np.stack([np.abs(values[:, :, 0]).max(axis=1), (1 / np.abs(lines[:, :, 3])).max(axis=1)], axis=1)
    scale = np.spacing(largest.astype(np.float32)).astype(np.float64)[:, np.newaxis, np.newaxis]
    pair = [np.ascontiguousarray(v).view(np.float32).astype(np.float64) for v in (found, measured)]
    errors = np.abs(pair[0] - pair[1]) / scale
    return within(compare(name, found, measured, used), errors, _LINE_BOUND_ULP, "ULP of the largest")


def _score_lines(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    if name == "out_lineattr":
        return _along_lines(file, name, rules)
    with collect() as used:
        if served := _WIDTH.fullmatch(name):
            lines = array_of(file, "in_line", (None, 2, 4), "f").astype(np.float32)
            width = _listed(file, "in_widths", served[2])
            state = square(_LINES_PX, window_origin=origin_named(served[1]), line_width=width)
            images = covered(_LINES_PX, state, lines, DrawPrimitive.LINES, rules)
            return compare(name, images, unpacked(file, name, len(lines), _LINES_PX), used)
        if name in ("out_line_strip", "out_line_loop"):
            strip = array_of(file, "in_strip", (None, 4), "f").astype(np.float32)
            counts = _added_up(strip, DrawPrimitive[name[4:].upper()], rules)
            return compare(name, counts, array_of(file, name, counts.shape, "u"), used)
        if served := _MODE.fullmatch(name):
            mode, size = PolygonMode[served[1].upper()], float(served[2])
            state = square(_MODES_PX, polygon_mode=mode, line_width=size, point_size=size, point_sprite=False)
            triangles = triangles_of(file, "in_polytri")
            images = covered(_MODES_PX, state, triangles, DrawPrimitive.TRIANGLES, rules)
            return compare(name, images, unpacked(file, name, len(triangles), _MODES_PX), used)
    return not_run(name, "no rule knows this array")


# --------------------------------------------------------------------------------------------- points

_POINTS_PX = 32


def _coordinate_shader() -> Shader:
    """Return a shader that writes the coordinate of its sprite."""
    steps: list[dict[str, Any]] = []
    for component, letter in enumerate("xy"):
        steps.append({"do": "load_builtin", "to": 0, "builtin": f"point_coord_{letter}"})
        steps.append({"do": "store_output", "location": 0, "component": component, "of": 0})
    outputs = [{"location": 0, "components": 2}]
    return from_object(
        {"refnvn_shader": 1, "stage": "fragment", "registers": ["word"], "outputs": outputs, "statements": steps}
    )


def _score_coordinates(file: VectorFile, name: str, origin: str, size: float, rules: Rules) -> ArrayScore:
    """Score sprite coordinates in a corner of the viewport."""
    points = array_of(file, "in_point", (None, 4), "f").astype(np.float32)
    corner = _COORDINATE_PX
    measured = array_of(file, name, (None, corner, corner, 2), "u")
    state = square(
        _POINTS_PX,
        point_size=size,
        scissor=(0, 0, corner, corner),
        sprite_origin=origin_named(origin.removeprefix("clip_")),
        window_origin=WindowOriginMode.UPPER_LEFT if origin.startswith("clip") else WindowOriginMode.LOWER_LEFT,
    )
    one, shader, images = primitives_of(DrawPrimitive.POINTS, 1), _coordinate_shader(), []
    with collect() as used:
        for point, _ in zip(points, measured, strict=False):
            image, _ = drawn_bytes(_POINTS_PX, state, vertices_of(point), one, shader, "RG32F", rules)
            words = image.view(np.uint32).reshape(_POINTS_PX, _POINTS_PX, 2)
            images.append(words[:corner, :corner])
    found = np.stack(images)
    pair = [np.ascontiguousarray(v).view(np.float32).astype(np.float64) for v in (found, measured)]
    errors = np.abs(pair[0] - pair[1]) / _SPRITE_BOUND
    return within(compare(name, found, measured, used), errors, 1.0, "2^-22")


def _score_points(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    if served := _COORDINATE.fullmatch(name):
        return _score_coordinates(file, name, served[1], float(served[2]), rules)
    served = _SIZE.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    points = array_of(file, "in_point", (None, 4), "f").astype(np.float32)
    state = square(
        _POINTS_PX,
        point_size=_listed(file, "in_sizes", served[2]),
        point_sprite=served[1] != "plain",
        window_origin=origin_named(served[1].removeprefix("clip_")),
    )
    with collect() as used:
        images = covered(_POINTS_PX, state, points[:, np.newaxis], DrawPrimitive.POINTS, rules)
    return compare(name, images, unpacked(file, name, len(points), _POINTS_PX), used)


SCHEMAS: tuple[Schema, ...] = schemas_of(
    {
        "lines": (("in_strip", "out_line_strip"), _score_lines),
        "points": (("in_point", "in_sizes"), _score_points),
    }
)
