"""How do measured draws come about? Small shaders and targets, and scores with a declared bound.

Read next: ``hardware_raster.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format
from refnvn.raster.draw import draw_triangles
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.shader.execute import no_uniforms
from refnvn.shader.ir import Shader, from_object

ONE_BITS = 0x3F800000
"""Of 1 as a float32."""
WHOLE = np.array([[-1, -1, 0, 1], [3, -1, 0, 1], [-1, 3, 0, 1]], dtype=np.float32)
"""One triangle over a whole viewport."""


def white() -> Shader:
    """Return a shader whose output 0 is 1."""
    return constant_color(ONE_BITS)


def constant_color(*bits: int) -> Shader:
    """Return a shader whose output 0 is constant, of as many components as there are words."""
    statements: list[dict[str, Any]] = []
    for component, word in enumerate(bits):
        statements.append({"do": "constant", "to": 0, "bits": word})
        statements.append({"do": "store_output", "location": 0, "component": component, "of": 0})
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"],
            "outputs": [{"location": 0, "components": len(bits)}], "statements": statements,
        }
    )  # fmt: skip


def to_words_of_pixel(columns: int, words: int = 1) -> list[dict[str, Any]]:
    """Return statements that put into register 2 where a pixel's words begin, in bytes; registers 0 and 1 are used.

    Pixels stand in rows of ``columns``, each with so many words.
    """
    return [
        {"do": "load_builtin", "to": 0, "builtin": "frag_coord_x"},
        {"do": "operate", "name": "uint.from_float", "to": 0, "of": [0]},
        {"do": "load_builtin", "to": 1, "builtin": "frag_coord_y"},
        {"do": "operate", "name": "uint.from_float", "to": 1, "of": [1]},
        {"do": "constant", "to": 2, "bits": columns},
        {"do": "operate", "name": "word.mul", "to": 1, "of": [1, 2]},
        {"do": "operate", "name": "word.add", "to": 0, "of": [0, 1]},
        {"do": "constant", "to": 2, "bits": 4 * words},
        {"do": "operate", "name": "word.mul", "to": 2, "of": [0, 2]},
    ]


def depth_by_pixel(columns: int) -> Shader:
    """Return a shader whose output 0 is 1 and whose depth is word ``row * columns + column`` of uniform block 0."""
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 3,
            "outputs": [{"location": 0, "components": 1}],
            "uniforms": [{"binding": 0, "size_B": 1 << 16}],
            "statements": [
                *to_words_of_pixel(columns),
                {"do": "load_uniform", "to": 0, "binding": 0, "plus_B": 2},
                {"do": "store_depth", "of": 0},
                {"do": "constant", "to": 1, "bits": ONE_BITS},
                {"do": "store_output", "location": 0, "of": 1},
            ],
        }
    )  # fmt: skip


def blank(fmt: Format, rows: int, columns: int) -> NDArray[np.uint8]:
    """Return the bytes of a target that holds zeros."""
    return np.zeros((rows, columns, fmt.bytes_per_block), dtype=np.uint8)


def draw(
    state: RasterState,
    color: ColorTarget | None,
    depth: DepthStencilTarget | None,
    positions: NDArray[np.float32],
    shader: Shader | None,
    rules: Rules,
    words: NDArray[np.uint32] | None = None,
) -> int:
    """Draw consecutive triples of vertices, ``words`` being the uniform block 0 of the shader."""
    vertices = np.ascontiguousarray(positions.reshape(-1, 4))
    triangles = np.arange(len(vertices)).reshape(-1, 3)
    table = np.zeros(0, np.uint8) if words is None else np.ascontiguousarray(words).view(np.uint8).ravel()
    uniforms = no_uniforms if words is None else lambda _binding: table
    empty = np.zeros((0, len(vertices)), dtype=np.uint32)
    return draw_triangles(state, [color], depth, vertices, empty, triangles, shader, uniforms, rules)


def plane(fmt: Format, codes: NDArray[np.uint8], name: str) -> NDArray[np.uint32]:
    """Return one plane or channel of texels."""
    place = [c.name for c in fmt.components].index(name)
    return unpack_codes(fmt, np.ascontiguousarray(codes))[..., place]


def array_of(file: VectorFile, name: str, shape: tuple[int | None, ...], kind: str) -> NDArray[Any]:
    """Read an array of some kinds of numbers (NumPy's letters); None in ``shape`` is any length.

    Raises
    ------
    InputFileError
        For another shape or dtype.
    """
    array = file.array(name)
    fits = len(array.shape) == len(shape) and all(
        b is None or a == b for a, b in zip(array.shape, shape, strict=True)
    )
    if not fits or array.dtype.kind not in kind:
        raise InputFileError(f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, not {shape}")
    return array


def within(score: ArrayScore, errors: NDArray[np.float64], bound: float, unit: str) -> ArrayScore:
    """Return a score whose cases up to ``bound`` off count as within it; ``errors`` holds every case's distance."""
    near = int(np.count_nonzero((errors > 0) & (errors <= bound)))
    return replace(
        score, within=near, wrong=score.wrong - near, largest_error=float(np.max(errors, initial=0.0)), unit=unit
    )


def compare_depth(
    name: str, fmt: Format, by_rule: NDArray[np.uint32], measured: NDArray[np.uint32], used: set[str], bound: float
) -> ArrayScore:
    """Score depth codes; distances up to ``bound`` steps of 2^-24 of depth are within the rule's own bound."""
    score = compare(name, by_rule, measured, used)
    component = fmt.component("D")
    assert component is not None
    if component.bits == 32:
        pair = [np.ascontiguousarray(v).view(np.float32).astype(np.float64) for v in (by_rule, measured)]
    else:
        pair = [v.astype(np.float64) / ((1 << component.bits) - 1) for v in (by_rule, measured)]
    errors = np.abs(pair[0] - pair[1]) * 2.0**24
    one_code = 2.0**24 / ((1 << component.bits) - 1) if component.bits < 32 else 0.0
    return within(score, errors, max(bound, one_code) * (1 + 1e-6), "2^-24")
