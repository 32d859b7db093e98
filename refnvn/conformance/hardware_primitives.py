"""How are the measured families scored that number and cull primitives: ``prims``, ``facing``, ``occlusion``?

``prims`` holds vertex and primitive numbers of every primitive under both provoking conventions, and with primitive
restart; ``facing`` what was culled and which side was seen; ``occlusion`` samples counted. Of ``nvraster`` the
viewport swizzles are scored here.

Read next: ``hardware_lines.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_conditions import score_conditional
from refnvn.conformance.hardware_draws import array_of, blank, white
from refnvn.conformance.hardware_mixed import MODULATED, score_modulated
from refnvn.conformance.hardware_multisample import COUNTS, LOCATION, score_sample_counts, score_sample_locations
from refnvn.conformance.hardware_touched import BEYOND, score_beyond
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive, Face, FrontFace, IndexType, ViewportSwizzle, WindowOriginMode
from refnvn.errors import InputFileError
from refnvn.formats.table import format_named
from refnvn.raster.assembled import Assembled
from refnvn.raster.draw import draw_primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import Conservative, RasterState
from refnvn.raster.target import ColorTarget
from refnvn.replay.assemble import primitives_of, primitives_of_runs
from refnvn.replay.indices import runs_between, vertex_numbers
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader, from_object

ScoreOne = Callable[[VectorFile, str, Rules], ArrayScore]

_MOST = 1 << 12
_SIZE_PX = 64

_PRIMITIVE = re.compile(r"out_([A-Z_]+?)(_concave|_bowtie)?_(first|last)")
_RESTART = re.compile(r"out_restart_(u\d+)(_wide|_7)?_([A-Z_]+)")
_FACING = re.compile(r"out_(lower|upper)_left_(CCW|CW)_(none|FRONT|BACK|FRONT_AND_BACK)")
_CONSERVATIVE = re.compile(r"out_conservative_(?:bias(?P<x>\d)_(?P<y>\d)|dilate(?P<dilate>0\.\d+))")
_LEFT_OUT = {
    "out_conservative_presnap": "NVN has no such state",
    "out_fill_rectangle": "NVN has no such polygon mode",
}
_RESTART_INDEX = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}
_INDEX_TYPES = {"u8": IndexType.BYTE, "u16": IndexType.SHORT, "u32": IndexType.INT}


def origin_named(word: str) -> WindowOriginMode:
    """Return the origin that a part of an array's name says."""
    return WindowOriginMode.UPPER_LEFT if word.startswith("upper") else WindowOriginMode.LOWER_LEFT


def square(size: int, **fields: Any) -> RasterState:
    """Return a state whose viewport is a whole square."""
    return RasterState(viewport=(0.0, 0.0, float(size), float(size)), **fields)


def vertices_of(positions: NDArray[np.float32], varyings: NDArray[np.uint32] | None = None) -> Vertices:
    """Return the vertices of a draw from positions and, by vertex, words."""
    flat = np.ascontiguousarray(positions.reshape(-1, 4))
    empty = np.zeros((0, len(flat)), dtype=np.uint32)
    return Vertices(flat, empty if varyings is None else np.ascontiguousarray(varyings.reshape(len(flat), -1).T))


def drawn_bytes(
    size: int, state: RasterState, vertices: Vertices, primitives: Assembled, shader: Shader, fmt: str, rules: Rules
) -> tuple[NDArray[np.uint8], int]:
    """Return the bytes that a draw leaves in a square of zeros, and the samples that passed."""
    named = format_named(fmt)
    target = ColorTarget(named, blank(named, size, size))
    passed = draw_primitives(state, [target], None, vertices, primitives, shader, rules=rules)
    return target.codes, passed


def covered(
    size: int, state: RasterState, shapes: NDArray[np.float32], primitive: DrawPrimitive, rules: Rules
) -> NDArray[np.uint8]:
    """Draw each of some shapes (n, vertices, 4) by itself; return which pixels are covered, 0 or 1."""
    drawn, shader = primitives_of(primitive, shapes.shape[1]), white()
    images = [drawn_bytes(size, state, vertices_of(one), drawn, shader, "R8", rules)[0][..., 0] for one in shapes]
    found: NDArray[np.uint8] = (np.stack(images) != 0).astype(np.uint8)
    return found


def unpacked(file: VectorFile, name: str, count: int, size: int) -> NDArray[np.uint8]:
    """Read images of bits."""
    return np.unpackbits(array_of(file, name, (count, size, size // 8), "u"), axis=-1)


def triangles_of(file: VectorFile, name: str = "in_tri") -> NDArray[np.float32]:
    """Read triangles in clip space, not too many."""
    triangles: NDArray[np.float32] = array_of(file, name, (None, 3, 4), "f").astype(np.float32)
    if len(triangles) > _MOST:
        raise InputFileError(f"{file.path}: array {name!r} has {len(triangles)} triangles, not up to {_MOST}")
    return triangles


def _numbers_shader() -> Shader:
    """Return a shader that writes a flat input and the primitive's number, both plus 1."""
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 2,
            "inputs": [{"location": 0, "components": 1, "type": "uint", "interpolation": "flat"}],
            "outputs": [{"location": 0, "components": 2, "type": "uint"}],
            "statements": [
                {"do": "constant", "to": 1, "bits": 1},
                {"do": "load_input", "to": 0, "location": 0},
                {"do": "operate", "name": "word.add", "to": 0, "of": [0, 1]},
                {"do": "store_output", "location": 0, "of": 0},
                {"do": "load_builtin", "to": 0, "builtin": "primitive_id"},
                {"do": "operate", "name": "word.add", "to": 0, "of": [0, 1]},
                {"do": "store_output", "location": 0, "component": 1, "of": 0},
            ],
        }
    )  # fmt: skip


def _numbered(positions: NDArray[np.float32], drawn: Assembled, rules: Rules) -> NDArray[np.uint16]:
    """Return vertex and primitive number plus 1 of what is seen in each pixel."""
    vertices = vertices_of(positions, np.arange(len(positions), dtype=np.uint32))
    image, _ = drawn_bytes(
        _SIZE_PX, square(_SIZE_PX, point_sprite=False), vertices, drawn, _numbers_shader(), "RG16UI", rules
    )
    return np.ascontiguousarray(image).view(np.uint16)


def _score_prims(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    shape = (_SIZE_PX, _SIZE_PX, 2)
    with collect() as used:
        if served := _RESTART.fullmatch(name):
            width, special, primitive = served[1], served[2] or "", DrawPrimitive[served[3]]
            positions = array_of(file, "in_restart_vtx", (None, 4), "f").astype(np.float32)
            data = np.ascontiguousarray(array_of(file, f"in_restart_idx_{width}{special}", (None,), "u"))
            numbers = vertex_numbers(data.view(np.uint8), _INDEX_TYPES[width], 0)
            restart = {"_7": 7, "_wide": 0xFFFFFFFF}.get(special, _RESTART_INDEX[width])
            drawn = primitives_of_runs(primitive, runs_between(numbers, 0, restart))
        elif served := _PRIMITIVE.fullmatch(name):
            primitive = DrawPrimitive[served[1]]
            positions = array_of(file, f"in_{served[1]}{served[2] or ''}", (None, 4), "f").astype(np.float32)
            drawn = primitives_of(primitive, len(positions), served[3] == "first")
        else:
            return not_run(name, "no rule knows this array")
        found = _numbered(positions, drawn, rules)
    return compare(name, found, array_of(file, name, shape, "u"), used)


def _facing_shader() -> Shader:
    """Return a shader that writes 2 for the front, 1 for the back."""
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["bool", "word"],
            "outputs": [{"location": 0, "components": 1, "type": "uint"}],
            "statements": [
                {"do": "load_builtin", "to": 0, "builtin": "front_facing"},
                {"do": "constant", "to": 1, "bits": 1},
                {"do": "if", "condition": 0, "then": [{"do": "constant", "to": 1, "bits": 2}]},
                {"do": "store_output", "location": 0, "of": 1},
            ],
        }
    )  # fmt: skip


def _score_facing(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _FACING.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    state = square(
        _SIZE_PX,
        window_origin=origin_named(served[1]),
        front_face=FrontFace[served[2]],
        cull_face=Face[served[3].upper()],
    )
    drawn, shader = primitives_of(DrawPrimitive.TRIANGLES, 3), _facing_shader()
    triangles = triangles_of(file)
    with collect() as used:
        seen = [
            int(drawn_bytes(_SIZE_PX, state, vertices_of(one), drawn, shader, "R8UI", rules)[0].max())
            for one in triangles
        ]
    return compare(name, np.array(seen, dtype=np.uint8), array_of(file, name, (len(triangles),), "u"), used)


# ------------------------------------------------------------------------------- occlusion, swizzles


def _score_occlusion(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    if COUNTS.fullmatch(name):
        return score_sample_counts(file, name, rules)
    if name not in ("out_count", "out_cov"):
        return score_conditional(file, name, rules)
    triangles, shader = triangles_of(file), white()
    drawn, state = primitives_of(DrawPrimitive.TRIANGLES, 3), square(_SIZE_PX)
    with collect() as used:
        results = [drawn_bytes(_SIZE_PX, state, vertices_of(one), drawn, shader, "R8", rules) for one in triangles]
    if name == "out_count":
        counts = np.array([passed for _, passed in results], dtype=np.int64)
        return compare(name, counts, array_of(file, name, (len(triangles),), "u").astype(np.int64), used)
    images = np.stack([(image[..., 0] != 0).astype(np.uint8) for image, _ in results])
    return compare(name, images, unpacked(file, name, len(triangles), _SIZE_PX), used)


def _touching(served: re.Match[str]) -> Conservative:
    """Return the state that the name of an array tells."""
    if served["dilate"]:
        return Conservative(dilate=float(served["dilate"]))
    return Conservative(bias=(int(served["x"]), int(served["y"])))


def _score_conservative(file: VectorFile, name: str, touching: Conservative, rules: Rules) -> ArrayScore:
    """Score which pixels triangles touched."""
    triangles = triangles_of(file)
    measured = array_of(file, name, (len(triangles), _SIZE_PX, _SIZE_PX // 8), "u")
    state = square(_SIZE_PX, conservative=touching)
    with collect() as used:
        images = covered(_SIZE_PX, state, triangles, DrawPrimitive.TRIANGLES, rules)
    return compare(name, images, np.unpackbits(measured, axis=-1), used)


def _score_nvraster(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score what triangles covered under each swizzle, and with programmable sample positions."""
    if LOCATION.fullmatch(name):
        return score_sample_locations(file, name, rules)
    if name == BEYOND:
        return score_beyond(file, rules)
    if MODULATED.fullmatch(name):
        return score_modulated(file, name, rules)
    if served := _CONSERVATIVE.fullmatch(name):
        return _score_conservative(file, name, _touching(served), rules)
    if name != "out_swizzle":
        return not_run(name, _LEFT_OUT.get(name, "no rule knows this array"))
    triangles = triangles_of(file, "in_swizzle_tri")
    swizzles = array_of(file, "in_swizzles", (None, 4), "i")
    size = _SIZE_PX
    measured = array_of(file, name, (len(swizzles), len(triangles), size, size // 8), "u")
    if swizzles.size and not 0 <= int(swizzles.min()) <= int(swizzles.max()) <= max(ViewportSwizzle):
        raise InputFileError(f"{file.path}: array 'in_swizzles' holds numbers outside 0 to {max(ViewportSwizzle):d}")
    with collect() as used:
        images = [
            covered(
                size,
                square(size, viewport_swizzle=tuple(ViewportSwizzle(int(v)) for v in one)),
                triangles,
                DrawPrimitive.TRIANGLES,
                rules,
            )
            for one in swizzles
        ]
    return compare(name, np.stack(images), np.unpackbits(measured, axis=-1), used)


_FAMILIES = {
    "prims": (("in_QUADS", "out_QUADS_first"), _score_prims),
    "facing": (("in_tri", "out_lower_left_CCW_none"), _score_facing),
    "occlusion": (("in_tri", "out_count", "out_conditional"), _score_occlusion),
    "nvraster": (("in_swizzles", "out_swizzle"), _score_nvraster),
}


def schemas_of(families: Mapping[str, tuple[tuple[str, ...], ScoreOne]]) -> tuple[Schema, ...]:
    """Return schemas by family: the arrays that a family is known by, and what scores one of its ``out`` arrays."""

    def schema(family: str, known_by: tuple[str, ...], score_one: ScoreOne) -> Schema:
        def score(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
            for name in file.headers:
                if name == "out" or name.startswith("out_"):
                    yield score_one(file, name, rules)

        return Schema(name=family, recognises=has_arrays(*known_by), score=score)

    return tuple(schema(family, known_by, score_one) for family, (known_by, score_one) in families.items())


SCHEMAS: tuple[Schema, ...] = schemas_of(_FAMILIES)
